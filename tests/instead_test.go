package tests

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// TestWhatGivesWayIsTold: whatever is handed over, each text that was there before is
// still a fragment, the one that is in is the one that was handed over, and no two
// have one id.
func TestWhatGivesWayIsTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := inputs().Draw(t, "input")
		in.Replacement = nil
		if rapid.Bool().Draw(t, "instruction?") {
			in.Primary.Instruction = &cento.Fragment{Template: rapid.SampledFrom([]string{"$builtin/default", "$workspace/a"}).Draw(t, "file")}
			in.Primary.Worded = rapid.Bool().Draw(t, "worded")
		}
		before, _, err := cento.Compose(in)
		if err != nil {
			t.Skip("refused before anything is handed over")
		}
		handed := in
		var texts []string // that are handed over
		if rapid.Bool().Draw(t, "options?") {
			handed = handed.WithHost(cento.Host{SystemPreamble: cento.HostText("Handed preamble."), SystemSuffix: cento.HostList()})
			texts = append(texts, "Handed preamble.")
		}
		if rapid.Bool().Draw(t, "system?") {
			handed.Primary = handed.Primary.WithSystem(cento.Text{Body: "Handed."})
			if in.Primary.Parts == nil {
				texts = append(texts, "Handed.")
			}
		}
		if rapid.Bool().Draw(t, "parts over it?") {
			handed.Primary.Parts = []cento.Fragment{{ID: cento.SystemID, Body: "Handed part."}}
			texts = append(texts, "Handed part.")
		}
		after, _, err := cento.Compose(handed)
		if err != nil {
			t.Fatal(err)
		}
		type text struct{ body, template string }
		left, ids := map[text]int{}, map[string]bool{}
		for _, f := range after {
			left[text{f.Body, f.Template}]++
			if f.Excluded != nil && ids[f.ID] {
				t.Errorf("what gave way has the id %q, which another has too", f.ID)
			}
			ids[f.ID] = true
		}
		for _, f := range before {
			if in.Primary.Parts != nil && handed.Primary.Parts != nil && f.Source == "primary" {
				continue // one list of parts instead of another is the caller's own doing
			}
			if left[text{f.Body, f.Template}]--; left[text{f.Body, f.Template}] < 0 {
				t.Errorf("%s (%q %q) gave way without a word", f.ID, f.Body, f.Template)
			}
		}
		for _, want := range texts {
			if want == "Handed." && handed.Primary.Parts != nil {
				continue // the parts stand instead of it in turn
			}
			found := false
			for _, f := range after {
				found = found || f.Excluded == nil && f.Body == want
			}
			if !found {
				t.Errorf("%q was handed over and isn't in", want)
			}
		}
	})
}
