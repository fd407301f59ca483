package pack_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// An input that nobody collected gets the stability of what its fragments read as
// well: templates in whatever branch, conditions, wordings. Who declares less is
// told so, and what is declared to change more often stays.
func TestStabilityIsInferred(t *testing.T) {
	template := func(id, ref string, s cento.Stability) cento.Fragment {
		return cento.Fragment{ID: id, Template: ref, Stability: s}
	}
	in := cento.Input{
		Primary: cento.Primary{
			Instruction: &cento.Fragment{Template: "$builtin/default", Trust: cento.TrustBuiltin}, Worded: true,
		},
		Fragments: []cento.Fragment{
			template("day", "$workspace/day", cento.Static), template("less", "$workspace/clock", cento.PerSession), template("more", "$workspace/day", cento.PerTurn),
			template("included", "$workspace/includes", cento.Static), template("plain", "$workspace/plain", cento.Static),
			{ID: "variable", Body: "x", When: "vars.team == 'core'"}, {ID: "literal", Body: "{{ date }}", Trust: cento.TrustWorkspace},
			{ID: "out", Template: "$workspace/clock", Excluded: &cento.Exclusion{Code: cento.CodeLayerRemoved, By: "team"}},
		},
		Files: cento.Files{
			Now: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), Vars: []byte(`{"team": "core"}`), VarStability: map[string]cento.Stability{"team": cento.PerSession},
			Sources: map[string]string{
				"$workspace/day": "{% if false %}{{ date }}{% endif %}x", "$workspace/clock": "{{ time }}", "$workspace/includes": "{% include 'day' %}", "$workspace/plain": "{{ agent.name }}",
			},
			Wording: map[string]cento.Text{"loop_contract": {Body: "Stop at {{ datetime }}.", Trust: cento.TrustUser}},
		},
	}
	p, err := pack.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i := range p.Len() {
		got[p.Fragment(i).ID] = p.Trace(i, cento.ExplainOptions{}).Stability.String()
	}
	want := map[string]string{
		"primary:system": "static", "primary:environment": "session", "primary:loop_contract": "turn",
		"day": "session", "less": "turn", "more": "turn", "included": "session", "plain": "static", "variable": "session", "literal": "static", "out": "static",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("stability (-want +got):\n%s", d)
	}
	notes := []cento.Note{{
		Code: cento.CodeUnrendered, Fragment: "literal",
		Message: `a body is sent as it is, with "{{ date }}" in it; a prompt file named by a template is rendered`,
	}, {
		Code: cento.CodeStabilityRaised, Fragment: "less", Position: cento.Position{File: "$workspace/clock.md", Line: 1, Column: 4},
		Message: "reads time, so the text is of stability turn, and not session as declared",
	}}
	if d := cmp.Diff(notes, p.Notes()); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
	if text, _ := p.System(); in.Fragments[0].Stability != cento.Static || text == "" {
		t.Error("the caller's input was changed")
	}
}

// A literal text of the caller's that looks like a prompt file is told; those of
// others were told where they were read, or are nobody's mistake.
func TestBodiesThatAreNotRendered(t *testing.T) {
	in := cento.Input{
		Host: cento.Host{SystemSuffix: cento.HostText("Today is {{ date }}.")},
		Fragments: []cento.Fragment{
			{ID: "mine", Body: "{% if tool('x') %}Use x.{% endif %}", Trust: cento.TrustHost}, {ID: "read", Body: "{{ date }}", Trust: cento.TrustWorkspace}, {ID: "other", Body: "{{ mustache }}"},
		},
	}
	p, err := pack.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, n := range p.Notes() {
		got[n.Fragment] = string(n.Code) + " " + n.Message
	}
	want := map[string]string{
		"host:system_suffix": `body.unrendered a body is sent as it is, with "{{ date }}" in it; a prompt file named by a template is rendered`,
		"read":               `body.unrendered a body is sent as it is, with "{{ date }}" in it; a prompt file named by a template is rendered`,
		"mine":               `body.unrendered a body is sent as it is, with "{% if tool('x') %}" in it; a prompt file named by a template is rendered`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
}
