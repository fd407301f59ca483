package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// An append-only conversation has no end, and a turn of it costs what is new: what
// is written for one doesn't grow with those before.
func TestLongConversation(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), session.Settings{AppendOnly: true})
	const turns = 5*session.MaxRecent + 7
	body := func(n int) string { return fmt.Sprint("Reminder ", n, ". ", strings.Repeat("word ", 200)) }
	most := 0
	for n := range turns {
		f.remind("s", reminder.Reminder{Body: body(n), TTLTurns: 1, DedupeKey: "a"})
		turn := f.turn("s")
		if len(turn.Sent) != 1 || !strings.Contains(turn.Sent[0].Text, body(n)[:14]) || turn.Sent[0].Turn != int64(n) {
			t.Fatalf("turn %d: %+v", n, turn.Sent)
		}
		row, err := f.store.Session(ctx, "s", store.Projects{})
		if err != nil {
			t.Fatal(err)
		}
		if most = max(most, len(row.State)); n > 2*session.MaxRecent && len(row.State) > 8<<10 {
			t.Fatalf("turn %d: a document of %d bytes", n, len(row.State))
		}
	}
	all := f.again().show("s").Sent
	if len(all) != turns {
		t.Fatalf("%d of %d", len(all), turns)
	}
	for n, e := range all {
		if e.Turn != int64(n) || !strings.Contains(e.Text, body(n)[:14]) {
			t.Fatalf("%d is %+v", n, e)
		}
	}
	// What was said long ago isn't said again, nor what was said just now.
	for _, n := range []int{0, turns / 2, turns - 1} {
		f.remind("s", reminder.Reminder{Body: body(n), TTLTurns: 1, DedupeKey: "a"})
		if turn := f.again().turn("s"); len(turn.Sent) > 0 || turn.Envelope != nil || len(turn.Reminders) != 1 {
			t.Errorf("%d is said again: %+v", n, turn.Sent)
		}
	}
	// A compaction takes the conversation away, and then it is.
	if _, err := f.Compact(ctx, session.CompactRequest{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{Body: body(0), TTLTurns: 1, DedupeKey: "a"})
	if turn := f.turn("s"); len(turn.Sent) != 1 {
		t.Errorf("%+v", turn)
	}
	if all := f.show("s").Sent; len(all) != 1 {
		t.Errorf("%d", len(all))
	}
	// Whatever is swept, the conversation stays.
	if _, err := f.store.GC(ctx, store.GCOptions{Needs: session.Needs}); err != nil {
		t.Fatal(err)
	}
	if all := f.again().show("s").Sent; len(all) != 1 {
		t.Errorf("%d", len(all))
	}
}

// A session that an earlier release has stored goes on with the envelopes that it
// kept in its document.
func TestEarlyEnvelopes(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), session.Settings{AppendOnly: true})
	row, err := f.store.Session(ctx, "s", store.Projects{})
	if err != nil {
		t.Fatal(err)
	}
	const said = `<context-directives>\n<directive authority=\"contract\">\nA.\n</directive>\n</context-directives>`
	old := strings.Replace(strings.Replace(string(row.State), `"format":2`, `"format":1`, 1), `"layers":{}`, `"layers":{},"sent":[{"turn":0,"text":"`+said+`"}]`, 1)
	if _, err := f.store.Commit(ctx, store.Transition{Changes: []store.Change{{Session: "s", Expect: row.Version, State: []byte(old)}}}); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{Body: "A.", TTLTurns: 1})
	if turn := f.turn("s"); len(turn.Sent) != 0 || len(turn.Reminders) != 1 {
		t.Errorf("%+v", turn)
	}
	f.remind("s", reminder.Reminder{Body: "B.", TTLTurns: 1})
	if turn := f.turn("s"); len(turn.Sent) != 1 {
		t.Errorf("%+v", turn)
	}
	all := f.again().show("s").Sent
	if len(all) != 2 || !strings.Contains(all[0].Text, "A.") || !strings.Contains(all[1].Text, "B.") {
		t.Errorf("%+v", all)
	}
	// Those went with the conversation, too, when it is compacted.
	if _, err := f.Compact(ctx, session.CompactRequest{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	f.remind("s", reminder.Reminder{Body: "A.", TTLTurns: 1})
	if turn := f.turn("s"); len(turn.Sent) != 1 || len(f.show("s").Sent) != 1 {
		t.Errorf("%+v", turn)
	}
}

// muteStore doesn't answer what is kept beside a session.
type muteStore struct{ session.Store }

func (muteStore) Blob(context.Context, string) ([]byte, error) { return nil, errBroken }

// TestEnvelopeOfWhichNobodyKnows: where it can't be asked whether an envelope was sent, no
// turn begins: sent twice it would stand there twice for ever.
func TestEnvelopeOfWhichNobodyKnows(t *testing.T) {
	f := begin(t, storetest.SQLite(t), session.Settings{AppendOnly: true})
	say := func(n int) {
		f.remind("s", reminder.Reminder{Body: fmt.Sprint("Step ", n, "."), TTLTurns: 1})
	}
	for n := range session.MaxRecent + 1 { // so that there is a sealed list
		say(n)
		f.turn("s")
	}
	say(0)
	version := f.show("s").Version
	if turn, err := session.New(muteStore{f.store}).Turn(t.Context(), session.TurnRequest{ID: "s"}, nil); !errors.Is(err, errBroken) {
		t.Errorf("%+v, %v", turn, err)
	}
	if got := f.show("s").Version; got != version {
		t.Errorf("version %d became %d", version, got)
	}
	if turn := f.turn("s"); len(turn.Sent) != 0 {
		t.Errorf("said again: %+v", turn.Sent)
	}
}
