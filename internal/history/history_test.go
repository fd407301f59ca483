package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// scratch is a git repository made by the test's own git, under an environment of the test alone.
type scratch struct {
	t   testing.TB
	dir string
}

func requireGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing of this can be tested")
	}
}

func newScratch(t testing.TB, initArgs ...string) *scratch {
	t.Helper()
	requireGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scratch{t: t, dir: filepath.Join(dir, "work")}
	s.in(dir, append([]string{"init", "-q", "-b", "main"}, append(initArgs, s.dir)...)...)
	return s
}

// in runs git in a folder and returns what it printed.
func (s *scratch) in(dir string, args ...string) string {
	s.t.Helper()
	out, err := s.command(dir, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *scratch) command(dir string, args ...string) *exec.Cmd {
	git := exec.Command("git", args...)
	git.Dir = dir
	git.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(s.dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_LITERAL_PATHSPECS=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=1700000000 +0530",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_COMMITTER_DATE=1700000000 +0530",
	}
	return git
}

func (s *scratch) git(args ...string) string { s.t.Helper(); return s.in(s.dir, args...) }

func (s *scratch) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *scratch) write(name, text string) {
	s.t.Helper()
	writeFile(s.t, s.path(name), text)
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commit writes a file, commits it and returns the commit.
func (s *scratch) commit(name, text, summary string) string {
	s.t.Helper()
	s.write(name, text)
	s.git("add", "--", name)
	s.git("commit", "-q", "-m", summary)
	return s.git("rev-parse", "HEAD")
}

// temporary points the temporary folder of the package to one of the test, and checks at the end that
// nothing was left in it.
func temporary(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in the temporary folder: %v, %v", left, err)
		}
	})
}

func openAt(t *testing.T, dir string) *repository {
	t.Helper()
	repository, err := repositoryAt(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := repository.Close(); err != nil {
			t.Error(err)
		}
	})
	return repository
}

// ask reads the file as a caller would and asks about the lines.
func ask(t *testing.T, repository *repository, file string, lines ...int) []Line {
	t.Helper()
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(repository.dir, file)
	}
	contents, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := repository.Lines(t.Context(), file, contents, lines)
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers for %d lines", len(answers), len(lines))
	}
	for i, answer := range answers {
		checkShape(t, answer)
		if answer.Number != lines[i] {
			t.Errorf("answer %d is for line %d, asked was %d", i, answer.Number, lines[i])
		}
	}
	return answers
}

// checkShape holds the promises that the fields of [Line] make.
func checkShape(t *testing.T, line Line) {
	t.Helper()
	committed := line.State == Committed
	if committed != (line.Commit != "") || committed != (line.Note == "") ||
		(line.State == Unknown) != (line.Reason != "") || (line.State == Shallow) != (line.Edge != "") ||
		!committed && (line.Author != "" || line.Summary != "" || !line.Time.IsZero()) {
		t.Errorf("fields do not fit the state: %+v", line)
	}
}

// brief says a line in one word each, to be compared with what a test wants.
func brief(lines []Line) string {
	said := make([]string, len(lines))
	for i, line := range lines {
		said[i] = fmt.Sprintf("%d:%s", line.Number, line.State)
		switch line.State {
		case Committed:
			said[i] = fmt.Sprintf("%d:%s", line.Number, line.Summary)
		case Unknown:
			said[i] = fmt.Sprintf("%d:%s", line.Number, line.Reason)
		}
	}
	return strings.Join(said, " ")
}

func want(t *testing.T, lines []Line, text string) {
	t.Helper()
	if got := brief(lines); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
		for _, line := range lines {
			if line.Note != "" {
				t.Logf("%d: %s", line.Number, line.Note)
			}
		}
	}
}

func wantReason(t *testing.T, err error, reason Reason) {
	t.Helper()
	why, ok := errors.AsType[*UnavailableError](err)
	if !ok || why.Reason != reason {
		t.Fatalf("got %v, want reason %s", err, reason)
	}
	if _, known := words[why.Reason]; !known || why.Message() == "" {
		t.Errorf("no words for %s", why.Reason)
	}
}

