package nearest

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence that was found nowhere was perhaps mistyped, reworded since, or is
// remembered by half. What is near to it is told only where it is likely the one that
// was meant: a far-fetched proposal is worse than none, as its reader takes the place
// and the reason for an answer. So words weigh by their length and by how rare they are
// in the texts that are searched, and beside their share it counts that they stand in
// the same order, or that the sentence has little else.

const (
	// leastLike is the likeness below which nothing is proposed. It was chosen with
	// TestSentences.
	leastLike = 0.62
	// maxAsked is how many words of a question are looked at, and maxSentence how many
	// of a sentence: text without full stops is taken in pieces.
	maxAsked, maxSentence = 100, 60
)

// sentence is a stretch of a text with the words of a question that it has.
type sentence struct {
	which, start, end int
	words, runes      int // how many it has, and the runes of all
	hits              []hit
}

// hit is a word of a sentence that is one of the question, or nearly.
type hit struct {
	asked   int // which word of the question
	at      int // which word of the sentence
	quality float64
	runes   int
	sameEnd bool // its last letter is that of the question's word
}

// question is what is looked for, as words.
type question struct {
	words  []string
	runes  []int
	in     []int            // sentences that have the word
	known  map[string][]hit // by word of the texts
	number int              // of sentences
	there  bool             // a text has a word of it as it is
}

// Sentence is the sentence of texts that is most like a question: its text and
// where it stands there; false when none is like it enough. Of equals it is the first.
func Sentence(asked string, texts []string) (which, start, end int, ok bool) {
	q := &question{known: map[string][]hit{}}
	for w := range eachWord(asked) {
		if len(q.words) < maxAsked {
			q.words, q.runes = append(q.words, w), append(q.runes, utf8.RuneCountInString(w))
		}
	}
	if len(q.words) == 0 {
		return 0, 0, 0, false
	}
	q.in = make([]int, len(q.words))
	var found []sentence
	for i, text := range texts {
		for from, to := range sentences(text) {
			if s := q.look(text[from:to]); len(s.hits) > 0 {
				s.which, s.start, s.end = i, from, to
				found = append(found, s)
			}
		}
	}
	weights := q.weights()
	best := leastLike
	better := func(like float64, s *sentence) {
		if like > best {
			best, which, start, end, ok = like, s.which, s.start, s.end, true
		}
	}
	for i := range found {
		s := &found[i]
		like := q.likeness(s, weights)
		better(like, s)
		if i == 0 {
			continue
		}
		// A sentence that the author's line breaks run through is in two pieces.
		if last := &found[i-1]; last.which == s.which && adjoin(texts[s.which], last.end, s.start) && texts[s.which][last.start] != '#' {
			both := last.and(s)
			if joined := q.likeness(&both, weights); joined > like+0.1 && joined > q.likeness(last, weights)+0.1 {
				better(joined, &both)
			}
		}
	}
	return which, start, end, ok
}

// and is a sentence and the one that follows it, as one.
func (s *sentence) and(next *sentence) sentence {
	both := sentence{s.which, s.start, next.end, s.words + next.words, s.runes + next.runes, slices.Clone(s.hits)}
	for _, h := range next.hits {
		h.at += s.words
		both.hits = append(both.hits, h)
	}
	return both
}

// adjoin reports whether nothing but a line break or white space is between two pieces.
func adjoin(text string, end, start int) bool {
	between := text[end:start]
	return strings.TrimSpace(between) == "" && strings.Count(between, "\n") < 2
}

// look takes the words of a sentence.
func (q *question) look(text string) sentence {
	q.number++
	var s sentence
	for w := range eachWord(text) {
		runes := utf8.RuneCountInString(w)
		hits, seen := q.known[w]
		if !seen {
			hits = q.near(w)
			q.known[strings.Clone(w)] = hits
		}
		for _, h := range hits {
			h.at = s.words
			s.hits = append(s.hits, h)
		}
		s.words++
		s.runes += runes
	}
	counted := make([]bool, len(q.words))
	for _, h := range s.hits {
		if !counted[h.asked] {
			counted[h.asked] = true
			q.in[h.asked]++
		}
	}
	return s
}

// near are the words of the question that a word is, or nearly is.
func (q *question) near(w string) (out []hit) {
	runes := utf8.RuneCountInString(w)
	for i, asked := range q.words {
		if quality := sameness(w, asked); quality > 0 {
			out = append(out, hit{asked: i, quality: quality, runes: runes, sameEnd: w[len(w)-1] == asked[len(asked)-1]})
			q.there = q.there || w == asked
		}
	}
	return out
}

