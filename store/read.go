package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// reader reads what is stored within one transaction, and remembers what it
// has unpacked.
type reader struct {
	engine *Engine
	q      querier
	// packed texts, lists and inputs by table and number
	contents cache[place, []byte]
	forms    cache[int64, *Fragment]
	digests  cache[int64, digest]
	entries  cache[int64, entry]
}

type place struct {
	table string
	id    int64
}

// entry is a row of that table.
type entry struct {
	text, form int64
	size       int // -1 when excluded
}

func newReader(e *Engine, q querier) *reader {
	return &reader{
		engine: e, q: q, contents: cache[place, []byte]{most: 4096}, forms: cache[int64, *Fragment]{most: 4096},
		digests: cache[int64, digest]{most: 8192}, entries: cache[int64, entry]{most: 8192},
	}
}

// view runs a function on the store as it stands at one moment.
func (s *Store) view(ctx context.Context, do func(*reader) error) error {
	select {
	case <-s.closing:
		return &cento.SourceError{Code: Closed, Message: "the store was closed"}
	default:
	}
	o := &sql.TxOptions{ReadOnly: true}
	if s.engine.Postgres {
		o.Isolation = sql.LevelRepeatableRead
	}
	tx, err := s.read.BeginTx(ctx, o)
	if err != nil {
		return s.engine.failure(err)
	}
	err = do(newReader(s.engine, tx))
	// Nothing was written, so there is nothing to lose by not ending it in order.
	_ = tx.Rollback()
	return s.engine.failure(err)
}

func damaged(format string, args ...any) *cento.SourceError {
	return &cento.SourceError{Code: Corrupt, Message: fmt.Sprintf(format, args...), Hint: phrases[Corrupt].hint}
}

// content unpacks one row of text, list or input.
func (r *reader) content(ctx context.Context, table string, id int64) ([]byte, error) {
	return r.contentAt(ctx, table, id, 0)
}

func (r *reader) contentAt(ctx context.Context, table string, id int64, depth int) ([]byte, error) {
	if b, ok := r.contents.get(place{table, id}); ok {
		return b, nil
	}
	if depth > maxDepth+1 {
		return nil, damaged("%s %d rests on too many others", table, id)
	}
	var base sql.NullInt64
	var data []byte
	found := false
	err := r.engine.each(ctx, r.q, "SELECT base, data FROM "+table+" WHERE id = ?", []any{id}, func(scan func(...any) error) error {
		found = true
		return scan(&base, &data)
	})
	switch {
	case err != nil:
		return nil, err
	case !found || len(data) == 0:
		return nil, damaged("%s %d isn't there", table, id)
	case data[0] == packedRedacted:
		return nil, &redactedText{data[1:]}
	}
	return r.unpack(ctx, table, id, base, data, depth)
}

func (r *reader) unpack(ctx context.Context, table string, id int64, base sql.NullInt64, data []byte, depth int) ([]byte, error) {
	var under []byte
	if base.Valid {
		var err error
		if under, err = r.contentAt(ctx, table, base.Int64, depth+1); err != nil {
			return nil, err
		}
	}
	b, err := unpack(data, under)
	if err != nil {
		return nil, damaged("%s %d can't be unpacked: %v", table, id, err)
	}
	r.contents.put(place{table, id}, b)
	return b, nil
}

// redactedText is met where a text was taken out.
type redactedText struct{ digest []byte }

func (e *redactedText) Error() string { return "the text was redacted" }

// digest is that of a text, also of one that was taken out.
func (r *reader) digest(ctx context.Context, text int64) (digest, error) {
	if d, ok := r.digests.get(text); ok {
		return d, nil
	}
	b, err := r.content(ctx, "text", text)
	d := digestOf(string(b))
	if gone, ok := errors.AsType[*redactedText](err); ok && len(gone.digest) == len(d) {
		copy(d[:], gone.digest)
		err = nil
	}
	if err == nil {
		r.digests.put(text, d)
	}
	return d, err
}

// form is what a fragment has without text and place.
func (r *reader) form(ctx context.Context, text int64) (*Fragment, error) {
	if f, ok := r.forms.get(text); ok {
		return f, nil
	}
	b, err := r.content(ctx, "text", text)
	if err != nil {
		return nil, err
	}
	f := new(Fragment)
	if err := json.Unmarshal(b, f); err != nil {
		return nil, damaged("fragment form %d can't be read: %v", text, err)
	}
	r.forms.put(text, f)
	return f, nil
}

