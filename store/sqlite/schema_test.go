package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"github.com/cento-dev/cento/internal/storetables"
	"github.com/cento-dev/cento/store"
)

var update = flag.Bool("update", false, "rewrite schema.json")

// TestSchema compares schema.json with the tables that the steps make, one after another.
func TestSchema(t *testing.T) {
	steps, err := fs.Sub(tables, "tables")
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(steps, "*.sql")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	slices.Sort(names)
	var all [][]object
	for n := range len(names) + 1 {
		db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", n)))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		some := fstest.MapFS{}
		for _, name := range names[:n] {
			text, err := fs.ReadFile(steps, name)
			if err != nil {
				t.Fatal(err)
			}
			some[name] = &fstest.MapFile{Data: text}
		}
		for _, statement := range store.MakeVersions {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		if n > 0 {
			if err := storetables.Update(t.Context(), goose.DialectSQLite3, db, some); err != nil {
				t.Fatal(err)
			}
		}
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		there, err := objects(t.Context(), tx)
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		all = append(all, there)
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want.Bytes(), schemaText) {
		t.Error("schema.json differs from the tables: go test ./store/sqlite -run TestSchema -update")
	}
}
