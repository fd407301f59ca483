package tests

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// links are the modules that somebody has in their program who imports a package,
// this one aside: an engine of the store is there for who asked for it.
var links = map[string][]string{
	"":        {},
	"session": {"github.com/bmatcuk/doublestar/v4", "github.com/google/uuid", "go.yaml.in/yaml/v4", "golang.org/x/text"},
	"store":   {},
}

func TestLinks(t *testing.T) {
	for name, allowed := range links {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", strings.TrimSuffix(module+"/"+name, "/")).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		linked := strings.Fields(string(out))
		if !slices.Contains(linked, module) {
			t.Fatalf("%q: go list names %d modules, and not this one: the test looks at the wrong place", name, len(linked))
		}
		slices.Sort(linked)
		for _, m := range slices.Compact(linked) {
			if m != module && !slices.Contains(allowed, m) {
				t.Errorf("whoever imports %q links %s", name, m)
			}
		}
	}
}

// An engine links its own driver and not the other's.
func TestEngineLinks(t *testing.T) {
	for name, no := range map[string]string{"store/sqlite": "github.com/jackc/pgx", "store/postgres": "modernc.org/sqlite"} {
		out, err := exec.Command("go", "list", "-deps", module+"/"+name).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for _, path := range strings.Fields(string(out)) {
			if strings.HasPrefix(path, no) {
				t.Errorf("%s links %s", name, path)
			}
		}
	}
}
