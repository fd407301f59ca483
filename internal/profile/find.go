package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/ignore"
	"github.com/cento-dev/cento/internal/tree"
)

// Config says which project is looked at and what is known about its
// surroundings.
type Config struct {
	// Root is the folder of the project, absolute.
	Root string
	// Disk is where it lies; the zero value is the machine's.
	Disk disk.Disk
	// Show turns a path below Root, with `/`, into the name that people know.
	// Default: the path itself.
	Show func(name string) string
	// Shallow keeps the walk out: only the files of Root itself are looked at,
	// and shares aren't known. It is for folders that are no project, such as
	// the home folder.
	Shallow bool
	// NoRemotes leaves the remotes of a repository out.
	NoRemotes bool
	// Env are names of environment variables that have a value, and aliases of
	// credentials; never values.
	Env []string
}

// Find finds out what it can about a project. Its error is that Root can't be
// opened; everything else that goes wrong is a note.
func Find(c Config) (*Profile, error) {
	show := c.Show
	if show == nil {
		show = func(name string) string { return name }
	}
	t, err := tree.OpenOn(c.Disk, c.Root, tree.Options{Limit: maxFile, Show: show})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	f := &finder{signals: map[string]Signal{}}
	w := &walk{tree: t, finder: f, machine: c.Disk.Machine(), noRemotes: c.NoRemotes, census: newCensus(), effort: ignore.Effort{Left: ignore.MaxEffort}}
	root := w.root()
	w.git(c.Root, root)
	if !isBare(root) {
		w.rootTells = root.tells()
		root.detect(true)
		if !c.Shallow {
			w.below(root)
			w.census.share(f, show)
			if w.cut == "" && w.census.total > 0 && !w.census.has("python") && !w.census.has("cython") {
				f.withoutPython()
			}
		}
		if !w.nodeAt.IsZero() && !f.has(Language, "typescript") && (c.Shallow || w.census.total == 0 || w.census.has("javascript")) {
			f.language("javascript", w.nodeAt)
		}
	}
	w.cutNotes()
	f.credentials(c.Env)
	return f.profile(), nil
}

// folder is one folder of the project and what it holds.
type folder struct {
	*walk
	dir     string // "." for the root
	entries []tree.Entry
	depth   int
	rules   *ignore.Rules
}

// walk goes through the folders of a project, level by level, so that where a
// bound cuts it off, what lies deepest is missing.
type walk struct {
	tree      *tree.Tree
	finder    *finder
	census    *census
	effort    ignore.Effort
	noRemotes bool
	machine   disk.Disk // for what git keeps outside of the project

	entries      int
	built        readBytes
	ignoring     readBytes
	cut          string // why the walk ended early
	large        []string
	deep         bool
	unnamed      int
	buildFolders int
	rootTells    bool           // the root has build files
	dotnetRoot   bool           // one of them is a solution
	nodeAt       cento.Position // of a package.json that doesn't say which language it is for
}

// foreign are the folders whose files are somebody else's, or made by a program,
// or there to be tested on. They say nothing about how a project is written.
// Those whose names begin with a dot are left out too.
var foreign = map[string]bool{
	"node_modules": true, "bower_components": true, "jspm_packages": true,
	"vendor": true, "third_party": true, "thirdparty": true, "3rdparty": true, "external": true,
	"site-packages": true, "venv": true, "virtualenv": true, "__pycache__": true,
	"Pods": true, "Carthage": true, "Godeps": true, "bazel-bin": true, "bazel-out": true,
	"testdata": true, "fixtures": true, "__fixtures__": true, "__snapshots__": true,
}

// aside are the folders below which build files are those of an example, a test
// or a document. Their source files count.
var aside = map[string]bool{
	"example": true, "examples": true, "sample": true, "samples": true, "demo": true, "demos": true, "docs": true, "doc": true,
	"test": true, "tests": true, "spec": true, "e2e": true, "benchmark": true, "benchmarks": true, "templates": true,
}

func (w *walk) root() *folder {
	root := &folder{walk: w, dir: "."}
	w.list(root, w.read(root.dir))
	return root
}

// listing is what a folder holds.
type listing struct {
	entries []tree.Entry
	err     error
}

