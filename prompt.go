package cento

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/cento-dev/cento/internal/nametable"
	"github.com/cento-dev/cento/internal/unrendered"
)

// Prompt is an assembled system prompt: its text, the decision on every
// fragment, and the origin of every byte. It is immutable, and used by its pointer: it
// isn't to be copied.
type Prompt struct {
	Assembly
	text  string
	notes []Note

	summed sync.Once
	sum    string // of the text, once somebody asked for it
}

// Reduce makes the prompt of an input. It reads nothing but its argument. Its
// errors are those of [Compose], [Compile] and [Plan.AppendText].
func Reduce(in Input) (*Prompt, error) { return ReduceWith(in, nil) }

// Engine decides conditions and renders templates.
type Engine interface {
	Conditions
	Expander
}

// TextKeeper is an [Engine] that keeps what is found in texts, from one input to the next.
type TextKeeper interface {
	// Texts are nil where nothing is kept.
	Texts() *Texts
}

// StabilityReader is an [Engine] that can tell what a fragment reads without
// rendering it.
type StabilityReader interface {
	// Stability is how often what a fragment's template and condition read
	// changes, in whatever branch; reads is the first of it that changes as often,
	// and at where it stands. A fragment that reads nothing of the kind is [Static].
	Stability(f *Fragment) (s Stability, reads string, at Position)
}

// ReduceWith is [Reduce] with an engine for conditions and templates; nil for
// none. A fragment changes as often as what it reads does, where the engine is a
// [StabilityReader]; one that is declared to change more seldom is noted.
func ReduceWith(in Input, engine Engine) (*Prompt, error) {
	fragments, notes, o, err := in.prepare(engine)
	if err != nil {
		return nil, err
	}
	p, err := ReduceFragments(fragments, in.active(), o)
	if err != nil {
		return nil, err
	}
	p.remark(notes)
	return p, nil
}

// prepare is what a prompt of the input is made of, and what there is to say about it
// whatever is active.
func (in Input) prepare(engine Engine) ([]Fragment, []Note, Options, error) {
	fragments, composed, err := Compose(in)
	if err != nil {
		return nil, nil, Options{}, err
	}
	notes := append(slices.Clip(in.Notes), composed...)
	notes = append(notes, unrenderedNotes(in, fragments)...)
	if r, ok := engine.(StabilityReader); ok {
		notes = append(notes, raise(fragments, r)...)
	}
	o, err := in.Options(engine)
	if err == nil && in.Budget == nil {
		notes = append(notes, unbudgeted(fragments)...)
	}
	return fragments, notes, o, err
}

// remark adds what there is to say about the input to what there is to say about the
// prompt.
func (p *Prompt) remark(notes []Note) {
	p.notes = append(p.notes, notes...)
	if p.plan.budget != nil {
		p.notes = append(p.notes, p.variantsUnused()...)
	}
}

// Plan compiles the input for more than one active set: what [Bound.Prompt] makes with
// it is what [ReduceWith] makes of a copy of the input in which nothing but the active
// set is another. The tools of a budget are those that the input has active. Its errors
// are those of [Compose] and [Compile].
func (in Input) Plan(engine Engine) (*Plan, error) {
	fragments, notes, o, err := in.prepare(engine)
	if err != nil {
		return nil, err
	}
	p, err := Compile(fragments, o)
	if err != nil {
		return nil, err
	}
	p.ofInput, p.notes = true, notes
	return p, nil
}

// unrenderedNotes tells of literal texts that look like prompt files, where whoever
// wrote them could have named one, and of headings that do. What the program found, such as skills and
// instructions, and what servers and sessions say is data, whatever it looks like.
func unrenderedNotes(in Input, fragments []Fragment) (notes []Note) {
	var data map[string]bool // by id; nil before it is needed
	isData := func(f *Fragment) bool {
		if data == nil {
			data = map[string]bool{}
			for _, list := range [][]Fragment{in.Profile, in.Primary.Skills} {
				for i := range list {
					data[list[i].ID] = true
				}
			}
			for _, t := range in.Tools {
				data[guidanceID(t.Name)] = t.Server != ""
			}
			for _, s := range in.Servers {
				data[instructionsID(s.Name)] = true
			}
		}
		return data[f.ID]
	}
	type sectionOf struct {
		words string
		index int
		from  Position
	}
	var told map[sectionOf]bool // a section's heading is that of all of its fragments
	heading := func(f *Fragment, what, words string, from Attribution) {
		if from.Trust == TrustBuiltin || from.Trust == TrustSession {
			return
		}
		if start, end, found := unrendered.Find(words); found && !isData(f) {
			notes = append(notes, Note{
				Code: CodeUnrendered, Fragment: f.ID, Position: from.Position,
				Message: what + " is sent as it is, with " + strconv.Quote(clip(words[start:end])) + " in it; " + rendering(words[start:end], "only prompt files are rendered"),
			})
		}
	}
	for i := range fragments {
		f := &fragments[i]
		if f.Excluded != nil || f.Tail {
			continue
		}
		if strings.ContainsAny(f.Section, "{<") {
			if s := (sectionOf{f.Section, f.SectionIndex, f.heading().Position}); !told[s] {
				if told == nil {
					told = map[sectionOf]bool{}
				}
				told[s] = true
				heading(f, "the heading of a section", f.Section, f.heading())
			}
		}
		heading(f, "a title", f.Title, f.title())
		if f.Trust == TrustBuiltin || f.Trust == TrustSession || f.Template != "" {
			continue
		}
		texts := append([]Text{{Body: f.Body, Runs: f.Runs, Origin: f.Origin}}, f.Variants...)
		for _, t := range texts {
			if start, end, found := unrendered.Find(t.Body); found && !isData(f) {
				notes = append(notes, Note{
					Code: CodeUnrendered, Fragment: f.ID, Position: t.Locate(start),
					Message: f.sentAsItIs(t.Body[start:end]),
				})
			}
		}
	}
	return notes
}

