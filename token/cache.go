package token

import (
	"crypto/sha256"
	"sync"
)

// DefaultCacheSize is how many counts a [Cache] keeps unless told otherwise:
// about 1 MB.
const DefaultCacheSize = 8192

// Cache remembers counts by the digest of the text and the name of the
// counter. It keeps a bounded number and forgets the oldest first. What it
// returns never depends on what it holds: a count is counted or remembered,
// and the same either way. It is safe for concurrent use. The zero value is
// ready and keeps [DefaultCacheSize] counts.
type Cache struct {
	mu     sync.Mutex
	size   int
	counts map[cacheKey]int
	order  []cacheKey // a ring; the oldest is at oldest once it is full
	oldest int
}

type cacheKey struct {
	digest  [sha256.Size]byte
	counter string
}

// NewCache returns a cache of size counts, or of [DefaultCacheSize] if size is
// not positive.
func NewCache(size int) *Cache { return &Cache{size: size} }

// Count returns what counter counts for text.
func (c *Cache) Count(counter Counter, text string) int {
	return c.CountDigest(counter, sha256.Sum256([]byte(text)), text)
}

// CountDigest is [Cache.Count] for a caller who knows the SHA-256 of text. A
// wrong digest gives wrong counts, now or later.
func (c *Cache) CountDigest(counter Counter, digest [sha256.Size]byte, text string) int {
	key := cacheKey{digest: digest, counter: counter.Name()}
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
func (c *Cache) Counter(counter Counter) Counter { return remembering{counter, c} }

// remembering is a counter with a cache.
type remembering struct {
	Counter
	cache *Cache
}

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
			c.size = DefaultCacheSize
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
