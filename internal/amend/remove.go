package amend

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/strict"
)

// removals writes that values are taken out. Those of one map or list are looked at
// together: where nothing is left it goes itself, unless it would be missed, and
// otherwise its neighbours have to find one another.
func (d *Document) removals(c *changes) ([]Edit, bool) {
	var out []Edit
	done := map[*strict.Node]bool{}
	for again := true; again; {
		again = false
		for _, parent := range d.containers(c) {
			if done[parent] {
				continue
			}
			done[parent] = true
			list := d.entries(parent)
			left := 0
			for _, e := range list {
				if c.taken[e.key] == nil {
					left++
				}
			}
			if left > 0 {
				edits, ok := d.takeOut(list, c)
				if !ok {
					return nil, false
				}
				out = append(out, edits...)
				continue
			}
			holder, held := d.holders[parent]
			held = held && holder.key != holder.value
			if held && d.othersIn(holder, c) && d.withoutComments(holder) {
				c.taken[holder.key] = holder.parent
				delete(done, holder.parent)
				again = true
				continue
			}
			edits, ok := d.empty(parent, list, holder, held)
			if parent == d.root && d.front {
				c.front = true
				edits, ok = d.withoutFront()
			}
			if !ok {
				return nil, false
			}
			out = append(out, edits...)
		}
	}
	return out, true
}

// containers are the maps and lists out of which something is taken, the inner ones
// first; those within what is taken out as a whole aren't looked at.
func (d *Document) containers(c *changes) []*strict.Node {
	depths := map[*strict.Node]int{}
	for _, n := range c.taken {
		depth := 0
		for up, held := d.holders[n]; held; up, held = d.holders[up.parent] { // to the root
			if c.taken[up.key] != nil {
				depth = -1
				break
			}
			depth++
		}
		if depth >= 0 {
			depths[n] = depth
		}
	}
	return slices.SortedFunc(maps.Keys(depths), func(a, b *strict.Node) int {
		return cmp.Or(depths[b]-depths[a], d.at(a)-d.at(b))
	})
}

// othersIn reports whether a map has members beside one that stay.
func (d *Document) othersIn(holder entry, c *changes) bool {
	for _, e := range d.entries(holder.parent) {
		if e.index != holder.index && c.taken[e.key] == nil {
			return true
		}
	}
	return false
}

// withoutComments reports whether nothing would be lost with a member but its values.
func (d *Document) withoutComments(e entry) bool {
	from, to, ok := d.extent(e, d.entries(e.parent))
	return ok && comments(d.text[from:to]) == 0
}

// takeOut writes that some of the entries of a map or list are gone, and others stay.
func (d *Document) takeOut(list []entry, c *changes) ([]Edit, bool) {
	var out []Edit
	for i := 0; i < len(list); i++ {
		if c.taken[list[i].key] == nil {
			continue
		}
		last := i
		for last+1 < len(list) && c.taken[list[last+1].key] != nil {
			last++
		}
		if d.flow(list[i].parent) {
			e, ok := d.takeOutFlow(list, i, last)
			if !ok {
				return nil, false
			}
			out = append(out, e)
			i = last
			continue
		}
		key := d.at(list[i].key)
		if i == 0 && d.text[d.lines.startOf(key):key] != strings.Repeat(" ", d.column(key)) && list[i].key != list[i].value {
			// The first of a map that is an item stands behind its dash, and the next
			// one that stays takes the place.
			out = append(out, Edit{key, d.at(list[last+1].key), ""})
			i = last
			continue
		}
		for ; i <= last; i++ {
			from, to, ok := d.extent(list[i], list)
			if !ok {
				return nil, false
			}
			out = append(out, d.keepingComment(list[i], Edit{from, to, ""}))
		}
		i = last
	}
	return out, true
}

// takeOutFlow takes neighbours out of a list between brackets, with one of the commas
// around them.
func (d *Document) takeOutFlow(list []entry, first, last int) (Edit, bool) {
	if last+1 < len(list) {
		return Edit{d.at(list[first].key), d.at(list[last+1].key), ""}, true
	}
	from, ok := d.endOf(list[first-1].value)
	to, also := d.endOf(list[last].value)
	return Edit{from, to, ""}, ok && also
}

// keepingComment leaves the comment behind an entry on a single line where it is.
func (d *Document) keepingComment(of entry, e Edit) Edit {
	end, ok := d.endOf(of.value)
	if !ok || d.lines.next(e.Start) < e.End || end < e.Start || end > e.End {
		return e
	}
	rest := d.text[end:e.End]
	if mark := strings.TrimLeft(rest, " \t"); mark != rest && strings.HasPrefix(mark, "#") {
		text := d.text[e.Start:e.End]
		return Edit{e.Start + len(text) - len(strings.TrimLeft(text, " ")), e.End - len(mark), ""}
	}
	return e
}

