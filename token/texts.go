package token

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

const (
	// seenBits is the logarithm of the number of pieces that are remembered.
	seenBits = 15

	// slack is how many bytes may be read and written past a token's text, so
	// that a short one is copied by whole words.
	slack = 16
)

// texts are those of all tokens, and a memory of pieces that were found to be
// one token, so that the usual word costs no merging. Apart from seen, nothing
// changes after loading.
type texts struct {
	text  []byte   // in the order of ranks, and slack
	start []uint32 // where each begins in text, and the end of the last

	// seen has, at the hash of a piece, the rank of the token that it was and,
	// above it, 14 more bits of the hash. An entry only says which token's text
	// to compare with, so results do not depend on it, nor on who wrote it.
	seen [1 << seenBits]atomic.Uint32
}

// loadTexts builds each text from those of the token's parts, which come
// before it.
func loadTexts(table table) *texts {
	t := &texts{
		text:  make([]byte, table.length()+slack),
		start: make([]uint32, table.tokens()+1),
	}
	end := copy(t.text, table.bytes())
	for rank := range t.start[:end+1] {
		t.start[rank] = uint32(rank)
	}
	lower, upper := table.parts()
	for i := range table.tokens() - 256 {
		key := pairKey(lower, upper, i)
		end = t.copy(end, key>>rankBits)
		end = t.copy(end, key&rankMask)
		t.start[i+257] = uint32(end)
	}
	return t
}

// copy puts the text of a token at end and returns where it ends.
func (t *texts) copy(end int, rank uint64) int {
	begin := int(t.start[rank])
	n := int(t.start[rank+1]) - begin
	to, from := t.text[end:], t.text[begin:]
	if n > slack {
		return end + copy(to, from[:n])
	}
	low, high := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	binary.LittleEndian.PutUint64(to, low)
	binary.LittleEndian.PutUint64(to[8:], high)
	return end + n
}

// of returns the bytes of a token, which the caller must not change.
func (t *texts) of(rank int) []byte {
	return t.text[t.start[rank]:t.start[rank+1]]
}

// recall returns the rank of the token that a piece was found to be, or noRank
// if it is none or was forgotten.
func (t *texts) recall(h uint64, piece string) uint32 {
	entry := t.seen[h>>(64-seenBits)].Load()
	if entry>>rankBits != tag(h) {
		return noRank
	}
	rank := entry & rankMask
	if string(t.text[t.start[rank]:t.start[rank+1]]) != piece {
		return noRank
	}
	return rank
}

// remember notes that the piece with a hash is a token.
func (t *texts) remember(h uint64, rank uint32) {
	t.seen[h>>(64-seenBits)].Store(tag(h)<<rankBits | rank)
}

// tag is 14 bits of a hash below those that choose the place.
func tag(h uint64) uint32 {
	return uint32(h >> (64 - seenBits - (32 - rankBits)) & (1<<(32-rankBits) - 1))
}

// pieceHash is the hash of s[i:j], a piece of two bytes or more.
func pieceHash(s string, i, j int) uint64 {
	n := j - i
	switch {
	case n > 8:
		h := uint64(n)
		for ; i < j-8; i += 8 {
			h = (bits.RotateLeft64(h, 23) ^ load64(s, i)) * factor
		}
		return (bits.RotateLeft64(h, 23) ^ load64(s, j-8)) * factor
	case i+8 <= len(s):
		return load64(s, i) << (64 - 8*n) * factor
	}
	var word uint64
	for k := j - 1; k >= i; k-- {
		word = word<<8 | uint64(s[k])
	}
	return word << (64 - 8*n) * factor
}

// load64 reads the 8 bytes of s from i on.
func load64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
