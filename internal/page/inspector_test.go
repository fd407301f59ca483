package page_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// The service can't be imported by the tests of the package that it imports, which have
// the browser.
func init() { page.StartService = startService }

// startService serves a folder as the project web, and gives the link that lets a
// browser in.
func startService(t testing.TB, dir string) (link string) {
	t.Helper()
	s, err := serve.New(t.Context(), serve.Config{
		Listen: "127.0.0.1:0", Store: storetest.SQLite(t), Local: "cento_of-the-tests-of-the-inspector-0123456789",
		Projects: []serve.Project{{Name: "web", Request: func() (app.Request, error) {
			return app.Request{Dir: dir, Servers: app.NoServers, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	return s.SignInLink()
}

// TestMain lets the databases of stores be made once, and is the program where it is
// called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "cento" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(storetest.Main(m))
}
