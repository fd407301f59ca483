package token

import "sync"

// A piece that is no token as a whole begins as its bytes. Of all neighbours
// that together are a token, the pair of the lowest rank is merged, of equal
// ones the leftmost, until none is left.
//
// A short piece is scanned for that pair. A longer one keeps its pairs in a
// heap. One longer than a window is merged in windows, so that work is linear
// and memory bounded.

const (
	// scanned is the length in bytes up to which scanning is faster than a
	// heap, measured.
	scanned = 40

	// window is the length in bytes of the stretches that a long piece is
	// merged in: twice the longest token, so that a token in the middle does
	// not depend on where the window ends unless the text is made for it.
	// Larger ones are slower, for their heaps are deeper.
	window = 256

	// growth is how much larger windows get where that fails.
	growth = 8
)

// scan merges a piece of at most scanned bytes and returns the ranks of its
// tokens, which it keeps in ranks.
func (v *vocabulary) scan(ranks *[scanned]uint32, piece string) []uint32 {
	var pairs [scanned]uint32 // of each part and the next; noRank for the last
	n := len(piece)
	last := v.bytes[piece[0]]
	for i := 1; i < n; i++ {
		next := v.bytes[piece[i]]
		ranks[i-1], pairs[i-1] = last, v.pair(last, next)
		last = next
	}
	ranks[n-1], pairs[n-1] = last, noRank
	for {
		best, lowest := 0, uint32(noRank)
		for i, p := range pairs[:n] {
			if p < lowest {
				best, lowest = i, p
			}
		}
		if lowest == noRank {
			return ranks[:n]
		}
		n--
		ranks[best] = lowest
		copy(ranks[best+1:n], ranks[best+2:n+1])
		copy(pairs[best:n], pairs[best+1:n+1])
		if best+1 < n {
			pairs[best] = v.pair(lowest, ranks[best+1])
		}
		if best > 0 {
			pairs[best-1] = v.pair(ranks[best-1], lowest)
		}
	}
}

// long merges a piece of any length in windows of a size, appends its tokens
// to dst if keep is set, and returns dst and their number.
//
// Each window begins where a token of the one before begins, some way before
// its end. The tokens up to there and the tokens of the next window together
// are what merging all at once gives, provided that the next window begins
// with the very token that the one before has there. For tokens in a row are
// what merging makes of their joined bytes if and only if each two neighbours
// are what it makes of theirs: until the first merge across a border both
// sides go on as if alone, so that merge would come about between the two
// neighbours alone as well. And with one token in common, each two neighbours
// stand in one window.
//
// Where the next window begins with another token, the window before ended too
// early: it is merged again, larger. Where that changes its own first token,
// all starts again with larger windows. One window over everything is right in
// any case.
func (v *vocabulary) long(dst []int, piece string, size int, keep bool) ([]int, int) {
	m := mergers.Get().(*merger)
	before := len(dst)
	for ; ; size *= growth {
		var n int
		var ok bool
		if dst, n, ok = v.windows(m, dst[:before], piece, size, keep); ok {
			if cap(m.rank) <= window*growth {
				mergers.Put(m)
			}
			return dst, n
		}
	}
}

// place is where a window begins.
type place struct {
	at       int    // in the piece
	expected uint32 // the token that the window before has there; noRank for the first
	tokens   int    // how many stand before it
}

// windows is long without starting all again: it returns false if that is needed.
func (v *vocabulary) windows(m *merger, dst []int, piece string, size int, keep bool) ([]int, int, bool) {
	before := len(dst)
	this := place{expected: noRank}
	last, lastSize := this, 0
	for length, again := size, false; ; {
		end := min(this.at+length, len(piece))
		m.merge(v, piece[this.at:end])
		switch {
		case this.expected == noRank || this.expected == m.rank[0]:
		case again:
			return dst, 0, false
		default:
			this, length, again = last, lastSize*growth, true
			if keep {
				dst = dst[:before+this.tokens]
			}
			continue
		}
		limit := end - this.at
		if end < len(piece) {
			limit = limit / 4 * 3
		}
		next := this
		at := 0
		for at < limit && int(m.next[at]) <= limit {
			if keep {
				dst = append(dst, int(m.rank[at]))
			}
			next.tokens++
			at = int(m.next[at])
		}
		next.at += at
		switch {
		case next.at == len(piece):
			return dst, next.tokens, true
		case at == 0: // the first token is longer than what may be kept
			return dst, 0, false
		}
		next.expected = m.rank[at]
		last, lastSize = this, length
		this, length, again = next, size, false
	}
}

// merger merges a stretch of text with a heap. Its parts are a linked list in
// slices; a part is known by the offset of its first byte.
type merger struct {
	rank []uint32 // of the token that a part is
	pair []uint32 // of the token that a part and the next make, noRank if none or if the part is gone
	next []int32  // the length of the stretch for the last
	prev []int32  // -1 for the first
	heap []uint64 // the rank of a pair and, below it, its left part; outdated ones stay in
	work int      // how many were ever put into the heap or taken from it
}

var mergers = sync.Pool{New: func() any { return new(merger) }}

// merge leaves in m the tokens of a stretch of at least one byte, the first at
// offset 0.
func (m *merger) merge(v *vocabulary, s string) {
	if cap(m.rank) < len(s) {
		n := max(len(s), window)
		m.rank, m.pair = make([]uint32, n), make([]uint32, n)
		m.next, m.prev = make([]int32, n), make([]int32, n)
		m.heap = make([]uint64, 0, n)
	}
	m.rank, m.pair = m.rank[:len(s)], m.pair[:len(s)]
	m.next, m.prev = m.next[:len(s)], m.prev[:len(s)]
	m.heap = m.heap[:0]
	for i := range len(s) {
		m.rank[i], m.pair[i] = v.bytes[s[i]], noRank
		m.next[i], m.prev[i] = int32(i+1), int32(i-1)
	}
	for i := range len(s) - 1 {
		m.consider(v, int32(i))
	}
	for len(m.heap) > 0 {
		entry := m.pop()
		rank, left := uint32(entry>>32), int32(uint32(entry))
		if m.pair[left] != rank {
			continue
		}
		right := m.next[left]
		after := m.next[right]
		m.rank[left], m.next[left] = rank, after
		m.pair[left], m.pair[right] = noRank, noRank
		if int(after) < len(s) {
			m.prev[after] = left
			m.consider(v, left)
		}
		if before := m.prev[left]; before >= 0 {
			m.consider(v, before)
		}
	}
}

// consider finds what the part at left and the next make.
func (m *merger) consider(v *vocabulary, left int32) {
	rank := v.pair(m.rank[left], m.rank[m.next[left]])
	m.pair[left] = rank
	if rank != noRank {
		m.push(uint64(rank)<<32 | uint64(left))
	}
}

// push and pop are a binary heap, the least entry first: the lowest rank and
// of equal ones the leftmost. container/heap would call through an interface.
func (m *merger) push(entry uint64) {
	m.work++
	m.heap = append(m.heap, entry)
	i := len(m.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if m.heap[up] <= entry {
			break
		}
		m.heap[i] = m.heap[up]
		i = up
	}
	m.heap[i] = entry
}

func (m *merger) pop() uint64 {
	m.work++
	least := m.heap[0]
	n := len(m.heap) - 1
	entry := m.heap[n]
	m.heap = m.heap[:n]
	if n == 0 {
		return least
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && m.heap[down+1] < m.heap[down] {
			down++
		}
		if entry <= m.heap[down] {
			break
		}
		m.heap[i] = m.heap[down]
		i = down
	}
	m.heap[i] = entry
	return least
}
