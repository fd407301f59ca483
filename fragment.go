package cento

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/imitation"
	"github.com/cento-dev/cento/internal/nametable"
)

// A Fragment is the smallest contributor to a prompt: a text, the gates that
// decide whether it is in, its place, and where it came from. Fragments are
// plain data; methods that change one return a copy.
//
// The JSON form is the record form: it also carries the fields that the
// program sets (trust, origin, layer). Files that people write are read by a
// stricter door that refuses those.
type Fragment struct {
	// ID is the stable identifier, unique within an assembly.
	ID string `json:"id"`
	// Source says who contributed it, for grouping. Empty: the id.
	Source string `json:"source,omitempty"`
	// Bucket is the region relative to the primary block; default [Before].
	Bucket Bucket `json:"bucket,omitempty"`

	// RequiresTools: in only when every named tool is active.
	RequiresTools []string `json:"requires_tools,omitempty"`
	// RequiresAnyTools: in only when at least one named tool is active.
	RequiresAnyTools []string `json:"requires_any_tools,omitempty"`
	// RequiresCaps: in only when every named capability is set.
	RequiresCaps []string `json:"requires_caps,omitempty"`
	// GatesOrigin is where the names in these three stand; nil: at Origin.
	GatesOrigin *GateOrigins `json:"gates_origin,omitempty"`
	// When is a further condition, an expression; see [Conditions].
	When string `json:"when,omitempty"`
	// WhenOrigin is where the condition begins; zero: errors in it are told at
	// Origin.
	WhenOrigin Position `json:"when_origin,omitzero"`
	// WhenRuns say where the bytes of the condition stand. They tile it in order.
	// Empty: they stand in one piece from WhenOrigin on.
	WhenRuns []Run `json:"when_runs,omitempty"`
	// Needs names fragments without which this one is out too.
	Needs []string `json:"needs,omitempty"`
	// NeedsOrigin is where each of these names stands, in the same order; errors in one
	// without a place are told at Origin.
	NeedsOrigin []Position `json:"needs_origin,omitempty"`

	// Body is literal text. It is never parsed as a template.
	Body string `json:"body"`
	// Template names a prompt file that is rendered instead of Body, after the
	// gates have let the fragment in; see [Expander].
	Template string `json:"template,omitempty"`
	// TemplateOrigin is where it is named; zero: as Origin.
	TemplateOrigin Position `json:"template_origin,omitzero"`
	// Runs says where the bytes of Body came from. They tile it in order. Empty:
	// all of it stood at Origin.
	Runs []Run `json:"runs,omitempty"`

	// Section is the heading of the section it belongs to. A run of neighbours
	// in the output with one section shares one `## ` heading.
	Section string `json:"section,omitempty"`
	// SectionIndex tells sections of one title apart, for those that compile a
	// section plan; fragments written by hand leave it 0.
	SectionIndex int `json:"section_index,omitempty"`
	// SectionFrom is where the words of that heading were read, and whose they
	// are; nil: as the fragment's own. A plan of one party holds texts of others.
	SectionFrom *Attribution `json:"section_from,omitempty"`
	// SectionForm is when that heading is printed; default [RunHeading].
	SectionForm SectionForm `json:"section_form,omitempty"`
	// Tight joins the fragment to the part before it by one line end instead of
	// a blank line, so that a list stays one although its lines have gates of
	// their own. It holds along a chain: a fragment that isn't tight and those
	// that follow it directly, in the same section and bucket. The first of a
	// chain that is in is joined as usual, whichever that is. The program sets
	// it.
	Tight bool `json:"tight,omitempty"`
	// Title is a heading of the fragment's own.
	Title string `json:"title,omitempty"`
	// TitleOrigin is where the words of the title begin; zero: the title is told at
	// Origin.
	TitleOrigin Position `json:"title_origin,omitzero"`
	// TitleForm is how the title is printed; default [SubHeading].
	TitleForm TitleForm `json:"title_form,omitempty"`

	// Importance says who goes first over budget; default [Required].
	Importance Importance `json:"importance,omitzero"`
	// Variants are shorter bodies, tried before the fragment is dropped, each for
	// the one before it. A required fragment's are never used.
	Variants []Text `json:"variants,omitempty"`
	// Group names fragments that are all in or all out under a budget. Their
	// importance is that of the most important.
	Group string `json:"group,omitempty"`
	// Stability is how often the bytes change; default [Static].
	Stability Stability `json:"stability,omitempty"`
	// Protected fragments can't be dropped, replaced, cleared or blanked by a
	// layer, pack, template or budget. Their own gates still hold.
	Protected bool `json:"protected,omitempty"`
	// Tail puts the fragment behind all others, whatever its bucket, and makes the
	// first line of its body that begins with `#` a protected heading, which no
	// other text may have a line equal to. [Compose] sets it, for the working
	// boundaries and the project's instructions.
	Tail bool `json:"tail,omitempty"`

	// Trust says whose word the text is. [NewFragment] gives the program's own, what
	// reads files theirs; unless somebody says, it is [TrustSession].
	Trust Trust `json:"trust,omitzero"`
	// Origin is where the fragment was read; zero for a library call.
	Origin Position `json:"origin,omitzero"`
	// Layer is the layer that contributed it, if one did.
	Layer string `json:"layer,omitempty"`
	// Excluded takes the fragment out before any gate is looked at.
	Excluded *Exclusion `json:"excluded,omitempty"`
}

