package layer_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// What a layer takes out tells where that layer says so; what was made by a program has no
// such place, and what has no slot wasn't taken out by anybody.
func TestWhereTakenOut(t *testing.T) {
	read := func(name, file string) layer.Layer {
		l, err := layer.Read(name, []byte(file), cento.TrustWorkspace, cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	low := read("low.yaml", `template: {sections: [{entries: [{kind: text, content: Words.}, {kind: slot, slot: guidance}]}]}
slots:
  guidance: {contributions: [{id: a, content: A.}]}
  intro: {contributions: [{id: b, content: B.}]}
  environment: {contributions: [{id: c, content: C.}]}
  execution: {contributions: [{id: d, content: D.}]}
`)
	high := read("high.yaml", `template:
  sections: [{entries: [{kind: slot, slot: guidance}]}]
slots:
  guidance:
    remove:
      - a
  intro:
    reset: true
  environment: {contributions: [{content: E.}], reset: true}
`)
	at := func(line, column int) cento.Position {
		return cento.Position{File: "high.yaml", Line: line, Column: column}
	}
	for _, c := range []struct {
		name string
		high layer.Layer
		want map[string]cento.Position
	}{
		{"of a file", high, map[string]cento.Position{
			"text:0.0": at(2, 3), "slot:guidance/a": at(6, 9), "slot:intro/b": at(8, 5), "slot:environment/c": at(9, 49), "slot:execution/d": {File: "low.yaml", Line: 1, Column: 11},
		}},
		{"of a program", layer.Layer{Slots: map[string]layer.SlotLayer{"guidance": {Reset: true}}}, map[string]cento.Position{"slot:guidance/a": {}}},
	} {
		r, err := layer.Resolve([]layer.Ranked{
			{Name: "low", Rank: layer.WorkspaceRank, Layer: low}, {Name: "high", Rank: layer.WorkspaceRank, Layer: c.high},
		})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]cento.Position{}
		for _, f := range r.Compile(layer.Builtins{}) {
			if f.Excluded != nil {
				found[f.ID] = f.Excluded.Origin
			}
		}
		for id, want := range c.want {
			if got, ok := found[id]; !ok || got != want {
				t.Errorf("%s: %s is taken out at %v (%v), want %v", c.name, id, got, ok, want)
			}
		}
	}
}
