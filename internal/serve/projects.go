package serve

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/watch"
)

// again is how long an error of collecting counts: what went wrong needn't be a file, so
// a request that comes later tries anew. What was collected well counts until something
// changes that it is made of.
const again = time.Second

// The headers that tell when what a project's answer is made of was read, and the digest
// of it, the clock aside.
const (
	asOfHeader  = "Cento-As-Of"
	inputHeader = "Cento-Input-Digest"
)

// served is a project that is kept collected, in the variations that were asked for: by
// target, model, variables, skills, clock and tool definitions. What else is asked for
// is changed in memory.
type served struct {
	name    string
	request func() (app.Request, error)
	now     func() time.Time
	// started is the digest of what the project's files gave at the start.
	started  string
	watcher  follower
	announce func(Changed)
	mistake  func(bug any) // of the program, told where those of requests are
	last     app.LastSite

	mu    sync.Mutex
	kept  app.Variations[variation]
	plain *variation // without a what-if; always kept

	plainKey app.VariationKey
}

// follower is a [watch.Watcher], as far as readings of projects are followed by it.
type follower interface {
	Follow(*watch.Reading)
	Leave(*watch.Reading)
}

// variation is a project as it was collected. One request collects, and those that came
// in the meantime have the same.
type variation struct {
	plain bool
	left  atomic.Bool // it isn't kept any more
	mu    sync.Mutex
	collected
}

// unlock is for who locked a variation. Whoever has one last that isn't kept any more
// lets go of what it was read from.
func (s *served) unlock(v *variation) {
	v.mu.Unlock()
	s.drop(v)
}

// drop lets go of a variation that isn't kept any more, unless somebody has it locked,
// who does so then.
func (s *served) drop(v *variation) {
	if !v.left.Load() || !v.mu.TryLock() {
		return
	}
	defer v.mu.Unlock()
	if v.Reading != nil {
		s.watcher.Leave(v.Reading)
		v.collected = collected{}
	}
}

// collected is what the files gave, by a reading of them that is watched; without one
// there is nothing.
type collected struct {
	app.Collection
	err    error
	digest string
}

func (s *Server) newServed(p Project) *served {
	return &served{
		name: p.Name, request: p.Request, now: s.config.Now, watcher: s.watcher,
		mistake: func(bug any) {
			s.metrics.panics.Inc()
			s.log.Error("a mistake in the program", "project", p.Name, "panic", fmt.Sprint(bug), "stack", string(debug.Stack()))
		},
		announce: func(c Changed) { s.events.tell("project.changed", p.Name, "", c) },
	}
}

// place is a served project as one request sees it: [call.Place].
type place struct {
	of *served
	x  *exchange
	// clock is the one that the request is read with unless it brings another.
	clock time.Time
	// digest is that of the input that was opened last.
	digest string
	// model is the one that its prompt is for.
	model string
}

// Located is where the project stands by now.
func (p *place) Located() (app.Site, app.Request, error) {
	r, err := p.of.request()
	if err != nil {
		return app.Site{}, r, err
	}
	p.clock = r.Now
	if site, ok := p.of.site(); ok {
		return site, r, nil
	}
	site, err := p.of.last.Locate(r)
	return site, r, err
}

// site is where the project was found when it was collected last; false where nothing
// says that it is there still.
func (s *served) site() (app.Site, bool) {
	v := s.plain // it is there since the start, and always kept
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.Site, v.Reading != nil && v.err == nil
}

// Open is the project as it was collected when something changed last, or as it is
// collected now, with the clock of the request.
func (p *place) Open(ctx context.Context, r app.Request) (*app.Project, error) {
	v, err := p.of.variation(r, p.clock)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer p.of.unlock(v)
	if now := p.of.now(); v.Reading == nil || v.err != nil && (now.Sub(v.AsOf) >= again || now.Before(v.AsOf)) {
		p.of.put(v, p.of.collect(ctx, r))
	}
	if v.err != nil {
		return nil, v.err
	}
	p.digest, p.model = v.digest, v.Project.Input.Active.Model
	if p.x != nil {
		p.x.w.Header().Set(asOfHeader, v.AsOf.UTC().Format(time.RFC3339Nano))
		p.x.w.Header().Set(inputHeader, v.digest)
	}
	return v.At(r.Now), nil
}

// collect reads the project.
func (s *served) collect(ctx context.Context, r app.Request) (c collected) {
	if c.Collection, c.err = s.last.Collect(ctx, r, s.now()); c.err == nil {
		c.digest, c.err = app.InputDigest(c.Project.Input)
	}
	if ctx.Err() != nil {
		c.Reading = nil // it says nothing of the files
	}
	return c
}

// put keeps what was collected, which is watched from now on. The variation is locked.
func (s *served) put(v *variation, c collected) {
	if v.Reading != nil {
		s.watcher.Leave(v.Reading)
	}
	if v.collected = c; c.Reading != nil {
		s.watcher.Follow(c.Reading)
	}
}

// Changed is the event that the files of a project give another prompt, or none.
type Changed struct {
	Project string `json:"project"`
	// Before and After are digests of what the prompt is made of, the clock aside, without
	// a what-if; After is empty when the files can't be read.
	Before string `json:"before"`
	After  string `json:"after"`
	// Error says why they can't.
	Error *app.ErrorObject `json:"error,omitempty"`
}

