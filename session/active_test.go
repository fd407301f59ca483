package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/wire"
)

// A turn hands out its prompt as a value, also when it is asked for again, and in
// another process.
func TestTurnHasItsPrompt(t *testing.T) {
	ctx := context.Background()
	for _, to := range []reminder.Placement{reminder.InTurn, reminder.InSystem} {
		f := begin(t, storetest.SQLite(t), placed(to))
		f.remind("s", reminder.Reminder{Body: "Tests are red.", TTLTurns: 3, ID: "red"})
		r := session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}}
		for _, s := range []*session.Service{f.Service, f.Service, f.again().Service} {
			out, err := s.Turn(ctx, r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if system, ok := out.Prompt.System(); !ok || system != *out.System || out.Prompt.Digest() != *out.Digest {
				t.Errorf("%v: the prompt is %q, the text %q", to, system, *out.System)
			}
			if _, there := out.Prompt.Index("reminder:red"); there != (to == reminder.InSystem) {
				t.Errorf("%v: the reminder is a fragment: %v", to, there)
			}
			if !slices.Equal(out.Active.Tools, []string{"read"}) || out.Active.Caps == nil {
				t.Errorf("%v: active %+v", to, out.Active)
			}
		}
	}
}

// What a turn says that is active is held to what the prompt was made with, one by
// one; what it doesn't say isn't told.
func TestTurnTellsOfAnotherActiveSet(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	f.files.caps = []string{"git"}
	f.start("s", session.Settings{})
	for name, c := range map[string]struct {
		r    session.TurnRequest
		want []string
	}{
		"nothing is said": {session.TurnRequest{}, nil},
		"the same":        {session.TurnRequest{Tools: []string{"read"}, Caps: []string{"git"}}, nil},
		"no tools":        {session.TurnRequest{Tools: []string{}}, []string{"the prompt was made with other tools; gone: read"}},
		"another tool":    {session.TurnRequest{Tools: []string{"read", "shell"}}, []string{"the prompt was made with other tools; new: shell"}},
		"no capability":   {session.TurnRequest{Caps: []string{}}, []string{"the prompt was made with other capabilities; gone: git"}},
		"all at once": {
			session.TurnRequest{Tools: []string{"edit"}, Caps: []string{"git", "net"}, Model: "m"},
			[]string{
				"the prompt was made with other tools; new: edit; gone: read", "the prompt was made with other capabilities; new: net",
				`the prompt was made for no model in particular, and this turn is for the model "m"`,
			},
		},
	} {
		c.r.ID = "s"
		out, err := f.Turn(context.Background(), c.r, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range out.Notes {
			if n.Code == session.CodeDrifted {
				got = append(got, n.Message)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// told is a provider that repeats what it is told of the session.
type told struct{}

func (told) Name() string { return "told" }
func (told) Evaluate(m reminder.Moment, _ reminder.Session) ([]reminder.Reminder, error) {
	if m.Metadata == nil {
		return nil, nil
	}
	return []reminder.Reminder{{Body: "Of " + string(m.Metadata) + " and " + string(m.Data)}}, nil
}

// Metadata may be as long as the limit; what is longer is refused elsewhere.
func TestLongestMetadata(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	longest := json.RawMessage(`"` + strings.Repeat("x", session.MaxMetadata-2) + `"`)
	if _, err := f.Start(context.Background(), session.StartRequest{ID: "s", Own: session.Own{Metadata: longest}}, f.files.source); err != nil {
		t.Fatal(err)
	}
	if got := f.show("s").Own.Metadata; !bytes.Equal(got, longest) {
		t.Errorf("%d bytes are kept of %d", len(got), len(longest))
	}
}

// Providers see the metadata of the session that they are asked for, and no host can
// say it is another's.
func TestProvidersSeeMetadata(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	f.Providers = []reminder.Provider{told{}}
	for id, metadata := range map[string]string{"a": `{"user":1}`, "b": `"two"`, "c": ""} {
		r := session.StartRequest{ID: id, Settings: placed(reminder.InTurn)}
		if metadata != "" {
			r.Metadata = json.RawMessage(metadata)
		}
		if _, err := f.Start(ctx, r, f.files.source); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			m := reminder.Moment{Data: json.RawMessage(`7`), Metadata: json.RawMessage(`"somebody else's"`)}
			out, err := f.Turn(ctx, session.TurnRequest{ID: id, Moment: m}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := "Of " + metadata + " and 7"
			if metadata == "" && out.Envelope != nil || metadata != "" && (out.Envelope == nil || strings.Count(*out.Envelope, want) != 1 || len(out.Reminders) != 1) {
				t.Errorf("%s: %s, want %q", id, text(out.Envelope), want)
			}
		}
	}
}

// defined are the names of the tools that the body of a turn defines.
func defined(t *testing.T, out *session.Turn) []string {
	t.Helper()
	var body struct {
		Tools []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(out.Request.Body), &body); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, tool := range body.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// The tools of a turn are those that its request defines, and a prompt that the turn
// makes is made with them. A prompt that was made before stays, and a note says so.
func TestTurnOffersItsTools(t *testing.T) {
	ctx := context.Background()
	say := []wire.Message{{Role: "user", Text: "Hello."}}
	definitions := []cento.Tool{{Name: "read"}, {Name: "shell"}, {Name: "web"}}
	for _, c := range []struct {
		name string
		turn session.TurnRequest
		want []string
	}{
		{"nothing is said", session.TurnRequest{Wire: &wire.Request{Form: wire.Anthropic, Messages: say}}, []string{"read", "shell"}},
		{"one tool", session.TurnRequest{Tools: []string{"read"}, Wire: &wire.Request{Form: wire.Anthropic, Messages: say}}, []string{"read"}},
		{"no tool", session.TurnRequest{Tools: []string{}, Wire: &wire.Request{Form: wire.Anthropic, Messages: say}}, []string{}},
		{"one active tool of the request", session.TurnRequest{Wire: &wire.Request{Form: wire.Anthropic, Messages: say, Active: []string{"shell"}}}, []string{"shell"}},
		{"definitions of the request", session.TurnRequest{Wire: &wire.Request{Form: wire.Anthropic, Messages: say, Tools: definitions}}, []string{"read", "shell", "web"}},
		{"definitions of the request, and one tool", session.TurnRequest{Tools: []string{"web"}, Wire: &wire.Request{Form: wire.Anthropic, Messages: say, Tools: definitions}}, []string{"web"}},
	} {
		for _, perTurn := range []bool{false, true} {
			f := fresh(t, storetest.SQLite(t))
			f.files.tools = []string{"read", "shell"}
			f.start("s", session.Settings{PerTurn: perTurn})
			r := c.turn
			r.ID, r.Key = "s", "k"
			out, err := f.Turn(ctx, r, f.files.source)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := defined(t, out); !slices.Equal(got, c.want) {
				t.Errorf("%s, per turn %v: the request defines %q, want %q", c.name, perTurn, got, c.want)
			}
			noted := slices.ContainsFunc(out.Notes, func(n cento.Note) bool { return n.Code == session.CodeDrifted })
			if made := perTurn && r.Tools != nil; noted != (!made && !slices.Equal(c.want, []string{"read", "shell"})) && !slices.Contains(c.want, "web") {
				t.Errorf("%s, per turn %v: notes %v", c.name, perTurn, out.Notes)
			}
			if perTurn && r.Tools != nil && !slices.Equal(out.Active.Tools, r.Tools) {
				t.Errorf("%s: the prompt was made with %q", c.name, out.Active.Tools)
			}
			if guided := strings.Contains(*out.System, "Use shell with care."); guided != slices.Contains(out.Active.Tools, "shell") {
				t.Errorf("%s, per turn %v: the guidance of shell: %v", c.name, perTurn, guided)
			}
			again, err := f.Turn(ctx, r, f.files.source)
			if err != nil || !again.Replayed || again.Request.Body != out.Request.Body {
				t.Errorf("%s, per turn %v: asked again: %v", c.name, perTurn, err)
			}
		}
	}
}

// The capabilities and the model of a turn hold for the prompt that it makes.
func TestTurnMakesItsPromptWithCapsAndModel(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	f.start("s", session.Settings{PerTurn: true})
	var asked string
	source := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		asked = r.Model
		in, err := f.files.source(ctx, r)
		in.Active.Model = r.Model
		return in, err
	}
	out, err := f.Turn(context.Background(), session.TurnRequest{ID: "s", Caps: []string{"net"}, Model: "m"}, source)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Active.Caps, []string{"net"}) || asked != "m" || out.Active.Model != "m" || len(out.Notes) > 0 {
		t.Errorf("made with %+v, asked for %q, notes %v", out.Active, asked, out.Notes)
	}
	if _, err := f.Turn(context.Background(), session.TurnRequest{ID: "s", Tools: []string{" "}}, source); err == nil {
		t.Error("a blank name is offered")
	}
}
