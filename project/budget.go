package project

import (
	"fmt"
	"math"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
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
	of := modelInForce{name: in.Active.Model, facts: in.Model}
	window, known := of.facts.Window()
	tokens, err := b.tokens(of, window, known, model.Default())
	if err != nil {
		return in, err
	}
	anew := in.Budget == nil
	in = in.WithBudget(tokens)
	if in.Budget.Origin = b.Position; anew {
		in.Budget.Form = formOf(in.Model)
	}
	return in, nil
}

// formOf is the form of the requests to a model; "" where nobody knows.
func formOf(m *cento.Model) string {
	if wire.FormOf(m) == 0 {
		return ""
	}
	return m.Wire
}

// InForm is an input whose budget, if it has one, counts the request that its prompt is
// for: of the form that is named, else of the manifest's, else of the model's. A name
// that isn't a form's is none.
func (p *Project) InForm(in cento.Input, form string) cento.Input {
	if in.Budget == nil {
		return in
	}
	b := *in.Budget
	if b.Form, b.Sections = formOf(in.Model), ""; p.from != nil {
		p.from.inForm(&b, in.Model)
	}
	if wire.RequestForm(form, "") != nil {
		if b.Form = form; p.from != nil {
			b.Sections = p.from.sections(in.Model)
		}
	}
	in.Budget = &b
	return in
}

// inForm gives a budget the form that the manifest names, and how its sections are
// parted where a form is known.
func (r *reader) inForm(b *cento.Budget, m *cento.Model) {
	if f := r.manifest.Wire.Form; f != nil {
		b.Form = f.String()
	}
	if b.Form != "" {
		b.Sections = r.sections(m)
	}
}

// sections is how the manifest parts sections for a model; "" for the default.
func (r *reader) sections(m *cento.Model) string {
	if s := r.manifest.Wire.Sections.For(m); s != wire.Markdown {
		return s.String()
	}
	return ""
}

// Window is how much a request of the project may take, of the form that the manifest
// names, else the model's: what the model of an input takes in, or the window that Ollama is
// asked to run it with where that is less. The position is where the manifest asks for that;
// zero where the model's own holds. False where neither is known.
func (p *Project) Window(in cento.Input) (tokens int, asked cento.Position, known bool) {
	tokens, known = in.Model.Window()
	if p.from == nil {
		return tokens, asked, known
	}
	own, ownKnown := tokens, known
	if tokens, known = p.from.window(in.Model); known && (!ownKnown || tokens < own) {
		asked = p.SettingPosition("wire", "extra", "options", "num_ctx")
	}
	return tokens, asked, known
}

// window is how much a request to a model may take, as the manifest has requests.
func (r *reader) window(of *cento.Model) (int, bool) {
	form := wire.FormOf(of)
	w := &r.manifest.Wire
	switch {
	case w.Form != nil:
		form = *w.Form
	case form == 0:
		return of.Window()
	}
	return form.Window(of, w.Extra)
}

// tokens is how many they are for a model, with the window that requests to it have; known
// are the models that there are.
func (b *Budget) tokens(of modelInForce, window int, said bool, known *model.Catalog) (int, error) {
	if b.Share == 0 {
		return b.Tokens, nil
	}
	if said {
		return int(math.Floor(b.Share * float64(window))), nil
	}
	e := &cento.SourceError{
		Code: UnknownWindow, Position: b.Position,
		Message: "the budget is a share of what the model takes in, and no model is named",
		Hint:    "name one with model or --model, or give the budget in tokens",
	}
	if of.name != "" {
		e.Message = fmt.Sprintf("the budget is a share of what the model takes in, and for %q that isn't known", of.name)
		e.Hint = "give the budget in tokens, or say what is known of the model under models"
		if near := known.Nearest(of.name); near != "" && near != of.name {
			e.Hint = fmt.Sprintf("did you mean %q? Else %s", near, e.Hint)
		}
		if !of.at.IsZero() && of.at != b.Position {
			e.Related = []cento.Related{{Position: of.at, Message: "the model is named here"}}
		}
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
	b := &cento.Budget{Form: formOf(of.facts)}
	r.inForm(b, of.facts)
	if m != nil {
		b.Reserve, b.Hold, b.KeepCached, b.Policy = m.Reserve, m.Hold, m.KeepCached, m.Policy
		if asked == nil {
			asked = &Budget{m.Tokens, m.Share, m.Position}
		}
	}
	var err error
	b.Origin = asked.Position
	window, said := r.window(of.facts)
	b.Tokens, err = asked.tokens(of, window, said, r.models())
	return b, err
}