// sentAsItIs says what of a literal text isn't rendered, and what would be.
func (f *Fragment) sentAsItIs(part string) string {
	what, instead := "a body", "a prompt file named by a template is rendered"
	switch {
	case f.Trust == TrustTool:
		what, instead = "the guidance of a tool", "a fragment that requires the tool can name a prompt file, which is rendered"
	case f.ID == SystemID:
		what, instead = "the main text", "a prompt file named as the instruction is rendered"
	case strings.HasPrefix(f.ID, primarySource+":") || strings.HasPrefix(f.ID, "text:") || f.ID == ReplacementID || f.ID == executionID:
		what, instead = "this text", "only prompt files are rendered"
	}
	return what + " is sent as it is, with " + strconv.Quote(clip(part)) + " in it; " + rendering(part, instead)
}

// rendering says what would render a part of a text: nothing does where only another
// program has its syntax.
func rendering(part, instead string) string {
	if unrendered.OfPromptFiles(part) {
		return instead
	}
	return "Cento doesn't render this syntax anywhere"
}

// raise gives fragments the stability of what they read.
func raise(fragments []Fragment, engine StabilityReader) (notes []Note) {
	for i := range fragments {
		f := &fragments[i]
		if f.Template == "" && isBlank(f.When) || f.Excluded != nil {
			continue
		}
		s, reads, at := engine.Stability(f)
		if s <= f.Stability {
			continue
		}
		if f.Stability > Static && !strings.HasPrefix(f.Template, CatalogTemplate) {
			notes = append(notes, Raised(f, s, reads, at))
		}
		f.Stability = s
	}
	return notes
}

// Raised is the note on a fragment that is declared to change more seldom than
// what it reads.
func Raised(f *Fragment, to Stability, reads string, at Position) Note {
	return Note{
		Code: CodeStabilityRaised, Position: at, Fragment: f.ID,
		Message: "reads " + reads + ", so the text is of stability " + to.String() + ", and not " + f.Stability.String() + " as declared",
	}
}

// Options are what a compilation of the input's fragments needs besides them, for
// those who assemble them more than once: what [ReduceWith] takes. The budget's tools
// are those that are active. The error is [InvalidTool].
func (in Input) Options(engine Engine) (Options, error) {
	o := Options{Limits: in.Limits, Policy: in.Policy}
	if engine != nil {
		o.Conditions, o.Expander = engine, engine
		if k, ok := engine.(TextKeeper); ok {
			o.Texts = k.Texts()
		}
	}
	var err error
	o.Budget, err = in.budget(engine)
	return o, err
}

// System is the text of the prompt, and false when no fragment is included:
// then there is no system prompt, which isn't the same as an empty one.
func (p *Prompt) System() (string, bool) { return p.text, p.included > 0 }

// Digest is the SHA-256 of the text in lower-case hex; empty when there is no
// system prompt.
func (p *Prompt) Digest() string {
	if p.included == 0 {
		return ""
	}
	p.summed.Do(func() { p.sum = digest(p.text) })
	return p.sum
}

func digest(s string) string {
	sum := sha256.Sum256(unsafe.Slice(unsafe.StringData(s), len(s))) // which it only reads
	return hex.EncodeToString(sum[:])
}

// Notes are the remarks on the input as a whole.
func (p *Prompt) Notes() []Note { return p.notes }

// Most of the work of a compilation pays from the second assembly on. A list
// that is assembled once, and about which nothing but its own lists of names
// decides, goes this way: the same checks, the same plan but for its gates,
// which are verdicts.

