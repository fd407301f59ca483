package serve

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/strict"
)

// withFiles are the operations that take a project with the request, and so need the
// scope for that; ofProjects are those of them that a served project answers, too.
var (
	ofProjects = []string{"ablate", "assemble", "budget", "cache", "check", "diff", "explain", "instructions", "models", "why", "wire"}
	withFiles  = append([]string{"render"}, ofProjects...)
)

// routes are all that this service answers, in the order of the document.
func (s *Server) routes() []route {
	out := []route{
		{method: http.MethodGet, path: "/healthz", op: "health", short: "whether the process answers", tag: "service", answers: reflect.TypeFor[Health](), free: true, handle: healthy},
		{method: http.MethodGet, path: "/readyz", op: "ready", short: "whether the store is there, and no end is near", tag: "service", answers: reflect.TypeFor[Health](), free: true, handle: ready},
		{method: http.MethodGet, path: "/metrics", op: "metrics", short: "what operators watch, as Prometheus reads it", tag: "service", scope: ScopeRead, kind: "text/plain", free: true, handle: tellMetrics},
		{method: http.MethodGet, path: "/openapi.json", op: "openapi", short: "this document", tag: "service", kind: "application/json", free: true, handle: func(x *exchange) error { return s.document()(x) }},
	}
	for _, op := range call.Operations() {
		if op.Name == "session" {
			continue // its requests name a store; sessions of this one have addresses
		}
		scope := ScopeRead
		if slices.Contains(withFiles, op.Name) {
			scope = ScopeRender
		}
		out = append(out, route{
			method: http.MethodPost, path: "/v1/" + op.Name, op: op.Name, short: op.Short, tag: "operations", scope: scope, request: op.Name, answers: op.Answers[0], less: call.Less(op.Name), handle: answerOp(op.Name),
		})
	}
	out = append(out,
		route{method: http.MethodGet, path: "/v1/projects", op: "projects", short: "the projects that the token reaches", tag: "projects", scope: ScopeRead, answers: reflect.TypeFor[ProjectsAnswer](), handle: listProjects},
		route{method: http.MethodGet, path: "/v1/projects/{project}", op: "project", short: "one project", tag: "projects", scope: ScopeRead, answers: reflect.TypeFor[ProjectAnswer](), handle: showProject},
	)
	of := func(name, short string, request any, answers reflect.Type, handle func(*exchange) error) {
		path := "/v1/projects/{project}/" + name
		out = append(out,
			route{method: http.MethodPost, path: path, op: "project-" + name, short: short, tag: "projects", scope: ScopeRead, request: request, answers: answers, less: call.Less(name), handle: handle},
			route{method: http.MethodGet, path: path, op: "get-project-" + name, short: short, tag: "projects", scope: ScopeRead, whatIf: true, answers: answers, less: call.Less(name), handle: handle},
		)
	}
	for _, op := range call.Operations() {
		if slices.Contains(ofProjects, op.Name) {
			of(op.Name, op.Short, op.Name, op.Answers[0], answerProject(op.Name))
		}
	}
	of("test", "run the tests of a project's prompts; nothing is written", reflect.TypeFor[RunTests](), reflect.TypeFor[app.TestAnswer](), projectTest)
	return slices.Concat(out, sessionRoutes(), recordRoutes(), mcpRoutes(), eventRoutes())
}

// answerOp answers an operation as `cento call` does, but that it comes from elsewhere.
func answerOp(name string) func(*exchange) error {
	return func(x *exchange) error {
		request, err := x.jsonBody()
		if err != nil {
			return err
		}
		return x.operate(name, request, call.Options{
			Sealed: true, Record: x.record, OfProjects: "ask about one that is served at POST /v1/projects/NAME/" + name,
		})
	}
}

// answerProject answers an operation about a served project.
func answerProject(name string) func(*exchange) error {
	return func(x *exchange) error {
		at, request, err := x.asked()
		if err != nil {
			return err
		}
		return x.operate(name, request, call.Options{Place: at, Unwritten: x.r.Method == http.MethodGet})
	}
}

// asked is the project of the address and the request about it, by the body or by the
// parameters.
func (x *exchange) asked() (*place, []byte, error) {
	p, err := x.project(x.r.PathValue("project"), ScopeRead)
	if err != nil {
		return nil, nil, err
	}
	at := &place{of: p, x: x}
	if x.r.Method == http.MethodPost {
		request, err := x.jsonBody()
		return at, request, err
	}
	q, err := queryOf(x.r)
	if err != nil {
		return nil, nil, err
	}
	request, err := requestOf(q)
	return at, request, err
}

