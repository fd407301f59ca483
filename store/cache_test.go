package store

import (
	"encoding/binary"
	"runtime"
	"testing"
)

// TestFullCacheKeepsItsMemoryBound: once it is full, a cache stays as large as it is,
// however many values come and go, and finds those that it holds.
func TestFullCacheKeepsItsMemoryBound(t *testing.T) {
	const most = 1 << 15
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what pools let go is held until the second one
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	key := func(n int) (d digest) {
		binary.LittleEndian.PutUint64(d[:], uint64(n)*0x9e3779b97f4a7c15)
		return d
	}
	before := heap()
	c := cache[digest, int64]{most: most}
	n := 0
	for ; n < most; n++ {
		c.put(key(n), int64(n))
	}
	full := heap() - before
	for ; n < 12*most; n++ {
		c.put(key(n), int64(n))
	}
	if now := heap() - before; now > full+full/8 {
		t.Errorf("full it takes %d bytes, and %d when %d values have come and gone", full, now, 11*most)
	}
	found := 0
	for i := range n {
		if v, ok := c.get(key(i)); ok {
			if v != int64(i) {
				t.Fatalf("the value of %d is %d", i, v)
			}
			found++
		}
	}
	if found != most || c.held != most {
		t.Errorf("%d of %d values are found, %d are counted", found, most, c.held)
	}
}
