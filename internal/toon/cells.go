package toon

import "strings"

// row is the row of a table that is being read: the next of its parts, and the
// cells that are left.
type row struct {
	fields *fieldList // nil when no row is being read
	part   int
	cells  cells
}

// inline is the array on one line that is being read.
type inline struct {
	active    bool
	want, got int
	header    int
	cells     cells
}

// cells are what is left of a line of cells.
type cells struct {
	rest      string
	at        int
	delimiter byte
	none      bool // the last cell was taken
	taken     int
}

// take returns the next cell, trimmed, and where it stands.
func (c *cells) take() (string, int) {
	end := strings.IndexByte(c.rest, c.delimiter)
	first := end
	if end < 0 {
		first = len(c.rest)
	}
	if strings.IndexByte(c.rest[:first], '"') >= 0 {
		end = -1
		for i := 0; i < len(c.rest); {
			if c.rest[i] == c.delimiter {
				end = i
				break
			}
			if c.rest[i] == '"' {
				i = skipQuotes(c.rest, i)
			} else {
				i++
			}
		}
	}
	c.taken++
	token, at := c.rest, c.at
	if end < 0 {
		c.none = true
	} else {
		token = c.rest[:end]
		c.rest = c.rest[end+1:]
		c.at += end + 1
	}
	token, front := trim(token)
	return token, at + front
}

// count is how many cells there are in all. It takes the rest.
func (c *cells) count() int {
	for !c.none {
		c.take()
	}
	return c.taken
}

// putCell puts the scalar that a cell is.
func (r *Reader) putCell(cell string, at int) {
	if cell == "" {
		r.put(StringToken, "", at)
		return
	}
	r.scalar(cell, at)
}

// cell puts the next token of a row.
func (r *Reader) cell() {
	w := &r.row
	if w.part == len(w.fields.parts) {
		at := w.cells.at
		if !w.cells.none {
			r.rowWidth(w)
			return
		}
		w.fields = nil
		r.put(EndObject, "", at)
		return
	}
	p := w.fields.parts[w.part]
	w.part++
	switch p.kind {
	case namePart:
		r.put(Key, p.name, p.at)
	case beginPart:
		r.put(BeginObject, "", p.at)
	case endPart:
		r.put(EndObject, "", p.at)
	case cellPart:
		if w.cells.none {
			r.rowWidth(w)
			return
		}
		r.putCell(w.cells.take())
	}
}

func (r *Reader) rowWidth(w *row) {
	at := w.cells.at
	n := w.cells.count()
	r.fail(at, WrongCount, "a cell that holds the delimiter is written between quotes", "%d cells in the row, and %d in the field list", n, w.fields.leaves)
}

// inlineItem puts the next item of an array on one line.
func (r *Reader) inlineItem() {
	in := &r.inline
	if in.cells.none || in.got > in.want {
		in.got = in.cells.count()
		if in.got != in.want {
			s := scope{kind: listScope, want: in.want}
			r.fail(in.header, WrongCount, "", "%s, the count is %d", s.declared(), in.got)
			return
		}
		in.active = false
		r.put(EndArray, "", in.cells.at+len(in.cells.rest))
		return
	}
	in.got++
	r.putCell(in.cells.take())
}
