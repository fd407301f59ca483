package serve_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// traces is a collector: what was sent to it, decoded.
type traces struct {
	t       *testing.T
	url     string
	mu      sync.Mutex
	refuse  int // this many requests first
	headers http.Header
	raw     []byte
	about   map[string]string
	spans   []*tracepb.Span
}

func collect(t *testing.T) *traces {
	t.Helper()
	c := &traces{t: t, about: map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

func (c *traces) take(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refuse > 0 {
		c.refuse--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		var unzip *gzip.Reader
		if unzip, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, err = io.ReadAll(unzip)
		}
	}
	var data tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &data)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" || len(data.ProtoReflect().GetUnknown()) > 0 {
		c.t.Errorf("what came to %s as %s isn't traces: %v", r.URL.Path, r.Header.Get("Content-Type"), err)
	}
	c.headers, c.raw = r.Header, append(c.raw, body...)
	for _, rs := range data.ResourceSpans {
		for k, v := range attributes(rs.Resource.Attributes) {
			c.about[k] = v
		}
		for _, ss := range rs.ScopeSpans {
			c.spans = append(c.spans, ss.Spans...)
		}
	}
}

func attributes(list []*commonpb.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		switch v := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			out[a.Key] = v.StringValue
		default:
			out[a.Key] = strings.Trim(strings.SplitN(a.Value.String(), ":", 2)[1], `" `)
		}
	}
	return out
}

