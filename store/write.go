package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/sessionname"
)

// writer is the one goroutine of a store that writes. It remembers the numbers
// of what it wrote, until something is taken out of the store.
type writer struct {
	store *Store
	conn  *sql.Conn
	epoch int64

	texts    cache[textKey, int64]
	entries  cache[preparedKey, int64]
	lists    cache[digest, int64]
	inputs   cache[digest, int64]
	sessions cache[int64, *recent]
	made     cache[madeOf, *recent] // of whichever sessions, since many have the same prompt
	last     *recent                // of whichever session
}

// How many numbers a writer remembers of texts and entries, how many of lists and of
// inputs, and how many bytes of what records are made of, by sessions and once more by
// prompts.
const (
	mostTexts   = 1 << 15
	mostLists   = 1 << 13
	mostRecents = 4 << 20
)

// madeOf is what a record is made of, by the numbers of its list and its input.
type madeOf struct{ list, input int64 }

// preparedKey is an entry by the numbers of its texts.
type preparedKey struct{ text, form int64 }

func (w *writer) forget() {
	w.texts = cache[textKey, int64]{most: mostTexts}
	w.entries = cache[preparedKey, int64]{most: mostTexts}
	w.lists = cache[digest, int64]{most: mostLists}
	w.inputs = cache[digest, int64]{most: mostLists}
	w.sessions = cache[int64, *recent]{most: mostRecents}
	w.made = cache[madeOf, *recent]{most: mostRecents}
	w.last = nil
	w.epoch = -1
}

// txn is one transaction of the writer.
type txn struct {
	w      *writer
	q      querier
	reader *reader
	// next are the numbers that new rows get.
	nextSession, nextRecord, nextText, nextEntry, nextList, nextInput int64

	sessions map[string]*row
	texts    map[textKey]int64
	entries  map[preparedKey]int64
	lists    map[digest]int64
	inputs   map[digest]int64
	depths   map[int64]int // of texts written here
	fresh    map[int64]string
	gone     map[int64]bool // redacted texts that are written here
	indexed  map[int64]bool
	recents  map[int64]*recent
	last     *recent

	oldKeys                                                                    map[int64]int64 // of sessions: keys from until then don't count
	changed                                                                    []*row
	rowsRecord, rowsText, rowsWord, rowsEntry, rowsList, rowsListed, rowsInput [][]any
	rowsKept, rowsRequest                                                      [][]any
}

// row is a session as the transaction sees it.
type row struct {
	id                 int64 // 0: not there
	name, parent       string
	project            string
	version            int64
	state              []byte
	created, updated   int64
	baseSeq, headSeq   int64
	baseHash, headHash []byte
	listed             bool
}

// begin reads where the numbers stand.
func (w *writer) begin(ctx context.Context, q querier) (*txn, error) {
	t := &txn{
		w: w, q: q, reader: newReader(w.store.engine, q), sessions: map[string]*row{}, texts: map[textKey]int64{},
		entries: map[preparedKey]int64{}, lists: map[digest]int64{}, inputs: map[digest]int64{},
		oldKeys: map[int64]int64{}, depths: map[int64]int{}, fresh: map[int64]string{}, gone: map[int64]bool{}, indexed: map[int64]bool{}, recents: map[int64]*recent{}, last: w.last,
	}
	var epoch, deleted int64
	err := w.store.engine.each(ctx, q, `SELECT (SELECT value FROM store WHERE name = 'epoch'),
		(SELECT coalesce(max(id), 0) FROM session), (SELECT coalesce(max(value), 0) FROM store WHERE name = 'last_session'), (SELECT coalesce(max(id), 0) FROM record), (SELECT coalesce(max(id), 0) FROM text),
		(SELECT coalesce(max(id), 0) FROM entry), (SELECT coalesce(max(id), 0) FROM list), (SELECT coalesce(max(id), 0) FROM input)`,
		nil, func(scan func(...any) error) error {
			return scan(&epoch, &t.nextSession, &deleted, &t.nextRecord, &t.nextText, &t.nextEntry, &t.nextList, &t.nextInput)
		})
	if err != nil {
		return nil, err
	}
	t.nextSession = max(t.nextSession, deleted) // the number of one that was deleted isn't given again
	if epoch != w.epoch {
		w.forget()
		w.epoch, t.last = epoch, nil
	}
	return t, nil
}

