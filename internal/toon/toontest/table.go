package toontest

import "slices"

// few is how many keys are compared one with another; more go through a map.
const few = 16

// table is what an array or object is written as when its values are objects of
// one shape: the same keys, and under each of them scalars in all rows, or
// objects that are a table again.
type table struct {
	names  []string  // in the order of the first row
	rows   [][]Value // the values of each row, in the order of names
	groups []*table  // for each name the table under it, nil for scalars
}

// keyedTableOf is the table that the values of an object make, nil when they
// don't or are fewer than two.
func keyedTableOf(v Value) *table {
	if v.Len() < 2 {
		return nil
	}
	return tableOf(v.node.items)
}

// tableOf is the table that some values make, nil when they don't.
func tableOf(values []Value) *table {
	for _, v := range values {
		if v.kind != ObjectKind || v.node == nil {
			return nil
		}
	}
	names := values[0].node.keys
	t := &table{names: names, rows: make([][]Value, len(values)), groups: make([]*table, len(names))}
	var a aligner
	for r, v := range values {
		row, ok := a.align(v.node, names)
		if !ok {
			return nil
		}
		t.rows[r] = row
	}
	for c := range names {
		scalars := 0
		for _, row := range t.rows {
			if row[c].kind < ArrayKind {
				scalars++
			}
		}
		switch scalars {
		case len(values):
		case 0:
			column := make([]Value, len(values))
			for r, row := range t.rows {
				column[r] = row[c]
			}
			if t.groups[c] = tableOf(column); t.groups[c] == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return t
}

// aligner puts the values of objects in the order of the first one's keys.
type aligner struct{ index map[string]int }

func (a *aligner) align(n *node, names []string) ([]Value, bool) {
	if len(n.keys) != len(names) {
		return nil, false
	}
	if &n.keys[0] == &names[0] || slices.Equal(n.keys, names) {
		return n.items, true
	}
	if a.index == nil && len(names) > few {
		a.index = make(map[string]int, len(names))
		for i, name := range names {
			a.index[name] = i
		}
	}
	row := make([]Value, len(names))
	for i, key := range n.keys {
		at := -1
		if a.index == nil {
			at = slices.Index(names, key)
		} else if k, ok := a.index[key]; ok {
			at = k
		}
		if at < 0 {
			return nil, false
		}
		row[at] = n.items[i]
	}
	return row, true
}

// keySet finds keys that are given twice.
type keySet struct {
	list  []string
	index map[string]struct{}
}

func (s *keySet) reset() {
	s.list, s.index = s.list[:0], nil
}

// add reports whether the key is new.
func (s *keySet) add(key string) bool {
	if len(s.list) < few {
		if slices.Contains(s.list, key) {
			return false
		}
		s.list = append(s.list, key)
		return true
	}
	if s.index == nil {
		s.index = make(map[string]struct{})
		for _, k := range s.list {
			s.index[k] = struct{}{}
		}
	}
	n := len(s.index)
	s.index[key] = struct{}{}
	return len(s.index) > n
}
