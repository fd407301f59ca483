package cache

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// systemCauses tell which fragments of the system prompt are others, and why.
func (a *Analysis) systemCauses(from, to *prepared) []Cause {
	if from.view.system == to.view.system {
		return nil
	}
	p, q := from.step.Request.Prompt, to.step.Request.Prompt
	if p == nil || q == nil || from.step.Body != "" || to.step.Body != "" {
		n := common(from.view.system, to.view.system)
		f := ""
		for _, v := range []*view{to.view, from.view} {
			if o, ok := v.owner(n); ok {
				f = o.id
				break
			}
		}
		w := Witness{What: "fragment", Name: f}
		w.From, w.To = excerpt(from.view.system, to.view.system)
		return []Cause{{Kind: FragmentChanged, Fragment: f, Witnesses: []Witness{w}}}
	}
	w := witness{a: a, from: from, to: to, p: p, q: q}
	d := cento.Diff(p, q)
	var list []placed
	before, after := from.view.begins(), to.view.begins()
	add := func(id string, c Cause) {
		c.Fragment = id
		at := max(len(from.view.system), len(to.view.system)) + 1 // behind all that stand there
		for _, begins := range []map[string]int{before, after} {
			if start, ok := begins[id]; ok {
				at = min(at, start)
			}
		}
		list = append(list, placed{c, at})
	}
	for _, x := range d.Removed {
		if *x.Included {
			add(x.ID, w.gone(p, x.ID, FragmentRemoved, "removed"))
		}
	}
	for _, x := range d.Added {
		if *x.Included {
			add(x.ID, w.gone(q, x.ID, FragmentAdded, "added"))
		}
	}
	for _, x := range d.Verdicts {
		add(x.ID, w.flipped(x.ID))
	}
	for _, x := range d.Changed {
		i, _ := p.Index(x.ID)
		j, _ := q.Index(x.ID)
		if p.In(i) && q.In(j) {
			add(x.ID, w.changed(x.ID, i, j))
		}
	}
	for _, x := range d.Moved {
		add(x.ID, Cause{Kind: FragmentMoved, Witnesses: []Witness{{What: "fragment", Name: x.ID, From: *x.From, To: *x.To, Position: originOf(q, x.ID)}}})
	}
	if len(list) == 0 { // a heading, or the tag of a section
		n := common(from.view.system, to.view.system)
		o, _ := to.view.owner(n)
		x := Witness{What: "fragment", Name: o.id, Change: "heading", Position: originOf(q, o.id)}
		x.From, x.To = excerpt(from.view.system, to.view.system)
		return []Cause{{Kind: FragmentChanged, Fragment: o.id, Witnesses: []Witness{x}}}
	}
	return sortCauses(list)
}

// begins are the places in the system prompt where its fragments begin.
func (v *view) begins() map[string]int {
	begins := make(map[string]int, len(v.owners))
	for _, o := range slices.Backward(v.owners) {
		begins[o.id] = o.start // a fragment of several stretches begins with the first
	}
	return begins
}

func originOf(p *cento.Prompt, id string) *cento.Position {
	i, ok := p.Index(id)
	if !ok {
		return nil
	}
	at := p.Fragment(i).Origin
	if at.IsZero() {
		return nil
	}
	return &at
}

// witness finds what changed a fragment between two prompts.
type witness struct {
	a        *Analysis
	from, to *prepared
	p, q     *cento.Prompt
	// tried are prompts of the first input with one thing of the second.
	tried map[string]*cento.Prompt
}

// gone tells of a fragment that only one of the prompts knows.
func (w *witness) gone(in *cento.Prompt, id string, kind Kind, change string) Cause {
	i, _ := in.Index(id)
	f := in.Fragment(i)
	x := Witness{What: "fragment", Name: id, Change: change, Position: originOf(in, id)}
	switch {
	case isReminder(id):
		kind = Reminder
	case f.Layer != "":
		kind, x.What, x.Name = LayerChanged, "layer", f.Layer
	}
	return Cause{Kind: kind, Witnesses: []Witness{x}}
}

