package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// GCOptions say what to let go. Without any of them nothing but what no record
// needs goes.
type GCOptions struct {
	// Before: records older than this; zero for none.
	Before time.Time
	// Keep is how many of the newest records of each session stay whatever their
	// age; at least one does.
	Keep int64
	// Needs tells of the state of a session which record it can't do without; 0 for
	// none. That record and those after it stay, unless the session itself is older
	// than Before. Nil: no state needs a record.
	Needs func(state []byte) int64
	// DryRun tells what would go, and lets nothing go.
	DryRun bool
	// Progress is told how much of what is left was looked through; nil for nobody.
	Progress func(done, all int64)
}

// Collected is what was let go.
type Collected struct {
	Records int64 `json:"records"`
	Texts   int64 `json:"texts"`
	Inputs  int64 `json:"inputs"`
	DryRun  bool  `json:"dry_run"`
}

// GC lets old records go, from the beginning of the chains: what stays is
// verified from there on. The room is given back to the disk on SQLite.
func (s *Store) GC(ctx context.Context, o GCOptions) (*Collected, error) {
	out := &Collected{DryRun: o.DryRun}
	err := s.maintain(ctx, o.DryRun, func(t *txn) error {
		if !o.Before.IsZero() {
			if err := t.letGo(ctx, o, out); err != nil {
				return err
			}
		}
		return t.sweep(ctx, o.Progress, out)
	})
	if err != nil {
		return nil, err
	}
	if !s.engine.Postgres && !o.DryRun {
		if _, err := s.write.ExecContext(ctx, "VACUUM"); err != nil {
			return nil, s.engine.failure(err)
		}
	}
	return out, nil
}

// errDry ends a transaction that was only to tell.
var errDry = errors.New("a dry run")

// maintain runs a function in a transaction that may take things out. A dry run
// is undone.
func (s *Store) maintain(ctx context.Context, dry bool, do func(*txn) error) error {
	if s.write == nil {
		return s.failure(ReadOnly, nil)
	}
	w := &writer{store: s}
	defer w.drop()
	err := s.exclusively(ctx, &w.conn, func(q querier) (func(), error) {
		t, err := w.begin(ctx, q)
		if err != nil {
			return nil, err
		}
		if _, err := q.ExecContext(ctx, "UPDATE store SET value = value + 1 WHERE name = 'epoch'"); err != nil {
			return nil, err
		}
		if err := do(t); err != nil || !dry {
			return nil, err
		}
		return nil, errDry
	})
	if dry && errors.Is(err, errDry) {
		return nil
	}
	return err
}

// letGo takes the oldest records out of every session.
func (t *txn) letGo(ctx context.Context, o GCOptions, out *Collected) error {
	e := t.reader.engine
	type cut struct {
		id, seq int64
		hash    []byte
	}
	var cuts []cut
	before := o.Before.UnixMicro()
	err := e.each(ctx, t.q, `SELECT session.id, record.seq, record.hash FROM session JOIN record ON record.session = session.id
		AND record.seq = (SELECT max(r.seq) FROM record AS r WHERE r.session = session.id AND r.at < ? AND r.seq <= session.head_seq - ?)`,
		[]any{before, max(1, o.Keep)}, func(scan func(...any) error) error {
			var c cut
			err := scan(&c.id, &c.seq, &c.hash)
			cuts = append(cuts, c)
			return err
		})
	if err != nil {
		return err
	}
	for _, c := range cuts {
		if o.Needs != nil {
			if c.seq, c.hash, err = t.spared(ctx, c.id, c.seq, c.hash, o); err != nil {
				return err
			}
			if c.seq == 0 {
				continue
			}
		}
		done, err := t.q.ExecContext(ctx, e.statement("DELETE FROM record WHERE session = ? AND seq <= ?"), c.id, c.seq)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		out.Records += n
		if _, err := t.q.ExecContext(ctx, e.statement("UPDATE session SET base_seq = ?, base_hash = ? WHERE id = ?"), c.seq, c.hash, c.id); err != nil {
			return err
		}
	}
	_, err = t.q.ExecContext(ctx, e.statement("DELETE FROM request WHERE at < ?"), before)
	return err
}

