package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/creack/pty"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/cento-dev/cento/internal/terminal"
)

// own is what the program itself sends to a terminal: colours, and the bar of
// what takes long.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m|\r(?:cento: |\x1b\\[K)")

// hostile is a text with every character that a terminal acts on or that nobody
// can see: sequences that set a title (in both encodings), clear the screen and
// move about, then every control, the marks of direction, tags, private letters
// and what is drawn as nothing. "owned" tells that it came through.
var hostile = func() string {
	var b strings.Builder
	b.WriteString("\x1b]0;owned\x07 \x1b[2J \u009b2J \u009d0;owned\u009c \x1b]52;c;b3duZWQ=\x07\r")
	for r := rune(1); r < 0xa0; r++ {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f {
			b.WriteRune(r)
		}
	}
	b.WriteString("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069 \u00ad\u034f\u115f\u180e\u200b\u2060\u2064\u206f\u3164\ufeff\ufff9\ufffb\u2028\u2029")
	b.WriteString("\ue000\uf8ff\U000f0000\U0010fffd\U000e0001\U000e0041\U000e007f\U000e0100\ufdd0")
	return b.String()
}()

// spelled writes a text as the inside of a string of JSON, which is one of YAML
// too, with all but plain letters as \uXXXX.
func spelled(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if u >= ' ' && u < 0x7f && u != '"' && u != '\\' {
			b.WriteByte(byte(u))
		} else {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}

// spelledInYAML is spelled with the escapes of YAML, which has no surrogates.
func spelledInYAML(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= ' ' && r < 0x7f && r != '"' && r != '\\' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// hostileProject writes projects whose names and texts are hostile: one whose
// names are plain, so that its texts get everywhere, and others with names that
// get as far as they can.
func hostileProject(t *testing.T, dir string) {
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Skipf("skipped: this file system takes no such names: %v", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Skipf("skipped: this file system takes no such names: %v", err)
		}
	}
	y, j := `"`+spelledInYAML(hostile)+`"`, `"`+spelled(hostile)+`"`
	write("cento.yaml", `instruction: $workspace/main
tools: [{name: todo, description: `+y+`, guidance: `+y+`}]
fragments: [{id: a, source: `+y+`, requires_tools: [web], body: `+y+`}]
layers: [{name: team, layer: {slots: {guidance: {contributions: [{title: Rules, content: `+y+`}]}}}}]
scope: {allow: [{target: ., permission: read}]}
skills: auto
targets: {ci: {caps: [x]}, `+y+`: {caps: []}}
tests: [{name: `+y+`, targets: all, contains: [nowhere, `+y+`], not_contains: Text, excluded: [`+y+`], golden: gone.txt}]
`)
	write(".cento/prompts/main.md", "---\ntitle: "+y+"\ndescription: "+y+"\n---\nText "+hostile+"\n{% if tool('bash') %}Other "+hostile+"{% endif %}\n")
	write(".cento/prompts/broken.md", "{{ "+hostile+" }}")
	write(".cento/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: "+y+"\nallowed-tools: "+y+"\n---\nText "+hostile+"\n")
	write(".cento/skills/broken/SKILL.md", "---\nname: "+y+"\ndescription: x\n---\nx\n")
	write("AGENTS.md", "# Text "+hostile+"\nSecond line "+hostile+"\n@"+strings.ReplaceAll(hostile, " ", "")+"\n")
	write("CLAUDE.md", "Imported "+hostile+"\n")
	write("sub\x1b]0;owned\x07/AGENTS.md", "Below "+hostile+"\n")
	write("names/cento.yaml", "agent: {name: "+y+"}\nsystem: "+y+"\ntools: [{name: "+y+", guidance: "+y+"}]\ncaps: ["+y+"]\nfragments: [{id: "+y+", source: "+y+", body: x}]\n")
	write("refused/cento.yaml", "scope: {allow: [{target: "+y+", permission: read}]}\nlayers: [{name: "+y+", layer: {}}]\nsystem: x\n")
	write("mcp\x1b]0;owned\x07/cento.yaml", "system: x\ntools: {mcp: {command: [nothing, owned]}}\n")
	write("broken.yaml", "system: x\nsy"+strings.ReplaceAll(hostile, "\r", "")+": y\n")
	write("tools.json", `[{"name": `+j+`}, {"name": `+j+`}]`)
	write("good.json", `[{"name": "todo", "description": `+j+`, "parameters": {"type": "object", "description": `+j+`}}]`)
	write("ask.yaml", "emit: report\nobjective: "+y+"\nfacts: [{id: f1, text: "+y+"}]\n")
	write("ask.json", `{"role": `+j+`}`)
	write("answer.json", `{"report": `+j+`}`)
	write("pack/pack.yaml", "name: acme\nversion: "+y+"\ndescription: "+y+"\n")
	write("pack/a.md", hostile)
}

// screens are a stdout and a stderr that are real terminals, for one run.
func onScreens(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	type screen struct {
		tty  *os.File
		text chan string
	}
	var screens [2]screen
	for i := range screens {
		master, tty, err := pty.Open()
		if err != nil {
			t.Skipf("skipped: there are no pseudo-terminals here: %v", err)
		}
		if _, err := term.MakeRaw(int(tty.Fd())); err != nil { // line ends stay what they are
			t.Fatal(err)
		}
		s := screen{tty, make(chan string, 1)}
		go func() {
			defer master.Close()
			text, _ := io.ReadAll(master) // its end is an error where the other side is closed
			s.text <- string(text)
		}()
		screens[i] = s
	}
	code = Main(args, strings.NewReader(stdin), screens[0].tty, screens[1].tty)
	for _, s := range screens {
		s.tty.Close()
	}
	return code, <-screens[0].text, <-screens[1].text
}

// TestTerminal sends hostile names and texts through every command while stdout
// and stderr are terminals: nothing that a terminal acts on arrives.
func TestTerminal(t *testing.T) {
	lengthtest.NotShort(t, "every command is run at what is hostile")
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"CENTO_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NO_COLOR"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm")
	dir := t.TempDir()
	hostileProject(t, dir)
	request := `{"fragments": [{"id": "` + spelled(hostile) + `", "body": "` + spelled(hostile) + `"}]}`

	// ran are the commands that were run; shown those that showed what is hostile.
	ran, shown := map[string]bool{}, map[string]bool{}
	run := func(args ...string) {
		t.Helper()
		cmd, _, err := Commands().Find(args)
		name := "cento"
		if err == nil {
			name = cmd.CommandPath()
		}
		ran[name] = true
		_, out, errs := onScreens(t, request, args...)
		for stream, text := range map[string]string{"stdout": out, "stderr": errs} {
			if strings.Contains(text, "owned") {
				shown[name] = true
			}
			text = own.ReplaceAllString(text, "")
			if i := strings.IndexFunc(text, acted); i >= 0 {
				t.Errorf("cento %.80q: %s has a character that a terminal acts on: %.200q", args, stream, text[max(0, i-60):])
			}
			if strings.Contains(text, "mistake in cento") {
				t.Errorf("cento %.80q: %s", args, text)
			}
		}
	}
	folders := []string{dir, filepath.Join(dir, "sub\x1b]0;owned\x07"), filepath.Join(dir, "names"), filepath.Join(dir, "refused"), filepath.Join(dir, "mcp\x1b]0;owned\x07")}
	all := len(folders)
	folders = folders[:lengthtest.Of(1, 1, all)]
	for _, cwd := range folders {
		t.Chdir(cwd)
		for _, args := range hostileRuns {
			run(args...)
		}
	}
	t.Chdir(dir)
	for _, args := range append(hostileRecords, []string{"init"}) {
		run(args...)
	}
	for _, name := range leaves(Commands()) {
		if !ran[name] {
			t.Errorf("%s was not run", name)
		}
		if plainCommands[name] == shown[name] && len(folders) == all {
			t.Errorf("%s showed hostile text: %v", name, shown[name])
		}
	}
}

// TestReports sends hostile names and texts into the reports that somebody else shows: none
// has a character that a screen would act on, and no two names become one.
func TestReports(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"CENTO_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	hostileProject(t, dir)
	names := `tests: [{name: "a\e[1m", contains: nowhere}, {name: "a\a[1m", contains: nowhere}, {name: "a\u202E", contains: nowhere}]` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "names.yaml"), []byte("system: x\n"+names), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	read := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		Main(args, strings.NewReader(""), &out, &errs)
		text, err := os.ReadFile(args[len(args)-1])
		if err != nil || len(text) == 0 {
			t.Fatalf("cento %.80q: %v %s", args, err, errs.String())
		}
		if err := os.Remove(args[len(args)-1]); err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	hit := 0
	for _, args := range [][]string{
		{"test", "--junit", "out"}, {"check", "--format", "sarif", "-o", "out"}, {"check", "--format", "github", "-o", "out"}, {"check", "--json", "-o", "out"}, {"explain", "--json", "-o", "out"},
	} {
		text := read(args...)
		hit += strings.Count(text, "owned") + strings.Count(text, "U+001B") + strings.Count(text, `\u001b`)
		if i := strings.IndexFunc(text, acted); i >= 0 {
			t.Errorf("cento %q: a character that a screen acts on: %.200q", args, text[max(0, i-60):])
		}
	}
	if hit < 10 {
		t.Errorf("the reports have %d hostile texts: the test looks at the wrong place", hit)
	}
	text := read("test", "--file", "names.yaml", "--junit", "out")
	for _, name := range []string{`"a&lt;U+001B&gt;[1m"`, `"a&lt;U+0007&gt;[1m"`, `"a&lt;U+202E&gt;"`} {
		if !strings.Contains(text, name) {
			t.Errorf("the report has no test %s: %s", name, text)
		}
	}
}

