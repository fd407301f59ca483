package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// Options are the settings of a [Tree]; the zero value is usable.
type Options struct {
	// Limit is the largest file that is read, in bytes. Default:
	// [cento.DefaultLimits].
	Limit int
	// Show turns a name in the tree into the one that people know, which is put
	// into every position. Default: the name itself.
	Show func(name string) string
}

// Tree is a folder whose files can be read.
type Tree struct {
	root  folderFiles
	limit int
	show  func(string) string
	disk  disk.Disk // for texts that stand over files of the machine
	dir   string    // on the machine; empty elsewhere

	// Of a tree that [Tree.Sub] gave: its name in the uppermost one, and how that shows names.
	name    string
	showTop func(string) string
}

// Open opens a folder. Links in the path of the folder itself are followed.
// Errors: [NotFound], [NotFolder], [Unreadable]; their position names dir.
func Open(dir string, o Options) (*Tree, error) { return OpenOn(disk.Disk{}, dir, o) }

// Sub opens a folder of the tree as a tree of its own: a walk that goes down many folders
// would else begin at the top each time. Its links lead out of it sooner.
func (t *Tree) Sub(name string) (*Tree, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return nil, err.at(at)
	}
	t.ask(name, disk.Looked)
	sub := &Tree{limit: t.limit, disk: t.disk, showTop: t.showTop, name: path.Join(t.name, name)}
	if sub.showTop == nil {
		sub.showTop = t.show
	}
	sub.show = func(below string) string { return sub.showTop(path.Join(sub.name, below)) }
	var err error
	switch root := t.root.(type) {
	case machine:
		var opened *os.Root
		if opened, err = root.OpenRoot(name); err == nil {
			sub.root, sub.dir = machine{opened}, filepath.Join(t.dir, filepath.FromSlash(name))
		}
	case *part:
		var real string
		if real, err = root.real(name, true); err == nil {
			place := root.place
			place.Name = real
			sub.root = &part{place, root.files}
		}
	}
	if err != nil {
		return nil, t.openError(at, err)
	}
	return sub, nil
}

// Close lets go of the folder. Files that were read stay valid.
func (t *Tree) Close() error { return t.root.Close() }

// Show gives the name that people know for a name in the tree.
func (t *Tree) Show(name string) string { return t.show(name) }

// File is a file that was read and checked.
type File struct {
	Name string // in the tree
	Text string // without byte order mark, lines ended by LF unless [Tree.ReadLossy] read it
	Info fs.FileInfo
	// Replaced are the offsets in Text of each U+FFFD that stands for bytes which
	// are not UTF-8; there are some only by [Tree.ReadLossy].
	Replaced []int
	// Mark: the file begins with a byte order mark; only by [Tree.ReadLossy].
	Mark bool

	raw []byte // nil when equal to Text
}

// Raw gives the bytes as they are on disk, which is what version control
// knows the file by. The caller must not change them.
func (f *File) Raw() []byte {
	if f.raw == nil {
		return []byte(f.Text)
	}
	return f.raw
}

// Read reads a text file. It returns any of the package's errors but [TooMany]
// and [NotFolder].
func (t *Tree) Read(name string) (*File, error) {
	raw, info, err := t.read(name)
	if err != nil {
		return nil, err
	}
	text, err := Decode(t.show(name), raw)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Text: text, Info: info}
	if len(text) != len(raw) { // folding only ever shortens
		f.raw = raw
	}
	return f, nil
}

// ReadRaw reads a file of any content.
func (t *Tree) ReadRaw(name string) ([]byte, error) {
	raw, _, err := t.read(name)
	return raw, err
}