// spared moves the cut in a session before the record that its state needs; to 0
// when nothing is left to cut.
func (t *txn) spared(ctx context.Context, id, seq int64, hash []byte, o GCOptions) (int64, []byte, error) {
	e := t.reader.engine
	var state []byte
	err := e.each(ctx, t.q, "SELECT state FROM session WHERE id = ? AND updated >= ?", []any{id, o.Before.UnixMicro()}, func(scan func(...any) error) error {
		return scan(&state)
	})
	if err != nil || state == nil {
		return seq, hash, err
	}
	needed := o.Needs(state)
	if needed == 0 || seq < needed {
		return seq, hash, nil
	}
	seq, hash = 0, nil
	err = e.each(ctx, t.q, "SELECT seq, hash FROM record WHERE session = ? AND seq = ?", []any{id, needed - 1}, func(scan func(...any) error) error {
		return scan(&seq, &hash)
	})
	return seq, hash, err
}

// sweep takes out what no record needs: lists, inputs, entries and texts that
// nothing leads to.
func (t *txn) sweep(ctx context.Context, progress func(done, all int64), out *Collected) error {
	lists, deadLists, err := t.live(ctx, "list", "SELECT DISTINCT list FROM record")
	if err != nil {
		return err
	}
	inputs, deadInputs, err := t.live(ctx, "input", "SELECT DISTINCT input FROM record")
	if err != nil {
		return err
	}
	entries, texts := map[int64]bool{}, map[int64]bool{}
	all := int64(len(lists) + len(inputs))
	for i, id := range lists {
		tell(progress, i, all)
		l, rows, err := t.reader.list(ctx, id)
		if err != nil {
			return err
		}
		for i, e := range l.entries {
			entries[e], texts[rows[i].text], texts[rows[i].form] = true, true, true
		}
		for _, p := range append(l.order, listPlace{before: l.tail}) {
			_, text := usualOr(p.before)
			texts[text] = true
		}
	}
	for i, id := range inputs {
		tell(progress, len(lists)+i, all)
		b, err := t.reader.content(ctx, "input", id)
		if err != nil {
			return err
		}
		_, used, err := partsOf(b)
		if err != nil {
			return err
		}
		for _, x := range used {
			texts[x.id] = true
		}
	}
	if err := t.reader.engine.each(ctx, t.q, "SELECT text FROM kept", nil, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		texts[id] = true
		return err
	}); err != nil {
		return err
	}
	for _, id := range deadLists {
		if err := t.unlist(ctx, id); err != nil {
			return err
		}
	}
	if err := t.remove(ctx, "list", deadLists); err != nil {
		return err
	}
	if err := t.remove(ctx, "input", deadInputs); err != nil {
		return err
	}
	out.Inputs = int64(len(deadInputs))
	var deadEntries []int64
	searched := map[int64]bool{} // texts whose words are in the index
	if err := t.reader.engine.each(ctx, t.q, "SELECT id, text FROM entry", nil, func(scan func(...any) error) error {
		var id, text int64
		err := scan(&id, &text)
		if searched[text] = true; !entries[id] {
			deadEntries = append(deadEntries, id)
		}
		return err
	}); err != nil {
		return err
	}
	if err := t.remove(ctx, "entry", deadEntries); err != nil {
		return err
	}
	return t.sweepTexts(ctx, texts, searched, out)
}

// tell tells how far something is, now and then.
func tell(progress func(done, all int64), done int, all int64) {
	if progress != nil && done%chunk == 0 {
		progress(int64(done), all)
	}
}

