package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestRowsOfOneKey: rows are found by a few bytes of a digest, which many may have, and told
// apart by what they hold.
func TestRowsOfOneKey(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		texts := []string{"One.", "Two.", "Three."}
		record := func(s *Store, text string) {
			t.Helper()
			if _, err := s.Append(t.Context(), "s", draft(t, "", "a: "+text)); err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range texts {
			record(s, text)
		}
		for table, last := range map[string]string{"text": "SELECT max(text) FROM entry", "list": "SELECT max(list) FROM record", "input": "SELECT max(input) FROM record"} {
			if _, err := s.write.Exec("UPDATE " + table + " SET key = (SELECT key FROM " + table + " WHERE id = (" + last + "))"); err != nil {
				t.Fatal(err)
			}
		}
		again := open(t, place, Options{Clock: clock()})
		for _, text := range texts {
			record(again, text)
		}
		for i := range 2 * len(texts) {
			if got, _, err := again.Text(t.Context(), "s", int64(i+1)); err != nil || got != texts[i%len(texts)] {
				t.Errorf("record %d: %q, %v", i+1, got, err)
			}
		}
		if v := verify(t, again); !v.OK {
			t.Errorf("%+v", v)
		}
	})
}

// TestUnreadableRows: a row that can't be read is told as one, by its number, to whoever needs
// it: a text isn't empty then, and a prompt isn't recorded beside what it was recorded as.
func TestUnreadableRows(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		whole := open(t, place, Options{Clock: clock()})
		for _, text := range []string{"One.", "Two.", "One."} { // what the second is made of is a base of nothing
			if _, err := whole.Append(t.Context(), "s", draft(t, "", "a: "+text)); err != nil {
				t.Fatal(err)
			}
		}
		exported := export(t, whole)
		for _, table := range []string{"text", "list", "input"} {
			to := sqlitePlace(t)
			if whole.engine.Postgres {
				to = postgresPlace(t)
			}
			s := open(t, to, Options{})
			if _, err := s.Import(t.Context(), strings.NewReader(exported), ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			var id int64
			row := map[string]string{"list": "SELECT list FROM record WHERE seq = 2", "input": "SELECT input FROM record WHERE seq = 2", "text": "SELECT max(text) FROM entry"}[table]
			if err := s.write.QueryRow(row).Scan(&id); err != nil {
				t.Fatal(err)
			}
			if _, err := s.write.Exec(s.engine.statement("UPDATE "+table+" SET base = NULL, data = ? WHERE id = ?"), []byte{packedFlate, 7}, id); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("%s %d can't be unpacked", table, id)
			told := func(what string, err error) {
				t.Helper()
				if !errors.Is(err, Corrupt) || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s: %v, want %s", what, err, want)
				}
			}
			x := open(t, to, Options{})
			_, _, err := x.Text(t.Context(), "s", 2)
			if table == "input" {
				_, err = x.Input(t.Context(), "s", 2)
			}
			told("reading it", err)
			if table != "text" { // that is known by its digest alone
				_, err = x.Append(t.Context(), "s", draft(t, "", "a: Two."))
				told("recording it again", err)
			}
			if v := verify(t, x); len(v.Faults) == 0 || v.Faults[0].Seq != 2 || v.Faults[0].Code != Unreadable || !strings.HasPrefix(v.Faults[0].Message, want) {
				t.Errorf("%s: %+v", table, v)
			}
		}
	})
}

// TestRecordsRestOnTheirOwn: who has seen nothing yet stores the next record of a session by
// what differs from the one before in it, whatever was recorded last in others, and the first
// one of a session by what differs from the last one of all.
func TestRecordsRestOnTheirOwn(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		long := func(what string, n int) string {
			var b strings.Builder
			for i := range 200 {
				fmt.Fprintf(&b, "%s %d. ", what, i*i*31)
			}
			return fmt.Sprint(b.String(), n)
		}
		for n, x := range []struct{ session, text string }{{"s", "Careful"}, {"other", "Quick"}, {"s", "Careful"}, {"new", "Careful"}, {"other", "Quick"}} {
			s := open(t, place, Options{Clock: clock()})
			if _, err := s.Append(t.Context(), x.session, draft(t, "", "a: "+long(x.text, n))); err != nil {
				t.Fatal(err)
			}
			var bytes int
			if err := s.read.QueryRow("SELECT length(data) FROM text WHERE id = (SELECT entry.text FROM entry ORDER BY entry.id DESC LIMIT 1)").Scan(&bytes); err != nil {
				t.Fatal(err)
			}
			if by := bytes < 100; by != (n >= 2) {
				t.Errorf("record %d, of session %s, takes %d bytes", n, x.session, bytes)
			}
		}
	})
}

// TestTextsRestOnTheirLike: a text of the input that differs from the text of its fragment by
// the blanks around it alone is stored by that, of the first record and the first fragment too.
func TestTextsRestOnTheirLike(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	var body strings.Builder
	for i := range 200 {
		fmt.Fprintf(&body, "Careful %d. ", i*i*31)
	}
	if _, err := s.Append(t.Context(), "s", draft(t, "", "a: \n\n"+body.String()+"\n\n\n")); err != nil {
		t.Fatal(err)
	}
	var resting, bytes int
	const like = "SELECT count(*), coalesce(max(length(data)), 0) FROM text WHERE base = (SELECT entry.text FROM entry)"
	if err := s.read.QueryRow(like).Scan(&resting, &bytes); err != nil || resting != 1 || bytes > 40 {
		t.Errorf("%d texts rest on that of the fragment, of %d bytes, %v", resting, bytes, err)
	}
	if in, err := s.Input(t.Context(), "s", 1); err != nil || in.Fragments[0].Body != "\n\n"+body.String()+"\n\n\n" {
		t.Errorf("%+v, %v", in, err)
	}
}

// TestWritersForgetWhatIsGone: once something was taken out of the store, by whomever, a
// writer gives no number from memory that it gave before.
func TestWritersForgetWhatIsGone(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, other := open(t, place, Options{Clock: clock()}), open(t, place, Options{Clock: clock()})
		same := draft(t, "", "a: Be careful with what you do, and with what you leave.", "-b: Out.")
		for range 2 {
			if _, err := s.Append(t.Context(), "gone", same); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := other.Delete(t.Context(), "gone", DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Append(t.Context(), "next", draft(t, "", "z: Another one takes the numbers.")); err != nil {
			t.Fatal(err)
		}
		for _, session := range []string{"again", "next"} {
			if _, err := s.Append(t.Context(), session, same); err != nil {
				t.Fatal(err)
			}
			text, _, err := other.Text(t.Context(), session, 0)
			if want, _ := same.Prompt.System(); err != nil || text != want {
				t.Errorf("%s: %q, %v; want %q", session, text, err, want)
			}
			if in, err := other.Input(t.Context(), session, 0); err != nil || len(in.Fragments) != 2 {
				t.Errorf("%s: %+v, %v", session, in, err)
			}
		}
		if v := verify(t, other); !v.OK || v.Records != 3 {
			t.Errorf("%+v", v)
		}
	})
}
