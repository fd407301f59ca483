package cento

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/enum"
)

// ErrorCode names a kind of error. Codes are API: they keep their meaning over
// releases, while messages may be reworded. A code is an error itself, so that
// callers branch with errors.Is(err, cento.DuplicateID).
type ErrorCode string

// Error returns the code as text.
func (c ErrorCode) Error() string { return string(c) }

// The codes that the reducer itself returns. Packages around it define theirs.
const (
	// InvalidFragment: a field of a fragment holds a value it can't hold.
	InvalidFragment ErrorCode = "fragment.invalid"
	// DuplicateID: two fragments of one assembly share an id.
	DuplicateID ErrorCode = "fragment.duplicate"
	// InvalidUTF8: a text isn't valid UTF-8.
	InvalidUTF8 ErrorCode = "text.utf8"
	// UnknownNeed: a fragment needs an id that isn't in the assembly.
	UnknownNeed ErrorCode = "needs.unknown"
	// CyclicNeeds: fragments need one another in a circle.
	CyclicNeeds ErrorCode = "needs.cycle"
	// UnsupportedWhen: a fragment has a condition and no engine is plugged in.
	UnsupportedWhen ErrorCode = "when.unsupported"
	// UnsupportedTemplate: a fragment has a template and no engine is plugged in.
	UnsupportedTemplate ErrorCode = "template.unsupported"
	// HiddenText: a text holds invisible characters and the policy rejects them.
	HiddenText ErrorCode = "text.invisible"
	// ControlToken: a text holds a control token of a model and the policy rejects
	// them.
	ControlToken ErrorCode = "text.control_token"
	// LimitExceeded: a ceiling of [Limits] was passed.
	LimitExceeded ErrorCode = "limit.exceeded"
	// BudgetRequired: the required fragments alone don't fit the budget.
	BudgetRequired ErrorCode = "budget.required"
	// InvalidBudget: a budget holds a value it can't hold, or nothing counts.
	InvalidBudget ErrorCode = "budget.invalid"
	// InvalidBound: an active set isn't bound to the plan that is to assemble it.
	InvalidBound ErrorCode = "bound.invalid"
	// DuplicateTool: two tool definitions share a name.
	DuplicateTool ErrorCode = "tool.duplicate"
	// InvalidTool: a tool definition can't be used.
	InvalidTool ErrorCode = "tool.invalid"
	// InvalidHost: a host part holds a value it can't hold.
	InvalidHost ErrorCode = "host.invalid"
	// BlankReplacement: a replacement without text.
	BlankReplacement ErrorCode = "replacement.blank"
)

// SourceError is one thing that is wrong in an input: where, what, who else is
// party to it, and what to do. Error gives one line,
// `file:line:column: message`.
type SourceError struct {
	Code     ErrorCode
	Message  string // lower case, no full stop, the user's words quoted
	Position Position
	Related  []Related // the other parties of a conflict
	Hint     string    // advice, a sentence of its own
	Err      error     // cause, if there is one
	// Meant is the one known name that is nearest to an unknown one which stands at the
	// place, and could stand there instead; empty where there is none, or several.
	Meant string
	// Limit is the key of the limit that was passed, such as "prompt", where one of
	// [Limits] decides; else empty.
	Limit string
	// Path is the file of the position, with slashes and from the root of the project,
	// where the position names a prompt file by its reference and the file is one of the
	// project; else empty. Package project sets it.
	Path string
	// Short says by how much a budget is too small, where the code is
	// [BudgetRequired]; else nil.
	Short *Shortfall
}

// Shortfall is by how much a budget is too small for what is required. All are
// tokens, by the counter of the budget.
type Shortfall struct {
	// Need is what the required fragments take, with their headings and what stands
	// between them; Have is what the budget leaves for the prompt, below 0 where not
	// even what stands around it fits.
	Need, Have int
	// Enough is the least budget that is enough.
	Enough int
	// Exact tells whether the counts are those of the model, or estimates: that of Need.
	// LimitExact tells whether Have is known. Enough is where both are.
	Exact, LimitExact bool
}

