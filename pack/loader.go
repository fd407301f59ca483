package pack

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/tree"
)

// Roots says where the files of each prefix are. A nil root isn't configured,
// which is another error than a configured folder that doesn't exist.
// `$builtin` is always there.
type Roots struct {
	User      Root
	Workspace Root
	// Packs are the installed packs by name.
	Packs map[string]Root
	// Own are the prefixes that a host brings, such as `$insomnia`. With `$builtin`
	// among them the host's files stand instead of those of the program.
	Own map[Prefix]Own
}

// Loader reads prompt files. It keeps nothing, so that a changed file is seen
// by the next load, unless it is one of [Loader.Keeping]. It may be used by several
// goroutines at once.
type Loader struct {
	roots  map[Prefix]Root
	own    map[Prefix]cento.Trust
	limits cento.Limits
	// invalid is what is wrong with the prefixes of the host; nil for nothing.
	invalid error
	kept    *keptFiles // nil: nothing is kept
}

// Keeping is the same loader for what is read at one time, such as a project with all
// its targets: a file that was opened is opened again as it was. What can't be opened
// is read again, and so is a file that names others only when it is rendered.
func (l *Loader) Keeping() *Loader {
	k := *l
	k.kept = &keptFiles{files: map[Ref]*File{}}
	return &k
}

type keptFiles struct {
	mu    sync.Mutex
	files map[Ref]*File
}

func (k *keptFiles) file(ref Ref) *File {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.files[ref]
}

// keep keeps a file that is the same for all who render it. One that reads others by
// names that it makes up has more sources for one than for another.
func (k *keptFiles) keep(f *File) {
	if k == nil || f.dynamic() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files[f.ref] = f
}

// NewLoader returns a loader over the roots. Of the limits it takes the
// ceilings for the size of files and for nesting; zero means the default. Where a
// prefix of the host can't be one, see [Own.Check], all that the loader is asked for
// ends in that error.
func NewLoader(roots Roots, limits cento.Limits) *Loader {
	l := &Loader{
		roots:  map[Prefix]Root{Builtin: builtinRoot{}},
		limits: limits.Or(cento.DefaultLimits()),
	}
	add := func(p Prefix, r Root) {
		if r != nil {
			l.roots[p] = r
		}
	}
	add(User, roots.User)
	add(Workspace, roots.Workspace)
	for name, r := range roots.Packs {
		add(PackPrefix(name), r)
	}
	l.invalid = roots.addOwn(l)
	return l
}

// Source is a prompt file as it was read.
type Source struct {
	Ref Ref
	// Trust is that of the file.
	Trust cento.Trust
	// Text has no byte order mark and lines that end in LF. Its first byte
	// stands at line 1, column 1 of [Ref.Path].
	Text string
}

// Text reads a file as it is written, whether or not it can be rendered. The errors are
// those of [Loader.Open] for a file that can't be had.
func (l *Loader) Text(ref Ref) (*Source, error) { return l.load(ref, cento.Position{}) }

// load reads a file. The position is that of the reference and becomes that of
// the error, a [*cento.SourceError] of [NotConfigured], [NotFound],
// [Unreadable], [NotUTF8] or [TooLarge].
func (l *Loader) load(ref Ref, at cento.Position) (*Source, error) {
	if l.invalid != nil {
		return nil, l.invalid
	}
	root, ok := l.roots[ref.Prefix()]
	if !ok {
		return nil, l.notConfigured(ref.Prefix(), at)
	}
	limit := l.limits.File
	if l.ofProgram(ref) {
		root, limit = builtinRoot{}, cento.DefaultLimits().File // not of anybody's files
	}
	text, err := root.read(ref.File(), ref.Path(), limit)
	if err != nil {
		return nil, l.readError(ref, at, err)
	}
	return &Source{Ref: ref, Trust: l.Trust(ref), Text: text}, nil
}

// Prefixes returns the prefixes that are configured, sorted.
func (l *Loader) Prefixes() []Prefix { return slices.Sorted(maps.Keys(l.roots)) }

// List returns every file below a prefix, ordered by name. A folder that
// doesn't exist holds none. Errors: [NotConfigured], [Unreadable].
func (l *Loader) List(p Prefix) ([]Ref, error) {
	if l.invalid != nil {
		return nil, l.invalid
	}
	root, ok := l.roots[p]
	if !ok {
		return nil, l.notConfigured(p, cento.Position{})
	}
	names, err := root.list()
	if err != nil && !errors.Is(err, tree.NotFound) {
		return nil, &cento.SourceError{Code: Unreadable, Message: "failed to list the prompt files of " + quote(string(p)), Err: cause(err)}
	}
	refs := make([]Ref, 0, len(names))
	for _, n := range names {
		// A name that no reference can spell can't be asked for either.
		ref := Ref{prefix: p, file: n}
		if !hasExtension(n) || refusePath(n) != "" || n != strings.TrimSpace(n) {
			continue
		}
		if _, own := l.own[p]; own && l.ofProgram(ref) {
			continue // the name means a file of the program
		}
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, Ref.compare)
	return refs, nil
}

