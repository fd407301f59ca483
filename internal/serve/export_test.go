package serve

import "time"

// SetTime bounds requests by another time than [mostTime].
func (c *Config) SetTime(d time.Duration) { c.most = d }

// Fill fills the gate, as so many requests under way would.
func (s *Server) Fill() (leave func()) {
	for range cap(s.gate.slots) {
		s.gate.slots <- struct{}{}
	}
	s.gate.waiting.Add(int64(cap(s.gate.slots)))
	return func() {
		s.gate.waiting.Add(-int64(cap(s.gate.slots)))
		for range cap(s.gate.slots) {
			<-s.gate.slots
		}
	}
}

// SetDrain is how long requests under way have at the end, instead of [drainTime].
func (c *Config) SetDrain(d time.Duration) { c.drain = d }
