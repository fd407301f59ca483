// Package bitset holds numbers below a bound, and finds the neighbours of one in steps that
// don't depend on how far away they are. It never grows, and has no lock.
//
// [New] makes a [Set] of the one size that it keeps: a number that isn't below the bound
// is a mistake of the caller, and panics.
package bitset

import "math/bits"

// Set is a set of numbers.
type Set struct{ words, summary []uint64 }

// New is an empty set for the numbers below n.
func New(n int) Set {
	words := (n + 63) / 64
	return Set{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// Add puts a number into the set.
func (s *Set) Add(n int) {
	s.words[n>>6] |= 1 << (n & 63)
	s.summary[n>>12] |= 1 << (n >> 6 & 63)
}

// Remove takes a number out of the set.
func (s *Set) Remove(n int) {
	if s.words[n>>6] &^= 1 << (n & 63); s.words[n>>6] == 0 {
		s.summary[n>>12] &^= 1 << (n >> 6 & 63)
	}
}

// Next is the first member behind a number, which may be -1, -1 for none.
func (s *Set) Next(n int) int {
	n++
	if w := n >> 6; w < len(s.words) {
		if rest := s.words[w] >> (n & 63); rest != 0 {
			return n + bits.TrailingZeros64(rest)
		}
		w++
		for k := w >> 6; k < len(s.summary); k++ {
			rest := s.summary[k]
			if k == w>>6 {
				rest &= ^uint64(0) << (w & 63)
			}
			if rest != 0 {
				w = k<<6 + bits.TrailingZeros64(rest)
				return w<<6 + bits.TrailingZeros64(s.words[w])
			}
		}
	}
	return -1
}

// Previous is the last member before a number, -1 for none.
func (s *Set) Previous(n int) int {
	n--
	if n < 0 {
		return -1
	}
	w := n >> 6
	if rest := s.words[w] << (63 - n&63); rest != 0 {
		return n - bits.LeadingZeros64(rest)
	}
	w--
	for k := w >> 6; w >= 0 && k >= 0; k-- {
		rest := s.summary[k]
		if k == w>>6 {
			rest &= ^uint64(0) >> (63 - w&63)
		}
		if rest != 0 {
			w = k<<6 + 63 - bits.LeadingZeros64(rest)
			return w<<6 + 63 - bits.LeadingZeros64(s.words[w])
		}
	}
	return -1
}