// named are the spans of a name.
func (c *traces) named(name string) (out []*tracepb.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

// one is the only span of a name.
func (c *traces) one(name string) (*tracepb.Span, map[string]string) {
	c.t.Helper()
	list := c.named(name)
	if len(list) != 1 {
		c.t.Fatalf("%d spans %q", len(list), name)
	}
	return list[0], attributes(list[0].Attributes)
}

// traced is a service whose traces go to a collector.
func traced(t *testing.T, place string, c *traces, more map[string]string) *service {
	t.Helper()
	return start(t, place, func(config *serve.Config) {
		config.Env = func(name string) string {
			if name == "OTEL_EXPORTER_OTLP_ENDPOINT" {
				return c.url
			}
			return more[name]
		}
	})
}

// TestTraces: each request with a route is a span below the one that its client names,
// with one for what is assembled and one for each call of the store; which prompt it was
// is told, what it says isn't.
func TestTraces(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		c := collect(t)
		c.refuse = 1 // it is sent again
		s := traced(t, place, c, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20secret,team=web", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"})
		const parent, above = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
		const traceparent = "00-" + parent + "-" + above + "-01"
		made := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/assemble", `{"model": "claude-sonnet-4-5"}`, "traceparent", traceparent)
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/explain?tokens=true", "", "traceparent", "nonsense")
		begun := s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
		s.want(http.StatusNotFound, http.MethodGet, "/v1/sessions/web:none", "")
		s.want(http.StatusOK, http.MethodGet, "/healthz", "")
		s.want(http.StatusOK, http.MethodGet, "/metrics", "")
		must(t, s.stop()) // which sends what is left

		if c.about["service.name"] != "cento" || c.about["service.version"] != app.Version() {
			t.Errorf("they are told to be of %v", c.about)
		}
		if c.headers.Get("api-key") != "a secret" || c.headers.Get("team") != "web" {
			t.Errorf("the collector got the headers %v", c.headers)
		}
		request, about := c.one("POST /v1/projects/{project}/assemble")
		if hex.EncodeToString(request.TraceId) != parent || hex.EncodeToString(request.ParentSpanId) != above || request.Kind != tracepb.Span_SPAN_KIND_SERVER {
			t.Errorf("the span isn't below that of the client: %v", request)
		}
		if about["http.route"] != "/v1/projects/{project}/assemble" || about["http.response.status_code"] != "200" || about["cento.request.id"] != made.Header.Get("X-Request-Id") {
			t.Errorf("of the request: %v", about)
		}
		below := func(name string, of *tracepb.Span) (*tracepb.Span, map[string]string) {
			t.Helper()
			for _, x := range c.named(name) {
				if bytes.Equal(x.ParentSpanId, of.SpanId) {
					if x.StartTimeUnixNano < of.StartTimeUnixNano || x.EndTimeUnixNano > of.EndTimeUnixNano {
						t.Errorf("%s isn't within its request", name)
					}
					return x, attributes(x.Attributes)
				}
			}
			t.Fatalf("no span %q below %q", name, of.Name)
			return nil, nil
		}
		_, of := below("assemble", request)
		if of["gen_ai.request.model"] != "claude-sonnet-4-5" || of["cento.prompt.digest"] != field(t, made.body, "digest") || of["cento.input.digest"] != made.Header.Get("Cento-Input-Digest") || of["cento.project"] != "web" {
			t.Errorf("of the assembly: %v", of)
		}
		explain, _ := c.one("GET /v1/projects/{project}/explain")
		if len(explain.ParentSpanId) != 0 {
			t.Error("what isn't a traceparent is one")
		}
		if _, of := below("explain", explain); of["cento.fragments.included"] != "3" || of["cento.prompt.tokens"] == "" {
			t.Errorf("of the explanation: %v", of)
		}
		start, about := c.one("POST /v1/sessions")
		if about["gen_ai.conversation.id"] != "web:s" || about["cento.prompt.digest"] != field(t, begun.body, "digest") {
			t.Errorf("of the session: %v", about)
		}
		_, of = below("store commit", start)
		if want := map[bool]string{true: "postgresql", false: "sqlite"}[strings.HasPrefix(place, "postgres")]; of["db.system.name"] != want || of["db.operation.name"] != "commit" {
			t.Errorf("of the store: %v", of)
		}
		turn, about := c.one("POST /v1/sessions/{id}/turn")
		if about["gen_ai.conversation.id"] != "web:s" || about["cento.prompt.digest"] == "" {
			t.Errorf("of the turn: %v", about)
		}
		below("store commit", turn)
		none, about := c.one("GET /v1/sessions/{id}")
		if about["http.response.status_code"] != "404" || about["error.type"] != "session.unknown" || none.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR {
			t.Errorf("of what isn't there: %v, %v", about, none.Status)
		}
		if read, of := below("store session", none); of["error.type"] != "session.unknown" || read.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR {
			t.Errorf("of the store that hasn't what is asked for: %v, %v", of, read.Status)
		}
		for _, name := range []string{"GET /healthz", "GET /metrics"} {
			if len(c.named(name)) > 0 {
				t.Errorf("%s is traced", name)
			}
		}
		for _, secret := range []string{"You are brief", "Keep the list", local} {
			if bytes.Contains(c.raw, []byte(secret)) {
				t.Errorf("the traces have %q", secret)
			}
		}
		if log := s.log.String(); strings.Contains(log, "a secret") || strings.Contains(log, "weren't delivered") {
			t.Errorf("the log: %s", log)
		}
	})
}

// TestTracedPrompts: prompts are told where somebody asks for that.
func TestTracedPrompts(t *testing.T) {
	c := collect(t)
	s := traced(t, storetest.SQLite(t), c, map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"})
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble?tools=", "")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s", "with": {"tools": []}}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	must(t, s.stop())
	const want = `[{"type":"text","content":"You are brief."}]`
	for _, name := range []string{"assemble", "POST /v1/sessions/{id}/turn"} {
		if _, of := c.one(name); of["gen_ai.system_instructions"] != want {
			t.Errorf("%s: %v", name, of)
		}
	}
}

