// Package sqlite keeps a store in a file, in the embedded database SQLite. It doesn't
// synchronise machines.
//
//	s, err := sqlite.Open(ctx, "agent.db", store.Options{})
//
// It brings the driver, the tables and what the database's errors mean; all else is
// [store.Store]. The file is made for its user alone, with the folders above it, and
// an older one is brought up to date. Of all programs that share it one writes at a
// time, the others wait as long as the options say, and readers go on.
//
// It keeps nothing in memory, takes over no file that isn't its own, and doesn't
// synchronise machines: for a folder that several of them share, take store/postgres.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storeaddress"
	"github.com/cento-dev/cento/internal/storetables"
	"github.com/cento-dev/cento/store"
)

//go:embed tables
var tables embed.FS

// Open opens the store in a file, and makes the file when there is none. The place
// is a path, or `sqlite:PATH`; `:memory:` is refused, since what is acknowledged is
// durable, and so is the address of a server. A path that looks like either is
// written with `./` before it.
//
// The errors are those of [store.Open].
func Open(ctx context.Context, place string, o store.Options) (*store.Store, error) {
	at, err := storeaddress.Read(place)
	switch fault, _ := errors.AsType[*storeaddress.Fault](err); {
	case fault != nil:
		return nil, &cento.SourceError{Code: store.Invalid, Message: fault.Message, Hint: fault.Hint}
	case at.Server != "":
		return nil, &cento.SourceError{
			Code: store.Invalid, Message: "the place of the store is the address of a server, and not a file",
			Hint: "store/postgres opens it",
		}
	}
	steps, err := fs.Sub(tables, "tables")
	if err != nil {
		return nil, err
	}
	version, err := storetables.Newest(steps)
	if err != nil {
		return nil, err
	}
	f := file{path: at.Path, shown: filepath.ToSlash(at.Path)}
	open := func() (*store.Store, error) {
		return store.Open(ctx, store.Engine{
			Place: f.shown, Begin: []string{"BEGIN IMMEDIATE"}, Connect: f.connect, Code: code, Version: version, Inspect: inspect,
			// Readers go on while somebody writes.
			First: []string{"PRAGMA journal_mode=WAL"},
			Update: func(ctx context.Context, db *sql.DB, _ store.Options) error {
				return storetables.Update(ctx, goose.DialectSQLite3, db, steps)
			},
		}, o)
	}
	s, err := open()
	switch unreachable := errors.Is(err, store.Unreachable); {
	case unreachable && f.forbidden():
		return nil, &cento.SourceError{
			Code: store.Unreachable, Message: "the store " + f.shown + " may not be read by this user",
			Hint: "ask its owner for permission to read the file and its folder", Err: err,
		}
	case o.ReadOnly && (unreachable || errors.Is(err, store.ReadOnly)) && exists(f.path):
		// SQLite keeps files of its own next to a store that it reads. Without them it reads
		// the file alone, which is the whole store unless there is a log.
		if log := f.log(); log != "" {
			return nil, &cento.SourceError{
				Code: store.ReadOnly, Message: fmt.Sprintf("the store %s has changes in %s, which can't be read where nothing may be written", f.shown, log),
				Hint: "copy both files to a folder of your own, and read them there", Err: err,
			}
		}
		f.immutable = true
		return open()
	}
	return s, err
}

// file is a database by its path, and by the name that people know.
type file struct {
	path, shown string
	immutable   bool // nobody writes to it
}

// log is the name of a file with changes that aren't in the database yet; empty for none.
func (f file) log() string {
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(f.path + suffix); err == nil && info.Size() > 0 {
			return f.shown + suffix
		}
	}
	return ""
}

// forbidden reports whether this user has no permission to open the file.
func (f file) forbidden() bool {
	opened, err := os.Open(f.path)
	if err == nil {
		_ = opened.Close() // nothing was read
	}
	return errors.Is(err, fs.ErrPermission)
}

