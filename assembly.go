package cento

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Assembly is the result of one assembly without its text: the decision on
// every fragment and the place of each. It holds a few bytes per fragment;
// reasons, spans and digests are made when they are asked for. The zero value
// is ready to be filled, and one that is filled again reuses its memory.
type Assembly struct {
	plan     *Plan
	bound    *Bound
	verdicts []verdict // by gate
	// ends is the length of the output after each position of its order. A
	// fragment that is out has no bytes, so the list never decreases.
	ends     []int32
	included int
	bounds   []uint32           // memory of appendRuns: where runs begin and end
	expanded map[int32]expanded // rendered templates, by index of the fragment
}

// AppendText appends the prompt for a bound active set to dst and fills a with
// its decisions and places. Offsets count from the end of dst as it was. Nothing
// is allocated when dst and a have room.
//
// The errors are [LimitExceeded], those of conditions, and of what templates
// give: the engine's own, [InvalidUTF8], [HiddenText] and [ForgedHeading]. On an
// error dst is returned as it was and a is unusable.
func (p *Plan) AppendText(dst []byte, b *Bound, a *Assembly) ([]byte, error) {
	if err := p.decide(b, a); err != nil {
		return dst, err
	}
	return p.append(dst, a)
}

// append writes the text of what was decided.
func (p *Plan) append(dst []byte, a *Assembly) ([]byte, error) {
	from, over := len(dst), 0
	switch {
	case p.ends == nil || p.section != nil || p.tight != nil || len(p.templates) > 0:
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
		Hint: "the limit is limits.prompt",
	}
}

// Assemble makes the prompt for an active set. Its errors are those of
// [Plan.AppendText].
func (p *Plan) Assemble(active Active) (*Prompt, error) { return p.assemble(p.Bind(active)) }

func (p *Plan) assemble(b *Bound) (*Prompt, error) {
	out := new(Prompt)
	text, err := p.AppendText(nil, b, &out.Assembly)
	if err != nil {
		return nil, err
	}
	out.text = unsafe.String(unsafe.SliceData(text), len(text)) // nobody else holds text
	return out, nil
}

