package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// own is what the program itself sends to a terminal: colours.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hostile is a text full of what terminals act on: a title (OSC), a cursor
// movement (CSI, in both encodings), a bell, a deletion, a carriage return, and
// a change of direction.
const hostile = "\x1b]0;owned\x07 \x1b[2J \u009b2J \u009d0;owned\u009c \x08\x7f\r\u202egnorw"

// TestTerminal sends hostile names and texts through every command while stdout
// and stderr are taken for terminals: nothing that a terminal acts on arrives.
func TestTerminal(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	dir := filepath.Join(t.TempDir(), "na\x1b]0;owned\x07me")
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
	quoted := `"` + strings.NewReplacer("\x1b", `\e`, "\x07", `\a`, "\u009b", `\u009b`, "\u009d", `\u009d`, "\u009c", `\u009c`,
		"\x08", `\b`, "\x7f", `\x7f`, "\r", `\r`, "\u202e", `\u202e`).Replace(hostile) + `"`
	json := `"` + strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\u009b", `\u009b`, "\u009d", `\u009d`, "\u009c", `\u009c`,
		"\x08", `\b`, "\x7f", `\u007f`, "\r", `\r`, "\u202e", `\u202e`).Replace(hostile) + `"`
	write("cento.yaml", `agent: {name: `+quoted+`}
system: `+quoted+`
tools: [{name: `+quoted+`, guidance: `+quoted+`}]
caps: [`+quoted+`]
fragments: [{id: a, source: `+quoted+`, requires_tools: [web], body: `+quoted+`}]
scope: {allow: [{target: `+quoted+`, permission: read}]}
targets: {`+quoted+`: {caps: []}}
`)
	write("plain/cento.yaml", "system: Plain.\ntools: [{name: "+quoted+"}]\nfragments: [{id: "+quoted+", source: "+quoted+", body: x}]\n")
	write("sub\x1b]0;owned\x07/AGENTS.md", "Text "+hostile+"\n")
	write("broken.yaml", "system: x\nsy"+strings.ReplaceAll(hostile, "\r", "")+": y\n")
	write("tools.json", `[{"name": `+json+`}, {"name": `+json+`}]`)
	write("request.json", `{"fragments": [{"id": `+json+`, "body": `+json+`}]}`)

	seen := 0
	for _, args := range [][]string{
		{"build"}, {"build", "--json"}, {"build", "--without-tool", hostile + "?"}, {"build", "--tool", hostile + "?"}, {"build", "--without-cap", hostile + "?"},
		{"explain"}, {"explain", "--all-reasons"}, {"explain", "--json"}, {"blame"}, {"blame", "--json"},
		{"why", "owned"}, {"why", "--json", "owned"}, {"why", hostile}, {"why", "text that is nowhere " + hostile}, {"why", hostile, hostile},
		{"diff"}, {"diff", "--without-tool", hostile}, {"diff", hostile}, {"diff", "--without-cap", hostile}, {"diff", "--json", "--with-tool", "web"}, {"diff", hostile + "?"},
		{"scope", "check", hostile, "."}, {"scope", "check", "--json", hostile}, {"scope", hostile},
		{"build", "--file", "broken.yaml"}, {"build", "--file", hostile}, {"build", "--cwd", hostile}, {"build", "--target", hostile + "?"},
		{"build", "--file", "plain/cento.yaml"}, {"explain", "--file", "plain/cento.yaml"}, {"blame", "--file", "plain/cento.yaml"}, {"diff", "--file", "plain/cento.yaml"},
		{"build", "--tools", "tools.json"}, {"build", "-o", filepath.Join(hostile, "x")}, {"build", "--" + hostile}, {"build", hostile}, {hostile}, {"help", hostile},
		{"build", "--clock", hostile}, {"build", "--timezone", hostile}, {"completion", hostile}, {"call", hostile}, {"call", "reduce"},
		{"init"}, {"init", "--print"}, {"init", "-o", hostile}, {"explain", "--html"},
	} {
		for _, cwd := range []string{dir, filepath.Join(dir, "sub\x1b]0;owned\x07")} {
			t.Chdir(cwd)
			var out, errs bytes.Buffer
			run(args, strings.NewReader(`{"fragments": [{"id": `+json+`, "body": `+json+`}]}`), &out, &errs, true)
			for stream, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
				if strings.Contains(text, "owned") {
					seen++
				}
				if i := strings.IndexFunc(own.ReplaceAllString(text, ""), acted); i >= 0 {
					t.Errorf("cento %q: %s has a character that a terminal acts on: %q", args, stream, own.ReplaceAllString(text, "")[max(0, i-60):])
				}
			}
			if strings.Contains(errs.String(), "mistake in cento") {
				t.Errorf("cento %q: %s", args, errs.String())
			}
		}
	}
	if seen < 40 {
		t.Errorf("the hostile texts came through only %d times: the test is not about what it means to be", seen)
	}
}

func acted(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0xfffd
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
	if err := os.WriteFile("cento.yaml", []byte("system: One.\n"), 0o644); err != nil {
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
