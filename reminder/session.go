package reminder

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
)

// Session is the reminders of one session and the turn it is in. Operations
// return the next state and leave this one as it is.
type Session struct {
	ID string
	// Turn is how many turns have ended.
	Turn int64
	// TurnBuilt: [Session.Built] was asked since the last turn ended.
	TurnBuilt bool
	// Reminders are the pending ones, in the order of injection.
	Reminders []Reminder
}

// Check finds what is wrong with a state that somebody else made: the codes are
// [Invalid], [InvalidSessionID], [Duplicate], [cento.InvalidUTF8] and [cento.LimitExceeded].
func (s *Session) Check() error {
	var errs []*cento.SourceError
	fs := s.check()
	if len(fs) == 0 {
		fs.newSession("id", s.ID)
	}
	for _, f := range fs {
		errs = append(errs, f.err(cento.Position{}))
	}
	first := make(map[string]int, len(s.Reminders))
	for i := range s.Reminders {
		r := &s.Reminders[i]
		place := "reminders[" + strconv.Itoa(i) + "]."
		fs := r.check()
		if r.ID == "" {
			fs.add("id", -1, "", "a pending reminder has none")
		} else if j, twice := first[r.ID]; twice {
			fs = append(fs, fault{"id", -1, Duplicate, fmt.Sprintf("reminder %d has the id %q already", j, r.ID), ""})
		} else {
			first[r.ID] = i
		}
		for _, f := range fs {
			e := f.err(cento.Position{})
			e.Message = place + e.Message
			errs = append(errs, e)
		}
	}
	return cento.Join(errs)
}

// check finds what is wrong with the session itself.
func (s *Session) check() faults {
	var fs faults
	fs.session("id", s.ID)
	if s.Turn < 0 || s.Turn > MaxTurn {
		fs.turn("turn", s.Turn)
	}
	if len(s.Reminders) > MaxPending {
		fs = append(fs, tooMany(len(s.Reminders)))
	}
	return fs
}

func tooMany(n int) fault {
	return fault{"reminders", -1, cento.LimitExceeded, fmt.Sprintf("%d pending, and the limit is %d", n, MaxPending),
		"clear some, or give them a ttl_turns"}
}

// Inject adds a reminder. With a dedupe key it takes the place of all pending
// ones with the same key, whatever their authority: the event of the injection
// tells how many. Without an id it gets one that depends on nothing but session,
// turn, number of pending reminders and body. The errors are [Invalid],
// [Duplicate], [cento.InvalidUTF8] and [cento.LimitExceeded].
func (s Session) Inject(r Reminder) (Session, []Event, error) {
	r = r.clone()
	r.DedupeKey = norm.NFC.String(r.DedupeKey)
	if err := r.check().err(); err != nil {
		return s, nil, err
	}
	if r.ID == "" {
		r.ID = s.newID(r.Body)
	}
	if r.FiredAtTurn == nil {
		at := s.Turn
		r.FiredAtTurn = &at
	}
	var events []Event
	keep := make([]Reminder, 0, len(s.Reminders)+1)
	for i := range s.Reminders {
		old := &s.Reminders[i]
		if r.DedupeKey != "" && old.DedupeKey == r.DedupeKey {
			events = append(events, s.event(EventDeduped, old))
			continue
		}
		if old.ID == r.ID {
			return s, nil, fault{"id", -1, Duplicate, fmt.Sprintf("session %q has a pending reminder %q already", s.ID, r.ID),
				"clear it first, or give both the same dedupe_key"}.err(cento.Position{})
		}
		keep = append(keep, *old)
	}
	if len(keep) >= MaxPending {
		return s, nil, tooMany(len(keep) + 1).err(cento.Position{})
	}
	e := s.event(EventInjected, &r)
	replaced := len(events)
	e.Replaced = &replaced
	s.Reminders = append(keep, r)
	return s, append(events, e), nil
}

// newID makes the id of a reminder that has none.
func (s *Session) newID(body string) string {
	for n := len(s.Reminders); ; n++ {
		sum := sha256.Sum256([]byte(s.ID + "\n" + strconv.FormatInt(s.Turn, 10) + "\n" + strconv.Itoa(n) + "\n" + body))
		id := "r-" + hex.EncodeToString(sum[:6])
		if !slices.ContainsFunc(s.Reminders, func(r Reminder) bool { return r.ID == id }) {
			return id
		}
	}
}

// Match picks reminders by what is set of it: all of that has to hold.
type Match struct {
	ID        string
	Tag       string
	DedupeKey string
}

// check finds what is wrong with a match.
func (m *Match) check() faults {
	var fs faults
	if *m == (Match{}) {
		fs.add("clear", -1, "give an id, a tag or a dedupe_key", "nothing says what to clear")
	}
	for _, f := range []struct{ name, value string }{{"id", m.ID}, {"tag", m.Tag}, {"dedupe_key", m.DedupeKey}} {
		if f.value != "" {
			fs.name(f.name, -1, f.value)
		}
	}
	return fs
}

