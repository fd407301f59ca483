package tests

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cento-dev/cento"

// mayImport is the structure of the module: for each package, the others of the
// module that it may import. What isn't listed isn't allowed.
var mayImport = map[string][]string{
	"":                        {"internal/bitset", "internal/circles", "internal/imitation", "internal/nametable", "internal/controltoken", "internal/markdown", "internal/unitab", "internal/nearest", "internal/enum", "internal/unrendered", "internal/quote"},
	"bench/start":             {},
	"bench/start/hello":       {},
	"bench/start/libraries":   {},
	"bench/serve":             {"bench/workload"},
	"bench/serve/bare":        {},
	"bench/workload":          {},
	"bench/cmd/workloads":     {"bench/workload"},
	"cmd/cento":               {"internal/cli"},
	"docs/examples/agent":     {"", "contract", "layer", "project", "reminder", "session", "store", "store/sqlite", "wire", "workspace"},
	"wire/cache":              {"", "reminder", "token", "wire", "internal/quote"},
	"project/consent":         {"", "layer", "pack", "internal/nearest", "internal/strict", "internal/tree", "internal/quote", "disk"},
	"contract":                {"", "internal/toon", "internal/strict", "internal/nearest", "internal/enum", "internal/quote"},
	"clients":                 {},
	"docs":                    {},
	"tests":                   {},
	"internal/app":            {"", "project/consent", "project/toolserver", "project/lint", "contract", "layer", "pack", "project", "store", "store/engines", "reminder", "session", "workspace/skill", "token", "workspace", "internal/profile", "internal/history", "internal/nearest", "internal/needle", "internal/mention", "internal/provenance", "internal/starter", "internal/tree", "internal/manifest", "internal/storeaddress", "model", "wire", "wire/cache", "internal/confusable", "internal/unitab", "internal/prompttest", "internal/watch", "internal/textdiff", "disk"},
	"internal/cli":            {"internal/nearest", "", "internal/app", "internal/call", "internal/lsp", "internal/mcpserver", "internal/page", "internal/quote", "internal/serve", "internal/terminal", "internal/textdiff", "internal/tree", "internal/watch"},
	"internal/watch":          {"disk"},
	"internal/amend":          {"", "internal/strict"},
	"internal/archive":        {""},
	"internal/canonical":      {"", "internal/quote"},
	"internal/builtin":        {"", "layer", "pack"},
	"internal/mcpserver":      {"", "internal/app", "internal/call", "internal/nearest", "internal/quote", "internal/strict", "internal/watch"},
	"internal/call":           {"", "contract", "layer", "pack", "reminder", "workspace", "internal/builtin", "internal/manifest", "internal/nearest", "internal/app", "model"},
	"internal/enum":           {"internal/nearest"},
	"disk":                    {},
	"internal/history":        {"internal/nearest"},
	"internal/lsp":            {"", "internal/app", "internal/outline", "internal/tree"},
	"internal/outline":        {"", "internal/strict", "jinja"},
	"internal/manifest":       {"", "project/consent", "contract", "layer", "pack", "reminder", "workspace", "internal/enum", "internal/nearest", "internal/strict", "internal/schemarefs", "internal/storeaddress", "wire", "internal/tree"},
	"internal/ignore":         {},
	"internal/bitset":         {},
	"internal/circles":        {},
	"internal/nametable":      {},
	"internal/controltoken":   {},
	"internal/imitation":      {"internal/unitab"},
	"internal/lengthtest":     {},
	"internal/markdown":       {},
	"internal/unrendered":     {},
	"internal/nearest":        {},
	"internal/needle":         {},
	"project/why":             {"", "internal/provenance", "project"},
	"internal/provenance":     {"", "internal/history", "internal/nearest", "internal/needle", "internal/strict", "internal/tree", "internal/unitab", "pack", "project", "wire", "workspace", "workspace/skill"},
	"internal/otherclient":    {"", "internal/tree", "workspace"},
	"internal/starter":        {"", "internal/manifest", "internal/otherclient", "internal/strict", "internal/tree", "layer", "project", "workspace"},
	"internal/mention":        {"internal/ignore", "internal/profile", "internal/tree", "disk"},
	"internal/textdiff":       {},
	"internal/prompttest":     {"", "project/consent", "pack", "project", "wire", "workspace", "internal/ignore", "internal/manifest", "internal/nearest", "internal/needle", "internal/quote", "internal/strict", "internal/tree", "disk"},
	"internal/quote":          {},
	"internal/page":           {"", "internal/unitab"},
	"internal/confusable":     {"internal/unitab"},
	"internal/confusable/gen": {},
	"internal/credential":     {},
	"internal/serve":          {"internal/nearest", "", "internal/app", "internal/call", "internal/manifest", "internal/mcpserver", "internal/page", "internal/strict", "internal/terminal", "internal/textdiff", "internal/tree", "internal/watch"},
	"internal/sessionname":    {},
	"internal/storeaddress":   {"internal/quote"},
	"internal/pacetest":       {},
	"internal/storetest":      {"internal/lengthtest", "internal/treetest"},
	"internal/strict":         {"", "internal/nearest", "internal/enum", "internal/quote"},
	"internal/terminal":       {"internal/credential", "internal/unitab"},
	"internal/tree":           {"", "disk", "internal/nearest"},
	"internal/treetest":       {},
	"internal/unitab":         {},
	"internal/unitab/gen":     {},
	"jinja":                   {"internal/quote"},
	"layer":                   {"", "internal/canonical", "internal/strict", "internal/nearest", "internal/enum"},
	"project/lint":            {"", "internal/amend", "internal/profile", "internal/strict", "layer", "model", "pack", "project", "wire", "workspace", "workspace/skill", "internal/confusable", "internal/nearest", "internal/unitab", "internal/quote"},
	"pack":                    {"", "jinja", "token", "wire", "internal/nearest", "internal/quote", "internal/strict", "internal/tree", "internal/enum", "internal/unitab", "disk"},
	"project":                 {"", "project/consent", "contract", "layer", "pack", "reminder", "workspace/skill", "workspace", "internal/profile", "internal/nearest", "internal/credential", "internal/strict", "internal/tree", "internal/builtin", "internal/manifest", "model", "wire", "disk"},
	"model":                   {"", "token", "internal/nearest"},
	"model/gen":               {""},
	"internal/schemarefs":     {},
	"wire":                    {"", "internal/canonical", "internal/enum", "internal/nearest", "internal/schemarefs"},
	"reminder":                {"", "internal/canonical", "internal/nearest", "internal/strict", "internal/unitab", "internal/enum", "internal/sessionname", "internal/quote"},
	"session":                 {"", "internal/canonical", "internal/strict", "layer", "pack", "reminder", "store", "wire", "workspace"},
	"store":                   {"", "internal/nearest", "internal/quote", "internal/sessionname"},
	"store/engines":           {"", "internal/storeaddress", "store", "store/postgres", "store/sqlite"},
	"store/postgres":          {"", "internal/storeaddress", "internal/storetables", "store"},
	"store/sqlite":            {"", "internal/storeaddress", "internal/storetables", "store"},
	"internal/storetables":    {},
	"workspace/skill":         {"", "internal/strict", "internal/tree", "disk"},
	"token":                   {"", "internal/nearest"},
	"token/gen":               {},
	"project/toolserver":      {"project/consent", "internal/credential", "internal/tree", "internal/quote"},
	"internal/toon":           {"internal/quote"},
	"internal/toon/toontest":  {"internal/quote", "internal/toon"},
	"internal/wiretest":       {"", "model", "wire"},
	"workspace":               {"", "internal/ignore", "internal/nearest", "internal/strict", "internal/tree", "internal/enum", "internal/unitab", "disk"},
	"internal/profile":        {"", "internal/ignore", "internal/strict", "internal/tree", "disk"},
}