// flipped tells why a fragment is in one of the prompts and out of the other.
func (w *witness) flipped(id string) Cause {
	i, _ := w.p.Index(id)
	j, _ := w.q.Index(id)
	out, at := w.p, i // the prompt that it is out of
	if w.p.In(i) {
		out, at = w.q, j
	}
	x := Witness{From: w.p.Reason(i), To: w.q.Reason(j), Position: originOf(out, id)}
	f := out.Fragment(at)
	switch out.Code(at) {
	case cento.CodeToolMissing, cento.CodeToolNone:
		x.What = "tool"
		var list []Witness
		for _, name := range w.names(slices.Concat(f.RequiresTools, f.RequiresAnyTools), func(in *cento.Input) []string { return in.ActiveTools() }) {
			y := x
			y.Name = name
			list = append(list, y)
		}
		if len(list) == 0 {
			list = append(list, x)
		}
		return Cause{Kind: GateFlipped, Witnesses: list}
	case cento.CodeCapMissing:
		x.What = "capability"
		var list []Witness
		for _, u := range out.Unmet(at) {
			if u.Code == cento.CodeCapMissing {
				y := x
				_, name, _ := strings.Cut(u.Reason, "`")
				y.Name, _, _ = strings.Cut(name, "`")
				list = append(list, y)
			}
		}
		return Cause{Kind: GateFlipped, Witnesses: list}
	case cento.CodeBudgetDropped:
		x.What, x.Name = "budget", id
		return Cause{Kind: BudgetChanged, Witnesses: []Witness{x}}
	case cento.CodeNeedsOut:
		x.What = "fragment"
		if len(f.Needs) > 0 {
			x.Name = f.Needs[0]
		}
		for _, need := range f.Needs {
			if k, ok := out.Index(need); !ok || !out.In(k) {
				x.Name = need
				break
			}
		}
		return Cause{Kind: GateFlipped, Witnesses: []Witness{x}}
	case cento.CodeLayerCleared, cento.CodeLayerReplaced, cento.CodeLayerRemoved, cento.CodeSlotUnplaced:
		x.What, x.Name = "layer", f.Excluded.By
		return Cause{Kind: LayerChanged, Witnesses: []Witness{x}}
	case cento.CodeWhenFalse:
		if _, found := w.alone(id, GateFlipped); found != nil {
			for k := range found {
				found[k].Position = x.Position
			}
			return Cause{Kind: GateFlipped, Witnesses: found}
		}
		x.What, x.Name = "fragment", id
		return Cause{Kind: GateFlipped, Witnesses: []Witness{x}}
	}
	x.What, x.Name = "fragment", id
	kind := FragmentChanged
	if f.Excluded != nil {
		kind = map[bool]Kind{true: FragmentRemoved, false: FragmentAdded}[out == w.q]
	}
	return Cause{Kind: kind, Witnesses: []Witness{x}}
}

// changed tells why the text of a fragment is another.
func (w *witness) changed(id string, i, j int) Cause {
	old, now := w.p.Text(i), w.q.Text(j)
	x := Witness{What: "fragment", Name: id, Position: originOf(w.q, id)}
	x.From, x.To = excerpt(old, now)
	f, g := w.p.Fragment(i), w.q.Fragment(j)
	switch {
	case isReminder(id):
		return Cause{Kind: Reminder, Witnesses: []Witness{x}}
	case w.p.Trace(i, cento.ExplainOptions{}).Variant != w.q.Trace(j, cento.ExplainOptions{}).Variant:
		x.What = "budget"
		return Cause{Kind: BudgetChanged, Witnesses: []Witness{x}}
	case f.Layer != g.Layer:
		x.What, x.Name, x.From, x.To = "layer", g.Layer, f.Layer, g.Layer
		return Cause{Kind: LayerChanged, Witnesses: []Witness{x}}
	}
	n := common(old, now)
	a, b := spanAt(w.p.TextSpans(i), n), spanAt(w.q.TextSpans(j), n)
	if s := cmp.Or(b, a); s != nil && isVariable(s.Var) && (a == nil || b == nil || a.Var == b.Var) {
		x.What, x.Name, x.From, x.To = "variable", s.Var, valueOf(old, a), valueOf(now, b)
		if x.Position = nil; s.File != "" {
			x.Position = &cento.Position{File: s.File, Line: s.Line, Column: s.Column}
		}
		return Cause{Kind: kindOfVariable(s.Var, &x), Witnesses: []Witness{x}}
	}
	if b != nil && b.File != "" {
		at := cento.Position{File: b.File, Line: b.Line, Column: b.Column}
		x.Position = &at
	}
	if f.Body == g.Body && f.Template == g.Template {
		if kind, found := w.alone(id, GateFlipped); found != nil {
			return Cause{Kind: kind, Witnesses: found}
		}
	}
	if x.Position != nil && x.Position.File != "" {
		x.What, x.Name = "file", x.Position.File
	}
	return Cause{Kind: FragmentChanged, Witnesses: []Witness{x}}
}

// isVariable reports whether a span holds a value that somebody sets, and not a text
// of a file that the program's own wording takes in.
func isVariable(name string) bool {
	root, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"vars", "date", "time", "datetime", "cwd", "agent", "model", "tools", "caps"}, root)
}

// valueOf is what a span says; "" for none.
func valueOf(text string, s *cento.Span) string {
	if s == nil {
		return ""
	}
	return clip(text[s.Start:min(s.End, len(text))])
}

// kindOfVariable tells the clock from other values.
func kindOfVariable(name string, x *Witness) Kind {
	switch root, _, _ := strings.Cut(name, "."); root {
	case "date", "time", "datetime":
		x.What = "clock"
		return Clock
	}
	return VariableChanged
}

// spanAt is the span of a text that a byte lies in; the last one at its end.
func spanAt(spans []cento.Span, at int) *cento.Span {
	for i := range spans {
		if at < spans[i].End {
			return &spans[i]
		}
	}
	return nil
}