// forget lets go of what-ifs whose files aren't as a reading saw them: they are collected
// anew when they are asked for again.
func (s *served) forget(r *watch.Reading) {
	for _, v := range s.variations() {
		if v.mu.Lock(); v.Reading == r && !v.plain {
			v.collected = collected{}
		}
		s.unlock(v)
	}
}

// renew collects the project itself anew when its files aren't as a reading saw them, and
// tells whoever listens.
func (s *served) renew(ctx context.Context, r *watch.Reading) {
	v := s.plain // it is there since the start
	v.mu.Lock()
	was := v.collected
	v.mu.Unlock()
	if was.Reading != r {
		return
	}
	defer func() {
		if bug := recover(); bug != nil { // the next request tries again, and is told
			v.mu.Lock()
			if v.Reading == r {
				v.collected = collected{}
			}
			v.mu.Unlock()
			s.mistake(bug)
		}
	}()
	var now collected
	request, err := s.request()
	if err == nil {
		now = s.collect(ctx, request)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Reading != r { // a request was first
		now = v.collected
	} else if s.put(v, now); now.Reading == nil {
		return // the service ends, or the next request tries again
	}
	if now.digest == was.digest && (now.err == nil) == (was.err == nil) {
		return
	}
	c := Changed{Project: s.name, Before: was.digest, After: now.digest}
	if now.err != nil {
		e := told(now.err)
		c.Error = &e
	}
	s.announce(c)
}

// variations are those that are kept, the project itself first.
func (s *served) variations() []*variation {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []*variation{}
	if s.plain != nil {
		out = append(out, s.plain)
	}
	return append(out, s.kept.All()...)
}

// follow deals with changes of files until the context ends.
func (s *Server) follow(ctx context.Context) {
	for {
		changes, err := s.watcher.Next(ctx)
		if err != nil {
			return
		}
		for _, what := range []func(*served, *watch.Reading){
			(*served).forget,
			func(p *served, r *watch.Reading) { p.renew(ctx, r) }, // whoever is told then asks
		} {
			for _, c := range changes {
				for _, p := range s.projects {
					what(p, c.Reading)
				}
			}
		}
	}
}

// variation finds what was collected for a request.
func (s *served) variation(r app.Request, clock time.Time) (*variation, error) {
	key, err := app.Variation(r, clock)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plain == nil { // what is asked for first is the project itself
		s.plain = &variation{plain: true}
		s.plainKey = key
	}
	if key == s.plainKey {
		return s.plain, nil
	}
	v, left := s.kept.Of(key)
	if left != nil {
		left.left.Store(true)
		s.drop(left)
	}
	return v, nil
}

// open is the project as its files have it, without a what-if, and the digest of that.
func (s *served) open(ctx context.Context, x *exchange) (*app.Project, string, error) {
	r, err := s.request()
	if err != nil {
		return nil, "", err
	}
	p := &place{of: s, x: x, clock: r.Now}
	project, err := p.Open(ctx, r)
	return project, p.digest, err
}

// ProjectAnswer tells of a project that is served.
type ProjectAnswer struct {
	Name string `json:"name"`
	// Root is the name of the folder that the project begins in; its path where the
	// service shows paths.
	Root    string   `json:"root"`
	Targets []string `json:"targets"`
	Tools   []string `json:"tools"`
	Caps    []string `json:"caps"`
	Model   string   `json:"model"`
	// Input is the digest of what the prompt is made of, the clock aside.
	Input string `json:"input"`
	// Drifted: it is another input than at the start of the service.
	Drifted bool `json:"drifted"`
	// Error says why the project can't be read now, and the rest is empty then.
	Error *app.ErrorObject `json:"error,omitempty"`
}

// ProjectsAnswer lists the projects that a token reaches.
type ProjectsAnswer struct {
	Projects []ProjectAnswer `json:"projects"`
}

// tell describes a project as it is now.
func (s *served) tell(ctx context.Context, x *exchange) (*ProjectAnswer, error) {
	p, digest, err := s.open(ctx, x)
	if err != nil {
		return nil, err
	}
	root := filepath.FromSlash(p.Root.Dir)
	if !x.s.config.ShowPaths {
		root = filepath.Base(root)
	}
	list := func(names []string) []string { return append([]string{}, names...) }
	return &ProjectAnswer{
		Name: s.name, Root: root, Targets: list(p.Targets()), Tools: list(p.Input.ActiveTools()), Caps: list(p.Input.Active.Caps),
		Model: p.Input.Active.Model, Input: digest, Drifted: digest != s.started,
	}, nil
}

// listProjects answers GET /v1/projects.
func listProjects(x *exchange) error {
	out := ProjectsAnswer{Projects: []ProjectAnswer{}}
	for _, p := range x.s.projects {
		if !x.token.permits(ScopeRead, p.name) {
			continue
		}
		a, err := p.tell(x.r.Context(), x)
		if err != nil {
			e := told(err)
			a = &ProjectAnswer{Name: p.name, Targets: []string{}, Tools: []string{}, Caps: []string{}, Error: &e}
		}
		out.Projects = append(out.Projects, *a)
	}
	x.w.Header().Del(asOfHeader) // of several there is none
	x.w.Header().Del(inputHeader)
	return x.reply(out)
}

// showProject answers GET /v1/projects/{project}.
func showProject(x *exchange) error {
	p, err := x.project(x.r.PathValue("project"), ScopeRead)
	if err != nil {
		return err
	}
	a, err := p.tell(x.r.Context(), x)
	if err != nil {
		return err
	}
	return x.reply(a)
}
