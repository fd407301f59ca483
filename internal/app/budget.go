package app

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
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
	// Curve is what each budget keeps, from the least one that is enough.
	Curve []cento.CurvePoint `json:"curve"`
}

// Budget assembles a prompt and tells what the budget does to it.
func (p *Project) Budget(in cento.Input) (*BudgetAnswer, error) {
	out := &BudgetAnswer{Named: in.Budget != nil, Sequence: []cento.Sacrifice{}}
	prompt, err := p.withRoom(in)
	if err != nil {
		return nil, err
	}
	if !out.Named { // just enough for everything
		full := prompt.BudgetCurve()
		if prompt, err = p.Reduce(p.allRoom(in).WithBudget(full[len(full)-1].Budget)); err != nil {
			return nil, err
		}
	}
	out.BudgetReport = *prompt.Budget()
	out.LimitExact = out.LimitExact && (out.Exact || out.Named) // without one it is a count of the prompt
	out.Sequence = append(out.Sequence, prompt.Sacrifices()...)
	out.Cut = cut(out.Sequence)
	out.Curve = prompt.BudgetCurve()
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

// BudgetRange is the least budget that keeps all that is required, and
// the least that keeps everything. A budget counts the larger of the whole text and the sum
// of its fragments, so both can be more than the prompt takes.
func (p *Project) BudgetRange(in cento.Input) (least, full int, err error) {
	prompt, err := p.Reduce(p.allRoom(in))
	if err != nil {
		return 0, 0, err
	}
	curve := prompt.BudgetCurve()
	return curve[0].Budget, curve[len(curve)-1].Budget, nil
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

// withRoom is the prompt within its budget, or without one within any.
func (p *Project) withRoom(in cento.Input) (*cento.Prompt, error) {
	if in.Budget == nil {
		in = p.allRoom(in)
	}
	return p.Reduce(in)
}

// allRoom is an input whose budget is enough for everything.
func (p *Project) allRoom(in cento.Input) cento.Input {
	anew := in.Budget == nil
	if in = in.WithBudget(math.MaxInt32); anew {
		in = p.InForm(in, "")
	}
	return in
}
