package token

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

const (
	rankBits = 18 // enough for the largest vocabulary
	rankMask = 1<<rankBits - 1
	noRank   = 1<<32 - 1

	// factor spreads keys: the upper bits of the product depend on all bits of
	// the key. It is 2^64 over the golden ratio.
	factor = 0x9e3779b97f4a7c15

	// bucketBits is the logarithm of the number of buckets of pairs: three
	// pairs in each for the larger vocabulary.
	bucketBits = 16

	// seenBits is the logarithm of the number of pieces that are remembered.
	seenBits = 15

	// slack is how many bytes may be read and written past a token's text, so
	// that a short one is copied and compared by whole words.
	slack = 16
)

// vocabulary finds the token that two tokens merge to. A token is known by its
// rank: the lower, the earlier it merges.
//
// The published rule is to look up the joined text of two neighbours. To look
// up the pair is the same, because every token of both vocabularies is what
// byte pair encoding makes of the token's own bytes (the generator of the
// tables establishes it): two parts side by side have come about just as in
// that token alone, and there only one pair is ever the last.
//
// Apart from seen, nothing changes after loading.
type vocabulary struct {
	text  []byte   // of all tokens in the order of ranks, and slack
	start []uint32 // where each begins in text, and the end of the last
	bytes [256]uint32

	// Pairs of the same hash stand in one bucket, from bucket[h] to
	// bucket[h+1]. A pair is the ranks of left and right and, in the lowest
	// bits, of what they make.
	pairs  []uint64
	bucket []uint32

	// seen remembers pieces that were found to be one token, so that the usual
	// word costs no merging: at the hash of a piece the rank of the token and,
	// above it, 14 more bits of the hash. An entry only says which token's
	// text to compare with, so results do not depend on it, nor on who wrote it.
	seen [1 << seenBits]atomic.Uint32
}

// load reads a table as the generator writes it. It fills each slice in one
// sweep, and the pairs in buckets counted beforehand: a table with probing
// takes four times as long, most of it waiting for memory.
func load(table string) *vocabulary {
	tokens, table := uvarint(table)
	length, table := uvarint(table)
	v := &vocabulary{
		text:   make([]byte, length+slack),
		start:  make([]uint32, tokens+1),
		pairs:  make([]uint64, tokens-256),
		bucket: make([]uint32, 1<<bucketBits+2),
	}
	for rank := range uint32(256) {
		v.text[rank] = table[rank]
		v.start[rank+1] = rank + 1
		v.bytes[table[rank]] = rank
	}
	table = table[256:]
	made := make([]uint64, tokens-256)
	end := uint32(256)
	for i := range made {
		var left, right uint
		left, table = uvarint(table)
		right, table = uvarint(table)
		end = v.copyText(end, left)
		end = v.copyText(end, right)
		rank := i + 256
		v.start[rank+1] = end
		key := uint64(left)<<rankBits | uint64(right)
		made[i] = key<<rankBits | uint64(rank)
		v.bucket[bucketOf(key)+2]++
	}
	for i := 2; i < len(v.bucket); i++ {
		v.bucket[i] += v.bucket[i-1]
	}
	for _, pair := range made {
		next := &v.bucket[bucketOf(pair>>rankBits)+1]
		v.pairs[*next] = pair
		*next++
	}
	return v
}

// uvarint reads the first number of s, of at most three bytes, and returns the
// rest. It is written out because two thirds of the numbers take the same way.
func uvarint(s string) (uint, string) {
	n := uint(s[0])
	if n < 1<<7 {
		return n, s[1:]
	}
	n += (uint(s[1]) - 1) << 7
	if n < 1<<14 {
		return n, s[2:]
	}
	n += (uint(s[2]) - 1) << 14
	return n, s[3:]
}

// copyText puts the text of a token at end and returns where it ends.
func (v *vocabulary) copyText(end uint32, rank uint) uint32 {
	begin := v.start[rank]
	n := v.start[rank+1] - begin
	to, from := v.text[end:], v.text[begin:]
	if n > slack {
		copy(to, from[:n])
		return end + n
	}
	low, high := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	binary.LittleEndian.PutUint64(to, low)
	binary.LittleEndian.PutUint64(to[8:], high)
	return end + n
}

func bucketOf(key uint64) uint64 { return key * factor >> (64 - bucketBits) }

// pair returns the rank of the token that two make, or noRank.
func (v *vocabulary) pair(left, right uint32) uint32 {
	key := uint64(left)<<rankBits | uint64(right)
	h := bucketOf(key)
	for _, pair := range v.pairs[v.bucket[h]:v.bucket[h+1]] {
		if pair>>rankBits == key {
			return uint32(pair & rankMask)
		}
	}
	return noRank
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

// recall returns the rank of the token that a piece was found to be, or
// noRank if it is none or was forgotten.
func (v *vocabulary) recall(h uint64, piece string) uint32 {
	entry := v.seen[h>>(64-seenBits)].Load()
	if entry>>rankBits != tag(h) {
		return noRank
	}
	rank := entry & rankMask
	if string(v.text[v.start[rank]:v.start[rank+1]]) != piece {
		return noRank
	}
	return rank
}

// remember notes that the piece with a hash is a token.
func (v *vocabulary) remember(h uint64, rank uint32) {
	v.seen[h>>(64-seenBits)].Store(tag(h)<<rankBits | rank)
}

// tag is 14 bits of a hash below those that choose the place.
func tag(h uint64) uint32 {
	return uint32(h >> (64 - seenBits - (32 - rankBits)) & (1<<(32-rankBits) - 1))
}

// tokenText returns the bytes of a token, which the caller must not change.
func (v *vocabulary) tokenText(rank int) []byte {
	return v.text[v.start[rank]:v.start[rank+1]]
}

// size is the number of tokens.
func (v *vocabulary) size() int { return len(v.start) - 1 }
