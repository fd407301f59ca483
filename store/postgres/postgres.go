// Package postgres keeps a store in a database of a PostgreSQL server, which several
// machines can share. It makes no database, role or schema.
//
//	s, err := postgres.Open(ctx, "postgres://cento@db.internal/agents", store.Options{})
//
// It brings the driver, the tables and what the server's errors mean; all else is
// [store.Store]. The tables lie in the schema that connections use, and are made and
// brought up to date by whoever comes first, while others wait.
//
// It makes no database, role or schema: those are who runs the server's to make.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storeaddress"
	"github.com/cento-dev/cento/internal/storetables"
	"github.com/cento-dev/cento/store"
)

//go:embed tables
var tables embed.FS

// Open opens the store in a database of a server, in the schema that connections to
// it use, and makes its tables when there are none. The address is written
// `postgres://user@host:5432/database`, whatever the case of the scheme; what else it
// may say is told by the driver pgx. Of all programs that share a store one writes at
// a time, which the server sees to.
//
// The errors are those of [store.Open].
func Open(ctx context.Context, address string, o store.Options) (*store.Store, error) {
	const form = "write it as postgres://user@host:5432/database"
	at, err := storeaddress.Read(address)
	switch fault, _ := errors.AsType[*storeaddress.Fault](err); {
	case fault != nil:
		return nil, &cento.SourceError{Code: store.Invalid, Message: fault.Message, Hint: fault.Hint}
	case at.Server == "":
		return nil, &cento.SourceError{Code: store.Invalid, Message: "the place of the store is a file, and not the address of a server", Hint: form}
	}
	config, err := pgx.ParseConfig(at.Server)
	if err != nil {
		// The error of the library may quote the address, password and all.
		return nil, &cento.SourceError{Code: store.Invalid, Message: "the address of the store can't be read", Hint: form}
	}
	steps, err := fs.Sub(tables, "tables")
	if err != nil {
		return nil, err
	}
	version, err := storetables.Newest(steps)
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Engine{
		Place:    "postgres://" + net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))) + "/" + config.Database,
		Postgres: true, Code: code, Version: version, Inspect: func(ctx context.Context, tx *sql.Tx) (store.Found, error) { return inspect(ctx, tx, steps, version) },
		Begin: []string{"BEGIN", "SELECT pg_advisory_xact_lock(hashtextextended('cento.' || current_schema(), 0))"},
		Connect: func(ctx context.Context, o store.Options) (read, write *sql.DB, err error) {
			return connect(ctx, config, o)
		},
		Update: func(ctx context.Context, db *sql.DB, o store.Options) error {
			// Programs that begin at the same time wait for the one that makes the tables,
			// and ask every second. Stores in other schemas of the database don't.
			var id int64
			if err := db.QueryRowContext(ctx, "SELECT hashtextextended('cento tables.' || coalesce(current_schema(), ''), 0)").Scan(&id); err != nil {
				return err
			}
			locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(id), lock.WithLockTimeout(1, uint64(max(1, o.Wait/time.Second))), lock.WithUnlockTimeout(1, 3))
			if err != nil {
				return err
			}
			return storetables.Update(ctx, goose.DialectPostgres, db, steps, goose.WithSessionLocker(locker))
		},
	}, o)
}

// made is the beginning of a statement that makes a table.
var made = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)

