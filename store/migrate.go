package store

import (
	"context"
	"database/sql"
	"errors"
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

// ours are tables that every store has, whatever its version; versionsName is that of the
// one which tells it, which programs of others have, too.
const (
	ours         = "'session', 'record', 'kept'"
	oursCount    = 3
	versionsName = "'goose_db_version'"
)

// tables counts what a database holds: whether it has versions, how many tables of a
// store, and what else is there. In a file that would be another program's; a schema of
// a server may be shared, so nothing else counts there.
func (e *Engine) tables() string {
	if e.Postgres {
		return `SELECT count(CASE WHEN table_name = ` + versionsName + ` THEN 1 END), count(CASE WHEN table_name IN (` + ours + `) THEN 1 END), 0
			FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	return `SELECT count(CASE WHEN name = ` + versionsName + ` THEN 1 END), count(CASE WHEN name IN (` + ours + `) THEN 1 END),
		count(CASE WHEN tbl_name NOT IN (` + versionsName + `, ` + ours + `) AND name NOT LIKE 'sqlite_%' THEN 1 END) FROM sqlite_master`
}

// version is that of the tables; 0 when there are none. What another program keeps its
// own in is [Foreign]. All is asked in one transaction: somebody may just be making the
// tables.
func (s *Store) version(ctx context.Context) (version int64, err error) {
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
	var versions, own, others int64
	if err := tx.QueryRowContext(ctx, s.engine.tables()).Scan(&versions, &own, &others); err != nil {
		return 0, err
	}
	if versions > 0 {
		err := tx.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
		if err != nil {
			return 0, err
		}
	}
	if version > 0 && own == oursCount || version == 0 && own == 0 && others == 0 {
		return version, nil
	}
	return 0, &cento.SourceError{
		Code: Foreign, Message: "the store " + s.engine.Place + " is none: another program keeps its tables there",
		Hint: "is it the place that was meant? It was left as it is",
	}
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
