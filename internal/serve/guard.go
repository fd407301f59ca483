package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cento-dev/cento"
)

// The limits of a request that nobody sets.
const (
	maxHeader  = 64 << 10
	mostTime   = 30 * time.Second // see [Server.most]
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// policy is what a page of this service may do: nothing but its own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// always are the headers of every answer, unless it sets them otherwise. Answers share
// the values, which have no room for another.
var always = http.Header{
	"Content-Security-Policy":      {policy},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"X-Frame-Options":              {"DENY"},
	"Cache-Control":                {"no-store"},
}

// guard stands before all routes: it names the request, keeps what doesn't belong here
// out, and sees to an end of it that somebody can read.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{s: s, r: r, w: &counted{ResponseWriter: w}, id: newID(), began: time.Now()}
		h := w.Header()
		maps.Copy(h, always)
		h.Set("X-Request-Id", x.id)
		defer x.finish()
		defer x.recover()
		if err := s.allowed(r); err != nil {
			// What is left of the body is nobody's, so the connection isn't used again.
			h.Set("Connection", "close")
			x.fail(err)
			return
		}
		next.ServeHTTP(x.w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	})
}

type exchangeKey struct{}

// allowed says what is wrong with where a request comes from and what it asks for; nil
// for nothing.
func (s *Server) allowed(r *http.Request) error {
	if !s.names.has(r.Host) {
		return misdirected()
	}
	for _, name := range [...]string{"Authorization", "Content-Type", "Origin", "If-Match", "Idempotency-Key", "Last-Event-Id", "Content-Encoding"} {
		if len(r.Header[name]) > 1 {
			return refused(http.StatusBadRequest, WrongHeader, "the header "+name+" stands twice", "send it once")
		}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return refused(http.StatusForbidden, WrongOrigin, "a page of another site asks", "")
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && site != "none" {
		return refused(http.StatusForbidden, WrongOrigin, "a page of another site asks", "")
	}
	if p := r.URL.Path; p == "" || p[0] != '/' || p != "/" && path.Clean(p) != p {
		return notFound(p, "")
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return refused(http.StatusUnsupportedMediaType, WrongType, "a body is taken as it is, and not in another encoding", "leave Content-Encoding out")
	}
	return nil
}

func misdirected() error {
	return refused(http.StatusMisdirectedRequest, WrongHost, "this service doesn't go by the name of the request", "allow it with --allow-host")
}

// notFound is what is said of an address that leads nowhere; near is one that does, or
// empty.
func notFound(path, near string) error {
	hint := "GET /openapi.json tells what there is"
	if near != "" {
		hint = meant(near)
	}
	return refused(http.StatusNotFound, NotFound, "there is nothing at "+asked(path, longestAsked), hint)
}

// names are what a listener goes by.
type names struct {
	hosts    []string // that were allowed, in lower case
	listens  netip.Addr
	port     int
	loopback bool
}

// namesOf are those of a listener.
func namesOf(l net.Listener, hosts []string) names {
	at := l.Addr().(*net.TCPAddr).AddrPort()
	return names{hosts, at.Addr().Unmap(), int(at.Port()), at.Addr().Unmap().IsLoopback()}
}

// has reports whether a request may be for a host: one that was allowed by name, or an
// address that is listened on. A name that anybody may let lead here isn't one of them.
func (s *names) has(host string) bool {
	name, port := host, ""
	if h, p, err := net.SplitHostPort(host); err == nil {
		name, port = h, p
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if slices.Contains(s.hosts, name) {
		return true
	}
	if port != "" && port != strconv.Itoa(s.port) {
		return false
	}
	if name == "localhost" {
		return s.loopback
	}
	at, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	return at.Unmap() == s.listens || s.listens.IsUnspecified() || s.loopback && at.IsLoopback()
}

// gate lets so many requests in at once, lets as many wait, and turns the others away.
type gate struct {
	slots   chan struct{}
	waiting atomic.Int64
}

func newGate(most int) *gate { return &gate{slots: make(chan struct{}, most)} }

// enter waits for a place. Who got one has to leave.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > int64(cap(g.slots)) {
		return g.full()
	}
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return g.full()
	}
}

func (g *gate) full() error {
	return &problem{status: http.StatusTooManyRequests, retry: 1, err: &cento.SourceError{
		Code: Busy, Message: "more requests are under way than the service takes at once", Hint: "ask again a little later",
	}}
}

func (g *gate) leave() { <-g.slots }

// move gives a request a place behind another gate, and its place up that it had: who
// turns to the store is counted by that from then on. So a store that doesn't answer keeps
// those waiting who asked it, and nobody who is answered out of memory.
func (x *exchange) move(ctx context.Context, to *gate) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.place == to || !x.gated {
		return nil
	}
	if x.place != nil {
		x.place.leave()
		x.place = nil
	}
	if err := to.enter(ctx); err != nil {
		return err
	}
	x.place = to
	return nil
}

// leave gives up the place of a request.
func (x *exchange) leave() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.place != nil {
		x.place.leave()
		x.place = nil
	}
}

// recover ends a request at which the program made a mistake. The client is told that
// it did, the log how.
func (x *exchange) recover() {
	bug := recover()
	if bug == nil {
		return
	}
	if bug == http.ErrAbortHandler { //nolint:errorlint // it is handed over by panic, as it is
		panic(bug)
	}
	x.s.metrics.panics.Inc()
	x.s.log.Error("a mistake in the program", "request", x.id, "panic", fmt.Sprint(bug), "stack", string(debug.Stack()))
	x.failed = true
	if x.w.status == 0 {
		x.fail(fmt.Errorf("a mistake in the program"))
		return
	}
	panic(http.ErrAbortHandler) // an answer that began can't be taken back
}

// finish counts and logs a request that has ended. The log has neither what was asked
// nor what was answered.
func (x *exchange) finish() {
	x.end()
	took := time.Since(x.began)
	op := x.op
	if op == "" {
		op = "none"
	}
	status := x.w.status
	x.s.metrics.requests.WithLabelValues(op, strconv.Itoa(status)).Inc()
	x.s.metrics.seconds.WithLabelValues(op).Observe(took.Seconds())
	level := slog.LevelInfo
	if op == "health" || op == "ready" || op == "metrics" {
		level = slog.LevelDebug
	}
	if status >= 500 {
		level = slog.LevelError
	}
	who := ""
	if x.token != nil {
		who = x.token.name
	}
	x.s.log.LogAttrs(context.Background(), level, "request", slog.String("request", x.id), slog.String("op", op), slog.Int("status", status),
		slog.String("code", string(x.code)), slog.Int64("bytes", x.w.bytes), slog.Int64("ms", took.Milliseconds()), slog.String("token", who))
}

// counted is where an answer goes, with what was sent of it. It takes no more bytes than
// an answer may have.
type counted struct {
	http.ResponseWriter
	status int
	bytes  int64
	most   int  // bytes; 0: any number
	over   bool // more were to be written
}

// longest is how many bytes an answer may have.
func (c *counted) longest() int {
	if c.most == 0 {
		return math.MaxInt
	}
	return c.most
}

func (c *counted) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(b []byte) (int, error) {
	if c.bytes+int64(len(b)) > int64(c.longest()) {
		c.over = true
		return 0, errAnswer
	}
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// errAnswer tells whoever writes an answer that it is longer than it may be.
var errAnswer = errors.New("the answer is longer than it may be")

// Unwrap lets deadlines through to the connection.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// newID names a request.
func newID() string {
	var b [12]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
