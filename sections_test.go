package cento_test

import (
	"encoding/json"
	"reflect"
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