// TestLogLines: the log of a service has what was told, spelled so that no screen acts on
// it, whatever it goes to.
func TestLogLines(t *testing.T) {
	var b bytes.Buffer
	c := &console{err: terminal.NewWriter(&b, terminal.Options{})}
	c.serviceLog().Error("failed", "error", hostile, "place", "sub\u202e\u009b31m/AGENTS.md:1:2")
	var line struct{ Error, Place string }
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Fatalf("%v: %q", err, b.String())
	}
	if line.Error != hostile || line.Place != "sub\u202e\u009b31m/AGENTS.md:1:2" {
		t.Errorf("the log says %q at %q", line.Error, line.Place)
	}
	if i := strings.IndexFunc(strings.TrimSuffix(b.String(), "\n"), acted); i >= 0 {
		t.Errorf("a character that a screen acts on: %.200q", b.String()[max(0, i-60):])
	}
}

// plainCommands are those that say nothing but the program's own words.
var plainCommands = map[string]bool{
	"cento lsp": true, "cento demo": true, "cento demo prompt-guidance": true, "cento schema": true, "cento contract schema": true, "cento man": true, "cento version": true,
}

// leaves are the commands that do something, by their paths.
func leaves(cmd *cobra.Command) (out []string) {
	for _, sub := range cmd.Commands() {
		out = append(out, leaves(sub)...)
	}
	if len(out) == 0 {
		out = []string{cmd.CommandPath()}
	}
	return out
}

