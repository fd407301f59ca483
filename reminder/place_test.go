package reminder_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// Reminders go through the one reducer, like every other part of a prompt: among
// the fragments before, in their order, apart by a blank line, and in front of
// everything after.
func TestOneReducer(t *testing.T) {
	part := func(id string, b cento.Bucket) cento.Fragment { return cento.NewFragment(id, id, b, id) }
	live := reminder.Reduce([]reminder.Reminder{
		{ID: "b", Body: " second\n", Authority: reminder.Advisory},
		{ID: "a", Body: "first"},
		{ID: "c", Body: "  second "},
		{ID: "d", Body: " second", Authority: reminder.Advisory},
	})
	fragments := []cento.Fragment{part("parts", cento.Before), part("appendix", cento.After), part("base", cento.Before)}
	p, err := cento.ReduceFragments(append(fragments, reminder.Fragments(live)...), cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := p.System(); text != "parts\n\nbase\n\nfirst\n\nsecond\n\nappendix" {
		t.Errorf("%q", text)
	}
	for i, id := range []string{"parts", "appendix", "base", "reminder:a", "reminder:c"} {
		f := p.Fragment(i)
		if f.ID != id {
			t.Errorf("fragment %d is %s, want %s", i, f.ID, id)
		}
		if i > 2 && (f.Source != "reminder" || f.Stability != cento.PerTurn || f.Trust != cento.TrustSession || f.Bucket != cento.Before) {
			t.Errorf("%+v", f)
		}
	}
}
