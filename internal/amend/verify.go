package amend

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// holds reads again what edits come to: it has to say what it said, but for the changes.
// Where a stretch of whole lines can be read by itself that is all that is read.
func (d *Document) holds(edits []Edit, c *changes) bool {
	if w, ok := d.window(edits, c); ok {
		if is, same := d.holdsIn(w, edits, c); same {
			return is
		}
	}
	return d.holdsAll(edits, c)
}

// holdsAll reads the whole text.
func (d *Document) holdsAll(edits []Edit, c *changes) bool {
	text, err := Apply(d.text, edits)
	if err != nil {
		return false
	}
	d.reread += len(text)
	again, err := Read(d.name, text)
	if c.front || err != nil {
		return err == nil && again.root == nil
	}
	if comments(d.text[d.from:d.to]) != comments(text[d.from:d.to+len(text)-len(d.text)]) {
		return false
	}
	want := meaning(nil, d.root, c)
	return again.root != nil && string(meaning(nil, again.root, &changes{})) == string(want)
}

// Reread is how many bytes were read again so far to see what edits come to.
func (d *Document) Reread() int { return d.reread }

// comments counts the marks that may begin a comment. Those within texts count, too,
// so that a text with one in it is taken out by hand.
func comments(text string) int {
	n := 0
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || strings.IndexByte(" \t\n", text[i-1]) >= 0) {
			n++
		}
	}
	return n
}

// window is a stretch of lines with whole entries of a map or list that is written in
// lines. What YAML has in such a stretch depends on nothing outside of it: there are no
// anchors here, and an entry that begins as far to the right as those before ends
// whatever they left open. One key twice is the only mistake that can't be seen in it.
type window struct {
	list     []entry
	from, to int
}

// window is the smallest one that holds edits, and beside them an entry that they
// leave alone, so that what is left of the others is held to where that stands; false
// where there is none.
func (d *Document) window(edits []Edit, c *changes) (window, bool) {
	var found window
	if c.front || len(edits) == 0 || strings.HasSuffix(d.name, ".json") {
		return found, false
	}
	low, high := edits[0].Start, edits[0].End
	for _, e := range edits {
		low, high = min(low, e.Start), max(high, e.End)
	}
	ok := false
	for n, end := d.root, d.to; !d.flow(n); {
		list := d.entries(n)
		start := func(i int) int { return d.lines.startOf(d.at(list[i].key)) }
		// A byte between two entries may belong to either.
		first := sort.Search(len(list), func(i int) bool { return start(i) >= low }) - 1
		last := sort.Search(len(list), func(i int) bool { return start(i) > high }) - 1
		if last < 0 || first < 0 && start(0) > low {
			break
		}
		first = max(first, 0)
		stop := func(i int) int {
			if i+1 < len(list) {
				return start(i + 1)
			}
			return end
		}
		w := window{list: list[max(first-1, 0):min(last+2, len(list))]}
		w.from, w.to = start(max(first-1, 0)), stop(min(last+1, len(list)-1))
		if len(w.list) > last-first+1 && d.inLines(w.list) && high <= w.to {
			found, ok = w, true
		}
		value := list[first].value
		if first != last || value.Kind() != strict.Map && value.Kind() != strict.List || low < d.at(value) {
			break
		}
		n, end = value, stop(first)
	}
	return found, ok && d.withinWindow(found, c)
}

// inLines reports whether each entry begins a line, all of them in one column.
func (d *Document) inLines(list []entry) bool {
	column := -1
	for _, e := range list {
		at := d.at(e.key)
		before := d.text[d.lines.startOf(at):at]
		mark := strings.TrimLeft(before, " ")
		item := e.key == e.value
		if item != strings.HasPrefix(mark, "-") || strings.Trim(mark, "- ") != "" || strings.Count(mark, "-") > 1 {
			return false
		}
		if indent := len(before) - len(mark); column < 0 {
			column = indent
		} else if indent != column {
			return false
		}
	}
	return true
}

