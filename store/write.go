package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
)

// writer is the one goroutine of a store that writes. It remembers the numbers
// of what it wrote, until something is taken out of the store.
type writer struct {
	store *Store
	conn  *sql.Conn
	epoch int64

	texts    cache[digest, int64]
	entries  cache[preparedKey, int64]
	lists    cache[digest, int64]
	inputs   cache[digest, int64]
	sessions cache[int64, *recent]
	last     *recent // of whichever session
}

// preparedKey is an entry by the numbers of its texts.
type preparedKey struct{ text, form int64 }

// recent is what the newest record of a session is made of: the likeliest base
// of the next one.
type recent struct {
	list, input packed
	texts       map[string]int64 // by id of the fragment
	inputTexts  []storedText
}

type packed struct {
	id      int64
	depth   int
	content []byte
}

func (w *writer) forget() {
	w.texts = cache[digest, int64]{size: 1 << 15}
	w.entries = cache[preparedKey, int64]{size: 1 << 15}
	w.lists = cache[digest, int64]{size: 1 << 13}
	w.inputs = cache[digest, int64]{size: 1 << 13}
	w.sessions = cache[int64, *recent]{size: 256}
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
	texts    map[digest]int64
	entries  map[preparedKey]int64
	lists    map[digest]int64
	inputs   map[digest]int64
	depths   map[int64]int // of texts written here
	fresh    map[int64]string
	gone     map[int64]bool // redacted texts that are written here
	indexed  map[int64]bool
	recents  map[int64]*recent
	last     *recent

	newSessions, changed                                                       []*row
	rowsRecord, rowsText, rowsWord, rowsEntry, rowsList, rowsListed, rowsInput [][]any
	rowsKept, rowsRequest                                                      [][]any
}

// row is a session as the transaction sees it.
type row struct {
	id                   int64 // 0: not there
	name, parent         string
	version              int64
	state                []byte
	created, updated     int64
	baseSeq, headSeq     int64
	baseHash, headHash   []byte
	stateChanged, listed bool
}

