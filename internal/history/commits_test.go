package history

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

func openCommits(t testing.TB, dir string) *Commits {
	t.Helper()
	c, err := OpenCommits(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func filesAt(t testing.TB, c *Commits, revision string) *Files {
	t.Helper()
	commit, err := c.Resolve(revision)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Files(commit)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func readAt(t testing.TB, f *Files, name string) string {
	t.Helper()
	file, err := f.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestResolveIsGits: what is resolved is what git says.
func TestResolveIsGits(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			s := newScratch(t, "--object-format="+format)
			first := s.commit("a", "1", "one")
			s.git("tag", "light")
			s.git("tag", "-a", "-m", "x", "heavy")
			s.commit("a", "2", "two")
			s.git("branch", "side/way", "HEAD~1")
			s.git("switch", "-q", "side/way")
			s.commit("b", "1", "three")
			s.git("switch", "-q", "main")
			s.git("merge", "-q", "--no-edit", "side/way")
			s.git("branch", "light") // a tag of the name goes first
			s.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
			s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
			s.commit("c", "1", "four")
			names := []string{
				"HEAD", "@", "main", "light", "heavy", "heavy~0", "side/way", "heads/light", "tags/light", "refs/heads/main", "origin/main", "origin",
				"HEAD~1", "HEAD^", "main~1^2", "@~1", "HEAD^{commit}", "ORIG_HEAD", first, first[:9], first[:7] + "^0", "heavy^{}",
			}
			check := func(packed string) {
				c := openCommits(t, s.dir)
				for _, name := range names {
					want := s.git("rev-parse", "--verify", "-q", name+"^{commit}")
					if got, err := c.Resolve(name); err != nil || got != want {
						t.Errorf("%s, %s: %s, %v; git says %s", packed, name, got, err, want)
					}
				}
			}
			check("loose")
			s.git("pack-refs", "--all")
			s.git("gc", "-q")
			check("packed")

			c := openCommits(t, s.dir)
			for name, want := range map[string]struct {
				reason Reason
				near   string
			}{
				"mian": {NoRevision, "main"}, "hevy": {NoRevision, "heavy"}, "side/wy": {NoRevision, "side/way"}, "HEAD~99": {NoRevision, ""},
				"deadbeef": {NoRevision, ""}, "HEAD@{1}": {BadRevision, ""}, "main:a": {BadRevision, ""}, "": {BadRevision, ""}, "-x": {BadRevision, ""},
				"a b": {BadRevision, ""}, "HEAD^{/two}": {BadRevision, ""}, "x\ny": {BadRevision, ""}, "../../x": {NoRevision, ""},
			} {
				_, err := c.Resolve(name)
				e, ok := errors.AsType[*UnavailableError](err)
				if !ok || e.Reason != want.reason || want.near != "" && e.Near != want.near {
					t.Errorf("%q: %v (near %q), want %s near %q", name, err, e.Near, want.reason, want.near)
				}
			}
			a, _ := c.Resolve("main")
			b, _ := c.Resolve("side/way")
			if base, err := c.MergeBase(t.Context(), a, b); err != nil || base != s.git("merge-base", "main", "side/way") {
				t.Error(base, err)
			}
		})
	}
}

// TestFilesAreThoseOfTheCommit: every name that git lists is there with its text, what git
// tracks now and the commit doesn't have isn't, and what it doesn't track is as on disk.
func TestFilesAreThoseOfTheCommit(t *testing.T) {
	s := newScratch(t)
	s.write("kept.md", "old")
	s.write("gone/x.md", "x")
	s.write("deep/er/y.md", "y")
	s.write("caf\u00e9.md", "c")
	writeFile(t, s.path("latin\xe9.md"), "l")
	if err := os.Symlink("deep/er", s.path("link")); err != nil {
		t.Fatal(err)
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "one")
	s.git("mv", "gone", "moved")
	s.write("kept.md", "new")
	s.write("added/now.md", "n")
	s.write("link2", "x")
	s.write(".gitignore", "*.log\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "two")
	s.write("added/own.log", "ignored")
	s.write("deep/note.txt", "untracked")
	if err := os.Mkdir(s.path("void"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("staged.md", "staged")
	s.git("add", "staged.md")

	for _, format := range []string{"2", "3", "4", "split", "none"} {
		t.Run(format, func(t *testing.T) {
			switch format {
			case "split":
				s.git("update-index", "--split-index")
			case "none":
				if err := os.WriteFile(s.path(".git/index"), []byte("DIRCxxxx no index at all, but as long as one"), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				s.git("update-index", "--index-version", format)
			}
			c := openCommits(t, s.dir)
			f := filesAt(t, c, "HEAD~1")
			for name := range strings.SplitSeq(strings.TrimSuffix(s.git("ls-tree", "-rz", "--name-only", "HEAD~1"), "\x00"), "\x00") {
				if name == "link" {
					if to, err := f.ReadLink(name); err != nil || to != "deep/er" {
						t.Error(to, err)
					}
					continue
				}
				if got, want := readAt(t, f, name), s.in(s.dir, "cat-file", "blob", "HEAD~1:"+name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			absent := []string{"moved", "moved/x.md", "added/now.md", "link2", ".gitignore", "kept.md/x", "nothing"}
			if format != "split" && format != "none" { // then what is tracked is what HEAD has
				absent = append(absent, "staged.md")
			}
			for _, name := range absent {
				if _, err := f.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is there: %v", name, err)
				}
			}
			for name, want := range map[string]string{"added/own.log": "ignored", "deep/note.txt": "untracked"} {
				if got := readAt(t, f, name); got != want {
					t.Errorf("%s is %q", name, got)
				}
			}
			if got := f.FromDisk(); !slices.Equal(got, []string{"added/own.log", "deep/note.txt"}) {
				t.Errorf("read from disk: %q", got)
			}
			list := func(name string) string {
				var out []string
				entries, err := f.ReadDir(name)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					out = append(out, e.Name())
				}
				return strings.Join(out, " ")
			}
			want := ".git added caf\u00e9.md deep gone kept.md latin\xe9.md link"
			if format == "split" || format == "none" {
				want += " staged.md"
			}
			want += " void"
			if got := list("."); got != want {
				t.Errorf("the top lists as %q, want %q", got, want)
			}
			if got := list("added"); got != "own.log" {
				t.Errorf("added lists as %q", got)
			}
			if got := list("void"); got != "" {
				t.Errorf("an empty folder lists as %q", got)
			}
		})
	}
}

// TestIndexIsGits: the names of an index are those that git lists.
func TestIndexIsGits(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		s := newScratch(t, "--object-format="+format)
		for _, name := range []string{"a", "a.b", "a/b", "dir/sub/file", "dir/sub/file2", strings.Repeat("long/", 60) + "name", "z\xff"} {
			if name != "a/b" {
				writeFile(t, s.path(name), name)
			}
		}
		s.git("add", "-A")
		s.git("add", "-N", "a")
		hash := map[string]int{"sha1": 20, "sha256": 32}[format]
		for _, version := range []string{"2", "3", "4"} {
			s.git("update-index", "--index-version", version)
			text, err := os.ReadFile(s.path(".git/index"))
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := parseIndex(text, hash)
			want := strings.Split(strings.TrimSuffix(s.git("ls-files", "-z"), "\x00"), "\x00")
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s %s: %q, %v; git lists %q", format, version, got, err, want)
			}
		}
	}
}

// TestLeftOut: what a sparse checkout leaves out is told from what isn't there for other reasons.
func TestLeftOut(t *testing.T) {
	for _, how := range [][]string{{"--cone", "--no-sparse-index", "kept"}, {"--cone", "--sparse-index", "kept"}, {"--no-cone", "--no-sparse-index", "/*", "!/gone/"}} {
		for _, version := range []string{"3", "4"} {
			s := newScratch(t)
			for _, name := range []string{"a", "b", "kept/c", "gone/d", "gone/sub/e"} {
				writeFile(t, s.path(name), name)
			}
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "one")
			names := []string{"a", "b", "kept", "kept/c", "gone", "gone/d", "gone/sub", "gone/sub/e", "gone/none", "none", "go", "gone/sub/e/f"}
			c := openCommits(t, s.dir)
			if got := c.LeftOut(names); got != nil {
				t.Errorf("%v: %q of a whole work tree are left out", how, got)
			}
			s.git("update-index", "--index-version", version)
			s.git(append([]string{"sparse-checkout", "set"}, how...)...)
			if err := os.Remove(s.path("b")); err != nil {
				t.Fatal(err)
			}
			if got, want := openCommits(t, s.dir).LeftOut(names), []string{"gone", "gone/d", "gone/sub", "gone/sub/e"}; !slices.Equal(got, want) {
				t.Errorf("%v, index %s: %q are left out, want %q", how, version, got, want)
			}
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 60) + "\x00\x01a\x00\x00\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("h", 20)))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 60) + "\x00\x01\x00a\x00" + strings.Repeat("h", 20)))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, left, err := parseIndex(text, 20)
		if err == nil && (!slices.IsSorted(x) || len(x) > len(text) || !slices.IsSorted(left) || len(left) > len(x)) {
			t.Fatalf("%q, %q", x, left)
		}
	})
}

func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("h", 20) + "40000 b\x00" + strings.Repeat("i", 20)))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := parseTree(text, 20)
		for name := range found {
			if err != nil || name == "" || name == ".." || strings.Contains(name, "/") || strings.EqualFold(name, ".git") {
				t.Fatalf("%q, %v", name, err)
			}
		}
	})
}

