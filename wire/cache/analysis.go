package cache

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// Step is one request of a row.
type Step struct {
	// Name is how the report calls it.
	Name string
	// At is when it was sent; zero where that isn't known.
	At time.Time
	// Request is what the body is written of. Its Counter, or else that of its model,
	// counts.
	Request wire.Request
	// Input is what its prompt was made of; nil where nobody knows. Then causes are
	// told by the prompts alone, and there are no hints.
	Input *cento.Input
	// Body, where it isn't empty, is the body itself: of Request the form, the model
	// and the counter are read.
	Body string
	// Blocks are what was kept of the request as it was sent: of the conversation, and of
	// tools that Request doesn't have, they say how far two requests are alike, without
	// their texts. Nil: it was sent as Request says.
	Blocks []wire.Block
	// Billed is what the provider billed for it; nil where nobody told.
	Billed *wire.Usage

	tried Change // the step is made again with a change
}

// Options say what an analysis can do.
type Options struct {
	// Price stands instead of that of the models; nil for theirs.
	Price *cento.ModelPrice
	// Reduce makes prompts again, to try hints and to find what flipped a branch; nil:
	// [cento.Reduce], which renders no prompt files.
	Reduce func(cento.Input) (*cento.Prompt, error)
}

// Analysis takes requests in the order in which they were sent. It keeps the last
// one, and digests of the others. Use it from one goroutine.
type Analysis struct {
	o      Options
	report Report
	rules  rules
	actual row
	best   row
	inTurn row
	// owned: of all steps by now it is known which fragment is where.
	owned  bool
	last   *prepared
	hinted map[hintKey]int
}

// row is a row of requests with what the provider keeps of them.
type row struct {
	*memory
	last *view
}

// prepared is a step with its request as the cache reads it.
type prepared struct {
	step    Step
	view    *view
	counter cento.Counter
	losses  []wire.Loss
}

type hintKey struct {
	kind     Kind
	fragment string
	what     string
}

// New begins an analysis.
func New(o Options) *Analysis {
	if o.Reduce == nil {
		o.Reduce = cento.Reduce
	}
	return &Analysis{o: o, owned: true, hinted: map[hintKey]int{}}
}

// prepare writes a step's request and reads it as the cache does; before is the one
// before, nil for none. The errors are
// those of [wire.Build] and [wire.Parts].
func prepare(s Step, before *prepared) (*prepared, error) {
	r := s.Request
	name := ""
	if r.Model != nil {
		name = r.Model.Name
	}
	if r.Counter == nil {
		r.Counter = token.CounterFor(name)
		s.Request.Counter = r.Counter
	}
	r.Form = cmp.Or(r.Form, wire.FormOf(r.Model))
	s.Request.Form = r.Form
	out := &prepared{step: s, counter: r.Counter}
	body := s.Body
	var result *wire.Result
	if body == "" {
		var err error
		if result, err = wire.Build(r); err != nil {
			return nil, err
		}
		body, out.losses = result.Body, result.Losses
	}
	var old *view
	if before != nil {
		old = before.view
	}
	var err error
	out.view, err = newView(&s, body, name, result, old)
	return out, err
}

// Add takes the next request and tells what became of it. The errors are those of
// [wire.Build] and [wire.Parts]; the request then counts as not sent.
func (a *Analysis) Add(s Step) (*StepReport, error) {
	next, err := prepare(s, a.last)
	if err != nil {
		return nil, err
	}
	r := &next.step.Request
	if a.last == nil {
		a.begin(next)
	}
	a.rules = rulesFor(r.Form, r.Model) // another model has others
	for _, m := range []*memory{a.actual.memory, a.best.memory, a.inTurn.memory} {
		m.rules = a.rules
	}
	v := next.view
	out := StepReport{Name: s.Name, Bytes: v.bytes, Tokens: v.tokens, Marks: []Mark{}, Causes: []Cause{}, Losses: next.losses}
	if !s.At.IsZero() {
		at := s.At
		out.At = &at
	}
	var c compared
	left := a.actual.left
	if a.last != nil {
		c = compare(a.last.view, v, next.counter)
		out.SharedBytes, out.SharedTokens, out.Difference = c.bytes, c.tokens, c.difference
	}
	x := a.actual.send(v, s.At, c.tokens)
	out.Marks = append(out.Marks, x.marks...)
	if l, ok := a.rules.unkept(next); ok {
		out.Losses = append(slices.Clip(out.Losses), l)
	}
	if a.rules.known {
		p := x.Prediction
		out.Prediction = &p
		if a.last != nil && (c.difference != nil || x.expired != nil) {
			out.Lost = max(left-x.Read, 0)
		}
	}
	if a.last != nil {
		out.Causes = append(out.Causes, a.causes(a.last, next, c, x)...)
	}
	a.price(&out, next, x)
	a.bill(&out, s)
	a.report.Steps = append(a.report.Steps, out)
	told := &a.report.Steps[len(a.report.Steps)-1]
	if a.rules.known && len(told.Causes) > 0 {
		a.hint(told, a.last, next)
	}
	a.sum(told)
	a.report.Exact = a.report.Exact && v.exact && !v.mixed && !v.hasTools()
	a.report.Uncounted = append(a.report.Uncounted, v.data...)
	slices.Sort(a.report.Uncounted)
	a.report.Uncounted = slices.Compact(a.report.Uncounted)
	a.last = next
	return told, nil
}

