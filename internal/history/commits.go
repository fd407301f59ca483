package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/nearest"
)

// Commits gives the files of commits of one repository, with or without a work tree, without checking
// anything out. What git doesn't track is as it is on disk, at whatever commit. It holds a temporary folder
// and up to two git processes until closed, or until the context that it was opened with ends.
type Commits struct {
	layout  layout
	program string
	view    view
	objects *objects
	hash    int // the length of an object name in bytes
	head    string

	disk *os.Root // the work tree; nil where there is none
}

// OpenCommits finds the repository that holds dir: one whose work tree does, or one without a work tree that
// dir is or lies in. The error is ctx's own or an *[UnavailableError].
func OpenCommits(ctx context.Context, dir string) (*Commits, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found, err := locateAny(dir)
	if err != nil {
		return nil, err
	}
	head, err := found.head()
	if err != nil {
		return nil, err
	}
	edge, err := found.boundary()
	if err != nil {
		return nil, err
	}
	program, err := findGit(found.root)
	if err != nil {
		return nil, err
	}
	made, err := newView(found, head, edge)
	if err != nil {
		return nil, &UnavailableError{Reason: Failed, Place: os.TempDir(), Err: err, Detail: printable(err.Error(), maxShown)}
	}
	c := &Commits{layout: found, program: program, view: made, head: head, hash: len(head) / 2, objects: newObjects(ctx, made, program)}
	if !found.bare {
		if c.disk, err = os.OpenRoot(found.root); err != nil {
			return nil, errors.Join(&UnavailableError{Reason: Failed, Place: found.root, Err: err, Detail: printable(err.Error(), maxShown)}, made.close())
		}
	}
	return c, nil
}

// Root returns the top folder of the work tree, or the repository where it has none, as an absolute path
// without symbolic links.
func (c *Commits) Root() string { return c.layout.root }

// Bare reports whether there is no work tree.
func (c *Commits) Bare() bool { return c.layout.bare }

// Close ends what was started and removes the temporary folder.
func (c *Commits) Close() error {
	c.objects.close()
	err := c.view.close()
	if c.disk != nil {
		err = errors.Join(err, c.disk.Close())
	}
	return err
}

// readsBehind reports whether all that stands behind the name of a branch, tag or commit are ~N, ^N and
// ^{commit}.
func readsBehind(rest string) bool {
	const most = 9 // digits
	for rest != "" {
		if after, ok := strings.CutPrefix(rest, "^{commit}"); ok {
			rest = after
			continue
		}
		if after, ok := strings.CutPrefix(rest, "^{}"); ok {
			rest = after
			continue
		}
		if rest[0] != '~' && rest[0] != '^' {
			return false
		}
		rest = rest[1:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits > most {
			return false
		}
		rest = rest[digits:]
	}
	return true
}

// Resolve gives the full name of the commit that a revision names: a branch, a tag or a commit, or HEAD, with
// ~N and ^N behind it. The error is an *[UnavailableError]; for a name that isn't there it has the nearest
// branch or tag.
func (c *Commits) Resolve(revision string) (string, error) {
	name, rest := revision, ""
	if i := strings.IndexAny(revision, "~^"); i >= 0 {
		name, rest = revision[:i], revision[i:]
	}
	if name == "@" {
		name = "HEAD"
	}
	if name == "" || strings.HasPrefix(name, "-") || strings.Contains(name, "@{") || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == ':' }) || !readsBehind(rest) {
		return "", &UnavailableError{Reason: BadRevision, Place: revision}
	}
	object, err := c.named(name)
	if err != nil {
		return "", err
	}
	if object == "" {
		object = name // a commit, or the beginning of one
	}
	found, err := c.objects.look(object + rest + "^{commit}")
	switch {
	case err == nil:
		return found.name, nil
	case errors.Is(err, errAmbiguous):
		return "", &UnavailableError{Reason: NoRevision, Place: revision, Detail: "several objects begin so"}
	case !errors.Is(err, errMissing):
		return "", c.explain(revision, err)
	case object != name || isHash(name):
		return "", c.noCommit(revision, object)
	}
	return "", &UnavailableError{Reason: NoRevision, Place: revision, Near: c.near(name)}
}

func isHash(name string) bool { _, ok := parseHash([]byte(name)); return ok }

// noCommit says why what is named has no commit here.
func (c *Commits) noCommit(revision, object string) error {
	if _, err := c.objects.look(object); err == nil {
		detail := "it doesn't lead to a commit"
		if edge, err := c.layout.boundary(); err == nil && len(edge) > 0 {
			detail += "; the history of this shallow clone ends before, and git fetch --unshallow gets the rest"
		}
		return &UnavailableError{Reason: NoRevision, Place: revision, Detail: detail}
	}
	return c.explain(revision, errMissing)
}

// named is the object of a reference by the names that git tries, in its order; empty for none.
func (c *Commits) named(name string) (string, error) {
	if isHash(name) {
		return "", nil
	}
	var tries []string
	if strings.HasSuffix(name, "HEAD") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		tries = append(tries, name)
	}
	if strings.HasPrefix(name, "refs/") {
		tries = append(tries, name)
	}
	for _, folder := range refFolders {
		tries = append(tries, folder+name)
	}
	tries = append(tries, "refs/remotes/"+name+"/HEAD")
	for _, try := range tries {
		if !isRefName(try) && try != name {
			continue
		}
		if object, err := c.layout.ref(try); err != nil || object != "" {
			return object, err
		}
	}
	return "", nil
}

