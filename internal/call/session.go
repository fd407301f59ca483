package call

import (
	"cmp"
	"context"
	"reflect"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// sessionOperation is the row of the table whose answers are as many as what can be
// done to a session.
func sessionOperation() Operation {
	o := operation("session", "the prompt of a session, kept in a store, and its reminders", manifest.ParseSession,
		func(ctx context.Context, r *manifest.SessionRequest, o Options) (*any, error) {
			a, err := answerSession(ctx, r, o)
			return &a, err
		})
	o.Answers = []reflect.Type{
		reflect.TypeFor[app.Started](), reflect.TypeFor[app.Turn](), reflect.TypeFor[app.Changed](), reflect.TypeFor[app.Forked](),
		reflect.TypeFor[app.Rematerialised](), reflect.TypeFor[app.Drift](), reflect.TypeFor[app.Shown](), reflect.TypeFor[app.ScopeAnswer](),
		reflect.TypeFor[[]app.SessionRow](), reflect.TypeFor[app.SessionDeleted](), reflect.TypeFor[app.Billed](), reflect.TypeFor[app.CacheReport](),
		reflect.TypeFor[app.Adopted](),
	}
	return o
}

// sessionAsked is a session of a request, with the project that its prompts come from.
type sessionAsked struct {
	*app.Sessions
	r       *manifest.SessionRequest
	site    app.Site
	request app.Request
}

// answerSession does what a request asks of a session: what the command of the same
// name does. Without a project it is the one in the folder of the run.
func answerSession(ctx context.Context, r *manifest.SessionRequest, o Options) (answer any, err error) {
	if o.Stores == nil {
		return nil, &cento.SourceError{
			Code: NoProjects, Position: r.Position, Message: "sessions of a store can't be named here", Hint: "cento call session has them, as has cento session",
		}
	}
	if r.Folder == "" && r.Manifest == nil && r.Files == nil {
		r.Folder = cmp.Or(o.Default, ".")
	}
	site, request, err := o.locate(&r.ProjectRequest)
	if err != nil {
		return nil, err
	}
	if r.Store == "" && r.Folder == "" {
		return nil, &cento.SourceError{
			Code: NoProjects, Position: r.Position, Message: "a project that comes with a request has no store of its own", Hint: `say where the session is, as in "store": "sessions.db"`,
		}
	}
	at, err := o.storeAt(r.Store)
	if err != nil {
		return nil, err
	}
	s, err := o.Stores.Sessions(ctx, site, request, at, accessOf(r.Op))
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := s.Close(); err == nil && cerr != nil {
			answer, err = nil, cerr
		}
	}()
	if site.Project() == "" && o.Project != nil {
		of, err := o.running()
		if err != nil {
			return nil, err
		}
		s.In(app.Projects{Name: of})
	}
	if r.AnyProject {
		s.AnyProject()
	}
	answer, err = (&sessionAsked{s, r, site, request}).do(ctx)
	return answer, s.Located(err)
}

// running is the project in the folder of the run, to which a session belongs whose project
// comes with a request that names no root.
func (o Options) running() (string, error) {
	run, err := o.Project(".")
	if err != nil {
		return "", err
	}
	site, err := app.Locate(run)
	return site.Project(), err
}

// accessOf is what an operation does to the store.
func accessOf(op string) app.Access {
	switch op {
	case "start":
		return app.Begins
	case "drift", "cache", "show", "scope", "list":
		return app.Reads
	}
	return app.Changes
}

// storeAt is a store as a request names it, from the folder of the run; empty for none.
func (o Options) storeAt(asked string) (string, error) {
	if asked == "" || o.Project == nil {
		return asked, nil
	}
	run, err := o.Project(".")
	if err != nil {
		return "", err
	}
	return app.AskedStore(run.Dir, asked)
}

