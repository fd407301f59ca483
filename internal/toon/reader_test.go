package toon_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/toon"
	"github.com/cento-dev/cento/internal/toon/toontest"
)

// Nothing that is read costs out of proportion, whatever it declares.
func TestHostile(t *testing.T) {
	const many = 100_000
	for name, text := range map[string]string{
		"brackets":       strings.Repeat("[", many),
		"braces":         "a[1]" + strings.Repeat("{", many),
		"groups":         "a[1]" + strings.Repeat("{b", many) + strings.Repeat("}", many) + ":",
		"quotes":         strings.Repeat(`"`, many),
		"open quotes":    strings.Repeat(`"a`+"\n", many),
		"colons":         strings.Repeat(":", many),
		"hyphens":        "[1]:\n  " + strings.Repeat("- ", many) + "x",
		"nested items":   "[1]:\n" + nestedItems(2000),
		"nested members": nestedMembers(2000),
		"comments":       strings.Repeat("#\n", many),
		"blank lines":    "a[2]:\n" + strings.Repeat("\n", many) + "  - 1\n  - 2" + strings.Repeat("\n", many),
		"length":         "a[9223372036854775807]:\n  - 1",
		"cells":          "a[1]{x}:\n  " + strings.Repeat(",", many),
		"names":          "a[0]{" + strings.Repeat("x,", many) + "y}:",
		"backslashes":    `a: "` + strings.Repeat(`\\`, many) + `"`,
		"one line":       strings.Repeat("a", 1_000_000),
		"carriage":       strings.Repeat("\r", many),
	} {
		t.Run(name, func(t *testing.T) {
			v, err := toontest.Decode(text)
			if err != nil {
				e, ok := errors.AsType[*toon.Error](err)
				if !ok || e.Place.Line == 0 || len(e.Message) > 300 {
					t.Fatalf("%T: %v", err, err)
				}
				return
			}
			if _, err := toontest.Encode(v); err != nil {
				t.Fatal(err)
			}
		})
	}
	for name, c := range map[string]struct {
		d    toon.Decoder
		text string
	}{
		"bytes": {toon.Decoder{Bytes: 3}, "a: 1"},
		"depth": {toon.Decoder{Depth: 1}, "a:\n  b: 1"},
		"row":   {toon.Decoder{Depth: 1}, "[1]{a}:\n  1"},
		"group": {toon.Decoder{Depth: 2}, "[1]{a{b}}:\n  1"},
	} {
		if _, err := toontest.DecodeBy(c.d, c.text); !errors.Is(err, toon.LimitExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		d := c.d
		d.Bytes, d.Depth = d.Bytes+1, d.Depth+1
		if c.d.Bytes == 0 {
			d.Bytes = 0
		}
		if c.d.Depth == 0 {
			d.Depth = 0
		}
		if _, err := toontest.DecodeBy(d, c.text); err != nil {
			t.Errorf("%s: one more is refused too: %v", name, err)
		}
	}
	if _, err := toontest.Decode("a: \xff"); !errors.Is(err, toon.InvalidUTF8) || !strings.HasPrefix(err.Error(), "1:4: ") {
		t.Error(err)
	}
	if v, err := toontest.Decode("\ufeffa: 1"); err != nil || v.Key(0) != "a" {
		t.Error(v, err)
	}
	if _, err := toontest.Decode("\ufeffä b"); err != nil {
		t.Error(err)
	}
	if _, err := toontest.Decode("\ufeffä:\n    b: 1"); err == nil || !strings.HasPrefix(err.Error(), "2:5: ") {
		t.Error(err)
	}
}

func nestedItems(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%s- [1]:\n", strings.Repeat("  ", i+1))
	}
	return b.String()
}

func nestedMembers(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat("  ", i))
	}
	return b.String()
}

// The tokens of a document nest, each value of an object follows its key, and
// each stands where it says.
func FuzzReader(f *testing.F) {
	for _, document := range toontest.Documents {
		f.Add(document)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := toon.Decoder{}.Tokens(text)
		var open []bool // an object
		key, done := false, false
		for {
			tok, err := r.Next()
			if err == io.EOF {
				if len(open) > 0 || !done {
					t.Fatal("the value doesn't end")
				}
				return
			}
			if err != nil {
				if e, ok := errors.AsType[*toon.Error](err); !ok || e.Place.Line == 0 {
					t.Fatalf("%T: %v", err, err)
				}
				if _, again := r.Next(); again != err {
					t.Fatal("an error isn't final")
				}
				return
			}
			if tok.Offset < 0 || tok.Offset > len(text) || !utf8.ValidString(tok.Text) {
				t.Fatalf("%+v", tok)
			}
			if tok.Kind == toon.EndArray || tok.Kind == toon.EndObject {
				if len(open) == 0 || open[len(open)-1] != (tok.Kind == toon.EndObject) || key {
					t.Fatalf("%+v ends nothing", tok)
				}
				open = open[:len(open)-1]
				done = len(open) == 0
				continue
			}
			if object := len(open) > 0 && open[len(open)-1]; object != (key || tok.Kind == toon.Key) || key && tok.Kind == toon.Key || done {
				t.Fatalf("%+v in the wrong place", tok)
			}
			key = tok.Kind == toon.Key
			if tok.Kind == toon.BeginArray || tok.Kind == toon.BeginObject {
				open = append(open, tok.Kind == toon.BeginObject)
			}
			done = len(open) == 0
		}
	})
}