func (w *walk) read(dir string) listing {
	entries, err := w.tree.ReadDir(dir, maxFolder)
	return listing{entries, err}
}

// atOnce is how many folders are read side by side. A disk answers many
// questions nearly as fast as one.
const atOnce = 16

// readAll reads folders side by side.
func (w *walk) readAll(dirs []*folder) []listing {
	out := make([]listing, len(dirs))
	var all sync.WaitGroup
	for i, d := range dirs {
		all.Go(func() { out[i] = w.read(d.dir) })
	}
	all.Wait()
	return out
}

// list takes what a folder holds, and reads its .gitignore. It is false when
// there is nothing to go on with.
func (w *walk) list(d *folder, found listing) bool {
	entries, err := found.entries, found.err
	if err != nil {
		if errors.Is(err, tree.TooMany) {
			w.large = append(w.large, d.dir)
			w.entries += maxFolder
		} else {
			w.unreadable(d.dir, err)
		}
		return false
	}
	w.entries += len(entries)
	d.entries = slices.DeleteFunc(entries, func(e tree.Entry) bool {
		if showable(e.Name) {
			return false
		}
		w.unnamed++
		return true
	})
	if d.holds(".gitignore") {
		if text, ok := d.readWithin(".gitignore", &d.ignoring, ".gitignore"); ok {
			d.rules = ignore.Parse(d.dir, text, d.rules)
		}
	}
	return true
}

// showable reports whether a name can stand in a message and be asked for.
func showable(name string) bool {
	return utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 && tree.CheckName(name) == nil
}

// below looks at everything below the root, level by level, and counts the
// source files.
func (w *walk) below(root *folder) {
	for level := []*folder{root}; len(level) > 0; {
		var next []*folder
		for _, d := range level {
			next = w.files(next, d)
			if w.effort.Left < 0 {
				w.cut = "the patterns of .gitignore files are too many for its files"
				return
			}
		}
		level = w.folders(next)
	}
}

// files counts the source files of a folder, and adds the folders below it that
// are looked into.
func (w *walk) files(to []*folder, d *folder) []*folder {
	for _, e := range d.entries {
		isDir := e.Mode.IsDir()
		if !isDir && !e.Mode.IsRegular() {
			continue // links are not followed
		}
		if strings.HasPrefix(e.Name, ".") || isDir && foreign[e.Name] {
			continue
		}
		switch ignored := d.rules.Ignored(d.dir, e.Name, isDir, &w.effort); {
		case w.effort.Left < 0:
			return to
		case ignored:
		case !isDir:
			w.census.count(d.dir, e.Name)
		case d.depth == maxDepth:
			w.deep = true
		default:
			to = append(to, &folder{walk: w, dir: path.Join(d.dir, e.Name), depth: d.depth + 1, rules: d.rules})
		}
	}
	return to
}

// folders reads folders as far as the walk goes, and gives those that are the
// project's own. Some are read ahead, but in order they count.
func (w *walk) folders(list []*folder) []*folder {
	var out []*folder
	for batch := range slices.Chunk(list, atOnce) {
		if w.entries >= maxEntries {
			break
		}
		for i, found := range w.readAll(batch) {
			if w.entries >= maxEntries {
				break
			}
			d := batch[i]
			list = list[1:]
			if !w.list(d, found) || d.holds(".git") {
				continue // another repository
			}
			d.buildFilesBelow()
			out = append(out, d)
		}
	}
	if len(list) > 0 {
		w.cut = fmt.Sprintf("it has more than %d files and folders", maxEntries)
	}
	return out
}

// buildFilesBelow looks for build files below a root that has none. They tell of build
// tools; the tasks of a project are those of its root. The tests of a .NET
// solution are projects of their own, so those are looked at in any case.
func (d *folder) buildFilesBelow() {
	if d.depth > buildDepth || d.buildFolders == maxBuildFolders || d.rootTells && !d.dotnetRoot {
		return
	}
	if d.rootTells {
		(&buildFiles{d, noTask}).dotnet()
		return
	}
	for part := range strings.SplitSeq(d.dir, "/") {
		if aside[part] {
			return
		}
	}
	if d.detect(false) {
		d.buildFolders++
	}
}

