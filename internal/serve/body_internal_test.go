package serve

import "testing"

// TestSending: an answer for which there is room gives its place up and the room back when
// it was sent; one for which there is none keeps its place, and gives back nothing that it
// never had.
func TestSending(t *testing.T) {
	for _, c := range []struct {
		name        string
		size        int
		left, while int64 // of the room for answers: before, and as it is sent
		keeps       bool
	}{
		{"small", smallBytes, 10, 10, false},
		{"with room", smallBytes + 1, smallBytes + 1, 0, false},
		{"without room", smallBytes + 1, smallBytes, smallBytes, true},
	} {
		s := &Server{gate: newGate(1)}
		s.answers.left.Store(c.left)
		s.gate.slots <- struct{}{}
		x := &exchange{s: s, place: s.gate, gated: true}
		sent := x.sending(c.size)
		if left := s.answers.left.Load(); left != c.while || (x.place != nil) != c.keeps || (len(s.gate.slots) == 1) != c.keeps {
			t.Errorf("%s: as it is sent there is room for %d, and it keeps its place: %v", c.name, left, x.place != nil)
		}
		if sent(); s.answers.left.Load() != c.left {
			t.Errorf("%s: when it was sent there is room for %d, of %d", c.name, s.answers.left.Load(), c.left)
		}
	}
}
