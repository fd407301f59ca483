package cento

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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
	// When is a further condition, an expression; see [Conditions].
	When string `json:"when,omitempty"`
	// WhenOrigin is where the condition begins; zero: errors in it are told at
	// Origin.
	WhenOrigin Position `json:"when_origin,omitzero"`
	// Needs names fragments without which this one is out too.
	Needs []string `json:"needs,omitempty"`

	// Body is literal text. It is never parsed as a template.
	Body string `json:"body"`
	// Template names a prompt file that is rendered instead of Body, after the
	// gates have let the fragment in; see [Expander].
	Template string `json:"template,omitempty"`
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
	// Tight joins the fragment to the part before it by one line end instead of
	// a blank line, so that a list stays one although its lines have gates of
	// their own. It holds along a chain: a fragment that isn't tight and those
	// that follow it directly, in the same section and bucket. The first of a
	// chain that is in is joined as usual, whichever that is. The program sets
	// it.
	Tight bool `json:"tight,omitempty"`
	// Title is a heading of the fragment's own.
	Title string `json:"title,omitempty"`
	// TitleForm is how the title is printed; default [SubHeading].
	TitleForm TitleForm `json:"title_form,omitempty"`

	// Importance says who goes first over budget; default [Required].
	Importance Importance `json:"importance,omitzero"`
	// Variants are shorter bodies, tried before the fragment is dropped.
	Variants []string `json:"variants,omitempty"`
	// Group names fragments that are all in or all out under a budget.
	Group string `json:"group,omitempty"`
	// Stability is how often the bytes change; default [Static].
	Stability Stability `json:"stability,omitempty"`
	// Protected fragments can't be dropped, replaced, cleared or blanked by a
	// layer, pack, template or budget. Their own gates still hold.
	Protected bool `json:"protected,omitempty"`

	// Trust follows the place the text was read from; default [TrustHost], as
	// for everything handed over by a library call.
	Trust Trust `json:"trust,omitempty"`
	// Origin is where the fragment was read; zero for a library call.
	Origin Position `json:"origin,omitzero"`
	// Layer is the layer that contributed it, if one did.
	Layer string `json:"layer,omitempty"`
	// Excluded takes the fragment out before any gate is looked at.
	Excluded *Exclusion `json:"excluded,omitempty"`
}

// An Attribution is where words were read, and whose they are.
type Attribution struct {
	Position Position `json:"position,omitzero"`
	Trust    Trust    `json:"trust,omitempty"`
}

// heading is where the words of the section's heading are from.
func (f *Fragment) heading() Attribution {
	if f.SectionFrom != nil {
		return *f.SectionFrom
	}
	return f.own()
}

// own is where the fragment is from.
func (f *Fragment) own() Attribution { return Attribution{f.Origin, f.Trust} }

// NewFragment returns an ungated fragment.
func NewFragment(id, source string, bucket Bucket, body string) Fragment {
	return Fragment{ID: id, Source: source, Bucket: bucket, Body: body}
}

// RequiringTools returns a copy that is in only when every named tool is
// active.
func (f Fragment) RequiringTools(names ...string) Fragment {
	f.RequiresTools = slices.Clone(names)
	return f
}

// RequiringAnyTool returns a copy that is in only when at least one of the
// named tools is active.
func (f Fragment) RequiringAnyTool(names ...string) Fragment {
	f.RequiresAnyTools = slices.Clone(names)
	return f
}

// RequiringCaps returns a copy that is in only when every named capability is
// set.
func (f Fragment) RequiringCaps(names ...string) Fragment {
	f.RequiresCaps = slices.Clone(names)
	return f
}

// source is Source with its default.
func (f *Fragment) source() string {
	if f.Source == "" {
		return f.ID
	}
	return f.Source
}