// TestSubmodulesAreAsOnDisk: what another repository has is as it is there, and said.
func TestSubmodulesAreAsOnDisk(t *testing.T) {
	s := newScratch(t)
	other := filepath.Join(filepath.Dir(s.dir), "other")
	s.in(filepath.Dir(s.dir), "init", "-q", "-b", "main", other)
	writeFile(t, filepath.Join(other, "in.md"), "in")
	s.in(other, "add", "-A")
	s.in(other, "commit", "-qm", "in")
	s.commit("a", "1", "one")
	s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub")
	s.git("commit", "-qm", "two")
	f := filesAt(t, openCommits(t, s.dir), "HEAD")
	if got := readAt(t, f, "sub/in.md"); got != "in" {
		t.Errorf("%q", got)
	}
	if got := f.Submodules(); !slices.Equal(got, []string{"sub"}) {
		t.Errorf("%q", got)
	}
	before := filesAt(t, openCommits(t, s.dir), "HEAD~1")
	if _, err := before.Lstat("sub/in.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a submodule is there before it was added: %v", err)
	}
	if err := os.RemoveAll(s.path("sub")); err != nil {
		t.Fatal(err)
	}
	f = filesAt(t, openCommits(t, s.dir), "HEAD")
	if info, err := f.Lstat("sub"); err != nil || !info.IsDir() {
		t.Errorf("a submodule that isn't checked out is no folder: %v", err)
	}
	// From inside, a submodule is a repository like any other.
	s.git("submodule", "--quiet", "update", "--init", "--force")
	if got := readAt(t, filesAt(t, openCommits(t, s.path("sub")), "HEAD"), "in.md"); got != "in" {
		t.Errorf("%q", got)
	}
}

