package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cento-dev/cento/internal/app"
)

// unfollowed are commands of hints that a script can't follow, with the reason.
var unfollowed = map[string]string{
	"cento check":                        "it prints the errors, and fails with them",
	"cento pack add .cento/packs/acme":   "the folder has to be copied there first",
	"cento tools lock":                   "cento.lock has to be deleted first",
	"cento build --target ci":            "the script has no such target",
	"cento contract write a.yaml":        "the script has no such file",
	"cento session turn s1 --store s.db": "the script has no such session",
	"cento log list --session s1":        "the script has no such session",
	"cento tools list --target ci":       "the script has no such target",
	"cento serve token":                  "the mistyped command had no arguments",
	"cento scope check":                  "the mistyped command had no arguments",
}

// hints collects what became of the hints that scripts met.
type hints struct {
	sync.Mutex
	followed int
	edited   int // files that were changed as a hint says
	failures []string
	skipped  map[string]bool
	// alone are scripts that have a program in the background, whose files must stay.
	alone map[string]bool
}

// met are the hints of all scripts.
var met = hints{skipped: map[string]bool{}, alone: map[string]bool{}}

var (
	hinted      = regexp.MustCompile("`(cento [^`]+)`|: (cento [^`]+)$")
	placeholder = regexp.MustCompile(`\b[A-Z][A-Z]+\b|…|\.\.\.`)
	background  = regexp.MustCompile(`(?m)&[a-z]*&?$|^serves `)
)

// followHints runs each command that a hint of the last command proposes, in the folder as
// it is, and restores the folder. The command must not be an error itself.
func followHints(ts *testscript.TestScript, ran []string) {
	if filepath.Base(ran[0]) != "cento" || met.alone[ts.Name()] {
		return
	}
	var commands []string
	for line := range strings.Lines(ts.ReadFile("stderr") + ts.ReadFile("stdout")) {
		_, hint, is := strings.Cut(strings.TrimSuffix(line, "\n"), "hint: ")
		if !is || strings.HasPrefix(hint, "a flag of ") { // which names commands
			continue
		}
		for _, m := range hinted.FindAllStringSubmatch(hint, -1) {
			commands = append(commands, m[1]+m[2])
		}
	}
	for _, command := range commands {
		for _, flag := range missingFlags(ran[1:], command) {
			met.Lock()
			met.failures = append(met.failures, fmt.Sprintf("%s: cento %s\n  the hint `%s` lacks --%s", ts.Name(), strings.Join(ran[1:], " "), command, flag))
			met.Unlock()
		}
		reason := ""
		if placeholder.MatchString(command) {
			reason = "a word to fill in"
		}
		for prefix, why := range unfollowed {
			if strings.HasPrefix(command+" ", prefix+" ") {
				reason = why
				met.Lock()
				met.skipped[prefix] = true
				met.Unlock()
			}
		}
		if reason != "" {
			continue
		}
		output, err := inPlace(ts, nil, command)
		met.Lock()
		met.followed++
		if ended, is := err.(*exec.ExitError); err != nil && (!is || ended.ExitCode() > 1) {
			met.failures = append(met.failures, fmt.Sprintf("%s: cento %s\n  the hint `%s` fails: %v\n%s", ts.Name(), strings.Join(ran[1:], " "), command, err, output))
		}
		met.Unlock()
	}
}

// proposed is an error at a place, and the text that its hint proposes.
var proposed = regexp.MustCompile(`(?m)^(?:cento: )?(\S+\.(?:yaml|yml|json|md)):(\d+):(\d+): (.*)\n(?: +\d* \| .*\n)*  hint: (?:did you mean|write) ["` + "`" + `']([^"` + "`" + `']+)["` + "`" + `']\?`)

