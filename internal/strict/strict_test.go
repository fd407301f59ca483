package strict

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// texts are texts of any characters, most often those that the formats treat
// apart.
func texts() *rapid.Generator[string] {
	special := []rune("ab \n\t'\"\\:#-|>&*!%@`{}[],?äß\u00a0中😀")
	return rapid.StringOfN(rapid.OneOf(rapid.SampledFrom(special), rapid.SampledFrom(special), rapid.Rune()), 0, 40, -1)
}

func utf16s(r rune) []uint16 { return utf16.Encode([]rune{r}) }

func hex4s(u uint16) string { return fmt.Sprintf("%04x", u) }

// A position is where counting from the start of the file comes to, however
// far that is.
func TestPositionsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(texts().Draw(t, "text"), rapid.IntRange(1, 100).Draw(t, "times"))
		text = strings.ReplaceAll(text, "\x00", "")
		src, err := newSource("f", []byte(text), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		off := rapid.IntRange(0, len(src.text)).Draw(t, "offset")
		for off < len(src.text) && src.text[off]&0xC0 == 0x80 {
			off++
		}
		p := src.position(off)
		if got := from(src.text, p); got != src.text[off:] {
			t.Fatalf("%d is said to be %v, and that is %d", off, p, len(src.text)-len(got))
		}
		if got := src.offset(p.Line, p.Column); got != off {
			t.Fatalf("%v is said to be %d, not %d", p, got, off)
		}
	})
}

func ExampleDecoder() {
	type part struct {
		At
		Title string   `json:"title"`
		Tools []string `json:"tools,omitempty"`
		Count int8     `json:"count,omitempty"`
	}
	n, err := YAML("parts.yaml", []byte("- title: One\n  tolls: [a]\n- count: 300\n"), cento.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	var parts []part
	var d Decoder
	d.Decode(n, &parts)
	fmt.Println(d.Err())
	fmt.Println(parts[1].Position())
	// Output:
	// parts.yaml:2:3: [0]: unknown key "tolls"
	// parts.yaml:3:3: [1]: the key "title" is missing
	// parts.yaml:3:10: [1].count: 300 is out of range
	// parts.yaml:3:3
}

// Put makes maps where there are none, replaces what is there, and leaves the value that
// it is asked of as it was; a list that is put keeps the places of its items.
func TestPut(t *testing.T) {
	n, err := YAML("f", []byte("a: {b: 1}\nc: [x, y]\nd: text\n"), cento.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	before := string(n.AppendYAML(nil))
	_, list := n.Member("c")
	for _, c := range []struct{ path, want string }{
		{"c", `{"a": {"b": 1}, "c": [y], "d": text}`},
		{"a b", `{"a": {"b": [y]}, "c": [x, y], "d": text}`},
		{"a e f", `{"a": {"b": 1, "e": {"f": [y]}}, "c": [x, y], "d": text}`},
		{"d g", `{"a": {"b": 1}, "c": [x, y], "d": {"g": [y]}}`},
	} {
		got := n.Put(strings.Fields(c.path), list.AsList(list.Items()[1:]))
		if s := strings.ReplaceAll(string(got.AppendYAML(nil)), `"x"`, "x"); strings.NewReplacer(`"y"`, "y", `"text"`, "text").Replace(s) != c.want {
			t.Errorf("%s: %s, want %s", c.path, s, c.want)
		}
		put := got.Below(strings.Fields(c.path))
		if put.Position() != list.Position() || put.Items()[0].Position() != list.Items()[1].Position() {
			t.Errorf("%s: the list stands at %v, its item at %v", c.path, put.Position(), put.Items()[0].Position())
		}
	}
	if after := string(n.AppendYAML(nil)); after != before {
		t.Errorf("the value has become %s", after)
	}
}
