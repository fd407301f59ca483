package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace"
)

// project writes files into a new folder and gives its real path.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, cfg workspace.InstructionsConfig) *workspace.Instructions {
	t.Helper()
	got, err := workspace.LoadInstructions(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestInstructionsRefuse(t *testing.T) {
	dir := project(t, map[string]string{"in/f": ""})
	other := project(t, nil)
	in := filepath.Join(dir, "in")
	for name, c := range map[string]struct {
		cfg  workspace.InstructionsConfig
		code cento.ErrorCode
		text string
	}{
		"unknown profile":    {workspace.InstructionsConfig{Convention: "nearst", Root: dir, Cwd: dir}, workspace.UnknownConvention, `unknown instructions profile "nearst"`},
		"unlike any profile": {workspace.InstructionsConfig{Convention: "zzzzzzzz", Root: dir, Cwd: dir}, workspace.UnknownConvention, `unknown instructions profile "zzzzzzzz"`},
		"cwd above root":     {workspace.InstructionsConfig{Root: in, Cwd: dir}, workspace.InvalidFolder, "is not below the root"},
		"cwd elsewhere":      {workspace.InstructionsConfig{Root: dir, Cwd: other}, workspace.InvalidFolder, "is not below the root"},
		"cwd a file":         {workspace.InstructionsConfig{Root: dir, Cwd: filepath.Join(in, "f")}, workspace.InvalidFolder, "is not a folder"},
		"cwd missing":        {workspace.InstructionsConfig{Root: dir, Cwd: filepath.Join(dir, "none")}, workspace.InvalidFolder, "cannot look into"},
		"root relative":      {workspace.InstructionsConfig{Root: "x", Cwd: dir}, workspace.InvalidFolder, "is not absolute"},
		"root empty":         {workspace.InstructionsConfig{Cwd: dir}, workspace.InvalidFolder, "is not absolute"},
		"limit":              {workspace.InstructionsConfig{Root: dir, Cwd: dir, Limit: -1}, workspace.InvalidLimit, "limit -1 is negative"},
		"file limit":         {workspace.InstructionsConfig{Root: dir, Cwd: dir, FileLimit: -2}, workspace.InvalidLimit, "limit -2 is negative"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := workspace.LoadInstructions(c.cfg)
			if !errors.Is(err, c.code) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error is %v, want %s with %q", err, c.code, c.text)
			}
			if strings.HasPrefix(name, "cwd a file") || strings.HasSuffix(name, "missing") || strings.HasSuffix(name, "relative") {
				if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Hint == "" {
					t.Errorf("%v has no next step", err)
				}
			}
		})
	}
}