// TestCommitsOfBareAndLinked: without a work tree, and from a second one.
func TestCommitsOfBareAndLinked(t *testing.T) {
	s := newScratch(t)
	s.commit("a.md", "1", "one")
	s.commit("a.md", "2", "two")
	up := filepath.Dir(s.dir)
	s.git("worktree", "add", "-q", filepath.Join(up, "linked"), "HEAD~1")
	s.in(up, "clone", "-q", "--bare", s.dir, "bare.git")
	for dir, bare := range map[string]bool{"linked": false, "bare.git": true, "bare.git/refs": true} {
		c := openCommits(t, filepath.Join(up, filepath.FromSlash(dir)))
		if c.Bare() != bare {
			t.Errorf("%s: bare is %v", dir, c.Bare())
		}
		f := filesAt(t, c, "main")
		if got := readAt(t, f, "a.md"); got != "2" {
			t.Errorf("%s: %q", dir, got)
		}
		if _, err := f.Lstat(".git"); err != nil {
			t.Errorf("%s has no .git: %v", dir, err)
		}
		if _, err := f.Lstat("HEAD"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s shows what is git's own: %v", dir, err)
		}
	}
}

// TestPartialCloneFetchesNothing: an object that isn't here is an error.
func TestPartialCloneFetchesNothing(t *testing.T) {
	s := newScratch(t)
	s.git("config", "uploadpack.allowFilter", "true")
	s.commit("a.md", "1", "one")
	s.commit("a.md", "2", "two")
	up := filepath.Dir(s.dir)
	s.in(up, "clone", "-q", "--filter=blob:none", "file://"+s.dir, "partial")
	f := filesAt(t, openCommits(t, filepath.Join(up, "partial")), "HEAD~1")
	_, err := f.Lstat("a.md")
	e, ok := errors.AsType[*UnavailableError](err)
	if !ok || e.Reason != Partial {
		t.Errorf("%v", err)
	}
}

