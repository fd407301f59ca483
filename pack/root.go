package pack

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// Root is the place of a prefix's files: a folder ([Dir]) or a set of texts
// ([Texts]). It says of every name whether the file is there, isn't, or can't
// be read.
type Root interface {
	// read returns the text of a file. Its errors are those of package tree.
	read(name, show string, limit int) (string, error)
	// list returns all names, in no particular order.
	list() ([]string, error)
}

// Dir is a folder on disk. It needn't exist. Nothing outside of it can be
// reached: see package tree for what is refused.
func Dir(path string) Root { return DirOn(disk.Disk{}, path) }

// DirOn is [Dir] where other files stand instead of those of a folder.
func DirOn(disk disk.Disk, path string) Root { return folder{disk, path} }

// CopyDir is [DirOn] for a folder that holds a copy of the files: its path tells nobody
// anything, so no message names it.
func CopyDir(disk disk.Disk, path string) Root { return copyDir{folder{disk, path}} }

type copyDir struct{ folder }

type folder struct {
	disk disk.Disk
	path string
}

func (d folder) read(name, show string, limit int) (string, error) {
	t, err := tree.OpenOn(d.disk, d.path, tree.Options{Limit: limit, Show: func(string) string { return show }})
	if err != nil {
		return "", err
	}
	defer t.Close()
	f, err := t.ReadNamed(name)
	if err != nil {
		return "", err
	}
	return f.Text, nil
}

const (
	// maxListed is how many names one folder may hold for its files to be listed.
	maxListed = 10_000
	// maxDepth is how deep folders of prompt files are looked into.
	maxDepth = 32
)

func (d folder) list() ([]string, error) {
	t, err := tree.OpenOn(d.disk, d.path, tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var names []string
	seen := 0
	var walk func(dir string, depth int) error
	walk = func(dir string, depth int) error {
		entries, err := t.ReadDir(dir, maxListed-seen)
		if err != nil {
			return err
		}
		seen += len(entries)
		for _, e := range entries {
			name := path.Join(dir, e.Name)
			switch {
			case e.Mode.IsDir() && depth < maxDepth:
				if err := walk(name, depth+1); err != nil {
					return err
				}
			case e.Mode.IsRegular():
				names = append(names, name)
			case e.Mode&fs.ModeSymlink != 0:
				// A link to a folder is not entered: it may lead back up.
				if info, err := t.Stat(name); err == nil && info.Mode().IsRegular() {
					names = append(names, name)
				}
			}
		}
		return nil
	}
	if err := walk(".", 1); err != nil {
		return nil, err
	}
	return names, nil
}

func (d folder) exists() bool {
	t, err := tree.OpenOn(d.disk, d.path, tree.Options{})
	if err == nil {
		t.Close()
	}
	return !errors.Is(err, tree.NotFound)
}

// RootsOf makes roots of texts by whole reference, such as `$workspace/review`,
// for requests that bring their files along, and for inputs that were recorded. Own are
// the prefixes that a host brought, with the trust of their files. One of the others
// that has no files isn't configured. The maps must not change afterwards.
//
// Errors: those of [ParseRef]; [InvalidRef] when two names mean one file or one
// means a file of the program; [InvalidPrefix].
func RootsOf(texts map[string]string, own map[string]cento.Trust) (Roots, error) {
	roots := Roots{Packs: map[string]Root{}, Own: make(map[Prefix]Own, len(own))}
	for p, trust := range own {
		roots.Own[Prefix(p)] = Own{Root: textSet{}, Trust: trust}
	}
	if err := CheckOwn(roots.Own); err != nil {
		return Roots{}, err
	}
	known := ownNames(roots.Own)
	sets := map[Prefix]textSet{}
	seen := map[Ref]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		ref, err := ParseRef(name, Ref{}, cento.Position{}, known...)
		if err != nil {
			return Roots{}, err
		}
		if ofProgram(ref, roots.Own) {
			return Roots{}, &cento.SourceError{
				Code: InvalidRef, Message: "the file " + quote(name) + " can't be handed over: $builtin is part of the program",
				Hint: "give it a name below $workspace or $user",
			}
		}
		if first, twice := seen[ref]; twice {
			return Roots{}, &cento.SourceError{
				Code: InvalidRef, Message: "the names " + quote(first) + " and " + quote(name) + " mean one file",
			}
		}
		seen[ref] = name
		if sets[ref.Prefix()] == nil {
			sets[ref.Prefix()] = textSet{}
		}
		sets[ref.Prefix()][ref.File()] = texts[name]
	}
	for p, set := range sets {
		if own, ok := roots.Own[p]; ok {
			roots.Own[p] = Own{Root: set, Trust: own.Trust}
		} else if name, ok := p.Pack(); ok {
			roots.Packs[name] = set
		} else if p == User {
			roots.User = set
		} else {
			roots.Workspace = set
		}
	}
	return roots, nil
}

// Texts is a root of texts in memory, by their paths below it. The map must not
// change afterwards.
func Texts(files map[string]string) Root { return textSet(files) }

// textSet is a root in memory.
type textSet map[string]string

func (m textSet) read(name, show string, limit int) (string, error) {
	text, ok := m[name]
	if !ok {
		return "", missing(show)
	}
	return checked(show, []byte(text), limit)
}

func (m textSet) list() ([]string, error) { return slices.Collect(maps.Keys(m)), nil }

//go:embed builtin
var builtinFiles embed.FS

// builtinRoot is the pack inside the program.
type builtinRoot struct{}

func (builtinRoot) read(name, show string, limit int) (string, error) {
	raw, err := builtinFiles.ReadFile("builtin/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", missing(show)
	}
	if err != nil {
		return "", err
	}
	return checked(show, raw, limit)
}

func (builtinRoot) list() ([]string, error) {
	var names []string
	err := fs.WalkDir(builtinFiles, "builtin", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(name, "builtin/"))
		}
		return err
	})
	return names, err
}

// checked holds texts that come from no disk to the rules of those that do.
func checked(show string, raw []byte, limit int) (string, error) {
	if len(raw) > limit {
		return "", &cento.SourceError{Code: tree.TooLarge, Message: fmt.Sprintf("the file is %d bytes, over the limit of %d", len(raw), limit)}
	}
	return tree.Decode(show, raw)
}

func missing(show string) error {
	return &cento.SourceError{Code: tree.NotFound, Message: "no such file", Position: cento.Position{File: show}}
}