// pureCore is what the core may not import: a prompt depends on its input alone.
var pureCore = []string{
	"os", "net", "net/http", "os/exec", "math/rand", "math/rand/v2", "log", "log/slog", "database/sql", "io/fs", "path/filepath", "embed", "testing",
}

// standardOnly are the packages that import the standard library alone, besides
// what mayImport grants.
var standardOnly = []string{"", "jinja", "disk", "internal/toon", "token", "internal/circles", "internal/nametable", "internal/controltoken", "internal/imitation", "internal/markdown", "internal/unitab", "internal/nearest", "internal/enum", "internal/quote", "internal/schemarefs", "internal/textdiff", "internal/history", "internal/credential", "bench/workload"}

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

// TestLayeringIsTight finds permissions that nobody uses: each would let an arrow in
// that nobody argued for.
func TestLayeringIsTight(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		imports[name] = []string{}
		for _, path := range p.Imports {
			if rest, ours := strings.CutPrefix(path, module); ours {
				imports[name] = append(imports[name], strings.TrimPrefix(rest, "/"))
			}
		}
	}
	for name, allowed := range mayImport {
		if imports[name] == nil {
			t.Errorf("the table has a package %q, and there is none", name)
		}
		for _, other := range allowed {
			if !slices.Contains(imports[name], other) {
				t.Errorf("%q may import %q, and doesn't", name, other)
			}
		}
	}
}

