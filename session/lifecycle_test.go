package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// What the answer of an operation says of a session is how that stands then, whatever was
// done, and so is what a child begins with.
func TestAnswersTellHowItStands(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := t.Context()
	var meta session.Meta
	changed := func(out *session.Changed, err error) error {
		if err != nil {
			return err
		}
		if got, want := out.Pending, f.show(out.Session).Pending; dump(t, got) != dump(t, want) || got == nil || out.Events == nil {
			t.Errorf("%d reminders are told, of %d; %d events", len(got), len(want), len(out.Events))
		}
		meta = out.Meta
		return nil
	}
	started := func(out *session.Started, err error) error {
		if err == nil {
			meta = out.Meta
		}
		return err
	}
	version := int64(0)
	for _, x := range []struct {
		name string
		do   func() error
		same bool // it changes nothing
	}{
		{"start", func() error { return started(f.Start(ctx, session.StartRequest{ID: "s"}, f.files.source)) }, false},
		{"materialise", func() error { return started(f.Materialise(ctx, "s", f.files.source)) }, true},
		{"remind", func() error {
			return changed(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{ID: "r", Body: "Tests are red.", Propagate: reminder.ToAll, PreserveOnCompact: true}}))
		}, false},
		{"turn", func() error {
			out, err := f.Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source)
			if err == nil {
				meta = out.Meta
			}
			return err
		}, false},
		{"usage", func() error {
			out, err := f.Usage(ctx, session.UsageRequest{ID: "s", Usage: []byte(`{"input_tokens": 7}`)})
			if err == nil {
				meta = out.Meta
			}
			return err
		}, false},
		{"end", func() error { return changed(f.EndTurn(ctx, session.EndRequest{ID: "s"})) }, false},
		{"touch", func() error {
			return changed(f.Touch(ctx, session.TouchRequest{ID: "s", Files: []session.Touched{{Path: "a/AGENTS.md", Text: "Be brief."}}}))
		}, false},
		{"compact", func() error { return changed(f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "Some."})) }, false},
		{"rematerialise", func() error {
			out, err := f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, f.files.source)
			if err == nil {
				meta = out.Meta
			}
			return err
		}, false},
		{"fork", func() error {
			out, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"})
			if err != nil {
				return err
			}
			child := f.show("c")
			if out.Meta != child.Meta || out.Parent != child.Parent || out.Parent != "s" || len(child.Pending) == 0 || dump(t, out.Inherited) != dump(t, child.Pending) {
				t.Errorf("of the child is told %+v, and it is %+v", out, child)
			}
			meta = f.show("s").Meta
			return nil
		}, true},
		{"clear", func() error {
			return changed(f.Clear(ctx, session.ClearRequest{ID: "s", Match: reminder.Match{ID: "r"}}))
		}, false},
	} {
		if err := x.do(); err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if !x.same {
			version++
		}
		if x.name == "start" {
			version = meta.Version
		}
		if want := f.show("s").Meta; meta != want || meta.Version != version || meta.Session != "s" || meta.Replayed {
			t.Errorf("%s: told %+v, and it is %+v; want version %d", x.name, meta, want, version)
		}
	}
}

// A child has the settings, the layer and the reminders that it inherits, and
// makes a prompt of its own; the parent's stays.
func TestFork(t *testing.T) { storetest.OnBoth(t, testFork) }

