package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/cento-dev/cento"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the tables up to date. A store of a newer program is left
// alone.
func (s *Store) migrate(ctx context.Context, o Options) error {
	folder, dialect := "migrations/sqlite", goose.DialectSQLite3
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.engine.postgres {
		folder, dialect = "migrations/postgres", goose.DialectPostgres
		// Programs that begin at the same time wait for the one that makes the tables,
		// and ask every second.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, uint64(max(1, s.wait/time.Second))), lock.WithUnlockTimeout(1, 3))
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	files, err := fs.Sub(migrations, folder)
	if err != nil {
		return err
	}
	target, err := newest(files)
	if err != nil {
		return err
	}
	current, err := s.version(ctx)
	if err != nil {
		return err
	}
	switch {
	case current > target:
		return &cento.SourceError{Code: Newer, Message: "the store " + s.engine.place + " " + phrases[Newer].said, Hint: phrases[Newer].hint}
	case current == target:
		return nil
	case o.ReadOnly:
		return &cento.SourceError{
			Code: ReadOnly, Message: "the store " + s.engine.place + " is of an older program, and may not be brought up to date",
			Hint: phrases[ReadOnly].hint,
		}
	}
	if !s.engine.postgres {
		if err := s.versionTable(ctx); err != nil {
			return err
		}
	}
	p, err := goose.NewProvider(dialect, s.write, files, options...)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		// Another program may have been quicker.
		if now, again := s.version(ctx); again == nil && now == target {
			return nil
		}
		return err
	}
	return nil
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

// newest is the version of the last migration.
func newest(files fs.FS) (int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, err
	}
	var version int64
	for _, name := range names {
		v, err := goose.NumericComponent(name)
		if err != nil {
			return 0, err
		}
		version = max(version, v)
	}
	return version, nil
}

// version is that of the tables; 0 when there are none.
func (s *Store) version(ctx context.Context) (int64, error) {
	there := sqliteVersionTable
	if s.engine.postgres {
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
