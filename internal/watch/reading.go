package watch

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento/disk"
)

// Reading is what was asked about the files of a disk, and what stood there just before
// each answer. The zero value is ready. It may be used by several goroutines at once.
type Reading struct {
	mu    sync.Mutex
	seen  map[place]*sight
	roots map[string]string // of places, without links
}

// place is a path, and the root below which its links are followed; "" for none.
type place struct{ root, path string }

// sight is what stood at a place when it was asked about first.
type sight struct {
	listed, read bool
	state
}

// On is a disk that tells the reading what it is asked.
func (r *Reading) On(d disk.Disk) disk.Disk { return d.Asked(r.note) }

func (r *Reading) note(q disk.Question) {
	p := place{path: absolute(q.Path)}
	if q.Root != "" {
		p.root = absolute(q.Root)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seen[p]
	if s == nil {
		if r.seen == nil {
			r.seen, r.roots = map[place]*sight{}, map[string]string{}
		}
		// The state is taken before the file is read: what changes from now on is
		// another state.
		s = &sight{state: (&look{roots: r.roots}).at(p)}
		r.seen[p] = s
	}
	switch q.Use {
	case disk.Listed:
		s.listed = true
	case disk.Read:
		s.read = true
	}
}

// absolute is a path from the top; one that can't be made so is as it is.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// Len is how many places were asked about.
func (r *Reading) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

// Holds reports whether a file was read, by any path that leads to it.
func (r *Reading) Holds(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seen {
		if s.read && s.info != nil && os.SameFile(s.info, info) {
			return true
		}
	}
	return false
}

// Changed lists the paths at which something else stands by now, sorted. Where there is
// none, it lists those at which something else may stand and nothing tells: files that
// were written just before they were read. It is nil when all is as it was read.
func (r *Reading) Changed() []string { return r.changed(&look{roots: map[string]string{}}) }

func (r *Reading) changed(l *look) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out, maybe []string
	for p, s := range r.seen {
		switch {
		case s.differs(l.at(p)):
			out = append(out, p.path)
		case (s.read || s.listed) && s.info != nil && s.young():
			maybe = append(maybe, p.path)
		}
		if s.listed {
			l.list(s.real)
		}
	}
	if out == nil {
		out = maybe
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// state is what stands at a path.
type state struct {
	real  string      // where it leads, without links, as far as there is anything
	info  fs.FileInfo // nil: nothing is there, or nothing that can be looked at
	fault string      // why not
	taken time.Time
}

// differs reports whether something else stands there, in what was asked about it.
func (s *sight) differs(now state) bool {
	switch {
	case s.real != now.real || s.fault != now.fault:
		return true
	case s.info == nil || now.info == nil:
		return s.info != now.info
	case s.info.Mode().Type() != now.info.Mode().Type():
		return true
	case s.info.IsDir() && !s.listed:
		return false // what it holds was asked about by other paths, or not at all
	case s.read || s.listed:
		return s.info.Mode() != now.info.Mode() || s.info.Size() != now.info.Size() || !s.info.ModTime().Equal(now.info.ModTime()) ||
			changedAt(s.info) != changedAt(now.info) || !os.SameFile(s.info, now.info)
	}
	return s.info.Size() != now.info.Size()
}

// young reports whether a file had been written so shortly before it was looked at that
// another writing might have the same time: clocks of disks tick, most every few
// milliseconds, some every other second.
func (s *state) young() bool {
	at, tick := s.info.ModTime(), 20*time.Millisecond
	if at.Nanosecond() == 0 {
		tick = 2 * time.Second
	}
	return at.After(s.taken.Add(-tick)) && at.Before(s.taken.Add(tick))
}

// look finds what stands at places. What it found on the way to one it keeps for the
// next, so it is for one moment.
type look struct {
	roots map[string]string
	// found is what each name is, and above where each folder of places leads; nil:
	// nothing is kept.
	found map[string]found
	above map[place]state
	// through is told of each name that is looked at, in a folder without links; nil:
	// nobody. listed is told of folders whose names count, all of them.
	through func(name string)
	listed  func(dir string)
}

type found struct {
	info   fs.FileInfo
	target string // of a link
	err    error
}

func (l *look) list(dir string) {
	if l.listed != nil {
		l.listed(dir)
	}
}

// name is what stands at a name in a folder without links.
func (l *look) name(path string) found {
	f, known := l.found[path]
	if !known {
		f.info, f.err = os.Lstat(path)
		if f.err == nil && f.info.Mode()&fs.ModeSymlink != 0 {
			f.target, f.err = os.Readlink(path)
		}
		if l.found != nil {
			l.found[path] = f
		}
	}
	if l.through != nil {
		l.through(path)
	}
	return f
}

// maxLinks bounds how many links a path may lead through, as systems do.
const maxLinks = 255

// The faults of paths that needn't be looked at further.
const (
	tooManyLinks = "too many links"
	leadsOut     = "a link leads out"
)

// at is what stands at a place. Links are followed below its root alone, and absolute
// ones not at all there, as those who read files below a root do.
func (l *look) at(p place) state {
	now := time.Now()
	top, path := volume(p.path), p.path
	if p.root != "" {
		top = l.root(p.root)
		if rel, err := filepath.Rel(p.root, p.path); err == nil && filepath.IsLocal(rel) {
			path = filepath.Join(top, rel)
		}
	}
	s, ok := l.beside(top, path, p.root)
	if !ok {
		s = l.walk(top, path, p.root != "")
	}
	s.taken = now
	return s
}

// beside is walk for a place in a folder that others lie in, too: the way there is gone
// once. It is false for a link, and for what isn't simply in a folder.
func (l *look) beside(top, path, root string) (s state, ok bool) {
	if l.found == nil || path == top {
		return s, false
	}
	dir, name := filepath.Split(path)
	if name == "" || name == "." || name == ".." || len(dir) <= len(top) {
		return s, false
	}
	dir = dir[:len(dir)-1]
	key := place{root, dir}
	above, known := l.above[key]
	if !known {
		above = l.walk(top, dir, root != "")
		if l.above == nil {
			l.above = map[place]state{}
		}
		l.above[key] = above
	}
	if above.info == nil || !above.info.IsDir() || above.fault != "" {
		return s, false
	}
	real := above.real + string(filepath.Separator) + name
	switch f := l.name(real); {
	case f.err != nil:
		return state{real: real, fault: faultOf(f.err)}, true
	case f.info.Mode()&fs.ModeSymlink != 0:
		return s, false
	default:
		return state{real: real, info: f.info}, true
	}
}

// root is where a root leads, or itself where it leads nowhere.
func (l *look) root(path string) string {
	real, known := l.roots[path]
	if !known {
		real = path
		if s := l.walk(volume(path), path, false); s.info != nil {
			real = s.real
		}
		l.roots[path] = real
	}
	return real
}

// volume is the top of the disk that a path is on.
func volume(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }

func (l *look) walk(top, path string, confined bool) state {
	split := func(path string) []string {
		return strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, top), string(filepath.Separator)), string(filepath.Separator))
	}
	done, rest := top, split(path)
	s := state{real: top}
	if path == top {
		f := l.name(top)
		return state{real: top, info: f.info, fault: faultOf(f.err)}
	}
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if done == top {
				if confined {
					return state{real: done, fault: leadsOut}
				}
				continue
			}
			done = filepath.Dir(done)
			continue
		}
		here := filepath.Join(done, part)
		f := l.name(here)
		switch {
		case f.err != nil:
			return state{real: filepath.Join(append([]string{here}, rest...)...), fault: faultOf(f.err)}
		case f.info.Mode()&fs.ModeSymlink == 0:
			done, s.info = here, f.info
			continue
		}
		if links++; links > maxLinks {
			return state{real: here, fault: tooManyLinks}
		}
		switch to := filepath.FromSlash(f.target); {
		case !filepath.IsAbs(to):
			rest = append(strings.Split(to, string(filepath.Separator)), rest...)
		case confined:
			return state{real: to, fault: leadsOut}
		default:
			top = cmp.Or(volume(to), top)
			rest = append(split(filepath.Clean(to)), rest...)
			done = top
		}
	}
	if s.real = done; s.info == nil || done == top {
		f := l.name(done)
		s.info, s.fault = f.info, faultOf(f.err)
	}
	return s
}

// faultOf is why nothing can be said of a path; "" for none.
func faultOf(err error) string {
	if err == nil {
		return ""
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
