package store

// cache remembers recently used values: two maps, of which the older one is let
// go when the younger one is full. The zero value needs a size.
type cache[K comparable, V any] struct {
	size       int
	young, old map[K]V
}

func (c *cache[K, V]) get(k K) (V, bool) {
	v, ok := c.young[k]
	if !ok {
		if v, ok = c.old[k]; ok {
			c.put(k, v)
		}
	}
	return v, ok
}

func (c *cache[K, V]) put(k K, v V) {
	if c.young == nil || len(c.young) >= c.size {
		c.young, c.old = make(map[K]V, min(c.size, 64)), c.young
	}
	c.young[k] = v
}
