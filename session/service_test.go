package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

var errBroken = errors.New("the connection broke")

type fault int

const (
	none fault = iota
	before
	after
)

// faultyStore fails the first commits: before they are done or after.
type faultyStore struct {
	session.Store
	mu   sync.Mutex
	fail fault
	// when decides about each commit; nil: the first one fails as fail says.
	when func() fault
}

func (s *faultyStore) Commit(ctx context.Context, t store.Transition) (*store.Committed, error) {
	s.mu.Lock()
	fail := s.fail
	if s.fail = none; s.when != nil {
		fail = s.when()
	}
	s.mu.Unlock()
	if fail == before {
		return nil, errBroken
	}
	done, err := s.Store.Commit(ctx, t)
	if err == nil && fail == after {
		return nil, errBroken
	}
	return done, err
}

// The history of a session on a store that fails now and then, before or after
// what was asked for is done, is the history of the pure state machine: each
// operation is repeated with its key until it is answered, and is done once.
func TestHistoryWithCrashes(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) { testHistoryWithCrashes(t, place) })
}

func testHistoryWithCrashes(t *testing.T, place string) {
	s := open(t, place)
	ctx := context.Background()
	most := 8
	if strings.HasPrefix(place, "postgres:") {
		most = lengthtest.Of(2, 2, 4) // a commit takes longer there
	}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := fmt.Sprintf("s%d", n)
		f := project()
		faulty := &faultyStore{Store: s, when: func() fault {
			return fault(rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(rt, "fault"))
		}}
		ops := 0
		// do repeats an operation, each time in a new process, until it is answered.
		do := func(op func(service *session.Service, key string) error) {
			ops++
			key := fmt.Sprint("op", ops)
			for {
				err := op(session.New(faulty), key)
				if err == nil {
					return
				}
				if !errors.Is(err, errBroken) {
					rt.Fatalf("operation %d: %v", ops, err)
				}
			}
		}
		do(func(v *session.Service, key string) error {
			_, err := v.Start(ctx, session.StartRequest{ID: id, Key: key, Settings: session.Settings{Providers: []string{"-post_compact_recap"}}}, f.source)
			return err
		})
		want := reminder.Session{ID: id}
		for i := range rapid.IntRange(1, most).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "op") {
			case 0, 1:
				r := reminder.Reminder{
					ID: fmt.Sprint("r", i), Body: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "body"), TTLTurns: rapid.Int64Range(0, 2).Draw(rt, "ttl"),
					DedupeKey: rapid.SampledFrom([]string{"", "k"}).Draw(rt, "key"), PreserveOnCompact: rapid.Bool().Draw(rt, "keep"),
				}
				want, _, _ = want.Inject(r)
				do(func(v *session.Service, key string) error {
					_, err := v.Remind(ctx, session.RemindRequest{ID: id, Options: session.Options{Key: key}, Reminder: r})
					return err
				})
			case 2, 3:
				if want.TurnBuilt {
					want, _ = want.EndTurn()
				}
				var live []reminder.Reminder
				want, live, _ = want.Built()
				do(func(v *session.Service, key string) error {
					turn, err := v.Turn(ctx, session.TurnRequest{ID: id, Options: session.Options{Key: key}}, f.source)
					if err == nil && (len(turn.Reminders) != len(live) || turn.System == nil || turn.Turn != want.Turn) {
						rt.Fatalf("the turn shows %v, want %v", turn.Reminders, live)
					}
					return err
				})
			case 4:
				want, _ = want.Compact()
				do(func(v *session.Service, key string) error {
					_, err := v.Compact(ctx, session.CompactRequest{ID: id, Options: session.Options{Key: key}})
					return err
				})
			}
		}
		row, err := s.Session(ctx, id, store.Projects{})
		if err != nil {
			rt.Fatal(err)
		}
		state, err := session.ReadState(row.State)
		if err != nil {
			rt.Fatal(err)
		}
		got, _ := state.Reminders.AppendJSON(nil)
		model, _ := want.AppendJSON(nil)
		if string(got) != string(model) {
			rt.Fatalf("got  %s\nwant %s", got, model)
		}
	})
}

