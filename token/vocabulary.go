package token

import (
	"sync"
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

	// worthTexts is how many bytes are counted before the texts of the tokens
	// are built, which takes as long as they save on about so many.
	worthTexts = 128 << 10
)

// vocabulary finds the token that two tokens merge to. A token is known by its
// rank: the lower, the earlier it merges.
//
// The published rule is to look up the joined text of two neighbours. To look
// up the pair is the same, because every token of both vocabularies is what
// byte pair encoding makes of the token's own bytes (the generator of the
// tables establishes it): two parts side by side have come about just as in
// that token alone, and there only one pair is ever the last.
type vocabulary struct {
	table table
	bytes [256]uint32 // the ranks of single bytes

	// Pairs of the same hash stand in one bucket, from bucket[h] to
	// bucket[h+1]. A pair is the ranks of left and right and, in the lowest
	// bits, of what they make.
	pairs  []uint64
	bucket []uint32

	counted   atomic.Int64 // bytes, until texts are built
	textsOnce sync.Once
	built     atomic.Pointer[texts]
}

// table is an embedded vocabulary as the generator writes it: the number of
// tokens and the length of their texts, 4 bytes each; the bytes that are the
// first 256 tokens; and for each further one its two parts, the lower 16 bits
// of both in 4 bytes and, after those of all tokens, the upper 2 bits of both
// in half a byte. All of one width, because where a varint ends is a guess for
// the processor, and wrong guesses would take more time than all else.
type table string

func (t table) tokens() int { return int(load64(string(t), 0) & (1<<32 - 1)) }
func (t table) length() int { return int(load64(string(t), 0) >> 32) }

// bytes are the first 256 tokens.
func (t table) bytes() string { return string(t[8 : 8+256]) }

// parts are the two planes that pairKey reads.
func (t table) parts() (lower, upper string) {
	s := string(t[8+256:])
	n := 4 * (t.tokens() - 256)
	return s[:n], s[n:]
}

// pairKey is the parts of token i+256 as the key of a pair.
func pairKey(lower, upper string, i int) uint64 {
	low := lower[4*i : 4*i+4]
	left := uint64(low[0]) | uint64(low[1])<<8
	right := uint64(low[2]) | uint64(low[3])<<8
	high := uint64(upper[i/2] >> (i % 2 * 4))
	return (left|high&3<<16)<<rankBits | right | high>>2&3<<16
}

// load builds the pairs. How many go into each bucket is counted before they
// are put there: a table with probing takes three times as long, most of it
// waiting for memory.
func load(t table) *vocabulary {
	v := &vocabulary{
		table:  t,
		pairs:  make([]uint64, t.tokens()-256),
		bucket: make([]uint32, 1<<bucketBits+2),
	}
	for rank, b := range []byte(t.bytes()) {
		v.bytes[b] = uint32(rank)
	}
	lower, upper := t.parts()
	for i := range v.pairs {
		v.bucket[bucketOf(pairKey(lower, upper, i))+2]++
	}
	for h := 2; h < len(v.bucket); h++ {
		v.bucket[h] += v.bucket[h-1]
	}
	for i := range v.pairs {
		key := pairKey(lower, upper, i)
		next := &v.bucket[bucketOf(key)+1]
		v.pairs[*next] = key<<rankBits | uint64(i+256)
		*next++
	}
	return v
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

// size is the number of tokens.
func (v *vocabulary) size() int { return len(v.pairs) + 256 }

// texts returns the texts of the tokens.
func (v *vocabulary) texts() *texts {
	v.textsOnce.Do(func() { v.built.Store(loadTexts(v.table)) })
	return v.built.Load()
}

// textsFor returns the texts for counting n bytes, or nil as long as they are
// not worth building: a program that counts one prompt is done sooner without.
func (v *vocabulary) textsFor(n int) *texts {
	if t := v.built.Load(); t != nil {
		return t
	}
	if v.counted.Add(int64(n)) < worthTexts {
		return nil
	}
	return v.texts()
}
