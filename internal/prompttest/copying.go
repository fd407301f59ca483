package prompttest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
)

// maxCopied is how many files of a project are copied for a test that lays texts over
// them.
const maxCopied = 20_000

// copyPrefix begins the names of the folders that copies lie in.
const copyPrefix = "cento-test-"

// copy makes a folder with the files of the project and those of a run over them: a
// project is read from disk, and its own files stay as they are. What is ignored isn't
// there. A file above the limit is as long there, and empty.
func (l *library) copy(key string, w *manifest.With) (string, error) {
	if dir := l.copies[key]; dir != "" {
		return dir, nil
	}
	dir, err := os.MkdirTemp("", copyPrefix+"*")
	if err != nil {
		return "", fmt.Errorf("copying the project for a test: %w", tree.WithoutPath(err))
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	l.copies[key] = dir
	t, err := tree.OpenOn(l.suite.request.Disk, filepath.FromSlash(l.suite.site.Root.Dir), tree.Options{})
	if err != nil {
		return "", err
	}
	defer t.Close()
	to, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("copying the project for a test: %w", tree.WithoutPath(err))
	}
	defer to.Close()
	c := copier{tree: t, from: filepath.FromSlash(l.suite.site.Root.Dir), to: to, over: w.Files, seen: map[string]bool{}}
	if c.left = maxCopied; slices.Contains([]string{".git", ".hg", ".jj", ".svn"}, l.suite.site.Root.Marker) {
		if err := to.Mkdir(l.suite.site.Root.Marker, 0o700); err != nil {
			return "", fmt.Errorf("copying the project for a test: %w", tree.WithoutPath(err))
		}
	}
	names := slices.Sorted(maps.Keys(w.Files))
	for _, name := range names {
		if link := c.linkAbove(name); link != "" {
			return "", &cento.SourceError{
				Code: OutsideRoot, Position: w.At("files"), Message: fmt.Sprintf("%q is no plain file of the project: %s is a link or a special file", name, link),
				Hint: "name a file that isn't behind a link",
			}
		}
	}
	if err := c.all(); err != nil {
		return "", err
	}
	for _, name := range names {
		if w.Files[name] == nil && !c.seen[name] {
			return "", &cento.SourceError{
				Code: MissingFolder, Position: w.At("files"), Message: fmt.Sprintf("there is no file %q to take away", name),
				Hint: "paths start from the root of the project",
			}
		}
	}
	return dir, nil
}

// copier copies a project, but for the files that others stand over. It writes within
// a root, so that no link of the project, which the copy has too, leads it elsewhere.
type copier struct {
	tree *tree.Tree
	from string
	to   *os.Root
	over map[string]*string
	seen map[string]bool // of over, that the project has
	left int
}

func (c *copier) all() error {
	var failed error
	err := walk(c.tree, ".", func(dir string, e tree.Entry, _ folder) (into bool) {
		name := path.Join(dir, e.Name)
		if e.Mode.IsDir() && strings.HasPrefix(e.Name, copyPrefix) {
			return false // a copy that lies in the project, such as this one
		}
		if _, over := c.over[name]; over && !e.Mode.IsDir() {
			c.seen[name] = true
			return false
		}
		if c.left--; failed != nil || c.left < 0 {
			return false
		}
		if e.Mode.IsDir() {
			failed = c.folder(name)
			return failed == nil
		}
		failed = c.file(name, e.Mode)
		return false
	})
	switch {
	case err != nil:
		return err
	case c.left < 0:
		return &cento.SourceError{
			Code: TooManyFiles, Message: fmt.Sprintf("the project has more than %d files, and a test with files copies it", maxCopied),
			Hint: "name folders that are made or fetched in .gitignore",
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.over)) {
		if text := c.over[name]; text != nil && failed == nil {
			if failed = c.folder(path.Dir(name)); failed == nil {
				failed = c.to.WriteFile(filepath.FromSlash(name), []byte(*text), 0o600)
			}
		}
	}
	if failed != nil {
		return fmt.Errorf("copying the project for a test: %w", failed)
	}
	return nil
}

func (c *copier) folder(name string) error { return c.to.MkdirAll(filepath.FromSlash(name), 0o700) }

// linkAbove is the part of a path, above its last, that is a link or a special file in
// the project, or "".
func (c *copier) linkAbove(name string) string {
	for part := path.Dir(name); part != "." && part != "/"; part = path.Dir(part) {
		if info, err := c.tree.Lstat(part); err == nil && info.Mode().Type() != 0 && !info.IsDir() {
			return part
		}
	}
	return ""
}

// file copies one file; a link stays one, whose target is what the copy has there.
func (c *copier) file(name string, mode fs.FileMode) error {
	if mode&fs.ModeSymlink != 0 {
		to, err := os.Readlink(filepath.Join(c.from, filepath.FromSlash(name)))
		if err != nil {
			return nil // gone in the meantime
		}
		return c.to.Symlink(to, filepath.FromSlash(name))
	}
	if !mode.IsRegular() {
		return nil
	}
	data, err := c.tree.ReadRaw(name)
	if err == nil {
		return c.to.WriteFile(filepath.FromSlash(name), data, 0o600)
	}
	list := cento.SourceErrors(err)
	if len(list) == 1 && list[0].Code == tree.TooLarge {
		info, err := c.tree.Stat(name)
		if err != nil {
			return nil
		}
		f, err := c.to.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(f.Truncate(info.Size()), f.Close())
	}
	// One that can't be read is told of by who needs it: it isn't there.
	return nil
}