// Of two writers that saw the same version one wins; the other is told so and
// nothing of either is lost.
func TestConflict(t *testing.T) { storetest.OnBoth(t, testConflict) }

func testConflict(t *testing.T, place string) {
	f := begin(t, place, session.Settings{})
	ctx := context.Background()
	seen := f.show("s").Version
	remind := func(id string, expect int64) error {
		_, err := f.again().Remind(ctx, session.RemindRequest{ID: "s", Options: session.Options{Expect: expect}, Reminder: reminder.Reminder{ID: id, Body: id}})
		return err
	}
	if err := remind("first", seen); err != nil {
		t.Fatal(err)
	}
	err := remind("second", seen)
	if !errors.Is(err, store.Conflict) || !strings.Contains(err.Error(), fmt.Sprintf("has version %d, and %d was expected", seen+1, seen)) {
		t.Fatalf("%v", err)
	}
	if got := f.show("s"); got.Version != seen+1 || len(got.Pending) != 1 || got.Pending[0].ID != "first" {
		t.Errorf("%+v", got)
	}
	if err := remind("second", seen+1); err != nil {
		t.Error(err)
	}
}

// A request that is repeated with its key adds nothing and gets the first
// answer; a key that is used for another request is refused.
func TestIdempotency(t *testing.T) { storetest.OnBoth(t, testIdempotency) }

func testIdempotency(t *testing.T, place string) {
	f := begin(t, place, session.Settings{})
	ctx := context.Background()
	twice := func(name string, do func(*fixture) (any, error)) {
		t.Helper()
		first, err := do(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		version, head := f.show("s").Version, f.head("s")
		second, err := do(f.again())
		if err != nil {
			t.Fatalf("%s again: %v", name, err)
		}
		a, b := fmt.Sprintf("%+v", dump(t, first)), fmt.Sprintf("%+v", dump(t, second))
		if b = strings.Replace(b, `"replayed":true`, `"replayed":false`, 1); a != b {
			t.Errorf("%s: the first answer is\n%s\nthe second\n%s", name, a, b)
		}
		if f.show("s").Version != version || f.head("s") != head {
			t.Errorf("%s: the repetition changed something", name)
		}
	}
	for id, perTurn := range map[string]bool{"each": true, "once": false} {
		r := session.StartRequest{ID: id, Key: "0" + id, Settings: session.Settings{PerTurn: perTurn}}
		for again := range 2 {
			out, err := f.again().Start(ctx, r, f.files.source)
			if err != nil || out.Replayed != (again == 1) {
				t.Errorf("%s, %d: %+v, %v", id, again, out, err)
			}
		}
	}
	twice("remind", func(f *fixture) (any, error) {
		return f.Remind(ctx, session.RemindRequest{ID: "s", Options: session.Options{Key: "1"}, Reminder: reminder.Reminder{Body: "x", TTLTurns: 3}})
	})
	twice("turn", func(f *fixture) (any, error) {
		return f.Turn(ctx, session.TurnRequest{ID: "s", Options: session.Options{Key: "2"}}, f.files.source)
	})
	twice("clear", func(f *fixture) (any, error) {
		return f.Clear(ctx, session.ClearRequest{ID: "s", Options: session.Options{Key: "3"}, Match: reminder.Match{Tag: "none"}})
	})
	twice("end", func(f *fixture) (any, error) {
		return f.EndTurn(ctx, session.EndRequest{ID: "s", Options: session.Options{Key: "4"}})
	})
	twice("compact", func(f *fixture) (any, error) {
		return f.Compact(ctx, session.CompactRequest{ID: "s", Options: session.Options{Key: "5"}})
	})
	twice("rematerialise", func(f *fixture) (any, error) {
		return f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Options: session.Options{Key: "6"}}, f.files.source)
	})
	twice("fork", func(f *fixture) (any, error) {
		return f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c", Key: "7"})
	})
	if _, err := f.Remind(ctx, session.RemindRequest{ID: "s", Options: session.Options{Key: "1"}, Reminder: reminder.Reminder{Body: "y"}}); !errors.Is(err, store.KeyReused) {
		t.Errorf("%v", err)
	}
}

