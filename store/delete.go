package store

import (
	"context"

	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
)

// DeleteOptions say how a session is deleted.
type DeleteOptions struct {
	// Expect is the version that the session must have; 0 or [AnyVersion]: any.
	Expect int64
	// Children: those that were forked from it go too, and theirs. Without it a
	// session that has any is [HasChildren].
	Children bool
	// AnyChildren: children of other projects go, too. Without it they are [HasChildren].
	AnyChildren bool
	// Projects says who deletes: the session of another project is [OtherProject].
	Projects Projects
}

// Deleted is what was deleted.
type Deleted struct {
	// Sessions are the ids, sorted.
	Sessions []string `json:"sessions"`
	Records  int64    `json:"records"`
}

// Delete takes a session out with its state, its records and the answers that were
// kept for its idempotency keys; its id is free then. Texts that no other session
// needs go with the next [Store.GC]. Who has noted the last record of the session
// finds it missing: see [VerifyOptions].
//
// The errors are [UnknownSession], [OtherProject], [Conflict], [HasChildren] and those of the
// database.
func (s *Store) Delete(ctx context.Context, id string, o DeleteOptions) (*Deleted, error) {
	out := &Deleted{}
	select {
	case <-s.closing:
		return nil, &cento.SourceError{Code: Closed, Message: "the store was closed"}
	default:
	}
	if s.write == nil {
		return nil, s.failure(ReadOnly, nil)
	}
	w := &writer{store: s}
	defer w.drop()
	err := s.exclusively(ctx, &w.conn, func(q querier) (func(), error) {
		r := newReader(s.engine, q)
		first, err := r.session(ctx, id, o.Projects)
		if err != nil {
			return nil, err
		}
		if o.Expect > 0 && o.Expect != first.version {
			return nil, conflict(id, o.Expect, first.version)
		}
		gone, err := r.family(ctx, first)
		if err != nil {
			return nil, err
		}
		if len(gone) > 1 && !o.Children {
			return nil, hasChildren(id, gone[1:])
		}
		for _, child := range gone[1:] {
			if !o.AnyChildren && !o.Projects.Has(child.project) {
				return nil, &cento.SourceError{Code: HasChildren, Message: fmt.Sprintf("session %q has a child of another project", id)}
			}
		}
		*out = Deleted{}
		return func() { s.left.tell(gone) }, r.delete(ctx, gone, out)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// left are sessions that were deleted, by their numbers, until the writer lets go of what
// it remembers of them.
type left struct {
	mu   sync.Mutex
	ids  map[int64]bool
	told chan struct{} // holds one when there are any
}

func (l *left) tell(gone []*row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids = map[int64]bool{}
	}
	for _, s := range gone {
		l.ids[s.id] = true
	}
	select {
	case l.told <- struct{}{}:
	default:
	}
}

func (l *left) take() map[int64]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := l.ids
	l.ids = nil
	return ids
}

// leave lets go of what records of sessions are made of. The last record of all stays,
// which the next one may rest on.
func (w *writer) leave(ids map[int64]bool) {
	for id := range ids {
		w.sessions.drop(id)
	}
	var made []madeOf
	for i := range w.made.slots {
		if s := &w.made.slots[i]; ids[s.value.of] {
			made = append(made, s.key)
		}
	}
	for _, k := range made {
		w.made.drop(k)
	}
}

// family is a session with all that were forked from it, and from those.
func (r *reader) family(ctx context.Context, first *row) ([]*row, error) {
	all, seen := []*row{first}, map[int64]bool{first.id: true}
	for i := 0; i < len(all); i++ {
		err := r.engine.each(ctx, r.q, "SELECT "+sessionColumns+" FROM session WHERE parent = ? ORDER BY name", []any{all[i].name}, func(scan func(...any) error) error {
			child, err := scanSession(scan)
			if err == nil && !seen[child.id] {
				seen[child.id] = true
				all = append(all, child)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *reader) delete(ctx context.Context, gone []*row, out *Deleted) error {
	last := int64(0)
	for _, s := range gone {
		for _, from := range []string{"record", "kept", "request"} {
			done, err := r.q.ExecContext(ctx, r.engine.statement("DELETE FROM "+from+" WHERE session = ?"), s.id)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil {
				return err
			} else if from == "record" {
				out.Records += n
			}
		}
		if _, err := r.q.ExecContext(ctx, r.engine.statement("DELETE FROM session WHERE id = ?"), s.id); err != nil {
			return err
		}
		out.Sessions, last = append(out.Sessions, s.name), max(last, s.id)
	}
	slices.Sort(out.Sessions)
	// Its number is nobody's any more: other writers remember what it stood for.
	const note = `INSERT INTO store (name, value) VALUES ('last_session', ?)
		ON CONFLICT (name) DO UPDATE SET value = CASE WHEN excluded.value > store.value THEN excluded.value ELSE store.value END`
	_, err := r.q.ExecContext(ctx, r.engine.statement(note), last)
	return err
}

// hasChildren names the first of the children.
func hasChildren(id string, children []*row) error {
	const most = 5
	var names []string
	for _, c := range children[:min(len(children), most)] {
		names = append(names, fmt.Sprintf("%q", c.name))
	}
	if more := len(children) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return &cento.SourceError{
		Code: HasChildren, Message: fmt.Sprintf("session %q was forked: %s", id, strings.Join(names, ", ")),
		Hint: "delete those first, or all of them with --children",
	}
}
