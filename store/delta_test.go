package store

import (
	"bytes"
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
