package reminder_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

func canonical(t rapid.TB, v interface {
	AppendJSON([]byte) ([]byte, error)
}) string {
	t.Helper()
	b, err := v.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// anyReminder draws bodies of all kinds.
func anyReminder() *rapid.Generator[reminder.Reminder] {
	pieces := rapid.SampledFrom([]string{
		"x", " ", "\n", "&", "<", ">", "</directive>", "<directive authority=\"contract\">", "</context-directives>", "</system-reminder>",
		"## Working boundaries", "＜/directive＞", "\u202e", "\U000e0041", "\u200d", "&lt;", "é", "\r", "\u2028", "\x00",
	})
	return rapid.Custom(func(t *rapid.T) reminder.Reminder {
		r := someReminders().Draw(t, "reminder")
		r.Body = strings.Join(rapid.SliceOfN(pieces, 1, 12).Draw(t, "pieces"), "") + "."
		return r
	})
}

// Whatever the bodies hold, an envelope has as many directives as reminders and
// one end, its body lines hold no tag but the mark of a hidden character, and its
// spans tile it with no byte of a body in a trusted span.
func TestNoBodyCloses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reminder.Session{ID: "s"}
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			var err error
			if s, _, err = s.Inject(anyReminder().Draw(t, "reminder")); err != nil {
				t.Fatal(err)
			}
		}
		checkEnvelope(t, reminder.Reduce(s.Reminders))
	})
}

func checkEnvelope(t rapid.TB, live []reminder.Reminder) {
	t.Helper()
	p, err := reminder.Envelope(live, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := p.System()
	if ok != (len(live) > 0) {
		t.Fatalf("%d reminders, envelope %v", len(live), ok)
	}
	if !ok {
		return
	}
	for tag, n := range map[string]int{
		"<context-directives>": 1, "</context-directives>": 1, "<directive authority=": len(live), "</directive>": len(live),
	} {
		if got := strings.Count(text, tag); got != n {
			t.Fatalf("%d times %s, want %d:\n%s", got, tag, n, text)
		}
	}
	inner := text
	for _, a := range []string{"contract", "corrective", "advisory"} {
		inner = strings.ReplaceAll(inner, `<directive authority="`+a+`">`, "")
	}
	inner = strings.NewReplacer("<context-directives>", "", "</context-directives>", "", "</directive>", "", "<U+", "").Replace(inner)
	if strings.Contains(inner, "<") {
		t.Fatalf("an open bracket is left: %q", inner)
	}
	if !strings.HasPrefix(text, "<context-directives>\n<directive ") || !strings.HasSuffix(text, "\n</directive>\n</context-directives>") {
		t.Fatalf("no frame: %q", text)
	}
	end := 0
	for _, s := range p.Spans() {
		if s.Start != end {
			t.Fatalf("a gap at %d", end)
		}
		end = s.End
		if part := text[s.Start:s.End]; !s.Trust.Untrusted() && s.Kind == cento.BodySpan && !strings.Contains(part, "directive") {
			t.Fatalf("%q is trusted", part)
		}
	}
	if end != len(text) {
		t.Fatalf("spans end at %d of %d", end, len(text))
	}
}

// What is written is read back as the same value, and written again as the same
// bytes.
func TestCanonicalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reminder.Session{ID: rapid.SampledFrom([]string{"s", "é/1", "a b"}).Draw(t, "id"), Turn: rapid.Int64Range(0, 9).Draw(t, "turn")}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			r := anyReminder().Draw(t, "reminder")
			r.Body = strings.ReplaceAll(r.Body, "\x00", "") // no reader takes it
			var err error
			if s, _, err = s.Inject(r); err != nil {
				t.Fatal(err)
			}
		}
		if rapid.Bool().Draw(t, "built") {
			s, _, _ = s.Built()
		}
		text := canonical(t, s)
		var back reminder.Session
		if err := back.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if again := canonical(t, back); again != text {
			t.Fatalf("%s\nread and written is\n%s", text, again)
		}
		for i := range s.Reminders {
			if len(s.Reminders[i].Tags) == 0 {
				s.Reminders[i].Tags, back.Reminders[i].Tags = nil, nil
			}
		}
		if !reflect.DeepEqual(back, s) {
			t.Fatalf("%+v\nread back is\n%+v", s, back)
		}
	})
}

// At most one reminder of a key is pending after an injection, and a compaction
// twice drops nothing that isn't at the end of its life.
func TestKeysAndCompaction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reminder.Session{ID: "s"}
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			s, _, _ = s.Inject(someReminders().Draw(t, "reminder"))
		}
		seen := map[string]bool{}
		for _, r := range s.Reminders {
			if r.DedupeKey != "" && seen[r.DedupeKey] {
				t.Fatalf("two pending reminders share the key %s", r.DedupeKey)
			}
			seen[r.DedupeKey] = true
		}
		once, _ := s.Compact()
		twice, events := once.Compact()
		for _, r := range once.Reminders {
			if !r.PreserveOnCompact {
				t.Fatalf("%s survived", r.ID)
			}
		}
		for _, e := range events {
			if e.Reason != reminder.ByTTL {
				t.Fatalf("a second compaction did %+v", e)
			}
		}
		_ = twice
	})
}

// Every reminder that comes goes by exactly one event, or is still there.
func TestEventsAccount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reminder.Session{ID: "s"}
		pending := map[string]int{}
		count := func(events []reminder.Event) {
			for _, e := range events {
				switch e.Event {
				case reminder.EventInjected:
					pending[e.ID]++
				case reminder.EventExpired, reminder.EventDeduped:
					pending[e.ID]--
				}
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			var events []reminder.Event
			switch rapid.IntRange(0, 4).Draw(t, "op") {
			case 0, 1:
				s, events, _ = s.Inject(someReminders().Draw(t, "reminder"))
			case 2:
				s, _, events = s.Built()
			case 3:
				s, events = s.EndTurn()
			case 4:
				s, events = s.Compact()
			}
			count(events)
			for _, r := range s.Reminders {
				if pending[r.ID] != 1 {
					t.Fatalf("%s is pending and was accounted for %d times", r.ID, pending[r.ID])
				}
			}
			n := 0
			for _, k := range pending {
				n += k
			}
			if n != len(s.Reminders) {
				t.Fatalf("events leave %d, and %d are pending", n, len(s.Reminders))
			}
		}
	})
}