func (l *Loader) notConfigured(p Prefix, at cento.Position) *cento.SourceError {
	e := &cento.SourceError{
		Code: NotConfigured, Position: at,
		Message: "prompt prefix " + quote(string(p)) + " is not configured",
	}
	switch {
	case p == Workspace:
		e.Hint = "$workspace needs a project: a folder above that has cento.yaml or .cento"
	case p == User:
		e.Hint = "$user needs a configuration folder: set CENTO_HOME, or Config of project.Request in Go"
	case !p.isPack():
		e.Hint = "it is a prefix that a host brings, and nobody gives its files here"
	default:
		var known []string
		for _, k := range l.Prefixes() {
			if _, ok := k.Pack(); ok {
				known = append(known, string(k))
			}
		}
		general := "no pack is installed: `cento pack add FOLDER` takes one along"
		if len(known) > 0 {
			general = "the installed packs are " + nearest.List(known)
		}
		e.Hint = didYouMean(string(p), known, general)
	}
	return e
}

// readError turns what the root says into the error of the reference.
func (l *Loader) readError(ref Ref, at cento.Position, err error) *cento.SourceError {
	e := &cento.SourceError{
		Code: Unreadable, Position: at,
		Message: "failed to read prompt file " + quote(ref.String()),
		Err:     cause(err),
	}
	s, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return e
	}
	e.Hint = s.Hint
	switch s.Code {
	case tree.NotFound:
		e.Code, e.Err = NotFound, nil
		e.Message = "prompt file not found: " + quote(ref.String())
		e.Hint = l.whatThereIs(ref, "")
	case tree.InvalidUTF8:
		e.Code = NotUTF8
	case tree.TooLarge:
		e.Code, e.Limit = TooLarge, "file"
	}
	if s.Position.Line > 0 {
		e.Related = []cento.Related{{Position: s.Position, Message: s.Message}}
	}
	return e
}

// cause takes the place off an error of the tree: the reference names the file
// already, and a folder of this machine tells nothing about a prompt.
func cause(err error) error {
	s, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	c := *s
	c.Position = cento.Position{}
	return &c
}

// whatThereIs is the hint for a file that isn't there: the names that are near,
// or that there are none; by is the file that names it, as places
// do; empty for none.
func (l *Loader) whatThereIs(ref Ref, by string) string {
	hint := l.nearTo(ref, by)
	if d, ok := l.roots[ref.Prefix()].(folder); ok && strings.HasSuffix(filepath.ToSlash(d.path), "/"+WorkspaceFolder) && d.exists() {
		sep := "; "
		if strings.HasSuffix(hint, "?") {
			sep = " "
		}
		hint += sep + "it was looked for at " + printable(WorkspaceFolder+strings.TrimPrefix(ref.Path(), string(ref.Prefix())))
	}
	return hint
}

// WorkspaceFolder is where the prompt files of a project are, from its root on.
const WorkspaceFolder = ".cento/prompts"

// nearTo names the files that are near one that isn't there. The file that names it, by
// its path, isn't one of them: who includes another doesn't mean itself.
func (l *Loader) nearTo(ref Ref, by string) string {
	if d, ok := l.roots[ref.Prefix()].(folder); ok && !d.exists() {
		return "the folder of " + string(ref.Prefix()) + " doesn't exist: " + printable(d.path)
	}
	refs, err := l.List(ref.Prefix())
	if err != nil || len(refs) == 0 {
		return "there are no prompt files below " + string(ref.Prefix())
	}
	if refs = slices.DeleteFunc(refs, func(r Ref) bool { return r.Path() == by }); len(refs) == 0 {
		return "there are no other prompt files below " + string(ref.Prefix())
	}
	var within []Ref
	for _, r := range refs {
		if strings.HasPrefix(r.File(), strings.TrimSuffix(ref.File(), ".md")+"/") {
			within = append(within, r)
		}
	}
	if len(within) > 0 {
		return quote(strings.TrimSuffix(ref.Path(), ".md")) + " is a folder: name a file in it; there are: " + someOf(within)
	}
	if near := nearestFiles(ref, refs); len(near) > 0 {
		for i, n := range near {
			near[i] = quote(n)
		}
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "there are: " + someOf(refs)
}

// someOf names the first of some files.
func someOf(refs []Ref) string {
	var names []string
	for _, r := range refs[:min(len(refs), namesShown)] {
		names = append(names, printable(r.String()))
	}
	if len(refs) > namesShown {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// namesShown is how many of the existing files a hint lists when none is near.
const namesShown = 8
