package history

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Files are the files of a commit, for package disk: what git tracks is as the commit has it, everything else
// in the work tree as it is on disk. A submodule is a folder whose files are those on disk, since another
// repository has them. Filters of git, such as that of LFS, are not applied: a file holds what is stored.
// It may be used by several goroutines.
type Files struct {
	of     *Commits
	commit string
	root   string // its tree

	using   sync.Mutex
	now     tracking // nil: nobody asked
	passed  map[string]bool
	modules map[string]bool
	lost    error // nil: all that was asked for could be read
}

// Files gives the files of a commit, by its full name.
func (c *Commits) Files(commit string) (*Files, error) {
	found, err := c.objects.look(commit + "^{tree}")
	if err != nil {
		return nil, c.explain(short(commit), err)
	}
	return &Files{of: c, commit: commit, root: found.name, passed: map[string]bool{}, modules: map[string]bool{}}, nil
}

// Root is the folder instead of whose files these stand; see [Commits.Root].
func (f *Files) Root() string { return f.of.Root() }

// Commit is the full name of the commit.
func (f *Files) Commit() string { return f.commit }

// FromDisk are the files that were read from disk, because git doesn't track them, sorted.
func (f *Files) FromDisk() []string { return f.sorted(f.passed) }

// Submodules are the submodules that were looked into, whose files are those on disk, sorted.
func (f *Files) Submodules() []string { return f.sorted(f.modules) }

// Lost is why something that the commit has couldn't be read, the first time: who looks for files may take it
// for one that isn't there. It is nil when all could be.
func (f *Files) Lost() error {
	f.using.Lock()
	defer f.using.Unlock()
	return f.lost
}

// explain is an error of the repository, which is kept unless it is about the size of one file.
func (f *Files) explain(name string, err error) error {
	err = f.of.explain(name, err)
	if why, ok := errors.AsType[*UnavailableError](err); ok && why.Reason != TooLarge {
		f.using.Lock()
		if f.lost == nil {
			f.lost = err
		}
		f.using.Unlock()
	}
	return err
}

func (f *Files) sorted(set map[string]bool) []string {
	f.using.Lock()
	defer f.using.Unlock()
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// entry looks a name up in the commit.
func (f *Files) entry(name string) (e entry, ok bool, err error) {
	e = entry{mode: fs.ModeDir, object: f.root}
	if name == "." {
		return e, true, nil
	}
	at := ""
	for part := range strings.SplitSeq(name, "/") {
		if !e.mode.IsDir() {
			return entry{}, false, nil
		}
		if e.link {
			f.using.Lock()
			f.modules[at] = true
			f.using.Unlock()
			return entry{}, false, nil
		}
		dir, err := f.of.objects.tree(e.object)
		if err != nil {
			return entry{}, false, f.explain(cmpName(at, f.commit), err)
		}
		if e, ok = dir[part]; !ok {
			return entry{}, false, nil
		}
		at = path.Join(at, part)
	}
	return e, true, nil
}

func cmpName(name, commit string) string {
	if name == "" {
		return short(commit)
	}
	return name
}

// tracks is what git tracks now.
func (f *Files) tracks() tracking {
	f.using.Lock()
	defer f.using.Unlock()
	if f.now == nil {
		f.now = f.of.trackedNow()
	}
	return f.now
}

// untracked describes a name on disk that git doesn't track; the error is fs.ErrNotExist for one that it does,
// which this commit doesn't have then.
func (f *Files) untracked(name string) (fs.FileInfo, error) {
	if f.of.disk == nil {
		if name == ".git" { // as every work tree has one
			return describe(name, fs.ModeDir, 0), nil
		}
		return nil, fs.ErrNotExist
	}
	info, err := f.of.disk.Lstat(filepath.FromSlash(name))
	if isAbsent(err) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	now := f.tracks()
	if now.has(name) && !f.submodule(name) || now.under(name) && !f.inSubmodule(name) {
		return nil, fs.ErrNotExist
	}
	if info.IsDir() && now.below(name) && !f.holdsUntracked(name) {
		return nil, fs.ErrNotExist
	}
	return info, nil
}

// submodule reports whether the commit has a submodule at a name.
func (f *Files) submodule(name string) bool {
	e, ok, err := f.entry(name)
	return err == nil && ok && e.link
}

func (f *Files) inSubmodule(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f.submodule(dir) {
			return true
		}
	}
	return false
}

// maxSearched bounds how many entries are looked at for one that git doesn't track.
const maxSearched = 2000

// holdsUntracked reports whether a folder that this commit doesn't have, and in which there are tracked files
// now, has others too.
func (f *Files) holdsUntracked(dir string) bool {
	left, now := maxSearched, f.tracks()
	var search func(dir string) bool
	search = func(dir string) bool {
		entries, err := f.diskEntries(dir)
		if err != nil {
			return false
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if left--; left < 0 {
				return true // there may be
			}
			if now.has(name) {
				continue
			}
			if !e.IsDir() || !now.below(name) || search(name) {
				return true
			}
		}
		return false
	}
	return search(dir)
}

