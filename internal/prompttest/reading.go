package prompttest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"
	"unsafe"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
)

// epoch is the clock of tests that don't set one.
func epoch() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// library has the project as it was read: once for each set of settings that reading
// depends on.
type library struct {
	suite  *Suite
	read   map[string]*reading
	copies map[string]string // folders with files laid over, by those files
	taken  Removal           // from all that is read
}

// reading is a project that was read once.
type reading struct {
	key     string
	site    project.Site
	request project.Request
	project *project.Project
	whole   *project.Project // with the layer that is taken out; nil: it can't be read
	taken   Removal
	err     error
	plans   map[string]*plan
}

// plan is an input compiled, with all that an active set doesn't change.
type plan struct {
	reading   *reading
	key       string
	in        cento.Input
	engine    *pack.Engine
	fragments []cento.Fragment
	compiled  *cento.Plan
	err       error
	// bound are the plan with other variables, by these, and engines what decides and
	// renders with them.
	bound   map[string]*cento.Bound
	engines map[string]*pack.Engine
	made    map[string]*assembled // by active set and variables
	index   map[fragmentKey]int   // of the fragments; made before several ask
}

func (s *Suite) library() *library {
	return &library{suite: s, read: map[string]*reading{}, copies: map[string]string{}}
}

// without is a library of the same projects without a tool or a layer. The folders are
// those of the first, which closes them.
func (l *library) without(r Removal) *library {
	return &library{suite: l.suite, read: map[string]*reading{}, copies: l.copies, taken: r}
}

// close takes the folders away that were made for runs.
func (l *library) close() {
	for _, dir := range l.copies {
		_ = os.RemoveAll(dir) // what is left is a copy, in the system's folder for such
	}
}

// open reads the project for a target and what a run changes of reading it.
func (l *library) open(ctx context.Context, target string, w *manifest.With) *reading {
	files, err := json.Marshal(w.Files)
	if err != nil {
		return &reading{err: err}
	}
	settings := fmt.Sprintf("%q %q %t %q %t %q %s", w.Cwd, files, w.Home, w.Skills, w.Skills != nil, w.Model, w.Now)
	key := fmt.Sprintf("%q %s", target, settings)
	if r := l.read[key]; r != nil {
		return r
	}
	r := &reading{key: key, taken: l.taken, plans: map[string]*plan{}}
	l.read[key] = r
	if r.site, r.request, r.err = l.locate(string(files), w); r.err != nil {
		return r
	}
	if r.request.Target = target; target != "" {
		// The manifest is read, and the project looked at, for all of its targets once.
		if base := l.open(ctx, "", w); base.whole != nil {
			p, err := base.whole.Target(ctx, target)
			r.opened(ctx, p, err)
			return r
		}
	}
	p, err := r.site.Open(ctx, r.request)
	r.opened(ctx, p, err)
	for _, e := range cento.SourceErrors(r.err) {
		if e.Code == project.ServerNotAsked {
			e.Hint = "tests read what `cento tools lock` writes to " + ListingsFolder
		}
	}
	return r
}

// opened takes a project that was read, without the layer that is taken out if it has
// that.
func (r *reading) opened(ctx context.Context, p *project.Project, err error) {
	if r.project, r.err = p, err; err != nil {
		return
	}
	r.whole = p
	for _, l := range p.Layers() {
		if name := r.taken.Layer; name != "" && l.Name == name {
			r.project, r.err = p.WithLayers(ctx, project.LayerChoice{Without: []string{name}})
			break
		}
	}
}

