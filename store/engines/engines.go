// Package engines opens a store wherever its place says that it is. It keeps no store open
// and shares none: each Open is another one.
//
//	s, err := engines.Open(ctx, "postgres://cento@db.example/cento", store.Options{})
//
// Importing it links both engines; who keeps stores on one alone imports store/sqlite
// or store/postgres.
package engines

import (
	"context"
	"errors"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storeaddress"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/postgres"
	"github.com/cento-dev/cento/store/sqlite"
)

// Open opens the store at a place, and makes it when there is none: a path or
// `sqlite:PATH` for the embedded database, `postgres://…` for a server. Another
// scheme is refused, with [store.Invalid]; the other errors are those of
// [store.Open].
func Open(ctx context.Context, place string, o store.Options) (*store.Store, error) {
	at, err := storeaddress.Read(place)
	switch fault, _ := errors.AsType[*storeaddress.Fault](err); {
	case fault != nil:
		return nil, &cento.SourceError{Code: store.Invalid, Message: fault.Message, Hint: fault.Hint}
	case at.Server != "":
		return postgres.Open(ctx, place, o)
	}
	return sqlite.Open(ctx, place, o)
}