func testFork(t *testing.T, place string) {
	f := fresh(t, place)
	ctx := context.Background()
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Settings: placed(reminder.InTurn), Own: session.Own{Layer: &layer.Layer{}}}, f.files.source); err != nil {
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

func TestBadRequests(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{})
	ctx := context.Background()
	start := func(r session.StartRequest) error {
		_, err := f.Start(ctx, r, f.files.source)
		return err
	}
	if err := start(session.StartRequest{ID: "longest", Own: session.Own{Caps: []string{strings.Repeat("c", reminder.MaxName)}}}); err != nil {
		t.Errorf("a name of the greatest length: %v", err)
	}
	native, system, nowhere := reminder.InNative, reminder.InSystem, reminder.Placement(7)
	for _, x := range []struct {
		name string
		err  error
		want cento.ErrorCode
	}{
		{"same id", start(session.StartRequest{ID: "s"}), store.SessionExists},
		{"blank id", start(session.StartRequest{ID: " "}), reminder.InvalidSessionID},
		{"id of lines", start(session.StartRequest{ID: "a\nb"}), reminder.InvalidSessionID},
		{"placement", start(session.StartRequest{ID: "x", Settings: session.Settings{AppendOnly: true, Placement: &native}}), session.WrongSettings},
		{"placement in the prompt", start(session.StartRequest{ID: "x", Settings: session.Settings{AppendOnly: true, Placement: &system}}), session.WrongSettings},
		{"provider", start(session.StartRequest{ID: "x", Settings: session.Settings{Providers: []string{"y"}}}), reminder.Invalid},
		{"longer name", start(session.StartRequest{ID: "x", Own: session.Own{Caps: []string{strings.Repeat("c", reminder.MaxName+1)}}}), session.WrongSettings},
		{"unknown session", second(f.Turn(ctx, session.TurnRequest{ID: "t"}, f.files.source)), store.UnknownSession},
		{"unknown parent", second(f.Fork(ctx, session.ForkRequest{ID: "t", Child: "u"})), store.UnknownSession},
		{"no child", second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: ""})), reminder.InvalidSessionID},
		{"placement of a child", second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: "x", Settings: &session.Settings{Placement: &nowhere}})), session.WrongSettings},
		{"provider of a child", second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: "x", Settings: &session.Settings{Providers: []string{"y"}}})), reminder.Invalid},
		{"blank body", second(f.Remind(ctx, session.RemindRequest{ID: "s"})), reminder.Invalid},
		{"ttl", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "x", TTLTurns: 1e12}})), reminder.Invalid},
		{"ttl below", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "x", TTLTurns: -1}})), reminder.Invalid},
		{"authority", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "x", Authority: 9}})), reminder.Invalid},
		{"placement", start(session.StartRequest{ID: "x", Settings: placed(7)}), session.WrongSettings},
		{"moment", second(f.Turn(ctx, session.TurnRequest{ID: "s", Moment: reminder.Moment{IdleTurns: -1}}, f.files.source)), reminder.Invalid},
		{"id that is no text", start(session.StartRequest{ID: "\xff"}), cento.InvalidUTF8},
		{"long id", start(session.StartRequest{ID: strings.Repeat("x", 300)}), reminder.InvalidSessionID},
		{"child of its own", second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: "s"})), reminder.InvalidSessionID},
		{"recap", second(f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "\xff"})), cento.InvalidUTF8},
		{"reason", second(f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Reason: "a\nb"}, f.files.source)), session.WrongReason},
		{"key", second(f.Remind(ctx, session.RemindRequest{ID: "s", Options: session.Options{Key: "\xff"}, Reminder: reminder.Reminder{Body: "x"}})), store.Invalid},
		{"nothing to clear", second(f.Clear(ctx, session.ClearRequest{ID: "s"})), reminder.Invalid},
		{"utf-8", second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{Body: "\xff"}})), cento.InvalidUTF8},
	} {
		if !errors.Is(x.err, x.want) {
			t.Errorf("%s: %v, want %s", x.name, x.err, x.want)
		}
	}
	_, err := f.Turn(ctx, session.TurnRequest{ID: "S"}, f.files.source)
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Hint != `did you mean "s"?` {
		t.Errorf("%v", err)
	}
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "s"}); err == nil || !strings.Contains(err.Error(), `"s" is the session that is forked`) {
		t.Errorf("a child of its own: %v", err)
	}
	if got := f.show("s"); len(got.Pending) > 0 || got.Version != 2 {
		t.Errorf("a refused request changed something: %+v", got)
	}
	if _, err := f.store.Session(ctx, "x", store.Projects{}); !errors.Is(err, store.UnknownSession) {
		t.Errorf("%v", err)
	}
}

// A session doesn't outgrow what is stored for it: the reminder that would is
// refused, with the way out, and those before it stay.
func TestTooLarge(t *testing.T) { storetest.OnBoth(t, testTooLarge) }

