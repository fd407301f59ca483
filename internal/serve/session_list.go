package serve

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// How many sessions an answer has, unless a request says so, and at most.
const (
	someSessions = 100
	mostSessions = 1000
)

// SessionsAnswer lists sessions in the order in which they began, the newest last.
type SessionsAnswer struct {
	Sessions []app.SessionRow `json:"sessions"`
	// Next is the cursor of those that began before; empty where there are none.
	Next string `json:"next"`
}

// number reads a parameter that counts from 1 to most.
func (x *exchange) number(name string, usual, most int) (int, error) {
	text := x.r.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" isn't a number from 1 to "+itoa(most), "")
	}
	return n, nil
}

// listSessions answers GET /v1/sessions with those that the token reads.
func listSessions(x *exchange) error {
	q := x.r.URL.Query()
	r := app.SessionListRequest{Parent: q.Get("parent"), Cursor: q.Get("cursor"), Projects: x.readable()}
	if r.Parent != "" {
		if err := x.reads(r.Parent); err != nil {
			return err
		}
	}
	if project := q.Get("project"); project != "" {
		if _, err := x.project(project, ScopeRead); err != nil {
			return err
		}
		r.Projects = []string{project}
	}
	limit, err := x.number("limit", someSessions, mostSessions)
	if err != nil {
		return err
	}
	r.Limit = limit + 1 // whether there are more
	list, err := x.s.store.Sessions(app.Site{}, app.Request{}).In(x.of(r.Parent, ScopeRead)).List(x.r.Context(), r)
	if err != nil {
		return x.hidden(err, r.Parent)
	}
	out := SessionsAnswer{Sessions: list}
	if len(list) > limit {
		out.Sessions = list[1:]
		out.Next = out.Sessions[0].Cursor
	}
	for i := range out.Sessions {
		x.veil(&out.Sessions[i].Parent)
		x.label(&out.Sessions[i].Project)
	}
	return x.reply(out)
}

// veil takes the name of a session away that the token doesn't read.
func (x *exchange) veil(id *string) {
	if *id != "" && x.reads(*id) != nil {
		*id = ""
	}
}

// deleteSession answers DELETE /v1/sessions/{id}. Children that the token may not
// change don't go, so neither does what they were forked from.
func deleteSession(x *exchange) error {
	s, err := x.onSession(x.r.PathValue("id"), ScopeWrite)
	if err != nil {
		return err
	}
	o, err := x.sessionOptions()
	if err != nil {
		return err
	}
	if o.Key != "" {
		return refused(http.StatusBadRequest, WrongHeader, "the answer of a session that is deleted isn't kept, so no Idempotency-Key is taken", "leave it out: once it is deleted, it is 404")
	}
	r := app.SessionDeleteRequest{ID: s.id, Expect: o.Expect, AnyChildren: x.token.everywhere(ScopeWrite)}
	switch children := x.r.URL.Query().Get("children"); children {
	case "true":
		r.Children = true
	case "", "false":
	default:
		return refused(http.StatusBadRequest, "value.invalid", "the parameter children is neither true nor false", "")
	}
	out, err := s.Delete(x.r.Context(), r)
	if errors.Is(err, app.SessionHasChildren) {
		return refused(http.StatusConflict, app.SessionHasChildren, "the session was forked", "delete its children first, or all of them with children=true, if the token may")
	}
	if err != nil {
		return s.conflicted(s.hidden(err, s.id))
	}
	for _, id := range out.Sessions {
		x.s.events.tell("session.transition", projectOf(id), id, transitioned{Op: "delete", Session: id, Events: []app.ReminderEvent{}})
	}
	return x.reply(out)
}

// DriftOf asks how the prompt that the files would give differs from the one that a
// session has.
type DriftOf struct {
	// With is the what-if of the prompt.
	With *document `json:"with,omitempty"`
}

// sessionDrift answers GET and POST /v1/sessions/{id}/drift.
func sessionDrift(x *exchange) error {
	s, err := x.onSession(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	asked := &DriftOf{}
	if x.r.Method == http.MethodPost {
		body, err := x.jsonBody()
		if err != nil {
			return err
		}
		if asked, err = read[DriftOf](body); err != nil {
			return err
		}
	}
	with, err := asked.With.request()
	if err != nil {
		return err
	}
	s.at(with)
	out, err := s.Drift(x.r.Context(), s.id, s.made(with).Source())
	if err != nil {
		return s.hidden(err, s.id)
	}
	return x.reply(out)
}

// TellUsage keeps what a provider billed for a request of a turn.
type TellUsage struct {
	Turn int64 `json:"turn"`
	// Request is which of the turn's requests it was, from 1; absent: the first.
	Request *int64 `json:"request,omitempty"`
	// Usage is the provider's, or the answer that holds it, in its own words.
	Usage *document `json:"usage"`
}

func (s *session) usage() (any, error) {
	asked, err := read[TellUsage](s.body)
	if err != nil {
		return nil, err
	}
	if asked.Usage == nil {
		return nil, &cento.SourceError{Code: "key.missing", Message: "usage is missing", Hint: "it is what the provider billed, in its own words"}
	}
	return s.Sessions.TellUsage(s.r.Context(), asked.Usage.at, asked.Usage.text, app.UsageRequest{ID: s.id, Options: s.options, Turn: asked.Turn, Request: asked.Request})
}
