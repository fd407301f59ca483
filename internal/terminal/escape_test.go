package terminal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"", "", ""},
		{"plain", "plain", "plain"},
		{"a\tb\nc", "a\tb\nc", "a<U+0009>b<U+000A>c"},
		{"a\r\n", "a<U+000D>\n", "a<U+000D><U+000A>"},
		{"\x1b]0;title\x07", "<U+001B>]0;title<U+0007>", "<U+001B>]0;title<U+0007>"},
		{"\u009b2J", "<U+009B>2J", "<U+009B>2J"},
		{"\x7f", "<U+007F>", "<U+007F>"},
		{"\xff\xc3", "<0xFF><0xC3>", "<0xFF><0xC3>"},
		{"\u202edlrow\u202c", "<U+202E>dlrow<U+202C>", "<U+202E>dlrow<U+202C>"},
		{"\U000e0041", "<U+E0041>", "<U+E0041>"},
		{"soft\u00adhyphen\u200b\ufeff", "soft<U+00AD>hyphen<U+200B><U+FEFF>", "soft<U+00AD>hyphen<U+200B><U+FEFF>"},
		{"\u2028\u2029", "<U+2028><U+2029>", "<U+2028><U+2029>"},
		{"žluťoučký 漢字 👩\u200d🔬 می\u200cخواهم \ufffd", "žluťoučký 漢字 👩\u200d🔬 می\u200cخواهم \ufffd", "žluťoučký 漢字 👩\u200d🔬 می\u200cخواهم \ufffd"},
	} {
		if got := WrittenOut(c.in); got != c.text {
			t.Errorf("WrittenOut(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

// anyText is bytes of every kind, more often those that matter here.
func anyText(t *rapid.T) string {
	parts := rapid.SliceOf(rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"\x1b", "\u009b", "\n", "\t", "\r", "\x00", "\xff", "\u202e", "\u2066", "\U000e0041", "\ufeff", "漢", "\u200d"}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }),
	)).Draw(t, "parts")
	return strings.Join(parts, "")
}

// TestEscapeLaws: the result is UTF-8 without anything that a terminal acts
// on, a second pass changes nothing, and a line stays one.
func TestEscapeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText(t)
		for name, f := range map[string]func(string) string{"WrittenOut": WrittenOut, "Line": Line} {
			got := f(s)
			if !utf8.ValidString(got) || f(got) != got {
				t.Fatalf("%s(%q) = %q: not UTF-8, or not stable", name, s, got)
			}
			for _, r := range got {
				if unicode.Is(unicode.Cc, r) && (name == "Line" || r != '\n' && r != '\t') || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%s(%q) has %U", name, s, r)
				}
			}
		}
	})
}

// TestEscapeJSON: the value is the same, and no byte is one that a terminal
// acts on.
func TestEscapeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.ToValidUTF8(anyText(t), "\ufffd")
		b, err := json.Marshal(map[string]string{want: want})
		if err != nil {
			t.Fatal(err)
		}
		b = spelled(b)
		for _, r := range string(b) {
			if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe0fff {
				t.Fatalf("%q has %U", b, r)
			}
		}
		var got map[string]string
		if err := json.Unmarshal(b, &got); err != nil || got[want] != want {
			t.Fatalf("%q became %q by %q: %v", want, got, b, err)
		}
	})
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for name, c := range map[string]struct {
		source       string
		line, column int
		want         string
	}{
		"first line":       {"one\ntwo", 1, 2, "1 | one\n  |  ^\n"},
		"last line":        {"one\ntwo", 2, 3, "2 | two\n  |   ^\n"},
		"no column":        {"one", 1, 0, "1 | one\n"},
		"behind the end":   {"one", 1, 4, "1 | one\n  |    ^\n"},
		"no such line":     {"one", 2, 1, ""},
		"line nought":      {"one", 0, 1, ""},
		"tabs keep width":  {"\ta\tb", 1, 4, "1 | \ta\tb\n  | \t \t^\n"},
		"wide characters":  {"漢字x", 1, 3, "1 | 漢字x\n  |     ^\n"},
		"combining":        {"e\u0301x", 1, 3, "1 | e\u0301x\n  |  ^\n"},
		"written out":      {"\x1b[0mx", 1, 5, "1 | <U+001B>[0mx\n  |            ^\n"},
		"wide line number": {strings.Repeat("\n", 11) + "x", 12, 1, "12 | x\n   | ^\n"},
		"a credential":     {"no password=hunter2, ok", 1, 13, "1 | no password=*******, ok\n  |             ^\n"},
		"long line":        {long, 1, 200, "1 | …" + long[149:249] + "…\n  | " + strings.Repeat(" ", 51) + "^\n"},
	} {
		if got := excerpt(c.source, c.line, c.column, Masked); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestExcerptLaws: any place in any text gives two lines at most, and no text
// gets a terminal to act.
func TestExcerptLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := anyText(t)
		got := excerpt(source, rapid.IntRange(-1, 8).Draw(t, "line"), rapid.IntRange(-1, 300).Draw(t, "column"), Masked)
		if n := strings.Count(got, "\n"); n > 2 || got != "" && !strings.HasSuffix(got, "\n") {
			t.Fatalf("%q has %d lines", got, n)
		}
		if strings.ContainsAny(got, "\x1b\r\x07\u009b\u202e") {
			t.Fatalf("%q has what a terminal acts on", got)
		}
	})
}

// spelled is a JSON text as a [Writer] spells it, in pieces of any size.
func spelled(b []byte) []byte {
	var out bytes.Buffer
	w := NewWriter(&out, Options{Screen: true})
	d := w.Document()
	for i := range b {
		d.Write(b[i : i+1])
	}
	w.Flush()
	return out.Bytes()
}

// What hides a line is asked for: whoever draws many places of one line looks once.
func TestExcerptAsksForWhatHides(t *testing.T) {
	asked := 0
	got := excerpt("one\ntwo", 2, 1, func(line string) string { asked++; return strings.ToUpper(line) })
	if asked != 1 || got != "2 | TWO\n  | ^\n" {
		t.Errorf("asked %d times:\n%s", asked, got)
	}
}

// Excerpts of one writer hide what each line holds, whichever line came before.
func TestExcerptsOfOneWriter(t *testing.T) {
	const source = "password=hunter2abc9 x\nplain\npassword=hunter2abc9 x\npassword=other7word8 y\n"
	var out strings.Builder
	w := NewWriter(&out, Options{})
	want := ""
	for _, line := range []int{1, 1, 2, 1, 3, 4, 2} {
		w.Excerpt(source, line, 10, "")
		want += excerpt(source, line, 10, Masked)
	}
	if err := w.Flush(); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
	if strings.Contains(out.String(), "hunter2abc9") || strings.Contains(out.String(), "other7word8") || !strings.Contains(out.String(), "***") {
		t.Errorf("not hidden:\n%s", out.String())
	}
}
