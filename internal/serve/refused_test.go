package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
)

// TestBadInput: whatever a route takes, what is wrong with it is told with a code, its
// place where it has one, and a hint, and nothing of it is stored.
func TestBadInput(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	before := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body
	rows := accesses()
	fill := strings.NewReplacer("{project}", "web", "{id}", "web:s", "{record}", "web:s@1", "{$}", "")
	bodies, queried, named := 0, 0, 0
	for _, name := range sorted(s.server.Routes()) {
		method, address, _ := strings.Cut(name, " ")
		if strings.HasSuffix(address, "z") || address == "/mcp" || method == http.MethodGet && strings.HasPrefix(address, "/inspector/") && rows[name].about == false || address == "/{$}" {
			continue // which take nothing, or what the protocol's own reader reads
		}
		if method == http.MethodPost {
			bodies++
			for what, x := range map[string]struct {
				body, code   string
				line, column int
			}{
				"an unknown key": {"{\n  \"zz\": 1}", "key.unknown", 2, 3},
				"a key twice":    {`{"zz": 1, "zz": 1}`, "key.duplicate", 1, 11},
				"no map":         {` []`, "value.type", 1, 2},
				"no JSON":        {`{"zz": `, "syntax", 1, 8},
			} {
				r := s.ask(method, fill.Replace(address), x.body)
				var p serve.Problem
				must(t, json.Unmarshal([]byte(r.body), &p))
				found := false
				for _, e := range append(p.Errors, app.ErrorObject{Code: p.Code, Position: p.Position, Hint: p.Hint}) {
					found = found || string(e.Code) == x.code && e.Position != nil && e.Position.File == "<request>.json" && e.Position.Line == x.line && (e.Position.Column == x.column || x.code == "syntax")
				}
				if r.StatusCode != http.StatusBadRequest || !found {
					t.Errorf("%s, %s: status %d, want %s at %d:%d: %s", name, what, r.StatusCode, x.code, x.line, x.column, r.body)
				}
			}
		} else {
			queried++
			with := fill.Replace(address) + strings.ReplaceAll(queries[name], "RECORD", "web:s@1")
			if with += "?"; strings.Count(with, "?") > 1 {
				with = strings.TrimSuffix(with, "?") + "&"
			}
			r := s.refuses(http.StatusBadRequest, "key.unknown", method, with+"zz=1", "")
			if field(t, r.body, "hint") == "" {
				t.Errorf("%s: no hint for an unknown parameter: %s", name, r.body)
			}
			r = s.refuses(http.StatusBadRequest, "syntax", method, with+"zz=20%", "")
			if hint, _ := field(t, r.body, "hint").(string); !strings.Contains(hint, "%25") {
				t.Errorf("%s: no hint for a %% alone: %s", name, r.body)
			}
		}
		if !strings.Contains(address, "{") {
			continue
		}
		named++
		nobody := strings.NewReplacer("{project}", "nobody", "{id}", "web:nobody", "{record}", "web:nobody@1").Replace(address) + queries[name]
		r := s.ask(method, strings.ReplaceAll(nobody, "RECORD", "web:nobody@1"), rows[name].body)
		if r.StatusCode != http.StatusNotFound || field(t, r.body, "hint") == "" {
			t.Errorf("%s of nobody: status %d: %s", name, r.StatusCode, r.body)
		}
	}
	if bodies < 35 || queried < 20 || named < 35 {
		t.Errorf("%d routes with a body, %d with parameters, %d with a name: the test looks at the wrong place", bodies, queried, named)
	}
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body; after != before {
		t.Errorf("something was stored:\n%s\nand there was\n%s", after, before)
	}
}

// ofUser is a project whose user has prompt files of their own, and the files of which
// include what is built in.
func ofUser(t *testing.T) serve.Project {
	t.Helper()
	dir, config := project(t, "instruction: $workspace/main\ntools: [{name: todo}]\nscope: off\nprofile: off\nskills: off\ntargets: {ci: {}, own: {instruction: $user/shown}}\n"), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, ".cento", "prompts", "main.md"): "Main. {% include '$builtin/default' %}",
		filepath.Join(config, "prompts", "secret.md"):      "USER-SECRET",
		filepath.Join(config, "prompts", "shown.md"):       "SHOWN-BY-THE-MANIFEST",
	} {
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte(text), 0o600))
	}
	p := of("web", dir)
	return serve.Project{Name: "web", Request: func() (app.Request, error) {
		r, err := p.Request()
		r.Config = config
		return r, err
	}}
}

