package cache

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// hint tells what would have kept more of the beginning: each change that fits the
// first cause is tried on both requests, and that which keeps the most is told.
func (a *Analysis) hint(out *StepReport, from, to *prepared) {
	first := out.Causes[0]
	k := hintKey{kind: first.Kind, fragment: first.Fragment}
	if len(first.Witnesses) > 0 {
		k.what = first.Witnesses[0].Change
	}
	if n, ok := a.hinted[k]; ok {
		out.HintOf = n
		return
	}
	t := trial{a: a, from: from, to: to}
	for _, h := range proposals(first, to) {
		if keeps := t.keeps(h); keeps > 0 && (out.Hint == nil || keeps > out.Hint.Keeps) {
			h.Keeps = keeps
			if h.Change == MoveBehind {
				h.Behind = t.behind(h.Fragment)
				h.Stability = cento.PerSession
				for _, v := range []*view{from.view, to.view} {
					for _, o := range v.owners {
						if o.id == h.Fragment && o.stability > cento.Static {
							h.Stability = cento.Static // it changes as often already
						}
					}
				}
			}
			out.Hint = &h
		}
	}
	if out.Hint != nil {
		a.hinted[k] = len(a.report.Steps)
	} else {
		a.hinted[k] = 0 // nothing did, and nothing will be tried again
	}
}

// proposals are the changes that may help against a cause, the least one first.
func proposals(c Cause, to *prepared) []Hint {
	var out []Hint
	switch c.Kind {
	case ToolsChanged:
		if slices.ContainsFunc(c.Witnesses, func(w Witness) bool { return w.Change == "reordered" }) {
			out = append(out, Hint{Change: SortTools})
		}
	case TTLExpired:
		r := rulesFor(to.step.Request.Form, to.step.Request.Model)
		if i := slices.Index(r.ttls, c.Witnesses[0].Name); i >= 0 {
			for _, ttl := range r.ttls[i+1:] {
				out = append(out, Hint{Change: LongerTTL, TTL: ttl})
			}
		}
	case Reminder:
		if c.Fragment != "" {
			out = append(out, Hint{Change: PlaceInTurn, Fragment: c.Fragment})
		}
	case FragmentChanged, FragmentAdded, FragmentRemoved, GateFlipped, VariableChanged, Clock, BudgetChanged, LayerChanged:
		if c.Fragment == "" {
			break
		}
		out = append(out, Hint{Change: MarkSession, Fragment: c.Fragment, Stability: cento.PerSession})
		out = append(out, Hint{Change: MoveBehind, Fragment: c.Fragment})
	}
	return out
}

// trial makes two requests again with a change.
type trial struct {
	a        *Analysis
	from, to *prepared
	plain    *int     // what is read of the second without a change
	made     [2]*view // the two as they were made last
}

// behind is what a fragment stands behind in the requests as they were made last.
func (t *trial) behind(id string) string {
	for _, v := range t.made {
		before := ""
		for _, o := range v.owners {
			if o.id == id {
				return before
			}
			before = o.id
		}
	}
	return ""
}

// keeps is how many tokens more of the second request are read with a change; 0 where
// it can't be done.
func (t *trial) keeps(h Hint) int {
	if t.plain == nil {
		n := t.read(t.from, t.to)
		t.plain = &n
	}
	from, ok := t.changed(h, t.from)
	if !ok {
		return 0
	}
	to, ok := t.changed(h, t.to)
	if !ok {
		return 0
	}
	t.made = [2]*view{to.view, from.view}
	return max(t.read(from, to)-*t.plain, 0)
}

// read is how much of a request is read, when one alone was sent before.
func (t *trial) read(from, to *prepared) int {
	m := newMemory(rulesFor(from.step.Request.Form, from.step.Request.Model))
	m.send(from.view, from.step.At, 0)
	m.rules = t.a.rules
	return m.send(to.view, to.step.At, compare(from.view, to.view, to.counter).tokens).Read
}

