package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/postgres"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// tables are those of a store.
var tables = []string{"store", "session", "record", "text", "word", "entry", "list", "listed", "input", "kept", "request", store.VersionTable}

// schemaChanges gives what somebody can add to a store or put in the place of its tables, by
// a name. Most would call a function with the rights of the store.
func schemaChanges() map[string][]string {
	changes := map[string][]string{"missing": {"DROP TABLE kept"}}
	for i, table := range tables {
		if i%lengthtest.Of(11, 4, 1) != 0 {
			continue
		}
		for _, when := range []string{"BEFORE", "AFTER"} {
			for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
				changes[when+" "+event+" on "+table] = []string{fmt.Sprintf("CREATE TRIGGER t %s %s ON %s FOR EACH ROW EXECUTE FUNCTION fired()", when, event, table)}
			}
		}
		for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
			changes["rule for "+event+" on "+table] = []string{fmt.Sprintf("CREATE RULE r AS ON %s TO %s DO ALSO SELECT f()", event, table)}
		}
		rename := fmt.Sprintf("ALTER TABLE %s RENAME TO other", table)
		changes["view for "+table] = []string{rename, fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM other WHERE f()", table)}
		changes["materialised view for "+table] = []string{rename, fmt.Sprintf("CREATE MATERIALIZED VIEW %s AS SELECT * FROM other", table)}
		changes["policy on "+table] = []string{fmt.Sprintf("CREATE POLICY p ON %s USING (f())", table), fmt.Sprintf("ALTER TABLE %s FORCE ROW LEVEL SECURITY", table)}
		changes["check of "+table] = []string{fmt.Sprintf("ALTER TABLE %s ADD CHECK (f()) NOT VALID", table)}
		changes["default in "+table] = []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra BOOLEAN", table), fmt.Sprintf("ALTER TABLE %s ALTER COLUMN extra SET DEFAULT f()", table)}
		changes["computed column of "+table] = []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra BOOLEAN GENERATED ALWAYS AS (fixed(1)) STORED", table)}
		changes["type in "+table] = []string{"CREATE DOMAIN d AS BIGINT CHECK (f())", fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra d", table)}
		changes["index of "+table] = []string{fmt.Sprintf("CREATE INDEX i ON %s (fixed(1))", table)}
		changes["partial index of "+table] = []string{fmt.Sprintf("CREATE INDEX i ON %s ((1)) WHERE fixed(1)", table)}
		changes["part of "+table] = []string{fmt.Sprintf("CREATE TABLE part () INHERITS (%s)", table)}
	}
	return changes
}

// run does statements on a server, without the protection of a store.
func run(t *testing.T, place string, statements ...string) {
	t.Helper()
	db, err := sql.Open("pgx", place)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// made is a new store, closed again, in a schema with functions that tell that they ran.
func made(t *testing.T) string {
	t.Helper()
	place := storetest.Postgres(t)
	s, err := postgres.Open(t.Context(), place, store.Options{})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, place,
		"CREATE SEQUENCE ran",
		"CREATE FUNCTION f() RETURNS BOOLEAN LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('ran'); RETURN true; END $$",
		"CREATE FUNCTION fired() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('ran'); RETURN NEW; END $$",
		"CREATE FUNCTION fixed(n INT) RETURNS BOOLEAN LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN true; END $$",
	)
	return place
}

// TestForeignSchemas checks that a store with a program of somebody else is refused before the
// program runs, however the store is opened.
func TestForeignSchemas(t *testing.T) {
	for name, statements := range schemaChanges() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := made(t)
			run(t, place, statements...)
			run(t, place, "SELECT setval('ran', 1, false)")
			for _, o := range []store.Options{{}, {Existing: true}, {ReadOnly: true}} {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				s, err := postgres.Open(ctx, place, o)
				cancel()
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, store.Foreign) {
					t.Errorf("%+v: %v", o, err)
				}
			}
			// The division fails if the program ran.
			run(t, place, "SELECT 1 / (CASE WHEN is_called THEN 0 ELSE 1 END) FROM ran")
		})
	}
}

// TestKnownSchemas checks that what else is in the schema is nobody's concern.
func TestKnownSchemas(t *testing.T) {
	place := made(t)
	run(t, place, "CREATE TABLE mine (a INT DEFAULT 1 CHECK (a > 0))", "CREATE VIEW v AS SELECT * FROM session", "ANALYZE session")
	for _, o := range []store.Options{{}, {Existing: true}, {ReadOnly: true}} {
		s, err := postgres.Open(t.Context(), place, o)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