// TestTracesFail: a collector that takes nothing is told of in the log, and nobody waits
// for it.
func TestTracesFail(t *testing.T) {
	c := collect(t)
	c.refuse = 1000
	// A slow machine hears nothing of the collector in the time, and is given more.
	for ms := 50; ; ms *= 2 {
		s := traced(t, storetest.SQLite(t), c, map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": strconv.Itoa(ms)})
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
		must(t, s.stop())
		log := s.log.String()
		if !strings.Contains(log, "traces weren't delivered") {
			t.Fatalf("the log: %s", log)
		}
		if strings.Contains(log, "503") {
			return
		}
		if ms > 3000 {
			t.Fatalf("within %d ms the collector isn't heard: %s", ms, log)
		}
	}
}

// TestTraceVariables: without the variables there are no traces; what can't be is an
// error that tells no secret, and not another thing that is done.
func TestTraceVariables(t *testing.T) {
	dir := project(t, webManifest)
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
	for _, x := range []struct {
		env  map[string]string
		says string // empty: it begins
	}{
		{nil, ""},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, ""},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"}, ""},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"}, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER"},
		{map[string]string{endpoint: "hunter2"}, endpoint},
		{map[string]string{endpoint: "ftp://u:hunter2@h"}, endpoint},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS": "hunter2"}, "OTEL_EXPORTER_OTLP_HEADERS"},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, "OTEL_EXPORTER_OTLP_TIMEOUT"},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_COMPRESSION": "zstd"}, "OTEL_EXPORTER_OTLP_COMPRESSION"},
		{map[string]string{endpoint: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_CLIENT_KEY": "key.pem"}, "OTEL_EXPORTER_OTLP_CLIENT_KEY"},
	} {
		config := serve.Config{Listen: "127.0.0.1:0", Local: local, Store: storetest.SQLite(t), Projects: []serve.Project{of("web", dir)}, Env: func(name string) string { return x.env[name] }}
		s, err := serve.New(t.Context(), config)
		if err == nil {
			must(t, s.CloseForTest())
		}
		switch {
		case x.says == "" && err != nil:
			t.Errorf("%v: %v", x.env, err)
		case x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says) || string(app.Failure(err).Error.Code) != "serve.config" || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%v: %v", x.env, err)
		}
	}
}

// TestTracedFailures: a span of a request failed where the service did, and not where a
// client asked for what can't be; either has the code, and no other word of it.
func TestTracedFailures(t *testing.T) {
	c := collect(t)
	place := storetest.SQLite(t)
	s := traced(t, place, c, nil)
	s.want(http.StatusUnprocessableEntity, http.MethodGet, "/v1/projects/web/assemble?target=secret", "")
	db, err := sql.Open("sqlite", place)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "ALTER TABLE session RENAME TO secret")
	must(t, err)
	failed := s.ask(http.MethodGet, "/v1/sessions/web:s", "")
	must(t, s.stop())
	for name, want := range map[string]struct {
		status int
		code   string
		failed bool
	}{
		"GET /v1/projects/{project}/assemble": {422, "", false}, "assemble": {0, "", true},
		"GET /v1/sessions/{id}": {failed.StatusCode, failed.code(), true}, "store session": {0, failed.code(), true},
	} {
		span, about := c.one(name)
		if got := span.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR; got != want.failed || want.failed && span.Status.Message != about["error.type"] {
			t.Errorf("%s: %v, %v", name, span.Status, about)
		}
		if about["error.type"] == "" || want.code != "" && about["error.type"] != want.code || want.status != 0 && about["http.response.status_code"] != strconv.Itoa(want.status) {
			t.Errorf("%s: %v, want %v", name, about, want)
		}
	}
	if failed.StatusCode < 500 || bytes.Contains(c.raw, []byte("secret")) {
		t.Errorf("status %d; the traces are %q", failed.StatusCode, c.raw)
	}
}

// TestTraceResource: what a service is told to be in its traces is what its variables say;
// where these can't be read it doesn't begin.
func TestTraceResource(t *testing.T) {
	c := collect(t)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "team=web")
	s := traced(t, storetest.SQLite(t), c, nil)
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	must(t, s.stop())
	if c.about["team"] != "web" || c.about["service.name"] != "cento" || c.about["telemetry.sdk.language"] != "go" {
		t.Errorf("they are told to be of %v", c.about)
	}
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "hunter2")
	_, err := serve.New(t.Context(), serve.Config{
		Listen: "127.0.0.1:0", Local: local, Store: storetest.SQLite(t), Projects: []serve.Project{of("web", project(t, webManifest))},
		Env: func(name string) string { return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.url}[name] },
	})
	if err == nil || string(app.Failure(err).Error.Code) != "serve.config" || !strings.Contains(err.Error(), "OTEL_RESOURCE_ATTRIBUTES") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}
