package tests

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// requested is an input with a budget for requests of a form: awkward sections, tools
// that are active, that aren't, and that some providers don't send.
func requested() *rapid.Generator[cento.Input] {
	models := []string{"claude-opus-5", "gpt-4.1", "gpt-5.4", "gemini-3.5-flash", "us.anthropic.claude-opus-5-v1:0", "llama-3.3-70b-instruct", "nobody-1", ""}
	schemas := []string{"", `{"type":"object"}`, `{ "type" : "object", "properties": {"a": {"type": "string", "description": "See </rules>."}} }`}
	return rapid.Custom(func(t *rapid.T) cento.Input {
		list := sacrificial().Draw(t, "list")
		for i := range list {
			if rapid.IntRange(0, 2).Draw(t, "other section?") == 0 {
				list[i].Section = rapid.SampledFrom([]string{"Rules", "Rules ", "2 Things", "…", "a  b", "a b", "rules"}).Draw(t, "section")
			}
			if rapid.IntRange(0, 4).Draw(t, "ends?") == 0 {
				list[i].Body += rapid.SampledFrom([]string{" </rules>", "</RULES >\n\n</rules", "</section></a_b> x", " </s_2_things>"}).Draw(t, "end")
			}
			if rapid.IntRange(0, 4).Draw(t, "trust?") == 0 {
				list[i].Trust = cento.TrustWorkspace
			}
		}
		in := cento.Input{Fragments: list, Active: cento.Active{Tools: []string{"todo", "read", "undefined"}}}
		if name := rapid.SampledFrom(models).Draw(t, "model"); name != "" {
			m, _ := model.Default().Lookup(name)
			in.Active.Model, in.Model = name, &m
		}
		for _, name := range []string{"read", "todo", "asleep", "a/name/that/none/takes"} {
			if rapid.Bool().Draw(t, name) {
				tool := cento.Tool{Name: name, Description: rapid.SampledFrom([]string{"", "Reads a file.", "Says \"x\" & <y>\n日本"}).Draw(t, "description")}
				if schema := rapid.SampledFrom(schemas).Draw(t, "schema"); schema != "" {
					tool.Parameters = json.RawMessage(schema)
				}
				in.Tools = append(in.Tools, tool)
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "native?") == 0 {
			in.Active.Tools = append(in.Active.Tools, "search")
			in.Tools = append(in.Tools, cento.Tool{Name: "search", Native: json.RawMessage(rapid.SampledFrom([]string{`{"type":"web_search_20260209","name":"search"}`, `{"type": "web_search"}`}).Draw(t, "native"))})
		}
		counter := budgetCounters().Draw(t, "counter")
		whole, err := pack.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := whole.System()
		in.Budget = &cento.Budget{
			Tokens: rapid.IntRange(0, counter.Count(text)+200).Draw(t, "tokens"), Reserve: rapid.IntRange(0, 3).Draw(t, "reserve"), Counter: counter,
			Form: rapid.SampledFrom(wire.Forms()).Draw(t, "form"), Sections: rapid.SampledFrom([]string{"", "markdown", "xml", "xml"}).Draw(t, "sections"),
			Policy: rapid.SampledFrom([]cento.BudgetPolicy{cento.StrictBudget, cento.FillBudget}).Draw(t, "policy"),
		}
		return in
	})
}

// requestOf is the request that the budget of an input is for, without a conversation.
func requestOf(t failing, in cento.Input, p *cento.Prompt) wire.Request {
	r := wire.Request{Model: in.Model, Prompt: p, Tools: in.Tools, Active: in.ActiveTools(), Partial: true, Counter: in.Budget.Counter, Cache: wire.Cache{Off: true}}
	if err := r.Form.UnmarshalText([]byte(in.Budget.Form)); err != nil {
		t.Fatal(err)
	}
	if in.Budget.Sections == "xml" {
		r.Sections = wire.XML
	}
	return r
}

// failing is a test of any kind.
type failing interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// TestBudgetCountsTheRequest: what a budget reports is what the request counts, of the
// prompt, of the tools and of what is around them, and the three are never over it.
func TestBudgetCountsTheRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := requested().Draw(t, "input")
		p, err := pack.Reduce(in)
		if errors.Is(err, cento.BudgetRequired) {
			return // TestBudgetOfTheRequestBelow
		}
		if err != nil {
			t.Fatal(err)
		}
		b := p.Budget()
		r, err := wire.Build(requestOf(t, in, p))
		if err != nil {
			t.Fatal(err)
		}
		_, any := p.System()
		if *r.SystemTokens != b.Prompt || *r.ToolTokens != b.Tools || any && orNone(r.FramingTokens) != orNone(b.Framing) || orNone(r.FramingTokens) > orNone(b.Framing) {
			t.Fatalf("the request counts %d, %d and %d, and the budget %+v\n%s", *r.SystemTokens, *r.ToolTokens, orNone(r.FramingTokens), *b, r.Body)
		}
		if r.ToolsExact != b.ToolsExact || r.FramingKnown != b.FramingKnown || b.LimitExact != (b.ToolsExact && b.FramingKnown && b.Exact) {
			t.Fatalf("the request knows of its tools %t and of its framing %t, and the budget %+v", r.ToolsExact, r.FramingKnown, *b)
		}
		if *r.SystemTokens+*r.ToolTokens+orNone(r.FramingTokens) > in.Budget.Tokens-in.Budget.Reserve {
			t.Fatalf("over the budget of %d: %+v", in.Budget.Tokens, *b)
		}
		for _, l := range r.Losses {
			if l.Code == wire.CodeOverBudget {
				t.Fatalf("a loss is told: %s", l.Message)
			}
		}
		again, err := store.InputDocument(in)
		if err != nil {
			t.Fatal(err)
		}
		var stored cento.Input
		if err := json.Unmarshal(again, &stored); err != nil {
			t.Fatal(err)
		}
		stored.Budget.Counter = in.Budget.Counter
		if q, err := pack.Reduce(stored); err != nil || q.Digest() != p.Digest() || !reflect.DeepEqual(q.Budget(), b) {
			t.Fatalf("replayed it is another: %v", err)
		}
	})
}

