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

// TestListenersThatGo: a listener that goes is told of nothing more and isn't kept, whether it
// goes by itself, was too far behind or was let go of at the end; it may go twice. The others
// hear what comes.
func TestListenersThatGo(t *testing.T) {
	e := newEvents()
	open := func(c chan event) bool {
		for {
			select {
			case _, ok := <-c:
				if !ok {
					return false
				}
			default:
				return true
			}
		}
	}
	_, _, stays := e.listen("")
	for range 3 {
		_, _, goes := e.listen("")
		for range 2 {
			e.leave(goes)
		}
		if e.tell("k", "p", "", nil); open(goes) || len(goes) > 0 {
			t.Error("who went is told of what came after")
		}
	}
	if len(stays) != 3 || len(e.listeners) != 1 {
		t.Errorf("of 3 events who stayed hears %d, and %d listeners are kept", len(stays), len(e.listeners))
	}
	_, _, slow := e.listen("")
	for range maxBehind + 1 {
		e.tell("k", "p", "", nil)
		open(stays) // and reads them
	}
	if len(slow) != maxBehind || open(slow) || !open(stays) || len(e.listeners) != 1 {
		t.Errorf("who reads nothing has %d events, and %d listeners are kept", len(slow), len(e.listeners))
	}
	e.leave(slow)
	e.close()
	_, _, late := e.listen("")
	if open(stays) || open(late) || len(e.listeners) != 0 {
		t.Errorf("at the end %d listeners are kept", len(e.listeners))
	}
	e.leave(stays)
	e.leave(late)
}
