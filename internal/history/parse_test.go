package history

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const oneCommit = "0123456789abcdef0123456789abcdef01234567"

func TestAttributionReadsWhatGitPrints(t *testing.T) {
	text := oneCommit + " 1 2 2\nauthor Ada\nauthor-mail <a@b>\nauthor-time 86400\nauthor-tz -0130\nsummary one\nfilename a\n" +
		strings.Repeat("0", 40) + " 1 1 1\nauthor Not Committed Yet\nsummary Version\nfilename a\n" +
		oneCommit + " 5 9 1\nfilename a\n" +
		"rubbish\n" + oneCommit + " 1 x 1\nsummary not this one\n" + oneCommit + " 1 4\n" + oneCommit + " 1 4 -1\n" + oneCommit + " 1 4 99999999999999999999\n"
	found := newAttribution([]int{1, 3, 4, 9})
	if _, err := found.writer().Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(found.writers)); !slices.Equal(got, []int{1, 3, 9}) {
		t.Fatalf("lines %v", got)
	}
	by := found.writers[3]
	if by != found.writers[9] || by.author != "Ada" || by.summary != "one" || by.uncommitted() || !found.writers[1].uncommitted() {
		t.Errorf("got %+v", by)
	}
	if got := by.time().String(); got != "1970-01-01 22:30:00 -0130 -0130" {
		t.Errorf("time %s", got)
	}
}

func TestTimesOutsideTheCalendarAreZero(t *testing.T) {
	for seconds, year := range map[int64]int{0: 1970, earliest: 1, latest: 9999, earliest - 1: 0, latest + 1: 0, -1 << 63: 0, 1<<63 - 1: 0} {
		got := (&writing{seconds: seconds, zone: 86340}).time()
		if year == 0 != got.IsZero() || year != 0 && got.Year() != year {
			t.Errorf("%d: got %v", seconds, got)
		}
		if _, err := got.MarshalJSON(); year == 0 && err != nil {
			t.Errorf("%d: %v", seconds, err)
		}
	}
	for text, seconds := range map[string]int{"+0000": 0, "+0530": 19800, "-1200": -43200, "+2400": 0, "+0099": 0, "0530": 0, "++530": 0, "": 0} {
		if got := parseZone(text); got != seconds {
			t.Errorf("%q: got %d", text, got)
		}
	}
}

