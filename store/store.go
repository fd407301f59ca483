package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"time"
)

// Options are how a store is opened. The zero value is the default.
type Options struct {
	// Clock tells the time of what is stored; nil: the system's.
	Clock func() time.Time
	// Wait is how long to wait for another writer, and for a server to answer.
	// Default 10 s.
	Wait time.Duration
	// Keys is how long an idempotency key counts, by the times of transitions: from then
	// on it is free, and its answer is let go. 0: for as long as its session is there.
	Keys time.Duration
	// ReadOnly opens what is there and never writes, an update of its tables included.
	ReadOnly bool
	// Existing makes no store: where no file is it is [Unreachable], and one to which
	// nothing was ever written is [Empty]. What ReadOnly opens has to be there, too.
	Existing bool

	wrap func(driver.Connector) driver.Connector // by tests, to let calls fail
}

// Store is an open store.
type Store struct {
	engine   *Engine
	write    *sql.DB // nil when read-only
	read     *sql.DB
	clock    func() time.Time
	wait     time.Duration
	keys     time.Duration
	queue    chan *operation
	closing  chan struct{}
	once     sync.Once
	finished sync.WaitGroup
	writer   writer
	left     left
}

// Open opens the store that an engine keeps, and makes it when there is none, unless the
// options say otherwise.
// Tables of an older program are brought up to date. Most callers want the function
// Open of store/sqlite or store/postgres.
//
// The errors are [Invalid], [Unreachable], [Corrupt], [Foreign], [Newer], [Empty],
// [Locked], [Full] and [ReadOnly].
func Open(ctx context.Context, e Engine, o Options) (*Store, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	s := &Store{engine: &e, clock: o.Clock, wait: o.Wait, keys: o.Keys, queue: make(chan *operation), closing: make(chan struct{}), left: left{told: make(chan struct{}, 1)}}
	var err error
	if s.read, s.write, err = e.Connect(ctx, o); err == nil {
		err = s.prepare(ctx, o)
	}
	if err != nil {
		return nil, errors.Join(s.engine.failure(err), s.closeHandles())
	}
	s.writer.store = s
	s.writer.forget()
	s.finished.Go(s.writer.serve)
	return s, nil
}

// prepare looks into the database for the first time. What can't be used is left as it
// is, so that is asked before anything is written.
func (s *Store) prepare(ctx context.Context, o Options) error {
	var current int64
	if err := s.patiently(ctx, func() (err error) {
		current, err = s.version(ctx)
		return err
	}); err != nil {
		return err
	}
	if err := s.usable(current, o); err != nil || s.write == nil {
		return err
	}
	for _, statement := range s.engine.First {
		if err := s.patiently(ctx, func() error {
			_, err := s.write.ExecContext(ctx, statement)
			return err
		}); err != nil {
			return err
		}
	}
	return s.patiently(ctx, func() error { return s.migrate(ctx, current, o) })
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
		if db == nil {
			continue
		}
		// A server that doesn't hear that its connections end loses nothing by it: what was
		// acknowledged it has.
		if err := db.Close(); !s.engine.Postgres {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Place says where the store is, without credentials.
func (s *Store) Place() string { return s.engine.Place }
