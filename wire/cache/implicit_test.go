package cache_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestImplicitExpires: what OpenAI keeps in memory ends ten minutes after its last use, and an
// hour after it was written; what it keeps for a day stays.
func TestImplicitExpires(t *testing.T) {
	at := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	every := func(d time.Duration, n int) (out []time.Duration) {
		for i := range n {
			out = append(out, time.Duration(i)*d)
		}
		return out
	}
	for name, c := range map[string]struct {
		model string
		sent  []time.Duration
		lasts bool
	}{
		"at once":           {"gpt-5.4", []time.Duration{0, 5 * time.Minute}, true},
		"after three hours": {"gpt-5.4", []time.Duration{0, 3 * time.Hour}, false},
		"in use":            {"gpt-5.4", every(9*time.Minute, 6), true},
		"in use for long":   {"gpt-5.4", every(9*time.Minute, 8), false},
		"for a day":         {"gpt-5.5", []time.Duration{0, 3 * time.Hour}, true},
	} {
		for _, changed := range []string{"", " Changed."} { // the beginning alone is the same
			last := sentAt(t, c.model, strings.Repeat("Keep to the house rules. ", 600), changed, at, c.sent)
			if read := last.Prediction.Read > 0; read != c.lasts {
				t.Errorf("%s%s: %+v", name, changed, last.Prediction)
			}
			told := false
			for _, cause := range last.Causes {
				told = told || cause.Kind == cache.TTLExpired
			}
			if told == c.lasts {
				t.Errorf("%s%s: causes %+v", name, changed, last.Causes)
			}
		}
	}
}

// TestImplicitBelowMinimum: nothing is kept of a request that is shorter than the least that
// the provider keeps, so that nothing is lost of it.
func TestImplicitBelowMinimum(t *testing.T) {
	for _, name := range []string{"gpt-4.1", "gpt-5", "gemini-2.5-pro"} {
		if last := sentAt(t, name, "Be brief.", " Changed.", time.Time{}, []time.Duration{0, 0}); last.Lost != 0 || last.Prediction.Read != 0 {
			t.Errorf("%s: %d tokens lost, %+v", name, last.Lost, last.Prediction)
		}
	}
}

// sentAt is the report on the last of equal requests, to whose prompt something is added.
func sentAt(t *testing.T, name, system, added string, at time.Time, sent []time.Duration) *cache.StepReport {
	t.Helper()
	m, _ := model.Default().Lookup(name)
	var form wire.Form
	if err := form.UnmarshalText([]byte(m.Wire)); err != nil {
		t.Fatal(err)
	}
	a := cache.New(cache.Options{})
	var last *cache.StepReport
	for i, d := range sent {
		text := system
		if i == len(sent)-1 {
			text += added
		}
		prompt, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("a", "", cento.After, text)}, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := cache.Step{Request: wire.Request{Form: form, Model: &m, Prompt: prompt, Partial: true}}
		if !at.IsZero() {
			s.At = at.Add(d)
		}
		if last, err = a.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return last
}
