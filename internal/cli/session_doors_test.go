package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/serve"
)

// doors are the ways to one session each of the same project.
type doors struct {
	t       *testing.T
	service http.Handler
}

const doorManifest = `system: You are brief.
model: claude-opus-5
vars: {who: Ada}
tools: [{name: todo, guidance: Keep the list.}, {name: shell, guidance: Run commands.}]
scope: off
profile: off
targets: {ci: {tools: [shell]}}
`

// openDoors begins the sessions in the folder of the run.
func openDoors(t *testing.T) *doors {
	for _, v := range hermetic(t.TempDir()) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("cento.yaml", []byte(doorManifest), 0o600))
	dir, err := filepath.Abs(".")
	must(t, err)
	s, err := serve.New(t.Context(), serve.Config{
		Listen: "127.0.0.1:0", Store: "served.db", Local: "0123456789abcdef0123456789abcdef", Log: slog.New(slog.DiscardHandler),
		Projects: []serve.Project{{Name: "p", Request: func() (app.Request, error) {
			return app.Request{Dir: dir, Servers: app.NoServers, Now: time.Now().UTC()}, nil
		}}},
	})
	must(t, err)
	t.Cleanup(func() { // its listener and its store close as it ends
		ended, end := context.WithCancel(context.Background())
		if end(); s.Serve(ended) != nil {
			t.Error("the service doesn't end")
		}
	})
	d := &doors{t, s.Handler()}
	d.run("", "session", "start", "s", "--store", "s.db", "--json")
	d.ask("/v1/sessions", `{"project": "p", "id": "s"}`)
	return d
}

// run answers on the command line.
func (d *doors) run(stdin string, args ...string) string {
	d.t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(args, strings.NewReader(stdin), &out, &errs); code != 0 {
		d.t.Fatalf("cento %s: exit code %d: %s%s", strings.Join(args, " "), code, errs.String(), out.String())
	}
	return out.String()
}

// ask answers over HTTP.
func (d *doors) ask(path, body string) string {
	d.t.Helper()
	w := d.post(path, body)
	if w.Code != http.StatusOK {
		d.t.Fatalf("POST %s %s: %d: %s", path, body, w.Code, w.Body)
	}
	return w.Body.String()
}

