package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// Comparison is what differs between two prompts, and why.
type Comparison struct {
	cento.Difference
	// Flips say of each of the verdicts by which gate it came about.
	Flips []Flip `json:"flips"`
	// Gates are conditions, importances and the like that are said otherwise, whether
	// or not a byte of the prompt is another for it.
	Gates []GateChange `json:"gates"`
	// Weights are fragments whose part of the prompt has another number of tokens.
	Weights []WeightChange `json:"weights"`
	// Parting is the first byte that differs; null where both texts are the same.
	Parting *Parting `json:"parting"`

	from, to *cento.Explanation
}

// Differing is what differs between the prompts of two sides.
type Differing struct {
	Left  Side `json:"left"`
	Right Side `json:"right"`
	Comparison

	Remarks []Remark `json:"-"`
	// Notes tell of what was read for either side, and of what the flags change.
	Notes []cento.Note `json:"notes,omitempty"`
	// Summaries say what the prompts are made of.
	Summaries []string `json:"-"`
}

// Flip is why a verdict is another one.
type Flip struct {
	ID string `json:"id"`
	// Gate is the code of the side on which the fragment is out.
	Gate cento.Code `json:"gate"`
	// By is "definition" where the gates of the fragment are said otherwise, "values"
	// where what they ask about is another.
	By string `json:"by"`
}

