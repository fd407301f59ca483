package cache_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// drawSteps draws requests that have much in common.
func drawSteps(t *rapid.T, name string) []cache.Step {
	m, _ := model.Default().Lookup(name)
	least := rapid.SampledFrom([]int{1, 1, 40}).Draw(t, "least")
	m.Cache.MinTokens = &least
	var form wire.Form
	if err := form.UnmarshalText([]byte(m.Wire)); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var out []cache.Step
	for i := range rapid.IntRange(1, 6).Draw(t, "steps") {
		var list []cento.Fragment
		for j := range rapid.IntRange(0, 4).Draw(t, "fragments") {
			f := cento.NewFragment(fmt.Sprintf("f%d", j), "", cento.Before, strings.Repeat(rapid.SampledFrom([]string{"One rule. ", "Another rule. "}).Draw(t, "body"), 8))
			f.Stability = rapid.SampledFrom([]cento.Stability{cento.Static, cento.PerSession, cento.PerTurn}).Draw(t, "stability")
			list = append(list, f)
		}
		prompt, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := wire.Request{Form: form, Model: &m, Prompt: prompt, Counter: token.CounterFor(name), Cache: wire.Cache{Conversation: rapid.Bool().Draw(t, "conversation")}}
		if rapid.Bool().Draw(t, "tools") {
			r.Tools = []cento.Tool{{Name: "read", Description: rapid.SampledFrom([]string{"Reads.", "Reads a file."}).Draw(t, "says")}}
		}
		for k := range rapid.IntRange(1, 3).Draw(t, "messages") {
			r.Messages = append(r.Messages, wire.Message{Role: []string{"user", "assistant"}[k%2], Text: rapid.SampledFrom([]string{"Go on.", "Stop."}).Draw(t, "text")})
		}
		at = at.Add(time.Duration(rapid.SampledFrom([]int{1, 200, 4000}).Draw(t, "seconds")) * time.Second)
		out = append(out, cache.Step{Name: fmt.Sprint(i), At: at, Request: r})
	}
	return out
}

// simple is the cache of a provider of explicit marks, in the plainest way: what was
// marked is kept as a text, and looked for in the next request.
type simple struct {
	kept  map[string]time.Time // until when
	least int
}

func (s *simple) send(t *rapid.T, step cache.Step) (read int) {
	body, err := wire.Build(step.Request)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := wire.Parts(step.Request.Form, body.Body)
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{"max_tokens"}
	prefix, blocks := "", []string{}
	marked := []int{}
	for _, p := range parts {
		if slices.Contains(settings, p.Name) && p.Kind == wire.SettingPart {
			continue
		}
		prefix += fmt.Sprintf("%q %q %d %q;", p.Kind, p.Name, p.Message, p.Text)
		if p.Kind == wire.SettingPart {
			continue
		}
		if p.Marked {
			marked = append(marked, len(blocks))
		}
		blocks = append(blocks, prefix)
	}
	for _, i := range marked {
		for j := i; j >= 0 && i-j < 20; j-- {
			if until, ok := s.kept[blocks[j]]; ok && !step.At.After(until) {
				s.kept[blocks[j]] = step.At.Add(5 * time.Minute)
				read = max(read, j+1)
				break
			}
		}
	}
	return read
}

func (s *simple) write(t *rapid.T, step cache.Step, marks []cache.Mark, estimated bool) {
	body, err := wire.Build(step.Request)
	if err != nil {
		t.Fatal(err)
	}
	parts, _ := wire.Parts(step.Request.Form, body.Body)
	prefix := ""
	n := 0
	for _, p := range parts {
		if p.Name == "max_tokens" && p.Kind == wire.SettingPart {
			continue
		}
		prefix += fmt.Sprintf("%q %q %d %q;", p.Kind, p.Name, p.Message, p.Text)
		if !p.Marked {
			continue
		}
		least := s.least
		if estimated {
			least = (least*11 + 9) / 10
		}
		if marks[n].Tokens >= least {
			s.kept[prefix] = step.At.Add(5 * time.Minute)
		}
		n++
	}
}

// TestLaws: what is read, written and paid is all there is; a beginning is read as far
// as a plain list of what was kept says; and no more is read than two requests share.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"claude-opus-5", "gpt-6-sol", "deepseek-flash", "gemini-3.5-flash", "gpt-5"}).Draw(t, "model")
		steps := drawSteps(t, name)
		a := cache.New(cache.Options{})
		oracle := simple{kept: map[string]time.Time{}, least: *steps[0].Request.Model.Cache.MinTokens}
		longest := 0
		for i, s := range steps {
			want := 0
			if name == "claude-opus-5" {
				want = oracle.send(t, s)
			}
			got, err := a.Add(s)
			if err != nil {
				t.Fatal(err)
			}
			p := got.Prediction
			if p == nil || p.Read+p.Written+p.Paid != got.Tokens || p.Read < 0 || p.Written < 0 || p.Paid < 0 {
				t.Fatalf("step %d: %+v of %d tokens", i, p, got.Tokens)
			}
			sum := 0
			for _, n := range p.ByTTL {
				sum += n
			}
			if sum != p.Written || got.SharedTokens > got.Tokens || got.SharedBytes > got.Bytes || got.Lost < 0 {
				t.Fatalf("step %d: %+v, and %+v", i, p, got)
			}
			if (got.Difference == nil) != (len(got.Causes) == 0 || got.Causes[0].Kind == cache.TTLExpired) {
				t.Fatalf("step %d: difference %+v, causes %+v", i, got.Difference, got.Causes)
			}
			if name == "claude-opus-5" {
				if (want > 0) != (p.Read > 0) {
					t.Fatalf("step %d: %d blocks are kept, and %d tokens read", i, want, p.Read)
				}
				oracle.write(t, s, got.Marks, true)
			}
			longest = max(longest, got.Tokens)
		}
		again, err := a.Add(steps[len(steps)-1])
		if err != nil {
			t.Fatal(err)
		}
		if again.Difference != nil || again.SharedTokens != again.Tokens {
			t.Fatalf("the same again: %+v", again)
		}
		if r := a.Report(); len(r.Steps) != len(steps)+1 || r.Sum.Tokens < longest {
			t.Fatalf("%d steps, %+v", len(r.Steps), r.Sum)
		}
	})
}