func testTooLarge(t *testing.T, place string) {
	f := begin(t, place, session.Settings{})
	r := reminder.Reminder{Body: strings.Repeat("x", reminder.MaxBody)}
	for range 3 {
		f.remind("s", r)
	}
	_, err := f.Remind(context.Background(), session.RemindRequest{ID: "s", Reminder: r})
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != cento.LimitExceeded || e.Hint != "clear reminders, or compact the conversation" {
		t.Errorf("%v", err)
	}
	if got := f.show("s"); len(got.Pending) != 3 {
		t.Errorf("%d reminders", len(got.Pending))
	}
}

// A reminder that no turn could show is refused when it comes, so that a session
// never stands still for one.
func TestShowable(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := context.Background()
	strict := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		in := f.files.input()
		in.Policy.Session, in.Limits.Prompt = cento.RejectHidden, 300
		return in, nil
	}
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Settings: placed(reminder.InTurn)}, strict); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{ID: "a", Body: "Tests are red."})
	for _, x := range []struct {
		err  error
		want cento.ErrorCode
	}{
		{second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{ID: "b", Body: "safe\u202etext"}})), cento.HiddenText},
		{second(f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: reminder.Reminder{ID: "c", Body: strings.Repeat("x", 300)}})), cento.LimitExceeded},
		{second(f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "safe\u202etext"})), cento.HiddenText},
	} {
		if !errors.Is(x.err, x.want) {
			t.Errorf("%v, want %s", x.err, x.want)
		}
	}
	turn, err := f.Turn(ctx, session.TurnRequest{ID: "s"}, strict)
	if err != nil || !slices.Equal(turn.Reminders, []string{"a"}) {
		t.Errorf("%+v, %v", turn, err)
	}
}

// What is told of a reminder is told of the one that is injected, whatever else holds.
func TestRemindTellsOfItsOwn(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	f.start("s", session.Settings{})
	for _, c := range []struct {
		r    reminder.Reminder
		want int
	}{
		{reminder.Reminder{ID: "stays", Body: "Until the compaction."}, 1},
		{reminder.Reminder{ID: "ends", Body: "For a turn.", TTLTurns: 1}, 0},
		{reminder.Reminder{ID: "kept", Body: "Beyond it.", PreserveOnCompact: true}, 0},
		{reminder.Reminder{ID: "another", Body: "As the first."}, 1},
	} {
		out, err := f.Remind(ctx, session.RemindRequest{ID: "s", Reminder: c.r})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Notes) != c.want || c.want == 1 && (out.Notes[0].Code != reminder.CodeImmortal || !strings.Contains(out.Notes[0].Message, c.r.ID)) {
			t.Errorf("%s: %+v", c.r.ID, out.Notes)
		}
	}
}

// TestRemindersOutliveThePrompt: a session whose prompt was taken out of the store takes
// reminders and compactions all the same; its next turn tells.
func TestRemindersOutliveThePrompt(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), session.Settings{})
	if _, err := f.store.Redact(ctx, store.RedactOptions{Fragment: cento.InstructionsID}); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{ID: "a", Body: "Tests are red.", PreserveOnCompact: true})
	for _, g := range []*fixture{f, f.again()} {
		if out, err := g.Compact(ctx, session.CompactRequest{ID: "s"}); err != nil || len(out.Pending) != 1 {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if _, err := f.Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source); !errors.Is(err, store.Redacted) {
		t.Errorf("%v", err)
	}
}

// TestRematerialisingClearsItsOwn: a new prompt ends what the provider said of the old one,
// and no reminder of somebody else that has the same key.
func TestRematerialisingClearsItsOwn(t *testing.T) {
	f := begin(t, storetest.SQLite(t), session.Settings{})
	f.remind("s", reminder.Reminder{ID: "mine", Body: "Look at the files.", DedupeKey: reminder.WorkspaceDrift})
	out, err := f.Rematerialise(t.Context(), session.RematerialiseRequest{ID: "s"}, f.files.source)
	if err != nil || len(out.Events) != 0 || len(f.show("s").Pending) != 1 {
		t.Errorf("%+v, %v; left %+v", out, err, f.show("s").Pending)
	}
}
