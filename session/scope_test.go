package session_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/workspace"
)

// What a session may do is kept with it, inherited by a fork unless that takes its own,
// and the same in another process.
func TestScopeIsKept(t *testing.T) {
	ctx := context.Background()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	resolve := func(c workspace.ScopeConfig) []workspace.Rule {
		scope, err := workspace.ResolveScope(c, filepath.ToSlash(dir))
		if err != nil {
			t.Fatal(err)
		}
		return scope.Rules()
	}
	write := []workspace.ScopeRule{{Target: ".", Permission: workspace.Write}}
	rules := resolve(workspace.ScopeConfig{Allow: write, Deny: []workspace.ScopeRule{{Target: "vendor", Permission: workspace.Write}}})
	f := fresh(t, storetest.SQLite(t))
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Own: session.Own{Scope: rules}}, f.files.source); err != nil {
		t.Fatal(err)
	}
	f.start("free", session.Settings{})
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "same"}); err != nil {
		t.Fatal(err)
	}
	reads := resolve(workspace.ScopeConfig{Allow: []workspace.ScopeRule{{Target: ".", Permission: workspace.Read}}})
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "reader", Own: session.Own{Scope: reads}}); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(filepath.Dir(dir), "elsewhere")
	for id, want := range map[string][3]workspace.Permission{
		"s":      {workspace.Write, workspace.Read, workspace.None},
		"same":   {workspace.Write, workspace.Read, workspace.None},
		"reader": {workspace.Read, workspace.Read, workspace.None},
	} {
		for i, path := range []string{filepath.Join(dir, "main.go"), filepath.Join(dir, "vendor", "x.go"), outside} {
			p, deciding, ok, err := f.again().Permission(ctx, id, path)
			if err != nil || !ok || p != want[i] || (len(deciding) == 0) != (p == workspace.None) {
				t.Errorf("%s %s: %v by %v, %v, %v", id, path, p, deciding, ok, err)
			}
		}
	}
	if _, _, ok, err := f.Permission(ctx, "free", dir); ok || err != nil {
		t.Errorf("a session without rules: %v, %v", ok, err)
	}
	if _, _, _, err := f.Permission(ctx, "none", dir); !errors.Is(err, store.UnknownSession) {
		t.Error(err)
	}
	if _, _, _, err := f.Permission(ctx, "s", "main.go"); !errors.Is(err, session.WrongSettings) {
		t.Error(err)
	}
	for _, wrong := range [][]workspace.Rule{{}, {{Target: "relative", Permission: workspace.Read}}, {{Target: "/x"}}} {
		if _, err := f.Start(ctx, session.StartRequest{ID: "wrong", Own: session.Own{Scope: wrong}}, f.files.source); !errors.Is(err, session.WrongSettings) {
			t.Errorf("%v: %v", wrong, err)
		}
	}

	// A prompt that is made anew may have no scope any more, and says so in so many words.
	if _, err := f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, f.files.source); err != nil {
		t.Fatal(err)
	}
	if _, _, ok, err := f.again().Permission(ctx, "s", dir); !ok || err != nil {
		t.Errorf("rules went that nobody took: %v, %v", ok, err)
	}
	if _, err := f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Own: session.Own{Scope: []workspace.Rule{}}}, f.files.source); err != nil {
		t.Fatal(err)
	}
	if p, _, ok, err := f.again().Permission(ctx, "s", dir); ok || err != nil || p != workspace.None {
		t.Errorf("rules stayed that were taken: %v, %v, %v", p, ok, err)
	}
}

// A repeated request to make a prompt anew gets the answer that the first one got: the
// rules are what the sources say at the time, as the prompt is.
func TestAnswerOfRematerialisingIsKept(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	f.start("s", session.Settings{})
	dir := filepath.ToSlash(t.TempDir())
	again := func(target string) *session.Rematerialised {
		t.Helper()
		out, err := f.Rematerialise(ctx, session.RematerialiseRequest{
			ID: "s", Options: session.Options{Key: "k"},
			Own: session.Own{Scope: []workspace.Rule{{Target: dir + target, Permission: workspace.Read, Recursive: true}}},
		}, f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := again("/a")
	if second := again("/b"); second.Version != first.Version || !second.Replayed || *second.Digest != *first.Digest {
		t.Errorf("%+v, and then %+v", first, second)
	}
	if p, _, ok, err := f.again().Permission(ctx, "s", dir+"/b"); err != nil || !ok || p != workspace.None {
		t.Errorf("the second request's rules are kept: %v, %v, %v", p, ok, err)
	}
}