func (t *txn) sweepTexts(ctx context.Context, live, searched map[int64]bool, out *Collected) error {
	base := map[int64]int64{}
	var all []int64
	if err := t.reader.engine.each(ctx, t.q, "SELECT id, base FROM text ORDER BY id", nil, func(scan func(...any) error) error {
		var id int64
		var b sql.NullInt64
		err := scan(&id, &b)
		all, base[id] = append(all, id), b.Int64
		return err
	}); err != nil {
		return err
	}
	// What stays rests on nothing that goes: an old text isn't kept for a new one.
	for _, id := range all {
		if live[id] && base[id] != 0 && !live[base[id]] {
			if err := t.standAlone(ctx, "text", id); err != nil {
				return err
			}
		}
	}
	var dead []int64
	for _, id := range all {
		if !live[id] {
			dead = append(dead, id)
			if searched[id] {
				if err := t.unindex(ctx, id); err != nil {
					return err
				}
			}
		}
	}
	out.Texts = int64(len(dead))
	return t.remove(ctx, "text", dead)
}

// standAlone stores a row by itself that rested on another one.
func (t *txn) standAlone(ctx context.Context, table string, id int64) error {
	b, err := t.reader.content(ctx, table, id)
	if err != nil {
		return err
	}
	data, _ := pack(b, nil, -1, 0)
	_, err = t.q.ExecContext(ctx, t.reader.engine.statement("UPDATE "+table+" SET base = NULL, data = ? WHERE id = ?"), data, id)
	return err
}

// live parts the rows of list or input into those that a query names and the
// rest, both in order. What stays rests on nothing that goes.
func (t *txn) live(ctx context.Context, table, roots string) (live, dead []int64, err error) {
	e := t.reader.engine
	needed := map[int64]bool{}
	if err := e.each(ctx, t.q, roots, nil, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		needed[id] = true
		return err
	}); err != nil {
		return nil, nil, err
	}
	var resting []int64
	if err := e.each(ctx, t.q, "SELECT id, base FROM "+table+" ORDER BY id", nil, func(scan func(...any) error) error {
		var id int64
		var base sql.NullInt64
		err := scan(&id, &base)
		switch {
		case !needed[id]:
			dead = append(dead, id)
		default:
			live = append(live, id)
			if base.Valid && !needed[base.Int64] {
				resting = append(resting, id)
			}
		}
		return err
	}); err != nil {
		return nil, nil, err
	}
	for _, id := range resting {
		if err := t.standAlone(ctx, table, id); err != nil {
			return nil, nil, err
		}
	}
	return live, dead, nil
}

func (t *txn) remove(ctx context.Context, table string, ids []int64) error {
	for part := range slices.Chunk(ids, most) {
		args := make([]any, len(part))
		for i, id := range part {
			args[i] = id
		}
		if _, err := t.q.ExecContext(ctx, t.reader.engine.statement("DELETE FROM "+table+" WHERE id IN "+marks(len(part))), args...); err != nil {
			return err
		}
	}
	return nil
}

// unlist takes a list out of the index.
func (t *txn) unlist(ctx context.Context, id int64) error {
	e := t.reader.engine
	if e.Postgres {
		return t.remove(ctx, "listed", []int64{id})
	}
	b, err := t.reader.content(ctx, "list", id)
	if err != nil {
		return err
	}
	l, err := decodeList(b)
	if err != nil {
		return err
	}
	_, err = t.q.ExecContext(ctx, "INSERT INTO listed (listed, rowid, entries) VALUES ('delete', ?, ?)", id, e.entriesColumn(l.entries))
	return err
}

// unindex takes the words of a text out of the index.
func (t *txn) unindex(ctx context.Context, id int64) error {
	e := t.reader.engine
	if e.Postgres {
		return t.remove(ctx, "word", []int64{id})
	}
	b, err := t.reader.content(ctx, "text", id)
	if err != nil {
		return ignoreRedacted(err) // it was taken out of the index then
	}
	_, err = t.q.ExecContext(ctx, "INSERT INTO word (word, rowid, words) VALUES ('delete', ?, ?)", id, e.wordsColumn(words(string(b))))
	return err
}
