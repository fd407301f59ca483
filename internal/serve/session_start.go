package serve

import (
	"context"
	"net/http"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
)

// inProject is the id of a session that a request names at a place: with its project before
// it. One that says nothing would be the project's name alone.
func inProject(project, id string, at cento.Position) (string, error) {
	name := strings.TrimPrefix(id, project+":")
	if strings.TrimSpace(name) == "" {
		return "", &cento.SourceError{Code: "value.invalid", Position: at, Message: "the id of the session is blank", Hint: "say what it is, as in s1"}
	}
	return project + ":" + name, nil
}

func startSession(x *exchange) error {
	body, err := x.jsonBody()
	if err != nil {
		return err
	}
	asked, err := read[StartSession](body)
	if err != nil {
		return err
	}
	p, err := x.project(asked.Project, ScopeWrite)
	if err != nil {
		return err
	}
	o, err := x.sessionOptions()
	if err == nil {
		err = x.begun(o)
	}
	if err != nil {
		return err
	}
	at, _ := asked.KeyPosition("id")
	id, err := inProject(p.name, asked.ID, at)
	if err != nil {
		return err
	}
	s, err := x.onSession(id, ScopeWrite)
	if err != nil {
		return err
	}
	own, err := asked.Layer.layer()
	if err != nil {
		return err
	}
	with, err := asked.With.request()
	if err != nil {
		return err
	}
	ask := app.SessionAsk{Materialise: asked.Materialise, Placement: asked.Placement, AppendOnly: asked.AppendOnly, Providers: asked.Providers}
	out, err := s.Start(x.r.Context(), app.SessionStart{ID: s.id, Own: app.SessionOwn{Layer: own}, Ask: ask, Key: o.Key}, s.made(with))
	if err != nil {
		return s.hidden(err, s.id)
	}
	s.tell(out)
	return x.reply(out)
}

// layer is a layer that came with a request; nil for none.
func (p *document) layer() (*app.Layer, error) {
	if p == nil {
		return nil, nil
	}
	l, err := app.ParseSessionLayer(call.RequestName, p.text)
	if err == nil {
		err = call.NoUserFiles(l.Templates())
	}
	return l, err
}

// sessionPlace is a served project with what belongs to a session.
type sessionPlace struct {
	*place
	reading app.SessionReading
}

func (p *sessionPlace) Open(ctx context.Context, r app.Request) (*app.Project, error) {
	return p.place.Open(ctx, app.ForSession(r, p.reading))
}

// request is the what-if of a session's prompt.
func (p *document) request() (*manifest.ProjectRequest, error) {
	return manifest.ParseAssemble(call.RequestName, p.orEmpty(), app.RequestLimits())
}

// made opens the project of the session with a what-if.
func (s *session) made(with *manifest.ProjectRequest) app.SessionProject {
	return func(ctx context.Context, reading app.SessionReading) (project *app.Project, in cento.Input, err error) {
		p := s.s.served(s.project)
		if p == nil {
			return nil, in, refused(http.StatusConflict, UnknownProject, "the project of the session isn't served here, so its prompt can't be made", "")
		}
		at := &sessionPlace{&place{of: p, x: s.exchange}, reading}
		err = call.Options{Place: at}.Do(ctx, with, func(opened *app.Project, read cento.Input) error {
			project, in = opened, read
			return nil
		})
		return project, in, err
	}
}
