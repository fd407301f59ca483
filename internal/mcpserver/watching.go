package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/watch"
)

// view is a project as it is read for a target; empty for none.
type view struct{ project, target string }

// watching is what a client hears of: which files its texts are from, and what they said
// when it was told last.
type watching struct {
	watcher *watch.Watcher

	mu sync.Mutex
	// readings are those that are followed, by what was read: the projects themselves, and
	// targets that somebody subscribed to.
	readings map[view]*app.DiskReading
	// texts are those that the client subscribed to, as it knows them.
	texts map[string]string
}

func newWatching() *watching {
	return &watching{readings: map[view]*app.DiskReading{}, texts: map[string]string{}}
}

// see follows the files that a view was read from, where somebody hears of it. Where an
// earlier reading is followed, it stays: it isn't as it was, and that is about to be told.
func (w *watching) see(v view, r *app.DiskReading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r == nil || w.readings[v] != nil || v.target != "" && !w.wanted(v) {
		return
	}
	w.readings[v] = r
	if w.watcher != nil {
		w.watcher.Follow(r)
	}
}

// wanted reports whether somebody subscribed to a text of a view. The lock is held.
func (w *watching) wanted(v view) bool {
	for uri := range w.texts {
		if viewOf(uri) == v {
			return true
		}
	}
	return false
}

// viewOf is what an address is read by.
func viewOf(uri string) view {
	project, kind, name, _ := splitAddress(uri)
	if kind == promptKind {
		return view{project, name}
	}
	return view{project: project}
}

// begin follows what was read until now with a watcher; it gives an end to that.
func (w *watching) begin() (*watch.Watcher, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// A listener that the system doesn't give is nothing that a client could mend: then the
	// files are looked at.
	w.watcher = watch.New(watch.Options{})
	for _, r := range w.readings {
		w.watcher.Follow(r)
	}
	watcher := w.watcher
	return watcher, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.watcher = nil
		_ = watcher.Close() // nothing is written to it
	}
}

// subscribe remembers what a text says, which the client is about to read.
func (s *Server) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	uri := r.Params.URI
	project, _, _, ok := splitAddress(uri)
	if _, err := s.project(project); !ok || err != nil {
		return mcp.ResourceNotFoundError(uri)
	}
	w := s.watching
	w.mu.Lock()
	w.texts[uri] = ""
	w.mu.Unlock()
	text := s.said(ctx, uri)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts[uri] = text
	return nil
}

func (s *Server) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w := s.watching
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.texts, r.Params.URI)
	if v := viewOf(r.Params.URI); v.target != "" && !w.wanted(v) && w.readings[v] != nil {
		if w.watcher != nil {
			w.watcher.Leave(w.readings[v])
		}
		delete(w.readings, v)
	}
	return nil
}

// said is what a client that reads an address is told, in a form that can be compared.
func (s *Server) said(ctx context.Context, uri string) string {
	contents, err := s.contents(ctx, uri)
	if err != nil {
		return "error: " + err.Error()
	}
	b, err := json.Marshal(contents)
	if err != nil { // it is texts and numbers
		panic("mcpserver: " + err.Error())
	}
	return string(b)
}

// follow tells the client of lists and texts that have become others, until the context
// ends.
func (s *Server) follow(ctx context.Context) {
	watcher, end := s.watching.begin()
	defer end()
	for {
		changes, err := watcher.Next(ctx)
		if err != nil {
			return
		}
		for _, c := range changes {
			s.changed(ctx, c.Reading)
		}
	}
}

// changed deals with files that aren't as a reading saw them.
func (s *Server) changed(ctx context.Context, r *app.DiskReading) {
	w := s.watching
	w.mu.Lock()
	var views []view
	for v, of := range w.readings {
		if of == r {
			views = append(views, v)
			delete(w.readings, v) // whoever reads it anew follows that
		}
	}
	texts := map[string]string{}
	for _, v := range views {
		for uri, text := range w.texts {
			if viewOf(uri) == v {
				texts[uri] = text
			}
		}
	}
	w.mu.Unlock()
	for _, v := range views {
		p, err := s.project(v.project)
		if err != nil {
			continue // it was made of one that is there
		}
		// A project that can't be read now is followed by what was looked at: it is an
		// answer as well.
		_, _ = s.open(ctx, p, v.target, nil)
		if v.target == "" {
			s.offerPrompts(ctx, []Project{*p})
			s.offerResources(ctx)
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(texts)) {
		now := s.said(ctx, uri)
		w.mu.Lock()
		_, wanted := w.texts[uri]
		if wanted {
			w.texts[uri] = now
		}
		w.mu.Unlock()
		if wanted && now != texts[uri] {
			// Its error is of a client that has gone.
			_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}
