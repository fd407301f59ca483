package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// sessionRoutes are those about sessions.
func sessionRoutes() []route {
	once := []param{
		{"Idempotency-Key", "asked for again with the same one, it is not done again"},
	}
	change := append([]param{{"If-Match", "the version that the session must have"}}, once...)
	out := []route{{
		method: http.MethodPost, path: "/v1/sessions", op: "session-start", short: "begin a session, and make its prompt", tag: "sessions", scope: ScopeWrite, header: once,
		request: reflect.TypeFor[StartSession](), answers: reflect.TypeFor[app.Started](), handle: startSession,
	}}
	for _, t := range []struct {
		name, short      string
		request, answers reflect.Type
		do               func(*session) (any, error)
	}{
		{"turn", "begin the next turn: what the model is asked with", reflect.TypeFor[BeginTurn](), reflect.TypeFor[app.Turn](), (*session).turn},
		{"turn_end", "end the turn, and begin none", reflect.TypeFor[EndTurn](), reflect.TypeFor[app.Changed](), (*session).turnEnd},
		{"remind", "inject a reminder", reflect.TypeFor[Remind](), reflect.TypeFor[app.Changed](), (*session).remind},
		{"clear", "take reminders out", reflect.TypeFor[ClearReminders](), reflect.TypeFor[app.Changed](), (*session).clear},
		{"compact", "tell that the conversation was compacted", reflect.TypeFor[Compact](), reflect.TypeFor[app.Changed](), (*session).compact},
		{"fork", "begin a child session", reflect.TypeFor[Fork](), reflect.TypeFor[app.Forked](), (*session).fork},
		{"rematerialise", "make the prompt anew, on record", reflect.TypeFor[Rematerialise](), reflect.TypeFor[app.Rematerialised](), (*session).rematerialise},
		{"touch", "tell which files are worked on", reflect.TypeFor[Touch](), reflect.TypeFor[app.Changed](), (*session).touch},
		{"usage", "keep what a provider billed for a request of a turn", reflect.TypeFor[TellUsage](), reflect.TypeFor[app.Billed](), (*session).usage},
	} {
		header := change
		if t.name == "fork" {
			header = once
		}
		out = append(out, route{
			method: http.MethodPost, path: "/v1/sessions/{id}/" + t.name, op: "session-" + strings.ReplaceAll(t.name, "_", "-"), short: t.short, tag: "sessions", scope: ScopeWrite,
			header: header, request: t.request, answers: t.answers, handle: transition(t.do),
		})
	}
	const drift = "how the prompt that the files would give differs from the one that it has"
	return append(out,
		route{
			method: http.MethodGet, path: "/v1/sessions", op: "sessions", short: "the sessions that the token reads, as they began; the newest where there are more", tag: "sessions", scope: ScopeRead,
			query: []param{
				{"project", "of this project alone"}, {"parent", "those that were forked from this one"}, {"limit", "how many at most"}, {"cursor", "next of the answer before"},
			},
			answers: reflect.TypeFor[SessionsAnswer](), less: askFewer, handle: listSessions,
		},
		route{
			method: http.MethodDelete, path: "/v1/sessions/{id}", op: "session-delete", short: "delete a session, with its prompt and its records", tag: "sessions", scope: ScopeWrite,
			query: []param{{"children", "true: those that were forked from it, too"}}, header: change[:1], answers: reflect.TypeFor[app.SessionDeleted](), handle: deleteSession,
		},
		route{method: http.MethodPost, path: "/v1/sessions/{id}/drift", op: "session-drift", short: drift, tag: "sessions", scope: ScopeRead, request: reflect.TypeFor[DriftOf](), answers: reflect.TypeFor[app.Drift](), less: bothPrompts, handle: sessionDrift},
		route{method: http.MethodGet, path: "/v1/sessions/{id}/drift", op: "get-session-drift", short: drift, tag: "sessions", scope: ScopeRead, answers: reflect.TypeFor[app.Drift](), less: bothPrompts, handle: sessionDrift},
		route{method: http.MethodGet, path: "/v1/sessions/{id}", op: "session-show", short: "how a session stands", tag: "sessions", scope: ScopeRead, answers: reflect.TypeFor[app.Shown](), less: "GET /v1/sessions/ID/prompt has its prompt alone", handle: showSession},
		route{method: http.MethodGet, path: "/v1/sessions/{id}/prompt", op: "session-prompt", short: "the exact bytes of its prompt; 204 where it has no system prompt", tag: "sessions", scope: ScopeRead, kind: "text/plain", handle: showPrompt},
		route{
			method: http.MethodGet, path: "/v1/sessions/{id}/cache", op: "session-cache", short: "what became of its turns in the prompt cache, and what broke it", tag: "sessions", scope: ScopeRead,
			query: []param{{"model", "the one that is asked where what was recorded names none"}}, answers: reflect.TypeFor[app.CacheReport](), less: "GET /v1/sessions/ID/timeline lists its turns, page by page", handle: showCache,
		},
		route{
			method: http.MethodGet, path: "/v1/sessions/{id}/timeline", op: "session-timeline", short: "how it stands, with what was recorded of it last", tag: "sessions", scope: ScopeRead,
			query: []param{{"limit", "how many records at most, the newest"}, {"cursor", "next of the answer before"}}, answers: reflect.TypeFor[Timeline](), less: askFewer, handle: showTimeline,
		},
	)
}