// inspect looks at the tables that have the names of a store's. Others may share the
// schema, but whatever runs a program of its own with one of these would run it with the
// store's rights: a trigger, a rule, a view, a policy, a check, a default, a computed column,
// a column of a type with checks, an index of an expression, a table that is part of it.
func inspect(ctx context.Context, tx *sql.Tx, steps fs.FS, version int64) (found store.Found, err error) {
	names := []string{store.VersionTable}
	files, err := fs.Glob(steps, "*.sql")
	if err != nil {
		return found, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(steps, file)
		if err != nil {
			return found, err
		}
		for _, m := range made.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	rows, err := tx.QueryContext(ctx, `SELECT c.relname, CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'table' ELSE coalesce(
			(SELECT 'trigger '||quote_ident(t.tgname) FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal ORDER BY t.tgname LIMIT 1),
			(SELECT 'rule '||quote_ident(r.rulename) FROM pg_rewrite r WHERE r.ev_class = c.oid ORDER BY r.rulename LIMIT 1),
			(SELECT 'policy '||quote_ident(p.polname) FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY p.polname LIMIT 1),
			(SELECT 'check '||quote_ident(k.conname) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' ORDER BY k.conname LIMIT 1),
			(SELECT 'value of the column '||quote_ident(a.attname) FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
				WHERE d.adrelid = c.oid AND (c.relname <> $2 OR pg_get_expr(d.adbin, d.adrelid) <> 'now()') ORDER BY a.attname LIMIT 1),
			(SELECT 'type of the column '||quote_ident(a.attname) FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
				WHERE a.attrelid = c.oid AND a.attnum > 0 AND y.typnamespace <> 'pg_catalog'::regnamespace ORDER BY a.attname LIMIT 1),
			(SELECT 'index '||i.indexrelid::regclass FROM pg_index i WHERE i.indrelid = c.oid AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL) ORDER BY 1 LIMIT 1),
			(SELECT 'part '||h.inhrelid::regclass FROM pg_inherits h WHERE h.inhparent = c.oid ORDER BY 1 LIMIT 1), '') END
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = ANY ($1) ORDER BY c.relname`, names, store.VersionTable)
	if err != nil {
		return found, err
	}
	defer rows.Close()
	own := 0
	for rows.Next() {
		var name, foreign string
		if err := rows.Scan(&name, &foreign); err != nil {
			return found, err
		}
		switch {
		case foreign == "table":
			found.Foreign = cmp.Or(found.Foreign, fmt.Sprintf("its %q is not a table", name))
		case foreign != "":
			found.Foreign = cmp.Or(found.Foreign, fmt.Sprintf("no release of Cento makes the %s of its table %q", foreign, name))
		}
		if name == store.VersionTable {
			found.Versions = foreign == ""
		} else if slices.Contains(always, name) {
			own++
		}
	}
	switch own {
	case 0: // nothing, or the versions of another program
		found.Fits = []int64{0}
	case len(always):
		for v := range version {
			found.Fits = append(found.Fits, v+1)
		}
	default:
		found.Foreign = cmp.Or(found.Foreign, "another program keeps its tables there")
	}
	return found, rows.Err()
}

// always are tables that every version has.
var always = []string{"session", "record", "kept"}

// connect opens the handles, and asks whether the server answers.
func connect(ctx context.Context, config *pgx.ConnConfig, o store.Options) (read, write *sql.DB, err error) {
	if config.ConnectTimeout == 0 || config.ConnectTimeout > o.Wait {
		config.ConnectTimeout = o.Wait
	}
	set := func(name, value string) {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	set("application_name", "cento")
	set("lock_timeout", strconv.FormatInt(o.Wait.Milliseconds(), 10))
	config.RuntimeParams["synchronous_commit"] = "on" // acknowledged means durable
	if o.ReadOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	open := func(conns int) *sql.DB {
		db := o.Connect(stdlib.GetConnector(*config))
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		return db
	}
	read = open(4)
	if !o.ReadOnly {
		write = open(2) // migrating takes two
	}
	reach, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	return read, write, read.PingContext(reach)
}

// code is that of an error of the driver.
func code(err error) cento.ErrorCode {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case e.Code == "55P03", e.Code == "40P01", e.Code == "40001":
			return store.Locked
		case e.Code == "53100", e.Code == "53200":
			return store.Full
		case e.Code == "25006", e.Code == "42501":
			return store.ReadOnly
		case strings.HasPrefix(e.Code, "XX"), strings.HasPrefix(e.Code, "58"):
			return store.Corrupt
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "28"),
			strings.HasPrefix(e.Code, "3D"), e.Code == "53300":
			return store.Unreachable
		}
		return ""
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return store.Unreachable
	}
	return ""
}
