package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// AnyVersion as the expected version of a [Change] changes a session whatever
// its version is, and creates one that isn't there.
const AnyVersion int64 = -1

// Session is a session as it stands.
type Session struct {
	ID string `json:"id"`
	// Parent is the session that it was forked from; empty for none.
	Parent string `json:"parent"`
	// Project is the project that it belongs to; empty for none.
	Project string `json:"project"`
	// Version counts the changes from 1. A writer names the version that it has
	// seen, and of two writers that saw the same one wins.
	Version int64 `json:"version"`
	// State is the session's own document, JSON that the store doesn't look into;
	// nil where only records were stored, and in a list that it wasn't asked for in.
	State   []byte    `json:"-"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Base is the record before the first one that is still there, Head the last
	// one. Both have sequence 0 and 64 zeros where there is none.
	Base Link `json:"base"`
	Head Link `json:"head"`
}

// Link names one record of a session's chain.
type Link struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"` // lower-case hex
}

// Transition is what one [Store.Commit] does: all of it or nothing.
type Transition struct {
	// Key makes the transition happen once: where the first session has stored one
	// with this key before, nothing is done and the first one's answer is given. How
	// long a key counts is for [Options] to say. Empty: no such protection.
	Key string
	// RequestDigest tells two requests apart that use one key by mistake; empty:
	// they aren't told apart. It has at most [MaxRequestDigest] bytes. Words of the form
	// `member:digest` may follow the first, each after a blank: the error [KeyReused] names
	// the members that differ.
	RequestDigest string
	// Answer is kept with the key and given back when the key is used again.
	Answer []byte
	// At is the time of the transition; zero: the store's clock.
	At time.Time
	// Changes are those of one session or several, each session once.
	Changes []Change
}

// Change is what a transition does to one session.
type Change struct {
	Session string
	// Projects says whose change it is: the session of another project is [OtherProject],
	// and one that is created belongs to its Name.
	Projects Projects
	// Adopt moves the session to the project of that name. Its records keep theirs.
	Adopt bool
	// Parent is set when the session is created.
	Parent string
	// ParentVersion is the version that the parent must have then; 0: nobody asks
	// whether it is there.
	ParentVersion int64
	// Expect is the version that the session must have: 0 creates it, and it must
	// not be there; [AnyVersion] doesn't ask.
	Expect int64
	// State is the session's new document; nil leaves it as it is.
	State []byte
	// Drafts are the prompts to record, in order.
	Drafts []Draft
	// Blobs are texts to keep with the session, each distinct one once; see
	// [Store.Blob].
	Blobs [][]byte
}

// Draft is a prompt that isn't recorded yet.
type Draft struct {
	Prompt *cento.Prompt
	// Input is what the prompt was made of: reducing it again gives the prompt.
	Input cento.Input
	// Label says what the record is for, as `materialise` or `turn 7`; shown, not
	// part of the chain.
	Label string

	ready *prepared
}

// Ready is the draft with everything done that doesn't depend on what is stored, for a
// prompt that is recorded again and again: each further record then takes a row, and
// work that doesn't grow with the texts. Prompt and Input must not be changed after
// it, the label may be. The errors are those that [Store.Commit] would give for it.
func (d Draft) Ready() (Draft, error) {
	p, err := prepare(&d)
	d.ready = p
	return d, err
}

// Committed is what a transition did.
type Committed struct {
	// Replayed: the key was used before, and nothing was done now.
	Replayed bool   `json:"replayed"`
	Answer   []byte `json:"-"`
	// Versions are those of the sessions after the change, parallel to
	// [Transition.Changes], Records what was recorded, in order.
	Versions []int64   `json:"versions"`
	Records  []Stored  `json:"records"`
	At       time.Time `json:"at"`
	// Notes are those of [ClockNotes].
	Notes []cento.Note `json:"notes,omitempty"`
}

// CodeClockBehind is the code of a note: the clock stands before the last change of a
// session, so that the session's records get the time of that change.
const CodeClockBehind cento.Code = "store.clock_behind"

// ClockNotes report that the clock stands more than a minute before the last change of a
// session: the session's times never go back, so its records get the time of that change
// until the clock is past it.
func ClockNotes(session string, changed, now time.Time) []cento.Note {
	if changed.Sub(now) <= time.Minute {
		return nil
	}
	return []cento.Note{{
		Code: CodeClockBehind,
		Message: fmt.Sprintf("the clock says %s, and session %q was changed at %s: its records get the later time until the clock is past it",
			now.UTC().Format(time.RFC3339), clip(session), changed.UTC().Format(time.RFC3339)),
	}}
}

// Stored is the name of a record that is durable.
type Stored struct {
	Session string `json:"session"`
	Link
}

