package reminder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/sessionname"
	"github.com/cento-dev/cento/internal/unitab"
)

// Reminder is a text with a lifecycle.
type Reminder struct {
	// ID is for clearing, audit and replay; empty on injection: one is made.
	ID   string
	Body string
	Tags []string
	// DedupeKey: a newer pending reminder with the same key replaces the older;
	// empty for none. Keys are compared, and kept, in Unicode's form NFC.
	DedupeKey string
	// TTLTurns is how many turn ends the reminder has left; 0: it stays until it
	// is cleared or the conversation is compacted.
	TTLTurns int64
	// PreserveOnCompact keeps it when the conversation is compacted.
	PreserveOnCompact bool
	Propagate         Propagate
	Authority         Authority
	RoleHint          RoleHint
	Source            Source
	// FiredAtTurn is the turn in which it came up; nil on injection: the current
	// one.
	FiredAtTurn *int64
	// OriginatingSession is the session that an inherited copy came from at
	// first; empty for none.
	OriginatingSession string
	// Fired: it was part of a turn of this session.
	Fired bool
	// Trust is whose word the body is: [cento.TrustWorkspace] for the text of a
	// file of the project, else a session's. The zero value is a session's too;
	// what comes up while an agent works is nobody's to vouch for.
	Trust cento.Trust
}

// trust is that of the body.
func (r *Reminder) trust() cento.Trust {
	if r.Trust == cento.TrustWorkspace {
		return r.Trust
	}
	return cento.TrustSession
}

// The ceilings of this package. Reminders are kept for as long as a session
// lives, so what comes in is bounded.
const (
	// MaxTTL is the longest life, in turns.
	MaxTTL = 1_000_000
	// MaxTurn is the highest number of a turn: the largest whole number that
	// every reader of JSON knows exactly.
	MaxTurn = 1<<53 - 1
	// MaxPending is how many reminders a session may have pending.
	MaxPending = 1024
	// MaxBody is the length of a body, in bytes.
	MaxBody = 1 << 20
	// MaxTags is how many tags a reminder may have, MaxName how long a tag, an id,
	// a key or the name of a session may be, in bytes.
	MaxTags = 64
	MaxName = 256
)

// The codes of errors about reminders. Errors of form have those of the strict
// reader.
const (
	// Invalid: a field of a reminder, session or operation holds a value that it
	// can't hold.
	Invalid cento.ErrorCode = "reminder.invalid"
	// InvalidSessionID: a session can't be called so, or a child not as its parent.
	InvalidSessionID cento.ErrorCode = "session.id"
	// Duplicate: a session has a pending reminder with that id already.
	Duplicate cento.ErrorCode = "reminder.duplicate"
)

// fault is one thing that is wrong with a field.
type fault struct {
	field   string
	index   int // of a list; -1 for the field as a whole
	code    cento.ErrorCode
	message string
	hint    string
}

// path is the field as it is written in errors.
func (f fault) path() string {
	if f.index < 0 {
		return f.field
	}
	return f.field + "[" + strconv.Itoa(f.index) + "]"
}

func (f fault) err(at cento.Position) *cento.SourceError {
	return &cento.SourceError{Code: f.code, Position: at, Message: f.path() + ": " + f.message, Hint: f.hint}
}

// numeric reports whether the field holds a number.
func (f fault) numeric() bool {
	return f.field == "ttl_turns" || f.field == "fired_at_turn" || f.field == "turn"
}

type faults []fault

func (fs *faults) add(field string, index int, hint, format string, args ...any) {
	*fs = append(*fs, fault{field, index, Invalid, fmt.Sprintf(format, args...), hint})
}

// err is all faults as one error, nil for none.
func (fs faults) err() error {
	list := make([]*cento.SourceError, len(fs))
	for i, f := range fs {
		list[i] = f.err(cento.Position{})
	}
	return cento.Join(list)
}

// name checks a text that names something: it can be shown on one line.
func (fs *faults) name(field string, index int, s string) {
	switch {
	case !utf8.ValidString(s):
		*fs = append(*fs, fault{field, index, cento.InvalidUTF8, fmt.Sprintf("%.40q isn't valid UTF-8", s), ""})
	case strings.TrimSpace(s) == "":
		fs.add(field, index, "write a name", "expected a name, got %q", s)
	case len(s) > MaxName:
		fs.add(field, index, "", "%d bytes, and the limit is %d", len(s), MaxName)
	case !printable(s):
		fs.add(field, index, "", "%q holds characters that can't be shown on one line", s)
	}
}

// session checks the id of a session.
func (fs *faults) session(field, id string) {
	known := len(*fs)
	fs.name(field, -1, id)
	fs.ofSession(known)
}

