package store

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento"
)

// TestSharedTransaction: what comes at the same time shares a transaction and nothing
// else: each gets what it would have got alone, in the order in which they came.
func TestSharedTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		do := func(session string, expect int64) Transition {
			return Transition{Changes: []Change{{Session: session, Expect: expect, State: []byte(`{}`), Drafts: []Draft{draft(t, "", "a: "+session)}}}}
		}
		keyed := func(key, request string, x Transition) Transition {
			x.Key, x.RequestDigest, x.Answer = key, request, []byte("answer to "+x.Changes[0].Session)
			return x
		}
		child := func(version int64) Transition {
			return Transition{Changes: []Change{{Session: "child", Parent: "a", ParentVersion: version, State: []byte(`{}`)}}}
		}
		if _, err := s.Commit(t.Context(), keyed("broken", "", do("there", 0))); err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.Exec("UPDATE request SET result = 'broken'"); err != nil {
			t.Fatal(err)
		}
		w := &writer{store: s}
		w.forget()
		defer w.drop()
		var batch []*operation
		cases := []struct {
			t        Transition
			version  int64
			replayed bool
			err      error
		}{
			{keyed("k", "r", do("a", 0)), 1, false, nil},
			{keyed("k", "r", do("b", 0)), 1, false, nil}, // another session's key
			{keyed("k", "r", do("a", 0)), 1, true, nil},
			{keyed("l", "r", do("a", AnyVersion)), 2, false, nil},
			{keyed("l", "r", do("b", AnyVersion)), 2, false, nil},
			{keyed("k", "other", do("a", AnyVersion)), 0, false, KeyReused},
			{do("a", 7), 0, false, Conflict},
			{do("none", 1), 0, false, UnknownSession},
			{do("a", 2), 3, false, nil},
			{do("a", 2), 0, false, Conflict},
			{child(2), 0, false, Conflict},
			{child(3), 1, false, nil},
			{do("child", 0), 0, false, SessionExists},
		}
		for _, c := range cases {
			o, err := newOperation(c.t)
			if err != nil {
				t.Fatal(err)
			}
			batch = w.take(batch, o)
		}
		given, err := newOperation(do("given-up", 0))
		if err != nil {
			t.Fatal(err)
		}
		given.taken.Store(true) // by its caller, whose time was over
		if batch = w.take(batch, given); len(batch) != len(cases) {
			t.Errorf("what its caller gave up is written: %d of %d", len(batch), len(cases))
		}
		w.run(batch)
		for i, c := range cases {
			o := batch[i]
			if c.err != nil {
				if !errors.Is(o.err, c.err) || o.result != nil {
					t.Errorf("%d: %+v, %v; want %v", i, o.result, o.err, c.err)
				}
				continue
			}
			if o.err != nil || o.result.Versions[0] != c.version || o.result.Replayed != c.replayed || string(o.result.Answer) != string(c.t.Answer) {
				t.Errorf("%d: %+v, %v; want version %d, replayed %t", i, o.result, o.err, c.version, c.replayed)
			}
		}
		// One that breaks the transaction gets none of the others into trouble.
		batch = nil
		for _, x := range []Transition{do("a", 3), keyed("broken", "", do("there", AnyVersion)), do("b", 2)} {
			o, err := newOperation(x)
			if err != nil {
				t.Fatal(err)
			}
			batch = w.take(batch, o)
		}
		if w.run(batch); batch[0].err != nil || !errors.Is(batch[1].err, Corrupt) || batch[2].err != nil {
			t.Errorf("%v, %v, %v", batch[0].err, batch[1].err, batch[2].err)
		}
		list, err := s.Sessions(t.Context(), SessionQuery{})
		if err != nil || len(list) != 4 {
			t.Errorf("%+v, %v", list, err)
		}
		if v := verify(t, s); !v.OK || v.Records != 8 {
			t.Errorf("%+v", v)
		}
	})
}

// TestConflictTellsVersions: who comes too late is told which version there is, and which
// one it had seen.
func TestConflictTellsVersions(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{})
	for range 3 {
		if _, err := s.Commit(t.Context(), Transition{Changes: []Change{{Session: "s", Expect: AnyVersion, State: []byte(`{}`)}}}); err != nil {
			t.Fatal(err)
		}
	}
	late := Transition{Changes: []Change{{Session: "s", Expect: 1}}}
	_, err := s.Commit(t.Context(), late)
	_, deleted := s.Delete(t.Context(), "s", DeleteOptions{Expect: 1})
	for _, err := range []error{err, deleted} {
		e, ok := errors.AsType[*cento.SourceError](err)
		if want := `session "s" is at version 3, not 1: somebody else changed it in between`; !ok || e.Code != Conflict || e.Message != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for name, bad := range map[string]Transition{
		"nothing": {}, "twice": {Changes: []Change{{Session: "s", Expect: 3}, {Session: "s", Expect: 3}}}, "below": {Changes: []Change{{Session: "s", Expect: AnyVersion - 1}}},
		"blob": {Changes: []Change{{Session: "s", Expect: 3, Blobs: [][]byte{[]byte("\xff")}}}}, "key": {Key: "\xff", Changes: []Change{{Session: "s", Expect: 3}}},
		"state": {Changes: []Change{{Session: "s", Expect: 3, State: []byte("\xff")}}}, "parent": {Changes: []Change{{Session: "t", Parent: "a\nb"}}},
	} {
		if _, err := s.Commit(t.Context(), bad); !errors.Is(err, Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x, err := s.Session(t.Context(), "s", Projects{}); err != nil || x.Version != 3 {
		t.Errorf("%+v, %v", x, err)
	}
}
