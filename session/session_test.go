package session_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

func open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "cento.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// files is a project of two files, as a source reads it.
type files struct {
	system, instructions string
	tools                []string
	caps                 []string
	err                  error
	read                 int // how often
}

func (f *files) input() cento.Input {
	in := cento.Input{
		Primary:      cento.Primary{System: &cento.Text{Body: f.system, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "cento.yaml", Line: 1, Column: 9}}},
		Instructions: &cento.Text{Body: "## Project instructions (AGENTS.md)\n\n" + f.instructions, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "AGENTS.md", Line: 1, Column: 1}},
		AllTools:     true, Active: cento.Active{Caps: f.caps},
	}
	for _, name := range f.tools {
		words := "Use " + name + " with care."
		in.Tools = append(in.Tools, cento.Tool{Name: name, Guidance: &words, Origin: cento.Position{File: "tools.json", Line: 1, Column: 1}})
	}
	return in
}

func (f *files) source(_ context.Context, r session.Reading) (cento.Input, *cento.Prompt, error) {
	f.read++
	if f.err != nil {
		return cento.Input{}, nil, f.err
	}
	in := f.input()
	if r.Layer != nil {
		text, err := r.Layer.AppendJSON(nil)
		if err != nil {
			return in, nil, err
		}
		in.Fragments = []cento.Fragment{{ID: "layer", Body: string(text)}}
	}
	p, err := cento.Reduce(in)
	return in, p, err
}

func project() *files {
	return &files{system: "You are careful.", instructions: "Run the tests.", tools: []string{"read"}}
}

type fixture struct {
	*session.Service
	t     testing.TB
	store *store.Store
	files *files
}

func begin(t testing.TB, settings session.Settings) *fixture {
	t.Helper()
	f := &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	f.start("s", settings)
	return f
}

