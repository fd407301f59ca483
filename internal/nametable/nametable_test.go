package nametable

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var names = rapid.SliceOf(rapid.StringOfN(rapid.RuneFrom([]rune("abäß")), 0, 20, -1))

// TestTable holds a table against a map: numbers in order of appearance, with room
// that was handed in and without.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		add, ask := names.Draw(t, "names"), names.Draw(t, "others")
		var table Table
		if rapid.Bool().Draw(t, "with room") {
			table = New(make([]string, 0, len(add)), make([]Slot, Slots(len(add))))
		}
		want := map[string]int32{}
		for _, name := range add {
			n, there := want[name]
			if !there {
				n = int32(len(want))
				want[name] = n
			}
			if got, known := table.Add(name); got != n || known != there {
				t.Fatalf("%q is number %d (known: %t), and not %d (%t)", name, got, known, n, there)
			}
		}
		if table.Len() != len(want) {
			t.Fatalf("%d names, and not %d", table.Len(), len(want))
		}
		for _, name := range append(ask, add...) {
			n, there := want[name]
			if !there {
				n = -1
			}
			if got := table.Lookup(name); got != n {
				t.Fatalf("%q is number %d, and not %d", name, got, n)
			}
		}
	})
}

// TestSet holds a set against its list, searched or hashed.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, ask := names.Draw(t, "names"), names.Draw(t, "others")
		s := NewSet(list, make([]Slot, SetSlots(list)))
		for _, name := range append(ask, list...) {
			if got, want := s.Has(name), slices.Contains(list, name); got != want {
				t.Fatalf("%q among %q: %t", name, list, got)
			}
		}
	})
}
