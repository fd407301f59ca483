package store

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

func export(t testing.TB, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
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
			if err != nil || got.Records != 0 || got.Known < 8 || export(t, other) != first {
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

// TestExportOfOne: an export of one session has all of that one and nothing of another, whatever
// they share; one of another project is as unknown as one that isn't there.
func TestExportOfOne(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		ids := []string{"a.one", "a.two", "b.one"}
		for i := range 9 { // each has records between those of the others
			id := ids[i%3]
			if _, err := s.Commit(t.Context(), Transition{Key: fmt.Sprint("key ", i, " of ", id), Answer: []byte("{}"), Changes: []Change{{
				Session: id, Projects: Projects{Name: id[:1]}, Expect: AnyVersion, State: []byte(`{"state":"of ` + id + `"}`), Blobs: [][]byte{[]byte("Shared and kept."), []byte("kept of " + id)},
				Drafts: []Draft{draft(t, "", "a: Shared.", fmt.Sprint("b: Turn ", i, " of ", id))},
			}}}); err != nil {
				t.Fatal(err)
			}
		}
		of := func(o ExportOptions) (string, error) {
			var b bytes.Buffer
			err := s.Export(t.Context(), &b, o)
			return b.String(), err
		}
		for _, id := range ids {
			for _, projects := range [][]string{nil, {id[:1]}, {"c", id[:1]}} {
				var last []int64
				told, err := of(ExportOptions{Session: id, Projects: projects, Progress: func(done, all int64) { last = []int64{done, all} }})
				if err != nil || !slices.Equal(last, []int64{3, 3}) {
					t.Fatalf("%s of %q: %v; %d records were told", id, projects, err, last)
				}
				for _, other := range ids {
					if n := strings.Count(told, other); (n > 0) != (other == id) {
						t.Errorf("%s of %q: %s stands in it %d times", id, projects, other, n)
					}
				}
				if projects != nil {
					continue
				}
				to := open(t, sqlitePlace(t), Options{Clock: clock()})
				if got, err := to.Import(t.Context(), strings.NewReader(told), ImportOptions{}); err != nil || got.Sessions != 1 || got.Records != 3 {
					t.Errorf("%s: %+v, %v", id, got, err)
				}
				if export(t, to) != told {
					t.Errorf("%s: the export of an import is\n%s\nof\n%s", id, export(t, to), told)
				}
				if x, err := to.Session(t.Context(), id, Projects{Name: id[:1]}); err != nil || x.Head.Seq != 3 || !verify(t, to).OK {
					t.Errorf("%s: %+v, %v", id, x, err)
				}
			}
		}
		for _, o := range []ExportOptions{{Session: "none"}, {Session: "b.one", Projects: []string{"a"}}, {Session: "b.one", Projects: []string{}}, {Session: "b.on", Projects: []string{"b"}}} {
			told, err := of(o)
			if !errors.Is(err, UnknownSession) || strings.Contains(told, "session") {
				t.Errorf("%+v: %v, and it tells %s", o, err, told)
			}
			e, ok := errors.AsType[*cento.SourceError](err)
			if want := unknownSession(o.Session, nil); o.Projects != nil && (!ok || e.Message != want.Message || e.Hint != "") {
				t.Errorf("%+v: %+v, want %+v", o, e, want)
			}
		}
	})
}

