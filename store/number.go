package store

import (
	"bytes"
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// Each distinct text, entry, list and input is stored once and known by a
// number. This file gives the number of one: that of the row which is there, or
// the next one, with a row that is to be written.

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
	id, known := t.texts[x.key()]
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
			t.texts[x.key()], t.gone[id] = id, true
			t.rowsText = append(t.rowsText, []any{id, x.digest.key(), nil, append([]byte{packedRedacted}, x.digest[:]...)})
			return id, nil
		}
		t.texts[x.key()], t.depths[id], t.fresh[id] = id, depthOf(data), x.text
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
		// Whether it is there already, and whether its text is in the index. Of one text
		// there may be very many.
		const query = `SELECT (SELECT max(id) FROM entry WHERE text = ? AND form = ?),
			(SELECT count(*) FROM (SELECT id FROM entry WHERE text = ? LIMIT 1) AS first)`
		err := t.reader.engine.each(ctx, t.q, query, []any{k.text, k.form, k.text}, func(scan func(...any) error) error {
			var n, of sql.NullInt64
			err := scan(&n, &of)
			if !freshForm {
				id = n.Int64
			}
			searched = of.Int64 > 0
			return err
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
func (e *Engine) wordsColumn(list []string) any {
	if !e.Postgres {
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
func (t *txn) list(ctx context.Context, l *list, before func() (*recent, error)) (packed, error) {
	content := l.encode()
	d := digestOf(string(content))
	known, err := t.known(ctx, "list", d, content, t.lists, &t.w.lists)
	if err != nil || known != 0 {
		return t.again("list", known, content), err
	}
	base, err := t.base(ctx, "list", before)
	if err != nil {
		return packed{}, err
	}
	data, based := pack(content, base.content, base.depth, maxDepth)
	t.nextList++
	id := t.nextList
	t.lists[d] = id
	t.rowsList = append(t.rowsList, []any{id, d.key(), nullable(base.id, based), data})
	t.rowsListed = append(t.rowsListed, []any{id, t.reader.engine.entriesColumn(l.entries)})
	return packed{id, depthOf(data), content}, nil
}

// base is the list or input of the record before, with its depth.
func (t *txn) base(ctx context.Context, table string, before func() (*recent, error)) (packed, error) {
	was, err := before()
	if err != nil {
		return packed{}, err
	}
	p := &was.list
	if table == "input" {
		p = &was.input
	}
	if p.depth == depthUnknown {
		p.depth, err = t.depth(ctx, table, p.id)
	}
	return *p, err
}

// entriesColumn is what the index of an engine takes for the entries of a list.
func (e *Engine) entriesColumn(ids []int64) any {
	if e.Postgres {
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
func (t *txn) input(ctx context.Context, p *prepared, texts []storedText, before func() (*recent, error)) (packed, error) {
	content := storedInput(p.inputParts, texts)
	d := digestOf(string(content))
	known, err := t.known(ctx, "input", d, content, t.inputs, &t.w.inputs)
	if err != nil || known != 0 {
		return t.again("input", known, content), err
	}
	base, err := t.base(ctx, "input", before)
	if err != nil {
		return packed{}, err
	}
	data, based := pack(content, base.content, base.depth, maxDepth)
	t.nextInput++
	id := t.nextInput
	t.inputs[d] = id
	t.rowsInput = append(t.rowsInput, []any{id, d.key(), p.inputDigest[:], nullable(base.id, based), data})
	return packed{id, depthOf(data), content}, nil
}

// again is a row that is there already, as the base of the next.
func (t *txn) again(table string, id int64, content []byte) packed {
	rows := t.rowsList
	if table == "input" {
		rows = t.rowsInput
	}
	for _, r := range rows { // of this transaction, so it can't be asked for
		if r[0] == id {
			return packed{id, depthOf(r[len(r)-1].([]byte)), content}
		}
	}
	return packed{id, depthUnknown, content}
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
