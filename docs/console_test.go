package docs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/profile"
)

// A document is a script. Its ```console blocks are run in order in one folder
// of their own: a line that begins with `$ ` is a command for sh, the lines
// below it are what it prints, on stdout and stderr alike. The folder reads
// `<root>`, the home folder `<home>`. In what is printed, `…` stands for
// anything on one line, and a line of it alone for any number of lines.
//
// A comment before a block tells more about it:
//
//	<!-- file: NAME -->               the block, of any language, is written to a file
//	<!-- file: NAME ⏎ TEXT ⏎ -->      the same with a text that isn't shown
//	<!-- not compared: REASON -->     the commands are run and their output isn't compared
//	<!-- numbers differ: REASON -->   numbers in the output aren't compared
//	<!-- in: the repository -->       the commands are run in the root of the repository
//	<!-- begin anew -->               the folder is emptied first
type step struct {
	place    string // document:line
	file     *string
	text     string // of the file
	anew     bool
	commands []command
	mode     mode
	inRoot   bool
}

type command struct {
	line       int // in the document, from 0
	text       string
	first, end int // lines of the output in the document
	want       []string
}

type mode uint8

const (
	exact mode = iota
	numbersDiffer
	notCompared
)

var (
	fence   = regexp.MustCompile("^( *)(```+)([a-z]*)$")
	comment = regexp.MustCompile(`^ *<!-- (file|not compared|numbers differ|in|begin anew)(?:: (.*?))?( -->)?$`)
)

// parse finds the steps of a document.
func parse(t *testing.T, name, text string) []step {
	t.Helper()
	var steps []step
	lines := strings.Split(text, "\n")
	next := step{}
	for i := 0; i < len(lines); i++ {
		place := fmt.Sprintf("%s:%d", name, i+1)
		if m := comment.FindStringSubmatch(lines[i]); m != nil {
			what, value, closed := m[1], m[2], m[3] != ""
			switch {
			case what == "file" && !closed:
				end := i + 1
				for end < len(lines) && lines[end] != "-->" {
					end++
				}
				if end == len(lines) {
					t.Fatalf("%s: the comment has no end", place)
				}
				steps = append(steps, step{place: place, file: &value, text: strings.Join(lines[i+1:end], "\n") + "\n"})
				i = end
			case !closed:
				t.Fatalf("%s: a comment of more than one line", place)
			case what == "file":
				next.file = &value
			case what == "not compared" && value != "":
				next.mode = notCompared
			case what == "numbers differ" && value != "":
				next.mode = numbersDiffer
			case what == "in" && value == "the repository":
				next.inRoot = true
			case what == "begin anew":
				steps = append(steps, step{place: place, anew: true})
			default:
				t.Fatalf("%s: not understood: %s", place, lines[i])
			}
			continue
		}
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		begin := i + 1
		for i++; i < len(lines) && lines[i] != m[1]+m[2]; i++ {
		}
		if i == len(lines) {
			t.Fatalf("%s: the block has no end", place)
		}
		switch next.place = place; {
		case next.file != nil:
			next.text = strings.Join(lines[begin:i], "\n") + "\n"
			steps = append(steps, next)
		case m[3] == "console":
			next.commands = commands(t, name, lines, begin, i)
			steps = append(steps, next)
		case next.mode != exact || next.inRoot:
			t.Fatalf("%s: this block is not a console", place)
		}
		next = step{}
	}
	return steps
}

