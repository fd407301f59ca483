// Package storetables brings the tables of a store up to date, on either engine: the
// steps that weren't done yet, in the order of their numbers. What the steps are is
// the engines' own, and so is that nobody else does them at the same time. A step is
// never undone, and nothing of it is kept outside of the database.
package storetables

import (
	"context"
	"database/sql"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Newest is the version that the tables have once all steps were done.
func Newest(steps fs.FS) (int64, error) {
	names, err := fs.Glob(steps, "*.sql")
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

// Update does the steps that weren't done yet.
func Update(ctx context.Context, dialect goose.Dialect, db *sql.DB, steps fs.FS, options ...goose.ProviderOption) error {
	p, err := goose.NewProvider(dialect, db, steps, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}
