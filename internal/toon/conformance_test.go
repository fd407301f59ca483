package toon_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/internal/toon"
	"github.com/cento-dev/cento/internal/toon/toontest"
)

var update = flag.Bool("update", false, "rewrite the errors in testdata")

// documentOf is what a file of an archive says.
func documentOf(data []byte) string {
	s := strings.TrimSuffix(string(data), "\n")
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "·")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "→", "\t")
}

func TestConformance(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) < 6 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if known := e.Name() == "README.md" || e.Name() == "fuzz" || path.Ext(e.Name()) == ".txtar"; !known {
			t.Errorf("testdata/%s belongs to no test", e.Name())
		}
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { conformance(t, name) })
	}
}

func conformance(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Comment) == 0 || len(archive.Files) == 0 {
		t.Fatal("the archive has no comment or no files")
	}
	used := map[string]bool{}
	file := func(name string) (int, bool) {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
		used[name] = i >= 0
		return i, i >= 0
	}
	changed := false
	for _, f := range archive.Files {
		base, ext := strings.TrimSuffix(f.Name, path.Ext(f.Name)), path.Ext(f.Name)
		text := documentOf(f.Data)
		switch ext {
		case ".toon", ".tab", ".pipe", ".read":
			used[f.Name] = true
			i, ok := file(base + ".json")
			if !ok {
				t.Errorf("%s has no value", f.Name)
				continue
			}
			value, err := toontest.FromJSON(archive.Files[i].Data)
			if err != nil {
				t.Errorf("%s: %v", base, err)
				continue
			}
			got, err := toontest.Decode(text)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			} else if !got.Equal(value) {
				t.Errorf("%s is read as %s", f.Name, got.AppendJSON(nil))
			}
			written, err := toontest.Encoder{Delimiter: map[string]toon.Delimiter{".tab": toon.Tab, ".pipe": toon.Pipe}[ext]}.Append(nil, value)
			if err != nil {
				t.Errorf("%s: %v", base, err)
			} else if (string(written) == text) == (ext == ".read") {
				t.Errorf("%s is written as\n%s", f.Name, written)
			}
		case ".bad":
			used[f.Name] = true
			_, err := toontest.Decode(text)
			if err == nil {
				t.Errorf("%s is read", f.Name)
				continue
			}
			i, ok := file(base + ".error")
			if !ok {
				t.Errorf("%s has no error", f.Name)
				continue
			}
			got := describe(err)
			if *update {
				changed = changed || string(archive.Files[i].Data) != got
				archive.Files[i].Data = []byte(got)
			} else if want := string(archive.Files[i].Data); got != want {
				t.Errorf("%s: got\n%swant\n%s", f.Name, got, want)
			}
		}
	}
	for _, f := range archive.Files {
		if !used[f.Name] {
			t.Errorf("%s belongs to no case", f.Name)
		}
	}
	if changed {
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// describe shows all of an error.
func describe(err error) string {
	var b strings.Builder
	e, ok := errors.AsType[*toon.Error](err)
	if !ok {
		return fmt.Sprintf("%T: %v\n", err, err)
	}
	fmt.Fprintf(&b, "%s: %v\n", e.Code, e)
	if e.Hint != "" {
		fmt.Fprintf(&b, "hint: %s\n", e.Hint)
	}
	if e.First.Line > 0 {
		fmt.Fprintf(&b, "first: %d:%d\n", e.First.Line, e.First.Column)
	}
	return b.String()
}
