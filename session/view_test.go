package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

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

// TestViewIsItsOwn: what one look at a session gave, the next one doesn't change, whatever
// room the source left behind its own reminders.
func TestViewIsItsOwn(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	own := append(make([]cento.Fragment, 0, 8), cento.Fragment{ID: "reminder:own", Body: "Of the source."})
	source := func(context.Context, session.Reading) (cento.Input, error) {
		in := f.files.input()
		in.Reminders = own
		return in, nil
	}
	views := map[string]*session.View{}
	for _, id := range []string{"a", "b"} { // which have the same prompt
		if _, err := f.Start(t.Context(), session.StartRequest{ID: id, Settings: placed(reminder.InSystem)}, source); err != nil {
			t.Fatal(err)
		}
		f.remind(id, reminder.Reminder{ID: id, Body: "Of " + id + "."})
	}
	for _, id := range []string{"a", "b"} {
		v, err := f.View(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		views[id] = v
	}
	for id, v := range views {
		if n := len(v.Input.Reminders); n != 2 || v.Input.Reminders[1].ID != "reminder:"+id {
			t.Errorf("of %s: %+v", id, v.Input.Reminders)
		}
	}
}
