package cento

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cento-dev/cento/internal/imitation"
	"github.com/cento-dev/cento/internal/nametable"
	"github.com/cento-dev/cento/internal/unitab"
)

// Options are what a compilation needs besides the fragments. The zero value
// holds the defaults.
type Options struct {
	Limits Limits
	Policy Policy
	// Conditions is the engine for `when`; nil refuses conditions.
	Conditions Conditions
	// Expander renders templates; nil refuses them.
	Expander Expander
	// Budget is what every prompt has to keep to; nil for none.
	Budget *Budget
	// Texts keeps what is found in texts for further compilations; nil: nothing is kept.
	Texts *Texts
	// Placed are the same fragments with their places in a request, for errors of
	// [ReduceFragments] alone: nobody can open a request later, so spans and
	// traces don't name it, and whoever sent it wants to know where it is wrong.
	Placed []Fragment
}

// Plan is a list of fragments with everything done that doesn't depend on the
// active set: bodies trimmed, scanned and laid end to end in the order of the
// output, names turned into numbers, gates shared. Assembling is then a scan
// over the gates and a copy of whole runs of neighbours.
//
// A plan is immutable and safe for concurrent use. It refers to the fragments
// that it was compiled from: don't change them while it is in use.
type Plan struct {
	frags []Fragment
	ids   idTable
	gates gateSet

	// By position in the output, were every fragment included:
	gate    []int32  // its gate; its verdict in a plan for one assembly
	texts   []string // its text, title line included
	order   []int32  // its index in frags; nil when both orders are the same
	section []int32  // its section's number; 0: none; nil when there are none
	tight   []bool   // continues the chain of the position before; nil when none does
	// forms say when a section's heading is printed, and own which headings the
	// texts have of their own; nil when each run has its heading and that is all.
	forms []SectionForm
	own   []imitation.Own

	// at is the position by index in frags; nil when both orders are the same.
	at []int32
	// headings are the texts `## Title` by section number.
	headings []string
	// details holds what few fragments have, by index in frags.
	details map[int32]*detail
	// templates are the fragments whose text depends on the active set.
	templates []templated
	expander  Expander
	// variants are shorter texts, by index in frags.
	variants     map[int32][]variant
	variantTexts int // how many those are together
	budget       *Budget
	weights      weightTables
	guard        guard // without errors

	// arena is all texts laid end to end, each after a joiner; the text at a
	// position ends at ends[position].
	arena string
	ends  []uint32
	total int // bytes of all texts with a joiner each

	maxPrompt int

	// ofInput: it was made by [Input.Plan], and notes are about the input.
	ofInput bool
	notes   []Note
}

// detail is what is only kept for fragments that have a title, runs of their
// own, or something found in their text.
type detail struct {
	title int // bytes of the title line with the white space after it
	runs  []Run
	notes []TextNote
	// original is the body as it was before; nil where nothing of it was changed.
	original *Original
}

// joiner stands between two parts, tightJoiner between two of one chain. Their
// lengths differ, and no heading is empty, so that the space before a text tells
// what is in it.
const (
	joiner      = "\n\n"
	tightJoiner = "\n"
)

// Compile checks the fragments and prepares their assembly.
//
// What is wrong is reported at once, needs only when nothing else is: the errors
// are [*SourceError] with the codes [InvalidFragment], [DuplicateID],
// [InvalidUTF8], [UnknownNeed], [CyclicNeeds], [UnsupportedWhen],
// [UnsupportedTemplate], [HiddenText] and [LimitExceeded].
func Compile(fragments []Fragment, o Options) (*Plan, error) {
	p := new(Plan)
	if err := p.compile(fragments, o, nil); err != nil {
		return nil, err
	}
	p.layOut()
	return p, nil
}

