package token

import (
	"hash/maphash"
	"sync"

	"github.com/cento-dev/cento"
)

// defaultCacheSize is how many counts a [Cache] keeps unless told otherwise:
// about 1 MB.
const defaultCacheSize = 8192

// Cache remembers counts by a fingerprint of the text and the name of the
// counter. It keeps a bounded number and forgets the oldest first. What it
// returns never depends on what it holds: a count is counted or remembered,
// and the same either way. It is safe for concurrent use. The zero value is
// ready and keeps [defaultCacheSize] counts.
type Cache struct {
	seeded sync.Once
	seeds  [2]maphash.Seed
	mu     sync.Mutex
	size   int
	counts map[cacheKey]int
	order  []cacheKey // a ring; the oldest is at oldest once it is full
	oldest int
}

// cacheKey tells texts apart: by their length and two hashes with seeds that nobody
// can know, so that no text can be made to pass for another. It never leaves the
// process, and takes a small part of the time that a digest would.
type cacheKey struct {
	hashes  [2]uint64
	size    int
	counter string
}

// NewCache returns a cache of size counts, or of [defaultCacheSize] if size is
// not positive.
func NewCache(size int) *Cache { return &Cache{size: size} }

// Count returns what counter counts for text.
func (c *Cache) Count(counter cento.Counter, text string) int {
	c.seeded.Do(func() {
		for i := range c.seeds {
			c.seeds[i] = maphash.MakeSeed()
		}
	})
	key := cacheKey{size: len(text), counter: counter.Name()}
	for i, seed := range c.seeds {
		key.hashes[i] = maphash.String(seed, text)
	}
	c.mu.Lock()
	n, ok := c.counts[key]
	c.mu.Unlock()
	if ok {
		return n
	}
	// Counted without the lock: others need not wait, and two who count the
	// same text at once find the same.
	n = counter.Count(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, n)
	return n
}

// Counter returns a counter that counts as the given one does and keeps its
// counts in c. Hashing a text takes a small part of the time that counting does,
// so it pays where texts come again: the fragments of a prompt that is assembled
// for one active set after the other, and for one turn after the other.
//
// It is a [cento.PartCounter] if the given one is; weights aren't kept.
func (c *Cache) Counter(counter cento.Counter) cento.Counter {
	r := remembering{counter, c}
	if parts, ok := counter.(cento.PartCounter); ok {
		return rememberingParts{r, parts}
	}
	return r
}

// remembering is a counter with a cache.
type remembering struct {
	cento.Counter
	cache *Cache
}

// rememberingParts is one that counts by parts.
type rememberingParts struct {
	remembering
	parts cento.PartCounter
}

func (r rememberingParts) Splits(left, right string) bool { return r.parts.Splits(left, right) }
func (r rememberingParts) Weigh(text string) int          { return r.parts.Weigh(text) }
func (r rememberingParts) Tokens(weight int) int          { return r.parts.Tokens(weight) }

func (r remembering) Count(s string) int { return r.cache.Count(r.Counter, s) }

// Len returns how many counts are kept.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.counts)
}

func (c *Cache) keep(key cacheKey, n int) {
	if _, ok := c.counts[key]; ok {
		return
	}
	if c.counts == nil {
		c.counts = make(map[cacheKey]int)
		if c.size <= 0 {
			c.size = defaultCacheSize
		}
	}
	if len(c.order) < c.size {
		c.order = append(c.order, key)
	} else {
		delete(c.counts, c.order[c.oldest])
		c.order[c.oldest] = key
		c.oldest = (c.oldest + 1) % c.size
	}
	c.counts[key] = n
}
