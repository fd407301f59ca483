package store

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// clocks are some that are written in each way there is, and look like one another.
var clocks = []time.Time{
	{}, time.Unix(0, 0).UTC(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC),
	time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.FixedZone("", -9*60*60-30*60)), time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.FixedZone("", 2*60*60)),
}

// A draft with another clock is what a draft of the other input is, whatever its texts
// look like, and however often the clock is changed.
func TestDraftAtAnotherClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := func(label string) time.Time { return rapid.SampledFrom(clocks).Draw(t, label) }
		first := clock("first")
		value, _ := first.MarshalJSON() // all can be written
		bait := rapid.SampledFrom([]string{"", string(value), fmt.Sprintf(`"now":%s`, value), fmt.Sprintf(`,"now":%s,`, value)}).Draw(t, "bait")
		in := cento.Input{
			Fragments: []cento.Fragment{{ID: "a", Body: "Be careful. " + bait}, {ID: "b", Body: rapid.StringN(1, 50, 80).Draw(t, "text") + "."}},
			Files:     cento.Files{Now: first, Cwd: "/w"},
		}
		if rapid.Bool().Draw(t, "variable") {
			in.Files.Vars = []byte(fmt.Sprintf(`{"now":%s}`, value))
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Skip(err)
		}
		d, err := Draft{Prompt: p, Input: in, Label: "l"}.Ready()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			now := clock(fmt.Sprint("clock ", i))
			if d, err = d.At(now); err != nil {
				t.Fatal(err)
			}
			in.Files.Now = now
			want, err := Draft{Prompt: p, Input: in, Label: "l"}.Ready()
			if err != nil {
				t.Fatal(err)
			}
			got, wanted := *d.ready, *want.ready
			got.document, wanted.document = nil, nil // there for the next one, if at all
			if !reflect.DeepEqual(got, wanted) || !d.Input.Files.Now.Equal(now) || d.Label != "l" {
				t.Fatalf("at %s:\n%+v\nwant\n%+v", now, got, wanted)
			}
		}
	})
}

// The clock of an input is found where it stands, or not at all.
func TestClockIn(t *testing.T) {
	found := 0
	for _, now := range clocks {
		for _, vars := range []string{"", `{"now":"x"}`, `{"then":{"now":"2026-01-02T03:04:05Z"}}`} {
			in := cento.Input{Files: cento.Files{Now: now, Vars: []byte(vars)}, Fragments: []cento.Fragment{{ID: "a", Body: `"now":"2026-01-02T03:04:05Z"`}}}
			if vars == "" {
				in.Files.Vars = nil
			}
			document, err := InputDocument(in)
			if err != nil {
				t.Fatal(err)
			}
			start, end, ok := ClockIn(document, now)
			if !ok {
				if like := bytes.Contains([]byte(vars), []byte(now.Format(time.RFC3339Nano))); !now.IsZero() && !like {
					t.Errorf("%s isn't found in %s", now, document)
				}
				continue
			}
			found++
			in.Files.Now = time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
			want, err := InputDocument(in)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document[:start]) + `"1999-12-31T00:00:00Z"` + string(document[end:]); got != string(want) {
				t.Errorf("with another clock it is\n%s\nwant\n%s", got, want)
			}
		}
	}
	if found < 2*len(clocks) {
		t.Errorf("%d clocks were found", found)
	}
}
