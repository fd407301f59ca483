package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/cento-dev/cento/internal/quote"
)

// A short value stands in an input itself. To take it out, the input is written anew,
// with a text in its place of which the digest alone is there.

// cut is a stretch of the document of an input, and the digest of what stood there.
type cut struct {
	from, to int
	sum      digest
}

// document is the JSON of an input as it is stored, and where its texts stand in it; one
// that is gone stands there as an empty one.
type document struct {
	json  []byte
	texts []placedText
}

type placedText struct {
	storedText
	text     string
	from, to int
}

// pieces reads the document of an input.
func (r *reader) pieces(ctx context.Context, id int64) (*document, error) {
	stored, err := r.content(ctx, "input", id)
	if err != nil {
		return nil, err
	}
	parts, texts, err := partsOf(stored)
	if err != nil {
		return nil, damaged("input %d can't be read", id)
	}
	d := new(document)
	for i, part := range parts {
		d.json = append(d.json, part...)
		if i == len(texts) {
			break
		}
		b, err := r.content(ctx, "text", texts[i].id)
		if err := ignoreRedacted(err); err != nil {
			return nil, err
		}
		x := placedText{storedText: texts[i], text: string(b), from: len(d.json)}
		d.json = quote.JSON.Append(d.json, x.text)
		x.to = len(d.json)
		d.texts = append(d.texts, x)
	}
	return d, nil
}

// values finds the value of a variable, all of them for an empty name: what is to be cut
// out, and the texts in it. What is a text already stays where it is.
func (d *document) values(member, name string) (cuts []cut, texts []int64, err error) {
	from, to, err := valueAt(d.json, 0, len(d.json), "files")
	if err == nil && to > 0 {
		from, to, err = valueAt(d.json, from, to, member)
	}
	if err != nil || to == 0 {
		return nil, nil, err
	}
	var found [][2]int
	err = eachMember(d.json, from, to, func(key string, from, to int) {
		if name == "" || key == name {
			found = append(found, [2]int{from, to})
		}
	})
	for _, x := range found {
		alone := false
		for _, text := range d.texts {
			if x[0] <= text.from && text.to <= x[1] {
				texts = append(texts, text.id)
				alone = alone || text.from == x[0] && text.to == x[1]
			}
		}
		if alone {
			continue
		}
		value := d.json[x[0]:x[1]]
		// What isn't one text has a digest that no text has.
		sum := digestOf("\x00" + string(value))
		if value[0] == '"' {
			s, _, err := unquote(value)
			if err != nil {
				return nil, nil, err
			}
			sum = digestOf(s)
		}
		cuts = append(cuts, cut{x[0], x[1], sum})
	}
	return cuts, texts, err
}

// valueAt is where the value of a member of an object stands; to is 0 for none.
func valueAt(b []byte, from, to int, name string) (begin, end int, err error) {
	err = eachMember(b, from, to, func(key string, x, y int) {
		if key == name {
			begin, end = x, y
		}
	})
	return begin, end, err
}

// eachMember gives the members of the object that stands there.
func eachMember(b []byte, from, to int, each func(key string, from, to int)) error {
	d := json.NewDecoder(bytes.NewReader(b[from:to]))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err // null has none
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return errors.New("an object has a member without a name")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		end := from + int(d.InputOffset())
		each(key, end-len(value), end)
	}
	return nil
}

// without is the document as it is stored, with a text in the place of each cut.
func (d *document) without(cuts []cut, texts []int64) []byte {
	var parts [][]byte
	var placed []storedText
	type mark struct {
		from, to int
		text     storedText
	}
	var marks []mark
	for i, c := range cuts {
		marks = append(marks, mark{c.from, c.to, storedText{texts[i], false}})
	}
	for _, x := range d.texts {
		if !slices.ContainsFunc(cuts, func(c cut) bool { return c.from <= x.from && x.to <= c.to }) {
			marks = append(marks, mark{x.from, x.to, x.storedText})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Compare(a.from, b.from) })
	at := 0
	for _, m := range marks {
		parts, placed, at = append(parts, d.json[at:m.from]), append(placed, m.text), m.to
	}
	return storedInput(append(parts, d.json[at:]), placed)
}

// cutOut writes inputs anew without what was found in them, and gives the digests of that.
func (t *txn) cutOut(ctx context.Context, cuts map[int64][]cut) ([]digest, error) {
	e := t.reader.engine
	ids := slices.Sorted(maps.Keys(cuts))
	if err := t.release(ctx, "input", ids); err != nil {
		return nil, err
	}
	var sums []digest
	numbers := map[digest]int64{}
	for _, id := range ids {
		doc, err := t.reader.pieces(ctx, id)
		if err != nil {
			return nil, err
		}
		of := cuts[id]
		slices.SortFunc(of, func(a, b cut) int { return cmp.Compare(a.from, b.from) })
		of = slices.CompactFunc(of, func(a, b cut) bool { return a.from == b.from })
		texts := make([]int64, len(of))
		for i, c := range of {
			if numbers[c.sum] == 0 {
				t.nextText++
				numbers[c.sum], sums = t.nextText, append(sums, c.sum)
				if _, err := t.q.ExecContext(ctx, e.statement("INSERT INTO text (id, key, base, data) VALUES (?, ?, NULL, ?)"), t.nextText, c.sum.key(), append([]byte{packedRedacted}, c.sum[:]...)); err != nil {
					return nil, err
				}
			}
			texts[i] = numbers[c.sum]
		}
		content := doc.without(of, texts)
		data, _ := pack(content, nil, -1, 0)
		if _, err := t.q.ExecContext(ctx, e.statement("UPDATE input SET base = NULL, key = ?, data = ? WHERE id = ?"), digestOf(string(content)).key(), data, id); err != nil {
			return nil, err
		}
	}
	return sums, nil
}
