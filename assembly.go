package cento

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/cento-dev/cento/internal/imitation"
)

// Assembly is the result of one assembly without its text: the decision on
// every fragment and the place of each. It holds a few bytes per fragment;
// reasons, spans and digests are made when they are asked for. The zero value
// is ready to be filled, and one that is filled again reuses its memory.
type Assembly struct {
	plan     *Plan
	bound    *Bound
	verdicts []verdict // by gate; the bound's
	// ends is the length of the output after each position of its order. A
	// fragment that is out has no bytes, so the list never decreases.
	ends     []int32
	included int
	bounds   []uint32           // memory of appendRuns: where runs begin and end
	bare     []bool             // by position: the heading of its section isn't printed; nil when all are
	expanded map[int32]expanded // rendered templates, by index of the fragment; the bound's
	fitted   *fitting           // what a budget made of it; nil without one
	yielded  map[int32]expanded // before it is fitted: what required fragments gave something of
}

// AppendText appends the prompt for a bound active set to dst and fills a with
// its decisions and places; nil if you don't need them. Offsets count from the end of
// dst as it was. Nothing is allocated when dst and a have room.
//
// The errors are [InvalidBound], [InvalidTool], [LimitExceeded], [InvalidBudget], [BudgetRequired], those of
// conditions, and of what templates
// give: the engine's own, [InvalidUTF8] and [HiddenText]. On an
// error dst is returned as it was and a is unusable.
func (p *Plan) AppendText(dst []byte, b *Bound, a *Assembly) ([]byte, error) {
	if p == nil || b == nil || b.plan != p {
		return dst, notBound()
	}
	if b.misnamed != nil {
		return dst, b.misnamed
	}
	if a == nil {
		a = new(Assembly)
	}
	if err := p.decide(b, a); err != nil {
		return dst, err
	}
	return p.append(dst, a)
}

func notBound() *SourceError {
	return &SourceError{Code: InvalidBound, Message: "the active set is not bound to this plan", Hint: "pass what Bind of the same plan returned"}
}

// append writes the text of what was decided.
func (p *Plan) append(dst []byte, a *Assembly) ([]byte, error) {
	from, over := len(dst), 0
	switch {
	case p.ends == nil || p.section != nil || p.tight != nil || len(p.templates) > 0 || a.fitted != nil:
		dst, over = p.appendEach(slices.Grow(dst, min(a.measure(), p.maxPrompt)), a)
	default:
		dst = p.appendRuns(dst, a)
	}
	if n := len(dst) - from + over; n > p.maxPrompt {
		return dst[:from], promptTooLong(n, p.maxPrompt)
	}
	return dst, nil
}

func promptTooLong(size, limit int) *SourceError {
	return &SourceError{
		Code: LimitExceeded, Message: fmt.Sprintf("the prompt has %d bytes, and the limit is %d", size, limit),
		Hint: "the limit is limits.prompt", Limit: "prompt",
	}
}

// Assemble makes the prompt for an active set. Its errors are those of
// [Plan.AppendText].
func (p *Plan) Assemble(active Active) (*Prompt, error) { return p.assemble(p.Bind(active)) }

// Prompt makes the prompt for the bound active set. Its errors are those of
// [Plan.AppendText].
func (b *Bound) Prompt() (*Prompt, error) {
	if b == nil {
		return nil, notBound()
	}
	return b.plan.assemble(b)
}

func (p *Plan) assemble(b *Bound) (*Prompt, error) {
	out := new(Prompt)
	text, err := p.AppendText(nil, b, &out.Assembly)
	if err != nil {
		return nil, err
	}
	out.text = unsafe.String(unsafe.SliceData(text), len(text)) // nobody else holds text
	if out.fitted != nil {
		out.notes = append(out.notes, out.fitted.yieldNotes...)
	}
	if p.ofInput {
		out.remark(p.notes)
	}
	return out, nil
}

