package reminder

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/quote"
)

// MaxProviders is how many providers may be asked in one session, beside [DayChanged].
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

var momentNames = enum.Names[MomentKind]{"turn", "compact", "resume"}

// String gives "turn", "compact" or "resume".
func (m MomentKind) String() string { return momentNames.Name(m) }

// MarshalText gives the name.
func (m MomentKind) MarshalText() ([]byte, error) { return momentNames.Marshal(m) }

// UnmarshalText accepts a name.
func (m *MomentKind) UnmarshalText(t []byte) error { return unmarshalName(momentNames, t, m) }

// Moment is what a host knows of a session when providers are asked. What it
// doesn't know it leaves empty, and nothing is said about that.
type Moment struct {
	Kind MomentKind `json:"kind,omitempty"`
	// TokensUsed of Window tokens are in use. Where the window isn't known, both are 0.
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
	// Today is the day, as 2026-11-28, where the system prompt names another one and nobody
	// said so yet. The service of sessions fills it in, whatever the host says here.
	Today string `json:"today,omitempty"`
	// Data is what else the host knows, for providers of its own: a JSON value of at
	// most 64 KiB, which nothing here looks into.
	Data json.RawMessage `json:"data,omitempty"`
	// Metadata is what the session was begun with. The service of sessions fills it
	// in, whatever the host says here.
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// maxData is how long the data of a [Moment] may be, in bytes.
const maxData = 64 << 10

// Check finds what can't be meant: numbers below 0, tokens in use of a window that isn't
// known, more kept than there was, a tool without a name, a recap that is there and says
// nothing, texts that aren't UTF-8. The errors are [Invalid] and [cento.InvalidUTF8]. The
// built-in providers take such a moment all the same.
func (m *Moment) Check() error {
	var fs faults
	known(&fs, "kind", m.Kind, momentNames)
	for _, x := range []struct {
		name string
		n    int64
	}{{"tokens_used", m.TokensUsed}, {"window", m.Window}, {"idle_turns", m.IdleTurns}} {
		if x.n < 0 {
			fs.add(x.name, -1, "", "expected 0 or more, got %d", x.n)
		}
	}
	if m.TokensUsed > 0 && m.Window == 0 {
		fs.add("tokens_used", -1, "give window too, or leave both out", "%d tokens say nothing without the window that they are of", m.TokensUsed)
	}
	for i, t := range m.Truncated {
		if t.Kept < 0 || t.Total < t.Kept {
			fs.add("truncated", i, "", "%d of %d bytes can't have been kept", t.Kept, t.Total)
		}
		if strings.TrimSpace(t.Tool) == "" {
			fs.add("truncated", i, "say whose output it was", "the tool has no name")
		}
		fs.text("truncated", i, t.Tool)
	}
	if m.Recap != "" && strings.TrimSpace(m.Recap) == "" {
		fs.add("recap", -1, "leave it out, or say what was kept", "the text is blank")
	}
	fs.text("recap", -1, m.Recap)
	for i, name := range m.Drift {
		fs.text("drift", i, name)
	}
	if _, err := time.Parse(time.DateOnly, m.Today); m.Today != "" && err != nil {
		fs.add("today", -1, "write it as 2026-11-28", "%.40q is no day", m.Today)
	}
	for _, x := range []struct {
		name string
		json json.RawMessage
	}{{"data", m.Data}, {"metadata", m.Metadata}} {
		switch {
		case len(x.json) > maxData:
			fs.add(x.name, -1, "", "%d bytes, and the limit is %d", len(x.json), maxData)
		case x.json != nil && !json.Valid(x.json):
			fs.add(x.name, -1, "", "isn't JSON")
		}
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
	// none. They are injected in order. It depends on nothing but its arguments.
	// A reminder without dedupe key gets one that is made of the name, so that
	// what a provider says later takes the place of what it said before; what is
	// pending in the same words is left alone.
	Evaluate(Moment, Session) ([]Reminder, error)
}

// Withdrawer is a [Provider] that can tell that what it said before isn't so any
// more, before the lives of its reminders end.
type Withdrawer interface {
	Provider
	// Withdrawn are the dedupe keys of the reminders to be taken out. It is asked
	// before Evaluate.
	Withdrawn(Moment, Session) []string
}

// CodeProviderFailed: a provider gave an error, or something that is no reminder,
// and nothing of what it said was taken. The turn goes on without it.
const CodeProviderFailed cento.Code = "reminder.provider_failed"

// Evaluate asks providers, in order, and injects what they return: each sees
// what those before it have made of the session. newID makes the ids of reminders
// that have none; nil: see [Session.Inject]. A provider that fails or panics is a
// note, and leaves the session as it was before it.
func Evaluate(providers []Provider, m Moment, s Session, newID func() (string, error)) (Session, []Event, []cento.Note) {
	var all []Event
	var notes []cento.Note
	for _, p := range providers {
		next, events, err := evaluate(p, m, s, newID)
		if err != nil {
			notes = append(notes, cento.Note{Code: CodeProviderFailed, Message: oneLine(fmt.Sprintf("provider %s: %v", p.Name(), err))})
			continue
		}
		s, all = next, append(all, events...)
	}
	return s, all, notes
}

// oneLine cuts the words of a stranger's error to what a note can show.
func oneLine(s string) string {
	const most = 300
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if !printable(string(r)) {
			return ' '
		}
		return r
	}, s)
	return quote.ClipRunes(s, most)
}

