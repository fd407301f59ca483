package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
)

// A prompt file is opened by what a person calls it. Where nothing has that name, the error
// names what was probably meant, and never a name that can't be opened.

// OpenPrompt reads one prompt file: a reference, a path, or the name of a prompt file of
// the project. A file that lies where no prompt files are is taken with the folder it lies
// in as $workspace; beside is that folder, and empty for the others.
func (p *Project) OpenPrompt(name string) (f *pack.File, beside string, err error) {
	if strings.HasPrefix(strings.TrimSpace(name), "$") {
		ref, err := p.Loader().ParseRef(name, pack.Ref{}, cento.Position{})
		if err != nil {
			return nil, "", err
		}
		return p.open(ref)
	}
	path := filepath.Clean(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Root.Cwd, path)
	}
	if ref, ok := p.referenceAt(path); ok {
		return p.open(ref)
	}
	if !isFile(path) && !isFile(path+".md") {
		f, err = p.openNamed(name, path)
		return f, "", p.Pathed(err)
	}
	beside = filepath.Dir(path)
	f, err = p.openBeside(beside, filepath.Base(path))
	return f, beside, err
}

func (p *Project) open(ref pack.Ref) (*pack.File, string, error) {
	f, err := p.Loader().Open(ref, cento.Position{})
	return f, "", p.Pathed(err)
}

// referenceAt is the reference of a file in a folder of prompt files; the ending .md may be
// left out.
func (p *Project) referenceAt(path string) (pack.Ref, bool) {
	ref, ok := p.Reference(path)
	if !ok && (!isFile(path) || isFile(path+".md")) {
		ref, ok = p.Reference(path + ".md")
	}
	return ref, ok
}

// openBeside reads a file that lies where no prompt files are.
func (p *Project) openBeside(folder, name string) (*pack.File, error) {
	ref, err := pack.ParseRef(string(pack.Workspace)+"/"+name, pack.Ref{}, cento.Position{})
	if err != nil {
		return nil, err
	}
	f, err := pack.NewLoader(pack.Roots{Workspace: pack.Dir(folder)}, p.Input.Limits).Open(ref, cento.Position{})
	if e := selfMissing(err); e != nil && isFile(filepath.Join(folder, name)) && !pack.IsPromptName(name) {
		e.Hint = "the name of a prompt file ends in .md, .txt, .j2 or .jinja"
	}
	return f, err
}

// openNamed reads the prompt file of a name that no file on disk has, path being where it
// was looked for: it may be one in the project's folder of prompt files.
func (p *Project) openNamed(name, path string) (*pack.File, error) {
	e := &cento.SourceError{
		Code: pack.NotFound, Message: "there is no file " + name,
		Hint: "`cento prompt list` lists the prompt files that can be named",
	}
	if !filepath.IsAbs(name) {
		if ref, err := pack.ParseRef(string(pack.Workspace)+"/"+filepath.ToSlash(name), pack.Ref{}, cento.Position{}); err == nil {
			f, err := p.Loader().Open(ref, cento.Position{})
			missing := selfMissing(err)
			if missing == nil {
				return f, err
			}
			e = missing
			e.Hint += "; there is no file " + name + " either"
		}
	}
	if there, ok := p.unquoted(name); ok {
		prefix, _, _ := strings.Cut(there, "/")
		e.Hint = "a reference is written '" + there + "', in quotes: the shell takes " + prefix + " away"
		return nil, e
	}
	near := p.Loader().Meant(strings.TrimPrefix(filepath.ToSlash(name), "/"))
	if file, ok := nearFile(name, path); ok {
		near = append(near, file)
	}
	switch {
	case len(near) > 0:
		e.Hint = "did you mean '" + strings.Join(near, "' or '") + "'?"
	case onDisk(path):
		e = &cento.SourceError{Code: pack.NotFound, Message: name + " is a folder", Hint: "name a prompt file in it"}
	}
	return nil, e
}

// unquoted is the reference that an absolute path has come from, where a shell has put the
// value of a variable, most often nothing, in the place of its prefix.
func (p *Project) unquoted(name string) (there string, ok bool) {
	if !filepath.IsAbs(name) {
		return "", false
	}
	for rest := filepath.ToSlash(filepath.Clean(name)); ; {
		if _, rest, ok = strings.Cut(rest, "/"); !ok {
			return "", false
		}
		if there, ok = p.Loader().Has(rest); ok {
			return there, true
		}
	}
}

// nearFile is the prompt file whose name is nearest to that of a path, in the same folder.
// name is the path as it was given.
func nearFile(name, path string) (string, bool) {
	if filepath.Ext(path) == "" {
		name, path = name+".md", path+".md"
	}
	near, ok := tree.NearFile(name, path)
	return filepath.ToSlash(near), ok && pack.IsPromptName(near)
}

// selfMissing is the error that says that a file itself isn't there, and none that it includes;
// nil for others.
func selfMissing(err error) *cento.SourceError {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || !errors.Is(err, pack.NotFound) || !e.Position.IsZero() {
		return nil
	}
	return e
}

func onDisk(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isFile reports whether something is at a path that is no folder, such as a link that
// leads nowhere.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return onDisk(path) && (err != nil || !info.IsDir())
}
