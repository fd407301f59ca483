package project

import (
	"fmt"
	"math"

	"github.com/cento-dev/cento"
)

// UnknownWindow: a budget is a share of what the model takes in, and nobody knows
// how much that is.
const UnknownWindow cento.ErrorCode = "budget.window"

// Budget says how large the budget is, instead of the manifest: Tokens, or Share of
// what the model takes in.
type Budget struct {
	Tokens int
	Share  float64
	// Position is where it is asked for; zero for a flag.
	Position cento.Position
}

// On lays a budget on an input; what else the input's budget says stays. The error is
// [UnknownWindow].
func (b *Budget) On(in cento.Input) (cento.Input, error) {
	tokens, err := b.tokens(in.Active.Model, in.Model)
	if err != nil {
		return in, err
	}
	in = in.WithBudget(tokens)
	in.Budget.Origin = b.Position
	return in, nil
}

// tokens is how many they are for a model, of which m is what is known.
func (b *Budget) tokens(name string, m *cento.Model) (int, error) {
	if b.Share == 0 {
		return b.Tokens, nil
	}
	if window, known := m.Window(); known {
		return int(math.Floor(b.Share * float64(window))), nil
	}
	e := &cento.SourceError{
		Code: UnknownWindow, Position: b.Position,
		Message: "the budget is a share of what the model takes in, and no model is named",
		Hint:    "name one with model or --model, or give the budget in tokens",
	}
	if name != "" {
		e.Message = fmt.Sprintf("the budget is a share of what the model takes in, and for %q that isn't known", name)
		e.Hint = "give the budget in tokens, or say what is known of the model under models"
	}
	return 0, e
}

// budget is the one that holds, in tokens; nil for none. What a request doesn't say
// of it is what the manifest says.
func (r *reader) budget(of modelInForce) (*cento.Budget, error) {
	m, asked := r.manifest.Budget, r.request.Budget
	if m == nil && asked == nil {
		return nil, nil
	}
	b := &cento.Budget{}
	if m != nil {
		b.Reserve, b.Hold, b.KeepCached, b.Policy = m.Reserve, m.Hold, m.KeepCached, m.Policy
		if asked == nil {
			asked = &Budget{m.Tokens, m.Share, m.Position}
		}
	}
	var err error
	b.Origin = asked.Position
	b.Tokens, err = asked.tokens(of.name, of.facts)
	return b, err
}
