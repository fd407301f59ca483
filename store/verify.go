package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/cento-dev/cento"
)

// VerifyOptions say what to verify.
type VerifyOptions struct {
	// Session: this one alone; empty for all.
	Session string
	// Heads are the last records of an earlier verification. Each must still be
	// where it was: a tail that was cut off together with the word on where the
	// chain ends is found by nothing else.
	Heads []Stored
	// Progress is told how many of all records are done; nil for nobody.
	Progress func(done, all int64)
}

// Verification is what was found.
type Verification struct {
	// OK: every record is as it was written.
	OK       bool    `json:"ok"`
	Sessions int64   `json:"sessions"`
	Records  int64   `json:"records"`
	Redacted int64   `json:"redacted"` // texts that were taken out
	Faults   []Fault `json:"faults"`
	// Heads are the last records of the sessions, to be kept elsewhere.
	Heads []Stored `json:"heads"`
}

// FaultCode names what is wrong with a record.
type FaultCode string

// What verification finds.
const (
	// RecordChanged: the record isn't what its hash says, or doesn't follow on the
	// one before: it was changed, moved or repeated.
	RecordChanged FaultCode = "record.changed"
	// RecordMissing: a record is not there.
	RecordMissing FaultCode = "record.missing"
	// TailCut: the chain doesn't end where it should.
	TailCut FaultCode = "tail.cut"
	// PromptChanged: the stored text of the prompt isn't the one that was recorded.
	PromptChanged FaultCode = "prompt.changed"
	// InputChanged: the stored input isn't the one that was recorded.
	InputChanged FaultCode = "input.changed"
	// Unreadable: what is stored can't be read.
	Unreadable FaultCode = "record.unreadable"
	// Damaged: the database isn't sound, also where no record is: in its indexes,
	// for one, so that a search may miss something. Only the embedded store tells.
	Damaged FaultCode = "store.damaged"
)

// Fault is one thing that isn't as it was written. One that concerns no record
// has neither session nor number.
type Fault struct {
	Session string    `json:"session"`
	Seq     int64     `json:"seq"`
	Code    FaultCode `json:"code"`
	Message string    `json:"message"`
}

// maxFaults is how many faults of one session are told.
const maxFaults = 20

// Verify reads every record and everything that it is made of, and finds what
// isn't as it was written.
func (s *Store) Verify(ctx context.Context, o VerifyOptions) (*Verification, error) {
	v := &verifier{Verification: Verification{Faults: []Fault{}, Heads: []Stored{}}, o: o}
	err := s.view(ctx, func(r *reader) error {
		v.reader = r
		var rows []*row
		if o.Session != "" {
			x, err := r.session(ctx, o.Session, Projects{Any: true})
			if err != nil {
				return err
			}
			rows = append(rows, x)
		} else if err := r.engine.each(ctx, r.q, "SELECT "+sessionColumns+" FROM session ORDER BY name", nil, func(scan func(...any) error) error {
			x, err := scanSession(scan)
			rows = append(rows, x)
			return err
		}); err != nil {
			return err
		}
		for _, x := range rows {
			v.all += x.headSeq - x.baseSeq
		}
		for _, x := range rows {
			if err := v.session(ctx, x); err != nil {
				return err
			}
		}
		for _, h := range o.Heads {
			if o.Session == "" || o.Session == h.Session {
				if err := v.head(ctx, h); err != nil {
					return err
				}
			}
		}
		if o.Session == "" && !r.engine.Postgres {
			if err := v.database(ctx); err != nil {
				return err
			}
		}
		return r.engine.each(ctx, r.q, r.engine.redactedCount(), nil, func(scan func(...any) error) error { return scan(&v.Redacted) })
	})
	if err != nil {
		return nil, err
	}
	v.OK = len(v.Faults) == 0
	return &v.Verification, nil
}

func (e *Engine) redactedCount() string {
	if e.Postgres {
		return `SELECT count(*) FROM text WHERE substring(data from 1 for 1) = '\xff'::bytea`
	}
	return "SELECT count(*) FROM text WHERE substr(data, 1, 1) = x'ff'"
}

// database asks SQLite whether its pages and indexes are sound.
func (v *verifier) database(ctx context.Context) error {
	v.faults = 0
	// A connection remembers how an index is made up, and only a search looks
	// whether it still is. The check alone would take what was merged for missing.
	for _, query := range []string{"SELECT rowid FROM word WHERE word MATCH 'none' LIMIT 1", "SELECT rowid FROM listed WHERE listed MATCH 'none' LIMIT 1"} {
		if err := v.engine.each(ctx, v.q, query, nil, func(func(...any) error) error { return nil }); err != nil {
			return err
		}
	}
	return v.engine.each(ctx, v.q, "PRAGMA integrity_check("+strconv.Itoa(maxFaults)+")", nil, func(scan func(...any) error) error {
		var said string
		err := scan(&said)
		if err == nil && said != "ok" {
			v.fault("", 0, Damaged, "%s", said)
		}
		return err
	})
}

type verifier struct {
	Verification
	*reader
	o      VerifyOptions
	all    int64
	faults int // of this session
	// What was found to be right, by number.
	inputs  cache[int64, string]
	prompts cache[int64, digest]
}

