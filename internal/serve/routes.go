package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

// route is a row of the table of what this service answers. What a client sees of it
// in the OpenAPI document is what the program goes by.
type route struct {
	method, path string
	// op names it, in the document, in metrics and in logs.
	op, short, tag string
	// scope is what the token needs; empty: nobody is asked for one.
	scope Scope
	// request is the schema of the body: a name of the requests' schemas, or a type;
	// nil for no body.
	request any
	// query are the parameters that the address may have, beside those of a what-if.
	query  []param
	whatIf bool
	header []param
	// answers is the type of the answer; nil: kind says what it is.
	answers reflect.Type
	kind    string
	// free: it takes no place among the requests under way, and no time is set.
	free bool
	// long: it takes as long as the client reads, and its time is that of each piece. Its
	// answer has no bound, since none of it is kept.
	long bool
	// less says how to ask for a shorter answer; empty: by a shorter request.
	less   string
	handle func(*exchange) error
}

// param is a parameter of an address, or a header.
type param struct{ name, about string }

// exchange is one request with its answer.
type exchange struct {
	s     *Server
	r     *http.Request
	w     *counted
	id    string
	began time.Time
	// op is the route, less how to ask it for less, changes whether it changes something,
	// and token who asks; nil for nobody.
	op, less string
	changes  bool
	token    *token
	code     cento.ErrorCode
	failed   bool
	span     trace.Span // nil for none

	arrived arrived

	mu sync.Mutex
	// gated: it takes a place among the requests under way; place is where it has one.
	gated bool
	place *gate
}

// register puts routes on the mux.
func (s *Server) register(routes []route) {
	for _, r := range routes {
		s.mux.HandleFunc(r.method+" "+r.path, func(_ http.ResponseWriter, req *http.Request) {
			x := req.Context().Value(exchangeKey{}).(*exchange)
			x.r = req
			x.answer(&r)
		})
	}
}

// anywhere is the pattern of what no route has.
const anywhere = "/"

// lost answers a request that has no route, as a problem is. Whether an address leads
// anywhere is for those to know who have a token.
func (s *Server) lost(w http.ResponseWriter, r *http.Request) {
	x := r.Context().Value(exchangeKey{}).(*exchange)
	if err := x.authenticate(); err != nil {
		x.fail(err)
		return
	}
	var methods []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := s.mux.Handler(other); pattern != anywhere {
			methods = append(methods, m)
		}
	}
	if len(methods) == 0 {
		x.fail(notFound(r.URL.Path, s.nearPath(r.URL.Path)))
		return
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	x.fail(wrongMethod(r.Method, methods...))
}

// answer takes a request through what all routes have in common.
func (x *exchange) answer(r *route) {
	x.op, x.less = r.op, r.less
	if x.changes = r.scope == ScopeWrite; !r.long && !r.free {
		x.w.most = x.s.answer
	}
	x.s.tracing.begin(x, r)
	if err := x.enter(r); err != nil {
		x.fail(err)
	}
}

func (x *exchange) enter(r *route) error {
	if err := x.knownQuery(r); err != nil {
		return err
	}
	if r.scope != "" {
		if err := x.authenticate(); err != nil {
			return err
		}
		if !x.token.permits(r.scope, "") {
			return forbidden(r.scope)
		}
	}
	if r.scope == ScopeWrite && x.s.config.ReadOnly {
		return refused(http.StatusForbidden, ReadOnlyService, "this service changes nothing", "it was started with --read-only")
	}
	if r.free {
		return r.handle(x)
	}
	if !x.s.work.begin() {
		x.w.Header().Set("Connection", "close")
		return draining()
	}
	defer x.s.work.end()
	ctx, cancel := context.WithTimeout(x.r.Context(), x.s.most)
	defer cancel()
	x.s.metrics.underWay.Inc()
	defer x.s.metrics.underWay.Dec()
	if r.method == http.MethodPost {
		x.receive(x.s.config.MaxBody, "hand less over, or start the service with a greater --max-body")
		defer x.forget()
	}
	x.gated = true
	if err := x.move(ctx, x.s.gate); err != nil {
		return err
	}
	defer x.leave()
	if r.long {
		_ = http.NewResponseController(x.w).SetReadDeadline(time.Time{}) // where a connection takes none, nothing waits for it
		return r.handle(x)
	}
	x.r = x.r.WithContext(ctx)
	return r.handle(x)
}

