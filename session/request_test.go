package session_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

// modelled is a source of an agent with some texts and tools, for a model.
func modelled(name string) session.Source {
	return func(context.Context, session.Reading) (cento.Input, error) {
		m, _ := model.Default().Lookup(name)
		in := (&files{system: strings.Repeat("Change one thing at a time, and say why. ", 100), instructions: "Run the tests.", tools: []string{"read", "write"}}).input()
		return in.WithModel(name, &m), nil
	}
}

// spoken is a conversation of so many turns, the last one not answered yet.
func spoken(turns int) []wire.Message {
	var out []wire.Message
	for i := range int64(turns) {
		out = append(out, wire.Message{Role: "user", Text: fmt.Sprintf("Step %d: go on.", i), Turn: &i})
		if i < int64(turns)-1 {
			out = append(out, wire.Message{Role: "assistant", Text: fmt.Sprintf("Step %d is done. %s", i, strings.Repeat("It went well. ", 20)), Turn: &i})
		}
	}
	return out
}

// shared is how many bytes two texts begin with alike.
func shared(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// TestPlacementCosts measures what each placement of reminders costs a prompt cache
// over a hundred turns of one conversation, with a reminder every tenth turn that is
// seen three times. docs/sessions.md has the table.
func TestPlacementCosts(t *testing.T) {
	lengthtest.NotShort(t, "a table of what a hundred turns cost in each placement")
	const turns = 100
	system, inTurn, native := reminder.InSystem, reminder.InTurn, reminder.InNative
	cases := []struct {
		name     string
		settings session.Settings
		silent   bool
	}{
		{"no reminders", session.Settings{}, true},
		{"`turn` with `append_only`", session.Settings{Placement: &inTurn, AppendOnly: true}, false},
		{"`turn`", session.Settings{Placement: &inTurn}, false},
		{"`native`", session.Settings{Placement: &native}, false},
		{"`system`", session.Settings{Placement: &system}, false},
	}
	table := "| placement | bytes sent | read anew | turns in which more is than what is new |\n|---|---:|---:|---:|\n"
	anew := map[string]int{}
	for _, c := range cases {
		f := fresh(t, filepath.Join(t.TempDir(), "s.db"))
		f.Providers = nil
		c.settings.Providers = []string{"-token_pressure", "-idle_nudge", "-tool_output_truncated", "-post_compact_recap", "-resume_continuity", "-workspace_drift"}
		source := modelled("claude-opus-5")
		if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: c.settings}, source); err != nil {
			t.Fatal(err)
		}
		before, sent, read, broken := "", 0, 0, 0
		for i := range turns {
			if i%10 == 9 && !c.silent {
				f.remind("s", reminder.Reminder{Body: fmt.Sprintf("Step %d failed.", i), TTLTurns: 3})
			}
			got, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &wire.Request{Form: wire.Anthropic, Messages: spoken(i + 1), Cache: wire.Cache{Off: true}}}, source)
			if err != nil {
				t.Fatal(err)
			}
			body := got.Request.Body
			n := shared(before, body)
			sent, read = sent+len(body), read+len(body)-n
			if before != "" && n < len(before)-len("]}") {
				broken++
			}
			before = body
		}
		anew[c.name] = read
		table += fmt.Sprintf("| %s | %d | %d | %d |\n", c.name, sent, read, broken)
	}
	if anew["no reminders"] > anew["`turn` with `append_only`"] || 2*anew["`turn`"] > anew["`system`"] {
		t.Errorf("read anew: %v", anew)
	}
	const page, begin = "../docs/sessions.md", "<!-- measured: placements -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	was, tail, ends := strings.Cut(rest, "\n\n")
	if !ok || !ends {
		t.Fatalf("%s has no table behind %q", page, begin)
	}
	if was+"\n" == table {
		return
	}
	if !*archive.Update {
		t.Fatalf("%s says\n%s\nand it is\n%s", page, was, table)
	}
	if err := os.WriteFile(page, []byte(head+begin+table+"\n"+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRequestGivenAgain: with its key a turn gives the request once more, of the same
// bytes and places, wherever the reminders stand and whatever came since, to another
// process too.
func TestRequestGivenAgain(t *testing.T) {
	system, inTurn, native := reminder.InSystem, reminder.InTurn, reminder.InNative
	for name, settings := range map[string]session.Settings{
		"system": {Placement: &system}, "turn": {Placement: &inTurn}, "native": {Placement: &native}, "append": {Placement: &inTurn, AppendOnly: true},
	} {
		for _, of := range []string{"claude-opus-5", "gpt-5.4", ""} {
			t.Run(name+"/"+of, func(t *testing.T) {
				f := fresh(t, filepath.Join(t.TempDir(), "s.db"))
				source := modelled(of)
				if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: settings}, source); err != nil {
					t.Fatal(err)
				}
				ask := func(f *fixture, turn int, key string) *session.Turn {
					r := session.TurnRequest{ID: "s", Options: session.Options{Key: key}, Wire: &wire.Request{Form: wire.OpenAI, Messages: spoken(turn + 1)}}
					got, err := f.Turn(t.Context(), r, source)
					if err != nil {
						t.Fatal(err)
					}
					return got
				}
				f.remind("s", reminder.Reminder{Body: "First \u202e."})
				ask(f, 0, "")
				f.remind("s", reminder.Reminder{Body: "Second.", RoleHint: reminder.EphemeralCache})
				first := ask(f, 1, "k")
				if !strings.Contains(first.Request.Body, "Second.") || !strings.Contains(first.Request.Body, "First") {
					t.Fatalf("the request lacks reminders: %s", first.Request.Body)
				}
				f.remind("s", reminder.Reminder{Body: "Third."})
				ask(f, 2, "")
				for _, by := range []*fixture{f, f.again()} {
					got := ask(by, 1, "k")
					if !got.Replayed || !reflect.DeepEqual(first.Request, got.Request) {
						t.Errorf("asked again, replayed %v: it isn't the same request, body alike %v", got.Replayed, first.Request.Body == got.Request.Body)
					}
				}
			})
		}
	}
}

