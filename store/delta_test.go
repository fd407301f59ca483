package store

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// TestCutDeltaIsRefused: of no beginning of a difference, nor of it with something behind,
// is a text made.
func TestCutDeltaIsRefused(t *testing.T) {
	base := []byte("Small steps are good steps. Run the tests before you call a change done.")
	for _, text := range []string{"", "Stop.", "Small steps are better. Run the tests before you stop. Done.", string(base) + string(base)} {
		delta := appendDelta(nil, base, []byte(text))
		if got, err := applyDelta(base, delta, maxUnpacked); err != nil || !bytes.Equal(got, []byte(text)) {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
		for n := range delta {
			if got, err := applyDelta(base, delta[:n], maxUnpacked); err == nil {
				t.Errorf("%q of %d of %d bytes", got, n, len(delta))
			}
		}
		for _, more := range [][]byte{{2, 'x'}, {3, 0}} {
			if got, err := applyDelta(base, append(bytes.Clone(delta), more...), maxUnpacked); err == nil {
				t.Errorf("%q with something behind", got)
			}
		}
	}
}

// TestDifferenceOutsideOfItsBase: nothing is copied from before a base or from behind it,
// and no text is longer than it says or than there may be.
func TestDifferenceOutsideOfItsBase(t *testing.T) {
	const base = "0123456789"
	copied := func(step, n int) []byte {
		return binary.AppendVarint(binary.AppendUvarint(nil, uint64(n)<<1|1), int64(step))
	}
	inserted := func(text string) []byte { return append(binary.AppendUvarint(nil, uint64(len(text))<<1), text...) }
	for _, c := range []struct {
		name  string
		size  int
		parts [][]byte
		limit int
		want  string // empty: refused
	}{
		{"all of it", 10, [][]byte{copied(0, 10)}, 10, base},
		{"its end", 3, [][]byte{copied(7, 3)}, 10, "789"},
		{"its end, and again what is before", 5, [][]byte{copied(7, 3), copied(-4, 2)}, 10, "78967"},
		{"its end, and its beginning", 5, [][]byte{copied(7, 3), copied(-10, 2)}, 10, "78901"},
		{"a place before it", 2, [][]byte{copied(-1, 2)}, 10, ""},
		{"a place before it, from its end", 5, [][]byte{copied(7, 3), copied(-11, 2)}, 10, ""},
		{"a byte behind it", 3, [][]byte{copied(8, 3)}, 10, ""},
		{"a place at its end", 1, [][]byte{copied(10, 1)}, 10, ""},
		{"a place behind it", 1, [][]byte{copied(11, 1)}, 10, ""},
		{"nothing from a place behind it", 1, [][]byte{copied(11, 0), inserted("x")}, 10, ""},
		{"an insertion", 3, [][]byte{inserted("abc")}, 10, "abc"},
		{"more than it says", 3, [][]byte{inserted("abc"), inserted("d")}, 10, ""},
		{"more copied than it says", 3, [][]byte{copied(0, 4)}, 10, ""},
		{"less than it says", 4, [][]byte{inserted("abc")}, 10, ""},
		{"as long as it may be", 10, [][]byte{copied(0, 5), copied(-5, 5)}, 10, "0123401234"},
		{"longer than it may be", 10, [][]byte{copied(0, 5), copied(-5, 5)}, 9, ""},
	} {
		delta := slices.Concat(append([][]byte{binary.AppendUvarint(nil, uint64(c.size))}, c.parts...)...)
		got, err := applyDelta([]byte(base), delta, c.limit)
		if string(got) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