// evaluate asks one provider.
func evaluate(p Provider, m Moment, s Session, newID func() (string, error)) (next Session, events []Event, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v", r)
		}
	}()
	next = s
	if w, ok := p.(Withdrawer); ok {
		for _, key := range w.Withdrawn(m, next) {
			var gone []Event
			if next, gone, err = next.Clear(Match{DedupeKey: key}); err != nil {
				return s, nil, err
			}
			events = append(events, gone...)
		}
	}
	list, err := p.Evaluate(m, next)
	if err != nil {
		return s, nil, err
	}
	events = append(events, Event{Event: EventProviderEvaluated, ID: p.Name(), Turn: next.Turn, Tags: []string{}})
	for i, r := range list {
		if r.DedupeKey == "" {
			if r.DedupeKey = p.Name(); i > 0 {
				r.DedupeKey += ":" + strconv.Itoa(i+1)
			}
		}
		if next.says(&r) {
			continue
		}
		if r.ID == "" && newID != nil {
			if r.ID, err = newID(); err != nil {
				return s, nil, err
			}
		}
		var injected []Event
		if next, injected, err = next.Inject(r); err != nil {
			return s, nil, err
		}
		events = append(events, injected...)
	}
	return next, events, nil
}

// says reports whether a reminder is pending with the key and the words of r:
// saying it again would only make it count as new.
func (s *Session) says(r *Reminder) bool {
	key := norm.NFC.String(r.DedupeKey)
	return slices.ContainsFunc(s.Reminders, func(p Reminder) bool { return p.DedupeKey == key && p.Body == r.Body })
}

// Choose picks providers by name: those that are named, then the caller's own; a
// name behind a minus switches one off. Where none is named all built-in ones
// are asked, unless reminders go into the system prompt: that stays as it was
// made for as long as nobody asks for something else. What
// is wrong is [Invalid], with the field `providers`: a name that there is none
// of, one that is both on and off, two providers of one name, and more than
// [MaxProviders].
func Choose(names []string, to Placement, own ...Provider) ([]Provider, error) {
	var fs faults
	for i, p := range own {
		if p == nil {
			fs.add("providers", -1, "leave it out", "provider %d of the caller's own is nil", i+1)
		}
	}
	if err := fs.err(); err != nil {
		return nil, err
	}
	CheckChoice(names, func(i int, message, hint string) { fs.add("providers", i, hint, "%s", message) }, own...)
	if err := fs.err(); err != nil {
		return nil, err
	}
	known := BuiltinProviders()
	named := slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "-") })
	var out []Provider
	for i, p := range slices.Concat(known, own) {
		off := slices.Contains(names, "-"+p.Name())
		byDefault := i >= len(known) || !named && to != InSystem
		if !off && (byDefault || slices.Contains(names, p.Name())) {
			out = append(out, p)
		}
	}
	for i, p := range out {
		if slices.ContainsFunc(out[:i], func(q Provider) bool { return q.Name() == p.Name() }) {
			fs.add("providers", -1, "give yours a name of its own, or switch both off", "two providers are called %q", p.Name())
		}
	}
	asked := len(out)
	if slices.ContainsFunc(out, func(p Provider) bool { return p.Name() == DayChanged }) {
		asked-- // on a new day alone
	}
	if asked > MaxProviders {
		fs.add("providers", -1, "switch some off, as in -idle_nudge", "%d providers, and the limit is %d", asked, MaxProviders)
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
	hint := "there are " + nearest.List(known)
	if near, ok := nearest.Name(name, known); ok {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return hint
}
