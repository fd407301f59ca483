package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are the settings of a [Watcher]; the zero value is usable.
type Options struct {
	// Settle is how long nothing more has to happen before a change counts; 0: 50 ms.
	// What never settles counts after ten times that.
	Settle time.Duration
	// Poll is how often everything is looked at where the system can't tell of changes;
	// 0: every second.
	Poll time.Duration
	// Sweep is how often it is looked at where the system does; 0: every ten seconds.
	Sweep time.Duration
	// Tell is told why the system can't tell of changes, once; nil: nobody is.
	Tell func(reason error)
}

// Watcher waits for changes of what readings saw. [Watcher.Next] is called by one
// goroutine at a time; the other methods by any.
type Watcher struct {
	settle, poll, sweep time.Duration
	tell                func(error)
	system              notifier

	mu       sync.Mutex
	readings map[*Reading]bool
	added    chan struct{} // holds one when readings were added

	// What follows is Next's own.
	watched map[string]fs.FileInfo // folders that the system tells of
	names   map[string]bool        // that readings lead through
	listed  map[string]bool        // folders whose names count
	refused map[string]bool        // folders that it doesn't tell of
}

// notifier is what the system tells.
type notifier struct {
	events <-chan fsnotify.Event
	errors <-chan error
	add    func(dir string) error
	remove func(dir string) error
	close  func() error
	failed error // there is none, and why
}

// New makes a watcher, which is to be closed.
func New(o Options) *Watcher { return newWatcher(o, listen()) }

func newWatcher(o Options, system notifier) *Watcher {
	w := &Watcher{
		settle: cmp.Or(o.Settle, 50*time.Millisecond), poll: cmp.Or(o.Poll, time.Second), sweep: cmp.Or(o.Sweep, 10*time.Second),
		tell: o.Tell, system: system, readings: map[*Reading]bool{}, added: make(chan struct{}, 1), watched: map[string]fs.FileInfo{},
	}
	if w.tell == nil {
		w.tell = func(error) {}
	}
	return w
}

// listen asks the system to tell of changes.
func listen() notifier {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return notifier{failed: err, close: func() error { return nil }}
	}
	return notifier{events: w.Events, errors: w.Errors, add: w.Add, remove: w.Remove, close: w.Close}
}

// Close lets go of the system. Next must not be called after it.
func (w *Watcher) Close() error { return w.system.close() }

// Follow waits for changes of what a reading saw, from when it saw it.
func (w *Watcher) Follow(r *Reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readings[r] = true
	select {
	case w.added <- struct{}{}:
	default:
	}
}

// Leave waits no longer for those of a reading.
func (w *Watcher) Leave(r *Reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.readings, r)
}

// Change is a reading that isn't any more as it was, and the paths where it isn't.
type Change struct {
	Reading *Reading
	Paths   []string
}

// Next waits until something that is followed has changed and settled, and gives what
// did. It isn't followed any longer: whoever reads it anew follows that. The error is
// the context's.
func (w *Watcher) Next(ctx context.Context) ([]Change, error) {
	for {
		if len(w.compare()) > 0 {
			if err := w.settled(ctx); err != nil {
				return nil, err
			}
			if changes := w.compare(); len(changes) > 0 {
				w.mu.Lock()
				for _, c := range changes {
					delete(w.readings, c.Reading)
				}
				w.mu.Unlock()
				return changes, nil
			}
		}
		if err := w.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wait waits for a reason to compare.
func (w *Watcher) wait(ctx context.Context) error {
	every := w.sweep
	if w.polls() {
		every = w.poll
	}
	again := time.NewTimer(every)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.added:
			return nil
		case <-again.C:
			return nil
		case <-w.system.errors: // it lost count
			return nil
		case e := <-w.system.events:
			if w.matters(e) {
				return nil
			}
		}
	}
}

// settled waits until nothing has happened for a while.
func (w *Watcher) settled(ctx context.Context) error {
	quiet, most := time.NewTimer(w.settle), time.NewTimer(10*w.settle)
	defer quiet.Stop()
	defer most.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-quiet.C:
			return nil
		case <-most.C:
			return nil
		case <-w.system.errors:
		case e := <-w.system.events:
			if w.matters(e) {
				quiet.Reset(w.settle)
			}
		}
	}
}

// matters reports whether an event is about a name that a reading leads through, or a
// new or lost name of a folder whose names count.
func (w *Watcher) matters(e fsnotify.Event) bool {
	if w.watched[e.Name] != nil && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
		delete(w.watched, e.Name) // the system lets go of it by itself
		return true
	}
	return w.names[e.Name] || e.Op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0 && w.listed[filepath.Dir(e.Name)]
}

// mostRounds bounds how often folders are looked for that came while others were added.
const mostRounds = 8

// compare gives the readings that aren't as they were. By then the system tells of every
// folder that they lead through, so that what changes later is told.
func (w *Watcher) compare() (out []Change) {
	w.mu.Lock()
	readings := slices.Collect(maps.Keys(w.readings))
	w.mu.Unlock()
	for range mostRounds {
		out, w.names, w.listed = nil, map[string]bool{}, map[string]bool{}
		l := &look{roots: map[string]string{}, found: map[string]found{}}
		folders := map[string]bool{}
		l.through = func(name string) { w.names[name] = true }
		l.listed = func(dir string) { w.listed[dir], folders[dir] = true, true }
		for _, r := range readings {
			if paths := r.changed(l); paths != nil {
				out = append(out, Change{r, paths})
			}
			r.folders(l, folders)
		}
		for name, f := range l.found {
			if f.target != "" {
				folders[filepath.Dir(name)] = true
			}
		}
		if !w.listenTo(l, folders) {
			return out
		}
	}
	return out
}

// folders adds those whose names say what stands at the places of a reading: the one
// that a place lies in, or the last on the way to it that is there.
func (r *Reading) folders(l *look, to map[string]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range r.seen {
		real := l.at(p).real
		for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
			if f := l.name(dir); f.info != nil && f.info.IsDir() {
				to[dir] = true
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
}

// listenTo has the system tell of folders, and of no others; it reports whether there is
// one that it didn't tell of before.
func (w *Watcher) listenTo(l *look, folders map[string]bool) (more bool) {
	if w.system.failed != nil {
		w.refuse("", w.system.failed)
		return false
	}
	for dir := range w.watched {
		if !folders[dir] {
			_ = w.system.remove(dir) // it may be gone
			delete(w.watched, dir)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		info := l.name(dir).info
		if info == nil || !info.IsDir() || w.refused[dir] {
			continue
		}
		if was := w.watched[dir]; was != nil {
			if os.SameFile(was, info) {
				continue
			}
			_ = w.system.remove(dir)
			delete(w.watched, dir)
		}
		switch err := w.system.add(dir); {
		case err == nil:
			w.watched[dir] = info
			more = true
		case errors.Is(err, fs.ErrNotExist):
			more = true // what stands there is another thing by now
		default:
			w.refuse(dir, err)
		}
	}
	return more
}

// polls reports whether there is something that only looking tells.
func (w *Watcher) polls() bool { return w.refused != nil }

// refuse looks at a folder by itself from now on, and at all others with it.
func (w *Watcher) refuse(dir string, reason error) {
	if !w.polls() {
		w.refused = map[string]bool{}
		w.tell(reason)
	}
	w.refused[dir] = true
}