// TestHandMadeTrees: names that no work tree has are not there.
func TestHandMadeTrees(t *testing.T) {
	f, err := parseTree([]byte("100644 ..\x00"+strings.Repeat("h", 20)+"40000 .GIT\x00"+strings.Repeat("h", 20)+"100644 a/b\x00"+strings.Repeat("h", 20)+"100644 c\x00"+strings.Repeat("h", 20)), 20)
	if err != nil || len(f) != 1 {
		t.Errorf("%v, %v", f, err)
	}
	for _, bad := range []string{"100644 a", "100644 a\x00short", "777 a\x00" + strings.Repeat("h", 20)} {
		if _, err := parseTree([]byte(bad), 20); err == nil {
			t.Errorf("%q reads", bad)
		}
	}
}

// TestCommitIsReadAsDisk: what package tree reads of a commit is what it reads of a checkout.
func TestCommitIsReadAsDisk(t *testing.T) {
	s := newScratch(t)
	for _, name := range []string{"a.md", "d/b.md", "d/e/c.md"} {
		s.write(name, "text of "+name)
	}
	if err := os.Symlink("d/e", s.path("l")); err != nil {
		t.Fatal(err)
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "one")
	up := filepath.Dir(s.dir)
	s.in(up, "clone", "-q", s.dir, "checkout")
	for _, name := range []string{"a.md", "d", "d/e/c.md", "l"} {
		if err := os.RemoveAll(s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	disk := disk.Over(s.dir, filesAt(t, openCommits(t, s.dir), "HEAD"))
	over, err := tree.OpenOn(disk, s.dir, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer over.Close()
	machine, err := tree.Open(filepath.Join(up, "checkout"), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	var compare func(dir string)
	compare = func(dir string) {
		a, errA := machine.ReadDir(dir, 100)
		b, errB := over.ReadDir(dir, 100)
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			t.Errorf("%s: %v, %v; %v, %v", dir, a, errA, b, errB)
		}
		for _, e := range a {
			name := path.Join(dir, e.Name)
			switch {
			case e.Name == ".git":
			case e.Mode.IsDir():
				compare(name)
			default:
				f, errF := machine.Read(name)
				g, errG := over.Read(name)
				if (errF == nil) != (errG == nil) || errF == nil && f.Text != g.Text {
					t.Errorf("%s: %v, %v", name, errF, errG)
				}
			}
		}
	}
	compare(".")
}