func TestLinesOfEachState(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	first := s.commit("docs/a.md", "one\ntwo\nthree\n", "first")
	second := s.commit("docs/a.md", "one\ntwo\nthree\nfour\n", "second")
	s.write("docs/a.md", "zero\none\nTWO\nthree\nfour")
	s.write("docs/new.md", "new\n")
	s.write("docs/staged.md", "staged\n")
	s.git("add", "docs/staged.md")

	repository := openAt(t, s.path("docs"))
	if repository.layout.root != s.dir || repository.head != second {
		t.Errorf("root %s, head %s", repository.layout.root, repository.head)
	}
	lines := ask(t, repository, "a.md", 2, 1, 4, 3, 5, 2, 0, -1, 6)
	want(t, lines, "2:first 1:uncommitted 4:first 3:uncommitted 5:uncommitted 2:first 0:no_such_line -1:no_such_line 6:no_such_line")
	if lines[0].Commit != first {
		t.Errorf("got commit %s, want %s", lines[0].Commit, first)
	}
	got, expect := lines[0].Time, time.Date(2023, 11, 15, 3, 43, 20, 0, time.FixedZone("", 19800))
	if _, offset := got.Zone(); !got.Equal(expect) || offset != 19800 || lines[0].Author != "Ada" {
		t.Errorf("got %v by %q", got, lines[0].Author)
	}
	if line := lines[1]; line.Note != "this line is not committed yet" {
		t.Errorf("note: %q", line.Note)
	}
	want(t, ask(t, repository, s.path("docs/new.md"), 1, 2), "1:untracked 2:no_such_line")
	want(t, ask(t, repository, "staged.md", 1), "1:untracked")
	want(t, ask(t, repository, "a.md"), "")
}

func TestDeletedFileKeepsItsHistory(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("sub/a.md", "one\n", "first")
	if err := os.RemoveAll(s.path("sub")); err != nil {
		t.Fatal(err)
	}
	lines, err := openAt(t, s.dir).Lines(t.Context(), "sub/a.md", []byte("one\ntwo\n"), []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	want(t, lines, "1:first 2:uncommitted")
}

func TestOddFileNames(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	names := []string{
		"with space/and more.md", "-L1", "--", ":(exclude)x", ":x", "*.md", "[a]?.md", `back\slash`, `quo"te`, "tab\there",
		"line\nfeed.md", "änderung/日本.md", "HEAD", "#hash", "~tilde^{tree}", "sub/.dot", "a:b", "trailing ", "\xff\xfe",
	}
	made := 0
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
			continue
		}
		if err := os.WriteFile(s.path(name), []byte("text of "+name+"\n"), 0o644); err == nil {
			made++
			s.git("add", "-f", "--", name)
		}
	}
	if made < 8 {
		t.Fatalf("only %d names could be made", made)
	}
	s.git("commit", "-q", "-m", "odd")
	repository := openAt(t, s.dir)
	for _, name := range names {
		if _, err := os.Stat(s.path(name)); err != nil {
			continue
		}
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) { want(t, ask(t, repository, name, 1), "1:odd") })
	}
	want(t, ask(t, repository, s.path("*.md"), 1), "1:odd")
}

func TestFileNamesThatLeadElsewhere(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("a.md", "one\n", "first")
	repository := openAt(t, s.dir)
	for _, name := range []string{"", "..", ".", "../a.md", "a\x00b", filepath.Dir(s.dir)} {
		lines, err := repository.Lines(t.Context(), name, []byte("one\n"), []int{1})
		if err != nil {
			t.Fatal(err)
		}
		if got := brief(lines); got != "1:outside" {
			t.Errorf("%q: got %s", name, got)
		}
	}
	if err := os.Symlink("a.md", s.path("link.md")); err != nil {
		t.Skip("no symbolic links on this system")
	}
	s.git("add", "link.md")
	s.git("commit", "-q", "-m", "link")
	want(t, ask(t, openAt(t, s.dir), "link.md", 1), "1:first")
	outside := filepath.Join(filepath.Dir(s.dir), "outside.md")
	writeFile(t, outside, "one\n")
	if err := os.Symlink(outside, s.path("out.md")); err != nil {
		t.Fatal(err)
	}
	want(t, ask(t, repository, "out.md", 1), "1:outside")
}

func TestLineEndsDoNotCount(t *testing.T) {
	temporary(t)
	const bom = "\uFEFF"
	tests := []struct{ name, committed, present, want string }{
		{"checked out with CRLF", "a\nb\n", "a\r\nb\r\nnew\r\n", "1:first 2:first 3:uncommitted"},
		{"folded by the caller", "a\r\nb\r\n", "a\nb\nnew\n", "1:first 2:first 3:uncommitted"},
		{"CRLF throughout", "a\r\nb\r\n", "a\r\nB\r\nb\r\n", "1:first 2:uncommitted 3:first"},
		{"mixed and folded", "a\r\nb\nc\r\n", "a\nb\nc\n", "1:first 2:first 3:first"},
		{"mixed and as it is", "a\r\nb\nc\r\n", "a\r\nb\nc\r\n", "1:first 2:first 3:first"},
		{"mark dropped", bom + "a\nb\n", "a\nb\n", "1:first 2:first"},
		{"mark added", "a\nb\n", bom + "a\nb\n", "1:first 2:first"},
		{"mark and ends folded", bom + "a\r\nb\r\n", "a\nb\n", "1:first 2:first"},
		{"lone carriage returns are text", "a\rb\nc\n", "a\rb\nC\n", "1:first 2:uncommitted"},
		{"no line feed at the end", "a\r\nb", "a\nb", "1:first 2:first"},
		{"a last line of nothing but a carriage return", "a\n\n", "a\n\r", "1:first 2:uncommitted"},
		{"empty as committed", "", "a\r\n", "1:uncommitted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			s.commit("a.md", test.committed, "first")
			s.write("a.md", test.present)
			lines := make([]int, countLines([]byte(test.present)))
			for i := range lines {
				lines[i] = i + 1
			}
			want(t, ask(t, openAt(t, s.dir), "a.md", lines...), test.want)
		})
	}
}

