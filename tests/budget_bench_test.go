package tests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

// chunks are n texts of some twelve words with importances in random order, none
// twice: what the benchmarks of other prompt libraries prune.
func chunks(n int) []cento.Fragment {
	words := strings.Fields("the agent must read every file before it edits and keep changes small run tests explain results in plain words never guess a path")
	r := rand.New(rand.NewPCG(1, 2))
	rank := r.Perm(n)
	out := make([]cento.Fragment, n)
	for i := range out {
		var b strings.Builder
		fmt.Fprintf(&b, "[%d]", i)
		for range 12 {
			b.WriteString(" " + words[r.IntN(len(words))])
		}
		out[i] = cento.Fragment{ID: fmt.Sprintf("chunk.%d", i), Body: b.String() + ".", Importance: cento.ImportanceOf(rank[i] + 1)}
	}
	return out
}

// BenchmarkBudget keeps the most important of n texts within half of their tokens:
// for an active set that wasn't seen before, with texts whose counts are known,
// and with all of them to be counted.
func BenchmarkBudget(b *testing.B) {
	counter := token.CounterFor("gpt-5.4")
	for _, n := range []int{100, 1_000, 10_000, 100_000} {
		list := chunks(n)
		sum := 0
		for i := range list {
			sum += counter.Count(list[i].Body)
		}
		budget := &cento.Budget{Tokens: sum / 2, Counter: counter}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			plan, err := cento.Compile(list, cento.Options{Budget: budget})
			if err != nil {
				b.Fatal(err)
			}
			var a cento.Assembly
			var text []byte
			b.ReportAllocs()
			for b.Loop() {
				if text, err = plan.AppendText(text[:0], plan.Bind(cento.Active{}), &a); err != nil {
					b.Fatal(err)
				}
			}
			if got := counter.Count(string(text)); got > sum/2 || got < sum*9/20 { // a seam takes less than its parts
				b.Fatalf("%d tokens, %d wanted", got, sum/2)
			}
		})
		if n > 10_000 {
			continue
		}
		b.Run(fmt.Sprintf("%d/counting", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: budget}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
