package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// A scenario is one transition that failures are put into. It acts on a session
// that nothing else uses, under an idempotency key, so that doing it again after
// a failure must lead to the same end as doing it once.
type scenario struct {
	name    string
	prepare func(w *world, id string) error
	do      func(w *world, id string) error
}

// world is a store with the service of sessions on it.
type world struct {
	ctx   context.Context
	store *store.Store
	*session.Service
}

func worldOf(ctx context.Context, s *store.Store) *world {
	w := &world{ctx: ctx, store: s, Service: session.New(s)}
	w.Now = fixedClock
	w.NewID = func() (string, error) { return "new", nil }
	return w
}

func fixedClock() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) }

// sourceOf makes prompts that tell two calls apart. Nothing of one is like the
// same of another, so that storing each takes as many operations.
func sourceOf(words string) session.Source {
	return func(context.Context, session.Reading) (cento.Input, error) {
		sum := sha256.Sum256([]byte(words))
		words := fmt.Sprintf("%s %x", words, sum)
		in := cento.Input{
			Primary: cento.Primary{System: &cento.Text{Body: "You are careful."}},
			Fragments: []cento.Fragment{
				{ID: "habits", Source: "test", Body: strings.Repeat("Work in small steps, and say what was done. ", 12)},
				{ID: "words", Source: "test", Body: words},
			},
		}
		return in, nil
	}
}

var errSource = errors.New("the source isn't there yet")

func noSource(context.Context, session.Reading) (cento.Input, error) {
	return cento.Input{}, errSource
}

func remindRequest(id, name string) session.RemindRequest {
	return session.RemindRequest{ID: id, Reminder: reminder.Reminder{ID: name, Body: "Mind " + name + "."}}
}

func draftOf(words string) (store.Draft, error) {
	in, err := sourceOf(words)(context.Background(), session.Reading{})
	if err != nil {
		return store.Draft{}, err
	}
	p, err := cento.Reduce(in)
	return store.Draft{Prompt: p, Input: in, Label: "test"}, err
}

var scenarios = []scenario{
	{"append", nothing, func(w *world, id string) error {
		d, err := draftOf("append to " + id)
		if err != nil {
			return err
		}
		_, err = w.store.Commit(w.ctx, store.Transition{Key: "append", Changes: []store.Change{{Session: id, Expect: store.AnyVersion, Drafts: []store.Draft{d}}}})
		return err
	}},
	{"append to two", nothing, func(w *world, id string) error {
		d, err := draftOf("append to two, " + id)
		if err != nil {
			return err
		}
		_, err = w.store.Commit(w.ctx, store.Transition{Key: "two", Changes: []store.Change{
			{Session: id, Expect: store.AnyVersion, State: []byte(`{"n":1}`), Drafts: []store.Draft{d, d}},
			{Session: id + "-second", Expect: store.AnyVersion, State: []byte(`{"n":1}`), Drafts: []store.Draft{d}, Blobs: [][]byte{[]byte("kept with " + id)}},
		}})
		return err
	}},
	{"materialise", begun, func(w *world, id string) error {
		_, err := w.Materialise(w.ctx, id, sourceOf("materialise "+id))
		return err
	}},
	{"rematerialise", inUse, func(w *world, id string) error {
		_, err := w.Rematerialise(w.ctx, session.RematerialiseRequest{ID: id, Options: session.Options{Key: "re"}}, sourceOf("rematerialise "+id))
		return err
	}},
	{"compact", inUse, func(w *world, id string) error {
		_, err := w.Compact(w.ctx, session.CompactRequest{ID: id, Options: session.Options{Key: "compact"}})
		return err
	}},
	{"fork", inUse, func(w *world, id string) error {
		_, err := w.Fork(w.ctx, session.ForkRequest{ID: id, Child: id + "-second", Key: "fork"})
		return err
	}},
}

func nothing(*world, string) error { return nil }

// begun is a session without a prompt.
func begun(w *world, id string) error {
	_, err := w.Start(w.ctx, session.StartRequest{ID: id}, noSource)
	if errors.Is(err, errSource) {
		return nil
	}
	return fmt.Errorf("a session whose source fails: %w", err)
}

// inUse is a session with a prompt and reminders.
func inUse(w *world, id string) error {
	if _, err := w.Start(w.ctx, session.StartRequest{ID: id}, sourceOf("start "+id)); err != nil {
		return err
	}
	for _, name := range []string{"one", "two"} {
		if _, err := w.Remind(w.ctx, remindRequest(id, name)); err != nil {
			return err
		}
	}
	return nil
}

// state is everything that a scenario can change, as a text.
func (w *world) state(t testing.TB, id string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{id, id + "-second"} {
		x, err := w.store.Session(w.ctx, name, store.Projects{})
		if errors.Is(err, store.UnknownSession) {
			fmt.Fprintf(&b, "no %s\n", name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s of %q at version %d, record %d, state %s\n", name, x.Parent, x.Version, x.Head.Seq, x.State)
		list, err := w.store.Records(w.ctx, store.RecordQuery{Session: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			text, _, err := w.store.Text(w.ctx, name, r.Seq)
			if err != nil {
				t.Fatal(err)
			}
			text = strings.ReplaceAll(text, id, "ID")
			fmt.Fprintf(&b, "  %d %s: %d bytes, %.60q\n", r.Seq, r.Label, len(text), text)
		}
	}
	// The texts name the session, so digests are of that one alone.
	return anyDigest.ReplaceAllString(strings.ReplaceAll(b.String(), id, "ID"), "DIGEST")
}

var anyDigest = regexp.MustCompile("[0-9a-f]{64}")

// outcome is what a scenario makes of a store when nothing fails.
type outcome struct{ before, after string }

func reference(t testing.TB, w *world, sc scenario) outcome {
	t.Helper()
	id := "reference-" + strings.ReplaceAll(sc.name, " ", "-")
	if err := sc.prepare(w, id); err != nil {
		t.Fatal(err)
	}
	o := outcome{before: w.state(t, id)}
	if err := sc.do(w, id); err != nil {
		t.Fatal(err)
	}
	if o.after = w.state(t, id); o.after == o.before {
		t.Fatalf("%s changes nothing", sc.name)
	}
	return o
}

// typed fails a test for an error without a code of the store.
func typed(t testing.TB, err error) {
	t.Helper()
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || !store.IsFailure(e.Code) {
		t.Errorf("%v (%T) is no failure with a code", err, err)
	}
}

func verified(t testing.TB, s *store.Store, heads ...store.Stored) *store.Verification {
	t.Helper()
	v, err := s.Verify(context.Background(), store.VerifyOptions{Heads: heads})
	if err != nil {
		t.Fatal(err)
	}
	if !v.OK {
		t.Fatalf("%+v", v.Faults)
	}
	return v
}
