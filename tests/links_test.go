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

// What the service is watched with is linked by who runs the service, and gRPC, which
// the usual exporter of traces brings, by nobody: every command would start later.
func TestWatchingLinks(t *testing.T) {
	deps := func(packages ...string) []string {
		t.Helper()
		out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return strings.Fields(string(out))
	}
	out, err := exec.Command("go", "list", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var library []string
	for _, path := range strings.Fields(string(out)) {
		rest := strings.TrimPrefix(path, module)
		if !slices.ContainsFunc([]string{"/internal/", "/cmd/", "/bench", "/tests", "/docs", "/testdata/"}, func(part string) bool { return strings.Contains(rest+"/", part) }) {
			library = append(library, path)
		}
	}
	if len(library) < 15 {
		t.Fatalf("the library has %d packages: the test looks at the wrong place", len(library))
	}
	for _, path := range deps(library...) {
		if strings.HasPrefix(path, "go.opentelemetry.io/") || strings.HasPrefix(path, "github.com/prometheus/") {
			t.Errorf("the library links %s", path)
		}
	}
	traced := false
	for _, path := range deps(module + "/cmd/cento") {
		traced = traced || path == "go.opentelemetry.io/otel/sdk/trace"
		if strings.HasPrefix(path, "google.golang.org/grpc") {
			t.Errorf("the program links %s", path)
		}
	}
	if !traced {
		t.Error("the program has no traces: the test looks at the wrong place")
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
