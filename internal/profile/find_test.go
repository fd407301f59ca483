package profile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
)

func find(t *testing.T, root string, env ...string) *Profile {
	t.Helper()
	p, err := Find(Config{Root: root, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func signal(p *Profile, capability string) (Signal, bool) {
	for _, s := range p.Signals {
		if s.Capability() == capability {
			return s, true
		}
	}
	return Signal{}, false
}

func codes(p *Profile) []string {
	var out []string
	for _, n := range p.Notes {
		out = append(out, string(n.Code))
	}
	return out
}

// git runs git where a test needs what only it can make.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: there is no git to make repositories with")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args[0], err, text)
	}
}

// repository is one with a commit and a remote that has a token.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "main")
	dir = filepath.Join(dir, "main")
	git(t, dir, "remote", "add", "origin", "https://bot:s3cret@github.com/acme/app.git")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "begin")
	return dir
}

func wantRemotes(t *testing.T, p *Profile, want ...string) {
	t.Helper()
	s, ok := signal(p, "git")
	if !ok {
		t.Fatalf("no repository is seen; notes: %v", p.Notes)
	}
	if !slices.Equal(s.Remotes, want) {
		t.Errorf("remotes %q, want %q; notes: %v", s.Remotes, want, p.Notes)
	}
	if text := fmt.Sprintf("%+v", p); strings.Contains(text, "s3cret") {
		t.Errorf("a credential got out: %s", text)
	}
}

func TestGitFolder(t *testing.T) {
	p := find(t, repository(t))
	wantRemotes(t, p, "github.com/acme/app")
	if s, ok := signal(p, "git.host.github"); !ok || s.Origin.File != ".git/config" {
		t.Errorf("the host: %+v", s)
	}
}

func TestGitWorktree(t *testing.T) {
	main := repository(t)
	tree := filepath.Join(filepath.Dir(main), "linked")
	git(t, main, "worktree", "add", "-q", tree)
	p := find(t, tree)
	wantRemotes(t, p, "github.com/acme/app")
	if s, _ := signal(p, "git"); s.Origin != (cento.Position{File: ".git", Line: 1, Column: 1}) {
		t.Errorf("a file outside of the project is told: %v", s.Origin)
	}
}

func TestGitSubmodule(t *testing.T) {
	above, sub := repository(t), repository(t)
	git(t, above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "deps/sub")
	inner := filepath.Join(above, "deps", "sub")
	git(t, inner, "remote", "set-url", "origin", "ssh://git@git.example.com/team/sub.git")
	write(t, inner, "a.go", "package a\n")
	p := find(t, inner)
	wantRemotes(t, p, "git.example.com/team/sub")

	// Seen from above it is another repository, whose files don't count.
	write(t, above, "b.rb", "")
	p = find(t, above)
	if _, ok := signal(p, "language.go"); ok {
		t.Error("the files of a submodule count")
	}
	wantRemotes(t, p, "github.com/acme/app")
}

func TestGitBare(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "--bare", ".")
	git(t, dir, "remote", "add", "origin", "git@github.com:acme/app.git")
	write(t, dir, "hooks/x.py", "")
	p := find(t, dir)
	wantRemotes(t, p, "github.com/acme/app")
	for _, s := range p.Signals {
		if s.Kind < Git {
			t.Errorf("a repository without a work tree has %s", s.Capability())
		}
	}
}

// A stranger's .git file can't make us read another repository: the folder that
// it names has to name this work tree in turn.
func TestGitFileLeadsElsewhere(t *testing.T) {
	victim := repository(t)
	linked := filepath.Join(filepath.Dir(victim), "linked")
	git(t, victim, "worktree", "add", "-q", linked)
	for name, text := range map[string]string{
		"the folder itself":     "gitdir: " + filepath.Join(victim, ".git") + "\n",
		"another's work tree":   "gitdir: " + filepath.Join(victim, ".git", "worktrees", "linked") + "\n",
		"relative":              "gitdir: ../../../../../../../" + filepath.Join(victim, ".git") + "\n",
		"nowhere":               "gitdir: /nonexistent\n",
		"another machine":       "gitdir: //server/share\n",
		"another machine, back": "gitdir: \\\\server\\share\n",
		"no folder":             "hello\n",
		"empty":                 "",
		"several lines":         "gitdir: " + filepath.Join(victim, ".git") + "\nx\n",
		"a pipe of characters":  "gitdir: /a\x1b[2Jb\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".git", text)
			p := find(t, dir)
			wantRemotes(t, p)
			if !slices.Contains(codes(p), string(UnnamedRemote)) {
				t.Errorf("nothing is said about it: %v", p.Notes)
			}
			for _, n := range p.Notes {
				if strings.ContainsAny(n.Message, "\x1b\n") || strings.Contains(n.Message, victim) {
					t.Errorf("the note repeats a stranger's words: %q", n.Message)
				}
			}
		})
	}
	// Neither can a forged back pointer in a folder that it names.
	dir, fake := t.TempDir(), t.TempDir()
	write(t, dir, ".git", "gitdir: "+fake+"\n")
	write(t, fake, "gitdir", filepath.Join(dir, ".git")+"\n")
	write(t, fake, "commondir", filepath.Join(victim, ".git")+"\n")
	wantRemotes(t, find(t, dir))
}

func TestGitLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped on Windows: links need rights there")
	}
	victim := repository(t)
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(victim, ".git"), filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	wantRemotes(t, find(t, dir))

	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(victim, ".git", "config"), filepath.Join(dir, ".git", "config")); err != nil {
		t.Fatal(err)
	}
	wantRemotes(t, find(t, dir))
}

// Links aren't followed by the walk, wherever they lead.
func TestLinksAreNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped on Windows: links need rights there")
	}
	dir, other := t.TempDir(), t.TempDir()
	write(t, other, "a.py", "")
	write(t, other, "package.json", `{"scripts": {"test": "x"}}`)
	write(t, dir, "real/b.go", "package b\n")
	for name, to := range map[string]string{"away": other, "loop": ".", "up": "..", "self": "self", "real/back": "../real", "package.json": filepath.Join(other, "package.json"), "c.rb": "real/b.go"} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	p := find(t, dir)
	if got := p.Caps(); !slices.Equal(got, []string{"language.go"}) {
		t.Errorf("capabilities %q, notes %v", got, p.Notes)
	}
}

func TestCredentialsAreNames(t *testing.T) {
	p := find(t, t.TempDir(), "GH_TOKEN", "GITHUB_TOKEN", "SECRET_OF_MINE", "npm", "PATH", "")
	if got := p.Caps(); !slices.Equal(got, []string{"credential.github", "credential.npm"}) {
		t.Errorf("capabilities %q", got)
	}
	if s, _ := signal(p, "credential.github"); s.Env != "GITHUB_TOKEN" || !s.Origin.IsZero() {
		t.Errorf("%+v", s)
	}
}

// touch makes an empty file in a folder that is there.
func touch(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// The bounds of the walk hold, and each says so.
func TestBounds(t *testing.T) {
	t.Run("depth", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, strings.Repeat("d/", maxDepth)+"in.go", "")
		write(t, dir, strings.Repeat("e/", maxDepth+1)+"out.rb", "")
		p := find(t, dir)
		if !slices.Equal(p.Caps(), []string{"language.go"}) || !slices.Equal(codes(p), []string{string(CutOff)}) {
			t.Errorf("%q, %v", p.Caps(), p.Notes)
		}
	})
	t.Run("one large folder", func(t *testing.T) {
		lengthtest.NotShort(t, "makes a folder of thousands of files")
		dir := t.TempDir()
		write(t, dir, "a.go", "")
		write(t, dir, "big/0.rb", "")
		for i := range maxFolder + 1 {
			touch(t, filepath.Join(dir, "big", fmt.Sprint(i)+".rb"))
		}
		p := find(t, dir)
		if !slices.Equal(p.Caps(), []string{"language.go"}) || len(p.Notes) != 1 || !strings.Contains(p.Notes[0].Message, "big") {
			t.Errorf("%q, %v", p.Caps(), p.Notes)
		}
	})
	t.Run("entries", func(t *testing.T) {
		lengthtest.OnlyLong(t, "makes tens of thousands of files")
		// Folders count in the order of their names, though some are read side by
		// side: what lies behind the bound is missing, always the same.
		dir := t.TempDir()
		for i := range maxEntries/1000 + 3 {
			name := fmt.Sprintf("f%02d", i)
			write(t, dir, name+"/sub/deep.go", "")
			ext := ".go"
			if i >= maxEntries/1000 {
				ext = ".rb"
			}
			for k := range 1000 {
				touch(t, filepath.Join(dir, name, fmt.Sprint(k)+ext))
			}
		}
		first := find(t, dir)
		if !slices.Equal(first.Caps(), []string{"language.go"}) || !slices.Equal(codes(first), []string{string(CutOff)}) ||
			!strings.Contains(first.Notes[0].Message, fmt.Sprint(maxEntries)) {
			t.Errorf("%q, %v", first.Caps(), first.Notes)
		}
		if again := find(t, dir); !reflect.DeepEqual(first, again) {
			t.Errorf("%+v\nand again %+v", first, again)
		}
	})
	t.Run("large build file", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "Cargo.toml", "[package]\n"+strings.Repeat("#", maxFile))
		p := find(t, dir)
		if !slices.Contains(p.Caps(), "language.rust") || !slices.Equal(codes(p), []string{string(Unreadable)}) {
			t.Errorf("%q, %v", p.Caps(), p.Notes)
		}
	})
	t.Run("shallow", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "sub/a.rb", "")
		write(t, dir, "go.mod", "module x\n")
		p, err := Find(Config{Root: dir, Shallow: true})
		if err != nil || slices.Contains(p.Caps(), "language.ruby") || !slices.Contains(p.Caps(), "language.go") {
			t.Errorf("%v, %v", p, err)
		}
	})
}