// NewFragment returns an ungated fragment of the program's own words: its trust is
// [TrustHost]. Of words that came from elsewhere [Fragment.WithTrust] says whose they are.
func NewFragment(id, source string, bucket Bucket, body string) Fragment {
	return Fragment{ID: id, Source: source, Bucket: bucket, Body: body, Trust: TrustHost}
}

// WithTrust returns a copy whose words are those of somebody else: [TrustTool] for what a
// tool gave, [TrustWorkspace] for a file of the project. Its runs keep what they say.
func (f Fragment) WithTrust(t Trust) Fragment {
	f.Trust = t
	return f
}

// RequiringTools returns a copy that is in only when every named tool is
// active. The other gates are fields.
func (f Fragment) RequiringTools(names ...string) Fragment {
	f.RequiresTools = slices.Clone(names)
	if f.GatesOrigin != nil {
		f.GatesOrigin = &GateOrigins{AnyTools: f.GatesOrigin.AnyTools, Caps: f.GatesOrigin.Caps}
	}
	return f
}

// RequiringAlso returns a copy that requires these tools and capabilities beside its own:
// those of its prompt file, say. at is where they are named, nil where that isn't known.
func (f Fragment) RequiringAlso(tools, caps []string, at *GateOrigins) Fragment {
	f.GatesOrigin = f.GatesOrigin.with(at, len(f.RequiresTools), len(f.RequiresCaps))
	f.RequiresTools = slices.Concat(f.RequiresTools, tools)
	f.RequiresCaps = slices.Concat(f.RequiresCaps, caps)
	return f
}

// GateTools yields the tools that the gates name, each with the place of the name: those
// of RequiresTools, then those of RequiresAnyTools.
func (f *Fragment) GateTools() iter.Seq2[string, Position] {
	var at GateOrigins
	if f.GatesOrigin != nil {
		at = *f.GatesOrigin
	}
	return func(yield func(string, Position) bool) {
		_ = f.named(f.RequiresTools, at.Tools, yield) && f.named(f.RequiresAnyTools, at.AnyTools, yield)
	}
}

// GateCaps yields the capabilities that the fragment requires, each with the place of
// the name.
func (f *Fragment) GateCaps() iter.Seq2[string, Position] {
	var at []Position
	if f.GatesOrigin != nil {
		at = f.GatesOrigin.Caps
	}
	return func(yield func(string, Position) bool) { f.named(f.RequiresCaps, at, yield) }
}

// named yields names with their places, and reports whether more are wanted.
func (f *Fragment) named(names []string, at []Position, yield func(string, Position) bool) bool {
	for i, name := range names {
		if !yield(name, f.placeOf(at, i)) {
			return false
		}
	}
	return true
}

// placeOf is where the name of a number stands, by the places of such names.
func (f *Fragment) placeOf(at []Position, i int) Position {
	if i < len(at) && !at[i].IsZero() {
		return at[i]
	}
	return f.Origin
}

