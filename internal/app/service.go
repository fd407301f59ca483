package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// Service is a store that a service keeps open, for the projects that it serves.
type Service struct {
	store    *store.Store
	seen     observed
	sessions *session.Service
}

// StorePlace says where the sessions and records of a project are: at the place that was
// asked for, else where its manifest or the user's configuration says, else in the
// user's own store.
func StorePlace(site project.Site, r project.Request, asked string) (string, error) {
	return storePlace(site, r, asked)
}

// OpenService opens the store at a place, and makes it where it isn't there and sessions
// are to begin. The caller closes it.
func OpenService(ctx context.Context, place string, access Access) (*Service, error) {
	nobody := func(ctx context.Context, _ string) (context.Context, func(error), error) {
		return ctx, func(error) {}, nil
	}
	return OpenObserved(ctx, place, ServiceOptions{Access: access, Tell: nobody})
}

// ServiceOptions are how a service opens its store.
type ServiceOptions struct {
	Access Access
	// Tell is told what sessions ask of the store.
	Tell Observer
	// Now is the clock of what is stored; nil: the system's.
	Now func() time.Time
	// Keys is how long an idempotency key counts; 0: for as long as its session is there.
	Keys time.Duration
}

// OpenObserved is OpenService with somebody who is told what sessions ask of the store.
func OpenObserved(ctx context.Context, place string, o ServiceOptions) (*Service, error) {
	s, err := engines.Open(ctx, place, store.Options{ReadOnly: o.Access == Reads, Existing: o.Access == Changes, Clock: o.Now, Keys: o.Keys})
	if err != nil {
		return nil, err
	}
	seen := observed{s, o.Tell}
	sessions := session.New(seen)
	if o.Now != nil {
		sessions.Now = func() time.Time { return o.Now().UTC() }
	}
	return &Service{s, seen, sessions}, nil
}

// Sessions are those of a project, from which their prompts come.
func (s *Service) Sessions(site project.Site, r project.Request) *Sessions {
	return (&Sessions{Service: s.sessions, store: s.store, site: site, request: r, close: s.Close}).In(Projects{Name: site.Project()})
}

// Log is the record of what the sessions that a caller reaches sent.
func (s *Service) Log(of Projects) *Log { return &Log{store: s.store, projects: of} }

// Reach asks the store whether it is there.
func (s *Service) Reach(ctx context.Context) error {
	_, err := s.seen.Removals(ctx)
	return err
}

// Count is how many sessions the store has, those without a prompt too.
func (s *Service) Count(ctx context.Context) (int64, error) {
	return called(ctx, s.seen, "count", s.store.Count)
}

// Close closes the store.
func (s *Service) Close() error { return s.store.Close() }

// InputDigest is the SHA-256, in hex, of what a prompt is made of, the clock aside.
func InputDigest(in cento.Input) (string, error) {
	in.Files.Now = time.Time{}
	document, err := store.InputDocument(in)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:]), nil
}

// Engine is the name of the database that the store is kept in.
func (s *Service) Engine() string {
	if strings.HasPrefix(s.store.Place(), "postgres://") {
		return "postgres"
	}
	return "sqlite"
}