// remember keeps what the transaction found out, now that it is durable.
func (t *txn) remember() {
	w := t.w
	for k, v := range t.texts {
		w.texts.put(k, v)
	}
	for k, v := range t.entries {
		w.entries.put(k, v)
	}
	for k, v := range t.lists {
		w.lists.put(k, v)
	}
	for k, v := range t.inputs {
		w.inputs.put(k, v)
	}
	for k, v := range t.recents {
		w.sessions.putSized(k, v, v.bytes())
		w.made.putSized(madeOf{v.list.id, v.input.id}, v, v.bytes())
	}
	w.last = t.last
}

// write does the operations of a batch.
func (t *txn) write(ctx context.Context, batch []*operation) error {
	if err := t.loadSessions(ctx, batch); err != nil {
		return err
	}
	if err := t.loadTexts(ctx, batch); err != nil {
		return err
	}
	for _, o := range batch {
		if err := t.operate(ctx, o); err != nil {
			return err
		}
	}
	return t.flush(ctx)
}

const sessionColumns = "id, name, parent, project, version, state, created, updated, base_seq, base_hash, head_seq, head_hash"

func scanSession(scan func(...any) error) (*row, error) {
	s := new(row)
	return s, scan(&s.id, &s.name, &s.parent, &s.project, &s.version, &s.state, &s.created, &s.updated, &s.baseSeq, &s.baseHash, &s.headSeq, &s.headHash)
}

func (t *txn) loadSessions(ctx context.Context, batch []*operation) error {
	var names []any
	for _, o := range batch {
		for _, c := range o.t.Changes {
			need := []string{c.Session}
			if c.ParentVersion > 0 {
				need = append(need, c.Parent)
			}
			for _, name := range need {
				if t.sessions[name] == nil {
					t.sessions[name] = &row{name: name, baseHash: make([]byte, 32), headHash: make([]byte, 32)}
					names = append(names, name)
				}
			}
		}
	}
	for len(names) > 0 {
		n := min(len(names), most)
		err := t.reader.engine.each(ctx, t.q, "SELECT "+sessionColumns+" FROM session WHERE name IN "+marks(n), names[:n], func(scan func(...any) error) error {
			s, err := scanSession(scan)
			if err == nil {
				t.sessions[s.name] = s
			}
			return err
		})
		if err != nil {
			return err
		}
		names = names[n:]
	}
	return nil
}

