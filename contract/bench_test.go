package contract

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchForms are the forms that are measured.
var benchForms = []Form{EDN, JSON, XML, TOON, Lines}

// generated is a contract of n facts with texts of 6 to 25 words.
func generated(tb testing.TB, n int) *Contract {
	tb.Helper()
	return generatedFrom(tb, n, 7)
}

func generatedFrom(tb testing.TB, n int, seed uint64) *Contract {
	tb.Helper()
	words := strings.Fields(`revenue grew in the third quarter while cost of goods fell below plan and two
		competitors cut their price for large customers who buy by the year market share of the product line
		remains stable according to the survey that sales ran last month with partners from four regions`)
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	var ctx Context
	keys := []string{"signals", "competitors", "strategies"}
	for g, key := range keys {
		var facts []Fact
		for i := g; i < n; i += len(keys) {
			text := make([]string, 6+r.IntN(20))
			for k := range text {
				text[k] = words[r.IntN(len(words))]
			}
			facts = append(facts, Fact{ID: fmt.Sprintf("%s%d", key[:1], i), Content: strings.Join(text, " ")})
		}
		ctx.AddFacts(key, facts...)
	}
	c, err := New(Analyzer, "rank strategies", ctx, NewOutput(EmitEvaluation, "evaluations").WithFormat(FormatJSON))
	if err != nil {
		tb.Fatal(err)
	}
	return c.WithConstraints(NoInvent, CiteSources)
}

func BenchmarkContractWrite(b *testing.B) {
	for _, form := range benchForms {
		for _, n := range []int{5, 50, 500} {
			c := generated(b, n)
			want := c.Text(form)
			b.Run(fmt.Sprintf("%s/%d", strings.ToUpper(form.String()), n), func(b *testing.B) {
				var dst []byte
				b.SetBytes(int64(len(want)))
				b.ReportAllocs()
				for b.Loop() {
					dst = c.Append(dst[:0], form)
				}
				if string(dst) != want {
					b.Fatal("written otherwise")
				}
			})
		}
	}
}

// BenchmarkContractCopy copies the finished text, which is as fast as any
// writer could be.
func BenchmarkContractCopy(b *testing.B) {
	for _, n := range []int{5, 50, 500} {
		text := generated(b, n).Text(EDN)
		b.Run(fmt.Sprintf("EDN/%d", n), func(b *testing.B) {
			var dst []byte
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				dst = append(dst[:0], text...)
			}
		})
		c := generated(b, n)
		b.Run(fmt.Sprintf("pieces/%d", n), func(b *testing.B) {
			var dst []byte
			l := layouts[EDN]
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				dst = dst[:0]
				for i := range c.facts {
					dst = append(dst, l.sep...)
					dst = append(dst, c.facts[i].ID...)
					dst = append(dst, l.between...)
					dst = append(dst, c.facts[i].Content...)
				}
			}
		})
	}
}

// BenchmarkContractNew builds a contract: every text is looked at here, once, so
// that no writing has to.
func BenchmarkContractNew(b *testing.B) {
	for _, n := range []int{5, 50, 500} {
		c := generated(b, n)
		var ctx Context
		for _, g := range c.groups {
			ctx.AddFacts(g.key, c.facts[g.from:g.to]...)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(c.bytes))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(c.role, c.objective, ctx, c.output); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkContractParse(b *testing.B) {
	for _, form := range benchForms {
		for _, n := range []int{5, 50, 500} {
			c := generated(b, n)
			text := c.Text(form, Exact)
			b.Run(fmt.Sprintf("%s/%d", strings.ToUpper(form.String()), n), func(b *testing.B) {
				var got *Contract
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					got, _ = Parse(form, text, ParseOptions{})
				}
				if !got.Equal(c) {
					b.Fatal("read otherwise")
				}
			})
		}
	}
}

// BenchmarkPeerParse reads the same JSON and XML by the standard library into structs,
// which checks less: no names, no keys, no repetition.
func BenchmarkPeerParse(b *testing.B) {
	type contract struct {
		Role        string            `json:"role"`
		Objective   string            `json:"objective"`
		Context     map[string][]Fact `json:"context"`
		Constraints []string          `json:"constraints"`
		Output      struct {
			Emit   string `json:"emit"`
			Key    string `json:"key"`
			Format string `json:"format"`
		} `json:"output"`
	}
	for _, n := range []int{5, 50, 500} {
		text := []byte(generated(b, n).Text(JSON))
		b.Run(fmt.Sprintf("JSON/%d", n), func(b *testing.B) {
			var got contract
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				got = contract{}
				if err := json.Unmarshal(text, &got); err != nil {
					b.Fatal(err)
				}
			}
			facts := 0
			for _, list := range got.Context {
				facts += len(list)
			}
			if facts != n {
				b.Fatalf("%d facts", facts)
			}
		})
		text = []byte(generated(b, n).Text(XML))
		b.Run(fmt.Sprintf("XML/%d", n), func(b *testing.B) {
			var got xmlContract
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				got = xmlContract{}
				if err := xml.Unmarshal(text, &got); err != nil {
					b.Fatal(err)
				}
			}
			facts := 0
			for _, g := range got.Groups {
				facts += len(g.Facts)
			}
			if facts != n {
				b.Fatalf("%d facts", facts)
			}
		})
	}
}
