// Package otherclient finds the files of a project that instruct agents by the names
// that other clients look for: AGENTS.md and its kin, and folders of rules. It doesn't
// say which of them a convention loads.
//
// [Files] reads them, with nothing left out that is there: what can't be read says why.
// Which of them a convention loads, and what becomes of the others, is for its callers.
package otherclient

import (
	"errors"
	"path"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/workspace"
)

// File is a file that instructs agents.
type File struct {
	// Path is relative to the root of the tree.
	Path string
	Text string
	// Bytes is how long it is on disk.
	Bytes int
	// Names are the files of the tree that its text names as `@path`.
	Names []string
	// Failed says why it can't be read; empty for one that was.
	Failed string
}

const (
	// maxDepth and maxEntries bound a folder of rules.
	maxDepth, maxEntries = 4, 1000
	// maxNames is how many files that a text names are told.
	maxNames = 10
)

// Files reads what there is in a folder of a tree.
func Files(t *tree.Tree, folder string) []File {
	f := &finder{tree: t}
	for _, n := range workspace.KnownNames() {
		f.inspect(n, path.Join(folder, n.Name), 0)
	}
	return f.found
}

// finder gathers what there is.
type finder struct {
	tree  *tree.Tree
	found []File
}

// inspect reads a file, or the files of a folder of rules.
func (f *finder) inspect(n workspace.KnownName, name string, depth int) {
	info, err := f.tree.Stat(name)
	switch {
	case errors.Is(err, tree.NotFound):
		if _, err := f.tree.Lstat(name); err == nil {
			f.fail(name, "a link to nothing")
		}
		return
	case err != nil:
		f.fail(name, short(err))
		return
	case info.IsDir() && n.Folder():
		f.folder(n, name, depth)
		return
	case depth == 0 && n.Folder(), info.IsDir() && slices.ContainsFunc(workspace.KnownNames(), func(k workspace.KnownName) bool { return k.Name == n.Name+"/" }):
		return // the other of two names, of a file and of a folder
	}
	read, err := f.tree.Read(name)
	if err != nil {
		f.fail(name, short(err))
		return
	}
	x := File{Path: name, Text: read.Text, Bytes: len(read.Raw())}
	for _, named := range workspace.Mentions(read.Text) {
		other := path.Join(path.Dir(name), named)
		if info, err := f.tree.Stat(other); err == nil && info.Mode().IsRegular() && other != name && !slices.Contains(x.Names, other) {
			x.Names = append(x.Names, other)
		}
		if len(x.Names) == maxNames {
			break
		}
	}
	f.found = append(f.found, x)
}

func (f *finder) folder(n workspace.KnownName, name string, depth int) {
	if depth == maxDepth {
		f.fail(name, "too deep to be looked into")
		return
	}
	entries, err := f.tree.ReadDir(name, maxEntries)
	if err != nil {
		f.fail(name, short(err))
		return
	}
	for _, e := range entries {
		if e.Mode.IsDir() || n.Has(e.Name) {
			f.inspect(n, path.Join(name, e.Name), depth+1)
		}
	}
}

func (f *finder) fail(name, reason string) {
	f.found = append(f.found, File{Path: name, Failed: reason})
}

// short is an error without the file that it is about.
func short(err error) string {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err.Error()
	}
	c := *e
	c.Position = cento.Position{}
	return c.Error()
}
