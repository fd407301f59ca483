// Package disk says where paths lead: to the files of the machine, or to others that
// stand instead of those of a folder, such as those of a revision, of an archive or of a
// test. The zero [Disk] is the machine's; [Over] makes another. Whoever reads a project
// by way of a Disk can't tell the two apart. It writes nothing, and keeps nothing of what
// was read.
//
//	other := disk.Over(dir, disk.Texts(map[string]string{"AGENTS.md": "Be brief."}))
//	p, err := project.Open(ctx, project.Request{Dir: dir, Disk: other})
//
// A Disk never changes, and what it is asked it asks of the files each time. It may be
// used by several goroutines at once where its files may. Whoever wants to know which
// files something depends on listens to what its disk is asked: [Disk.Asked].
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Disk says where paths lead. The zero value is the disk of the machine.
type Disk struct {
	over    *overlay
	unsaved *map[string]string // nil: none
	asked   *func(Question)    // nil: nobody
}

// Files are what stands instead of a folder. Names are paths below it, parted by `/`,
// and "." is the folder itself. Lstat, ReadLink and ReadDir follow no links; Open and
// ReadDir are asked for names on which no link stands.
type Files interface {
	fs.ReadLinkFS
	fs.ReadDirFS
}

// overlay is a folder with the files that stand instead of its own.
type overlay struct {
	top   string // absolute, without links
	files Files
}

// Over is a disk on which files stand instead of those of a folder. The path of the
// folder is absolute and holds no links.
func Over(folder string, files Files) Disk {
	return Disk{over: &overlay{filepath.Clean(folder), files}}
}

// Top is the folder instead of whose files others stand; empty for the machine's disk.
func (d Disk) Top() string {
	if d.over == nil {
		return ""
	}
	return d.over.top
}

// Unsaved is the machine's disk with texts that people are still writing, by the paths
// of their files: absolute, without links in them. One is read instead of what its file
// holds, whatever name the file is read by; it doesn't make a file that isn't there, and
// what files tell of themselves is as they are saved. The map must not change.
func Unsaved(texts map[string]string) Disk {
	if len(texts) == 0 {
		return Disk{}
	}
	return Disk{unsaved: &texts}
}

// Use is what is asked about a path.
type Use uint8

// The uses.
const (
	Looked Use = iota // what stands there, if anything does, and where it leads
	Listed            // which names a folder has
	Read              // what a file holds
)

// Question is one about files of the machine.
type Question struct {
	// Path is asked about, absolute where the caller's paths are. Links on the way are
	// followed wherever they lead, but where there is a Root: then they are followed
	// below it, and no further.
	Root, Path string
	Use        Use
}

// Asked is the same disk, which tells what it is asked about files of the machine,
// each time and before it answers. The function may be called by several goroutines at
// once. What stands instead of a folder's files doesn't change, and isn't told of.
func (d Disk) Asked(tell func(Question)) Disk {
	d.asked = &tell
	return d
}

// Ask tells of a question that is about to be asked by other means than the disk's
// methods, such as through an [os.Root]. It does nothing unless somebody listens.
func (d Disk) Ask(q Question) {
	if d.asked != nil {
		(*d.asked)(q)
	}
}

// Machine is the disk of the machine, for what isn't to be found among files that stand
// instead of others, such as the folder of a git repository. It tells who listens.
func (d Disk) Machine() Disk { return Disk{asked: d.asked} }

// Text is the unsaved text of a file of the machine, by any path of it; false where
// there is none.
func (d Disk) Text(name string) (string, bool) {
	if d.unsaved == nil {
		return "", false
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", false
	}
	text, ok := (*d.unsaved)[real]
	return text, ok
}

// Lstat describes what a path names, without following a link that it may be.
func (d Disk) Lstat(name string) (fs.FileInfo, error) {
	p, err := d.locateLink(name)
	if err != nil {
		return nil, err
	}
	if p.over == nil {
		d.Ask(Question{Path: p.Name})
		return os.Lstat(p.Name)
	}
	return p.over.lstat(p.Name)
}

// Stat describes what a path leads to.
func (d Disk) Stat(name string) (fs.FileInfo, error) {
	p, err := d.Locate(name)
	if err != nil {
		return nil, err
	}
	if p.over == nil {
		d.Ask(Question{Path: p.Name})
	}
	return p.Stat()
}

