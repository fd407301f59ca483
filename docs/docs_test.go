// Package docs_test keeps the documents true. Commands are run and their output
// is compared, Go code is that of tested examples, JSON fields are those of the
// Go types, references are generated, and links lead somewhere.
//
// `go test ./docs -update` rewrites what commands print and the references.
// Read the difference before you commit it.
package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/treetest"
)

var update = flag.Bool("update", false, "rewrite the references and the output of commands in the documents")

// root is the repository, seen from this folder.
const root = ".."

// clock is the time that prompt files see in the documents.
var clock = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// TestMain lets the test binary be the program: the commands of the documents
// find it under the name cento, so nothing has to be built.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "cento" {
		os.Exit(cli.Main(withClock(os.Args[1:]), os.Stdin, os.Stdout, os.Stderr))
	}
	treetest.InMemory()
	os.Exit(m.Run())
}

// withClock fixes the time of a command that takes one and names none.
func withClock(args []string) []string {
	cmd, _, err := cli.Commands().Find(args)
	if err != nil || cmd.Flags().Lookup("clock") == nil || slices.Contains(args, "--clock") {
		return args
	}
	return append(slices.Clone(args), "--clock", clock.Format(time.RFC3339))
}

// documents are the files that strangers read, as paths from the root, without
// those that are generated.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "bench/*/*.md", "testdata/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			name, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, filepath.ToSlash(name))
		}
	}
	for _, name := range []string{"README.md", "docs/tutorial.md", "docs/how-to.md", "docs/FORMATS.md"} {
		if !slices.Contains(out, name) {
			t.Fatalf("%s isn't among the documents that were found: %q", name, out)
		}
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