// climbs argues for arrows that climb. Internal packages are mechanisms, and lie below
// the packages that people import: one that needs such a package knows more than a
// mechanism does.
var climbs = map[string]string{
	"internal/wiretest":    "draws what the formats take, for tests",
	"internal/builtin":     "the words of built-in entries are those of the catalog, for a project and for a request",
	"internal/manifest":    "the format reads each thing into the value of the package that owns it",
	"internal/call":        "a door: it answers out of the packages that people import",
	"internal/app":         "the use cases",
	"internal/outline":     "which names a text of the template language has is for that language to say",
	"internal/watch":       "listens to what a disk is asked",
	"internal/tree":        "opens files where a host says that paths lead",
	"internal/profile":     "as internal/tree",
	"internal/mention":     "as internal/tree",
	"internal/otherclient": "the convention of a text that names files is the workspace's",
	"internal/provenance":  "a use case of its own: it asks a project where its texts are from",
	"internal/starter":     "a use case of its own: it reads what a project has, and writes what its manifest would say",
	"internal/prompttest":  "a use case of its own: it reads projects and asks about their prompts",
}

// TestNoMechanismClimbs finds internal packages that import a public one beside
// the core, whose positions and errors everybody speaks.
func TestNoMechanismClimbs(t *testing.T) {
	used := map[string]bool{}
	for name, allowed := range mayImport {
		if !strings.HasPrefix(name, "internal/") {
			continue
		}
		for _, other := range allowed {
			if other == "" || strings.HasPrefix(other, "internal/") {
				continue
			}
			used[name] = true
			if climbs[name] == "" {
				t.Errorf("%q imports %q, a public package, and no reason says why", name, other)
			}
		}
	}
	for name := range climbs {
		if !used[name] {
			t.Errorf("a reason says why %q climbs, and it doesn't", name)
		}
	}
}

// TestBottomUp holds the packages of docs/ARCHITECTURE.md to the order that it
// gives them: each stands below those that import it.
func TestBottomUp(t *testing.T) {
	text, err := os.ReadFile("../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), " |")
		if !ok || !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, name := range strings.Split(strings.TrimSuffix(cell, "`"), "`, `") {
			if name = strings.TrimSuffix(strings.TrimSuffix(name, "` (root)"), "`"); name == "cento" {
				name = ""
			}
			if _, ours := mayImport[name]; ours && row[name] == 0 {
				row[name] = i + 1
			}
		}
	}
	if len(row) < 20 {
		t.Fatalf("%d packages are in the map: the test looks at the wrong place", len(row))
	}
	for name, allowed := range mayImport {
		for _, other := range allowed {
			if row[name] > 0 && row[other] > row[name] {
				t.Errorf("docs/ARCHITECTURE.md lists %q before %q, which it imports", name, other)
			}
		}
	}
}
