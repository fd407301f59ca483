package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Ceilings for the files of a git folder that are read here. All are far above what git writes.
const (
	maxPointerFile = 64 << 10 // HEAD, loose references, .git files, commondir
	maxListFile    = 16 << 20 // shallow, alternates
	maxPackedRefs  = 256 << 20
)

// layout is where the parts of one repository are. All paths are absolute.
type layout struct {
	root    string // top folder of the work tree, symbolic links resolved
	gitDir  string // HEAD and what belongs to this work tree alone
	common  string // references, shallow boundary; equals gitDir outside linked work trees
	objects string
	bare    bool // there is no work tree; root is the repository
}

// locate finds the repository whose work tree holds dir: the nearest folder at or above it with a .git
// folder or file. As in git, a .git folder that is no repository does not hide one further up, and
// a .git file that leads nowhere does.
func locate(dir string) (layout, error) { return locateBy(dir, layoutAt) }

// locateAny is locate for who needs no work tree: a folder that is a repository itself, as bare ones are,
// counts too.
func locateAny(dir string) (layout, error) {
	return locateBy(dir, func(root string) (layout, error) {
		found, err := layoutAt(root)
		if errors.Is(err, fs.ErrNotExist) {
			return bareAt(root)
		}
		return found, err
	})
}

// bareAt is the layout of a repository without a work tree; fs.ErrNotExist for a folder that is none.
func bareAt(dir string) (layout, error) {
	found := layout{root: dir, gitDir: dir, common: dir, objects: filepath.Join(dir, "objects"), bare: true}
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || !isFolder(found.objects) || !isFolder(filepath.Join(dir, "refs")) {
		return layout{}, fs.ErrNotExist
	}
	return found, checkObjects(found.objects)
}

// locateBy goes up from dir to the first folder that is a repository.
func locateBy(dir string, at func(root string) (layout, error)) (layout, error) {
	start, err := filepath.Abs(dir)
	if err == nil {
		start, err = filepath.EvalSymlinks(start)
	}
	if err != nil {
		return layout{}, &UnavailableError{Reason: NoRepository, Place: dir, Err: err}
	}
	var broken error
	for root := start; ; {
		found, err := at(root)
		switch {
		case err == nil:
			return found, nil
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, errNotGitFolder):
			if broken == nil {
				broken = &UnavailableError{Reason: Damaged, Place: filepath.Join(root, ".git"), Detail: err.Error()}
			}
		default:
			return layout{}, err
		}
		parent := filepath.Dir(root)
		if parent == root {
			break
		}
		root = parent
	}
	if broken != nil {
		return layout{}, broken
	}
	return layout{}, &UnavailableError{Reason: NoRepository, Place: dir}
}

var errNotGitFolder = errors.New("it has no HEAD or no objects")

// layoutAt reads root/.git. The error is fs.ErrNotExist when there is none, errNotGitFolder for a folder
// that is no repository.
func layoutAt(root string) (layout, error) {
	dotGit := filepath.Join(root, ".git")
	info, err := os.Stat(dotGit)
	if err != nil {
		return layout{}, fs.ErrNotExist
	}
	found := layout{root: root, gitDir: dotGit}
	if !info.IsDir() {
		text, err := readFile(dotGit, maxPointerFile)
		if err != nil {
			return layout{}, damaged(dotGit, err)
		}
		target, ok := strings.CutPrefix(string(text), "gitdir:")
		if !ok {
			return layout{}, damaged(dotGit, errors.New("a .git file starts with the word gitdir and a colon"))
		}
		if found.gitDir, err = pointedFolder(dotGit, root, target); err != nil {
			return layout{}, err
		}
	}
	found.common = found.gitDir
	pointer := filepath.Join(found.gitDir, "commondir")
	switch text, err := readFile(pointer, maxPointerFile); {
	case err == nil:
		if found.common, err = pointedFolder(pointer, found.gitDir, string(text)); err != nil {
			return layout{}, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return layout{}, damaged(pointer, err)
	}
	found.objects = filepath.Join(found.common, "objects")
	if _, err := os.Lstat(filepath.Join(found.gitDir, "HEAD")); err != nil || !isFolder(found.objects) {
		if info.IsDir() {
			return layout{}, errNotGitFolder
		}
		return layout{}, damaged(dotGit, errors.New("the folder that it names has no HEAD or no objects"))
	}
	return found, checkObjects(found.objects)
}

// pointedFolder resolves the path that a .git or commondir file holds against base.
func pointedFolder(pointer, base, text string) (string, error) {
	target := strings.Trim(text, " \t\r\n")
	switch {
	case target == "" || strings.ContainsAny(target, "\x00\n"):
		return "", damaged(pointer, errors.New("it names no folder"))
	case onAnotherMachine(target):
		return "", &UnavailableError{Reason: Remote, Place: pointer}
	}
	target = filepath.FromSlash(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(base, target)
	}
	if !isFolder(target) {
		return "", damaged(pointer, errors.New("the folder that it names does not exist"))
	}
	return target, nil
}

// alternateLevels is how deep git follows alternates.
const alternateLevels = 5

const (
	// maxStores is how many object folders are looked at for one repository.
	maxStores = 64
	// maxObjects is how many files they may have together.
	maxObjects = 1 << 20
)

// checkObjects looks at an object folder and at its alternates before git does. git opens whatever has the
// name of an object or of a pack, and would wait for a pipe.
func checkObjects(objects string) error {
	c := objectCheck{seen: map[string]bool{}, left: maxObjects}
	return c.store(objects, alternateLevels)
}

type objectCheck struct {
	seen map[string]bool // object folders
	left int             // how many more files are looked at
}

// store checks one object folder. An alternate that does not exist is left to git, which skips it.
func (c *objectCheck) store(objects string, levels int) error {
	if objects = filepath.Clean(objects); levels == 0 || c.seen[objects] {
		return nil
	}
	if c.seen[objects] = true; len(c.seen) > maxStores {
		return &UnavailableError{Reason: TooLarge, Place: objects, Detail: fmt.Sprintf("more than %d alternates", maxStores)}
	}
	if err := c.folder(objects, 1); err != nil {
		return err
	}
	list := filepath.Join(objects, "info", "alternates")
	text, err := readFile(list, maxListFile)
	if isAbsent(err) {
		return nil
	}
	if err != nil {
		return damaged(list, err)
	}
	for line := range strings.Lines(string(text)) {
		entry := strings.TrimSuffix(line, "\n")
		if entry == "" || entry[0] == '#' {
			continue
		}
		if unquoted, err := strconv.Unquote(entry); err == nil && entry[0] == '"' {
			entry = unquoted
		}
		if onAnotherMachine(strings.TrimLeft(entry, `"`)) {
			return &UnavailableError{Reason: Remote, Place: list}
		}
		next := filepath.FromSlash(entry)
		if !filepath.IsAbs(next) {
			next = filepath.Join(objects, next)
		}
		if err := c.store(next, levels-1); err != nil {
			return err
		}
	}
	return nil
}

// folder refuses entries that are neither files nor folders, in a folder and as many levels below it.
func (c *objectCheck) folder(name string, levels int) error {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil // git says what it misses
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		if c.left -= len(entries); c.left < 0 {
			return &UnavailableError{Reason: TooLarge, Place: name, Detail: fmt.Sprintf("more than %d files", maxObjects)}
		}
		for _, e := range entries {
			at, mode := filepath.Join(name, e.Name()), e.Type()
			if mode&fs.ModeSymlink != 0 {
				if info, err := os.Stat(at); err == nil {
					mode = info.Mode()
				}
			}
			switch {
			case mode.IsDir() && levels > 0:
				if err := c.folder(at, levels-1); err != nil {
					return err
				}
			case mode&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket|fs.ModeIrregular) != 0:
				return damaged(at, errNotRegular)
			}
		}
		if err != nil {
			return nil // the end, or git says more
		}
	}
}

