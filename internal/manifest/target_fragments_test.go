package manifest_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento/internal/manifest"
)

// TestFragmentsOfTargets holds the fragments, contracts and notes of a target to those
// of a manifest that says the same without one.
func TestFragmentsOfTargets(t *testing.T) {
	const text = `version: 1
fragments:
  - {id: a, body: One., requires_tools: [x]}
  - {id: b, contract: contracts/b.yaml}
  - {id: c, contract: {role: proposer, objective: x, context: {signals: [{id: s, content: a}, {id: s, content: b}]}, constraints: [], output: {emit: plan, key: seeds}}}
targets:
  same: {model: gpt-5}
  none: {fragments: null}
  empty: {fragments: []}
  own: {fragments: [{id: d, body: Two.}]}
  blank:
`
	base, err := manifest.Parse("cento.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(base.Notes) != 1 || len(base.Contracts) != 1 {
		t.Fatalf("the manifest has %d notes and %d contracts, want one of each", len(base.Notes), len(base.Contracts))
	}
	for name, ids := range map[string][]string{
		"same": {"a", "b", "c"}, "none": nil, "empty": nil, "own": {"d"}, "blank": {"a", "b", "c"},
	} {
		of, err := base.Target(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range of.Fragments {
			got = append(got, f.ID)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s has the fragments %q, want %q", name, got, ids)
		}
		// The target as one text with its places is read from the beginning.
		whole, err := manifest.Parse("cento.yaml", of.AppendYAML(nil))
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.Contracts) != len(of.Contracts) || len(whole.Notes) != len(of.Notes) {
			t.Errorf("%s has %d contracts and %d notes, want %d and %d", name, len(of.Contracts), len(of.Notes), len(whole.Contracts), len(whole.Notes))
		}
		if len(ids) == 3 && !reflect.DeepEqual(of.Fragments, base.Fragments) {
			t.Errorf("%s has other fragments than the manifest: %+v", name, of.Fragments)
		}
	}
}