// followEdits puts the text that a hint proposes where its error is, in place of the word
// that is there and that the error quotes, and runs the command again: the error is gone.
func followEdits(ts *testscript.TestScript, ran []string) {
	if filepath.Base(ran[0]) != "cento" || met.alone[ts.Name()] || slices.Contains(ran, "-") {
		return
	}
	for _, m := range proposed.FindAllStringSubmatch(ts.ReadFile("stderr")+ts.ReadFile("stdout"), -1) {
		file := ts.MkAbs(m[1])
		text, err := os.ReadFile(file)
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		lines := strings.SplitAfter(string(text), "\n")
		if err != nil || line > len(lines) || column > len([]rune(lines[line-1])) {
			continue
		}
		before, rest := string([]rune(lines[line-1])[:column-1]), string([]rune(lines[line-1])[column-1:])
		word := ""
		for _, q := range quoted.FindAllStringSubmatch(m[4], -1) {
			if w := q[1]; len(w) > len(word) && (strings.HasPrefix(rest, w) || strings.HasPrefix(rest[1:], w)) {
				word = w
			}
		}
		if word == "" {
			continue // the place is that of something larger
		}
		lines[line-1] = before + strings.Replace(rest, word, m[5], 1)
		var command []string
		for _, arg := range ran[1:] {
			command = append(command, app.Quoted(arg))
		}
		output, _ := inPlace(ts, func() { ts.Check(os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644)) }, "cento "+strings.Join(command, " "))
		met.Lock()
		met.edited++
		if strings.Contains(output, fmt.Sprintf("%s:%s:%s: %s", m[1], m[2], m[3], m[4])) {
			met.failures = append(met.failures, fmt.Sprintf("%s: cento %s\n  with %q for %q at %s:%s:%s the error stays:\n%s", ts.Name(), strings.Join(ran[1:], " "), m[5], word, m[1], m[2], m[3], output))
		}
		met.Unlock()
	}
}

// quoted is a text between quotes of an error.
var quoted = regexp.MustCompile("[\"'`]([^\"'`]+)[\"'`]")

// repeatedFlags are flags that say where a command works or for what it answers: a hint repeats
// them. Where the help of two commands describes one in other words, it means another thing.
var repeatedFlags = []string{"cwd", "file", "store", "target", "profile", "session", "tools", "tool", "without-tool", "cap", "without-cap", "skill", "model", "budget", "var", "clock", "timezone"}

// missingFlags are flags of a command that the one of its hint takes too, and lacks.
func missingFlags(ran []string, command string) (missing []string) {
	words := strings.Fields(command)[1:]
	if slices.Contains(words, "--help") {
		return nil
	}
	here, there := flagsOf(ran), flagsOf(words)
	for _, name := range repeatedFlags {
		given := func(s string) bool { return s == "--"+name || strings.HasPrefix(s, "--"+name+"=") }
		same := slices.Index(repeatedFlags, name) < 4 || here[name] == there[name]
		if slices.ContainsFunc(ran, given) && there[name] != "" && same && !slices.ContainsFunc(words, given) {
			missing = append(missing, name)
		}
	}
	return missing
}

// helpLine is a flag in the help of a command.
var helpLine = regexp.MustCompile(`(?m)^ +(?:-\w, )?--(\S+) +(.+)$`)

// flagsOf are the flags of a command, by the golden of its help: what each means.
func flagsOf(words []string) map[string]string {
	flags := map[string]string{}
	for n := len(words); n > 0; n-- {
		help, err := os.ReadFile("testdata/help/cento_" + strings.Join(words[:n], "_") + ".txt")
		if err != nil {
			continue
		}
		for _, m := range helpLine.FindAllStringSubmatch(string(help), -1) {
			flags[m[1]] = strings.Join(strings.Fields(m[2]), " ")
		}
		break
	}
	return flags
}

// inPlace runs a command in the folder of a script after a change of its files, nil for none,
// and then restores all of them.
func inPlace(ts *testscript.TestScript, change func(), command string) (string, error) {
	work := ts.Getenv("WORK")
	kept, err := os.MkdirTemp("", "hints")
	ts.Check(err)
	defer os.RemoveAll(kept)
	same := func(args ...string) {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			ts.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	same("cp", "-a", work+"/.", kept)
	if change != nil {
		change()
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = ts.MkAbs(".")
	for _, v := range hermetic(work) {
		name, _, _ := strings.Cut(v, "=")
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	for _, name := range []string{"PATH", "WORK", "TMPDIR", "CENTO_STORE", "TERM"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	same("sh", "-c", `chmod -R u+w "$1" 2>/dev/null; find "$1" -mindepth 1 -delete; cp -a "$2/." "$1"`, "sh", work, kept)
	return out.String(), err
}

// checkHints reports what became of the hints of scripts. A row of the table that no
// script needs fails the test.
func checkHints(t *testing.T, all bool) {
	met.Lock()
	defer met.Unlock()
	slices.Sort(met.failures)
	for _, f := range met.failures {
		t.Error(f)
	}
	t.Logf("%d commands of hints were run, %d files changed as hints say", met.followed, met.edited)
	if !all {
		return
	}
	if met.followed == 0 || met.edited == 0 {
		t.Error("no script had a hint with a command, or with a text to write")
	}
	for command, why := range unfollowed {
		if !met.skipped[command] {
			t.Errorf("no hint proposes `%s` (%s): remove the row", command, why)
		}
	}
}
