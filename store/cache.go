package store

// cache remembers values that were used not long ago. What they take together has a
// bound: to make room, one goes that wasn't used since the last time that one was looked
// for. Once it is full it stays as large as it is. The zero value needs a bound.
type cache[K comparable, V any] struct {
	most int // sum of sizes
	held int
	at   map[K]int // in slots
	// gone counts what was taken out of at since it was made: a map that values come to and
	// go from grows to twice what it holds, over hours.
	gone int
	// slots are gone round by hand in search of one that wasn't used.
	slots []slot[K, V]
	hand  int
}

type slot[K comparable, V any] struct {
	key   K
	value V
	size  int
	used  bool
}

func (c *cache[K, V]) get(k K) (V, bool) {
	i, ok := c.at[k]
	if !ok {
		var none V
		return none, false
	}
	c.slots[i].used = true
	return c.slots[i].value, true
}

// put remembers a value of a size of 1.
func (c *cache[K, V]) put(k K, v V) { c.putSized(k, v, 1) }

// putSized remembers a value, unless it alone is larger than all may be.
func (c *cache[K, V]) putSized(k K, v V, size int) {
	i, known := c.at[k]
	if size > c.most {
		c.drop(k)
		return
	}
	if known {
		c.held += size - c.slots[i].size
		c.slots[i] = slot[K, V]{k, v, size, true}
	} else {
		if c.at == nil {
			c.at = make(map[K]int, min(c.most, 64))
		}
		c.at[k] = len(c.slots)
		c.slots = append(c.slots, slot[K, V]{key: k, value: v, size: size})
		c.held += size
	}
	for c.held > c.most {
		if c.hand >= len(c.slots) {
			c.hand = 0
		}
		if s := &c.slots[c.hand]; s.used || s.key == k {
			s.used = false
		} else {
			c.drop(s.key)
		}
		c.hand++ // what came into the place of another is the newest
	}
}

// drop forgets a value.
func (c *cache[K, V]) drop(k K) {
	i, ok := c.at[k]
	if !ok {
		return
	}
	c.held -= c.slots[i].size
	last := len(c.slots) - 1
	c.slots[i] = c.slots[last]
	c.at[c.slots[i].key] = i
	c.slots[last] = slot[K, V]{} // which it would keep
	c.slots = c.slots[:last]
	delete(c.at, k)
	if c.gone++; c.gone > len(c.slots)+64 {
		c.gone, c.at = 0, make(map[K]int, len(c.slots))
		for i := range c.slots {
			c.at[c.slots[i].key] = i
		}
	}
}
