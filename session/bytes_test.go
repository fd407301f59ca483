package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/wire"
)

// awkward draws a JSON value as somebody may have written it: with blanks, escapes that
// needn't be there, and numbers that a program would write in another way.
func awkward(t *rapid.T, depth int) string {
	blank := func() string { return rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "blank") }
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0, 1:
		return awkwardText(t)
	case 2:
		return rapid.SampledFrom([]string{"1.0", "1e2", "-0", "12345678901234567890", "0.10", "7"}).Draw(t, "number")
	case 3:
		return rapid.SampledFrom([]string{"true", "null"}).Draw(t, "word")
	case 4:
		return "[" + blank() + awkward(t, depth-1) + blank() + "," + blank() + awkward(t, depth-1) + "]"
	}
	return "{" + blank() + `"b"` + blank() + ":" + awkward(t, depth-1) + blank() + `,"a":` + blank() + awkward(t, depth-1) + "}"
}

func awkwardText(t *rapid.T) string {
	return `"` + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{`a`, `<`, `&`, `\u003c`, `é`, `\u00e9`, "\u2028", `\/`, `\n`, `\"`, `😀`, `\ud83d\ude00`, "\u202e", "\u007f"}), 0, 6).Draw(t, "text"), "") + `"`
}

// Everything that a session stores is given back byte for byte by another process: what
// the host says of the session, texts, definitions of tools, what a turn was answered with,
// and the request that it is asked for again, with raw messages and further members as they
// were. Definitions of tools are stored in one spelling, which all requests have.
func TestStoredBytesComeBack(t *testing.T) { storetest.OnBoth(t, testStoredBytesComeBack) }

func testStoredBytesComeBack(t *testing.T, place string) {
	f, ctx, n := fresh(t, place), context.Background(), 0
	f.again()
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := fmt.Sprint("s", n)
		metadata := awkward(rt, 2)
		schema := `{"type": "object","properties":{"x":{"enum":[` + awkward(rt, 1) + `]}}}`
		member := awkward(rt, 1)
		words := rapid.SampledFrom([]string{"<a> & b", "é e\u0301", "a\r\nb", "\ta \n", "😀\u2028."}).Draw(rt, "words")
		source := func(context.Context, session.Reading) (cento.Input, error) {
			return cento.Input{
				AllTools: true, Fragments: []cento.Fragment{{ID: "words", Body: "Words: " + words}},
				Tools: []cento.Tool{{
					Name: "t", Description: words, Parameters: json.RawMessage(schema),
					Members: []cento.ToolMember{{Name: "m", Value: json.RawMessage(member), Formats: []string{"json"}}},
				}},
			}, nil
		}
		must := func(what string, err error) {
			if err != nil {
				rt.Fatalf("%s: %v", what, err)
			}
		}
		same := func(what, got, want string) {
			if got != want {
				rt.Errorf("%s: %q\nbecame %q", what, want, got)
			}
		}
		inTurn := reminder.InTurn
		must("start", second(f.Start(ctx, session.StartRequest{ID: id, Settings: session.Settings{Placement: &inTurn}, Own: session.Own{Metadata: json.RawMessage(metadata)}}, source)))
		must("remind", second(f.Remind(ctx, session.RemindRequest{ID: id, Reminder: reminder.Reminder{ID: "r", Body: "Said: " + words}})))
		said := awkwardText(rt)
		raw := `{"role":"user",` + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(rt, "blank") + `"content":[{"type": "text","text":` + said + `}]}`
		extra := awkward(rt, 2)
		request := session.TurnRequest{ID: id, Options: session.Options{Key: "k" + id}, Wire: &wire.Request{
			Form: wire.JSON, Messages: []wire.Message{{Role: "user", Text: "Text: " + words}, {Raw: json.RawMessage(raw)}},
			Extra: json.RawMessage(`{"x": ` + extra + `}`),
		}}
		first, err := f.Turn(ctx, request, source)
		must("turn", err)

		other := f.again()
		again, err := other.Turn(ctx, request, nil)
		must("turn again", err)
		if !again.Replayed || !reflect.DeepEqual(again.Notes, first.Notes) {
			rt.Errorf("asked again, replayed %v with the notes %+v, at first %+v", again.Replayed, again.Notes, first.Notes)
		}
		again.Replayed = false
		same("the answer", answer(rt, again), answer(rt, first))
		same("the system prompt", text(again.System), text(first.System))
		same("the envelope", text(again.Envelope), text(first.Envelope))
		same("the body", again.Request.Body, first.Request.Body)
		shown := other.show(id)
		same("the metadata", string(shown.Metadata), metadata)
		same("the reminder", shown.Pending[0].Body, "Said: "+words)
		in, err := other.store.Input(ctx, id, first.Record)
		must("input", err)
		same("the fragment", in.Fragments[0].Body, "Words: "+words)
		same("the description", in.Tools[0].Description, words)
		for _, written := range []string{said, string(in.Tools[0].Parameters), string(in.Tools[0].Members[0].Value)} {
			if !strings.Contains(again.Request.Body, written) {
				rt.Errorf("%q isn't in %s", written, again.Request.Body)
			}
		}
		stored, _, err := other.store.Text(ctx, id, first.Record)
		must("text", err)
		same("the record", stored, text(first.System))
	})
}

// answer is an answer as JSON, without the request.
func answer(t *rapid.T, turn *session.Turn) string {
	b, err := json.Marshal(turn)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
