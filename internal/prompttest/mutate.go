package prompttest

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Mutation tells which changes of a project's own fragments the tests notice: a
// fragment taken out, one of its gates dropped or denied, two neighbours swapped.
//
// A change is killed when a test fails that passes without it. One that changes the
// prompt of no run isn't counted: it is unreached when no run has its fragment in, and
// else equivalent.
type Mutation struct {
	Mutants int `json:"mutants"`
	// Killed are those that a test notices; KilledByAssertions leaves goldens and truth
	// tables out, which notice everything.
	Killed             int `json:"killed"`
	KilledByAssertions int `json:"killed_by_assertions"`
	Unreached          int `json:"unreached"`
	Equivalent         int `json:"equivalent"`
	// Survivors are those that no assertion notices, in the order of declaration.
	Survivors []Mutant `json:"survivors"`
}

// Mutant is one change.
type Mutant struct {
	// Change is removed, gate_dropped, gate_denied or swapped.
	Change string `json:"change"`
	ID     string `json:"id"`
	// Gate is the one that was changed, as it is written.
	Gate string `json:"gate,omitempty"`
	// Other is the id of the neighbour.
	Other    string         `json:"other,omitempty"`
	Position cento.Position `json:"position"`
	// Text is the beginning of the fragment's text; empty for a prompt file.
	Text string `json:"text,omitempty"`
	// Golden: a golden or truth table notices it.
	Golden bool `json:"golden,omitempty"`

	key   fragmentKey
	other fragmentKey
	apply func(fragments []cento.Fragment, i, other int)
}

// Percent is how much assertions notice; 100 where there is nothing to notice.
func (m *Mutation) Percent() float64 { return percent(m.KilledByAssertions, m.Mutants) }

// KilledPercent is the same with goldens and truth tables.
func (m *Mutation) KilledPercent() float64 { return percent(m.Killed, m.Mutants) }

// The changes.
const (
	removed     = "removed"
	gateDropped = "gate_dropped"
	gateDenied  = "gate_denied"
	swapped     = "swapped"
)

// mutants are the changes of a project's own fragments, in the order of declaration.
func mutants(plans []*plan) []Mutant {
	var out []Mutant
	told := map[fragmentKey]bool{}
	pairs := map[[2]fragmentKey]bool{}
	for _, p := range plans {
		own := p.own()
		for i := range p.fragments {
			f := &p.fragments[i]
			if !own(f) {
				continue
			}
			base := Mutant{ID: f.ID, Position: f.Origin, Text: clipped(foldSpace(f.Body)), key: keyOf(f)}
			if !told[base.key] {
				told[base.key] = true
				m := base
				m.Change = removed
				m.apply = func(list []cento.Fragment, i, _ int) {
					list[i].Excluded = &cento.Exclusion{Code: cento.CodeLayerRemoved, By: "test"}
				}
				out = append(out, m)
				out = append(out, gateMutants(f, base)...)
			}
			if i+1 == len(p.fragments) || !own(&p.fragments[i+1]) {
				continue
			}
			m := base
			m.Change, m.Other, m.other = swapped, p.fragments[i+1].ID, keyOf(&p.fragments[i+1])
			if pair := [2]fragmentKey{m.key, m.other}; !pairs[pair] {
				pairs[pair] = true
				m.apply = func(list []cento.Fragment, i, other int) { list[i], list[other] = list[other], list[i] }
				out = append(out, m)
			}
		}
	}
	return out
}