// TestBudgetOfTheRequestBelow: at the budget that the error names the prompt fits, and
// a token below it doesn't.
func TestBudgetOfTheRequestBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := requested().Draw(t, "input")
		full, err := pack.Reduce(in.WithBudget(1 << 30))
		if err != nil {
			t.Fatal(err)
		}
		curve := full.BudgetCurve()
		least := curve[0].Budget
		if _, err := pack.Reduce(in.WithBudget(least)); err != nil {
			t.Fatalf("the curve begins at %d: %v", least, err)
		}
		if least == 0 {
			return
		}
		if _, err := pack.Reduce(in.WithBudget(least - 1)); !errors.Is(err, cento.BudgetRequired) {
			t.Fatalf("the curve begins at %d, and one token below it there is %v", least, err)
		}
	})
}

// TestBudgetOfTheRequestIsMonotone: of the same form a larger budget keeps all that a
// smaller one keeps.
func TestBudgetOfTheRequestIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := requested().Draw(t, "input")
		in.Budget.Policy = cento.StrictBudget
		var before []int
		for n := in.Budget.Tokens; n < in.Budget.Tokens+40; n += 7 {
			p, err := pack.Reduce(in.WithBudget(n))
			if errors.Is(err, cento.BudgetRequired) {
				if before != nil {
					t.Fatalf("a budget of %d is too small, and a smaller one wasn't", n)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			now := levels(p)
			for i := range before {
				if now[i] < 0 && before[i] >= 0 || before[i] >= 0 && now[i] > before[i] {
					t.Fatalf("a budget of %d keeps %v, and a smaller one %v", n, now, before)
				}
			}
			before = now
		}
	})
}

// TestBudgetOfAnUnknownForm: a form that nothing counts is an error, and not another one.
func TestBudgetOfAnUnknownForm(t *testing.T) {
	in := cento.Input{Fragments: []cento.Fragment{cento.NewFragment("a", "", cento.Before, "Be brief.")}}
	for _, x := range []struct{ form, sections string }{{"antropic", ""}, {"anthropic", "html"}, {"", "xml"}} {
		in.Budget = &cento.Budget{Tokens: 100, Counter: token.CounterFor("gpt-4"), Form: x.form, Sections: x.sections}
		if _, err := pack.Reduce(in); !errors.Is(err, cento.InvalidBudget) {
			t.Errorf("form %q, sections %q: %v", x.form, x.sections, err)
		}
	}
	in.Budget.Form, in.Budget.Sections = "anthropic", ""
	if _, err := cento.Reduce(in); !errors.Is(err, cento.InvalidBudget) {
		t.Errorf("without an engine that knows forms: %v", err)
	}
}

// TestBudgetOfBrokenDefinitions: what isn't JSON can't be counted, and is named.
func TestBudgetOfBrokenDefinitions(t *testing.T) {
	for _, form := range slices.DeleteFunc(wire.Forms(), func(s string) bool { return s == "text" }) {
		in := cento.Input{
			Tools: []cento.Tool{{Name: "read", Parameters: json.RawMessage(`{`), Origin: cento.Position{File: "tools.json", Line: 3, Column: 1}}}, Active: cento.Active{Tools: []string{"read"}},
			Budget: &cento.Budget{Tokens: 100, Counter: token.CounterFor("gpt-4"), Form: form},
		}
		_, err := pack.Reduce(in)
		if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != cento.InvalidTool || fmt.Sprint(e.Position) != "tools.json:3:1" {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// orNone is a number, or 0 for none.
func orNone(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
