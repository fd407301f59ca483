package tests

import (
	"slices"
	"strings"
	"testing"
)

// links are the modules that somebody has in their program who imports a package,
// this one aside: an engine of the store is there for who asked for it.
var links = map[string][]string{
	"":        {},
	"session": {"github.com/bmatcuk/doublestar/v4", "github.com/google/uuid", "github.com/pelletier/go-toml/v2", "go.yaml.in/yaml/v4", "golang.org/x/text"},
	"store":   {},
}

func TestLinks(t *testing.T) {
	for name, allowed := range links {
		var linked []string
		for _, p := range linkedBy(t, strings.TrimSuffix(module+"/"+name, "/")) {
			if p.Module != nil {
				linked = append(linked, p.Module.Path)
			}
		}
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
	var library []string
	for _, p := range listPackages(t) {
		path := p.ImportPath
		rest := strings.TrimPrefix(path, module)
		if !slices.ContainsFunc([]string{"/internal/", "/cmd/", "/bench", "/tests", "/docs", "/testdata/"}, func(part string) bool { return strings.Contains(rest+"/", part) }) {
			library = append(library, path)
		}
	}
	if len(library) < 15 {
		t.Fatalf("the library has %d packages: the test looks at the wrong place", len(library))
	}
	for _, p := range linkedBy(t, library...) {
		path := p.ImportPath
		if strings.HasPrefix(path, "go.opentelemetry.io/") || strings.HasPrefix(path, "github.com/prometheus/") {
			t.Errorf("the library links %s", path)
		}
	}
	traced := false
	for _, p := range linkedBy(t, module+"/cmd/cento") {
		path := p.ImportPath
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
		for _, p := range linkedBy(t, module+"/"+name) {
			path := p.ImportPath
			if strings.HasPrefix(path, no) {
				t.Errorf("%s links %s", name, path)
			}
		}
	}
}