// compile does everything but laying the texts out, which doesn't pay for one
// assembly. one is nil but for that.
func (p *Plan) compile(fragments []Fragment, o Options, one *oneShot) error {
	limits := o.Limits.Or(DefaultLimits())
	n := len(fragments)
	if n > limits.Fragments {
		e := &SourceError{
			Code: LimitExceeded, Message: fmt.Sprintf("%d fragments, and the limit is %d", n, limits.Fragments),
			Hint: "the limit is limits.fragments", Limit: "fragments",
		}
		// The place of the program's own words would be nobody's to change.
		if first := &fragments[limits.Fragments]; first.Trust != TrustBuiltin {
			e.Position = first.Origin
		}
		return e
	}
	c := compiler{Plan: p, conditions: o.Conditions, found: o.Texts}
	p.frags, p.maxPrompt, p.expander, p.budget = fragments, limits.Prompt, o.Expander, o.Budget
	s := c.survey()
	if one != nil && s.simple && o.Budget == nil {
		c.oneShot = one
		c.allocateOnce(s)
	} else {
		c.allocate(s)
	}
	c.arrange(s)
	p.guard = newGuard(fragments, s.tails, o.Policy)
	for i := range fragments {
		c.fragment(i, &fragments[i])
	}
	if c.forms != nil {
		c.own = make([]imitation.Own, n)
		for pos, text := range c.texts {
			c.own[pos] = imitation.OwnOf(text)
		}
	}
	if c.needs {
		c.resolveNeeds()
	}
	if c.total > maxTotal {
		c.fail(LimitExceeded, Position{}, "the fragments have %d bytes together, and the limit is %d", c.total, maxTotal)
	}
	return c.guard.errs.err()
}

// maxTotal bounds the texts of all fragments, in or out: offsets are kept in 32
// bits.
const maxTotal = 1<<31 - 1

type compiler struct {
	*Plan
	oneShot    *oneShot // nil: gates are compiled for any active set
	conditions Conditions
	found      *Texts
	sections   map[sectionKey]int32
	needs      bool
}

// sectionKey tells sections apart. A section never spans both buckets.
type sectionKey struct {
	title  string
	index  int
	bucket Bucket
}

// survey looks at all fragments once: how many stand in the before bucket,
// whether they are in the order of the output already, how many are of the
// protected tail, and whether their lists alone decide about them.
func (c *compiler) survey() (s survey) {
	s = survey{ordered: true, simple: true}
	for i := range c.frags {
		f := &c.frags[i]
		switch {
		case f.Tail:
			s.tails, s.ordered = s.tails+1, false
		case f.Bucket == Before:
			s.ordered = s.ordered && s.before == i
			s.before++
		}
		s.simple = s.simple && f.When == "" && f.Template == "" && len(f.Needs) == 0
	}
	return s
}

type survey struct {
	before, tails   int // fragments of the bucket, and of the protected tail
	ordered, simple bool
}

// allocate makes the lists of a plan. They are many and short, so those of one
// kind share an allocation.
func (c *compiler) allocate(s survey) {
	n := len(c.frags)
	tools, caps := min(n, 256), min(n, 8)
	m := memory{
		make([]int32, s.lists()*n+n+tools+caps),
		make([]string, n+tools+caps),
		make([]nametable.Slot, nametable.Slots(n)+nametable.Slots(tools)+nametable.Slots(caps)),
	}
	c.list(s, &m)
	c.gates = gateSet{
		tools: m.table(tools), caps: m.table(caps), ids: m.numbers(n)[:0], gates: make([]gate, firstGate, int(firstGate)+n/2+4),
		singleTool: m.numbers(tools), singleCap: m.numbers(caps),
	}
}

// lists is how many numbers every plan has for each fragment.
func (s *survey) lists() int {
	if s.ordered {
		return 1
	}
	return 3
}

// list makes the lists that every plan has.
func (c *compiler) list(s survey, m *memory) {
	n := len(c.frags)
	c.gate, c.texts, c.ids.slots = m.numbers(n), m.strings(n), m.slots(nametable.Slots(n))
	if !s.ordered {
		c.order, c.at = m.numbers(n), m.numbers(n)
	}
}

// memory is handed out in pieces.
type memory struct {
	ints []int32
	strs []string
	slot []nametable.Slot
}

func (m *memory) numbers(n int) []int32 { return piece(&m.ints, n) }

func (m *memory) strings(n int) []string { return piece(&m.strs, n) }

