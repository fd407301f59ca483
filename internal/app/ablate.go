package app

import (
	"context"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/prompttest"
)

// UnknownUnit: an ablation is asked for by something that there isn't.
const UnknownUnit cento.ErrorCode = "ablate.unit"

// AblateUnit says what an ablation takes out of the prompt at a time.
type AblateUnit string

// The units.
const (
	AblateFragments AblateUnit = "fragment" // each by itself
	AblateSections  AblateUnit = "section"  // what stands under one heading
	AblateSources   AblateUnit = "source"   // what one party contributed
	AblateGroups    AblateUnit = "group"    // what a budget keeps or drops together
	AblateLayers    AblateUnit = "layer"    // a layer, so that what it took out comes back
	AblateTools     AblateUnit = "tool"     // a tool that is active
)

// AblateUnits lists the units.
func AblateUnits() []string {
	return []string{string(AblateFragments), string(AblateSections), string(AblateSources), string(AblateGroups), string(AblateLayers), string(AblateTools)}
}

// Ablated is a prompt of an ablation: the whole one, or one without something.
type Ablated struct {
	// Name is that of what is taken out: the id of a fragment, the title of a section,
	// the name of another unit; whole for the whole prompt.
	Name string `json:"name"`
	// Without are the ids of what is taken out, in the order of the prompt: of fragments,
	// sections, sources and groups those that were named; of layers and tools those that
	// are out without them. None for the whole prompt.
	Without []string `json:"without"`
	// Prompt is null when nothing is left.
	Prompt *string `json:"prompt"`
	// Digest is the SHA-256 of it, in lower-case hex; null when that is null.
	Digest *string `json:"digest"`
	// Tokens is the size of the prompt, and Saved how much smaller than the whole one it
	// is; below 0 where what comes back is larger.
	Tokens int `json:"tokens"`
	Saved  int `json:"saved"`
	// Definitions is, of an ablation of tools, how many tokens the definitions of the
	// active tools take in a request, besides the prompt; else absent.
	Definitions *int `json:"definitions,omitempty"`
	// Exact is whether the model counts the same.
	Exact bool `json:"exact"`
	// Gone are ids of other fragments that are out then, such as those that need what is
	// taken out; Back of those that are in then and weren't, such as those that the
	// budget has room for; Reworded of those with another text.
	Gone     []string `json:"gone"`
	Back     []string `json:"back"`
	Reworded []string `json:"reworded"`
	// Tests are the names of the tests that fail then and pass with the whole prompt;
	// absent unless they were asked for.
	Tests *[]string `json:"tests,omitempty"`
	// Notes tell of what was read, and of what the flags change. The whole prompt alone has
	// them.
	Notes []cento.Note `json:"notes,omitempty"`
}

// WhatIfOn is what is different, for [AblateOptions].
func WhatIfOn(what WhatIf) func(*Project) (*Project, cento.Input, error) {
	return func(p *Project) (*Project, cento.Input, error) {
		in, _ := p.WhatIf(what)
		return p, in, nil
	}
}

// Ablation is the whole prompt, and for each unit the prompt without it.
type Ablation struct {
	By AblateUnit `json:"by"`
	Counting
	// Whole is the prompt with everything in it.
	Whole Ablated `json:"whole"`
	// Parts are the prompts without something, in the order of the whole prompt; layers
	// low to high, tools as they are defined.
	Parts []Ablated `json:"parts"`
}

// AblateOptions say what is taken out.
type AblateOptions struct {
	// By is the unit, empty for fragments; ByAt is where it is named, zero for a flag.
	By   AblateUnit
	ByAt cento.Position
	// On lays on a project what is different from its files in all prompts; nil: nothing
	// is.
	On func(*Project) (*Project, cento.Input, error)
	// Most is how many fragments the prompts may have together, whether these are in or
	// out; 0 for any number. What a caller asks for grows with their square.
	Most int
	// Progress is told how much is done; nil for nobody.
	Progress func(done, all int)
}

