package amend

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Kind is what a change does.
type Kind uint8

// The kinds.
const (
	// TakeOut takes the member or item that stands at a place, or the item whose name
	// does, out of its map or list; a map or list of which nothing is left goes with it.
	TakeOut Kind = iota
	// Spell writes the key at a place otherwise.
	Spell
	// PutIn puts a text at the end of a list, which is the member of the map that
	// begins at a place; the list is made if the map has none.
	PutIn
)

// Change is one change of the values of a file.
type Change struct {
	Kind Kind
	// At is the place of the key or item, for PutIn that of the map. Its file isn't
	// looked at.
	At cento.Position
	// Name is the key or item that stands there, where anybody knows; for PutIn it is
	// the key of the list.
	Name string
	// To is the other spelling, or the text that is put in.
	To string
}

// changes are those of a call by the values that they concern.
type changes struct {
	taken map[*strict.Node]*strict.Node // keys, and the map or list that they are taken out of
	spelt map[*strict.Node]string
	put   map[place]Change
	front bool // the front matter goes as a whole
}

// Edits says how changes are written, all of them together; they come sorted.
func (d *Document) Edits(list ...Change) ([]Edit, error) {
	if d.root == nil || len(list) == 0 {
		return nil, ErrByHand
	}
	c := &changes{taken: map[*strict.Node]*strict.Node{}, spelt: map[*strict.Node]string{}, put: map[place]Change{}}
	var edits []Edit
	for _, x := range list {
		at := place{x.At.Line, x.At.Column}
		switch x.Kind {
		case TakeOut:
			e, ok := d.entry(at, x.Name)
			if !ok {
				return nil, ErrByHand
			}
			c.taken[e.key] = e.parent
		case Spell:
			e, ok := d.members[at]
			if !ok || x.Name != "" && textOf(e.key) != x.Name {
				return nil, ErrByHand
			}
			x.Name = textOf(e.key)
			edit, ok := d.spelling(e.key, x)
			if !ok {
				return nil, ErrByHand
			}
			c.spelt[e.key] = x.To
			edits = append(edits, edit)
		case PutIn:
			n := d.maps[at]
			if _, twice := c.put[at]; n == nil || twice {
				return nil, ErrByHand
			}
			edit, ok := d.putIn(n, x)
			if !ok {
				return nil, ErrByHand
			}
			c.put[at] = x
			edits = append(edits, edit)
		}
	}
	out, ok := d.removals(c)
	if !ok {
		return nil, ErrByHand
	}
	edits = sorted(append(edits, out...))
	if !d.holds(edits, c) {
		return nil, ErrByHand
	}
	return edits, nil
}

// entry is the member or the item of a name at a place.
func (d *Document) entry(at place, name string) (entry, bool) {
	if e, ok := d.members[at]; ok && (name == "" || textOf(e.key) == name) {
		return e, true
	}
	if e, ok := d.named[at]; ok {
		_, value := e.value.Member("name")
		return e, name == "" || textOf(value) == name
	}
	e, ok := d.items[at]
	return e, ok && (name == "" || textOf(e.key) == name)
}

func textOf(n *strict.Node) string {
	if n == nil {
		return ""
	}
	text, _ := n.Text()
	return text
}

// spelling writes a key otherwise, between the quotes that it has.
func (d *Document) spelling(key *strict.Node, x Change) (Edit, bool) {
	at := d.at(key)
	if at < len(d.text) && (d.text[at] == '"' || d.text[at] == '\'') {
		at++
	} else if !plainName(x.To) {
		return Edit{}, false
	}
	end := at + len(x.Name)
	return Edit{at, end, x.To}, strings.HasPrefix(d.text[at:], x.Name) && strings.Trim(x.To, nameLetters) == ""
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:"

// plainName reports whether YAML reads a name without quotes as that text.
func plainName(s string) bool {
	const first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return s != "" && strings.IndexByte(first, s[0]) >= 0 && strings.Trim(s, nameLetters) == "" && !strings.HasSuffix(s, ":") &&
		!slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s))
}

// putIn writes a text into the list of a map.
func (d *Document) putIn(n *strict.Node, x Change) (Edit, bool) {
	json := strings.HasSuffix(d.name, ".json")
	word, name := x.To, x.Name
	if json || !plainName(word) {
		word = strict.Quoted(word)
	}
	if json {
		name = strict.Quoted(name)
	}
	if _, list := n.Member(x.Name); list != nil {
		return d.append(list, word)
	}
	first := d.entries(n)
	if len(first) == 0 {
		return Edit{}, false
	}
	// Behind the first member that stands on one line, so that it is read before the
	// text that it is about.
	for _, e := range first {
		key := d.at(e.key)
		if d.flow(n) {
			end, ok := d.endOf(e.value)
			return Edit{end, end, ", " + name + ": [" + word + "]"}, ok
		}
		next := d.lines.next(key)
		if d.deeperLine(next, d.column(key)) {
			continue // it has several
		}
		indent := strings.Repeat(" ", d.column(key))
		line := indent + name + ": [" + word + "]"
		end := d.lines.lineEnd(key)
		if next == len(d.text) && !strings.HasSuffix(d.text, "\n") {
			return Edit{next, next, end + line}, true
		}
		return Edit{next, next, line + end}, true
	}
	return Edit{}, false
}

// append writes a word at the end of a list.
func (d *Document) append(list *strict.Node, word string) (Edit, bool) {
	if list.Kind() != strict.List {
		return Edit{}, false
	}
	items := d.entries(list)
	switch {
	case len(items) == 0 && d.flow(list):
		at := d.at(list) + 1
		return Edit{at, at, word}, true
	case len(items) == 0:
		return Edit{}, false
	case d.flow(list):
		end, ok := d.endOf(items[len(items)-1].value)
		return Edit{end, end, ", " + word}, ok
	}
	last := d.at(items[len(items)-1].value)
	start, next := d.lines.startOf(last), d.lines.next(last)
	dash := d.text[start:last]
	if strings.Trim(dash, " ") != "-" || d.deeperLine(next, strings.IndexByte(dash, '-')) {
		return Edit{}, false
	}
	end := d.lines.lineEnd(last)
	if next == len(d.text) && !strings.HasSuffix(d.text, "\n") {
		return Edit{next, next, end + dash + word}, true
	}
	return Edit{next, next, dash + word + end}, true
}

// column is how many bytes stand before one on its line.
func (d *Document) column(at int) int { return at - d.lines.startOf(at) }

// deeperLine reports whether the line that begins at a byte says something and is
// indented by more than so many blanks.
func (d *Document) deeperLine(at, blanks int) bool {
	if at >= d.to {
		return false
	}
	line := d.text[at:d.lines.endOf(at)]
	rest := strings.TrimLeft(line, " ")
	return rest != "" && len(line)-len(rest) > blanks
}
