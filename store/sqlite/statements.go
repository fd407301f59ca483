package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
)

// To make a statement ready takes SQLite about as long as to do a small one, and a store
// asks the same few again and again. So a connection keeps those that it was asked.

// A connection keeps so many, none of them of more bytes than mostWords: what a store asks
// of few rows is less, and a long list is seldom as long again.
const (
	mostStatements = 128
	mostWords      = 2 << 10
)

// preparing connects with connections that keep their statements.
type preparing struct{ driver.Connector }

func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	all, ok := c.(connection)
	if !ok {
		return c, nil
	}
	return &keeping{connection: all, ready: map[string]statement{}}, nil
}

// connection is what one of the driver can do.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// statement is what a statement of the driver can do.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keeping is a connection that keeps statements by their words. One that is at work isn't
// among them, so the same words can be asked while an answer to them is being read.
type keeping struct {
	connection
	ready map[string]statement
}

// take gives a statement that isn't at work.
func (k *keeping) take(ctx context.Context, query string) (statement, error) {
	if s := k.ready[query]; s != nil {
		delete(k.ready, query)
		return s, nil
	}
	s, err := k.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.(statement), nil
}

// done keeps a statement that has done its work, for the next who asks the same.
func (k *keeping) done(query string, s statement) {
	if k.ready == nil || k.ready[query] != nil || len(query) > mostWords { // it was closed, or was asked meanwhile
		_ = s.Close() // what it was asked was done
		return
	}
	if len(k.ready) >= mostStatements {
		k.letGo()
		k.ready = map[string]statement{}
	}
	k.ready[query] = s
}

func (k *keeping) letGo() {
	for _, s := range k.ready {
		_ = s.Close() // as in done
	}
	k.ready = nil
}

// Close closes the statements first, without which a database isn't closed.
func (k *keeping) Close() error {
	k.letGo()
	return k.connection.Close()
}

func (k *keeping) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := s.ExecContext(ctx, args)
	if err != nil {
		_ = s.Close() // what it was asked has failed, which is told
		return nil, err
	}
	k.done(query, s)
	return r, nil
}

func (k *keeping) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := s.QueryContext(ctx, args)
	if err != nil {
		_ = s.Close() // as above
		return nil, err
	}
	return &answer{Rows: r, of: k, query: query, s: s}, nil
}

// answer are the rows of a statement, which is at work until they are closed.
type answer struct {
	driver.Rows
	of     *keeping
	query  string
	s      statement
	failed bool
}

func (a *answer) Next(to []driver.Value) error {
	err := a.Rows.Next(to)
	a.failed = a.failed || err != nil && !errors.Is(err, io.EOF)
	return err
}

func (a *answer) Close() error {
	if a.s == nil {
		return nil
	}
	s := a.s
	a.s = nil
	if err := a.Rows.Close(); err != nil || a.failed {
		_ = s.Close() // as above
		return err
	}
	a.of.done(a.query, s)
	return nil
}
