package session

import (
	"context"

	"github.com/cento-dev/cento/store"
)

// ListRequest chooses sessions. The zero value is all.
type ListRequest struct {
	// Parent: those that were forked from this one; empty for any.
	Parent string
	// Cursor: those that began before the session that has it; empty for all.
	Cursor string
	// Limit is how many at most, the newest; 0 for all.
	Limit int
	// Projects: those that belong to one of these; nil for any.
	Projects []string
}

// Listed is a session in a list.
type Listed struct {
	store.Session
	Epoch   int64 `json:"epoch"`
	Turn    int64 `json:"turn"`
	Pending int   `json:"pending"`
	// Cursor is its place in the list.
	Cursor string `json:"cursor"`
}

// List lists sessions of all projects in the order in which they began. What has records and no state
// is no session. With a limit, the cursor of the first of an answer is what the next
// request goes on from, also where that session is deleted meanwhile; an answer that is
// empty was the last. The errors are [store.UnknownSession] for a parent that isn't
// there, [store.OtherProject] for a parent of another project, [store.InvalidCursor], [Unreadable], and those of the store.
func (s *Service) List(ctx context.Context, r ListRequest) ([]Listed, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	out := []Listed{}
	if r.Parent != "" {
		if _, err := s.store.Session(ctx, r.Parent, s.projects); err != nil {
			return nil, err
		}
	}
	for q := (store.SessionQuery{Parent: r.Parent, Cursor: r.Cursor, Limit: r.Limit, States: true, Projects: r.Projects}); ; {
		page, err := s.store.Sessions(ctx, q)
		if err != nil {
			return nil, err
		}
		list, err := listed(page)
		if err != nil {
			return nil, err
		}
		out = append(list, out...)
		if q.Limit == 0 || len(page) < q.Limit || len(out) == r.Limit {
			return out, nil
		}
		q.Cursor, q.Limit = page[0].Cursor(), r.Limit-len(out) // some were no sessions
	}
}

func listed(page []store.Session) ([]Listed, error) {
	out := make([]Listed, 0, len(page))
	for _, x := range page {
		if x.State == nil {
			continue
		}
		state, err := readState(x.State)
		if err != nil {
			return nil, err
		}
		out = append(out, Listed{Session: x, Epoch: state.Epoch, Turn: state.Reminders.Turn, Pending: len(state.Reminders.Reminders), Cursor: x.Cursor()})
	}
	return out, nil
}

// DeleteRequest deletes a session.
type DeleteRequest struct {
	ID string `json:"id"`
	// Expect is the version of the session that the caller has seen; 0: any.
	Expect int64 `json:"-"`
	// Children: those that were forked from it go too, and theirs.
	Children bool `json:"children"`
	// AnyChildren: those of other projects, too. Without it they are [store.HasChildren].
	AnyChildren bool `json:"-"`
}

// Delete takes a session out, with its prompt and its records, and frees its name. The
// errors are [store.UnknownSession], [store.Conflict], [store.HasChildren] and those of
// the store.
func (s *Service) Delete(ctx context.Context, r DeleteRequest) (*store.Deleted, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	out, err := s.store.Delete(ctx, r.ID, store.DeleteOptions{Expect: r.Expect, Children: r.Children, AnyChildren: r.AnyChildren, Projects: s.projects})
	if err != nil {
		return nil, err
	}
	for _, id := range out.Sessions {
		s.memory.deleted(id)
	}
	return out, nil
}
