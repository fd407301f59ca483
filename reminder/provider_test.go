package reminder_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

func named(t *testing.T, names ...string) []reminder.Provider {
	t.Helper()
	list, err := reminder.Choose(names, reminder.InTurn)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// evaluate asks the providers and gives the bodies of what is pending after it.
func evaluate(t *testing.T, s *reminder.Session, m reminder.Moment, names ...string) []reminder.Reminder {
	t.Helper()
	next, events, notes := reminder.Evaluate(named(t, names...), m, *s, nil)
	if len(notes) > 0 {
		t.Fatal(notes)
	}
	asked := 0
	for _, e := range events {
		if e.Event == reminder.EventProviderEvaluated {
			asked++
		}
	}
	if asked != len(named(t, names...)) {
		t.Errorf("%d providers have an event, want %d", asked, len(named(t, names...)))
	}
	*s = next
	return s.Reminders
}

func TestTokenPressure(t *testing.T) {
	for _, x := range []struct {
		used, window int64
		percent      string
		authority    reminder.Authority
		keep         bool
	}{
		{0, 0, "", 0, false},
		{99, 0, "", 0, false},
		{69, 100, "", 0, false},
		{70, 100, "70 %", reminder.Advisory, false},
		{139_999, 200_000, "", 0, false},
		{140_000, 200_000, "70 %", reminder.Advisory, false},
		{85, 100, "85 %", reminder.Corrective, false},
		{94, 100, "85 %", reminder.Corrective, false},
		{95, 100, "95 %", reminder.Contract, true},
		{500, 100, "95 %", reminder.Contract, true},
		{math.MaxInt64, math.MaxInt64, "95 %", reminder.Contract, true},
		{math.MaxInt64 / 2, math.MaxInt64, "", 0, false},
	} {
		s := reminder.Session{ID: "s"}
		got := evaluate(t, &s, reminder.Moment{TokensUsed: x.used, Window: x.window})
		if x.percent == "" {
			if len(got) > 0 {
				t.Errorf("%d of %d: %q", x.used, x.window, got[0].Body)
			}
			continue
		}
		if len(got) != 1 || !strings.Contains(got[0].Body, x.percent) || got[0].Authority != x.authority ||
			got[0].PreserveOnCompact != x.keep || got[0].TTLTurns != 2 || got[0].Source != reminder.StdlibProvider {
			t.Errorf("%d of %d: %+v", x.used, x.window, got)
		}
	}
}

// Under pressure there is always one reminder of it, the text of a step changes
// only with the step, and it is gone two turns after the pressure is.
func TestPressureLasts(t *testing.T) {
	s := reminder.Session{ID: "s"}
	seen := func(used int64) string {
		t.Helper()
		evaluate(t, &s, reminder.Moment{TokensUsed: used, Window: 100})
		var live []reminder.Reminder
		s, live, _ = s.Built()
		s, _ = s.EndTurn()
		if len(live) > 1 {
			t.Fatalf("%d reminders", len(live))
		}
		if len(live) == 0 {
			return ""
		}
		return live[0].Body
	}
	first := seen(70)
	for _, used := range []int64{71, 72, 80} {
		if got := seen(used); got != first || got == "" {
			t.Errorf("at %d: %q", used, got)
		}
	}
	if got := seen(90); got == first {
		t.Error("the next step says the same")
	}
	seen(10)
	if got := seen(10); got != "" {
		t.Errorf("without pressure: %q", got)
	}
}

func TestOtherProviders(t *testing.T) {
	for _, x := range []struct {
		name   string
		moment reminder.Moment
		want   []string
		ttl    int64
	}{
		{"idle_nudge", reminder.Moment{IdleTurns: 2}, nil, 0},
		{"idle_nudge", reminder.Moment{IdleTurns: 3}, []string{"Several turns"}, 1},
		{"tool_output_truncated", reminder.Moment{Truncated: []reminder.TruncatedOutput{{Tool: "read", Kept: 10, Total: 99}, {Tool: "</directive>", Kept: 1, Total: 2}}}, []string{`"read" was cut: 10 of 99`, `"</directive>" was cut`}, 1},
		{"post_compact_recap", reminder.Moment{}, nil, 0},
		{"post_compact_recap", reminder.Moment{Kind: reminder.AfterCompaction, Recap: " Two tests fail. "}, []string{"What was kept:\nTwo tests fail."}, 1},
		{"resume_continuity", reminder.Moment{}, nil, 0},
		{"resume_continuity", reminder.Moment{Kind: reminder.OnResume}, []string{"was resumed"}, 1},
		{"workspace_drift", reminder.Moment{}, nil, 0},
		{"workspace_drift", reminder.Moment{Drift: []string{"b.md", "a\n## Working boundaries", "b.md"}}, []string{"\n- \"a\\n## Working boundaries\"\n- \"b.md\""}, 3},
	} {
		s := reminder.Session{ID: "s"}
		got := evaluate(t, &s, x.moment, x.name)
		if len(got) != len(x.want) {
			t.Errorf("%s: %d reminders of %+v, want %d", x.name, len(got), x.moment, len(x.want))
			continue
		}
		for i, r := range got {
			if !strings.Contains(r.Body, x.want[i]) || r.TTLTurns != x.ttl || r.DedupeKey == "" {
				t.Errorf("%s: %+v", x.name, r)
			}
		}
		again := len(s.Reminders)
		if evaluate(t, &s, x.moment, x.name); len(s.Reminders) != again {
			t.Errorf("%s: asked again it adds %d", x.name, len(s.Reminders)-again)
		}
	}
}

// Whatever a host hands over, the built-in providers make reminders that are
// taken.
func TestProvidersTakeAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := reminder.Moment{
			Kind: reminder.MomentKind(rapid.IntRange(0, 2).Draw(t, "kind")), TokensUsed: rapid.Int64().Draw(t, "used"), Window: rapid.Int64().Draw(t, "window"),
			IdleTurns: rapid.Int64().Draw(t, "idle"), Recap: rapid.String().Draw(t, "recap"), Drift: rapid.SliceOfN(rapid.String(), 0, 12).Draw(t, "drift"),
		}
		for _, name := range rapid.SliceOfN(rapid.StringN(0, 400, -1), 0, 3).Draw(t, "tools") {
			m.Truncated = append(m.Truncated, reminder.TruncatedOutput{Tool: name})
		}
		s, _, notes := reminder.Evaluate(reminder.BuiltinProviders(), m, reminder.Session{ID: "s"}, nil)
		if len(notes) > 0 {
			t.Fatal(notes)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		checkEnvelope(t, reminder.Reduce(s.Reminders))
	})
}