// authenticate finds out who asks. What is wrong with a token isn't told.
func (x *exchange) authenticate() error {
	kind, secret, _ := strings.Cut(x.r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		secret = ""
	}
	x.token = x.s.who(strings.TrimSpace(secret))
	if x.token == nil {
		x.w.Header().Set("WWW-Authenticate", `Bearer realm="cento"`)
		if secret != "" {
			return refused(http.StatusUnauthorized, Unauthorized, "no such token is let in here", "send the whole token as it was made, without its name or hash")
		}
		return refused(http.StatusUnauthorized, Unauthorized, "a token is needed", "send it as the header Authorization: Bearer TOKEN; never in an address")
	}
	return nil
}

func forbidden(s Scope) error {
	return refused(http.StatusForbidden, Forbidden, "the token isn't for this", "it needs the scope "+string(s))
}

// knownQuery refuses parameters that the route doesn't know, that stand twice, or that say
// nothing: a filter that isn't set would give all that there is. Those of a what-if are read
// as a body is.
func (x *exchange) knownQuery(r *route) error {
	if x.r.URL.RawQuery == "" || r.whatIf {
		return nil
	}
	q, err := queryOf(x.r)
	if err != nil {
		return err
	}
	var known []string
	for _, p := range r.query {
		known = append(known, p.name)
	}
	for _, name := range sortedKeys(q) {
		if !slices.Contains(known, name) {
			return unknownParam(name, known)
		}
		if len(q[name]) > 1 {
			return refused(http.StatusBadRequest, "key.duplicate", "the parameter "+name+" stands twice", "send it once")
		}
		if strings.TrimSpace(q.Get(name)) == "" {
			return refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" is blank", "leave "+name+" out, or say what it is")
		}
	}
	return nil
}

// project is the project of a name, for a token with a scope. One that isn't there and
// one that the token doesn't reach are told alike.
func (x *exchange) project(name string, s Scope) (*served, error) {
	for _, p := range x.s.projects {
		if p.name == name && x.reaches(name, s) == nil {
			return p, nil
		} else if p.name == name {
			return nil, x.reaches(name, s)
		}
	}
	return nil, x.noProject(name)
}

// reaches says why a token doesn't reach a project; nil where it does. Who has no scope
// there isn't told that it is there.
func (x *exchange) reaches(project string, s Scope) error {
	if x.token.permits(s, project) {
		return nil
	}
	if project != "" && x.knows(project) {
		return forbidden(s)
	}
	return x.noProject(project)
}

// knows reports whether the token may do something with a project, so that it may know of it.
func (x *exchange) knows(project string) bool {
	return slices.ContainsFunc([]Scope{ScopeRead, ScopeWrite, ScopeRender}, func(s Scope) bool { return x.token.permits(s, project) })
}

// noProject is what is said of a project that isn't there, and of one that the token
// doesn't reach, with the nearest of those that it does.
func (x *exchange) noProject(name string) error {
	var known []string
	for _, p := range x.s.projects {
		if x.knows(p.name) {
			known = append(known, p.name)
		}
	}
	hint := "GET /v1/projects lists those that the token reaches"
	if near := app.NearestName(name, known); near != "" {
		hint = meant(near)
	}
	return refused(http.StatusNotFound, UnknownProject, "there is no project "+asked(name, longestAsked), hint)
}

