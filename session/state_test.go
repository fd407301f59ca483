package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
)

func dump(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What is stored is read back as the same, and stored again as the same bytes.
func TestStateRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := session.State{
			Settings: session.Settings{PerTurn: rapid.Bool().Draw(t, "per turn"), AppendOnly: rapid.Bool().Draw(t, "append only"), Providers: rapid.SliceOfN(rapid.StringMatching(`-?[a-z_]+`), 0, 3).Draw(t, "providers")},
			Epoch:    rapid.Int64Range(0, 3).Draw(t, "epoch"),
		}
		if rapid.Bool().Draw(t, "placed") {
			p := reminder.Placement(rapid.IntRange(0, 2).Draw(t, "placement"))
			s.Placement = &p
		}
		if s.Epoch > 0 {
			s.Prompt = session.Recorded{Seq: rapid.Int64Range(1, 9).Draw(t, "seq"), Digest: rapid.SampledFrom([]string{"", "ab"}).Draw(t, "digest"), Input: rapid.SampledFrom([]string{"", "cd"}).Draw(t, "input")}
		}
		if rapid.Bool().Draw(t, "layer") {
			s.Layer = &layer.Layer{}
		}
		envelopes := func(name string) (list []reminder.SentEnvelope) {
			for turn := range rapid.Int64Range(0, 3).Draw(t, name) {
				list = append(list, reminder.SentEnvelope{Turn: turn, Text: rapid.StringMatching(`[a-z<>&"\n]+`).Draw(t, "text")})
			}
			return list
		}
		s.Early = envelopes("early")
		if rapid.Bool().Draw(t, "conversation") {
			session.SetSent(&s, "r", rapid.SampledFrom([]string{"", "ab"}).Draw(t, "sealed"), envelopes("recent")...)
		}
		if rapid.Bool().Draw(t, "own") {
			s.Metadata = []byte(rapid.SampledFrom([]string{`{"user":"ü\u2028"}`, `null`, ` [1, 2]`}).Draw(t, "metadata"))
			s.Tools = rapid.SliceOfN(rapid.StringMatching(`[a-z]+`), 0, 2).Draw(t, "tools")
			s.Caps = rapid.SliceOfN(rapid.StringMatching(`[a-z.]+`), 0, 2).Draw(t, "caps")
		}
		s.Reminders = reminder.Session{ID: "s", Turn: rapid.Int64Range(0, 9).Draw(t, "turn")}
		for range rapid.IntRange(0, 2).Draw(t, "reminders") {
			s.Reminders, _, _ = s.Reminders.Inject(reminder.Reminder{Body: "x", TTLTurns: 1})
		}
		text, err := s.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := session.ReadState(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		again, err := back.AppendJSON(nil)
		if err != nil || string(again) != string(text) {
			t.Fatalf("%s\nread and written is\n%s (%v)", text, again, err)
		}
		if back.Epoch != s.Epoch || back.Prompt != s.Prompt || (back.Layer == nil) != (s.Layer == nil) || !reflect.DeepEqual(back.Sent, s.Sent) ||
			!reflect.DeepEqual(back.Early, s.Early) || string(back.Metadata) != string(s.Metadata) || (back.Tools == nil) != (s.Tools == nil) || (back.Caps == nil) != (s.Caps == nil) {
			t.Fatalf("%+v\nread back is\n%+v", s, back)
		}
	})
}

// States that were stored by a release are read for ever: a file for each format.
func TestFormats(t *testing.T) {
	for format := 1; format <= session.Format; format++ {
		path := fmt.Sprintf("testdata/v%d/states.jsonl", format)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(lines) < 3 {
			t.Errorf("%s: %d states", path, len(lines))
		}
		for i, line := range lines {
			s, err := session.ReadState([]byte(line))
			if err != nil {
				t.Errorf("%s:%d: %v", path, i+1, err)
				continue
			}
			again, err := s.AppendJSON(nil)
			if err != nil || format == session.Format && string(again) != line {
				t.Errorf("%s:%d: written again it is\n%s (%v)", path, i+1, again, err)
			}
		}
	}
}

func TestStateRefused(t *testing.T) {
	var s session.State
	s.Reminders.ID = "s"
	good, err := s.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.ReadState(good); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ old, new string }{
		{`"format":2`, `"format":0`}, {`"epoch":0`, `"epoch":1`}, {`"epoch":0`, `"epoch":-1`}, {`"once"`, `"twice"`}, {`"layers":{}`, `"layers":{},"sent":{}`},
		{`"layers":{}`, `"layers":{},"conversation":{"round":"","sent":[]}`}, {`"layers":{}`, `"layers":{},"metadata":"{"`}, {`"layers":{}`, `"layers":{},"tools":[" "]`},
		{`"session":{"id":"s"`, `"session":{"id":""`}, {`"layers":{}`, `"layers":{"host":{}}`}, {`}`, ``},
	} {
		bad := strings.Replace(string(good), x.old, x.new, 1)
		if bad == string(good) {
			t.Fatalf("%s isn't in %s", x.old, good)
		}
		if _, err := session.ReadState([]byte(bad)); !errors.Is(err, session.Unreadable) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	newer := strings.Replace(string(good), `"format":2`, `"format":5,"more":true`, 1)
	if _, err := session.ReadState([]byte(newer)); !errors.Is(err, session.Newer) {
		t.Errorf("%v", err)
	}
}

// FuzzState: a stored state is refused with a code, or it is written again as
// something that reads back as the same.
func FuzzState(f *testing.F) {
	for _, seed := range []string{
		`{"format":1,"materialise":"once","append_only":false,"providers":[],"epoch":0,"layers":{},"sent":[],"session":{"id":"s","turn":0,"reminders":[]}}`,
		`{"format":1,"materialise":"per_turn","placement":"turn","append_only":true,"providers":["-idle_nudge"],"epoch":2,"prompt":{"seq":3,"digest":"ab"},"layers":{"session":{}},"sent":[{"turn":0,"text":"<a>"}],"session":{"id":"s","turn":4,"turn_built":true,"reminders":[{"id":"a","body":"x","ttl_turns":1}]}}`,
		`{"format":1,"materialise":"once","append_only":false,"providers":null,"epoch":0,"layers":null,"sent":null,"session":null}`,
		`{"format":2,"materialise":"once","append_only":true,"providers":[],"epoch":1,"prompt":{"seq":1,"digest":"ab","input":"cd"},"metadata":"{\"user\":1}","tools":["read"],"caps":[],"layers":{},"conversation":{"round":"r","sealed":"ef","sent":[{"turn":3,"text":"ab"}]},"session":{"id":"s","turn":4,"reminders":[]}}`,
		`{"format":3,"materialise":"once","append_only":false,"providers":[],"epoch":0,"layers":{},"billed":{"sealed":"ab","usage":[{"turn":0,"text":"cd"}]},"session":{"id":"s","turn":1,"reminders":[]}}`,
		`{"format":4,"materialise":"once","append_only":false,"providers":[],"epoch":0,"layers":{},"requests":{"sealed":"ab","requests":[{"turn":0,"text":"cd"}]},"session":{"id":"s","turn":1,"reminders":[]}}`,
		`{"format":5}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := session.ReadState(data)
		if err != nil {
			if !errors.Is(err, session.Unreadable) && !errors.Is(err, session.Newer) {
				t.Fatalf("%v", err)
			}
			return
		}
		text, err := s.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := session.ReadState(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if again, err := back.AppendJSON(nil); err != nil || string(again) != string(text) {
			t.Fatalf("%s\nread and written is\n%s (%v)", text, again, err)
		}
	})
}
