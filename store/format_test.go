package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// testdata/v1 is what the first format of stores was written as, and it is never
// written again: every later program has to read it. A new format gets a folder
// of its own, which CENTO_WRITE_FORMAT=FOLDER makes.

// written are the prompts of a folder, by record.
type written map[string]string

// writeFormat makes a store that has something of everything.
func writeFormat(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(folder, "cento.db")
	now := fixedClock()
	o := store.Options{Clock: func() time.Time { now = now.Add(time.Minute); return now }}
	s, err := engines.Open(t.Context(), place, o)
	if err != nil {
		t.Fatal(err)
	}
	w := worldOf(t.Context(), s)
	if err := inUse(w, "life"); err != nil {
		t.Fatal(err)
	}
	for _, sc := range scenarios {
		id := map[string]string{"append to two": "pair", "rematerialise": "life", "compact": "life", "fork": "life"}[sc.name]
		if id == "" {
			continue
		}
		if err := sc.do(w, id); err != nil {
			t.Fatal(err)
		}
	}
	words := strings.Repeat("Work in small steps, and say what was done. ", 12)
	for i, in := range []cento.Input{
		{Fragments: []cento.Fragment{{ID: "a", Body: words}, {ID: "b", Body: "Größe 😀, 必ず \"quoted\" \\ \u2028."}}},
		{Fragments: []cento.Fragment{{ID: "a", Body: words + "Then stop."}, {ID: "secret", Body: "The password is hunter2."}}},
		{Fragments: []cento.Fragment{{ID: "x", Body: "One.", Section: "Rules"}, {ID: "y", Body: "Two.", Section: "Rules", Bucket: cento.After}, cento.NewFragment("out", "test", cento.Before, "Left out.").RequiringTools("none")}},
		{},
		{Fragments: []cento.Fragment{{ID: "a", Body: words}}},
	} {
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(t.Context(), store.Transition{Key: fmt.Sprint("key ", i), RequestDigest: "d", Answer: []byte(`{"i":1}`), Changes: []store.Change{{
			Session: "größe", Expect: store.AnyVersion, State: []byte(`{}`), Drafts: []store.Draft{{Prompt: p, Input: in, Label: "turn"}}, Blobs: [][]byte{[]byte("kept")},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Redact(t.Context(), store.RedactOptions{Fragment: "secret"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.GC(t.Context(), store.GCOptions{Before: time.Date(2026, 5, 4, 3, 4, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	out := written{}
	list, err := s.Records(t.Context(), store.RecordQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		text, ok, err := s.Text(t.Context(), r.Session, r.Seq)
		switch {
		case errors.Is(err, store.Redacted):
			text = "(redacted)"
		case err != nil:
			t.Fatal(err)
		case !ok:
			text = "(none)"
		}
		out[fmt.Sprintf("%s@%d", r.Session, r.Seq)] = text
	}
	prompts, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if err := errors.Join(
		os.WriteFile(filepath.Join(folder, "prompts.json"), append(prompts, '\n'), 0o644),
		s.Export(t.Context(), &log, store.ExportOptions{}),
		os.WriteFile(filepath.Join(folder, "log.jsonl"), []byte(log.String()), 0o644),
		s.Close(),
	); err != nil {
		t.Fatal(err)
	}
}

func TestWriteFormat(t *testing.T) {
	folder := os.Getenv("CENTO_WRITE_FORMAT")
	if folder == "" {
		folder = t.TempDir()
	}
	writeFormat(t, folder)
	readFormat(t, folder)
}

// TestFormats reads what every released format was written as.
func TestFormats(t *testing.T) {
	folders, err := filepath.Glob("testdata/v*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no format is there: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) { readFormat(t, folder) })
	}
}

func readFormat(t *testing.T, folder string) {
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var prompts written
	if err := json.Unmarshal([]byte(read("prompts.json")), &prompts); err != nil {
		t.Fatal(err)
	}
	log := read("log.jsonl")
	check := func(t *testing.T, s *store.Store) {
		t.Helper()
		if v := verified(t, s); v.Records != int64(len(prompts)) || v.Redacted == 0 {
			t.Errorf("%+v", v)
		}
		for name, want := range prompts {
			var id string
			var seq int64
			if k := strings.LastIndexByte(name, '@'); k > 0 {
				id = name[:k]
				if _, err := fmt.Sscan(name[k+1:], &seq); err != nil {
					t.Fatal(err)
				}
			}
			got, ok, err := s.Text(t.Context(), id, seq)
			if want == "(redacted)" {
				if !errors.Is(err, store.Redacted) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if !ok {
				got = "(none)"
			}
			if err != nil || got != want {
				t.Errorf("%s: %q, %v; want %q", name, got, err, want)
			}
			rec, err := s.Record(t.Context(), id, seq)
			if err != nil {
				t.Error(err)
				continue
			}
			in, err := s.Input(t.Context(), id, seq)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			p, err := cento.Reduce(in)
			if err != nil || rec.PromptDigest != nil && p.Digest() != *rec.PromptDigest {
				t.Errorf("%s is replayed as %q, %v", name, p.Digest(), err)
			}
		}
		for text, n := range map[string]int{"small steps": 6, "必ず": 1, "hunter2": 0, "Left out": 0} {
			if got, err := s.Search(t.Context(), store.SearchQuery{Text: text}); err != nil || len(got.Matches) != n {
				t.Errorf("%q is found %d times, %v; want %d", text, len(got.Matches), err, n)
			}
		}
		w := worldOf(t.Context(), s)
		shown, err := w.Show(t.Context(), "life")
		if err != nil || shown.Epoch != 2 {
			t.Errorf("%+v, %v", shown, err)
		}
		// A key of then is known now, and sessions go on.
		done, err := s.Commit(t.Context(), store.Transition{Key: "key 4", RequestDigest: "d", Changes: []store.Change{{Session: "größe", Expect: store.AnyVersion}}})
		if err != nil || !done.Replayed || string(done.Answer) != `{"i":1}` {
			t.Errorf("%+v, %v", done, err)
		}
		var again strings.Builder
		if err := s.Export(t.Context(), &again, store.ExportOptions{}); err != nil || again.String() != log {
			t.Errorf("it is exported as something else, %v", err)
		}
		if _, err := w.Turn(t.Context(), session.TurnRequest{ID: "life"}, sourceOf("turn")); err != nil {
			t.Error(err)
		}
		verified(t, s)
	}
	t.Run("file", func(t *testing.T) {
		place := store.SQLitePlace(t)
		if err := os.WriteFile(place, []byte(read("cento.db")), 0o600); err != nil {
			t.Fatal(err)
		}
		check(t, store.OpenForTest(t, place, store.Options{}))
	})
	t.Run("export", func(t *testing.T) {
		store.OnBoth(t, func(t *testing.T, place string) {
			s := store.OpenForTest(t, place, store.Options{})
			if _, err := s.Import(t.Context(), strings.NewReader(log), store.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			check(t, s)
		})
	})
}
