package pack

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
)

// File is a prompt file that was read, parsed and checked together with every
// file that it and they name by a constant. It may be rendered by several
// goroutines at once. Each file is read once: a rendering sees what loading saw.
type File struct {
	ref      Ref
	front    FrontMatter
	template *jinja.Template
	set      *fileSet
	vars     []Var // of all files, the root's first
	notes    []cento.Note

	readOnce sync.Once
	read     *reading
	// uses are Reads of the files that loading found, with how many these are.
	uses atomic.Pointer[usesOf]
}

type usesOf struct {
	files int
	list  []Use
}

// Ref returns the reference of the file.
func (f *File) Ref() Ref { return f.ref }

// Trust returns that of the file: of its prefix.
func (f *File) Trust() cento.Trust { return f.set.loader.Trust(f.ref) }

// Front returns the front matter of the file.
func (f *File) Front() FrontMatter { return f.front }

// Vars returns the variables that the file and those it includes declare.
func (f *File) Vars() []Var { return slices.Clone(f.vars) }

// Notes returns what loading had to say.
func (f *File) Notes() []cento.Note { return slices.Clone(f.notes) }

// Sources returns the file and all that were read for it, ordered by name.
func (f *File) Sources() []*Source {
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	out := make([]*Source, 0, len(f.set.files))
	for _, p := range f.set.files {
		out = append(out, p.src)
	}
	slices.SortFunc(out, func(a, b *Source) int { return a.Ref.compare(b.Ref) })
	return out
}

// Open reads a prompt file and all that it includes. The position is that of
// the reference.
//
// Errors carry the code [ResolveFailed], when a file can't be had or files
// include each other in a circle, or [ParseFailed], and name the place and how
// it was reached. Below it are the codes of [NotConfigured] and its kin, those of front matter,
// and the engine's [jinja.Error].
func (l *Loader) Open(ref Ref, at cento.Position) (*File, error) {
	if f := l.kept.file(ref); f != nil {
		return f, nil
	}
	f, err := l.open(ref, at)
	if err == nil {
		l.kept.keep(f)
	}
	return f, err
}

func (l *Loader) open(ref Ref, at cento.Position) (*File, error) {
	set := newFileSet(l)
	root, err := set.read(ref)
	if err != nil {
		if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Position.IsZero() {
			e.Position = at
		}
		return nil, atStage(stageOf(err), err)
	}
	template, err := set.env.LoadSource(root.source())
	if err != nil {
		return nil, set.loadError(err)
	}
	root.template = template
	f := &File{ref: ref, front: root.front, template: template, set: set}
	if f.vars, f.notes, err = set.declarations(ref); err != nil {
		return nil, atStage(ParseFailed, err)
	}
	if err := set.idleTests(); err != nil {
		return nil, err
	}
	f.notes = append(f.notes, set.unplaced()...)
	return f, nil
}

// fileSet is the files of one graph, and the engine's way to them.
type fileSet struct {
	loader *Loader
	env    *jinja.Env

	mu    sync.Mutex
	files map[Ref]*parsed
	order []Ref // in which they were first met
}

// parsed is a file parted into front matter and text.
type parsed struct {
	src   *Source
	front FrontMatter
	body  string
	above int // lines before the text

	// template is the text alone, parsed when it is first asked about; nil: it wasn't
	// yet, or it can't be.
	template *jinja.Template
	refused  bool
}

func newFileSet(l *Loader) *fileSet {
	s := &fileSet{loader: l, files: map[Ref]*parsed{}}
	// The loader has held people's files to their limit; the program's own have
	// that of the program.
	source := max(l.limits.File, cento.DefaultLimits().File)
	s.env = jinja.New(jinja.Options{Loader: s, Limits: jinja.Limits{Source: source, Nesting: l.limits.Nesting}})
	return s
}

// read returns a file of the set, from disk the first time.
func (s *fileSet) read(ref Ref) (*parsed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.files[ref]; p != nil {
		return p, nil
	}
	src, err := s.loader.load(ref, cento.Position{})
	if err != nil {
		return nil, err
	}
	p := &parsed{src: src}
	if p.front, p.body, p.above, err = frontMatter(src, s.loader.limits); err != nil {
		return nil, err
	}
	s.files[ref] = p
	s.order = append(s.order, ref)
	return p, nil
}

func (p *parsed) source() jinja.Source {
	return jinja.Source{
		Name: p.src.Ref.Path(), Text: p.body, Trust: label(p.src.Trust),
		Line: p.above + 1, Offset: len(p.src.Text) - len(p.body),
	}
}

// Load finds what a file includes, for the engine.
func (s *fileSet) Load(name, from string) (jinja.Source, error) {
	p, err := s.resolve(name, from)
	switch {
	case err == nil:
		return p.source(), nil
	case errors.Is(err, NotFound), errors.Is(err, NotConfigured):
		return jinja.Source{}, missingFile{err}
	}
	return jinja.Source{}, err
}

