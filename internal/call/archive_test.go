package call_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
)

// TestArchives runs the cases of testdata; its README says what the files of an
// archive are.
func TestArchives(t *testing.T) {
	cases := archive.Cases{Folder: "testdata"}
	for _, name := range call.Names() {
		cases.Inputs = append(cases.Inputs, name+".json")
		cases.Results = append(cases.Results, "want/"+name+".json", "want/"+name+".error.txt")
	}
	cases.Always = cases.Results
	cases.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		got := map[string]string{}
		for file, request := range files {
			name := strings.TrimSuffix(file, ".json")
			answer, err := call.Answer(t.Context(), name, []byte(request), call.Options{})
			if err != nil {
				got["want/"+name+".error.txt"] = strings.ReplaceAll(archive.Error(t, err), "<request>.json", file)
				continue
			}
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			if err := e.Encode(answer); err != nil {
				t.Fatal(err)
			}
			got["want/"+name+".json"] = b.String()
		}
		return got
	})
	cases.NoOrphans(t)
}

// TestOperationsAreShown: whoever reads the archives sees each operation answer, and sees
// it refuse.
func TestOperationsAreShown(t *testing.T) {
	const elsewhere = "session" // needs a store: the archives of the package session show it
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			shown[f.Name] = true
		}
	}
	for _, name := range call.Names() {
		for what, file := range map[string]string{"answer": name + ".json", "refuse": name + ".error.txt"} {
			if name != elsewhere && !shown["want/"+file] {
				t.Errorf("no archive shows %s %s", name, what)
			}
		}
	}
}