// maxFolder is how many entries of a folder on disk are listed.
const maxFolder = 200_000

func (f *Files) diskEntries(name string) ([]fs.DirEntry, error) {
	if f.of.disk == nil {
		return nil, nil
	}
	dir, err := f.of.disk.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	list, err := dir.ReadDir(maxFolder)
	if errors.Is(err, io.EOF) {
		err = nil // an empty one
	}
	return list, err
}

// Lstat describes a name.
func (f *Files) Lstat(name string) (fs.FileInfo, error) {
	e, ok, err := f.entry(name)
	if err != nil {
		return nil, f.failed("lstat", name, err)
	}
	if !ok || e.link {
		info, err := f.untracked(name)
		if ok && (err != nil || !info.IsDir()) {
			return describe(path.Base(name), fs.ModeDir, 0), nil // a submodule that isn't checked out
		}
		return info, err
	}
	size := int64(0)
	if e.mode.IsRegular() {
		if size, err = f.of.objects.size(e.object); err != nil {
			return nil, f.failed("lstat", name, f.explain(name, err))
		}
	}
	return describe(path.Base(name), e.mode, size), nil
}

// ReadLink is what a link says.
func (f *Files) ReadLink(name string) (string, error) {
	e, ok, err := f.entry(name)
	if err == nil && ok && e.mode&fs.ModeSymlink != 0 {
		text, err := f.of.objects.read(e.object, "blob", maxPointerFile)
		if err != nil {
			err = f.failed("readlink", name, f.explain(name, err))
		}
		return string(text), err
	}
	if err == nil && !ok {
		if _, err = f.untracked(name); err == nil && f.of.disk != nil {
			return f.of.disk.Readlink(filepath.FromSlash(name))
		}
	}
	if err == nil {
		err = fs.ErrInvalid
	}
	return "", f.failed("readlink", name, err)
}

// ReadDir lists a folder.
func (f *Files) ReadDir(name string) ([]fs.DirEntry, error) {
	e, ok, err := f.entry(name)
	if err != nil {
		return nil, f.failed("readdir", name, err)
	}
	if ok && !e.mode.IsDir() {
		return nil, f.failed("readdir", name, syscall.ENOTDIR)
	}
	var out []fs.DirEntry
	known := folder{}
	if ok && !e.link {
		if known, err = f.of.objects.tree(e.object); err != nil {
			return nil, f.failed("readdir", name, f.explain(name, err))
		}
		for base, e := range known {
			out = append(out, fs.FileInfoToDirEntry(describe(base, e.mode, 0)))
		}
	} else {
		if ok {
			f.using.Lock()
			f.modules[name] = true
			f.using.Unlock()
		}
		if _, err := f.untracked(name); err != nil && !ok {
			return nil, f.failed("readdir", name, err)
		}
	}
	beside, err := f.diskEntries(name)
	if err != nil && !ok {
		return nil, err
	}
	for _, e := range beside {
		if _, there := known[e.Name()]; there {
			continue
		}
		if _, err := f.untracked(path.Join(name, e.Name())); err == nil {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}

// Open opens a file.
func (f *Files) Open(name string) (fs.File, error) {
	e, ok, err := f.entry(name)
	if err != nil {
		return nil, f.failed("open", name, err)
	}
	if ok && e.mode.IsRegular() {
		text, err := f.of.objects.read(e.object, "blob", maxObject)
		if err != nil {
			return nil, f.failed("open", name, f.explain(name, err))
		}
		return &blob{bytes.NewReader(text), describe(path.Base(name), 0, int64(len(text)))}, nil
	}
	if _, err := f.untracked(name); err != nil || f.of.disk == nil {
		if err == nil {
			err = fs.ErrNotExist
		}
		return nil, f.failed("open", name, err)
	}
	file, err := f.of.disk.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil && name != ".git" && !strings.HasPrefix(name, ".git/") {
		f.using.Lock()
		f.passed[name] = true
		f.using.Unlock()
	}
	return file, err
}

func (f *Files) failed(op, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = fs.ErrNotExist
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// blob is an open file of a commit.
type blob struct {
	*bytes.Reader
	info fs.FileInfo
}

func (b *blob) Stat() (fs.FileInfo, error) { return b.info, nil }
func (b *blob) Close() error               { return nil }

// describe is the description of a file that is known by its name, kind and size alone.
func describe(name string, mode fs.FileMode, size int64) fs.FileInfo {
	return description{name, mode, size}
}

type description struct {
	name string
	mode fs.FileMode
	size int64
}

func (d description) Name() string       { return d.name }
func (d description) Size() int64        { return d.size }
func (d description) Mode() fs.FileMode  { return d.mode }
func (d description) ModTime() time.Time { return time.Time{} }
func (d description) IsDir() bool        { return d.mode.IsDir() }
func (d description) Sys() any           { return nil }
