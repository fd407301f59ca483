package disk

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Texts are files that are held in memory, for [Over]: plain ones alone, by their paths,
// and the folders that these stand in. A path that isn't valid by [fs.ValidPath], or
// leads through a file, is left out. The map must not change.
func Texts(texts map[string]string) Files {
	all := heldFiles{".": {name: ".", folder: true}}
	names := make([]string, 0, len(texts))
	for name := range texts {
		if fs.ValidPath(name) && name != "." {
			names = append(names, name)
		}
	}
	slices.Sort(names) // a file stands before what would lie below it
	for _, name := range names {
		if dir := all.folder(path.Dir(name)); dir != nil && all[name] == nil {
			all.add(dir, name, &held{name: path.Base(name), text: texts[name]})
		}
	}
	for _, f := range all {
		slices.SortFunc(f.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return all
}

var (
	errFolder   = errors.New("is a folder")
	errNoFolder = errors.New("not a folder")
)

// heldFiles are files and folders by their paths; a folder knows what stands in it.
type heldFiles map[string]*held

// held is a file or a folder.
type held struct {
	name    string
	text    string
	folder  bool
	entries []fs.DirEntry // by their names
}

// folder is the one of a path, made where it isn't there; nil where a file stands in
// its place.
func (h heldFiles) folder(name string) *held {
	if f := h[name]; f != nil {
		if f.folder {
			return f
		}
		return nil
	}
	above := h.folder(path.Dir(name))
	if above == nil {
		return nil
	}
	f := &held{name: path.Base(name), folder: true}
	h.add(above, name, f)
	return f
}

func (h heldFiles) add(dir *held, name string, f *held) {
	h[name] = f
	dir.entries = append(dir.entries, fs.FileInfoToDirEntry(f))
}

func (h heldFiles) look(op, name string) (*held, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if f := h[name]; f != nil {
		return f, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

func (h heldFiles) Lstat(name string) (fs.FileInfo, error) {
	f, err := h.look("lstat", name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadLink fails: none of them is a link.
func (h heldFiles) ReadLink(name string) (string, error) {
	if _, err := h.look("readlink", name); err != nil {
		return "", err
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

func (h heldFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := h.look("readdir", name)
	if err != nil {
		return nil, err
	}
	if !f.folder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNoFolder}
	}
	return slices.Clone(f.entries), nil
}

func (h heldFiles) Open(name string) (fs.File, error) {
	f, err := h.look("open", name)
	if err != nil {
		return nil, err
	}
	return &openHeld{held: f, from: strings.NewReader(f.text), left: f.entries}, nil
}

func (f *held) Name() string       { return f.name }
func (f *held) Size() int64        { return int64(len(f.text)) }
func (f *held) ModTime() time.Time { return time.Time{} }
func (f *held) IsDir() bool        { return f.folder }
func (f *held) Sys() any           { return nil }

func (f *held) Mode() fs.FileMode {
	if f.folder {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

// openHeld is one of them that is being read.
type openHeld struct {
	*held
	from *strings.Reader
	left []fs.DirEntry
}

func (f *openHeld) Stat() (fs.FileInfo, error) { return f.held, nil }
func (f *openHeld) Close() error               { return nil }

func (f *openHeld) Read(to []byte) (int, error) {
	if f.folder {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: errFolder}
	}
	return f.from.Read(to)
}

// ReadDir gives the next entries of a folder, all that are left for 0 and less.
func (f *openHeld) ReadDir(n int) ([]fs.DirEntry, error) {
	if !f.folder {
		return nil, &fs.PathError{Op: "readdir", Path: f.name, Err: errNoFolder}
	}
	if n <= 0 || n > len(f.left) {
		if n > 0 && len(f.left) == 0 {
			return nil, io.EOF
		}
		n = len(f.left)
	}
	out := slices.Clone(f.left[:n])
	f.left = f.left[n:]
	return out, nil
}

func (f *openHeld) Seek(offset int64, whence int) (int64, error) { return f.from.Seek(offset, whence) }