func (p *Plan) decide(b *Bound, a *Assembly) error {
	if b.plan != p {
		b = p.bind(b.active)
	}
	a.plan, a.bound, a.included = p, b, 0
	a.verdicts = resize(a.verdicts, len(p.gates.gates))
	a.ends = resize(a.ends, len(p.gate))
	if err := p.gates.decide(b, a.verdicts); err != nil {
		return err
	}
	return p.settle(a)
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
	for pos, g := range a.plan.gate {
		if a.verdicts[g].in() {
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
	from, included, last := len(dst), 0, int32(0)
	chained := false // an earlier part of this chain is in
	for pos, g := range p.gate {
		chained = chained && p.tight != nil && p.tight[pos]
		if a.verdicts[g].in() {
			switch {
			case chained:
				dst = append(dst, tightJoiner...)
			case included > 0:
				dst = append(dst, joiner...)
			}
			chained = true
			if s := p.sectionAt(pos); s != last {
				if last = s; s != 0 {
					dst = append(dst, p.headings[s]...)
					dst = append(dst, joiner...)
				}
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

// textAt is the text at a position, rendered if it is that of a template.
func (a *Assembly) textAt(pos int) string {
	if a.expanded != nil {
		if x, ok := a.expanded[int32(a.plan.index(pos))]; ok {
			return x.text
		}
	}
	return a.plan.texts[pos]
}

// detail is what is kept about the text of a fragment; nil when there is
// nothing to keep.
func (a *Assembly) detail(i int) *detail {
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
func (a *Assembly) In(i int) bool { return a.verdict(i).in() }

// Place is the stretch of the text that a fragment fills, its own title line
// included; false when it is out.
func (a *Assembly) Place(i int) (start, end int, ok bool) {
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

func (a *Assembly) verdict(i int) verdict { return a.verdicts[a.plan.gate[a.plan.position(i)]] }

// Code is the decision on a fragment.
func (a *Assembly) Code(i int) Code {
	switch a.verdict(i) {
	case outEmpty:
		return CodeBodyEmpty
	case outExcluded:
		return a.plan.frags[i].Excluded.Code
	case outToolMissing:
		return CodeToolMissing
	case outToolNone:
		return CodeToolNone
	case outCapMissing:
		return CodeCapMissing
	case outWhen:
		return CodeWhenFalse
	case outNeeds:
		return CodeNeedsOut
	case inTools:
		return CodeIncludeTools
	case inAny:
		return CodeIncludeAny
	case inCaps:
		return CodeIncludeCaps
	case inWhen:
		return CodeIncludeWhen
	}
	return CodeUnconditional
}

// Reason is the decision on a fragment in words.
func (a *Assembly) Reason(i int) string {
	f := &a.plan.frags[i]
	switch a.verdict(i) {
	case outEmpty:
		return "empty body"
	case outExcluded:
		return f.Excluded.reason()
	case outToolMissing:
		return toolMissing(f.RequiresTools[a.firstOut(f.RequiresTools, a.activeTool)])
	case outToolNone:
		return toolNone(f.RequiresAnyTools)
	case outCapMissing:
		return capMissing(f.RequiresCaps[a.firstOut(f.RequiresCaps, a.activeCap)])
	case outWhen:
		return "condition `" + foldSpace(f.When) + "` is false"
	case outNeeds:
		return needOut(f.Needs[a.firstOut(f.Needs, a.idIn)])
	case inTools:
		return "tool(s) present: " + strings.Join(f.RequiresTools, ", ")
	case inAny:
		present := slices.DeleteFunc(slices.Clone(f.RequiresAnyTools), func(t string) bool { return !a.activeTool(t) })
		return "tool(s) present: " + strings.Join(present, ", ")
	case inCaps:
		return "capabilit(ies) present: " + strings.Join(f.RequiresCaps, ", ")
	case inWhen:
		return "condition `" + foldSpace(f.When) + "` is true"
	}
	return "unconditional"
}

// Unmet is every condition of a fragment that doesn't hold, in the order in
// which they are tested; none for an included fragment.
func (a *Assembly) Unmet(i int) []Unmet {
	f := &a.plan.frags[i]
	var out []Unmet
	switch v := a.verdict(i); {
	case v.in():
		return nil
	case v == outExcluded:
		out = append(out, Unmet{f.Excluded.Code, f.Excluded.reason()})
	}
	if a.verdict(i) == outEmpty || f.Template == "" && isBlank(f.Body) {
		out = append(out, Unmet{CodeBodyEmpty, "empty body"})
	}
	for _, t := range f.RequiresTools {
		if !a.activeTool(t) {
			out = append(out, Unmet{CodeToolMissing, toolMissing(t)})
		}
	}
	if len(f.RequiresAnyTools) > 0 && !slices.ContainsFunc(f.RequiresAnyTools, a.activeTool) {
		out = append(out, Unmet{CodeToolNone, toolNone(f.RequiresAnyTools)})
	}
	for _, c := range f.RequiresCaps {
		if !a.activeCap(c) {
			out = append(out, Unmet{CodeCapMissing, capMissing(c)})
		}
	}
	if !isBlank(f.When) && a.refuses(f.When) {
		out = append(out, Unmet{CodeWhenFalse, "condition `" + foldSpace(f.When) + "` is false"})
	}
	for _, id := range f.Needs {
		if !a.idIn(id) {
			out = append(out, Unmet{CodeNeedsOut, needOut(id)})
		}
	}
	return out
}

func toolMissing(name string) string { return "requires tool `" + name + "` (not available)" }

func toolNone(names []string) string {
	return "requires any tool of `" + strings.Join(names, "`, `") + "` (none available)"
}

func capMissing(name string) string { return "requires capability `" + name + "` (not set)" }

func needOut(id string) string { return "needs `" + id + "` (not included)" }

// reason is the exclusion in words.
func (x *Exclusion) reason() string {
	by := "`" + x.By + "`"
	switch x.Code {
	case CodeLayerCleared:
		return "cleared by layer " + by
	case CodeLayerReplaced:
		return "replaced by layer " + by
	case CodeLayerRemoved:
		return "removed by layer " + by
	case CodeSlotUnplaced:
		return "slot " + by + " is not in the template"
	case CodeDuplicate:
		return "duplicate of " + by
	}
	return "overridden by " + by
}

// firstOut is the index of the first name that doesn't hold.
func (a *Assembly) firstOut(names []string, holds func(string) bool) int {
	return slices.IndexFunc(names, func(n string) bool { return !holds(n) })
}

func (a *Assembly) activeTool(name string) bool {
	if i := a.plan.gates.tools.lookup(name); i >= 0 {
		return a.bound.tools[i] != 0
	}
	return slices.Contains(a.bound.active.Tools, name) // named by a fragment without text
}

func (a *Assembly) activeCap(name string) bool {
	if i := a.plan.gates.caps.lookup(name); i >= 0 {
		return a.bound.caps[i] != 0
	}
	return slices.Contains(a.bound.active.Caps, name)
}

func (a *Assembly) idIn(id string) bool {
	i := a.plan.ids.lookup(a.plan.frags, id)
	return i >= 0 && a.In(int(i))
}

// refuses asks a condition again; that it can be answered is known. One that
// only fragments have that were out before was never compiled, and refuses
// nothing.
func (a *Assembly) refuses(expr string) bool {
	i := a.plan.gates.whens.lookup(strings.TrimSpace(expr))
	if i < 0 {
		return false
	}
	ok, err := a.plan.gates.conds[i].cond.Eval(a.bound.active)
	return err != nil || !ok
}
