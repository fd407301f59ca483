package pack_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// What a prompt is told to depend on of the clock is all that it depends on: with
// another clock that is the same as far as that goes, texts, decisions, and the place of
// every byte are the same. And it is told no more than is read.
func TestClockUse(t *testing.T) {
	day := time.Date(2026, 5, 1, 1, 0, 0, 0, time.UTC)
	all := []time.Time{day, day.Add(time.Nanosecond), day.Add(5 * time.Hour), day.Add(time.Hour).In(time.FixedZone("", 60*60)), day.AddDate(0, 0, 1), day.AddDate(0, 1, 0)}
	for template, want := range map[string]pack.ClockUse{
		"Work.":       pack.ClockUnread,
		"{{ date }}.": pack.ClockDay,
		"{{ time }}.": pack.ClockWhole,
		"{% if datetime > '2026-05-01T03' %}A{% else %}A{% endif %}": pack.ClockWhole,
		"{% if date > '2026-05-01' %}A{% else %}A{% endif %}":        pack.ClockDay,
		"{% if tool('never') %}{{ date }}{% endif %}Work.":           pack.ClockDay, // would be read with another active set
		"{% include '$workspace/other' %}":                           pack.ClockDay,
		"{{ debug() }}":                                              pack.ClockWhole,
	} {
		made := map[string]*cento.Prompt{}
		shared := 0
		for _, now := range all {
			in := cento.Input{
				Fragments: []cento.Fragment{{ID: "a", Template: "$workspace/a"}},
				Files: cento.Files{Now: now, Sources: map[string]string{
					"$workspace/a.md": template, "$workspace/other.md": "It is {{ date }}.",
				}},
			}
			e, err := pack.NewEngine(in)
			if err != nil {
				t.Fatalf("%q: %v", template, err)
			}
			p, err := cento.ReduceWith(in, e)
			if err != nil {
				t.Fatalf("%q: %v", template, err)
			}
			use := e.ClockUse(p)
			if use != want {
				t.Errorf("%q depends on %d, want %d", template, use, want)
			}
			of := use.Of(now)
			if of == use.Of(time.Time{}) {
				t.Errorf("%q: a clock counts as none", template)
			}
			before := made[of]
			if before == nil {
				made[of] = p
				continue
			}
			shared++
			a, b := before.Explain(cento.ExplainOptions{}), p.Explain(cento.ExplainOptions{})
			if before.Digest() != p.Digest() || !reflect.DeepEqual(a, b) || !reflect.DeepEqual(before.Spans(), p.Spans()) {
				t.Errorf("%q: at %s it is another prompt than it is told to be", template, now)
			}
		}
		if want != pack.ClockWhole && shared == 0 {
			t.Errorf("%q: nothing is shared", template)
		}
	}
}

// A fragment that is out before anything is looked at reads nothing of the clock,
// whatever its prompt file would.
func TestClockUseOfWhatIsOut(t *testing.T) {
	in := cento.Input{
		Fragments: []cento.Fragment{{ID: "a", Template: "$workspace/a", Excluded: &cento.Exclusion{Code: cento.CodeDuplicate, By: "b"}}, {ID: "b", Body: "B."}},
		Files:     cento.Files{Now: time.Date(2026, 5, 1, 1, 0, 0, 0, time.UTC), Sources: map[string]string{"$workspace/a.md": "{{ time }}"}},
	}
	e, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cento.ReduceWith(in, e)
	if err != nil {
		t.Fatal(err)
	}
	if use := e.ClockUse(p); use != pack.ClockUnread {
		t.Errorf("depends on %d", use)
	}
}
