package session_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
)

func TestDrift(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{})
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
	// So is another model.
	f.files.caps = nil
	d, err := f.again().Drift(ctx, "s", func(ctx context.Context, r session.Reading) (cento.Input, error) {
		in, err := f.files.source(ctx, r)
		in.Active.Model = "another"
		return in, err
	})
	if err != nil || !d.Drifted || d.Model == nil || *d.Model != (session.NameChange{From: "", To: "another"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if turn := f.turn("s"); turn.Epoch != 1 {
		t.Errorf("drift made a prompt: %+v", turn)
	}
}

// The sources are read as of the moment that the prompt was made at, so that the
// time alone is no drift; and a prompt that a turn makes itself has none to tell.
func TestDriftOfTheSameMoment(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	made := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	var asked []time.Time
	source := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		asked = append(asked, r.Now)
		in, err := f.files.source(ctx, r)
		if in.Files.Now = r.Now; r.Now.IsZero() {
			in.Files.Now = made
		}
		return in, err
	}
	f.files.err = errBroken
	if _, err := f.Start(ctx, session.StartRequest{ID: "s"}, source); err == nil {
		t.Fatal("the first prompt was made")
	}
	f.files.err = nil
	asked = nil
	first, err := f.Turn(ctx, session.TurnRequest{ID: "s", Check: session.DriftTold}, source)
	if err != nil || first.Drift != nil || len(asked) != 1 || !asked[0].IsZero() {
		t.Errorf("%+v, %v; asked at %v", first, err, asked)
	}
	next, err := f.Turn(ctx, session.TurnRequest{ID: "s", Check: session.DriftTold}, source)
	if err != nil || next.Drift == nil || next.Drift.Drifted || len(asked) != 2 || !asked[1].Equal(made) {
		t.Errorf("%+v, %v; asked at %v", next, err, asked)
	}
}

// The reminder of drift names files whose text is another one. Of a fragment that is in
// or out for another reason, or that stands elsewhere, the file may be as it was; and a
// file of the program is nobody's to look at.
func TestReminderOfDrift(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	type written struct{ id, file, body, needs string }
	was := []written{{"style", "style.md", "Be brief.", ""}, {"gone", "gone.md", "Go away.", ""}, {"gated", "gated.md", "Ask.", "read"}, {"first", "first.md", "One.", ""}, {"own", "$builtin/own.md", "Ours.", ""}}
	source := func(list []written) session.Source {
		return func(context.Context, session.Reading) (in cento.Input, err error) {
			in = f.files.input()
			for _, w := range list {
				x := cento.NewFragment(w.id, "", cento.Before, w.body)
				x.Origin = cento.Position{File: w.file, Line: 1, Column: 1}
				if w.needs != "" {
					x.RequiresTools = []string{w.needs}
				}
				in.Fragments = append(in.Fragments, x)
			}
			return in, nil
		}
	}
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Settings: placed(reminder.InTurn)}, source(was)); err != nil {
		t.Fatal(err)
	}
	f.files.tools = nil
	is := []written{{"first", "first.md", "One.", ""}, {"style", "style.md", "Be very brief.", ""}, {"gated", "gated.md", "Ask.", "read"}, {"new", "new.md", "Come in.", ""}, {"own", "$builtin/own.md", "Ours, and new.", ""}}
	out, err := f.Turn(ctx, session.TurnRequest{ID: "s", Check: session.DriftReminded}, source(is))
	if err != nil || out.Drift == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, file := range []string{"style.md", "gone.md", "new.md"} {
		if !strings.Contains(text(out.Envelope), file) {
			t.Errorf("%s isn't named: %s", file, text(out.Envelope))
		}
	}
	for _, file := range []string{"gated.md", "first.md", "$builtin"} {
		if strings.Contains(text(out.Envelope), file) {
			t.Errorf("%s is named: %s", file, text(out.Envelope))
		}
	}
	whats := map[string]string{}
	for _, d := range out.Drift.Fragments {
		whats[d.ID] = d.What + " " + strings.Join(d.Files, " ")
	}
	for id, want := range map[string]string{
		"style": "changed style.md", "gone": "removed gone.md", "new": "added new.md", "gated": "verdict gated.md", "own": "changed $builtin/own.md",
	} {
		if whats[id] != want {
			t.Errorf("%s: %q, want %q of %v", id, whats[id], want, whats)
		}
	}
}

