package cento

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/nearest"
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

	// at is the position by index in frags; nil when both orders are the same.
	at []int32
	// headings are the texts `## Title` by section number.
	headings []string
	// details holds what few fragments have, by index in frags.
	details map[int32]*detail
	// templates are the fragments whose text depends on the active set.
	templates []templated
	expander  Expander
	guard     guard // without errors

	// arena is all texts laid end to end, each after a joiner; the text at a
	// position ends at ends[position].
	arena string
	ends  []uint32
	total int // bytes of all texts with a joiner each

	maxPrompt int
}

// detail is what is only kept for fragments that have a title, runs of their
// own, or something found in their text.
type detail struct {
	title int // bytes of the title line with the white space after it
	runs  []Run
	notes []TextNote
}

// joiner stands between two parts, tightJoiner between two of one chain. Their
// lengths differ, and no heading is empty, so that the space before a text tells
// what is in it.
const (
	joiner      = "\n\n"
	tightJoiner = "\n"
)

// Compile checks the fragments and prepares their assembly. A fragment with the
// id of a protected section is taken for that section, so a stranger must not
// choose ids freely; [Compose] sees to that.
//
// What is wrong is reported at once, needs only when nothing else is: the errors
// are [*SourceError] with the codes [InvalidFragment], [DuplicateID],
// [InvalidUTF8], [UnknownNeed], [CyclicNeeds], [UnsupportedWhen],
// [UnsupportedTemplate], [ForgedHeading], [HiddenText] and [LimitExceeded].
func Compile(fragments []Fragment, o Options) (*Plan, error) {
	p := new(Plan)
	if err := p.compile(fragments, o, nil); err != nil {
		return nil, err
	}
	p.layOut()
	return p, nil
}

// compile does everything but laying the texts out, which doesn't pay for one
// assembly. once is nil but for that.
func (p *Plan) compile(fragments []Fragment, o Options, once *alone) error {
	limits := o.Limits.Or(DefaultLimits())
	n := len(fragments)
	if n > limits.Fragments {
		e := &SourceError{
			Code: LimitExceeded, Message: fmt.Sprintf("%d fragments, and the limit is %d", n, limits.Fragments),
			Hint: "the limit is limits.fragments",
		}
		// The place of the program's own words would be nobody's to change.
		if first := &fragments[limits.Fragments]; first.Trust != TrustBuiltin {
			e.Position = first.Origin
		}
		return e
	}
	c := compiler{Plan: p, conditions: o.Conditions}
	p.frags, p.maxPrompt, p.expander = fragments, limits.Prompt, o.Expander
	s := c.survey()
	if once != nil && s.simple {
		c.once = once
		c.allocateOnce(s)
	} else {
		c.allocate(s)
	}
	c.place(s)
	p.guard = newGuard(protectedHeadings(fragments, s.tail), o.Policy)
	for i := range fragments {
		c.fragment(i, &fragments[i])
	}
	if c.needs {
		c.resolveNeeds()
	}
	if c.total > maxTotal {
		c.fail(LimitExceeded, Position{}, "the fragments have %d bytes together, and the limit is %d", c.total, maxTotal)
	}
	return Join(c.guard.errs)
}

// maxTotal bounds the texts of all fragments, in or out: offsets are kept in 32
// bits.
const maxTotal = 1<<31 - 1