// begin says what holds for the whole row.
func (a *Analysis) begin(first *prepared) {
	r := &first.step.Request
	a.actual.memory, a.best.memory, a.inTurn.memory = newMemory(rules{}), newMemory(rules{}), newMemory(rules{})
	a.report = Report{Model: first.view.model, Order: []string{}, Encoding: first.counter.Name(), Exact: true, Steps: []StepReport{}}
	if r.Model != nil && !r.Form.ForeignTo(r.Model) {
		a.report.Cache = r.Model.Cache.Kind
	}
	for _, kind := range wire.PrefixOrder(r.Form) {
		a.report.Order = append(a.report.Order, map[wire.PartKind]string{wire.ToolPart: "tools", wire.SystemPart: "system", wire.MessagePart: "messages"}[kind])
	}
	a.report.Sum.Billed = new(Billed)
	a.report.Sum.Prediction = &Prediction{ByTTL: map[string]int{}}
	a.report.Sum.Cost = &Cost{BestOrder: new(float64), InTurn: new(float64)}
}

// price tells what the request costs, and what it would in other orders.
func (a *Analysis) price(out *StepReport, next *prepared, x outcome) {
	v, m := next.view, next.step.Request.Model
	a.owned = a.owned && (v.owners != nil || v.system == "")
	price := a.o.Price
	if price == nil && m != nil {
		price = &m.Price
	}
	if price == nil || !a.rules.known {
		return
	}
	var c Cost
	var unpriced []string
	c.Predicted, unpriced = cost(price, v.tokens, x.Prediction)
	if unpriced == nil { // of these the price of the input is one
		c.Uncached, unpriced = cost(price, v.tokens, Prediction{Paid: v.tokens})
	}
	if unpriced != nil {
		a.report.Unpriced = append(a.report.Unpriced, unpriced...)
		slices.Sort(a.report.Unpriced)
		a.report.Unpriced = slices.Compact(a.report.Unpriced)
		return
	}
	if a.owned {
		c.BestOrder = a.best.cost(next, next.ordered(a.rules, a.best.last), price)
		if turned, ok := a.inTheTurn(next); ok {
			c.InTurn = a.inTurn.cost(next, turned.view, price)
		}
	}
	out.Cost = &c
}

// cost sends another form of the request, and tells what that costs.
func (r *row) cost(next *prepared, v *view, price *cento.ModelPrice) *float64 {
	shared := 0
	if r.last != nil {
		shared = compare(r.last, v, next.counter).tokens
	}
	x := r.send(v, next.step.At, shared)
	r.last = v
	if c, unpriced := cost(price, v.tokens, x.Prediction); unpriced == nil {
		return &c
	}
	return nil
}

func (a *Analysis) sum(s *StepReport) {
	t := &a.report.Sum
	t.Tokens += s.Tokens
	t.Lost += s.Lost
	switch p := s.Prediction; {
	case t.Prediction == nil:
	case p == nil:
		t.Prediction = nil
	default:
		t.Prediction.Read += p.Read
		t.Prediction.Written += p.Written
		t.Prediction.Paid += p.Paid
		for ttl, n := range p.ByTTL {
			t.Prediction.ByTTL[ttl] += n
		}
	}
	switch c := t.Cost; {
	case c == nil:
	case s.Cost == nil:
		t.Cost = nil
	default:
		c.Predicted, c.Uncached = dollars(c.Predicted+s.Cost.Predicted), dollars(c.Uncached+s.Cost.Uncached)
		c.BestOrder, c.InTurn = plus(c.BestOrder, s.Cost.BestOrder), plus(c.InTurn, s.Cost.InTurn)
	}
}

func plus(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	sum := dollars(*a + *b)
	return &sum
}

// Report is what became of the requests by now. Of no request it is empty.
func (a *Analysis) Report() *Report {
	r := a.report
	if r.Steps == nil {
		r.Order, r.Steps = []string{}, []StepReport{}
	}
	return &r
}

// ordered is the request with the fragments of its prompt ordered by how often they
// change, marked as [wire.Build] marks.
func (p *prepared) ordered(r rules, before *view) *view {
	v := p.view
	if sortedOwners(v.owners) {
		return v
	}
	sorted := slices.Clone(v.owners)
	slices.SortStableFunc(sorted, func(a, b owner) int { return cmp.Compare(a.stability, b.stability) })
	var groups []wire.Part
	for i, o := range sorted {
		if i == 0 || o.stability != sorted[i-1].stability {
			groups = append(groups, wire.Part{Kind: wire.SystemPart, Pointer: fmt.Sprintf("/%d", i)})
			g := &groups[len(groups)-1]
			ttl := map[cento.Stability]string{cento.Static: p.step.Request.Cache.StaticTTL, cento.PerSession: p.step.Request.Cache.SessionTTL}[o.stability]
			g.Marked = r.marks && !p.step.Request.Cache.Off && o.stability != cento.PerTurn
			g.TTL = ttl
		}
		groups[len(groups)-1].Text += v.system[o.start:o.end]
	}
	return p.with(groups, before)
}

// inTheTurn is the request as it is with the reminders in the turn: the same one where
// it has none in its system prompt. It is false where that can't be made.
func (a *Analysis) inTheTurn(p *prepared) (*prepared, bool) {
	if !slices.ContainsFunc(p.view.owners, func(o owner) bool { return o.reminder }) {
		return p, true
	}
	t := trial{a: a}
	return t.changed(Hint{Change: PlaceInTurn}, p)
}

// with is the request with another system prompt.
func (p *prepared) with(system []wire.Part, before *view) *view {
	old := p.view
	v := &view{model: old.model, exact: old.exact, form: old.form, rest: old.rest, sealed: old.sealed}
	var parts []wire.Part
	tools := -1
	for i := range old.units {
		u := old.units[i]
		switch u.Kind {
		case wire.SystemPart:
			parts = append(parts, system...)
			continue
		case wire.ToolPart:
			tools = max(tools, 0) + u.after - u.before
		}
		parts = append(parts, u.Part)
	}
	v.read(parts, p.counter, tools, before)
	return v
}
