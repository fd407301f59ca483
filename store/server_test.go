package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// line stands between a store and its server: every call of the driver is
// counted, and the one that a test chose fails.
type line struct {
	admin *sql.DB // another connection, that ends backends

	mu    sync.Mutex
	armed bool
	at    int
	how   breaking
	hit   string
	seen  []string // the calls since failAt
}

// breaking is the way in which a call fails.
type breaking string

const (
	// refused: the server gets nothing of it.
	refused breaking = "refused"
	// answerLost: the server does it, and the answer doesn't arrive. The connection
	// is gone then.
	answerLost breaking = "answer_lost"
	// terminated: the server's process for this connection is ended before the call.
	terminated breaking = "terminated"
)

func (l *line) failAt(n int, how breaking) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed, l.at, l.how, l.hit, l.seen = true, n, how, "", nil
}

func (l *line) heal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	return l.hit
}

func (l *line) calls() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen
}

func (l *line) fails(call string) (breaking, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.armed {
		return "", false
	}
	name, _, _ := strings.Cut(strings.TrimSpace(call), " ")
	if l.seen = append(l.seen, name); len(l.seen) != l.at {
		return "", false
	}
	l.hit = name
	return l.how, true
}

// wiredConnector makes connections through a line.
type wiredConnector struct {
	driver.Connector
	line *line
}

func (w *wiredConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if _, fails := w.line.fails("connect"); fails {
		return nil, errRefused
	}
	c, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	wired := &wiredConn{line: w.line, conn: c.(postgresConn)}
	rows, err := wired.conn.QueryContext(ctx, "SELECT pg_backend_pid()", nil)
	if err != nil {
		return nil, err
	}
	pid := make([]driver.Value, 1)
	if err := errors.Join(rows.Next(pid), rows.Close()); err != nil {
		return nil, err
	}
	wired.backend = pid[0].(int64)
	return wired, nil
}

// errRefused is what a system says of a server that isn't there.
var errRefused = fmt.Errorf("a failure of the test: %w", io.ErrUnexpectedEOF)

// postgresConn is what a connection of the driver can do.
type postgresConn interface {
	driver.Conn
	driver.QueryerContext
	driver.ExecerContext
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.NamedValueChecker
	driver.SessionResetter
}

type wiredConn struct {
	line    *line
	conn    postgresConn
	backend int64
	dead    bool
}

// call does a call, or lets it fail.
func (c *wiredConn) call(name string, do func() error) error {
	if c.dead {
		return driver.ErrBadConn
	}
	how, fails := c.line.fails(name)
	switch {
	case fails && how == terminated:
		var gone bool
		if err := c.line.admin.QueryRow("SELECT pg_terminate_backend($1, 5000)", c.backend).Scan(&gone); err != nil || !gone {
			return fmt.Errorf("the backend can't be ended: %v, %w", gone, err)
		}
	case fails:
		var err error
		if how == answerLost {
			err = do()
		}
		c.dead = true
		return errors.Join(errRefused, err, c.conn.Close())
	}
	return do()
}

func (c *wiredConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (rows driver.Rows, err error) {
	err = c.call(query, func() error {
		rows, err = c.conn.QueryContext(ctx, query, args)
		return err
	})
	if err != nil && rows != nil {
		err = errors.Join(err, rows.Close())
	}
	return rows, err
}

func (c *wiredConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (r driver.Result, err error) {
	err = c.call(query, func() error {
		r, err = c.conn.ExecContext(ctx, query, args)
		return err
	})
	return r, err
}

func (c *wiredConn) PrepareContext(ctx context.Context, query string) (s driver.Stmt, err error) {
	err = c.call("prepare", func() error {
		s, err = c.conn.PrepareContext(ctx, query)
		return err
	})
	return s, err
}

func (c *wiredConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	var tx driver.Tx
	err := c.call("begin", func() (err error) {
		tx, err = c.conn.BeginTx(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &wiredTx{c, tx}, nil
}

type wiredTx struct {
	conn *wiredConn
	tx   driver.Tx
}

func (t *wiredTx) Commit() error   { return t.conn.call("commit", t.tx.Commit) }
func (t *wiredTx) Rollback() error { return t.conn.call("rollback", t.tx.Rollback) }

func (c *wiredConn) Ping(ctx context.Context) error {
	return c.call("ping", func() error { return c.conn.Ping(ctx) })
}

func (c *wiredConn) ResetSession(ctx context.Context) error {
	if c.dead {
		return driver.ErrBadConn
	}
	return c.conn.ResetSession(ctx)
}

func (c *wiredConn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *wiredConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *wiredConn) CheckNamedValue(v *driver.NamedValue) error { return c.conn.CheckNamedValue(v) }

func (c *wiredConn) Close() error {
	if c.dead {
		return nil
	}
	return c.conn.Close()
}

// wired are options whose connections go through a line that a test breaks.
func wired(t *testing.T) (*line, store.Options) {
	t.Helper()
	l := &line{admin: admin(t)}
	o := store.Options{Clock: fixedClock, Wait: 5 * time.Second}
	return l, store.Wrapped(o, func(c driver.Connector) driver.Connector { return &wiredConnector{c, l} })
}

func admin(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", store.PostgresPlace(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TestServerFailures lets every call to a server fail in turn: refused, done
// with the answer lost, and with the server's process ended in the middle of the
// transaction.
func TestServerFailures(t *testing.T) {
	t.Parallel() // most of it is waiting
	for i, how := range []breaking{refused, answerLost, terminated} {
		t.Run(string(how), func(t *testing.T) {
			broken := func(t *testing.T) (store.Options, injector) {
				t.Parallel()
				l, o := wired(t)
				// Of a change whose end is lost, nobody knows whether it was made.
				check := func(t *testing.T, n int, hit string, err error) {
					if (hit == "COMMIT") != errors.Is(err, store.Uncertain) {
						t.Errorf("call %d (%s) failed: %v", n, hit, err)
					}
				}
				return o, injector{failAt: func(n int) { l.failAt(n, how) }, heal: l.heal, seen: l.calls, check: check, goesOn: true, last: "COMMIT"}
			}
			for k, sc := range scenarios {
				if (i+k)%lengthtest.Of(6, 6, 1) != 0 {
					continue // in each way some transitions are broken
				}
				t.Run(strings.ReplaceAll(sc.name, " ", "_"), func(t *testing.T) {
					o, in := broken(t)
					failEach(t, sc, store.PostgresPlace(t), o, in)
				})
			}
			t.Run("migrate", func(t *testing.T) {
				o, in := broken(t)
				if lengthtest.Wanted() != lengthtest.Long {
					t.Skip("each try makes the tables of a new schema; TestFileFailures makes those of a file")
				}
				failMigrations(t, func(int) string { return store.PostgresPlace(t) }, o, in)
			})
		})
	}
}

// TestCloseOfGoneConnections: a server that went meanwhile is no failure of who closes the
// store: what was acknowledged is there.
func TestCloseOfGoneConnections(t *testing.T) {
	link := storetest.PostgresLink(t)
	st, err := engines.Open(t.Context(), link.Place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Removals(t.Context()); err != nil {
		t.Fatal(err)
	}
	link.Cut()
	if err := st.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