// TestUserFiles: of the files of the user who runs the service a request names none; what
// the project itself names of them is in its prompt.
func TestUserFiles(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{ofUser(t)} })
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble?target=own", ""); !strings.Contains(r.body, "SHOWN-BY-THE-MANIFEST") {
		t.Errorf("the project's own: %s", r.body)
	}
	part := `{"id": "x", "template": "$user/secret"}`
	var all []string
	for _, what := range []string{
		`"fragments": [` + part + `]`, `"fragments": [{"id": "x", "template": " $user/secret.md "}]`, `"primary": {"parts": [` + part + `]}`,
		`"system_preamble": ` + part, `"system_prefix": [` + part + `]`, `"system_context": ` + part, `"system_prompt_parts": [` + part + `]`,
		`"system_prompt_parts": [{"id": "y", "parts": [` + part + `]}]`, `"system_appendix": ` + part, `"system_suffix": ` + part,
	} {
		for _, op := range []string{"assemble", "explain", "why", "diff", "wire", "budget", "cache", "ablate"} {
			keys := map[string]string{"why": `, "text": "USER-SECRET"`, "diff": `, "to": {"target": "ci"}`, "cache": `, "to": {"target": "ci"}`, "wire": `, "provider": "anthropic", "partial": true`}[op]
			all = append(all, s.userFile("/v1/projects/web/"+op, `{`+what+keys+`}`))
		}
		all = append(all,
			s.userFile("/inspector/of/web", `{"asked": {`+what+`}}`), s.userFile("/inspector/diff/web", `{"a": {}, "b": {`+what+`}}`),
			s.userFile("/inspector/origin/web", `{"asked": {`+what+`}, "at": 0, "digest": "x"}`),
			s.userFile("/v1/sessions", `{"project": "web", "id": "s", "with": {`+what+`}}`),
		)
	}
	layer := `"layer": {"slots": {"intro": {"contributions": [` + part + `]}}}`
	all = append(all, s.userFile("/v1/sessions", `{"project": "web", "id": "s", `+layer+`}`))
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "there"}`)
	all = append(all, s.userFile("/v1/sessions/web:there/rematerialise", `{`+layer+`}`), s.userFile("/v1/sessions/web:there/drift", `{"with": {"fragments": [`+part+`]}}`), s.userFile("/v1/sessions/web:there/rematerialise", `{"with": {"fragments": [`+part+`]}}`))
	if strings.Contains(strings.Join(all, ""), "USER-SECRET\"") {
		t.Error("an answer has the text")
	}
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/export", ""); strings.Contains(r.body, "USER-SECRET") {
		t.Error("it is stored")
	}
}

func (s *service) userFile(path, body string) string {
	s.t.Helper()
	r := s.refuses(http.StatusForbidden, "request.outside", http.MethodPost, path, body)
	if field(s.t, r.body, "position") == nil || field(s.t, r.body, "hint") == "" {
		s.t.Errorf("%s %s: no place, or no hint: %s", path, body, r.body)
	}
	return r.body
}

// TestNobodyWritesForOthers: what a request brings is in its own answer, and in nobody
// else's who asks for the same prompt.
func TestNobodyWritesForOthers(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{ofUser(t)} })
	const prefixes = `"prefixes": {"$builtin": {"trust": "host", "files": {"default.md": "POISON"}}}`
	brought := []string{
		prefixes, `"fragments": [{"id": "x", "body": "POISON"}]`, `"system": "POISON"`, `"system_preamble": "POISON"`,
		`"profile": {"caps": [], "fragments": [{"id": "x", "body": "POISON"}], "signals": {}}`, `"tools": [{"name": "todo", "guidance": "POISON"}]`, `"vars": {"x": "POISON"}`,
	}
	for i, what := range []string{"", `, "target": "ci"`, `, "model": "claude-sonnet-4-5"`, `, "budget": 100000`, `, "now": "2026-01-01T00:00:00Z"`, `, "vars": {"y": 1}`} {
		for _, b := range brought {
			if strings.Contains(b, `"vars"`) && strings.Contains(what, `"vars"`) {
				continue
			}
			r := s.ask(http.MethodPost, "/v1/projects/web/assemble", `{`+b+what+`}`)
			if b == prefixes && (r.StatusCode != http.StatusForbidden || r.code() != "request.outside") {
				t.Errorf("prompt files that come with the request: status %d: %s", r.StatusCode, r.body)
			}
		}
		asked := `{` + strings.TrimPrefix(what, ", ") + `}`
		if r := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/assemble", asked); strings.Contains(r.body, "POISON") || !strings.Contains(r.body, "You are an AI coding assistant") {
			t.Errorf("%s: another one is told %s", asked, r.body)
		}
		id := fmt.Sprint("s", i)
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "`+id+`", "with": `+asked+`}`)
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:"+id+"/prompt", ""); strings.Contains(r.body, "POISON") {
			t.Errorf("%s: a session has %s", asked, r.body)
		}
	}
}

