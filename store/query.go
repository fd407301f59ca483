package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cento-dev/cento"
)

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// recordRow is a record as its row has it.
type recordRow struct {
	id, session, seq, at int64
	name                 string
	hash, prompt         []byte
	input, list          int64
	label                sql.NullString
	project, sessions    string // the record's and the session's
}

const recordColumns = "record.id, record.session, session.name, record.seq, record.at, record.hash, record.prompt, record.input, record.list, record.label, session.project, coalesce(record.project, session.project)"

const fromRecord = " FROM record JOIN session ON session.id = record.session "

func scanRecord(scan func(...any) error) (*recordRow, error) {
	r := new(recordRow)
	return r, scan(&r.id, &r.session, &r.name, &r.seq, &r.at, &r.hash, &r.prompt, &r.input, &r.list, &r.label, &r.sessions, &r.project)
}

// summary is the record without its fragments, its input and what was before.
func (x *recordRow) summary() *Summary {
	s := &Summary{
		Session: x.name, Link: Link{x.seq, hex.EncodeToString(x.hash)},
		At: time.UnixMicro(x.at).UTC(), Label: x.label.String, Project: x.project,
	}
	if x.prompt != nil {
		sum := hex.EncodeToString(x.prompt)
		s.PromptDigest = &sum
	}
	return s
}

// Summary is a record in a line.
type Summary struct {
	Session string `json:"session"`
	Link
	PromptDigest *string   `json:"prompt_digest"`
	At           time.Time `json:"at"`
	Label        string    `json:"label"`
	Project      string    `json:"project"`
}

func (r *reader) recordRow(ctx context.Context, session string, seq int64) (*recordRow, error) {
	s, err := r.session(ctx, session, Projects{Any: true})
	if err != nil {
		return nil, err
	}
	if seq == 0 {
		seq = s.headSeq
	}
	var found *recordRow
	err = r.engine.each(ctx, r.q, "SELECT "+recordColumns+fromRecord+"WHERE record.session = ? AND record.seq = ?", []any{s.id, seq}, func(scan func(...any) error) (err error) {
		found, err = scanRecord(scan)
		return err
	})
	if err != nil || found != nil {
		return found, err
	}
	e := &cento.SourceError{Code: UnknownRecord, Message: fmt.Sprintf("session %q has no record %d", session, seq)}
	switch {
	case s.headSeq == s.baseSeq:
		e.Hint = "it has no records"
	case seq < 0:
		e.Hint = "records are counted from 1, and 0 is the last one"
	case seq <= s.baseSeq:
		e.Hint = fmt.Sprintf("it was let go; the first that is still there is %d", s.baseSeq+1)
	default:
		e.Hint = fmt.Sprintf("the last one is %d", s.headSeq)
	}
	return nil, e
}

func (r *reader) record(ctx context.Context, x *recordRow) (*Record, error) {
	out := &Record{
		Session: x.name, Link: Link{x.seq, hex.EncodeToString(x.hash)}, Prev: zeroHash,
		PromptDigest: x.summary().PromptDigest, At: time.UnixMicro(x.at).UTC(), Label: x.label.String, Project: x.project,
	}
	if x.seq > 1 {
		var prev []byte
		err := r.engine.each(ctx, r.q, "SELECT hash FROM record WHERE session = ? AND seq = ?", []any{x.session, x.seq - 1}, func(scan func(...any) error) error { return scan(&prev) })
		if err == nil && prev == nil {
			err = r.engine.each(ctx, r.q, "SELECT base_hash FROM session WHERE id = ? AND base_seq = ?", []any{x.session, x.seq - 1}, func(scan func(...any) error) error { return scan(&prev) })
		}
		if err != nil {
			return nil, err
		}
		if prev == nil {
			return nil, damaged("record %d of session %q has none before it", x.seq, x.name)
		}
		out.Prev = hex.EncodeToString(prev)
	}
	var err error
	if out.InputDigest, err = r.inputDigest(ctx, x.input); err != nil {
		return nil, err
	}
	out.Fragments, err = r.fragments(ctx, x.list)
	return out, err
}

// proven is a record that has the hash it should have: whatever went wrong below,
// no other one is taken for it.
func (r *reader) proven(ctx context.Context, x *recordRow) (*Record, error) {
	rec, err := r.record(ctx, x)
	if err != nil {
		return nil, err
	}
	if got := rec.computeHash(); got != rec.Hash {
		return nil, damaged("record %d of session %q has hash %s, and %s is stored", rec.Seq, rec.Session, got, rec.Hash)
	}
	return rec, nil
}

