package serve

import (
	"fmt"
	"log/slog"
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