// locate says which project is read for a run, and how.
func (l *library) locate(files string, w *manifest.With) (project.Site, project.Request, error) {
	r := l.suite.request
	r.Model, r.Skills, r.Now = w.Model, w.Skills, w.Now
	if r.Now.IsZero() {
		r.Now = epoch()
	}
	if !w.Home {
		r.Home, r.Config, r.Clients = "", "", nil
	}
	if len(w.Files) > 0 {
		r.Disk = disk.Disk{} // a copy is read, which nobody changes
	}
	r.Servers, r.Lister, r.Frozen = project.KeptServers, LockedListings{Disk: r.Disk}, true
	site, err := project.Locate(r) // as it is for this user, or for none
	if err != nil {
		return site, r, err
	}
	if len(w.Files) > 0 {
		dir, err := l.copy(files, w)
		if err != nil {
			return site, r, err
		}
		site = moved(site, filepath.FromSlash(site.Root.Dir), dir)
		if r.Manifest != "" {
			r.Manifest = site.ManifestPath
		}
		if _, err := os.Lstat(filepath.Join(site.Base, project.FileName)); err == nil && site.ManifestPath == "" {
			site.ManifestPath = filepath.Join(site.Base, project.FileName)
		}
	}
	if w.Cwd != "" {
		site.Root.Cwd = path.Join(site.Root.Dir, w.Cwd)
		if info, err := r.Disk.Stat(filepath.FromSlash(site.Root.Cwd)); err != nil || !info.IsDir() {
			return site, r, &cento.SourceError{
				Code: MissingFolder, Position: w.At("cwd"), Message: fmt.Sprintf("there is no folder %q in the project", w.Cwd),
				Hint: "cwd starts from the root of the project",
			}
		}
	}
	r.Dir = filepath.FromSlash(site.Root.Cwd)
	return site, r, nil
}

// moved is a site whose files lie in another folder.
func moved(site project.Site, from, to string) project.Site {
	at := func(name string) string {
		if rel, err := filepath.Rel(from, filepath.FromSlash(name)); name != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.Join(to, rel)
		}
		return name
	}
	site.Root.Dir, site.Root.Cwd = filepath.ToSlash(at(site.Root.Dir)), filepath.ToSlash(at(site.Root.Cwd))
	site.Root.Project = filepath.ToSlash(at(site.Root.Project))
	if site.Root.Project == "." {
		site.Root.Project = ""
	}
	site.Base, site.ManifestPath = at(site.Base), at(site.ManifestPath)
	return site
}

// LockedListings are the listings of tool servers that were written when they were
// locked, on a disk.
type LockedListings struct{ Disk disk.Disk }

// ListingsFolder is where these are, from the folder of the manifest.
const ListingsFolder = ".cento/tools"

// List gives the listing that is kept: nobody is asked.
func (l LockedListings) List(_ context.Context, s consent.Server, dir string) (consent.Listing, error) {
	return l.Kept(s, dir)
}

// Kept gives the listing of a server that was locked.
func (l LockedListings) Kept(s consent.Server, dir string) (consent.Listing, error) {
	t, err := tree.OpenOn(l.Disk, dir, tree.Options{Limit: consent.MaxListing})
	if err != nil {
		return consent.Listing{}, err
	}
	defer t.Close()
	f, err := t.Read(path.Join(ListingsFolder, s.Name+".json"))
	if err != nil {
		return consent.Listing{}, err
	}
	return consent.Listing{Server: s.Name, Text: f.Text}, nil
}

// input is the one of a run: what was read with what the run changes of it.
func (r *reading) input(w *manifest.With) cento.Input {
	in := r.project.Input
	if w.Tools != nil {
		in = in.WithTools(w.Tools...)
	}
	for _, name := range w.WithoutTools {
		in = in.WithoutTool(name)
	}
	if r.taken.Tool != "" {
		in = in.WithoutTool(r.taken.Tool)
	}
	for _, name := range w.Caps {
		in = in.WithCap(name)
	}
	for _, name := range w.WithoutCaps {
		in = in.WithoutCap(name)
	}
	if w.Vars != nil {
		in.Files.Given = w.Vars
	}
	return in
}

// withBudget sets the budget of a run.
func (r *reading) withBudget(in cento.Input, w *manifest.With) (cento.Input, error) {
	if w.Budget == nil {
		return in, nil
	}
	in, err := (&project.Budget{Tokens: w.Budget.Tokens, Share: w.Budget.Share, Position: w.At("budget")}).On(in)
	return r.project.InForm(in, ""), err
}

