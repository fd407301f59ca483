package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/ignore"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	// maxBelowEntries is how many files and folders below the current one are
	// looked at, maxBelowFolder how many a single folder may have, and
	// maxBelowDepth how far down it goes.
	maxBelowEntries = 25_000
	maxBelowFolder  = 10_000
	maxBelowDepth   = 16
)

// Below is what lies below the current folder and has the name of an instruction
// file, by any convention. It never changes.
type Below struct {
	folders []string            // with such files, sorted, from the root
	names   map[string][]string // that each of them has
	cutOff  bool                // there is more than was looked at
}

// FindBelow looks for instruction files on a disk, in the folders below cwd, which is the root
// of the project or lies below it, by their names alone. What .gitignore names, what
// version control keeps for itself, and folders of what tools fetch or make are left
// out; links are not followed. It looks at 25,000 files and
// folders at most, 16 levels down. Errors are those of a folder that can't be
// opened.
func FindBelow(disk disk.Disk, root, cwd string) (*Below, error) {
	root, err := folder(disk, root)
	if err != nil {
		return nil, err
	}
	if cwd, err = folder(disk, cwd); err != nil {
		return nil, err
	}
	from, ok := below(root, cwd)
	if !ok {
		return nil, otherFolder(cwd, root, "below the root")
	}
	t, err := tree.OpenOn(disk, filepath.FromSlash(root), tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	w := &descent{tree: t, found: &Below{names: map[string][]string{}}, left: maxBelowEntries, effort: ignore.Effort{Left: ignore.MaxEffort}}
	level := []descended{w.start(from)}
	for depth := 0; len(level) > 0 && !w.found.cutOff; depth++ {
		var next []descended
		for _, d := range level {
			next = w.visit(next, d)
		}
		if depth == maxBelowDepth && len(next) > 0 {
			w.found.cutOff = true
		}
		level = next
	}
	slices.Sort(w.found.folders)
	return w.found, nil
}

// descent is the state of one walk.
type descent struct {
	tree   *tree.Tree
	cwd    string // in the tree
	found  *Below
	left   int // of maxBelowEntries
	effort ignore.Effort
}

// descended is a folder that the walk comes to.
type descended struct {
	dir   string
	rules *ignore.Rules // of the folders above
}

// start is the folder to begin in, with the rules of those above it.
func (w *descent) start(dir string) descended {
	d := descended{dir: dir}
	for up := "."; dir != "." && up != dir; {
		d.rules = w.ignoring(up, d.rules)
		rest, _ := below(up, dir)
		if up == "." {
			rest = dir
		}
		first, _, _ := strings.Cut(rest, "/")
		up = path.Join(up, first)
	}
	w.cwd = dir
	return d
}

// ignoring are the rules of a folder's .gitignore on top of those above it.
func (w *descent) ignoring(dir string, above *ignore.Rules) *ignore.Rules {
	f, err := w.tree.Read(path.Join(dir, ".gitignore"))
	if err != nil {
		return above // there is mostly none, and one that can't be read ignores nothing
	}
	return ignore.Parse(dir, f.Text, above)
}

// visit takes the files of a folder, and adds the folders in it to those that are
// looked into next.
func (w *descent) visit(next []descended, d descended) []descended {
	entries, err := w.tree.ReadDir(d.dir, min(w.left, maxBelowFolder))
	if err != nil {
		w.found.cutOff = true // too many, or not readable: there may be more
		return next
	}
	w.left -= len(entries)
	has := func(name string) (tree.Entry, bool) {
		i, ok := slices.BinarySearchFunc(entries, name, func(e tree.Entry, name string) int { return strings.Compare(e.Name, name) })
		if !ok {
			return tree.Entry{}, false
		}
		return entries[i], true
	}
	if _, ok := has(".gitignore"); ok {
		d.rules = w.ignoring(d.dir, d.rules)
	}
	if d.dir != w.cwd {
		w.take(d.dir, has)
	}
	for _, e := range entries {
		if !e.Mode.IsDir() || ignore.Made(e.Name) || slices.Contains(VCSMarkers(), e.Name) || tree.CheckName(e.Name) != nil {
			continue
		}
		ignored := d.rules.Ignored(d.dir, e.Name, true, &w.effort)
		if w.effort.Left < 0 {
			w.found.cutOff = true
			return next
		}
		if !ignored {
			next = append(next, descended{path.Join(d.dir, e.Name), d.rules})
		}
	}
	return next
}

// take keeps the names of a folder that some convention looks for.
func (w *descent) take(dir string, has func(name string) (tree.Entry, bool)) {
	for _, name := range instructionNames() {
		first, rest, deeper := strings.Cut(name, "/")
		e, ok := has(first)
		if !ok || deeper != e.Mode.IsDir() {
			continue
		}
		if deeper {
			if info, err := w.tree.Lstat(path.Join(dir, first, rest)); err != nil || info.IsDir() {
				continue
			}
		}
		if len(w.found.names[dir]) == 0 {
			w.found.folders = append(w.found.folders, dir)
		}
		w.found.names[dir] = append(w.found.names[dir], name)
	}
}

// instructionNames are the names of files that any convention looks for in a
// folder, each once.
func instructionNames() []string {
	var out []string
	for i := range conventions {
		for _, n := range slices.Concat(conventions[i].ranks...) {
			if !strings.HasSuffix(n, "/") && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// below records the files of folders below the current one that the convention
// looks for and that are not in the text, and notes how many there are.
func (l *loader) below(b *Below) (files []File, notes []cento.Note) {
	if b == nil || len(l.convention.ranks) == 0 {
		return nil, nil
	}
	known, n := map[string]bool{}, 0
	for _, pl := range l.places {
		for _, p := range pl.parts {
			if known[p.file.Path] = true; p.file.Status == BelowCwd {
				n++
			}
		}
	}
	for _, dir := range b.folders {
		for _, name := range l.convention.inFolder(b.names[dir]) {
			shown := l.project.tree.Show(path.Join(dir, name))
			if known[shown] || slices.Contains(l.outputs, l.project.absolute(path.Join(dir, name))) {
				continue
			}
			files = append(files, File{
				Path: shown, Status: BelowCwd, Code: string(InstructionsBelow), Reason: l.convention.belowReason(), Trust: cento.TrustWorkspace,
			})
		}
	}
	switch n += len(files); {
	case b.cutOff:
		notes = append(notes, cento.Note{Code: InstructionsBelow, Message: fmt.Sprintf("%d more below this folder, as far as it was looked at", n)})
	case n > 0:
		notes = append(notes, cento.Note{Code: InstructionsBelow, Message: fmt.Sprintf("%d more below this folder", n)})
	}
	return files, notes
}

// inFolder picks, of the names that a folder has, those of the files that would
// be read.
func (c *convention) inFolder(has []string) []string {
	for _, rank := range c.ranks {
		var out []string
		for _, name := range rank {
			if slices.Contains(has, name) {
				if out = append(out, name); c.pick != every {
					break
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// LooksBelow reports whether the rules of a convention read files of folders below the
// current one, once something there is worked on.
func LooksBelow(convention string) bool {
	c := findConvention(convention)
	return c != nil && c.nested != nestedNever
}

func (c *convention) belowReason() string {
	if c.nested == nestedNever {
		return fmt.Sprintf("below the current folder: the rules of %q look no further down", c.id())
	}
	return "read with files of its folder"
}