// TestAnswersHoldNoPrompt: of a turn that was given its key the system prompt is kept in
// its record alone, so that what is taken out there is gone.
func TestAnswersHoldNoPrompt(t *testing.T) {
	f := begin(t, storetest.SQLite(t), session.Settings{})
	ask := func() (*session.Turn, error) {
		r := wire.Request{Form: wire.OpenAI, Messages: []wire.Message{{Role: "user", Text: "Go on."}}}
		return f.Turn(t.Context(), session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}, Wire: &r}, nil)
	}
	turn, err := ask()
	if err != nil || !strings.Contains(text(turn.System), "Run the tests.") || !strings.Contains(turn.Request.Body, "Run the tests.") {
		t.Fatalf("%+v, %v", turn, err)
	}
	if _, err := f.store.Redact(t.Context(), store.RedactOptions{Fragment: cento.InstructionsID}); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	if err := f.store.Export(t.Context(), &all, store.ExportOptions{}); err != nil || strings.Contains(all.String(), "Run the tests.") {
		t.Errorf("the text is still in the store: %v", err)
	}
	if again, err := ask(); !errors.Is(err, store.Redacted) {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestRedactedReminders: what a turn said of a reminder that was redacted isn't kept with
// the answer, wherever it stood; the session that has the reminder still is told.
func TestRedactedReminders(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		f := fresh(t, place)
		for _, to := range []reminder.Placement{reminder.InTurn, reminder.InSystem} {
			id := "s" + to.String()
			f.start(id, placed(to))
			const secret = "The key <is> under the mat."
			if _, err := f.Remind(t.Context(), session.RemindRequest{ID: id, Reminder: reminder.Reminder{ID: "key", Body: secret, TTLTurns: 5}}); err != nil {
				t.Fatal(err)
			}
			ask := func() (*session.Turn, error) {
				return f.Turn(t.Context(), session.TurnRequest{ID: id, Options: session.Options{Key: "k"}}, nil)
			}
			if turn, err := ask(); err != nil || !slices.Contains(turn.Reminders, "key") {
				t.Fatalf("%+v, %v", turn, err)
			}
			want := int64(0)
			if to == reminder.InTurn {
				want = 1
			}
			done, err := f.store.Redact(t.Context(), store.RedactOptions{Fragment: "reminder:key"})
			if err != nil || done.Answers != want || !slices.Equal(done.Left, []store.Remainder{{What: store.LeftState, Session: id}}) {
				t.Errorf("%v: %+v, %v", to, done, err)
			}
			if again, err := ask(); !errors.Is(err, store.Redacted) {
				t.Errorf("%v: %+v, %v", to, again, err)
			}
			if _, err := f.Clear(t.Context(), session.ClearRequest{ID: id, Match: reminder.Match{ID: "key"}}); err != nil {
				t.Fatal(err)
			}
			var all strings.Builder
			if err := f.store.Export(t.Context(), &all, store.ExportOptions{}); err != nil || strings.Contains(all.String(), "under the mat") {
				t.Errorf("%v: the text is still in the store: %v\n%s", to, err, all.String())
			}
		}
	})
}

// Many callers at once, in two processes as it were: each operation that was
// answered took place once, at a version of its own, and done one after the other
// in the order of the versions they give what each was answered and the state at
// the end.
func TestManyAtOnce(t *testing.T) { storetest.OnBoth(t, testManyAtOnce) }