// list reads a list and its entries.
func (r *reader) list(ctx context.Context, id int64) (*list, []entry, error) {
	b, err := r.content(ctx, "list", id)
	if err != nil {
		return nil, nil, err
	}
	l, err := decodeList(b)
	if err != nil {
		return nil, nil, damaged("list %d can't be read: %v", id, err)
	}
	out := make([]entry, len(l.entries))
	var unknown []int64
	for i, e := range l.entries {
		var ok bool
		if out[i], ok = r.entries.get(e); !ok {
			unknown = append(unknown, e)
		}
	}
	if len(unknown) > 0 {
		got := make(map[int64]entry, len(unknown))
		err := r.engine.eachOf(ctx, r.q, "SELECT id, text, form, size FROM entry WHERE id %IN", unknown, func(scan func(...any) error) error {
			var id int64
			var e entry
			var size sql.NullInt64
			if err := scan(&id, &e.text, &e.form, &size); err != nil {
				return err
			}
			if e.size = int(size.Int64); !size.Valid {
				e.size = -1
			}
			r.entries.put(id, e)
			got[id] = e
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		for i, of := range l.entries {
			if e, ok := got[of]; ok {
				out[i] = e
			} else if out[i].form == 0 {
				return nil, nil, damaged("list %d names entry %d, which isn't there", id, of)
			}
		}
	}
	return l, out, nil
}

// fragments makes the fragments of a record of its list.
func (r *reader) fragments(ctx context.Context, id int64) ([]Fragment, error) {
	l, entries, err := r.list(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]Fragment, len(entries))
	for i, e := range entries {
		f, err := r.form(ctx, e.form)
		if err != nil {
			return nil, err
		}
		out[i] = *f
		if e.text != 0 {
			d, err := r.digest(ctx, e.text)
			if err != nil {
				return nil, err
			}
			sum := d.hex()
			out[i].Digest = &sum
		}
	}
	at := 0
	for _, p := range l.order {
		usual, text := usualOr(p.before)
		if text != 0 {
			b, err := r.content(ctx, "text", text)
			if err != nil {
				return nil, err
			}
			usual = string(b)
		}
		at += len(usual)
		size := entries[p.entry].size
		if size < 0 {
			return nil, damaged("list %d places a fragment that is out", id)
		}
		out[p.entry].Span = &[2]int{at, at + size}
		at += size
	}
	return out, nil
}

// prompt puts the text of a record together.
func (r *reader) prompt(ctx context.Context, id int64) ([]byte, error) {
	l, entries, err := r.list(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []byte
	joint := func(n int64) error {
		usual, text := usualOr(n)
		out = append(out, usual...)
		if text == 0 {
			return nil
		}
		b, err := r.content(ctx, "text", text)
		out = append(out, b...)
		return err
	}
	for _, p := range l.order {
		if err := joint(p.before); err != nil {
			return nil, err
		}
		b, err := r.content(ctx, "text", entries[p.entry].text)
		if _, gone := errors.AsType[*redactedText](err); gone {
			f, formErr := r.form(ctx, entries[p.entry].form)
			if formErr != nil {
				return nil, formErr
			}
			return nil, &cento.SourceError{
				Code: Redacted, Message: fmt.Sprintf("the text of fragment %q was redacted", f.ID),
				Hint: "show the record without its text: the digest and the decision on it are still there",
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return out, joint(l.tail)
}

// input reads the JSON of an input. The error is [Redacted] where one of its texts is gone.
func (r *reader) input(ctx context.Context, id int64) ([]byte, error) {
	b, whole, err := r.rest(ctx, id)
	if err == nil && !whole {
		err = &cento.SourceError{Code: Redacted, Message: "a text of the input was redacted, so the prompt can't be made again"}
	}
	return b, err
}

// rest is the JSON of an input with nothing in the place of texts that are gone; whole
// tells that there are none.
func (r *reader) rest(ctx context.Context, id int64) (out []byte, whole bool, err error) {
	stored, err := r.content(ctx, "input", id)
	if err != nil {
		return nil, false, err
	}
	parts, texts, err := partsOf(stored)
	if err != nil {
		return nil, false, damaged("input %d can't be read", id)
	}
	whole = true
	for i, part := range parts {
		out = append(out, part...)
		if i == len(texts) {
			break
		}
		b, err := r.content(ctx, "text", texts[i].id)
		if _, gone := errors.AsType[*redactedText](err); gone {
			whole = false
			out = append(out, `""`...)
			continue
		}
		if err != nil {
			return nil, false, err
		}
		s := string(b)
		if texts[i].line {
			s += "\n"
		}
		out = quote.JSON.Append(out, s)
	}
	return out, whole, nil
}

// preload unpacks many texts with few questions, as far as they rest on no
// others.
func (r *reader) preload(ctx context.Context, ids []int64) error {
	type packedRow struct {
		id   int64
		base sql.NullInt64
		data []byte
	}
	var rows []packedRow
	err := r.engine.eachOf(ctx, r.q, "SELECT id, base, data FROM text WHERE id %IN", ids, func(scan func(...any) error) error {
		var p packedRow
		err := scan(&p.id, &p.base, &p.data)
		rows = append(rows, p)
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range rows {
		if len(p.data) == 0 || p.data[0] == packedRedacted {
			continue
		}
		if _, err := r.unpack(ctx, "text", p.id, p.base, p.data, 0); ignoreRedacted(err) != nil {
			return err
		}
	}
	return nil
}