// nearPath is the address that was probably meant by one that leads nowhere: each piece
// that no route has there is the nearest that one has. It is empty where there is none.
func (s *Server) nearPath(path string) string {
	pieces := strings.Split(path, "/")
	var left [][]string
	for _, p := range s.paths {
		if of := strings.Split(p, "/"); len(of) == len(pieces) {
			left = append(left, of)
		}
	}
	for i, piece := range pieces {
		var known []string
		free := false
		for _, of := range left {
			known = append(known, of[i])
			free = free || strings.HasPrefix(of[i], "{")
		}
		if !free && !slices.Contains(known, piece) {
			piece = app.NearestName(piece, known)
			pieces[i] = piece
		}
		left = slices.DeleteFunc(left, func(of []string) bool { return of[i] != piece && !strings.HasPrefix(of[i], "{") })
	}
	if len(left) == 0 {
		return ""
	}
	if near := strings.Join(pieces, "/"); len(near) <= longestAsked {
		return near
	}
	return ""
}

// reply sends an answer in the form of the command line, with a digest of it by which a
// client asks whether it is still the same.
func (x *exchange) reply(v any) error {
	err := terminal.JSON(v, x.w.longest(), func(body []byte) error { return x.send("application/json", body, "") })
	if errors.Is(err, terminal.ErrTooLong) {
		return x.tooLong()
	}
	return err
}

// tooLong is the error of an answer that is longer than [call.MostAnswer]. A change was done
// by then.
func (x *exchange) tooLong() error {
	if x.changes {
		return refused(http.StatusUnprocessableEntity, call.AnswerTooLong, "it is done, and the answer would have more than "+itoa(x.w.most)+" bytes",
			"GET /v1/sessions/ID tells how the session stands, and GET /v1/sessions/ID/prompt its prompt")
	}
	return call.TooLong(x.w.most, x.less)
}

// send sends an answer. Its digest is its SHA-256 in hex, empty where nobody knows it
// yet.
func (x *exchange) send(kind string, body []byte, digest string) error {
	if len(body) > x.w.longest() {
		return x.tooLong()
	}
	h := x.w.Header()
	if x.r.Method == http.MethodGet && x.token != nil {
		if digest == "" {
			sum := sha256.Sum256(body)
			digest = hex.EncodeToString(sum[:])
		}
		tag := `"` + digest + `"`
		h.Set("ETag", tag)
		h.Set("Cache-Control", "private, no-cache")
		if matches(x.r.Header.Get("If-None-Match"), tag) {
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", itoa(len(body))) // else a long one goes in pieces, which costs both ends
	x.w.WriteHeader(http.StatusOK)
	defer x.sending(len(body))()
	_, _ = x.w.Write(body) // who asked has gone then, and the log has the bytes
	return nil
}

// matches reports whether a list of tags has one, as If-None-Match compares them.
func matches(list, tag string) bool {
	for _, t := range strings.Split(list, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}

// fail answers that something went wrong. What is the service's own failure goes to the
// log as well.
func (x *exchange) fail(err error) {
	x.w.most = 0         // what went wrong is short
	if x.w.status != 0 { // it began, and can't be taken back
		x.s.log.Error("an answer was cut off", "request", x.id, "op", x.op, "error", err.Error())
		panic(http.ErrAbortHandler)
	}
	p, retry := problemOf(err, x.id)
	x.code = p.Code
	if p.Status >= http.StatusInternalServerError && !x.failed {
		x.s.log.Error("failed", "request", x.id, "op", x.op, "code", string(p.Code), "error", err.Error())
	}
	if app.StoreFailed(p.Code) {
		x.s.metrics.storeErrors.WithLabelValues(string(p.Code)).Inc()
	}
	h := x.w.Header()
	if retry > 0 {
		h.Set("Retry-After", itoa(retry))
	}
	h.Set("Content-Type", "application/problem+json")
	x.w.WriteHeader(p.Status)
	_, _ = x.w.Write(p.encoded()) // who asked has gone then
}
