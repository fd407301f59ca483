package serve

import (
	"net/http"
	"path/filepath"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
)

func (s *session) turn() (any, error) {
	asked, err := read[BeginTurn](s.body)
	if err != nil {
		return nil, err
	}
	m := app.Moment{TokensUsed: asked.TokensUsed, Window: asked.Window, IdleTurns: asked.IdleTurns}
	if asked.Resumed {
		m.Kind = app.OnResume
	}
	for _, cut := range asked.Truncated {
		m.Truncated = append(m.Truncated, app.TruncatedOutput{Tool: cut.Tool, Kept: cut.Kept, Total: cut.Total})
	}
	with, err := asked.With.request()
	if err != nil {
		return nil, err
	}
	r := app.TurnRequest{ID: s.id, Options: s.options, Moment: m, Check: app.DriftCheckOf(asked.CheckDrift, call.Differs(with))}
	if asked.Provider != "" || asked.Messages != nil || asked.Partial {
		o := app.WireOptions{Form: asked.Provider, Partial: asked.Partial}
		o.FormAt, _ = asked.KeyPosition("provider")
		if asked.Messages != nil {
			if o.Messages, err = app.ReadMessages(call.RequestName, asked.Messages.text); err != nil {
				return nil, err
			}
		}
		if err = s.Wire(&r, o); err != nil {
			return nil, err
		}
	}
	s.at(with)
	return s.Turn(s.r.Context(), r, s.made(with).Source())
}

func (s *session) turnEnd() (any, error) {
	if _, err := read[EndTurn](s.body); err != nil {
		return nil, err
	}
	return s.EndTurn(s.r.Context(), app.EndRequest{ID: s.id, Options: s.options})
}

func (s *session) remind() (any, error) {
	asked, err := read[Remind](s.body)
	if err != nil {
		return nil, err
	}
	return s.Remind(s.r.Context(), app.RemindRequest{ID: s.id, Options: s.options, Reminder: asked.Reminder})
}

func (s *session) clear() (any, error) {
	asked, err := read[ClearReminders](s.body)
	if err != nil {
		return nil, err
	}
	return s.Clear(s.r.Context(), app.ClearRequest{ID: s.id, Options: s.options, Match: app.ReminderMatch{ID: asked.ID, Tag: asked.Tag, DedupeKey: asked.DedupeKey}})
}

func (s *session) compact() (any, error) {
	asked, err := read[Compact](s.body)
	if err != nil {
		return nil, err
	}
	return s.Compact(s.r.Context(), app.CompactRequest{ID: s.id, Options: s.options, Recap: asked.Recap})
}

func (s *session) fork() (any, error) {
	asked, err := read[Fork](s.body)
	if err == nil {
		err = s.begun(s.options)
	}
	if err != nil {
		return nil, err
	}
	child := asked.Child
	if s.project != "" {
		at, _ := asked.KeyPosition("child")
		if child, err = inProject(s.project, child, at); err != nil {
			return nil, err
		}
	} else if p := projectOf(child); p != "" && !s.token.everywhere(ScopeWrite) {
		return nil, noSession(child, "")
	}
	return s.Fork(s.r.Context(), app.ForkRequest{ID: s.id, Child: child, Key: s.options.Key})
}

func (s *session) rematerialise() (any, error) {
	asked, err := read[Rematerialise](s.body)
	if err != nil {
		return nil, err
	}
	own, err := asked.Layer.layer()
	if err != nil {
		return nil, err
	}
	with, err := asked.With.request()
	if err != nil {
		return nil, err
	}
	r := app.RematerialiseRequest{ID: s.id, Options: s.options, Own: app.SessionOwn{Layer: own}, Reason: asked.Reason}
	out, err := s.Rematerialise(s.r.Context(), r, s.made(with))
	at, _ := asked.KeyPosition("reason")
	return out, app.ReasonAt(err, at)
}

func (s *session) touch() (any, error) {
	asked, err := read[Touch](s.body)
	if err != nil {
		return nil, err
	}
	p := s.s.served(s.project)
	if p == nil {
		return nil, refused(http.StatusConflict, UnknownProject, "the project of the session isn't served here, so its files aren't", "")
	}
	site, _, err := (&place{of: p}).Located()
	if err != nil {
		return nil, err
	}
	for _, name := range asked.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, refused(http.StatusForbidden, call.NoProjects, "a file that is worked on lies outside of the project", "name files from the folder of the project")
		}
	}
	out, err := s.Touch(s.r.Context(), s.id, s.options, filepath.FromSlash(site.Root.Cwd), asked.Files)
	at, _ := asked.KeyPosition("files")
	return out, app.PathsAt(err, at)
}