// Readlink is what a link says.
func (d Disk) Readlink(name string) (string, error) {
	p, err := d.locateLink(name)
	if err != nil {
		return "", err
	}
	if p.over == nil {
		d.Ask(Question{Path: p.Name})
		return os.Readlink(p.Name)
	}
	return p.over.files.ReadLink(p.Name)
}

// Real is the path to what a path leads to, without links in it.
func (d Disk) Real(name string) (string, error) {
	p, err := d.Locate(name)
	if err != nil {
		return "", err
	}
	if p.over == nil {
		d.Ask(Question{Path: p.Name})
		return filepath.EvalSymlinks(p.Name)
	}
	if _, err := p.Stat(); err != nil {
		return "", err
	}
	return filepath.Join(p.over.top, filepath.FromSlash(p.Name)), nil
}

// Place is where a path ends.
type Place struct {
	over *overlay // nil: the machine's
	// Name is a path of the machine where Files are nil, else the name among them.
	Name string
}

// Files are those among which a place lies that isn't the machine's; nil for one that is.
func (p Place) Files() Files {
	if p.over == nil {
		return nil
	}
	return p.over.files
}

// Stat describes a place whose links were followed.
func (p Place) Stat() (fs.FileInfo, error) {
	if p.over == nil {
		return os.Stat(p.Name)
	}
	return p.over.lstat(p.Name)
}

// Describe is what a file of the place's files tells of itself, for [SameFile]; name is
// that among them.
func (p Place) Describe(name string, info fs.FileInfo) fs.FileInfo {
	return &laid{info, p.over, name}
}

// maxLinks bounds how many links one path may lead through.
const maxLinks = 255

var errTooManyLinks = errors.New("too many links")

// Locate follows the links of a path as far as they stand among files that aren't the
// machine's: what lies elsewhere is left to the system.
func (d Disk) Locate(name string) (Place, error) { return d.locate(name, followed) }

// locateLink is [Disk.Locate] for the last name as it stands, a link or not.
func (d Disk) locateLink(name string) (Place, error) { return d.locate(name, asItStands) }

// lastName is what is done with the last name of a path that is a link.
type lastName uint8

const (
	followed lastName = iota
	asItStands
)

func (d Disk) locate(name string, last lastName) (Place, error) {
	if d.over == nil {
		return Place{nil, name}, nil
	}
	rest, inside := d.over.below(filepath.Clean(name))
	if !inside {
		return Place{nil, name}, nil
	}
	done, todo := ".", strings.Split(rest, "/")
	for links := 0; len(todo) > 0; {
		word := todo[0]
		todo = todo[1:]
		if word == "." || word == "" {
			continue
		}
		here := path.Join(done, word)
		if len(todo) == 0 && last == asItStands {
			return Place{d.over, here}, nil
		}
		info, err := d.over.files.Lstat(here)
		if err != nil {
			// What isn't there is told by whoever looks at the whole name.
			return Place{d.over, path.Join(append([]string{here}, todo...)...)}, nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = here
			continue
		}
		if links++; links > maxLinks {
			return Place{}, errTooManyLinks
		}
		target, err := d.over.files.ReadLink(here)
		if err != nil {
			return Place{}, err
		}
		to := filepath.FromSlash(target)
		if !filepath.IsAbs(to) {
			to = filepath.Join(d.over.top, filepath.FromSlash(done), to)
		}
		to = filepath.Join(append([]string{to}, todo...)...)
		if rest, inside = d.over.below(to); !inside {
			return Place{nil, to}, nil
		}
		done, todo = ".", strings.Split(rest, "/")
	}
	return Place{d.over, done}, nil
}

// below is the name of a path among the files of the overlay.
func (o *overlay) below(name string) (string, bool) {
	rel, err := filepath.Rel(o.top, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func (o *overlay) lstat(name string) (fs.FileInfo, error) {
	info, err := o.files.Lstat(name)
	if err != nil {
		return nil, err
	}
	return &laid{info, o, name}, nil
}

// laid describes one of the files of an overlay, and is known by where it stands.
type laid struct {
	fs.FileInfo
	over *overlay
	name string
}

// SameFile reports whether two descriptions are of one file, as [os.SameFile] does for
// those of the machine.
func SameFile(a, b fs.FileInfo) bool {
	x, ok := a.(*laid)
	if y, both := b.(*laid); ok || both {
		return ok && both && x.over == y.over && x.name == y.name
	}
	return os.SameFile(a, b)
}