func unknownSession(id string, known []string) *cento.SourceError {
	return &cento.SourceError{Code: UnknownSession, Message: fmt.Sprintf("there is no session %q", clip(id)), Hint: nearest.Hint(id, known, "")}
}

func (s *row) session() *Session {
	return &Session{
		ID: s.name, Parent: s.parent, Project: s.project, Version: s.version, State: s.state,
		Created: time.UnixMicro(s.created).UTC(), Updated: time.UnixMicro(s.updated).UTC(),
		Base: Link{s.baseSeq, hex.EncodeToString(s.baseHash)}, Head: Link{s.headSeq, hex.EncodeToString(s.headHash)},
	}
}

// session reads one session. The errors are [OtherProject], and [UnknownSession] with the
// nearest id that the caller reaches.
func (r *reader) session(ctx context.Context, id string, of Projects) (*row, error) {
	var found *row
	err := r.engine.each(ctx, r.q, "SELECT "+sessionColumns+" FROM session WHERE name = ?", []any{strings.ToValidUTF8(id, "\uFFFD")}, func(scan func(...any) error) (err error) {
		found, err = scanSession(scan)
		return err
	})
	if err == nil && found != nil {
		err = of.Check(found.name, found.project)
	}
	if err != nil || found != nil {
		return found, err
	}
	term, args := of.term("project")
	var known []string
	err = r.engine.each(ctx, r.q, "SELECT name FROM session WHERE "+term+" ORDER BY id DESC LIMIT 1000", args, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		known = append(known, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return nil, unknownSession(id, known)
}

// Session reads a session for a caller. The error is [UnknownSession] when there is none,
// and [OtherProject] for one that the caller doesn't reach.
func (s *Store) Session(ctx context.Context, id string, of Projects) (out *Session, err error) {
	err = s.view(ctx, func(r *reader) error {
		found, err := r.session(ctx, id, of)
		if err == nil {
			out = found.session()
		}
		return err
	})
	return out, err
}

// Removals counts how often something was taken out of the store, by a redaction or
// a sweep: whoever holds a text in memory and means to record it again asks whether
// the number is still the same.
func (s *Store) Removals(ctx context.Context) (n int64, err error) {
	err = s.view(ctx, func(r *reader) error {
		return r.engine.each(ctx, r.q, "SELECT value FROM store WHERE name = 'epoch'", nil, func(scan func(...any) error) error { return scan(&n) })
	})
	return n, err
}

// SessionQuery chooses sessions. The zero value is all.
type SessionQuery struct {
	// Parent: those that were forked from this one; empty for any.
	Parent string
	// Cursor: those that began before the session that has it, see [Session.Cursor];
	// empty for all. With a limit, that of the first of an answer is what to ask for
	// those before it, also where that session was deleted meanwhile.
	Cursor string
	// Limit is how many at most, the newest; 0 for all.
	Limit int
	// States: the states are wanted, too.
	States bool
	// Projects: those that belong to one of these; nil for any.
	Projects []string
}

// Sessions lists sessions in the order in which they began. The error is
// [InvalidCursor] for a cursor that no session of a store has.
func (s *Store) Sessions(ctx context.Context, q SessionQuery) ([]Session, error) {
	out := []Session{}
	err := s.view(ctx, func(r *reader) error {
		columns := sessionColumns
		if !q.States {
			columns = strings.Replace(columns, "state", "NULL", 1)
		}
		var where []string
		var args []any
		if q.Parent != "" {
			where, args = append(where, "parent = ?"), append(args, q.Parent)
		}
		if q.Cursor != "" {
			created, name, err := readCursor(q.Cursor)
			if err != nil {
				return err
			}
			where, args = append(where, "(created < ? OR created = ? AND name < ?)"), append(args, created, created, name)
		}
		if q.Projects != nil {
			term, more := among("project", q.Projects)
			where, args = append(where, term), append(args, more...)
		}
		query := "SELECT " + columns + " FROM session"
		if len(where) > 0 {
			query += " WHERE " + strings.Join(where, " AND ")
		}
		query += " ORDER BY created DESC, name DESC"
		if q.Limit > 0 {
			query, args = query+" LIMIT ?", append(args, q.Limit)
		}
		return r.engine.each(ctx, r.q, query, args, func(scan func(...any) error) error {
			x, err := scanSession(scan)
			if err == nil {
				out = append(out, *x.session())
			}
			return err
		})
	})
	reverse(out)
	return out, err
}

// Count is how many sessions there are, those with records alone among them.
func (s *Store) Count(ctx context.Context) (n int64, err error) {
	err = s.view(ctx, func(r *reader) error {
		return r.engine.each(ctx, r.q, "SELECT count(*) FROM session", nil, func(scan func(...any) error) error { return scan(&n) })
	})
	return n, err
}
