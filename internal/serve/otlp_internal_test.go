package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/cento-dev/cento"
)

func from(env map[string]string) func(string) string {
	return func(name string) string { return env[name] }
}

const (
	endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
	traces   = "OTEL_EXPORTER_OTLP_TRACES_"
	signals  = "OTEL_EXPORTER_OTLP_"
)

// TestCollectorOf: the variables of traces stand before those of all signals, whose address
// is that of a folder; what isn't said is what OpenTelemetry's specification has.
func TestCollectorOf(t *testing.T) {
	for _, x := range []struct {
		env     map[string]string
		url     string // empty: there are no traces
		timeout time.Duration
		gzip    bool
		header  string // api-key
	}{
		{env: nil},
		{env: map[string]string{endpoint: "http://h", "OTEL_SDK_DISABLED": "True"}},
		{env: map[string]string{endpoint: "http://h", "OTEL_TRACES_EXPORTER": "none"}},
		{env: map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, url: "http://localhost:4318/v1/traces"},
		{env: map[string]string{endpoint: "http://h"}, url: "http://h/v1/traces"},
		{env: map[string]string{endpoint: "http://h/"}, url: "http://h/v1/traces"},
		{env: map[string]string{endpoint: "https://h/otel"}, url: "https://h/otel/v1/traces"},
		{env: map[string]string{endpoint: "http://h", traces + "ENDPOINT": "http://t/x"}, url: "http://t/x"},
		{env: map[string]string{endpoint: "http://h", signals + "TIMEOUT": "1500"}, url: "http://h/v1/traces", timeout: 1500 * time.Millisecond},
		{env: map[string]string{endpoint: "http://h", signals + "TIMEOUT": "x", traces + "TIMEOUT": "1"}, url: "http://h/v1/traces", timeout: time.Millisecond},
		{env: map[string]string{endpoint: "http://h", signals + "COMPRESSION": "none", signals + "PROTOCOL": "http/protobuf"}, url: "http://h/v1/traces"},
		{env: map[string]string{endpoint: "http://h", signals + "COMPRESSION": "none", traces + "COMPRESSION": "gzip"}, url: "http://h/v1/traces", gzip: true},
		{env: map[string]string{endpoint: "http://h", signals + "HEADERS": " api-key = a%20b , team=web"}, url: "http://h/v1/traces", header: "a b"},
		{env: map[string]string{endpoint: "http://h", signals + "HEADERS": "api-key=", traces + "HEADERS": " \t"}, url: "http://h/v1/traces"},
	} {
		c, err := collectorOf(from(x.env), nil)
		switch {
		case err != nil:
			t.Errorf("%v: %v", x.env, err)
		case x.url == "":
			if c != nil {
				t.Errorf("%v: traces go to %s", x.env, c.url)
			}
		case c == nil:
			t.Errorf("%v: there are no traces", x.env)
		default:
			if x.timeout == 0 {
				x.timeout = 10 * time.Second
			}
			if c.url != x.url || c.timeout != x.timeout || c.gzip != x.gzip || c.headers.Get("api-key") != x.header {
				t.Errorf("%v: %+v", x.env, c)
			}
		}
	}
	// What can't be is told by the variable that says so, and never what it says.
	for name, value := range map[string]string{
		signals + "TIMEOUT": "0", traces + "TIMEOUT": "99999999999", signals + "HEADERS": "=hunter2", traces + "HEADERS": "a=hunter2%0D%0Ab:c", signals + "CLIENT_CERTIFICATE": "hunter2", traces + "CLIENT_KEY": "hunter2",
		endpoint: "//hunter2", traces + "PROTOCOL": "grpc",
	} {
		env := map[string]string{endpoint: "http://h"}
		env[name] = value
		_, err := collectorOf(from(env), nil)
		list := cento.SourceErrors(err)
		if len(list) != 1 || list[0].Code != WrongConfig || !strings.HasPrefix(list[0].Message, name) || list[0].Hint == "" || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

// TestCollectorAnswers: what a collector can't take for now is sent again, what it doesn't
// want isn't, and what isn't delivered is told in the log, once and without a secret. Where
// it leads to another address, nothing is sent there.
func TestCollectorAnswers(t *testing.T) {
	t.Parallel() // most of it is waiting
	for status, tries := range map[int]int{
		200: 1, 202: 1, 204: 1, 302: 1, 400: 1, 401: 1, 500: 1, 501: 1,
		429: 2, 502: 2, 503: 2, 504: 2,
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Location", "/elsewhere")
			if r.URL.Path != "/v1/traces" || r.Method != http.MethodPost || r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Team") != "web" {
				t.Errorf("%d: %s %s, %v", status, r.Method, r.URL, r.Header)
			}
			z, err := gzip.NewReader(r.Body)
			if err == nil {
				_, err = io.ReadAll(z)
			}
			if err != nil {
				t.Errorf("%d: %v", status, err)
			}
			if asked == 1 {
				w.WriteHeader(status)
			}
		}))
		log := new(bytes.Buffer)
		c, err := collectorOf(from(map[string]string{endpoint: server.URL, signals + "COMPRESSION": "gzip", signals + "HEADERS": "team=web"}), slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.UploadTraces(t.Context(), []*tracepb.ResourceSpans{{}}); err != nil {
			t.Errorf("%d: %v", status, err)
		}
		if said := strings.Count(log.String(), "traces weren't delivered"); asked != tries || (said == 1) != (status >= 300 && tries == 1) || said == 1 && !strings.Contains(log.String(), "the collector says "+strconv.Itoa(status)) {
			t.Errorf("%d: it is asked %d times, and the log says %s", status, asked, log)
		}
		if err := c.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		server.Close()
	}
	// Nobody is there, for as long as it is tried.
	log := new(bytes.Buffer)
	c, err := collectorOf(from(map[string]string{endpoint: "http://u:hunter2@127.0.0.1:1", signals + "TIMEOUT": "1"}), slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTraces(t.Context(), nil); err != nil || !strings.Contains(log.String(), "the collector can't be reached") || strings.Contains(log.String(), "hunter2") {
		t.Errorf("%v; the log says %s", err, log)
	}
}

// TestCollectorsCertificate: a collector whose certificate somebody of one's own signed is
// known by a file; without it nothing is sent there.
func TestCollectorsCertificate(t *testing.T) {
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	server.StartTLS()
	defer server.Close()
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.pem"), filepath.Join(dir, "bad.pem")
	for file, text := range map[string]string{good: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})), bad: "nothing"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]int{"": 0, good: 1} {
		asked = 0
		c, err := collectorOf(from(map[string]string{endpoint: server.URL, signals + "CERTIFICATE": file, signals + "TIMEOUT": "2000"}), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.send(t.Context(), nil)
		if asked != want || (err == nil) != (want == 1) || again != (want == 0) {
			t.Errorf("with %q it is asked %d times: %v, again: %t", file, asked, err, again)
		}
		if least := c.client.Transport.(*http.Transport).TLSClientConfig; file != "" && least.MinVersion != tls.VersionTLS12 {
			t.Errorf("a version of TLS from %x on is taken", least.MinVersion)
		}
		if err := c.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for file, code := range map[string]cento.ErrorCode{bad: WrongConfig, filepath.Join(dir, "none.pem"): "file.not_found"} {
		_, err := collectorOf(from(map[string]string{endpoint: server.URL, signals + "CERTIFICATE": file}), nil)
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Code != code {
			t.Errorf("%s: %v", file, err)
		}
	}
}