func TestConventionsAreAllLoadable(t *testing.T) {
	dir := project(t, map[string]string{"AGENTS.md": "x\n", "GEMINI.md": "x\n"})
	names := workspace.Conventions()
	if len(names) == 0 || names[0] != workspace.DefaultConvention {
		t.Fatalf("profiles are %q", names)
	}
	for _, name := range names {
		if got := load(t, workspace.InstructionsConfig{Convention: name, Root: dir, Cwd: dir}); got.Text == nil || got.Convention != name {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestGlobalOutsideOfHome(t *testing.T) {
	dir := project(t, map[string]string{"p/AGENTS.md": "Project.\n", "conf/AGENTS.md": "Global.\n", "home/x": ""})
	got := load(t, workspace.InstructionsConfig{
		Root: filepath.Join(dir, "p"), Cwd: filepath.Join(dir, "p"),
		Home: filepath.Join(dir, "home"), Global: filepath.Join(dir, "conf"),
	})
	want := "### " + filepath.ToSlash(dir) + "/conf/AGENTS.md\n\nGlobal.\n\n### AGENTS.md\n\nProject."
	if got.Text == nil || got.Text.Body != want {
		t.Errorf("text is %+v, want %q", got.Text, want)
	}
	// No home known: the same.
	got = load(t, workspace.InstructionsConfig{
		Root: filepath.Join(dir, "p"), Cwd: filepath.Join(dir, "p"), Global: filepath.Join(dir, "conf"),
	})
	if got.Text == nil || got.Text.Body != want {
		t.Errorf("without home the text is %+v, want %q", got.Text, want)
	}
	// A file in the place of the folder is said, and stops nothing.
	got = load(t, workspace.InstructionsConfig{
		Root: filepath.Join(dir, "p"), Cwd: filepath.Join(dir, "p"), Global: filepath.Join(dir, "conf", "AGENTS.md"),
	})
	if got.Text == nil || got.Text.Body != "Project." || got.Files[0].Status != workspace.Failed || len(got.Notes) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestDefaultLimit(t *testing.T) {
	const line = "zwölf Bö\n" // 11 bytes, so that the limit lies in a line
	whole := strings.Repeat(line, 30000)
	dir := project(t, map[string]string{"AGENTS.md": whole})
	cut := func(kept, limit int) string {
		return whole[:kept] + fmt.Sprintf("[cut: AGENTS.md: kept %d of %d bytes, limit %d]", kept, len(whole), limit)
	}
	for convention, want := range map[string]string{
		"cento": cut(262141, 262144), "cwd": strings.TrimSpace(whole), "nearest": strings.TrimSpace(whole), "claude": strings.TrimSpace(whole), "opencode": whole,
		"codex": whole[:32768], // at any byte
	} {
		got := load(t, workspace.InstructionsConfig{Convention: convention, Root: dir, Cwd: dir})
		if body := ""; got.Text != nil {
			if body = got.Text.Body; convention == "codex" || convention == "opencode" {
				body = body[got.Files[0].From:got.Files[0].To]
			}
			if body != want {
				t.Errorf("%s: %d bytes that end in %q, want %d that end in %q", convention, len(body), body[max(0, len(body)-80):], len(want), want[max(0, len(want)-80):])
			}
		} else if want != "" {
			t.Errorf("%s: nothing", convention)
		}
		checkLaws(t, dir, dir, got)
	}
}

func TestWording(t *testing.T) {
	dir := project(t, map[string]string{"AGENTS.md": "one\ntwo\n", "a/AGENTS.md": "a very long line\n", "a/b/AGENTS.md": "b\n"})
	cfg := workspace.InstructionsConfig{Root: dir, Cwd: filepath.Join(dir, "a", "b"), FileLimit: 6, Limit: 100}
	cfg.Wording = workspace.Wording{
		Trust:   cento.TrustWorkspace,
		Cut:     func(path string, kept, bytes, limit int) string { return "" },
		LeftOut: func(path string, bytes, limit int) string { return " (no " + path + ")\n" },
	}
	got := load(t, cfg)
	want := "### AGENTS.md\n\none\n[cut: AGENTS.md: kept 4 of 8 bytes, limit 6]\n\n(no a/AGENTS.md)\n\n### a/b/AGENTS.md\n\nb"
	if diff := cmp.Diff(want, got.Text.Body); diff != "" {
		t.Error(diff)
	}
	for _, r := range got.Text.Runs {
		switch text := got.Text.Body[r.Start:r.End]; {
		case strings.HasPrefix(text, "(no") && r.Trust != cento.TrustWorkspace,
			strings.HasPrefix(text, "[cut") && r.Trust != cento.TrustBuiltin:
			t.Errorf("%q has trust %s", text, r.Trust)
		}
	}
}

func TestWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of this kind don't exist on windows")
	}
	dir := project(t, map[string]string{"AGENTS.md": "secret\n", "CLAUDE.md": "Claude.\n"})
	locked := filepath.Join(dir, "AGENTS.md")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	treetest.Unprivileged(t, dir, func() {
		if f, err := os.Open(locked); err == nil {
			f.Close()
			t.Skip("the permission doesn't bind: the tests run as the superuser")
		}
		got := load(t, workspace.InstructionsConfig{Root: dir, Cwd: dir})
		if got.Text == nil || got.Text.Body != "Claude." || got.Files[0].Status != workspace.Failed ||
			got.Files[0].Code != "file.unreadable" || len(got.Notes) != 1 {
			t.Errorf("got %+v", got)
		}
	})
}

// TestDeepTree loads a path of many folders with a large file in each, which
// may cost neither memory nor time without bound.
func TestDeepTree(t *testing.T) {
	dir := project(t, nil)
	text := []byte(strings.Repeat("0123456789abcde\n", 1<<16)) // 1 MiB
	cwd := dir
	const depth = 40
	for range depth {
		cwd = filepath.Join(cwd, "d")
		if err := os.Mkdir(cwd, 0o755); err != nil {
			t.Fatal(err)
		}
		text[0]++ // so that no two are the same
		if err := os.WriteFile(filepath.Join(cwd, "AGENTS.md"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got := load(t, workspace.InstructionsConfig{Root: dir, Cwd: cwd})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if len(got.Files) != depth {
		t.Fatalf("%d files are recorded", len(got.Files))
	}
	if s := got.Files[0]; s.Status != workspace.Failed || s.Code != "file.too_large" {
		t.Errorf("the farthest file is %+v", s)
	}
	if s := got.Files[depth-1]; s.Status != workspace.Cut || s.To-s.From != workspace.DefaultInstructionLimit {
		t.Errorf("the nearest file is %+v", s)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes are kept for a text of %d", grown, len(got.Text.Body))
	}
	runtime.KeepAlive(got)
}

// TestImportBombs loads texts whose imports could multiply.
func TestImportBombs(t *testing.T) {
	files := map[string]string{"AGENTS.md": strings.Repeat("@a.md @none.md @team\n", 20000), "a.md": strings.Repeat("@b.md ", 1000), "b.md": "b"}
	dir := project(t, files)
	got := load(t, workspace.InstructionsConfig{Root: dir, Cwd: dir, Imports: true, Limit: 1 << 20})
	if got.Text == nil || len(got.Text.Body) > 1<<20 {
		t.Fatal("the text has grown over the ceiling")
	}
	if len(got.Notes) > 300 || len(got.Files) > 300 {
		t.Errorf("%d notes, %d files", len(got.Notes), len(got.Files))
	}
	last := got.Notes[len(got.Notes)-1]
	if !strings.Contains(last.Message, "more than 256 imports") {
		t.Errorf("the last note is %q", last.Message)
	}
	// Many runs of backquotes of different lengths, none of which close.
	var b strings.Builder
	for i := range 1400 {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	b.WriteString("@b.md")
	dir = project(t, map[string]string{"AGENTS.md": b.String(), "b.md": "imported"})
	got = load(t, workspace.InstructionsConfig{Root: dir, Cwd: dir, Imports: true, Limit: 1 << 20})
	if got.Text == nil || !strings.HasSuffix(got.Text.Body, " imported") {
		t.Error("backquotes that are never closed hide an import")
	}
}

// TestLoadIsDeterministic loads one tree twice from different paths.
func TestLoadIsDeterministic(t *testing.T) {
	files := map[string]string{
		"AGENTS.md": "@x.md @y.md\n", "CLAUDE.md": "c\n", "x.md": "x", "y.md": "y @x.md", "a/GEMINI.md": "g\n", "a/b/AGENTS.md": "",
	}
	var first *workspace.Instructions
	for range 3 {
		dir := project(t, files)
		got := load(t, workspace.InstructionsConfig{Root: dir, Cwd: filepath.Join(dir, "a", "b"), Imports: true, Limit: 10})
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestVisible(t *testing.T) {
	for name, want := range map[string]string{
		"AGENTS.md":              "AGENTS.md",
		"Ünïcode 文字/नमस्ते.md":   "Ünïcode 文字/नमस्ते.md",
		"🙂 ok":                   "🙂 ok",
		"a\nb\r\tc":              "a<U+000A>b<U+000D><U+0009>c",
		"\u2028\u2029\u0085":     "<U+2028><U+2029><U+0085>",
		"\u202e\u200b\ufeff":     "<U+202E><U+200B><U+FEFF>",
		"\U000e0041\ufe0f\u00ad": "<U+E0041><U+FE0F><U+00AD>",
		"\u3164\u115f":           "<U+3164><U+115F>",
		"</directive>":           "<U+003C>/directive>",
		"bad\xff":                "bad\uFFFD",
		"\x1b[31m":               "<U+001B>[31m",
	} {
		if got := workspace.Visible(name); got != want {
			t.Errorf("Visible(%q) = %q, want %q", name, got, want)
		}
	}
}

// What a file is counted with doesn't depend on what else is loaded.
func TestSizesStandAlone(t *testing.T) {
	dir := project(t, map[string]string{".git/HEAD": "", "AGENTS.md": "\nUse tabs.\n\n", "a/AGENTS.md": "Of a.\n"})
	for _, convention := range workspace.Conventions() {
		size := func(cwd string) int {
			got := load(t, workspace.InstructionsConfig{Convention: convention, Root: dir, Cwd: filepath.Join(dir, cwd)})
			for _, f := range got.Files {
				if f.Path == "AGENTS.md" && f.Status == workspace.Loaded {
					return f.To - f.From
				}
			}
			return -1
		}
		if alone, among := size("."), size("a"); alone != among && among >= 0 {
			t.Errorf("%s: %d bytes alone, %d among others", convention, alone, among)
		}
	}
}
