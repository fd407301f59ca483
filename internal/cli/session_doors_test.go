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
	"strings"
	"testing"
	"time"

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
	r := httptest.NewRequestWithContext(d.t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Authorization", "Bearer 0123456789abcdef0123456789abcdef")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if d.service.ServeHTTP(w, r); w.Code != http.StatusOK {
		d.t.Fatalf("POST %s %s: %d: %s", path, body, w.Code, w.Body)
	}
	return w.Body.String()
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