// ReduceFragments makes one prompt of a list of fragments. Callers who assemble
// the same fragments more than once compile them instead. The prompt refers to
// the fragments: don't change them. Its errors are those of [Compile] and
// [Plan.Assemble].
func ReduceFragments(fragments []Fragment, active Active, o Options) (*Prompt, error) {
	p, err := reduceOnce(fragments, active, o)
	if err != nil && o.Placed != nil {
		if _, placed := reduceOnce(o.Placed, active, o); placed != nil {
			err = placed
		}
	}
	return p, err
}

func reduceOnce(fragments []Fragment, active Active, o Options) (*Prompt, error) {
	if e := active.misnamed(); e != nil {
		return nil, e
	}
	x := new(oneShot)
	x.bound = Bound{plan: &x.plan, active: active}
	if err := x.plan.compile(fragments, o, x); err != nil {
		return nil, err
	}
	if x.prompt.verdicts == nil {
		return x.plan.Assemble(active)
	}
	length := x.length // what stands between texts is as long as a joiner, or a heading more
	for _, h := range x.plan.headings {
		length += len(h) + len(joiner)
	}
	text, over := x.plan.appendEach(unclearedBytes(min(length, x.plan.maxPrompt)), &x.prompt.Assembly)
	if n := len(text) + over; n > x.plan.maxPrompt {
		return nil, promptTooLong(n, x.plan.maxPrompt)
	}
	x.prompt.text = unsafe.String(unsafe.SliceData(text), len(text)) // nobody else holds text
	return &x.prompt, nil
}

// oneShot is a prompt and the plan that was made for it alone.
type oneShot struct {
	prompt Prompt
	plan   Plan
	bound  Bound
	active activeNames
	length int // bytes of the texts that are in, with a joiner each, by now
}

// allocateOnce is [compiler.allocate] for one assembly. The names of the active
// set are copied.
func (c *compiler) allocateOnce(s survey) {
	n, x := len(c.frags), c.oneShot
	a := &x.bound.active
	tools, caps := nametable.SetSlots(a.Tools), nametable.SetSlots(a.Caps)
	m := memory{
		make([]int32, s.lists()*n+n),
		make([]string, n+len(a.Tools)+len(a.Caps)),
		make([]nametable.Slot, nametable.Slots(n)+tools+caps),
	}
	c.list(s, &m)
	a.Tools, a.Caps = m.copy(a.Tools), m.copy(a.Caps)
	x.active = activeNames{nametable.NewSet(a.Tools, m.slots(tools)), nametable.NewSet(a.Caps, m.slots(caps))}
	x.prompt.Assembly = Assembly{plan: c.Plan, bound: &x.bound, verdicts: ownVerdicts, ends: m.numbers(n)}
}

// copy keeps what is nil nil.
func (m *memory) copy(list []string) []string {
	if list == nil {
		return nil
	}
	to := m.strings(len(list))
	copy(to, list)
	return to
}

// activeNames is an active set that fragments are asked about one by one, where
// compiling their gates wouldn't pay.
type activeNames struct{ tools, caps nametable.Set }

// verdict is what [gateSet.verdict] would be for a fragment that nothing but its
// lists decides about.
func (p *activeNames) verdict(f *Fragment) verdict {
	unmet := asks(0)
	for _, t := range f.RequiresTools {
		if !p.tools.Has(t) {
			unmet = asksTools
			break
		}
	}
	if len(f.RequiresAnyTools) > 0 && !slices.ContainsFunc(f.RequiresAnyTools, p.tools.Has) {
		unmet |= asksAny
	}
	for _, c := range f.RequiresCaps {
		if !p.caps.Has(c) {
			unmet |= asksCaps
			break
		}
	}
	return asksOf(f).verdict(unmet)
}

// ownVerdicts are the verdicts of a plan whose fragments have verdicts for
// gates: each is its own number.
var ownVerdicts = func() []verdict {
	all := make([]verdict, 32)
	for i := range all {
		all[i] = verdict(i)
	}
	return all
}()

// unclearedBytes is memory that, unlike that of a slice, isn't cleared first.
func unclearedBytes(n int) []byte {
	var b strings.Builder
	b.Grow(n + 1)
	b.WriteByte(0) // an empty string needn't have an address
	return unsafe.Slice(unsafe.StringData(b.String()), n+1)[:0]
}

// AllSpans yields the spans of the text in order. They tile it.
func (a *Assembly) AllSpans() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for pos := range a.ends {
			if !a.spansAt(pos, yield) {
				return
			}
		}
	}
}

// Spans is [Assembly.AllSpans] as a list.
func (a *Assembly) Spans() []Span {
	out := make([]Span, 0, 2*a.included)
	for s := range a.AllSpans() {
		out = append(out, s)
	}
	return out
}