func (p *Plan) decide(b *Bound, a *Assembly) error {
	x, err := b.decided()
	if err != nil {
		return err
	}
	a.plan, a.bound, a.included = p, b, 0
	a.verdicts, a.expanded, a.fitted = x.verdicts, x.expanded, x.fitted
	a.ends = resize(a.ends, len(p.gate))
	return nil
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// measure is how long the text will be at most.
func (a *Assembly) measure() int {
	n := 0
	for pos := range a.plan.gate {
		if a.inAt(pos) {
			n += len(a.textAt(pos)) + len(joiner)
		}
	}
	for _, h := range a.plan.headings {
		n += len(h) + len(joiner)
	}
	return n
}

// appendRuns copies runs of included neighbours in one go. Whether a fragment is
// in can't be predicted, so the pass over the gates has no branch on it: it
// notes where runs begin and end, and they are copied after that.
func (p *Plan) appendRuns(dst []byte, a *Assembly) []byte {
	n := len(p.gate)
	gate, ends, out, verdicts := p.gate, p.ends[:n], a.ends[:n], a.verdicts
	a.bounds = resize(a.bounds, n+1)
	bounds := a.bounds
	length := -int32(len(joiner)) // nothing stands before the first
	last, in, included, k := uint32(0), uint32(0), uint32(0), 0
	for pos, g := range gate {
		was := in
		in = uint32(verdicts[g]>>4) & 1
		bounds[k] = last
		k += int(in ^ was)
		length += int32((ends[pos] - last) & -in)
		last = ends[pos]
		out[pos] = max(length, 0)
		included += in
	}
	bounds[k] = last
	k += int(in)
	a.included = int(included)
	if length <= 0 {
		return dst
	}
	from := len(dst)
	dst = slices.Grow(dst, int(length))[:from+int(length)]
	to, skip := dst[from:], uint32(len(joiner))
	for i := 0; i+1 < k; i += 2 {
		to = to[copy(to, p.arena[bounds[i]+skip:bounds[i+1]]):]
		skip = 0
	}
	return dst
}

// appendEach goes fragment by fragment: the heading of a section precedes the
// first of each run of its fragments, the parts of a chain are joined by one
// line end, and templates have been rendered. What passes the limit is counted
// in over, not kept: headings repeat, so that little text can make a long prompt.
func (p *Plan) appendEach(dst []byte, a *Assembly) (out []byte, over int) {
	from, included, under := len(dst), 0, above{}
	if p.forms != nil {
		a.bare = resize(a.bare, len(p.gate))
		clear(a.bare)
	}
	chained := false // an earlier part of this chain is in
	for pos := range p.gate {
		chained = chained && p.tight != nil && p.tight[pos]
		if a.inAt(pos) {
			switch {
			case chained:
				dst = append(dst, tightJoiner...)
			case included > 0:
				dst = append(dst, joiner...)
			}
			chained = true
			print := a.headed(&under, pos, a.levelAt(pos))
			if p.forms != nil {
				a.bare[pos] = under.section != 0 && !under.printed
			}
			if print {
				dst = append(dst, p.headings[under.section]...)
				dst = append(dst, joiner...)
			}
			dst = append(dst, a.textAt(pos)...)
			included++
			if n := len(dst) - from; n > p.maxPrompt {
				dst, over = dst[:from], over+n
			}
		}
		a.ends[pos] = int32(len(dst) - from)
	}
	a.included = included
	return dst, over
}

func (p *Plan) sectionAt(pos int) int32 {
	if p.section == nil {
		return 0
	}
	return p.section[pos]
}

// variantsAt are the variants of the fragment at a position.
func (p *Plan) variantsAt(pos int) []variant {
	if p.variants == nil {
		return nil
	}
	return p.variants[int32(p.index(pos))]
}

// bodyAt is the text at a position with a body in use.
func (a *Assembly) bodyAt(pos int, level int32) string {
	switch {
	case level == yielded:
		return a.gave(a.plan.index(pos)).text
	case level > 0:
		return a.plan.variantsAt(pos)[level-1].text
	}
	text := a.plan.texts[pos]
	if text == "" && a.expanded != nil { // a template has no text before
		return a.expanded[int32(a.plan.index(pos))].text
	}
	return text
}

// gave is what is left of a required fragment that gave something.
func (a *Assembly) gave(i int) expanded {
	if a.fitted != nil {
		a = a.fitted.a
	}
	return a.yielded[int32(i)]
}

// rendered reports whether the text at a position is made for the active set.
func (a *Assembly) rendered(pos int) bool {
	_, ok := a.expanded[int32(a.plan.index(pos))]
	return ok
}

// levelAt is the body in use at a position, or dropped.
func (a *Assembly) levelAt(pos int) int32 {
	if a.fitted == nil {
		return 0
	}
	return a.fitted.levelOf(int32(pos))
}

// inAt reports whether the text at a position is in the prompt.
func (a *Assembly) inAt(pos int) bool {
	return a.verdicts[a.plan.gate[pos]].in() && (a.fitted == nil || a.fitted.levelOf(int32(pos)) != dropped)
}

// textAt is the text at a position, rendered if it is that of a template.
func (a *Assembly) textAt(pos int) string { return a.bodyAt(pos, a.levelAt(pos)) }

// hasText reports whether the text of a fragment is known: a prompt file that
// is gated out is never rendered.
func (a *Assembly) hasText(i int) bool {
	_, rendered := a.expanded[int32(i)]
	return rendered || a.plan.frags[i].Template == ""
}

// detail is what is kept about the text of a fragment; nil when there is
// nothing to keep.
func (a *Assembly) detail(i int) *detail {
	switch level := a.levelAt(a.plan.position(i)); {
	case level == yielded:
		return a.gave(i).detail
	case level > 0:
		return a.plan.variants[int32(i)][level-1].detail
	}
	if x, ok := a.expanded[int32(i)]; ok {
		return x.detail
	}
	return a.plan.details[int32(i)]
}

// Len is how many fragments were considered.
func (a *Assembly) Len() int { return len(a.ends) }

// Included is how many fragments are in.
func (a *Assembly) Included() int { return a.included }

// Bytes is the length of the text.
func (a *Assembly) Bytes() int {
	if len(a.ends) == 0 {
		return 0
	}
	return int(a.ends[len(a.ends)-1])
}

// Fragment is the fragment of an index, in declaration order.
func (a *Assembly) Fragment(i int) Fragment { return a.plan.frags[i] }

// Index is the place in declaration order of a fragment's id.
func (a *Assembly) Index(id string) (int, bool) {
	i := a.plan.ids.lookup(a.plan.frags, id)
	return int(i), i >= 0
}

// In reports whether a fragment is included.
func (a *Assembly) In(i int) bool { return a.inAt(a.plan.position(i)) }

// Extent is the stretch of the text that a fragment fills, its own title line
// included; false when it is out.
func (a *Assembly) Extent(i int) (start, end int, ok bool) {
	if !a.In(i) {
		return 0, 0, false
	}
	pos := a.plan.position(i)
	end = int(a.ends[pos])
	return end - len(a.textAt(pos)), end, true
}

// Text is the text of a fragment as it stands in the prompt, or would; empty
// for a template that wasn't rendered because its gates are shut.
func (a *Assembly) Text(i int) string { return a.textAt(a.plan.position(i)) }

func (a *Assembly) verdict(i int) verdict {
	pos := a.plan.position(i)
	if a.levelAt(pos) == dropped {
		return outBudget
	}
	return a.verdicts[a.plan.gate[pos]]
}

// Expander is where a template engine plugs in: it gives the text of a fragment
// that has a template.
type Expander interface {
	// Expand renders the template that a fragment names, for an active set. The
	// same arguments must give the same text; it must be safe for concurrent
	// use. Its errors are reported as they are, so they should be
	// [*SourceError]. The fragment must not be changed or kept.
	Expand(f *Fragment, a Active) (Text, error)
}

// templated is a fragment whose text depends on the active set. Its gate is its
// own.
type templated struct{ frag, gate int32 }

// expanded is the text of such a fragment in one assembly.
type expanded struct {
	text   string
	detail *detail
	own    imitation.Own
	blank  bool
}

// template checks a fragment that has one. It reports whether the fragment can
// be left out of everything that follows.
func (c *compiler) template(i int, f *Fragment) (blank bool) {
	switch {
	case !isBlank(f.Body):
		c.fail(InvalidFragment, f.Origin, "fragment %q has both a body and a template", f.ID)
	case c.expander == nil:
		c.fail(UnsupportedTemplate, f.Origin, "fragment %q has a template (%s), and there is no engine to render it", f.ID, f.Template)
	default:
		return false
	}
	return true
}

// Keyed is an [Expander] that can tell two texts apart without rendering them.
type Keyed interface {
	Expander
	// Key is equal for two renderings of a fragment only where their texts are the
	// same, whichever engines of one kind and active sets they are of. Empty: not
	// known.
	Key(f *Fragment, a Active) string
}

// outcome is what an active set decides: nothing of it changes any more.
type outcome struct {
	verdicts []verdict // by gate
	few      [32]verdict
	expanded map[int32]expanded // rendered templates, by index of the fragment
	fitted   *fitting           // what the plan's budget made of it; nil without one
	err      error
}

// decided is what an active set decides, found out once.
func (b *Bound) decided() (*outcome, error) {
	b.once.Do(func() {
		x := &b.outcome
		if x.verdicts = x.few[:]; len(b.plan.gates.gates) > len(x.few) {
			x.verdicts = make([]verdict, len(b.plan.gates.gates))
		}
		x.verdicts = x.verdicts[:len(b.plan.gates.gates)]
		if x.err = b.plan.gates.decide(b, x.verdicts); x.err == nil {
			x.err = b.decideDependent()
		}
		if x.err == nil && b.plan.budget != nil {
			whole := &Assembly{plan: b.plan, bound: b, verdicts: x.verdicts, expanded: x.expanded}
			x.fitted, x.err = whole.fit(b.plan.budget)
		}
		b.before = nil
		b.done.Store(true)
	})
	return &b.outcome, b.outcome.err
}

// decideDependent decides what depends on other decisions: fragments with needs, each
// after what it needs, and templates, which are rendered once everything else
// lets them in, so that a fragment that is out can't fail.
func (b *Bound) decideDependent() error {
	p, x := b.plan, &b.outcome
	if len(p.templates) == 0 {
		for _, g := range p.gates.late {
			p.gates.need(g, x.verdicts)
		}
		return nil
	}
	e := expansion{bound: b, guard: p.guard, byGate: make(map[int32]int32, len(p.templates))}
	x.expanded = make(map[int32]expanded, len(p.templates))
	waiting := make(map[int32]bool, len(p.gates.late))
	for _, g := range p.gates.late {
		waiting[g] = true
	}
	for _, t := range p.templates {
		e.byGate[t.gate] = t.frag
		if !waiting[t.gate] {
			e.render(t.gate)
		}
	}
	for _, g := range p.gates.late {
		p.gates.need(g, x.verdicts)
		e.render(g)
	}
	return e.guard.errs.err()
}

type expansion struct {
	bound  *Bound
	guard  guard
	byGate map[int32]int32
	bytes  int // rendered so far; all of it goes into the prompt
}

// render makes the text of the template behind a gate, if there is one and the
// gate is open.
func (e *expansion) render(gate int32) {
	p, x := e.bound.plan, &e.bound.outcome
	i, ok := e.byGate[gate]
	if !ok || !x.verdicts[gate].in() || e.bytes > p.maxPrompt {
		return
	}
	text, ok := e.bound.same(i)
	if !ok {
		f := p.frags[i]
		t, err := e.bound.expander.Expand(&f, e.bound.active)
		if err != nil {
			e.guard.adopt(err, &f)
			return
		}
		text = p.made(&e.guard, i, t)
	}
	if text.blank {
		x.verdicts[gate] = outEmpty
	}
	x.expanded[i] = text
	if e.bytes += len(text.text); e.bytes > p.maxPrompt {
		e.guard.errs.add(promptTooLong(e.bytes, p.maxPrompt))
	}
}

// same is the text of a template that was rendered before, where what it is made of
// is the same now.
func (b *Bound) same(i int32) (expanded, bool) {
	if b.before == nil {
		return expanded{}, false
	}
	was, err := b.before.decided() // it is, already
	text, rendered := was.expanded[i]
	now, knows := b.expander.(Keyed)
	then, knew := b.before.expander.(Keyed)
	if err != nil || !rendered || !knows || !knew {
		return expanded{}, false
	}
	f, g := b.plan.frags[i], b.plan.frags[i]
	key := now.Key(&f, b.active)
	return text, key != "" && key == then.Key(&g, b.before.active)
}
