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
