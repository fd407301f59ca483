package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cento-dev/cento"
)

// migrate brings the tables up to date. A store of a newer program is left
// alone.
func (s *Store) migrate(ctx context.Context, o Options) error {
	target := s.engine.Version
	current, err := s.version(ctx)
	if err != nil {
		return err
	}
	switch {
	case current > target:
		return &cento.SourceError{Code: Newer, Message: "the store " + s.engine.Place + " " + phrases[Newer].said, Hint: phrases[Newer].hint}
	case current == target:
		return nil
	case o.ReadOnly && current == 0:
		// An older program would have left a version.
		return &cento.SourceError{Code: Empty, Message: "the store " + s.engine.Place + " " + phrases[Empty].said}
	case o.ReadOnly:
		return &cento.SourceError{
			Code: ReadOnly, Message: "the store " + s.engine.Place + " is of an older program, and may not be brought up to date",
			Hint: phrases[ReadOnly].hint,
		}
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

// versionTable makes the table that tells the version of the others, if it isn't
// there. goose would do so, but asks a broken disk for seconds before it tells.
func (s *Store) versionTable(ctx context.Context) error {
	var conn *sql.Conn
	err := s.exclusively(ctx, &conn, func(q querier) (func(), error) {
		for _, statement := range []string{
			`CREATE TABLE IF NOT EXISTS goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL,
				is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`,
			"INSERT INTO goose_db_version (version_id, is_applied) SELECT 0, 1 WHERE NOT EXISTS (SELECT 1 FROM goose_db_version)",
		} {
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

const sqliteVersionTable = "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'"

// version is that of the tables; 0 when there are none.
func (s *Store) version(ctx context.Context) (int64, error) {
	there := sqliteVersionTable
	if s.engine.Postgres {
		there = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'goose_db_version'"
	}
	db := s.write
	if db == nil {
		db = s.read
	}
	var n, version int64
	if err := db.QueryRowContext(ctx, there).Scan(&n); err != nil || n == 0 {
		return 0, err
	}
	err := db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version, err
}

// patiently does again what others are in the way of, for as long as a store
// waits. A server sees to that by itself. SQLite itself waits for a lock, but says at once that it is busy where two
// connections begin a file's log, or where one that has read wants to write.
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
