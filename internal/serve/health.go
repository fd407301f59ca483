package serve

import (
	"context"
	"net/http"
	"strings"
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
	if x.s.draining.Load() {
		return &problem{status: http.StatusServiceUnavailable, err: &cento.SourceError{Code: Draining, Message: "the service is about to end"}}
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), 5*time.Second)
	defer cancel()
	if err := x.s.store.Reach(ctx); err != nil {
		return err
	}
	return x.reply(Health{OK: true})
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
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		x := &exchange{s: s, r: r, w: &counted{ResponseWriter: w}, id: newID(), began: s.config.Now()}
		defer x.recover()
		if r.Header.Get("Origin") != "" || strings.EqualFold(r.Header.Get("Sec-Fetch-Site"), "cross-site") {
			x.fail(refused(http.StatusForbidden, WrongOrigin, "a page of another site asks", ""))
			return
		}
		switch {
		case r.Method != http.MethodGet:
			x.fail(refused(http.StatusMethodNotAllowed, WrongMethod, "the address takes GET", ""))
		case r.URL.Path == "/metrics":
			s.metrics.handler().ServeHTTP(x.w, r)
		case r.URL.Path == "/healthz":
			_ = healthy(x)
		case r.URL.Path == "/readyz":
			if err := ready(x); err != nil {
				x.fail(err)
			}
		default:
			x.fail(notFound())
		}
	})
}
