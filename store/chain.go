package store

import (
	"context"
	"encoding/hex"
)

// This file puts a record at the end of its session's chain: it finds what the
// record before was made of, numbers everything that the new one needs, and adds
// its hash.

// recent is what the newest record of a session is made of: the likeliest base
// of the next one.
type recent struct {
	of          int64 // the session that has it, or had it first; 0: whichever
	list, input packed
	texts       map[string]int64 // by id of the fragment
	inputTexts  []storedText
}

// bytes is about how much memory it takes.
func (r *recent) bytes() int {
	n := 400 + len(r.list.content) + len(r.input.content) + 16*len(r.inputTexts)
	for id := range r.texts {
		n += 64 + len(id)
	}
	return n
}

type packed struct {
	id      int64
	depth   int // [depthUnknown]: to be asked for
	content []byte
}

// depthUnknown is the depth of a row that nobody looked at.
const depthUnknown = -2

// record adds a record to the chain of a session. What the record before was made of is
// asked for where something is new, and needs a base.
func (t *txn) record(ctx context.Context, s *row, p *prepared) (Stored, error) {
	var found *recent
	before := func() (*recent, error) {
		if found != nil {
			return found, nil
		}
		var err error
		found, err = t.recent(ctx, s)
		return found, err
	}
	n := numbering{t: t, p: p, ids: make([]int64, len(p.texts)), before: before}
	now := &recent{of: s.id, texts: make(map[string]int64, len(p.entries))}
	l, err := n.list(ctx, now)
	if err != nil {
		return Stored{}, err
	}
	if now.list, err = t.list(ctx, l, before); err != nil {
		return Stored{}, err
	}
	if now.inputTexts, err = n.inputTexts(ctx); err != nil {
		return Stored{}, err
	}
	if now.input, err = t.input(ctx, p, now.inputTexts, before); err != nil {
		return Stored{}, err
	}
	return t.chain(s, p, now), nil
}

// numbering gives the texts of one record their numbers.
type numbering struct {
	t      *txn
	p      *prepared
	ids    []int64 // of its texts, as they become known
	before func() (*recent, error)
}

// number is that of a text; base finds the text that a new one is stored by.
func (n *numbering) number(ctx context.Context, i int, base func(*recent) int64) (int64, error) {
	if n.ids[i] != 0 {
		return n.ids[i], nil
	}
	x := &n.p.texts[i]
	if id, known := n.t.texts[x.key()]; known {
		n.ids[i] = id
		return id, nil
	}
	var on int64
	if x.like >= 0 {
		on = n.ids[x.like]
	}
	if on == 0 && base != nil {
		before, err := n.before()
		if err != nil {
			return 0, err
		}
		on = base(before)
	}
	id, err := n.t.text(ctx, x, on)
	n.ids[i] = id
	return id, err
}

// list is the list of a record; what its fragments' texts are goes into now.
func (n *numbering) list(ctx context.Context, now *recent) (*list, error) {
	p := n.p
	l := &list{entries: make([]int64, len(p.entries)), order: make([]listPlace, len(p.order))}
	for i, e := range p.entries {
		var text int64
		var err error
		if e.text >= 0 {
			if text, err = n.number(ctx, e.text, func(before *recent) int64 { return before.texts[e.id] }); err != nil {
				return nil, err
			}
			now.texts[e.id] = text
		}
		form, err := n.number(ctx, e.form, nil)
		if err != nil {
			return nil, err
		}
		if l.entries[i], err = n.t.entry(ctx, preparedKey{text, form}, e.size); err != nil {
			return nil, err
		}
	}
	joint := func(j joint) (int64, error) {
		if j.usual >= 0 {
			return int64(j.usual), nil
		}
		id, err := n.number(ctx, j.text, nil)
		return id + int64(len(usualJoints)), err
	}
	var err error
	for i, o := range p.order {
		l.order[i].entry = o.entry
		if l.order[i].before, err = joint(o.before); err != nil {
			return nil, err
		}
	}
	l.tail, err = joint(p.tail)
	return l, err
}

// inputTexts are the texts of a record's input.
func (n *numbering) inputTexts(ctx context.Context) ([]storedText, error) {
	out := make([]storedText, len(n.p.inputTexts))
	for i, x := range n.p.inputTexts {
		id, err := n.number(ctx, x.text, func(before *recent) int64 {
			if len(before.inputTexts) != len(out) {
				return 0
			}
			return before.inputTexts[i].id
		})
		if err != nil {
			return nil, err
		}
		out[i] = storedText{id, x.line}
	}
	return out, nil
}

// chain writes the row of a record.
func (t *txn) chain(s *row, p *prepared, now *recent) Stored {
	seq := s.headSeq + 1
	prev := hex.EncodeToString(s.headHash)
	hash := chainHash(prev, appendRecord(nil, p.fragments, p.inputDigest.hex(), prev, p.prompt, seq, s.name))
	sum, _ := hex.DecodeString(hash) // it was made by an encoder
	s.headSeq, s.headHash = seq, sum
	t.nextRecord++
	var prompt, label, project any
	if p.project != nil && *p.project != s.project {
		project = *p.project
	}
	if p.prompt != nil {
		prompt = p.promptSum[:]
	}
	if p.label != "" {
		label = p.label
	}
	t.rowsRecord = append(t.rowsRecord, []any{t.nextRecord, s.id, seq, s.updated, sum, prompt, now.input.id, now.list.id, label, project})
	t.recents[s.id] = now
	// Of sessions that have the same prompt each rests on the first one: else each would
	// rest on all before it.
	if was := t.last; was == nil || was.list.id != now.list.id || now.input.depth == 0 {
		t.last = now
	}
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
	made := madeOf{list, input}
	if r, ok := t.w.made.get(made); ok {
		return r, nil
	}
	r, err := t.recentOf(ctx, list, input)
	if err == nil {
		t.w.made.putSized(made, r, r.bytes()) // it was stored before
	}
	return r, err
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