// newSession checks the id of a session that begins.
func (fs *faults) newSession(field, id string) {
	known := len(*fs)
	fs.name(field, -1, id)
	if problem := sessionname.Problem(id); problem != "" && len(*fs) == known {
		fs.add(field, -1, "an id has "+sessionname.Allowed, "%q: %s", id, problem)
	}
	fs.ofSession(known)
}

// ofSession makes the faults from an index on those of the id of a session.
func (fs *faults) ofSession(from int) {
	for i := from; i < len(*fs); i++ {
		if f := &(*fs)[i]; f.code == Invalid {
			f.code = InvalidSessionID
		}
	}
}

// printable reports whether a name can be shown on one line as it is.
func printable(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029'
	}) {
		return false
	}
	_, _, _, _, hidden := unitab.NextHidden(s, 0)
	return !hidden
}

// check finds what is wrong with a reminder. Its id may be empty.
func (r *Reminder) check() faults {
	var fs faults
	switch {
	case !utf8.ValidString(r.Body):
		fs = append(fs, fault{"body", -1, cento.InvalidUTF8, "isn't valid UTF-8", ""})
	case strings.TrimSpace(r.Body) == "":
		fs.add("body", -1, "write what the model is to be reminded of", "the text is blank")
	case len(r.Body) > MaxBody:
		fs.add("body", -1, "", "%d bytes, and the limit is %d", len(r.Body), MaxBody)
	}
	if r.ID != "" {
		fs.name("id", -1, r.ID)
	}
	if len(r.Tags) > MaxTags {
		fs.add("tags", -1, "", "%d tags, and the limit is %d", len(r.Tags), MaxTags)
	}
	for i, t := range r.Tags[:min(len(r.Tags), MaxTags)] {
		fs.name("tags", i, t)
	}
	if r.DedupeKey != "" {
		fs.name("dedupe_key", -1, r.DedupeKey)
	}
	if r.TTLTurns < 0 || r.TTLTurns > MaxTTL {
		fs.ttl(r.TTLTurns)
	}
	if r.FiredAtTurn != nil && (*r.FiredAtTurn < 0 || *r.FiredAtTurn > MaxTurn) {
		fs.turn("fired_at_turn", *r.FiredAtTurn)
	}
	if r.OriginatingSession != "" {
		fs.name("originating_session", -1, r.OriginatingSession)
	}
	known(&fs, "propagate", r.Propagate, propagateNames)
	known(&fs, "authority", r.Authority, authorityNames)
	known(&fs, "role_hint", r.RoleHint, roleNames)
	known(&fs, "source", r.Source, sourceNames)
	if r.Trust != cento.TrustWorkspace && r.Trust != cento.TrustSession {
		fs.add("trust", -1, "leave it out for what comes up in a session", "expected workspace or session, got %s", r.Trust)
	}
	return fs
}

// Check finds what is wrong with a reminder that is to be injected; it needs no id.
// The errors are [Invalid] and [cento.InvalidUTF8], with the names of the fields.
func (r *Reminder) Check() error { return r.check().err() }

// CheckTTL finds what is wrong with a number of turns that was given: 0 isn't
// the absence of one there. The error is [Invalid].
func CheckTTL(turns int64) error {
	var fs faults
	if turns < 1 || turns > MaxTTL {
		fs.ttl(turns)
	}
	return fs.err()
}

const ttlHint = "leave it out for a reminder that stays until it is cleared or the conversation is compacted"

func (fs *faults) ttl(n int64) {
	fs.add("ttl_turns", -1, ttlHint, "expected 1 to %d turns, got %d", MaxTTL, n)
}

func (fs *faults) turn(field string, n int64) {
	fs.add(field, -1, "", "expected the number of a turn, 0 to %d, got %d", int64(MaxTurn), n)
}

// known finds values that no constant has, which only Go code can hand over.
func known[T ~uint8](fs *faults, field string, v T, names enum.Names[T]) {
	if !names.Has(v) {
		fs.add(field, -1, "", "%d is none of %q", v, []string(names))
	}
}

// clone copies a reminder so that nothing is shared with it.
func (r Reminder) clone() Reminder {
	r.Tags = slices.Clone(r.Tags)
	if r.FiredAtTurn != nil {
		at := *r.FiredAtTurn
		r.FiredAtTurn = &at
	}
	return r
}

// immortal reports whether nothing but a compaction ends the reminder: it has no
// TTL and isn't preserved. Whoever wrote it most likely meant one of the two.
func (r *Reminder) immortal() bool { return r.TTLTurns == 0 && !r.PreserveOnCompact }
