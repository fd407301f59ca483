package serve

import (
	"context"
	"errors"
	"net/http"
	"path"
	"path/filepath"
	"reflect"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// How many records an answer has, unless a request says so, and at most.
const (
	someRecords = 50
	mostRecords = 500
)

// recordRoutes are those about what was recorded.
func recordRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/records", op: "records", short: "what was recorded, the newest first; with text, where it stands", tag: "records", scope: ScopeRead,
			query: []param{
				{"session", "of this session alone"}, {"text", "a text that the prompt holds"}, {"since", "from this time on, RFC 3339"}, {"until", "before this time"},
				{"limit", "how many at most"}, {"cursor", "next of the answer before"},
			},
			answers: reflect.TypeFor[RecordsAnswer](), less: askFewer, handle: listRecords,
		},
		{
			method: http.MethodGet, path: "/v1/records/diff", op: "records-diff", short: "what is different between two records", tag: "records", scope: ScopeRead,
			query: []param{{"a", "a record, by its hash or as SESSION@NUMBER"}, {"b", "another"}}, answers: reflect.TypeFor[cento.Difference](), less: bothPrompts, handle: diffRecords,
		},
		{method: http.MethodGet, path: "/v1/records/{record}", op: "record", short: "a record, by its hash or as SESSION@NUMBER", tag: "records", scope: ScopeRead, answers: reflect.TypeFor[app.ShownRecord](), handle: showRecord},
		{method: http.MethodGet, path: "/v1/records/{record}/replay", op: "record-replay", short: "make the prompt of a record again, of nothing but its input", tag: "records", scope: ScopeRead, answers: reflect.TypeFor[app.Replay](), handle: replayRecord},
		{
			method: http.MethodGet, path: "/v1/export", op: "export", short: "sessions and records as JSON lines, as cento log import reads them", tag: "records", scope: ScopeRead,
			query: []param{{"session", "this session alone"}}, kind: "application/x-ndjson", long: true, handle: exportRecords,
		},
	}
}

// RecordsAnswer lists records, or where a text was found.
type RecordsAnswer struct {
	Records []app.Summary `json:"records,omitempty"`
	// Found is the answer to a search; null where no text was looked for.
	Found *app.RecordSearch `json:"found,omitempty"`
	// Next is the cursor of what comes behind; empty at the end.
	Next string `json:"next"`
}

// readable are the projects whose sessions a token reads; nil for any.
func (x *exchange) readable() []string { return x.token.projects(ScopeRead) }

// log are the records of the projects that the token reads.
func (x *exchange) log() *app.Log {
	projects := x.readable()
	of := app.Projects{Any: projects == nil}
	if len(projects) > 0 {
		of.Name, of.Also = projects[0], projects[1:]
	}
	return x.s.store.Log(of)
}

// label replaces a path in place of a project by the name of its folder, unless the service
// shows paths.
func (x *exchange) label(project *string) {
	if !x.s.config.ShowPaths {
		*project = path.Base(filepath.ToSlash(*project))
	}
	if *project == "." {
		*project = ""
	}
}

// recordQuery is what the parameters ask for.
func (x *exchange) recordQuery() (q app.RecordQuery, err error) {
	given := x.r.URL.Query()
	if q.Session = given.Get("session"); q.Session != "" {
		if err := x.reads(q.Session); err != nil {
			return q, err
		}
	}
	q.Projects = x.readable()
	for name, to := range map[string]*time.Time{"since": &q.Since, "until": &q.Until} {
		text := given.Get(name)
		if text == "" {
			continue
		}
		if *to, err = time.Parse(time.RFC3339, text); err != nil {
			return q, refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" isn't a time", "write it as 2026-01-02T15:04:05Z")
		}
	}
	return q, x.recordPage(&q)
}

// recordPage is how many records the parameters ask for, and behind which.
func (x *exchange) recordPage(q *app.RecordQuery) (err error) {
	if q.Limit, err = x.number("limit", someRecords, mostRecords); err != nil {
		return err
	}
	if text := x.r.URL.Query().Get("cursor"); text != "" {
		ref := app.ParseRecordRef(text)
		if ref.Seq == 0 || x.reads(ref.Session) != nil || q.Session != "" && ref.Session != q.Session {
			return refused(http.StatusBadRequest, "value.invalid", "the parameter cursor isn't the next of an answer", "take it from the answer before, to the same question")
		}
		q.Before = app.Stored{Session: ref.Session, Link: app.RecordLink{Seq: ref.Seq}}
	}
	return nil
}

