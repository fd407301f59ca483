package layer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
)

var cases = archive.Cases{
	Folder:  "testdata",
	Inputs:  []string{"stack.yaml", "layer.yaml", "layer.json", "request.json", "active.yaml", "execution", "merge"},
	Results: []string{"want/prompt", "want/fragments", "want/spans", "want/notes", "want/template", "want/contributions", "want/canonical", "want/response.json", "want/error"},
	Always:  []string{"want/notes", "want/error"},
}

func TestArchives(t *testing.T) { cases.Run(t, runArchive) }

func TestNoOrphans(t *testing.T) { cases.NoOrphans(t, "canonical.jsonl") }

// builtins is the built-in wording.
func builtins() layer.Builtins {
	at := func(name string) cento.Position {
		return cento.Position{File: "$builtin/catalog/" + name + ".md", Line: 1, Column: 1}
	}
	text := func(name, body string) cento.Text {
		return cento.Text{Body: body, Trust: cento.TrustBuiltin, Origin: at(name)}
	}
	return layer.Builtins{
		MainAgentIntro: text("main_agent_intro", "You are an AI coding assistant."),
		CoreGuidance: []layer.Part{
			{ID: "core_guidance", Text: text("core_guidance", "- Be concise: no filler, no hedging, no show.")},
			{
				ID: "core_guidance.ask", RequiresTools: []string{"ask"},
				Text: text("core_guidance.ask", "- Take initiative when the intent is clear. Ask only when progress is blocked."),
			},
			{ID: "core_guidance.rest", Text: text("core_guidance.rest",
				"- State a conclusion once, then act on it in the same turn.\n- Prefer the simplest correct solution to a clever one.")},
		},
	}
}

// stackEntry is a layer of an archive's stack.
type stackEntry struct {
	Name  string      `json:"name"`
	Rank  *layer.Rank `json:"rank,omitempty"`
	Layer layer.Layer `json:"layer"`
}

type activeFile struct {
	Tools []string `json:"tools,omitempty"`
	Caps  []string `json:"caps,omitempty"`
}

func decode[T any](t *testing.T, name, text string) (v T, err error) {
	t.Helper()
	n, err := strict.Read(name, []byte(text), cento.DefaultLimits())
	if err != nil {
		return v, err
	}
	d := strict.Decoder{Trust: cento.TrustWorkspace}
	d.Decode(n, &v)
	return v, d.Err()
}

func runArchive(t *testing.T, files map[string]string) map[string]string {
	got := map[string]string{}
	fail := func(err error) map[string]string {
		got["want/error"] = archive.Error(t, err)
		return got
	}
	for _, name := range []string{"layer.yaml", "layer.json"} {
		text, ok := files[name]
		if !ok {
			continue
		}
		l, err := layer.Read(name, []byte(text), cento.TrustWorkspace, cento.Limits{})
		if err != nil {
			return fail(err)
		}
		got["want/canonical"] = canonical(t, l) + "\n"
		return got
	}
	if text, ok := files["request.json"]; ok {
		r, err := manifest.ParseLayers("request.json", []byte(text), cento.Limits{})
		if err != nil {
			return fail(err)
		}
		response, err := call.AnswerLayers(t.Context(), r, builtins(), cento.Options{})
		if err != nil {
			return fail(err)
		}
		out, err := json.MarshalIndent(response, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		got["want/response.json"] = string(out) + "\n"
		return got
	}
	list, err := decode[[]stackEntry](t, "stack.yaml", files["stack.yaml"])
	if err != nil {
		return fail(err)
	}
	var active activeFile
	if text, ok := files["active.yaml"]; ok {
		if active, err = decode[activeFile](t, "active.yaml", text); err != nil {
			t.Fatal(err)
		}
	}
	r, err := layer.Resolve(stackOf(list))
	if err != nil {
		return fail(err)
	}
	if _, ok := files["merge"]; ok {
		r = r.Merged()
	}
	b := builtins()
	b.ExecutionInstructions = cento.Text{Body: files["execution"], Trust: cento.TrustHost}
	p, err := cento.ReduceFragments(r.Compile(b), cento.Active{Tools: active.Tools, Caps: active.Caps}, cento.Options{})
	if err != nil {
		return fail(err)
	}
	text, ok := p.System()
	if ok {
		text += "\n"
	}
	got["want/prompt"] = text
	got["want/fragments"] = showFragments(p)
	got["want/spans"] = showSpans(p)
	if notes := showNotes(r.Notes()); notes != "" {
		got["want/notes"] = notes
	}
	got["want/template"] = canonical(t, r.Template()) + "\n"
	got["want/contributions"] = ""
	for _, c := range r.Contributions() {
		got["want/contributions"] += canonical(t, c) + "\n"
	}
	return got
}

// stackOf sorts by rank when every layer has one, else keeps the order.
func stackOf(list []stackEntry) []layer.Ranked {
	stack := make([]layer.Ranked, len(list))
	for i, x := range list {
		stack[i] = layer.Ranked{Name: x.Name, Layer: x.Layer}
		if x.Rank != nil {
			stack[i].Rank = *x.Rank
		}
	}
	return layer.Sort(stack)
}

func canonical(t rapid.TB, v json.Marshaler) string {
	t.Helper()
	out, err := v.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// showFragments is the trace as a table: in or out, id, source, layer, origin,
// section, reason with its code.
func showFragments(p *cento.Prompt) string {
	var b strings.Builder
	for i, t := range p.Traces(cento.ExplainOptions{}) {
		mark, f := "-", p.Fragment(i)
		if t.Included {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s %s [%s] layer %s", mark, t.ID, t.Source, *t.Layer)
		if t.Origin != nil {
			fmt.Fprintf(&b, " at %s", t.Origin)
		}
		if t.Section != nil {
			fmt.Fprintf(&b, " in %q", *t.Section)
		}
		if f.Importance != cento.Required {
			fmt.Fprintf(&b, " importance %s", f.Importance)
		}
		if f.Stability != cento.Static {
			fmt.Fprintf(&b, " stability %s", f.Stability)
		}
		fmt.Fprintf(&b, ": %s (%s)\n", t.Reason, t.Code)
	}
	return b.String()
}

// showSpans is every stretch of the prompt with what it is and who owns it.
func showSpans(p *cento.Prompt) string {
	var b strings.Builder
	text, _ := p.System()
	for s := range p.AllSpans() {
		fmt.Fprintf(&b, "%s %s %q\n", s.Kind, s.Fragment, text[s.Start:s.End])
	}
	return b.String()
}

func showNotes(notes []cento.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s: %s [%s]\n", n.Position, n.Message, n.Code)
	}
	return b.String()
}