// WhenText is the condition with the places of its bytes. They are those of WhenRuns;
// else it stands in one piece from WhenOrigin on; else Origin is all that is known.
func (f *Fragment) WhenText() Text {
	runs := f.WhenRuns
	if len(runs) == 0 && !f.WhenOrigin.IsZero() {
		runs = []Run{{End: len(f.When), Position: f.WhenOrigin, Trust: f.Trust}}
	}
	return Text{Body: f.When, Runs: runs, Trust: f.Trust, Origin: cmp.Or(f.WhenOrigin, f.Origin)}
}

// needPlace is where the need of a number stands.
func (f *Fragment) needPlace(i int) Position { return f.placeOf(f.NeedsOrigin, i) }

// source is Source with its default.
func (f *Fragment) source() string {
	if f.Source == "" {
		return f.ID
	}
	return f.Source
}

// GateOrigins is where the names in the gates of a text stand: a place for each name, in
// the same order. A name without one stands where the text does. Several texts may share
// one value: it is never changed.
type GateOrigins struct {
	Tools    []Position `json:"tools,omitempty"`     // of RequiresTools
	AnyTools []Position `json:"any_tools,omitempty"` // of RequiresAnyTools
	Caps     []Position `json:"caps,omitempty"`      // of RequiresCaps
}

// with are the places of a text whose gates have further names behind so many tools and
// capabilities. Of the gate that any tool opens there is one: theirs, where they have it.
func (o *GateOrigins) with(further *GateOrigins, tools, caps int) *GateOrigins {
	if further == nil {
		return o
	}
	var out GateOrigins
	if o != nil {
		out = *o
	}
	out.Tools, out.Caps = placesWith(out.Tools, further.Tools, tools), placesWith(out.Caps, further.Caps, caps)
	if len(further.AnyTools) > 0 {
		out.AnyTools = further.AnyTools
	}
	return &out
}

// placesWith are the places of so many names, and further ones behind them.
func placesWith(list, further []Position, names int) []Position {
	if len(further) == 0 {
		return list
	}
	out := make([]Position, names, names+len(further))
	copy(out, list)
	return append(out, further...)
}

// Exclusion is a decision taken before the reducer: the fragment lost to
// another fragment or layer, and stays in the trace with that reason.
type Exclusion struct {
	Code Code   `json:"code"`
	By   string `json:"by"` // the layer, slot or fragment that took it out
	// Layer, of [CodeSlotUnplaced], is the layer whose template replaced the last one that
	// had the slot; empty where none had it.
	Layer string `json:"layer,omitempty"`
	// Origin is where whoever took it out says so; zero where that stands in no file.
	Origin Position `json:"origin,omitzero"`
}

// Bucket is the region of a fragment relative to the primary block.
type Bucket uint8

// The two buckets: everything in Before precedes everything in After.
const (
	Before Bucket = iota
	After
)

// String gives "before" or "after".
func (b Bucket) String() string { return bucketNames.Name(b) }

// MarshalText gives the name.
func (b Bucket) MarshalText() ([]byte, error) { return bucketNames.Marshal(b) }

// UnmarshalText accepts a name.
func (b *Bucket) UnmarshalText(t []byte) error { return bucketNames.Unmarshal(t, b) }

// TitleForm is how a fragment's title is printed.
type TitleForm uint8

const (
	// SubHeading prints `### Title`, a blank line, the body.
	SubHeading TitleForm = iota
	// HostHeading prints `## Title`, one line end, the body: the form of titled
	// host parts (Harn).
	HostHeading
)

// String gives "sub" or "host".
func (f TitleForm) String() string { return titleFormNames.Name(f) }

// MarshalText gives the name.
func (f TitleForm) MarshalText() ([]byte, error) { return titleFormNames.Marshal(f) }

// UnmarshalText accepts a name.
func (f *TitleForm) UnmarshalText(t []byte) error { return titleFormNames.Unmarshal(t, f) }

// SectionForm is when the heading of a fragment's section is printed. The
// program sets it for the groups that it puts together, so that no text of one
// stands under the heading of another.
type SectionForm uint8