// TestDriftOfWhatIsIncluded: of a text that several files make, those are named whose part
// is another one.
func TestDriftOfWhatIsIncluded(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	sources := map[string]string{
		"$workspace/style.md": "Be brief.\n{% include '$workspace/tests.md' %}\n{% include '$workspace/words.md' %}",
		"$workspace/tests.md": "Run the tests.", "$workspace/words.md": "Use plain words.",
	}
	source := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{
			Fragments: []cento.Fragment{{ID: "style", Template: "$workspace/style.md"}},
			Files:     cento.Files{Sources: maps.Clone(sources)},
		}, nil
	}
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, source); err != nil {
		t.Fatal(err)
	}
	sources["$workspace/tests.md"] = "Run all tests."
	d, err := f.Drift(t.Context(), "s", source)
	if err != nil || len(d.Fragments) != 1 || d.Fragments[0].What != "changed" || !slices.Equal(d.Fragments[0].Files, []string{"$workspace/tests.md"}) || !slices.Equal(d.Files, d.Fragments[0].Files) {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestDriftOfReplacedFiles: files that a host brought in the place of the program's own are
// its files, and are named where they changed.
func TestDriftOfReplacedFiles(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	sources := map[string]string{"$builtin/style.md": "Be brief.\n{% include '$builtin/tests.md' %}\n{% include '$workspace/words.md' %}", "$builtin/tests.md": "Run the tests.", "$workspace/words.md": "Use plain words."}
	source := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{
			Fragments: []cento.Fragment{{ID: "style", Template: "$builtin/style.md"}},
			Files:     cento.Files{Sources: maps.Clone(sources), Prefixes: map[string]cento.Trust{"$builtin": cento.TrustHost}},
		}, nil
	}
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: placed(reminder.InTurn)}, source); err != nil {
		t.Fatal(err)
	}
	sources["$builtin/tests.md"] = "Run all tests."
	d, err := f.Drift(t.Context(), "s", source)
	if err != nil || len(d.Fragments) != 1 || !slices.Equal(d.Files, []string{"$builtin/tests.md"}) {
		t.Errorf("%+v, %v", d, err)
	}
	// So they are beside files of others, and whoever asks to be reminded is told of them.
	sources["$workspace/words.md"] = "Use few words."
	both := []string{"$builtin/tests.md", "$workspace/words.md"}
	if d, err = f.Drift(t.Context(), "s", source); err != nil || len(d.Fragments) != 1 || !slices.Equal(d.Files, both) {
		t.Errorf("%+v, %v", d, err)
	}
	turn, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Check: session.DriftReminded}, source)
	for _, file := range both {
		if err != nil || !strings.Contains(text(turn.Envelope), file) {
			t.Errorf("%s isn't named: %+v, %v", file, turn, err)
		}
	}
}

