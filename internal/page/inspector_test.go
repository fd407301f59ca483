package page_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
)

// The service can't be imported by the tests of the package that it imports, which have
// the browser.
func init() {
	page.StartRecorded = startRecorded
	page.StartService = func(t testing.TB, dir string) string { return startRecorded(t, dir, nil) }
}

// startRecorded serves a folder as the project web, with sessions that have had a turn,
// and gives the link that lets a browser in.
func startRecorded(t testing.TB, dir string, sessions map[string]cento.Input) (link string) {
	t.Helper()
	place := storetest.SQLite(t)
	for _, name := range slices.Sorted(maps.Keys(sessions)) {
		record(t, place, "web:"+name, sessions[name])
	}
	s, err := serve.New(t.Context(), serve.Config{
		Listen: "127.0.0.1:0", Store: place, Local: "cento_of-the-tests-of-the-inspector-0123456789",
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

// record hands out a prompt to a session.
func record(t testing.TB, place, id string, in cento.Input) {
	t.Helper()
	kept, err := sqlite.Open(t.Context(), place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, source := session.New(kept).In(store.Projects{Name: "web"}), func(context.Context, session.Reading) (cento.Input, error) { return in, nil }
	_, err = s.Start(t.Context(), session.StartRequest{ID: id}, source)
	if err == nil {
		_, err = s.Turn(t.Context(), session.TurnRequest{ID: id}, source)
	}
	if err := errors.Join(err, kept.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestMain lets the databases of stores be made once, and is the program where it is
// called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "cento" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(storetest.Main(m, page.EndBrowser))
}
