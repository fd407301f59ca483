package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento/store"
)

// schemaText has the schema of each version, as SQLite keeps it.
//
//go:embed schema.json
var schemaText []byte

// object is a row of SQLite's table of what a database holds. SQL is the text that SQLite
// reads when it opens the database, so the same text is the same table.
type object struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Table string `json:"table"`
	SQL   string `json:"sql"`
}

// schemas are those of all versions, from 0 on.
var schemas = sync.OnceValue(func() (all [][]object) {
	if err := json.Unmarshal(schemaText, &all); err != nil {
		panic(err)
	}
	return all
})

// maxObjects is how many rows of the schema are read, and maxSQL how many bytes of a text:
// more than any version has.
const maxObjects, maxSQL = 200, 4096

// objects reads the schema of a database, in the order of its names. Tables that SQLite
// makes for itself are left out.
func objects(ctx context.Context, tx *sql.Tx) ([]object, error) {
	// Nothing here runs what a database has in it. A blob is no name.
	rows, err := tx.QueryContext(ctx, fmt.Sprintf(`SELECT type, name, tbl_name, coalesce(substr(sql, 1, %d), '') FROM sqlite_master LIMIT %d`, maxSQL, maxObjects))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.Type, &o.Name, &o.Table, &o.SQL); err != nil {
			return nil, err
		}
		if !o.own() {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b object) int { return strings.Compare(a.Name, b.Name) })
	return out, rows.Err()
}

// own reports whether SQLite makes an object for itself: the index of a key, the last
// number of a table, and what ANALYZE counts.
func (o object) own() bool {
	switch o.SQL {
	case "":
		return o.Type == "index" && strings.HasPrefix(o.Name, "sqlite_autoindex_")
	case "CREATE TABLE sqlite_sequence(name,seq)", "CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)":
		return o.Type == "table" && strings.HasPrefix(o.SQL, "CREATE TABLE "+o.Name+"(")
	}
	return false
}

// inspect compares a database with the schemas of all versions.
func inspect(ctx context.Context, tx *sql.Tx) (store.Found, error) {
	var found store.Found
	there, err := objects(ctx, tx)
	if err != nil {
		return found, err
	}
	known := map[object]bool{}
	for version, schema := range schemas() {
		if slices.Equal(there, schema) {
			found.Fits = append(found.Fits, int64(version))
		}
		for _, o := range schema {
			known[o] = true
		}
	}
	if len(there) == 0 {
		found.Fits = append(found.Fits, 0)
	}
	for _, o := range there {
		if o.Name == store.VersionTable && known[o] {
			found.Versions = true
		}
		if !known[o] && found.Foreign == "" {
			found.Foreign = fmt.Sprintf("no release of Cento makes its %s %q", o.Type, o.Name)
		}
	}
	return found, nil
}