// TestDriftOfTextsWithoutFile: a fragment without a text, such as a prompt file that isn't
// rendered, is one of the file that declares it; of one with a text the files that this is from
// are named alone.
func TestDriftOfTextsWithoutFile(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	source := func(empty, included string) session.Source {
		return func(context.Context, session.Reading) (cento.Input, error) {
			at := func(file string) cento.Position { return cento.Position{File: file, Line: 1, Column: 1} }
			sources := map[string]string{"$workspace/style.md": "Be brief.\n{% include '$workspace/tests.md' %}", "$workspace/tests.md": included, "$workspace/later.md": "Later."}
			later := cento.Fragment{ID: "later-" + empty, Template: "$workspace/later.md", Origin: at(empty + ".yaml"), RequiresTools: []string{"none"}}
			return cento.Input{
				Fragments: []cento.Fragment{later, {ID: "gated", Body: "Ask.", Origin: at("gated.md"), RequiresTools: []string{empty}}, {ID: "style", Template: "$workspace/style.md", Origin: at("cento.yaml")}},
				Files:     cento.Files{Sources: sources}, Active: cento.Active{Tools: []string{"there"}},
			}, nil
		}
	}
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, source("missing", "Run the tests.")); err != nil {
		t.Fatal(err)
	}
	d, err := f.Drift(t.Context(), "s", source("there", "Run all tests."))
	if err != nil || !slices.Equal(d.Files, []string{"$workspace/tests.md", "gated.md", "missing.yaml", "there.yaml"}) {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestDriftOfWhatIsLeftOut: a fragment that is left out and is another one, or isn't there any
// more, is drift, though no byte of the prompt is another one.
func TestDriftOfWhatIsLeftOut(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	source := func(more ...cento.Fragment) session.Source {
		return func(context.Context, session.Reading) (cento.Input, error) {
			return cento.Input{Fragments: append([]cento.Fragment{{ID: "a", Body: "Be careful."}}, more...)}, nil
		}
	}
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, source(cento.Fragment{ID: "gated", Body: "Ask.", RequiresTools: []string{"none"}})); err != nil {
		t.Fatal(err)
	}
	for what, from := range map[string]session.Source{
		"removed": source(),
		"changed": source(cento.Fragment{ID: "gated", Body: "Ask first.", RequiresTools: []string{"none"}}),
	} {
		d, err := f.Drift(t.Context(), "s", from)
		if err != nil || !d.Drifted || len(d.Fragments) != 1 || d.Fragments[0].What != what {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
}

// TestModelOfTheTurn: which model a turn is for is what the host says of it, whatever the
// sources would say now.
func TestModelOfTheTurn(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	of := func(model string) session.Source {
		return func(context.Context, session.Reading) (cento.Input, error) {
			in := f.files.input()
			in.Active.Model = model
			return in, nil
		}
	}
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, of("one")); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"":      `the prompt was made for the model "one", and this turn is for the model "two"`,
		"one":   "the prompt is used as it was made, and its sources would give another one now",
		"three": `the prompt was made for the model "one", and this turn is for the model "three"`,
	} {
		turn, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Model: said, Check: session.DriftTold}, of("two"))
		if err != nil || len(turn.Notes) != 1 || turn.Notes[0].Message != want {
			t.Errorf("for %q: %+v, %v; want %s", said, turn.Notes, err, want)
		}
	}
}

// A release that makes another prompt of a stored input uses the stored one, and says
// that it can't tell which fragments differ, nor record the turn.
func TestPromptOfAnotherRelease(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), placed(reminder.InSystem))
	before, _, err := f.System(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{ID: "a", Body: "Tests are red.", TTLTurns: 9})
	other := session.New(f.store).WithReduce(func(in cento.Input) (*cento.Prompt, error) {
		in.Fragments = append(in.Fragments, cento.Fragment{ID: "more", Body: "More."})
		return cento.Reduce(in)
	})
	d, err := other.Drift(ctx, "s", f.files.source)
	if err != nil || !d.Drifted || len(d.Fragments) > 0 || len(d.Notes) != 1 || d.Notes[0].Code != session.CodeNotReplayed {
		t.Errorf("%+v, %v", d, err)
	}
	keyed := session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}}
	out, err := other.Turn(ctx, keyed, nil)
	if err != nil || text(out.System) != before || out.Placement != reminder.InTurn || !strings.Contains(text(out.Envelope), "Tests are red.") {
		t.Fatalf("%+v, %v", out, err)
	}
	var codes []cento.Code
	for _, n := range out.Notes {
		codes = append(codes, n.Code)
	}
	if !slices.Equal(codes, []cento.Code{session.CodeNotReplayed, session.CodePlacedInTurn}) {
		t.Errorf("notes %+v", out.Notes)
	}
	if again, err := other.Turn(ctx, keyed, nil); err != nil || !again.Replayed || again.Record != 0 || text(again.System) != before || text(again.Envelope) != text(out.Envelope) {
		t.Errorf("asked again: %+v, %v", again, err)
	}
}
