package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestEntries: the files and folders that come with a request are counted, each
// once, and the first too many is named.
func TestEntries(t *testing.T) {
	request := func(files ...string) error {
		for i, name := range files {
			files[i] = fmt.Sprintf("%q:\"\"", name)
		}
		_, err := ParseExplain("request", []byte(`{"files":{`+strings.Join(files, ",\n")+`}}`), cento.Limits{})
		return err
	}
	numbered := func(n int, form string) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(form, i))
		}
		return out
	}
	for _, c := range []struct {
		what  string
		files []string
		line  int // of the first too many; 0: there is none
	}{
		{"as many as may be", numbered(maxEntries, "f%04d"), 0},
		{"one more", numbered(maxEntries+1, "f%04d"), maxEntries + 1},
		{"a folder counts once", numbered(maxEntries-1, "d/f%04d"), 0},
		{"with its folder one more", numbered(maxEntries, "d/f%04d"), maxEntries},
		{"a folder each", numbered(maxEntries/2, "d%04d/f"), 0},
		{"a folder each, one more", numbered(maxEntries/2+1, "d%04d/f"), maxEntries/2 + 1},
		{"deep", []string{strings.Repeat("d/", maxEntries-1) + "f"}, 0},
		{"too deep", []string{"a", strings.Repeat("d/", maxEntries) + "f"}, 2},
	} {
		err := request(c.files...)
		if c.line == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		var e *cento.SourceError
		if !errors.As(err, &e) || e.Code != cento.LimitExceeded || e.Position.Line != c.line || e.Hint == "" {
			t.Errorf("%s: %.200v, want %s at line %d", c.what, err, cento.LimitExceeded, c.line)
		}
	}
}
