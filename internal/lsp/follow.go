package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/cento-dev/cento/internal/app"
)

// followed is a project that is looked at again whenever something in it changes.
type followed struct {
	dir  string        // of its manifest, or that is open
	kick chan struct{} // something changed
	// Under the server's lock:
	cancel context.CancelFunc                // of the look that is being taken; nil: none is
	look   *look                             // the last one
	good   *look                             // the last one whose manifest could be read
	next   chan struct{}                     // closed when another one is there
	told   map[uri.URI][]protocol.Diagnostic // that the editor shows
}

// look is a project as it was found at a moment. Nothing in it changes but what is made
// when it is first asked for.
type look struct {
	mu      sync.Mutex // of what follows
	known   *app.Known
	request app.Request
	changes uint64 // that it has seen
	texts   map[string]*document
	*app.Diagnosis
}

// maxFollowed is how many projects are followed at once.
const maxFollowed = 32

// projectOf is the folder of the project that a path is about: that of the nearest
// manifest above it, else the folder of the editor that it lies in.
func (s *server) projectOf(path string) (string, bool) {
	dir := path
	if !isFolder(path) {
		dir = filepath.Dir(path)
	}
	if !s.inside(dir) {
		return "", false
	}
	site, err := app.Locate(app.Request{Dir: dir})
	if err == nil && site.ManifestPath != "" {
		return filepath.Dir(site.ManifestPath), true
	}
	for _, folder := range s.folders {
		if isBelow(folder, dir) {
			return folder, true
		}
	}
	return "", false
}

// followIn follows the project that a path belongs to; nil for none.
func (s *server) followIn(path string) *followed {
	dir, ok := s.projectOf(path)
	if !ok {
		return nil
	}
	f := s.followed[dir]
	if f == nil {
		if len(s.followed) >= maxFollowed {
			s.log(protocol.MessageTypeWarning, fmt.Sprintf("more than %d projects are open; that in %.200q isn't looked at", maxFollowed, dir))
			return nil
		}
		f = &followed{dir: dir, kick: make(chan struct{}, 1), next: make(chan struct{}), told: map[uri.URI][]protocol.Diagnostic{}}
		s.followed[dir] = f
		f.kick <- struct{}{}
		s.running.Go(func() { s.follow(f) })
	}
	return f
}

// changed has all projects looked at anew, since a file of one may be read by another.
func (s *server) changed(path string) {
	s.changes++
	s.followIn(path)
	for _, f := range s.followed {
		if f.cancel != nil {
			f.cancel()
		}
		select {
		case f.kick <- struct{}{}:
		default:
		}
	}
}

// follow looks at a project whenever something changed, until the conversation ends. A
// change during a look ends it: what it would find is out of date.
func (s *server) follow(f *followed) {
	for {
		select {
		case <-s.life.Done():
			return
		case <-f.kick:
		}
		ctx, cancel := context.WithCancel(s.life)
		s.mu.Lock()
		if f.look != nil && f.look.changes == s.changes {
			s.mu.Unlock()
			cancel()
			continue // the last look began after the change
		}
		f.cancel = cancel
		l := &look{changes: s.changes, texts: s.versions()}
		unsaved := s.unsaved()
		s.mu.Unlock()
		d, err := s.diagnose(ctx, l, f.dir, unsaved)
		over := ctx.Err() != nil
		cancel()
		if over {
			continue // it was kicked, or the conversation ended
		}
		if err != nil {
			s.log(protocol.MessageTypeError, fmt.Sprintf("looking at the project in %.200q: %v", f.dir, err))
			d = &app.Diagnosis{}
		}
		l.Diagnosis = d
		s.publish(f, l)
		s.mu.Lock()
		f.cancel, f.look = nil, l
		if d.Project != nil {
			f.good = l
		}
		close(f.next)
		f.next = make(chan struct{})
		s.mu.Unlock()
	}
}

// diagnose looks at a project.
func (s *server) diagnose(ctx context.Context, l *look, dir string, unsaved map[string]string) (d *app.Diagnosis, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this is a mistake in cento, please report it: %v\n%s", p, debug.Stack())
		}
	}()
	if l.request, err = s.options.Request(); err != nil {
		return nil, err
	}
	l.request = app.WithUnsaved(l.request, unsaved)
	l.request.Dir = dir
	return app.Diagnose(ctx, l.request)
}

// looked waits for a look at a project that has seen so many changes.
func (s *server) looked(ctx context.Context, f *followed, changes uint64) (*look, error) {
	for {
		s.mu.Lock()
		l, next := f.look, f.next
		s.mu.Unlock()
		if l != nil && l.changes >= changes {
			return l, nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// names are those of the project, gathered when they are first asked for.
func (l *look) names(ctx context.Context) (*app.Known, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		known, err := l.Known(ctx, l.request)
		if err != nil {
			return nil, err
		}
		l.known = known
	}
	return l.known, nil
}

// sight is what a request about a text looks at: the project as it is now, and as it was
// when its manifest could be read.
type sight struct {
	*document
	now, good *look
	files     *fileReader // of now: one text for each file
}

// sighted has a request about a text answered when the project was looked at as it is.
// The answer is nothing where the text belongs to no project.
func (s *server) sighted(u uri.URI, answer func(context.Context, sight) (any, error)) (func(context.Context) (any, error), error) {
	d, err := s.document(u)
	if err != nil {
		return nil, err
	}
	f, changes := s.followIn(d.path), s.changes
	return func(ctx context.Context) (any, error) {
		if f == nil {
			return nil, nil
		}
		l, err := s.looked(ctx, f, changes)
		if err != nil {
			return nil, err
		}
		if l.texts[d.path] != d {
			return nil, protocol.ErrContentModified // the position is of another text
		}
		s.mu.Lock()
		good := f.good
		s.mu.Unlock()
		return answer(ctx, sight{d, l, good, s.reader(l)})
	}, nil
}