func (f *fixture) start(id string, settings session.Settings) *session.Started {
	f.t.Helper()
	out, err := f.Start(context.Background(), session.StartRequest{ID: id, Settings: settings}, f.files.source)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) turn(id string) *session.Turn {
	f.t.Helper()
	out, err := f.Turn(context.Background(), session.TurnRequest{ID: id}, f.files.source)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) remind(id string, r reminder.Reminder) *session.Changed {
	f.t.Helper()
	out, err := f.Remind(context.Background(), session.RemindRequest{ID: id, Reminder: r})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) show(id string) *session.Shown {
	f.t.Helper()
	out, err := f.Show(context.Background(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// again is the same store as another process sees it.
func (f *fixture) again() *fixture {
	return &fixture{Service: session.New(f.store, cento.Reduce), t: f.t, store: f.store, files: f.files}
}

func placed(p reminder.Placement) session.Settings { return session.Settings{Placement: &p} }

func text(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

// A session of a hundred turns, in which the files change at every turn and
// reminders come and go, has one system prompt.
func TestHundredTurns(t *testing.T) {
	f := begin(t, placed(reminder.InTurn))
	first := f.turn("s")
	envelopes := map[string]bool{}
	for i := range 99 {
		f.files.system = fmt.Sprintf("You are careful, %d.", i)
		f.files.tools = append(f.files.tools, fmt.Sprint("tool", i))
		if i%3 == 0 {
			f.remind("s", reminder.Reminder{Body: fmt.Sprintf("Step %d failed.", i), TTLTurns: 1 + int64(i%4), DedupeKey: fmt.Sprint("k", i%2)})
		}
		g := f
		if i%10 == 0 {
			g = f.again() // another process goes on
		}
		turn := g.turn("s")
		if text(turn.System) != text(first.System) || text(turn.Digest) != text(first.Digest) || turn.Turn != int64(i+1) || turn.Epoch != 1 {
			t.Fatalf("turn %d (%d of epoch %d) has\n%s", i+1, turn.Turn, turn.Epoch, text(turn.System))
		}
		envelopes[text(turn.Envelope)] = true
	}
	if len(envelopes) < 20 || !envelopes["(none)"] {
		t.Errorf("%d envelopes: the reminders didn't come and go", len(envelopes))
	}
	if f.files.read != 1 {
		t.Errorf("the files were read %d times", f.files.read)
	}
	if d, err := f.Drift(context.Background(), "s", f.files.source); err != nil || !d.Drifted {
		t.Errorf("%+v, %v", d, err)
	}
}

// Whoever asks, fails and asks again, and in which order: a session has one
// prompt.
func TestMaterialiseOnce(t *testing.T) {
	for round := range 12 {
		s := open(t)
		ctx := context.Background()
		if _, err := session.New(s, cento.Reduce).Start(ctx, session.StartRequest{ID: "s"}, func(context.Context, session.Reading) (cento.Input, *cento.Prompt, error) {
			return cento.Input{}, nil, errBroken
		}); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		const callers = 12
		texts := make([]string, callers)
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				faulty := &faultyStore{Store: s, fail: []fault{none, before, after}[(i+round)%3]}
				f := project()
				f.system = fmt.Sprintf("You are number %d.", i)
				if i%4 == 1 {
					f.err = errBroken
				}
				for range 3 {
					service := session.New(faulty, cento.Reduce) // a crash forgets what was in memory
					_, err := service.Materialise(ctx, "s", f.source)
					f.err = nil
					if err != nil {
						continue
					}
					text, ok, err := service.System(ctx, "s")
					if err != nil || !ok {
						t.Errorf("materialised and no prompt: %v", err)
						return
					}
					texts[i] = text
					break
				}
			})
		}
		wg.Wait()
		for i := range texts {
			if texts[i] == "" || texts[i] != texts[0] {
				t.Errorf("caller %d has %q, the first %q", i, texts[i], texts[0])
			}
		}
		row, err := s.Session(ctx, "s")
		if err != nil || row.Head.Seq != 1 {
			t.Errorf("%d records (%v)", row.Head.Seq, err)
		}
	}
}

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
	s := open(t)
	ctx := context.Background()
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
				err := op(session.New(faulty, cento.Reduce), key)
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
		for i := range rapid.IntRange(1, 8).Draw(rt, "steps") {
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
		row, err := s.Session(ctx, id)
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
func TestConflict(t *testing.T) {
	f := begin(t, session.Settings{})
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
	if !session.IsConflict(err) || !strings.Contains(err.Error(), fmt.Sprintf("has version %d, and %d was expected", seen+1, seen)) {
		t.Fatalf("%v", err)
	}
	if got := f.show("s"); got.Version != seen+1 || len(got.Pending) != 1 || got.Pending[0].ID != "first" {
		t.Errorf("%+v", got)
	}
	if err := remind("second", seen+1); err != nil {
		t.Error(err)
	}
}

// Writers that don't say what they saw don't lose anything either.
func TestManyWriters(t *testing.T) {
	f := begin(t, session.Settings{})
	const writers, each = 8, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			g := f.again()
			for i := range each {
				if _, err := g.Remind(context.Background(), session.RemindRequest{ID: "s", Reminder: reminder.Reminder{ID: fmt.Sprintf("%d-%d", w, i), Body: "x"}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := f.show("s"); len(got.Pending) != writers*each {
		t.Errorf("%d reminders of %d", len(got.Pending), writers*each)
	}
}

// A request that is repeated with its key adds nothing and gets the first
// answer; a key that is used for another request is refused.
func TestIdempotency(t *testing.T) {
	f := begin(t, session.Settings{})
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

func (f *fixture) head(id string) int64 {
	f.t.Helper()
	row, err := f.store.Session(context.Background(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return row.Head.Seq
}

// A first prompt that can't be made leaves the session without one, and the next
// turn makes it.
func TestFirstRenderingFails(t *testing.T) {
	f := &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	f.files.err = errBroken
	ctx := context.Background()
	if _, err := f.Start(ctx, session.StartRequest{ID: "s"}, f.files.source); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	if _, _, err := f.System(ctx, "s"); !errors.Is(err, session.NotMaterialised) {
		t.Errorf("%v", err)
	}
	if got := f.show("s"); got.Epoch != 0 || got.Digest != nil {
		t.Errorf("%+v", got)
	}
	f.files.err = nil
	if turn := f.turn("s"); turn.Epoch != 1 || !strings.Contains(text(turn.System), "You are careful.") {
		t.Errorf("%+v", turn)
	}
}

// No fragment is in: then there is no system prompt, and that is what stays.
func TestNoPrompt(t *testing.T) {
	f := &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	nothing := func(context.Context, session.Reading) (cento.Input, *cento.Prompt, error) {
		p, err := cento.Reduce(cento.Input{})
		return cento.Input{}, p, err
	}
	out, err := f.Start(context.Background(), session.StartRequest{ID: "s"}, nothing)
	if err != nil || out.Digest != nil || out.Epoch != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, g := range []*fixture{f, f.again()} {
		if turn := g.turn("s"); turn.System != nil || turn.Digest != nil {
			t.Errorf("%+v", turn)
		}
	}
}

func TestDrift(t *testing.T) {
	f := begin(t, session.Settings{})
	ctx := context.Background()
	drift := func() *session.Drift {
		t.Helper()
		d, err := f.again().Drift(ctx, "s", f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := drift(); d.Drifted || len(d.Fragments)+len(d.Files) > 0 {
		t.Errorf("%+v", d)
	}
	f.files.instructions = "Run the tests twice."
	d := drift()
	if !d.Drifted || len(d.Fragments) != 1 || d.Fragments[0].ID != cento.InstructionsID || d.Fragments[0].What != "changed" ||
		!slices.Equal(d.Files, []string{"AGENTS.md"}) || !strings.Contains(text(d.Fragments[0].To), "twice") {
		t.Errorf("%+v", d)
	}
	f.files.instructions = "Run the tests."
	f.files.tools = []string{"write"}
	d = drift()
	if !d.Drifted || !slices.Equal(d.Tools.Added, []string{"write"}) || !slices.Equal(d.Tools.Removed, []string{"read"}) || !slices.Equal(d.Files, []string{"tools.json"}) {
		t.Errorf("%+v", d)
	}
	// A capability that nothing asks for changes no byte, and is drift all the same.
	f.files.tools, f.files.caps = []string{"read"}, []string{"headless"}
	if d := drift(); !d.Drifted || len(d.Fragments) > 0 || !slices.Equal(d.Caps.Added, []string{"headless"}) {
		t.Errorf("%+v", d)
	}
	if turn := f.turn("s"); turn.Epoch != 1 {
		t.Errorf("drift made a prompt: %+v", turn)
	}
}

func TestRematerialise(t *testing.T) {
	f := begin(t, session.Settings{})
	first := f.turn("s")
	f.files.system = "You are bold."
	out, err := f.Rematerialise(context.Background(), session.RematerialiseRequest{ID: "s", Reason: "another role"}, f.files.source)
	if err != nil || !out.Changed || out.Epoch != 2 || text(out.From) != text(first.Digest) {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, g := range []*fixture{f, f.again()} {
		if turn := g.turn("s"); !strings.Contains(text(turn.System), "You are bold.") || text(turn.Digest) != text(out.Digest) || turn.Epoch != 2 {
			t.Errorf("%+v", turn)
		}
	}
	again, err := f.Rematerialise(context.Background(), session.RematerialiseRequest{ID: "s"}, f.files.source)
	if err != nil || again.Changed || again.Epoch != 3 {
		t.Errorf("%+v, %v", again, err)
	}
	records, err := f.store.Records(context.Background(), store.RecordQuery{Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, r := range records {
		labels = append(labels, r.Label)
	}
	slices.Sort(labels)
	if want := []string{"materialise", "rematerialise", "rematerialise: another role", "turn 0", "turn 1", "turn 2"}; !slices.Equal(labels, want) {
		t.Errorf("records %q, want %q", labels, want)
	}
}

func TestPlacements(t *testing.T) {
	r := reminder.Reminder{ID: "a", Body: "Tests are red.", TTLTurns: 9}
	const envelope = "<context-directives>\n<directive authority=\"contract\">\nTests are red.\n</directive>\n</context-directives>"
	const plain = "You are careful.\n\nUse read with care.\n\n## Project instructions (AGENTS.md)\n\nRun the tests."

	f := begin(t, placed(reminder.InTurn))
	f.remind("s", r)
	if got := f.turn("s"); text(got.System) != plain || text(got.Envelope) != envelope || got.Messages != nil {
		t.Errorf("%+v", got)
	}
	f = begin(t, placed(reminder.InSystem))
	f.remind("s", r)
	for _, g := range []*fixture{f, f.again()} {
		want := "You are careful.\n\nUse read with care.\n\nTests are red.\n\n## Project instructions (AGENTS.md)\n\nRun the tests."
		if got := g.turn("s"); text(got.System) != want || got.Envelope != nil {
			t.Errorf("%s\n%+v", text(got.System), got)
		}
	}
	if _, err := f.Clear(context.Background(), session.ClearRequest{ID: "s", Match: reminder.Match{ID: "a"}}); err != nil {
		t.Fatal(err)
	}
	if got := f.turn("s"); text(got.System) != plain {
		t.Errorf("%s", text(got.System))
	}
	f = begin(t, placed(reminder.InNative))
	f.remind("s", r)
	if got := f.turn("s"); text(got.System) != plain || got.Envelope != nil || len(got.Messages) != 1 || got.Messages[0].Text != "System reminder:\nTests are red." {
		t.Errorf("%+v", got)
	}
	// Nothing is said: it follows from the model.
	f = &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	f.files.caps = []string{"model.prompt_cache"}
	f.start("s", session.Settings{})
	f.remind("s", r)
	if got := f.turn("s"); got.Placement != reminder.InTurn || text(got.Envelope) != envelope {
		t.Errorf("%+v", got)
	}
}

// A text that replaces the whole prompt leaves reminders out of it: they go into
// the turn then, and a note says so.
func TestPlacedInTurnInstead(t *testing.T) {
	f := &fixture{t: t, store: open(t)}
	f.Service = session.New(f.store, cento.Reduce)
	in := cento.Input{Replacement: &cento.Replacement{Text: cento.Text{Body: "Only this."}}}
	p, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	from := func(context.Context, session.Reading) (cento.Input, *cento.Prompt, error) { return in, p, nil }
	if _, err := f.Start(context.Background(), session.StartRequest{ID: "s", Settings: placed(reminder.InSystem)}, from); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{ID: "a", Body: "Tests are red.", TTLTurns: 9})
	got, err := f.Turn(context.Background(), session.TurnRequest{ID: "s"}, from)
	if err != nil || text(got.System) != "Only this." || got.Placement != reminder.InTurn || !strings.Contains(text(got.Envelope), "Tests are red.") ||
		len(got.Notes) != 1 || got.Notes[0].Code != session.CodePlacedInTurn {
		t.Errorf("%+v, %v", got, err)
	}
}

// Envelopes stay where they were sent, each text once, until the conversation is
// compacted.
func TestAppendOnly(t *testing.T) {
	f := begin(t, session.Settings{AppendOnly: true})
	f.remind("s", reminder.Reminder{ID: "a", Body: "A.", TTLTurns: 2})
	sent := func() string {
		var out []string
		turn := f.again().turn("s")
		if turn.Envelope != nil {
			t.Errorf("an envelope beside those that were sent: %q", *turn.Envelope)
		}
		for _, e := range turn.Sent {
			out = append(out, fmt.Sprintf("%d:%s", e.Turn, strings.Split(e.Text, "\n")[2]))
		}
		return strings.Join(out, " ")
	}
	if got := sent(); got != "0:A." {
		t.Error(got)
	}
	if got := sent(); got != "0:A." { // still live, and there already
		t.Error(got)
	}
	if got := sent(); got != "0:A." { // expired, and stays
		t.Error(got)
	}
	f.remind("s", reminder.Reminder{ID: "b", Body: "B.", TTLTurns: 1})
	if got := sent(); got != "0:A. 3:B." {
		t.Error(got)
	}
	f.remind("s", reminder.Reminder{ID: "c", Body: "A.", TTLTurns: 9, PreserveOnCompact: true})
	if got := sent(); got != "0:A. 3:B." { // the same text
		t.Error(got)
	}
	if _, err := f.Compact(context.Background(), session.CompactRequest{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	if got := sent(); got != "5:A." { // the conversation is gone, so it is said again
		t.Error(got)
	}
}

func TestPerTurn(t *testing.T) {
	f := begin(t, session.Settings{PerTurn: true})
	if got := f.show("s"); got.Epoch != 0 {
		t.Errorf("%+v", got)
	}
	for i := range int64(3) {
		f.files.system = fmt.Sprintf("You are %d.", i)
		if got := f.turn("s"); got.Epoch != i+1 || !strings.HasPrefix(text(got.System), f.files.system) {
			t.Errorf("%+v", got)
		}
	}
	if text, _, err := f.again().System(context.Background(), "s"); err != nil || !strings.HasPrefix(text, "You are 2.") {
		t.Errorf("%q, %v", text, err)
	}
}

// A child has the settings, the layer and the reminders that it inherits, and
// makes a prompt of its own; the parent's stays.
func TestFork(t *testing.T) {
	f := &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	ctx := context.Background()
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Settings: placed(reminder.InTurn), Layer: &layer.Layer{}}, f.files.source); err != nil {
		t.Fatal(err)
	}
	parent := f.turn("s")
	f.remind("s", reminder.Reminder{ID: "all", Body: "A.", Propagate: reminder.ToAll})
	f.remind("s", reminder.Reminder{ID: "none", Body: "B.", Propagate: reminder.ToNone})
	f.files.system = "You are bold."
	out, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"})
	if err != nil || out.Epoch != 0 || len(out.Inherited) != 1 || out.Inherited[0].OriginatingSession != "s" {
		t.Fatalf("%+v, %v", out, err)
	}
	child := f.turn("c")
	if !strings.Contains(text(child.System), "You are bold.") || child.Turn != 0 || !slices.Equal(child.Reminders, []string{"all"}) || child.Placement != reminder.InTurn {
		t.Errorf("%+v", child)
	}
	if got := f.again().turn("s"); text(got.System) != text(parent.System) {
		t.Errorf("%s", text(got.System))
	}
	if got := f.show("c"); got.Parent != "s" || got.Layer == nil {
		t.Errorf("%+v", got)
	}
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"}); !errors.Is(err, store.SessionExists) {
		t.Errorf("%v", err)
	}
}

// An empty layer that was saved is there again; none is none; one that is given
// wins and is kept.
func TestLayerIsKept(t *testing.T) {
	f := &fixture{t: t, store: open(t), files: project()}
	f.Service = session.New(f.store, cento.Reduce)
	ctx := context.Background()
	title := "T"
	full := layer.Layer{}.WithContributions(layer.Contribution{Slot: layer.GuidanceSlot, Title: &title, Content: "x"})
	for _, x := range []struct {
		id    string
		layer *layer.Layer
		want  string
	}{{"none", nil, ""}, {"empty", &layer.Layer{}, "{}"}} {
		if _, err := f.Start(ctx, session.StartRequest{ID: x.id, Layer: x.layer}, f.files.source); err != nil {
			t.Fatal(err)
		}
		remade := func(l *layer.Layer) string {
			t.Helper()
			if _, err := f.again().Rematerialise(ctx, session.RematerialiseRequest{ID: x.id, Layer: l}, f.files.source); err != nil {
				t.Fatal(err)
			}
			text, _, err := f.again().System(ctx, x.id)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "{") {
					return strings.TrimSpace(line)
				}
			}
			return ""
		}
		if got := remade(nil); got != x.want {
			t.Errorf("%s: reopened with %q, want %q", x.id, got, x.want)
		}
		if got := remade(&full); !strings.Contains(got, `"content":"x"`) {
			t.Errorf("%s: %q", x.id, got)
		}
		if got := remade(nil); !strings.Contains(got, `"content":"x"`) {
			t.Errorf("%s: %q wasn't kept", x.id, got)
		}
	}
}

func TestProvidersInSession(t *testing.T) {
	f := begin(t, session.Settings{Providers: []string{"-idle_nudge"}})
	ctx := context.Background()
	turn, err := f.Turn(ctx, session.TurnRequest{ID: "s", Moment: reminder.Moment{TokensUsed: 90, Window: 100, IdleTurns: 9}}, f.files.source)
	if err != nil || len(turn.Reminders) != 1 {
		t.Errorf("%+v, %v", turn, err)
	}
	done, err := f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "All is done."})
	if err != nil || len(done.Pending) != 1 || !strings.Contains(done.Pending[0].Body, "All is done.") {
		t.Errorf("%+v, %v", done, err)
	}
	asked := 0
	for _, e := range done.Events {
		if e.Event == reminder.EventProviderEvaluated {
			asked++
		}
	}
	if asked != 5 {
		t.Errorf("%d providers were asked", asked)
	}
}

func TestBadRequests(t *testing.T) {
	f := begin(t, session.Settings{})
	ctx := context.Background()
	start := func(r session.StartRequest) error {
		_, err := f.Start(ctx, r, f.files.source)
		return err
	}
	native := reminder.InNative
	for _, x := range []struct {
		name string
		err  error
		want cento.ErrorCode
	}{
		{"same id", start(session.StartRequest{ID: "s"}), store.SessionExists},
		{"blank id", start(session.StartRequest{ID: " "}), reminder.Invalid},
		{"id of lines", start(session.StartRequest{ID: "a\nb"}), reminder.Invalid},
		{"placement", start(session.StartRequest{ID: "x", Settings: session.Settings{AppendOnly: true, Placement: &native}}), session.WrongSettings},
		{"provider", start(session.StartRequest{ID: "x", Settings: session.Settings{Providers: []string{"y"}}}), reminder.Invalid},
		{"unknown session", second(f.Turn(ctx, session.TurnRequest{ID: "t"}, f.files.source)), store.UnknownSession},
		{"unknown parent", second(f.Fork(ctx, session.ForkRequest{ID: "t", Child: "u"})), store.UnknownSession},
		{"no child", second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: ""})), reminder.Invalid},
		{"blank body", second(f.Remind(ctx, session.RemindRequest{ID: "s"})), reminder.Invalid},
		{"ttl", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "x", TTLTurns: 1e12}})), reminder.Invalid},
		{"nothing to clear", second(f.Clear(ctx, session.ClearRequest{ID: "s"})), reminder.Invalid},
		{"utf-8", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "\xff"}})), cento.InvalidUTF8},
	} {
		if !errors.Is(x.err, x.want) {
			t.Errorf("%s: %v, want %s", x.name, x.err, x.want)
		}
	}
	if got := f.show("s"); len(got.Pending) > 0 || got.Version != 2 {
		t.Errorf("a refused request changed something: %+v", got)
	}
	if _, err := f.store.Session(ctx, "x"); !errors.Is(err, store.UnknownSession) {
		t.Errorf("%v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// A clock that goes back changes nothing but the times.
func TestClockGoesBack(t *testing.T) {
	f := begin(t, session.Settings{})
	now := f.Now()
	f.Service.Now = func() (t0 Time) { now = now.Add(-3600e9); return now }
	f.remind("s", reminder.Reminder{ID: "a", Body: "A.", TTLTurns: 1})
	if turn := f.turn("s"); len(turn.Reminders) != 1 {
		t.Errorf("%+v", turn)
	}
	if turn := f.turn("s"); len(turn.Reminders) != 0 {
		t.Errorf("%+v", turn)
	}
}
