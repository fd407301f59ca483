package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Whoever asks, fails and asks again, and in which order: a session has one
// prompt.
func TestMaterialiseOnce(t *testing.T) { storetest.OnBoth(t, testMaterialiseOnce) }

func testMaterialiseOnce(t *testing.T, place string) {
	handles := []*store.Store{open(t, place), open(t, place)}
	ctx := context.Background()
	for round := range 6 {
		id := fmt.Sprint("s", round)
		if _, err := session.New(handles[0]).Start(ctx, session.StartRequest{ID: id}, func(context.Context, session.Reading) (cento.Input, error) {
			return cento.Input{}, errBroken
		}); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		const callers = 12
		texts := make([]string, callers)
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				faulty := &faultyStore{Store: handles[i%2], fail: []fault{none, before, after}[(i+round)%3]}
				f := project()
				f.system = fmt.Sprintf("You are number %d.", i)
				if i%4 == 1 {
					f.err = errBroken
				}
				for range 3 {
					service := session.New(faulty) // a crash forgets what was in memory
					var err error
					switch (i + round) % 4 {
					case 0:
						_, err = service.Start(ctx, session.StartRequest{ID: id}, f.source)
						if errors.Is(err, store.SessionExists) { // somebody was quicker
							err = nil
						}
					case 1:
						_, err = service.Turn(ctx, session.TurnRequest{ID: id}, f.source)
					default:
						_, err = service.Materialise(ctx, id, f.source)
					}
					f.err = nil
					if err != nil {
						continue
					}
					text, ok, err := service.System(ctx, id)
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
		records, err := handles[1].Records(ctx, store.RecordQuery{Session: id})
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, r := range records {
			if r.Label == "materialise" {
				made++
			}
		}
		if made != 1 {
			t.Errorf("the prompt was recorded %d times", made)
		}
	}
}

// A session whose first prompt failed is begun by asking again, in the same words
// and in no others.
func TestStartAgain(t *testing.T) { storetest.OnBoth(t, testStartAgain) }

func testStartAgain(t *testing.T, place string) {
	f := fresh(t, place)
	ctx := context.Background()
	ask := func(settings session.Settings) error {
		_, err := f.again().Start(ctx, session.StartRequest{ID: "s", Settings: settings}, f.files.source)
		return err
	}
	f.files.err = errBroken
	for range 2 {
		if err := ask(session.Settings{}); !errors.Is(err, errBroken) {
			t.Errorf("%v", err)
		}
	}
	f.files.err = nil
	if err := ask(session.Settings{AppendOnly: true}); !errors.Is(err, store.SessionExists) {
		t.Errorf("%v", err)
	}
	if err := ask(session.Settings{}); err != nil {
		t.Error(err)
	}
	if err := ask(session.Settings{}); !errors.Is(err, store.SessionExists) {
		t.Errorf("%v", err)
	}
	if got := f.show("s"); got.Epoch != 1 {
		t.Errorf("%+v", got)
	}
	// One whose prompt is made for each turn waits for none.
	for _, want := range []error{nil, store.SessionExists} {
		_, err := f.Start(ctx, session.StartRequest{ID: "each", Settings: session.Settings{PerTurn: true}}, f.files.source)
		if !errors.Is(err, want) || f.show("each").Epoch != 0 {
			t.Errorf("%v, want %v", err, want)
		}
	}
	// A child that waits for its prompt was begun by a fork, and in no words of its own.
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "c"}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Start(ctx, session.StartRequest{ID: "c"}, f.files.source); !errors.Is(err, store.SessionExists) || f.show("c").Epoch != 0 {
		t.Errorf("%v", err)
	}
}

// The version that a caller has seen holds for a first turn too, which makes the
// prompt in the same step.
func TestFirstTurnExpects(t *testing.T) { storetest.OnBoth(t, testFirstTurnExpects) }

func testFirstTurnExpects(t *testing.T, place string) {
	f := fresh(t, place)
	ctx := context.Background()
	f.files.err = errBroken
	if _, err := f.Start(ctx, session.StartRequest{ID: "s"}, f.files.source); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	f.files.err = nil
	seen := f.show("s").Version
	out, err := f.Turn(ctx, session.TurnRequest{ID: "s", Options: session.Options{Expect: seen}}, f.files.source)
	if err != nil || out.Version != seen+1 || out.Epoch != 1 || out.Record != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	if again := f.again().turn("s"); text(again.System) != text(out.System) || again.Epoch != 1 {
		t.Errorf("%+v", again)
	}
}

// A session that was taken to another store goes on there, on either engine.
func TestMoves(t *testing.T) { storetest.OnBoth(t, testMoves) }