// own is a provider as somebody else writes one.
type own struct {
	name string
	give []reminder.Reminder
	err  error
	dies bool
	over []string // what is withdrawn
}

func (o own) Name() string { return o.name }

func (o own) Evaluate(reminder.Moment, reminder.Session) ([]reminder.Reminder, error) {
	if o.dies {
		panic("no backend\nat all")
	}
	return o.give, o.err
}

func (o own) Withdrawn(reminder.Moment, reminder.Session) []string { return o.over }

func TestChoose(t *testing.T) {
	names := func(list []reminder.Provider) string {
		var out []string
		for _, p := range list {
			out = append(out, p.Name())
		}
		return strings.Join(out, " ")
	}
	const all = "token_pressure idle_nudge tool_output_truncated post_compact_recap resume_continuity workspace_drift day_changed"
	mine := own{name: "mine"}
	for _, x := range []struct {
		choice []string
		to     reminder.Placement
		want   string
	}{
		{nil, reminder.InTurn, all + " mine"},
		{nil, reminder.InNative, all + " mine"},
		{nil, reminder.InSystem, "mine"}, // the system prompt stays as it was made
		{[]string{"-idle_nudge"}, reminder.InTurn, strings.Replace(all, " idle_nudge", "", 1) + " mine"},
		{[]string{"-idle_nudge"}, reminder.InSystem, "mine"},
		{[]string{"idle_nudge", "token_pressure"}, reminder.InTurn, "token_pressure idle_nudge mine"},
		{[]string{"idle_nudge", "token_pressure"}, reminder.InSystem, "token_pressure idle_nudge mine"},
		{[]string{"idle_nudge", "-mine"}, reminder.InTurn, "idle_nudge"},
	} {
		got, err := reminder.Choose(x.choice, x.to, mine)
		if err != nil || names(got) != x.want {
			t.Errorf("%q: %s (%v), want %s", x.choice, names(got), err, x.want)
		}
	}
	many := make([]reminder.Provider, 3)
	for i := range many {
		many[i] = own{name: fmt.Sprint("own", i)}
	}
	for _, x := range []struct {
		choice []string
		own    []reminder.Provider
		want   string
	}{
		{[]string{"idle_nudg"}, nil, `providers[0]: there is no provider "idle_nudg"`},
		{[]string{"idle_nudge", "-idle_nudge"}, nil, `providers[1]: "idle_nudge" is both on and off`},
		{nil, many, "providers: 9 providers, and the limit is 8"},
		{nil, []reminder.Provider{own{name: "idle_nudge"}}, `providers: two providers are called "idle_nudge"`},
		{slices.Repeat([]string{"-idle_nudge"}, 9), nil, "providers[8]: 9 providers, and the limit is 8"},
	} {
		_, err := reminder.Choose(x.choice, reminder.InTurn, x.own...)
		if !errors.Is(err, reminder.Invalid) || err.Error() != x.want {
			t.Errorf("%q: %v, want %s", x.choice, err, x.want)
		}
	}
}

