package serve

import (
	"net/http"
	"slices"
	"unsafe"

	"github.com/cento-dev/cento/internal/app"
)

// Timeline is a session as it stands, with what was recorded of it.
type Timeline struct {
	Session *app.Shown `json:"session"`
	// Records are the oldest first: the newest, as many as were asked for.
	Records []app.Summary `json:"records"`
	// Next is the cursor of those before; empty where there are none.
	Next string `json:"next"`
}

func showSession(x *exchange) error {
	s, err := x.inStore(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	out, err := s.Show(x.r.Context(), s.id)
	if err != nil {
		return s.hidden(err, s.id)
	}
	x.veil(&out.Parent)
	x.label(&out.Project)
	return x.reply(out)
}

// showPrompt answers with the bytes of a prompt, which come out of memory where this
// process has used them.
func showPrompt(x *exchange) error {
	s, err := x.inStore(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	text, digest, err := s.Text(x.r.Context(), s.id)
	switch {
	case err != nil:
		return s.hidden(err, s.id)
	case digest == "":
		x.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return x.send("text/plain; charset=utf-8", unsafe.Slice(unsafe.StringData(text), len(text)), digest) // which it only reads
}

// showCache reads what the project says of models and requests, where it is served.
func showCache(x *exchange) error {
	s, err := x.onSession(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	out, err := s.Cache(x.r.Context(), s.id, app.CacheOptions{Model: x.r.URL.Query().Get("model")})
	if err != nil {
		return s.hidden(err, s.id)
	}
	return x.reply(out)
}

func showTimeline(x *exchange) error {
	s, err := x.inStore(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	shown, err := s.Show(x.r.Context(), s.id)
	if err != nil {
		return s.hidden(err, s.id)
	}
	q := app.RecordQuery{Session: s.id}
	if err := x.recordPage(&q); err != nil {
		return err
	}
	list, next, err := x.recordsOf(q)
	if err != nil {
		return err
	}
	x.veil(&shown.Parent)
	x.label(&shown.Project)
	slices.Reverse(list)
	return x.reply(Timeline{shown, list, next})
}
