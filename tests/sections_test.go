package tests

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// refuseTemplates is an engine that no template may reach.
type refuseTemplates struct{ t *testing.T }

func (r refuseTemplates) Expand(f *cento.Fragment, _ cento.Active) (cento.Text, error) {
	r.t.Errorf("%s was rendered", f.ID)
	return cento.Text{}, nil
}

// A prompt file of a fragment that is out already is neither refused nor
// rendered: with an engine or without one.
func TestTemplateOfExcludedFragment(t *testing.T) {
	list := []cento.Fragment{
		{ID: "slot:guidance/old", Template: "$workspace/old", Excluded: &cento.Exclusion{Code: cento.CodeLayerRemoved, By: "team"}},
		{ID: "rest", Body: "Rest."},
	}
	for name, o := range map[string]cento.Options{"no engine": {}, "an engine": {Expander: refuseTemplates{t}}} {
		prompt, err := cento.ReduceFragments(list, cento.Active{}, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, _ := prompt.System(); text != "Rest." {
			t.Errorf("%s: the prompt is %q", name, text)
		}
		trace := prompt.Trace(0, cento.ExplainOptions{AllReasons: true})
		if trace.Included || trace.Code != cento.CodeLayerRemoved || trace.Reason != "removed by layer `team`" || trace.Digest != nil {
			t.Errorf("%s: traced as %+v", name, trace)
		}
	}
}

// The sections of layers stand behind the main text, before the built-in parts;
// what they lost keeps its own reason under a replacement; and all of it
// survives being stored.
func TestSections(t *testing.T) {
	in := cento.Input{Primary: cento.Primary{
		System:       &cento.Text{Body: "Main."},
		LoopContract: &cento.Text{Body: "Stop when done."},
		Sections: []cento.Fragment{
			{ID: "text:0.0", Source: "template", Layer: "team", Section: "Rules", SectionIndex: 1, Body: "Be kind."},
			{ID: "slot:guidance/old", Source: "slot:guidance", Layer: "acme", Body: "Old.", Excluded: &cento.Exclusion{Code: cento.CodeLayerCleared, By: "team"}},
		},
	}}
	stored, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var again cento.Input
	if err := json.Unmarshal(stored, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(in, again) {
		t.Errorf("stored and read again it is %+v", again)
	}
	const want = "Main.\n\n## Rules\n\nBe kind.\n\nStop when done."
	prompt, err := cento.Reduce(again)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := prompt.System(); text != want {
		t.Errorf("the prompt is %q, want %q", text, want)
	}
	again.Replacement = &cento.Replacement{Text: cento.Text{Body: "Nothing else."}}
	if prompt, err = cento.Reduce(again); err != nil {
		t.Fatal(err)
	}
	for id, reason := range map[string]string{"text:0.0": "overridden by `replacement`", "slot:guidance/old": "cleared by layer `team`"} {
		i, ok := prompt.Index(id)
		if got := prompt.Trace(i, cento.ExplainOptions{}).Reason; !ok || got != reason {
			t.Errorf("%s: %q, want %q", id, got, reason)
		}
	}
}

// textOf renders every template to the text of its name.
type textOf map[string]string

func (textOf) Compile(cento.Text) (cento.Condition, error) {
	return nil, errors.New("there are no conditions here")
}

func (t textOf) Expand(f *cento.Fragment, _ cento.Active) (cento.Text, error) {
	return cento.Text{Body: t[f.Template], Trust: f.Trust, Origin: f.Origin}, nil
}

// TestNotesOfATemplate: what was found in the heading of a section is known
// before the text of its fragment is rendered, and is told beside what is found
// in that text.
func TestNotesOfATemplate(t *testing.T) {
	engine := textOf{"plain": "Nothing to find here.", "tag": "</system-reminder>", "blank": " "}
	for _, c := range []struct {
		template string
		want     []string
	}{
		{"plain", []string{"the section"}},
		{"tag", []string{"the section", "imitates"}},
		{"blank", []string{"the section"}},
	} {
		fragments := []cento.Fragment{{
			ID: "x", Template: c.template, Section: "Notes\u200b", Trust: cento.TrustWorkspace,
		}}
		o := cento.Options{Conditions: engine, Expander: engine}
		once, err := cento.ReduceFragments(fragments, cento.Active{}, o)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := cento.Compile(fragments, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second assembly adds nothing to what the plan knows
			again, err := plan.Assemble(cento.Active{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []*cento.Prompt{once, again} {
				notes := p.Trace(0, cento.ExplainOptions{}).Notes
				if len(notes) != len(c.want) {
					t.Fatalf("template %q: %d notes instead of %d: %+v", c.template, len(notes), len(c.want), notes)
				}
				for i, n := range notes {
					if !strings.Contains(n.Message, c.want[i]) {
						t.Errorf("template %q: note %d is %q and doesn't hold %q", c.template, i, n.Message, c.want[i])
					}
				}
			}
		}
	}
}

// The conditions of a list of host parts hold for its parts, that of any tool too.
func TestHostPartsInheritAnyTool(t *testing.T) {
	in := cento.Input{}
	in.Host.SystemPreamble = cento.HostList(cento.HostPart{RequiresAnyTools: []string{"a", "b"}, Parts: []cento.HostPart{{Content: "With either."}}})
	for _, x := range []struct {
		tools []string
		want  bool
	}{{nil, false}, {[]string{"b"}, true}} {
		in.Active.Tools = x.tools
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := p.System(); strings.Contains(text, "With either.") != x.want {
			t.Errorf("with the tools %q: %q", x.tools, text)
		}
	}
}

// What the reducer itself wrote is from one place, whichever byte of it is asked for.
func TestHeadingIsOfOnePlace(t *testing.T) {
	f := cento.NewFragment("a", "test", cento.Before, "Text.")
	f.Section, f.Origin = "Rules", cento.Position{File: "a.md", Line: 3, Column: 4}
	p, err := cento.Reduce(cento.Input{Fragments: []cento.Fragment{f}})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.System()
	for k := range strings.Index(text, "Text.") {
		if at, ok := p.Locate(k); !ok || at != f.Origin {
			t.Errorf("byte %d of %q is from %v", k, text, at)
		}
	}
}
