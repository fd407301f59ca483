package cento_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cento-dev/cento"

// mayImport is the structure of the module: for each package, the others of the
// module that it may import. What isn't listed isn't allowed.
var mayImport = map[string][]string{
	"":                      {"internal/unitab", "internal/nearest"},
	"bench/start":           {},
	"bench/start/hello":     {},
	"bench/start/libraries": {},
	"bench/workload":        {},
	"bench/cmd/workloads":   {"bench/workload"},
	"cmd/cento":             {"internal/cli"},
	"contract":              {"", "toon", "internal/strict", "internal/nearest", "internal/tree"},
	"docs":                  {},
	"internal/app":          {"", "toolserver", "lint", "contract", "layer", "pack", "project", "store", "reminder", "session", "skill", "token", "workspace", "workspace/profile", "internal/history", "internal/nearest", "internal/strict", "internal/tree"},
	"internal/cli":          {"", "contract", "layer", "reminder", "session", "lint", "pack", "project", "skill", "store", "internal/app", "internal/page", "internal/tree"},
	"internal/archive":      {},
	"internal/canonical":    {""},
	"internal/history":      {},
	"internal/nearest":      {},
	"internal/page":         {"", "internal/unitab"},
	"internal/storetest":    {},
	"internal/strict":       {"", "internal/nearest"},
	"internal/tree":         {""},
	"internal/unitab":       {},
	"internal/unitab/gen":   {},
	"jinja":                 {},
	"layer":                 {"", "internal/canonical", "internal/strict", "internal/nearest"},
	"lint":                  {"", "pack", "project", "internal/nearest"},
	"pack":                  {"", "jinja", "internal/nearest", "internal/strict", "internal/tree"},
	"project":               {"", "contract", "layer", "pack", "reminder", "skill", "workspace", "workspace/profile", "internal/nearest", "internal/strict", "internal/tree"},
	"reminder":              {"", "internal/canonical", "internal/nearest", "internal/strict", "internal/unitab"},
	"session":               {"", "internal/canonical", "internal/strict", "layer", "reminder", "store"},
	"store":                 {"", "internal/nearest"},
	"skill":                 {"", "internal/strict", "internal/tree"},
	"token":                 {"internal/nearest"},
	"token/gen":             {"token"},
	"toolserver":            {"project", "internal/tree"},
	"toon":                  {},
	"workspace":             {"", "internal/nearest", "internal/strict", "internal/tree"},
	"workspace/profile":     {"", "internal/strict", "internal/tree"},
}

// pureCore is what the core may not import: a prompt depends on its input alone.
var pureCore = []string{
	"os", "net", "net/http", "os/exec", "math/rand", "math/rand/v2", "log", "log/slog", "database/sql", "io/fs", "path/filepath", "embed", "testing",
}

// standardOnly are the packages that import the standard library alone, besides
// what mayImport grants.
var standardOnly = []string{"", "jinja", "toon", "token", "internal/unitab", "internal/nearest", "internal/history", "bench/workload"}

func TestLayering(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < 8 {
		t.Fatalf("go list found %d packages: the test looks at the wrong place", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, listed := mayImport[name]
		if !listed {
			t.Errorf("package %q isn't in the table: say what it may import", name)
			continue
		}
		for _, path := range p.Imports {
			if rest, ours := strings.CutPrefix(path, module); ours {
				if !slices.Contains(allowed, strings.TrimPrefix(rest, "/")) {
					t.Errorf("%q imports %q, and the table doesn't allow it", name, path)
				}
			} else if slices.Contains(standardOnly, name) && strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
				t.Errorf("%q imports %q: it is to need the standard library alone", name, path)
			}
		}
		if name == "" {
			for _, path := range p.Imports {
				if slices.Contains(pureCore, path) {
					t.Errorf("the core imports %q: it is to read nothing but its input", path)
				}
			}
		}
	}
}

type listedPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
