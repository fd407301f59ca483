// Package nametable finds names by open tables of hashes, for the many short-lived
// lookups of a compilation: a third of what a map costs, in memory that the caller
// hands out. Where a name lies in a table is random from run to run; nothing that a
// caller can see depends on it.
package nametable

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// keys key the hash of every table, so that nobody can choose names
// that collide. They decide where a name lies in a table and nothing else: no
// byte of any output depends on them.
var (
	seed = maphash.MakeSeed()
	keys = [2]uint64{maphash.String(seed, "low") | 1, maphash.String(seed, "high") | 1}
)

// Hash hashes a name. Most are short enough to be two words, and need no
// more than a multiplication.
func Hash(s string) uint32 {
	b := []byte(s) // doesn't escape: no copy is made
	var low, high uint64
	switch n := len(b); {
	case n > 16:
		return uint32(maphash.String(seed, s))
	case n >= 8:
		low, high = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		low, high = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		low = uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	high, low = bits.Mul64(low^keys[0], (high+uint64(len(b)))^keys[1])
	low ^= high
	return uint32(low ^ low>>32)
}

// A Slot is a place of a table: free, or of one name. Slots of a table are a power of
// two, at least twice as many as its names; see [Slots].
type Slot struct {
	hash uint32
	next uint32 // the name's number plus one; 0: free
}

// Slots is how many slots a table of so many names has.
func Slots(names int) int {
	size := 8
	for size < 2*names {
		size *= 2
	}
	return size
}

// Free reports whether no name is there.
func (s *Slot) Free() bool { return s.next == 0 }

// Number is that of the name that is there, -1 for none.
func (s *Slot) Number() int32 { return int32(s.next) - 1 }

// Set puts a name there.
func (s *Slot) Set(hash uint32, number int32) { *s = Slot{hash, uint32(number) + 1} }

// Find returns the slot of the name with a hash, or the free slot where it would go.
// same says whether the name of a number is the one that is looked for: names lie
// wherever the caller keeps them.
func Find(slots []Slot, hash uint32, same func(number int32) bool) *Slot {
	mask := uint32(len(slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &slots[i]
		if s.next == 0 || s.hash == hash && same(int32(s.next-1)) {
			return s
		}
	}
}

// Table gives names small numbers in order of appearance. The zero value is empty.
type Table struct {
	list  []string
	slots []Slot
}

// New makes an empty table that has no need to grow, where list has no names but
// room for them, and there are [Slots] for as many.
func New(list []string, slots []Slot) Table { return Table{list, slots} }

// Len is how many names there are.
func (t *Table) Len() int { return len(t.list) }

// Add returns the number of a name, and whether it was there before.
func (t *Table) Add(name string) (n int32, known bool) {
	h := Hash(name)
	if 2*len(t.list) >= len(t.slots) {
		t.grow()
	}
	s := Find(t.slots, h, func(k int32) bool { return t.list[k] == name })
	if !s.Free() {
		return s.Number(), true
	}
	n = int32(len(t.list))
	t.list = append(t.list, name)
	s.Set(h, n)
	return n, false
}

// Lookup returns the number of a name, or -1.
func (t *Table) Lookup(name string) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	return Find(t.slots, Hash(name), func(k int32) bool { return t.list[k] == name }).Number()
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]Slot, max(16, 2*len(old)))
	t.list = slices.Grow(t.list, len(t.slots)/2)
	for _, s := range old {
		if !s.Free() {
			*Find(t.slots, s.hash, func(int32) bool { return false }) = s
		}
	}
}

// Set is a list of names that is asked whether it holds one. The zero value is empty.
type Set struct {
	list  []string
	slots []Slot // none for a short list, which is searched
}

// fewNames is up to where searching a list costs less than hashing.
const fewNames = 4

// SetSlots is how many slots the set of a list needs.
func SetSlots(list []string) int {
	if len(list) <= fewNames {
		return 0
	}
	return Slots(len(list))
}

// NewSet makes the set of a list in slots that are free, as many as [SetSlots] says.
func NewSet(list []string, slots []Slot) Set {
	s := Set{list, slots}
	if len(slots) == 0 {
		return s
	}
	for k, name := range list {
		h := Hash(name)
		if slot := s.find(name, h); slot.Free() {
			slot.Set(h, int32(k))
		}
	}
	return s
}

// Has reports whether the list holds a name.
func (s *Set) Has(name string) bool {
	if len(s.slots) == 0 {
		return slices.Contains(s.list, name)
	}
	return !s.find(name, Hash(name)).Free()
}

func (s *Set) find(name string, hash uint32) *Slot {
	return Find(s.slots, hash, func(k int32) bool { return s.list[k] == name })
}