// connect opens a file. What is acknowledged is on the disk: the log is written
// ahead and synced at every commit.
func (f file) connect(_ context.Context, o store.Options) (read, write *sql.DB, err error) {
	abs, err := filepath.Abs(f.path)
	if err != nil {
		return nil, nil, err
	}
	if err := f.make(abs, o); err != nil {
		return nil, nil, err
	}
	name := filepath.ToSlash(abs)
	if runtime.GOOS == "windows" {
		name = "/" + name
	}
	address := url.URL{Scheme: "file", Path: name}
	wait := strconv.FormatInt(o.Wait.Milliseconds(), 10)
	open := func(mode string, pragmas ...string) (*sql.DB, error) {
		// A store may come with a stranger's repository.
		q := url.Values{"mode": {mode}, "_defensive": {"1"}, "_pragma": append([]string{"busy_timeout(" + wait + ")", "trusted_schema(0)", "cell_size_check(1)"}, pragmas...)}
		if f.immutable {
			q.Set("immutable", "1")
		}
		address.RawQuery = q.Encode()
		c, err := sqlite.NewConnector(address.String())
		if err != nil {
			return nil, err
		}
		return o.Connect(preparing{c}), nil
	}
	if !o.ReadOnly {
		if write, err = open("rw", "synchronous(FULL)", "foreign_keys(0)", "cache_size(-16000)"); err != nil {
			return nil, nil, err
		}
		write.SetMaxOpenConns(2) // the writer's own, and one for what takes longer
	}
	if read, err = open("ro", "query_only(1)", "mmap_size(268435456)"); err != nil {
		return nil, write, err
	}
	read.SetMaxOpenConns(4)
	return read, write, nil
}

// make sees to a file being there.
func (f file) make(abs string, o store.Options) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := f.regular(suffix, abs+suffix); err != nil {
			return err
		}
	}
	switch info, err := os.Stat(abs); {
	case err == nil && !info.Mode().IsRegular():
		return &cento.SourceError{Code: store.Invalid, Message: "the store " + f.shown + " is not a file"}
	case err == nil && info.Size() > 0 && info.Size() < smallest && !exists(abs+"-journal") && !exists(abs+"-wal"):
		// SQLite would take it for an empty one, and write over it.
		return &cento.SourceError{
			Code: store.Foreign, Message: fmt.Sprintf("the store %s is no database: it has %d bytes", f.shown, info.Size()),
			Hint: "is it the file that was meant? It was left as it is",
		}
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && (o.ReadOnly || o.Existing):
		return &cento.SourceError{Code: store.Unreachable, Message: "there is no store at " + f.shown, Err: fs.ErrNotExist}
	case errors.Is(err, fs.ErrNotExist):
		// What is recorded is for the user alone.
		if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
			return err
		}
		made, err := os.OpenFile(abs, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if errors.Is(err, fs.ErrExist) {
			if info, err := os.Stat(abs); err == nil && info.Mode().IsRegular() {
				return nil // another program made it
			}
		}
		if err != nil {
			return err
		}
		return made.Close()
	default:
		return err
	}
	return nil
}

// regular refuses a file next to the database that is not a regular one: SQLite would wait
// for a pipe.
func (f file) regular(suffix, path string) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return &cento.SourceError{
			Code: store.Foreign, Message: fmt.Sprintf("the store %s can't be opened: %s is not a regular file", f.shown, f.shown+suffix),
			Hint: "name another store with --store; Cento did not change this one",
		}
	}
	return nil
}

// smallest is the size of the smallest database, in bytes.
const smallest = 512

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// code is that of an error of the driver.
func code(err error) cento.ErrorCode {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return store.Locked
		case sqlite3.SQLITE_FULL:
			return store.Full
		case sqlite3.SQLITE_READONLY:
			return store.ReadOnly
		case sqlite3.SQLITE_CORRUPT:
			return store.Corrupt
		case sqlite3.SQLITE_NOTADB:
			return store.Foreign
		case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			return store.Unreachable
		}
		return ""
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return store.Unreachable
	}
	return ""
}
