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
	request := app.StartRequest{ID: s.id, Own: app.SessionOwn{Layer: own}, Key: o.Key}
	err = s.made(asked.With, app.SessionReading{Own: request.Own}, func(p *app.Project, in cento.Input) error {
		if err := p.CheckTools(in); err != nil {
			return err
		}
		ask, err := asked.ask()
		if err != nil {
			return err
		}
		request.Settings = p.SessionSettings(ask)
		request.Own.Scope = p.KeptScope(request.Settings.PerTurn)
		return nil
	})
	if err != nil {
		return err
	}
	out, err := s.Start(x.r.Context(), request, s.source(asked.With))
	if err != nil {
		return hidden(err)
	}
	s.tell(out)
	return x.reply(out)
}

// ask is what the request says of settings.
func (a *StartSession) ask() (app.SessionAsk, error) {
	out := app.SessionAsk{AppendOnly: a.AppendOnly, Providers: a.Providers}
	if a.Materialise != "" {
		out.Materialise = new(app.Materialise)
		if err := out.Materialise.UnmarshalText([]byte(a.Materialise)); err != nil {
			return out, err
		}
	}
	if a.Placement != "" {
		out.Placement = new(app.Placement)
		if err := out.Placement.UnmarshalText([]byte(a.Placement)); err != nil {
			return out, err
		}
	}
	return out, nil
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
	r.Session = p.reading.Layer
	if !p.reading.Now.IsZero() {
		r.Now = p.reading.Now
	}
	return p.place.Open(ctx, r)
}

// made opens the project of the session with a what-if.
func (s *session) made(with *document, reading app.SessionReading, do func(*app.Project, cento.Input) error) error {
	p := s.s.served(s.project)
	if p == nil {
		return refused(http.StatusConflict, UnknownProject, "the project of the session isn't served here, so its prompt can't be made", "")
	}
	r, err := manifest.ParseAssemble(call.RequestName, with.orEmpty(), app.RequestLimits())
	if err != nil {
		return err
	}
	at := &sessionPlace{&place{of: p, x: s.exchange}, reading}
	return call.Options{Place: at}.Do(s.r.Context(), r, do)
}

// source reads the project of the session when its prompt has to be made.
func (s *session) source(with *document) app.PromptSource {
	return func(_ context.Context, reading app.SessionReading) (in cento.Input, err error) {
		err = s.made(with, reading, func(_ *app.Project, read cento.Input) error {
			in = read
			return nil
		})
		return in, err
	}
}