func testMoves(t *testing.T, place string) {
	f := begin(t, place, session.Settings{AppendOnly: true})
	f.remind("s", reminder.Reminder{ID: "a", Body: "A.", TTLTurns: 2})
	first := f.turn("s")
	var exported bytes.Buffer
	if err := f.store.Export(context.Background(), &exported, store.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	target := storetest.SQLite(t)
	if !strings.HasPrefix(place, "postgres:") {
		target = storetest.Postgres(t)
	}
	g := fresh(t, target)
	if _, err := g.store.Import(context.Background(), &exported, store.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	g.files.err = errBroken // nothing has to be read
	here, there := f.turn("s"), g.turn("s")
	if dump(t, here) != dump(t, there) || text(there.System) != text(first.System) || len(there.Sent) != 0 || there.Turn != 1 {
		t.Errorf("%+v\n%+v", here, there)
	}
	if was, is := f.show("s").Sent, g.show("s").Sent; len(first.Sent) != 1 || !slices.Equal(is, first.Sent) || !slices.Equal(was, is) {
		t.Errorf("of the envelopes %v there are %v and %v", first.Sent, was, is)
	}
}

// Records that were stored under a name without a session aren't one.
func TestRecordsAlone(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	in := f.files.input()
	p, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := f.store.Append(ctx, "s", store.Draft{Prompt: p, Input: in}); err != nil {
		t.Fatal(err)
	}
	_, err = f.Start(ctx, session.StartRequest{ID: "s"}, f.files.source)
	if !errors.Is(err, store.UnknownSession) || !strings.Contains(err.Error(), "records and no state") {
		t.Errorf("%v", err)
	}
	if _, err := f.Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source); !errors.Is(err, store.UnknownSession) {
		t.Errorf("%v", err)
	}
}

// However many sessions are in use, memory is bounded, and what isn't held is read
// again.
func TestManySessions(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	for i := range 300 {
		f.start(fmt.Sprint("s", i), session.Settings{})
	}
	for _, i := range []int{0, 299, 1} {
		if text, ok, err := f.System(context.Background(), fmt.Sprint("s", i)); err != nil || !ok || !strings.Contains(text, "You are careful.") {
			t.Errorf("%d: %q, %v", i, text, err)
		}
	}
}

// What is swept from a store isn't the prompt of a session that goes on; one that
// was taken out on purpose is told of, and a new one can be made.
func TestPromptStays(t *testing.T) { storetest.OnBoth(t, testPromptStays) }

func testPromptStays(t *testing.T, place string) {
	f := begin(t, place, placed(reminder.InTurn))
	ctx := context.Background()
	f.remind("s", reminder.Reminder{ID: "a", Body: "A."})
	first := f.turn("s")
	old := f.Now()
	f.Service.Now = func() time.Time { return old.Add(48 * time.Hour) }
	f.turn("s")
	sweep := func(before time.Time) {
		t.Helper()
		if _, err := f.store.GC(ctx, store.GCOptions{Before: before, Needs: session.Needs}); err != nil {
			t.Fatal(err)
		}
	}
	sweep(old.Add(24 * time.Hour))
	if got := f.again().turn("s"); text(got.System) != text(first.System) || got.Epoch != 1 {
		t.Errorf("%+v", got)
	}
	sweep(old.Add(96 * time.Hour)) // the session is older than that, too
	_, err := f.again().Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source)
	if !errors.Is(err, store.UnknownRecord) || !strings.Contains(err.Error(), `the prompt of session "s" is no longer stored`) {
		t.Errorf("%v", err)
	}
	if _, err := f.again().Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, f.files.source); err != nil {
		t.Error(err)
	}
	if got := f.again().turn("s"); text(got.System) != text(first.System) || got.Epoch != 2 {
		t.Errorf("%+v", got)
	}
	if v, err := f.store.Verify(ctx, store.VerifyOptions{}); err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := f.store.Redact(ctx, store.RedactOptions{Fragment: "primary:system"}); err != nil {
		t.Fatal(err)
	}
	// A service that has it in memory doesn't bring it back either.
	for _, service := range []*session.Service{f.Service, f.again().Service} {
		if _, err := service.Turn(ctx, session.TurnRequest{ID: "s"}, f.files.source); !errors.Is(err, store.Redacted) {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := f.System(ctx, "s"); !errors.Is(err, store.Redacted) {
		t.Errorf("%v", err)
	}
	if found, err := f.store.Search(ctx, store.SearchQuery{Text: "You are careful."}); err != nil || len(found.Matches) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// A first prompt that can't be made leaves the session without one, and the next
// turn makes it.
func TestFirstRenderingFails(t *testing.T) {
	place := storetest.SQLite(t)
	f := fresh(t, place)
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
	place := storetest.SQLite(t)
	f := fresh(t, place)
	nothing := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{}, nil
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
	// Where none was made yet, that there is none is a change, and it is one once.
	f.files.err = errBroken
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "late"}, f.files.source); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"view": second(f.View(t.Context(), "late")), "drift": second(f.Drift(t.Context(), "late", nothing)), "turn": second(f.Turn(t.Context(), session.TurnRequest{ID: "late"}, nil))} {
		if !errors.Is(err, session.NotMaterialised) {
			t.Errorf("%s of a session whose prompt wasn't made yet: %v", name, err)
		}
	}
	for _, want := range []bool{true, false} {
		out, err := f.Rematerialise(t.Context(), session.RematerialiseRequest{ID: "late"}, nothing)
		if err != nil || out.Changed != want || out.Digest != nil || out.From != nil {
			t.Errorf("%+v, %v; changed: want %t", out, err, want)
		}
	}
}

