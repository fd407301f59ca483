package cache_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// session is a row of requests: a prompt of 60 fragments, 40 tools, and a line of
// the prompt that is another in each turn, three quarters down.
func session(b *testing.B, turns int) []cache.Step {
	m, _ := model.Default().Lookup("claude-opus-5")
	var counts token.Cache
	counter := counts.Counter(token.CounterFor(m.Name))
	var tools []cento.Tool
	for i := range 40 {
		tools = append(tools, cento.Tool{Name: fmt.Sprintf("tool_%d", i), Description: strings.Repeat("Reads a file of the project. ", 5)})
	}
	var steps []cache.Step
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for turn := range turns {
		in := cento.Input{Tools: tools, AllTools: true}
		for i := range 60 {
			f := cento.NewFragment(fmt.Sprintf("f%d", i), "", cento.Before, strings.Repeat(fmt.Sprintf("Rule %d says what is to be done. ", i), 8))
			if i == 45 {
				f.Body, f.Stability = fmt.Sprintf("This is turn %d.", turn), cento.PerTurn
			}
			in.Fragments = append(in.Fragments, f)
		}
		prompt, err := cento.Reduce(in)
		if err != nil {
			b.Fatal(err)
		}
		at = at.Add(time.Minute)
		steps = append(steps, cache.Step{
			Name: fmt.Sprintf("turn %d", turn+1), At: at, Input: &in,
			Request: wire.Request{Form: wire.Anthropic, Model: &m, Prompt: prompt, Tools: tools, Partial: true, Counter: counter},
		})
	}
	return steps
}

// BenchmarkSession takes sessions of 100 and 1,000 turns. Time and memory are to grow
// with the turns, not with their square.
func BenchmarkSession(b *testing.B) {
	for _, turns := range []int{100, 1000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			steps := session(b, turns)
			b.ReportAllocs()
			for b.Loop() {
				a := cache.New(cache.Options{})
				for _, s := range steps {
					if _, err := a.Add(s); err != nil {
						b.Fatal(err)
					}
				}
				if r := a.Report(); r.Steps[turns-1].Causes[0].Fragment != "f45" {
					b.Fatalf("%+v", r.Steps[turns-1])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(turns), "µs/turn")
		})
	}
}
