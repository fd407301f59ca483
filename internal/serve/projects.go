package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// fresh is how long what was collected counts: a request that comes later collects
// again, and is answered by what that gives.
const fresh = time.Second

// The headers that tell when what a project's answer is made of was read, and the digest
// of it, the clock aside.
const (
	asOfHeader  = "Cento-As-Of"
	inputHeader = "Cento-Input-Digest"
)

// mostKept is how many variations of a project are kept collected.
const mostKept = 16

// served is a project that is kept collected, in the variations that were asked for: by
// target, model, variables, skills, clock and tool definitions. What else is asked for
// is changed in memory.
type served struct {
	name    string
	request func() (app.Request, error)
	now     func() time.Time
	// started is the digest of what the project's files gave at the start.
	started string

	mu    sync.Mutex
	kept  map[[sha256.Size]byte]*variation
	order [][sha256.Size]byte // the one used last is the last
}

// variation is a project as it was collected. One request collects, and those that came
// in the meantime have the same.
type variation struct {
	mu      sync.Mutex
	project *app.Project
	err     error
	asOf    time.Time
	digest  string
}

func newServed(p Project, now func() time.Time) *served {
	return &served{name: p.Name, request: p.Request, now: now, kept: map[[sha256.Size]byte]*variation{}}
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
	site, err := app.Locate(r)
	return site, r, err
}

// Open is the project as it was collected at most [fresh] before the request came, or
// as it is collected now.
func (p *place) Open(ctx context.Context, r app.Request) (*app.Project, error) {
	v, err := p.of.variation(r, p.clock)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if now := p.of.now(); v.asOf.IsZero() || now.Sub(v.asOf) >= fresh || now.Before(v.asOf) {
		v.collect(ctx, r, now)
	}
	if v.err != nil {
		return nil, v.err
	}
	p.digest, p.model = v.digest, v.project.Input.Active.Model
	if p.x != nil {
		p.x.w.Header().Set(asOfHeader, v.asOf.UTC().Format(time.RFC3339Nano))
		p.x.w.Header().Set(inputHeader, v.digest)
	}
	return v.project, nil
}

// collect reads the project. What went wrong counts for as long as what went right, but
// for a request that was called off.
func (v *variation) collect(ctx context.Context, r app.Request, now time.Time) {
	v.asOf = now
	v.project, v.err = collected(ctx, r)
	if v.err == nil {
		v.digest, v.err = app.InputDigest(v.project.Input)
	}
	if ctx.Err() != nil {
		v.asOf = time.Time{}
	}
}

func collected(ctx context.Context, r app.Request) (*app.Project, error) {
	site, err := app.Locate(r)
	if err != nil {
		return nil, err
	}
	return app.Open(ctx, site, r)
}

// variation finds what was collected for a request.
func (s *served) variation(r app.Request, clock time.Time) (*variation, error) {
	asked := struct {
		Target, Model string
		ModelAt       cento.Position // of what there is to say about it
		Vars          json.RawMessage
		Skills        []string
		Now           string
		Tools         []byte
		Profile       *app.Profile
		Session       *app.Layer
		Budget        *app.Budget
	}{r.Target, r.Model, r.ModelAt, r.Vars, r.Skills, "", r.ToolsText, r.Profile, r.Session, r.Budget}
	if !r.Now.Equal(clock) {
		asked.Now = r.Now.Format(time.RFC3339Nano)
	}
	b, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.kept[key]
	if v == nil {
		v = &variation{}
		s.kept[key] = v
	} else {
		s.order = slices.DeleteFunc(s.order, func(k [sha256.Size]byte) bool { return k == key })
	}
	s.order = append(s.order, key)
	if len(s.order) > mostKept {
		delete(s.kept, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	return v, nil
}

// open is the project as its files have it, without a what-if, and the digest of that.
func (s *served) open(ctx context.Context, x *exchange) (*app.Project, string, error) {
	p := &place{of: s, x: x}
	_, r, err := p.Located()
	if err != nil {
		return nil, "", err
	}
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
