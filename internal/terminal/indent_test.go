package terminal

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestIndented: JSON is laid out as the standard library lays it out, whatever is in its
// texts.
func TestIndented(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\\"{}\[\],: ]{0,8}`))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{
			rapid.Map(text, func(s string) any { return s }), rapid.Just[any](nil), rapid.Just[any](true), rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }),
		}
		if depth > 0 {
			kinds = append(kinds,
				rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []any) any { return l }),
				rapid.Map(rapid.MapOfN(text, value(depth-1), 0, 3), func(m map[string]any) any { return m }))
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(t *rapid.T) {
		compact, err := json.Marshal(value(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Indent(&want, append(compact, '\n'), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := appendIndented(nil, append(compact, '\n'), "  "); string(got) != want.String() {
			t.Fatalf("%s\nis laid out as\n%s\nand not as\n%s", compact, got, want.String())
		}
	})
}
