package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/wire"
)

// ParseBudget reads a budget as people write it: a number of tokens, or a part of
// what the model takes in, such as 20%. The error says what is expected.
func ParseBudget(s string) (*Budget, error) {
	if part, percent := manifest.ParseShare(s); part > 0 {
		return &Budget{Share: part}, nil
	} else if percent {
		return nil, fmt.Errorf("%q is no part of 100%%", s)
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is no number of tokens", s)
	}
	return &Budget{Tokens: n}, nil
}

// BudgetAnswer is what a budget does to a prompt, or would do if there were one.
type BudgetAnswer struct {
	// Named: there is a budget. Without one the figures are those of a budget that
	// is just enough for everything.
	Named bool `json:"named"`
	cento.BudgetReport
	// ActiveTools is how many tools are active and defined. Tools is what the form sends
	// of their definitions: none to a model that calls tools in text.
	ActiveTools int `json:"active_tools"`
	// Sequence is the order in which fragments are given up.
	Sequence []cento.Sacrifice `json:"sequence"`
	// Cut is how many steps of it are taken, where those are the first ones; else 0.
	Cut int `json:"-"`
	// Curve is what each budget keeps, from the least one that keeps the required fragments
	// whole.
	Curve []cento.CurvePoint `json:"curve"`
	// Summary says which budgets work, in words.
	Summary string `json:"summary"`
}

// summary says which budgets work. It is made of the numbers of the answer alone.
func (a *BudgetAnswer) summary() string {
	told := func(n int) string {
		unit := " tokens"
		if n == 1 {
			unit = " token"
		}
		return cento.FormatTokens(n, a.RequestExact()) + unit
	}
	var parts []string
	switch {
	case a.Full == 0:
		parts = append(parts, "The prompt is empty.")
	case len(a.Sequence) == 0 && a.Least == a.Whole:
		parts = append(parts, "Every fragment is required, and a budget can't shorten any.")
	case len(a.Sequence) == 0:
		parts = append(parts, "Every fragment is required: a budget drops none.")
	}
	if a.Least < a.Whole {
		parts = append(parts, "A budget below "+told(a.Whole)+" shortens required fragments too.")
	}
	if a.Least > 0 {
		parts = append(parts, "A budget below "+told(a.Least)+" fails.")
	}
	return strings.Join(parts, " ")
}

// Budget assembles a prompt and reports what the budget does to it. form is the provider
// format that the budget counts; empty for the one of the input.
func (p *Project) Budget(ctx context.Context, in cento.Input, form string) (*BudgetAnswer, error) {
	out := &BudgetAnswer{Named: in.Budget != nil, Sequence: []cento.Sacrifice{}}
	if !out.Named {
		in = p.allRoom(in)
	}
	if form != "" {
		if wire.RequestForm(form, "") == nil {
			return nil, unknownForm(form, cento.Position{})
		}
		in = p.InForm(in, form)
	}
	prompt, err := p.Reduce(in)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if !out.Named { // just enough for everything
		full := prompt.BudgetCurve()
		if prompt, err = p.Reduce(in.WithBudget(full[len(full)-1].Budget)); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	out.BudgetReport = *prompt.Budget()
	out.LimitExact = out.LimitExact && (out.Exact || out.Named) // without one it is a count of the prompt
	out.Sequence = append(out.Sequence, prompt.Sacrifices()...)
	out.Cut = cut(out.Sequence)
	out.Curve = prompt.BudgetCurve()
	out.Summary = out.summary()
	active := in.ActiveTools()
	for _, t := range in.Tools {
		for _, name := range active {
			if t.Name == name {
				out.ActiveTools++
				break
			}
		}
	}
	return out, nil
}

// BudgetRange is the least budget that works, and the least that keeps everything. A budget
// counts the larger of the whole text and the sum of its fragments, so both can be more
// than the prompt takes.
func (p *Project) BudgetRange(in cento.Input) (least, full int, err error) {
	prompt, err := p.Reduce(p.allRoom(in))
	if err != nil {
		return 0, 0, err
	}
	curve := prompt.BudgetCurve()
	return prompt.Budget().Least, curve[len(curve)-1].Budget, nil
}

// room is the report of a prompt that has all the room it wants.
func (p *Project) room(in cento.Input) (*cento.BudgetReport, error) {
	prompt, err := p.Reduce(p.allRoom(in))
	if err != nil {
		return nil, err
	}
	return prompt.Budget(), nil
}

// cut is how many steps are taken, where those are the first ones; else 0.
func cut(sequence []cento.Sacrifice) int {
	n := 0
	for i, s := range sequence {
		if s.Taken {
			if n != i {
				return 0
			}
			n++
		}
	}
	return n
}

// allRoom is an input whose budget is enough for everything.
func (p *Project) allRoom(in cento.Input) cento.Input {
	anew := in.Budget == nil
	if in = in.WithBudget(math.MaxInt32); anew {
		in = p.InForm(in, "")
	}
	return in
}
