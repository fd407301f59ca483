package imitation_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/imitation"
)

// kept are the headings of these tests.
var kept = imitation.Headings{
	imitation.Skeleton(nil, "Working boundaries"),
	imitation.WithBrackets("## Project instructions"),
}

func TestEqualAndNear(t *testing.T) {
	for _, c := range []struct {
		line        string
		equal, near bool
	}{
		{"Working boundaries", true, true},
		{"## working   BOUNDARIES ##", true, true},
		{"> Working\x00 boundaries -", true, true},
		{"Project instructions (AGENTS.md)", true, true},
		{"Ｗorking boundaries", true, true},
		{"Work\u00ading\u00a0boundaries", true, true},
		{"**Working boundaries:**", false, true},
		{"1. Working-boundaries", false, true},
		{"<h2 class=x>Working boundaries</h2>", false, true},
		{"<b>Ｗorking boundaries</b>", false, true},
		{"# Project  instructions (CLAUDE.md, web/AGENTS.md) #", true, true},
		{"Project instructions （CLAUDE.md)", true, true},
		{"**Project instructions (CLAUDE.md):**", false, true},
		{"- project-instructions(x)", false, true},
		{"Project instructions (a) are", false, false},
		{"Project instructions ()", false, true},
		{"Project instructions (a", false, false},
		{"Project instructions for us (a)", false, false},
		{"Project (instructions a)", false, false},
		{"Project instructions", false, false},
		{"Working boundaries of a fence", false, false},
		{"Working", false, false},
		{"Workingboundarie", false, false},
		{"A note: working boundaries", false, false},
		{"-- ##", false, false},
		{"", false, false},
		{"é", false, false},
	} {
		ascii := strings.IndexFunc(c.line, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
		var buf []byte
		if got := kept.Equal(c.line, ascii, &buf); got != c.equal {
			t.Errorf("Equal(%q): %t", c.line, got)
		}
		if got := kept.Near(c.line, ascii, &buf); got != c.near {
			t.Errorf("Near(%q): %t", c.line, got)
		}
		if first := strings.ToLower(c.line); c.near && ascii && !kept.Begins()[first[0]] {
			t.Errorf("%q isn't worth a closer look", c.line)
		}
	}
	if kept.Begins()['x'] || !kept.Begins()['P'] || !kept.Begins()['#'] {
		t.Error("a line may begin with other characters than a heading")
	}
}

// TestPlainIsTheSame: what is asked of plain ASCII is what its skeleton says.
func TestPlainIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"working", "WORKING", " ", "  ", "\t", "boundaries", "Boundaries", "#", ">", "-", "\x00", "\x7f", "*", "x", ":", "<b>", "project instructions (agents.md)", "project instructions", "(", ")"})
		line := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "line"), "")
		var buf []byte
		if got, want := kept.PlainEqual(line), kept.Has(imitation.Skeleton(nil, line)); got != want {
			t.Fatalf("PlainEqual(%q): %t, and by its skeleton %t", line, got, want)
		}
		if got, want := kept.Near(line, true, &buf), kept.Near(line, false, &buf); got != want {
			t.Fatalf("Near(%q): %t, and by its normal form %t", line, got, want)
		}
		if kept.PlainEqual(line) && !kept.PlainNear(line) {
			t.Fatalf("%q is equal and not near", line)
		}
	})
}

func TestFramed(t *testing.T) {
	for line, want := range map[string]bool{
		"<system-reminder>": true, "</ Context-Directives x=1>": true, "a < directive": true, "＜system-reminder＞": true, "<\u00addirective>": true, "<dir\x00ective>": true,
		"system-reminder": false, "<b> <i>": false, "<reminder>": false, "": false, "< /": false,
	} {
		ascii := strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
		var buf []byte
		if got := imitation.Framed(line, ascii, &buf); got != want {
			t.Errorf("Framed(%q): %t", line, got)
		}
	}
}

// TestLines: lines and their ends tile a text, and no line holds an end.
func TestLines(t *testing.T) {
	ends := []string{"\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"}
	for _, text := range []string{"", "\x1e\n", "a\x1e\nb"} {
		checkLines(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkLines(t, strings.Join(rapid.SliceOf(rapid.SampledFrom(append([]string{"a", "é", "\x1f", "\u2027", "\xc2", "\xe2\x80"}, ends...))).Draw(t, "text"), ""))
	})
	long := strings.Repeat("é", 400)
	if got := imitation.Last("x\n" + long); len(got) > 512 || len(got) < 500 || !utf8.ValidString(got) {
		t.Errorf("of a long line %d bytes are shown", len(got))
	}
}

// checkLines holds the lines of a text against the text: they cover it, and nothing in
// one ends it.
func checkLines(t interface{ Fatalf(string, ...any) }, text string) {
	at, last := 0, imitation.Line{}
	for line := range imitation.Lines(text) {
		if line.Start != at || line.End < at {
			t.Fatalf("a line of %q begins at %d, and the one before it ends at %d", text, line.Start, at)
		}
		if strings.IndexFunc(text[line.Start:line.End], imitation.EndsLine) >= 0 {
			t.Fatalf("%q is a line of %q", text[line.Start:line.End], text)
		}
		if line.Next > line.End && !imitation.EndsLine([]rune(text[line.End:line.Next])[0]) {
			t.Fatalf("%q ends a line of %q", text[line.End:line.Next], text)
		}
		at, last = line.Next, line
	}
	if at != len(text) || last.End != len(text) {
		t.Fatalf("the lines of %q end at %d", text, at)
	}
	if first := imitation.First(text); !strings.HasPrefix(text, first) || strings.IndexFunc(first, imitation.EndsLine) >= 0 {
		t.Fatalf("the first line of %q is %q", text, first)
	}
	if got := imitation.Last(text); got != text[last.Start:] {
		t.Fatalf("the last line of %q is %q", text, got)
	}
}

func TestOwnOf(t *testing.T) {
	for text, want := range map[string]imitation.Own{
		"# One":                          imitation.Has | imitation.Opens,
		"## Two\ntext":                   imitation.Has | imitation.Opens,
		"### Three":                      imitation.Has,
		"text\n# One":                    imitation.Has,
		"   # indented":                  imitation.Has | imitation.Opens,
		"    # code":                     0,
		"#hashtag":                       0,
		"####### seven":                  0,
		"#":                              imitation.Has | imitation.Opens,
		"#\tx":                           imitation.Has | imitation.Opens,
		"Title\n=====":                   imitation.Has,
		"Title\n---":                     imitation.Has,
		"\n---":                          0,
		"Title\n\n---":                   0,
		"Title\n-=-":                     0,
		"":                               0,
		"```\n# in a block of code\n```": imitation.Has,
	} {
		if got := imitation.OwnOf(text); got != want {
			t.Errorf("OwnOf(%q) is %d, want %d", text, got, want)
		}
	}
}
