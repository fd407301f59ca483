package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// collector sends spans to a collector by OTLP over HTTP, as the OTEL_* variables say.
// The exporter of OpenTelemetry that does so brings gRPC along, which every command would
// pay for when it starts; see docs/ARCHITECTURE.md.
type collector struct {
	url     string
	headers http.Header
	gzip    bool
	timeout time.Duration
	client  *http.Client
	log     *slog.Logger
}

// traceVariables are read by this file; the SDK reads those of sampling, batches, limits
// and the resource.
const (
	endpointVariable  = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable    = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	defaultCollector  = "http://localhost:4318"
	collectorTime     = 10 * time.Second
	mostCollectorSaid = 4 << 10
)

// collectorOf reads the variables; nil where they ask for no traces.
func collectorOf(env func(string) string, log *slog.Logger) (*collector, error) {
	wrong := func(name, hint, format string, args ...any) error {
		return &cento.SourceError{Code: WrongConfig, Message: name + " " + fmt.Sprintf(format, args...), Hint: hint}
	}
	// of is a variable for traces, else the one for all signals.
	of := func(name string) (variable, value string) {
		variable = "OTEL_EXPORTER_OTLP_TRACES_" + name
		if value = strings.TrimSpace(env(variable)); value == "" {
			variable = "OTEL_EXPORTER_OTLP_" + name
			value = strings.TrimSpace(env(variable))
		}
		return variable, value
	}
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	exporter := env("OTEL_TRACES_EXPORTER")
	endpoint := env(tracesVariable)
	if endpoint == "" && env(endpointVariable) != "" {
		endpoint = strings.TrimSuffix(env(endpointVariable), "/") + "/v1/traces"
	}
	switch {
	case exporter == "none", exporter == "" && endpoint == "":
		return nil, nil
	case exporter != "" && exporter != "otlp":
		return nil, wrong("OTEL_TRACES_EXPORTER", "otlp sends traces, none doesn't", "names the exporter %q, which this program doesn't have", exporter)
	case endpoint == "":
		endpoint = defaultCollector + "/v1/traces"
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, wrong(endpointVariable, "as in "+defaultCollector, "is no address of a collector") // it may hold a password
	}
	c := &collector{url: endpoint, headers: http.Header{}, timeout: collectorTime, log: log}
	if name, protocol := of("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, wrong(name, "set it to http/protobuf, and the address to the collector's port for that, 4318 mostly", "asks for %q", protocol)
	}
	for _, key := range []string{"CLIENT_KEY", "CLIENT_CERTIFICATE"} {
		if name, value := of(key); value != "" {
			return nil, wrong(name, "put the collector where none is asked for", "is set, and this program brings no certificate of its own")
		}
	}
	if name, text := of("TIMEOUT"); text != "" {
		ms, err := strconv.ParseInt(text, 10, 32)
		if err != nil || ms < 1 {
			return nil, wrong(name, "as in 10000", "isn't a number of milliseconds")
		}
		c.timeout = time.Duration(ms) * time.Millisecond
	}
	switch name, text := of("COMPRESSION"); text {
	case "", "none":
	case "gzip":
		c.gzip = true
	default:
		return nil, wrong(name, "gzip or none", "asks for %q", text)
	}
	if name, text := of("HEADERS"); text != "" {
		for _, pair := range strings.Split(text, ",") {
			key, value, ok := strings.Cut(pair, "=")
			value, err := url.PathUnescape(strings.TrimSpace(value))
			if key = strings.TrimSpace(key); !ok || key == "" || err != nil || strings.ContainsAny(key+value, "\r\n") {
				return nil, wrong(name, "as in api-key=SECRET,team=web", "can't be read") // it may hold a secret
			}
			c.headers.Set(key, value)
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if name, file := of("CERTIFICATE"); file != "" {
		f, err := tree.ReadPath(file, tree.Options{Limit: 1 << 20})
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM([]byte(f.Text)) {
			return nil, wrong(name, "it has the certificates of those who sign the collector's, as PEM", "names a file without a certificate")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	c.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

// Start does nothing: connections are made when there is something to send.
func (c *collector) Start(context.Context) error { return nil }

// Stop lets connections go.
func (c *collector) Stop(context.Context) error {
	c.client.CloseIdleConnections()
	return nil
}

// UploadTraces sends spans. What the collector can't take for now is sent again while
// there is time; what it didn't take is told in the log, without what was sent.
func (c *collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// It has the form of the collector's ExportTraceServiceRequest.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if c.gzip {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write(body)
		if err = errors.Join(err, w.Close()); err != nil {
			return err
		}
		body = b.Bytes()
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	for pause := 200 * time.Millisecond; ; pause *= 2 {
		again, err := c.send(ctx, body)
		if err == nil {
			return nil
		}
		if !again {
			c.log.Warn("traces weren't delivered", "error", err.Error())
			return nil
		}
		select {
		case <-ctx.Done():
			c.log.Warn("traces weren't delivered", "error", err.Error())
			return nil
		case <-time.After(pause):
		}
	}
}

// send is one try; again says whether another one may help.
func (c *collector) send(ctx context.Context, body []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return false, fmt.Errorf("the address of the collector can't be used")
	}
	r.Header = c.headers.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	if c.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	res, err := c.client.Do(r)
	if err != nil {
		return true, fmt.Errorf("the collector can't be reached")
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, mostCollectorSaid) // so that the connection can be used again
	switch res.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return false, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, fmt.Errorf("the collector says %d", res.StatusCode)
	}
	return false, fmt.Errorf("the collector says %d", res.StatusCode)
}

// traceContext reads the span that a request belongs to, as W3C's traceparent names it.
var traceContext = propagation.TraceContext{}
