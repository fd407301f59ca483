package wire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// TestSchemasAreThoseOfTheirTexts: what is kept of a schema is what would be found anew,
// for several who ask at once, within the bound, however many there are and however large
// they are.
func TestSchemasAreThoseOfTheirTexts(t *testing.T) {
	var s schemas
	text := func(i int) []byte {
		switch i % 5 {
		case 0:
			return fmt.Appendf(nil, `{ "type": "object", "n": %d}`, i)
		case 1:
			return fmt.Appendf(nil, `[%d]`, i)
		case 2:
			return fmt.Appendf(nil, `{"n": %d`, i)
		case 3:
			return fmt.Appendf(nil, `{"type": "array", "pad": %q}`, strings.Repeat("x", i*100))
		}
		return fmt.Appendf(nil, `{"pad": "%s%d"}`, strings.Repeat("\\u00e9", 5000), i)
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 900 {
				n := (i*7 + g) % 700
				if got, want := s.of(text(n)), schemaOf(text(n)); !reflect.DeepEqual(got, want) {
					t.Errorf("text %d: %+v, and anew %+v", n, got, want)
					return
				}
			}
		})
	}
	all.Wait()
	held := 0
	for text, x := range s.known {
		held += len(text) + len(x.dense)
	}
	if s.bytes > mostSchemas || held > s.bytes {
		t.Errorf("%d bytes are held, %d are counted, and %d are the most", held, s.bytes, mostSchemas)
	}
	if huge := []byte(`{"x":"` + strings.Repeat("x", mostSchemas/8) + `"}`); len(s.of(huge).dense) != len(huge) || s.known[string(huge)].dense != nil {
		t.Error("a schema that is a large part of the bound is kept")
	}
}