func (v *verifier) fault(session string, seq int64, code FaultCode, format string, args ...any) {
	if v.faults++; v.faults <= maxFaults {
		v.Faults = append(v.Faults, Fault{session, seq, code, fmt.Sprintf(format, args...)})
	}
}

func (v *verifier) session(ctx context.Context, x *row) error {
	v.Sessions++
	v.faults = 0
	if v.inputs.most == 0 {
		v.inputs.most, v.prompts.most = 8192, 8192
	}
	seq, prev := x.baseSeq, hex.EncodeToString(x.baseHash)
	for {
		var part []*recordRow
		err := v.engine.each(ctx, v.q, "SELECT "+recordColumns+fromRecord+"WHERE record.session = ? AND record.seq > ? ORDER BY record.seq LIMIT ?", []any{x.id, seq, chunk}, func(scan func(...any) error) error {
			row, err := scanRecord(scan)
			part = append(part, row)
			return err
		})
		if err != nil {
			return err
		}
		for _, row := range part {
			v.Records++
			if row.seq != seq+1 {
				v.fault(x.name, seq+1, RecordMissing, "%d records are missing before record %d", row.seq-seq-1, row.seq)
			}
			if err := v.record(ctx, row, prev); err != nil {
				return err
			}
			seq, prev = row.seq, hex.EncodeToString(row.hash)
		}
		if v.o.Progress != nil {
			v.o.Progress(v.Records, v.all)
		}
		if len(part) < chunk {
			break
		}
	}
	if head := hex.EncodeToString(x.headHash); seq != x.headSeq || prev != head {
		v.fault(x.name, seq, TailCut, "the chain ends with record %d, and the session's last one is %d (%s)", seq, x.headSeq, head)
	}
	if x.headSeq > x.baseSeq {
		v.Heads = append(v.Heads, Stored{x.name, Link{x.headSeq, hex.EncodeToString(x.headHash)}})
	}
	return ctx.Err()
}

// record verifies one record. What can't be read is a fault of the record; other
// errors end the verification.
func (v *verifier) record(ctx context.Context, row *recordRow, prev string) error {
	inputDigest, err := v.input(ctx, row)
	if err == nil {
		var list []Fragment
		if list, err = v.fragments(ctx, row.list); err == nil {
			record := Record{
				Session: row.name, Link: Link{Seq: row.seq}, Prev: prev, InputDigest: inputDigest,
				PromptDigest: row.summary().PromptDigest, Fragments: list,
			}
			if got := record.computeHash(); got != hex.EncodeToString(row.hash) {
				v.fault(row.name, row.seq, RecordChanged, "the record has hash %s, and %x is stored", got, row.hash)
			}
			err = v.prompt(ctx, row)
		}
	}
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == Corrupt {
		v.fault(row.name, row.seq, Unreadable, "%s", e.Message)
		return nil
	}
	return err
}

// input verifies the input of a record and gives the digest that is stored.
func (v *verifier) input(ctx context.Context, row *recordRow) (string, error) {
	if sum, ok := v.inputs.get(row.input); ok {
		return sum, nil
	}
	sum, err := v.inputDigest(ctx, row.input)
	if err != nil {
		return "", err
	}
	b, err := v.reader.input(ctx, row.input)
	switch {
	case errors.Is(err, Redacted):
	case err != nil:
		return "", err
	default:
		if d := digestOf(string(b)); d.hex() != sum {
			v.fault(row.name, row.seq, InputChanged, "the input has digest %s, and %s is stored", d.hex(), sum)
			return sum, nil
		}
	}
	v.inputs.put(row.input, sum)
	return sum, nil
}

func (v *verifier) prompt(ctx context.Context, row *recordRow) error {
	if row.prompt == nil {
		return nil
	}
	d, ok := v.prompts.get(row.list)
	if !ok {
		b, err := v.reader.prompt(ctx, row.list)
		if errors.Is(err, Redacted) {
			return nil
		}
		if err != nil {
			return err
		}
		d = digestOf(string(b))
		v.prompts.put(row.list, d)
	}
	if d.hex() != hex.EncodeToString(row.prompt) {
		v.fault(row.name, row.seq, PromptChanged, "the prompt has digest %s, and %x is stored", d.hex(), row.prompt)
	}
	return nil
}

// head looks whether a record is still where it was.
func (v *verifier) head(ctx context.Context, h Stored) error {
	v.faults = 0
	x, err := v.reader.session(ctx, h.Session, Projects{Any: true})
	if errors.Is(err, UnknownSession) {
		v.fault(h.Session, h.Seq, TailCut, "the session is gone")
		return nil
	}
	if err != nil || h.Seq < x.baseSeq {
		return err // it was let go, with all before it
	}
	hash := hex.EncodeToString(x.baseHash)
	if h.Seq > x.baseSeq {
		hash = ""
		err = v.engine.each(ctx, v.q, "SELECT hash FROM record WHERE session = ? AND seq = ?", []any{x.id, h.Seq}, func(scan func(...any) error) error {
			var b []byte
			err := scan(&b)
			hash = hex.EncodeToString(b)
			return err
		})
	}
	switch {
	case err != nil:
		return err
	case hash == "":
		v.fault(h.Session, h.Seq, TailCut, "record %d was there and isn't any more", h.Seq)
	case hash != h.Hash:
		v.fault(h.Session, h.Seq, RecordChanged, "record %d had hash %s, and has %s", h.Seq, h.Hash, hash)
	}
	return nil
}
