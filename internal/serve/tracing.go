package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
)

// tracing makes spans of requests, of what is assembled for them, and of calls of the
// store. A nil one makes none, and costs a comparison.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	// content: prompts may leave the process.
	content bool
}

// The attributes of spans that no convention of OpenTelemetry has.
const (
	attrPrompt   = attribute.Key("cento.prompt.digest")
	attrBytes    = attribute.Key("cento.prompt.bytes")
	attrTokens   = attribute.Key("cento.prompt.tokens")
	attrInput    = attribute.Key("cento.input.digest")
	attrIncluded = attribute.Key("cento.fragments.included")
	attrExcluded = attribute.Key("cento.fragments.excluded")
	attrRequest  = attribute.Key("cento.request.id")
	attrOp       = attribute.Key("cento.op")
	attrProject  = attribute.Key("cento.project")
)

// flushTime is how long the last spans have to be sent when the service ends.
const flushTime = 5 * time.Second

// newTracing reads the variables; nil where they ask for no traces.
func newTracing(ctx context.Context, c *Config) (*tracing, error) {
	if c.Env == nil {
		return nil, nil
	}
	to, err := collectorOf(c.Env, c.Log)
	if to == nil || err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, to)
	if err != nil {
		return nil, err
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "cento"), attribute.String("service.version", app.Version())), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, &cento.SourceError{Code: WrongConfig, Message: "OTEL_RESOURCE_ATTRIBUTES can't be read", Hint: "as in deployment.environment.name=test,team=web"}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { c.Log.Warn("traces", "error", err.Error()) }))
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &tracing{
		provider: p, tracer: p.Tracer("github.com/cento-dev/cento/internal/serve", trace.WithInstrumentationVersion(app.Version())),
		content: strings.EqualFold(c.Env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"), "true"),
	}, nil
}

// close sends what is left.
func (t *tracing) close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// begin makes the span of a request that has a route, below the one that the client
// names. Health isn't traced: it would be most of all.
func (t *tracing) begin(x *exchange, r *route) {
	if t == nil || r.tag == "service" {
		return
	}
	ctx := traceContext.Extract(x.r.Context(), propagation.HeaderCarrier(x.r.Header))
	ctx, x.span = t.tracer.Start(ctx, r.method+" "+r.path, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(x.began), trace.WithAttributes(
		attribute.String("http.request.method", x.r.Method), attribute.String("http.route", r.path), attrOp.String(r.op), attrRequest.String(x.id),
	))
	x.r = x.r.WithContext(ctx)
}

// end ends the span of a request, if it has one.
func (x *exchange) end() {
	if x.span == nil {
		return
	}
	x.span.SetAttributes(attribute.Int("http.response.status_code", x.w.status))
	if x.code != "" {
		x.span.SetAttributes(attribute.String("error.type", string(x.code)))
	}
	if x.w.status >= http.StatusInternalServerError {
		x.span.SetStatus(codes.Error, string(x.code))
	}
	x.span.End()
}

// child makes a span below the one of the context, and says how it ends. What an error
// says stays here, but for its code: it may quote a text.
func (t *tracing) child(ctx context.Context, name string, kind trace.SpanKind, about ...attribute.KeyValue) (context.Context, trace.Span, func(error)) {
	if t == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(about...))
	return ctx, span, func(err error) {
		if err != nil {
			code := "failed"
			if list := cento.SourceErrors(err); len(list) > 0 {
				code = string(list[0].Code)
			}
			span.SetAttributes(attribute.String("error.type", code))
			span.SetStatus(codes.Error, code)
		}
		span.End()
	}
}

// prompted says on a span which prompt there is.
func (t *tracing) prompted(span trace.Span, system *string, digest *string) {
	if t == nil || span == nil {
		return
	}
	if digest != nil {
		span.SetAttributes(attrPrompt.String(*digest))
	}
	if system == nil {
		return
	}
	span.SetAttributes(attrBytes.Int(len(*system)))
	if t.content {
		b, err := json.Marshal([]struct {
			Type    string `json:"type"`
			Content string `json:"content"`
		}{{"text", *system}})
		if err == nil {
			span.SetAttributes(attribute.String("gen_ai.system_instructions", string(b)))
		}
	}
}

// located says on the span of an assembly what it is made of.
func (t *tracing) located(span trace.Span, at *place) {
	if t == nil || span == nil {
		return
	}
	span.SetAttributes(attrProject.String(at.of.name), attrInput.String(at.digest))
	if at.model != "" {
		span.SetAttributes(attribute.String("gen_ai.request.model", at.model))
	}
}

// answered says on the span of an assembly what came of it.
func (t *tracing) answered(span trace.Span, answer any) {
	if t == nil || span == nil {
		return
	}
	switch a := answer.(type) {
	case *call.Assembled:
		t.prompted(span, a.System, a.Digest)
		if a.Tokens != nil {
			span.SetAttributes(attrTokens.Int(*a.Tokens))
		}
	case *cento.Explanation:
		in := 0
		for i := range a.Fragments {
			if a.Fragments[i].Included {
				in++
			}
		}
		span.SetAttributes(attrIncluded.Int(in), attrExcluded.Int(len(a.Fragments)-in))
		t.prompted(span, nil, a.Digest)
		if a.Tokens != nil {
			span.SetAttributes(attrTokens.Int(*a.Tokens))
		}
	}
}

// conversed says on the span of a request which conversation it is about, and with what
// it goes on.
func (x *exchange) conversed(id string, answer any) {
	if x.span == nil {
		return
	}
	x.span.SetAttributes(attribute.String("gen_ai.conversation.id", id))
	switch a := answer.(type) {
	case *app.Started:
		x.s.tracing.prompted(x.span, nil, a.Digest)
	case *app.Rematerialised:
		x.s.tracing.prompted(x.span, nil, a.Digest)
	case *app.Turn:
		x.s.tracing.prompted(x.span, a.System, a.Digest)
		if a.Active.Model != "" {
			x.span.SetAttributes(attribute.String("gen_ai.request.model", a.Active.Model))
		}
	}
}