// unit is something that is taken out.
type unit struct {
	name string
	ids  []string
	make func() (*Project, cento.Input, error)
}

// Ablate makes the prompts of an ablation. Protected fragments are never taken out.
func (p *Project) Ablate(ctx context.Context, o AblateOptions) (*Ablation, error) {
	if o.By == "" {
		o.By = AblateFragments
	}
	if o.On == nil {
		o.On = func(p *Project) (*Project, cento.Input, error) { return p, p.Input, nil }
	}
	base := p
	p, in, err := o.On(base)
	if err != nil {
		return nil, err
	}
	whole, err := p.Reduce(in)
	if err != nil {
		return nil, err
	}
	units, err := p.units(ctx, in, whole, base, &o)
	if err != nil {
		return nil, err
	}
	if n := len(units) * whole.Len(); o.Most > 0 && n > o.Most {
		return nil, &cento.SourceError{
			Code: cento.LimitExceeded, Position: o.ByAt, Message: fmt.Sprintf("%d prompts of %d fragments are more than an ablation may have, %d fragments together", len(units), whole.Len(), o.Most),
			Hint: "ask by something that there is less of, such as source or section, or use cento ablate, which has no such limit",
		}
	}
	counter, about := CountInput(in)
	a := &ablater{counter: counter, whole: whole, out: &Ablation{By: o.By, Counting: about, Parts: []Ablated{}}}
	a.order = inOrder(whole)
	a.out.Whole = a.of("whole", whole)
	if o.By == AblateTools {
		if a.out.Whole.Definitions, err = definitions(p, in); err != nil {
			return nil, err
		}
	}
	for i, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i, len(units))
		}
		x, err := a.without(&u, o.By)
		if err != nil {
			return nil, fmt.Errorf("making the prompt without the %s %s: %w", o.By, u.name, err)
		}
		a.out.Parts = append(a.out.Parts, *x)
	}
	return a.out, nil
}

// units are what an ablation takes out, each with the way to the prompt without it. base
// is the project without what is laid on it.
func (p *Project) units(ctx context.Context, in cento.Input, whole *cento.Prompt, base *Project, o *AblateOptions) (out []unit, err error) {
	switch o.By {
	case AblateTools:
		for _, name := range in.ActiveTools() {
			out = append(out, unit{name: name, make: func() (*Project, cento.Input, error) { return p, in.WithoutTool(name), nil }})
		}
		return out, nil
	case AblateLayers:
		for _, name := range p.LayerNames() {
			out = append(out, unit{name: name, make: func() (*Project, cento.Input, error) {
				q, err := base.WithLayers(ctx, LayerChoice{Without: []string{name}})
				if err != nil {
					return nil, cento.Input{}, err
				}
				return o.On(q)
			}})
		}
		return out, nil
	}
	nameOf := map[AblateUnit]func(cento.Fragment, *cento.Trace) string{
		AblateFragments: func(_ cento.Fragment, t *cento.Trace) string { return t.ID },
		AblateSources:   func(_ cento.Fragment, t *cento.Trace) string { return t.Source },
		AblateGroups:    func(f cento.Fragment, _ *cento.Trace) string { return f.Group },
		AblateSections: func(_ cento.Fragment, t *cento.Trace) string {
			if t.Section == nil {
				return ""
			}
			return *t.Section
		},
	}[o.By]
	if nameOf == nil {
		return nil, &cento.SourceError{Code: UnknownUnit, Position: o.ByAt, Message: fmt.Sprintf("nothing is taken out by %q", string(o.By)), Hint: NearestHint(string(o.By), AblateUnits())}
	}
	at := map[string]int{}
	for _, i := range placed(whole) {
		f, t := whole.Fragment(i), whole.Trace(i, cento.ExplainOptions{})
		name := nameOf(f, &t)
		if name == "" || f.Protected || f.Tail {
			continue
		}
		k, known := at[name]
		if !known {
			k, at[name] = len(out), len(out)
			out = append(out, unit{name: name})
		}
		out[k].ids = append(out[k].ids, t.ID)
	}
	for i := range out {
		u := &out[i]
		u.make = func() (*Project, cento.Input, error) { return p, in.WithoutFragments(u.ids...), nil }
	}
	return out, nil
}

