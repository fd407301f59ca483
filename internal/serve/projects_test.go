package serve_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
)

// TestProjects: answers about a project are those of its files as they are, a what-if is
// the same by parameters and by body, and a tag tells that nothing changed.
func TestProjects(t *testing.T) {
	dir := project(t, webManifest)
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	for get, post := range map[string][2]string{
		"assemble?without_tools=todo":                         {"assemble", `{"without_tools": ["todo"]}`},
		"assemble?tools=":                                     {"assemble", `{"tools": []}`},
		"assemble?target=ci":                                  {"assemble", `{"target": "ci"}`},
		"explain?caps=a&caps=b&tokens=true":                   {"explain", `{"caps": ["a", "b"], "tokens": true}`},
		"why?text=Keep":                                       {"why", `{"text": "Keep"}`},
		"diff?to.without_tools=shell":                         {"diff", `{"to": {"without_tools": ["shell"]}}`},
		"check?strict=true":                                   {"check", `{"strict": true}`},
		"wire?provider=anthropic&partial=true":                {"wire", `{"provider": "anthropic", "partial": true}`},
		"instructions?for=a.go":                               {"instructions", `{"for": ["a.go"]}`},
		"budget?model=claude-sonnet-4-6":                      {"budget", `{"model": "claude-sonnet-4-6"}`},
		"cache?model=claude-sonnet-4-6&to.without_tools=todo": {"cache", `{"model": "claude-sonnet-4-6", "to": {"without_tools": ["todo"]}}`},
		"assemble?budget=100000":                              {"assemble", `{"budget": 100000}`},
		"explain?model=claude-sonnet-4-6&budget=20%25":        {"explain", `{"model": "claude-sonnet-4-6", "budget": "20%"}`},
		"budget?model=claude-sonnet-4-6&budget=%2220%25%22":   {"budget", `{"model": "claude-sonnet-4-6", "budget": "20%"}`},
		"assemble?vars=%7B%22a%22:1%7D":                       {"assemble", `{"vars": {"a": 1}}`},
	} {
		a := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/"+get, "")
		b := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/"+post[0], post[1])
		if a.body != b.body {
			t.Errorf("%s: %s\nand %s: %s", get, a.body, post[1], b.body)
		}
		s.want(http.StatusNotModified, http.MethodGet, "/v1/projects/web/"+get, "", "If-None-Match", `"x", W/`+a.Header.Get("ETag"))
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/models?query=claude", "")
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/projects/web/assemble?without_tool=x", "")
	s.refuses(http.StatusBadRequest, "key.duplicate", http.MethodGet, "/v1/projects/web/assemble?target=a&target=b", "")
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/projects?x=1", "")
	near := s.ask(http.MethodGet, "/v1/projects/web/assemble?target=cii", "")
	if near.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(near.body, `"ci\"`) {
		t.Errorf("an unknown target: %d %s", near.StatusCode, near.body)
	}
	before := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web", "")
	if strings.Contains(before.body, dir) || field(t, before.body, "drifted") != false || before.Header.Get("Cento-As-Of") == "" {
		t.Errorf("the project: %s", before.body)
	}
}

// TestProjectThatFails: a project that can't be located is told with why, whoever asks and
// however; the others are served, and it is again once it can be.
func TestProjectThatFails(t *testing.T) {
	var fails atomic.Bool
	dir := project(t, webManifest)
	s := begin(t, func(c *serve.Config) {
		web := of("web", dir)
		request := web.Request
		web.Request = func() (app.Request, error) {
			if fails.Load() {
				return app.Request{}, &cento.SourceError{Code: "test.gone", Message: "the folder moved"}
			}
			return request()
		}
		c.Projects = []serve.Project{web, of("api", project(t, webManifest))}
	})
	asked := [][3]string{
		{http.MethodGet, "/v1/projects/web", ""}, {http.MethodGet, "/v1/projects/web/assemble", ""}, {http.MethodPost, "/v1/projects/web/assemble", "{}"},
		{http.MethodGet, "/v1/projects/web/test", ""}, {http.MethodPost, "/v1/projects/web/why", `{"text": "brief"}`},
		{http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`},
		{http.MethodPost, "/v1/sessions/web:there/turn", ""}, {http.MethodPost, "/v1/sessions/web:there/touch", `{"files": ["a"]}`}, {http.MethodPost, "/v1/sessions/web:there/rematerialise", ""},
		{http.MethodGet, "/v1/sessions/web:there/drift", ""}, {http.MethodGet, "/inspector/session/web:there", ""}, {http.MethodPost, "/inspector/of/web", "{}"},
		{http.MethodPost, "/inspector/diff/web", `{"a": {}, "b": {}}`},
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "there"}`)
	for _, failing := range []bool{true, false} {
		fails.Store(failing)
		for _, x := range asked {
			r := s.ask(x[0], x[1], x[2])
			if failed := r.StatusCode != http.StatusOK; failed != failing || failing && (r.code() != "test.gone" || !strings.Contains(r.body, "the folder moved")) {
				t.Errorf("failing %t: %s %s: %d %s", failing, x[0], x[1], r.StatusCode, r.body)
			}
		}
		var list serve.ProjectsAnswer
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/v1/projects", "").body), &list))
		for _, p := range list.Projects {
			if broken := failing && p.Name == "web"; (p.Error != nil) != broken || (p.Input == "") != broken || broken && p.Error.Code != "test.gone" {
				t.Errorf("failing %t: %+v", failing, p)
			}
		}
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/api/assemble", "")
	}
	if strings.Contains(s.log.String(), "panic") {
		t.Error("the program made a mistake")
	}
}

// TestManifestGone: the prompt of a folder without a manifest isn't that of a project
// whose manifest is gone. Nothing of it is answered or kept in a session until the
// manifest is back.
func TestManifestGone(t *testing.T) {
	dir := project(t, webManifest)
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "there"}`)
	asked := [][3]string{
		{http.MethodGet, "/v1/projects/web", ""}, {http.MethodGet, "/v1/projects/web/assemble", ""},
		{http.MethodPost, "/v1/projects/web/assemble", `{"without_tools": ["todo"]}`},
		{http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`}, {http.MethodPost, "/v1/sessions/web:there/rematerialise", ""},
		{http.MethodGet, "/v1/sessions/web:there/drift", ""}, {http.MethodPost, "/inspector/of/web", "{}"},
		{http.MethodGet, "/v1/projects/web/check", ""}, {http.MethodGet, "/v1/projects/web/instructions", ""}, {http.MethodGet, "/v1/projects/web/test", ""},
	}
	manifest := filepath.Join(dir, "cento.yaml")
	for _, step := range []struct {
		gone bool
		make func() error
	}{
		{true, func() error { return os.Rename(manifest, manifest+".away") }},
		{false, func() error { return os.Rename(manifest+".away", manifest) }},
	} {
		must(t, step.make())
		// Changes are told a moment later: until then an answer is as of before.
		for refused := !step.gone; refused != step.gone; {
			refused = s.ask(http.MethodGet, "/v1/projects/web/assemble", "").StatusCode != http.StatusOK
			if t.Context().Err() != nil {
				t.Fatal("the change isn't noticed")
			}
		}
		for _, x := range asked {
			r := s.ask(x[0], x[1], x[2])
			if step.gone && (r.StatusCode != http.StatusUnprocessableEntity || r.code() != "manifest.gone" || !strings.Contains(r.body, "cento.yaml") || !strings.Contains(r.body, "put it back") || strings.Contains(r.body, dir)) {
				t.Errorf("gone: %s %s: %d %s", x[0], x[1], r.StatusCode, r.body)
			} else if !step.gone && r.StatusCode != http.StatusOK {
				t.Errorf("back: %s %s: %d %s", x[0], x[1], r.StatusCode, r.body)
			}
		}
	}
}

