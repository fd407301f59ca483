package token

import (
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// A budget has to know what a prompt costs after each of thousands of sacrifices.
// Counting each of those prompts would cost more than all else, and their parts
// don't simply add up: "it." and an empty line are three tokens apart, and two
// together. So a counter says where they do add up. Pieces, in which no token
// reaches from one into the next, begin and end by rules that look at a few
// characters; the rules here are the cases of them in which neither what stands
// before nor what stands behind matters.

// Splits reports that the tokens of left and of right add up wherever the two
// stand side by side, in whatever text; see [cento.PartCounter].
func (e Encoding) Splits(left, right string) bool { return splits(left, right, e.index == 0) }

// Weigh returns [Encoding.Count].
func (e Encoding) Weigh(text string) int { return e.Count(text) }

// Tokens returns the weight itself: it is tokens already.
func (e Encoding) Tokens(weight int) int { return weight }

// Splits is that of the encoding that the estimate counts with.
func (e Estimate) Splits(left, right string) bool { return splits(left, right, true) }

// Weigh returns thousandths of a token.
func (e Estimate) Weigh(text string) int {
	units := measure(text)
	sum := 0
	for k, weight := range estimates[e.index].weights {
		sum += weight * units[k]
	}
	return sum
}

// Tokens rounds thousandths of a token up.
func (e Estimate) Tokens(weight int) int { return (weight + 999) / 1000 }

var (
	_ cento.PartCounter = Encoding{}
	_ cento.PartCounter = Estimate{}
)

// splits says whether a piece ends between two texts, in both encodings' rules.
// slash is whether signs take the slashes behind line ends with them.
func splits(left, right string, slash bool) bool {
	if left == "" || right == "" {
		return false
	}
	last, first := left[len(left)-1], right[0]
	switch {
	case last == '\n':
		return beginsPiece(right) && (!slash || first != '/' || endsWord(trimLineEnds(left)))
	case last <= ' ' || last >= utf8.RuneSelf || last == 0x7f:
		return false // what a run of white space is cut into depends on all of it
	case first == ' ':
		return true // nothing takes a space behind it
	}
	return endsWord(left) && first < utf8.RuneSelf && first != '\'' && !classOf(first).isLetter() && classOf(first) != number
}

// beginsPiece reports whether a text begins with a character that no line end
// before it belongs to.
func beginsPiece(s string) bool {
	if s[0] < utf8.RuneSelf {
		return !classOf(s[0]).isSpace()
	}
	if r, n := utf8.DecodeRuneInString(s); r == utf8.RuneError && n <= 1 {
		return false
	}
	c, _ := classAt(s, 0)
	return !c.isSpace()
}

// endsWord reports whether a text ends with a letter or digit of ASCII.
func endsWord(s string) bool {
	if s == "" {
		return false
	}
	c := s[len(s)-1]
	return c < utf8.RuneSelf && (classOf(c).isLetter() || classOf(c) == number)
}

func trimLineEnds(s string) string {
	for s != "" && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

// classOf is the class of a character of ASCII.
func classOf(b byte) class { return class(classes[b]) }
