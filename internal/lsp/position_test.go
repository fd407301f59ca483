package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// texts are of characters of every length, with all line ends.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\ufeff", "é", "日", "𝒳", "👩‍🔬", "e\u0301", "\u2028", " ", "a: b"}),
			rapid.Map(rapid.Rune(), func(r rune) string { return string(r) }),
		), 0, 40).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// counted is where an offset is, counted from the definition of the protocol: without
// anything that lines keeps.
func counted(text string, off int, asUTF8 bool) protocol.Position {
	before := text[:off]
	line, from := 0, 0
	for i := range len(before) {
		if before[i] == '\n' || before[i] == '\r' && (i+1 >= len(text) || text[i+1] != '\n') {
			line, from = line+1, i+1
		}
	}
	units := off - from
	if !asUTF8 {
		units = len(utf16.Encode([]rune(before[from:])))
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// Law: what an editor counts leads to the byte that is meant, and back, for every
// character of every text, in both encodings; so does what we count.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, asUTF8 := texts().Draw(t, "text"), rapid.Bool().Draw(t, "UTF-8")
		l := newLines(text, asUTF8)
		for off := 0; off <= len(text); off++ {
			if off < len(text) && !utf8.RuneStart(text[off]) {
				continue
			}
			p := l.position(off)
			if want := counted(text, off, asUTF8); p != want {
				t.Fatalf("byte %d of %q is at %v, want %v", off, text, p, want)
			}
			if back := l.offset(p); back != off && !strings.HasPrefix(text[back:], "\r\n") {
				t.Fatalf("%v of %q leads to byte %d, want %d", p, text, back, off)
			}
			if off < len(bom) && strings.HasPrefix(text, bom) {
				continue
			}
			if off > 0 && strings.HasPrefix(text[off-1:], "\r\n") {
				continue // in the middle of a line end
			}
			plain := strings.TrimPrefix(text, bom)
			want := cento.Position{Line: 1, Column: 1}.After(strings.ReplaceAll(plain[:off-(len(text)-len(plain))], "\r\n", "\n"))
			if got := l.place(off); got != want {
				t.Fatalf("byte %d of %q is at %v of ours, want %v", off, text, got, want)
			}
			if back := l.at(want); back != off {
				// A lone CR at the end of a line is taken for a part of the line end.
				if !strings.HasPrefix(text[back:], "\r") {
					t.Fatalf("%v of %q leads to byte %d, want %d", want, text, back, off)
				}
			}
		}
	})
}

// A position that there is none of leads to the nearest one before it.
func TestPositionsOutside(t *testing.T) {
	l := newLines("a𝒳b\r\nc", false)
	for p, want := range map[protocol.Position]int{
		{Line: 0, Character: 2}: 1, {Line: 0, Character: 3}: 5, {Line: 0, Character: 99}: 6,
		{Line: 1, Character: 99}: 9, {Line: 2}: 9, {Line: 1 << 31, Character: 1 << 31}: 9,
	} {
		if got := l.offset(p); got != want {
			t.Errorf("%v leads to byte %d, want %d", p, got, want)
		}
	}
	if got := newLines("a𝒳b", true).offset(protocol.Position{Character: 3}); got != 1 {
		t.Errorf("in the middle of a character: byte %d, want 1", got)
	}
}