func testManyAtOnce(t *testing.T, place string) {
	f := begin(t, place, session.Settings{Providers: []string{"-post_compact_recap"}})
	services := []*session.Service{f.Service, f.again().Service}
	const callers, each = 8, 8
	type done struct {
		version int64
		name    string
		do      func(reminder.Session) (next reminder.Session, answer string)
		answer  string
	}
	var mu sync.Mutex
	var all []done
	var wg sync.WaitGroup
	for w := range callers {
		wg.Go(func() {
			s := services[w%2]
			for i := range each {
				n := w*each + i
				options := session.Options{Key: fmt.Sprint("op", n)}
				x := done{}
				var meta session.Meta
				var err error
				switch n * 7 % 5 {
				case 0, 1:
					r := reminder.Reminder{ID: fmt.Sprint("r", n), Body: fmt.Sprint("body ", n%3), TTLTurns: int64(n % 4), PreserveOnCompact: n%2 == 0, DedupeKey: []string{"", "k", "l"}[n%3]}
					x.name = "remind"
					x.do = func(s reminder.Session) (reminder.Session, string) {
						next, events, err := s.Inject(r)
						return next, fmt.Sprint(len(events), err)
					}
					var out *session.Changed
					if out, err = s.Remind(context.Background(), session.RemindRequest{ID: "s", Options: options, Reminder: r}); err == nil {
						meta, x.answer = out.Meta, fmt.Sprint(len(out.Events), nil)
					}
				case 2, 3:
					x.name = "turn"
					x.do = func(s reminder.Session) (reminder.Session, string) {
						if s.TurnBuilt {
							s, _ = s.EndTurn()
						}
						s, live, _ := s.Built()
						names := []string{}
						for _, r := range live {
							names = append(names, r.ID)
						}
						return s, fmt.Sprint(s.Turn, names)
					}
					var out *session.Turn
					if out, err = s.Turn(context.Background(), session.TurnRequest{ID: "s", Options: options}, nil); err == nil {
						meta, x.answer = out.Meta, fmt.Sprint(out.Turn, out.Reminders)
					}
				default:
					x.name = "compact"
					x.do = func(s reminder.Session) (reminder.Session, string) {
						s, events := s.Compact()
						return s, fmt.Sprint(len(events))
					}
					var out *session.Changed
					if out, err = s.Compact(context.Background(), session.CompactRequest{ID: "s", Options: options}); err == nil {
						meta = out.Meta
						told := 0
						for _, e := range out.Events {
							if e.Event != reminder.EventProviderEvaluated {
								told++
							}
						}
						x.answer = fmt.Sprint(told)
					}
				}
				if err != nil {
					t.Errorf("operation %d: %v", n, err)
					return
				}
				x.version = meta.Version
				mu.Lock()
				all = append(all, x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.SortFunc(all, func(a, b done) int { return int(a.version - b.version) })
	model := reminder.Session{ID: "s"}
	for i, x := range all {
		if want := int64(i) + 3; x.version != want { // 1 began it, 2 made the prompt
			t.Fatalf("operation %d in order has version %d, want %d", i, x.version, want)
		}
		var answer string
		if model, answer = x.do(model); answer != x.answer {
			t.Errorf("%s at version %d answered %s, done in order it is %s", x.name, x.version, x.answer, answer)
		}
	}
	if len(all) != callers*each {
		t.Errorf("%d operations of %d were answered", len(all), callers*each)
	}
	if got, want := reminders(t, f.store, "s"), canonical(t, model); got != want {
		t.Errorf("the state is\n%s\nand in order\n%s", got, want)
	}
}

// reminders is the state of a session's reminders as it is stored.
func reminders(t testing.TB, s *store.Store, id string) string {
	t.Helper()
	row, err := s.Session(context.Background(), id, store.Projects{})
	if err != nil {
		t.Fatal(err)
	}
	state, err := session.ReadState(row.State)
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, state.Reminders)
}

func canonical(t testing.TB, s reminder.Session) string {
	t.Helper()
	b, err := s.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