// loadTexts finds the numbers of the texts that are stored already.
func (t *txn) loadTexts(ctx context.Context, batch []*operation) error {
	unknown := map[int64][]digest{}
	var keys []int64
	gather := func(p *prepared) {
		for i := range p.texts {
			key := p.texts[i].key()
			if _, ok := t.texts[key]; ok {
				continue
			}
			if id, ok := t.w.texts.get(key); ok {
				t.texts[key], t.gone[id] = id, key.redacted
				continue
			}
			if key.redacted {
				continue // what was taken out elsewhere may be there
			}
			d := key.digest
			if unknown[d.key()] == nil {
				keys = append(keys, d.key())
			}
			unknown[d.key()] = append(unknown[d.key()], d)
		}
	}
	for _, o := range batch {
		gather(o.extra)
		for _, drafts := range o.drafts {
			for _, p := range drafts {
				gather(p)
			}
		}
	}
	type found struct {
		id   int64
		key  int64
		base sql.NullInt64
		data []byte
	}
	var all []found
	err := t.reader.engine.eachOf(ctx, t.q, "SELECT id, key, base, data FROM text WHERE key %IN", keys, func(scan func(...any) error) error {
		var f found
		err := scan(&f.id, &f.key, &f.base, &f.data)
		all = append(all, f)
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range all {
		if len(f.data) == 0 || f.data[0] == packedRedacted {
			continue // what comes again after it was taken out is a new text
		}
		b, err := t.reader.unpack(ctx, "text", f.id, f.base, f.data, 0)
		if err != nil {
			return err
		}
		d := digestOf(string(b))
		for _, want := range unknown[f.key] {
			if want == d {
				t.texts[textKey{digest: d}] = f.id
			}
		}
	}
	return nil
}

// operate does one operation. What is wrong with it alone is left in it, and
// then nothing of it was done.
func (t *txn) operate(ctx context.Context, o *operation) error {
	first := t.sessions[o.t.Changes[0].Session]
	for _, c := range o.t.Changes { // first: the answer to a key is of the session
		if s := t.sessions[c.Session]; s.id != 0 {
			if o.err = c.Projects.Check(s.name, s.project); o.err != nil {
				return nil
			}
		}
	}
	at := o.t.At
	if at.IsZero() {
		at = t.w.store.clock()
	}
	if o.t.Key != "" && first.id != 0 {
		done, err := t.replayed(ctx, o, first, at)
		if err != nil || done {
			return err
		}
	}
	for _, c := range o.t.Changes {
		s := t.sessions[c.Session]
		switch {
		case s.id == 0 && sessionname.Problem(c.Session) != "":
			o.err = invalid("%q: %s", clip(c.Session), sessionname.Problem(c.Session))
			o.err.(*cento.SourceError).Hint = "an id has " + sessionname.Allowed
		case c.Expect == 0 && s.id != 0:
			o.err = &cento.SourceError{
				Code: SessionExists, Message: "session " + strconv.Quote(c.Session) + " is there already",
				Hint: "choose another id, or go on with that session",
			}
		case c.Expect > 0 && s.id == 0:
			o.err = unknownSession(c.Session, nil)
		case c.Expect > 0 && s.version != c.Expect:
			o.err = conflict(c.Session, c.Expect, s.version)
		case s.id == 0 && c.ParentVersion > 0:
			switch p := t.sessions[c.Parent]; {
			case p.id == 0:
				o.err = unknownSession(c.Parent, nil)
			case p.version != c.ParentVersion:
				o.err = conflict(c.Parent, c.ParentVersion, p.version)
			}
		}
		if o.err != nil {
			return nil
		}
	}
	done := &Committed{Answer: o.t.Answer, Records: []Stored{}, At: time.UnixMicro(at.UnixMicro()).UTC()}
	for i := range o.t.Changes {
		c := &o.t.Changes[i]
		s := t.sessions[c.Session]
		done.Notes = append(done.Notes, ClockNotes(c.Session, time.UnixMicro(s.updated).UTC(), at)...)
		t.touch(s, c, at.UnixMicro())
		if c.Adopt {
			if err := t.adopt(ctx, s, c.Projects.Name); err != nil {
				return err
			}
		}
		for _, b := range o.blobs[i] {
			x := o.extra.texts[b]
			id, err := t.text(ctx, &x, 0)
			if err != nil {
				return err
			}
			t.rowsKept = append(t.rowsKept, []any{s.id, id})
		}
		for _, p := range o.drafts[i] {
			stored, err := t.record(ctx, s, p)
			if err != nil {
				return err
			}
			done.Records = append(done.Records, stored)
		}
		done.Versions = append(done.Versions, s.version)
	}
	if o.t.Key != "" {
		result, err := json.Marshal(done)
		if err != nil {
			return err
		}
		if keys := t.w.store.keys; keys > 0 && first.version%sweepKeys == 0 {
			t.oldKeys[first.id] = at.Add(-keys).UnixMicro()
		}
		t.rowsRequest = append(t.rowsRequest, []any{first.id, o.t.Key, o.t.RequestDigest, o.t.Answer, string(result), at.UnixMicro()})
	}
	o.result = done
	return nil
}

// touch raises the version of a session, and creates one that isn't there.
func (t *txn) touch(s *row, c *Change, at int64) {
	if s.id == 0 {
		t.nextSession++
		s.id, s.parent, s.project, s.created = t.nextSession, c.Parent, c.Projects.Name, at
	}
	if !s.listed {
		s.listed = true
		t.changed = append(t.changed, s)
	}
	s.version++
	s.updated = max(s.updated, at) // a clock may go back, a session doesn't
	if c.State != nil {
		s.state = c.State
	}
}

// adopt moves a session to a project. The records that it has keep the one before.
func (t *txn) adopt(ctx context.Context, s *row, project string) error {
	if s.project == project {
		return nil
	}
	for _, r := range t.rowsRecord {
		if r[1] == s.id && r[recordProject] == nil {
			r[recordProject] = s.project
		}
	}
	_, err := t.q.ExecContext(ctx, t.reader.engine.statement("UPDATE record SET project = ? WHERE session = ? AND project IS NULL"), s.project, s.id)
	s.project = project
	return err
}

// recordProject is the column of a new record's row that has its project.
const recordProject = 9

// sweepKeys is how many versions of a session go by until its keys that don't count any
// more are let go, all at once.
const sweepKeys = 64

// replayed looks whether the key was used before, in the store or in this transaction, and
// counts still. A clock that was put back makes it count longer.
func (t *txn) replayed(ctx context.Context, o *operation, s *row, now time.Time) (bool, error) {
	var digest, result string
	var answer []byte
	found := false
	for _, r := range t.rowsRequest {
		if r[0] == s.id && r[1] == o.t.Key {
			digest, answer, result, found = r[2].(string), r[3].([]byte), r[4].(string), true
		}
	}
	if !found {
		var at int64
		err := t.reader.engine.each(ctx, t.q, "SELECT digest, answer, result, at FROM request WHERE session = ? AND key = ?", []any{s.id, o.t.Key},
			func(scan func(...any) error) error {
				found = true
				return scan(&digest, &answer, &result, &at)
			})
		if err != nil || !found {
			return false, err
		}
		if keys := t.w.store.keys; keys > 0 && now.Sub(time.UnixMicro(at).UTC()) >= keys {
			_, err := t.q.ExecContext(ctx, t.reader.engine.statement("DELETE FROM request WHERE session = ? AND key = ?"), s.id, o.t.Key)
			return false, err
		}
	}
	if digest != o.t.RequestDigest {
		o.err = &cento.SourceError{
			Code: KeyReused, Message: "the idempotency key " + strconv.Quote(o.t.Key) + " was used for another request" + differing(digest, o.t.RequestDigest),
			Hint: "take a new key for each request, and the same one only to repeat it",
		}
		return true, nil
	}
	var kept keptAnswer
	if err := json.Unmarshal([]byte(result), &kept); err != nil {
		return false, damaged("the answer to request %q can't be read: %v", o.t.Key, err)
	}
	if kept.Redacted {
		o.err = &cento.SourceError{
			Code: Redacted, Message: "the answer to the request with the idempotency key " + strconv.Quote(o.t.Key) + " had a text that was redacted",
			Hint: "the request was done, and isn't done again",
		}
		return true, nil
	}
	done := &kept.Committed
	done.Replayed, done.Answer = true, answer
	o.result = done
	return true, nil
}

// flush writes the rows.
func (t *txn) flush(ctx context.Context) error {
	e := t.reader.engine
	word, listed := "word (rowid, words)", "listed (rowid, entries)"
	wordValues, listedValues := "(?, ?)", "(?, ?)"
	if e.Postgres {
		word, listed = "word (id, words)", "listed (id, entries)"
		wordValues, listedValues = "(?, array_to_tsvector(?::text[]))", "(?, ?::bigint[])"
	}
	var sessions [][]any
	for _, s := range t.changed {
		sessions = append(sessions, []any{s.id, s.name, s.parent, s.project, s.version, s.state, s.created, s.updated, s.baseSeq, s.baseHash, s.headSeq, s.headHash})
	}
	for id, before := range t.oldKeys {
		if _, err := t.q.ExecContext(ctx, e.statement("DELETE FROM request WHERE session = ? AND at <= ?"), id, before); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		into, values string
		rows         [][]any
		after        string
	}{
		{"text (id, key, base, data)", marks(4), t.rowsText, ""},
		{word, wordValues, t.rowsWord, ""},
		{"entry (id, text, form, size)", marks(4), t.rowsEntry, ""},
		{"list (id, key, base, data)", marks(4), t.rowsList, ""},
		{listed, listedValues, t.rowsListed, ""},
		{"input (id, key, digest, base, data)", marks(5), t.rowsInput, ""},
		{"record (id, session, seq, at, hash, prompt, input, list, label, project)", marks(10), t.rowsRecord, ""},
		{
			"session (" + sessionColumns + ")", marks(12), sessions,
			" ON CONFLICT (id) DO UPDATE SET project = excluded.project, version = excluded.version, state = excluded.state, updated = excluded.updated, head_seq = excluded.head_seq, head_hash = excluded.head_hash",
		},
		{"kept (session, text)", marks(2), t.rowsKept, " ON CONFLICT DO NOTHING"},
		{"request (session, key, digest, answer, result, at)", marks(6), t.rowsRequest, " ON CONFLICT DO NOTHING"},
	} {
		if err := e.insert(ctx, t.q, x.into, x.values, x.rows, x.after); err != nil {
			return err
		}
	}
	return nil
}
