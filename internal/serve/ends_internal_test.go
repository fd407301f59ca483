package serve

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/mcpserver"
)

// TestExpiredPagesGivePlaceFirst: a page whose time isn't over keeps its token while there
// are others whose time is, also where the clock was put back in between.
func TestExpiredPagesGivePlaceFirst(t *testing.T) {
	var g signIn
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	enter := func(at time.Time) string {
		t.Helper()
		g.code, g.until = sumOf("code"), at.Add(codeTime)
		secret := g.enter("code", at)
		if secret == "" {
			t.Fatal("the code lets nobody in")
		}
		return secret
	}
	first := enter(now)
	put := now.Add(-10 * time.Hour)
	for range mostOfPages - 1 {
		enter(put)
	}
	later := put.Add(pageTime) // the others are over, the first one isn't
	last := enter(later)
	if g.find(first, later) == nil || g.find(last, later) == nil || len(g.pages) != 2 || len(g.ends) != 2 {
		t.Errorf("the first page is let in: %t, the last one: %t; %d are kept", g.find(first, later) != nil, g.find(last, later) != nil, len(g.pages))
	}
	// Where none is over, the oldest goes, and there are never more than may be.
	for i := range 2 * mostOfPages {
		enter(later.Add(time.Duration(i)))
		if len(g.pages) > mostOfPages || len(g.pages) != len(g.ends) {
			t.Fatalf("%d pages and %d ends are kept", len(g.pages), len(g.ends))
		}
	}
	if g.find(last, later) != nil {
		t.Error("the oldest page is let in")
	}
}

// TestMCPServersAreBounded: tokens that reach the same projects share a server, and there
// are never more than may be, however many sets of projects tokens have.
func TestMCPServersAreBounded(t *testing.T) {
	s := &Server{}
	for i := range 2 {
		s.projects = append(s.projects, &served{name: fmt.Sprint("p", i)})
	}
	m := newMCPServers(s)
	of := func(set int) *token {
		t := &token{}
		for i := range 2 {
			if set>>i&1 == 1 {
				t.grants = append(t.grants, grant{ScopeRead, fmt.Sprint("p", i)})
			}
		}
		return t
	}
	if m.of(of(0)) != nil || len(m.known) != 0 {
		t.Error("a token that reads nothing has a server")
	}
	for i := range mostServers - 1 {
		m.known[fmt.Sprint("another ", i)] = &mcpserver.Server{}
	}
	for _, x := range []struct{ set, want int }{{1, mostServers}, {3, 1}} {
		if a, b := m.of(of(x.set)), m.of(of(x.set)); a == nil || a != b {
			t.Errorf("set %d of projects has two servers", x.set)
		}
		if len(m.known) != x.want {
			t.Errorf("%d sets of projects have a server, want %d", len(m.known), x.want)
		}
	}
}

// TestTimes: the times that nobody sets are those that are documented.
func TestTimes(t *testing.T) {
	h := (&Server{most: mostTime, log: slog.New(slog.DiscardHandler)}).httpServer(nil)
	if h.ReadTimeout != 30*time.Second || h.WriteTimeout != time.Minute || h.ReadHeaderTimeout != 10*time.Second || h.IdleTimeout != 2*time.Minute || h.MaxHeaderBytes != 64<<10 {
		t.Errorf("a request has %s, its answer %s, its headers %s and %d bytes, and a connection %s", h.ReadTimeout, h.WriteTimeout, h.ReadHeaderTimeout, h.MaxHeaderBytes, h.IdleTimeout)
	}
	if short := (&Server{most: time.Second, log: slog.New(slog.DiscardHandler)}).httpServer(nil); short.ReadHeaderTimeout != time.Second {
		t.Errorf("headers have %s of a second", short.ReadHeaderTimeout)
	}
}

// TestLongAnswers: what is sent piece by piece, as an export is, may take as long as it is
// read; every other answer has to be made in time.
func TestLongAnswers(t *testing.T) {
	for _, r := range recordRoutes() {
		if r.long != (r.kind == "application/x-ndjson") {
			t.Errorf("%s of kind %q may take long: %t", r.path, r.kind, r.long)
		}
	}
	s := &Server{most: mostTime, metrics: newMetrics(), gate: newGate(1)}
	for _, long := range []bool{true, false} {
		asked := false
		x := &exchange{s: s, r: httptest.NewRequest(http.MethodGet, "/x", http.NoBody), w: &counted{ResponseWriter: httptest.NewRecorder()}}
		err := x.enter(&route{method: http.MethodGet, long: long, handle: func(x *exchange) error {
			asked = true
			if _, ends := x.r.Context().Deadline(); ends == long {
				t.Errorf("an answer that may take long (%t) has to be made in time: %t", long, ends)
			}
			return nil
		}})
		if err != nil || !asked || len(s.gate.slots) != 0 {
			t.Errorf("%v; asked: %t, and %d have a place", err, asked, len(s.gate.slots))
		}
	}
}

// TestMetricsElsewhere: metrics have an address of their own only where one was named.
func TestMetricsElsewhere(t *testing.T) {
	if got := new(Server).MetricsAddress(); got != "" {
		t.Errorf("nowhere is %q", got)
	}
}