// gateMutants drop and deny each gate that somebody wrote. That of a tool's guidance
// follows from the tool. A need can't be denied: there is no condition for it.
func gateMutants(f *cento.Fragment, base Mutant) []Mutant {
	if strings.HasPrefix(f.ID, "tool:") {
		return nil
	}
	var out []Mutant
	gate := func(words string, drop func(*cento.Fragment), denied string) {
		m := base
		m.Change, m.Gate = gateDropped, words
		m.apply = func(list []cento.Fragment, i, _ int) { drop(&list[i]) }
		out = append(out, m)
		if denied == "" {
			return
		}
		n := base
		n.Change, n.Gate = gateDenied, words
		n.apply = func(list []cento.Fragment, i, _ int) {
			f := &list[i]
			drop(f)
			if strings.TrimSpace(f.When) != "" {
				f.When = "(" + f.When + ") and " + denied
			} else {
				f.When = denied
			}
			f.WhenOrigin, f.WhenRuns = cento.Position{}, nil // nobody wrote it
		}
		out = append(out, n)
	}
	each := func(function string, names []string, join string) string {
		calls := make([]string, len(names))
		for i, n := range names {
			calls[i] = function + "(" + strict.Quoted(n) + ")"
		}
		return "not (" + strings.Join(calls, join) + ")"
	}
	if names := f.RequiresTools; len(names) > 0 {
		gate("requires_tools: ["+strings.Join(names, ", ")+"]", func(f *cento.Fragment) { f.RequiresTools = nil }, each("tool", names, " and "))
	}
	if names := f.RequiresAnyTools; len(names) > 0 {
		gate("requires_any_tools: ["+strings.Join(names, ", ")+"]", func(f *cento.Fragment) { f.RequiresAnyTools = nil }, each("tool", names, " or "))
	}
	if names := f.RequiresCaps; len(names) > 0 {
		gate("requires_caps: ["+strings.Join(names, ", ")+"]", func(f *cento.Fragment) { f.RequiresCaps = nil }, each("cap", names, " and "))
	}
	if when := strings.TrimSpace(f.When); when != "" {
		gate("when: "+when, func(f *cento.Fragment) { f.When, f.WhenOrigin, f.WhenRuns = "", cento.Position{}, nil }, "not ("+when+")")
	}
	if len(f.Needs) > 0 {
		gate("needs: ["+strings.Join(f.Needs, ", ")+"]", func(f *cento.Fragment) { f.Needs, f.NeedsOrigin = nil, nil }, "")
	}
	return out
}

// question is a prompt that runs asked about, with what they hold it to.
type question struct {
	prompt *assembled
	// snapshot: a golden or truth table has it.
	snapshot bool
	errors   []string // codes that are wanted
	asks     []assertion
	prefixes []prefixQuestion
}

type prefixQuestion struct {
	of    *run
	other *assembled
}

// fate is what became of a mutant.
type fate struct {
	reached, changed, killed, golden bool
}

