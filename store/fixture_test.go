package store

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

// postgresAddress is the server that the tests ask for a schema of their own.
const postgresAddress = "postgres://postgres@127.0.0.1:5432/test"

// onBoth runs a test on both engines, each with a store of its own.
func onBoth(t *testing.T, test func(t *testing.T, place string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqlitePlace(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresPlace(t)) })
}

func sqlitePlace(t testing.TB) string { return filepath.Join(t.TempDir(), "cento.db") }

// postgresPlace makes a schema that is dropped with the test. Without a server
// the test is skipped, unless CENTO_REQUIRE_POSTGRES says that there must be one.
func postgresPlace(t testing.TB) string {
	t.Helper()
	address := os.Getenv("CENTO_TEST_POSTGRES")
	if address == "" {
		address = postgresAddress
	}
	db, err := sql.Open("pgx", address+"?connect_timeout=3")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Ping(); err != nil {
		if os.Getenv("CENTO_REQUIRE_POSTGRES") == "" {
			t.Skipf("no PostgreSQL server answers at %s; CENTO_REQUIRE_POSTGRES=1 makes this a failure", address)
		}
		t.Fatalf("no PostgreSQL server answers at %s: %v", address, err)
	}
	schema := fmt.Sprintf("cento_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.Exec("DROP SCHEMA " + schema + " CASCADE"); err != nil {
			t.Error(err)
		}
	})
	return address + "?search_path=" + schema
}

// clock goes one second further each time it is asked.
func clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

func open(t testing.TB, place string, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), place, o)
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
