package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/singleflight"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/watch"
)

// The codes of what is wrong with how a service is to run.
const (
	// Open: anybody who reaches the address could ask.
	Open cento.ErrorCode = "serve.open"
	// WrongConfig: a setting can't be.
	WrongConfig cento.ErrorCode = "serve.config"
)

// Config says what a service serves, to whom, and within which bounds.
type Config struct {
	// Projects are served by their names.
	Projects []Project
	// Listen is the address, HOST:PORT. MetricsListen is another one for metrics and
	// health alone, where nobody is asked for a token; empty for none.
	Listen, MetricsListen string
	// Store is where sessions and records are.
	Store string
	// Tokens is the file of tokens; empty for Local alone.
	Tokens string
	// Local is the secret of the user's own token, which permits everything; empty for
	// none. Only loopback goes with it.
	Local string
	// ReadOnly refuses all that changes a store.
	ReadOnly bool
	// AllowHosts are names that the service goes by, besides its address.
	AllowHosts []string
	// MaxBody is how many bytes a body may have, MaxInFlight how many requests are
	// answered at once; 0: 16 MiB, and four for each processor.
	MaxBody     int64
	MaxInFlight int
	// ShowPaths tells where on disk projects are.
	ShowPaths bool
	// Env are the variables by which OpenTelemetry is set up, OTEL_*; nil for no traces.
	Env func(string) string
	// Log is where requests and failures are told; nil for nowhere.
	Log *slog.Logger
	// Now is the clock; nil: the system's.
	Now func() time.Time

	most, drain, beat time.Duration // by tests, for [mostTime], [drainTime] and [heartbeat]
	answer            int           // by tests, for [call.MostAnswer]
}

// Project is one that is served.
type Project struct {
	Name string
	// Request says how it is read, each time that it is.
	Request func() (app.Request, error)
}

// drainTime is how long requests under way have when the service ends.
const drainTime = 20 * time.Second

// keyTime is how long an idempotency key counts.
const keyTime = 24 * time.Hour

// Server is a service. It is made by [New], serves once, and is closed by its end.
type Server struct {
	config   Config
	projects []*served
	store    *app.Service
	engine   string
	log      *slog.Logger
	metrics  *metrics
	tracing  *tracing // nil for none
	mux      *http.ServeMux
	paths    []string // of the routes in the document
	// document answers GET /openapi.json, for which nobody needs a token: it is written
	// once, when somebody asks for it.
	document func() func(*exchange) error
	gate     *gate // of requests that ask no store, or not yet
	storing  *gate // of those that do: see [exchange.move]
	bodies   room  // for those that come
	answers  room  // for those that go
	reaching singleflight.Group
	events   *events
	work     work
	mcp      *mcpServers
	watcher  *watch.Watcher
	unwatch  func()        // ends the watching of files
	streams  atomic.Int64  // clients that listen to events
	most     time.Duration // that a request takes, its body included
	answer   int           // bytes that an answer may have
	drain    time.Duration // that requests under way have at the end
	known    atomic.Pointer[tokens]
	signIn   signIn

	hosts    []string // that were allowed
	listener net.Listener
	names    names        // what the service goes by there
	aside    net.Listener // for metrics; nil for none
}

