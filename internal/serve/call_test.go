package serve_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/terminal"
)

// sealedOff reports whether the service refuses a request of the archives, since it
// hands a recorded input over or names a target that lies outside of it.
func sealedOff(request []byte) bool {
	var asked struct{ Input map[string]any }
	return json.Unmarshal(request, &asked) == nil && asked.Input != nil || bytes.Contains(request, []byte(`target: /src`))
}

// TestSameAsCall: every request of the archives of package call is answered with the
// bytes that cento call prints, and refused with the same code, words and hint.
func TestSameAsCall(t *testing.T) {
	s := begin(t, nil)
	files, err := fs.Glob(os.DirFS("../call/testdata"), "*.txtar")
	must(t, err)
	answered, refused := 0, 0
	for _, file := range files {
		a, err := txtar.ParseFile("../call/testdata/" + file)
		must(t, err)
		for _, f := range a.Files {
			op, ok := strings.CutSuffix(f.Name, ".json")
			if !ok || strings.HasPrefix(f.Name, "want/") || op == "session" { // which names a store
				continue
			}
			where := file + "/" + f.Name
			got := s.ask(http.MethodPost, "/v1/"+op, string(f.Data))
			answer, err := call.Answer(t.Context(), op, f.Data, call.Options{})
			if err == nil && sealedOff(f.Data) {
				if got.StatusCode != http.StatusForbidden || got.code() != string(call.NoProjects) {
					t.Errorf("%s: %d %s", where, got.StatusCode, got.body)
				}
				continue
			}
			if err != nil {
				refused++
				want := cento.SourceErrors(err)[0]
				if got.code() != string(want.Code) && got.code() != string(call.NoProjects) || got.StatusCode < 400 || got.StatusCode > 422 {
					t.Errorf("%s: status %d, code %q, want %q", where, got.StatusCode, got.code(), want.Code)
				}
				continue
			}
			answered++
			var b bytes.Buffer
			w := terminal.NewWriter(&b, terminal.Options{})
			w.JSON(answer)
			must(t, w.Flush())
			if got.StatusCode != http.StatusOK || got.body != b.String() {
				t.Errorf("%s: status %d\n%s\nwant\n%s", where, got.StatusCode, got.body, b.String())
			}
		}
	}
	if answered < 20 || refused < 10 {
		t.Fatalf("%d requests were answered and %d refused: the test looks at the wrong place", answered, refused)
	}
}

// TestOutside: nothing that comes with a request leads out of it.
func TestOutside(t *testing.T) {
	s := begin(t, nil)
	secret := project(t, "system: leaked\n")
	must(t, os.WriteFile(secret+"/tools.json", []byte(`[{"name": "leaked"}]`), 0o600))
	for _, body := range []string{
		`{"project": "` + secret + `"}`,
		`{"project": "web"}`,
		`{"manifest": {"store": "/tmp/leaked.db"}}`,
		`{"manifest": {"store": "below.db"}}`,
		`{"files": {"cento.yaml": "store: x.db"}}`,
		`{"manifest": {"tools": {"mcp": {"command": ["leaked"]}}}}`,
		`{"manifest": {"targets": {"ci": {"tools": {"mcp": {"command": ["leaked"]}}}}}}`,
		`{"manifest": {"instruction": "$user/x"}}`,
		`{"manifest": {"scope": {"allow": [{"target": "/etc", "permission": "read"}]}}}`,
		`{"manifest": {"tools": "` + secret + `/tools.json"}}`,
		`{"input": {}}`,
	} {
		r := s.ask(http.MethodPost, "/v1/assemble", body)
		if r.StatusCode != http.StatusForbidden || strings.Contains(r.body, `"leaked"`) {
			t.Errorf("%s: status %d: %s", body, r.StatusCode, r.body)
		}
	}
	for _, path := range []string{"../../x", "/etc/passwd", "a/../../b", "", `..\x`} {
		s.refuses(http.StatusBadRequest, "value.invalid", http.MethodPost, "/v1/assemble", `{"files": {"`+strings.ReplaceAll(path, `\`, `\\`)+`": "x"}}`)
	}
	s.refuses(http.StatusBadRequest, "value.invalid", http.MethodPost, "/v1/instructions", `{"files": {"AGENTS.md": "x"}, "cwd": "`+secret+`"}`)
	s.refuses(http.StatusForbidden, "request.outside", http.MethodPost, "/v1/instructions", `{"files": {"AGENTS.md": "x"}, "for": ["../../x"]}`)
	s.refuses(http.StatusNotFound, "record.unknown", http.MethodPost, "/v1/assemble", `{"input": "`+strings.Repeat("0", 64)+`"}`)
	for body, columns := range map[string][]int{`{"project": "."}`: {2}, `{"tools": [], "manifest": {}}`: {15}, `{"files": {}, "root": "/x"}`: {2, 15}, `{"input": {}}`: {2}, `{"prefixes": {}, "project": "x"}`: {2, 18}} {
		r := s.refuses(http.StatusForbidden, "request.outside", http.MethodPost, "/v1/projects/web/assemble", body)
		var p serve.Problem
		must(t, json.Unmarshal([]byte(r.body), &p))
		var at []int
		for _, e := range append(p.Errors, app.ErrorObject{Position: p.Position})[:len(columns)] {
			at = append(at, e.Position.Column)
		}
		if !slices.Equal(at, columns) {
			t.Errorf("%s is refused at columns %v: %s", body, at, r.body)
		}
	}
	for body, code := range map[string]string{`{"cwd": "/etc"}`: "value.invalid", `{"cwd": ".."}`: "value.invalid", `{"for": ["/etc/passwd"]}`: "request.outside", `{"for": ["../x"]}`: "request.outside"} {
		if r := s.ask(http.MethodPost, "/v1/projects/web/instructions", body); r.code() != code {
			t.Errorf("%s: %s", body, r.body)
		}
	}
}

// TestLinksElsewhere: the paths of a scope that comes with a request aren't those of
// this machine, so no link of it is told.
func TestLinksElsewhere(t *testing.T) {
	s := begin(t, nil)
	dir := t.TempDir()
	if err := os.Symlink("/somewhere/secret", dir+"/link"); err != nil {
		t.Skipf("skipped: no links here: %v", err)
	}
	r := s.want(http.StatusOK, http.MethodPost, "/v1/scope", `{"scope": {"allow": [{"target": "`+dir+`/link", "permission": "read"}]}, "paths": ["`+dir+`/link/x"]}`)
	if strings.Contains(r.body, "secret") || !strings.Contains(r.body, `"read"`) {
		t.Errorf("a link of this machine is told: %s", r.body)
	}
	r = s.want(http.StatusOK, http.MethodPost, "/v1/assemble", `{"root": "`+dir+`/link", "manifest": {"system": "x", "scope": {"allow": [{"target": ".", "permission": "read"}]}}}`)
	if strings.Contains(r.body, "secret") || !strings.Contains(r.body, dir+"/link") {
		t.Errorf("a link of this machine is told: %s", r.body)
	}
}
