package tests

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

func TestPositionAfter(t *testing.T) {
	for _, c := range []struct {
		at   cento.Position
		text string
		want cento.Position
	}{
		{cento.Position{File: "a", Line: 3, Column: 5}, "", cento.Position{File: "a", Line: 3, Column: 5}},
		{cento.Position{File: "a", Line: 3, Column: 5}, "né", cento.Position{File: "a", Line: 3, Column: 7}},
		{cento.Position{File: "a", Line: 3, Column: 5}, "x\ny\nzz", cento.Position{File: "a", Line: 5, Column: 3}},
		{cento.Position{File: "a", Line: 3}, "x", cento.Position{File: "a", Line: 3}},
		{cento.Position{File: "a", Line: 3}, "x\ny", cento.Position{File: "a", Line: 4, Column: 2}},
		{cento.Position{File: "a"}, "x\ny", cento.Position{File: "a"}},
		{cento.Position{}, "x\ny", cento.Position{}},
	} {
		if got := c.at.After(c.text); got != c.want {
			t.Errorf("%v after %q is %v, want %v", c.at, c.text, got, c.want)
		}
	}
}

// Going over a text in two steps, cut at any byte, is going over it in one.
func TestPositionAfterInSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("a\né\r日\u2028𝛼"))).Draw(t, "text")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		start := cento.Position{File: "f", Line: rapid.IntRange(0, 3).Draw(t, "line"), Column: rapid.IntRange(0, 3).Draw(t, "column")}
		if once, twice := start.After(text), start.After(text[:cut]).After(text[cut:]); once != twice {
			t.Fatalf("%q from %v: %v at once, %v cut at byte %d", text, start, once, twice, cut)
		}
		lines := strings.Split(text, "\n")
		want := cento.Position{File: "f", Line: len(lines), Column: utf8.RuneCountInString(lines[len(lines)-1]) + 1}
		if got := (cento.Position{File: "f", Line: 1, Column: 1}).After(text); got != want {
			t.Fatalf("behind %q is %v, want %v", text, got, want)
		}
	})
}

// A cursor tells what counting from the beginning of the run tells, wherever it is
// asked to go, also back.
func TestCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("a\né\r日"))).Draw(t, "text")
		cuts := append(rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 4).Draw(t, "cuts"), len(text))
		slices.Sort(cuts)
		runs := []cento.Run{}
		from := 0
		for i, end := range cuts {
			runs = append(runs, cento.Run{
				Start: from, End: end, Fixed: rapid.Bool().Draw(t, "fixed"),
				Position: cento.Position{File: "f", Line: 10 * (i + 1), Column: 1 + i},
			})
			from = end
		}
		c := cento.NewCursor(text, runs)
		for _, k := range rapid.SliceOfN(rapid.IntRange(0, len(text)+1), 0, 8).Draw(t, "offsets") {
			want := runs[len(runs)-1]
			for _, r := range runs {
				if k < r.End {
					want = r
					break
				}
			}
			at := want.Position
			if !want.Fixed {
				at = at.After(text[want.Start:min(k, want.End)])
			}
			if got := c.At(k); got != at || c.Run() != want {
				t.Fatalf("byte %d of %q in %v is at %v in %v, want %v in %v", k, text, runs, got, c.Run(), at, want)
			}
		}
	})
	var none cento.Cursor
	if none.At(3) != (cento.Position{}) || none.Run() != (cento.Run{}) {
		t.Error("a text without runs has places")
	}
	if at := cento.CursorAt(cento.Position{Line: 2, Column: 3}, "a\nb"); at.At(3) != (cento.Position{Line: 3, Column: 2}) {
		t.Error(at.At(3))
	}
}

// A text knows of each of its bytes where it stands: of one with runs in the run, which is
// at its own place all over where it is fixed, of one without them behind its origin. What
// is no byte of it, the end too, came from nowhere.
func TestTextLocatesItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := cento.Text{
			Body: rapid.StringOf(rapid.RuneFrom([]rune("a\né\r日"))).Draw(t, "text"), Origin: cento.Position{File: "f", Line: rapid.IntRange(0, 2).Draw(t, "line"), Column: 4},
		}
		size := len(text.Body)
		if size > 0 && rapid.Bool().Draw(t, "runs") {
			for from := 0; from < size; {
				end := rapid.IntRange(from+1, size).Draw(t, "end")
				text.Runs = append(text.Runs, cento.Run{
					Start: from, End: end, Fixed: rapid.Bool().Draw(t, "fixed"), Position: cento.Position{File: "g", Line: 10 + from, Column: 2},
				})
				from = end
			}
		}
		runs := text.Runs
		if len(runs) == 0 {
			runs = []cento.Run{{End: size, Position: text.Origin}}
		}
		for k := range size + 3 {
			var want cento.Position
			for _, r := range runs {
				if k >= r.Start && k < r.End {
					want = r.Position
					if !r.Fixed {
						want = want.After(text.Body[r.Start:k])
					}
				}
			}
			if got := text.Locate(k); got != want {
				t.Fatalf("byte %d of %q in %v is at %v, want %v", k, text.Body, runs, got, want)
			}
		}
	})
}

// A column is counted by where code points begin, wherever a text is cut.
func TestColumnsOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.SampledFrom([]byte("ab\n\x00\x7f\x80\xbf\xc3\xe2\xf0\xff"))).Draw(t, "bytes"))
		want := cento.Position{Line: 1, Column: 1}
		for i := range len(text) {
			switch {
			case text[i] == '\n':
				want.Line, want.Column = want.Line+1, 1
			case utf8.RuneStart(text[i]):
				want.Column++
			}
		}
		if got := (cento.Position{Line: 1, Column: 1}).After(text); got != want {
			t.Fatalf("%q ends at %v, want %v", text, got, want)
		}
	})
}