// A Run says where one stretch of a body came from.
type Run struct {
	Start int `json:"start"` // byte offset in the body, inclusive
	End   int `json:"end"`   // byte offset in the body, exclusive
	// Position is the place of the first byte.
	Position Position `json:"position,omitzero"`
	// Var is the variable whose value this is; empty for literal text.
	Var string `json:"var,omitempty"`
	// Trust is that of the data, also inside a more trusted text.
	Trust Trust `json:"trust,omitempty"`
	// Fixed: the bytes aren't a copy of what stands at Position (an escape, a
	// filter's result, a notice), so all of them belong to that one place.
	Fixed bool `json:"fixed,omitempty"`
}

// Exclusion is a decision taken before the reducer: the fragment lost to
// another fragment or layer, and stays in the trace with that reason.
type Exclusion struct {
	Code Code   `json:"code"`
	By   string `json:"by"` // the layer, slot or fragment that took it out
}

// Bucket is the region of a fragment relative to the primary block.
type Bucket uint8

// The two buckets: everything in Before precedes everything in After.
const (
	Before Bucket = iota
	After
)

// String gives "before" or "after".
func (b Bucket) String() string { return bucketNames.name(int(b)) }

// MarshalText gives the name.
func (b Bucket) MarshalText() ([]byte, error) { return bucketNames.marshal(int(b)) }

// UnmarshalText accepts a name.
func (b *Bucket) UnmarshalText(t []byte) error { return unmarshalName(bucketNames, t, b) }

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
func (f TitleForm) String() string { return titleFormNames.name(int(f)) }

// MarshalText gives the name.
func (f TitleForm) MarshalText() ([]byte, error) { return titleFormNames.marshal(int(f)) }

// UnmarshalText accepts a name.
func (f *TitleForm) UnmarshalText(t []byte) error { return unmarshalName(titleFormNames, t, f) }

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
func (s Stability) String() string { return stabilityNames.name(int(s)) }

// MarshalText gives the name.
func (s Stability) MarshalText() ([]byte, error) { return stabilityNames.marshal(int(s)) }

// UnmarshalText accepts a name.
func (s *Stability) UnmarshalText(t []byte) error { return unmarshalName(stabilityNames, t, s) }

// Trust says whose word a text is. It follows the place that the text was read
// from and is never raised by a field of the text itself.
type Trust uint8

// The levels. The zero value is TrustHost, what a library call, flag or request
// hands over. Text of the last three is data of strangers: it is scanned for
// hidden characters and imitated headings, and changed so that both show.
const (
	TrustHost Trust = iota
	TrustBuiltin
	TrustUser
	TrustWorkspace
	TrustTool
	TrustSession
)

// Untrusted reports whether text of this level is treated as hostile data.
func (t Trust) Untrusted() bool { return t >= TrustWorkspace }

// String gives the name used in files and traces.
func (t Trust) String() string { return trustNames.name(int(t)) }

// MarshalText gives the name.
func (t Trust) MarshalText() ([]byte, error) { return trustNames.marshal(int(t)) }

// UnmarshalText accepts a name.
func (t *Trust) UnmarshalText(b []byte) error { return unmarshalName(trustNames, b, t) }

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

// names is the closed list of an enumeration, in the order of its constants.
type names []string

// The lists of names; also what a reader of files offers as nearest name.
var (
	bucketNames    = names{"before", "after"}
	titleFormNames = names{"sub", "host"}
	stabilityNames = names{"static", "session", "turn"}
	trustNames     = names{"host", "builtin", "user", "workspace", "tool", "session"}
)

func (n names) name(i int) string {
	if i < 0 || i >= len(n) {
		return strconv.Itoa(i)
	}
	return n[i]
}

func (n names) marshal(i int) ([]byte, error) {
	if i < 0 || i >= len(n) {
		return nil, fmt.Errorf("%d is none of %q", i, []string(n))
	}
	return []byte(n[i]), nil
}

func unmarshalName[T ~uint8](n names, text []byte, to *T) error {
	i := slices.Index(n, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %q", text, []string(n))
	}
	*to = T(i)
	return nil
}