// refFolders are where a short name of a reference is looked for.
var refFolders = []string{"refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}

// maxNamed bounds how many references are compared with a name that isn't there.
const maxNamed = 20_000

// near is the branch or tag whose name is nearest; empty for none.
func (c *Commits) near(name string) string {
	names := []string{"HEAD"}
	add := func(ref string) {
		for _, folder := range refFolders[1:] {
			if short, ok := strings.CutPrefix(ref, folder); ok && len(names) < maxNamed {
				names = append(names, printable(short, maxShown))
			}
		}
	}
	for _, folder := range refFolders[1:] {
		top := filepath.Join(c.layout.common, filepath.FromSlash(folder))
		_ = filepath.WalkDir(top, func(p string, e fs.DirEntry, err error) error {
			switch {
			case err != nil || len(names) >= maxNamed:
				return fs.SkipAll
			case !e.IsDir():
				if rel, err := filepath.Rel(top, p); err == nil {
					add(folder + filepath.ToSlash(rel))
				}
			}
			return nil
		})
	}
	if file, err := openRegular(filepath.Join(c.layout.common, "packed-refs"), maxPackedRefs); err == nil {
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan() && len(names) < maxNamed; {
			if _, ref, ok := bytes.Cut(lines.Bytes(), []byte(" ")); ok {
				add(string(ref))
			}
		}
	}
	slices.Sort(names)
	found, _ := nearest.Name(name, slices.Compact(names))
	return found
}

// MergeBase gives the commit from which two others went apart; the first one, where there are several.
func (c *Commits) MergeBase(ctx context.Context, a, b string) (string, error) {
	var out bytes.Buffer
	err := c.view.ask(ctx, c.program, nil, &out, "merge-base", a, b)
	if r, ok := errors.AsType[*refusal](err); ok && r.complaint == "" {
		e := &UnavailableError{Reason: NoMergeBase, Place: short(a) + "..." + short(b)}
		if edge, err := c.layout.boundary(); err == nil && len(edge) > 0 {
			e.Detail = "as far as this shallow clone reaches; git fetch --unshallow gets the rest"
		}
		return "", e
	}
	if err != nil {
		return "", c.explain(short(a)+"..."+short(b), err)
	}
	base, ok := parseHash(bytes.TrimSpace(out.Bytes()))
	if !ok {
		return "", c.explain(short(a)+"..."+short(b), errors.New("git names no commit"))
	}
	return base, nil
}

func short(commit string) string { return commit[:min(len(commit), 12)] }

// explain turns what came of asking git into the reason for it.
func (c *Commits) explain(place string, err error) error {
	if known, ok := errors.AsType[*UnavailableError](err); ok {
		return known
	}
	e := &UnavailableError{Place: place, Err: err}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrClosed):
		return err
	case errors.Is(err, errTimedOut):
		e.Reason, e.Detail = TimedOut, "more than "+patience.String()
	case errors.Is(err, errTooMuch):
		e.Reason, e.Detail = TooLarge, "as committed"
	case errors.Is(err, errMissing) && c.layout.isPartialClone():
		e.Reason = Partial
	case errors.Is(err, errMissing):
		e.Reason, e.Detail = Damaged, "an object is missing"
	default:
		e.Reason, e.Detail = Damaged, printable(err.Error(), maxShown)
	}
	return e
}

// trackedNow is what git tracks of the work tree. Where the index can't be read, it is what HEAD has.
func (c *Commits) trackedNow() tracking {
	x, _, err := c.layout.readIndex(c.hash)
	if err == nil {
		return x
	}
	head, err := c.Files(c.head)
	if err != nil {
		return index(nil)
	}
	return headTracks{head}
}

// LeftOut gives those of some names, from the root, at which a sparse checkout leaves something out of the work
// tree that the last commit has: a file, or a folder of which nothing is there. They come as they were given.
// Where the index can't be read, nobody can tell, and there are none.
func (c *Commits) LeftOut(names []string) (out []string) {
	if c.disk == nil {
		return nil
	}
	_, left, err := c.layout.readIndex(c.hash)
	if err != nil || len(left) == 0 {
		return nil
	}
	head, err := c.Files(c.head)
	if err != nil {
		return nil
	}
	for _, name := range names {
		if !left.has(name) && !left.below(name) {
			continue
		}
		if _, err := c.disk.Lstat(filepath.FromSlash(name)); !isAbsent(err) {
			continue
		}
		if _, ok, err := head.entry(name); err == nil && ok {
			out = append(out, name)
		}
	}
	return out
}

// tracking tells what git tracks of the work tree.
type tracking interface {
	has(name string) bool   // it is a tracked file, or lies in a folder that is
	below(name string) bool // a tracked file lies below it
	under(name string) bool // it lies below a tracked file
}

// headTracks is what the last commit has, for an index that can't be read.
type headTracks struct{ *Files }

func (h headTracks) has(name string) bool {
	e, ok, err := h.entry(name)
	return err == nil && ok && !e.mode.IsDir()
}

func (h headTracks) below(name string) bool {
	e, ok, err := h.entry(name)
	return err == nil && ok && e.mode.IsDir() && !e.link
}

func (h headTracks) under(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if h.has(dir) {
			return true
		}
	}
	return false
}
