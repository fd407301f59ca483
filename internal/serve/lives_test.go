package serve_test

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestFailsToBegin: a service that can't begin says why, and keeps nothing of what it had
// opened: no goroutine, no address and no store.
func TestFailsToBegin(t *testing.T) {
	there := goleak.IgnoreCurrent()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := free.Addr().String()
	must(t, free.Close())
	dir, store := project(t, webManifest), storetest.SQLite(t)
	for name, x := range map[string]struct {
		change func(*serve.Config)
		code   string
		says   []string
	}{
		"the address is taken":             {func(c *serve.Config) { c.Listen = taken.Addr().String() }, "serve.config", []string{"can't listen on " + taken.Addr().String()}},
		"the address for metrics is taken": {func(c *serve.Config) { c.MetricsListen = taken.Addr().String() }, "serve.config", []string{"can't listen on " + taken.Addr().String()}},
		"no store can be there":            {func(c *serve.Config) { c.Store = filepath.Join(dir, "cento.yaml", "x.db") }, "", nil},
		"the project can't be located": {func(c *serve.Config) {
			c.Projects[0].Request = func() (app.Request, error) { return app.Request{}, errors.New("the folder moved") }
		}, "", []string{"the folder moved"}},
		"the project can't be read": {func(c *serve.Config) { c.Projects[0] = of("web", filepath.Join(dir, "nowhere")) }, "", nil},
		"the tokens can't be read":  {func(c *serve.Config) { c.Tokens = filepath.Join(dir, "nowhere") }, "file.not_found", nil},
		"the variables can't be": {func(c *serve.Config) {
			c.Env = func(name string) string { return map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}[name] }
		}, "serve.config", []string{"zipkin"}},
		"nothing is let in": {func(c *serve.Config) { c.MaxBody = -1 }, "serve.config", nil},
		"nobody is let in":  {func(c *serve.Config) { c.MaxInFlight = -1 }, "serve.config", nil},
	} {
		c := serve.Config{Listen: address, Store: store, Local: local, Projects: []serve.Project{of("web", dir)}}
		x.change(&c)
		_, err := serve.New(t.Context(), c)
		if err == nil {
			t.Fatalf("%s: it begins", name)
		}
		if code := string(app.Failure(err).Error.Code); x.code != "" && code != x.code {
			t.Errorf("%s: %s: %v", name, code, err)
		}
		for _, text := range x.says {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v", name, err)
			}
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatalf("%s: the address is kept: %v", name, err)
		}
		must(t, l.Close())
	}
	goleak.VerifyNone(t, there)
	s := start(t, store, func(c *serve.Config) { c.Listen = address })
	s.want(http.StatusOK, http.MethodGet, "/readyz", "")
}

// TestListenerLost: a service that loses an address ends with the reason, and lets go of the
// other one and of who listens.
func TestListenerLost(t *testing.T) {
	for _, aside := range []bool{false, true} {
		log := new(lines)
		s, err := serve.New(t.Context(), serve.Config{
			Listen: "127.0.0.1:0", MetricsListen: "127.0.0.1:0", Store: storetest.SQLite(t), Local: local,
			Projects: []serve.Project{of("web", project(t, webManifest))}, Log: slog.New(slog.NewJSONHandler(log, nil)),
		})
		must(t, err)
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(t.Context()) }()
		client := &service{t: t, server: s, base: s.Address(), secret: local, client: &http.Client{Transport: &http.Transport{}}, log: log}
		events := client.listen("/v1/events")
		must(t, s.LoseListener(aside))
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("it ends with %v", err)
		}
		for events.lines.Scan() {
		}
		must(t, events.lines.Err())
		for _, base := range []string{s.Address(), s.MetricsAddress()} {
			if c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://")); err == nil {
				t.Errorf("%s is still taken", base)
				must(t, c.Close())
			}
		}
		client.client.CloseIdleConnections()
	}
}

// TestCloses: the end of a service tells what went wrong in it, and closes what it opened.
func TestCloses(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	must(t, s.stop())
	if w := s.answered(t, "/v1/sessions"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("behind the end: status %d: %s", w.Code, w.Body)
	}
}