func (s *fileSet) resolve(name, from string) (*parsed, error) {
	current, err := s.loader.ParseRef(from, Ref{}, cento.Position{})
	if err != nil {
		current = Ref{} // wording of the catalog has no folder
	}
	ref, err := s.loader.ParseRef(name, current, cento.Position{})
	if err != nil {
		return nil, err
	}
	p, err := s.read(ref)
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == NotFound {
		e.Hint = s.loader.whatThereIs(ref, current.Path())
	}
	return p, err
}

// missingFile is the error of a file that isn't there, which `ignore missing`
// and lists of names pass over.
type missingFile struct{ error }

func (m missingFile) Unwrap() []error { return []error{m.error, jinja.ErrNotFound} }

// stageOf tells a file that can't be had from one that is wrong.
func stageOf(err error) cento.ErrorCode {
	for _, code := range []cento.ErrorCode{
		InvalidRef, UnknownPrefix, UnqualifiedRef, NotConfigured, NotFound, Unreadable, NotUTF8, TooLarge,
	} {
		if errors.Is(err, code) {
			return ResolveFailed
		}
	}
	return ParseFailed
}

// loadError words what the engine found while it loaded the graph.
func (s *fileSet) loadError(err error) error {
	e, ok := errors.AsType[*jinja.Error](err)
	if !ok {
		return atStage(ParseFailed, err)
	}
	stage := ParseFailed
	switch e.Kind {
	case jinja.ErrCycle:
		stage = ResolveFailed
		e.Message = s.shortChain(e.Message)
		e.Hint = "let one of them stop including the other"
	case jinja.ErrDepth, jinja.ErrIncludes:
		stage = ResolveFailed
	case jinja.ErrNotFound:
		stage = ResolveFailed
		s.explainMissing(e)
	case jinja.ErrLoad:
		stage = ResolveFailed
		if e.Cause != nil && stageOf(e.Cause) == ParseFailed {
			// The file was read and is wrong: its own place says more.
			return atStage(ParseFailed, e.Cause)
		}
	}
	return engineError(stage, e, plainPlace)
}

// explainMissing puts the reason why one name was not found under the engine's
// error, which knows only that it was not.
func (s *fileSet) explainMissing(e *jinja.Error) {
	if e.Cause != nil {
		return
	}
	quoted, ok := strings.CutPrefix(e.Message, "template ")
	if !ok {
		return
	}
	if quoted, ok = strings.CutSuffix(quoted, " not found"); !ok {
		return
	}
	var name string
	if _, err := fmt.Sscanf(quoted, "%q", &name); err != nil {
		return
	}
	_, e.Cause = s.resolve(name, e.Template)
}

// shortChain writes the files of a chain without `.md`, as references do.
func (s *fileSet) shortChain(message string) string {
	head, chain, ok := strings.Cut(message, ": ")
	if !ok {
		return message
	}
	names := strings.Split(chain, " → ")
	for i, n := range names {
		ref, err := s.loader.ParseRef(n, Ref{}, cento.Position{})
		if err != nil {
			return message
		}
		names[i] = ref.String()
	}
	return head + ": " + strings.Join(names, " → ")
}

func plainPlace(file string, line, column int) cento.Position {
	return cento.Position{File: file, Line: line, Column: column}
}

// declarations gathers the variables of all files and notes the fields that an
// included file has in vain. Two files may declare one variable if they agree
// on its type; the default is that of the first.
func (s *fileSet) declarations(root Ref) ([]Var, []cento.Note, error) {
	var vars []Var
	var notes []cento.Note
	var errs []*cento.SourceError
	for _, ref := range s.order {
		front := s.files[ref].front
		for _, v := range front.Vars {
			i := slices.IndexFunc(vars, func(o Var) bool { return o.Name == v.Name })
			switch {
			case i < 0:
				vars = append(vars, v)
			case vars[i].Type == v.Type || v.Type == AnyType:
			case vars[i].Type == AnyType:
				vars[i].Type = v.Type
			default:
				errs = append(errs, &cento.SourceError{
					Code: strict.WrongValue, Position: v.Position,
					Message: fmt.Sprintf("the variable %q is of type %s here and of type %s elsewhere", v.Name, v.Type, vars[i].Type),
					Related: []cento.Related{{Position: vars[i].Position, Message: "declared here first"}},
				})
			}
		}
		if n, meant := s.files[ref].frontNote(); meant {
			notes = append(notes, n)
		}
		if ref != root && front.besideVars() {
			notes = append(notes, cento.Note{
				Code: FrontMatterIgnored, Position: front.Origin,
				Message: "of an included file's front matter only vars counts",
			})
		}
	}
	return vars, notes, cento.Join(errs)
}

// FrontMatterIgnored is the note that an included file has front matter beside
// vars.
const FrontMatterIgnored cento.Code = "frontmatter.ignored"

// IgnoredKeys are the keys of front matter that an included file has in vain.
func IgnoredKeys() []string {
	return slices.DeleteFunc(frontKeys(), func(key string) bool { return key == "vars" })
}

// besideVars reports whether there is a field that an included file has in
// vain.
func (f *FrontMatter) besideVars() bool {
	return f.Title != "" || f.Description != "" || len(f.RequiresTools)+len(f.RequiresCaps) > 0 || f.Stability != nil || f.Importance != nil
}
