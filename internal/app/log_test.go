package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/store"
)

// TestReplaysElse: of a record that doesn't give the prompt that was recorded nothing is told
// as if it were that prompt.
func TestReplaysElse(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("model: gpt-5.4\nsystem: Review.\nfragments: [{id: a, body: Alpha.}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := app.Request{Dir: dir}
	site, err := app.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := app.Open(t.Context(), site, r)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	other := p.Input
	other.Fragments = nil
	for name, m := range map[string]app.MadePrompt{
		"same": {Project: p, Input: p.Input, Prompt: prompt}, "else": {Project: p, Input: other, Prompt: prompt},
	} {
		if _, err := app.RecordPrompt(t.Context(), site, r, "records.db", name, "", m); err != nil {
			t.Fatal(err)
		}
	}
	log, err := app.OpenLog(t.Context(), site, r, "records.db", app.Reads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	row, err := app.NewCacheRow(site, r, app.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]func(session string) error{
		"a prompt of a cache row": func(s string) error { return row.Record(t.Context(), log, app.RecordRef{Session: s, Seq: 1}) },
		"a session's cache row":   func(s string) error { return row.Session(t.Context(), log, s, nil) },
		"a side of a comparison": func(s string) error {
			_, err := app.Diff(t.Context(), &app.DiffRequest{Site: site, Request: r, Args: []string{s + "@1", "same@1"}, Store: "records.db", Repository: &app.Repository{}})
			return err
		},
	}
	for name, of := range told {
		if err := of("same"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if list := cento.SourceErrors(of("else")); len(list) != 1 || list[0].Code != store.Corrupt || !strings.Contains(list[0].Message, "record else@1 replays to another prompt") {
			t.Errorf("%s: %v", name, list)
		}
	}
}
