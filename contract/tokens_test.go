package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento/token"
)

// BenchmarkContractTokens reports what each form costs, for two encodings:
// tokens, tokens to those of compact JSON, and bytes.
func BenchmarkContractTokens(b *testing.B) {
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		counter, err := token.LookupCounter(encoding)
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{5, 50, 500} {
			c := generated(b, n)
			json := counter.Count(c.Text(JSON))
			for cost := range Costs(c, counter) {
				b.Run(fmt.Sprintf("%s/%s/%d", encoding, strings.ToUpper(cost.Form.String()), n), func(b *testing.B) {
					text := c.Text(cost.Form)
					for b.Loop() {
						if counter.Count(text) != cost.Tokens {
							b.Fatal("counted otherwise")
						}
					}
					b.ReportMetric(float64(cost.Tokens), "tokens")
					b.ReportMetric(float64(cost.Tokens)/float64(json), "tokens/json")
					b.ReportMetric(float64(cost.Bytes), "bytes")
				})
			}
		}
	}
}

// The order of the forms by cost for contracts of English sentences, as the
// documentation tells it.
func TestCheapestForms(t *testing.T) {
	counter, err := token.LookupCounter("o200k_base")
	if err != nil || !counter.Exact() {
		t.Fatal(err)
	}
	for _, n := range []int{5, 50, 500} {
		tokens := map[Form]int{}
		for cost := range Costs(generated(t, n), counter) {
			tokens[cost.Form] = cost.Tokens
		}
		order := []Form{Lines, TOON, JSON, EDN, XML}
		for i := range order[1:] {
			if tokens[order[i]] >= tokens[order[i+1]] {
				t.Errorf("%d facts: %s takes %d tokens, %s %d", n, order[i], tokens[order[i]], order[i+1], tokens[order[i+1]])
			}
		}
	}
	// The example of the forms, counted by two independent tokenizers.
	want := map[Form]int{EDN: 110, Plain: 79, JSON: 102, XML: 130, Markdown: 108, TOON: 102, Lines: 69}
	for cost := range Costs(exampleContract(t), counter, Exact) {
		if cost.Tokens != want[cost.Form] {
			t.Errorf("%s takes %d tokens, not %d", cost.Form, cost.Tokens, want[cost.Form])
		}
	}
}