// placed are the included fragments of a prompt by number, in the order of its text.
func placed(p *cento.Prompt) []int {
	var out []int
	start := map[int]int{}
	for i := range p.Len() {
		if from, _, in := p.Extent(i); in {
			start[i] = from
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return start[a] - start[b] })
	return out
}

// inOrder are the ids of those.
func inOrder(p *cento.Prompt) []string {
	var out []string
	for _, i := range placed(p) {
		out = append(out, p.Fragment(i).ID)
	}
	return out
}

// ablater compares prompts with the whole one.
type ablater struct {
	counter cento.Counter
	whole   *cento.Prompt
	order   []string // the ids in it
	out     *Ablation
}

// of is a prompt as it is told.
func (a *ablater) of(name string, p *cento.Prompt) Ablated {
	b := Built(p)
	x := Ablated{Name: name, Without: []string{}, Prompt: b.System, Digest: b.Digest, Exact: a.counter.Exact(), Gone: []string{}, Back: []string{}, Reworded: []string{}}
	if b.System != nil {
		x.Tokens = a.counter.Count(*b.System)
	}
	return x
}

// without is the prompt without a unit.
func (a *ablater) without(u *unit, by AblateUnit) (*Ablated, error) {
	q, in, err := u.make()
	if err != nil {
		return nil, err
	}
	prompt, err := q.Reduce(in)
	if err != nil {
		return nil, err
	}
	x := a.of(u.name, prompt)
	x.Saved = a.out.Whole.Tokens - x.Tokens
	if by == AblateTools {
		if x.Definitions, err = definitions(q, in); err != nil {
			return nil, err
		}
	}
	named := setOf(u.ids)
	isIn := func(p *cento.Prompt, id string) (int, bool) {
		i, ok := p.Index(id)
		return i, ok && p.In(i)
	}
	for _, id := range a.order {
		i, _ := a.whole.Index(id)
		k, in := isIn(prompt, id)
		switch {
		case !in && (named[id] || u.ids == nil):
			x.Without = append(x.Without, id)
		case !in:
			x.Gone = append(x.Gone, id)
		case a.whole.Text(i) != prompt.Text(k):
			x.Reworded = append(x.Reworded, id)
		}
	}
	for _, id := range inOrder(prompt) {
		if _, was := isIn(a.whole, id); !was {
			x.Back = append(x.Back, id)
		}
	}
	return &x, nil
}

// definitions is how many tokens the definitions of the active tools take.
func definitions(p *Project, in cento.Input) (*int, error) {
	room, err := p.room(in)
	if err != nil {
		return nil, err
	}
	return &room.Tools, nil
}

// AblateTests adds to an ablation which tests of the project fail without each part. The
// tests are those of the request's project; each has a target and changes of its own.
func AblateTests(ctx context.Context, r Request, a *Ablation, progress func(what string, done, all int)) (*TestAnswer, error) {
	o := TestOptions{Without: make([]prompttest.Removal, len(a.Parts)), Progress: progress}
	for i := range a.Parts {
		switch x := &a.Parts[i]; a.By {
		case AblateTools:
			o.Without[i].Tool = x.Name
		case AblateLayers:
			o.Without[i].Layer = x.Name
		default:
			o.Without[i].IDs = x.Without
		}
	}
	tests, err := Test(ctx, r, o)
	if err != nil {
		return nil, err
	}
	for i := range a.Parts {
		a.Parts[i].Tests = &tests.Noticed[i]
	}
	return tests, nil
}
