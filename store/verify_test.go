package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
)

func verify(t testing.TB, s *Store, heads ...Stored) *Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), VerifyOptions{Heads: heads})
	if err != nil {
		t.Fatal(err)
	}
	return v
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

// setTail puts another joint behind the last fragment of a list.
func setTail(t testing.TB, s *Store, id, joint int64) {
	t.Helper()
	err := s.view(t.Context(), func(r *reader) error {
		b, err := r.content(t.Context(), "list", id)
		if err != nil {
			return err
		}
		l, err := decodeList(b)
		if err != nil {
			return err
		}
		l.tail = joint
		data, _ := pack(l.encode(), nil, -1, 0)
		_, err = s.write.Exec(s.engine.statement("UPDATE list SET base = NULL, data = ? WHERE id = ?"), data, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestVerifyFindsTheTail: what stands behind the last fragment is in no digest but that of the
// prompt, by which it is found; and a joint that there can't be is told as a fault too.
func TestVerifyFindsTheTail(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		if _, err := s.Append(t.Context(), "s", draft(t, "", "a: Be brief.", "b: Be kind.")); err != nil {
			t.Fatal(err)
		}
		if v := verify(t, s); !v.OK {
			t.Fatalf("before: %+v", v)
		}
		for _, c := range []struct {
			joint int64
			want  FaultCode
		}{{2, PromptChanged}, {-1, Unreadable}} {
			setTail(t, s, 1, c.joint)
			v := verify(t, open(t, place, Options{}))
			if v.OK || len(v.Faults) != 1 || v.Faults[0].Code != c.want || v.Faults[0].Session != "s" || v.Faults[0].Seq != 1 {
				t.Errorf("joint %d: %+v", c.joint, v)
			}
		}
	})
}

// TestVerifyTells: what is wrong is told of the record that it is wrong with, and counted
// right; so much of each session, whatever there is of the others; and of the heads that
// were noted those of the session that was asked for.
func TestVerifyTells(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		for _, id := range []string{"a", "b", "c"} {
			var drafts []Draft
			for i := range maxFaults + 10 {
				drafts = append(drafts, draft(t, "", fmt.Sprint("x: ", id, i)))
			}
			if _, err := s.Append(t.Context(), id, drafts...); err != nil {
				t.Fatal(err)
			}
		}
		heads := verify(t, s).Heads
		for _, statement := range []string{
			"DELETE FROM record WHERE session = 1 AND seq IN (2, 3)", "UPDATE record SET prompt = hash WHERE session = 2", "UPDATE record SET hash = prompt WHERE session = 3 AND seq = 30",
		} {
			if _, err := s.write.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		v := verify(t, s, heads...)
		var told []string
		of := map[string]int{}
		for _, f := range v.Faults {
			if of[f.Session]++; f.Session != "b" {
				told = append(told, fmt.Sprint(f.Session, f.Seq, " ", f.Code))
			}
		}
		want := []string{"a2 record.missing", "a4 record.changed", "c30 record.changed", "c30 tail.cut", "c30 record.changed"}
		if !slices.Equal(told, want) || v.Faults[0].Message != "2 records are missing before record 4" {
			t.Errorf("%q, want %q; %+v", told, want, v.Faults[0])
		}
		if of["b"] != maxFaults || v.Sessions != 3 || v.Records != 3*(maxFaults+10)-2 {
			t.Errorf("%d of b, %d sessions, %d records", of["b"], v.Sessions, v.Records)
		}
		heads[0].Hash, heads[1].Seq = zeroHash, 99
		for id, want := range map[string]FaultCode{"a": RecordChanged, "b": TailCut} {
			v, err := s.Verify(t.Context(), VerifyOptions{Session: id, Heads: heads})
			if err != nil || v.Sessions != 1 || v.Faults[len(v.Faults)-1].Code != want {
				t.Errorf("%s: %+v, %v; want %s", id, v, err, want)
			}
			for _, f := range v.Faults {
				if f.Session != id {
					t.Errorf("asked of %s, told %+v", id, f)
				}
			}
		}
	})
}

// TestMissingEntryIsNamed: what isn't there is told with the list that names it, each by
// its own number.
func TestMissingEntryIsNamed(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		var list, entry int64
		if err := s.write.QueryRow("SELECT list, (SELECT max(id) FROM entry) FROM record ORDER BY id DESC LIMIT 1").Scan(&list, &entry); err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.Exec("DELETE FROM entry WHERE id = (SELECT max(id) FROM entry)"); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("list %d names entry %d, which isn't there", list, entry)
		if _, err := s.Record(t.Context(), "s2", 0); list == entry || !errors.Is(err, Corrupt) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
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
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// The index keeps what it had while the rows were others.
	for _, statement := range []string{
		"UPDATE record SET list = list + 1",
		`PRAGMA writable_schema = ON; CREATE TABLE row AS SELECT * FROM sqlite_master WHERE name = 'record_list'; DELETE FROM sqlite_master WHERE name = 'record_list'`,
		"UPDATE record SET list = list - 1",
		`PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM row; DELETE FROM sqlite_master WHERE name = 'row'`,
	} {
		db, err := sql.Open("sqlite", place)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		_, err = db.Exec(statement)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	v := verify(t, open(t, place, Options{}))
	if v.OK || len(v.Faults) == 0 || v.Faults[0].Code != Damaged || !strings.Contains(fmt.Sprint(v.Faults), "record_list") {
		t.Errorf("%+v", v)
	}
}

// TestMissingTables: an export or a check that can't read all there is ends with an error, and
// doesn't pass for a whole one.
func TestMissingTables(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		whole := export(t, s)
		for _, table := range []string{"record", "session", "request", "text", "entry", "list", "input", "kept"} {
			if _, err := s.write.Exec("ALTER TABLE " + table + " RENAME TO elsewhere"); err != nil {
				t.Fatal(err)
			}
			var told strings.Builder
			if err := s.Export(t.Context(), &told, ExportOptions{}); !errors.Is(err, Failed) {
				t.Errorf("an export without %s: %v", table, err)
			}
			if v, err := s.Verify(t.Context(), VerifyOptions{}); table != "request" && table != "kept" && err == nil && v.OK {
				t.Errorf("a check without %s: %+v", table, v)
			}
			if _, err := s.write.Exec("ALTER TABLE elsewhere RENAME TO " + table); err != nil {
				t.Fatal(err)
			}
		}
		if export(t, s) != whole {
			t.Error("what is exported with all of them differs")
		}
	})
}

// TestNegativeNumber: nothing was let go that has a number below 1.
func TestNegativeNumber(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	some(t, s)
	for range 2 {
		_, err := s.Record(t.Context(), "s1", -1)
		if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != UnknownRecord || e.Hint != "records are counted from 1, and 0 is the last one" {
			t.Errorf("%v", err)
		}
		// The same where records were let go.
		if _, err := s.GC(t.Context(), GCOptions{Before: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
	}
}
