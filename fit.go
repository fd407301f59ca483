package cento

import (
	"fmt"
	"sync"
)

// A prompt is fitted to a budget by taking the shortest prefix of the sequence of
// sacrifices behind which it fits by two counts: the exact one of the text as it
// stands, and the sum of its parts. Tokens reach over the seams between parts, so
// the exact count needn't fall with every step; that both are conditions on
// prefixes is why a larger budget keeps all that a smaller one does, however they
// rise and fall.

// fitting is what a budget made of one assembly. It doesn't change any more.
type fitting struct {
	a      *Assembly // without the budget
	budget *Budget
	texts  *weighed
	before map[string]int // the variant of what was taken the turn before; 0: out
	level  []int32        // by position: the body in use, or dropped; nil: all are in
	used   int            // tokens of the prompt
	// cachedAt are the positions of what the prompt cache holds; nil for none.
	cachedAt map[int32]bool
	// yieldNotes tell what required fragments gave.
	yieldNotes []Note
	// cuts are what files in required fragments lost.
	cuts []Cut
	// whole is what the prompt takes, by position, before such a fragment gives.
	whole map[int]int

	ordered  sync.Once
	units    []unit
	steps    []step
	unitOf   []int32
	lastStep []int32 // by unit

	uncached sync.Once
	losses   []int // by the number of steps that are taken: what is read of the cache no more

	counted sync.Once
	counts  []need // by the number of steps that are taken
	minima  []int  // the least that is needed with so many steps or fewer
	least   int    // what is needed if required fragments give all that they can
	held    []int  // by step: what is needed, with room to spare, for what was taken before to come back
}

// need is what a prompt takes by both counts.
type need struct{ sum, exact int }

// most is what it needs to fit.
func (n need) most() int { return max(n.sum, n.exact) }

// fit decides what a budget leaves of an assembly, which it keeps.
func (a *Assembly) fit(b *Budget) (*fitting, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	f := &fitting{a: a, budget: b, texts: a.weighed(b.Counter)}
	if b.Hold > 0 && len(b.Before) > 0 {
		f.before = make(map[string]int, len(b.Before))
		for _, x := range b.Before {
			f.before[x.Fragment] = x.Variant
		}
	}
	f.remember()
	w := f.walk()
	limit := b.limit()
	if w.fits(limit) && f.before == nil {
		f.used = w.exact()
		return f, nil
	}
	f.sequence()
	k := 0
	for ; !w.fits(limit); k++ {
		if k == len(f.steps) {
			if err := f.yield(w, limit); err != nil {
				return nil, err
			}
			f.level, f.used = w.level, w.exact()
			return f, nil
		}
		w.take(f, f.steps[k])
	}
	if held := f.hold(k); held != k {
		k, w = held, f.walkTo(held)
	}
	if b.Policy == FillBudget {
		f.fill(w, k, limit)
	}
	f.level, f.used = w.level, w.exact()
	return f, nil
}

// sequence finds the order of sacrifices.
func (f *fitting) sequence() {
	f.ordered.Do(func() {
		f.units, f.steps, f.unitOf = f.sacrifices()
		f.lastStep = make([]int32, len(f.units))
		for s, step := range f.steps {
			f.lastStep[step.unit] = int32(s)
		}
	})
}

// required reports whether no step changes a position that is in.
func (f *fitting) required(pos int) bool {
	f.sequence()
	return f.unitOf[pos] < 0
}

// positions are the positions that a step changes.
func (f *fitting) positions(s step) []int32 {
	if s.level == dropped {
		return f.units[s.unit].members
	}
	return []int32{s.pos}
}

// stepTo is the step that brings a position to a level.
func (f *fitting) stepTo(pos, level int32) int {
	s := int(f.lastStep[f.unitOf[pos]])
	for level != dropped && (f.steps[s].pos != pos || f.steps[s].level != level) {
		s--
	}
	return s
}

// levelOf is the level of a position in the end.
func (f *fitting) levelOf(pos int32) int32 {
	if f.level == nil {
		return 0
	}
	return f.level[pos]
}

// taken reports whether a step was.
func (f *fitting) taken(s int) bool {
	step := f.steps[s]
	level := f.levelOf(step.pos)
	return level == dropped || step.level != dropped && level >= step.level
}

// lost counts what was shortened and dropped.
func (f *fitting) lost() (shortened, out int) {
	for _, level := range f.level {
		switch {
		case level == dropped:
			out++
		case level > 0:
			shortened++
		}
	}
	return shortened, out
}

