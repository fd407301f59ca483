package lint

import (
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/archive"
)

var findings = archive.Cases{Folder: "testdata", Results: []string{"want/findings.txt"}, Always: []string{"want/findings.txt"}}

// TestArchives runs the cases of testdata; the README there says what the files of an
// archive are.
func TestArchives(t *testing.T) {
	findings.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		code := codeOf(path.Base(t.Name()))
		var out strings.Builder
		for _, f := range checkedBelow(t, repeated(t, files))[code] {
			fmt.Fprintf(&out, "%s: %s: %s\n", f.Position, f.Severity, f.Message)
			for _, r := range f.Related {
				fmt.Fprintf(&out, "  related: %s: %s\n", r.Position, r.Message)
			}
			if f.Hint != "" {
				fmt.Fprintf(&out, "  hint: %s\n", f.Hint)
			}
		}
		if out.Len() == 0 {
			out.WriteString("none\n")
		}
		return map[string]string{"want/findings.txt": out.String()}
	})
	findings.NoOrphans(t)
}

// repeated are the files of an archive, those that its file repeat names as often as it
// says: a line has the name and the number.
func repeated(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	out := maps.Clone(files)
	delete(out, "repeat")
	for line := range strings.Lines(files["repeat"]) {
		name, times, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(times)
		if err != nil || out[name] == "" {
			t.Fatalf("repeat: %q names no file with a number behind it", line)
		}
		out[name] = strings.Repeat(out[name], n)
	}
	return out
}
