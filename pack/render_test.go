package pack_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// input is what an archive renders with.
type input struct {
	Now   string          `json:"now"`
	Zone  string          `json:"zone"`
	Cwd   string          `json:"cwd"`
	Tools []string        `json:"tools"`
	Caps  []string        `json:"caps"`
	Agent string          `json:"agent"`
	Model pack.Model      `json:"model"`
	Vars  json.RawMessage `json:"vars"`
	// Required makes reading a model that isn't named an error.
	Required bool `json:"model_required"`
}

// variables reads the section `input` of an archive. Values of vars come from
// a request.
func variables(t *testing.T, raw string) pack.Variables {
	t.Helper()
	var in input
	if raw != "" {
		d := json.NewDecoder(strings.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			t.Fatal("input: ", err)
		}
	}
	v := pack.Variables{Cwd: in.Cwd, Tools: in.Tools, Caps: in.Caps, Model: in.Model, ModelRequired: in.Required, AgentName: cento.Text{Body: in.Agent, Trust: cento.TrustWorkspace}}
	if in.Now != "" {
		now, err := time.Parse(time.RFC3339, in.Now)
		if err != nil {
			t.Fatal(err)
		}
		v.Now = now
	}
	if in.Vars != nil {
		vars, err := jinja.FromJSON(in.Vars, 1)
		if err != nil {
			t.Fatal(err)
		}
		v.Vars = vars
	}
	return v
}

// runLines writes runs one to a line, and holds them to their laws: they tile
// the text, and literal text stands where it says.
func runLines(t *testing.T, l *pack.Loader, x cento.Text) string {
	t.Helper()
	var b strings.Builder
	end := 0
	for _, r := range x.Runs {
		if r.Start != end || r.End <= r.Start {
			t.Fatalf("runs don't tile the text: %+v", x.Runs)
		}
		end = r.End
		body := x.Body[r.Start:r.End]
		fmt.Fprintf(&b, "%q %s %s", body, r.Position, r.Trust)
		if r.Var != "" {
			b.WriteString(" var " + r.Var)
		}
		if r.Fixed {
			b.WriteString(" fixed")
		}
		b.WriteByte('\n')
		if r.Fixed || !strings.HasPrefix(r.Position.File, "$") {
			continue
		}
		src, err := l.Load(mustRef(t, r.Position.File), cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(src.Text[offsetOf(src.Text, r.Position):], body) {
			t.Errorf("%q doesn't stand at %s", body, r.Position)
		}
	}
	if end != len(x.Body) {
		t.Errorf("%d bytes, runs end at %d", len(x.Body), end)
	}
	return b.String()
}

func noteLines(notes []cento.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s: %s (%s)\n", n.Position, n.Message, n.Code)
	}
	return b.String()
}

func TestRender(t *testing.T) {
	archives(t, "render", func(t *testing.T, files map[string]string) map[string]string {
		l := pack.NewLoader(roots(t, files), cento.Limits{})
		f, err := l.Open(mustRef(t, line(files["ref"])), cento.Position{File: "cento.yaml", Line: 2, Column: 14})
		if err != nil {
			return map[string]string{"want/error": archive.Error(t, err)}
		}
		v := variables(t, files["input"])
		x, err := f.Render(v)
		if err != nil {
			return map[string]string{"want/error": archive.Error(t, err)}
		}
		if again, err := f.Render(v); err != nil || again.Body != x.Body {
			t.Errorf("a second rendering gives %q, %v", again.Body, err)
		}
		out := map[string]string{"want/prompt": x.Body + "\n", "want/runs": runLines(t, l, x)}
		if n := noteLines(f.Notes()); n != "" {
			out["want/notes"] = n
		}
		return out
	})
}