// TestImportOfMore: a later export of a session that went on brings all that its state
// leads to, also to a store that had an earlier one.
func TestImportOfMore(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		from, to := open(t, place, Options{Clock: clock()}), open(t, sqlitePlace(t), Options{})
		var all []string
		for i := range 3 {
			kept := fmt.Sprintf("kept in turn %d", i)
			all = append(all, kept)
			if _, err := from.Commit(t.Context(), Transition{Changes: []Change{{
				Session: "s", Expect: AnyVersion, State: fmt.Appendf(nil, `{"turn":%d}`, i), Blobs: [][]byte{[]byte(kept)}, Drafts: []Draft{draft(t, "", fmt.Sprint("a: Turn ", i))},
			}}}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := to.Import(t.Context(), strings.NewReader(export(t, from)), ImportOptions{}); err != nil {
					t.Fatal(err)
				}
				if x, err := to.Session(t.Context(), "s", Projects{}); err != nil || string(x.State) != fmt.Sprintf(`{"turn":%d}`, i) {
					t.Errorf("after turn %d: %s, %v", i, x.State, err)
				}
				for _, text := range all {
					if b, err := to.Blob(t.Context(), digestOf(text).hex()); err != nil || string(b) != text {
						t.Errorf("after turn %d: %q, %v", i, b, err)
					}
				}
				if export(t, to) != export(t, from) {
					t.Errorf("after turn %d:\n%s\nis the export of an import of\n%s", i, export(t, to), export(t, from))
				}
			}
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
	edited := func(l []string, line, old, now string) []string {
		i := at(line)
		was := l[i]
		if l[i] = strings.Replace(was, old, now, 1); l[i] == was {
			t.Fatalf("%s isn't in %s", old, was)
		}
		return l
	}
	record, text := at(`{"record"`), at(`{"text":{"text":"turn 3`)
	for name, edit := range map[string]func([]string) []string{
		"empty":          func([]string) []string { return nil },
		"no export":      func([]string) []string { return []string{"hello\n"} },
		"newer":          func(l []string) []string { l[0] = `{"format":"cento-log","version":2}` + "\n"; return l },
		"changed record": func(l []string) []string { l[record] = strings.Replace(l[record], "included", "excluded", 1); return l },
		"changed text":   func(l []string) []string { l[text] = strings.Replace(l[text], "turn", "torn", 1); return l },
		"changed input":  func(l []string) []string { return edited(l, `{"input"`, `\"source\":\"test`, `\"source\":\"text`) },
		"another joint":  func(l []string) []string { return edited(l, `{"record"`, `"joints":["","\n\n`, `"joints":["","\n`) },
		"changed joint":  func(l []string) []string { return edited(l, `{"record"`, `"joints":["","\n\n`, `"joints":["","ab`) },
		"longer joint":   func(l []string) []string { return edited(l, `{"record"`, `"joints":["`, `"joints":["\n`) },
		"label of lines": func(l []string) []string { return edited(l, `{"record"`, `"label":"turn`, `"label":"tu\nrn`) },
		"another hash":   func(l []string) []string { return edited(l, `{"record"`, `"stored":{"hash":"`, `"stored":{"hash":"0`) },
		"spaced record":  func(l []string) []string { return edited(l, `{"record"`, `{"record":{`, `{"record":{ `) },
		"another base":   func(l []string) []string { return edited(l, `{"session"`, `"hash":"0`, `"hash":"1`) },
		"session twice":  func(l []string) []string { i := at(`{"session"`); return slices.Insert(l, i, l[i]) },
		"key of nobody":  func(l []string) []string { return edited(l, `{"request"`, `"session":"s0"`, `"session":"nobody"`) },
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

// TestImportOfWhatNobodyStores: what no transition could have stored is refused at its line,
// since it could break what comes after; what one could have stored is taken, up to the last
// byte.
func TestImportOfWhatNobodyStores(t *testing.T) {
	name, large := strings.Repeat("n", maxName), strings.Repeat("s", maxState)
	from := open(t, sqlitePlace(t), Options{Clock: clock()})
	if _, err := from.Commit(t.Context(), Transition{
		Key: name, RequestDigest: name, Answer: []byte(large), Changes: []Change{{Session: name, Parent: name, State: []byte(large), Blobs: [][]byte{[]byte(large)}}},
	}); err != nil {
		t.Fatal(err)
	}
	to := open(t, sqlitePlace(t), Options{})
	if _, err := to.Import(t.Context(), strings.NewReader(export(t, from)), ImportOptions{}); err != nil {
		t.Errorf("at the bounds: %v", err)
	}
	if x, err := to.Session(t.Context(), name, Projects{}); err != nil || x.Parent != name || len(x.State) != maxState {
		t.Errorf("at the bounds: %v", err)
	}

	from, to = open(t, sqlitePlace(t), Options{Clock: clock()}), open(t, sqlitePlace(t), Options{})
	if _, err := from.Commit(t.Context(), Transition{Key: "k", RequestDigest: "d", Answer: []byte("{}"), Changes: []Change{{Session: "s", Parent: "p", State: []byte("{}"), Blobs: [][]byte{[]byte("kept")}}}}); err != nil {
		t.Fatal(err)
	}
	whole := export(t, from) // the format, the kept text, the session, its key
	text := `{"text":{"text":"kept"}}`
	for _, x := range []struct {
		old, now string
		line     int
	}{
		{`"version":1,`, `"version":0,`, 3}, {`"version":1,`, `"version":-1,`, 3},
		{`"id":"s"`, `"id":"` + name + `n"`, 3}, {`"id":"s"`, `"id":" "`, 3}, {`"id":"s"`, `"id":"\n"`, 3},
		{`"parent":"p"`, `"parent":"` + name + `n"`, 3}, {`"parent":"p"`, `"parent":"\u0000"`, 3},
		{`"state":"{}"`, `"state":"` + large + `s"`, 3},
		{text, `{"text":{"text":"` + large + `s"}}`, 3}, // which the session keeps
		{`"seq":0,`, `"seq":-1,`, 3}, {`"seq":0,`, `"seq":1,`, 3}, {`"hash":"0`, `"hash":"1`, 3},
		{`"key":"k"`, `"key":""`, 4}, {`"key":"k"`, `"key":"` + name + `n"`, 4}, {`"key":"k"`, `"key":"\u0000"`, 4},
		{`"digest":"d"`, `"digest":"` + strings.Repeat("n", MaxRequestDigest+1) + `"`, 4}, {`"answer":"{}"`, `"answer":"` + large + `s"`, 4},
	} {
		forged := strings.Replace(whole, x.old, x.now, 1)
		if x.old == text {
			forged = strings.ReplaceAll(forged, digestOf("kept").hex(), digestOf(large+"s").hex())
		}
		if forged == whole {
			t.Fatalf("%s isn't in\n%s", x.old, whole)
		}
		_, err := to.Import(t.Context(), strings.NewReader(forged), ImportOptions{Name: "x.jsonl"})
		if want := fmt.Sprintf("x.jsonl:%d: ", x.line); !errors.Is(err, Invalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", x.now, err, want)
		}
		if n, err := to.Count(t.Context()); err != nil || n != 0 {
			t.Errorf("%.60s: %d sessions are stored, %v", x.now, n, err)
		}
	}
}

// TestImportOfCapitals: a digest in capitals stands for the same bytes, but no chain of what
// is stored is made of it, so an export that has one is refused, whatever hash it claims.
func TestImportOfCapitals(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	done, err := s.Append(t.Context(), "s", draft(t, "", "a: The key is under the mat.", "b: Stay."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "a"}); err != nil {
		t.Fatal(err)
	}
	whole := export(t, s)
	record, err := s.Record(t.Context(), "s", 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		sum    string
		change func(capitals string)
	}{
		"text":   {*record.Fragments[0].Digest, func(x string) { record.Fragments[0].Digest = &x }},
		"prompt": {*record.PromptDigest, func(x string) { record.PromptDigest = &x }},
		"input":  {record.InputDigest, func(x string) { record.InputDigest = x }},
		"base":   {record.Prev, func(x string) { record.Prev = x }},
	} {
		capitals := strings.ToUpper(c.sum)
		if name == "base" { // which is of zeros
			capitals = strings.Repeat("AB", 32)
		}
		c.change(capitals)
		forged := strings.ReplaceAll(strings.ReplaceAll(whole, c.sum, capitals), done[0].Hash, record.computeHash())
		c.change(c.sum)
		to := open(t, sqlitePlace(t), Options{})
		if _, err := to.Import(t.Context(), strings.NewReader(forged), ImportOptions{Name: "x.jsonl"}); err == nil || !strings.HasPrefix(err.Error(), "x.jsonl:") {
			t.Errorf("%s: %v; what it has now: %+v", name, err, verify(t, to))
		}
	}
}

// TestImportOfAnotherOrder: the fragments of a prompt needn't stand in the order that they
// were declared in.
func TestImportOfAnotherOrder(t *testing.T) {
	s, to := open(t, sqlitePlace(t), Options{Clock: clock()}), open(t, sqlitePlace(t), Options{})
	d := drafted(t, "", cento.Input{Fragments: []cento.Fragment{{ID: "last", Body: "Stop.", Bucket: cento.After}, {ID: "first", Body: "Begin here."}}})
	if _, err := s.Append(t.Context(), "s", d); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Import(t.Context(), strings.NewReader(export(t, s)), ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Store{s, to} {
		if text, _, err := x.Text(t.Context(), "s", 1); err != nil || text != "Begin here.\n\nStop." {
			t.Errorf("%q, %v", text, err)
		}
		if r, err := x.Record(t.Context(), "s", 1); err != nil || r.Fragments[0].ID != "last" || r.Fragments[0].Span[0] != 13 {
			t.Errorf("%+v, %v", r, err)
		}
	}
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

// A text that was taken out and then came again is two in a store: the digest of the
// one, and the other. An import keeps them apart, in whatever order they come.
func TestImportOfWhatCameAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		record := func(text string, kept ...[]byte) {
			t.Helper()
			if _, err := s.Commit(t.Context(), Transition{Changes: []Change{{Session: "s", Expect: AnyVersion, Drafts: []Draft{draft(t, "turn", text)}, Blobs: kept}}}); err != nil {
				t.Fatal(err)
			}
		}
		record("a: Once more.")
		if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "a"}); err != nil {
			t.Fatal(err)
		}
		record("b: Between.")
		// The state of the session leads to it too, and states are exported first.
		record("a: Once more.", []byte("Once more."))
		texts := func(s *Store) string {
			t.Helper()
			var out strings.Builder
			for seq := int64(1); seq <= 3; seq++ {
				text, ok, err := s.Text(t.Context(), "s", seq)
				fmt.Fprintf(&out, "%d %q %v %v\n", seq, text, ok, err)
			}
			return out.String()
		}
		want, first := texts(s), export(t, s)
		for _, target := range []string{sqlitePlace(t), postgresPlace(t)} {
			other := open(t, target, Options{})
			if _, err := other.Import(t.Context(), strings.NewReader(first), ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := texts(other); got != want {
				t.Errorf("the import reads\n%s\nand what was exported\n%s", got, want)
			}
			if again := export(t, other); again != first {
				t.Errorf("the export of an import differs:\n%s\n%s", again, first)
			}
		}
	})
}

// TestImportKeepsTextsOnce: what is kept beside the state of a session is stored once, where
// sessions share it and where the store has it already, and is kept by each of them.
func TestImportKeepsTextsOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		const kept, other = "A text that is kept beside a state.", "Another one, of a session without records."
		change := func(session string) Transition {
			return Transition{Changes: []Change{{Session: session, Expect: AnyVersion, State: []byte("{}"), Blobs: [][]byte{[]byte(kept)}, Drafts: []Draft{draft(t, "", "a: "+session)}}}}
		}
		from := open(t, sqlitePlace(t), Options{Clock: clock()})
		bare := change("bare")
		bare.Changes[0].Drafts, bare.Changes[0].Blobs = nil, [][]byte{[]byte(other)}
		for _, x := range []Transition{change("s1"), change("s2"), bare} {
			if _, err := from.Commit(t.Context(), x); err != nil {
				t.Fatal(err)
			}
		}
		to := open(t, place, Options{Clock: clock()})
		here := change("here")
		here.Changes[0].Blobs = append(here.Changes[0].Blobs, []byte(other))
		if _, err := to.Commit(t.Context(), here); err != nil {
			t.Fatal(err)
		}
		for _, more := range []string{"", "s2", "s3"} { // new ones, one that went on, and one more
			if more != "" {
				if _, err := from.Commit(t.Context(), change(more)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := to.Import(t.Context(), strings.NewReader(export(t, from)), ImportOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		var texts, sessions int
		query := to.engine.statement("SELECT count(DISTINCT text.id), count(DISTINCT kept.session) FROM text JOIN kept ON kept.text = text.id")
		if err := to.read.QueryRow(query).Scan(&texts, &sessions); err != nil || texts != 2 || sessions != 5 {
			t.Errorf("%d texts are kept, by %d sessions, %v", texts, sessions, err)
		}
		for _, text := range []string{kept, other} {
			if err := to.read.QueryRow(to.engine.statement("SELECT count(*) FROM text WHERE key = ?"), digestOf(text).key()).Scan(&texts); err != nil || texts != 1 {
				t.Errorf("%q is stored %d times, %v", text, texts, err)
			}
		}
	})
}

// TestImportCutShort: an import that can't go on has stored what it had read by then, by
// transactions of a bounded number of records, and the same import later adds the rest.
func TestImportCutShort(t *testing.T) {
	from := open(t, sqlitePlace(t), Options{Clock: clock()})
	const records = 2*importBatch + 50
	var drafts []Draft
	for i := range records {
		drafts = append(drafts, draft(t, "", fmt.Sprint("a: Turn ", i)))
	}
	if _, err := from.Append(t.Context(), "s", drafts...); err != nil {
		t.Fatal(err)
	}
	whole := export(t, from)
	to := open(t, sqlitePlace(t), Options{})
	if _, err := to.Import(t.Context(), strings.NewReader(whole+"{\n"), ImportOptions{}); !errors.Is(err, Invalid) {
		t.Fatalf("%v", err)
	}
	if x, err := to.Session(t.Context(), "s", Projects{}); err != nil || x.Head.Seq != 2*importBatch {
		t.Errorf("%+v, %v", x, err)
	}
	got, err := to.Import(t.Context(), strings.NewReader(whole), ImportOptions{})
	if err != nil || got.Known != 2*importBatch || got.Records != records-2*importBatch {
		t.Errorf("%+v, %v", got, err)
	}
	if export(t, to) != whole {
		t.Error("in the end it isn't what was exported")
	}
}