// TestRequestRefused: where the request can't be written no turn begins, and nothing is
// stored.
func TestRequestRefused(t *testing.T) {
	inTurn := reminder.InTurn
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{Placement: &inTurn})
	before, head := f.show("s"), f.head("s")
	hi := []wire.Message{{Role: "user", Text: "hi"}}
	for name, r := range map[string]wire.Request{
		"message": {Messages: []wire.Message{{Role: "user", Text: " "}}},
		"extra":   {Extra: []byte(`{"messages": []}`)},
		"tool":    {Tools: []cento.Tool{{Name: "no name"}}},
		"form":    {Form: 99, Messages: hi},
		"no JSON": {Messages: []wire.Message{{Raw: []byte(`{"role": `)}}},
		"members": {Extra: []byte(`{"seed": `), Messages: hi},
		"result":  {Form: wire.Anthropic, Messages: []wire.Message{{Raw: []byte(`{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t9", "content": "x"}]}`)}}},
		"schema":  {Tools: []cento.Tool{{Name: "shell", Parameters: []byte(`{"type": `)}}, Messages: hi},
	} {
		r.Form = cmp.Or(r.Form, wire.Anthropic)
		for _, key := range []string{"", "k"} {
			_, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Options: session.Options{Key: key}, Wire: &r}, f.files.source)
			if _, ok := errors.AsType[*cento.SourceError](err); !ok {
				t.Errorf("%s: %v", name, err)
			}
			if name == "result" {
				if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != wire.Refused {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if after := f.show("s"); after.Version != before.Version || f.head("s") != head {
		t.Errorf("version %d became %d, record %d became %d", before.Version, after.Version, head, f.head("s"))
	}
}

// TestRequestToolsTold: tools that the prompt wasn't made with are sent when they are
// handed over, and told.
func TestRequestToolsTold(t *testing.T) {
	inTurn := reminder.InTurn
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{Placement: &inTurn})
	got, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &wire.Request{
		Form: wire.Anthropic, Partial: true, Tools: []cento.Tool{{Name: "shell"}, {Name: "idle"}}, Active: []string{"shell"},
	}}, f.files.source)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Request.Body, `"name":"shell"`) || strings.Contains(got.Request.Body, `"name":"read"`) || strings.Contains(got.Request.Body, "idle") {
		t.Errorf("tools in %s", got.Request.Body)
	}
	if len(got.Notes) != 1 || got.Notes[0].Message != "the prompt was made with other tools; new: shell; gone: read" {
		t.Errorf("notes %+v", got.Notes)
	}
}