var hostileRuns = [][]string{
	{"build", "--all"}, {"build", "--all", "--check"}, {"build", "--all", "--target", hostile}, {"build"}, {"build", "--json"}, {"build", "--without-tool", hostile + "?"}, {"build", "--tool", hostile + "?"}, {"build", "--without-cap", hostile + "?"},
	{"explain"}, {"explain", "--all-reasons"}, {"explain", "--json"}, {"explain", "--html"}, {"blame"}, {"blame", "--json"}, {"layers"}, {"layers", "--json"},
	{"show", "primary:system"}, {"show", hostile}, {"why", "AGENTS.md"}, {"why", "owned"}, {"why", "--json", "owned"}, {"why", hostile}, {"why", "text that is nowhere " + hostile}, {"why", hostile, hostile}, {"why", "Other"},
	{"diff"}, {"diff", "--without-tool", hostile}, {"diff", hostile}, {"diff", "--without-cap", hostile}, {"diff", "--json", "--with-tool", "web"}, {"diff", hostile + "?"},
	{"diff", "git:" + hostile}, {"diff", hostile + ".." + hostile}, {"diff", "file:" + hostile}, {"diff", "log:" + hostile}, {"diff", "--format", hostile, "x"}, {"diff", "--all", "--without-tool", "todo"}, {"diff", "--without-tool", "todo", "--format", "markdown"},
	{"diff", "--with-tool", "web"}, {"diff", "--with-tool", "bash"}, {"diff", "--without-tool", "todo"}, {"diff", "--without-layer", hostile},
	{"scope", "check", hostile, "."}, {"scope", "check", "--json", hostile}, {"scope", hostile}, {"check"}, {"check", "--json"}, {"check", "--format", "sarif"}, {"check", "--format", hostile},
	{"test"}, {"test", "-v"}, {"test", "--json"}, {"test", "--run", hostile}, {"test", "--target", hostile}, {"test", "--coverage", "--mutate"}, {"test", "--junit", filepath.Join(hostile, "x")},
	{"build", "--wire", "anthropic"}, {"build", "--wire", hostile}, {"build", "--wire", "json", "--messages", hostile}, {"wire", "--wire", "openai"}, {"wire", "--wire", "text", "--json"}, {"why", "owned", "--wire", "anthropic"},
	{"budget"}, {"budget", "--tokens", hostile}, {"budget", "--record", hostile}, {"budget", "--curve"}, {"budget", "--json"}, {"budget", "--curve", "--format", hostile},
	{"cache", "--tool", "web", "--wire", "anthropic"}, {"cache", hostile}, {"cache", "ci", hostile + "?"}, {"cache", "--tool", hostile}, {"cache", "tools.json", hostile}, {"cache", "--format", hostile}, {"cache", "--without-tool", "todo", "--wire", "openai", "--json"},
	{"ablate"}, {"ablate", "--tests"}, {"ablate", "--by", "layer", "--json"}, {"ablate", "--by", hostile}, {"ablate", "--dir", filepath.Join("cento.yaml", hostile)}, {"diff", "--without-fragment", hostile}, {"diff", "--without-fragment", hostile + "?"},
	{"lsp"},
	{"models", hostile}, {"models", "--json", hostile}, {"models", "claude"},
	{"build", "--file", "broken.yaml"}, {"build", "--file", hostile}, {"build", "--cwd", hostile}, {"build", "--target", hostile + "?"},
	{"build", "--tools", "tools.json"}, {"build", "-o", filepath.Join(hostile, "x")}, {"build", "--" + hostile}, {"build", hostile}, {hostile}, {"help", hostile},
	{"build", "--clock", hostile}, {"build", "--timezone", hostile}, {"build", "--model", hostile}, {"build", "--var", hostile}, {"completion", hostile},
	{"call", hostile}, {"call", "reduce"}, {"call", "layers"}, {"call", "render"}, {"call", "scope"}, {"call", "reminders"}, {"call", "contract"}, {"call", "wire"}, {"call", "cache"}, {"call", "models"},
	{"mcp"}, {"mcp", "--project", hostile}, {"mcp", "--project", "a=.", "--project", "a=."},
	{"serve", hostile}, {"serve", "--listen", hostile}, {"serve", "--project", hostile}, {"serve", "--project", hostile + "=."}, {"serve", "--listen", "127.0.0.1:0", "--tokens", hostile}, {"serve", "--allow-host", hostile, "--listen", "127.0.0.1:0", "--project", "web=."}, {"serve", "--max-body", hostile},
	{"serve", "token", hostile, "read"}, {"serve", "token", "a", hostile}, {"serve", "token", "a", "read", "--tokens", hostile},
	{"init", "--print"}, {"init", "--ci", "--print"}, {"init", "--ci=" + hostile}, {"init", "-o", hostile}, {"instructions"}, {"instructions", "--text"}, {"instructions", "--json"}, {"instructions", "--profile", "all"},
	{"instructions", "--diff", "codex", "gemini"}, {"instructions", hostile}, {"profile"}, {"profile", "--json"}, {"skills"}, {"skills", "list"}, {"skills", "list", "--json"},
	{"skills", "show", "pdf"}, {"skills", "show", hostile}, {"skills", "check"}, {"skills", "check", hostile}, {"tokens"}, {"tokens", "AGENTS.md"}, {"tokens", hostile}, {"tokens", "--encoding", hostile},
	{"prompt", "list"}, {"prompt", "list", "--json"}, {"prompt", "show", "$workspace/main"}, {"prompt", "show", hostile}, {"prompt", "check"}, {"prompt", "check", "--json"},
	{"prompt", "graph"}, {"prompt", "graph", "$workspace/main"}, {"render", "$workspace/main"}, {"render", "$workspace/main", "--json"}, {"render", "$workspace/broken"}, {"render", hostile},
	{"contract", "write", "ask.yaml"}, {"contract", "write", "ask.yaml", "--form", hostile}, {"contract", "write", "ask.json"}, {"contract", "read", "answer.json", "--form", "json"},
	{"contract", "read", hostile}, {"contract", "tokens", "ask.yaml"}, {"contract", "tokens", hostile}, {"contract", "check", "answer.json", "--contract", "ask.yaml"}, {"contract", "check", "answer.json", "--contract", "ask.yaml", "--retry"}, {"contract", "shape", "ask.yaml"}, {"contract", "shape", hostile}, {"contract", "schema"},
	{"tools"}, {"tools", "list"}, {"tools", "list", "--tools", "good.json"}, {"tools", "show", "todo"}, {"tools", "show", "todo", "--tools", "good.json"}, {"tools", "show", hostile}, {"tools", "diff"}, {"tools", "lock"},
	{"trust"}, {"trust", "list"}, {"trust", "add"}, {"trust", "list"}, {"trust", "remove"}, {"trust", "remove", hostile},
	{"pack", "add", "pack"}, {"pack", "add", hostile}, {"pack", "list"}, {"pack", "verify"}, {"pack", "remove", hostile}, {"pack", "remove", "acme"},
	{"demo"}, {"demo", "prompt-guidance"}, {"schema"}, {"man"}, {"version"}, {"__complete", "build", "--tool", ""}, {"__complete", "diff", ""}, {"__complete", "prompt", "show", ""},
}

