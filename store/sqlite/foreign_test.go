package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/store"
)

// endless is a query without end.
const endless = "(WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT count(*) FROM x)"

// made is a new store, closed again.
func made(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	s, err := Open(t.Context(), path, store.Options{})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// alter runs statements on a database, without the protection of a store.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range append(statements, "PRAGMA wal_checkpoint(TRUNCATE)") {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// schemaChanges gives whatever somebody can add to a store or put in the place of its
// tables, by a name.
func schemaChanges() map[string][]string {
	changes := map[string][]string{
		"view": {"CREATE VIEW v AS SELECT 1"}, "table": {"CREATE TABLE more (a)"}, "missing": {"DROP TABLE input"},
		"virtual table": {"CREATE VIRTUAL TABLE v USING fts5(a)"}, "virtual table for statistics": {"CREATE VIRTUAL TABLE v USING dbstat"},
	}
	versions := schemas()
	for _, o := range versions[len(versions)-1] {
		switch {
		case o.Type == "index":
			changes["without the index "+o.Name] = []string{"DROP INDEX " + o.Name}
			continue
		case strings.HasPrefix(o.SQL, "CREATE VIRTUAL"), strings.HasPrefix(o.Name, "word"), strings.HasPrefix(o.Name, "listed"):
			continue // SQLite has no triggers, columns or indexes there
		}
		for _, when := range []string{"BEFORE", "AFTER"} {
			for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
				changes[when+" "+event+" on "+o.Name] = []string{fmt.Sprintf("CREATE TRIGGER t %s %s ON %s BEGIN SELECT %s; END", when, event, o.Name, endless)}
			}
		}
		rename := fmt.Sprintf("ALTER TABLE %s RENAME TO other", o.Name)
		changes["view for "+o.Name] = []string{rename, fmt.Sprintf("CREATE VIEW %s AS SELECT %s AS value, 'epoch' AS name", o.Name, endless)}
		changes["view that reads "+o.Name] = []string{rename, fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM other WHERE %s", o.Name, endless)}
		changes["virtual table for "+o.Name] = []string{rename, fmt.Sprintf("CREATE VIRTUAL TABLE %s USING fts5(name, value)", o.Name)}
		changes["column of "+o.Name] = []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra", o.Name)}
		changes["computed column of "+o.Name] = []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra AS (zeroblob(1000000000)) VIRTUAL", o.Name)}
		changes["index of "+o.Name] = []string{fmt.Sprintf("CREATE INDEX extra ON %s (length(hex(zeroblob(10))))", o.Name)}
		changes["check of "+o.Name] = []string{
			"PRAGMA writable_schema=ON", fmt.Sprintf("UPDATE sqlite_master SET sql = substr(sql, 1, instr(sql, '(')) || 'CHECK (1), ' || substr(sql, instr(sql, '(') + 1) WHERE name = '%s' AND 0", o.Name),
			fmt.Sprintf("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', ' NOT NULL CHECK (zeroblob(9) IS NOT NULL)') WHERE name = '%s'", o.Name),
		}
	}
	return changes
}

// TestForeignSchemas: a store with anything that no release makes is refused before a
// statement of it runs, however it is opened, and stays as it was.
func TestForeignSchemas(t *testing.T) {
	for name, statements := range schemaChanges() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := made(t)
			alter(t, path, statements...)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []store.Options{{}, {Existing: true}, {ReadOnly: true}} {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				s, err := Open(ctx, path, o)
				cancel()
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, store.Foreign) {
					t.Errorf("%+v: %v", o, err)
				}
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the store changed: %v", err)
			}
		})
	}
}

// TestKnownSchemas: what SQLite itself adds to a database is not foreign, and neither is
// what a newer release has.
func TestKnownSchemas(t *testing.T) {
	path := made(t)
	alter(t, path, "ANALYZE", "VACUUM")
	for _, o := range []store.Options{{}, {ReadOnly: true}} {
		s, err := Open(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	alter(t, path, "CREATE TABLE more (a)", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)")
	if _, err := Open(t.Context(), path, store.Options{}); !errors.Is(err, store.Newer) {
		t.Error(err)
	}
}

// TestFilesNextToAStore: nothing next to a store keeps SQLite waiting, or leads it elsewhere.
func TestFilesNextToAStore(t *testing.T) {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		for _, kind := range []string{"pipe", "link", "link to nothing", "folder"} {
			t.Run(suffix+" "+kind, func(t *testing.T) {
				path := made(t)
				outside := filepath.Join(t.TempDir(), "outside")
				if err := os.RemoveAll(path + suffix); err != nil {
					t.Fatal(err)
				}
				var err error
				switch kind {
				case "pipe":
					if !treetest.Pipe(t, path+suffix) {
						t.Skip("skipped: there are no pipes here")
					}
				case "folder":
					err = os.Mkdir(path+suffix, 0o755)
				case "link":
					if err = os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
						t.Fatal(err)
					}
					fallthrough
				default:
					err = os.Symlink(outside, path+suffix)
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range []store.Options{{}, {ReadOnly: true}} {
					if s, err := Open(t.Context(), path, o); !errors.Is(err, store.Foreign) {
						t.Errorf("%+v: %v", o, err)
						if err == nil {
							s.Close()
						}
					}
				}
				if text, err := os.ReadFile(outside); kind == "link" && string(text) != "outside" || kind != "link" && !os.IsNotExist(err) {
					t.Errorf("%q, %v", text, err)
				}
			})
		}
	}
}
