package serve

import (
	"fmt"
	"testing"
)

// TestMissedEvents: who comes again has what it missed, all that is kept of it, and is told
// where that isn't everything.
func TestMissedEvents(t *testing.T) {
	e := newEvents()
	const further = 3
	for range keptEvents + further {
		e.tell("k", "p", "", nil)
	}
	for _, c := range []struct {
		after string
		first int64 // of those that are sent; 0: none is
		reset bool
	}{
		{"", 0, false},
		{e.id(e.last), 0, false},
		{e.id(e.last - 1), e.last, false},
		{e.id(further + 1), further + 2, false},
		{e.id(further), further + 1, false},
		{e.id(further - 1), further + 1, true},
		{e.id(0), further + 1, true},
		{e.id(e.last + 1), 0, true},
		{"other-" + fmt.Sprint(e.last), 0, true},
		{"no id", 0, true},
	} {
		missed, reset, coming := e.listen(c.after)
		e.leave(coming)
		first := int64(0)
		if len(missed) > 0 {
			first = missed[0].id
			if last := missed[len(missed)-1].id; last != e.last || int64(len(missed)) != last-first+1 {
				t.Errorf("after %q: %d events from %d to %d", c.after, len(missed), first, last)
			}
		}
		if first != c.first || reset != c.reset {
			t.Errorf("after %q: from %d, reset %v; want from %d, %v", c.after, first, reset, c.first, c.reset)
		}
	}
}