// hostileRecords are runs on a store, in an order.
var hostileRecords = [][]string{
	{"build", "--record", "--session", hostile, "--store", "s.db"}, {"build", "--record", "--session", "s", "--store", "s.db"}, {"build", "--record", "--session", "s", "--without-tool", "todo", "--store", "s.db"},
	{"session", "start", "live", "--store", "s.db", "--placement", "turn"}, {"session", "start", hostile, "--store", "s.db"},
	{"session", "remind", "live", hostile, "--store", "s.db"}, {"session", "remind", "live", "x", "--id", hostile, "--tag", "t", "--store", "s.db"},
	{"session", "turn", "live", "--store", "s.db"}, {"session", "turn", "live", "--wire", "openai", "--store", "s.db"}, {"session", "turn", "live", "--wire", hostile, "--store", "s.db"}, {"session", "turn", "live", "--tool", hostile, "--store", "s.db"}, {"session", "usage", "live", hostile, "--turn", "0", "--store", "s.db"}, {"session", "usage", hostile, "cento.yaml", "--turn", "0", "--store", "s.db"}, {"session", "show", "live", "--store", "s.db"},
	{"session", "show", "live", "--system", "--store", "s.db"}, {"session", "drift", "live", "--without-tool", hostile, "--store", "s.db"}, {"session", "fork", "live", hostile, "--store", "s.db"},
	{"session", "rematerialise", "live", "--reason", hostile, "--store", "s.db"}, {"session", "rematerialise", "live", "--without-tool", hostile, "--store", "s.db"}, {"session", "compact", "live", "--recap", hostile, "--store", "s.db"}, {"session", "touch", hostile, "AGENTS.md", "--store", "s.db"}, {"session", "touch", "live", "AGENTS.md", "--store", "s.db"},
	{"session", "clear", hostile, "--tag", "t", "--store", "s.db"}, {"session", "clear", "live", "--tag", "t", "--store", "s.db"}, {"session", "compact", hostile, "--store", "s.db"},
	{"session", "adopt", hostile, "--store", "s.db"}, {"session", "adopt", "live", "--store", "s.db"}, {"session", "list", "--store", "s.db"}, {"session", "list", "--before", hostile, "--store", "s.db"}, {"session", "list", "--store", hostile + ".db"}, {"session", "delete", hostile, "--store", "s.db"}, {"explain", "--session", "live", "--store", "s.db"}, {"why", "owned", "--session", "live", "--store", "s.db"}, {"why", hostile, "--session", hostile, "--store", "s.db"}, {"__complete", "session", "show", "--store", "s.db", ""},
	{"cache", "--session", "s", "--store", "s.db", "--wire", "anthropic"}, {"cache", "--session", hostile, "--store", "s.db"}, {"cache", "s@1", "s@2", "--store", "s.db", "--wire", "openai", "--format", "html"},
	{"log", "list", "--store", "s.db"}, {"log", "list", "--store", "s.db", "--json"}, {"log", "list", "--since", hostile, "--store", "s.db"}, {"log", "show", "s", "--store", "s.db"}, {"log", "show", "s", "--text", "--store", "s.db"}, {"log", "show", "s", "--input", "--store", "s.db"},
	{"log", "search", "owned", "--store", "s.db"}, {"log", "search", hostile, "--store", "s.db"}, {"log", "search", "x", "--until", hostile, "--store", "s.db"}, {"log", "diff", "s@1", "s@2", "--store", "s.db"}, {"log", "diff", hostile, "s", "--store", "s.db"},
	{"log", "replay", "--store", "s.db"}, {"log", "replay", hostile, "--store", "s.db"}, {"log", "verify", "--store", "s.db"}, {"log", "verify", "--store", hostile}, {"log", "export", "--store", "s.db"},
	{"log", "import", hostile, "--store", "s.db"}, {"log", "gc", "--store", hostile}, {"log", "redact", hostile, "--store", "s.db"}, {"log", "redact", "a", "--store", hostile},
}

