package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// collectAt is the percentage that the runtime goes by.
func collectAt() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// TestGarbageRoom: garbage has a room where little is in use, no more than the runtime
// gives it where much is, and none when the process is told when to collect.
func TestGarbageRoom(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	t.Setenv("GOGC", "")
	runtime.GC()
	room := max(256<<20, 8*inUse()) // whatever the tests before left in use is little
	stop := gatherGarbage(room)
	runtime.GC()
	if at := collectAt(); at < 200 {
		t.Errorf("with little in use garbage may grow by %d %%", at)
	}
	much := make([]byte, room+room/4)
	for collectAt() != 100 { // what follows a collection runs by itself
		runtime.GC()
	}
	runtime.KeepAlive(much)
	for collectAt() < 200 {
		runtime.GC()
	}
	stop()
	runtime.GC()
	if at := collectAt(); at != 100 {
		t.Errorf("at the end it is %d %%, and was 100 %%", at)
	}
	t.Setenv("GOGC", "100")
	defer gatherGarbage(room)()
	runtime.GC()
	if at := collectAt(); at != 100 {
		t.Errorf("GOGC says 100 %%, and it is %d %%", at)
	}
}

// TestGarbagePercent: the percentage gives the room, whatever is in use.
func TestGarbagePercent(t *testing.T) {
	for _, c := range []struct {
		used uint64
		want int
	}{{0, 800}, {1 << 20, 800}, {8 << 20, 400}, {32 << 20, 100}, {1 << 30, 100}} {
		if got := percentFor(garbageRoom, c.used); got != c.want {
			t.Errorf("with %d bytes in use it is %d %%, not %d %%", c.used, got, c.want)
		}
	}
}