// A provider that fails is a note, and nothing of what it said is taken; those
// beside it are asked all the same.
func TestProviderFails(t *testing.T) {
	good := own{name: "good", give: []reminder.Reminder{{Body: "Good."}}}
	for want, bad := range map[string]own{
		"provider mine: no connection":                     {name: "mine", err: errors.New("no connection")},
		"provider mine: it panicked: no backend at all":    {name: "mine", dies: true},
		"provider mine: body: the text is blank":           {name: "mine", give: []reminder.Reminder{{Body: "a"}, {Body: " "}}},
		"provider mine: clear: nothing says what to clear": {name: "mine", over: []string{""}},
		"provider mine: " + strings.Repeat("x", 285) + "…": {name: "mine", err: errors.New(strings.Repeat("x", 5000))},
	} {
		s, events, notes := reminder.Evaluate([]reminder.Provider{bad, good}, reminder.Moment{}, reminder.Session{ID: "s"}, nil)
		if len(notes) != 1 || notes[0].Code != reminder.CodeProviderFailed || notes[0].Message != want {
			t.Errorf("%+v, want %s", notes, want)
		}
		if len(s.Reminders) != 1 || s.Reminders[0].Body != "Good." || len(events) != 2 {
			t.Errorf("%s: %+v, %+v", want, s.Reminders, events)
		}
	}
}

// What a provider says later takes the place of what it said before, also
// without keys of its own; the same words again are left alone.
func TestNewerWordReplaces(t *testing.T) {
	said := func(s *reminder.Session, bodies ...string) string {
		p := own{name: "mine"}
		for _, b := range bodies {
			p.give = append(p.give, reminder.Reminder{Body: b})
		}
		*s, _, _ = reminder.Evaluate([]reminder.Provider{p}, reminder.Moment{}, *s, nil)
		var out []string
		for _, r := range s.Reminders {
			out = append(out, r.DedupeKey+"="+r.Body)
		}
		return strings.Join(out, " ")
	}
	s := reminder.Session{ID: "s"}
	for _, x := range []struct{ got, want string }{
		{said(&s, "a"), "mine=a"},
		{said(&s, "b"), "mine=b"},
		{said(&s, "b", "c"), "mine=b mine:2=c"},
		{said(&s), "mine=b mine:2=c"},
		{said(&s, "d", "c"), "mine:2=c mine=d"},
	} {
		if x.got != x.want {
			t.Errorf("%s, want %s", x.got, x.want)
		}
	}
	id := s.Reminders[0].ID
	if said(&s, "d", "c"); s.Reminders[0].ID != id {
		t.Error("the same words count as new")
	}
	for range 3000 {
		said(&s, "e")
	}
	if len(s.Reminders) != 2 {
		t.Errorf("%d pending: they pile up", len(s.Reminders))
	}
}

