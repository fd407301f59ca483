package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/lengthtest"
)

// corpusGolden has a line for each project: its archive and folder, then for each
// command its name, its exit code and a digest of what it printed.
const corpusGolden = "testdata/corpus.txt"

// corpusCommands are what each project is asked. {{word}} is a word of its prompt.
var corpusCommands = []struct {
	name string
	args []string
}{
	{"build", []string{"build"}},
	{"explain", []string{"explain", "--json"}},
	{"check", []string{"check", "--json"}},
	{"anthropic", []string{"wire", "--wire", "anthropic", "--partial", "--json"}},
	{"openai", []string{"wire", "--wire", "openai", "--partial", "--json"}},
	{"responses", []string{"wire", "--wire", "openai-responses", "--partial", "--json"}},
	{"gemini", []string{"wire", "--wire", "gemini", "--partial", "--json"}},
	{"bedrock", []string{"wire", "--wire", "bedrock", "--partial", "--json"}},
	{"budget", []string{"budget", "--tokens", "60", "--json"}},
	{"why", []string{"why", "the", "--json"}},
	{"instructions", []string{"instructions", "--json"}},
}

// TestCorpus: the whole of what the program answers for every project that a test of the
// repository has: bytes, codes, spans, places and exit codes. Messages and hints are left
// out, so that their words may change. A change of the code alone leaves every line as it
// is.
//
// CENTO_CORPUS=FOLDER writes the answers there, to compare those of two versions.
func TestCorpus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the answers name the folder of the project, and are compared where it is below /tmp")
	}
	every := lengthtest.Of(20, 10, 1)
	projects := corpusProjects(t)
	if n := len(projects) * len(corpusCommands); n < 3000 {
		t.Fatalf("%d inputs: where are the archives?", n)
	}
	wants := corpusWants(t)
	golden, err := filepath.Abs(corpusGolden)
	must(t, err)
	base := fmt.Sprintf("/tmp/cento-corpus-%06d", rand.IntN(1e6)) // of one length, which spans tell
	must(t, os.Mkdir(base, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	for _, v := range hermetic(base) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", base)
	t.Chdir(base) // from which places are named
	if *update {
		every = 1
	}
	var got strings.Builder
	for i, p := range projects {
		if i%every != 0 {
			continue
		}
		line := p.answers(t, base)
		fmt.Fprintln(&got, line)
		if *update {
			continue
		}
		name, _, _ := strings.Cut(line, "\t")
		switch want, known := wants[name]; {
		case !known:
			t.Errorf("%s has no line in %s: write it with -update", name, corpusGolden)
		case want != line:
			t.Errorf("other answers:\n%s\nwant\n%s", line, want)
		}
	}
	switch {
	case *update:
		must(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	case len(wants) != len(projects):
		t.Errorf("%s has %d lines and there are %d projects: write it with -update", corpusGolden, len(wants), len(projects))
	}
}

// corpusProject is one folder with files.
type corpusProject struct {
	name  string // the archive, and where below it
	dir   string // the folder with the manifest, in files
	files map[string][]byte
}

// corpusProjects finds the projects in the archives of all packages.
func corpusProjects(t *testing.T) []corpusProject {
	t.Helper()
	root, err := filepath.Abs("../..")
	must(t, err)
	var out []corpusProject
	seen := map[string]bool{}
	must(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case filepath.Ext(path) != ".txtar":
			return nil
		}
		a, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		files := map[string][]byte{}
		var dirs []string
		for _, f := range a.Files {
			if !filepath.IsLocal(f.Name) || strings.HasPrefix(f.Name, "want/") {
				continue
			}
			files[f.Name] = f.Data
			switch filepath.Base(f.Name) {
			case "cento.yaml", "AGENTS.md", "CLAUDE.md", "GEMINI.md":
				if dir := filepath.Dir(f.Name); !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			p := corpusProject{name: filepath.ToSlash(strings.TrimSuffix(rel, ".txtar")), dir: dir, files: files}
			if dir != "." {
				p.name += ":" + dir
			}
			if seen[p.name] {
				return fmt.Errorf("two projects are called %s", p.name)
			}
			seen[p.name] = true
			out = append(out, p)
		}
		return nil
	}))
	slices.SortFunc(out, func(a, b corpusProject) int { return strings.Compare(a.name, b.name) })
	return out
}

// corpusWants are the lines of the golden, by the name of their project.
func corpusWants(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(corpusGolden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		name, _, _ := strings.Cut(line, "\t")
		out[name] = line
	}
	return out
}

// answers writes the project below base and asks it everything.
func (p corpusProject) answers(t *testing.T, base string) string {
	t.Helper()
	work := filepath.Join(base, "work")
	must(t, os.RemoveAll(work))
	must(t, os.MkdirAll(filepath.Join(base, "home"), 0o755))
	for name, data := range p.files {
		file := filepath.Join(work, filepath.FromSlash(name))
		// Where one file is in the way of another, the archive wants that.
		_ = os.MkdirAll(filepath.Dir(file), 0o755)
		_ = os.WriteFile(file, data, 0o644)
	}
	dir := filepath.Join(work, filepath.FromSlash(p.dir))
	line := p.name + "\t"
	for _, c := range corpusCommands {
		args := append(slices.Clone(c.args), "--cwd", dir)
		if c.name != "instructions" {
			args = append(args, "--clock", "2026-04-15T09:30:00Z", "--mcp", "off")
		}
		var stdout, stderr bytes.Buffer
		code := cli.Main(args, strings.NewReader(""), &stdout, &stderr)
		answer := wordless(stdout.Bytes(), stderr.Bytes(), base)
		sum := sha256.Sum256(answer)
		line += fmt.Sprintf(" %s=%d:%x", c.name, code, sum[:4])
		if folder := os.Getenv("CENTO_CORPUS"); folder != "" {
			file := filepath.Join(folder, strings.ReplaceAll(p.name, "/", "_")+"."+c.name)
			must(t, os.MkdirAll(folder, 0o755))
			must(t, os.WriteFile(file, fmt.Appendf(nil, "%s\nexit %d\n", answer, code), 0o644))
		}
	}
	return line
}

var (
	placeInText  = regexp.MustCompile(`[^\s"'(]+:\d+:\d+`)
	digestInText = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
)

// wordless is an answer without its messages and hints: of stderr the places alone.
func wordless(stdout, stderr []byte, base string) []byte {
	var b bytes.Buffer
	var v any
	if d := json.NewDecoder(bytes.NewReader(stdout)); len(stdout) > 0 && stdout[0] == '{' && d.Decode(&v) == nil {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		_ = e.Encode(unworded(v)) // to memory, of what was read from JSON
		_, _ = io.Copy(&b, d.Buffered())
	} else {
		b.Write(stdout)
	}
	for _, place := range placeInText.FindAll(stderr, -1) {
		fmt.Fprintf(&b, "\n%s", place)
	}
	answer := bytes.ReplaceAll(b.Bytes(), []byte(filepath.Base(base)), []byte("$BASE"))
	return digestInText.ReplaceAll(answer, []byte("<digest>"))
}

// unworded is a JSON value without the texts that are for people.
func unworded(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if _, text := member.(string); text && slices.Contains([]string{"message", "hint", "detail", "reason", "why"}, key) {
				v[key] = ""
				continue
			}
			v[key] = unworded(member)
		}
	case []any:
		for i := range v {
			v[i] = unworded(v[i])
		}
	}
	return v
}
