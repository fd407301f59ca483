package app

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/store"
)

// Observer is told of each call of the store, by its name, before it is made. What it
// returns is what the call is made with, and is told how it ended; with an error the call
// isn't made.
type Observer func(ctx context.Context, call string) (context.Context, func(error), error)

// observed is a store as sessions need it, whose calls an observer is told of.
type observed struct {
	*store.Store
	tell Observer
}

// called makes a call, and tells of it.
func called[T any](ctx context.Context, o observed, name string, call func(context.Context) (T, error)) (T, error) {
	ctx, done, err := o.tell(ctx, name)
	if err != nil {
		var none T
		return none, err
	}
	out, err := call(ctx)
	done(err)
	return out, err
}

func (o observed) Session(ctx context.Context, id string, of store.Projects) (*store.Session, error) {
	return called(ctx, o, "session", func(ctx context.Context) (*store.Session, error) { return o.Store.Session(ctx, id, of) })
}

func (o observed) Commit(ctx context.Context, t store.Transition) (*store.Committed, error) {
	return called(ctx, o, "commit", func(ctx context.Context) (*store.Committed, error) { return o.Store.Commit(ctx, t) })
}

func (o observed) Text(ctx context.Context, session string, seq int64) (text string, ok bool, err error) {
	ctx, done, err := o.tell(ctx, "text")
	if err != nil {
		return "", false, err
	}
	text, ok, err = o.Store.Text(ctx, session, seq)
	done(err)
	return text, ok, err
}

func (o observed) Input(ctx context.Context, session string, seq int64) (cento.Input, error) {
	return called(ctx, o, "input", func(ctx context.Context) (cento.Input, error) { return o.Store.Input(ctx, session, seq) })
}

func (o observed) Blob(ctx context.Context, sum string) ([]byte, error) {
	return called(ctx, o, "blob", func(ctx context.Context) ([]byte, error) { return o.Store.Blob(ctx, sum) })
}

func (o observed) Removals(ctx context.Context) (int64, error) {
	return called(ctx, o, "removals", o.Store.Removals)
}

func (o observed) Sessions(ctx context.Context, q store.SessionQuery) ([]store.Session, error) {
	return called(ctx, o, "sessions", func(ctx context.Context) ([]store.Session, error) { return o.Store.Sessions(ctx, q) })
}

func (o observed) Delete(ctx context.Context, id string, d store.DeleteOptions) (*store.Deleted, error) {
	return called(ctx, o, "delete", func(ctx context.Context) (*store.Deleted, error) { return o.Store.Delete(ctx, id, d) })
}