// How to ask for less of lists, and of differences.
const (
	askFewer    = "ask for fewer at once, as in limit=1"
	bothPrompts = "ask for each of the two prompts, and compare them"
)

// projectOf is the project that a session belongs to by its id; empty for none.
func projectOf(session string) string {
	project, _, ok := strings.Cut(session, ":")
	if !ok || !validName(project) {
		return ""
	}
	return project
}

// noSession is what is said of a session that isn't there, and of one that the token
// doesn't reach; near is one that it reads, or empty.
func noSession(id, near string) error {
	hint := "GET /v1/sessions lists those that the token reads"
	switch {
	case near != "":
		hint = meant(near)
	case projectOf(id) == "":
		hint = "an id is PROJECT:NAME; " + hint
	}
	return refused(http.StatusNotFound, app.UnknownSession, "there is no session "+asked(id, longestAsked), hint)
}

// reachesSession says why a token doesn't reach a session with a scope; nil where it
// does.
func (x *exchange) reachesSession(id string, s Scope) error {
	project := projectOf(id)
	switch {
	case x.token.everywhere(s):
		return nil
	case project == "":
		return noSession(id, "")
	case x.token.permits(s, project):
		return nil
	case x.token.permits(ScopeRead, project) || x.token.permits(ScopeWrite, project):
		return forbidden(s)
	}
	return noSession(id, "")
}

// reads says why a token doesn't read a session.
func (x *exchange) reads(id string) error { return x.reachesSession(id, ScopeRead) }

// ofNoSession reports whether an error says that a session isn't there, or is another
// project's.
func ofNoSession(err error) bool {
	return errors.Is(err, app.UnknownSession) || errors.Is(err, app.OtherProject)
}

// mostNear is among how many sessions, the newest, the nearest name is looked for.
const mostNear = 100

// hidden is an error about the session or the records that were asked for, without what
// it says of others: their names are none of a client's business, but for those that the
// token reads.
func (x *exchange) hidden(err error, id string) error {
	if other, ok := errors.AsType[*app.ProjectError](err); ok {
		return x.otherProject(err, other, id)
	}
	if !ofNoSession(err) {
		return err
	}
	r := app.SessionListRequest{Projects: x.readable(), Limit: mostNear}
	list, _ := x.s.store.Sessions(app.Site{}, app.Request{}).List(x.r.Context(), r) // a name is only offered
	var known []string
	for _, s := range list {
		known = append(known, s.ID)
	}
	return noSession(id, app.NearestName(id, known))
}

// otherProject is an error about the session of another project. A token for one project
// isn't told of others: the session isn't there, or its id is taken.
func (x *exchange) otherProject(err error, other *app.ProjectError, id string) error {
	hint := ""
	if begins := x.op == "session-start" || x.op == "session-fork"; begins {
		hint = cento.SourceErrors(err)[0].Hint
	}
	said := "session " + asked(other.Session, longestAsked) + " is another project's"
	switch everywhere := x.token.everywhere(ScopeWrite) || x.token.everywhere(ScopeRead); {
	case everywhere:
		from, to := other.Project, other.Caller
		x.label(&from)
		x.label(&to)
		said += fmt.Sprintf(": it belongs to %s, and this is %s", cmp.Or(from, "no project"), cmp.Or(to, "no project"))
	case hint == "":
		return noSession(id, "")
	}
	return refused(http.StatusConflict, app.OtherProject, said, hint)
}

// session is a request about one session.
type session struct {
	*exchange
	id      string
	project string
	body    []byte
	options app.SessionOptions
	*app.Sessions
}

// at sets the clock of a request that names one.
func (s *session) at(with *manifest.ProjectRequest) {
	if with != nil {
		s.Sessions.At(with.Now)
	}
}

// of is what a request about a session reaches: the project that its id names. A token for
// everything reaches the sessions that were begun in the folder of a served project, too.
func (x *exchange) of(id string, s Scope) app.Projects {
	name := projectOf(id)
	of := app.Projects{Name: name}
	if !x.token.everywhere(s) {
		return of
	}
	for _, p := range x.s.projects {
		if name == "" || p.name == name {
			if site, _, err := (&place{of: p}).Located(); err == nil {
				of.Also = append(of.Also, site.Project())
			}
		}
	}
	return of
}

