package store

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

// Of many sessions that began with the same prompt, each at its own time, the record of
// one that was idle for long asks the database for no more than that of the one before;
// and what one was made of is read without going through what the others were made of.
func TestIdleSessionsAreCheap(t *testing.T) {
	var q questions
	place := sqlitePlace(t)
	s := open(t, place, Options{Clock: clock(), wrap: func(c driver.Connector) driver.Connector { return askedConnector{c, &q} }})
	in := cento.Input{Files: cento.Files{Cwd: "/w"}}
	for i := range 20 {
		in.Fragments = append(in.Fragments, cento.NewFragment(fmt.Sprint("f", i), "test", cento.Before, fmt.Sprintf("Say %d. %s", i, strings.Repeat("Be careful. ", i))))
	}
	ready := drafted(t, "", in)
	ready.Input.Files.Now = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	ready, err := ready.Ready()
	if err != nil {
		t.Fatal(err)
	}
	now := func(i int) time.Time { return ready.Input.Files.Now.Add(time.Duration(i) * time.Minute) }
	record := func(i int) {
		t.Helper()
		d, err := ready.At(now(i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), fmt.Sprint("s", i), d); err != nil {
			t.Fatal(err)
		}
	}
	const sessions = 2 * 512 // twice what the writer remembers of them
	for i := range sessions {
		if record(i); i%3 == 0 {
			record(i) // and a turn
		}
	}
	asked := func(i int) int {
		before := q.n
		record(i)
		return q.n - before
	}
	recent, idle := asked(sessions-1), asked(1)
	if idle > recent || recent == 0 {
		t.Errorf("a record of an idle session asks %d questions, and of one that goes on %d", idle, recent)
	}
	for _, i := range []int{0, 1, sessions / 2, sessions - 1} {
		before := q.n
		got, err := s.Input(t.Context(), fmt.Sprint("s", i), 0)
		if err != nil || !got.Files.Now.Equal(now(i)) {
			t.Fatalf("session %d was made with the clock %s, want %s, %v", i, got.Files.Now, now(i), err)
		}
		if i == 0 {
			recent = q.n - before
		} else if n := q.n - before; n > recent+1 {
			t.Errorf("the input of session %d takes %d questions, and that of the first %d", i, n, recent)
		}
	}
	if v, err := s.Verify(t.Context(), VerifyOptions{}); err != nil || len(v.Faults) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
