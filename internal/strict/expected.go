package strict

import (
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// What is told of a value that is of another kind than what was wanted.

// Expected reports that a value isn't what was wanted.
func (d *Decoder) Expected(n *Node, want string) *cento.SourceError {
	e := d.Fail(n.Position(), WrongType, "expected %s, got %s", want, n.describe())
	switch {
	case n.unwritten() && want == Text.String():
		e.Hint = hintUnwritten
	case n.style == plain && n.kind == Text && want == Bool.String():
		e.Hint = "write true or false"
	case (n.kind == List || n.kind == Map) && want == Text.String():
		e.Hint = "write one text, between quotes where it begins with [ or {"
	case n.kind != List && strings.Contains(want, List.String()):
		e.Hint = n.asList()
	case n.kind != Map && strings.Contains(want, Map.String()):
		e.Hint = "a map has keys with values, as in {key: value}"
	}
	return e
}

// digitsHint says how a whole number is written.
func digitsHint(text string) string {
	digits := strings.NewReplacer("_", "", ",", "", "'", "", " ", "").Replace(text)
	if rest, ok := strings.CutSuffix(strings.ToLower(digits), "k"); ok {
		digits = rest + "000"
	}
	if digits != "" && len(digits) < 16 && strings.Trim(digits, "0123456789") == "" {
		return "write " + digits
	}
	if strings.HasSuffix(digits, "%") {
		return "write how many it is, in digits: a share is not taken here"
	}
	return "write it in digits, such as 10"
}

// asList says how a value that is no list is written as one.
func (n *Node) asList() string {
	const short = 40
	switch text := n.text; {
	case n.kind != Text || text == "" || len(text) > short || clip(text, short) != text:
		return `a list stands between [ and ], or has "- " before each item`
	case n.style != plain || strings.ContainsAny(text, ":#{}[]&*!|>'\"%@`"):
		return "write [" + strconv.Quote(text) + "]"
	}
	return "write [" + n.text + `], or one per line with "- " before it`
}

// describe names a value in an error, small ones with what they say.
func (n *Node) describe() string {
	const shown = 40
	switch n.kind {
	case Text:
		return strconv.Quote(clip(n.text, shown))
	case Bool, Number:
		return clip(n.text, shown)
	}
	return n.kind.String()
}

func clip(s string, length int) string { return quote.ClipRunes(s, length) }