// New checks how a service is to run, listens, opens the store and collects the
// projects. What it opened is closed by [Server.Serve], or here when it fails.
func New(ctx context.Context, c Config) (_ *Server, err error) {
	c.MaxBody, c.MaxInFlight = cmp.Or(c.MaxBody, 16<<20), cmp.Or(c.MaxInFlight, 4*runtime.GOMAXPROCS(0))
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Server{config: c, most: cmp.Or(c.most, mostTime), answer: cmp.Or(c.answer, call.MostAnswer), drain: cmp.Or(c.drain, drainTime), log: c.Log, metrics: newMetrics(), mux: http.NewServeMux(), events: newEvents()}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.gate, s.storing = newGate(c.MaxInFlight), newGate(c.MaxInFlight)
	s.bodies.open(&s.config)
	s.answers.open(&s.config)
	if err := s.Reload(); err != nil {
		return nil, err
	}
	if s.tracing, err = newTracing(ctx, &s.config); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.close() // the error that ends it is told
		}
	}()
	s.watcher = watch.New(watch.Options{Tell: func(err error) {
		s.log.Warn("the system can't tell of every changed file, so they are looked at every second", "reason", err)
	}})
	for _, p := range c.Projects {
		s.projects = append(s.projects, s.newServed(p))
	}
	slices.SortFunc(s.projects, func(a, b *served) int { return strings.Compare(a.name, b.name) })
	for _, p := range s.projects {
		if _, p.started, err = p.open(ctx, nil); err != nil {
			return nil, err
		}
	}
	access := app.Begins
	if c.ReadOnly {
		access = app.Reads
	}
	if s.store, err = app.OpenObserved(ctx, c.Store, app.ServiceOptions{Access: access, Tell: s.storeCall, Now: c.Now, Keys: keyTime}); err != nil {
		return nil, err
	}
	s.engine = s.store.Engine()
	s.metrics.registry.MustRegister(newOpen(s.store.Count, s.most))
	if err = s.listen(ctx); err != nil {
		return nil, err
	}
	s.mcp = newMCPServers(s)
	routes := s.routes()
	s.document = sync.OnceValue(func() func(*exchange) error {
		return sendAsset(page.Asset{Type: "application/json", Body: describe(routes)})
	})
	s.mux.HandleFunc(anywhere, s.lost)
	s.register(routes)
	for _, r := range routes {
		s.paths = append(s.paths, r.path)
	}
	s.register(inspectorRoutes())
	following, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() { defer close(done); s.follow(following) }()
	s.unwatch = func() { cancel(); <-done }
	return s, nil
}

// storeCall lets a request in to the store, and times its call.
func (s *Server) storeCall(ctx context.Context, call string) (context.Context, func(error), error) {
	if x, _ := ctx.Value(exchangeKey{}).(*exchange); x != nil {
		if err := x.move(ctx, s.storing); err != nil {
			return ctx, nil, err
		}
	}
	began := time.Now()
	system := "sqlite"
	if s.engine == "postgres" {
		system = "postgresql"
	}
	ctx, _, done := s.tracing.child(ctx, "store "+call, trace.SpanKindClient, attribute.String("db.system.name", system), attribute.String("db.operation.name", call))
	return ctx, func(err error) {
		done(err)
		s.metrics.store.WithLabelValues(call, s.engine).Observe(time.Since(began).Seconds())
	}, nil
}

// stored makes a call of the store that [app.Observer] isn't told of by itself.
func stored[T any](x *exchange, call string, do func(context.Context) (T, error)) (T, error) {
	ctx, done, err := x.s.storeCall(x.r.Context(), call)
	if err != nil {
		var none T
		return none, err
	}
	out, err := do(ctx)
	done(err)
	return out, err
}