// begin reads where the numbers stand.
func (w *writer) begin(ctx context.Context, q querier) (*txn, error) {
	t := &txn{
		w: w, q: q, reader: newReader(w.store.engine, q), sessions: map[string]*row{}, texts: map[digest]int64{},
		entries: map[preparedKey]int64{}, lists: map[digest]int64{}, inputs: map[digest]int64{},
		depths: map[int64]int{}, fresh: map[int64]string{}, gone: map[int64]bool{}, indexed: map[int64]bool{}, recents: map[int64]*recent{}, last: w.last,
	}
	var epoch int64
	err := w.store.engine.each(ctx, q, `SELECT (SELECT value FROM store WHERE name = 'epoch'),
		(SELECT coalesce(max(id), 0) FROM session), (SELECT coalesce(max(id), 0) FROM record), (SELECT coalesce(max(id), 0) FROM text),
		(SELECT coalesce(max(id), 0) FROM entry), (SELECT coalesce(max(id), 0) FROM list), (SELECT coalesce(max(id), 0) FROM input)`,
		nil, func(scan func(...any) error) error {
			return scan(&epoch, &t.nextSession, &t.nextRecord, &t.nextText, &t.nextEntry, &t.nextList, &t.nextInput)
		})
	if err != nil {
		return nil, err
	}
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
		w.sessions.put(k, v)
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

const sessionColumns = "id, name, parent, version, state, created, updated, base_seq, base_hash, head_seq, head_hash"

func scanSession(scan func(...any) error) (*row, error) {
	s := new(row)
	return s, scan(&s.id, &s.name, &s.parent, &s.version, &s.state, &s.created, &s.updated, &s.baseSeq, &s.baseHash, &s.headSeq, &s.headHash)
}

func (t *txn) loadSessions(ctx context.Context, batch []*operation) error {
	var names []any
	for _, o := range batch {
		for _, c := range o.t.Changes {
			if t.sessions[c.Session] == nil {
				t.sessions[c.Session] = &row{name: c.Session, baseHash: make([]byte, 32), headHash: make([]byte, 32)}
				names = append(names, c.Session)
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
	look := func(p *prepared) {
		for i := range p.texts {
			d := p.texts[i].digest
			if _, ok := t.texts[d]; ok {
				continue
			}
			if id, ok := t.w.texts.get(d); ok {
				t.texts[d] = id
				continue
			}
			if unknown[d.key()] == nil {
				keys = append(keys, d.key())
			}
			unknown[d.key()] = append(unknown[d.key()], d)
		}
	}
	for _, o := range batch {
		look(o.extra)
		for _, drafts := range o.drafts {
			for _, p := range drafts {
				look(p)
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
				t.texts[d] = f.id
			}
		}
	}
	return nil
}

// operate does one operation. What is wrong with it alone is left in it, and
// then nothing of it was done.
func (t *txn) operate(ctx context.Context, o *operation) error {
	first := t.sessions[o.t.Changes[0].Session]
	if o.t.Key != "" && first.id != 0 {
		done, err := t.replayed(ctx, o, first)
		if err != nil || done {
			return err
		}
	}
	for _, c := range o.t.Changes {
		s := t.sessions[c.Session]
		switch {
		case c.Expect == 0 && s.id != 0:
			o.err = &cento.SourceError{
				Code: SessionExists, Message: "session " + strconv.Quote(c.Session) + " is there already",
				Hint: "choose another id, or go on with that session",
			}
		case c.Expect > 0 && s.id == 0:
			o.err = unknownSession(c.Session, nil)
		case c.Expect > 0 && s.version != c.Expect:
			o.err = conflict(c.Session, c.Expect, s.version)
		}
		if o.err != nil {
			return nil
		}
	}
	at := o.t.At
	if at.IsZero() {
		at = t.w.store.clock()
	}
	done := &Committed{Answer: o.t.Answer, Records: []Stored{}, At: time.UnixMicro(at.UnixMicro()).UTC()}
	for i := range o.t.Changes {
		c := &o.t.Changes[i]
		s := t.sessions[c.Session]
		t.touch(s, c, at.UnixMicro())
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
		t.rowsRequest = append(t.rowsRequest, []any{first.id, o.t.Key, o.t.RequestDigest, o.t.Answer, string(result), at.UnixMicro()})
	}
	o.result = done
	return nil
}

// touch raises the version of a session, and creates one that isn't there.
func (t *txn) touch(s *row, c *Change, at int64) {
	if s.id == 0 {
		t.nextSession++
		s.id, s.parent, s.created = t.nextSession, c.Parent, at
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

// replayed looks whether the key was used before, in the store or in this
// transaction.
func (t *txn) replayed(ctx context.Context, o *operation, s *row) (bool, error) {
	var digest, result string
	var answer []byte
	found := false
	for _, r := range t.rowsRequest {
		if r[0] == s.id && r[1] == o.t.Key {
			digest, answer, result, found = r[2].(string), r[3].([]byte), r[4].(string), true
		}
	}
	if !found {
		err := t.reader.engine.each(ctx, t.q, "SELECT digest, answer, result FROM request WHERE session = ? AND key = ?", []any{s.id, o.t.Key},
			func(scan func(...any) error) error {
				found = true
				return scan(&digest, &answer, &result)
			})
		if err != nil || !found {
			return false, err
		}
	}
	if digest != o.t.RequestDigest {
		o.err = &cento.SourceError{
			Code: KeyReused, Message: "the idempotency key " + strconv.Quote(o.t.Key) + " was used for another request",
			Hint: "take a new key for each request, and the same one only to repeat it",
		}
		return true, nil
	}
	done := new(Committed)
	if err := json.Unmarshal([]byte(result), done); err != nil {
		return false, damaged("the answer to request %q can't be read: %v", o.t.Key, err)
	}
	done.Replayed, done.Answer = true, answer
	o.result = done
	return true, nil
}

// record adds a record to the chain of a session.
func (t *txn) record(ctx context.Context, s *row, p *prepared) (Stored, error) {
	before, err := t.recent(ctx, s)
	if err != nil {
		return Stored{}, err
	}
	now := &recent{texts: make(map[string]int64, len(p.entries))}
	ids := make([]int64, len(p.texts))
	number := func(i int, base int64) (int64, error) {
		if ids[i] == 0 {
			if like := p.texts[i].like; like >= 0 && ids[like] != 0 {
				base = ids[like]
			}
			if ids[i], err = t.text(ctx, &p.texts[i], base); err != nil {
				return 0, err
			}
		}
		return ids[i], nil
	}
	l := list{entries: make([]int64, len(p.entries)), order: make([]listPlace, len(p.order))}
	for i, e := range p.entries {
		var text int64
		if e.text >= 0 {
			if text, err = number(e.text, before.texts[e.id]); err != nil {
				return Stored{}, err
			}
			now.texts[e.id] = text
		}
		form, err := number(e.form, 0)
		if err != nil {
			return Stored{}, err
		}
		if l.entries[i], err = t.entry(ctx, preparedKey{text, form}, e.size); err != nil {
			return Stored{}, err
		}
	}
	joint := func(j joint) (int64, error) {
		if j.usual >= 0 {
			return int64(j.usual), nil
		}
		id, err := number(j.text, 0)
		return id + int64(len(usualJoints)), err
	}
	for i, o := range p.order {
		l.order[i].entry = o.entry
		if l.order[i].before, err = joint(o.before); err != nil {
			return Stored{}, err
		}
	}
	if l.tail, err = joint(p.tail); err != nil {
		return Stored{}, err
	}
	if now.list, err = t.list(ctx, &l, before.list); err != nil {
		return Stored{}, err
	}
	now.inputTexts = make([]storedText, len(p.inputTexts))
	for i, x := range p.inputTexts {
		var base int64
		if len(before.inputTexts) == len(p.inputTexts) {
			base = before.inputTexts[i].id
		}
		now.inputTexts[i].line = x.line
		if now.inputTexts[i].id, err = number(x.text, base); err != nil {
			return Stored{}, err
		}
	}
	if now.input, err = t.input(ctx, p, now.inputTexts, before.input); err != nil {
		return Stored{}, err
	}
	return t.chain(s, p, now), nil
}

// chain writes the row of a record.
func (t *txn) chain(s *row, p *prepared, now *recent) Stored {
	seq := s.headSeq + 1
	prev := hex.EncodeToString(s.headHash)
	hash := chainHash(prev, appendRecord(nil, p.fragments, p.inputDigest.hex(), prev, p.prompt, seq, s.name))
	sum, _ := hex.DecodeString(hash) // it was made by an encoder
	s.headSeq, s.headHash = seq, sum
	t.nextRecord++
	var prompt, label any
	if p.prompt != nil {
		prompt = p.promptSum[:]
	}
	if p.label != "" {
		label = p.label
	}
	t.rowsRecord = append(t.rowsRecord, []any{t.nextRecord, s.id, seq, s.updated, sum, prompt, now.input.id, now.list.id, label})
	t.recents[s.id], t.last = now, now
	return Stored{Session: s.name, Link: Link{Seq: seq, Hash: hash}}
}

// recent is what the newest record of a session is made of, or the newest of
// any session where this one has none.
func (t *txn) recent(ctx context.Context, s *row) (*recent, error) {
	if r := t.recents[s.id]; r != nil {
		return r, nil
	}
	if r, ok := t.w.sessions.get(s.id); ok && s.headSeq > 0 {
		return r, nil
	}
	where, args := "WHERE session = ? AND seq = ?", []any{s.id, s.headSeq}
	if s.headSeq == s.baseSeq {
		if t.last != nil {
			return t.last, nil
		}
		where, args = "ORDER BY id DESC LIMIT 1", nil
	}
	var list, input int64
	err := t.reader.engine.each(ctx, t.q, "SELECT list, input FROM record "+where, args, func(scan func(...any) error) error {
		return scan(&list, &input)
	})
	if err != nil || list == 0 {
		return &recent{list: packed{depth: -1}, input: packed{depth: -1}}, err
	}
	return t.recentOf(ctx, list, input)
}

func (t *txn) recentOf(ctx context.Context, listID, inputID int64) (*recent, error) {
	r := &recent{texts: map[string]int64{}}
	for _, x := range []struct {
		table string
		id    int64
		to    *packed
	}{{"list", listID, &r.list}, {"input", inputID, &r.input}} {
		b, err := t.reader.content(ctx, x.table, x.id)
		if err != nil {
			return nil, err
		}
		depth, err := t.depth(ctx, x.table, x.id)
		if err != nil {
			return nil, err
		}
		*x.to = packed{x.id, depth, b}
	}
	_, texts, err := partsOf(r.input.content)
	if err != nil {
		return nil, err
	}
	r.inputTexts = texts
	_, entries, err := t.reader.list(ctx, listID)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		f, err := t.reader.form(ctx, e.form)
		if err != nil {
			return nil, err
		}
		if e.text != 0 {
			r.texts[f.ID] = e.text
		}
	}
	return r, nil
}

// depth is how many bases a row rests on; -1 for one that none may rest on.
func (t *txn) depth(ctx context.Context, table string, id int64) (int, error) {
	depth := -1
	err := t.reader.engine.each(ctx, t.q, "SELECT data FROM "+table+" WHERE id = ?", []any{id}, func(scan func(...any) error) error {
		var data []byte
		if err := scan(&data); err != nil {
			return err
		}
		depth = depthOf(data)
		return nil
	})
	return depth, err
}

// text gives the number of a text, and stores one that is new, as far as it
// pays by its difference from a base.
func (t *txn) text(ctx context.Context, x *preparedText, base int64) (int64, error) {
	id, known := t.texts[x.digest]
	if !known {
		depth := -1
		var under []byte
		if base != 0 && !t.gone[base] && !x.redacted {
			var err error
			if depth, under, err = t.textBase(ctx, base); err != nil {
				return 0, err
			}
		}
		data, based := pack([]byte(x.text), under, depth, maxTextDepth)
		t.nextText++
		id = t.nextText
		if x.redacted {
			t.texts[x.digest], t.gone[id] = id, true
			t.rowsText = append(t.rowsText, []any{id, x.digest.key(), nil, append([]byte{packedRedacted}, x.digest[:]...)})
			return id, nil
		}
		t.texts[x.digest], t.depths[id], t.fresh[id] = id, depthOf(data), x.text
		t.rowsText = append(t.rowsText, []any{id, x.digest.key(), nullable(base, based), data})
		t.indexed[id] = false
	}
	return id, nil
}

func (t *txn) textBase(ctx context.Context, base int64) (int, []byte, error) {
	if s, ok := t.fresh[base]; ok {
		return t.depths[base], []byte(s), nil
	}
	depth, err := t.depth(ctx, "text", base)
	if err != nil || depth < 0 {
		return -1, nil, err
	}
	b, err := t.reader.content(ctx, "text", base)
	return depth, b, err
}

func nullable(id int64, given bool) any {
	if !given {
		return nil
	}
	return id
}

// entry gives the number of an entry. The words of its text can be looked for
// from then on.
func (t *txn) entry(ctx context.Context, k preparedKey, size int) (int64, error) {
	if id, ok := t.entries[k]; ok {
		return id, nil
	}
	if id, ok := t.w.entries.get(k); ok {
		t.entries[k] = id
		return id, nil
	}
	_, freshText := t.fresh[k.text]
	_, freshForm := t.fresh[k.form]
	var id int64
	searched := freshText && t.indexed[k.text]
	if !freshText {
		// Whether it is there already, and whether its text is in the index.
		where, args := "text = ?", []any{k.text}
		if k.text == 0 { // one without text, of which there may be many
			where, args = "text = 0 AND form = ?", []any{k.form}
		}
		err := t.reader.engine.each(ctx, t.q, "SELECT id, form FROM entry WHERE "+where, args, func(scan func(...any) error) error {
			var n, form int64
			if err := scan(&n, &form); err != nil {
				return err
			}
			searched = true
			if form == k.form && !freshForm {
				id = n
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		searched = searched || t.indexed[k.text]
	}
	if id == 0 {
		t.nextEntry++
		id = t.nextEntry
		var n any
		if size >= 0 {
			n = size
		}
		t.rowsEntry = append(t.rowsEntry, []any{id, k.text, k.form, n})
		if k.text != 0 && !searched && !t.gone[k.text] {
			if err := t.index(ctx, k.text); err != nil {
				return 0, err
			}
		}
	}
	t.entries[k] = id
	return id, nil
}

// index puts the words of a text into the index.
func (t *txn) index(ctx context.Context, text int64) error {
	s, ok := t.fresh[text]
	if !ok {
		b, err := t.reader.content(ctx, "text", text)
		if err != nil {
			return ignoreRedacted(err)
		}
		s = string(b)
	}
	t.indexed[text] = true
	t.rowsWord = append(t.rowsWord, []any{text, t.reader.engine.wordsColumn(words(s))})
	return nil
}

// maxVector is how many bytes of words the server takes for one text.
const maxVector = 512 << 10

// wordsColumn is what the index of an engine takes for the words of a text.
func (e *engine) wordsColumn(list []string) any {
	if !e.postgres {
		return strings.Join(list, " ")
	}
	n := 0
	for _, w := range list {
		n += len(w) + 8
	}
	if n > maxVector {
		return nil
	}
	return list
}

// list gives the number of a list.
func (t *txn) list(ctx context.Context, l *list, before packed) (packed, error) {
	content := l.encode()
	d := digestOf(string(content))
	known, err := t.known(ctx, "list", d, content, t.lists, &t.w.lists)
	if err != nil {
		return packed{}, err
	}
	if known != 0 {
		return t.again(ctx, "list", known, content, before)
	}
	data, based := pack(content, before.content, before.depth, maxDepth)
	t.nextList++
	id := t.nextList
	t.lists[d] = id
	t.rowsList = append(t.rowsList, []any{id, d.key(), nullable(before.id, based), data})
	t.rowsListed = append(t.rowsListed, []any{id, t.reader.engine.entriesColumn(l.entries)})
	return packed{id, depthOf(data), content}, nil
}

// entriesColumn is what the index of an engine takes for the entries of a list.
func (e *engine) entriesColumn(ids []int64) any {
	if e.postgres {
		return ids
	}
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(id, 36))
	}
	return b.String()
}

// input gives the number of an input.
func (t *txn) input(ctx context.Context, p *prepared, texts []storedText, before packed) (packed, error) {
	content := storedInput(p.inputParts, texts)
	d := digestOf(string(content))
	known, err := t.known(ctx, "input", d, content, t.inputs, &t.w.inputs)
	if err != nil {
		return packed{}, err
	}
	if known != 0 {
		return t.again(ctx, "input", known, content, before)
	}
	data, based := pack(content, before.content, before.depth, maxDepth)
	t.nextInput++
	id := t.nextInput
	t.inputs[d] = id
	t.rowsInput = append(t.rowsInput, []any{id, d.key(), p.inputDigest[:], nullable(before.id, based), data})
	return packed{id, depthOf(data), content}, nil
}

// again is a row that is there already, as the base of the next.
func (t *txn) again(ctx context.Context, table string, id int64, content []byte, before packed) (packed, error) {
	if id == before.id {
		return before, nil
	}
	for _, r := range append(t.rowsList[:len(t.rowsList):len(t.rowsList)], t.rowsInput...) {
		if r[0] == id && (len(r) == 4) == (table == "list") {
			return packed{id, depthOf(r[len(r)-1].([]byte)), content}, nil
		}
	}
	depth, err := t.depth(ctx, table, id)
	return packed{id, depth, content}, err
}

// known looks a list or an input up by the digest of its content. It is the same
// when its content is.
func (t *txn) known(ctx context.Context, table string, d digest, content []byte, here map[digest]int64, before *cache[digest, int64]) (int64, error) {
	if id, ok := here[d]; ok {
		return id, nil
	}
	if id, ok := before.get(d); ok {
		return id, nil
	}
	var candidates []int64
	err := t.reader.engine.each(ctx, t.q, "SELECT id FROM "+table+" WHERE key = ?", []any{d.key()}, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		candidates = append(candidates, id)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, id := range candidates {
		b, err := t.reader.content(ctx, table, id)
		if err != nil {
			return 0, err
		}
		if bytes.Equal(b, content) {
			here[d] = id
			return id, nil
		}
	}
	return 0, nil
}

// flush writes the rows.
func (t *txn) flush(ctx context.Context) error {
	e := t.reader.engine
	word, listed := "word (rowid, words)", "listed (rowid, entries)"
	wordValues, listedValues := "(?, ?)", "(?, ?)"
	if e.postgres {
		word, listed = "word (id, words)", "listed (id, entries)"
		wordValues, listedValues = "(?, array_to_tsvector(?::text[]))", "(?, ?::bigint[])"
	}
	var sessions [][]any
	for _, s := range t.changed {
		sessions = append(sessions, []any{s.id, s.name, s.parent, s.version, s.state, s.created, s.updated, s.baseSeq, s.baseHash, s.headSeq, s.headHash})
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
		{"record (id, session, seq, at, hash, prompt, input, list, label)", marks(9), t.rowsRecord, ""},
		{
			"session (" + sessionColumns + ")", marks(11), sessions,
			" ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = excluded.state, updated = excluded.updated, head_seq = excluded.head_seq, head_hash = excluded.head_hash",
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