// GateChange is a member of a fragment that is another on the right side.
type GateChange struct {
	ID    string `json:"id"`
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// WeightChange is how many tokens a fragment has in the prompt; 0 when it is out.
type WeightChange struct {
	ID   string `json:"id"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Parting is where two prompts part.
type Parting struct {
	// Offset is the first byte that differs.
	Offset int `json:"offset"`
	// Fragment is whose text it is, on the right or else on the left; empty for a
	// byte between fragments.
	Fragment string `json:"fragment"`
	// Shared are the tokens before it, Behind those of the right side from there on.
	Shared int `json:"shared_tokens"`
	Behind int `json:"behind_tokens"`
	// Exact is whether the model counts the same.
	Exact bool `json:"exact"`
	// Cost is what the right side costs with the left one in the prompt cache, and
	// Unchanged what the left one would cost again: in US dollars, by the prices of the
	// model. Both are null where these, or how its cache works, aren't known.
	Cost      *float64 `json:"cost"`
	Unchanged *float64 `json:"unchanged_cost"`
}

// Empty reports whether nothing differs.
func (d *Comparison) Empty() bool {
	return d.Difference.Empty() && len(d.Gates) == 0 && d.Parting == nil
}

// In reports whether a fragment is in, on the left and on the right.
func (d *Comparison) In(id string) (left, right bool) {
	return includes(d.from, id), includes(d.to, id)
}

// Bytes are the sizes of both prompts.
func (d *Comparison) Bytes() (left, right int) { return d.from.Bytes, d.to.Bytes }

// Text is what a fragment brought into the prompt of the right side, or of the left one
// where it isn't in there.
func (d *Comparison) Text(id string) string {
	for _, e := range []*cento.Explanation{d.to, d.from} {
		for i := range e.Fragments {
			if t := &e.Fragments[i]; t.ID == id && t.Included && t.Span != nil && e.System != nil {
				return (*e.System)[t.Span[0]:t.Span[1]]
			}
		}
	}
	return ""
}

func includes(e *cento.Explanation, id string) bool {
	return slices.ContainsFunc(e.Fragments, func(t cento.Trace) bool { return t.ID == id && t.Included })
}

// Diff tells what differs between two sides. Beside an error there are the remarks and
// notes on what was read until then.
func Diff(ctx context.Context, r *DiffRequest) (*Differing, error) {
	s, left, right, err := readSides(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &Differing{}
	a, b, err := s.both(left, right)
	if a != nil {
		out.Notes, out.Summaries = a.notes, summaries(a)
	}
	if b != nil {
		out.Notes, out.Summaries = JoinNotes(out.Notes, b.notes), summaries(a, b)
	}
	if err != nil {
		return out, err
	}
	return s.compare(a, b)
}

// readSides says what the sides of a request are.
func readSides(ctx context.Context, r *DiffRequest) (s *sides, left, right Side, err error) {
	s = &sides{ctx: ctx, r: r}
	request := r.Request
	request.Target = ""
	if s.targets, err = r.Site.Targets(request); err != nil {
		s.targets = nil // whoever reads the files as they are tells
	}
	left, right, err = s.parse()
	return s, left, right, err
}

func (s *sides) both(left, right Side) (a, b *made, err error) {
	revision := left.Kind == RevisionSide || right.Kind == RevisionSide
	if a, err = s.open(left, revision); err != nil {
		return nil, nil, err
	}
	if right == left && a.project != nil {
		same := *a
		return a, &same, nil
	}
	if left.Kind == TargetSide && right.Kind == TargetSide { // one reading
		p, err := a.project.Target(s.ctx, right.Target)
		if err != nil {
			return a, nil, err
		}
		return a, &made{Side: right, project: p}, nil
	}
	b, err = s.open(right, revision)
	return a, b, err
}

// compare makes the prompts of both sides and sets them beside each other.
func (s *sides) compare(a, b *made) (*Differing, error) {
	out := &Differing{Left: a.Side, Right: b.Side, Comparison: Comparison{Flips: []Flip{}, Gates: []GateChange{}, Weights: []WeightChange{}}}
	out.Notes, out.Summaries = JoinNotes(a.notes, b.notes), summaries(a, b)
	if b.project != nil && len(s.r.Layers.Only)+len(s.r.Layers.Without) > 0 {
		p, err := b.project.WithLayers(s.ctx, s.r.Layers)
		if err = cmp.Or(b.lost(), err); err != nil {
			return out, b.at(err)
		}
		b.project = p
	}
	for _, m := range []*made{a, b} {
		if m.project == nil || m.prompt != nil { // a record, or made before
			continue
		}
		what := s.r.Both
		if m == b {
			what = s.r.Right
		}
		var remarks []Remark
		m.input, remarks = m.project.WhatIf(what)
		out.Remarks = append(out.Remarks, remarks...)
		var err error
		if m.prompt, err = m.project.Reduce(m.input); err != nil {
			return out, m.at(err)
		}
		if err := s.ctx.Err(); err != nil {
			return out, err
		}
		notes := slices.Clone(m.prompt.Notes()[len(m.input.Notes):])
		for i := range notes {
			notes[i].Position = m.ofRevision(notes[i].Position)
		}
		out.Notes = JoinNotes(out.Notes, notes)
	}
	counter, _ := CountInput(b.input)
	if b.prompt == nil {
		counter, _ = CountInput(a.input)
	}
	for _, m := range []*made{a, b} {
		if m.prompt != nil {
			m.explains = m.prompt.Explain(cento.ExplainOptions{Counter: counter, ExcludedTexts: true})
		}
		if err := s.ctx.Err(); err != nil {
			return out, err
		}
	}
	out.Notes = JoinNotes(JoinNotes(out.Notes, asOfNow(a, b)), otherProjects(a, b))
	out.from, out.to = a.explains, b.explains
	if a.prompt != nil && b.prompt != nil {
		out.Difference = *cento.Diff(a.prompt, b.prompt)
		out.Tokens = tokenChange(a, *b.explains.Tokens, counter)
		out.Gates = append(out.Gates, gateChanges(a.prompt, b.prompt)...)
	} else {
		out.Difference = *cento.DiffExplained(a.explains, b.explains)
	}
	out.flips()
	out.weights()
	out.part(counter)
	if out.Parting != nil && a.prompt != nil && b.prompt != nil {
		s.price(out.Parting, a, b)
	}
	return out, nil
}

// CodeProjects is the code of a note: two records of different projects are compared.
const CodeProjects cento.Code = "diff.projects"

// otherProjects notes that two records are of different projects. A record that is compared
// with files is one of a session of their project.
func otherProjects(a, b *made) []cento.Note {
	if a.Kind != RecordSide || b.Kind != RecordSide || a.of == b.of {
		return nil
	}
	return []cento.Note{{
		Code: CodeProjects, Message: fmt.Sprintf("%s is a record of the project %q, and %s of %q", a.Name, a.of, b.Name, b.of),
	}}
}

// tokenChange is the size of both prompts, each as its own model counts it.
func tokenChange(a *made, to int, counter cento.Counter) *cento.TokenChange {
	from, own := *a.explains.Tokens, counter
	if c, _ := CountInput(a.input); c.Name() != counter.Name() {
		own = c
		text, _ := a.prompt.System()
		from = c.Count(text)
	}
	return &cento.TokenChange{From: from, To: to, Exact: own.Exact() && counter.Exact()}
}

// JoinNotes is a list of notes with those behind it that it hasn't yet.
func JoinNotes(list, more []cento.Note) []cento.Note {
	list = slices.Clone(list)
	known := make(map[cento.Note]bool, len(list))
	for _, n := range list {
		known[n] = true
	}
	for _, n := range more {
		if !known[n] {
			known[n] = true
			list = append(list, n)
		}
	}
	return list
}

// gateChanges compares what fragments of both sides say of when they are in.
func gateChanges(a, b *cento.Prompt) []GateChange {
	var out []GateChange
	for j := range b.Len() {
		g := b.Fragment(j)
		i, ok := a.Index(g.ID)
		if !ok {
			continue
		}
		f := a.Fragment(i)
		for _, x := range []struct{ field, from, to string }{
			{"requires_tools", strings.Join(f.RequiresTools, ", "), strings.Join(g.RequiresTools, ", ")},
			{"requires_any_tools", strings.Join(f.RequiresAnyTools, ", "), strings.Join(g.RequiresAnyTools, ", ")},
			{"requires_caps", strings.Join(f.RequiresCaps, ", "), strings.Join(g.RequiresCaps, ", ")},
			{"when", f.When, g.When},
			{"needs", strings.Join(f.Needs, ", "), strings.Join(g.Needs, ", ")},
			{"importance", importance(&f), importance(&g)},
			{"group", f.Group, g.Group},
			{"stability", f.Stability.String(), g.Stability.String()},
		} {
			if x.from != x.to {
				out = append(out, GateChange{g.ID, x.field, x.from, x.to})
			}
		}
	}
	return out
}

func importance(f *cento.Fragment) string {
	if f.Protected {
		return "protected"
	}
	return f.Importance.String()
}

// definition are the members of a fragment that decide whether it is in.
var definition = []string{"requires_tools", "requires_any_tools", "requires_caps", "when", "needs"}

func (d *Comparison) flips() {
	code := map[string]cento.Code{}
	for _, e := range []*cento.Explanation{d.from, d.to} {
		for i := range e.Fragments {
			if t := &e.Fragments[i]; !t.Included {
				code[t.ID] = t.Code
			}
		}
	}
	redefined := map[string]bool{}
	for _, g := range d.Gates {
		if slices.Contains(definition, g.Field) {
			redefined[g.ID] = true
		}
	}
	for _, v := range d.Verdicts {
		f := Flip{ID: v.ID, Gate: code[v.ID], By: "values"}
		if redefined[v.ID] {
			f.By = "definition"
		}
		d.Flips = append(d.Flips, f)
	}
}

func (d *Comparison) weights() {
	tokens := func(e *cento.Explanation) map[string]int {
		out := map[string]int{}
		for i := range e.Fragments {
			if t := &e.Fragments[i]; t.Tokens != nil {
				out[t.ID] = *t.Tokens
			}
		}
		return out
	}
	if d.from.Tokens == nil || d.to.Tokens == nil || *d.from.Encoding != *d.to.Encoding {
		return // counted otherwise, or not at all
	}
	from, to := tokens(d.from), tokens(d.to)
	for i := range d.to.Fragments {
		id := d.to.Fragments[i].ID
		if from[id] != to[id] {
			d.Weights = append(d.Weights, WeightChange{id, from[id], to[id]})
		}
		delete(from, id)
	}
	for i := range d.from.Fragments {
		id := d.from.Fragments[i].ID
		if n, gone := from[id]; gone && n > 0 {
			d.Weights = append(d.Weights, WeightChange{id, n, 0})
		}
	}
}

// part finds the first byte that differs.
func (d *Comparison) part(counter cento.Counter) {
	text := func(e *cento.Explanation) string {
		if e.System == nil {
			return ""
		}
		return *e.System
	}
	a, b := text(d.from), text(d.to)
	if a == b && (d.from.System == nil) == (d.to.System == nil) {
		return
	}
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	whole := at // a character isn't counted in halves
	for whole > 0 && whole < len(b) && !utf8.RuneStart(b[whole]) {
		whole--
	}
	p := &Parting{Offset: at, Shared: counter.Count(b[:whole]), Behind: counter.Count(b[whole:]), Exact: counter.Exact()}
	for _, e := range []*cento.Explanation{d.to, d.from} {
		for i := range e.Fragments {
			if t := &e.Fragments[i]; p.Fragment == "" && t.Span != nil && t.Span[0] <= at && at < t.Span[1] {
				p.Fragment = t.ID
			}
		}
	}
	d.Parting = p
}

// price says what it costs that the prompts part, where the model is known.
func (s *sides) price(p *Parting, a, b *made) {
	if b.input.Model == nil {
		return
	}
	row := cache.New(cache.Options{})
	var steps []*cache.StepReport
	for _, m := range []*made{a, a, b} {
		var r wire.Request
		chosen := false
		if m.project != nil {
			var err error
			if r, chosen, err = m.project.WireRequest(m.input, m.prompt); err != nil {
				return // of further members that nobody agreed to: no such request is sent
			}
		} else if r.Model = m.input.Model; r.Model != nil {
			r.Prompt, r.Tools, r.Active = m.prompt, m.input.Tools, append([]string{}, m.input.ActiveTools()...)
			chosen = r.Form.UnmarshalText([]byte(r.Model.Wire)) == nil
		}
		if !chosen {
			return
		}
		r.Counter = CounterOf(m.input)
		step, err := row.Add(cache.Step{At: time.Time{}, Request: r, Input: &m.input})
		if err != nil || step.Cost == nil {
			return
		}
		steps = append(steps, step)
	}
	p.Unchanged, p.Cost = &steps[1].Cost.Predicted, &steps[2].Cost.Predicted
}

// summaries are what sides say of themselves, each once.
func summaries(list ...*made) (out []string) {
	for _, m := range list {
		if m.summary != "" && !slices.Contains(out, m.summary) {
			out = append(out, m.summary)
		}
	}
	return out
}