// plan compiles the input of a run, unless one that differs in its active set or in
// variables alone is compiled already.
func (r *reading) plan(in cento.Input) *plan {
	key := ""
	if in.Budget != nil { // the definitions of active tools take a part of it
		key = fmt.Sprintf("%d %q", in.Budget.Tokens, in.ActiveTools())
	}
	if p := r.plans[key]; p != nil {
		return p
	}
	in.Files.Given = r.project.Input.Files.Given
	p := &plan{reading: r, key: key, in: in, bound: map[string]*cento.Bound{}, engines: map[string]*pack.Engine{}, made: map[string]*assembled{}}
	r.plans[key] = p
	if p.engine, p.err = pack.NewEngine(in, r.project.Files()...); p.err != nil {
		return p
	}
	if p.fragments, _, p.err = cento.Compose(in); p.err != nil {
		return p
	}
	p.compiled, p.err = p.compile(p.fragments)
	return p
}

func (p *plan) compile(fragments []cento.Fragment) (*cento.Plan, error) {
	o, err := p.in.Options(p.engine)
	if err != nil {
		return nil, err
	}
	return cento.Compile(fragments, o)
}

// engineOf is what decides and renders with the variables of a run. It is made by the
// run itself, so that whoever asks later, at the same time as others, only looks it up.
func (p *plan) engineOf(in cento.Input) (*pack.Engine, error) {
	key := string(in.Files.Given)
	if key == string(p.in.Files.Given) {
		return p.engine, nil
	}
	if e := p.engines[key]; e != nil {
		return e, nil
	}
	e, err := p.engine.For(in)
	if err == nil {
		p.engines[key] = e
	}
	return e, err
}

// bind is the active set of a run, with its variables.
func (p *plan) bind(compiled *cento.Plan, in cento.Input, bound map[string]*cento.Bound) (*cento.Bound, error) {
	active := in.Active
	active.Tools = in.ActiveTools()
	key := string(in.Files.Given)
	b := bound[key]
	if b == nil {
		b = compiled.Bind(active)
		if key != string(p.in.Files.Given) {
			engine, err := p.engineOf(in)
			if err != nil {
				return nil, err
			}
			if b, err = b.With(active, engine); err != nil {
				return nil, err
			}
		}
		bound[key] = b
		return b, nil
	}
	return b.With(active, nil)
}

// assembled is the prompt of a run.
type assembled struct {
	plan *plan
	in   cento.Input
	cento.Assembly
	text string
	err  error // what assembling gave instead; the rest is empty then
}

// whole is the same prompt with all that can be told of it.
func (a *assembled) whole() (*cento.Prompt, error) { return a.plan.reading.project.Reduce(a.in) }

// assemble makes the prompt of a target and what is different. Beside an error there is
// a prompt that has none where the project could be read and compiled.
func (l *library) assemble(ctx context.Context, target string, w *manifest.With) (*assembled, error) {
	r := l.open(ctx, target, w)
	if r.err != nil {
		return nil, r.err
	}
	in, err := r.withBudget(r.input(w), w)
	if err != nil {
		return nil, err
	}
	p := r.plan(in)
	if p.err != nil {
		return nil, p.err
	}
	// Many cases ask about one prompt.
	key := fmt.Sprintf("%q %q %s", in.ActiveTools(), in.Active.Caps, in.Files.Given)
	if out := p.made[key]; out != nil {
		return out, out.err
	}
	out := &assembled{plan: p, in: in}
	p.made[key] = out
	if out.fill(p.compiled, p.bound); out.err != nil {
		// What the whole way says has the places of the manifest's limits.
		if _, whole := out.whole(); whole != nil {
			out.err = whole
		}
	}
	return out, out.err
}

// fill makes the prompt with a plan of its fragments.
func (a *assembled) fill(compiled *cento.Plan, bound map[string]*cento.Bound) {
	b, err := a.plan.bind(compiled, a.in, bound)
	if err != nil {
		a.err = err
		return
	}
	text, err := compiled.AppendText(nil, b, &a.Assembly)
	a.text, a.err = unsafe.String(unsafe.SliceData(text), len(text)), err // nobody else holds text
}
