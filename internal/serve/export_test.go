package serve

import (
	"strings"
	"time"

	"github.com/cento-dev/cento/internal/app"
)

// MostStreams is how many clients may listen at once.
const MostStreams = mostStreams

// SetTime bounds requests by another time than [mostTime].
func (c *Config) SetTime(d time.Duration) { c.most = d }

// SetAnswer bounds answers by another number of bytes than [call.MostAnswer].
func (c *Config) SetAnswer(bytes int) { c.answer = bytes }

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

// Waiting is how many requests wait for a place.
func (s *Server) Waiting() int64 { return s.gate.waiting.Load() }

// WaitingForStore is how many requests wait for a place among those that ask the store.
func (s *Server) WaitingForStore() int64 { return s.storing.waiting.Load() }

// CloseForTest lets go of what a server that never served has opened.
func (s *Server) CloseForTest() error { return s.close() }

// LoseListener closes the address of the service, or the one for metrics, as a machine does
// that loses a network.
func (s *Server) LoseListener(aside bool) error {
	if aside {
		return s.aside.Close()
	}
	return s.listener.Close()
}

// CountStoreError counts a failure of the store that didn't happen.
func (s *Server) CountStoreError() {
	s.metrics.storeErrors.WithLabelValues(string(app.StoreUnreachable)).Inc()
}

// SetDrain is how long requests under way have at the end, instead of [drainTime].
func (c *Config) SetDrain(d time.Duration) { c.drain = d }

// SetHeartbeat is how often a stream without events says that it is there, instead of
// [heartbeat].
func (c *Config) SetHeartbeat(d time.Duration) { c.beat = d }

// Tell tells those who listen of an event that didn't happen, of so many bytes.
func (s *Server) Tell(bytes int) {
	s.events.tell("session.transition", "web", "web:s", strings.Repeat("x", bytes))
}

// TellChanged tells those who listen that the files of a project changed, which they didn't.
func (s *Server) TellChanged(project string) {
	s.events.tell("project.changed", project, "", map[string]string{"project": project})
}

// Listeners is how many clients are told of events.
func (s *Server) Listeners() int {
	s.events.mu.Lock()
	defer s.events.mu.Unlock()
	return len(s.events.listeners)
}

// Routes are all that the service answers, each as METHOD PATH with the scope that it
// needs.
func (s *Server) Routes() map[string]Scope {
	out := map[string]Scope{}
	for _, r := range append(s.routes(), inspectorRoutes()...) {
		out[r.method+" "+r.path] = r.scope
	}
	return out
}

// BodyRoom is how many bytes there is room for of bodies on their way.
func (s *Server) BodyRoom() int64 { return s.bodies.left.Load() }

// Limited reports whether a route, METHOD PATH, has a bound on its time and its answer.
func (s *Server) Limited(name string) bool {
	for _, r := range append(s.routes(), inspectorRoutes()...) {
		if r.method+" "+r.path == name {
			return !r.free && !r.long
		}
	}
	return false
}