// onSession prepares a request about a session: its project, where it is served, says
// where prompts come from.
func (x *exchange) onSession(id string, s Scope) (*session, error) {
	out, err := x.inStore(id, s)
	if err != nil {
		return nil, err
	}
	if p := x.s.served(out.project); p != nil {
		site, r, err := (&place{of: p}).Located()
		if err != nil {
			return nil, err
		}
		out.Sessions = x.s.store.Sessions(site, r).In(x.of(id, s))
	}
	out.Told = x.readable()
	return out, nil
}

// inStore prepares a request that reads nothing but the store: no file is looked for.
func (x *exchange) inStore(id string, s Scope) (*session, error) {
	if err := x.reachesSession(id, s); err != nil {
		return nil, err
	}
	return &session{exchange: x, id: id, project: projectOf(id), Sessions: x.s.store.Sessions(app.Site{}, app.Request{}).In(x.of(id, s))}, nil
}

// served is the project of a name; nil for none.
func (s *Server) served(name string) *served {
	for _, p := range s.projects {
		if p.name == name {
			return p
		}
	}
	return nil
}

// transition answers a request that changes a session, and tells those who listen.
func transition(do func(*session) (any, error)) func(*exchange) error {
	return func(x *exchange) (err error) {
		s, err := x.onSession(x.r.PathValue("id"), ScopeWrite)
		if err != nil {
			return err
		}
		if s.options, err = x.sessionOptions(); err != nil {
			return err
		}
		if s.body, err = x.jsonBody(); err != nil {
			return err
		}
		answer, err := do(s)
		if err != nil {
			return s.conflicted(s.hidden(err, s.id))
		}
		s.tell(answer)
		return x.reply(answer)
	}
}

// conflicted tells with a conflict which version the session has.
func (s *session) conflicted(err error) error {
	if errors.Is(err, app.StoreConflict) {
		if shown, e := s.Show(s.r.Context(), s.id); e == nil {
			s.w.Header().Set("Cento-Session-Version", strconv.FormatInt(shown.Version, 10))
		}
	}
	return err
}

// transitioned is what an event tells of a transition.
type transitioned struct {
	Op      string              `json:"op"`
	Session string              `json:"session"`
	Version int64               `json:"version"`
	Epoch   int64               `json:"epoch"`
	Turn    int64               `json:"turn"`
	Events  []app.ReminderEvent `json:"events"`
}

// tell counts what happened to reminders, and tells those who listen. What was done
// before isn't told again.
func (s *session) tell(answer any) {
	t := transitioned{Op: strings.TrimPrefix(s.op, "session-"), Events: []app.ReminderEvent{}}
	var meta *app.SessionMeta
	switch a := answer.(type) {
	case *app.Started:
		meta = &a.Meta
	case *app.Turn:
		meta, t.Events = &a.Meta, append(t.Events, a.Events...)
	case *app.Changed:
		meta, t.Events = &a.Meta, append(t.Events, a.Events...)
	case *app.Forked:
		meta, t.Events = &a.Meta, append(t.Events, a.Events...)
	case *app.Billed:
		meta = &a.Meta
		if read := a.Usage.Read; read != nil && a.Usage.Input > 0 && !a.Replayed {
			s.s.metrics.prefix.Observe(float64(*read) / float64(a.Usage.Input))
		}
	case *app.Rematerialised:
		meta, t.Events = &a.Meta, append(t.Events, a.Events...)
	default:
		panic(fmt.Sprintf("serve: a transition answers with a %T", answer))
	}
	s.conversed(s.id, answer)
	if meta.Replayed {
		return
	}
	t.Session, t.Version, t.Epoch, t.Turn = meta.Session, meta.Version, meta.Epoch, meta.Turn
	for _, e := range t.Events {
		s.s.metrics.reminders.WithLabelValues(string(e.Event)).Inc()
	}
	s.s.events.tell("session.transition", s.project, t.Session, t)
}

// sessionOptions are what the headers ask for: a version, and to be done once.
func (x *exchange) sessionOptions() (o app.SessionOptions, err error) {
	if o.Key = x.r.Header.Get("Idempotency-Key"); len(o.Key) > 200 || strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return o, refused(http.StatusBadRequest, WrongHeader, "the Idempotency-Key isn't a word of up to 200 visible characters of ASCII", "take a UUID")
	}
	version := strings.Trim(strings.TrimSpace(x.r.Header.Get("If-Match")), `"`)
	if version == "" || version == "*" {
		return o, nil
	}
	if o.Expect, err = strconv.ParseInt(version, 10, 64); err != nil || o.Expect < 1 {
		return o, refused(http.StatusBadRequest, WrongHeader, "If-Match isn't the version of a session", "it is a number from 1 on, as answers tell it")
	}
	return o, nil
}

// begun refuses a version where a session begins.
func (x *exchange) begun(o app.SessionOptions) error {
	if o.Expect != 0 {
		return refused(http.StatusBadRequest, WrongHeader, "If-Match names the version of a session, and this one begins", "leave it out")
	}
	return nil
}