// onAnotherMachine reports whether a path has the form of a network share. It is refused on every system,
// so that a repository is read alike everywhere.
func onAnotherMachine(path string) bool {
	return len(path) > 1 && (path[0] == '/' || path[0] == '\\') && (path[1] == '/' || path[1] == '\\')
}

// readFile reads a regular file of at most limit bytes and never waits: pipes and devices are refused.
// Symbolic links are followed, as git does; what is read is only ever taken as references and paths.
func readFile(path string, limit int64) ([]byte, error) {
	file, err := openRegular(path, limit)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = errTooLong
	}
	return text, err
}

var (
	errTooLong    = errors.New("too long")
	errNotRegular = errors.New("not a regular file")
)

// openRegular opens without blocking and looks at the open file, so that a pipe put in its place between
// two looks cannot hold us up either.
func openRegular(path string, limit int64) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errNotRegular
	case info.Size() > limit:
		err = errTooLong
	default:
		return file, nil
	}
	file.Close()
	return nil, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// damaged names the file of the git folder that does not read. The path stands in Place only.
func damaged(path string, err error) *UnavailableError {
	detail := err
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		detail = pathErr.Err
	}
	return &UnavailableError{Reason: Damaged, Place: path, Detail: detail.Error(), Err: err}
}

// isPartialClone reports whether the repository was cloned without some of its objects. git marks the packs
// of such a clone by a file beside them, so the configuration need not be asked.
func (l layout) isPartialClone() bool {
	packs, err := os.Open(filepath.Join(l.objects, "pack"))
	if err != nil {
		return false
	}
	defer packs.Close()
	for {
		names, err := packs.Readdirnames(256)
		for _, name := range names {
			if filepath.Ext(name) == ".promisor" {
				return true
			}
		}
		if err != nil {
			return false
		}
	}
}

// nestedRepository returns the first folder above rel, a slash path under the root, that is the root of
// another work tree.
func (l layout) nestedRepository(rel string) (string, bool) {
	for at := 0; ; {
		next := strings.IndexByte(rel[at:], '/')
		if next < 0 {
			return "", false
		}
		at += next
		folder := filepath.Join(l.root, filepath.FromSlash(rel[:at]))
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder, true
		}
		at++
	}
}

// boundary reads the commits at which a shallow clone ends. The set is empty for a full clone.
func (l layout) boundary() (map[string]bool, error) {
	path := filepath.Join(l.common, "shallow")
	text, err := readFile(path, maxListFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, damaged(path, err)
	}
	edge := make(map[string]bool)
	for line := range bytes.Lines(text) {
		commit, ok := parseHash(bytes.TrimSpace(line))
		if !ok {
			return nil, damaged(path, errors.New("a line is no commit"))
		}
		edge[commit] = true
	}
	return edge, nil
}