// get is what stands at an address.
func (d *doors) get(path string) string {
	d.t.Helper()
	w := d.send(http.MethodGet, path, "")
	if w.Code != http.StatusOK {
		d.t.Fatalf("GET %s: %d: %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

func (d *doors) post(path, body string) *httptest.ResponseRecorder {
	return d.send(http.MethodPost, path, body)
}

func (d *doors) send(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(d.t.Context(), method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Authorization", "Bearer 0123456789abcdef0123456789abcdef")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.service.ServeHTTP(w, r)
	return w
}

// drift is what a turn told of the drift of its prompt.
func (d *doors) drift(answer string) string {
	d.t.Helper()
	var turn struct {
		Drift *struct{ Drifted bool }
	}
	must(d.t, json.Unmarshal([]byte(answer), &turn))
	switch {
	case turn.Drift == nil:
		return "nothing"
	case turn.Drift.Drifted:
		return "a drift"
	}
	return "no drift"
}

// TestTurnAtEveryDoor: whether a turn tells of a drift is the same wherever it is asked for.
func TestTurnAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	for _, test := range []struct {
		flags []string // nil: flags can't say it
		keys  string
		want  string
	}{
		{[]string{}, ``, "nothing"},
		{nil, `"without_tools": [], "caps": [], "vars": {}, "fragments": []`, "nothing"},
		{[]string{"--clock", "2030-01-02T03:04:05Z"}, `"now": "2030-01-02T03:04:05Z"`, "nothing"},
		{[]string{"--clock", "2030-01-02T03:04:05Z", "--without-tool", "todo"}, `"now": "2030-01-02T03:04:05Z", "without_tools": ["todo"]`, "a drift"},
		{[]string{"--tool", "todo", "--tool", "shell"}, `"tools": ["todo", "shell"]`, "no drift"},
		{[]string{"--tool", "todo"}, `"tools": ["todo"]`, "a drift"},
		{[]string{"--cap", "fast"}, `"caps": ["fast"]`, "a drift"},
		{[]string{"--without-cap", "fast"}, `"without_caps": ["fast"]`, "no drift"},
		{[]string{"--target", "ci"}, `"target": "ci"`, "a drift"},
		{[]string{"--model", "claude-opus-5"}, `"model": "claude-opus-5"`, "no drift"},
		{[]string{"--var", "who=Bo"}, `"vars": {"who": "Bo"}`, "no drift"},
		{[]string{"--budget", "100000"}, `"budget": 100000`, "no drift"},
		{nil, `"skills": []`, "no drift"},
		{nil, `"fragments": [{"id": "mine", "body": "Ask first."}]`, "a drift"},
		{nil, `"system": "You are long."`, "a drift"},
	} {
		answers := map[string]string{
			"operation": d.run(fmt.Sprintf(`{"op": "turn", "id": "s", "store": "s.db"%s}`, strings.TrimSuffix(", "+test.keys, ", ")), "call", "session"),
			"service":   d.ask("/v1/sessions/p:s/turn", `{"with": {`+test.keys+`}}`),
		}
		if test.flags != nil {
			answers["command"] = d.run("", append([]string{"session", "turn", "s", "--store", "s.db", "--json"}, test.flags...)...)
		}
		for door, answer := range answers {
			if got := d.drift(answer); got != test.want {
				t.Errorf("{%s}: the %s tells %s, want %s", test.keys, door, got, test.want)
			}
		}
	}
	// A manifest that stands instead of the project's; one that is served has its own.
	must(t, os.WriteFile("long.yaml", []byte(strings.Replace(doorManifest, "brief", "long", 1)), 0o600))
	for _, answer := range []string{
		d.run("", "session", "turn", "s", "--store", "s.db", "--json", "--file", "long.yaml"),
		d.run(`{"op": "turn", "id": "s", "store": "s.db", "project": ".", "manifest": {"system": "You are long."}}`, "call", "session"),
	} {
		if got := d.drift(answer); got != "a drift" {
			t.Errorf("with another manifest a turn tells %s", got)
		}
	}
}

// TestStartReadsStdinOnce: what stdin has is there for all that a session is begun with.
func TestStartReadsStdinOnce(t *testing.T) {
	d := openDoors(t)
	d.run(`[{"name": "grep", "guidance": "Look first."}]`, "session", "start", "in", "--store", "s.db", "--tools", "-")
	if got := d.run("", "session", "show", "in", "--store", "s.db", "--system"); !strings.Contains(got, "Look first.") {
		t.Errorf("the prompt is %q", got)
	}
}

// TestLookalikesAtEveryDoor: what hides in the name of a session is told wherever it begins.
func TestLookalikesAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	for door, answer := range map[string]string{
		"command":        d.run("", "session", "start", "ѕ", "--store", "s.db", "--json"),
		"operation":      d.run(`{"op": "start", "id": "S.", "store": "s.db"}`, "call", "session") + d.run(`{"op": "fork", "id": "s", "child": "Ѕ.", "store": "s.db"}`, "call", "session"),
		"service":        d.ask("/v1/sessions", `{"project": "p", "id": "ѕ"}`),
		"fork of a name": d.ask("/v1/sessions/p:s/fork", `{"child": "ꜱ"}`),
	} {
		if strings.Count(answer, `"code": "session.lookalike"`) != 1 {
			t.Errorf("the %s answers %s", door, answer)
		}
	}
}

// TestRecordsAtEveryDoor: what is recorded of a prompt is the same wherever it is asked for,
// with the notes on changes that change nothing, and so are the notes of the answers.
func TestRecordsAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	for i, test := range []struct {
		flags []string
		keys  string
		idle  int // how many of the changes change nothing
	}{
		{nil, ``, 0},
		{[]string{"--without-tool", "todo"}, `"without_tools": ["todo"]`, 0},
		{[]string{"--without-tool", "tood", "--without-cap", "fast"}, `"without_tools": ["tood"], "without_caps": ["fast"]`, 2},
		{[]string{"--tool", "todo", "--tool", "grep"}, `"tools": ["todo", "grep"]`, 1},
		{[]string{"--target", "ci", "--without-tool", "todo", "--var", "who=Bo"}, `"target": "ci", "without_tools": ["todo"], "vars": {"who": "Bo"}`, 1},
	} {
		const clock = "2030-01-02T03:04:05Z"
		flags := append([]string{"--store", "s.db", "--clock", clock}, test.flags...)
		keys := `"now": "` + clock + `"` + strings.TrimSuffix(", "+test.keys, ", ")
		id := fmt.Sprintf("r%d", i)
		start := func(args ...string) string {
			return d.run("", slices.Concat([]string{"session"}, args, flags, []string{"--json"})...)
		}
		ask := func(op string) string {
			return d.run(`{`+op+`, "store": "s.db", `+keys+`}`, "call", "session")
		}
		d.run("", slices.Concat([]string{"build", "--record", "--session", id + "-built", "-o", "prompt.txt"}, flags)...)
		answers := map[string]string{ // the first record of each is that of its start
			id + "-command":   start("start", id+"-command"),
			id + "-operation": ask(`"op": "start", "id": "` + id + `-operation"`),
			"p:" + id:         d.ask("/v1/sessions", `{"project": "p", "id": "`+id+`", "with": {`+keys+`}}`),
		}
		want := d.record("s.db", id+"-built@1")
		for name, answer := range answers {
			store := "s.db"
			if strings.HasPrefix(name, "p:") {
				store = "served.db"
			}
			if got := d.record(store, name+"@1"); got != want {
				t.Errorf("{%s}: %s records %+v, cento build %+v", test.keys, name, got, want)
			}
			if n := strings.Count(answer, `"code": "change.idle"`); n != test.idle {
				t.Errorf("{%s}: %s has %d notes on changes, want %d: %s", test.keys, name, n, test.idle, answer)
			}
		}
		of := notesOf(t, answers[id+"-command"])
		for _, answer := range []string{
			answers[id+"-operation"], answers["p:"+id],
			start("rematerialise", id+"-command"), ask(`"op": "rematerialise", "id": "` + id + `-operation"`),
			d.ask("/v1/sessions/p:"+id+"/rematerialise", `{"with": {`+keys+`}}`),
			start("drift", id+"-command"), ask(`"op": "drift", "id": "` + id + `-operation"`),
			d.run("", slices.Concat([]string{"explain", "--json"}, flags[2:])...),
			d.run(`{"project": ".", `+keys+`}`, "call", "explain"), d.run(`{"project": ".", `+keys+`}`, "call", "assemble"),
		} {
			if got := notesOf(t, answer); got != of {
				t.Errorf("{%s}: the notes are %s, at the start of a session %s", test.keys, got, of)
			}
		}
	}
}

// TestRefusedAtEveryDoor: what can't be meant in a session is refused by one rule, wherever
// it is asked for. Flags that are blank, and a command without its arguments, are refused
// before.
func TestRefusedAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	for _, test := range []struct {
		args       []string // nil: refused as the flags are read
		operation  string
		path, body string
		want       string
	}{
		{
			[]string{"turn", "s", "--truncated", "=1/2"}, `"op": "turn", "moment": {"truncated": [{"tool": "", "kept": 1, "total": 2}]}`,
			"turn", `{"truncated": [{"tool": "", "kept": 1, "total": 2}]}`, "truncated[0]: the tool has no name",
		},
		{nil, `"op": "compact", "recap": " "`, "compact", `{"recap": " "}`, "recap: the text is blank"},
		{nil, `"op": "rematerialise", "reason": " "`, "rematerialise", `{"reason": " "}`, "reason: the text is blank"},
		{nil, `"op": "touch", "paths": []`, "touch", `{"files": []}`, "no path is named"},
		{nil, `"op": "touch", "paths": ["a", " "]`, "touch", `{"files": ["a", " "]}`, "a blank name"},
		{nil, `"op": "scope", "paths": []`, "", "", "no path is named"},
	} {
		if test.args != nil {
			d.refuses(slices.Concat([]string{"session"}, test.args, []string{"--store", "s.db"}), "", test.want)
		}
		d.refuses([]string{"call", "session"}, `{`+test.operation+`, "id": "s", "store": "s.db"}`, test.want)
		if test.path != "" {
			if w := d.post("/v1/sessions/p:s/"+test.path, test.body); w.Code/100 != 4 || !strings.Contains(w.Body.String(), test.want) {
				t.Errorf("POST %s %s: %d: %s, want %s", test.path, test.body, w.Code, w.Body, test.want)
			}
		}
	}
}

