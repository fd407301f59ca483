package tests

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// everyLineEnd is what some reader begins a new line behind.
const everyLineEnd = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// pieces draws a text of line ends, blanks and the given words.
func pieces(of ...string) *rapid.Generator[string] {
	ends := rapid.SampledFrom(append([]string{"", "\r\n", "\n\n", " ", "\t", " \n"}, strings.Split(everyLineEnd, "")...))
	return rapid.Custom(func(t *rapid.T) string {
		text := ends.Draw(t, "begins with")
		for range rapid.IntRange(0, 3).Draw(t, "words") {
			text += rapid.SampledFrom(of).Draw(t, "word") + ends.Draw(t, "ends with")
		}
		return text
	})
}

// worded draws a text of an author's words and of values, with its runs.
func worded(t *rapid.T, author cento.Trust) cento.Fragment {
	f := cento.Fragment{ID: "f", Trust: author}
	words := pieces("The tools are: ", "- ", "## Tools", ".", "é")
	value := pieces("read", "## Conduct", "- Run it", "\u200b", "<|im_end|>", "é")
	for range rapid.IntRange(1, 6).Draw(t, "parts") {
		r, text := cento.Run{Start: len(f.Body), Trust: author}, ""
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0, 1:
			text = value.Draw(t, "value")
			r.Var, r.Trust = "v", rapid.SampledFrom([]cento.Trust{cento.TrustWorkspace, cento.TrustTool, cento.TrustSession}).Draw(t, "trust")
		case 2:
			text = words.Draw(t, "words")
		default:
			text = value.Draw(t, "trusted value")
			r.Var = "date"
		}
		f.Body += text
		r.End = len(f.Body)
		f.Runs = append(f.Runs, r)
	}
	return f
}

// brokenOut finds a byte of a stranger's value that begins a line, though the value
// stands behind words of the author's line. It reads character by character whose
// each is: the author's words, a trusted value's, a stranger's.
func brokenOut(text string, spans []cento.Span) (at int, ok bool) {
	words, value, within, strangers := false, false, false, false
	before, i := rune(0), 0
	for at, r := range text {
		for spans[i].End <= at {
			i++
		}
		ends := strings.ContainsRune(everyLineEnd, before) && (before != '\r' || r != '\n')
		switch s := spans[i]; {
		case s.Trust.Untrusted():
			if !value {
				within = words
			}
			if within && strangers && ends {
				return at, true
			}
			if value || !unicode.IsSpace(r) && !strings.ContainsRune(everyLineEnd, r) {
				value, words = true, true
			}
			strangers = true
		default:
			value = value && (s.Var != "" || s.Kind != cento.BodySpan)
			switch {
			case strings.ContainsRune(everyLineEnd, r):
				words, value = false, false
			case !unicode.IsSpace(r):
				words = true
			}
			strangers = false
		}
		before = r
	}
	return 0, false
}

// TestNoValueBeginsALine: whatever a stranger's value holds, and whatever the policy
// is, it stays in the author's line where it stands behind the author's words.
func TestNoValueBeginsALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := worded(t, rapid.SampledFrom([]cento.Trust{cento.TrustBuiltin, cento.TrustHost, cento.TrustUser}).Draw(t, "author"))
		show := rapid.SampledFrom([]cento.HiddenPolicy{cento.ShowHidden, cento.StripHidden}).Draw(t, "policy")
		p, err := cento.ReduceFragments([]cento.Fragment{f}, cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: show, Tool: show, Session: show}})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		spans := p.Spans()
		if at, ok := brokenOut(text, spans); ok {
			t.Fatalf("a stranger's %q begins a line in %q", text[at:], text)
		}
	})
}

// What a line end within a line becomes, and which ones are let be.
func TestLineEndsWithinLines(t *testing.T) {
	type part struct {
		text  string
		trust cento.Trust
		value string
	}
	words := func(s string) part { return part{s, cento.TrustUser, ""} }
	value := func(s string) part { return part{s, cento.TrustWorkspace, "v"} }
	given := func(s string) part { return part{s, cento.TrustUser, "date"} }
	for _, c := range []struct {
		parts []part
		want  string
		notes int
	}{
		{[]part{words("Tools: "), value("a\n## b"), words(".")}, "Tools: a<U+000A>## b.", 1},
		{[]part{words("Tools: "), value("a\r\nb\n\nc"), words(".")}, "Tools: a<U+000D><U+000A>b<U+000A><U+000A>c.", 3},
		{[]part{words("Tools:\n\n"), value("a\n## b"), words("\n\nEnd")}, "Tools:\n\na\n## b\n\nEnd", 0},
		{[]part{words("Tools:\n\n  "), value("a\n## b"), words("\n\nEnd")}, "Tools:\n\n  a\n## b\n\nEnd", 0},
		{[]part{value("a\nb"), words(" and\n"), value("c\nd")}, "a\nb and\nc\nd", 0},
		{[]part{words("Follow "), value("a\n"), words(", please")}, "Follow a\n, please", 0},
		{[]part{words("Follow "), value("a\n"), value("b\n"), words(", please")}, "Follow a<U+000A>b\n, please", 1},
		{[]part{words("Follow "), value("a\n"), words("- "), value("b\nc")}, "Follow a\n- b<U+000A>c", 1},
		{[]part{value("a\n"), words(" "), value("b\nc")}, "a\n b<U+000A>c", 1},
		{[]part{words("On "), given("Monday\n"), value("b\nc")}, "On Monday\nb\nc", 0},
		{[]part{words("On "), value("a\n"), given("Monday"), value("\nb")}, "On a\nMonday<U+000A>b", 1},
		{[]part{given("Monday"), value("a\nb")}, "Mondaya<U+000A>b", 1},
	} {
		f := cento.Fragment{ID: "f", Trust: cento.TrustUser}
		for _, p := range c.parts {
			r := cento.Run{Start: len(f.Body), Var: p.value, Trust: p.trust, Position: at("f.md", 100*len(f.Runs)+1)}
			f.Body += p.text
			r.End = len(f.Body)
			f.Runs = append(f.Runs, r)
		}
		p := mustReduce(t, cento.Options{}, f)
		notes := p.Trace(0, cento.ExplainOptions{}).Notes
		if text, _ := p.System(); text != c.want || len(notes) != c.notes {
			t.Errorf("%q became %q, want %q; %d notes: %v", f.Body, text, c.want, len(notes), notes)
		}
		for _, n := range notes {
			if ended := f.Body[n.Start:n.End]; n.Code != cento.CodeLineEnd || strings.Trim(ended, "\r\n") != "" || ended == "" {
				t.Errorf("%q: %s of %q", f.Body, n.Code, ended)
			}
			i := slices.IndexFunc(f.Runs, func(r cento.Run) bool { return n.Start < r.End })
			if want := f.Runs[i].Position.After(f.Body[f.Runs[i].Start:n.Start]); n.Position == nil || *n.Position != want {
				t.Errorf("%q: byte %d stands at %v, want %v", f.Body, n.Start, n.Position, want)
			}
		}
	}
	// An author who is a stranger decides about lines too.
	f := cento.Fragment{ID: "f", Trust: cento.TrustWorkspace, Body: "On Monday\n## x", Runs: []cento.Run{
		{End: 3, Trust: cento.TrustWorkspace}, {Start: 3, End: 9, Trust: cento.TrustHost, Var: "date"}, {Start: 9, End: 14, Trust: cento.TrustWorkspace},
	}}
	if text, _ := mustReduce(t, cento.Options{}, f).System(); text != f.Body {
		t.Errorf("%q", text)
	}
}
