//go:build unix

package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// trap is a set of programs that each leave a file behind when they are run.
type trap struct {
	t       *testing.T
	scripts string
	sprung  string
}

func newTrap(t *testing.T) *trap {
	dir := t.TempDir()
	c := &trap{t: t, scripts: filepath.Join(dir, "scripts"), sprung: filepath.Join(dir, "sprung")}
	for _, folder := range []string{c.scripts, c.sprung} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// program makes a program that passes its input on, as filters and pagers do, and returns its path.
func (c *trap) program(name string) string {
	return c.programAt(filepath.Join(c.scripts, name), name)
}

func (c *trap) programAt(path, name string) string {
	c.t.Helper()
	c.write(path, name, "[ -f \"$1\" ] && exec cat \"$1\"\nexec cat")
	return path
}

// transport makes a program that leaves its mark and gives up, since git would talk with one that answers.
func (c *trap) transport(name string) string {
	path := filepath.Join(c.scripts, name)
	c.write(path, name, "exit 1")
	return path
}

func (c *trap) write(path, name, then string) {
	c.t.Helper()
	writeFile(c.t, path, fmt.Sprintf("#!/bin/sh\n: > '%s'\n%s\n", filepath.Join(c.sprung, name), then))
	if err := os.Chmod(path, 0o755); err != nil {
		c.t.Fatal(err)
	}
}

func (c *trap) ran() []string {
	entries, err := os.ReadDir(c.sprung)
	if err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// arm configures a repository to run a program of the trap at every occasion that git has for it.
func (c *trap) arm(s *scratch) {
	p := c.program
	var config strings.Builder
	fmt.Fprintf(&config, `[core]
	repositoryFormatVersion = 1
	fsmonitor = %s
	pager = %s
	editor = %s
	sshCommand = %s
	gitProxy = %s
	askPass = %s
	alternateRefsCommand = %s
	hooksPath = %s
	attributesFile = %s
	autocrlf = true
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::%s
	promisor = true
	partialclonefilter = blob:none
	uploadpack = %s
	vcs = evil
[diff]
	external = %s
[diff "evil"]
	textconv = %s
	command = %s
[filter "evil"]
	clean = %s
	smudge = %s
	required = true
[pager]
	blame = %s
	cat-file = %s
[credential]
	helper = %s
[gpg]
	program = %s
[log]
	showSignature = true
[alias]
	blame = !%s
	cat-file = !%s
	ls-tree = !%s
[protocol]
	allow = always
[include]
	path = included
[includeIf "gitdir:**"]
	path = included-if
`, p("fsmonitor"), p("pager"), p("editor"), c.transport("ssh"), c.transport("proxy"), p("askpass"), p("alternate-refs"),
		filepath.Join(c.scripts, "hooks"), s.path("evil-attributes"), c.transport("remote-ext"), c.transport("uploadpack"), p("diff-external"),
		p("textconv"), p("diff-command"), p("clean"), p("smudge"), p("pager-blame"), p("pager-cat-file"), p("credential"), p("gpg"),
		p("alias-blame"), p("alias-cat-file"), p("alias-ls-tree"))
	s.write(".git/config", config.String())
	s.write(".git/included", "[diff \"included\"]\n\ttextconv = "+p("included-textconv")+"\n")
	s.write(".git/included-if", "[diff \"included\"]\n\ttextconv = "+p("included-if-textconv")+"\n[core]\n\tfsmonitor = "+p("included-if-fsmonitor")+"\n")
	attributes := "* diff=evil filter=evil text=auto\nb.md diff=included\n"
	for _, name := range []string{".gitattributes", ".git/info/attributes", "evil-attributes"} {
		s.write(name, attributes)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc", "query-watchman"} {
		c.programAt(s.path(".git/hooks/"+hook), "hook-"+hook)
		c.programAt(filepath.Join(c.scripts, "hooks", hook), "hooks-path-"+hook)
	}
}

func TestHostileRepositoryRunsNothing(t *testing.T) {
	temporary(t)
	c := newTrap(t)
	s := newScratch(t)
	s.commit("a.md", "one\ntwo\n", "first")
	s.commit("b.md", "one\n", "second")
	s.commit("gone.md", "missing\n", "third")
	gone := s.git("rev-parse", "HEAD:gone.md")
	c.arm(s)
	if err := os.Remove(s.path(".git/objects/" + gone[:2] + "/" + gone[2:])); err != nil {
		t.Fatal(err)
	}
	// What the environment of the caller says to git is no matter here either.
	trace := filepath.Join(c.sprung, "trace")
	for name, value := range map[string]string{
		"GIT_DIR": s.path(".git"), "GIT_EXTERNAL_DIFF": c.program("env-diff"), "GIT_PAGER": c.program("env-pager"),
		"GIT_SSH_COMMAND": c.program("env-ssh"), "GIT_TRACE": trace, "GIT_TRACE2": trace, "GIT_EXEC_PATH": c.scripts,
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": c.program("env-fsmonitor"),
		"GIT_CONFIG_GLOBAL": s.path(".git/config"), "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere", "PAGER": c.program("env-plain-pager"),
		"HOME": s.dir, "XDG_CONFIG_HOME": s.dir,
	} {
		t.Setenv(name, value)
	}
	s.write(".gitconfig", "[include]\n\tpath = .git/config\n")
	s.write("a.md", "one\r\ntwo\r\nthree\r\n")

	repository := openAt(t, s.dir)
	want(t, ask(t, repository, "a.md", 1, 2, 3), "1:first 2:first 3:uncommitted")
	want(t, ask(t, repository, "b.md", 1), "1:second")
	s.write("gone.md", "missing\n")
	want(t, ask(t, repository, "gone.md", 1), "1:damaged")
	want(t, ask(t, repository, ".gitattributes", 1), "1:untracked")
	if ran := c.ran(); len(ran) > 0 {
		t.Fatalf("run by the repository's configuration: %v", ran)
	}

	// The trap is a trap: git on the repository itself falls into it. Without this the test could not fail.
	for _, args := range [][]string{{"status"}, {"blame", "b.md"}, {"diff"}, {"blame", "a.md"}, {"cat-file", "blob", gone}, {"add", "a.md"}} {
		s.command(s.dir, args...).Run() // it may well fail
	}
	ran := c.ran()
	for _, name := range []string{"included-if-fsmonitor", "included-if-textconv", "textconv", "clean", "hooks-path-post-index-change"} {
		if !slices.Contains(ran, name) {
			t.Errorf("%s is not armed: git itself ran only %v", name, ran)
		}
	}
}

func TestPromisorIsNotAsked(t *testing.T) {
	temporary(t)
	c := newTrap(t)
	origin := newScratch(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.commit("a.md", "one\n", "first")
	origin.commit("a.md", "one\ntwo\n", "second")
	clone := &scratch{t: t, dir: filepath.Join(filepath.Dir(origin.dir), "clone")}
	origin.git("clone", "-q", "--filter=blob:none", "file://"+origin.dir, clone.dir)
	clone.git("config", "remote.origin.uploadpack", c.transport("uploadpack"))
	want(t, ask(t, openAt(t, clone.dir), "a.md", 1), "1:partial")
	if ran := c.ran(); len(ran) > 0 {
		t.Fatalf("run to fetch objects: %v", ran)
	}
	clone.command(clone.dir, "blame", "a.md").Run()
	if ran := c.ran(); !slices.Contains(ran, "uploadpack") {
		t.Errorf("the trap is not armed: git itself ran %v", ran)
	}
}

func TestProgramOfTheRepositoryIsNotGit(t *testing.T) {
	temporary(t)
	c := newTrap(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	path := os.Getenv("PATH")
	c.programAt(s.path("bin/git"), "git")
	link := t.TempDir()
	if err := os.Symlink(s.path("bin/git"), filepath.Join(link, "git")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(s.dir)
	for _, value := range []string{s.path("bin"), s.path("bin") + ":" + path, "bin", ".:bin", link, t.TempDir(), ""} {
		t.Setenv("PATH", value)
		_, err := repositoryAt(t.Context(), s.dir)
		wantReason(t, err, NoGit)
	}
	if ran := c.ran(); len(ran) > 0 {
		t.Errorf("run: %v", ran)
	}
}

func TestPipesDoNotHoldUp(t *testing.T) {
	for _, name := range []string{
		"HEAD", "refs/heads/main", "shallow", "commondir", "objects/info/alternates", "objects/pack", "objects/00",
		"objects/pack/pack-0000000000000000000000000000000000000000.idx", "objects/pack/pack-0000000000000000000000000000000000000000.pack",
		"objects/00/00000000000000000000000000000000000000", "objects/pack/multi-pack-index", "objects/info/commit-graph",
	} {
		t.Run(name, func(t *testing.T) {
			temporary(t)
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			makePipe(t, s.path(".git/"+name))
			repository, err := repositoryAt(t.Context(), s.dir)
			if err == nil {
				repository.Close()
			}
			wantReason(t, err, Damaged)
		})
	}
}

// TestObjectsThatAreNoFiles: git never opens a pipe or device in the place of an object or pack, whichever
// folder names it.
func TestObjectsThatAreNoFiles(t *testing.T) {
	for _, name := range []string{"pack/pack-x.idx", "pack/pack-x.pack", "ab/cdef"} {
		for _, place := range []string{"objects", "alternate", "alternate of the alternate"} {
			for _, kind := range []string{"pipe", "link to a pipe", "link to a device"} {
				t.Run(name+" "+place+" "+kind, func(t *testing.T) {
					temporary(t)
					s := newScratch(t)
					s.commit("a.md", "one\n", "first")
					objects := s.path(".git/objects")
					for n := range map[string]int{"objects": 0, "alternate": 1, "alternate of the alternate": 2}[place] {
						next := s.path(fmt.Sprintf("other%d", n))
						writeFile(t, filepath.Join(objects, "info", "alternates"), next+"\n")
						if err := os.MkdirAll(filepath.Join(next, "info"), 0o755); err != nil {
							t.Fatal(err)
						}
						objects = next
					}
					at := filepath.Join(objects, filepath.FromSlash(name))
					makePipe(t, at)
					if target, isLink := map[string]string{"link to a pipe": s.path("pipe"), "link to a device": os.DevNull}[kind]; isLink {
						makePipe(t, s.path("pipe"))
						if err := errors.Join(os.Remove(at), os.Symlink(target, at)); err != nil {
							t.Fatal(err)
						}
					}
					repository, err := repositoryAt(t.Context(), s.dir)
					if err == nil {
						repository.Close()
					}
					wantReason(t, err, Damaged)
				})
			}
		}
	}
}

// TestAlternatesThatNameOneAnother: each object folder is looked at once.
func TestAlternatesThatNameOneAnother(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	var all strings.Builder
	for n := range 40 {
		fmt.Fprintln(&all, s.path(fmt.Sprintf("other%d", n)))
	}
	for n := range 40 {
		writeFile(t, s.path(fmt.Sprintf("other%d/info/alternates", n)), all.String())
	}
	writeFile(t, s.path(".git/objects/info/alternates"), all.String())
	c := objectCheck{seen: map[string]bool{}, left: maxObjects}
	if err := c.store(s.path(".git/objects"), alternateLevels); err != nil || len(c.seen) != 41 || maxObjects-c.left > 1000 {
		t.Errorf("%d folders and %d files were looked at: %v", len(c.seen), maxObjects-c.left, err)
	}
}

func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestContextEndsAHangingGit(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	commit := s.commit("a.md", "one\n", "first")
	repository := openAt(t, s.dir)
	makePipe(t, s.path(".git/objects/"+commit[:2]+"/"+commit[2:])) // it was a file when Cento looked
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if lines, err := repository.Lines(ctx, "a.md", []byte("one\n"), []int{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, %v", lines, err)
	}
	var status syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("a child is left: %d, %v", pid, err)
	}
	if _, err := repository.Lines(ctx, "a.md", []byte("one\n"), []int{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an ended context: %v", err)
	}
	if _, err := repositoryAt(ctx, s.dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open with an ended context: %v", err)
	}
	var several Repositories
	if _, err := several.Lines(ctx, s.path("a.md"), nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Repositories with an ended context: %v", err)
	}
}

func TestEndlessOutputIsCut(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	repository := openAt(t, s.dir)
	repository.program = filepath.Join(t.TempDir(), "git")
	writeFile(t, repository.program, "#!/bin/sh\nexec yes\n")
	if err := os.Chmod(repository.program, 0o755); err != nil {
		t.Fatal(err)
	}
	want(t, ask(t, repository, "a.md", 1), "1:too_large")

	writeFile(t, repository.program, "#!/bin/sh\nyes | head -c 10000000 >&2\nexit 3\n")
	want(t, ask(t, repository, "a.md", 1), "1:damaged")

	repository.program = filepath.Join(t.TempDir(), "gone")
	want(t, ask(t, repository, "a.md", 1), "1:failed")
}

func TestObjectsThatUnpackToMuchAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a file of 129 MiB")
	}
	temporary(t)
	s := newScratch(t)
	s.write("a.md", "")
	if err := os.Truncate(s.path("a.md"), 129<<20); err != nil {
		t.Fatal(err)
	}
	s.git("add", "a.md")
	s.git("-c", "core.compression=1", "commit", "-q", "-m", "first")
	repository := openAt(t, s.dir)
	lines, err := repository.Lines(t.Context(), "a.md", []byte("one\n"), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	want(t, lines, "1:too_large")
	s.commit("a.md", "one\n", "second")
	want(t, ask(t, openAt(t, s.dir), "a.md", 1), "1:too_large")

	lines, err = repository.Lines(t.Context(), "a.md", make([]byte, maxFile+1), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	want(t, lines, "1:too_large")
}

func TestConcurrentUseAndClose(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	var several Repositories
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			lines, err := several.Lines(t.Context(), s.path("a.md"), []byte("one\n"), []int{1})
			if errors.Is(err, ErrClosed) {
				return
			}
			if err != nil || brief(lines) != "1:first" {
				t.Errorf("got %s, %v", brief(lines), err)
			}
		})
	}
	if err := several.Close(); err != nil {
		t.Error(err)
	}
	group.Wait()
	repository := openAt(t, s.dir)
	if err := repository.Close(); err != nil {
		t.Error(err)
	}
	if _, err := repository.Lines(t.Context(), "a.md", nil, nil); err != ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

func TestTemporaryFolderThatCannotBeMade(t *testing.T) {
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	_, err := repositoryAt(t.Context(), s.dir)
	wantReason(t, err, Failed)
}

func TestMissingAlternateIsNoDamage(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	s.commit("a.md", "one\ntwo\n", "second")
	s.write(".git/objects/info/alternates", "/nowhere/objects\n"+s.path("a.md")+"\n")
	want(t, ask(t, openAt(t, s.dir), "a.md", 1, 2), "1:first 2:second")
}

// TestHostileRepositoryRunsNothingForCommits: nothing that a repository configures runs when its
// commits are read.
func TestHostileRepositoryRunsNothingForCommits(t *testing.T) {
	s := newScratch(t)
	s.commit("a.md", "1", "one")
	s.commit("a.md", "2", "two")
	trap := newTrap(t)
	trap.arm(s)
	c := openCommits(t, s.dir)
	f := filesAt(t, c, "HEAD~1")
	if got := readAt(t, f, "a.md"); got != "1" {
		t.Errorf("%q", got)
	}
	if _, err := f.ReadDir("."); err != nil {
		t.Error(err)
	}
	head, _ := c.Resolve("HEAD")
	if _, err := c.MergeBase(t.Context(), head, f.commit); err != nil {
		t.Error(err)
	}
	if ran := trap.ran(); len(ran) > 0 {
		t.Errorf("%q ran", ran)
	}
}