func TestManyRangesAskOnce(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	var old, text strings.Builder
	var numbers []int
	var expect []string
	for i := range 3 * maxRanges {
		fmt.Fprintf(&old, "line %d\n", i)
		fmt.Fprintf(&text, "line %d\nadded %d\n", i, i)
		numbers = append(numbers, 2*i+1)
		expect = append(expect, fmt.Sprintf("%d:first", 2*i+1))
	}
	s.commit("a.md", old.String(), "first")
	s.commit("a.md", text.String(), "second")
	want(t, ask(t, openAt(t, s.dir), "a.md", numbers...), strings.Join(expect, " "))

	if got := ranges([]int{1, 2, 3, 7, 9, 10}); !slices.Equal(got, [][2]int{{1, 3}, {7, 7}, {9, 10}}) {
		t.Errorf("ranges: %v", got)
	}
	for _, test := range []struct{ asked, ranges int }{{maxRanges, maxRanges}, {maxRanges + 1, 1}} {
		if got := ranges(numbers[:test.asked]); len(got) != test.ranges {
			t.Errorf("%d lines apart: %d ranges, want %d", test.asked, len(got), test.ranges)
		}
	}
}

func TestRenamesAndMerges(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.commit("old.md", "one\ntwo\nthree\nfour\nfive\n", "first")
	s.git("mv", "old.md", "new.md")
	s.git("commit", "-q", "-m", "rename")
	s.git("checkout", "-q", "-b", "side")
	s.commit("new.md", "one\ntwo\nthree\nfour\nfive\nside\n", "on the side")
	s.git("checkout", "-q", "main")
	s.commit("new.md", "zero\none\ntwo\nthree\nfour\nfive\n", "on main")
	s.git("merge", "-q", "-m", "merge", "side")
	want(t, ask(t, openAt(t, s.dir), "new.md", 1, 2, 6, 7), "1:on main 2:first 6:first 7:on the side")
}

func TestAuthorsAndSummariesAreMadeFitForOneLine(t *testing.T) {
	temporary(t)
	s := newScratch(t)
	s.write("a.md", "one\n")
	s.git("add", "a.md")
	long := strings.Repeat("ö", 5000)
	s.git("-c", "user.name=x", "commit", "-q", "-m", "red \x1b[31m "+long, "--author", "Esc \x1b]0;x\x07 <e@example.org>", "--date", "253402300799 +0000")
	line := ask(t, openAt(t, s.dir), "a.md", 1)[0]
	if strings.ContainsAny(line.Author+line.Summary, "\x1b\x07") || !strings.HasPrefix(line.Summary, "red  [31m ö") || !strings.HasSuffix(line.Summary, "ö…") {
		t.Errorf("author %q, summary %q", line.Author, line.Summary)
	}
	if len(line.Summary) > maxShown {
		t.Errorf("summary of %d bytes", len(line.Summary))
	}
	if line.State != Committed {
		t.Errorf("state %s", line.State)
	}

	latin := newScratch(t)
	latin.write("a.md", "one\n")
	latin.git("add", "a.md")
	latin.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-m", "caf\xe9")
	want(t, ask(t, openAt(t, latin.dir), "a.md", 1), "1:café")
}

func BenchmarkLines(b *testing.B) {
	s := newScratch(b)
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "line %d\n", i)
		s.commit("a.md", text.String(), fmt.Sprint(i))
	}
	contents := []byte(text.String() + "new\n")
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			repository, err := repositoryAt(b.Context(), s.dir)
			if err != nil {
				b.Fatal(err)
			}
			repository.Close()
		}
	})
	repository, err := repositoryAt(b.Context(), s.dir)
	if err != nil {
		b.Fatal(err)
	}
	defer repository.Close()
	b.Run("ask", func(b *testing.B) {
		for b.Loop() {
			lines, err := repository.Lines(b.Context(), "a.md", contents, []int{3, 10, 21})
			if err != nil || brief(lines) != "3:2 10:9 21:uncommitted" {
				b.Fatal(brief(lines), err)
			}
		}
	})
}

// repositoryAt finds the repository whose work tree holds a folder, as [Repositories] does.
func repositoryAt(ctx context.Context, dir string) (*repository, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found, err := locate(dir)
	if err != nil {
		return nil, err
	}
	return open(found, dir, "")
}
