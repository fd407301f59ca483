package tests

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// anew is a map with the same members, put in in another order, into another number of
// buckets, beside others that were taken out again.
func anew[V any](m map[string]V) map[string]V {
	if m == nil {
		return nil
	}
	out := make(map[string]V, rand.IntN(64))
	keys := slices.Collect(maps.Keys(m))
	rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i, k := range keys {
		gone := fmt.Sprint("gone ", rand.Int(), i)
		out[gone] = m[k]
		out[k] = m[k]
		delete(out, gone)
	}
	return out
}

// again is an input that says the same, with maps that were filled otherwise.
func again(in cento.Input) cento.Input {
	in.Files.Sources, in.Files.VarStability = anew(in.Files.Sources), anew(in.Files.VarStability)
	in.Files.Prefixes, in.Files.Wording = anew(in.Files.Prefixes), anew(in.Files.Wording)
	m := *in.Model
	m.Price.CacheWrite = anew(m.Price.CacheWrite)
	in.Model = &m
	in.Active.Tools, in.Active.Caps = slices.Clone(in.Active.Tools), slices.Clone(in.Active.Caps)
	rand.Shuffle(len(in.Active.Tools), func(i, j int) { x := in.Active.Tools; x[i], x[j] = x[j], x[i] })
	b := *in.Budget
	in.Budget = &b
	return in
}

// everything is all that is said of a prompt within a budget, and of its request.
func everything(in cento.Input, form wire.Form, s wire.Sectioning) (string, error) {
	p, err := pack.Reduce(in)
	if err != nil {
		return "", err
	}
	text, _ := p.System()
	counter := token.CounterFor(in.Model.Name)
	body, err := wire.Build(wire.Request{
		Form: form, Model: in.Model, Prompt: p, Tools: in.Tools, Active: in.Active.Tools, Counter: counter, Sections: s,
		Messages: []wire.Message{{Role: "user", Text: "Go."}}, Cache: wire.Cache{Conversation: true},
		Extra: json.RawMessage(`{"z": 1, "a": {"y": 2, "b": 3}}`),
	})
	if err != nil && form != wire.Text { // which takes no further members
		return "", err
	}
	told, err := json.Marshal([]any{p.Explain(cento.ExplainOptions{Counter: counter, AllReasons: true}), p.Sacrifices(), p.Sacrificed(), p.Budget(), p.BudgetCurve(), body})
	return text + "\n" + string(told), err
}

// TestSameFromMapsAndThreads: a prompt within a budget, what is told of it and its
// request don't depend on the order in which maps were filled, on how many threads
// there are, or on what is made at the same time.
func TestSameFromMapsAndThreads(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	refused, made := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m, _ := model.Default().Lookup(rapid.SampledFrom([]string{"claude-opus-5", "gpt-6-sol", "gemini-2.5-pro"}).Draw(t, "model"))
		in := cento.Input{
			Primary: cento.Primary{Worded: true, System: &cento.Text{Body: "You work.", Trust: cento.TrustHost}},
			Active:  cento.Active{Model: m.Name, Tools: []string{"todo", "read", "list"}}, Model: &m,
			Tools:     []cento.Tool{{Name: "todo", Guidance: new("Keep it.")}, {Name: "read", Description: "Reads."}, {Name: "list"}},
			Fragments: sacrificial().Draw(t, "fragments"),
			Budget:    &cento.Budget{Tokens: rapid.IntRange(60, 250).Draw(t, "tokens"), Policy: rapid.SampledFrom([]cento.BudgetPolicy{cento.StrictBudget, cento.FillBudget}).Draw(t, "policy")},
			Files: cento.Files{
				Sources: map[string]string{}, Now: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), VarStability: map[string]cento.Stability{},
				Vars: json.RawMessage(`{"v0": "x", "v1": ["b", "a"], "v2": {"z": 1, "a": 2}}`),
			},
		}
		for i := range 3 {
			ref := fmt.Sprintf("$workspace/p%d.md", i)
			in.Files.Sources[ref] = fmt.Sprintf("Part %d: {{ vars.v%d }} {%% for k in vars.v2 %%}{{ k }} {%% endfor %%}{{ date }}", i, i)
			in.Files.VarStability[fmt.Sprint("v", i)] = cento.Stability(i)
			in.Fragments = append(in.Fragments, cento.Fragment{ID: fmt.Sprint("p", i), Template: ref, Importance: cento.ImportanceOf(i)})
		}
		form, s := wire.Form(rapid.IntRange(1, len(wire.Forms())).Draw(t, "form")), wire.Sectioning(rapid.IntRange(0, 1).Draw(t, "sections"))
		want, wrong := everything(in, form, s)
		if made++; wrong != nil {
			refused++
		}
		for _, n := range []int{1, 8} {
			runtime.GOMAXPROCS(n)
			var wg sync.WaitGroup
			got, errs := make([]string, 3), make([]error, 3)
			for i := range got {
				other := again(in)
				wg.Go(func() { got[i], errs[i] = everything(other, form, s) })
			}
			wg.Wait()
			for i := range got {
				if got[i] != want || fmt.Sprint(errs[i]) != fmt.Sprint(wrong) {
					t.Fatalf("with %d threads\n%s %v\nand before\n%s %v", n, got[i], errs[i], want, wrong)
				}
			}
		}
	})
	if refused*2 > made {
		t.Errorf("%d of %d were refused", refused, made)
	}
}