// acted reports whether a terminal acts on a character, or shows nothing or
// anything for it.
func acted(r rune) bool {
	return unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == 0x2028 || r == 0x2029 || r == 0x034f || r == 0x115f || r == 0x3164 || r >= 0xe0000 && r <= 0xe0fff || r == 0xfffd
}

// TestRaw: who asks for it gets the bytes of a text, and of nothing else.
func TestRaw(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.WriteFile("AGENTS.md", []byte("Text \x1b[2J\u009b\u202e.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, out, _ := onScreens(t, "", "instructions", "--text", "--raw")
	if want := "Text \x1b[2J\u009b\u202e."; !strings.Contains(out, want) || strings.Contains(out, "<U+") {
		t.Errorf("%q, want the text as it is: %q", out, want)
	}
	if _, out, _ = onScreens(t, "", "instructions", "--text"); !strings.Contains(out, "Text <U+001B>[2J<U+009B><U+202E>.") {
		t.Errorf("%q, want the text written out", out)
	}
	if _, out, _ = onScreens(t, "", "why", "--raw", "Text"); strings.ContainsAny(own.ReplaceAllString(out, ""), "\x1b\u009b") {
		t.Errorf("%q: a text within others is no text that was asked for", out)
	}
}

// TestColour: colours are for terminals that want them, and never get into a
// file.
func TestColour(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		name, noColour, term string
		terminal, want       bool
		args                 []string
	}{
		{"a terminal", "", "xterm", true, true, []string{"explain"}},
		{"a pipe", "", "xterm", false, false, []string{"explain"}},
		{"NO_COLOR", "1", "xterm", true, false, []string{"explain"}},
		{"a dumb terminal", "", "dumb", true, false, []string{"explain"}},
		{"JSON", "", "xterm", true, false, []string{"explain", "--json"}},
		{"the prompt", "", "xterm", true, false, []string{"build"}},
	} {
		t.Setenv("NO_COLOR", c.noColour)
		t.Setenv("TERM", c.term)
		var out, errs bytes.Buffer
		if code := run(c.args, strings.NewReader(""), &out, &errs, c.terminal); code != 0 {
			t.Fatalf("%s: exit code %d: %s", c.name, code, errs.String())
		}
		if got := strings.Contains(out.String(), "\x1b["); got != c.want {
			t.Errorf("%s: coloured %v, want %v", c.name, got, c.want)
		}
		if strings.Contains(errs.String(), "\x1b") {
			t.Errorf("%s: messages are coloured", c.name)
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	var out, errs bytes.Buffer
	if code := run([]string{"explain", "-o", "table.txt"}, strings.NewReader(""), &out, &errs, true); code != 0 || out.Len() > 0 {
		t.Fatalf("exit code %d, stdout %q", code, out.String())
	}
	if text, err := os.ReadFile("table.txt"); err != nil || bytes.Contains(text, []byte("\x1b")) {
		t.Errorf("the file is coloured, or not there: %v", err)
	}
}

// TestLastLine: on a terminal a line end follows the prompt, elsewhere the bytes
// are exact.
func TestLastLine(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cento.yaml", []byte("system: One.\nscope: off\nprofile: off\nskills: off\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for terminal, want := range map[bool]string{true: "One.\n", false: "One."} {
		var out, errs bytes.Buffer
		if run([]string{"build"}, strings.NewReader(""), &out, &errs, terminal); out.String() != want {
			t.Errorf("terminal %v: %q, want %q", terminal, out.String(), want)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"explain", "--html"}, strings.NewReader(""), &out, &errs, true); code != 2 || out.Len() > 0 {
		t.Errorf("a page on a terminal: exit code %d, %d bytes", code, out.Len())
	}
	if want := "cento: a page is not for a terminal\n  hint: give it a file: cento explain --html -o prompt.html\n"; errs.String() != want {
		t.Errorf("stderr %q, want %q", errs.String(), want)
	}
}
