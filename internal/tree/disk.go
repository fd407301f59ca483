package tree

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// OpenOn is [Open] on a disk.
func OpenOn(d disk.Disk, dir string, o Options) (*Tree, error) {
	t := &Tree{limit: cmp.Or(o.Limit, cento.DefaultLimits().File), show: o.Show, disk: d}
	if t.show == nil {
		t.show = func(name string) string { return name }
	}
	at := cento.Position{File: filepath.ToSlash(dir)}
	p, err := d.Locate(dir)
	if err != nil {
		return nil, openError(at, err)
	}
	if p.Files() == nil {
		d.Ask(disk.Question{Path: p.Name})
	}
	// OpenRoot would wait on a named pipe.
	switch info, err := p.Stat(); {
	case err != nil:
		return nil, openError(at, err)
	case !info.IsDir():
		return nil, notFolder(at, info.Mode())
	}
	if p.Files() != nil {
		t.root = &part{p, p.Files()}
		return t, nil
	}
	root, err := os.OpenRoot(p.Name)
	if err != nil {
		return nil, openError(at, err)
	}
	t.root, t.dir = machine{root}, p.Name
	return t, nil
}

// folderFiles are the files of an open folder. Links are followed, but not out of it.
type folderFiles interface {
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Open(name string) (fs.File, error)
	// list lists a folder, of one entry more than limit at most; in any order.
	list(name string, limit int) ([]fs.DirEntry, error)
	// escapes reports whether an error says that a name leads out.
	escapes(err error) bool
	Close() error
}

// machine are the files of a folder on the machine's disk.
type machine struct{ *os.Root }

func (m machine) Open(name string) (fs.File, error) {
	return m.OpenFile(name, os.O_RDONLY|nonblock, 0)
}

func (m machine) list(name string, limit int) ([]fs.DirEntry, error) {
	f, err := m.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return listed(f, limit)
}

// escapes asks the standard library for the error that it doesn't export.
func (m machine) escapes(err error) bool {
	_, escape := m.Root.Lstat("../x")
	p, ok := errors.AsType[*fs.PathError](escape)
	return ok && errors.Is(err, p.Err)
}

// part are files that aren't the machine's, in one of their folders.
type part struct {
	place disk.Place
	files disk.Files
}

var (
	errEscapes      = errors.New("the path leads out of its folder")
	errTooManyLinks = errors.New("too many links")
)

// real resolves every link of a name; the last one if whole.
func (p *part) real(name string, whole bool) (string, error) {
	rest := strings.Split(name, "/")
	var done []string
	for links := 0; len(rest) > 0; {
		word := rest[0]
		rest = rest[1:]
		switch word {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", errEscapes
			}
			done = done[:len(done)-1]
			continue
		}
		here := path.Join(p.place.Name, strings.Join(done, "/"), word)
		if len(rest) == 0 && !whole {
			return here, nil
		}
		info, err := p.files.Lstat(here)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = append(done, word)
			continue
		}
		if links++; links > maxLinks {
			return "", errTooManyLinks
		}
		target, err := p.files.ReadLink(here)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
			return "", errEscapes
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	return path.Join(p.place.Name, strings.Join(done, "/")), nil
}

func (p *part) Stat(name string) (fs.FileInfo, error) {
	real, err := p.real(name, true)
	if err != nil {
		return nil, err
	}
	return p.describe(real)
}

func (p *part) Lstat(name string) (fs.FileInfo, error) {
	real, err := p.real(name, false)
	if err != nil {
		return nil, err
	}
	return p.describe(real)
}

func (p *part) describe(real string) (fs.FileInfo, error) {
	info, err := p.files.Lstat(real)
	if err != nil {
		return nil, err
	}
	return p.place.Describe(real, info), nil
}

func (p *part) Readlink(name string) (string, error) {
	real, err := p.real(name, false)
	if err != nil {
		return "", err
	}
	return p.files.ReadLink(real)
}

func (p *part) Open(name string) (fs.File, error) {
	real, err := p.real(name, true)
	if err != nil {
		return nil, err
	}
	f, err := p.files.Open(real)
	if err != nil {
		return nil, err
	}
	return &opened{f, p.place, real}, nil
}

// opened is an open file that isn't the machine's.
type opened struct {
	fs.File
	place disk.Place
	name  string
}

func (f *opened) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return f.place.Describe(f.name, info), nil
}

func (p *part) list(name string, limit int) ([]fs.DirEntry, error) {
	real, err := p.real(name, true)
	if err != nil {
		return nil, err
	}
	entries, err := p.files.ReadDir(real)
	return entries[:min(len(entries), limit+1)], err
}

func (p *part) escapes(err error) bool { return errors.Is(err, errEscapes) }

func (p *part) Close() error { return nil }

// sorted gives the entries of a folder in the order of their names, bytewise.
func sorted(list []fs.DirEntry) []Entry {
	out := make([]Entry, len(list))
	for i, e := range list {
		out[i] = Entry{e.Name(), e.Type()}
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
