package serve

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento/internal/terminal"
)

// keptEvents is how many events a client can ask for that comes again.
const keptEvents = 1000

// maxBehind is how many events a client may be behind before it is let go: it comes
// again, and asks for what it missed.
const maxBehind = 256

// event is something that happened in this process.
type event struct {
	// id counts from 1; of another process the same number is another event, which run
	// tells apart.
	id      int64
	kind    string
	project string
	session string
	data    []byte
}

// events are the last ones, and those who listen.
type events struct {
	run string

	mu        sync.Mutex
	last      int64
	kept      []event
	listeners map[chan event]bool
	closed    bool
}

func newEvents() *events {
	return &events{run: newID()[:8], listeners: map[chan event]bool{}}
}

// tell adds an event and hands it to who listens.
func (e *events) tell(kind, project, session string, data any) {
	b := bytes.TrimSuffix(spelled(func(w *terminal.Writer) { w.JSONLine(data) }), []byte("\n"))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.last++
	ev := event{e.last, kind, project, session, b}
	if e.kept = append(e.kept, ev); len(e.kept) > keptEvents {
		e.kept = slices.Delete(e.kept, 0, len(e.kept)-keptEvents)
	}
	for c := range e.listeners {
		select {
		case c <- ev:
		default: // too far behind
			delete(e.listeners, c)
			close(c)
		}
	}
}

// listen gives the events behind the one that a client names, and those to come. reset
// tells that some of them aren't kept any more, or that the name is of another process.
func (e *events) listen(after string) (missed []event, reset bool, coming chan event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	coming = make(chan event, maxBehind)
	if e.closed {
		close(coming)
		return nil, false, coming
	}
	e.listeners[coming] = true
	if after == "" {
		return nil, false, coming
	}
	run, number, ok := cut(after)
	switch {
	case !ok || run != e.run || number > e.last:
		return nil, true, coming
	case number == e.last:
		return nil, false, coming
	case number < e.last-int64(len(e.kept)):
		return slices.Clone(e.kept), true, coming
	}
	return slices.Clone(e.kept[int64(len(e.kept))-(e.last-number):]), false, coming
}

func (e *events) leave(c chan event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners[c] {
		delete(e.listeners, c)
		close(c)
	}
}

// close lets all listeners go.
func (e *events) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for c := range e.listeners {
		delete(e.listeners, c)
		close(c)
	}
}

func (e *events) id(n int64) string { return e.run + "-" + strconv.FormatInt(n, 10) }

func cut(id string) (run string, number int64, ok bool) {
	for i := range id {
		if id[i] == '-' {
			n, err := strconv.ParseInt(id[i+1:], 10, 64)
			return id[:i], n, err == nil && n >= 0
		}
	}
	return "", 0, false
}

// heartbeat is how often a stream without events says that it is there.
const heartbeat = 15 * time.Second

// mostStreams is how many clients may listen at once.
const mostStreams = 256

func eventRoutes() []route {
	return []route{{
		method: http.MethodGet, path: "/v1/events", op: "events", short: "what happens to sessions and to the files of projects, as server-sent events; Last-Event-ID goes on behind one, and an event reset says that some are missed",
		tag: "events", scope: ScopeRead, free: true, kind: "text/event-stream",
		query:  []param{{"project", "of this project alone"}, {"session", "of this session alone"}},
		header: []param{{"Last-Event-ID", "the id of the last event that came"}}, handle: streamEvents,
	}}
}

// streamEvents sends what happens to the sessions and projects that the token reads, for as long as
// the client listens, the token is known and the service runs.
func streamEvents(x *exchange) error {
	q := x.r.URL.Query()
	project, session := q.Get("project"), q.Get("session")
	if project != "" {
		if _, err := x.project(project, ScopeRead); err != nil {
			return err
		}
	}
	if session != "" {
		if err := x.reads(session); err != nil {
			return err
		}
	}
	if x.s.streams.Add(1) > mostStreams {
		x.s.streams.Add(-1)
		return x.s.gate.full()
	}
	defer x.s.streams.Add(-1)
	x.s.metrics.streams.Inc()
	defer x.s.metrics.streams.Dec()
	missed, reset, coming := x.s.events.listen(x.r.Header.Get("Last-Event-ID"))
	defer x.s.events.leave(coming)
	wanted := func(e event) bool {
		visible := e.session == "" && x.token.permits(ScopeRead, e.project) || e.session != "" && x.reads(e.session) == nil
		return visible && (project == "" || e.project == project) && (session == "" || e.session == session)
	}
	_ = http.NewResponseController(x.w).SetReadDeadline(time.Time{}) // where a connection takes none, nothing waits for it
	x.w.Header().Set("Content-Type", "text/event-stream")
	x.w.WriteHeader(http.StatusOK)
	send := func(text string) error {
		c := http.NewResponseController(x.w)
		_ = c.SetWriteDeadline(time.Now().Add(mostTime)) // else the one there is holds
		if _, err := io.WriteString(x.w, text); err != nil {
			return err
		}
		return c.Flush()
	}
	tell := func(e event) error {
		return send("id: " + x.s.events.id(e.id) + "\nevent: " + e.kind + "\ndata: " + string(e.data) + "\n\n")
	}
	begin := ": listening\n\n"
	if reset {
		begin += "event: reset\ndata: {}\n\n"
	}
	if send(begin) != nil {
		return nil // nobody listens
	}
	for _, e := range missed {
		if wanted(e) && tell(e) != nil {
			return nil
		}
	}
	beat := time.NewTicker(cmp.Or(x.s.config.beat, heartbeat))
	defer beat.Stop()
	_, secret, _ := strings.Cut(x.r.Header.Get("Authorization"), " ")
	for {
		select {
		case <-x.r.Context().Done():
			return nil
		case e, ok := <-coming:
			if !ok || wanted(e) && tell(e) != nil {
				return nil
			}
		case <-beat.C:
			if x.s.who(strings.TrimSpace(secret)) == nil || send(": here\n\n") != nil {
				return nil
			}
		}
	}
}