// ReadHead reads the beginning of a text file: all of it when it is no longer
// than size, else the whole lines among its first size bytes, or those bytes
// when no line ends in them. The size of the file doesn't matter, and whole
// tells which of both it was. Only what was read is checked.
func (t *Tree) ReadHead(name string, size int) (f *File, whole bool, err error) {
	raw, info, err := t.readUpTo(name, size, true)
	if err != nil {
		return nil, false, err
	}
	whole = len(raw) <= size
	if !whole {
		raw = raw[:size]
		if end := bytes.LastIndexByte(raw, '\n'); end >= 0 {
			raw = raw[:end+1]
		} else {
			raw = wholeRunes(raw)
		}
	}
	text, err := Decode(t.show(name), raw)
	if err != nil {
		return nil, false, err
	}
	return &File{Name: name, Text: text, Info: info, raw: raw}, whole, nil
}

// wholeRunes takes off a character that was cut in the middle.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) && !utf8.FullRune(tail) {
			return b[:len(b)-i]
		}
	}
	return b
}

func (t *Tree) read(name string) ([]byte, fs.FileInfo, error) {
	return t.readUpTo(name, t.limit, false)
}

// readUpTo reads at most one byte more than limit. A file that is longer is an
// error unless its head is wanted.
func (t *Tree) readUpTo(name string, limit int, head bool) ([]byte, fs.FileInfo, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return nil, nil, err.at(at)
	}
	t.ask(name, disk.Read)
	// Looked at before it is opened, because opening a device can act on it,
	// and again after, because another file may have taken the name.
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, nil, t.openError(at, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(at, info.Mode())
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil, nil, t.openError(at, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, t.openError(at, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(at, info.Mode())
	}
	if text, ok := t.unsaved(name); ok {
		if len(text) > limit && !head {
			return nil, nil, tooLarge(at, int64(len(text)), limit)
		}
		return []byte(text[:min(len(text), limit+1)]), info, nil
	}
	if info.Size() > int64(limit) && !head {
		return nil, nil, tooLarge(at, info.Size(), limit)
	}
	raw, err := readAll(f, int(min(info.Size(), int64(limit))), limit)
	if err != nil {
		return nil, nil, t.openError(at, err)
	}
	if len(raw) > limit && !head {
		return nil, nil, tooLarge(at, int64(len(raw)), limit)
	}
	return raw, info, nil
}

// ask tells who listens to the disk what is asked about a name.
func (t *Tree) ask(name string, use disk.Use) {
	if t.dir != "" {
		t.disk.Ask(disk.Question{Root: t.dir, Path: filepath.Join(t.dir, filepath.FromSlash(name)), Use: use})
	}
}

// unsaved is the text that somebody is writing of a file, if there is one.
func (t *Tree) unsaved(name string) (string, bool) {
	if t.dir == "" {
		return "", false
	}
	return t.disk.Text(filepath.Join(t.dir, filepath.FromSlash(name)))
}

// readAll reads at most one byte more than limit. The size is a hint: a file
// can grow, and those of /proc claim to be empty.
func readAll(r io.Reader, size, limit int) ([]byte, error) {
	buf := make([]byte, 0, size+2) // one byte over the limit, and room to see the end
	r = io.LimitReader(r, int64(limit)+1)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(512, len(buf)))
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, err
		}
	}
}

// Stat describes what a name stands for; links are followed inside the tree.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return t.describe(name, t.root.Stat) }

// Lstat describes a name itself, without following a link that it may be.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) { return t.describe(name, t.root.Lstat) }

func (t *Tree) describe(name string, stat func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return nil, err.at(at)
	}
	t.ask(name, disk.Looked)
	info, err := stat(name)
	if err != nil {
		return nil, t.openError(at, err)
	}
	return info, nil
}

// Entry is one name in a folder.
type Entry struct {
	Name string
	Mode fs.FileMode // type bits only; links are not followed
}

// ReadDir lists a folder, sorted by name, bytewise. A folder of more than
// limit entries is the error [TooMany], not a part of the list: which part would
// depend on the disk.
func (t *Tree) ReadDir(name string, limit int) ([]Entry, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return nil, err.at(at)
	}
	t.ask(name, disk.Listed)
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, t.openError(at, err)
	}
	if !info.IsDir() {
		return nil, notFolder(at, info.Mode())
	}
	list, err := t.root.list(name, limit)
	if err != nil {
		return nil, t.openError(at, err)
	}
	if len(list) > limit {
		return nil, tooMany(at, limit)
	}
	return sorted(list), nil
}

