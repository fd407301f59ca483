package reminder_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

var update = flag.Bool("update", false, "rewrite the want/ sections of the archives")

// results are the sections that a run can give, in the order of an archive.
var results = []string{"want/session", "want/child", "want/events", "want/fragments", "want/envelope", "want/messages", "want/notes", "want/error"}

// Each archive is a request and as much of its answer as its rule is about, one
// value a line.
func TestArchives(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d archives in testdata (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(a.Comment)) == 0 {
				t.Error("the archive doesn't say which rule it shows")
			}
			if len(a.Files) == 0 || a.Files[0].Name != "request.json" {
				t.Fatal("the archive doesn't begin with request.json")
			}
			want := map[string]string{}
			for _, f := range a.Files[1:] {
				if !slices.Contains(results, f.Name) {
					t.Errorf("%s is no result", f.Name)
				}
				want[f.Name] = string(f.Data)
			}
			got := answer(t, a.Files[0].Data)
			for name := range got {
				if _, wanted := want[name]; !wanted && name != "want/error" && name != "want/notes" {
					delete(got, name)
				}
			}
			if *update {
				a.Files = a.Files[:1]
				for _, name := range results {
					if text, ok := got[name]; ok {
						a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
					}
				}
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(want) == 0 {
				t.Fatal("the archive wants nothing")
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("want (-), got (+):\n%s", d)
			}
		})
	}
}

func TestNoOrphans(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil || len(entries) == 0 {
		t.Fatalf("testdata: %v", err)
	}
	for _, e := range entries {
		if n := e.Name(); n != "fuzz" && filepath.Ext(n) != ".txtar" {
			t.Errorf("testdata/%s belongs to no test", n)
		}
	}
}

func answer(t *testing.T, request []byte) map[string]string {
	t.Helper()
	r, err := reminder.ParseRequest("request.json", request, cento.Limits{})
	var out *reminder.Response
	if err == nil {
		out, err = reminder.Answer(r, cento.Options{})
	}
	if err != nil {
		return map[string]string{"want/error": showError(err)}
	}
	got := map[string]string{
		"want/session": canonical(t, out.Session) + "\n", "want/child": "null\n", "want/envelope": "null\n",
		"want/events": jsonLines(t, out.Events), "want/fragments": jsonLines(t, out.Fragments), "want/messages": jsonLines(t, out.Messages),
	}
	if out.Child != nil {
		got["want/child"] = canonical(t, *out.Child) + "\n"
	}
	if out.Envelope != nil {
		got["want/envelope"] = *out.Envelope + "\n"
	}
	for _, n := range out.Notes {
		got["want/notes"] += fmt.Sprintf("%s [%s]\n", n.Message, n.Code)
	}
	return got
}

func jsonLines[T any](t *testing.T, list []T) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, x := range list {
		if err := e.Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func sourceErrors(err error) []*cento.SourceError {
	if all, ok := errors.AsType[*cento.Errors](err); ok {
		return all.List
	}
	if e, ok := errors.AsType[*cento.SourceError](err); ok {
		return []*cento.SourceError{e}
	}
	return nil
}

func showError(err error) string {
	var b strings.Builder
	for _, e := range sourceErrors(err) {
		fmt.Fprintf(&b, "%s [%s]\n", e.Error(), e.Code)
		for _, r := range e.Related {
			fmt.Fprintf(&b, "  %s: %s\n", r.Position, r.Message)
		}
		if e.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
		}
	}
	return b.String()
}
