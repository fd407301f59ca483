package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// Engine is a database that a store is kept in. The packages store/sqlite and
// store/postgres have one each, and open stores on it; whoever imports neither
// links neither.
type Engine struct {
	// Place says where it is, for people: without credentials.
	Place string
	// Postgres: the database understands the SQL of PostgreSQL, else that of SQLite.
	Postgres bool
	// Begin are the statements that begin a transaction which writes, and make it the
	// only one at a time.
	Begin []string
	// First are statements that the handle which writes is asked before all others.
	First []string
	// Connect opens the database, by [Options.Connect]: a handle to read by, and one
	// to write by, which is nil for a store that is read only. What it has opened is
	// closed by the store, also where it fails.
	Connect func(ctx context.Context, o Options) (read, write *sql.DB, err error)
	// Code is the code of an error of the driver; empty for one that it doesn't know.
	Code func(error) cento.ErrorCode
	// Inspect compares what is in the database with what releases make. It runs before
	// every other statement and reads the catalog of the database alone, because a
	// trigger or a view runs statements of whoever made it.
	Inspect func(ctx context.Context, tx *sql.Tx) (Found, error)
	// Version is that of the tables that this release works on, Update brings those
	// of an older one up to it.
	Version int64
	Update  func(ctx context.Context, db *sql.DB, o Options) error
}

// Found is what [Engine.Inspect] finds.
type Found struct {
	// Versions: the table of versions is there, as releases make it.
	Versions bool
	// Fits are the versions that have exactly these tables; 0 for an empty database.
	Fits []int64
	// Foreign names something that no release makes; empty for none.
	Foreign string
}

// Connect is a handle on what a driver connects to. All that a store asks of its
// database goes through it.
func (o Options) Connect(c driver.Connector) *sql.DB {
	if o.wrap != nil {
		c = o.wrap(c)
	}
	return sql.OpenDB(c)
}

// querier is what reads can be asked of: a transaction or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// statement puts a statement, written with `?`, into the words of the engine.
func (e *Engine) statement(query string) string {
	if !e.Postgres {
		return query
	}
	var b strings.Builder
	n := 0
	for i := range len(query) {
		if query[i] != '?' {
			b.WriteByte(query[i])
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// marks is a list of n parameters in parentheses.
func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")" }

// most is how many parameters one statement has at most.
const most = 480

// each runs a query and hands out its rows.
func (e *Engine) each(ctx context.Context, q querier, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := q.QueryContext(ctx, e.statement(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// eachOf is each for a query with one list of numbers, which stands where the
// query says %IN; it is asked in parts.
func (e *Engine) eachOf(ctx context.Context, q querier, query string, ids []int64, row func(scan func(...any) error) error) error {
	for len(ids) > 0 {
		n := min(len(ids), most)
		args := make([]any, n)
		for i, id := range ids[:n] {
			args[i] = id
		}
		ids = ids[n:]
		if err := e.each(ctx, q, strings.Replace(query, "%IN", "IN "+marks(n), 1), args, row); err != nil {
			return err
		}
	}
	return nil
}

// insert writes rows in as few statements as may be. values is the form of one
// row, with its parameters.
func (e *Engine) insert(ctx context.Context, q querier, into, values string, rows [][]any, after string) error {
	width := strings.Count(values, "?")
	for len(rows) > 0 {
		n := min(len(rows), max(1, most/width))
		args := make([]any, 0, n*width)
		for _, r := range rows[:n] {
			args = append(args, r...)
		}
		rows = rows[n:]
		query := "INSERT INTO " + into + " VALUES " + strings.TrimSuffix(strings.Repeat(values+",", n), ",") + after
		if _, err := q.ExecContext(ctx, e.statement(query), args...); err != nil {
			return err
		}
	}
	return nil
}

// failure gives an error of the database its code and its words. Errors that
// have a code keep it.
func (e *Engine) failure(err error) error {
	if err == nil || e == nil {
		return err
	}
	if _, ok := errors.AsType[*cento.SourceError](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	code := e.Code(err)
	if errors.Is(err, context.DeadlineExceeded) {
		code = Unreachable
	}
	switch {
	case code != "":
	case e.Postgres && lostConnection(err):
		code = Unreachable
	case errors.Is(err, errPacked), errors.Is(err, errDelta):
		code = Corrupt
	default:
		code = Failed
	}
	return &cento.SourceError{Code: code, Message: "the store " + e.Place + " " + phrases[code].said, Hint: phrases[code].hint, Err: &oneLine{err}}
}

// oneLine is an error of a driver, which may tell the same of several tries in
// lines of their own, told once in one line.
type oneLine struct{ err error }

func (e *oneLine) Error() string {
	var parts []string
	for line := range strings.Lines(e.err.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}

func (e *oneLine) Unwrap() error { return e.err }

// phrases are the words for an error of the database, by its code.
var phrases = map[cento.ErrorCode]struct{ said, hint string }{
	Corrupt:     {"is damaged", "export what can be read with cento log export, and put back a copy from before"},
	Foreign:     {"is no database", "is it the file that was meant? It was left as it is; a store that was damaged is put back from a copy"},
	Locked:      {"is held by another writer", "try again when the other program is done"},
	Full:        {"has no room left", "make room on the disk; nothing was written by halves"},
	ReadOnly:    {"may not be written to", "its file, folder or server is read-only for this user"},
	Unreachable: {"can't be reached", "see that its folder exists, or that its server runs and lets this user in"},
	Newer:       {"was made by a newer program", "use that program, or another store with --store"},
	Empty:       {"has no tables of records: nothing was ever recorded in it", ""},
	Uncertain:   {"didn't say in time whether it was stored", "ask again with the same idempotency key: it is stored once"},
	Failed:      {"failed", ""},
}