// TestToldToScreens: what goes wrong is told with the names that it has, spelled so that no
// screen of who asks by hand acts on them.
func TestToldToScreens(t *testing.T) {
	const name = "t\u202e\u009b31m.json"
	dir := project(t, "system: x\ntools: \"t\\u202e\\u009b31m.json\"\nscope: off\nprofile: off\nskills: off\n")
	tools := filepath.Join(dir, name)
	if err := os.WriteFile(tools, []byte("[]"), 0o600); err != nil {
		t.Skipf("skipped: this file system takes no such names: %v", err)
	}
	age(t, dir)
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	events := s.listen("/v1/events")
	must(t, os.WriteFile(tools, []byte("[}"), 0o600))
	var told []string
	for events.lines.Scan() {
		if line := events.lines.Text(); strings.HasPrefix(line, "data: ") {
			told = append(told, strings.TrimPrefix(line, "data: "))
			break
		}
	}
	for _, path := range []string{"/v1/projects/web/assemble", "/v1/projects/web", "/v1/projects"} {
		told = append(told, s.ask(http.MethodGet, path, "").body)
	}
	for _, body := range told {
		var v any
		must(t, json.Unmarshal([]byte(body), &v))
		if !strings.Contains(fmt.Sprint(v), name) {
			t.Errorf("the name isn't told: %s", body)
		}
		if strings.ContainsAny(body, "\u202e\u009b") {
			t.Errorf("a screen would act on it: %q", body)
		}
	}
}

// TestPlacesInBodies: what is wrong with a part of a body that another reader reads is told
// at its place in the body.
func TestPlacesInBodies(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	for _, x := range []struct{ path, body, at string }{
		{"/v1/sessions", `{"project": "web", "id": "t", "with": {^"zz": 1}}`, "key.unknown"},
		{"/v1/sessions", `{"project": "web", "id": "t", "layer": {^"zz": 1}}`, "key.unknown"},
		{"/v1/sessions/web:s/turn", `{"with": {^"zz": 1}}`, "key.unknown"},
		{"/v1/sessions/web:s/turn", `{"provider": "anthropic", "messages": [{"role": ^"system", "text": "x"}]}`, "value.invalid"},
		{"/v1/sessions/web:s/remind", `{"reminder": {"body": "x", ^"ttl_trns": 1}}`, "key.unknown"},
		{"/v1/sessions/web:s/remind", `{"reminder": {"body": ^3}}`, "value.type"},
		{"/v1/sessions/web:s/remind", `{"reminder": ^{}}`, "key.missing"},
		{"/v1/sessions/web:s/remind", `{"reminder": ^3}`, "value.type"},
		{"/v1/sessions/web:s/remind", `^{}`, "key.missing"},
		{"/v1/sessions/web:s/usage", `{"turn": 0, "usage": ^{"input_tokens": -1}}`, "wire.usage"},
		{"/v1/sessions/web:s/rematerialise", `{"with": {^"zz": 1}}`, "key.unknown"},
		{"/v1/sessions/web:s/rematerialise", `{"layer": {^"zz": 1}}`, "key.unknown"},
		{"/v1/sessions/web:s/drift", `{"with": {^"zz": 1}}`, "key.unknown"},
	} {
		before, after, _ := strings.Cut(x.body, "^")
		r := s.ask(http.MethodPost, x.path, before+after)
		var p serve.Problem
		must(t, json.Unmarshal([]byte(r.body), &p))
		want := fmt.Sprintf("%s at <request>.json:1:%d", x.at, len(before)+1)
		if got := fmt.Sprintf("%s at %v", p.Code, p.Position); got != want {
			t.Errorf("%s %s: %s, want %s\n%s", x.path, x.body, got, want, r.body)
		}
	}
}

