package imitation_test

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/imitation"
)

// TestBreaks marks whose the stretches are: of the author's words nothing, of a stranger's
// value `{…}`, of another value `[…]`, of one that may show nothing `(…)`. What is found is
// marked by `!` before it.
func TestBreaks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Name: {a\nb} end", "Name: {a!\nb} end"},
		{"Name: {a\r\nb\vc}", "Name: {a!\r\nb!\vc}"},
		{"Name: {a\n} end", "Name: {a\n} end"},
		{"Name: {a\n}{b}", "Name: {a!\n}{b}"},
		{"Name: {a\n}{b\nc}", "Name: {a!\n}{b!\nc}"},
		{"{a\nb} end", "{a\nb} end"},
		{"Words\n{a\nb}", "Words\n{a\nb}"},
		{"Words\n  {a\nb}", "Words\n  {a\nb}"},
		{"Name: [x]{a\nb}", "Name: [x]{a!\nb}"},
		{"Name: [x\n]{a\nb}", "Name: [x\n]{a\nb}"},
		{"[a\nb] end", "[a\nb] end"},
		{"{a} and {b\nc}", "{a} and {b!\nc}"},
		{"( ){a\nb}", "( ){a\nb}"},
		{"( ) {a\nb}", "( ) {a\nb}"},
		{"x( \n ){a\nb}", "x( !\n ){a!\nb}"},
		{"{}\nName: {\u2028b}", "{}\nName: {!\u2028b}"},
		{"{a}[b]{c\nd}", "{a}[b]{c\nd}"},
		{"", ""},
	} {
		var text, want strings.Builder
		var stretches []imitation.Stretch
		now := imitation.Stretch{Literal: true}
		next := func(s imitation.Stretch) {
			now.End = text.Len()
			stretches = append(stretches, now)
			now, s.Start = s, text.Len()
			now.Start = s.Start
		}
		for _, r := range c.text {
			switch r {
			case '{':
				next(imitation.Stretch{Stranger: true})
			case '(':
				next(imitation.Stretch{Stranger: true, Blank: true})
			case '[':
				next(imitation.Stretch{})
			case '}', ')', ']':
				next(imitation.Stretch{Literal: true})
			default:
				text.WriteRune(r)
			}
		}
		next(imitation.Stretch{})
		marks, in := map[int]bool{}, text.String()
		for b := imitation.BreaksIn(in, stretches); b.Start >= 0; b.Next() {
			if marks[b.Start] || b.End <= b.Start || strings.IndexFunc(in[b.Start:b.End], func(r rune) bool { return !imitation.EndsLine(r) }) >= 0 {
				t.Fatalf("%q: %d to %d is found", c.text, b.Start, b.End)
			}
			marks[b.Start] = true
		}
		at := 0
		for _, r := range c.text {
			if !strings.ContainsRune("{}[]()", r) {
				if marks[at] {
					want.WriteByte('!')
				}
				at += len(string(r))
			}
			want.WriteRune(r)
		}
		if got := want.String(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	if b := imitation.NoBreaks(); b.Start >= 0 {
		t.Error("something is found in nothing")
	}
}