func (r *reader) inputDigest(ctx context.Context, id int64) (string, error) {
	var sum []byte
	err := r.engine.each(ctx, r.q, "SELECT digest FROM input WHERE id = ?", []any{id}, func(scan func(...any) error) error { return scan(&sum) })
	if err == nil && sum == nil {
		err = damaged("input %d isn't there", id)
	}
	return hex.EncodeToString(sum), err
}

// Record reads a record; seq 0 is the last one. The errors are [UnknownSession],
// [UnknownRecord] and [Corrupt].
func (s *Store) Record(ctx context.Context, session string, seq int64) (out *Record, err error) {
	err = s.view(ctx, func(r *reader) error {
		x, err := r.recordRow(ctx, session, seq)
		if err != nil {
			return err
		}
		out, err = r.proven(ctx, x)
		return err
	})
	return out, err
}

// byHash finds a record by its hash, by the index that each engine has for it.
func (e *Engine) byHash(raw []byte) (query string, args []any) {
	where, args := "record.hash = ?", []any{raw}
	if !e.Postgres { // its index has the beginnings
		where, args = "substr(record.hash, 1, 8) = ? AND "+where, []any{raw[:8], raw}
	}
	return "SELECT " + recordColumns + fromRecord + "WHERE " + where + " LIMIT 1", args
}

// RecordByHash names the record that has a hash, in lower-case hex. The error is
// [UnknownRecord].
func (s *Store) RecordByHash(ctx context.Context, hash string) (out *Stored, err error) {
	unknown := &cento.SourceError{Code: UnknownRecord, Message: fmt.Sprintf("no record has the hash %q", clip(hash))}
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) != len(digest{}) {
		return nil, unknown
	}
	err = s.view(ctx, func(r *reader) error {
		query, args := r.engine.byHash(raw)
		return r.engine.each(ctx, r.q, query, args, func(scan func(...any) error) error {
			x, err := scanRecord(scan)
			if err == nil {
				out = &Stored{Session: x.name, Link: Link{x.seq, hex.EncodeToString(x.hash)}}
			}
			return err
		})
	})
	if err == nil && out == nil {
		err = unknown
	}
	return out, err
}

// Text is the prompt of a record, byte for byte as it was handed out, and false
// when there was none; seq 0 is the last record. Besides those of
// [Store.Record] the error is [Redacted].
func (s *Store) Text(ctx context.Context, session string, seq int64) (text string, ok bool, err error) {
	err = s.view(ctx, func(r *reader) error {
		x, err := r.recordRow(ctx, session, seq)
		if err != nil {
			return err
		}
		if _, err := r.proven(ctx, x); err != nil || x.prompt == nil {
			return err
		}
		b, err := r.prompt(ctx, x.list)
		if err != nil {
			return err
		}
		text, ok = string(b), true
		if d := digestOf(text); hex.EncodeToString(x.prompt) != d.hex() {
			return damaged("the prompt of record %d of session %q has digest %s, not %x", x.seq, x.name, d.hex(), x.prompt)
		}
		return nil
	})
	if err != nil {
		return "", false, err
	}
	return text, ok, nil
}

// Input is what the prompt of a record was made of; seq 0 is the last record.
// Besides those of [Store.Record] the error is [Redacted].
func (s *Store) Input(ctx context.Context, session string, seq int64) (in cento.Input, err error) {
	err = s.view(ctx, func(r *reader) error {
		x, err := r.recordRow(ctx, session, seq)
		if err != nil {
			return err
		}
		rec, err := r.proven(ctx, x)
		if err != nil {
			return err
		}
		b, err := r.input(ctx, x.input)
		if err != nil {
			return err
		}
		if d := digestOf(string(b)); d.hex() != rec.InputDigest {
			return damaged("the input of record %d of session %q has digest %s, not %s", x.seq, x.name, d.hex(), rec.InputDigest)
		}
		if err := json.Unmarshal(b, &in); err != nil {
			return damaged("the input of record %d of session %q can't be read: %v", x.seq, x.name, err)
		}
		return nil
	})
	return in, err
}

