// Package storetest gives tests a place for a store, on each of the two engines.
package storetest

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the server
)

// address is the server that is asked for a schema; $CENTO_TEST_POSTGRES names
// another one.
const address = "postgres://postgres@127.0.0.1:5432/test"

// OnBoth runs a test on both engines, each with a place of its own.
func OnBoth(t *testing.T, test func(t *testing.T, place string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite is the path of a file that isn't there yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return filepath.Join(Folder(t), "cento.db")
}

// Folder is a new folder, in memory where there is such a place: what is tested
// there doesn't need a slow disk. What is measured does.
func Folder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "cento")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// Postgres makes a schema that is dropped with the test. Without a server the
// test is skipped, unless CENTO_REQUIRE_POSTGRES says that there must be one.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv("CENTO_TEST_POSTGRES")
	if server == "" {
		server = address
	}
	db, err := sql.Open("pgx", server+"?connect_timeout=3")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Ping(); err != nil {
		if os.Getenv("CENTO_REQUIRE_POSTGRES") == "" {
			t.Skipf("no PostgreSQL server answers at %s; CENTO_REQUIRE_POSTGRES=1 makes this a failure", server)
		}
		t.Fatalf("no PostgreSQL server answers at %s: %v", server, err)
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
	return server + "?search_path=" + schema
}
