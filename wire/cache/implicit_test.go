package cache_test

import (
	"slices"
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
		last := sentAt(t, name, "Be brief.", " Changed.", time.Time{}, []time.Duration{0, 0})
		if last.Lost != 0 || last.Prediction.Read != 0 {
			t.Errorf("%s: %d tokens lost, %+v", name, last.Lost, last.Prediction)
		}
		if !lost(last, wire.CodeBelowMinimum) {
			t.Errorf("%s: no reason in %+v", name, last.Losses)
		}
	}
	if last := sentAt(t, "gpt-4.1", strings.Repeat("Keep to the house rules. ", 600), "", time.Time{}, []time.Duration{0, 0}); lost(last, wire.CodeBelowMinimum) {
		t.Errorf("a long request is kept: %+v", last.Losses)
	}
}

// TestUnknownCacheHasAReason: where nothing is predicted, the report says why.
func TestUnknownCacheHasAReason(t *testing.T) {
	opus, _ := model.Default().Lookup("claude-opus-5")
	other, _ := model.Default().Lookup("zephyr-7b")
	for name, r := range map[string]wire.Request{
		"no model": {Form: wire.OpenAI}, "form": {Form: wire.Gemini, Model: &opus}, "model": {Form: wire.OpenAICompatible, Model: &other},
	} {
		r.Messages = []wire.Message{{Role: "user", Text: "Hello"}}
		got, err := cache.New(cache.Options{}).Add(cache.Step{Request: r})
		if err != nil {
			t.Fatal(err)
		}
		if got.Prediction != nil || !lost(got, wire.CodeCacheUnknown) {
			t.Errorf("%s: predicted %+v, reasons %+v", name, got.Prediction, got.Losses)
		}
	}
	if got, err := cache.New(cache.Options{}).Add(cache.Step{Request: wire.Request{Form: wire.Anthropic, Model: &opus}}); err != nil || lost(got, wire.CodeCacheUnknown) {
		t.Errorf("the cache is known: %+v, %v", got, err)
	}
}

func lost(s *cache.StepReport, code cento.Code) bool {
	return slices.ContainsFunc(s.Losses, func(l wire.Loss) bool { return l.Code == code })
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
