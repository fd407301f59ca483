package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLayouts(t *testing.T) {
	tests := []struct {
		name string
		// make lays the repository out and returns the folder to open, which has a.md with its first line
		// from a commit "first" and an uncommitted second line.
		make func(t *testing.T) string
	}{
		{"work tree", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			return s.dir
		}},
		{"packed references and objects", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			s.git("tag", "-a", "-m", "peeled entries too", "v1")
			s.git("gc", "-q", "--prune=now")
			if _, err := os.Stat(s.path(".git/refs/heads/main")); err == nil {
				t.Fatal("the branch is not packed")
			}
			return s.dir
		}},
		{"packed branch beside a folder of its name", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			s.git("pack-refs", "--all")
			if err := os.MkdirAll(s.path(".git/refs/heads/main/empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			return s.dir
		}},
		{"loose reference wins over packed", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "zero\n", "earlier")
			s.git("pack-refs", "--all")
			s.commit("a.md", "one\n", "first")
			return s.dir
		}},
		{"detached HEAD", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			s.commit("a.md", "other\n", "second")
			s.git("checkout", "-q", "--detach", "HEAD^")
			return s.dir
		}},
		{"HEAD as a symbolic link", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			if err := os.Remove(s.path(".git/HEAD")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("refs/heads/main", s.path(".git/HEAD")); err != nil {
				t.Skip("no symbolic links on this system")
			}
			return s.dir
		}},
		{"branch that stands for another", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			s.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			s.git("symbolic-ref", "HEAD", "refs/heads/alias")
			return s.dir
		}},
		{"linked work tree", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			linked := filepath.Join(filepath.Dir(s.dir), "linked tree")
			s.git("worktree", "add", "-q", "-b", "other", linked)
			s.commit("a.md", "changed on main\n", "second")
			return linked
		}},
		{"linked work tree, detached", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			linked := filepath.Join(filepath.Dir(s.dir), "linked")
			s.git("worktree", "add", "-q", "--detach", linked)
			s.git("pack-refs", "--all")
			return linked
		}},
		{"separate git folder, absolute", func(t *testing.T) string {
			requireGit(t)
			s := newScratch(t, "--separate-git-dir", filepath.Join(t.TempDir(), "elsewhere.git"))
			s.commit("a.md", "one\n", "first")
			return s.dir
		}},
		{"submodule", func(t *testing.T) string {
			inner := newScratch(t)
			inner.commit("a.md", "one\n", "first")
			outer := newScratch(t)
			outer.commit("a.md", "outer\n", "outer")
			outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
			outer.git("commit", "-q", "-m", "add the submodule")
			if info, err := os.Stat(outer.path("mod/.git")); err != nil || info.IsDir() {
				t.Fatalf("mod/.git is no file: %v", err)
			}
			return outer.path("mod")
		}},
		{"objects borrowed from another repository", func(t *testing.T) string {
			lender := newScratch(t)
			lender.commit("a.md", "one\n", "first")
			s := &scratch{t: t, dir: filepath.Join(filepath.Dir(lender.dir), "borrower")}
			lender.git("clone", "-q", "--shared", lender.dir, s.dir)
			if _, err := os.Stat(s.path(".git/objects/info/alternates")); err != nil {
				t.Fatal(err)
			}
			return s.dir
		}},
		{"odd folder name", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			for _, name := range []string{"#\"odd\\ :\n日本", "#odd ;日本"} {
				odd := filepath.Join(filepath.Dir(s.dir), name)
				if os.Rename(s.dir, odd) == nil {
					return odd
				}
			}
			t.Skip("this system has no odd folder names")
			return ""
		}},
		{"reached through a symbolic link", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(s.dir, link); err != nil {
				t.Skip("no symbolic links on this system")
			}
			return link
		}},
		{"broken .git folder further down", func(t *testing.T) string {
			s := newScratch(t)
			s.commit("sub/a.md", "one\n", "first")
			if err := os.Mkdir(s.path("sub/.git"), 0o755); err != nil {
				t.Fatal(err)
			}
			return s.path("sub")
		}},
		{"SHA-256", func(t *testing.T) string {
			requireGit(t)
			s := &scratch{t: t, dir: filepath.Join(t.TempDir(), "work")}
			if out, err := s.command(filepath.Dir(s.dir), "init", "-q", "--object-format=sha256", s.dir).CombinedOutput(); err != nil {
				t.Skipf("this git makes no SHA-256 repositories: %s", out)
			}
			if commit := s.commit("a.md", "one\n", "first"); len(commit) != sha256Digits {
				t.Fatalf("commit %s", commit)
			}
			s.git("pack-refs", "--all")
			return s.dir
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			temporary(t)
			dir := test.make(t)
			writeFile(t, filepath.Join(dir, "a.md"), "one\ntwo\n")
			repository := openAt(t, dir)
			want(t, ask(t, repository, filepath.Join(dir, "a.md"), 1, 2), "1:first 2:uncommitted")
			var several Repositories
			defer several.Close()
			lines, err := several.Lines(t.Context(), filepath.Join(dir, "a.md"), []byte("one\ntwo\n"), []int{1, 2})
			if err != nil {
				t.Fatal(err)
			}
			want(t, lines, "1:first 2:uncommitted")
		})
	}
}

