package prompttest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
)

// Coverage tells which decisions of a project some run saw go either way: each gated
// fragment in and out, each branch of a prompt file rendered.
type Coverage struct {
	Covered int `json:"covered"`
	All     int `json:"all"`
	// Missing are those that no run saw, gates in the order of declaration, then
	// branches by file and place.
	Missing []Uncovered `json:"missing"`
}

// Uncovered is a decision that no run saw go one way.
type Uncovered struct {
	// Kind is gate or branch.
	Kind string `json:"kind"`
	// ID is that of the gated fragment.
	ID       string         `json:"id,omitempty"`
	Position cento.Position `json:"position"`
	// Message says what never was.
	Message string `json:"message"`
}

// Percent is how much is covered; 100 where there is nothing to cover.
func (c *Coverage) Percent() float64 { return percent(c.Covered, c.All) }

func percent(part, all int) float64 {
	if all == 0 {
		return 100
	}
	return 100 * float64(part) / float64(all)
}

// fragmentKey tells fragments apart: an id may stand for another text in a target.
type fragmentKey struct {
	id     string
	origin cento.Position
}

func keyOf(f *cento.Fragment) fragmentKey { return fragmentKey{f.ID, f.Origin} }

// declared are the compiled inputs of the manifest and of its targets, as they stand.
// Those that can't be made are left out.
func (l *library) declared(ctx context.Context) []*plan {
	var out []*plan
	for _, target := range append([]string{""}, l.suite.targets...) {
		w := &manifest.With{}
		r := l.open(ctx, target, w)
		if r.err != nil {
			continue
		}
		if p := r.plan(r.input(w)); p.err == nil {
			out = append(out, p)
		}
	}
	return out
}

// own reports for each fragment of a plan whether it is the project's: written in its
// manifest, its layers, prompt files or packs. What is built in, what servers say, the
// profile, the instructions of people and their skills aren't.
func (p *plan) own() func(f *cento.Fragment) bool {
	foreign := map[string]bool{}
	for i := range p.in.Tools {
		if t := &p.in.Tools[i]; t.Server != "" {
			foreign["tool:"+t.Name+".guidance"] = true
		}
	}
	return func(f *cento.Fragment) bool {
		switch {
		case f.Tail || f.Excluded != nil || foreign[f.ID]:
			return false
		case strings.HasPrefix(f.ID, "server:") || strings.HasPrefix(f.ID, "skill:") || strings.HasPrefix(f.ID, "profile:"):
			return false
		}
		return f.Trust == cento.TrustWorkspace || f.Trust == cento.TrustTool
	}
}

// gated reports whether anything decides about a fragment.
func gated(f *cento.Fragment) bool {
	return len(f.RequiresTools)+len(f.RequiresAnyTools)+len(f.RequiresCaps)+len(f.Needs) > 0 || strings.TrimSpace(f.When) != ""
}

// coverage holds what runs saw against what the project decides.
func (l *library) coverage(ctx context.Context, done []ran) (*Coverage, error) {
	type seen struct{ in, out bool }
	was := map[fragmentKey]*seen{}
	taken := map[pack.Branch]bool{}
	rendered := map[string]bool{} // by what the text is made of
	asked := map[*assembled]bool{}
	for _, r := range done {
		a := r.prompt
		if a == nil || a.err != nil || asked[a] {
			continue
		}
		asked[a] = true
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		engine, err := a.plan.engineOf(a.in)
		if err != nil {
			return nil, err
		}
		active := a.in.Active
		active.Tools = a.in.ActiveTools()
		for i := range a.Len() {
			f := &a.plan.fragments[i]
			k := keyOf(f)
			if was[k] == nil {
				was[k] = &seen{}
			}
			switch code := a.Code(i); {
			case a.In(i):
				was[k].in = true
			case code != cento.CodeBudgetDropped && code != cento.CodeBodyEmpty:
				was[k].out = true
			}
			if !a.In(i) || f.Template == "" {
				continue
			}
			if made := engine.Key(f, active); made != "" {
				if rendered[made] {
					continue
				}
				rendered[made] = true
			}
			branches, err := engine.Taken(f, active)
			if err != nil {
				return nil, err
			}
			for _, b := range branches {
				taken[b] = true
			}
		}
	}
	c := &Coverage{Missing: []Uncovered{}}
	told := map[fragmentKey]bool{}
	plans := l.declared(ctx)
	for _, p := range plans {
		own := p.own()
		for i := range p.fragments {
			f := &p.fragments[i]
			k := keyOf(f)
			if told[k] || !gated(f) || !own(f) {
				continue
			}
			told[k] = true
			var s seen
			if was[k] != nil {
				s = *was[k]
			}
			c.gate(f, s.in, "in")
			c.gate(f, s.out, "out")
		}
	}
	for _, b := range branchesOf(plans) {
		if c.All++; taken[b] {
			c.Covered++
			continue
		}
		c.Missing = append(c.Missing, Uncovered{Kind: "branch", Position: b.Position, Message: fmt.Sprintf("no test renders the branch `%s`", b.Tag)})
	}
	return c, nil
}

func (c *Coverage) gate(f *cento.Fragment, seen bool, side string) {
	if c.All++; seen {
		c.Covered++
		return
	}
	c.Missing = append(c.Missing, Uncovered{Kind: "gate", ID: f.ID, Position: f.Origin, Message: fmt.Sprintf("no test has %q %s", f.ID, side)})
}

// branchesOf are those of the project's own prompt files, by file and place.
func branchesOf(plans []*plan) []pack.Branch {
	known := map[pack.Branch]bool{}
	var out []pack.Branch
	for _, p := range plans {
		for _, f := range p.reading.project.Files() {
			for _, b := range f.Branches() {
				if !known[b] && strings.HasPrefix(b.Position.File, string(pack.Workspace)+"/") {
					known[b] = true
					out = append(out, b)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b pack.Branch) int { return a.Position.Compare(b.Position) })
	return out
}
