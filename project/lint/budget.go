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
	engine, err := pack.NewEngine(cento.Input{})
	if err != nil {
		return err
	}
	counter := engine.Counter(t.project.Input.Active.Model, t.project.Input.Model)
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
		Message:  fmt.Sprintf("the prompt takes %s of the %s tokens that the budget leaves for it, with everything in it %s; the largest are %s", told(b.Prompt), told(b.Limit), told(b.Full), strings.Join(largest, ", ")),
		Hint:     "raise the budget, or say less; cento budget tells what it takes out",
	})
	return nil
}