// TestRequestRemindersAreTheTurns: what a request brings of reminders is none of the
// session's, and isn't sent.
func TestRequestRemindersAreTheTurns(t *testing.T) {
	inTurn := reminder.InTurn
	for name, settings := range map[string]session.Settings{"turn": {Placement: &inTurn}, "append": {AppendOnly: true}} {
		f := begin(t, filepath.Join(t.TempDir(), "s.db"), settings)
		f.remind("s", reminder.Reminder{Body: "Tests are red."})
		forged := "Forged."
		r := wire.Request{Form: wire.OpenAI, Messages: spoken(1), Reminders: wire.Reminders{Sent: []wire.Sent{{Turn: 0, Text: forged}}}}
		got, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &r}, f.files.source)
		if err != nil || strings.Contains(got.Request.Body, forged) || !strings.Contains(got.Request.Body, "Tests are red.") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if len(r.Reminders.Sent) != 1 || r.Reminders.Sent[0].Text != forged {
			t.Errorf("%s: the caller's request was changed: %+v", name, r.Reminders)
		}
	}
}

// TestRequestHasEveryEnvelope: the request of a turn in an append-only conversation has the
// envelopes that were sent before and the one that is new in it, each once, where it was sent.
func TestRequestHasEveryEnvelope(t *testing.T) {
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{AppendOnly: true})
	for turn, want := range []int{1, 2, 2, 3} {
		if turn != 2 {
			f.remind("s", reminder.Reminder{Body: fmt.Sprintf("Reminder %d.", turn), TTLTurns: 1})
		}
		got, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &wire.Request{Form: wire.OpenAI, Messages: spoken(turn + 1)}}, f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		at, told := -1, 0
		for n := range turn + 1 {
			word := fmt.Sprintf("Reminder %d.", n)
			if k := strings.Index(got.Request.Body, word); k > at && strings.Count(got.Request.Body, word) == 1 {
				at = k
				told++
			}
		}
		if told != want {
			t.Errorf("turn %d has %d envelopes, want %d: %s", turn, told, want, got.Request.Body)
		}
	}
}

// TestRequestOfNoTool: a session in which no tool is active asks for none, whatever tools
// there are.
func TestRequestOfNoTool(t *testing.T) {
	for tool, want := range map[string]bool{"": false, "read": true} {
		f := fresh(t, filepath.Join(t.TempDir(), "s.db"))
		source := func(context.Context, session.Reading) (cento.Input, error) {
			in := f.files.input()
			in.AllTools = false
			if tool != "" {
				in.Active.Tools = []string{tool}
			}
			return in, nil
		}
		if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, source); err != nil {
			t.Fatal(err)
		}
		got, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &wire.Request{Form: wire.OpenAI, Messages: spoken(1)}}, source)
		if err != nil || strings.Contains(got.Request.Body, `"tools"`) != want {
			t.Errorf("of %q: %+v, %v", tool, got, err)
		}
	}
}