// needs is what the prompt takes behind each number of steps.
func (f *fitting) needs() []need {
	f.counted.Do(func() {
		f.sequence()
		w := f.walk()
		least := 0
		for k := range len(f.steps) + 1 {
			if k > 0 {
				w.take(f, f.steps[k-1])
			}
			n := need{w.sum, w.exact()}
			if k == 0 || n.most() < least {
				least = n.most()
			}
			f.counts, f.minima = append(f.counts, n), append(f.minima, least)
		}
		f.least = f.leastNeed(w, least)
		if f.before == nil {
			return
		}
		f.held = make([]int, len(f.steps))
		for s := len(f.steps) - 1; s >= 0; s-- {
			switch {
			case f.wasTaken(s):
				f.held[s] = f.minima[s] + f.budget.Hold
			case s+1 < len(f.steps):
				f.held[s] = f.held[s+1]
			}
		}
	})
	return f.counts
}

// staysFrom is the least budget at which a step isn't taken, by the strict order.
func (f *fitting) staysFrom(s int) int {
	f.needs()
	limit := f.minima[s]
	if f.held != nil {
		limit = max(limit, f.held[s]) // what goes behind it comes back before it
	}
	return limit + f.budget.overhead()
}

// wasTaken reports whether a step was taken the turn before.
func (f *fitting) wasTaken(s int) bool {
	step := f.steps[s]
	for _, pos := range f.positions(step) {
		id := f.a.plan.frags[f.a.plan.index(int(pos))].ID
		if level, was := f.before[id]; was && (level == 0 || step.level != dropped && level >= int(step.level)) {
			return true
		}
	}
	return false
}

// hold is how many steps are taken where k would do, since what was out the turn
// before comes back only when there is room to spare.
func (f *fitting) hold(k int) int {
	b := f.budget
	if f.before == nil {
		return k
	}
	needs := f.needs()
	held := k
	for s := k; s < len(f.steps) && needs[s].most() > b.limit()-b.Hold; s++ {
		if f.wasTaken(s) {
			held = s + 1
		}
	}
	for more := held; more < len(needs); more++ {
		if needs[more].most() <= b.limit() {
			return more
		}
	}
	return k // further steps make the text larger
}

// fill takes back what fits, the steps that were taken last first.
func (f *fitting) fill(w *walk, k, limit int) {
	for s := k - 1; s >= 0; s-- {
		step := f.steps[s]
		if step.level != dropped {
			if w.level[step.pos] != step.level {
				continue // it is out, or shorter still
			}
			w.set(int(step.pos), f.levelBefore(s, step.pos))
			if !w.fits(limit) {
				w.set(int(step.pos), step.level)
			}
			continue
		}
		if !f.needed(w, step) {
			continue
		}
		for _, pos := range f.positions(step) {
			w.set(int(pos), f.levelBefore(s, pos))
		}
		if !w.fits(limit) {
			w.take(f, step)
		}
	}
}

// levelBefore is the level of a position before a step of its unit.
func (f *fitting) levelBefore(s int, pos int32) int32 {
	for t := s - 1; t >= 0 && f.steps[t].unit == f.steps[s].unit; t-- {
		if f.steps[t].pos == pos {
			return f.steps[t].level
		}
	}
	return 0
}

// needed reports whether all that the members of a unit need is in, or would be
// with them.
func (f *fitting) needed(w *walk, s step) bool {
	for _, pos := range f.positions(s) {
		for _, id := range f.a.plan.frags[f.a.plan.index(int(pos))].Needs {
			i, ok := f.a.Index(id)
			if at := f.a.plan.position(i); ok && w.level[at] == dropped && f.unitOf[at] != s.unit {
				return false
			}
		}
	}
	return true
}

// RequestForm is the form of a provider's requests, as far as a budget depends on it.
// Those of package wire are.
type RequestForm interface {
	// Beside counts what a request has beside the prompt: the definitions of those of the
	// tools that the form sends to the model, and what the provider is known to add around
	// the prompt, nil where nobody knows that. m is what is known of the model; nil: nothing.
	// It counts the same for the same arguments. The error is of a definition that isn't JSON.
	Beside(tools []Tool, m *Model, c Counter) (definitions int, framing *int, err error)
	// Tag is what stands before and behind the texts of a section in place of the heading;
	// two empty texts: the heading stands there.
	Tag(heading string) (open, end string)
	// Tagged is a text as it stands before such an end: what would pass for the end is
	// written so that it doesn't.
	Tagged(text, end string) string
}

// FormSource is an [Engine] that knows forms of requests.
type FormSource interface {
	// RequestForm returns the form of a name whose sections are parted as another name
	// says, of which "" is the default; nil: there is none.
	RequestForm(name, sections string) RequestForm
}

// inForm counts what goes into the request beside the prompt: of the tools those that
// are active, in their order.
func (b *Budget) inForm(engine Engine, in *Input) error {
	if source, ok := engine.(FormSource); ok {
		b.form = source.RequestForm(b.Form, b.Sections)
	}
	if b.form == nil || b.Counter == nil {
		return nil // told with what else is wrong
	}
	tools, framing, err := b.form.Beside(in.activeDefinitions(), in.Model, b.Counter)
	if b.Tools == 0 {
		b.Tools, b.counted = tools, tools > 0
	}
	if b.unframed = framing == nil; !b.unframed {
		b.Framing += *framing
	}
	return err
}