// names are those of a list that one of the inputs has active and the other hasn't.
func (w *witness) names(list []string, active func(*cento.Input) []string) []string {
	p, q := w.from.step.Input, w.to.step.Input
	if p == nil || q == nil {
		return list
	}
	old, now := active(p), active(q)
	var out []string
	for _, name := range list {
		if slices.Contains(old, name) != slices.Contains(now, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// change is one thing in which two inputs differ, and the first one with it.
type change struct {
	Witness
	kind Kind
	on   func(cento.Input) cento.Input
}

// alone finds what of all that differs makes a fragment what it is by itself: the
// first prompt is made again with it. Where nothing does alone, it is all of them
// together; nil where not even they do.
func (w *witness) alone(id string, kind Kind) (Kind, []Witness) {
	p, q := w.from.step.Input, w.to.step.Input
	if p == nil || q == nil {
		return kind, nil
	}
	list := changes(*p, *q, kind)
	var all []Witness
	together := change{Witness: Witness{What: "all"}, on: func(in cento.Input) cento.Input { return in }}
	for _, c := range list {
		if w.makes(c, *p, id) {
			return c.kind, []Witness{c.Witness}
		}
		all = append(all, c.Witness)
		before := together.on
		together.on = func(in cento.Input) cento.Input { return c.on(before(in)) }
	}
	if len(list) > 1 && w.makes(together, *p, id) {
		return kind, all
	}
	return kind, nil
}

// makes reports whether a change of the first input makes a fragment what the second
// prompt has.
func (w *witness) makes(c change, in cento.Input, id string) bool {
	made := w.with(c, in)
	if made == nil {
		return false
	}
	i, ok := made.Index(id)
	j, _ := w.q.Index(id)
	return ok && made.In(i) == w.q.In(j) && made.Text(i) == w.q.Text(j)
}

func (w *witness) with(c change, in cento.Input) *cento.Prompt {
	name := c.What + "\x00" + c.Name
	if made, ok := w.tried[name]; ok {
		return made
	}
	made, err := w.a.o.Reduce(c.on(in))
	if err != nil {
		made = nil // of nothing that was ever sent
	}
	if w.tried == nil {
		w.tried = map[string]*cento.Prompt{}
	}
	w.tried[name] = made
	return made
}

// changes are the things in which two inputs differ and which gates, conditions and
// templates read.
func changes(p, q cento.Input, kind Kind) []change {
	var out []change
	flip := func(what string, old, now []string, on func(cento.Input, string, bool) cento.Input) {
		for _, name := range slices.Concat(old, now) {
			was, is := slices.Contains(old, name), slices.Contains(now, name)
			if was == is || slices.ContainsFunc(out, func(c change) bool { return c.What == what && c.Name == name }) {
				continue
			}
			x := Witness{What: what, Name: name, Change: map[bool]string{true: "added", false: "removed"}[is]}
			out = append(out, change{x, kind, func(in cento.Input) cento.Input { return on(in, name, is) }})
		}
	}
	flip("tool", p.ActiveTools(), q.ActiveTools(), func(in cento.Input, name string, is bool) cento.Input {
		if is {
			return in.WithTool(name)
		}
		return in.WithoutTool(name)
	})
	if p.Active.Model != q.Active.Model {
		x := Witness{What: "model", Name: q.Active.Model, From: p.Active.Model, To: q.Active.Model}
		out = append(out, change{x, kind, func(in cento.Input) cento.Input { return in.WithModel(q.Active.Model, q.Model) }})
	} else {
		flip("capability", p.Active.Caps, q.Active.Caps, func(in cento.Input, name string, is bool) cento.Input {
			if is {
				return in.WithCap(name)
			}
			return in.WithoutCap(name)
		})
	}
	if !p.Files.Now.Equal(q.Files.Now) {
		out = append(out, change{Witness{What: "clock", Name: "now"}, Clock, func(in cento.Input) cento.Input {
			in.Files.Now = q.Files.Now
			return in
		}})
	}
	return append(out, variables(p, q)...)
}

// variables are those whose values differ.
func variables(p, q cento.Input) []change {
	var out []change
	for _, of := range []func(*cento.Input) *json.RawMessage{
		func(in *cento.Input) *json.RawMessage { return &in.Files.Vars },
		func(in *cento.Input) *json.RawMessage { return &in.Files.Given },
	} {
		old, now := members(*of(&p)), members(*of(&q))
		names := slices.Sorted(maps.Keys(old))
		for name := range now {
			if _, ok := old[name]; !ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if string(old[name]) == string(now[name]) {
				continue
			}
			out = append(out, change{Witness{What: "variable", Name: "vars." + name}, VariableChanged, func(in cento.Input) cento.Input {
				values := members(*of(&in))
				if values == nil {
					values = map[string]json.RawMessage{}
				}
				if value, ok := now[name]; ok {
					values[name] = value
				} else {
					delete(values, name)
				}
				text, err := json.Marshal(values)
				if err == nil {
					*of(&in) = text
				}
				return in
			}})
		}
	}
	return out
}

func members(raw json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, &out) // what isn't an object has no members
	}
	return out
}
