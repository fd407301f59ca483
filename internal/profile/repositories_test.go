package profile

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestRepositories runs the archives of testdata: projects as they are found, with
// what is to be said of each and why. Their comments are the argument.
func TestRepositories(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) < 30 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(ar.Comment)) == 0 {
				t.Error("the archive doesn't argue for its answer")
			}
			dir, want := t.TempDir(), ""
			for _, f := range ar.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				write(t, dir, f.Name, string(f.Data))
			}
			p := find(t, dir)
			var got strings.Builder
			for _, s := range p.Signals {
				got.WriteString(s.Capability())
				if s.Command != "" {
					got.WriteString(": " + s.Command)
				}
				if s.Usual {
					got.WriteString(" (by convention)")
				}
				got.WriteString("\n")
			}
			for _, n := range p.Notes {
				got.WriteString(n.Position.String() + ": " + n.Message + "\n")
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
