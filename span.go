package cento

// SpanKind tells what a stretch of the prompt is.
type SpanKind uint8

const (
	// BodySpan is text of a fragment.
	BodySpan SpanKind = iota
	// HeadingSpan is a section heading, or the title line of a fragment.
	HeadingSpan
	// JoinerSpan is the blank line between two parts.
	JoinerSpan
)

var spanKindNames = names{"body", "heading", "joiner"}

// String gives "body", "heading" or "joiner".
func (k SpanKind) String() string { return spanKindNames.name(int(k)) }

// MarshalText gives the name.
func (k SpanKind) MarshalText() ([]byte, error) { return spanKindNames.marshal(int(k)) }

// UnmarshalText accepts a name.
func (k *SpanKind) UnmarshalText(t []byte) error { return unmarshalName(spanKindNames, t, k) }

// A Span says where one stretch of the prompt came from. The spans of a prompt
// are ordered and tile it: every byte belongs to exactly one. A joiner belongs
// to the fragment after it, a section heading to the first included fragment of
// its run.
type Span struct {
	Start    int      `json:"start"` // byte offset, inclusive
	End      int      `json:"end"`   // byte offset, exclusive
	Kind     SpanKind `json:"kind"`
	Fragment string   `json:"fragment"` // the fragment's id
	// File, Line and Column are the place of the first byte; an empty File when
	// the text came from none.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Var is the variable whose value this is; empty for literal text.
	Var   string `json:"var"`
	Trust Trust  `json:"trust"`

	fixed bool // every byte belongs to the one place
}