// mutate tries every mutant on the runs that passed.
func (t *tester) mutate(ctx context.Context, done []ran) (*Mutation, error) {
	asked, plans := t.questions(ctx, done)
	for _, p := range plans {
		p.makeIndex()
	}
	list := mutants(plans)
	fates := make([]fate, len(list))
	var next, ready atomic.Int64
	var wait sync.WaitGroup
	var progress sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			w := mutationWorker{asked: asked, plans: plans}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				fates[i] = w.try(&list[i])
				if n := ready.Add(1); t.options.Progress != nil {
					progress.Lock()
					t.options.Progress("changing", int(n), len(list))
					progress.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Mutation{Survivors: []Mutant{}}
	for i, x := range fates {
		switch {
		case !x.changed && !x.reached:
			out.Unreached++
			continue
		case !x.changed:
			out.Equivalent++
			continue
		}
		out.Mutants++
		if x.killed || x.golden {
			out.Killed++
		}
		if x.killed {
			out.KilledByAssertions++
			continue
		}
		m := list[i]
		m.Golden = x.golden
		out.Survivors = append(out.Survivors, m)
	}
	return out, nil
}

// questions are what the runs that passed ask, by the compiled input of their prompts,
// and these inputs: first those of the manifest and its targets, in their order.
func (t *tester) questions(ctx context.Context, done []ran) (map[*plan][]*question, []*plan) {
	byPrompt := map[*assembled]*question{}
	asked := map[*plan][]*question{}
	plans := t.library.declared(ctx)
	assertions := map[*testCase][]assertion{}
	for _, r := range done {
		if !r.passed || r.prompt == nil {
			continue
		}
		a, c := r.prompt, r.of
		q := byPrompt[a]
		if q == nil {
			q = &question{prompt: a}
			byPrompt[a] = q
			if !slices.Contains(plans, a.plan) {
				plans = append(plans, a.plan)
			}
			asked[a.plan] = append(asked[a.plan], q)
		}
		if c.Error != nil {
			q.errors = append(q.errors, c.Error.Text)
			continue
		}
		q.snapshot = q.snapshot || c.Golden != nil || c.Truth != nil || c.Wire != nil && c.Wire.Golden != nil
		if _, made := assertions[c]; !made {
			assertions[c] = t.assertions(c)
		}
		q.asks = append(q.asks, assertions[c]...)
		if c.SamePrefix != nil {
			if other, err := t.library.assemble(ctx, r.target, otherSide(r.run)); err == nil {
				q.prefixes = append(q.prefixes, prefixQuestion{r.run, other})
			}
		}
	}
	return asked, plans
}

// mutationWorker tries mutants one after the other, and uses its memory again.
type mutationWorker struct {
	asked map[*plan][]*question
	plans []*plan
	text  []byte
	out   assembled
}

// try asks all questions about a mutant until one of them notices.
func (w *mutationWorker) try(m *Mutant) (f fate) {
	for _, p := range w.plans {
		questions := w.asked[p]
		i := p.find(m.key)
		if len(questions) == 0 || i < 0 {
			continue
		}
		other := -1
		if m.Change == swapped {
			if other = i + 1; other == len(p.fragments) || keyOf(&p.fragments[other]) != m.other {
				continue
			}
		}
		fragments := slices.Clone(p.fragments)
		m.apply(fragments, i, other)
		compiled, failed := p.compile(fragments)
		bound := map[string]*cento.Bound{}
		for _, q := range questions {
			f.reached = f.reached || q.prompt.err == nil && (q.prompt.In(i) || other >= 0 && q.prompt.In(other))
			if q.leaves(m, i, other) {
				continue
			}
			if failed != nil {
				if q.prompt.err == nil {
					f.changed, f.killed = true, true
				}
				continue
			}
			w.ask(m, q, compiled, bound, &f)
			if f.killed {
				return f
			}
		}
	}
	return f
}

// leaves reports whether a mutant can't change a prompt: to take out what is out, to
// swap what is out, to let in what is in. Under a budget anything may change anything.
func (q *question) leaves(m *Mutant, i, other int) bool {
	a := q.prompt
	if a.err != nil || a.in.Budget != nil {
		return false
	}
	switch m.Change {
	case removed:
		return !a.In(i)
	case swapped:
		return !a.In(i) && !a.In(other)
	case gateDropped:
		return a.In(i)
	}
	return false
}

// ask makes the prompt of a question with a mutant, and holds it to what is asked.
func (w *mutationWorker) ask(m *Mutant, q *question, compiled *cento.Plan, bound map[string]*cento.Bound, f *fate) {
	a := &w.out
	a.plan, a.in = q.prompt.plan, q.prompt.in
	b, err := a.plan.bind(compiled, a.in, bound)
	if err == nil {
		w.text, err = compiled.AppendText(w.text[:0], b, &a.Assembly)
	}
	switch {
	case q.prompt.err != nil && err != nil:
		return
	case q.prompt.err != nil: // it can be made now
		f.changed, f.killed = true, true
		return
	case err != nil:
		f.changed, f.killed = true, true
		return
	case bytes.Equal(w.text, unsafe.Slice(unsafe.StringData(q.prompt.text), len(q.prompt.text))):
		return
	}
	f.changed = true
	f.golden = f.golden || q.snapshot
	a.text = unsafe.String(unsafe.SliceData(w.text), len(w.text)) // until the next prompt is made
	for k := range q.asks {
		if !q.asks[k].holds(a) {
			f.killed = true
			return
		}
	}
	for _, x := range q.prefixes {
		other := x.other
		if other.plan == a.plan {
			changed := assembled{plan: other.plan, in: other.in}
			if changed.fill(compiled, bound); changed.err != nil {
				f.killed = true
				return
			}
			other = &changed
		}
		if !samePrefix(x.of.of.SamePrefix, a, other) {
			f.killed = true
			return
		}
	}
}

func (p *plan) makeIndex() {
	p.index = make(map[fragmentKey]int, len(p.fragments))
	for i := range p.fragments {
		p.index[keyOf(&p.fragments[i])] = i
	}
}

// find is the index of a fragment; -1 where the plan has none.
func (p *plan) find(k fragmentKey) int {
	if i, ok := p.index[k]; ok {
		return i
	}
	return -1
}

// Words say what was changed.
func (m *Mutant) Words() string {
	switch m.Change {
	case gateDropped:
		return fmt.Sprintf("%s without `%s`", m.ID, m.Gate)
	case gateDenied:
		return fmt.Sprintf("%s with `%s` denied", m.ID, m.Gate)
	case swapped:
		return fmt.Sprintf("%s behind %s", m.ID, m.Other)
	}
	return m.ID + " taken out"
}
