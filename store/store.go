package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento"
)

// Options are how a store is opened. The zero value is the default.
type Options struct {
	// Clock tells the time of what is stored; nil: the system's.
	Clock func() time.Time
	// Wait is how long to wait for another writer, and for a server to answer.
	// Default 10 s.
	Wait time.Duration
	// ReadOnly opens what is there and never writes, migrations included.
	ReadOnly bool

	wrap func(driver.Connector) driver.Connector // by tests, to let calls fail
}

// Store is an open store.
type Store struct {
	engine   *engine
	write    *sql.DB // nil when read-only
	read     *sql.DB
	clock    func() time.Time
	wait     time.Duration
	queue    chan *operation
	closing  chan struct{}
	once     sync.Once
	finished sync.WaitGroup
	writer   writer
}

// Open opens the store at a place, and makes it when there is none: a path or
// `sqlite:PATH` for the embedded database, `postgres://…` for a server. Tables
// of an older program are brought up to date.
//
// The errors are [Invalid], [Unreachable], [Corrupt], [Newer], [Locked],
// [Full] and [ReadOnly].
func Open(ctx context.Context, place string, o Options) (*Store, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	s := &Store{clock: o.Clock, wait: o.Wait, queue: make(chan *operation), closing: make(chan struct{})}
	var err error
	switch {
	case place == "":
		return nil, invalid("the place of the store is empty")
	case strings.HasPrefix(place, "postgres://"), strings.HasPrefix(place, "postgresql://"):
		err = s.openPostgres(ctx, place, o)
	default:
		err = s.openSQLite(ctx, strings.TrimPrefix(place, "sqlite:"), o)
	}
	if err == nil {
		err = s.patiently(ctx, func() error { return s.migrate(ctx, o) })
	}
	if err != nil {
		return nil, errors.Join(s.engine.failure(err), s.closeHandles())
	}
	s.writer.store = s
	s.writer.forget()
	s.finished.Go(s.writer.serve)
	return s, nil
}

// Close waits for what is being written and lets the store go. Whatever comes
// after gets [Closed].
func (s *Store) Close() error {
	s.once.Do(func() { close(s.closing) })
	s.finished.Wait()
	return s.closeHandles()
}

// closeHandles closes the handle that writes last: who goes last puts the
// write-ahead log into the file, and only that one may.
func (s *Store) closeHandles() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Place says where the store is, without credentials.
func (s *Store) Place() string { return s.engine.place }

// querier is what reads can be asked of: a transaction or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// engine is what differs between databases.
type engine struct {
	place    string
	postgres bool
	// begin starts a transaction that writes: the only one at a time.
	begin []string
	// failed gives an error of the driver its code; empty for one it doesn't know.
	failed func(error) cento.ErrorCode
}

// statement puts a statement, written with `?`, into the words of the engine.
func (e *engine) statement(query string) string {
	if !e.postgres {
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
		b.WriteString(itoa(n))
	}
	return b.String()
}

// marks is a list of n parameters in parentheses.
func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")" }

// most is how many parameters one statement has at most.
const most = 480

// each runs a query and hands out its rows.
func (e *engine) each(ctx context.Context, q querier, query string, args []any, row func(scan func(...any) error) error) error {
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
func (e *engine) eachOf(ctx context.Context, q querier, query string, ids []int64, row func(scan func(...any) error) error) error {
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
func (e *engine) insert(ctx context.Context, q querier, into, values string, rows [][]any, after string) error {
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
func (e *engine) failure(err error) error {
	if err == nil || e == nil {
		return err
	}
	if _, ok := errors.AsType[*cento.SourceError](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	code := e.failed(err)
	if errors.Is(err, context.DeadlineExceeded) {
		code = Unreachable
	}
	switch {
	case code != "":
	case errors.Is(err, errPacked), errors.Is(err, errDelta):
		code = Corrupt
	default:
		code = Failed
	}
	return &cento.SourceError{Code: code, Message: "the store " + e.place + " " + phrases[code].said, Hint: phrases[code].hint, Err: &oneLine{err}}
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
	Locked:      {"is held by another writer", "try again when the other program is done"},
	Full:        {"has no room left", "make room on the disk; nothing was written by halves"},
	ReadOnly:    {"may not be written to", "its file, folder or server is read-only for this user"},
	Unreachable: {"can't be reached", "see that its folder exists, or that its server runs and lets this user in"},
	Newer:       {"was made by a newer program", "use that program, or another store with --store"},
	Uncertain:   {"lost its connection while committing, so whether it was stored isn't known", "ask again with the same idempotency key: it is stored once"},
	Failed:      {"failed", ""},
}
