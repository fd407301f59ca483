package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// garbageRoom is how much garbage a process that answers requests may gather before it is
// collected. The runtime collects when there is as much garbage as there is memory in
// use, which a small service reaches many times a second.
const garbageRoom = 32 << 20

// garbage lets garbage grow to a room, however little memory is in use. Where more is in
// use than the room the runtime's own rule holds, so memory never more than doubles for it.
// GOMEMLIMIT bounds all of it as ever.
type garbage struct {
	room uint64

	mu   sync.Mutex
	was  int // the percentage before, and again at the end
	over bool
}

// gatherGarbage lets garbage grow until stop is called. Where GOGC says when to collect
// that holds instead.
func gatherGarbage(room uint64) (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	g := &garbage{room: room}
	g.was = debug.SetGCPercent(percentFor(room, inUse()))
	g.next()
	return g.stop
}

// next has collected called after the next collection, which takes the mark away.
func (g *garbage) next() {
	runtime.AddCleanup(&struct{ mark *garbage }{g}, (*garbage).collected, g)
}

// collected follows what is in use by now.
func (g *garbage) collected() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return
	}
	debug.SetGCPercent(percentFor(g.room, inUse()))
	g.next()
}

func (g *garbage) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	debug.SetGCPercent(g.was)
}

// leastHeap is what the runtime takes for in use where less is, times the percentage.
const leastHeap = 4 << 20

// percentFor is by how many percent of what is in use memory may grow, for a room.
func percentFor(room, used uint64) int {
	return int(max(100, 100*room/max(used, leastHeap)))
}

// inUse is how much the last collection found in use.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