// refuses runs a command that is to be wrong use.
func (d *doors) refuses(args []string, stdin, want string) {
	d.t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(args, strings.NewReader(stdin), &out, &errs); code != 2 || !strings.Contains(out.String()+errs.String(), want) {
		d.t.Errorf("cento %s < %s: exit code %d: %s%s, want %s", strings.Join(args, " "), stdin, code, out.String(), errs.String(), want)
	}
}

// recorded is what a record says of a prompt, whoever's it is.
type recorded struct {
	Input  string `json:"input_digest"`
	Prompt string `json:"prompt_digest"`
}

func (d *doors) record(store, name string) (out recorded) {
	d.t.Helper()
	must(d.t, json.Unmarshal([]byte(d.run("", "log", "show", name, "--store", store, "--json")), &out))
	return out
}

// notesOf are the notes of an answer.
func notesOf(t *testing.T, answer string) string {
	t.Helper()
	var has struct{ Notes []cento.Note }
	must(t, json.Unmarshal([]byte(answer), &has))
	b, err := json.Marshal(has.Notes)
	must(t, err)
	return string(b)
}

// TestCacheAtEveryDoor: what a change does to what the prompt cache keeps is asked of one
// request, without a conversation where none is named.
func TestCacheAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	must(t, os.WriteFile("m.json", []byte(`[{"role": "user", "text": "Go on."}]`), 0o600))
	for _, test := range []struct {
		flags []string
		keys  string
	}{
		{nil, ``},
		{[]string{"--wire", "gemini"}, `, "provider": "gemini"`},
		{[]string{"--messages", "m.json"}, `, "messages": [{"role": "user", "text": "Go on."}]`},
	} {
		request := `"to": {"without_tools": ["todo"]}` + test.keys
		want := d.run(`{"project": ".", `+request+`}`, "call", "cache")
		if strings.Contains(want, "wire.placeholder") {
			t.Errorf("%s: a turn stands for a conversation: %s", test.keys, want)
		}
		for door, got := range map[string]string{
			"command": d.run("", slices.Concat([]string{"cache", "--without-tool", "todo", "--json"}, test.flags)...),
			"service": d.ask("/v1/projects/p/cache", `{`+request+`}`),
		} {
			if got, want := cacheOf(t, got), cacheOf(t, want); got != want {
				t.Errorf("%s: the %s says\n%s\nthe operation\n%s", test.keys, door, got, want)
			}
		}
	}
}