// sameness is how surely two words are one: mistyped, or in another form.
func sameness(a, b string) float64 {
	if a == b {
		return 1
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	if rest, ok := strings.CutPrefix(long, short); ok && len(short) >= 3 {
		switch {
		case rest == "s" || rest == "es":
			return 0.95
		case len(short) >= 4 && len(rest) <= 3 && rest[0] > '9':
			return 0.8
		}
	}
	n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if n < 3 || len(long)-len(short) > 2 {
		return 0
	}
	switch changes := changesOf(a, b); {
	case changes == 1 && (n >= 5 || len(a) == len(b) && sortedRunes(a) == sortedRunes(b)):
		return 0.85
	case changes == 2 && n >= 8:
		return 0.75
	}
	return 0
}

// sortedRunes are the letters of a word, to tell swapped ones from others.
func sortedRunes(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}

// weights are those of the question's words, which come to 1. A word that few sentences
// have tells more than one that many have, and one that none has most.
func (q *question) weights() []float64 {
	all := 0.0
	out := make([]float64, len(q.words))
	for i, runes := range q.runes {
		rare := math.Log(1+float64(q.number)/float64(max(q.in[i], 1))) / math.Log(1+float64(q.number))
		out[i] = float64(min(runes, 10)) * rare
		all += out[i]
	}
	for i := range out {
		out[i] /= all
	}
	return out
}

// likeness is above 0: the share of the question that a sentence has, times the greater
// of two shares, that of these words which stands in the question's order, and that of
// the sentence which they are; a little more where both are great. One word is no
// likeness to several.
func (q *question) likeness(s *sentence, weights []float64) float64 {
	best := make([]float64, len(q.words)) // by word of the question
	theirs := 0
	last := -1
	for _, h := range s.hits {
		if h.at != last {
			theirs, last = theirs+h.runes, h.at
		}
		best[h.asked] = max(best[h.asked], h.quality)
	}
	shared, kinds := 0.0, 0
	for i, quality := range best {
		if quality > 0 {
			shared += quality * weights[i]
			kinds++
		}
	}
	if len(q.words) == 1 {
		return q.mistyped(s)
	}
	if kinds < 2 {
		return 0
	}
	order, whole := q.inOrder(s, weights)/shared, float64(theirs)/float64(s.runes)
	return shared*max(order, whole) + 0.15*order*whole
}

// mistyped is the likeness of a sentence to a single word: only where it has the word
// with letters others than its last, which tells of another form, and no sentence has
// the word itself.
func (q *question) mistyped(s *sentence) float64 {
	if q.there {
		return 0
	}
	most := 0.0
	for _, h := range s.hits {
		if h.sameEnd {
			most = max(most, h.quality)
		}
	}
	return most
}

// inOrder is the weight of the longest row of words that stand in the same order in a
// sentence and in the question, and near to each other where they do there: words that
// are scattered over a sentence are in some order by chance.
func (q *question) inOrder(s *sentence, weights []float64) float64 {
	rows := make([]float64, len(s.hits)) // the best that ends with a hit
	most := 0.0
	for k, h := range s.hits {
		before := 0.0
		for j, last := range s.hits[:k] {
			if apart := h.asked - last.asked; apart > 0 && h.at > last.at && h.at-last.at <= 2*apart+2 {
				before = max(before, rows[j])
			}
		}
		rows[k] = before + h.quality*weights[h.asked]
		most = max(most, rows[k])
	}
	return most
}

// sentences are the stretches of a text up to a full stop or the end of a line.
func sentences(text string) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for start := 0; start < len(text); {
			lineTo := len(text)
			if k := strings.IndexByte(text[start:], '\n'); k >= 0 {
				lineTo = start + k
			}
			for from := start; from < lineTo; {
				to := sentenceEnd(text, from, lineTo)
				if strings.TrimSpace(text[from:to]) != "" {
					lead := len(text[from:to]) - len(strings.TrimLeftFunc(text[from:to], unicode.IsSpace))
					if !yield(from+lead, from+len(strings.TrimRightFunc(text[from:to], unicode.IsSpace))) {
						return
					}
				}
				from = to
			}
			start = lineTo + 1
		}
	}
}

// sentenceEnd is where the sentence ends that begins at from.
func sentenceEnd(text string, from, end int) int {
	blanks := 0
	for k := from; k < end; k++ {
		if text[k] != ' ' {
			continue
		}
		if last := text[max(k-1, from)]; last == '.' || last == '!' || last == '?' {
			if next, _ := utf8.DecodeRuneInString(text[k+1 : end]); unicode.IsUpper(next) {
				return k + 1
			}
		}
		if blanks++; blanks == maxSentence {
			return k + 1
		}
	}
	return end
}

// eachWord are the words of a text, in lower case. Of scripts without blanks between
// words each letter is one.
func eachWord(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) }) {
			w = strings.ToLower(w)
			from := 0
			for k, r := range w {
				if r < 0x2e80 || !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
					continue
				}
				size := utf8.RuneLen(r)
				if from < k && !yield(w[from:k]) || !yield(w[k:k+size]) {
					return
				}
				from = k + size
			}
			if from < len(w) && !yield(w[from:]) {
				return
			}
		}
	}
}
