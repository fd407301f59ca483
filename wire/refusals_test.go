package wire_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/wiretest"
)

// TestRefusals: a conversation that a provider takes has no loss of the rules, and one that is
// broken in one way has exactly its own. `go test -rapid.checks=2000` draws 2,000 for each
// format.
func TestRefusals(t *testing.T) {
	for _, form := range wiretest.Forms {
		t.Run(form.String(), rapid.MakeCheck(func(t *rapid.T) {
			c := wiretest.Draw(t, form)
			r := c.Build(t)
			if got := wiretest.Refusals(r); len(got) > 0 {
				t.Fatalf("%s takes it: %v\n%s", form, r.Losses, r.Body)
			}
			want := c.Break(t)
			r = c.Build(t)
			got := wiretest.Refusals(r)
			if len(got) == 0 || slices.ContainsFunc(got, func(code cento.Code) bool { return code != want }) {
				t.Fatalf("%s refuses it for %s: %v\n%s", form, want, r.Losses, r.Body)
			}
			for _, l := range r.Losses {
				if l.Source != "" && l.Pointer == "" {
					t.Fatalf("%s has no pointer", l.Code)
				}
			}
		}))
	}
}
