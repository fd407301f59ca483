package cli_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project/toolserver/testdata/servers"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func TestMain(m *testing.M) {
	if code, asked := runForPeak(); asked {
		os.Exit(code)
	}
	cli.HoldAnswers()
	treetest.InMemory()
	testscript.Main(m, map[string]func(){
		"cento": func() {
			hearCodes(os.Getenv(heardVariable))
			os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"toolserver": func() { os.Exit(servers.Main(os.Args[1:])) },
	})
}

// TestScript runs the program as people meet it: one archive for each topic of
// each command, named VERB_topic.
//
// The README there says what a line does.
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("each line of a script is a process")
	}
	runScripts(t, false)
}

// TestLongScript runs the others.
func TestLongScript(t *testing.T) {
	if !*update {
		lengthtest.OnlyLong(t, "each of these scripts takes seconds")
	}
	runScripts(t, true)
}

// longMark is the line of a script that takes seconds; it says why, and what holds its
// law at fewer places.
var longMark = regexp.MustCompile(`(?m)^\[!long\] skip '[^']+'$`)

// runScripts runs the scripts that have the mark of long ones, or those without it.
func runScripts(t *testing.T, long bool) {
	t.Helper()
	all, err := filepath.Glob("testdata/script/*.txtar")
	must(t, err)
	var scripts []string
	for _, name := range all {
		text, err := os.ReadFile(name)
		must(t, err)
		if longMark.Match(text) == long {
			// Long scripts start many programs as it is.
			met.alone[strings.TrimSuffix(filepath.Base(name), ".txtar")] = long || background.Match(text)
			scripts = append(scripts, name)
		}
	}
	if len(scripts) == 0 {
		t.Fatal("no scripts")
	}
	var begun atomic.Int64
	t.Cleanup(func() { checkHints(t, !long && int(begun.Load()) == len(scripts)) })
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			begun.Add(1)
			for _, v := range hermetic(env.WorkDir) {
				name, value, _ := strings.Cut(v, "=")
				env.Setenv(name, value)
			}
			examples, err := filepath.Abs("../../docs/examples")
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", examples)
			env.Setenv(heardVariable, filepath.Join(env.WorkDir, ".tmp", "codes"))
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o755)
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "long":
				return long, nil
			}
			return false, errors.New("no such condition: " + name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "code": code, "serves": serves, "asks": asks, "lacks": lacks, "becomes": becomes, "hostile": hostile, "template": template, "deep": deep,
		},
	})
}

// hermetic is the environment of a run that depends on nothing of the machine.
func hermetic(dir string) []string {
	var out []string
	for _, names := range profile.CredentialVariables() {
		for _, name := range names {
			out = append(out, name+"=")
		}
	}
	return append(out,
		"HOME="+filepath.Join(dir, "home"), "USERPROFILE="+filepath.Join(dir, "home"),
		"CENTO_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "CODEX_HOME=", "CLAUDE_CONFIG_DIR=", "GEMINI_CLI_HOME=", "NO_COLOR=",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2024-03-05T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2024-03-05T10:00:00Z",
	)
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Check(err)
		}
		got = ended.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	followHints(ts, args[1:])
	followEdits(ts, args[1:])
}

func lacks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || args[1] == "" {
		ts.Fatalf("usage: lacks FILE TEXT")
	}
	for i, l := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if strings.Contains(l, args[1]) {
			ts.Fatalf("%s:%d has %q: %s", args[0], i+1, args[1], l)
		}
	}
}

// becomes waits until a file, which a program in the background writes, has a text.
func becomes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || args[1] == "" {
		ts.Fatalf("usage: becomes FILE TEXT")
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		held, err := os.ReadFile(ts.MkAbs(args[0]))
		switch {
		case err == nil && strings.Contains(string(held), args[1]):
			return
		case time.Now().After(deadline):
			ts.Fatalf("%s never had %q: %q, %v", args[0], args[1], held, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestScriptNames holds the rule that a script is named for a command.
func TestScriptNames(t *testing.T) {
	verbs := map[string]bool{"cento": true}
	for _, name := range commandNames(t) {
		verb, _, _ := strings.Cut(name, " ")
		verbs[verb] = false
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, s := range scripts {
		verb, topic, ok := strings.Cut(strings.TrimSuffix(filepath.Base(s), ".txtar"), "_")
		if _, known := verbs[verb]; !known || !ok || topic == "" {
			t.Errorf("%s: the name is not VERB_topic.txtar with a command for its verb", s)
		}
		verbs[verb] = true
	}
	for verb, seen := range verbs {
		if !seen {
			t.Errorf("no script is about cento %s", verb)
		}
	}
}

// program is the path of the program under test.
func program(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("cento")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func needsUnix(t *testing.T, why string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped on Windows: " + why)
	}
}