const (
	// RunHeading prints it before the first included fragment of each run.
	RunHeading SectionForm = iota
	// RepeatedHeading prints it again behind a text of the run that has a heading
	// of its own, before one that doesn't begin with a heading of the first or second
	// level: the texts of the run have several authors.
	RepeatedHeading
	// FallbackHeading prints it only where the text would else stand under a heading
	// of somebody else: before a run, where a heading stands anywhere before it and
	// the last isn't the same, and within one behind a text of another source that
	// has a heading of its own. It isn't printed over a text that begins with a heading of the first or second
	// level. The trace names no section where it isn't printed.
	FallbackHeading
	// SeparateHeading is the same for texts of one source that have several authors:
	// each ends the one before.
	SeparateHeading
)

// String gives "run", "repeated", "fallback" or "separate".
func (f SectionForm) String() string { return sectionFormNames.Name(f) }

// MarshalText gives the name.
func (f SectionForm) MarshalText() ([]byte, error) { return sectionFormNames.Marshal(f) }

// UnmarshalText accepts a name.
func (f *SectionForm) UnmarshalText(t []byte) error { return sectionFormNames.Unmarshal(t, f) }

// Stability says how often a fragment's bytes change, which decides where a
// provider's prompt cache can be cut.
type Stability uint8

// Static text changes with the files it comes from, PerSession text from
// session to session, PerTurn text at every turn.
const (
	Static Stability = iota
	PerSession
	PerTurn
)

// String gives "static", "session" or "turn".
func (s Stability) String() string { return stabilityNames.Name(s) }

// MarshalText gives the name.
func (s Stability) MarshalText() ([]byte, error) { return stabilityNames.Marshal(s) }

// UnmarshalText accepts a name.
func (s *Stability) UnmarshalText(t []byte) error { return stabilityNames.Unmarshal(t, s) }

// Importance orders sacrifices over budget: the lowest number goes first. The
// zero value is [Required].
type Importance struct {
	n         int
	droppable bool
}

// Required is never dropped by a budget.
var Required = Importance{}

// ImportanceOf returns an importance that a budget may sacrifice; lower goes
// first.
func ImportanceOf(n int) Importance { return Importance{n: n, droppable: true} }

// Level returns the number, and false when the importance is [Required].
func (i Importance) Level() (int, bool) { return i.n, i.droppable }

// String gives the number or "required".
func (i Importance) String() string {
	if !i.droppable {
		return "required"
	}
	return strconv.Itoa(i.n)
}

// MarshalJSON gives a number or "required".
func (i Importance) MarshalJSON() ([]byte, error) {
	if !i.droppable {
		return []byte(`"required"`), nil
	}
	return strconv.AppendInt(nil, int64(i.n), 10), nil
}

// UnmarshalJSON accepts a number or "required".
func (i *Importance) UnmarshalJSON(b []byte) error {
	if string(b) == `"required"` || string(b) == "null" {
		*i = Required
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf(`importance is a whole number or "required", not %s`, b)
	}
	*i = ImportanceOf(n)
	return nil
}

// The lists of names; also what a reader of files offers as nearest name.
var (
	bucketNames      = enum.Names[Bucket]{"before", "after"}
	titleFormNames   = enum.Names[TitleForm]{"sub", "host"}
	sectionFormNames = enum.Names[SectionForm]{"run", "repeated", "fallback", "separate"}
	stabilityNames   = enum.Names[Stability]{"static", "session", "turn"}
	trustNames       = enum.Names[Trust]{"session", "tool", "workspace", "user", "builtin", "host"}
)

// idTable finds fragments by their ids, which stay where they are. Numbers are
// indexes.
type idTable struct{ slots []nametable.Slot }

// add returns the index of the first fragment with the id of fragment i.
func (t *idTable) add(frags []Fragment, i int) int {
	s, h := t.find(frags, frags[i].ID)
	if s.Free() {
		s.Set(h, int32(i))
	}
	return int(s.Number())
}

// lookup returns the index of the fragment with an id, or -1.
func (t *idTable) lookup(frags []Fragment, id string) int32 {
	s, _ := t.find(frags, id)
	return s.Number()
}

func (t *idTable) find(frags []Fragment, id string) (*nametable.Slot, uint32) {
	h := nametable.Hash(id)
	return nametable.Find(t.slots, h, func(k int32) bool { return frags[k].ID == id }), h
}

