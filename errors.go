package cento

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	// ForgedHeading: a trusted text holds a line equal to a protected heading.
	ForgedHeading ErrorCode = "protected.forged"
	// HiddenText: a text holds invisible characters and the policy rejects them.
	HiddenText ErrorCode = "text.invisible"
	// LimitExceeded: a ceiling of [Limits] was passed.
	LimitExceeded ErrorCode = "limit.exceeded"
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
}

// Related is another place that has to do with an error.
type Related struct {
	Position Position `json:"position"`
	Message  string   `json:"message"`
}

// Error gives the place, the message and the cause on one line.
func (e *SourceError) Error() string {
	var b strings.Builder
	if s := e.Position.String(); s != "" {
		b.WriteString(s)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
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

// sourceErrors lists the errors of an input that an error holds.
func sourceErrors(err error) []*SourceError {
	if list, ok := errors.AsType[*Errors](err); ok {
		return list.List
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return []*SourceError{e}
	}
	return nil
}

// maxErrors is how many errors one list shows; a file of another kind, read by
// mistake, would otherwise bury the first and only useful line.
const maxErrors = 20

// Errors is everything an author can mend in one go, ordered by position.
type Errors struct {
	List    []*SourceError // sorted, without repetitions, at most twenty
	Omitted int            // how many more there were
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
	if e.Omitted > 0 {
		fmt.Fprintf(&b, "\n… and %d more", e.Omitted)
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
	if len(list) > maxErrors {
		e.List, e.Omitted = list[:maxErrors], len(list)-maxErrors
	}
	return e
}
