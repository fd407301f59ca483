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
	id := begun("in turn", placed(reminder.InTurn))
	if got := f.turn(id); text(got.System) != plain || text(got.Envelope) != envelope || got.Messages != nil {
		t.Errorf("%+v", got)
	}
	id = begun("in system", placed(reminder.InSystem))
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
	id = begun("by the model", session.Settings{})
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
func TestAppendOnly(t *testing.T) { storetest.OnBoth(t, testAppendOnly) }

func testAppendOnly(t *testing.T, place string) {
	f := begin(t, place, session.Settings{AppendOnly: true})
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

func TestProvidersInSession(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{Providers: []string{"-idle_nudge"}})
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
	_, err := session.New(f.store, cento.Reduce).Start(context.Background(), session.StartRequest{ID: "x", Settings: session.Settings{Providers: []string{"-every_third"}}}, f.files.source)
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

// Looking at a session tells what its next turn would hand out, and changes
// nothing.
func TestView(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := context.Background()
	f.files.caps = []string{"model.family.claude"}
	for placement, want := range map[reminder.Placement]string{
		reminder.InTurn:   "<context-directives>\n<directive authority=\"contract\">\nTests are red.\n</directive>\n</context-directives>",
		reminder.InNative: "<system-reminder>\nTests are red.\n</system-reminder>",
		reminder.InSystem: "",
	} {
		id := placement.String()
		if _, err := f.View(ctx, id); !errors.Is(err, store.UnknownSession) {
			t.Errorf("%v", err)
		}
		f.start(id, placed(placement))
		if v, err := f.View(ctx, id); err != nil || v.Aside != nil || v.Prompt.Bytes() == 0 {
			t.Errorf("%+v, %v", v, err)
		}
		f.remind(id, reminder.Reminder{ID: "a", Body: "Tests are red.", TTLTurns: 2})
		version := f.show(id).Version
		v, err := f.View(ctx, id)
		if err != nil || v.Placement != placement || f.show(id).Version != version {
			t.Fatalf("%+v, %v", v, err)
		}
		aside := ""
		if v.Aside != nil {
			aside, _ = v.Aside.System()
		}
		if aside != want {
			t.Errorf("%s: %q", id, aside)
		}
		if _, ok := v.Prompt.Index("reminder:a"); ok != (want == "") {
			t.Errorf("%s: in the prompt %v", id, ok)
		}
		turn := f.turn(id)
		if said, _ := v.Prompt.System(); text(turn.System) != said {
			t.Errorf("%s: the turn has\n%s\nand was announced as\n%s", id, text(turn.System), said)
		}
	}
}
