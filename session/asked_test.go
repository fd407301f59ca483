package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// questions counts what a service asks its store and its source, and lets the nth fail.
type questions struct {
	session.Store
	n, failAt int
	failed    string
}

var errNoAnswer = errors.New("no answer")

func (q *questions) ask(name string) error {
	if q.n++; q.n != q.failAt {
		return nil
	}
	q.failed = name
	return errNoAnswer
}

func (q *questions) Session(ctx context.Context, id string, of store.Projects) (*store.Session, error) {
	if err := q.ask("session"); err != nil {
		return nil, err
	}
	return q.Store.Session(ctx, id, of)
}

func (q *questions) Commit(ctx context.Context, t store.Transition) (*store.Committed, error) {
	if err := q.ask("commit"); err != nil {
		return nil, err
	}
	return q.Store.Commit(ctx, t)
}

func (q *questions) Text(ctx context.Context, id string, seq int64) (string, bool, error) {
	if err := q.ask("text"); err != nil {
		return "", false, err
	}
	return q.Store.Text(ctx, id, seq)
}

func (q *questions) Input(ctx context.Context, id string, seq int64) (cento.Input, error) {
	if err := q.ask("input"); err != nil {
		return cento.Input{}, err
	}
	return q.Store.Input(ctx, id, seq)
}

func (q *questions) Blob(ctx context.Context, sum string) ([]byte, error) {
	if err := q.ask("blob"); err != nil {
		return nil, err
	}
	return q.Store.Blob(ctx, sum)
}

func (q *questions) Removals(ctx context.Context) (int64, error) {
	if err := q.ask("removals"); err != nil {
		return 0, err
	}
	return q.Store.Removals(ctx)
}

func (q *questions) Sessions(ctx context.Context, x store.SessionQuery) ([]store.Session, error) {
	if err := q.ask("sessions"); err != nil {
		return nil, err
	}
	return q.Store.Sessions(ctx, x)
}

func (q *questions) Delete(ctx context.Context, id string, o store.DeleteOptions) (*store.Deleted, error) {
	if err := q.ask("delete"); err != nil {
		return nil, err
	}
	return q.Store.Delete(ctx, id, o)
}

// TestEveryQuestionIsAwaited: what the store or the source doesn't answer is an error of
// the operation that asked, and leaves every session as it was. So it is asked for again
// until it is done, each time a question further.
func TestEveryQuestionIsAwaited(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := t.Context()
	q := &questions{Store: f.store}
	source := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		if err := q.ask("source"); err != nil {
			return cento.Input{}, err
		}
		return f.files.source(ctx, r)
	}
	// A session whose first prompt can't be made has none, and makes it later.
	f.files.err = errNoAnswer
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Settings: session.Settings{AppendOnly: true}}, f.files.source); !errors.Is(err, errNoAnswer) {
		t.Fatal(err)
	}
	f.files.err = nil
	step := func(s *session.Service, what string) error {
		keyed := session.Options{Key: what}
		switch what {
		case "materialise":
			return second(s.Materialise(ctx, "s", source))
		case "remind":
			return second(s.Remind(ctx, session.RemindRequest{ID: "s", Options: keyed, Reminder: reminder.Reminder{ID: "a", Body: "Tests are red."}}))
		case "turn", "next turn":
			return second(s.Turn(ctx, session.TurnRequest{ID: "s", Options: keyed, Check: session.DriftReminded}, source))
		case "usage":
			return second(s.Usage(ctx, session.UsageRequest{ID: "s", Usage: []byte(`{"prompt_tokens":7}`)}))
		case "usages":
			return second(s.Usages(ctx, "s"))
		case "show":
			return second(s.Show(ctx, "s"))
		case "view":
			return second(s.View(ctx, "s"))
		case "system":
			return third(s.System(ctx, "s"))
		case "drift":
			return second(s.Drift(ctx, "s", source))
		case "fork":
			return second(s.Fork(ctx, session.ForkRequest{ID: "s", Child: "c", Key: what}))
		case "compact":
			return second(s.Compact(ctx, session.CompactRequest{ID: "s", Recap: "Tests were fixed."}))
		case "end":
			return second(s.EndTurn(ctx, session.EndRequest{ID: "s"}))
		case "rematerialise":
			return second(s.Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, source))
		}
		panic(what)
	}
	state := func() string {
		t.Helper()
		rows, err := f.store.Sessions(ctx, store.SessionQuery{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b = append(b, r.State...)
		}
		return string(b)
	}
	for _, what := range []string{"materialise", "remind", "turn", "usage", "usages", "show", "view", "system", "drift", "fork", "next turn", "end", "compact", "rematerialise"} {
		if what == "drift" || what == "next turn" {
			f.files.instructions += " Be quick." // so there is something to tell
		}
		for n := 1; ; n++ {
			before := state()
			q.n, q.failAt, q.failed = 0, n, ""
			err := step(session.New(q), what)
			if q.failed == "" {
				if err != nil || n == 1 {
					t.Errorf("%s: %d questions, and all were answered: %v", what, q.n, err)
				}
				break
			}
			if (what == "remind" || what == "compact") && err == nil && q.failed != "session" && q.failed != "commit" {
				continue // a prompt that can't be read is the next turn's trouble
			}
			if !errors.Is(err, errNoAnswer) {
				t.Errorf("%s: question %d, for %s, has no answer, and it gave %v", what, n, q.failed, err)
			}
			if state() != before {
				t.Fatalf("%s: question %d, for %s, has no answer, and something was changed", what, n, q.failed)
			}
		}
	}
}

// TestListsAreLists: what a session has none of is an empty list in every answer, for
// programs of other languages, and not nothing.
func TestListsAreLists(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := t.Context()
	for _, do := range []func() (any, error){
		func() (any, error) { return f.Start(ctx, session.StartRequest{ID: "s"}, f.files.source) },
		func() (any, error) { return f.Show(ctx, "s") },
		func() (any, error) { return f.View(ctx, "s") },
		func() (any, error) {
			return f.Clear(ctx, session.ClearRequest{ID: "s", Match: reminder.Match{Tag: "none"}})
		},
		func() (any, error) { return f.Touch(ctx, session.TouchRequest{ID: "s"}) },
		func() (any, error) { return f.Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source) },
		func() (any, error) { return f.EndTurn(ctx, session.EndRequest{ID: "s"}) },
		func() (any, error) { return f.Compact(ctx, session.CompactRequest{ID: "s"}) },
		func() (any, error) { return f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"}) },
		func() (any, error) { return f.Usages(ctx, "s") },
	} {
		out, err := do()
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []string{"events", "pending", "inherited", "reminders", "sent", "providers"} {
			if bytes.Contains(b, fmt.Appendf(nil, `"%s":null`, list)) {
				t.Errorf("%T: no list of %s: %s", out, list, b)
			}
		}
	}
}