// ListPath is [Tree.ReadDir] for a folder by its absolute path on a disk. It is one question
// to the system, where a tree walks down to the folder, and follows links wherever
// they lead: it is for names that are compared, not for files that are read.
func ListPath(d disk.Disk, dir string, limit int) ([]Entry, error) {
	at := cento.Position{File: filepath.ToSlash(dir)}
	p, err := d.Locate(dir)
	if err != nil {
		return nil, openError(at, err)
	}
	if p.Files() == nil {
		d.Ask(disk.Question{Path: p.Name, Use: disk.Listed})
	}
	switch info, err := p.Stat(); {
	case err != nil:
		return nil, openError(at, err)
	case !info.IsDir():
		return nil, notFolder(at, info.Mode())
	}
	var list []fs.DirEntry
	if files := p.Files(); files != nil {
		list, err = files.ReadDir(p.Name)
	} else {
		list, err = listPath(p.Name, limit)
	}
	if err != nil {
		return nil, openError(at, err)
	}
	if len(list) > limit {
		return nil, tooMany(at, limit)
	}
	return sorted(list), nil
}

func listPath(dir string, limit int) ([]fs.DirEntry, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return listed(f, limit)
}

// listed lists an open folder, of one entry more than limit at most.
func listed(f *os.File, limit int) ([]fs.DirEntry, error) {
	list, err := f.ReadDir(limit + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// ReadPath reads one text file that a person named, by a path of the operating
// system. Links in it are followed wherever they lead, since whoever named it
// chose it; everything else is as for [Tree.Read].
func ReadPath(path string, o Options) (*File, error) { return ReadPathOn(disk.Disk{}, path, o) }

// ReadPathOn is [ReadPath] on a disk.
func ReadPathOn(d disk.Disk, path string, o Options) (*File, error) {
	t, base, err := openBeside(d, path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	f, err := t.Read(base)
	if err != nil {
		return nil, err
	}
	f.Name = path
	return f, nil
}

// ReadRawPath is [ReadPath] for a file of any content, and gives its bytes as
// they are on disk.
func ReadRawPath(path string, o Options) ([]byte, error) {
	t, base, err := openBeside(disk.Disk{}, path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.ReadRaw(base)
}

// openBeside opens the folder that a file really lies in, and names the file
// there.
func openBeside(d disk.Disk, path string, o Options) (*Tree, string, error) {
	at := cento.Position{File: filepath.ToSlash(path)}
	if o.Show != nil {
		at.File = o.Show(path)
	}
	real, err := realPath(d, path)
	if err != nil {
		return nil, "", openError(at, err)
	}
	dir, base := filepath.Split(real)
	if base == "" {
		return nil, "", notRegular(at, fs.ModeDir)
	}
	t, err := OpenOn(d, dir, Options{Limit: o.Limit, Show: func(string) string { return at.File }})
	return t, base, err
}

// realPath is where a path leads, absolute and without links.
func realPath(d disk.Disk, name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if top := d.Top(); top != "" {
		if rel, err := filepath.Rel(top, full); err != nil || !filepath.IsLocal(rel) {
			full = existing(full)
		}
		p, err := d.Locate(full)
		if err != nil {
			return "", err
		}
		if p.Files() != nil {
			_, err = p.Stat()
			return filepath.Join(top, filepath.FromSlash(p.Name)), err
		}
		full = p.Name
	}
	d.Ask(disk.Question{Path: full})
	return filepath.EvalSymlinks(full)
}

// existing follows the links of a path as far as the machine has it: what lies further
// down may be among other files.
func existing(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	above := filepath.Dir(name)
	if above == name {
		return name
	}
	return filepath.Join(existing(above), filepath.Base(name))
}
