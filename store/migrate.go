package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/cento-dev/cento"
)

// usable refuses tables of a version that can't be worked on: those of a newer program,
// and of an older one where nothing may be written.
func (s *Store) usable(current int64, o Options) error {
	target := s.engine.Version
	switch {
	case current > target:
		return &cento.SourceError{Code: Newer, Message: "the store " + s.engine.Place + " " + phrases[Newer].said, Hint: phrases[Newer].hint}
	case current == target:
		return nil
	case current == 0 && (o.ReadOnly || o.Existing):
		// An older program would have left a version.
		return &cento.SourceError{Code: Empty, Message: "the store " + s.engine.Place + " " + phrases[Empty].said}
	case !o.ReadOnly:
		return nil
	}
	return &cento.SourceError{
		Code: ReadOnly, Message: "the store " + s.engine.Place + " is of an older program, and who only reads doesn't bring it up to date",
		Hint: "whatever writes to it does, such as cento build --record",
	}
}

// migrate brings the tables up to date from a version that is usable.
func (s *Store) migrate(ctx context.Context, current int64, o Options) error {
	target := s.engine.Version
	if current == target {
		return nil
	}
	if !s.engine.Postgres {
		if err := s.versionTable(ctx); err != nil {
			return err
		}
	}
	for {
		err := s.engine.Update(ctx, s.write, o)
		if err == nil {
			return nil
		}
		// Another program may have been quicker with a step. It may not be done with
		// those behind it, so they are tried too; each try is of fewer.
		now, again := s.version(ctx)
		switch {
		case again != nil || now <= current:
			return err
		case now >= target:
			return nil
		}
		current = now
	}
}

// MakeVersions are the statements that make [VersionTable] in SQLite.
var MakeVersions = []string{
	`CREATE TABLE IF NOT EXISTS ` + VersionTable + ` (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL,
				is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`,
	"INSERT INTO " + VersionTable + " (version_id, is_applied) SELECT 0, 1 WHERE NOT EXISTS (SELECT 1 FROM " + VersionTable + ")",
}

// versionTable makes the table that tells the version of the others, if it isn't
// there. goose would do so, but asks a broken disk for seconds before it tells.
func (s *Store) versionTable(ctx context.Context) error {
	var conn *sql.Conn
	err := s.exclusively(ctx, &conn, func(q querier) (func(), error) {
		for _, statement := range MakeVersions {
			if _, err := q.ExecContext(ctx, statement); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if conn != nil {
		err = errors.Join(err, conn.Close())
	}
	return err
}

// VersionTable is the table that keeps the version of the others.
const VersionTable = "goose_db_version"

// foreign is the error of a database that is not a store of Cento's.
func (e *Engine) foreign(why string) error {
	return &cento.SourceError{
		Code: Foreign, Message: "the store " + e.Place + " is not a store: " + why,
		Hint: "name another store with --store; Cento did not change this one",
	}
}

// version is the version of the tables; 0 for an empty database. A database with
// anything in it that no release made is [Foreign]. One transaction asks it all, because
// another program may be making the tables. It has as long as the store waits.
func (s *Store) version(ctx context.Context) (version int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	db, o := s.write, &sql.TxOptions{}
	if db == nil {
		db = s.read
	}
	if s.engine.Postgres {
		o.Isolation = sql.LevelRepeatableRead
	}
	tx, err := db.BeginTx(ctx, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	found, err := s.engine.Inspect(ctx, tx)
	if err != nil {
		return 0, err
	}
	if found.Versions {
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+VersionTable+" WHERE is_applied").Scan(&version); err != nil {
			return 0, err
		}
	}
	switch {
	case version > s.engine.Version && found.Versions && !slices.Contains(found.Fits, 0): // 0: no table of a store
		return version, nil // what a newer program has in it is unknown
	case found.Foreign != "":
		return 0, s.engine.foreign(found.Foreign)
	case !slices.Contains(found.Fits, version):
		return 0, s.engine.foreign("another program keeps its tables there")
	}
	return version, nil
}

// patiently does again what others are in the way of, for as long as a store
// waits. A server sees to that by itself. SQLite itself waits for a lock, but says
// at once that it is busy where two connections begin a file's log, or where one that has read wants to write.
func (s *Store) patiently(ctx context.Context, do func() error) error {
	last := time.Now().Add(s.wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := do()
		if err == nil || s.engine.Postgres || s.engine.Code(err) != Locked || time.Now().After(last) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
