package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/cento-dev/cento/project"
)

// mostStores bounds how many stores are kept open that nobody uses at the moment: each
// holds files and prompts.
const mostStores = 8

// Stores are those that many requests name. Each is opened once and stays open from one
// request to the next, until it is closed with the others, or nobody used it for longer
// than any other of too many. They may be shared by goroutines.
type Stores struct {
	open func(ctx context.Context, place string, access Access) (*Service, error)

	mu   sync.Mutex
	kept map[openedFor]*keptStore
	uses int64
}

// openedFor is what tells the stores that are kept apart: one that is only read is
// another than the one at the same place that is written to.
type openedFor struct {
	place string
	reads bool
}

// keptStore is one of them. Service, err and file are there once it is opened.
type keptStore struct {
	openedFor
	opened  chan struct{}
	service *Service
	err     error
	// file is the one that was opened, nil for a server.
	file os.FileInfo
	// users work with it now, last is when one began to.
	users int
	last  int64
	// left: it is no longer among those that are kept, and its last user closes it.
	left bool
}

// NewStores keeps what open opens; nil opens as [OpenService] does.
func NewStores(open func(ctx context.Context, place string, access Access) (*Service, error)) *Stores {
	if open == nil {
		open = OpenService
	}
	return &Stores{open: open, kept: map[openedFor]*keptStore{}}
}

// Sessions are those of a project, as [OpenSessions] finds them. Closing them lets go of
// the store, which stays open.
func (s *Stores) Sessions(ctx context.Context, site project.Site, r project.Request, asked string, access Access) (*Sessions, error) {
	at, err := sessionPlace(site, r, asked, access)
	if err != nil {
		return nil, err
	}
	k, err := s.use(ctx, at, access)
	if err != nil {
		return nil, neverWritten(at, err)
	}
	out := k.service.Sessions(site, r)
	out.asked = asked
	out.close = func() error { return s.release(k) }
	return out, nil
}

// use is the store at a place, opened if it isn't; who only reads takes one that is open
// to be written to. An opening that fails is tried again by whoever asks next.
func (s *Stores) use(ctx context.Context, place string, access Access) (*keptStore, error) {
	s.mu.Lock()
	of := openedFor{place, access == Reads}
	var k *keptStore
	var left []*keptStore
	for _, kept := range []openedFor{{place, false}, of} {
		k = s.kept[kept]
		if k != nil && k.replaced() {
			left, k = append(left, k), nil
			s.leave(left[len(left)-1])
		}
		if k != nil {
			break
		}
	}
	begins := k == nil
	if begins {
		k = &keptStore{openedFor: of, opened: make(chan struct{})}
		s.kept[of] = k
	}
	s.uses++
	k.users, k.last = k.users+1, s.uses
	s.mu.Unlock()
	// What is no longer at the place is closed first: both have the same name.
	var gone error
	for _, old := range left {
		gone = errors.Join(gone, s.closeIdle(old))
	}
	var err error
	if begins {
		err = s.begin(ctx, k, access)
	} else {
		select {
		case <-k.opened:
			err = k.err
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err == nil {
		err = gone
	}
	if err != nil {
		_ = s.release(k) // which closes others: what is told is why this one can't be used
		return nil, err
	}
	return k, nil
}

// begin opens a store for all who wait for it.
func (s *Stores) begin(ctx context.Context, k *keptStore, access Access) error {
	defer close(k.opened)
	if k.service, k.err = s.open(ctx, k.place, access); k.err == nil && filepath.IsAbs(k.place) {
		k.file, k.err = os.Stat(k.place)
	}
	if k.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leave(k)
	}
	return k.err
}

// replaced reports whether the file is no longer the one that was opened: what is
// written to it would be lost.
func (k *keptStore) replaced() bool {
	select {
	case <-k.opened:
	default:
		return false
	}
	if k.file == nil {
		return false
	}
	now, err := os.Stat(k.place)
	return err != nil || !os.SameFile(now, k.file)
}

// release ends a use, and closes what is no longer kept, and one that is too many.
func (s *Stores) release(k *keptStore) error {
	s.mu.Lock()
	k.users--
	var idle *keptStore
	n := 0
	for _, o := range s.kept {
		if o.users > 0 {
			continue
		}
		if n++; idle == nil || o.last < idle.last {
			idle = o
		}
	}
	if n <= mostStores {
		idle = nil
	} else {
		s.leave(idle)
	}
	s.mu.Unlock()
	return errors.Join(s.closeIdle(k), s.closeIdle(idle))
}

// leave takes a store out of those that are kept. The lock is held.
func (s *Stores) leave(k *keptStore) {
	if !k.left {
		k.left = true
		delete(s.kept, k.openedFor)
	}
}

// closeIdle closes a store that was left, once nobody uses it; nil is nothing.
func (s *Stores) closeIdle(k *keptStore) error {
	if k == nil {
		return nil
	}
	s.mu.Lock()
	var service *Service
	if k.left && k.users == 0 {
		service, k.service = k.service, nil
	}
	s.mu.Unlock()
	if service == nil {
		return nil
	}
	return service.Close()
}

// Close closes all of them. Those that are in use are closed by whoever uses them last.
func (s *Stores) Close() error {
	s.mu.Lock()
	var all []*keptStore
	for _, k := range s.kept {
		all = append(all, k)
	}
	for _, k := range all {
		s.leave(k)
	}
	s.mu.Unlock()
	var errs []error
	for _, k := range all {
		errs = append(errs, s.closeIdle(k))
	}
	return errors.Join(errs...)
}