func (m *memory) slots(n int) []nametable.Slot { return piece(&m.slot, n) }

func (m *memory) table(names int) nametable.Table {
	return nametable.New(m.strings(names)[:0], m.slots(nametable.Slots(names)))
}

func piece[T any](from *[]T, n int) []T {
	p := (*from)[:n:n]
	*from = (*from)[n:]
	return p
}

// arrange decides the order of the output: before, after, and the protected
// tail behind everything, whatever it declares.
func (c *compiler) arrange(s survey) {
	if s.ordered {
		return
	}
	b, a, t := 0, s.before, len(c.frags)-s.tails
	for i := range c.frags {
		var pos *int
		switch f := &c.frags[i]; {
		case f.Tail:
			pos = &t
		case f.Bucket == Before:
			pos = &b
		default: // a bucket that doesn't exist is refused later
			pos = &a
		}
		c.order[*pos], c.at[i] = int32(i), int32(*pos)
		*pos++
	}
}

// position is the place in the output order of a fragment.
func (p *Plan) position(i int) int {
	if p.at == nil {
		return i
	}
	return int(p.at[i])
}

// index is the fragment at a place in the output order.
func (p *Plan) index(pos int) int {
	if p.order == nil {
		return pos
	}
	return int(p.order[pos])
}

func (c *compiler) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	return c.guard.fail(code, at, format, args...)
}

func (c *compiler) fragment(i int, f *Fragment) {
	c.identify(i, f)
	pos := c.position(i)
	text, d, blank := c.found.scanned(&c.guard, f)
	if d != nil {
		if c.details == nil {
			c.details = make(map[int32]*detail)
		}
		c.details[int32(i)] = d
	}
	c.texts[pos] = text
	c.total += len(text) + len(joiner)
	if len(f.Variants) > 0 {
		c.shorten(i, f)
	}
	if f.Template != "" && f.Excluded == nil {
		blank = c.template(i, f)
	}
	switch {
	case f.Excluded != nil:
		c.gate[pos] = gateExcluded
	case blank:
		c.gate[pos] = gateEmpty
	default:
		c.gate[pos] = c.gateOf(f)
	}
	if c.oneShot != nil && verdict(c.gate[pos]).in() {
		c.oneShot.length += len(text) + len(joiner)
	}
	if f.Template != "" && c.gate[pos] >= firstGate {
		c.templates = append(c.templates, templated{int32(i), c.gate[pos]})
	}
	if f.Section != "" && !blank && f.Excluded == nil {
		c.inSection(i, pos, f)
	}
	if f.Tight && pos > 0 {
		c.chain(pos, f)
	}
	c.needs = c.needs || len(f.Needs) > 0
}

func (c *compiler) identify(i int, f *Fragment) {
	switch {
	case f.ID == "":
		c.fail(InvalidFragment, f.Origin, "fragment %d has no id", i+1)
		return
	case !unitab.PlainLine(f.ID) && !printable(f.ID):
		c.fail(InvalidFragment, f.Origin, "the id %q holds characters that can't be shown", f.ID)
		return
	}
	if first := c.ids.add(c.frags, i); first != i {
		e := c.fail(DuplicateID, f.Origin, "two fragments have the id %q", f.ID)
		e.Related, e.Hint = []Related{{Position: c.frags[first].Origin, Message: "the other one"}}, "give one of the two another id"
	}
	if f.Bucket > After || f.Trust > TrustHost || f.heading().Trust > TrustHost || f.Stability > PerTurn || f.TitleForm > HostHeading || f.SectionForm > SeparateHeading {
		c.fail(InvalidFragment, f.Origin, "fragment %q has a bucket, trust, stability, title form or section form that doesn't exist", f.ID)
	}
}

func (c *compiler) gateOf(f *Fragment) int32 {
	if c.oneShot != nil {
		return int32(c.oneShot.active.verdict(f))
	}
	cond := int32(0)
	if f.When != "" && !isBlank(f.When) {
		if c.conditions == nil {
			c.fail(UnsupportedWhen, f.Origin, "fragment %q has a condition (when), and there is no expression engine to decide it", f.ID).
				Hint = "use requires_tools, requires_any_tools or requires_caps"
			return gateEmpty
		}
		var err error
		if cond, err = c.gates.condition(f, c.conditions); err != nil {
			c.guard.errs.add(ofCondition(err, f)...)
			return gateEmpty
		}
	}
	return c.gates.of(f, cond)
}

