package workspace

import (
	"fmt"
	"maps"
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

// Below lists the files with names of instruction files, by any client, in the folders
// from the root to the current one and in those below it. It never changes.
type Below struct {
	found  []KnownFile // from the root down to cwd, then those below by folder
	here   int         // how many of them are not below cwd
	cutOff bool        // there is more than was looked at
}

// Files lists the files: those of the folders from the root to the current one first, then
// those of deeper folders.
func (b *Below) Files() []KnownFile { return slices.Clone(b.found) }

// FindBelow looks for instruction files on a disk by their names alone, see [KnownNames]. It
// looks in the folders from the root to cwd, which is the root or a folder below it, and in
// the folders below cwd. There it skips what .gitignore names, the folders of version
// control, folders that tools fetch or make, and .cento; it does not follow links. It also skips
// outputs, the absolute paths of files that the program writes. It looks at 25,000 files and
// folders at most, 16 levels down. Errors are those of a folder that can't be
// opened.
func FindBelow(disk disk.Disk, root, cwd string, outputs ...string) (*Below, error) {
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
	w := newDescent(t)
	w.take = w.takeKnown
	for _, dir := range w.onTheWay(from) {
		w.take(dir, func(name string) (tree.Entry, bool) {
			info, err := t.Lstat(path.Join(dir, name))
			if err != nil {
				return tree.Entry{}, false
			}
			return tree.Entry{Name: name, Mode: info.Mode().Type()}, true
		})
	}
	w.found.here = len(w.found.found)
	w.descend(from)
	w.found.skip(root, outputs)
	slices.SortStableFunc(w.found.found[w.found.here:], func(a, b KnownFile) int { return strings.Compare(a.folder, b.folder) })
	return w.found, nil
}

// skip removes files that the program writes, by their absolute paths.
func (b *Below) skip(root string, outputs []string) {
	kept := b.found[:0]
	here := b.here
	for i, f := range b.found {
		if slices.Contains(outputs, strings.TrimSuffix(root, "/")+"/"+f.Path) {
			if i < here {
				b.here--
			}
			continue
		}
		kept = append(kept, f)
	}
	b.found = kept
}

// descent is the state of one walk.
type descent struct {
	tree   *tree.Tree
	cwd    string // in the tree
	found  *Below
	seen   map[string]bool // the paths of found
	left   int             // of maxBelowEntries
	effort ignore.Effort
	take   func(dir string, has func(name string) (tree.Entry, bool)) // what is wanted of a folder
}

func newDescent(t *tree.Tree) *descent {
	return &descent{tree: t, found: &Below{}, seen: map[string]bool{}, left: maxBelowEntries, effort: ignore.Effort{Left: ignore.MaxEffort}}
}

// descend visits a folder and those below it, level by level.
func (w *descent) descend(from string) {
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
}

// FoldersBelow lists the folders below cwd, a folder of the root, that have a folder of a
// name, such as ".claude/skills": relative to the root, outer ones first. It looks where
// [FindBelow] does. Where the root can't be read there are none.
func FoldersBelow(disk disk.Disk, root, cwd, name string) []string {
	from, ok := below(filepath.ToSlash(root), filepath.ToSlash(cwd))
	if !ok {
		return nil
	}
	t, err := tree.OpenOn(disk, root, tree.Options{})
	if err != nil {
		return nil
	}
	defer t.Close()
	var out []string
	w := newDescent(t)
	first, _, _ := strings.Cut(name, "/")
	w.take = func(dir string, has func(name string) (tree.Entry, bool)) {
		if _, ok := has(first); !ok {
			return
		}
		if info, err := t.Lstat(path.Join(dir, name)); err == nil && info.IsDir() {
			out = append(out, dir)
		}
	}
	w.descend(from)
	return out
}

// takeKnown adds the files of a folder that have a known name. A file such as .claude/CLAUDE.md
// belongs to the outer folder.
func (w *descent) takeKnown(dir string, has func(name string) (tree.Entry, bool)) {
	for _, f := range known(w.tree, dir, has) {
		if !w.seen[f.Path] {
			w.seen[f.Path] = true
			w.found.found = append(w.found.found, f)
		}
	}
}

// descended is a folder that the walk comes to.
type descended struct {
	dir   string
	rules *ignore.Rules // of the folders above
}

// onTheWay lists the folders from the root of the tree to one of its folders.
func (w *descent) onTheWay(dir string) []string {
	out := []string{dir}
	for ; dir != "."; out = append(out, dir) {
		dir = path.Dir(dir)
	}
	slices.Reverse(out)
	return out
}

// start is the folder to begin in, with the rules of those above it.
func (w *descent) start(dir string) descended {
	d := descended{dir: dir}
	for _, up := range w.onTheWay(dir) {
		if up != dir {
			d.rules = w.ignoring(up, d.rules)
		}
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
		if !e.Mode.IsDir() || e.Name == ".cento" || ignore.Made(e.Name) || slices.Contains(VCSMarkers(), e.Name) || tree.CheckName(e.Name) != nil {
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

// below records the files of folders below the current one that the convention looks for
// and that are not in the text, and notes how many there are. It also records the files
// that only other clients read.
func (l *loader) below(b *Below) (files []File, notes []cento.Note) {
	if b == nil || len(l.convention.ranks) == 0 {
		return nil, nil
	}
	listed, n := map[string]bool{}, 0
	for _, pl := range l.places {
		for _, p := range pl.parts {
			if listed[p.file.Path] = true; p.file.Status == BelowCwd {
				n++
			}
			for _, f := range p.imported {
				listed[f.Path] = true
			}
		}
	}
	var folders []string
	has := map[string][]string{} // the names of each folder
	for _, f := range b.found[b.here:] {
		if len(has[f.folder]) == 0 {
			folders = append(folders, f.folder)
		}
		has[f.folder] = append(has[f.folder], f.name())
	}
	instead := map[string]string{} // of files that the rules look for, what is read instead
	for _, dir := range folders {
		for _, c := range l.inFolder(dir, has[dir]) {
			if _, seen := l.seen[c.absolute(c.name)]; !seen && !slices.Contains(l.outputs, c.absolute(c.name)) {
				instead[c.name] = c.instead
			}
		}
	}
	var others []File
	for _, f := range b.found {
		shown := l.project.tree.Show(f.Path)
		if listed[shown] {
			continue
		}
		row := File{Path: shown, Trust: cento.TrustWorkspace}
		switch by, ok := instead[f.Path]; {
		case ok && by == "":
			row.Status, row.Code, row.Reason = BelowCwd, string(InstructionsBelow), l.convention.belowReason()
			n++
		case ok:
			row.Status, row.Code, row.Reason = Shadowed, string(InstructionsShadowed), fmt.Sprintf("shadowed by %q", by)
		default:
			row.Status, row.Code = Ignored, string(InstructionsOtherClient)
			row.Reason = fmt.Sprintf("read by %s, not by the rules of %q", f.Client, l.convention.id())
			if l.convention.looksFor(f.name()) {
				row.Reason = fmt.Sprintf("the rules of %q do not read it here", l.convention.id())
			}
			others = append(others, row)
			continue
		}
		files = append(files, row)
	}
	switch {
	case b.cutOff:
		notes = append(notes, cento.Note{Code: InstructionsBelow, Message: fmt.Sprintf("%d more below this folder, as far as it was looked at", n)})
	case n > 0:
		notes = append(notes, cento.Note{Code: InstructionsBelow, Message: fmt.Sprintf("%d more below this folder", n)})
	}
	return append(files, others...), notes
}

// NoteUnread returns one note about the instruction files of the project that these
// instructions do not list; nil for none. The files used, by their paths below the root,
// are in the prompt by other means. The note counts a file that has several names once.
func (in *Instructions) NoteUnread(b *Below, used ...string) *cento.Note {
	listed := map[string]bool{}
	for _, name := range used {
		listed[name] = true
	}
	for _, f := range in.Files {
		listed[f.Path] = true
	}
	seen := maps.Clone(listed)
	for _, f := range b.found {
		if listed[f.Path] {
			seen[f.real] = true
		}
	}
	var unread []KnownFile
	for _, f := range b.found {
		if !listed[f.Path] && !seen[f.real] {
			unread = append(unread, f)
			seen[f.real] = true
		}
	}
	if len(unread) == 0 || in.Convention == NoInstructions {
		return nil
	}
	message := "this instruction file is not in the prompt: `cento instructions` lists it"
	if n := len(unread) - 1; n > 0 || b.cutOff {
		files := "files are"
		if n == 1 {
			files = "file are"
		}
		least := ""
		if b.cutOff {
			least = "at least "
		}
		message = fmt.Sprintf("this and %s%d more instruction %s not in the prompt: `cento instructions` lists them", least, n, files)
	}
	return &cento.Note{Code: InstructionsBelow, Message: message, Position: cento.Position{File: unread[0].Path}}
}

// inFolder gives, of the names that a folder has, the files that would be read, and those
// of the fallback with the file that is read instead.
func (l *loader) inFolder(dir string, has []string) []candidate {
	var out []candidate
	add := func(name, instead string, rule bool) {
		out = append(out, candidate{ground: l.project, name: path.Join(dir, name), instead: instead, rule: rule})
	}
	instead := l.instead
	for _, rank := range l.convention.ranks {
		for _, name := range rank {
			if strings.HasSuffix(name, "/") {
				for _, file := range has {
					if strings.HasPrefix(file, name) && strings.HasSuffix(file, ".md") {
						add(file, "", true)
					}
				}
				continue
			}
			if !slices.Contains(has, name) {
				continue
			}
			if add(name, "", false); l.convention.pick != every {
				break
			}
			if instead == "" && slices.ContainsFunc(l.convention.fallback, func(n string) bool { return slices.Contains(has, n) }) && l.hasContent(out[len(out)-1]) {
				instead = out[len(out)-1].tree.Show(out[len(out)-1].name)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	for _, name := range l.convention.fallback {
		if slices.Contains(has, name) {
			add(name, instead, false)
		}
	}
	return out
}

// looksFor reports whether a name is one that the rules look for in some folder.
func (c *convention) looksFor(name string) bool {
	return slices.ContainsFunc(append(slices.Concat(c.ranks...), c.fallback...), func(n string) bool {
		return n == name || strings.HasSuffix(n, "/") && strings.HasPrefix(name, n) && strings.HasSuffix(name, ".md")
	})
}

// hasContent reports whether something is left of a file once comments and front matter
// are taken out.
func (l *loader) hasContent(c candidate) bool {
	if c.rule {
		return false
	}
	f, err := l.read(c.tree, c.name)
	if err != nil {
		code, _, _ := explain(err, c.name)
		return careful(code)
	}
	read, at := readClaudeText(f.Text, false), 0
	for _, s := range append(slices.Clip(read.takenOut()), span{len(f.Text), len(f.Text)}) {
		if strings.TrimSpace(f.Text[at:s.start]) != "" {
			return true
		}
		at = s.end
	}
	return false
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
