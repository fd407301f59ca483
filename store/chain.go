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
	list, input packed
	texts       map[string]int64 // by id of the fragment
	inputTexts  []storedText
}

type packed struct {
	id      int64
	depth   int
	content []byte
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
	made := madeOf{list, input}
	if r, ok := t.w.made.get(made); ok {
		return r, nil
	}
	r, err := t.recentOf(ctx, list, input)
	if err == nil {
		t.w.made.put(made, r) // it was stored before
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
