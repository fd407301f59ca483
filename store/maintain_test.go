package store

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/lengthtest"
)

func export(t testing.TB, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func verify(t testing.TB, s *Store, heads ...Stored) *Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), VerifyOptions{Heads: heads})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// some fills a store with a few sessions.
func some(t testing.TB, s *Store) {
	t.Helper()
	for i := range 12 {
		_, err := s.Commit(t.Context(), Transition{
			Key: fmt.Sprintf("key-%d", i), Answer: []byte("{}"),
			Changes: []Change{{
				Session: fmt.Sprintf("s%d", i%3), Parent: "p", Expect: AnyVersion, State: fmt.Appendf(nil, `{"turn":%d}`, i), Blobs: [][]byte{[]byte("kept text")},
				Drafts: []Draft{draft(t, "turn", "a: "+strings.Repeat("Be careful with what you do. ", 30)+fmt.Sprint(i), fmt.Sprintf("b: turn %d\n", i), "-c: Out.")},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestExportImport(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b", Session: "s1", Seq: 2}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.GC(t.Context(), GCOptions{Before: time.Date(2026, 1, 2, 3, 4, 9, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
		first := export(t, s)
		// Into the other engine, too: both give the same answers.
		for _, target := range []string{sqlitePlace(t), postgresPlace(t)} {
			other := open(t, target, Options{})
			got, err := other.Import(t.Context(), strings.NewReader(first), ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Sessions != 3 || got.Records < 8 || got.Known != 0 {
				t.Errorf("%+v", got)
			}
			if again := export(t, other); again != first {
				t.Errorf("the export of an import differs:\n%s\n%s", again, first)
			}
			if v := verify(t, other); !v.OK || v.Redacted != 1 {
				t.Errorf("%+v", v)
			}
			// Again, which adds nothing, and in part, which ends at the line.
			got, err = other.Import(t.Context(), strings.NewReader(first), ImportOptions{})
			if err != nil || got.Records != 0 || export(t, other) != first {
				t.Errorf("imported again: %+v, %v", got, err)
			}
			if _, err := other.Append(t.Context(), "s0", draft(t, "", "z: another way")); err != nil {
				t.Fatal(err)
			}
			more, err := s.Append(t.Context(), "s0", draft(t, "", "z: one way"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.Import(t.Context(), strings.NewReader(export(t, s)), ImportOptions{}); !errors.Is(err, Conflict) {
				t.Errorf("two ways: %v", err)
			}
			_ = more
			first = export(t, s)
		}
	})
}

var anyTextName = regexp.MustCompile(`"texts":\["[^"]*"`)

func TestImportRefuses(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	some(t, s)
	lines := strings.SplitAfter(export(t, s), "\n")
	at := func(part string) int {
		for i, l := range lines {
			if strings.Contains(l, part) {
				return i
			}
		}
		t.Fatalf("no line has %q", part)
		return 0
	}
	record, text := at(`{"record"`), at(`{"text":{"text":"turn 3`)
	for name, edit := range map[string]func([]string) []string{
		"empty":          func([]string) []string { return nil },
		"no export":      func([]string) []string { return []string{"hello\n"} },
		"newer":          func(l []string) []string { l[0] = `{"format":"cento-log","version":2}` + "\n"; return l },
		"changed record": func(l []string) []string { l[record] = strings.Replace(l[record], "included", "excluded", 1); return l },
		"changed text":   func(l []string) []string { l[text] = strings.Replace(l[text], "turn", "torn", 1); return l },
		"missing text":   func(l []string) []string { return append(l[:text:text], l[text+1:]...) },
		"missing record": func(l []string) []string { return append(l[:record:record], l[record+1:]...) },
		"half a line":    func(l []string) []string { l[record] = l[record][:len(l[record])/2]; return l[:record+1] },
		"invalid UTF-8":  func(l []string) []string { l[text] = strings.Replace(l[text], "turn", "\xff", 1); return l },
		"no name of a text": func(l []string) []string {
			for i := range l {
				l[i] = anyTextName.ReplaceAllString(l[i], `"texts":[""`)
			}
			return l
		},
		"unknown member": func(l []string) []string { l[1] = `{"sesion":{}}` + "\n"; return l },
	} {
		t.Run(name, func(t *testing.T) {
			to := open(t, sqlitePlace(t), Options{})
			_, err := to.Import(t.Context(), strings.NewReader(strings.Join(edit(append([]string(nil), lines...)), "")), ImportOptions{Name: "x.jsonl"})
			if err == nil || !strings.HasPrefix(err.Error(), "x.jsonl:") {
				t.Fatalf("%v", err)
			}
			if v := verify(t, to); !v.OK {
				t.Errorf("half an import is left: %+v", v)
			}
		})
	}
}

// TestTampering: whoever changes the database behind the program is found.
func TestTampering(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		whole := export(t, s)
		heads := verify(t, s).Heads
		for i, c := range []struct {
			name string
			with []string
			want FaultCode
			head bool // only found against heads that were kept
		}{
			{"change a prompt", []string{"UPDATE record SET prompt = hash WHERE id = 4"}, RecordChanged, false},
			{"change an input", []string{"UPDATE record SET input = (SELECT min(id) FROM input) WHERE id = 4"}, RecordChanged, false},
			{"change a list", []string{"UPDATE record SET list = (SELECT min(id) FROM list) WHERE id = 4"}, RecordChanged, false},
			{"change a hash", []string{"UPDATE record SET hash = prompt WHERE id = 4"}, RecordChanged, false},
			{"change a text", []string{"UPDATE text SET base = NULL, data = (SELECT data FROM text AS t WHERE t.id = 3) WHERE id = (SELECT max(text) FROM entry)"}, RecordChanged, false},
			{"break a text", []string{"UPDATE text SET data = hash FROM record WHERE record.id = 1 AND text.id = (SELECT max(form) FROM entry)"}, Unreadable, false},
			{"empty a text", []string{"UPDATE text SET base = NULL, data = substr(data, 1, 0) WHERE id = (SELECT max(form) FROM entry)"}, Unreadable, false},
			{"drop one", []string{"DELETE FROM record WHERE session = 1 AND seq = 2"}, RecordMissing, false},
			{"swap two", []string{"UPDATE record SET seq = 99 WHERE session = 1 AND seq = 2", "UPDATE record SET seq = 2 WHERE session = 1 AND seq = 3", "UPDATE record SET seq = 3 WHERE session = 1 AND seq = 99"}, RecordChanged, false},
			{"repeat one", []string{"INSERT INTO record (id, session, seq, at, hash, prompt, input, list, label) SELECT 99, session, 5, at, hash, prompt, input, list, label FROM record WHERE session = 1 AND seq = 4"}, RecordChanged, false},
			{"move one to another session", []string{"UPDATE record SET session = 2, seq = 5 WHERE session = 1 AND seq = 4"}, RecordChanged, false},
			{"cut the tail", []string{"DELETE FROM record WHERE session = 1 AND seq = 4"}, TailCut, false},
			{"cut the tail and the word on it", []string{
				"DELETE FROM record WHERE session = 1 AND seq = 4",
				"UPDATE session SET head_seq = 3, head_hash = (SELECT hash FROM record WHERE session = 1 AND seq = 3) WHERE id = 1",
			}, TailCut, true},
			{"drop a session", []string{"DELETE FROM record WHERE session = 1", "DELETE FROM session WHERE id = 1"}, TailCut, true},
		} {
			if lengthtest.Wanted() != lengthtest.Long && s.engine.Postgres && i%4 != 0 {
				continue // each takes tables of its own, and what looks for it is the same
			}
			t.Run(c.name, func(t *testing.T) {
				at := sqlitePlace(t)
				if s.engine.Postgres {
					at = postgresPlace(t)
				}
				x := open(t, at, Options{})
				if _, err := x.Import(t.Context(), strings.NewReader(whole), ImportOptions{}); err != nil {
					t.Fatal(err)
				}
				if v := verify(t, x, heads...); !v.OK {
					t.Fatalf("before: %+v", v)
				}
				for _, statement := range c.with {
					if _, err := x.write.Exec(statement); err != nil {
						t.Fatal(err)
					}
				}
				if v := verify(t, x); v.OK != c.head {
					t.Errorf("without heads: %+v", v)
				}
				v := verify(t, x, heads...)
				found := false
				for _, f := range v.Faults {
					found = found || f.Code == c.want
				}
				if v.OK || !found {
					t.Errorf("%+v, want %s", v, c.want)
				}
			})
		}
	})
}

// TestDamagedTables: what the database finds wrong with itself is a fault beside those of
// records.
func TestDamagedTables(t *testing.T) {
	place := sqlitePlace(t)
	s := open(t, place, Options{Clock: clock()})
	if _, err := s.Append(t.Context(), "s", draft(t, "", "a: Be careful.")); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"PRAGMA writable_schema = ON",
		"UPDATE sqlite_master SET sql = replace(sql, 'label TEXT', 'label TEXT NOT NULL') WHERE name = 'record'",
	} {
		if _, err := s.write.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v := verify(t, open(t, place, Options{}))
	if v.OK || len(v.Faults) != 1 || v.Faults[0].Code != Damaged || !strings.Contains(v.Faults[0].Message, "record.label") {
		t.Errorf("%+v", v)
	}
}

func TestGC(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		heads := verify(t, s).Heads
		before := GCOptions{Before: time.Date(2026, 1, 2, 3, 4, 15, 0, time.UTC), DryRun: true}
		dry, err := s.GC(ctx, before)
		if err != nil || dry.Records != 9 || dry.Texts == 0 {
			t.Fatalf("%+v, %v", dry, err)
		}
		if list, _ := s.Records(ctx, RecordQuery{}); len(list) != 12 {
			t.Fatalf("a dry run let %d records go", 12-len(list))
		}
		before.DryRun = false
		done, err := s.GC(ctx, before)
		if err != nil || done.Records != dry.Records || done.Texts != dry.Texts {
			t.Fatalf("%+v, %v", done, err)
		}
		if v := verify(t, s, heads...); !v.OK || v.Records != 3 {
			t.Errorf("%+v", v)
		}
		for _, c := range []struct {
			text string
			want int
		}{{"turn 11", 1}, {"turn 2", 0}, {"careful with what", 3}} {
			if got, err := s.Search(ctx, SearchQuery{Text: c.text}); err != nil || len(got.Matches) != c.want {
				t.Errorf("%q: %+v, %v", c.text, got, err)
			}
		}
		if _, err := s.Record(ctx, "s0", 1); !errors.Is(err, UnknownRecord) {
			t.Error(err)
		}
		if b, err := s.Blob(ctx, digestOf("kept text").hex()); err != nil || string(b) != "kept text" {
			t.Errorf("%q, %v", b, err)
		}
		// Everything goes on, also what was let go coming back.
		some(t, s)
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
		if again, err := s.GC(ctx, GCOptions{}); err != nil || again.Records+again.Texts != 0 {
			t.Errorf("nothing was to go: %+v, %v", again, err)
		}
	})
}

func TestRedact(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		const secret = "hunter2-hunter2"
		for i := range 4 {
			if _, err := s.Append(ctx, "s", draft(t, "", "a: Be careful.", fmt.Sprintf("key: The password is %s for %d.\n", secret, i/2), "b: Stop.")); err != nil {
				t.Fatal(err)
			}
		}
		rec, err := s.Record(ctx, "s", 1)
		if err != nil {
			t.Fatal(err)
		}
		dry, err := s.Redact(ctx, RedactOptions{Fragment: "key", DryRun: true})
		if err != nil || dry.Records != 4 {
			t.Fatalf("%+v, %v", dry, err)
		}
		if text, _, err := s.Text(ctx, "s", 1); err != nil || !strings.Contains(text, secret) {
			t.Fatalf("a dry run took something out: %q, %v", text, err)
		}
		if _, err := s.Redact(ctx, RedactOptions{Fragment: "nokey"}); !errors.Is(err, UnknownRecord) {
			t.Error(err)
		}
		done, err := s.Redact(ctx, RedactOptions{Fragment: "key"})
		if err != nil || done.Records != 4 || len(done.Digests) != 2 {
			t.Fatalf("%+v, %v", done, err)
		}
		if v := verify(t, s); !v.OK || v.Records != 4 || v.Redacted == 0 {
			t.Errorf("%+v", v)
		}
		after, err := s.Record(ctx, "s", 1)
		if err != nil || after.Hash != rec.Hash || *after.Fragments[1].Digest != *rec.Fragments[1].Digest {
			t.Errorf("%+v, %v", after, err)
		}
		if _, _, err := s.Text(ctx, "s", 1); !errors.Is(err, Redacted) {
			t.Error(err)
		}
		if _, err := s.Input(ctx, "s", 1); !errors.Is(err, Redacted) {
			t.Error(err)
		}
		if got, err := s.Search(ctx, SearchQuery{Text: secret}); err != nil || len(got.Matches) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if strings.Contains(export(t, s), secret) {
			t.Error("the export has it")
		}
		if !s.engine.Postgres {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{place, place + "-wal"} {
				if b, err := os.ReadFile(name); err == nil && (bytes.Contains(b, []byte(secret)) || bytes.Contains(b, []byte("ahunter2"))) {
					t.Errorf("%s has it", name)
				}
			}
			s = open(t, place, Options{})
		}
		// The same text is recorded anew when it comes again.
		if _, err := s.Append(ctx, "s", draft(t, "", "a: Be careful.", "key: The password is "+secret+" for 0.\n", "b: Stop.")); err != nil {
			t.Fatal(err)
		}
		if text, _, err := s.Text(ctx, "s", 0); err != nil || !strings.Contains(text, secret) {
			t.Errorf("%q, %v", text, err)
		}
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
	})
}

// TestHistories: what any history of commits left is verified, exported and
// imported as the same, and every prompt is given back.
func TestHistories(t *testing.T) {
	if raceDetector {
		checks := flag.Lookup("rapid.checks").Value
		before := checks.String()
		if err := checks.Set("10"); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := checks.Set(before); err != nil {
				t.Error(err)
			}
		}()
	}
	rapid.Check(t, func(r *rapid.T) {
		s, err := OpenPlace(t.Context(), sqlitePlace(t), Options{Clock: clock()})
		if err != nil {
			r.Fatal(err)
		}
		defer s.Close()
		type made struct {
			session string
			seq     int64
			text    string
			ok      bool
		}
		var all []made
		pool := []string{"One.", "Two, two.\n", "Three\n\nthree.", strings.Repeat("Long texts are long. ", 40), "日本語のテキスト。", "# Heading\n", "e\u0301 \"quoted\" \\ \u2028"}
		for range rapid.IntRange(1, 12).Draw(r, "commits") {
			var fragments []string
			for i := range rapid.IntRange(1, 6).Draw(r, "fragments") {
				out := map[bool]string{true: "-"}[rapid.Bool().Draw(r, "out")]
				fragments = append(fragments, fmt.Sprintf("%sf%d: %s%s", out, i, rapid.SampledFrom(pool).Draw(r, "text"), rapid.SampledFrom([]string{"", "", " x", " y"}).Draw(r, "end")))
			}
			d := draft(t, "", fragments...)
			session := rapid.SampledFrom([]string{"a", "b"}).Draw(r, "session")
			stored, err := s.Append(t.Context(), session, d)
			if err != nil {
				r.Fatal(err)
			}
			text, ok := d.Prompt.System()
			all = append(all, made{session, stored[0].Seq, text, ok})
		}
		check := func(s *Store) {
			for _, m := range all {
				if text, ok, err := s.Text(t.Context(), m.session, m.seq); err != nil || text != m.text || ok != m.ok {
					r.Fatalf("%s %d: %q, %v, %v; want %q", m.session, m.seq, text, ok, err, m.text)
				}
			}
			if v := verify(t, s); !v.OK || v.Records != int64(len(all)) {
				r.Fatalf("%+v", v)
			}
		}
		check(s)
		first := export(t, s)
		other, err := OpenPlace(t.Context(), sqlitePlace(t), Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer other.Close()
		if _, err := other.Import(t.Context(), strings.NewReader(first), ImportOptions{}); err != nil {
			r.Fatal(err)
		}
		check(other)
		if again := export(t, other); again != first {
			r.Fatalf("the export of an import differs:\n%s\n%s", again, first)
		}
	})
}

// TestRedactWhileRead: what was taken out stays in the log of the database as
// long as somebody reads what was there before, and that is told.
func TestRedactWhileRead(t *testing.T) {
	place := sqlitePlace(t)
	s := open(t, place, Options{Wait: 100 * time.Millisecond})
	some(t, s)
	other := open(t, place, Options{ReadOnly: true})
	tx, err := other.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM record").Scan(&n); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b"}); !errors.Is(err, Locked) {
		t.Errorf("%v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b"}); err != nil {
		t.Errorf("nobody reads any more: %v", err)
	}
	if info, err := os.Stat(place + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("the log has %d bytes", info.Size())
	}
	if v := verify(t, s); !v.OK || v.Redacted == 0 {
		t.Errorf("%+v", v)
	}
}
