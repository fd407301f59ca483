package pack_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/wire"
)

// engineInput has a file that reads the tools, one behind a gate that would
// fail, and a condition.
func engineInput() cento.Input {
	return cento.Input{
		Active: cento.Active{Tools: []string{"read", "todo"}, Caps: []string{"git"}},
		Fragments: []cento.Fragment{
			{ID: "a", Template: "$workspace/a.md", Trust: cento.TrustWorkspace},
			{ID: "b", Template: "$user/broken", RequiresTools: []string{"ask"}, Trust: cento.TrustUser},
			{ID: "c", Body: "With a list.", When: "tool('todo') and cap('git')"},
			{ID: "d", Template: "$workspace/blank"},
		},
		Files: cento.Files{
			Sources: map[string]string{
				"$workspace/a":     "On {{ date }} in {{ cwd }}: {{ tools | join(', ') }} for {{ vars.who }}.",
				"$user/broken":     "{{ ghost }}",
				"$workspace/blank": "{% if tool('ask') %}x{% endif %}",
			},
			Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), Cwd: "/srv", Vars: json.RawMessage(`{"who":"you"}`),
		},
	}
}

func reduce(t *testing.T, in cento.Input) (*cento.Prompt, string) {
	t.Helper()
	e, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cento.ReduceWith(in, e)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.System()
	return p, text
}

func TestEngineRendersWhatIsIn(t *testing.T) {
	p, text := reduce(t, engineInput())
	if want := "On 2026-04-15 in /srv: read, todo for you.\n\nWith a list."; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	codes := map[string]cento.Code{}
	for _, tr := range p.Provenance().Fragments {
		codes[tr.ID] = tr.Code
	}
	if codes["b"] != cento.CodeToolMissing || codes["d"] != cento.CodeBodyEmpty {
		t.Errorf("verdicts %v", codes)
	}
	vars := map[string]string{}
	for _, s := range p.Explain(cento.ExplainOptions{}).Spans {
		vars[s.Var] = text[s.Start:s.End]
		if s.Var == "tools[1]" && (s.Trust != cento.TrustTool || s.File != "$workspace/a.md") {
			t.Errorf("span %+v", s)
		}
	}
	if vars["tools[1]"] != "todo" || vars["cwd"] != "/srv" || vars["vars.who"] != "you" {
		t.Errorf("variables %v", vars)
	}
}

// One engine serves every active set of its input.
func TestEngineServesWhatIfs(t *testing.T) {
	in := engineInput()
	e, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"On 2026-04-15 in /srv: read for you.", "On 2026-04-15 in /srv: read for you.",
	} {
		p, err := cento.ReduceWith(in.WithoutTool("todo"), e)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := p.System(); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if _, err := cento.ReduceWith(in.WithTool("ask"), e); !errors.Is(err, pack.RenderFailed) || !strings.Contains(err.Error(), "$user/broken.md:1:4: ") {
		t.Errorf("a gate that opens lets the file fail: %v", err)
	}
}

// An input that is stored gives the same prompt.
func TestEngineReplays(t *testing.T) {
	in := engineInput()
	_, text := reduce(t, in)
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var stored cento.Input
	if err := json.Unmarshal(raw, &stored); err != nil {
		t.Fatal(err)
	}
	if _, again := reduce(t, stored); again != text {
		t.Errorf("%q replays as %q", text, again)
	}
}

func TestEngineRefuses(t *testing.T) {
	in := engineInput()
	in.Fragments = append(in.Fragments, cento.Fragment{ID: "x", Template: "$workspace/none", Origin: cento.Position{File: "cento.yaml", Line: 7, Column: 3}})
	if _, err := pack.NewEngine(in); !errors.Is(err, pack.NotFound) || !strings.HasPrefix(err.Error(), "cento.yaml:7:3: failed to resolve instruction reference: prompt file not found") {
		t.Error(err)
	}
	in = engineInput()
	in.Files.Vars = json.RawMessage(`{"a":1,"a":2}`)
	if _, err := pack.NewEngine(in); err == nil {
		t.Error("a variable that stands twice is accepted")
	}
	e, err := pack.NewEngine(engineInput())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Expand(&cento.Fragment{ID: "x", Template: "$user/other"}, cento.Active{}); !errors.Is(err, pack.NotFound) {
		t.Error(err)
	}
}

// TestEngineOfWhatIsNoPrompt: of an input that can't be composed there is no engine, and the
// error is that of who composes it.
func TestEngineOfWhatIsNoPrompt(t *testing.T) {
	in := cento.Input{Tools: []cento.Tool{{Name: "read"}, {Name: "read"}}}
	_, _, want := cento.Compose(in)
	if !errors.Is(want, cento.DuplicateTool) {
		t.Fatal(want)
	}
	fine, err := pack.NewEngine(cento.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func() (*pack.Engine, error){
		"new": func() (*pack.Engine, error) { return pack.NewEngine(in) }, "for": func() (*pack.Engine, error) { return fine.For(in) }, "with": func() (*pack.Engine, error) { return fine.With(in) },
	} {
		if _, err := make(); err == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestRequestForms: an engine knows every form of a request by its name, with each way to
// part sections, and no other.
func TestRequestForms(t *testing.T) {
	e, err := pack.NewEngine(cento.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range wire.Forms() {
		if e.RequestForm(form, "") == nil {
			t.Errorf("no form %q", form)
		}
		open, _ := e.RequestForm(form, "xml").Tag("Project")
		if open == "" {
			t.Errorf("the form %q has no tags", form)
		}
	}
	if e.RequestForm("smoke-signals", "") != nil || e.RequestForm(wire.Forms()[0], "smoke") != nil {
		t.Error("a form that there is none of")
	}
}