type compiler struct {
	*Plan
	once       *alone // nil: gates are compiled for any active set
	conditions Conditions
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
// whether they are in the order of the output already, where the two sections of
// the protected tail are, and whether their lists alone decide about them.
func (c *compiler) survey() (s survey) {
	s = survey{tail: [2]int{-1, -1}, ordered: true, simple: true}
	for i := range c.frags {
		f := &c.frags[i]
		switch {
		case f.ID == BoundariesID:
			s.tail[0], s.ordered = i, false
		case f.ID == InstructionsID:
			s.tail[1], s.ordered = i, false
		case f.Bucket == Before:
			s.ordered = s.ordered && s.before == i
			s.before++
		}
		s.simple = s.simple && f.When == "" && f.Template == "" && len(f.Needs) == 0
	}
	return s
}

type survey struct {
	before          int
	tail            [2]int // boundaries, instructions; -1: none
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
		make([]nameSlot, slotsFor(n)+slotsFor(tools)+slotsFor(caps)),
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
	c.gate, c.texts, c.ids.slots = m.numbers(n), m.strings(n), m.slots(slotsFor(n))
	if !s.ordered {
		c.order, c.at = m.numbers(n), m.numbers(n)
	}
}

// memory is handed out in pieces.
type memory struct {
	ints []int32
	strs []string
	slot []nameSlot
}

func (m *memory) numbers(n int) []int32  { return piece(&m.ints, n) }
func (m *memory) strings(n int) []string { return piece(&m.strs, n) }
func (m *memory) slots(n int) []nameSlot { return piece(&m.slot, n) }

func (m *memory) table(names int) nameTable {
	return nameTable{list: m.strings(names)[:0], slots: m.slots(slotsFor(names))}
}

func piece[T any](from *[]T, n int) []T {
	p := (*from)[:n:n]
	*from = (*from)[n:]
	return p
}

// place decides the order of the output: before, after, and the two sections of
// the protected tail behind everything, whatever they declare.
func (c *compiler) place(s survey) {
	if s.ordered {
		return
	}
	end := len(c.frags)
	for k := 1; k >= 0; k-- {
		if s.tail[k] >= 0 {
			end--
			c.order[end], c.at[s.tail[k]] = int32(s.tail[k]), int32(end)
		}
	}
	b, a := 0, s.before
	for i := range c.frags {
		f := &c.frags[i]
		var pos int
		switch {
		case i == s.tail[0] || i == s.tail[1]:
			continue
		case f.Bucket == Before || a >= end:
			pos = b
			b++
		default:
			pos = a
			a++
		}
		c.order[pos], c.at[i] = int32(i), int32(pos)
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
	text, d, blank := c.guard.text(f)
	if d != nil {
		if c.details == nil {
			c.details = make(map[int32]*detail)
		}
		c.details[int32(i)] = d
	}
	c.texts[pos] = text
	c.total += len(text) + len(joiner)
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
	if c.once != nil && verdict(c.gate[pos]).in() {
		c.once.length += len(text) + len(joiner)
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
	case !plainLine(f.ID) && !printable(f.ID):
		c.fail(InvalidFragment, f.Origin, "the id %q holds characters that can't be shown", f.ID)
		return
	}
	if first := c.ids.add(c.frags, i); first != i {
		c.fail(DuplicateID, f.Origin, "two fragments have the id %q", f.ID).
			Related = []Related{{Position: c.frags[first].Origin, Message: "the other one"}}
	}
	if f.Bucket > After || f.Trust > TrustSession || f.heading().Trust > TrustSession || f.Stability > PerTurn || f.TitleForm > HostHeading {
		c.fail(InvalidFragment, f.Origin, "fragment %q has a bucket, trust, stability or title form that doesn't exist", f.ID)
	}
}

func (c *compiler) gateOf(f *Fragment) int32 {
	if c.once != nil {
		return int32(c.once.present.verdict(f))
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
			c.guard.errs = append(c.guard.errs, ofCondition(err, f)...)
			return gateEmpty
		}
	}
	return c.gates.of(f, cond)
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

// maxCompared bounds how many ids are compared in search of what wrong needs
// meant, maxCircle how many fragments of a circle are named.
const (
	maxCompared = 1 << 16
	maxCircle   = 20
)

// resolveNeeds turns the ids of needs into gates and orders them, so that each
// is decided after what it needs.
func (c *compiler) resolveNeeds() {
	if len(c.guard.errs) > 0 {
		return
	}
	state := make([]uint8, len(c.frags)) // 0 new, 1 on the path, 2 done
	depth := make([]int32, len(c.frags)) // where it is on the path
	compared := 0
	type step struct{ frag, next int }
	for i := range c.frags {
		if len(c.frags[i].Needs) == 0 || state[i] != 0 {
			continue
		}
		path := []step{{frag: i}}
		state[i], depth[i] = 1, 0
		for len(path) > 0 {
			top := &path[len(path)-1]
			f := &c.frags[top.frag]
			if top.next == len(f.Needs) {
				state[top.frag] = 2
				c.needGate(top.frag)
				path = path[:len(path)-1]
				continue
			}
			name := f.Needs[top.next]
			top.next++
			j := c.ids.lookup(c.frags, name)
			switch {
			case j < 0:
				e := c.fail(UnknownNeed, f.Origin, "fragment %q needs %q, and there is no fragment with this id", f.ID, name)
				if compared += len(c.frags); compared > maxCompared {
					continue // the first errors are the ones that are shown
				}
				if near, ok := nearest.Name(name, c.idList()); ok {
					e.Hint = fmt.Sprintf("did you mean %q?", near)
				}
			case state[j] == 1:
				var chain strings.Builder
				circle := path[depth[j]:]
				for _, s := range circle[:min(len(circle), maxCircle)] {
					chain.WriteString(c.frags[s.frag].ID + " → ")
				}
				if more := len(circle) - maxCircle; more > 0 {
					fmt.Fprintf(&chain, "(%d more) → ", more)
				}
				c.fail(CyclicNeeds, f.Origin, "fragments need one another in a circle: %s%s", chain.String(), name)
			case state[j] == 0 && len(c.frags[j].Needs) > 0:
				state[j], depth[j] = 1, int32(len(path))
				path = append(path, step{frag: int(j)})
			}
		}
	}
}

func (c *compiler) idList() []string {
	ids := make([]string, len(c.frags))
	for i := range c.frags {
		ids[i] = c.frags[i].ID
	}
	return ids
}

// needGate fills the needs of a fragment's gate. A fragment with needs has a
// gate of its own, unless its text decides already.
func (c *compiler) needGate(i int) {
	g := c.gate[c.position(i)]
	if g < firstGate {
		return
	}
	ids := make([]int32, 0, len(c.frags[i].Needs))
	for _, name := range c.frags[i].Needs {
		if j := c.ids.lookup(c.frags, name); j >= 0 {
			ids = append(ids, c.gate[c.position(int(j))])
		}
	}
	c.gates.gates[g].needs = c.gates.push(ids...)
	c.gates.late = append(c.gates.late, g)
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

// printable reports whether an id can be shown on one line as it is.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r >= 0x80 && r <= 0x9f || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	_, _, _, _, hidden := unitab.NextHidden(s, 0)
	return !hidden
}