// cacheOf is what an answer says of the cache, without the names that doors give to the two
// prompts.
func cacheOf(t *testing.T, answer string) string {
	t.Helper()
	var a map[string]any
	must(t, json.Unmarshal([]byte(answer), &a))
	steps, _ := a["steps"].([]any)
	if len(steps) != 2 {
		t.Fatalf("%d prompts: %s", len(steps), answer)
	}
	for _, s := range steps {
		delete(s.(map[string]any), "name")
	}
	text, err := json.Marshal(a)
	must(t, err)
	return string(text)
}

// TestExactAtEveryDoor: what is known exactly of the same prompt is the same wherever it is
// asked for, by one rule: the model's own encoding has to be known, and tools and what a
// provider adds around a prompt aren't, where it keeps to itself what they take.
func TestExactAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	type exact struct{ Prompt, Tools, Framing, Limit bool }
	must(t, os.WriteFile("cento.yaml", []byte(`system: You are brief.
scope: off
profile: off
budget: {tokens: 1000}
tools: [{name: todo, description: Keep a list., parameters: {type: object}}]
targets:
  unchosen: {tools: []}
  known: {model: gpt-5, tools: []}
  unknown: {model: gpt-5.4, tools: []}
  tools: {model: gpt-5, tools: [todo]}
  estimated: {model: claude-opus-5, tools: []}
`), 0o600))
	time.Sleep(1100 * time.Millisecond) // the service looks at the files once a second
	for _, test := range []struct {
		name string
		want exact
	}{
		{"unchosen", exact{false, true, false, false}},
		{"known", exact{true, true, true, true}},
		{"unknown", exact{true, true, false, false}},
		{"tools", exact{true, false, true, false}},
		{"estimated", exact{false, true, false, false}},
	} {
		target := `"target": "` + test.name + `"`
		type budget struct {
			Exact        bool
			ToolsExact   bool `json:"tools_exact"`
			FramingKnown bool `json:"framing_known"`
			LimitExact   bool `json:"limit_exact"`
			Framing      *int
		}
		of := func(b budget) exact {
			if (b.Framing != nil) != b.FramingKnown {
				t.Errorf("%s: the framing is known: %t, and %v", test.name, b.FramingKnown, b.Framing)
			}
			return exact{b.Exact, b.ToolsExact, b.FramingKnown, b.LimitExact}
		}
		for door, answer := range map[string]string{
			"command": d.run("", "budget", "--json", "--target", test.name), "operation": d.run(`{"project": ".", `+target+`}`, "call", "budget"),
			"service": d.ask("/v1/projects/p/budget", `{`+target+`}`),
		} {
			var b budget
			must(t, json.Unmarshal([]byte(answer), &b))
			if got := of(b); got != test.want {
				t.Errorf("%s: the budget of the %s is exact in %+v, want %+v", test.name, door, got, test.want)
			}
		}
		for door, answer := range map[string]string{
			"command": d.run("", "explain", "--json", "--target", test.name), "operation": d.run(`{"project": ".", `+target+`}`, "call", "explain"),
			"service": d.ask("/v1/projects/p/explain", `{`+target+`}`),
		} {
			var e struct {
				TokensExact bool `json:"tokens_exact"`
				Budget      budget
			}
			must(t, json.Unmarshal([]byte(answer), &e))
			if got := of(e.Budget); got != test.want || e.TokensExact != test.want.Prompt {
				t.Errorf("%s: explain of the %s is exact in %t and %+v, want %+v", test.name, door, e.TokensExact, got, test.want)
			}
		}
		for door, answer := range map[string]string{
			"command": d.run("", "wire", "--wire", "openai", "--json", "--target", test.name), "operation": d.run(`{"project": ".", "provider": "openai", `+target+`}`, "call", "wire"),
			"service": d.ask("/v1/projects/p/wire", `{"provider": "openai", `+target+`}`),
		} {
			var w struct {
				TokensExact  bool `json:"tokens_exact"`
				ToolsExact   bool `json:"tools_exact"`
				FramingKnown bool `json:"framing_known"`
			}
			must(t, json.Unmarshal([]byte(answer), &w))
			if got, want := (exact{w.TokensExact, w.ToolsExact, w.FramingKnown, false}), test.want; got.Prompt != want.Prompt || got.Tools != want.Tools || got.Framing != want.Framing {
				t.Errorf("%s: the request of the %s is exact in %+v, want %+v", test.name, door, got, want)
			}
		}
		var n struct{ Exact bool }
		must(t, json.Unmarshal([]byte(d.run("", "tokens", "--json", "--target", test.name)), &n))
		if n.Exact != test.want.Prompt {
			t.Errorf("%s: tokens are exact: %t", test.name, n.Exact)
		}
		must(t, json.Unmarshal([]byte(d.run("", "cache", "--wire", "openai", "--json", "--target", test.name, "--without-tool", "todo")), &n))
		if n.Exact != (test.want.Prompt && test.want.Tools) {
			t.Errorf("%s: cache is exact: %t", test.name, n.Exact)
		}
	}
}

// TestSecretsAtEveryDoor: that a record holds a credential is told by each door that shows it.
func TestSecretsAtEveryDoor(t *testing.T) {
	d := openDoors(t)
	must(t, os.WriteFile("cento.yaml", []byte(doorManifest+"fragments: [{id: key, body: Sign in with AKIAIOSFODNN7EXAMPLQ.}]\n"), 0o600))
	d.run("", "build", "--record", "--session", "p:key", "--store", "served.db", "-o", "prompt.txt")
	for name, answer := range map[string]string{
		"command": d.run("", "log", "show", "p:key@1", "--store", "served.db", "--json"),
		"service": d.get("/v1/records/p:key@1"),
	} {
		if n := strings.Count(answer, `"code": "secret"`); n != 1 {
			t.Errorf("%s: %d notes on credentials: %s", name, n, answer)
		}
	}
}
