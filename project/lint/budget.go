package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// tightPercent is how much of a budget may be used before there is no room for what
// the next change brings.
const tightPercent = 90

// tightBudgets reports prompts that have hardly any room left in their budget, with
// their three largest fragments.
func tightBudgets(_ *subject, t *target, report func(Finding)) error {
	b := t.prompt.Budget()
	if b == nil || b.Limit <= 0 || b.Full*100 <= b.Limit*tightPercent {
		return nil
	}
	counter := t.counter()
	told := func(n int) string { return cento.FormatTokens(n, b.Exact) }
	type weight struct {
		id     string
		tokens int
	}
	var list []weight
	for i := range t.prompt.Len() {
		if t.prompt.In(i) {
			list = append(list, weight{t.prompt.Fragment(i).ID, counter.Count(t.prompt.Text(i))})
		}
	}
	slices.SortStableFunc(list, func(a, b weight) int { return cmp.Compare(b.tokens, a.tokens) })
	var largest []string
	for _, w := range list[:min(3, len(list))] {
		largest = append(largest, fmt.Sprintf("%s with %s", w.id, told(w.tokens)))
	}
	report(Finding{
		Position: t.project.Input.Budget.Origin,
		Message:  fmt.Sprintf("the prompt takes %s of the %s tokens that the budget leaves for it, with everything in it %s; the largest are %s", told(b.Prompt), cento.FormatTokens(b.Limit, b.LimitExact), told(b.Full), strings.Join(largest, ", ")),
		Hint:     fmt.Sprintf("set a budget of at least %d tokens", (b.Full*100+tightPercent-1)/tightPercent+b.Budget-b.Limit),
	})
	return nil
}

// counter counts for the model of the target.
func (t *target) counter() cento.Counter {
	return new(pack.Engine).Counter(t.project.Input.Active.Model, t.project.Input.Model)
}

// overWindow reports prompts that alone are more than their model takes in, or than Ollama
// is asked to run it with.
func overWindow(_ *subject, t *target, report func(Finding)) error {
	in := &t.project.Input
	window, asked, known := t.project.Window(*in)
	text, _ := t.prompt.System()
	if !known || len(text) <= window { // no token is less than a byte
		return nil
	}
	counter := t.counter()
	n := counter.Count(text)
	if n <= window {
		return nil
	}
	if !asked.IsZero() {
		report(Finding{
			Position: asked,
			Message:  fmt.Sprintf("the prompt takes %s tokens, and num_ctx has Ollama run the model %q with %s", cento.FormatTokens(n, counter.Exact()), in.Active.Model, cento.FormatTokens(window, true)),
			Hint:     "raise num_ctx, or shorten the prompt",
		})
		return nil
	}
	report(Finding{
		Position: t.project.ModelPosition(),
		Message:  fmt.Sprintf("the prompt takes %s tokens, and the model %q takes in at most %s", cento.FormatTokens(n, counter.Exact()), in.Active.Model, cento.FormatTokens(window, true)),
		Hint:     "choose a model with a larger window, or shorten the prompt",
	})
	return nil
}