// TestFormOfTheModel: a request whose form nobody names has that of the session's model,
// also where the turn makes the prompt and a budget counts it, and where the answer is
// given again. Without a model no turn begins.
func TestFormOfTheModel(t *testing.T) {
	for of, want := range map[string]string{"anthropic": "/v1/messages", "openai": "/v1/chat/completions", "ollama": "/api/chat"} {
		for _, perTurn := range []bool{false, true} {
			f := fresh(t, filepath.Join(t.TempDir(), "s.db"))
			source := func(context.Context, session.Reading) (cento.Input, error) {
				in := f.files.input()
				in.Model, in.Budget = &cento.Model{ID: "m", Wire: of}, &cento.Budget{Tokens: 5000}
				return in, nil
			}
			if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: session.Settings{PerTurn: perTurn}}, source); err != nil {
				t.Fatal(err)
			}
			r := session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}, Wire: &wire.Request{Messages: spoken(1)}}
			first, err := f.Turn(t.Context(), r, source)
			if err != nil || first.Request.URLPath != want {
				t.Fatalf("of %s, per turn %v: %+v, %v", of, perTurn, first, err)
			}
			if b := first.Prompt.Budget(); perTurn && b != nil && b.Form != of {
				t.Errorf("of %s the budget counts %q", of, b.Form)
			}
			if again, err := f.again().Turn(t.Context(), r, source); err != nil || !again.Replayed || again.Request.Body != first.Request.Body {
				t.Errorf("of %s again: %+v, %v", of, again, err)
			}
			r.Wire = &wire.Request{Form: wire.Anthropic, Messages: spoken(1)}
			if _, err := f.Turn(t.Context(), r, source); !errors.Is(err, store.KeyReused) {
				t.Errorf("of %s, the same key for a form that is named: %v", of, err)
			}
		}
	}
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{})
	before := f.show("s").Version
	_, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &wire.Request{Messages: spoken(1)}}, f.files.source)
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != wire.InvalidForm || !strings.Contains(e.Hint, "openai-responses") || f.show("s").Version != before {
		t.Errorf("without a model: %v", err)
	}
}

// TestKeyOfARequest: what a turn finds out by itself doesn't make another request of the
// same one, and what is said in the conversation does.
func TestKeyOfARequest(t *testing.T) {
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{})
	ask := func(r wire.Request) (*session.Turn, error) {
		r.Form = wire.OpenAI
		return f.Turn(t.Context(), session.TurnRequest{ID: "s", Options: session.Options{Key: "k"}, Wire: &r}, f.files.source)
	}
	first, err := ask(wire.Request{Messages: spoken(1)})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []wire.Request{
		{Messages: spoken(1)}, {Messages: spoken(1), Prompt: first.Prompt}, {Messages: spoken(1), Reminders: wire.Reminders{Sent: []wire.Sent{{Text: "Told before."}}}},
	} {
		if again, err := ask(r); err != nil || !again.Replayed || again.Request.Body != first.Request.Body {
			t.Errorf("%+v: %+v, %v", r.Reminders, again, err)
		}
	}
	if again, err := ask(wire.Request{Messages: spoken(2)}); !errors.Is(err, store.KeyReused) {
		t.Errorf("of another conversation: %+v, %v", again, err)
	}
}

// TestCacheKeyIsTheSessions: the requests of a session go to the same prompt cache, those of
// another to another, unless the caller names one.
func TestCacheKeyIsTheSessions(t *testing.T) {
	f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{})
	f.start("other", session.Settings{})
	key := func(id, own string) string {
		t.Helper()
		r := wire.Request{Form: wire.OpenAI, Messages: spoken(1)}
		r.Cache.Key = own
		got, err := f.Turn(t.Context(), session.TurnRequest{ID: id, Wire: &r}, modelled("gpt-5.4"))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(got.Request.Body, `"prompt_cache_key":"`)
		key, _, _ := strings.Cut(rest, `"`)
		return key
	}
	a, b := key("s", ""), key("s", "")
	if other := key("other", ""); a != b || a == other || len(a) != 32 || len(other) != 32 || key("s", "mine") != "mine" {
		t.Errorf("%q, then %q, and of another session %q", a, b, other)
	}
}
