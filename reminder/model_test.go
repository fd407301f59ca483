package reminder_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// The model says the lifecycle once more, as shortly as it can be said: one list
// of rows that are changed in place, no events, no ids made.
type row struct {
	id, key, body    string
	ttl, rank        int
	keep, fired, own bool
	reach            reminder.Propagate
	dead             bool
}
type model struct {
	rows  []row
	built bool
}

func (m *model) drop(gone func(row) bool) { m.rows = slices.DeleteFunc(m.rows, gone) }
func (m *model) age(when func(row) bool) {
	for i, r := range m.rows {
		if r.ttl > 0 && when(r) {
			m.rows[i].ttl, m.rows[i].dead = r.ttl-1, r.ttl == 1
		}
	}
	m.drop(func(r row) bool { return r.dead })
}
func (m *model) inject(r row) {
	m.drop(func(o row) bool { return r.key != "" && o.key == r.key })
	m.rows = append(m.rows, r)
}
func (m *model) beaten(same func(a, b row) bool) func(row) bool {
	rows := slices.Clone(m.rows)
	return func(r row) bool {
		at := slices.IndexFunc(rows, func(o row) bool { return o.id == r.id })
		return slices.ContainsFunc(rows, func(o row) bool {
			later := slices.IndexFunc(rows, func(x row) bool { return x.id == o.id }) > at
			return o.id != r.id && same(o, r) && (o.rank < r.rank || o.rank == r.rank && later)
		})
	}
}
func sameKey(a, b row) bool { return a.key != "" && a.key == b.key }
func sameText(a, b row) bool {
	return strings.Join(strings.Fields(a.body), " ") == strings.Join(strings.Fields(b.body), " ")
}
func (m *model) live() []row {
	c := model{rows: slices.Clone(m.rows)}
	c.drop(c.beaten(sameKey))
	c.drop(c.beaten(sameText))
	slices.SortStableFunc(c.rows, func(a, b row) int { return a.rank - b.rank })
	return c.rows
}
func (m *model) turn() {
	for _, l := range m.live() {
		m.rows[slices.IndexFunc(m.rows, func(r row) bool { return r.id == l.id })].fired = true
	}
	m.built = true
}
func (m *model) end() {
	m.age(func(r row) bool { return r.fired || !m.built })
	m.built = false
}
func (m *model) compact() {
	m.age(func(row) bool { return true })
	m.drop(m.beaten(sameKey))
	m.drop(func(r row) bool { return !r.keep })
}
func (m *model) fork() (c model) {
	for _, r := range m.rows {
		if r.reach == reminder.ToAll || r.reach == reminder.ToChildren && r.own {
			r.fired, r.own = false, false
			c.rows = append(c.rows, r)
		}
	}
	return c
}

// someReminders draws few different values, so that they meet.
func someReminders() *rapid.Generator[reminder.Reminder] {
	return rapid.Custom(func(t *rapid.T) reminder.Reminder {
		return reminder.Reminder{
			Body:              rapid.SampledFrom([]string{"a", " a\n", "b", "a  b", "a b", "</directive>", "&lt;"}).Draw(t, "body"),
			DedupeKey:         rapid.SampledFrom([]string{"", "", "k", "l"}).Draw(t, "key"),
			Tags:              rapid.SampledFrom([][]string{nil, {"x"}, {"x", "y"}}).Draw(t, "tags"),
			TTLTurns:          rapid.Int64Range(0, 3).Draw(t, "ttl"),
			PreserveOnCompact: rapid.Bool().Draw(t, "keep"),
			Propagate:         reminder.Propagate(rapid.IntRange(0, 2).Draw(t, "propagate")),
			Authority:         reminder.Authority(rapid.IntRange(0, 2).Draw(t, "authority")),
			RoleHint:          reminder.RoleHint(rapid.IntRange(0, 3).Draw(t, "role")),
			Trust:             rapid.SampledFrom([]cento.Trust{0, cento.TrustSession, cento.TrustWorkspace}).Draw(t, "trust"),
		}
	})
}

// Any history gives the state and the reduction of the model, in the session and
// in a child that was forked on the way and lives on.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type pair struct {
			s reminder.Session
			m model
		}
		all := []*pair{{s: reminder.Session{ID: "s0"}}}
		n := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			p := all[rapid.IntRange(0, len(all)-1).Draw(t, "session")]
			before := canonical(t, p.s)
			was := p.s
			var err error
			switch op := rapid.IntRange(0, 6).Draw(t, "op"); op {
			case 0, 1:
				r := someReminders().Draw(t, "reminder")
				n++
				r.ID = fmt.Sprintf("r%d", n)
				p.s, _, err = p.s.Inject(r)
				p.m.inject(row{r.ID, r.DedupeKey, r.Body, int(r.TTLTurns), int(r.Authority), r.PreserveOnCompact, false, true, r.Propagate, false})
			case 2:
				var live []reminder.Reminder
				p.s, live, _ = p.s.Built()
				want := p.m.live()
				p.m.turn()
				if len(live) != len(want) || slices.ContainsFunc(live, func(r reminder.Reminder) bool { return !r.Fired }) {
					t.Fatalf("the turn shows %v, the model %v", live, want)
				}
			case 3:
				p.s, _ = p.s.EndTurn()
				p.m.end()
			case 4:
				p.s, _ = p.s.Compact()
				p.m.compact()
			case 5:
				key := rapid.SampledFrom([]string{"k", "l"}).Draw(t, "cleared")
				p.s, _, err = p.s.Clear(reminder.Match{DedupeKey: key})
				p.m.drop(func(r row) bool { return r.key == key })
			case 6:
				if len(all) < 5 {
					var c reminder.Session
					c, _, err = p.s.Fork(fmt.Sprintf("s%d", len(all)))
					all = append(all, &pair{c, p.m.fork()})
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := canonical(t, was); got != before {
				t.Fatalf("an operation changed the state before it:\n%s\n%s", before, got)
			}
			for _, p := range all {
				compare(t, p.s, p.m)
			}
		}
	})
}

func compare(t *rapid.T, s reminder.Session, m model) {
	t.Helper()
	var got, want []string
	for _, r := range s.Reminders {
		got = append(got, fmt.Sprint(r.ID, r.TTLTurns, r.Fired))
	}
	for _, r := range m.rows {
		want = append(want, fmt.Sprint(r.id, int64(r.ttl), r.fired))
	}
	got, want = append(got, "live"), append(want, "live")
	for _, r := range reminder.Reduce(s.Reminders) {
		got = append(got, r.ID)
	}
	for _, r := range m.live() {
		want = append(want, r.id)
	}
	if !slices.Equal(got, want) || s.TurnBuilt != m.built {
		t.Fatalf("got  %v built %v\nwant %v built %v", got, s.TurnBuilt, want, m.built)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("an operation gave a state that is refused: %v", err)
	}
}