func TestBuiltinPromptsRender(t *testing.T) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	refs, err := l.List(pack.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	v := pack.Variables{Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), Cwd: "/srv/app"}
	rendered := 0
	for _, ref := range refs {
		if strings.HasPrefix(ref.File(), "catalog/") {
			continue
		}
		rendered++
		for _, tools := range [][]string{nil, {"write", "read"}} {
			v.Tools = tools
			f, err := l.Open(ref, cento.Position{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.Render(v)
			if err != nil {
				t.Fatal(err)
			}
			runLines(t, l, x)
			if strings.Contains(x.Body, "{") || strings.Contains(x.Body, "\n\n\n") || x.Body != strings.TrimSpace(x.Body) {
				t.Errorf("%s renders as %q", ref, x.Body)
			}
			whole := strings.HasPrefix(ref.File(), "role/") || ref.File() == "default.md"
			if whole && !strings.HasPrefix(x.Body, "You are an AI coding assistant") {
				t.Errorf("%s begins with %.40q", ref, x.Body)
			}
			// The folder and the day stand apart: the text of an instruction is the
			// same on every day and in every folder.
			if s, by := f.Stability(nil); whole && (s != cento.Static || strings.Contains(x.Body, "/srv/app") || strings.Contains(x.Body, "2026")) {
				t.Errorf("%s is of stability %s by %v", ref, s, by)
			}
			if ref.File() == "common/workspace.md" && !(strings.Contains(x.Body, "You operate in `/srv/app`") && strings.Contains(x.Body, "Today is 2026-04-15.")) {
				t.Errorf("%s renders as %q", ref, x.Body)
			}
			if whole && strings.Contains(x.Body, "## Tool usage\n\nActive tools: read, write.\n\n- ") != (tools != nil) {
				t.Errorf("%s with tools %v: %q", ref, tools, x.Body)
			}
		}
	}
	if rendered != 7 {
		t.Errorf("%d built-in prompt files, want 7", rendered)
	}
}

func TestOpenReadsEachFileOnce(t *testing.T) {
	dir := t.TempDir()
	treetest.File(t, dir, "a.md", `{% include "b" %}{% include vars.which %}`)
	treetest.File(t, dir, "b.md", "old")
	l := pack.NewLoader(pack.Roots{Workspace: pack.Dir(dir)}, cento.Limits{})
	f, err := l.Open(mustRef(t, "$workspace/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	treetest.File(t, dir, "b.md", "new")
	var b jinja.MapBuilder
	vars := b.Set("which", jinja.String("b", 1)).Map()
	x, err := f.Render(pack.Variables{Vars: vars})
	if err != nil || x.Body != "oldold" {
		t.Errorf("%q, %v", x.Body, err)
	}
	if s := f.Sources(); len(s) != 2 || s[0].Ref.String() != "$workspace/a" || s[1].Text != "old" {
		t.Errorf("sources %v", s)
	}
}

// A template that data tries to write stays data, whatever it goes through.
func TestDataIsNeverATemplate(t *testing.T) {
	const evil = "{{ 7 * 7 }}{% include '$builtin/default' %}{# x #}"
	roots, err := pack.RootsOf(map[string]string{
		"$workspace/a": `{% set x = vars.v %}{% macro m(y) %}{{ y }}{% endmacro %}{{ m(x ~ '') }}|{{ [x]|join }}|{% include "b" %}|{% filter trim %} {{ x }} {% endfilter %}`,
		"$workspace/b": `{{ vars.v | replace("zz", "") }}`,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := pack.NewLoader(roots, cento.Limits{})
	f, err := l.Open(mustRef(t, "$workspace/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var b jinja.MapBuilder
	x, err := f.Render(pack.Variables{Vars: b.Set("v", jinja.String(evil, 5)).Map()})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join([]string{evil, evil, evil, evil}, "|"); x.Body != want {
		t.Errorf("%q, want %q", x.Body, want)
	}
	for _, r := range x.Runs {
		if body := x.Body[r.Start:r.End]; body != "|" && r.Trust != cento.TrustSession {
			t.Errorf("%q has trust %s", body, r.Trust)
		}
	}
}

func TestStagesCarryBothCodes(t *testing.T) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	_, err := l.Open(mustRef(t, "$user/a"), cento.Position{File: "cento.yaml", Line: 1, Column: 2})
	for _, code := range []cento.ErrorCode{pack.ResolveFailed, pack.NotConfigured} {
		if !errors.Is(err, code) {
			t.Errorf("%v isn't %s", err, code)
		}
	}
	if want := "cento.yaml:1:2: failed to resolve instruction reference: prompt prefix '$user' is not configured"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	roots, _ := pack.RootsOf(map[string]string{"$user/a": "{{ ghost }}"}, nil)
	f, err := pack.NewLoader(roots, cento.Limits{}).Open(mustRef(t, "$user/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Render(pack.Variables{})
	e, ok := errors.AsType[*jinja.Error](err)
	if !ok || !errors.Is(err, pack.RenderFailed) || !errors.Is(err, jinja.ErrUndefined) || e.SourceLine != "{{ ghost }}" {
		t.Errorf("%v lost the engine's error", err)
	}
}

// A loader that keeps opens a file once, but for what couldn't be opened and for what
// names others only when it is rendered: that has other sources for each who renders it.
func TestKeepingOpensOnce(t *testing.T) {
	dir := t.TempDir()
	treetest.File(t, dir, "a.md", `{% include "b" %}`)
	treetest.File(t, dir, "b.md", "old")
	treetest.File(t, dir, "made.md", `{% include vars.which %}`)
	treetest.File(t, dir, "wrong.md", `{% if %}`)
	l := pack.NewLoader(pack.Roots{Workspace: pack.Dir(dir)}, cento.Limits{}).Keeping()
	open := func(name string) (*pack.File, error) {
		return l.Open(mustRef(t, "$workspace/"+name), cento.Position{File: "cento.yaml", Line: 1, Column: 1})
	}
	text := func(name string) string {
		f, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		var b jinja.MapBuilder
		x, err := f.Render(pack.Variables{Vars: b.Set("which", jinja.String("b", 1)).Map()})
		if err != nil {
			t.Fatal(err)
		}
		return x.Body
	}
	if _, err := open("wrong"); err == nil {
		t.Error("a file that is wrong opens")
	}
	if got := text("a") + text("made"); got != "oldold" {
		t.Errorf("%q", got)
	}
	treetest.File(t, dir, "b.md", "new")
	treetest.File(t, dir, "wrong.md", "right")
	if got := text("a") + " " + text("made") + " " + text("wrong"); got != "old new right" {
		t.Errorf("%q", got)
	}
	first, _ := open("made")
	second, _ := open("made")
	text("made")
	if first == second || len(second.Sources()) != 1 {
		t.Errorf("one file for all who render it, with sources %v", second.Sources())
	}
}