// changed is a step with a change. It is made anew of its input, so that it is what
// the change would have given.
func (t *trial) changed(h Hint, p *prepared) (*prepared, bool) {
	s := p.step
	if s.Body != "" || h.Change == SortTools && p.view.others {
		return nil, false
	}
	s.tried = h.Change
	switch h.Change {
	case LongerTTL:
		s.Request.Cache.StaticTTL, s.Request.Cache.SessionTTL = h.TTL, h.TTL
	default:
		if s.Input == nil {
			return nil, false
		}
		in, ok := h.On(*s.Input)
		if !ok {
			return nil, false
		}
		made, err := t.a.o.Reduce(in)
		if err != nil {
			return nil, false
		}
		if h.Change == PlaceInTurn && len(s.Input.Reminders) > 0 {
			e, err := cento.ReduceFragments(enveloped(s.Input.Reminders), cento.Active{}, cento.Options{Policy: in.Policy, Limits: in.Limits})
			if err != nil {
				return nil, false
			}
			s.Request.Reminders.Envelope = e
		}
		s.Request.Prompt, s.Request.Tools, s.Input = made, in.Tools, &in
	}
	out, err := prepare(s, nil)
	return out, err == nil
}

// enveloped are the parts of the envelope that holds reminders of the system prompt. A
// fragment doesn't tell the authority of its reminder: the default one stands for it.
func enveloped(reminders []cento.Fragment) []cento.Fragment {
	live := make([]reminder.Reminder, len(reminders))
	for i := range reminders {
		f := &reminders[i]
		live[i] = reminder.Reminder{ID: strings.TrimPrefix(f.ID, "reminder:"), Body: f.Body, Trust: f.Trust}
	}
	return reminder.EnvelopeFragments(live)
}

// On is an input with the change of a hint; false where the input has nothing that
// could be changed so, such as a fragment that the program words. [LongerTTL] is no
// matter of the input.
func (h Hint) On(in cento.Input) (cento.Input, bool) {
	switch h.Change {
	case SortTools:
		in.Tools = slices.Clone(in.Tools)
		slices.SortStableFunc(in.Tools, func(a, b cento.Tool) int { return strings.Compare(a.Name, b.Name) })
		return in, true
	case PlaceInTurn:
		in.Reminders = nil
		return in, true
	case MoveBehind:
		return h.moved(in)
	case MarkSession:
		return h.marked(in)
	}
	return in, false
}

// moved puts a fragment of the manifest behind all others, or a part of the agent's
// own block behind the rest of it, and marks it where it is to change with files
// alone: else the static texts would end with it. An input that doesn't have the
// fragment stays as it is: it was added, or taken away.
func (h Hint) moved(in cento.Input) (cento.Input, bool) {
	in, ok := h.marked(in)
	for _, list := range []*[]cento.Fragment{&in.Fragments, &in.Primary.Parts} {
		if i := indexOf(*list, h.Fragment); i >= 0 {
			f := (*list)[i] // in the copy that marked made
			*list = append(slices.Delete(*list, i, i+1), f)
		}
	}
	if i := indexOf(in.Fragments, h.Fragment); i >= 0 {
		in.Fragments[i].Bucket = cento.After
	}
	return in, ok
}

// marked declares that a fragment changes with each session.
func (h Hint) marked(in cento.Input) (cento.Input, bool) {
	for _, list := range []*[]cento.Fragment{&in.Fragments, &in.Profile, &in.Primary.Parts, &in.Primary.Sections} {
		i := indexOf(*list, h.Fragment)
		if i < 0 {
			continue
		}
		*list = slices.Clone(*list)
		(*list)[i].Stability = max((*list)[i].Stability, cento.PerSession)
	}
	if h.Fragment == cento.SystemID && in.Primary.Instruction != nil {
		f := *in.Primary.Instruction
		f.Stability = max(f.Stability, cento.PerSession)
		in.Primary.Instruction = &f
	}
	return in, true
}

func indexOf(list []cento.Fragment, id string) int {
	return slices.IndexFunc(list, func(f cento.Fragment) bool { return f.ID == id })
}