// extent are the lines of an entry that is written in lines, without what is blank or
// a comment behind it.
func (d *Document) extent(e entry, list []entry) (from, to int, ok bool) {
	if d.flow(e.parent) {
		end, ok := d.endOf(e.value)
		return d.at(e.key), end, ok
	}
	key := d.at(e.key)
	from = d.lines.startOf(key)
	mark := strings.TrimRight(d.text[from:key], " ")
	item := e.key == e.value
	switch trimmed := strings.TrimLeft(mark, " "); {
	case item && trimmed != "-", !item && trimmed != "":
		return 0, 0, false
	}
	indent := d.column(key)
	if item {
		indent = strings.IndexByte(mark, '-')
	}
	value := d.at(e.value)
	block := value < len(d.text) && (d.text[value] == '|' || d.text[value] == '>')
	limit := d.to
	if e.index+1 < len(list) {
		limit = d.lines.startOf(d.at(list[e.index+1].key))
	}
	to = d.lines.next(key)
	for at := to; at < limit; {
		next := d.lines.next(at)
		line := d.text[at:d.lines.endOf(at)]
		rest := strings.TrimLeft(line, " ")
		blanks := len(line) - len(rest)
		sequence := e.value.Kind() == strict.List && blanks == indent && strings.HasPrefix(rest, "-")
		switch {
		case rest == "" || rest[0] == '#' && !(block && blanks > indent):
		case blanks > indent || sequence && !item:
			to = next
		default:
			return from, to, true
		}
		at = next
	}
	return from, to, true
}

// empty writes a map or list that stays, though nothing in it does.
func (d *Document) empty(parent *strict.Node, list []entry, holder entry, held bool) ([]Edit, bool) {
	brackets := "{}"
	if parent.Kind() == strict.List {
		brackets = "[]"
	}
	first, last := list[0], list[len(list)-1]
	if d.flow(parent) {
		to, ok := d.endOf(last.value)
		return []Edit{{d.at(first.key), to, ""}}, ok
	}
	if !held {
		return nil, false
	}
	colon := d.at(holder.key)
	end, ok := d.endOf(holder.key)
	if !ok {
		return nil, false
	}
	i := strings.IndexByte(d.text[end:d.lines.endOf(colon)], ':')
	if i < 0 || d.at(first.key) < d.lines.next(colon) {
		return nil, false
	}
	out := []Edit{{end + i + 1, end + i + 1, " " + brackets}}
	for _, e := range list {
		from, to, ok := d.extent(e, list)
		if !ok {
			return nil, false
		}
		out = append(out, d.keepingComment(e, Edit{from, to, ""}))
	}
	return out, true
}

// withoutFront takes the front matter with its rulers, so that no empty one is left.
func (d *Document) withoutFront() ([]Edit, bool) {
	from := 0
	if strings.HasPrefix(d.text, byteOrderMark) {
		from = len(byteOrderMark)
	}
	return []Edit{{from, d.lines.next(d.to), ""}}, comments(d.text[d.from:d.to]) == 0
}

// endOf is where a value ends that stands on one line, or between brackets. What is
// found is held to what the text says with it, so this needn't know all of YAML.
func (d *Document) endOf(n *strict.Node) (int, bool) {
	at := d.at(n)
	if at >= d.to {
		return at, n.Kind() == strict.Null
	}
	switch d.text[at] {
	case '"', '\'':
		return d.quoteEnd(at)
	case '{', '[':
		return d.bracketEnd(at)
	case '|', '>', '&', '*', '!':
		return 0, false
	}
	end := at
	for end < d.to && d.text[end] != '\n' && strings.IndexByte(",]}", d.text[end]) < 0 && !strings.HasPrefix(d.text[end:], " #") && !strings.HasPrefix(d.text[end:], ": ") {
		if d.text[end] == ':' && strings.TrimRight(d.text[end+1:d.lines.endOf(end)], " ") == "" {
			break
		}
		end++
	}
	return at + len(strings.TrimRight(d.text[at:end], " \t\r")), true
}

func (d *Document) quoteEnd(at int) (int, bool) {
	quote := d.text[at]
	for i := at + 1; i < d.to; i++ {
		switch c := d.text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && i+1 < d.to && d.text[i+1] == quote:
			i++
		case c == quote:
			return i + 1, true
		}
	}
	return 0, false
}

func (d *Document) bracketEnd(at int) (int, bool) {
	depth := 0
	for i := at; i < d.to; i++ {
		switch c := d.text[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '"', '\'':
			// A quote within a word is none.
			if strings.IndexByte(" \t\n,[{:", d.text[i-1]) < 0 {
				continue
			}
			end, ok := d.quoteEnd(i)
			if !ok {
				return 0, false
			}
			i = end - 1
		case '#':
			if strings.IndexByte(" \t\n", d.text[i-1]) >= 0 {
				return 0, false
			}
		}
	}
	return 0, false
}