// activeDefinitions are the definitions of the active tools, in their order.
func (in *Input) activeDefinitions() []Tool {
	active := make(map[string]bool)
	for _, name := range in.ActiveTools() {
		active[name] = true
	}
	var out []Tool
	for _, t := range in.Tools {
		if active[t.Name] {
			out = append(out, t)
		}
	}
	return out
}

// uncountedForm is what is wrong with a budget whose form nothing counts.
func (b *Budget) uncountedForm() *SourceError {
	if b.Form == "" && b.Sections == "" || b.form != nil {
		return nil
	}
	form := fmt.Sprintf("%q", b.Form)
	if b.Sections != "" {
		form += fmt.Sprintf(" with sections as %q", b.Sections)
	}
	return &SourceError{
		Code: InvalidBudget, Position: b.Origin, Message: "the budget is for requests of the form " + form + ", and nothing here knows it",
		Hint: "assemble an input with an engine that knows forms of requests, or leave the form out",
	}
}

// A request may have tags in place of the headings of sections: then the prompt that
// has to fit is another text than the one that is assembled. The same walk counts it. A
// tag stands before the first text of a section and another behind its last, so what is
// behind a text depends on the next one.

// tags is what a walk needs to write them.
type tags struct {
	form  RequestForm
	words []tagWords // by section; of one without a heading nothing
	names []int32    // by position: the name of the section, as a number; 0: none
	open  []int32    // by position: the section whose tag is open there; 0: none
}

// tagWords are the two tags of a section with what they count.
type tagWords struct {
	open, end string
	name      int32 // of the section
	tokens    int   // of both
	weight    int   // of the first
}

// tags are those of the form that a prompt is fitted for; nil where headings stand.
func (f *fitting) tags() *tags {
	p := f.a.plan
	if f.budget.form == nil || p.section == nil {
		return nil
	}
	t := &tags{form: f.budget.form, words: make([]tagWords, len(p.headings)), names: make([]int32, len(p.gate)), open: make([]int32, len(p.gate))}
	counter, any := f.texts.counter, false
	for s, h := range p.headings {
		if h == "" {
			continue
		}
		x := &t.words[s]
		if x.open, x.end = t.form.Tag(h); x.open == "" {
			continue
		}
		any = true
		if x.tokens = counter.Count(x.open) + counter.Count(x.end); f.texts.parts != nil {
			x.weight = f.texts.parts.Weigh(x.open)
		}
	}
	if !any {
		return nil
	}
	numbers := map[string]int32{"": 0}
	for pos := range t.names {
		name := foldSpace(p.frags[p.index(pos)].Section)
		n, known := numbers[name]
		if !known {
			n = int32(len(numbers))
			numbers[name] = n
		}
		t.names[pos] = n
		if s := p.section[pos]; s != 0 {
			t.words[s].name = n
		}
	}
	return t
}

// at is the section whose tag is open at a position that begins one, or 0, and stands
// behind last; below 0 for the first.
func (t *tags) at(last, pos int, begins int32) int32 {
	switch {
	case begins != 0:
		return begins
	case last < 0 || t.open[last] == 0 || t.words[t.open[last]].name != t.names[pos]:
		return 0
	}
	return t.open[last]
}

// plain is the text at a position without what is around it.
func (w *walk) plain(pos int) string {
	text := w.texts.text(pos, w.level[pos])
	if w.tags != nil && w.tags.open[pos] != 0 {
		return w.tags.form.Tagged(text, w.tags.words[w.tags.open[pos]].end)
	}
	return text
}

// begun is what opens the section that begins at a position, up to the text.
func (w *walk) begun(pos int) string {
	switch s := w.headed[pos]; {
	case s == 0:
		return ""
	case w.tags != nil:
		return w.tags.words[s].open
	default:
		return w.a.plan.headings[s] + joiner
	}
}

// ended is the tag that ends behind a position; empty for none.
func (w *walk) ended(pos int) string {
	if w.tags == nil || w.tags.open[pos] == 0 {
		return ""
	}
	if next := w.in.Next(pos); next >= 0 && w.headed[next] == 0 && w.tags.open[next] != 0 {
		return ""
	}
	return w.tags.words[w.tags.open[pos]].end
}

// changed reports whether the text at a position is another one between tags.
func (w *walk) changed(pos int) bool {
	return w.tags != nil && w.tags.open[pos] != 0 && len(w.plain(pos)) != len(w.texts.text(pos, w.level[pos]))
}

// own is the count of the text at a position by itself.
func (w *walk) own(pos int) int {
	if w.changed(pos) {
		return w.texts.counter.Count(w.plain(pos))
	}
	return w.texts.count(pos, w.level[pos])
}

// opening is what the heading or the tags count of a section that begins.
func (w *walk) opening(section int32) int {
	if w.tags != nil {
		return w.tags.words[section].tokens
	}
	return w.texts.headings[section].tokens + w.texts.joints[0]
}