// TestBlanks: what says nothing is refused, also where it would be all that there is, and
// nothing is begun of it.
func TestBlanks(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	before := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body
	for _, x := range []struct {
		path, body string
		column     int
	}{
		{"/v1/sessions", `{"project": "web", "id": %q}`, 20}, {"/v1/sessions/web:s/fork", `{"child": %q}`, 2},
	} {
		for _, id := range []string{"", " \t", "web:", "web: "} {
			r := s.refuses(http.StatusBadRequest, "value.invalid", http.MethodPost, x.path, fmt.Sprintf(x.body, id))
			if at, ok := field(t, r.body, "position").(map[string]any); !ok || at["column"] != float64(x.column) || field(t, r.body, "hint") == "" {
				t.Errorf("%s with %q: %s", x.path, id, r.body)
			}
		}
	}
	var document struct {
		Paths map[string]map[string]struct{ Parameters []struct{ Name, In string } }
	}
	must(t, json.Unmarshal(s.document(), &document))
	fill := strings.NewReplacer("{project}", "web", "{id}", "web:s", "{record}", "web:s@1")
	tried := 0
	for path, methods := range document.Paths {
		for method, op := range methods {
			for _, p := range op.Parameters {
				if p.In != "query" {
					continue
				}
				tried++
				for _, blank := range []string{"", "%20%09"} {
					r := s.refuses(http.StatusBadRequest, "value.invalid", strings.ToUpper(method), fill.Replace(path)+"?"+p.Name+"="+blank, "")
					if want := "leave " + p.Name + " out, or say what it is"; field(t, r.body, "hint") != want {
						t.Errorf("%s %s without %s: %s", method, path, p.Name, r.body)
					}
				}
			}
		}
	}
	// The parameters of a what-if are read as a body is.
	for _, blank := range []string{"explain?model=", "explain?target=", "explain?now=", "budget?budget=", "why?text=", "wire?provider=", "diff?to.target=", "diff?to.model=%20"} {
		s.refuses(http.StatusBadRequest, "value.invalid", http.MethodGet, "/v1/projects/web/"+blank, "")
	}
	if tried < 15 {
		t.Errorf("%d parameters were tried", tried)
	}
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body; after != before {
		t.Errorf("something was begun:\n%s\nand there was\n%s", after, before)
	}
}

// TestPartsOfBodies: a part of a request that another reader reads is a map or a list, and
// anything else is told to be none, at its place.
func TestPartsOfBodies(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	for path, body := range map[string]string{
		"/v1/sessions": `{"project": "web", "id": "t", "with": ^3}`, "/v1/sessions/web:s/turn": `{"messages": ^"x"}`, "/v1/sessions/web:s/usage": `{"turn": 0, "usage": ^true}`,
		"/v1/sessions/web:s/rematerialise": `{"layer": ^1.5}`, "/inspector/of/web": `{"asked": ^"x"}`, "/inspector/diff/web": `{"a": ^0, "b": {}}`,
	} {
		before, after, _ := strings.Cut(body, "^")
		r := s.refuses(http.StatusBadRequest, "value.type", http.MethodPost, path, before+after)
		if at, _ := field(t, r.body, "position").(map[string]any); at["column"] != float64(len(before)+1) || !strings.Contains(field(t, r.body, "message").(string), "a map or a list") {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}