func TestShallowClone(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	edge := s.commit("a.md", "one\ntwo\n", "second")
	s.commit("a.md", "one\ntwo\nthree\n", "third")
	clone := filepath.Join(filepath.Dir(s.dir), "clone")
	s.git("clone", "-q", "--depth=2", "file://"+filepath.ToSlash(s.dir), clone)
	writeFile(t, filepath.Join(clone, "a.md"), "one\ntwo\nthree\nfour\n")
	lines := ask(t, openAt(t, clone), "a.md", 1, 2, 3, 4)
	want(t, lines, "1:shallow 2:shallow 3:third 4:uncommitted")
	if lines[0].Edge != edge || !strings.Contains(lines[0].Note, edge[:12]) || lines[0].Hint == "" {
		t.Errorf("edge %+v, want %s", lines[0], edge)
	}
	// The first commit of a whole history is no edge.
	want(t, ask(t, openAt(t, s.dir), "a.md", 1), "1:first")
}

func TestPartialClone(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.git("config", "uploadpack.allowFilter", "true")
	s.commit("a.md", "one\n", "first")
	s.commit("a.md", "one\ntwo\n", "second")
	s.commit("b.md", "new\n", "third")
	clone := filepath.Join(filepath.Dir(s.dir), "clone")
	s.git("clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(s.dir), clone)
	count := func() int {
		packs, err := filepath.Glob(filepath.Join(clone, ".git/objects/pack/*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(packs)
	}
	before := count()
	if before == 0 {
		t.Fatal("the clone has no packs")
	}
	lines := ask(t, openAt(t, clone), "a.md", 1)
	want(t, lines, "1:partial")
	if lines[0].Hint == "" {
		t.Error("no hint")
	}
	want(t, ask(t, openAt(t, clone), "b.md", 1), "1:third")
	if after := count(); after != before {
		t.Errorf("objects were fetched: %d files in pack, then %d", before, after)
	}
}

func TestNestedRepository(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "outer")
	inner := &scratch{t: t, dir: s.path("vendor/inner")}
	s.git("init", "-q", inner.dir)
	inner.commit("docs/b.md", "two\n", "inner")
	lines := ask(t, openAt(t, s.dir), "vendor/inner/docs/b.md", 1)
	want(t, lines, "1:outside")
	if !strings.Contains(lines[0].Note, inner.dir) {
		t.Errorf("note does not name the inner one: %s", lines[0].Note)
	}
	var several Repositories
	for file, text := range map[string]string{s.path("a.md"): "1:outer", inner.path("docs/b.md"): "1:inner"} {
		contents, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := several.Lines(t.Context(), file, contents, []int{1})
		if err != nil {
			t.Fatal(err)
		}
		want(t, lines, text)
	}
	lone := filepath.Join(t.TempDir(), "lone.md")
	lines, err := several.Lines(t.Context(), lone, []byte("x\n"), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	want(t, lines, "1:no_repository")
	for range 2 {
		if err := several.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := several.Lines(t.Context(), lone, nil, nil); err != ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

func manyAlternates() string {
	var b strings.Builder
	for n := range maxStores {
		fmt.Fprintf(&b, "/nowhere/%d\n", n)
	}
	return b.String()
}

func TestRepositoriesThatCannotBeOpened(t *testing.T) {
	const hash = "0123456789012345678901234567890123456789"
	replace := func(name, text string) func(*scratch) {
		return func(s *scratch) { s.write(".git/"+name, text) }
	}
	tests := []struct {
		name   string
		spoil  func(s *scratch)
		reason Reason
	}{
		{"no .git", func(s *scratch) { os.RemoveAll(s.path(".git")) }, NoRepository},
		{"empty .git folder", func(s *scratch) { os.RemoveAll(s.path(".git")); os.Mkdir(s.path(".git"), 0o755) }, Damaged},
		{"no objects", func(s *scratch) { os.RemoveAll(s.path(".git/objects")) }, Damaged},
		{"no commits", replace("HEAD", "ref: refs/heads/unborn\n"), NoCommits},
		{"reftable", func(s *scratch) { os.Mkdir(s.path(".git/reftable"), 0o755) }, Reftable},
		{"HEAD empty", replace("HEAD", ""), Damaged},
		{"HEAD without sense", replace("HEAD", "main\n"), Damaged},
		{"HEAD too long", replace("HEAD", strings.Repeat("a", maxPointerFile+1)), Damaged},
		{"HEAD leaves the folder", replace("HEAD", "ref: refs/../../secret\n"), Damaged},
		{"HEAD absolute", replace("HEAD", "ref: /etc/passwd\n"), Damaged},
		{"references in a circle", func(s *scratch) {
			s.write(".git/HEAD", "ref: refs/heads/a\n")
			s.write(".git/refs/heads/a", "ref: refs/heads/b\n")
			s.write(".git/refs/heads/b", "ref: refs/heads/a\n")
		}, Damaged},
		{"packed-refs without sense", func(s *scratch) {
			s.write(".git/HEAD", "ref: refs/heads/x\n")
			s.write(".git/packed-refs", "zzzz refs/heads/x\n")
		}, Damaged},
		{"packed-refs of one line", func(s *scratch) {
			s.write(".git/HEAD", "ref: refs/heads/x\n")
			s.write(".git/packed-refs", strings.Repeat("a", 1<<20))
		}, Damaged},
		{"shallow without sense", replace("shallow", "not a commit\n"), Damaged},
		{".git file without sense", func(s *scratch) { os.RemoveAll(s.path(".git")); s.write(".git", "hello") }, Damaged},
		{".git file to nowhere", func(s *scratch) { os.RemoveAll(s.path(".git")); s.write(".git", "gitdir: nowhere\n") }, Damaged},
		{".git file to no repository", func(s *scratch) { os.RemoveAll(s.path(".git")); s.write(".git", "gitdir: .\n") }, Damaged},
		{".git file to another machine", func(s *scratch) { os.RemoveAll(s.path(".git")); s.write(".git", "gitdir: //host/share\n") }, Remote},
		{"commondir to another machine", replace("commondir", `\\host\share`), Remote},
		{"commondir to nowhere", replace("commondir", "nowhere\n"), Damaged},
		{"alternates on another machine", replace("objects/info/alternates", "\"\\057/host/share\"\n"), Remote},
		{"alternates of alternates on another machine", func(s *scratch) {
			s.write("lender/info/alternates", "# comment\n//host/share\n")
			s.write(".git/objects/info/alternates", "/nowhere\n../../lender\n")
		}, Remote},
		{"too many alternates", replace("objects/info/alternates", manyAlternates()), TooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			temporary(t)
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			test.spoil(s)
			repository, err := repositoryAt(t.Context(), s.dir)
			if err == nil {
				repository.Close()
			}
			wantReason(t, err, test.reason)
			if strings.Contains(err.Error(), "passwd") || strings.Contains(err.Error(), hash) {
				t.Errorf("the error repeats the file: %v", err)
			}
			// The same, as answers.
			var several Repositories
			defer several.Close()
			lines, err := several.Lines(t.Context(), s.path("a.md"), []byte("one\n"), []int{1})
			if err != nil {
				t.Fatal(err)
			}
			want(t, lines, "1:"+string(test.reason))
			checkShape(t, lines[0])
		})
	}
}

func TestDamagedObjects(t *testing.T) {
	temporary(t)
	remove := func(s *scratch, object string) {
		path := s.path(".git/objects/" + object[:2] + "/" + object[2:])
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name  string
		spoil func(s *scratch)
		want  string
	}{
		{"commit missing", func(s *scratch) { remove(s, s.git("rev-parse", "HEAD")) }, "1:damaged"},
		{"tree missing", func(s *scratch) { remove(s, s.git("rev-parse", "HEAD^{tree}")) }, "1:damaged"},
		{"blob missing", func(s *scratch) { remove(s, s.git("rev-parse", "HEAD:a.md")) }, "1:damaged"},
		{"parent missing", func(s *scratch) { remove(s, s.git("rev-parse", "HEAD^")) }, "1:damaged"},
		{"HEAD names what does not exist", func(s *scratch) { s.write(".git/HEAD", strings.Repeat("0123", 10)+"\n") }, "1:damaged"},
		{"HEAD names a blob", func(s *scratch) { s.write(".git/HEAD", s.git("rev-parse", "HEAD:a.md")+"\n") }, "1:damaged"},
		{"blob is rubbish", func(s *scratch) {
			object := s.git("rev-parse", "HEAD:a.md")
			remove(s, object)
			s.write(".git/objects/"+object[:2]+"/"+object[2:], "rubbish")
		}, "1:damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			s.commit("a.md", "one\n", "first")
			s.commit("a.md", "one\ntwo\n", "second")
			test.spoil(s)
			lines := ask(t, openAt(t, s.dir), "a.md", 1)
			want(t, lines, test.want)
			if !strings.Contains(lines[0].Note, ": ") {
				t.Errorf("the note does not say what is wrong: %q", lines[0].Note)
			}
			t.Log(lines[0].Note)
		})
	}
}
