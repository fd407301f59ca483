package store

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"
)

// TestPackPays: a text is stored compressed, or by another one, where that is shorter, and as
// it is where it isn't; and it is read back either way.
func TestPackPays(t *testing.T) {
	long := []byte(strings.Repeat("Work in small steps. ", 40))
	var random []byte
	for i := range 8 {
		sum := sha256.Sum256([]byte{byte(i)})
		random = append(random, sum[:]...)
	}
	for _, c := range []struct {
		name       string
		text, base []byte
		depth      int
		form       byte
		most       int // bytes of it
	}{
		{"nothing", nil, nil, -1, packedRaw, 1},
		{"too short to try", long[:worthwhile-1], nil, -1, packedRaw, worthwhile},
		{"long enough, and the same over and over", long[:worthwhile], nil, -1, packedFlate, worthwhile},
		{"long", long, nil, -1, packedFlate, 60},
		{"noise", random, nil, -1, packedRaw, len(random) + 1},
		{"much like its base", append(bytes.Clone(random), "!"...), random, 0, packedDelta, 16},
		{"like a base that rests on too many", append(bytes.Clone(random), "!"...), random, 3, packedRaw, len(random) + 2},
		{"not like its base", random, long, 0, packedRaw, len(random) + 1},
	} {
		data, based := pack(c.text, c.base, c.depth, 3)
		if data[0] != c.form || len(data) > c.most || based != (c.form >= packedDelta) {
			t.Errorf("%s: form %d, %d bytes, on a base %t; want form %d and at most %d", c.name, data[0], len(data), based, c.form, c.most)
		}
		if back, err := unpack(data, c.base); err != nil || !bytes.Equal(back, c.text) {
			t.Errorf("%s: read back as %q, %v", c.name, back, err)
		}
	}
}