func (w *walk) cutNotes() {
	at := cento.Position{File: w.tree.Show(".")}
	tell := func(code cento.Code, format string, args ...any) {
		w.finder.note(code, at, fmt.Sprintf(format, args...))
	}
	if w.cut != "" {
		tell(CutOff, "the project was not looked at as a whole: %s", w.cut)
	}
	if len(w.large) > 0 {
		tell(CutOff, "left out of the project's profile for having more than %d entries: %s", maxFolder, someOf(w.large))
	}
	if w.deep {
		tell(CutOff, "left out of the project's profile: what lies more than %d folders deep", maxDepth)
	}
	if w.unnamed > 0 {
		tell(PassedOver, "left out of the project's profile: %d with names that can't be shown", w.unnamed)
	}
}

func someOf(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, ", ")
}

func (d *folder) entry(name string) (tree.Entry, bool) {
	i, ok := slices.BinarySearchFunc(d.entries, name, func(e tree.Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return tree.Entry{}, false
	}
	return d.entries[i], true
}

// holds reports whether the folder has an entry of that name, of whatever kind.
func (d *folder) holds(name string) bool {
	_, ok := d.entry(name)
	return ok
}

// file is the first of some names that the folder has a regular file of, or a
// link to one inside the project.
func (d *folder) file(names ...string) (string, bool) {
	for _, name := range names {
		e, ok := d.entry(name)
		if !ok {
			continue
		}
		if e.Mode.IsRegular() {
			return name, true
		}
		if e.Mode&fs.ModeSymlink != 0 {
			if info, err := d.tree.Stat(path.Join(d.dir, name)); err == nil && info.Mode().IsRegular() {
				return name, true
			}
		}
	}
	return "", false
}

// nested is a regular file in a folder of the folder, as people keep settings.
func (d *folder) nested(dir, name string) (string, bool) {
	if !d.isFolder(dir) {
		return "", false
	}
	file := path.Join(dir, name)
	info, err := d.tree.Lstat(path.Join(d.dir, file))
	return file, err == nil && info.Mode().IsRegular()
}

// isFolder reports whether the folder has a folder of that name.
func (d *folder) isFolder(name string) bool {
	e, ok := d.entry(name)
	return ok && e.Mode.IsDir()
}

// at is the first line of a file of the folder.
func (d *folder) at(name string) cento.Position {
	return fileStart(d.tree.Show(path.Join(d.dir, name)))
}

func fileStart(shown string) cento.Position { return cento.Position{File: shown, Line: 1, Column: 1} }

// readBytes is how much was read of one kind of file.
type readBytes int

// read gives the text of a build file. One that can't be read is a note.
func (d *folder) read(name string) (string, bool) { return d.readWithin(name, &d.built, "build file") }

// readWithin reads a file as long as those of its kind are not too long together.
func (d *folder) readWithin(name string, all *readBytes, kind string) (string, bool) {
	if *all > maxRead {
		return "", false
	}
	f, err := d.tree.Read(path.Join(d.dir, name))
	if err != nil {
		d.unreadable(path.Join(d.dir, name), err)
		return "", false
	}
	if *all += readBytes(len(f.Text)); *all > maxRead {
		d.finder.note(CutOff, d.at(name), fmt.Sprintf("not read for the project's profile: this %s and those after it, since all together have more than %d bytes", kind, maxRead))
		return "", false
	}
	return f.Text, true
}

func (w *walk) unreadable(name string, err error) {
	at := cento.Position{File: w.tree.Show(name)}
	message := "can't be read for the project's profile"
	if e, ok := errors.AsType[*cento.SourceError](err); ok {
		if !e.Position.IsZero() {
			at = e.Position
		}
		message += ": " + e.Message
		if e.Err != nil {
			message += ": " + e.Err.Error()
		}
	}
	w.finder.note(Unreadable, at, message)
}

// broken notes that a build file doesn't parse. Its place is kept, its words
// are not: an error may quote the line.
func (d *folder) broken(name, kind string, at cento.Position) {
	if at.File == "" {
		at.File = d.tree.Show(path.Join(d.dir, name))
	}
	d.finder.note(Broken, at, fmt.Sprintf("this is not %s that can be read; only the file's being there counts for the project's profile", kind))
}