// do is a table of what can be done.
func (s *sessionAsked) do(ctx context.Context) (any, error) {
	if s.At(s.request.Now); !s.r.Now.IsZero() {
		s.At(s.r.Now)
	}
	r, options := s.r, app.SessionOptions{Key: s.r.Key, Expect: s.r.Expect}
	own := app.SessionOwn{Layer: r.Layer, Metadata: r.Metadata}
	if r.Op == "fork" {
		own.Tools = r.Changes.Tools
	}
	switch r.Op {
	case "start":
		return s.start(ctx, own)
	case "turn":
		return s.turn(ctx, options)
	case "turn_end":
		return s.EndTurn(ctx, app.EndRequest{ID: r.ID, Options: options})
	case "remind":
		return s.Remind(ctx, app.RemindRequest{ID: r.ID, Options: options, Reminder: r.Reminder})
	case "clear":
		return s.Clear(ctx, app.ClearRequest{ID: r.ID, Options: options, Match: r.Match})
	case "compact":
		return s.Compact(ctx, app.CompactRequest{ID: r.ID, Options: options, Recap: r.Recap})
	case "fork":
		return s.Fork(ctx, app.ForkRequest{ID: r.ID, Child: r.Child, Own: own, Key: r.Key})
	case "touch":
		out, err := s.Touch(ctx, r.ID, options, s.request.Dir, r.Paths)
		return out, app.PathsAt(err, r.At("paths"))
	case "usage":
		return s.usage(ctx, options)
	case "rematerialise":
		return s.rematerialise(ctx, options, own)
	case "drift":
		return s.Drift(ctx, r.ID, s.source())
	case "cache":
		return s.Cache(ctx, r.ID, app.CacheOptions{Model: r.Model})
	case "show":
		return s.Show(ctx, r.ID)
	case "scope":
		out, err := s.CheckScope(ctx, r.ID, r.Paths)
		return out, app.PathsAt(err, r.At("paths"))
	case "list":
		return s.List(ctx, app.SessionListRequest{Parent: r.Parent, Cursor: r.Cursor, Limit: r.Limit})
	case "adopt":
		return s.Adopt(ctx, app.AdoptRequest{ID: r.ID, Options: options})
	default: // delete: the others were refused
		return s.Delete(ctx, app.SessionDeleteRequest{ID: r.ID, Expect: r.Expect, Children: r.Children})
	}
}

// usage keeps what a provider billed.
func (s *sessionAsked) usage(ctx context.Context, o app.SessionOptions) (any, error) {
	return s.TellUsage(ctx, s.r.UsageAt, s.r.Usage, app.UsageRequest{ID: s.r.ID, Options: o, Turn: s.r.Turn, Request: s.r.Request})
}

// project is that of the session, with what the request hands over and changes.
func (s *sessionAsked) project(ctx context.Context, reading app.SessionReading) (*app.Project, cento.Input, error) {
	p, err := Options{}.open(ctx, &s.r.ProjectRequest, s.site, app.ForSession(s.request, reading))
	if err != nil {
		return nil, cento.Input{}, err
	}
	a, err := Options{}.ask(p, &s.r.ProjectRequest)
	if err != nil {
		return nil, cento.Input{}, err
	}
	return a.Project, app.Noted(a.in, a.notes), nil
}

// source reads it when a prompt is needed.
func (s *sessionAsked) source() app.PromptSource { return app.SessionProject(s.project).Source() }

func (s *sessionAsked) start(ctx context.Context, own app.SessionOwn) (any, error) {
	r := s.r
	ask := app.SessionAsk{Materialise: r.Materialise, Placement: r.Placement, AppendOnly: r.AppendOnly, Providers: r.Providers}
	return s.Start(ctx, app.SessionStart{ID: r.ID, Own: own, Ask: ask, Key: r.Key}, s.project)
}

func (s *sessionAsked) turn(ctx context.Context, o app.SessionOptions) (any, error) {
	t := app.TurnRequest{ID: s.r.ID, Options: o, Moment: s.r.Moment, Check: app.DriftCheckOf(s.r.CheckDrift, Differs(&s.r.ProjectRequest))}
	if s.r.Wired {
		if err := s.Wire(&t, wireOptions(&s.r.ProjectRequest)); err != nil {
			return nil, err
		}
	}
	return s.Turn(ctx, t, s.source())
}

// wireOptions are what a request says of the request of a provider.
func wireOptions(r *manifest.ProjectRequest) app.WireOptions {
	return app.WireOptions{
		Form: r.Form, FormAt: r.FormAt, Messages: r.Messages, Partial: r.Partial, MaxTokens: r.MaxTokens, Extra: r.Extra, Places: r.WirePlaces,
	}
}

func (s *sessionAsked) rematerialise(ctx context.Context, o app.SessionOptions, own app.SessionOwn) (any, error) {
	out, err := s.Rematerialise(ctx, app.RematerialiseRequest{ID: s.r.ID, Options: o, Own: own, Reason: s.r.Reason}, s.project)
	return out, app.ReasonAt(err, s.r.ReasonAt)
}