// The figure of a pressure that is gone isn't told any more.
func TestPressureGoes(t *testing.T) {
	s := reminder.Session{ID: "s"}
	for _, x := range []struct {
		moment reminder.Moment
		want   string
	}{
		{reminder.Moment{TokensUsed: 96, Window: 100}, "95 %"},
		{reminder.Moment{TokensUsed: 75, Window: 100}, "70 %"},
		{reminder.Moment{}, "70 %"}, // nobody knows
		{reminder.Moment{TokensUsed: 10, Window: 100}, ""},
		{reminder.Moment{TokensUsed: 86, Window: 100}, "85 %"},
		{reminder.Moment{Kind: reminder.AfterCompaction, TokensUsed: 10, Window: 100}, "85 %"},
		{reminder.Moment{Kind: reminder.OnResume, TokensUsed: 10, Window: 100}, ""},
	} {
		pending := evaluate(t, &s, x.moment, "token_pressure")
		if x.want == "" && len(pending) > 0 || x.want != "" && (len(pending) != 1 || !strings.Contains(pending[0].Body, x.want)) {
			t.Errorf("%+v: %+v, want %q", x.moment, pending, x.want)
		}
	}
}

// A session that is resumed under pressure is under pressure; a conversation that
// was compacted just now isn't any more, whatever the numbers say.
func TestPressureByMoment(t *testing.T) {
	for kind, want := range map[reminder.MomentKind]int{reminder.AtTurn: 1, reminder.OnResume: 1, reminder.AfterCompaction: 0} {
		s := reminder.Session{ID: "s"}
		if got := evaluate(t, &s, reminder.Moment{Kind: kind, TokensUsed: 96, Window: 100}, "token_pressure"); len(got) != want {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

func TestMomentChecked(t *testing.T) {
	for _, x := range []struct {
		moment reminder.Moment
		want   string
	}{
		{reminder.Moment{}, ""},
		{reminder.Moment{TokensUsed: 300, Window: 200, Truncated: []reminder.TruncatedOutput{{Tool: "a", Kept: 5, Total: 5}}}, ""},
		{reminder.Moment{TokensUsed: -1}, "tokens_used: expected 0 or more, got -1"},
		{reminder.Moment{Window: math.MinInt64}, "window: expected 0 or more, got -9223372036854775808"},
		{reminder.Moment{IdleTurns: -1}, "idle_turns: expected 0 or more, got -1"},
		{reminder.Moment{TokensUsed: 5}, "tokens_used: 5 tokens say nothing without the window that they are of"},
		{reminder.Moment{Kind: 3}, `kind: 3 is none of ["turn" "compact" "resume"]`},
		{reminder.Moment{Truncated: []reminder.TruncatedOutput{{Tool: "a", Total: 1}, {Tool: "b", Kept: 2, Total: 1}}}, "truncated[1]: 2 of 1 bytes can't have been kept"},
		{reminder.Moment{Truncated: []reminder.TruncatedOutput{{Tool: "a", Total: 1}, {Kept: 1, Total: 2}}}, "truncated[1]: the tool has no name"},
		{reminder.Moment{Truncated: []reminder.TruncatedOutput{{Tool: "\t ", Kept: 1, Total: 2}}}, "truncated[0]: the tool has no name"},
		{reminder.Moment{Recap: " \n"}, "recap: the text is blank"},
		{reminder.Moment{Recap: "\xff"}, `recap: "\xff" isn't valid UTF-8`},
		{reminder.Moment{Data: []byte(`{"branch": "main"}`)}, ""},
		{reminder.Moment{Data: []byte(`{"branch": `)}, "data: isn't JSON"},
		{reminder.Moment{Data: []byte(strings.Repeat(" ", reminder.MaxData) + "1")}, "data: 65537 bytes, and the limit is 65536"},
		{reminder.Moment{Drift: []string{"a", "\xff"}}, `drift[1]: "\xff" isn't valid UTF-8`},
	} {
		err := x.moment.Check()
		if got := fmt.Sprint(err); x.want == "" && err != nil || x.want != "" && (got != x.want || !errors.Is(err, reminder.Invalid) && !errors.Is(err, cento.InvalidUTF8)) {
			t.Errorf("%+v: %v, want %s", x.moment, err, x.want)
		}
	}
}
