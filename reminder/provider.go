package reminder

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// MaxProviders is how many providers may be asked in one session.
const MaxProviders = 8

// MomentKind says when providers are asked.
type MomentKind uint8

// The moments.
const (
	// AtTurn: a turn is about to be built.
	AtTurn MomentKind = iota
	// AfterCompaction: the conversation was compacted.
	AfterCompaction
	// OnResume: a session goes on in another run.
	OnResume
)

var momentNames = names{"turn", "compact", "resume"}

// String gives "turn", "compact" or "resume".
func (m MomentKind) String() string { return momentNames.name(int(m)) }

// MarshalText gives the name.
func (m MomentKind) MarshalText() ([]byte, error) { return momentNames.marshal(int(m)) }

// UnmarshalText accepts a name.
func (m *MomentKind) UnmarshalText(t []byte) error { return unmarshalName(momentNames, t, m) }

// Moment is what a host knows of a session when providers are asked. What it
// doesn't know it leaves empty, and nothing is said about that.
type Moment struct {
	Kind MomentKind `json:"kind,omitempty"`
	// TokensUsed of Window tokens are in use; a Window of 0: not known.
	TokensUsed int64 `json:"tokens_used,omitempty"`
	Window     int64 `json:"window,omitempty"`
	// IdleTurns is how many turns went by without anything being done.
	IdleTurns int64 `json:"idle_turns,omitempty"`
	// Truncated are the outputs of tools that were cut since the last turn.
	Truncated []TruncatedOutput `json:"truncated,omitempty"`
	// Recap is what a compaction kept of the conversation, in words.
	Recap string `json:"recap,omitempty"`
	// Drift names the files that changed since the prompt was made.
	Drift []string `json:"drift,omitempty"`
}

// Check finds what can't be meant: numbers below 0, more kept than there was,
// texts that aren't UTF-8. The errors are [Invalid] and [cento.InvalidUTF8]. The
// built-in providers take such a moment all the same.
func (m *Moment) Check() error {
	var fs faults
	fs.enum("kind", int(m.Kind), momentNames)
	for _, x := range []struct {
		name string
		n    int64
	}{{"tokens_used", m.TokensUsed}, {"window", m.Window}, {"idle_turns", m.IdleTurns}} {
		if x.n < 0 {
			fs.add(x.name, -1, "", "expected 0 or more, got %d", x.n)
		}
	}
	for i, t := range m.Truncated {
		if t.Kept < 0 || t.Total < t.Kept {
			fs.add("truncated", i, "", "%d of %d bytes can't have been kept", t.Kept, t.Total)
		}
		fs.text("truncated", i, t.Tool)
	}
	fs.text("recap", -1, m.Recap)
	for i, name := range m.Drift {
		fs.text("drift", i, name)
	}
	return fs.err()
}

// text checks a text of any form.
func (fs *faults) text(field string, index int, s string) {
	if !utf8.ValidString(s) {
		*fs = append(*fs, fault{field, index, cento.InvalidUTF8, fmt.Sprintf("%.40q isn't valid UTF-8", s), ""})
	}
}

// TruncatedOutput is the output of a tool that wasn't kept whole, in bytes.
type TruncatedOutput struct {
	Tool  string `json:"tool"`
	Kept  int64  `json:"kept"`
	Total int64  `json:"total"`
}

// Provider makes reminders of what happens in a session.
type Provider interface {
	// Name is how it is switched off, and what its event says: a word of letters,
	// digits and underscores.
	Name() string
	// Evaluate returns the reminders for a moment; most of the time there are
	// none. They are injected in order. It depends on nothing but its arguments,
	// and doesn't repeat what is pending: a reminder that takes the place of one
	// with the same key counts as new, and is sent again.
	Evaluate(Moment, Session) ([]Reminder, error)
}

// Evaluate asks providers, in order, and injects what they return: each sees
// what those before it have made of the session. A failure names its provider,
// and leaves the session as it was.
func Evaluate(providers []Provider, m Moment, s Session) (Session, []Event, error) {
	next := s
	var all []Event
	for _, p := range providers {
		list, err := p.Evaluate(m, next)
		if err != nil {
			return s, nil, fmt.Errorf("provider %s: %w", p.Name(), err)
		}
		all = append(all, Event{Event: EventProviderEvaluated, ID: p.Name(), Turn: next.Turn, Tags: []string{}})
		for _, r := range list {
			var events []Event
			if next, events, err = next.Inject(r); err != nil {
				if e, ok := errors.AsType[*cento.SourceError](err); ok {
					moved := *e
					moved.Message = "provider " + p.Name() + ": " + e.Message
					return s, nil, &moved
				}
				return s, nil, err
			}
			all = append(all, events...)
		}
	}
	return next, all, nil
}

// Choose picks providers by name: those that are named, all built-in ones where
// none is, then the caller's own; a name behind a minus switches one off. What
// is wrong is [Invalid], with the field `providers`: a name that there is none
// of, one that is both on and off, two providers of one name, and more than
// [MaxProviders].
func Choose(names []string, own ...Provider) ([]Provider, error) {
	var fs faults
	CheckChoice(names, func(i int, message, hint string) { fs.add("providers", i, hint, "%s", message) }, own...)
	if err := fs.err(); err != nil {
		return nil, err
	}
	known := BuiltinProviders()
	named := slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "-") })
	var out []Provider
	for i, p := range slices.Concat(known, own) {
		off := slices.Contains(names, "-"+p.Name())
		if !off && (!named || i >= len(known) || slices.Contains(names, p.Name())) {
			out = append(out, p)
		}
	}
	for i, p := range out {
		if slices.ContainsFunc(out[:i], func(q Provider) bool { return q.Name() == p.Name() }) {
			fs.add("providers", -1, "give yours a name of its own, or switch both off", "two providers are called %q", p.Name())
		}
	}
	if len(out) > MaxProviders {
		fs.add("providers", -1, "switch some off, as in -idle_nudge", "%d providers, and the limit is %d", len(out), MaxProviders)
	}
	if err := fs.err(); err != nil {
		return nil, err
	}
	return out, nil
}

// CheckChoice reports what is wrong with the names of a choice, each time with
// the index of the name, for whoever knows where they stand.
func CheckChoice(names []string, report func(i int, message, hint string), own ...Provider) {
	all := slices.Concat(BuiltinProviders(), own)
	for i, name := range names {
		if i == MaxProviders {
			report(i, fmt.Sprintf("%d providers, and the limit is %d", len(names), MaxProviders), "")
			return
		}
		bare, off := strings.CutPrefix(name, "-")
		opposite := "-" + bare
		if off {
			opposite = bare
		}
		switch {
		case !slices.ContainsFunc(all, func(p Provider) bool { return p.Name() == bare }):
			report(i, fmt.Sprintf("there is no provider %q", bare), providerHint(bare, all))
		case slices.Contains(names[:i], opposite):
			report(i, fmt.Sprintf("%q is both on and off", bare), "keep one of the two")
		}
	}
}

func providerHint(name string, all []Provider) string {
	var known []string
	for _, p := range all {
		known = append(known, p.Name())
	}
	hint := "there are " + strings.Join(known, ", ")
	if near, ok := nearest.Name(name, known); ok {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return hint
}
