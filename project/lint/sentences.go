package lint

import (
	"iter"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A sentenceLine is a line of prose, with what the sentences say that it has a part of:
// paragraphs are wrapped, and a sentence goes on from line to line.
type sentenceLine struct {
	proseLine
	words  string // the line without what stands between backticks, which says nothing of the rest
	before bool   // a sentence that began above shows there that its paths aren't to be used
	after  bool   // so does one that goes on below
	parts  []part // of the line, once somebody asked
}

// A part is what stands of one sentence on a line.
type part struct {
	end    int
	unused bool // the sentence shows that its paths aren't to be used
}

// sentences are the lines of prose of a text.
func sentences(text string) iter.Seq[sentenceLine] {
	return func(yield func(sentenceLine) bool) {
		var paragraph []sentenceLine
		flush := func() bool {
			for i := 1; i < len(paragraph); i++ {
				above := paragraph[i-1]
				if _, tail, ok := cutLast(above.words); !endsSentence(above.bare) {
					paragraph[i].before = unused(tail) || !ok && above.before
				}
			}
			for i := len(paragraph) - 2; i >= 0; i-- {
				below := paragraph[i+1]
				if head, _, ok := strings.Cut(below.words, ". "); !endsSentence(paragraph[i].bare) {
					paragraph[i].after = unused(head) || !ok && below.after
				}
			}
			for _, l := range paragraph {
				if !yield(l) {
					return false
				}
			}
			paragraph = paragraph[:0]
			return true
		}
		for l := range prose(text) {
			if n := len(paragraph); n > 0 && !goesOn(paragraph[n-1].proseLine, l) && !flush() {
				return
			}
			paragraph = append(paragraph, sentenceLine{proseLine: l, words: withoutCode(l.text)})
		}
		flush()
	}
}

// goesOn reports whether a line belongs to the paragraph of the line above it.
func goesOn(above, below proseLine) bool {
	if above.bare == "" || below.bare == "" || isItem(below.bare) || above.offset+len(above.text) != below.offset { // no block of code stands between them
		return false
	}
	for _, bare := range []string{above.bare, below.bare} {
		if bare[0] == '#' || bare[0] == '|' { // headings, and rows of tables
			return false
		}
	}
	first, _ := utf8.DecodeRuneInString(below.bare)
	return len(above.bare) >= wrapped || !unicode.IsUpper(first)
}

// wrapped is how long a line is at least that went on where no line had to end. A shorter
// one, with a capital below it, is a sentence without its full stop.
const wrapped = 60

// endsSentence reports whether nothing of a line's last sentence stands on the next one.
func endsSentence(bare string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(bare, "*_)\"'”"))
	return strings.ContainsRune(".!?。！？", last)
}

// cutLast splits a line before its last sentence; false when it has but one.
func cutLast(words string) (before, last string, ok bool) {
	i := strings.LastIndex(words, ". ")
	if i < 0 {
		return "", words, false
	}
	return words[:i], words[i+2:], true
}

// unusedAt reports whether the sentence that stands at a place of the line shows that its
// paths aren't there to be used.
func (l *sentenceLine) unusedAt(offset int) bool {
	if l.parts == nil {
		for at := 0; ; {
			sentence, _, more := strings.Cut(l.words[at:], ". ")
			at += len(sentence)
			l.parts = append(l.parts, part{at, unused(sentence)})
			if !more {
				break
			}
			at += len(". ")
		}
		first, last := &l.parts[0], &l.parts[len(l.parts)-1]
		first.unused = first.unused || l.before
		last.unused = last.unused || l.after
	}
	i := sort.Search(len(l.parts)-1, func(i int) bool { return offset < l.parts[i].end })
	return l.parts[i].unused
}

// signs are the words by which a sentence shows that it doesn't send its reader
// to a path: it forbids it, tells what was, gives an example, has it made, or
// means another place.
var signs = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
		not no never don't doesn't isn't aren't won't can't cannot shouldn't mustn't without avoid instead rather removed deleted deprecated
		obsolete formerly former previously legacy old was were gone missing forbidden ignore ignored ignores gitignored exclude excluded except skip
		example examples e.g eg such instance like similar sample named called name names naming pattern patterns placeholder template convention
		create creates created creating add adds adding generate generates generated generating write writes written output outputs produce produces
		produced emit emits save saves saved store stored stores put place new scaffold rename renamed move copy copied download downloaded install
		installs installed cache cached caches artifact artifacts build builds built compile compiled compiles bundle bundled coverage report reports
		temporary temp tmp log logs dump export exported clone cloned mount mounted fetch fetched populate appears init initialize
		if optional optionally maybe may might could would should either upstream external elsewhere another remote server container docker image
		repo repository sibling home user's machine locally private branch url route endpoint prefix import imports package`) {
		set[w] = true
	}
	return set
})

// unused reports whether a sentence shows that its paths aren't there to be used.
func unused(sentence string) bool {
	word := func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '.' && r != '’' }
	for w := range strings.FieldsFuncSeq(sentence, word) {
		w = strings.ToLower(strings.Trim(strings.ReplaceAll(w, "’", "'"), ".'"))
		if signs()[w] {
			return true
		}
	}
	return false
}