// Build files that are there to hurt end in time, and leave the rest alone.
func TestHostileBuildFiles(t *testing.T) {
	long := strings.Repeat("a", 400_000)
	for name, text := range map[string]string{
		"Cargo.toml":     "x = " + strings.Repeat("[", 200_000),
		"pyproject.toml": "[tool." + strings.Repeat("a.", 100_000) + "b]\n",
		"package.json":   `{"scripts": {"test\u001b[2J": "x", "` + long + `": "y", "lint\nlint": "z"}}`,
		"deno.json":      strings.Repeat(`{"a":`, 80_000),
		"Taskfile.yml":   "a: &a [x]\ntasks: {test: *a}\n",
		"pom.xml":        strings.Repeat("<a>", 150_000),
		"Makefile":       "test" + long + ":\n" + strings.Repeat("x ", 200_000) + ":\n\x1b[2J: x\n",
		"CMakeLists.txt": strings.Repeat("project(", 60_000),
		"Gemfile":        strings.Repeat("gem 'rspec'\n", 40_000),
		"build.gradle":   strings.Repeat("id 'java", 60_000),
		"justfile":       strings.Repeat("a b ", 120_000) + ":",
		"go.mod":         strings.Repeat("module\n", 70_000),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, name, text)
			write(t, dir, "main.go", "package main\n")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			p := find(t, dir)
			spent := time.Since(start)
			runtime.ReadMemStats(&after)
			if spent > 5*time.Second { // one, on a machine with nothing else to do
				t.Errorf("it took %v", spent)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<20 {
				t.Errorf("it took %d MiB", grown>>20)
			}
			if _, ok := signal(p, "language.go"); !ok {
				t.Errorf("the rest is gone: %q", p.Caps())
			}
			for _, s := range p.Signals {
				for _, text := range []string{s.Name, s.Label, s.Command, s.Env} {
					if len(text) > 100 || strings.ContainsAny(text, "\x1b\n") {
						t.Errorf("a stranger's words stand in %q", s.Capability())
					}
				}
			}
			for _, n := range p.Notes {
				if len(n.Message) > 300 || strings.ContainsAny(n.Message, "\x1b\n") {
					t.Errorf("a stranger's words stand in a note: %.300q", n.Message)
				}
			}
		})
	}
}

// FuzzBuildFile: whatever a build file holds, what comes out are names of the
// program's own, each once and in order, and places in the file.
func FuzzBuildFile(f *testing.F) {
	names := []string{"go.mod", "Cargo.toml", "package.json", "pyproject.toml", "pom.xml", "build.gradle.kts", "CMakeLists.txt", "Makefile", "justfile", "Taskfile.yml", "Gemfile", "Rakefile", "composer.json", "mix.exs", "Package.swift", "meson.build", ".gitignore", ".git/config", "pubspec.yaml"}
	for i, text := range []string{
		"module x\n", "[package]\nname = 'x'\n[lints.clippy]\n", `{"scripts": {"test": "x"}, "devDependencies": {"typescript": "5"}}`,
		"[tool.poetry.group.dev.dependencies]\npytest = '*'\n[project]\ndependencies = ['ruff']\n", "<project/>", `kotlin("jvm")`, "project(x CXX)\nenable_testing()\n",
		"test lint: x\n\ty\n", "test x='':\n", "tasks: {test: {}}\n", "gem 'rspec'\n", "task :lint do\n", `{"require-dev": {"laravel/pint": "1"}}`, "{:credo, 1}", ".testTarget(", "project('x', 'c')\ntest(", "*.go\n!a\n", "[remote \"o\"]\nurl = a@b:c\n", "dependencies: {flutter: {}}\n",
	} {
		f.Add(i, text)
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		if len(text) > 1<<16 {
			t.Skip()
		}
		name := names[uint(which)%uint(len(names))]
		dir := t.TempDir()
		write(t, dir, name, text)
		p, err := Find(Config{Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		for i, s := range p.Signals {
			if i > 0 && (s.Kind < p.Signals[i-1].Kind || s.Kind == p.Signals[i-1].Kind && s.Name <= p.Signals[i-1].Name) {
				t.Fatalf("%s stands behind %s", s.Capability(), p.Signals[i-1].Capability())
			}
			if s.Origin.File == name && (s.Origin.Line < 1 || s.Origin.Line > lines) {
				t.Fatalf("%s is from line %d of %d", s.Capability(), s.Origin.Line, lines)
			}
			if s.Kind < Git && strings.IndexFunc(s.Name+s.Command, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
				t.Fatalf("%q runs %q", s.Name, s.Command)
			}
		}
	})
}

// Patterns and names are a stranger's: many of them end the walk, and each costs
// what it is charged.
func TestIgnoreEndsInTime(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".gitignore", strings.Repeat("*a*a*a*a*a*q*z*\n", 4000))
	for i := range 400 {
		write(t, dir, "f"+strings.Repeat("a", 200)+string(rune('a'+i%16))+string(rune('a'+i/26))+strconv.Itoa(i)+".go", "")
	}
	p, err := Find(Config{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Notes) != 1 || p.Notes[0].Code != CutOff || !strings.Contains(p.Notes[0].Message, ".gitignore") {
		t.Errorf("notes: %v", p.Notes)
	}
}

func write(t interface{ Fatalf(string, ...any) }, dir, name, text string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
}