// check refuses settings that can't be, or that would let anybody in.
func (s *Server) check() error {
	c := &s.config
	wrong := func(code cento.ErrorCode, hint, format string, args ...any) error {
		return &cento.SourceError{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil || host == "" || port == "" {
		return wrong(WrongConfig, "as in 127.0.0.1:7420", "%q is no address to listen on", c.Listen)
	}
	at, err := netip.ParseAddr(host)
	switch {
	case host == "localhost":
		at = netip.AddrFrom4([4]byte{127, 0, 0, 1})
		c.Listen = net.JoinHostPort(at.String(), port)
	case err != nil:
		return wrong(WrongConfig, "name the address of an interface, as in 127.0.0.1:7420 or 0.0.0.0:7420", "%q is no address of this machine", host)
	}
	if c.Tokens == "" && !at.IsLoopback() {
		return wrong(Open, "make tokens with cento serve token, and name their file with --tokens; or listen on 127.0.0.1", "%s can be reached from elsewhere, and there are no tokens", c.Listen)
	}
	if c.Tokens == "" && c.Local == "" {
		return wrong(Open, "name a file of tokens", "there are no tokens")
	}
	if c.MaxBody < 1 || c.MaxInFlight < 1 {
		return wrong(WrongConfig, "a number from 1 on", "the limits let nothing in")
	}
	if len(c.Projects) == 0 {
		return wrong(WrongConfig, "--project NAME=DIR", "there is no project to serve")
	}
	names := map[string]bool{}
	for _, p := range c.Projects {
		switch {
		case !validName(p.Name):
			return wrong(WrongConfig, "name it, as in --project web=DIR: "+nameForm, "%q is no name of a project", p.Name)
		case names[p.Name]:
			return wrong(WrongConfig, "name them, as in --project web=DIR", "two projects are called %q", p.Name)
		}
		names[p.Name] = true
	}
	for _, h := range c.AllowHosts {
		h = strings.ToLower(strings.TrimSuffix(h, "."))
		if h == "" || strings.ContainsAny(h, ":/*@ ") {
			return wrong(WrongConfig, "as in prompts.example.com", "%q is no name of a host", h)
		}
		s.hosts = append(s.hosts, h)
	}
	return nil
}

// Reload reads the file of tokens again. One that can't be used changes nothing.
func (s *Server) Reload() error {
	var list tokens
	if s.config.Tokens != "" {
		var err error
		if list, err = readTokens(s.config.Tokens); err != nil {
			return err
		}
	} else {
		list = tokens{localToken(s.config.Local)}
	}
	s.known.Store(&list)
	return nil
}

// localToken is that of the user who started the service.
func localToken(secret string) token {
	return token{name: "local", sum: sumOf(secret), grants: []grant{{scope: ScopeRead}, {scope: ScopeWrite}, {scope: ScopeRender}}}
}

// who is the token of a secret; nil for none.
func (s *Server) who(secret string) *token {
	return cmp.Or(s.known.Load().find(secret), s.signIn.find(secret, s.config.Now()))
}

// listen takes the addresses.
func (s *Server) listen(ctx context.Context) error {
	var lc net.ListenConfig
	taken := func(address string, err error) error {
		return &cento.SourceError{Code: WrongConfig, Message: "can't listen on " + address, Hint: "is another service there? --listen names another address", Err: err}
	}
	var err error
	if s.listener, err = lc.Listen(ctx, "tcp", s.config.Listen); err != nil {
		return taken(s.config.Listen, err)
	}
	s.names = namesOf(s.listener, s.hosts)
	if s.config.MetricsListen != "" {
		if s.aside, err = lc.Listen(ctx, "tcp", s.config.MetricsListen); err != nil {
			return taken(s.config.MetricsListen, err)
		}
	}
	return nil
}

// Address is where the service listens, for people.
func (s *Server) Address() string { return "http://" + s.listener.Addr().String() }

// MetricsAddress is where metrics are; empty where they have no address of their own.
func (s *Server) MetricsAddress() string {
	if s.aside == nil {
		return ""
	}
	return "http://" + s.aside.Addr().String()
}

// Handler is what answers requests.
func (s *Server) Handler() http.Handler { return s.guard(s.mux) }

// Serve answers until the context ends: then no new requests are taken, those under way
// have a while, and what was opened is closed. Its error is one of listening or closing.
func (s *Server) Serve(ctx context.Context) error {
	main := s.httpServer(s.Handler())
	servers := []*http.Server{main}
	failed := make(chan error, 2)
	go func() { failed <- main.Serve(s.listener) }()
	if s.aside != nil {
		aside := s.httpServer(s.metricsHandler())
		servers = append(servers, aside)
		go func() { failed <- aside.Serve(s.aside) }()
	}
	var err error
	ended := 0
	select {
	case <-ctx.Done():
	case err = <-failed:
		ended = 1
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.drain)
	defer cancel()
	done := s.work.drain()
	s.events.close()
	if err == nil {
		// Who comes meanwhile is told so, and to come again elsewhere.
		select {
		case <-done:
		case <-end.Done():
		}
	}
	for _, x := range servers {
		if x.Shutdown(end) != nil { // the time is over
			_ = x.Close()
		}
	}
	for range len(servers) - ended {
		if e := <-failed; err == nil && !errors.Is(e, http.ErrServerClosed) {
			err = e
		}
	}
	return errors.Join(err, s.close())
}

func (s *Server) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: min(headerTime, s.most), IdleTimeout: idleTime, ReadTimeout: s.most,
		WriteTimeout: 2 * s.most, // from the end of the headers; what is sent in pieces has a time for each
		ErrorLog:     slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// close lets go of what was opened.
func (s *Server) close() error {
	var errs []error
	if s.unwatch != nil {
		s.unwatch()
	}
	if s.watcher != nil {
		errs = append(errs, s.watcher.Close())
	}
	for _, l := range []net.Listener{s.listener, s.aside} {
		if l != nil {
			if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				errs = append(errs, err)
			}
		}
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	errs = append(errs, s.tracing.close())
	return errors.Join(errs...)
}