// above is what stands over a text of the prompt.
type above struct {
	section int32 // that of the run; 0: none
	printed bool  // the run has its heading
	any     bool  // there is a heading before
	// own: a text of the run has a heading of its own, behind that; source is who
	// contributed it.
	own    bool
	source string
	// fallback is the section of the last heading before, where that is a fallback's
	// and no other heading stands behind it but those that own tells of; 0: none.
	fallback int32
}

// headed goes on to an included text, with a body in use, and reports whether
// the heading of its section is printed before it, by the forms of the plan.
func (a *Assembly) headed(u *above, pos int, level int32) bool {
	s := a.plan.sectionAt(pos)
	begins := s != u.section
	if a.plan.forms == nil {
		u.section = s
		return begins && s != 0
	}
	own, print, form := a.ownAt(pos, level), false, a.plan.forms[pos]
	f := &a.plan.frags[a.plan.index(pos)]
	// What comes after the primary block is another run, and needs no second heading
	// where the same one is above it.
	switch continues := u.fallback != 0 && form >= FallbackHeading && a.plan.headings[u.fallback] == a.plan.headings[s]; {
	case begins && continues:
		u.section, u.printed, begins = s, true, false
	case begins:
		next := above{section: s, any: u.any}
		if !u.own {
			next.fallback = u.fallback
		}
		*u = next
	}
	if s != 0 {
		switch form {
		case RunHeading:
			print = !u.printed
		case RepeatedHeading:
			print = !u.printed || u.own && own&imitation.Opens == 0
		default:
			other := u.own && (form == SeparateHeading || author(u.source) != author(f.source()))
			print = (begins && u.any || other) && own&imitation.Opens == 0
		}
		u.printed = u.printed || print
	}
	if print {
		u.any, u.own, u.fallback = true, false, 0
		if form >= FallbackHeading {
			u.fallback = s
		}
	}
	if own != 0 {
		u.any, u.own, u.source = true, true, f.source()
		if s == 0 || form < FallbackHeading {
			u.fallback = 0
		}
	}
	return print
}

// author is whose texts are one party's: all that a host says is.
func author(source string) string {
	if strings.HasPrefix(source, hostIDPrefix) {
		return hostIDPrefix
	}
	return source
}

// ownAt is which headings the text at a position has of its own.
func (a *Assembly) ownAt(pos int, level int32) imitation.Own {
	switch {
	case level == yielded:
		return a.gave(a.plan.index(pos)).own
	case level > 0:
		return a.plan.variantsAt(pos)[level-1].own
	}
	if a.expanded != nil {
		if x, ok := a.expanded[int32(a.plan.index(pos))]; ok {
			return x.own
		}
	}
	return a.plan.own[pos]
}

// UnmarshalJSON reads the record form, in which a trust that isn't there is the host's.
// An unknown key is an error.
func (f *Fragment) UnmarshalJSON(b []byte) error {
	type record Fragment
	return readRecord(b, (*record)(f), &f.Trust)
}

// UnmarshalJSON reads the record form, as that of a [Fragment].
func (p *HostPart) UnmarshalJSON(b []byte) error {
	type record HostPart
	return readRecord(b, (*record)(p), &p.Trust)
}

// UnmarshalJSON reads the record form, as that of a [Fragment].
func (t *Text) UnmarshalJSON(b []byte) error {
	type record Text
	return readRecord(b, (*record)(t), &t.Trust)
}

// UnmarshalJSON reads the record form, as that of a [Fragment].
func (t *Tool) UnmarshalJSON(b []byte) error {
	type record Tool
	return readRecord(b, (*record)(t), &t.Trust)
}

// UnmarshalJSON reads the record form, as that of a [Fragment].
func (r *Run) UnmarshalJSON(b []byte) error {
	type record Run
	return readRecord(b, (*record)(r), &r.Trust)
}

// UnmarshalJSON reads the record form, as that of a [Fragment].
func (a *Attribution) UnmarshalJSON(b []byte) error {
	type record Attribution
	return readRecord(b, (*record)(a), &a.Trust)
}

// readRecord reads a value whose trust is the host's unless it says otherwise.
func readRecord(b []byte, to any, trust *Trust) error {
	if !bytes.Equal(b, []byte("null")) { // which changes nothing, by the rules of encoding/json
		*trust = TrustHost
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