// Related is another place that has to do with an error.
type Related struct {
	Position Position `json:"position"`
	// Path is that of [SourceError], for this position.
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// String gives the place, or "elsewhere", and the message on one line.
func (r Related) String() string {
	return cmp.Or(r.Position.String(), "elsewhere") + ": " + r.Message
}

// Error gives the place, the message and the cause on one line. A cause that is a code
// alone is for [errors.Is], and no words.
func (e *SourceError) Error() string {
	var b strings.Builder
	if s := e.Position.String(); s != "" {
		b.WriteString(s)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if _, code := e.Err.(ErrorCode); e.Err != nil && !code {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the code and the cause, so that errors.Is finds both.
func (e *SourceError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Err}
}

// SourceErrors lists the errors of an input that an error holds: those of an
// [*Errors], or the one [*SourceError]. It is nil for a failure of another kind.
func SourceErrors(err error) []*SourceError {
	if many, ok := errors.AsType[*Errors](err); ok {
		return many.List
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return []*SourceError{e}
	}
	return nil
}

// MoreErrors says how many errors the list of [SourceErrors] left out, as in "and 3
// more"; empty when it has all.
func MoreErrors(err error) string {
	many, ok := errors.AsType[*Errors](err)
	switch {
	case !ok || many.Omitted == 0 && !many.Stopped:
		return ""
	case many.Stopped:
		return fmt.Sprintf("and at least %d more", many.Omitted)
	}
	return fmt.Sprintf("and %d more", many.Omitted)
}

// OmittedErrors is how many errors the list of [SourceErrors] left out, or at
// least so many, see [Errors].
func OmittedErrors(err error) int {
	if many, ok := errors.AsType[*Errors](err); ok {
		return many.Omitted
	}
	return 0
}

// MaxErrors is how many errors one list has: what is wrong everywhere costs no more
// than what its list does. Further ones are counted.
const MaxErrors = 100

// Errors is everything an author can mend in one go, ordered by position.
type Errors struct {
	List    []*SourceError // sorted, without repetitions, at most [MaxErrors]
	Omitted int            // how many more there were
	// Stopped tells that the rest of the input wasn't looked at any more, so that
	// there may be more than Omitted says.
	Stopped bool
}

// Error gives one line per error, and how many were left out.
func (e *Errors) Error() string {
	var b strings.Builder
	for i, x := range e.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(x.Error())
	}
	if more := MoreErrors(e); more != "" {
		b.WriteString("\n… " + more)
	}
	return b.String()
}

// Unwrap gives the errors of the list.
func (e *Errors) Unwrap() []error {
	out := make([]error, len(e.List))
	for i, x := range e.List {
		out[i] = x
	}
	return out
}

// faults collects what is wrong in one pass. Beyond [MaxErrors] errors are counted
// and not made.
type faults struct {
	list    []*SourceError
	further int // not held
}

// fail makes an error and holds it, if there is room. Whoever calls it may set
// more fields of it.
func (l *faults) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	if len(l.list) >= MaxErrors {
		l.further++
		return new(SourceError)
	}
	e := &SourceError{Code: code, Position: at, Message: fmt.Sprintf(format, args...)}
	l.list = append(l.list, e)
	return e
}

// add holds errors that were made elsewhere.
func (l *faults) add(list ...*SourceError) {
	n := min(len(list), max(MaxErrors-len(l.list), 0))
	l.list = append(l.list, list[:n]...)
	l.further += len(list) - n
}

// err is all of them as one error.
func (l *faults) err() error {
	err := Join(l.list)
	if l.further == 0 {
		return err
	}
	if many, ok := err.(*Errors); ok {
		many.Omitted += l.further
		return err
	}
	return &Errors{List: SourceErrors(err), Omitted: l.further} // the same one so many times
}

// Join makes one error of many: nil for none, the error itself for one, else
// an [*Errors] sorted by position and then message, without repetitions.
func Join(list []*SourceError) error {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *SourceError) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Code, b.Code))
	})
	list = slices.CompactFunc(list, func(a, b *SourceError) bool {
		return a.Position == b.Position && a.Message == b.Message && a.Code == b.Code
	})
	switch {
	case len(list) == 0:
		return nil
	case len(list) == 1:
		return list[0]
	}
	e := &Errors{List: list}
	if len(list) > MaxErrors {
		e.List, e.Omitted = list[:MaxErrors], len(list)-MaxErrors
	}
	return e
}

// Severity is how bad it is what somebody found in a prompt or an answer.
type Severity uint8

// The severities: a warning is most likely wrong, an error is, and a note may well be
// as it was meant.
const (
	SeverityWarning Severity = iota
	SeverityError
	SeverityNote
)

var severityNames = enum.Names[Severity]{"warning", "error", "note"}

// String gives "warning", "error" or "note".
func (s Severity) String() string { return severityNames.Name(s) }

// MarshalText gives the name.
func (s Severity) MarshalText() ([]byte, error) { return severityNames.Marshal(s) }

// UnmarshalText accepts a name.
func (s *Severity) UnmarshalText(t []byte) error { return severityNames.Unmarshal(t, s) }

// Note is a recorded remark: something was found, changed or left out, and
// nobody should have to guess.
type Note struct {
	Code     Code     `json:"code"`
	Message  string   `json:"message"`
	Fragment string   `json:"fragment,omitempty"`
	Position Position `json:"position,omitzero"`
	// Path is that of [SourceError], for this position. What is recorded has none.
	Path string `json:"path,omitempty"`
}
