package cento

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// nameKeys key the hash of every name table, so that nobody can choose names
// that collide. They decide where a name lies in a table and nothing else: no
// byte of any output depends on them.
var (
	nameSeed = maphash.MakeSeed()
	nameKeys = [2]uint64{maphash.String(nameSeed, "low") | 1, maphash.String(nameSeed, "high") | 1}
)

// hashName hashes a name. Most are short enough to be two words, and need no
// more than a multiplication.
func hashName(s string) uint32 {
	b := []byte(s) // doesn't escape: no copy is made
	var low, high uint64
	switch n := len(b); {
	case n > 16:
		return uint32(maphash.String(nameSeed, s))
	case n >= 8:
		low, high = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		low, high = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		low = uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	high, low = bits.Mul64(low^nameKeys[0], (high+uint64(len(b)))^nameKeys[1])
	low ^= high
	return uint32(low ^ low>>32)
}

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

// idTable finds fragments by their ids, which stay where they are. Numbers are
// indexes.
type idTable struct{ slots []nameSlot }

// add returns the index of the first fragment with the id of fragment i.
func (t *idTable) add(frags []Fragment, i int) int {
	id := frags[i].ID
	s, h := t.find(frags, id)
	if s.next == 0 {
		*s = nameSlot{hash: h, next: uint32(i) + 1}
	}
	return int(s.next) - 1
}

// lookup returns the index of the fragment with an id, or -1.
func (t *idTable) lookup(frags []Fragment, id string) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	s, _ := t.find(frags, id)
	return int32(s.next) - 1
}

func (t *idTable) find(frags []Fragment, id string) (*nameSlot, uint32) {
	h, mask := hashName(id), uint32(len(t.slots)-1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.next == 0 || s.hash == h && frags[s.next-1].ID == id {
			return s, h
		}
	}
}

// nameSet is a list of names that is asked whether it holds one. The zero value
// is empty.
type nameSet struct {
	list  []string
	slots []nameSlot // none for a short list, which is searched
}

// fewNames is up to where searching a list costs less than hashing.
const fewNames = 4

// nameSlotsFor is how many slots the set of a list needs.
func nameSlotsFor(list []string) int {
	if len(list) <= fewNames {
		return 0
	}
	return slotsFor(len(list))
}

// newNameSet makes the set of a list in slots that are empty.
func newNameSet(list []string, slots []nameSlot) nameSet {
	s := nameSet{list, slots}
	if len(slots) == 0 {
		return s
	}
	for k, name := range list {
		if slot, h := s.find(name); slot.next == 0 {
			*slot = nameSlot{hash: h, next: uint32(k) + 1}
		}
	}
	return s
}

func (s *nameSet) has(name string) bool {
	if len(s.slots) == 0 {
		return slices.Contains(s.list, name)
	}
	slot, _ := s.find(name)
	return slot.next != 0
}

func (s *nameSet) find(name string) (*nameSlot, uint32) {
	h, mask := hashName(name), uint32(len(s.slots)-1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if slot.next == 0 || slot.hash == h && s.list[slot.next-1] == name {
			return slot, h
		}
	}
}

// slotsFor is how many slots a table of so many names has.
func slotsFor(names int) int {
	size := 8
	for size < 2*names {
		size *= 2
	}
	return size
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
	h := hashName(name)
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
	return int32(t.find(name, hashName(name)).next) - 1
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