// SpanAt is the span that a byte of the text lies in; false outside of it. It
// costs a binary search.
func (a *Assembly) SpanAt(offset int) (Span, bool) {
	var found Span
	ok := false
	if offset < 0 || offset >= a.Bytes() {
		return found, ok
	}
	pos := sort.Search(len(a.ends), func(i int) bool { return int(a.ends[i]) > offset })
	a.spansAt(pos, func(s Span) bool {
		if offset < s.End {
			found, ok = s, true
		}
		return !ok
	})
	return found, ok
}

// Locate is the place in a source file of a byte of the text: the line and
// column of that byte, not of the span it lies in. False when the text came
// from no file.
func (p *Prompt) Locate(offset int) (Position, bool) {
	s, ok := p.SpanAt(offset)
	if !ok {
		return Position{}, false
	}
	return s.Locate(p.text, offset)
}

// TextSpans is the spans of a fragment's text by itself, also of one that is
// out: offsets count from the beginning of [Assembly.Text].
func (a *Assembly) TextSpans(i int) []Span {
	var out []Span
	a.textSpans(i, 0, func(s Span) bool {
		out = append(out, s)
		return true
	})
	return out
}

// spansAt yields the spans of one position: the joiner before it, the heading
// of its section, its text. It returns false when told to stop.
func (a *Assembly) spansAt(pos int, yield func(Span) bool) bool {
	p := a.plan
	if !a.inAt(pos) {
		return true
	}
	i := p.index(pos)
	start := 0
	if pos > 0 {
		start = int(a.ends[pos-1])
	}
	text := int(a.ends[pos]) - len(a.textAt(pos))
	if start > 0 {
		joint := start + len(joiner)
		if a.chained(pos) {
			joint = start + len(tightJoiner)
		}
		if !yield(p.frags[i].madeSpan(start, joint, JoinerSpan)) {
			return false
		}
		start = joint
	}
	if start < text && !yield(p.frags[i].madeSpan(start, text, HeadingSpan).from(&p.frags[i], p.frags[i].heading())) {
		return false
	}
	return a.textSpans(i, text, yield)
}

// chained reports whether an earlier part of the chain of a position is in.
func (a *Assembly) chained(pos int) bool {
	for tight := a.plan.tight; tight != nil && tight[pos]; {
		if pos--; a.inAt(pos) {
			return true
		}
	}
	return false
}

// madeSpan is a stretch that the reducer wrote for a fragment.
func (f *Fragment) madeSpan(start, end int, kind SpanKind) Span {
	return Span{
		Start: start, End: end, Kind: kind, Fragment: f.ID,
		File: f.Origin.File, Line: f.Origin.Line, Column: f.Origin.Column,
		Trust: f.Trust, MadeBy: f.madeBy(0, f.Origin.File, "", f.Trust), fixed: true,
	}
}

// from is the span of a fragment with another origin.
func (s Span) from(f *Fragment, a Attribution) Span {
	s.File, s.Line, s.Column, s.Trust = a.Position.File, a.Position.Line, a.Position.Column, a.Trust
	s.MadeBy = f.madeBy(0, s.File, "", s.Trust)
	return s
}

// textSpans yields the spans of a fragment's own text, which begins at start:
// its title line and its runs.
func (a *Assembly) textSpans(i, start int, yield func(Span) bool) bool {
	p := a.plan
	f, d := &p.frags[i], a.detail(i)
	end := start + len(a.Text(i))
	if d != nil && d.title > 0 && start < end {
		if !yield(f.madeSpan(start, start+d.title, HeadingSpan).from(f, f.title())) {
			return false
		}
		start += d.title
	}
	if start == end {
		return true
	}
	if d == nil || d.runs == nil {
		at := p.bodyOrigin(i)
		return yield(Span{
			Start: start, End: end, Fragment: f.ID, File: at.File, Line: at.Line, Column: at.Column,
			Trust: f.Trust, MadeBy: f.madeBy(0, at.File, "", f.Trust),
		})
	}
	for _, r := range d.runs {
		if !yield(Span{
			Start: start + r.Start, End: start + r.End, Fragment: f.ID,
			File: r.Position.File, Line: r.Position.Line, Column: r.Position.Column,
			Var: r.Var, Trust: r.Trust, MadeBy: f.madeBy(r.MadeBy, r.Position.File, r.Var, r.Trust), fixed: r.Fixed,
		}) {
			return false
		}
	}
	return true
}

// bodyOrigin is where the trimmed body of a fragment without runs begins.
func (p *Plan) bodyOrigin(i int) Position {
	f := &p.frags[i]
	if f.Origin.Line == 0 {
		return f.Origin
	}
	return trimRuns(f, leadingSpace(f.Body), 0)[0].Position
}