// age makes the files of a project old: what was written just before it is read is read
// once more, to be sure of it.
func age(t *testing.T, dir string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		old := time.Now().Add(-time.Hour)
		return errors.Join(err, os.Chtimes(path, old, old))
	}))
}

// TestFollowsFiles: when the files of a project change, that is an event, and answers are
// of the files as they are then, with the clock of the request. What is wrong with them is
// told with its place, until it is mended.
func TestFollowsFiles(t *testing.T) {
	dir := project(t, "")
	manifest := func(text string) { must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(text), 0o600)) }
	good := strings.Replace(webManifest, "system: You are brief.\n", "instruction: $workspace/main\n", 1)
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are brief. It is {{ date }}.\n"), 0o600))
	manifest(good)
	age(t, dir)
	var day atomic.Int64
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{{Name: "web", Request: func() (app.Request, error) {
			return app.Request{Dir: dir, Servers: app.NoServers, Now: time.Date(2026, 11, 1+int(day.Load()), 0, 0, 0, 0, time.UTC)}, nil
		}}}
	})
	events := s.listen("/v1/events?project=web")
	assemble := func(what string) reply { return s.ask(http.MethodGet, "/v1/projects/web/assemble"+what, "") }
	first, small := assemble(""), assemble("?vars=%7B%22a%22:1%7D")
	day.Add(1)
	if r := assemble(""); !strings.Contains(first.body, "2026-11-01") || !strings.Contains(r.body, "2026-11-02") {
		t.Errorf("on the first day %s, on the second %s", first.body, r.body)
	}
	if again := assemble(""); first.StatusCode != http.StatusOK || again.Header.Get("Cento-As-Of") != first.Header.Get("Cento-As-Of") {
		t.Errorf("nothing changed: %s, as of %s and %s", again.body, first.Header.Get("Cento-As-Of"), again.Header.Get("Cento-As-Of"))
	}
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are verbose.\n"), 0o600))
	e := events.next(t, "project.changed")
	r := assemble("")
	if !strings.Contains(r.body, "verbose") || e["before"] != first.Header.Get("Cento-Input-Digest") || e["after"] != r.Header.Get("Cento-Input-Digest") || e["before"] == e["after"] || e["project"] != "web" {
		t.Errorf("after %v: %s", e, r.body)
	}
	if r := assemble("?vars=%7B%22a%22:1%7D"); !strings.Contains(r.body, "verbose") || r.body == small.body {
		t.Errorf("with a variable: %s", r.body)
	}
	if p := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web", ""); field(t, p.body, "drifted") != true {
		t.Errorf("the project: %s", p.body)
	}
	manifest("sytem: x\n")
	if e := events.next(t, "project.changed"); e["after"] != "" || e["error"] == nil {
		t.Errorf("a broken manifest: %v", e)
	}
	bad := s.refuses(http.StatusUnprocessableEntity, "key.unknown", http.MethodGet, "/v1/projects/web/assemble", "")
	if !strings.Contains(bad.body, `"file": "cento.yaml"`) {
		t.Errorf("no place: %s", bad.body)
	}
	list := s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
	if !strings.Contains(list.body, "key.unknown") {
		t.Errorf("the list: %s", list.body)
	}
	must(t, os.RemoveAll(dir))
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are back.\n"), 0o600))
	manifest(good)
	for e := events.next(t, "project.changed"); e["after"] == ""; e = events.next(t, "project.changed") {
	}
	for r := assemble(""); !strings.Contains(r.body, "You are back."); r = assemble("") {
		events.next(t, "project.changed")
	}
}

// TestMistakeOfAReading: a mistake of the program while it follows files is told in the log
// and counted, and the next request tries again.
func TestMistakeOfAReading(t *testing.T) {
	dir := project(t, webManifest)
	age(t, dir)
	var mistaken atomic.Bool
	s := begin(t, func(c *serve.Config) {
		ok := of("web", dir)
		c.Projects = []serve.Project{{Name: "web", Request: func() (app.Request, error) {
			if mistaken.Load() {
				panic("a secret mistake")
			}
			return ok.Request()
		}}}
	})
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	mistaken.Store(true)
	must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(strings.Replace(webManifest, "brief", "verbose", 1)), 0o600))
	s.log.until(t, `"msg":"a mistake in the program"`, `"project":"web"`, "a secret mistake", "projects.go")
	until(t, "it isn't counted", func() bool { return s.metric("cento_panics_total ") != "0" })
	mistaken.Store(false)
	until(t, "it stays as it was", func() bool {
		return strings.Contains(s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "").body, "You are verbose.")
	})
}
