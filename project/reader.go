package project

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
)

// reader reads what a project is made of. It knows where the project stands, what
// was asked for and what the manifest says, and nothing in it changes once the
// manifest was read, but for what the readers of targets share: what a step finds is
// the step's answer.
type reader struct {
	Site
	request  Request
	user     manifest.Config    // the user's configuration
	base     *manifest.Manifest // without target
	manifest *manifest.Manifest // with the target laid on it, as it holds for the user
	text     string             // of the manifest
	plain    bool               // the program's own texts have the built-in wording
	shared   *shared            // by the readers of all targets
}

// read reads the manifest of a site, and lays the request's target on it.
func (site Site) read(r Request) (*reader, error) {
	x := &reader{Site: site, request: r, shared: &shared{}}
	if err := pack.CheckOwn(r.Prefixes); err != nil {
		return nil, err
	}
	if err := x.readManifest(); err != nil {
		return nil, err
	}
	var err error
	if x.user, err = x.userConfig(); err != nil {
		return nil, err
	}
	return x.target(r.Target)
}

// target is the same for one of the manifest's targets; empty: for none.
func (r *reader) target(name string) (*reader, error) {
	x := *r
	x.request.Target, x.manifest = name, r.base
	if name != "" {
		var err error
		if x.manifest, err = r.base.Target(name); err != nil {
			return &x, err
		}
	}
	x.manifest = x.manifest.Under(&x.user, x.home)
	return &x, nil
}

func (r *reader) readManifest() (err error) {
	if r.request.ManifestText != nil {
		r.text = string(r.request.ManifestText)
		r.base, err = manifest.Parse(r.request.ManifestName, r.request.ManifestText, r.prefixes()...)
		return r.qualified(r.request.ManifestName, err)
	}
	if r.ManifestPath == "" {
		if err := r.Misnamed(); err != nil {
			return err
		}
		m := manifest.Defaults()
		r.base = &m
		return nil
	}
	read := r.readFile
	if r.request.Manifest == "" { // found, not named: it may be a stranger's link
		read = r.readInside
	}
	f, err := read(r.ManifestPath, cento.Position{})
	if err != nil {
		if e, ok := errors.AsType[*cento.SourceError](err); ok && r.request.Manifest != "" && e.Hint == "" {
			switch e.Code {
			case tree.NotFound:
				e.Hint = nearGiven(r.request.Manifest, r.ManifestPath)
			case tree.NotRegular:
				e.Hint = "name the manifest itself, such as " + filepath.ToSlash(filepath.Join(r.request.Manifest, manifest.FileName))
			}
		}
		return err
	}
	r.text = f.Text
	r.base, err = manifest.Parse(r.Show(r.ManifestPath), []byte(f.Text), r.prefixes()...)
	return r.qualified(r.Show(r.ManifestPath), err)
}

// prefixes are those of the host, sorted.
func (r *reader) prefixes() []string {
	var out []string
	for p := range r.request.Prefixes {
		out = append(out, string(p))
	}
	slices.Sort(out)
	return out
}

// qualified looks on disk for the files that names without a prefix were meant for, so
// that what the hints of a manifest's errors propose is there.
func (r *reader) qualified(name string, err error) error {
	var loader *pack.Loader
	for _, e := range cento.SourceErrors(err) {
		if e.Code != pack.UnqualifiedRef {
			continue
		}
		written, ok := manifest.TextAt(name, []byte(r.text), e.Position)
		if !ok {
			continue
		}
		if loader == nil {
			loader = pack.NewLoader(r.roots(nil), cento.DefaultLimits())
		}
		e.Hint = loader.Qualify(written, func(path string) bool {
			_, err := r.readInside(r.named(path), cento.Position{})
			return err == nil
		})
	}
	return err
}

// readFile reads a file that somebody named; at is where.
func (r *reader) readFile(name string, at cento.Position) (*tree.File, error) {
	shown := r.Show(name)
	limit := 0 // the manifest itself is read under the default
	if r.manifest != nil {
		limit = r.manifest.Limits.File
	}
	f, err := tree.ReadPathOn(r.disk, name, tree.Options{Limit: limit, Show: func(string) string { return shown }})
	if err != nil {
		return nil, namedAt(ofFileLimit(err), at)
	}
	return f, nil
}

// readInside reads a file that the project itself names. A project can't reach
// out of its root, neither by its paths nor by links.
func (r *reader) readInside(name string, at cento.Position) (*tree.File, error) {
	limit := 0
	if r.manifest != nil {
		limit = r.manifest.Limits.File
	}
	f, err := r.readInsideUpTo(name, at, limit)
	return f, ofFileLimit(err)
}

// readInsideUpTo is readInside for a file that has a limit of its own; 0 is the
// default.
func (r *reader) readInsideUpTo(name string, at cento.Position, limit int) (*tree.File, error) {
	root := r.FilesRoot()
	rel, ok := below(root, name)
	if !ok {
		return nil, &cento.SourceError{
			Code: tree.Outside, Position: at,
			Message: fmt.Sprintf("the file %s is outside of the project", r.Show(name)),
			Hint:    "a project names files below its root; give others with a flag",
		}
	}
	t, err := tree.OpenOn(r.disk, root, tree.Options{Limit: limit, Show: func(rel string) string {
		return r.Show(filepath.Join(root, filepath.FromSlash(rel)))
	}})
	if err != nil {
		return nil, namedAt(err, at)
	}
	defer t.Close()
	f, err := t.ReadNamed(rel)
	if err != nil {
		if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == tree.NotFound && !at.IsZero() {
			e.Hint = r.nearFile(t, root, rel)
		}
		return nil, namedAt(err, at)
	}
	return f, nil
}

// nearFile proposes the file beside one that isn't there whose name is nearest, of
// the same kind, as the manifest would name it.
func (r *reader) nearFile(t *tree.Tree, root, rel string) string {
	dir := path.Dir(rel)
	near, ok := t.Near(dir, path.Base(rel))
	if !ok {
		return "write the file, or name one that is there"
	}
	beside := filepath.Join(root, filepath.FromSlash(path.Join(dir, near)))
	if named, err := filepath.Rel(r.Base, beside); err == nil {
		near = filepath.ToSlash(named)
	}
	return fmt.Sprintf("did you mean %q?", near)
}

// nearGiven proposes the same for a file that somebody gives by a path, in the form
// of that path.
func nearGiven(given, full string) string {
	if near, ok := tree.NearFile(given, full); ok {
		return fmt.Sprintf("did you mean %q?", filepath.ToSlash(near))
	}
	return ""
}

// named is the path of a file that the manifest names: relative to its folder.
func (r *reader) named(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.Base, name)
}

// ofFileLimit says of a file that is too large that the limit for one file decides.
func ofFileLimit(err error) error {
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == tree.TooLarge {
		e.Limit = manifest.FileLimit
	}
	return err
}

// namedAt adds where a file is named to an error about it.
func namedAt(err error, at cento.Position) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	switch {
	case !ok || at.IsZero():
	case e.Code == tree.NotFound: // there is no place but that of its name
		e.Message, e.Position = fmt.Sprintf("cannot read the file %q", e.Position.File), at
	default:
		e.Related = append(e.Related, cento.Related{Position: at, Message: "named here"})
	}
	return err
}