// Blob is a text that was kept with a session, by its SHA-256 in hex. The error
// is [UnknownBlob].
func (s *Store) Blob(ctx context.Context, sum string) (out []byte, err error) {
	raw, err := hex.DecodeString(sum)
	unknown := &cento.SourceError{Code: UnknownBlob, Message: fmt.Sprintf("no text with digest %q is kept", clip(sum))}
	if err != nil || len(raw) != len(digest{}) {
		return nil, unknown
	}
	d := digest(raw)
	err = s.view(ctx, func(r *reader) error {
		var ids []int64
		err := r.engine.each(ctx, r.q, "SELECT id FROM text WHERE key = ?", []any{d.key()}, func(scan func(...any) error) error {
			var id int64
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
		for _, id := range ids {
			b, readErr := r.content(ctx, "text", id)
			if readErr == nil && digestOf(string(b)) == d {
				out = b
				return nil
			}
			err = errors.Join(err, ignoreRedacted(readErr))
		}
		if err == nil {
			err = unknown
		}
		return err
	})
	return out, err
}

func ignoreRedacted(err error) error {
	if _, gone := errors.AsType[*redactedText](err); gone {
		return nil
	}
	return err
}

// RecordQuery chooses records. The zero value is all.
type RecordQuery struct {
	// Session: of this one alone; empty for any.
	Session string
	// Since and Until bound the time, Until excluded; zero for no bound.
	Since, Until time.Time
	// Prompt: those whose digest begins with these hex digits alone; empty for any.
	Prompt string
	// Before: those that were recorded before this one; the zero value for all. With a
	// limit, the last of an answer is what to ask for the next with.
	Before Stored
	// Projects: those of sessions that belong to one of these; nil for any.
	Projects []string
	// Limit is how many at most, the newest; 0 for all.
	Limit int
}

// Records lists records, the newest first.
func (s *Store) Records(ctx context.Context, q RecordQuery) ([]Summary, error) {
	out := []Summary{}
	err := s.view(ctx, func(r *reader) error {
		where, args, err := r.where(ctx, q)
		if err != nil {
			return err
		}
		query := "SELECT " + recordColumns + fromRecord + where + " ORDER BY record.id DESC"
		if q.Limit > 0 {
			query, args = query+" LIMIT ?", append(args, q.Limit)
		}
		return r.engine.each(ctx, r.q, query, args, func(scan func(...any) error) error {
			x, err := scanRecord(scan)
			if err == nil {
				out = append(out, *x.summary())
			}
			return err
		})
	})
	return out, err
}

// digestsFrom are the first and the last digest that begin with some hex digits.
func digestsFrom(digits string) (first, last []byte, err error) {
	fill := func(with string) ([]byte, error) {
		return hex.DecodeString(digits + strings.Repeat(with, max(0, 2*sha256.Size-len(digits))))
	}
	if first, err = fill("0"); err == nil {
		last, err = fill("f")
	}
	if err != nil || len(first) != sha256.Size {
		return nil, nil, invalid("%q is no digest in hex, nor the beginning of one", clip(digits))
	}
	return first, last, nil
}

// where words a query; a session that isn't there is an error.
func (r *reader) where(ctx context.Context, q RecordQuery) (string, []any, error) {
	var terms []string
	var args []any
	add := func(term string, arg any) { terms, args = append(terms, term), append(args, arg) }
	if q.Session != "" {
		s, err := r.session(ctx, q.Session, Projects{Any: true})
		if err != nil {
			return "", nil, err
		}
		add("record.session = ?", s.id)
	}
	if !q.Since.IsZero() {
		add("record.at >= ?", q.Since.UnixMicro())
	}
	if !q.Until.IsZero() {
		add("record.at < ?", q.Until.UnixMicro())
	}
	if q.Prompt != "" {
		first, last, err := digestsFrom(q.Prompt)
		if err != nil {
			return "", nil, err
		}
		add("record.prompt >= ?", first)
		add("record.prompt <= ?", last)
	}
	if q.Before.Session != "" {
		x, err := r.recordRow(ctx, q.Before.Session, q.Before.Seq)
		if err != nil {
			return "", nil, err
		}
		add("record.id < ?", x.id)
	}
	if q.Projects != nil {
		term, more := among("session.project", q.Projects)
		terms, args = append(terms, term), append(args, more...)
	}
	if len(terms) == 0 {
		return "", nil, nil
	}
	return "WHERE " + strings.Join(terms, " AND "), args, nil
}