func listRecords(x *exchange) error {
	q, err := x.recordQuery()
	if err != nil {
		return err
	}
	log := x.log()
	var out RecordsAnswer
	if text := x.r.URL.Query().Get("text"); text != "" {
		out.Found, err = stored(x, "search", func(ctx context.Context) (*app.RecordSearch, error) {
			return log.Search(ctx, app.SearchQuery{Text: text, RecordQuery: q})
		})
		if err != nil {
			return x.hidden(err, q.Session)
		}
		for i := range out.Found.Matches {
			x.label(&out.Found.Matches[i].Project)
		}
		if n := len(out.Found.Matches); out.Found.More && n > 0 {
			last := out.Found.Matches[n-1]
			out.Next = app.RecordRef{Session: last.Session, Seq: last.Seq}.String()
		}
	} else {
		if out.Records, out.Next, err = x.recordsOf(q); err != nil {
			return err
		}
	}
	return x.reply(out)
}

// recordsOf are records, the newest first, with the cursor of what comes behind.
func (x *exchange) recordsOf(q app.RecordQuery) (list []app.Summary, next string, err error) {
	limit := q.Limit
	q.Limit++ // whether there are more
	list, err = stored(x, "records", func(ctx context.Context) ([]app.Summary, error) { return x.log().Records(ctx, q) })
	if err != nil {
		return nil, "", x.hidden(err, q.Session)
	}
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		next = app.RecordRef{Session: last.Session, Seq: last.Seq}.String()
	}
	for i := range list {
		x.label(&list[i].Project)
	}
	return list, next, nil
}

// recordNamed is the record of a name, if the token reads it. One that it doesn't read
// isn't there.
func (x *exchange) recordNamed(name string) (ref app.RecordRef, err error) {
	if ref = app.ParseRecordRef(name); ref.Seq == 0 {
		ref, err = stored(x, "record_by_hash", func(ctx context.Context) (app.RecordRef, error) { return x.log().ByHash(ctx, name) })
		if status, _ := statusOf(err); err != nil && status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
			return ref, noRecord(name)
		} else if err != nil {
			return ref, err
		}
	}
	if _, err := stored(x, "session", func(ctx context.Context) (struct{}, error) { return struct{}{}, x.log().Reaches(ctx, ref.Session) }); ofNoSession(err) {
		return ref, noRecord(name)
	} else if err != nil {
		return ref, err
	}
	return ref, nil
}

func noRecord(name string) error {
	return refused(http.StatusNotFound, app.UnknownRecord, "there is no record "+asked(name, longestAsked), recordHint)
}

const recordHint = "name it by its hash, or as SESSION@NUMBER"

// gone is an error about a record that was named without the names of other sessions.
func gone(err error) error {
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == app.UnknownSession {
		return refused(http.StatusNotFound, app.UnknownRecord, e.Message, recordHint)
	}
	return err
}

func showRecord(x *exchange) error {
	ref, err := x.recordNamed(x.r.PathValue("record"))
	if err != nil {
		return err
	}
	rec, err := stored(x, "record", func(ctx context.Context) (*app.ShownRecord, error) { return x.log().Record(ctx, ref) })
	if err != nil {
		return gone(err)
	}
	x.label(&rec.Project)
	return x.reply(rec)
}

func replayRecord(x *exchange) error {
	ref, err := x.recordNamed(x.r.PathValue("record"))
	if err != nil {
		return err
	}
	out, err := stored(x, "replay", func(ctx context.Context) (*app.Replay, error) { return x.log().ReplayOne(ctx, ref) })
	if err != nil {
		return gone(err)
	}
	return x.reply(out)
}

func diffRecords(x *exchange) error {
	var refs [2]app.RecordRef
	for i, name := range []string{"a", "b"} {
		text := x.r.URL.Query().Get(name)
		if text == "" {
			return refused(http.StatusBadRequest, "key.missing", "the parameter "+name+" is missing", "name two records: a and b")
		}
		var err error
		if refs[i], err = x.recordNamed(text); err != nil {
			return err
		}
	}
	out, err := stored(x, "diff", func(ctx context.Context) (*app.Differing, error) { return x.log().Diff(ctx, refs[0], refs[1]) })
	if err != nil {
		return gone(err)
	}
	return x.reply(out.Difference)
}

// exportRecords streams what was recorded. Nothing is sent before there is something to
// send, so that what goes wrong at once is told.
func exportRecords(x *exchange) error {
	session := x.r.URL.Query().Get("session")
	if session != "" {
		if err := x.reads(session); err != nil {
			return err
		}
	}
	_, err := stored(x, "export", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, x.log().ExportOf(ctx, &ndjson{x: x}, session, x.readable())
	})
	return x.hidden(err, session)
}

// ndjson is an answer that is sent as it is made. The connection has to take it, but not
// all of it in the time of one request.
type ndjson struct{ x *exchange }

func (n *ndjson) Write(b []byte) (int, error) {
	if n.x.w.status == 0 {
		n.x.w.Header().Set("Content-Type", "application/x-ndjson")
	}
	_ = http.NewResponseController(n.x.w).SetWriteDeadline(time.Now().Add(mostTime)) // else the one there is holds
	return n.x.w.Write(b)
}