// Law: what is kept does not depend on how the output was cut into writes, names wanted lines only, and is
// fit to be shown.
func FuzzAttribution(f *testing.F) {
	f.Add([]byte(oneCommit+" 1 2 2\nauthor A\x1b\nsummary s\nfilename f\n"), 3)
	f.Add([]byte(oneCommit+" 1 1 9223372036854775807\n"), 1)
	f.Add([]byte(oneCommit+" 9223372036854775807 9223372036854775807 5\nauthor \xff"+strings.Repeat("é", 3000)+"\n"), 7)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		wanted := []int{1, 2, 5, 1 << 40}
		whole, pieces := newAttribution(wanted), newAttribution(wanted)
		whole.writer().Write(text)
		writer := pieces.writer()
		for piece := range slices.Chunk(text, min(max(size, 1), 1<<20)) {
			writer.Write(piece)
		}
		if !maps.EqualFunc(whole.writers, pieces.writers, func(a, b *writing) bool { return *a == *b }) {
			t.Fatal("depends on the cut")
		}
		for number, by := range whole.writers {
			if !slices.Contains(wanted, number) {
				t.Fatalf("line %d was not asked for", number)
			}
			for _, shown := range []string{by.author, by.summary} {
				if !utf8.ValidString(shown) || len(shown) > maxShown || strings.ContainsAny(shown, "\x00\x1b\r\u009b") {
					t.Fatalf("not fit to be shown: %q", shown)
				}
			}
			if at := by.time(); !at.IsZero() {
				if _, err := at.MarshalJSON(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Law: line for line the text stays the same but for one carriage return at the end, and for one mark at the
// start of the first; what the committed file has as it stands is left alone; doing it again changes nothing.
func FuzzAsCommitted(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\r\nb\r\n"))
	f.Add([]byte("\uFEFFa\r\nb"), []byte("a\nb"))
	f.Add([]byte("a\r\r\nb\n\n"), []byte("a\r\n\r\nb\r"))
	f.Add([]byte("a\n\r"), []byte("a\n\n"))
	bare := func(line []byte, first bool) string {
		line = bytes.TrimRight(line, "\r\n")
		for first && bytes.HasPrefix(line, mark) {
			line = line[len(mark):]
		}
		return string(line)
	}
	f.Fuzz(func(t *testing.T, contents, committed []byte) {
		before := bytes.Clone(contents)
		got := asCommitted(contents, committed)
		if !bytes.Equal(contents, before) {
			t.Fatal("the caller's bytes changed")
		}
		was, is := slices.Collect(bytes.Lines(contents)), slices.Collect(bytes.Lines(got))
		if len(was) != len(is) || countLines(contents) != countLines(got) || len(was) != countLines(contents) {
			t.Fatalf("lines were added or lost: %q to %q", contents, got)
		}
		kept := slices.Collect(bytes.Lines(committed))
		for i := range was {
			change := len(is[i]) - len(was[i])
			if i == 0 && max(change, -change) >= len(mark)-1 {
				change = max(change, -change) - len(mark)
			}
			if bare(was[i], i == 0) != bare(is[i], i == 0) || max(change, -change) > 1 {
				t.Fatalf("line %d: %q to %q", i+1, was[i], is[i])
			}
			if !bytes.Equal(was[i], is[i]) && slices.ContainsFunc(kept, func(line []byte) bool { return bytes.Equal(line, was[i]) }) {
				t.Fatalf("line %d stands in the committed file and was changed: %q", i+1, was[i])
			}
		}
		if again := asCommitted(got, committed); !bytes.Equal(again, got) {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	})
}

// Law: a name that is let through stays below the folder that it is joined to.
func FuzzRefName(f *testing.F) {
	for _, name := range []string{"refs/heads/main", "refs/../x", "refs/heads/a..b", "/refs/x", "refs//x", `refs\x`, "refs/x.lock", "refs/日本"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if isRefName(name) && (!filepath.IsLocal(filepath.FromSlash(name)) || filepath.ToSlash(filepath.Clean(name)) != name || strings.ContainsAny(name, "\x00\n\\")) {
			t.Fatalf("%q leads elsewhere", name)
		}
	})
}

func TestRefNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"refs/heads/main": true, "refs/heads/feature/x-1_y@z": true, "refs/heads/日本": true,
		"": false, "refs": false, "refs/": false, "HEAD": false, "refs/heads/": false, "refs/heads/.invalid": false,
		"refs/heads/..": false, "refs/a..b": false, "refs/x.lock/y": false, "refs/a b": false, "refs/c:": false, "refs/\x00": false,
	} {
		if isRefName(name) != ok {
			t.Errorf("%q: got %t", name, !ok)
		}
	}
}

func TestQuotePath(t *testing.T) {
	for _, path := range []string{"/plain/path", "/with space", "/#hash", "/new\nline", `/quo"te`, "/日本", "/\xff\x01"} {
		got := quotePath(path)
		if back, err := strconv.Unquote(got); err != nil || back != path || strings.Contains(got, "\n") || strings.Contains(got, "\xff") {
			t.Errorf("%q: got %s, back %q, %v", path, got, back, err)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, expect := range map[string]string{
		"plain": "plain", " a\tb\x1b[0m\x9b ": "a b [0m\uFFFD", "123456789012": "1234567…", "ééééééé": "ééé…", "": "",
	} {
		if got := printable(text, 10); got != expect {
			t.Errorf("%q: got %q, want %q", text, got, expect)
		}
	}
}