func (m *Match) matches(r *Reminder) bool {
	return (m.ID == "" || m.ID == r.ID) && (m.DedupeKey == "" || m.DedupeKey == r.DedupeKey) &&
		(m.Tag == "" || slices.Contains(r.Tags, m.Tag))
}

// Clear takes out what matches. That nothing does is no error, and gives no
// event. The errors are [Invalid], for a match that says nothing too, and
// [cento.InvalidUTF8].
func (s Session) Clear(m Match) (Session, []Event, error) {
	if err := m.check().err(); err != nil {
		return s, nil, err
	}
	m.DedupeKey = norm.NFC.String(m.DedupeKey)
	next, events := s.filtered(func(r *Reminder) (bool, Event) {
		return !m.matches(r), s.expired(r, ByClearing)
	})
	return next, events, nil
}

// filtered keeps the reminders for which keep says yes; what it says of the
// others is an event.
func (s Session) filtered(keep func(*Reminder) (bool, Event)) (Session, []Event) {
	var events []Event
	var kept []Reminder
	for i := range s.Reminders {
		r := s.Reminders[i]
		ok, e := keep(&r) // may change the copy
		if !ok {
			events = append(events, e)
			continue
		}
		kept = append(kept, r)
	}
	s.Reminders = kept
	return s, events
}

// Built builds a turn: it returns the reminders that the turn shows, in order,
// and marks them as fired. Asking again in the same turn gives what is pending
// then.
func (s Session) Built() (Session, []Reminder, []Event) {
	live := Reduce(s.Reminders)
	in := make(map[string]bool, len(live))
	for i := range live {
		in[live[i].ID] = true
	}
	var events []Event
	s.Reminders = slices.Clone(s.Reminders)
	for i := range s.Reminders {
		r := &s.Reminders[i]
		if in[r.ID] {
			r.Fired = true
			continue
		}
		events = append(events, s.event(EventDropped, r))
	}
	for i := range live {
		live[i].Fired = true
		events = append(events, s.event(EventFired, &live[i]))
	}
	s.TurnBuilt = true
	return s, live, events
}

// EndTurn ends the turn. Reminders with a TTL that were fired have one turn less
// to live, and go at zero: one with a TTL of 1 is seen by exactly one turn, also
// when it came up after that turn's prompt was built. Where nobody asked for the
// turn's reminders, all that are pending count as fired.
func (s Session) EndTurn() (Session, []Event) {
	all := !s.TurnBuilt
	next, events := s.filtered(func(r *Reminder) (bool, Event) {
		return !(r.Fired || all) || r.age(), s.expired(r, ByTTL)
	})
	next.Turn, next.TurnBuilt = s.Turn+1, false
	return next, events
}

// age takes a turn off a life that ends, and reports whether anything is left.
func (r *Reminder) age() bool {
	if r.TTLTurns == 0 {
		return true
	}
	r.TTLTurns--
	return r.TTLTurns > 0
}

// Compact is what the compaction of a conversation does: every TTL has one turn
// less, fired or not; of those that share a key one stays, by the rule of
// [Reduce]; then those go that aren't preserved.
func (s Session) Compact() (Session, []Event) {
	next, events := s.filtered(func(r *Reminder) (bool, Event) { return r.age(), s.expired(r, ByTTL) })
	best := map[string]int{}
	for i := range next.Reminders {
		if key := next.Reminders[i].DedupeKey; key != "" {
			if j, ok := best[key]; !ok || !stronger(&next.Reminders[j], &next.Reminders[i]) {
				best[key] = i
			}
		}
	}
	i := -1
	next, more := next.filtered(func(r *Reminder) (bool, Event) {
		i++
		return r.DedupeKey == "" || best[r.DedupeKey] == i, s.event(EventDeduped, r)
	})
	events = append(events, more...)
	next, more = next.filtered(func(r *Reminder) (bool, Event) {
		return r.PreserveOnCompact, s.expired(r, ByCompaction)
	})
	return next, append(events, more...)
}

// Fork is what a child session inherits: reminders for all, and those of this
// session's own that are for its children. Copies keep their ids, lives and
// turns, and are to be fired anew. The errors are [InvalidSessionID] and
// [cento.InvalidUTF8], for the name of the child.
func (s Session) Fork(child string) (Session, []Event, error) {
	var fs faults
	fs.newSession("child", child)
	if len(fs) == 0 && child == s.ID {
		fs = append(fs, fault{"child", -1, InvalidSessionID, fmt.Sprintf("%q is the session that is forked", child), "give the child a name of its own"})
	}
	if err := fs.err(); err != nil {
		return Session{}, nil, err
	}
	c := Session{ID: child}
	var events []Event
	for i := range s.Reminders {
		r := s.Reminders[i].clone()
		own := r.OriginatingSession == s.ID || r.OriginatingSession == "" && r.Source != Inherited
		if r.Propagate != ToAll && !(r.Propagate == ToChildren && own) {
			continue
		}
		events = append(events, s.event(EventInherited, &r))
		if r.OriginatingSession == "" {
			r.OriginatingSession = s.ID
		}
		r.Source, r.Fired = Inherited, false
		c.Reminders = append(c.Reminders, r)
	}
	return c, events, nil
}
