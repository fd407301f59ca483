package token

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoding counts tokens exactly as OpenAI's tiktoken does with the encoding
// of the same name. [Lookup] gives one; the zero value is o200k_base. An
// Encoding is comparable and safe for concurrent use.
//
// Its tables, up to 4 MB in memory, are built from embedded data when it first
// counts, once for the program, and kept.
type Encoding struct{ index uint8 }

// published is an encoding with what it counts by.
type published struct {
	name  string
	end   func(s string, i int) int // the end of the piece that begins at i
	table *table

	once  sync.Once
	built *vocabulary
}

//go:embed data/o200k_base.bpe
var o200kTable table

//go:embed data/cl100k_base.bpe
var cl100kTable table

var encodings = [...]published{
	{name: "o200k_base", end: o200kEnd, table: &o200kTable},
	{name: "cl100k_base", end: cl100kEnd, table: &cl100kTable},
}

func (p *published) vocabulary() *vocabulary {
	p.once.Do(func() { p.built = load(*p.table) })
	return p.built
}

// Lookup returns the exact encoding of a name: "o200k_base" or "cl100k_base".
// Any other name gives an [*UnknownError]. Use [LookupCounter] where an
// estimate will do.
func Lookup(name string) (Encoding, error) {
	var known []string
	for i := range encodings {
		if encodings[i].name == name {
			return Encoding{index: uint8(i)}, nil
		}
		known = append(known, encodings[i].name)
	}
	slices.Sort(known)
	return Encoding{}, unknown(name, known)
}

// Name returns the published name, such as "o200k_base".
func (e Encoding) Name() string { return encodings[e.index].name }

// Exact returns true: the count is no estimate.
func (e Encoding) Exact() bool { return true }

// Size returns the number of tokens in the vocabulary, without special ones.
// All that [Encoding.AppendTokens] gives are below it.
func (e Encoding) Size() int { return encodings[e.index].vocabulary().size() }

// Count returns the number of tokens of s. What reads like a special token,
// such as "<|endoftext|>", is text. Each byte that is not part of valid UTF-8
// counts as U+FFFD, which is what a JSON encoder sends in its place.
func (e Encoding) Count(s string) int {
	s = valid(s)
	p := &encodings[e.index]
	v := p.vocabulary()
	t := v.textsFor(len(s))
	n := 0
	for i := 0; i < len(s); {
		end := p.end(s, i)
		n += v.count(t, s, i, end)
		i = end
	}
	return n
}

// AppendTokens appends the tokens of s to dst and returns the extended slice.
// They are as many as [Encoding.Count] says, and [Encoding.AppendText] makes
// s of them again if s is valid UTF-8.
func (e Encoding) AppendTokens(dst []int, s string) []int {
	s = valid(s)
	p := &encodings[e.index]
	v := p.vocabulary()
	t := v.textsFor(len(s))
	for i := 0; i < len(s); {
		end := p.end(s, i)
		dst = v.append(dst, t, s, i, end)
		i = end
	}
	return dst
}

// AppendText appends the bytes of tokens to dst and returns the extended
// slice. Those of a single token need not be valid UTF-8. A number that is no
// token of the encoding gives a [*RangeError] and the bytes of those before.
func (e Encoding) AppendText(dst []byte, tokens ...int) ([]byte, error) {
	v := encodings[e.index].vocabulary()
	for _, t := range tokens {
		if t < 0 || t >= v.size() {
			return dst, &RangeError{Encoding: e.Name(), Token: t, Size: v.size()}
		}
		dst = append(dst, v.texts().of(t)...)
	}
	return dst, nil
}

// count is the number of tokens of the piece s[i:j]. With t nil it is found
// without a memory of pieces.
func (v *vocabulary) count(t *texts, s string, i, j int) int {
	if j-i == 1 {
		return 1
	}
	piece := s[i:j]
	if len(piece) > scanned {
		_, n := v.long(nil, piece, window, false)
		return n
	}
	if t != nil && t.recall(pieceHash(s, i, j), piece) != noRank {
		return 1
	}
	var ranks [scanned]uint32
	tokens := v.scan(&ranks, piece)
	if t != nil && len(tokens) == 1 {
		t.remember(pieceHash(s, i, j), tokens[0])
	}
	return len(tokens)
}

// append appends the tokens of the piece s[i:j] and is else like count.
func (v *vocabulary) append(dst []int, t *texts, s string, i, j int) []int {
	piece := s[i:j]
	if len(piece) == 1 {
		return append(dst, int(v.bytes[piece[0]]))
	}
	if len(piece) > scanned {
		dst, _ = v.long(dst, piece, window, true)
		return dst
	}
	if t != nil {
		if rank := t.recall(pieceHash(s, i, j), piece); rank != noRank {
			return append(dst, int(rank))
		}
	}
	var ranks [scanned]uint32
	tokens := v.scan(&ranks, piece)
	if t != nil && len(tokens) == 1 {
		t.remember(pieceHash(s, i, j), tokens[0])
	}
	for _, rank := range tokens {
		dst = append(dst, int(rank))
	}
	return dst
}

// valid returns s with each byte that is not part of valid UTF-8 replaced by
// U+FFFD.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