func commands(t *testing.T, name string, lines []string, begin, end int) []command {
	t.Helper()
	var out []command
	for i := begin; i < end; i++ {
		if text, ok := strings.CutPrefix(lines[i], "$ "); ok {
			out = append(out, command{line: i, text: text, first: i + 1, end: i + 1})
			for strings.HasSuffix(out[len(out)-1].text, `\`) && i+1 < end {
				i++
				c := &out[len(out)-1]
				c.text, c.first, c.end = c.text+"\n"+lines[i], i+1, i+1
			}
			continue
		}
		if len(out) == 0 {
			t.Fatalf("%s:%d: output before the first command", name, i+1)
		}
		c := &out[len(out)-1]
		c.want, c.end = append(c.want, lines[i]), i+1
	}
	if len(out) == 0 {
		t.Fatalf("%s:%d: a console without a command", name, begin)
	}
	return out
}

// readFirst are the documents that a newcomer goes through.
var readFirst = []string{"README.md", "docs/tutorial.md", "docs/how-to.md"}

// TestConsoles runs the commands of the documents: of those that are read first, and of
// all where nothing is left out and where what they print is written anew.
func TestConsoles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the documents show a shell of Unix")
	}
	if testing.Short() {
		t.Skip("each command of a document is a process")
	}
	for _, tool := range []string{"sh", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the documents run %s, which isn't here", tool)
		}
	}
	ran := 0
	for _, name := range documents(t) {
		text := read(t, name)
		steps := parse(t, name, text)
		if len(steps) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if !*update && !slices.Contains(readFirst, name) {
				lengthtest.OnlyLong(t, "a document runs dozens of processes")
			}
			needs(t, name)
			run := newRun(t)
			lines := strings.Split(text, "\n")
			shift := 0
			for _, s := range steps {
				ran += run.step(t, name, s, &lines, &shift)
			}
			if *update {
				write(t, name, strings.Join(lines, "\n"))
			}
		})
	}
	if ran == 0 {
		t.Error("no command was found in any document")
	}
}

// interpreters are what documents about other languages run, with the variable that
// requires it.
var interpreters = map[string][2]string{
	"docs/python.md":     {"python3", "CENTO_REQUIRE_PYTHON"},
	"docs/typescript.md": {"node", "CENTO_REQUIRE_NODE"},
}

// needs skips a document whose programs can't run here.
func needs(t *testing.T, name string) {
	t.Helper()
	of, ok := interpreters[name]
	if !ok {
		return
	}
	if _, err := exec.LookPath(of[0]); err != nil {
		if os.Getenv(of[1]) != "" {
			t.Fatalf("%s isn't here, and %s is set", of[0], of[1])
		}
		t.Skipf("%s isn't here, so the programs of this document are not run", of[0])
	}
}

// run is one document being run.
type run struct {
	dir, home string
	env       []string
}

// pathLength is that of every folder a document runs in, in bytes: prompts tell
// the folder, and their length should be the same everywhere.
const pathLength = 120

func newRun(t *testing.T) *run {
	t.Helper()
	temp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, home := filepath.Join(temp, "bin"), filepath.Join(temp, "home")
	missing := pathLength - len(temp) - 2*len("/")
	if missing < 1 {
		t.Fatalf("the folder for temporary files has a path of %d bytes, which is too long for this test: set TMPDIR to a shorter one", len(temp))
	}
	dir := filepath.Join(temp, "p", strings.Repeat("d", missing-1))
	for _, d := range []string{bin, home, dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "cento")); err != nil {
		t.Fatal(err)
	}
	clients, err := filepath.Abs(filepath.Join(root, "clients"))
	if err != nil {
		t.Fatal(err)
	}
	// Node looks for a package in the folders above.
	if err := errors.Join(os.Mkdir(filepath.Join(temp, "node_modules"), 0o755), os.Symlink(filepath.Join(clients, "typescript"), filepath.Join(temp, "node_modules", "cento"))); err != nil {
		t.Fatal(err)
	}
	day := clock.Format(time.RFC3339)
	return &run{dir, home, append(withoutVariables("GIT_", "CENTO_", "XDG_"),
		"HOME="+home, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TZ=UTC", "LC_ALL=C", "NO_COLOR=1",
		"PYTHONPATH="+filepath.Join(clients, "python"), "PYTHONDONTWRITEBYTECODE=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
		"GIT_AUTHOR_NAME=you", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_AUTHOR_DATE="+day,
		"GIT_COMMITTER_NAME=you", "GIT_COMMITTER_EMAIL=you@example.com", "GIT_COMMITTER_DATE="+day,
	)}
}

func withoutVariables(prefixes ...string) []string {
	for _, names := range profile.CredentialVariables() {
		prefixes = append(prefixes, names...)
	}
	var out []string
	for _, v := range os.Environ() {
		drop := false
		for _, p := range prefixes {
			drop = drop || strings.HasPrefix(v, p)
		}
		if !drop {
			out = append(out, v)
		}
	}
	return out
}

// step does one step and returns how many commands it ran. With -update it
// writes what they print into the lines of the document, which moves those below
// by shift.
func (r *run) step(t *testing.T, name string, s step, lines *[]string, shift *int) int {
	t.Helper()
	switch {
	case s.anew:
		if err := errors.Join(os.RemoveAll(r.dir), os.MkdirAll(r.dir, 0o755)); err != nil {
			t.Fatal(err)
		}
		return 0
	case s.file != nil:
		path := filepath.Join(r.dir, filepath.FromSlash(*s.file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(s.text), 0o644)); err != nil {
			t.Fatal(err)
		}
		return 0
	}
	dir := r.dir
	if s.inRoot {
		var err error
		if dir, err = filepath.Abs(root); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range s.commands {
		place := fmt.Sprintf("%s:%d: $ %s", name, c.line+1, c.text)
		got, status := r.sh(t, dir, c.text)
		// 2 is a refusal, which a document may show and not leave unseen; less than
		// 0 is a command that was ended, as it took too long.
		if status < 0 || status > 2 || status == 2 && s.mode == notCompared {
			t.Errorf("%s\nexit status %d\n%s", place, status, got)
			continue
		}
		gotLines := splitOutput(got)
		if s.mode == notCompared || matches(c.want, gotLines, s.mode) {
			continue
		}
		if *update {
			at, end := c.first+*shift, c.end+*shift
			*lines = append((*lines)[:at:at], append(gotLines, (*lines)[end:]...)...)
			*shift += len(gotLines) - (c.end - c.first)
			continue
		}
		t.Errorf("%s\nprints:\n%s\nthe document says:\n%s", place, indent(gotLines), indent(c.want))
	}
	return len(s.commands)
}

// sh runs one command line and returns what it prints, with the paths of this
// machine replaced, and its exit status.
func (r *run) sh(t *testing.T, dir, text string) (string, int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", text)
	cmd.Dir, cmd.Env = dir, r.env
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	shown := strings.NewReplacer(dir, "<root>", r.home, "<home>", " --clock "+clock.Format(time.RFC3339), "").Replace(string(out))
	return shortDigest.ReplaceAllString(shown, "sha256 …"), cmd.ProcessState.ExitCode()
}

func splitOutput(s string) []string {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func indent(lines []string) string { return "    " + strings.Join(lines, "\n    ") }

var (
	// The digest of a prompt that tells its folder is another on every machine.
	shortDigest = regexp.MustCompile(`sha256 [0-9a-f]{16}`)

	number = regexp.MustCompile(`[0-9]+`)
	spaces = regexp.MustCompile(` +`)
)

// matches reports whether output is what a document says.
func matches(want, got []string, m mode) bool {
	for len(want) > 0 && strings.TrimSpace(want[len(want)-1]) == "" {
		want = want[:len(want)-1]
	}
	var pattern strings.Builder
	for _, l := range want {
		if strings.TrimSpace(l) == "…" {
			pattern.WriteString(`(?:.*\n)*`)
			continue
		}
		for i, part := range strings.Split(folded(l, m), "…") {
			if i > 0 {
				pattern.WriteString(".*")
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteString(`\n`)
	}
	var text strings.Builder
	for _, l := range got {
		text.WriteString(folded(l, m) + "\n")
	}
	return regexp.MustCompile("^" + pattern.String() + "$").MatchString(text.String())
}

func folded(line string, m mode) string {
	if m == numbersDiffer {
		return spaces.ReplaceAllString(number.ReplaceAllString(line, "0"), " ")
	}
	return line
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, got string
		mode      mode
		ok        bool
	}{
		{"a\nb", "a\nb", exact, true},
		{"a\nb", "a", exact, false},
		{"a", "a\nb", exact, false},
		{"a …", "a long line", exact, true},
		{"a …", "a long line\nand more", exact, false},
		{"a\n…\nd", "a\nb\nc\nd", exact, true},
		{"a\n…\nd", "a\nd", exact, true},
		{"a\n…", "b\nc", exact, false},
		{"…x", "…x", exact, true},
		{"12 bytes", "  7 bytes", exact, false},
		{"a  12 bytes", "a   7 bytes", numbersDiffer, true},
		{"a  12 bytes", "b   7 bytes", numbersDiffer, false},
		{"a (b", "a (b", exact, true},
		{"", "a", exact, false},
	} {
		if ok := matches(splitOutput(c.want), splitOutput(c.got), c.mode); ok != c.ok {
			t.Errorf("%q, %q: %v", c.want, c.got, ok)
		}
	}
}
