package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/cento-dev/cento"
)

func itoa(n int) string { return strconv.Itoa(n) }

// openSQLite opens a file. What is acknowledged is on the disk: the log is
// written ahead and synced at every commit.
func (s *Store) openSQLite(ctx context.Context, path string, o Options) error {
	s.engine = &engine{place: filepath.ToSlash(path), begin: []string{"BEGIN IMMEDIATE"}, failed: sqliteFailed}
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	switch info, err := os.Stat(abs); {
	case err == nil && !info.Mode().IsRegular():
		return invalid("the store %s is not a file", s.engine.place)
	case err == nil && info.Size() > 0 && info.Size() < smallest && !exists(abs+"-journal") && !exists(abs+"-wal"):
		// SQLite would take it for an empty one, and write over it.
		e := damaged("the store %s is no database: it has %d bytes", s.engine.place, info.Size())
		e.Hint = "is it the file that was meant? It was left as it is"
		return e
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && o.ReadOnly:
		return &cento.SourceError{Code: Unreachable, Message: "there is no store at " + s.engine.place, Err: fs.ErrNotExist}
	case errors.Is(err, fs.ErrNotExist):
		// What is recorded is for the user alone.
		if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(abs, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	default:
		return err
	}
	file := filepath.ToSlash(abs)
	if runtime.GOOS == "windows" {
		file = "/" + file
	}
	address := url.URL{Scheme: "file", Path: file}
	wait := strconv.FormatInt(o.Wait.Milliseconds(), 10)
	open := func(mode string, pragmas ...string) (*sql.DB, error) {
		q := url.Values{"mode": {mode}, "_pragma": append([]string{"busy_timeout(" + wait + ")"}, pragmas...)}
		address.RawQuery = q.Encode()
		c, err := sqlite.NewConnector(address.String())
		if err != nil {
			return nil, err
		}
		if o.wrap != nil {
			c = o.wrap(c)
		}
		return sql.OpenDB(c), nil
	}
	if !o.ReadOnly {
		if s.write, err = open("rw", "synchronous(FULL)", "foreign_keys(0)", "cache_size(-16000)"); err != nil {
			return err
		}
		s.write.SetMaxOpenConns(2) // the writer's own, and one for what takes longer
		// Readers go on while somebody writes. This is the first time that the file
		// is looked into.
		if err := s.patiently(ctx, func() error {
			_, err := s.write.ExecContext(ctx, "PRAGMA journal_mode=WAL")
			return err
		}); err != nil {
			return err
		}
	}
	if s.read, err = open("ro", "query_only(1)", "mmap_size(268435456)"); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	return nil
}

// patiently does again what others are in the way of, for as long as a store
// waits. SQLite itself waits for a lock, but says at once that it is busy where two
// connections begin a file's log, or where one that has read wants to write.
func (s *Store) patiently(ctx context.Context, do func() error) error {
	last := time.Now().Add(s.wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := do()
		if err == nil || sqliteFailed(err) != Locked || time.Now().After(last) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// smallest is the size of the smallest database, in bytes.
const smallest = 512

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func sqliteFailed(err error) cento.ErrorCode {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return Locked
		case sqlite3.SQLITE_FULL:
			return Full
		case sqlite3.SQLITE_READONLY:
			return ReadOnly
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return Corrupt
		case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			return Unreachable
		}
		return ""
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return Unreachable
	}
	return ""
}