// shorten makes the texts of a fragment's variants, checked like its own.
func (c *compiler) shorten(i int, f *Fragment) {
	if c.variants == nil {
		c.variants = map[int32][]variant{}
	}
	list := make([]variant, len(f.Variants))
	for k, v := range f.Variants {
		short := *f
		short.Body, short.Runs, short.Origin = v.Body, v.Runs, v.Origin
		if len(v.Runs) == 0 && v.Body != "" {
			short.Runs = []Run{{End: len(v.Body), Position: v.Origin, Trust: min(v.Trust, f.Trust)}}
		}
		text, d, blank := c.guard.text(&short)
		if blank {
			c.fail(InvalidFragment, cmp.Or(v.Origin, f.Origin), "variant %d of fragment %q is blank", k+1, f.ID).
				Hint = "leave it out: behind its variants a fragment is dropped"
		}
		list[k] = variant{text: text, detail: d, own: imitation.OwnOf(text), slot: int32(c.variantTexts)}
		c.variantTexts++
	}
	c.variants[int32(i)] = list
}

// inSection gives a fragment the number of its section. The words of a heading
// are checked for each fragment that brings them, and what a stranger's become
// stands for all: the heading may be in the prompt for the stranger's sake alone.
func (c *compiler) inSection(i, pos int, f *Fragment) {
	key := sectionKey{foldSpace(f.Section), f.SectionIndex, f.Bucket}
	if key.title == "" {
		return
	}
	if c.section == nil {
		c.section = make([]int32, len(c.frags))
		c.sections = map[sectionKey]int32{}
		c.headings = []string{""}
	}
	id, known := c.sections[key]
	if f.SectionForm != RunHeading {
		if c.forms == nil {
			c.forms = make([]SectionForm, len(c.frags))
		}
		c.forms[pos] = f.SectionForm
	}
	from := f.heading()
	if known && c.guard.plainHeading(key.title, from.Trust) {
		c.section[pos] = id
		return
	}
	line, notes := c.guard.headingLine(f, from, "## ", key.title, "section")
	c.note(i, notes)
	switch {
	case line == "":
		return // nothing is left of the words
	case !known:
		id = int32(len(c.headings))
		c.sections[key] = id
		c.headings = append(c.headings, line)
	case from.Trust.Untrusted():
		c.headings[id] = line
	}
	c.section[pos] = id
}

// note keeps findings in the words of a section beside those in the text.
func (c *compiler) note(i int, notes []TextNote) {
	if len(notes) == 0 {
		return
	}
	if c.details == nil {
		c.details = make(map[int32]*detail)
	}
	d := c.details[int32(i)]
	if d == nil {
		d = new(detail)
		c.details[int32(i)] = d
	}
	d.notes = append(notes, d.notes...)
}

// chain marks a fragment that continues the one before it in the output.
func (c *compiler) chain(pos int, f *Fragment) {
	b := &c.frags[c.index(pos-1)]
	if b.Bucket != f.Bucket || b.SectionIndex != f.SectionIndex || foldSpace(b.Section) != foldSpace(f.Section) {
		return
	}
	if c.tight == nil {
		c.tight = make([]bool, len(c.frags))
	}
	c.tight[pos] = true
}

// layOut copies the texts into the arena.
func (p *Plan) layOut() {
	var b strings.Builder
	b.Grow(p.total)
	p.ends = make([]uint32, len(p.texts))
	for pos, text := range p.texts {
		b.WriteString(joiner)
		b.WriteString(text)
		p.ends[pos] = uint32(b.Len())
	}
	p.arena = b.String()
	end := 0
	for pos := range p.texts { // one copy of every text is enough
		p.texts[pos] = p.arena[end+len(joiner) : p.ends[pos]]
		end = int(p.ends[pos])
	}
}
