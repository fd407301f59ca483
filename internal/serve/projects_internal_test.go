package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/watch"
)

// following counts what is followed.
type following struct {
	mu       sync.Mutex
	readings map[*watch.Reading]bool
}

func (f *following) Follow(r *watch.Reading) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readings[r] = true
}

func (f *following) Leave(r *watch.Reading) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.readings, r)
}

// What isn't kept any more isn't followed either, also where it was being collected when
// it had to go for others.
func TestOnlyWhatIsKeptIsFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: Hello.\nscope: \"off\"\nprofile: \"off\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &following{readings: map[*watch.Reading]bool{}}
	var waiting, collecting chan struct{} // of one request; nil for none
	s := &served{name: "web", watcher: f, now: func() time.Time {
		if at := waiting; at != nil {
			waiting = nil
			close(at)
			<-collecting
		}
		return time.Unix(0, 0)
	}}
	open := func(n int) {
		r := app.Request{Dir: dir, Servers: app.NoServers, Vars: json.RawMessage(fmt.Sprintf(`{"n": %d}`, n))}
		if _, err := (&place{of: s}).Open(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	open(0)
	at, done := make(chan struct{}), make(chan struct{})
	waiting, collecting = at, make(chan struct{})
	go func() { defer close(done); open(1) }()
	<-at
	const others = 50
	for i := range others {
		open(2 + i)
	}
	close(collecting)
	<-done
	held := map[*watch.Reading]bool{}
	for _, v := range s.variations() {
		held[v.Reading] = true
	}
	if len(held) == 0 || len(held) > others || len(f.readings) != len(held) {
		t.Errorf("%d readings are followed of %d that are kept", len(f.readings), len(held))
	}
	for r := range f.readings {
		if !held[r] {
			t.Error("a reading is followed that nobody has")
		}
	}
}

// What couldn't be collected is tried anew after a while, and where the clock was put back,
// since it needn't be a file that is wrong. What was collected counts at any time, until
// something that it is made of changes.
func TestErrorsCountForAWhile(t *testing.T) {
	for _, broken := range []bool{true, false} {
		dir := t.TempDir()
		manifest := "system: Hello.\nscope: \"off\"\nprofile: \"off\"\n"
		if broken {
			manifest = "sytem: Hello.\n"
		}
		if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(manifest), 0o600); err != nil {
			t.Fatal(err)
		}
		now := time.Unix(1_000_000, 0)
		f := &following{readings: map[*watch.Reading]bool{}}
		s := &served{name: "web", watcher: f, now: func() time.Time { return now }}
		for i, x := range []struct {
			jump  time.Duration
			anew  bool
			which string
		}{
			{0, true, "at first"}, {0, false, "at once"}, {again - 1, false, "just before"}, {1, true, "after a while"}, {again - 1, false, "counted from then"},
			{-(again - 1), false, "at that moment"}, {-1, true, "put back by little"}, {-time.Hour, true, "put back by much"}, {time.Hour, true, "long after"},
		} {
			now = now.Add(x.jump)
			var was *watch.Reading
			if s.plain != nil {
				was = s.plain.Reading
			}
			_, err := (&place{of: s}).Open(t.Context(), app.Request{Dir: dir, Servers: app.NoServers})
			if (err != nil) != broken {
				t.Fatalf("%s: %v", x.which, err)
			}
			anew := s.plain.Reading != was
			if anew != (x.anew && (broken || i == 0)) || s.plain.Reading == nil || len(f.readings) != 1 {
				t.Errorf("broken %t, %s: collected anew: %t; %d readings are followed", broken, x.which, anew, len(f.readings))
			}
		}
	}
}

// TestVariationsThatGo: what isn't kept any more lets go of what it was read from, once, as
// soon as nobody has it locked, and can be locked again by who came too late.
func TestVariationsThatGo(t *testing.T) {
	f := &following{readings: map[*watch.Reading]bool{}}
	s := &served{watcher: f}
	for _, x := range []struct{ left, locked bool }{{false, false}, {true, false}, {true, true}, {false, true}} {
		v := &variation{}
		v.Reading = new(watch.Reading)
		f.Follow(v.Reading)
		v.left.Store(x.left)
		if x.locked {
			v.mu.Lock()
		}
		s.drop(v)
		if gone := v.Reading == nil; gone != (x.left && !x.locked) {
			t.Errorf("%+v: it is gone: %t", x, gone)
		}
		if x.locked {
			s.unlock(v)
		}
		if gone := v.Reading == nil; gone != x.left || len(f.readings) != map[bool]int{true: 0, false: 1}[x.left] {
			t.Errorf("%+v: at last it is gone: %t, and %d are followed", x, gone, len(f.readings))
		}
		if !v.mu.TryLock() {
			t.Errorf("%+v: nobody can lock it", x)
		}
		clear(f.readings)
	}
}