// Whoever has a prompt made is told which one the session has from then on, by its digest and
// its record: whether it was made now, was there, or takes the place of another one.
func TestAnswersNameThePrompt(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	f.files.err = errBroken
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "late"}, f.files.source); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	f.files.err = nil
	before := ""
	for _, x := range []struct {
		name string
		ask  func() (*session.Started, error)
		made bool
	}{
		{"start", func() (*session.Started, error) {
			return f.Start(t.Context(), session.StartRequest{ID: "s"}, f.files.source)
		}, true},
		{"materialise", func() (*session.Started, error) { return f.Materialise(t.Context(), "late", f.files.source) }, true},
		{"again", func() (*session.Started, error) { return f.Materialise(t.Context(), "late", f.files.source) }, false},
		{"again without a source", func() (*session.Started, error) { return f.Materialise(t.Context(), "late", nil) }, false},
		{"rematerialise", func() (*session.Started, error) {
			f.files.system = "You are bold."
			out, err := f.Rematerialise(t.Context(), session.RematerialiseRequest{ID: "late"}, f.files.source)
			if err == nil && (text(out.From) != before || !out.Changed) {
				t.Errorf("it takes the place of %s, changed: %t; it was %s", text(out.From), out.Changed, before)
			}
			return &out.Started, err
		}, true},
		{"after it", func() (*session.Started, error) { return f.Materialise(t.Context(), "late", f.files.source) }, false},
	} {
		out, err := x.ask()
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		shown, record := f.show(out.Session), f.head(out.Session)
		if _, digest, err := f.Text(t.Context(), out.Session); err != nil || text(out.Digest) != digest || text(shown.Digest) != digest {
			t.Errorf("%s: told %s, %v; it has %s", x.name, text(out.Digest), err, digest)
		}
		if out.Record != record || out.Made != x.made || out.Version != shown.Version || out.Epoch != shown.Epoch {
			t.Errorf("%s: %+v; want record %d of %+v, made: %t", x.name, out, record, shown, x.made)
		}
		before = text(out.Digest)
	}
}

func TestRematerialise(t *testing.T) { storetest.OnBoth(t, testRematerialise) }

func testRematerialise(t *testing.T, place string) {
	f := begin(t, place, session.Settings{})
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

// Why a prompt is made anew stands in the label of its record, so it has to fit one. What
// doesn't is refused before anything is read.
func TestReasonFitsRecord(t *testing.T) {
	f := begin(t, storetest.SQLite(t), session.Settings{})
	for _, x := range []struct{ reason, refused string }{
		{strings.Repeat("x", 150), ""},
		{"größer, und “besser”", ""},
		{strings.Repeat("x", 151), "reason: 151 bytes, and the limit is 150"},
		{"  ", "reason: the text is blank"},
		{"a\nb", "reason: isn't one line of visible text"},
		{"a\tb", "reason: isn't one line of visible text"},
		{"a\u202eb", "reason: isn't one line of visible text"},
		{"a\xffb", "reason: isn't one line of visible text"},
	} {
		read := false
		_, err := f.Rematerialise(t.Context(), session.RematerialiseRequest{ID: "s", Reason: x.reason}, func(ctx context.Context, r session.Reading) (cento.Input, error) {
			read = true
			return f.files.source(ctx, r)
		})
		e, _ := errors.AsType[*cento.SourceError](err)
		switch {
		case x.refused == "" && err != nil:
			t.Errorf("%q: %v", x.reason, err)
		case x.refused != "" && (e == nil || e.Code != session.WrongReason || e.Message != x.refused || e.Hint == "" || read):
			t.Errorf("%q: %v, want %q; read: %v", x.reason, err, x.refused, read)
		}
	}
}

func TestPerTurn(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{PerTurn: true})
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

// An empty layer that was saved is there again; none is none; one that is given
// wins and is kept.
func TestLayerIsKept(t *testing.T) { storetest.OnBoth(t, testLayerIsKept) }

func testLayerIsKept(t *testing.T, place string) {
	f := fresh(t, place)
	ctx := context.Background()
	title := "T"
	full := layer.Layer{}.WithContributions(layer.Contribution{Slot: layer.GuidanceSlot, Title: &title, Content: "x"})
	for _, x := range []struct {
		id    string
		layer *layer.Layer
		want  string
	}{{"none", nil, ""}, {"empty", &layer.Layer{}, "{}"}} {
		if _, err := f.Start(ctx, session.StartRequest{ID: x.id, Own: session.Own{Layer: x.layer}}, f.files.source); err != nil {
			t.Fatal(err)
		}
		remade := func(l *layer.Layer) string {
			t.Helper()
			if _, err := f.again().Rematerialise(ctx, session.RematerialiseRequest{ID: x.id, Own: session.Own{Layer: l}}, f.files.source); err != nil {
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
