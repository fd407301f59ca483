package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// A session of a hundred turns, in which the files change at every turn and
// reminders come and go, has one system prompt.
func TestHundredTurns(t *testing.T) { storetest.OnBoth(t, testHundredTurns) }

func testHundredTurns(t *testing.T, place string) {
	f := begin(t, place, placed(reminder.InTurn))
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

func TestPlacements(t *testing.T) {
	place := storetest.SQLite(t)
	r := reminder.Reminder{ID: "a", Body: "Tests are red.", TTLTurns: 9}
	const envelope = "<context-directives>\n<directive authority=\"contract\">\nTests are red.\n</directive>\n</context-directives>"
	const plain = "You are careful.\n\nUse read with care.\n\n## Project instructions (AGENTS.md)\n\nRun the tests."

	f := fresh(t, place)
	begun := func(id string, settings session.Settings) string {
		f.start(id, settings)
		f.remind(id, r)
		return id
	}
	id := begun("in-turn", placed(reminder.InTurn))
	if got := f.turn(id); text(got.System) != plain || text(got.Envelope) != envelope || got.Messages != nil {
		t.Errorf("%+v", got)
	}
	id = begun("in-system", placed(reminder.InSystem))
	for _, g := range []*fixture{f, f.again()} {
		want := "You are careful.\n\nUse read with care.\n\nTests are red.\n\n## Project instructions (AGENTS.md)\n\nRun the tests."
		if got := g.turn(id); text(got.System) != want || got.Envelope != nil {
			t.Errorf("%s\n%+v", text(got.System), got)
		}
	}
	if _, err := f.Clear(context.Background(), session.ClearRequest{ID: id, Match: reminder.Match{ID: "a"}}); err != nil {
		t.Fatal(err)
	}
	if got := f.turn(id); text(got.System) != plain {
		t.Errorf("%s", text(got.System))
	}
	id = begun("native", placed(reminder.InNative))
	if got := f.turn(id); text(got.System) != plain || got.Envelope != nil || len(got.Messages) != 1 || got.Messages[0].Text != "System reminder:\nTests are red." {
		t.Errorf("%+v", got)
	}
	// Nothing is said: it follows from the model.
	f.files.caps = []string{"model.prompt_cache"}
	id = begun("by-the-model", session.Settings{})
	if got := f.turn(id); got.Placement != reminder.InTurn || text(got.Envelope) != envelope {
		t.Errorf("%+v", got)
	}
}

// A text that replaces the whole prompt leaves reminders out of it: they go into
// the turn then, and a note says so.
func TestPlacedInTurnInstead(t *testing.T) {
	place := storetest.SQLite(t)
	f := fresh(t, place)
	in := cento.Input{Replacement: &cento.Replacement{Text: cento.Text{Body: "Only this."}}}
	from := func(context.Context, session.Reading) (cento.Input, error) { return in, nil }
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

// Reminders that would change what else is in the prompt go into the turn, too:
// what is frozen are its texts.
func TestPlacedInTurnWhereTheyChangeMore(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := context.Background()
	for change, reduce := range map[string]func(cento.Input) (*cento.Prompt, error){
		"a text": func(in cento.Input) (*cento.Prompt, error) {
			in.Fragments = append(in.Fragments, cento.Fragment{ID: "count", Body: fmt.Sprint(len(in.Reminders), " reminders.")})
			return cento.Reduce(in)
		},
		"a verdict": func(in cento.Input) (*cento.Prompt, error) {
			if len(in.Reminders) > 0 {
				in = in.WithoutTool("read")
			}
			return cento.Reduce(in)
		},
		"an order": func(in cento.Input) (*cento.Prompt, error) {
			list := []cento.Fragment{{ID: "a", Body: "A."}, {ID: "b", Body: "B."}}
			if len(in.Reminders) > 0 {
				slices.Reverse(list)
			}
			in.Fragments = append(in.Fragments, list...)
			return cento.Reduce(in)
		},
	} {
		s := session.New(f.store).WithReduce(reduce)
		id := strings.ReplaceAll(change, " ", "-")
		if _, err := s.Start(ctx, session.StartRequest{ID: id, Settings: placed(reminder.InSystem)}, f.files.source); err != nil {
			t.Fatal(err)
		}
		before, _, err := s.System(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Remind(ctx, session.RemindRequest{ID: id, Reminder: reminder.Reminder{Body: "Tests are red.", TTLTurns: 9}}); err != nil {
			t.Fatal(err)
		}
		got, err := s.Turn(ctx, session.TurnRequest{ID: id}, nil)
		if err != nil || text(got.System) != before || got.Placement != reminder.InTurn || len(got.Notes) != 1 || got.Notes[0].Code != session.CodePlacedInTurn {
			t.Errorf("%s: %+v, %v", change, got, err)
		}
	}
}

// A session is told of a file of instructions once, until its conversation is
// compacted.
func TestTouch(t *testing.T) { storetest.OnBoth(t, testTouch) }

func testTouch(t *testing.T, place string) {
	ctx := context.Background()
	f := begin(t, place, placed(reminder.InTurn))
	long := strings.Repeat("deep/", 80) + "AGENTS.md"
	files := []session.Touched{{Path: "api/AGENTS.md", Text: "### api/AGENTS.md\n\nAnswer in JSON."}, {Path: long, Text: "Long."}, {Path: "a\nb/AGENTS.md", Text: "Odd."}, {Path: "deep/" + long, Text: "Longer."}}
	touch := func(want int, files ...session.Touched) *session.Changed {
		t.Helper()
		out, err := f.again().Touch(ctx, session.TouchRequest{ID: "s", Files: files})
		if err != nil {
			t.Fatal(err)
		}
		injected := 0
		for _, e := range out.Events {
			if e.Event == reminder.EventInjected {
				injected++
			}
		}
		if nothing := len(out.Notes) == 1 && out.Notes[0].Code == session.CodeNothingTouched; injected != want || nothing != (want == 0) || len(out.Notes) > 1 {
			t.Errorf("%d came up, want %d; %v", injected, want, out.Notes)
		}
		return out
	}
	touch(4, files...)
	if again := touch(0, files...); !strings.Contains(again.Notes[0].Message, `told before of "api/AGENTS.md"`) {
		t.Error(again.Notes[0].Message)
	}
	for n, end := range map[int]string{1: `of "api/AGENTS.md", and`, 2: `"api/AGENTS.md", "api/AGENTS.md", and`, 5: `"api/AGENTS.md", and`, 6: `"api/AGENTS.md" and 1 more, and`, 8: `"api/AGENTS.md" and 3 more, and`} {
		again := touch(0, slices.Repeat(files[:1], n)...)
		if got := again.Notes[0].Message; !strings.Contains(got, end+" is told again") || strings.Count(got, `"api/`) != min(n, 5) || strings.Count(got, `", "`) != min(n, 5)-1 {
			t.Errorf("of %d files: %s", n, got)
		}
	}
	if none := touch(0); !strings.Contains(none.Notes[0].Message, "no file of instructions") {
		t.Error(none.Notes[0].Message)
	}
	if shown := f.show("s"); len(shown.Pending) != 4 || len(shown.Notes) != 0 || shown.Pending[0].DedupeKey != "instructions:api/AGENTS.md" {
		t.Errorf("%+v", shown)
	}
	for range 3 {
		if turn := f.turn("s"); !strings.Contains(text(turn.Envelope), "Answer in JSON.") || len(turn.Reminders) != 4 {
			t.Errorf("%+v", turn)
		}
	}
	if child, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"}); err != nil || len(child.Inherited) != 0 {
		t.Errorf("%+v, %v", child, err)
	}
	if _, err := f.Compact(ctx, session.CompactRequest{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	touch(1, files[0])
	if _, err := f.Touch(ctx, session.TouchRequest{ID: "s", Files: []session.Touched{{Path: "b", Text: " "}}}); !errors.Is(err, reminder.Invalid) {
		t.Errorf("%v", err)
	}
}

// Envelopes stay where they were sent, each text once, until the conversation is
// compacted.
func TestAppendOnly(t *testing.T) { storetest.OnBoth(t, testAppendOnly) }

func testAppendOnly(t *testing.T, place string) {
	f := begin(t, place, session.Settings{AppendOnly: true})
	f.remind("s", reminder.Reminder{ID: "a", Body: "A.", TTLTurns: 2})
	sent := func() string {
		var out []string
		had := len(f.show("s").Sent)
		turn := f.again().turn("s")
		if turn.Envelope != nil {
			t.Errorf("an envelope beside those that were sent: %q", *turn.Envelope)
		}
		all := f.again().show("s").Sent
		if len(turn.Sent) > 1 || len(all) != had+len(turn.Sent) || len(turn.Sent) == 1 && turn.Sent[0] != all[len(all)-1] {
			t.Errorf("new is %v, of %v", turn.Sent, all)
		}
		for _, e := range all {
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

func TestProvidersInSession(t *testing.T) {
	place := storetest.SQLite(t)
	settings := placed(reminder.InTurn)
	settings.Providers = []string{"-idle_nudge"}
	f := begin(t, place, settings)
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

// Reminders in the system prompt change it, so no built-in provider is asked there
// unless it is named: the prompt stays as it was made, through a compaction too.
func TestSystemPromptStays(t *testing.T) {
	ctx := context.Background()
	everything := reminder.Moment{
		TokensUsed: 96, Window: 100, IdleTurns: 9, Truncated: []reminder.TruncatedOutput{{Tool: "read", Kept: 1, Total: 2}}, Drift: []string{"AGENTS.md"},
	}
	for _, x := range []struct {
		name      string
		settings  session.Settings
		caps      []string
		reminders []int // in a turn, after a compaction, on resume
	}{
		{"by default", session.Settings{}, nil, []int{0, 0, 0}},
		{"asked for", placed(reminder.InSystem), []string{"model.prompt_cache"}, []int{0, 0, 0}},
		{"one off", session.Settings{Providers: []string{"-idle_nudge"}}, nil, []int{0, 0, 0}},
		{"named", session.Settings{Providers: []string{"post_compact_recap"}}, nil, []int{0, 1, 0}},
		{"in the turn", session.Settings{}, []string{"model.prompt_cache"}, []int{4, 3, 4}},
	} {
		f := fresh(t, storetest.SQLite(t))
		f.files.caps = x.caps
		f.start("s", x.settings)
		before, _, err := f.System(ctx, "s")
		if err != nil {
			t.Fatal(err)
		}
		turn := func(m reminder.Moment, want int) {
			t.Helper()
			out, err := f.Turn(ctx, session.TurnRequest{ID: "s", Moment: m}, f.files.source)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Reminders) != want || (text(out.System) == before) != (want == 0 || out.Placement != reminder.InSystem) {
				t.Errorf("%s: %d reminders, want %d; %s\n%s", x.name, len(out.Reminders), want, out.Placement, text(out.System))
			}
		}
		turn(everything, x.reminders[0])
		if _, err := f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "All is done."}); err != nil {
			t.Fatal(err)
		}
		turn(reminder.Moment{TokensUsed: 96, Window: 100, Drift: []string{"AGENTS.md"}}, x.reminders[1])
		resumed := everything
		resumed.Kind, resumed.IdleTurns = reminder.OnResume, 0
		turn(resumed, x.reminders[2])
	}
}

// A turn tells the record of the prompt that it hands out. Asked for again under
// its key, also of a program that was started anew, it gives that prompt, whatever
// came after it.
func TestTurnTellsItsRecord(t *testing.T) { storetest.OnBoth(t, testTurnTellsItsRecord) }

func testTurnTellsItsRecord(t *testing.T, place string) {
	ctx := context.Background()
	f := fresh(t, place)
	perTurn := placed(reminder.InSystem)
	perTurn.PerTurn = true
	for id, settings := range map[string]session.Settings{
		"once": placed(reminder.InSystem), "per-turn": perTurn, "in-turn": placed(reminder.InTurn), "append-only": {AppendOnly: true},
	} {
		// The first turn makes the prompt, so that several records are written at once.
		f.files.err = errBroken
		if _, err := f.Start(ctx, session.StartRequest{ID: id, Settings: settings}, f.files.source); err != nil && !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		f.files.err = nil
		if id != "per-turn" {
			f.remind(id, reminder.Reminder{ID: "first", Body: "First.", TTLTurns: 1})
		}
		handed := map[string]*session.Turn{}
		for n := range 5 {
			f.files.instructions = fmt.Sprint("State ", n, ".") // seen where the prompt is made anew
			if n%2 == 1 {
				f.remind(id, reminder.Reminder{ID: fmt.Sprint("r", n), Body: fmt.Sprint("Reminder ", n, "."), TTLTurns: 1})
			}
			key := fmt.Sprint(id, "-key-", n)
			out, err := f.Turn(ctx, session.TurnRequest{ID: id, Options: session.Options{Key: key}}, f.files.source)
			if err != nil {
				t.Fatal(err)
			}
			handed[key] = out
			stored, ok, err := f.store.Text(ctx, id, out.Record)
			if err != nil || !ok || stored != text(out.System) {
				t.Errorf("%s, turn %d: record %d is %q, and %q was handed out, %v", id, n, out.Record, stored, text(out.System), err)
			}
			rec, err := f.store.Record(ctx, id, out.Record)
			if err != nil || rec.Label != fmt.Sprint("turn ", n) || rec.PromptDigest == nil || *rec.PromptDigest != text(out.Digest) {
				t.Errorf("%s, turn %d: record %d is %+v, %v", id, n, out.Record, rec, err)
			}
			// What the session says its prompt is has a record of its own.
			if shown := f.show(id); shown.Digest == nil || shown.Epoch == 0 {
				t.Errorf("%s, turn %d: it has no prompt: %+v", id, n, shown)
			} else {
				own, err := f.store.Record(ctx, id, shown.Record)
				if err != nil || own.PromptDigest == nil || *own.PromptDigest != *shown.Digest {
					t.Errorf("%s, turn %d: its prompt is record %d, %+v, %v", id, n, shown.Record, own, err)
				}
			}
		}
		for n := range 5 {
			key := fmt.Sprint(id, "-key-", n)
			again, err := f.again().Turn(ctx, session.TurnRequest{ID: id, Options: session.Options{Key: key}}, f.files.source)
			was := handed[key]
			if err != nil || !again.Replayed || text(again.System) != text(was.System) || again.Record != was.Record || text(again.Envelope) != text(was.Envelope) {
				t.Errorf("%s, turn %d again: %+v, %v; want %+v", id, n, again, err, was)
			}
		}
	}
}

// A turn can be ended without beginning another: lives go down, and the next one
// has the next number.
func TestEndTurn(t *testing.T) { storetest.OnBoth(t, testEndTurn) }

func testEndTurn(t *testing.T, place string) {
	ctx := context.Background()
	f := begin(t, place, placed(reminder.InTurn))
	f.remind("s", reminder.Reminder{ID: "one", Body: "Once.", TTLTurns: 1})
	f.remind("s", reminder.Reminder{ID: "two", Body: "Twice.", TTLTurns: 2})
	if got := f.turn("s"); got.Turn != 0 || len(got.Reminders) != 2 {
		t.Errorf("%+v", got)
	}
	done, err := f.EndTurn(ctx, session.EndRequest{ID: "s", Options: session.Options{Key: "end"}})
	if err != nil || done.Turn != 1 || len(done.Pending) != 1 || done.Pending[0].ID != "two" || done.Pending[0].TTLTurns != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if len(done.Events) != 1 || done.Events[0].Event != reminder.EventExpired || done.Events[0].ID != "one" || done.Events[0].Reason != reminder.ByTTL {
		t.Errorf("%+v", done.Events)
	}
	if shown := f.again().show("s"); shown.Turn != 1 || shown.TurnBuilt || len(shown.Pending) != 1 {
		t.Errorf("%+v", shown)
	}
	if again, err := f.again().EndTurn(ctx, session.EndRequest{ID: "s", Options: session.Options{Key: "end"}}); err != nil || !again.Replayed || again.Turn != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	// The turn that comes has ended the one before already, and doesn't again.
	if got := f.turn("s"); got.Turn != 1 || len(got.Reminders) != 1 {
		t.Errorf("%+v", got)
	}
	if done, err := f.EndTurn(ctx, session.EndRequest{ID: "s"}); err != nil || done.Turn != 2 || len(done.Pending) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := f.EndTurn(ctx, session.EndRequest{ID: "s", Options: session.Options{Expect: 1}}); !errors.Is(err, store.Conflict) {
		t.Errorf("%v", err)
	}
}

// A clock that goes back changes nothing but the times.
func TestClockGoesBack(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{})
	now := f.Now()
	f.Service.Now = func() time.Time { now = now.Add(-3600e9); return now }
	f.remind("s", reminder.Reminder{ID: "a", Body: "A.", TTLTurns: 1})
	if turn := f.turn("s"); len(turn.Reminders) != 1 {
		t.Errorf("%+v", turn)
	}
	if turn := f.turn("s"); len(turn.Reminders) != 0 {
		t.Errorf("%+v", turn)
	}
}

// mine is a provider of a host: it reminds in every third turn.
type mine struct{}

func (mine) Name() string { return "every_third" }

func (mine) Evaluate(m reminder.Moment, s reminder.Session) ([]reminder.Reminder, error) {
	if m.Kind != reminder.AtTurn || s.Turn%3 != 2 {
		return nil, nil
	}
	return []reminder.Reminder{{Body: "Look at the plan.", TTLTurns: 1, Source: reminder.Hook}}, nil
}

func TestOwnProvider(t *testing.T) {
	place := storetest.SQLite(t)
	f := fresh(t, place)
	f.Service.Providers = []reminder.Provider{mine{}}
	f.start("with", placed(reminder.InTurn))
	f.start("without", session.Settings{Providers: []string{"-every_third"}})
	for turn := range 6 {
		if got := len(f.turn("with").Reminders); got != []int{0, 0, 1}[turn%3] {
			t.Errorf("turn %d shows %d reminders", turn, got)
		}
		if got := len(f.turn("without").Reminders); got > 0 {
			t.Errorf("it is off and reminds in turn %d", turn)
		}
	}
	_, err := session.New(f.store).Start(context.Background(), session.StartRequest{ID: "x", Settings: session.Settings{Providers: []string{"-every_third"}}}, f.files.source)
	version := f.show("without").Version
	if out, err := session.New(f.store).Turn(context.Background(), session.TurnRequest{ID: "without"}, f.files.source); !errors.Is(err, reminder.Invalid) || f.show("without").Version != version {
		t.Errorf("a turn where nobody has the provider: %+v, %v", out, err)
	}
	if !errors.Is(err, reminder.Invalid) {
		t.Errorf("nobody has this provider: %v", err)
	}
}

// Tools that the prompt was not made with are told of, from the names that a host
// hands over or from the files.
func TestOtherTools(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{Providers: []string{"workspace_drift"}})
	turn := func(r session.TurnRequest) (*session.Turn, string) {
		t.Helper()
		r.ID = "s"
		out, err := f.Turn(context.Background(), r, f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, n := range out.Notes {
			notes = append(notes, fmt.Sprintf("%s: %s", n.Code, n.Message))
		}
		return out, strings.Join(notes, "\n")
	}
	if _, got := turn(session.TurnRequest{Tools: []string{"read"}, Check: session.DriftReminded}); got != "" {
		t.Error(got)
	}
	const want = "session.drifted: the prompt was made with other tools; new: write; gone: read"
	if out, got := turn(session.TurnRequest{Tools: []string{"write"}}); got != want || out.Drift != nil {
		t.Errorf("%s %+v", got, out)
	}
	if _, got := turn(session.TurnRequest{Tools: []string{}}); got != "session.drifted: the prompt was made with other tools; gone: read" {
		t.Error(got)
	}
	f.files.tools = []string{"write"}
	out, got := turn(session.TurnRequest{Check: session.DriftTold})
	if got != want || out.Drift == nil || !slices.Equal(out.Drift.Tools.Added, []string{"write"}) || out.Epoch != 1 || len(out.Reminders) > 0 {
		t.Errorf("%s %+v", got, out)
	}
	f.files.tools, f.files.instructions = []string{"read"}, "Run all tests."
	out, got = turn(session.TurnRequest{Check: session.DriftReminded})
	if got != "session.drifted: the prompt is used as it was made, and its sources would give another one now" || len(out.Reminders) != 1 {
		t.Errorf("%s %+v", got, out)
	}
	if got := f.show("s").Pending[0].Body; !strings.HasSuffix(got, "\n- \"AGENTS.md\"") {
		t.Errorf("%s", got)
	}
	// A child makes a prompt of its own, and so does the session now: nothing to
	// remind of is left.
	if out, err := f.Fork(context.Background(), session.ForkRequest{ID: "s", Child: "c"}); err != nil || len(out.Inherited) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
	again, err := f.Rematerialise(context.Background(), session.RematerialiseRequest{ID: "s"}, f.files.source)
	if err != nil || len(again.Events) != 1 || again.Events[0].Reason != reminder.ByClearing {
		t.Errorf("%+v, %v", again, err)
	}
	if out, got := turn(session.TurnRequest{Check: session.DriftReminded}); got != "" || len(out.Reminders) > 0 {
		t.Errorf("%s %+v", got, out)
	}
	f.files.err = errBroken
	if _, err := f.Turn(context.Background(), session.TurnRequest{ID: "s", Check: session.DriftTold}, f.files.source); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
}

// TestPromptsOfAnotherReleaseStay: the turn that is asked for again is as it was handed out,
// and a prompt that this release makes of its record goes with it where that has the same text
// alone.
func TestPromptsOfAnotherReleaseStay(t *testing.T) {
	f := begin(t, storetest.SQLite(t), placed(reminder.InTurn))
	keyed := session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}}
	first, err := f.Turn(t.Context(), keyed, f.files.source)
	if err != nil {
		t.Fatal(err)
	}
	for release, reduce := range map[string]func(cento.Input) (*cento.Prompt, error){
		"the same": cento.Reduce,
		"another": func(in cento.Input) (*cento.Prompt, error) {
			in.Fragments = append(in.Fragments, cento.Fragment{ID: "more", Body: "More."})
			return cento.Reduce(in)
		},
		"one without text": func(cento.Input) (*cento.Prompt, error) { return cento.Reduce(cento.Input{}) },
	} {
		again, err := session.New(f.store).WithReduce(reduce).Turn(t.Context(), keyed, nil)
		if err != nil || !again.Replayed || text(again.System) != text(first.System) || (again.Prompt != nil) != (release == "the same") {
			t.Errorf("by %s: %+v, %v", release, again, err)
		}
	}
}

// TestRecordsOfATurn: a turn without reminders has one record, wherever they would stand and
// however often the prompt is made.
func TestRecordsOfATurn(t *testing.T) {
	for _, perTurn := range []bool{false, true} {
		for _, place := range []reminder.Placement{reminder.InSystem, reminder.InTurn, reminder.InNative} {
			settings := placed(place)
			settings.PerTurn = perTurn
			f := begin(t, storetest.SQLite(t), settings)
			for range 3 {
				before := f.head("s")
				if turn := f.turn("s"); f.head("s") != before+1 || turn.Record != before+1 || turn.Aside != 0 {
					t.Errorf("%v, made at each turn %t: record %d after %d, aside %d, up to %d", place, perTurn, turn.Record, before, turn.Aside, f.head("s"))
				}
			}
		}
	}
}

// TestTurnOf: a record is of a turn as the session labels it, and in no other spelling.
func TestTurnOf(t *testing.T) {
	for label, want := range map[string]int64{
		"turn 0": 0, "turn 12": 12, "turn": -1, "turn -1": -1, "turn +1": -1, "turn 01": -1, "turn 1 envelope": -1, "materialise for turn 1": -1, "1": -1, "": -1,
	} {
		turn, ok := session.TurnOf(label)
		if ok != (want >= 0) || ok && turn != want {
			t.Errorf("%q: %d, %v", label, turn, ok)
		}
	}
}
