package cento

import (
	"hash/maphash"
	"slices"
)

// nameSeed keys the hash of every name table, so that nobody can choose names
// that collide. It decides where a name lies in a table and nothing else: no
// byte of any output depends on it.
var nameSeed = maphash.MakeSeed()

// nameTable gives names small numbers in order of appearance. It is an open
// table of hashes beside a list, a third of the cost of a map for the many
// short-lived lookups of a compilation. The zero value is empty.
type nameTable struct {
	list  []string
	slots []nameSlot // a power of two, at most half full
}

type nameSlot struct {
	hash uint32
	next uint32 // index in list plus one; 0: free
}

func newNameTable(capacity int) nameTable {
	size := 8
	for size < 2*capacity {
		size *= 2
	}
	return nameTable{list: make([]string, 0, capacity), slots: make([]nameSlot, size)}
}

// find returns the slot of a name, or the free slot where it would go.
func (t *nameTable) find(name string, h uint32) *nameSlot {
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.next == 0 || s.hash == h && t.list[s.next-1] == name {
			return s
		}
	}
}

// add returns the number of a name, and whether it was there before.
func (t *nameTable) add(name string) (n int32, known bool) {
	h := uint32(maphash.String(nameSeed, name))
	if 2*len(t.list) >= len(t.slots) {
		t.grow()
	}
	s := t.find(name, h)
	if s.next != 0 {
		return int32(s.next - 1), true
	}
	t.list = append(t.list, name)
	*s = nameSlot{hash: h, next: uint32(len(t.list))}
	return int32(len(t.list) - 1), false
}

// lookup returns the number of a name, or -1.
func (t *nameTable) lookup(name string) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	return int32(t.find(name, uint32(maphash.String(nameSeed, name))).next) - 1
}

func (t *nameTable) grow() {
	old := t.slots
	t.slots = make([]nameSlot, max(16, 2*len(old)))
	t.list = slices.Grow(t.list, len(t.slots)/2)
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].next != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}
