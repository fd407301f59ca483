package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/sqlite"
)

// counted is a connector whose connections count what is made ready on them, and what of
// it is still there.
type counted struct {
	driver.Connector
	made, open *int
}

func (c counted) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn.(connection), c}, nil
}

type countedConn struct {
	connection
	of counted
}

func (c *countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.connection.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	*c.of.made++
	*c.of.open++
	return &countedStatement{s.(statement), c.of}, nil
}

type countedStatement struct {
	statement
	of counted
}

func (s *countedStatement) Close() error {
	*s.of.open--
	return s.statement.Close()
}

// kept is a database on one connection that keeps statements.
func kept(t *testing.T) (db *sql.DB, made, open *int) {
	t.Helper()
	c, err := sqlite.NewConnector("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "a.db")))
	if err != nil {
		t.Fatal(err)
	}
	made, open = new(int), new(int)
	db = sql.OpenDB(preparing{counted{c, made, open}})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, q := range []string{"CREATE TABLE a (n INTEGER PRIMARY KEY)", "INSERT INTO a VALUES (1), (2), (3)"} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	return db, made, open
}

func numbers(t *testing.T, of interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, each func(int), args ...any,
) {
	t.Helper()
	rows, err := of.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		each(n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// What is asked again is ready, what it is asked with is its own, and the same may be asked
// while an answer to it is read.
func TestStatementsAreKept(t *testing.T) {
	db, made, open := kept(t)
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const from = "SELECT n FROM a WHERE n >= ? ORDER BY n"
	got := ""
	numbers(t, c, from, func(n int) {
		got += fmt.Sprint(n, ":")
		numbers(t, c, from, func(m int) { got += fmt.Sprint(m) }, n)
		got += " "
	}, 1)
	if got != "1:123 2:23 3:3 " {
		t.Error(got)
	}
	before := *made
	for i := range 20 {
		n := 0
		numbers(t, c, from, func(int) { n++ }, i)
		if _, err := c.ExecContext(t.Context(), "UPDATE a SET n = n WHERE n = ?", i); err != nil || n != min(3, max(0, 4-i)) {
			t.Errorf("from %d on there are %d: %v", i, n, err)
		}
	}
	if *made != before+1 {
		t.Errorf("%d statements are made ready for one that is new", *made-before)
	}
	// What fails, or is left halfway, is no obstacle for the next.
	if _, err := c.ExecContext(t.Context(), "INSERT INTO a VALUES (?)", 1); err == nil {
		t.Error("a row is there twice")
	}
	if _, err := c.ExecContext(t.Context(), "INSERT INTO a VALUES (?)", 4); err != nil {
		t.Error(err)
	}
	var first int
	if err := c.QueryRowContext(t.Context(), from, 2).Scan(&first); err != nil || first != 2 {
		t.Error(first, err)
	}
	if _, err := c.ExecContext(t.Context(), "DROP TABLE a"); err != nil {
		t.Errorf("an answer is still being read: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil || *open != 0 {
		t.Errorf("%d statements are left, %v", *open, err)
	}
}

// However many different things are asked, the statements that are kept have a bound, and
// all are closed with the connection.
func TestStatementsAreBounded(t *testing.T) {
	db, _, open := kept(t)
	for i := range 3 * mostStatements {
		numbers(t, db, fmt.Sprintf("SELECT n FROM a WHERE n = %d", i), func(int) {})
		if *open > mostStatements {
			t.Fatalf("%d statements are kept", *open)
		}
	}
	before := *open
	numbers(t, db, "SELECT n FROM a WHERE n IN ("+strings.Repeat("1, ", mostWords)+"1)", func(int) {})
	if *open != before {
		t.Error("a statement of very many words is kept")
	}
	if err := db.Close(); err != nil || *open != 0 {
		t.Errorf("%d statements are left, %v", *open, err)
	}
}
