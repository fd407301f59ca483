package store

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/cento-dev/cento"
)

// openPostgres opens a database of a server. Of all programs that share it one
// writes at a time, which the server sees to.
func (s *Store) openPostgres(ctx context.Context, address string, o Options) error {
	s.engine = &engine{place: "on a PostgreSQL server", postgres: true, failed: postgresFailed}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// The error of the library may quote the address, password and all.
		return &cento.SourceError{Code: Invalid, Message: "the address of the store can't be read", Hint: "write it as postgres://user@host:5432/database"}
	}
	s.engine.place = "postgres://" + net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))) + "/" + config.Database
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
	s.engine.begin = []string{"BEGIN", "SELECT pg_advisory_xact_lock(hashtextextended('cento.' || current_schema(), 0))"}
	open := func(conns int) *sql.DB {
		c := stdlib.GetConnector(*config)
		if o.wrap != nil {
			c = o.wrap(c)
		}
		db := sql.OpenDB(c)
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		return db
	}
	s.read = open(4)
	if !o.ReadOnly {
		s.write = open(2) // migrating takes two
	}
	reach, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	return s.read.PingContext(reach)
}

func postgresFailed(err error) cento.ErrorCode {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case e.Code == "55P03", e.Code == "40P01", e.Code == "40001":
			return Locked
		case e.Code == "53100", e.Code == "53200":
			return Full
		case e.Code == "25006", e.Code == "42501":
			return ReadOnly
		case strings.HasPrefix(e.Code, "XX"), strings.HasPrefix(e.Code, "58"):
			return Corrupt
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "28"),
			strings.HasPrefix(e.Code, "3D"), e.Code == "53300":
			return Unreachable
		}
		return ""
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return Unreachable
	}
	if _, ok := errors.AsType[net.Error](err); ok || lostConnection(err) {
		return Unreachable
	}
	return ""
}