// operate answers an operation and counts what it decided.
func (x *exchange) operate(name string, request []byte, o call.Options) error {
	began := time.Now()
	ctx := x.r.Context()
	var span trace.Span
	done := func(error) {}
	if slices.Contains(ofProjects, name) {
		ctx, span, done = x.s.tracing.child(ctx, name, trace.SpanKindInternal)
	}
	answer, err := call.Answer(ctx, name, request, o)
	err = cmp.Or(err, ctx.Err())
	if at, ok := o.Place.(*place); ok {
		x.s.tracing.located(span, at)
	}
	x.s.tracing.answered(span, answer)
	done(err)
	if err != nil {
		if x.r.Method == http.MethodGet {
			err = unplaced(err)
		}
		return err
	}
	if slices.Contains(ofProjects, name) {
		x.s.metrics.assemble.Observe(time.Since(began).Seconds())
	}
	if e, ok := answer.(*cento.Explanation); ok {
		x.s.metrics.decided(e)
	}
	return x.reply(answer)
}

// unplaced is an error about parameters, which have no lines.
func unplaced(err error) error {
	for _, e := range cento.SourceErrors(err) {
		if e.Position.File == call.RequestName {
			e.Position = cento.Position{}
		}
	}
	return err
}

// record is the input of a record that a request names by its hash, if the token reads
// it.
func (x *exchange) record(ctx context.Context, hash string) (cento.Input, error) {
	ref, err := x.recordNamed(hash)
	if err != nil {
		return cento.Input{}, err
	}
	in, err := stored(x, "input", func(context.Context) (cento.Input, error) { return x.log().Input(ctx, ref) })
	if err != nil {
		return in, gone(err)
	}
	return in, nil
}

// RunTests says which tests of a project are run, and what is done beside it.
type RunTests struct {
	// Run is a regular expression that the names of tests have to match; absent for all.
	Run string `json:"run,omitempty"`
	// Target: only tests of this target, empty for the manifest without one.
	Target *string `json:"target,omitempty"`
	// FailFast ends with the first test that fails.
	FailFast bool `json:"fail_fast,omitempty"`
	// Coverage tells which gates and branches no test had open and shut, Mutate what
	// could be taken out without a test that notices.
	Coverage bool `json:"coverage,omitempty"`
	Mutate   bool `json:"mutate,omitempty"`
	// CoverageMin and MutateMin ask for them too, and say how many percent there have to
	// be for the answer to be ok.
	CoverageMin *percent `json:"coverage_min,omitempty"`
	MutateMin   *percent `json:"mutate_min,omitempty"`
	// AllowNone: a project without tests is ok.
	AllowNone bool `json:"allow_none,omitempty"`
}

// percent is a part of all.
type percent float64

func (p *percent) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch v, ok := n.Float(); {
	case !ok:
		d.Expected(n, "a number")
	case !app.IsPercent(v):
		d.Fail(n.Position(), strict.WrongValue, "expected a number from 0 to 100, got %v", v)
	default:
		*p = percent(v)
	}
}

// projectTest runs the tests of a project, on its files as they are.
func projectTest(x *exchange) error {
	at, request, err := x.asked()
	if err != nil {
		return err
	}
	asked, err := read[RunTests](request)
	if err != nil {
		if x.r.Method == http.MethodGet {
			err = unplaced(err)
		}
		return err
	}
	o := app.TestOptions{
		Target: asked.Target, FailFast: asked.FailFast, Coverage: asked.Coverage, Mutate: asked.Mutate,
		CoverageMin: (*float64)(asked.CoverageMin), MutateMin: (*float64)(asked.MutateMin), AllowNone: asked.AllowNone,
	}
	if asked.Run != "" {
		if o.Run, err = regexp.Compile(asked.Run); err != nil {
			return refused(http.StatusUnprocessableEntity, "value.invalid", "run: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "), "it is a regular expression, as in ci|review")
		}
	}
	_, r, err := at.Located()
	if err != nil {
		return err
	}
	out, err := app.Test(x.r.Context(), r, o)
	if err = cmp.Or(err, x.r.Context().Err()); err != nil {
		return err
	}
	return x.reply(out)
}
