package store

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
)

// The places of tests; see [storetest].
var (
	onBoth        = storetest.OnBoth
	sqlitePlace   = storetest.SQLite
	postgresPlace = storetest.Postgres
	quickFolder   = storetest.Folder
)

// diskPlace is on the disk, for what is measured.
func diskPlace(t testing.TB) string { return filepath.Join(t.TempDir(), "cento.db") }

// clock goes one second further each time it is asked.
func clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

func open(t testing.TB, place string, o Options) *Store {
	t.Helper()
	s, err := OpenPlace(context.Background(), place, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// draft makes a prompt of fragments, written `id: text`; `-id: text` is one that
// asks for a tool that isn't there.
func draft(t testing.TB, label string, fragments ...string) Draft {
	t.Helper()
	var in cento.Input
	for _, f := range fragments {
		id, text, ok := strings.Cut(f, ": ")
		if !ok {
			t.Fatalf("%q is no fragment", f)
		}
		x := cento.NewFragment(strings.TrimPrefix(id, "-"), "test", cento.Before, text)
		if strings.HasPrefix(id, "-") {
			x = x.RequiringTools("none")
		}
		in.Fragments = append(in.Fragments, x)
	}
	return drafted(t, label, in)
}

func drafted(t testing.TB, label string, in cento.Input) Draft {
	t.Helper()
	p, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	return Draft{Prompt: p, Input: in, Label: label}
}

// freePort is an address that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