// withinWindow reports whether changes are about values of a window, and write no key
// that stands outside of it.
func (d *Document) withinWindow(w window, c *changes) bool {
	in := func(at int) bool { return w.from <= at && at < w.to }
	for key := range c.taken {
		if !in(d.at(key)) {
			return false
		}
	}
	for key, to := range c.spelt {
		e := d.members[placeOf(key)]
		if other, _ := e.parent.Member(to); !in(d.at(key)) || other != nil && other != key {
			return false
		}
	}
	for _, x := range c.put {
		if at, ok := d.lines.offset(x.At); !ok || !in(at) {
			return false
		}
	}
	return true
}

// holdsIn reads a window alone, before and with the edits. The second result is false
// where it doesn't say alone what it says in the document.
func (d *Document) holdsIn(w window, edits []Edit, c *changes) (holds, same bool) {
	before := d.text[w.from:w.to]
	inside := slices.Clone(edits)
	for i := range inside {
		inside[i].Start -= w.from
		inside[i].End -= w.from
	}
	after, err := Apply(before, inside)
	if err != nil {
		return false, true
	}
	if is, ok := d.alone(before); !ok || is != string(w.meaning(&changes{})) {
		return false, false
	}
	is, ok := d.alone(after)
	return ok && is == string(w.meaning(c)) && comments(before) == comments(after), true
}

// alone is what lines mean without those around them.
func (d *Document) alone(lines string) (string, bool) {
	d.reread += len(lines)
	n, err := strict.Read(d.name, []byte(lines), cento.DefaultLimits())
	if err != nil {
		return "", false
	}
	return string(meaning(nil, n, &changes{})), true
}

func (w window) meaning(c *changes) []byte {
	parent := w.list[0].parent
	if parent.Kind() == strict.Map {
		return membersMeaning(nil, parent, w.list, c)
	}
	return itemsMeaning(nil, w.list, c, "")
}

// meaning writes a value so that two texts which say the same have the same bytes,
// with changes made to it.
func meaning(dst []byte, n *strict.Node, c *changes) []byte {
	switch n.Kind() {
	case strict.Map:
		return membersMeaning(dst, n, entriesOf(n), c)
	case strict.List:
		return itemsMeaning(dst, entriesOf(n), c, "")
	case strict.Text:
		text, _ := n.Text()
		return append(dst, strict.Quoted(text)...)
	}
	return n.AppendYAML(dst)
}

// membersMeaning writes members of a map.
func membersMeaning(dst []byte, n *strict.Node, list []entry, c *changes) []byte {
	var members [][]byte
	added, there := c.put[placeOf(n)]
	for _, e := range list {
		if c.taken[e.key] != nil {
			continue
		}
		name, _ := e.key.Text()
		if to, ok := c.spelt[e.key]; ok {
			name = to
		}
		m := append([]byte(strict.Quoted(name)), ':')
		if there && name == added.Name && e.value.Kind() == strict.List {
			m = itemsMeaning(m, entriesOf(e.value), c, added.To)
			there = false
		} else {
			m = meaning(m, e.value, c)
		}
		members = append(members, m)
	}
	if there {
		members = append(members, []byte(strict.Quoted(added.Name)+":["+strict.Quoted(added.To)+",]"))
	}
	slices.SortFunc(members, bytes.Compare)
	dst = append(dst, '{')
	dst = append(dst, bytes.Join(members, []byte{','})...)
	return append(dst, '}')
}

// itemsMeaning writes items of a list, and one more behind them that isn't empty.
func itemsMeaning(dst []byte, list []entry, c *changes, more string) []byte {
	dst = append(dst, '[')
	for _, e := range list {
		if c.taken[e.key] == nil {
			dst = append(meaning(dst, e.value, c), ',')
		}
	}
	if more != "" {
		dst = append(append(dst, strict.Quoted(more)...), ',')
	}
	return append(dst, ']')
}
