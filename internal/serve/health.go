package serve

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/cento-dev/cento"
)

// Health says whether the service is there, or ready.
type Health struct {
	OK bool `json:"ok"`
}

// healthy answers GET /healthz: the process answers.
func healthy(x *exchange) error { return x.reply(Health{OK: true}) }

// ready answers GET /readyz: the store is there, with tables of this release, which it
// was opened with, and the service isn't about to end.
func ready(x *exchange) error {
	if x.s.work.draining() {
		return draining()
	}
	// Nobody needs a token for this: so who asks at once shares one question to the store,
	// which is nobody's to take back.
	_, err, _ := x.s.reaching.Do("store", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(x.r.Context()), min(readyTime, x.s.most))
		defer cancel()
		return nil, x.s.store.Reach(ctx)
	})
	if err != nil {
		return err
	}
	return x.reply(Health{OK: true})
}

// readyTime is how long the store has to say that it is there.
const readyTime = 5 * time.Second

func draining() error {
	return &problem{status: http.StatusServiceUnavailable, retry: retryLater, err: &cento.SourceError{Code: Draining, Message: "the service is about to end"}}
}

// work counts the requests under way, and turns away those that come after the end has
// begun. The zero value lets them in.
type work struct {
	mu     sync.Mutex
	count  int
	ending chan struct{} // closed once none is left; nil before the end has begun
}

// begin reports whether a request is let in; it ends then with end.
func (w *work) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ending != nil {
		return false
	}
	w.count++
	return true
}

func (w *work) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count--; w.count == 0 && w.ending != nil {
		close(w.ending)
	}
}

// drain begins the end, once. What it gives is closed when no request is left.
func (w *work) drain() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = make(chan struct{})
	if w.count == 0 {
		close(w.ending)
	}
	return w.ending
}

func (w *work) draining() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending != nil
}

// tellMetrics answers GET /metrics. What is counted is of all projects.
func tellMetrics(x *exchange) error {
	if !x.token.everywhere(ScopeRead) {
		return forbidden(ScopeRead)
	}
	x.s.metrics.handler().ServeHTTP(x.w, x.r)
	return nil
}

// metricsHandler answers at the address for metrics, where nobody is asked for a token.
func (s *Server) metricsHandler() http.Handler {
	names := namesOf(s.aside, s.hosts)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		x := &exchange{s: s, r: r, w: &counted{ResponseWriter: w}, id: newID(), began: s.config.Now()}
		defer x.recover()
		site := r.Header.Get("Sec-Fetch-Site")
		switch {
		case !names.has(r.Host):
			x.fail(misdirected())
		case r.Header.Get("Origin") != "" || site != "" && site != "same-origin" && site != "none":
			x.fail(refused(http.StatusForbidden, WrongOrigin, "a page of another site asks", ""))
		case r.Method != http.MethodGet:
			x.fail(wrongMethod(r.Method, http.MethodGet))
		case r.URL.Path == "/metrics":
			s.metrics.handler().ServeHTTP(x.w, r)
		case r.URL.Path == "/healthz":
			_ = healthy(x)
		case r.URL.Path == "/readyz":
			if err := ready(x); err != nil {
				x.fail(err)
			}
		default:
			x.fail(notFound(r.URL.Path, ""))
		}
	})
}
