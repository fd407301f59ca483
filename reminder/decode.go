package reminder

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
)

// UnmarshalJSON reads a state, as strictly as everything that is read here: unknown
// and repeated keys are refused, and so is every value that a field can't hold, each
// with its place and the name of the field. Everything that is wrong is returned at
// once, with the codes of the strict reader and those of [Session.Check].
func (s *Session) UnmarshalJSON(data []byte) error {
	return strict.Unmarshal(data, cento.TrustSession, s)
}

// UnmarshalJSON reads a reminder as strictly as a state is read.
func (r *Reminder) UnmarshalJSON(data []byte) error {
	return strict.Unmarshal(data, cento.TrustSession, r)
}

// How values are read that stand in larger files.
var (
	_ = strict.ReadBy((*Session).read)
	_ = strict.ReadBy((*Reminder).read)
	_ = strict.ReadBy((*Op).read)
)

// The …File types are the objects as they are written.

type sessionFile struct {
	strict.At
	ID        *string      `json:"id"`
	Turn      int64        `json:"turn,omitempty"`
	TurnBuilt bool         `json:"turn_built,omitempty"`
	Reminders *[]*Reminder `json:"reminders,omitempty"`
}

type reminderFile struct {
	strict.At
	ID                 *string   `json:"id,omitempty"`
	Body               *string   `json:"body"`
	Tags               []string  `json:"tags,omitempty"`
	DedupeKey          *string   `json:"dedupe_key,omitempty"`
	TTLTurns           *int64    `json:"ttl_turns,omitempty"`
	PreserveOnCompact  bool      `json:"preserve_on_compact,omitempty"`
	Propagate          Propagate `json:"propagate,omitempty"`
	Authority          Authority `json:"authority,omitempty"`
	RoleHint           RoleHint  `json:"role_hint,omitempty"`
	Source             Source    `json:"source,omitempty"`
	FiredAtTurn        *int64    `json:"fired_at_turn,omitempty"`
	OriginatingSession *string   `json:"originating_session,omitempty"`
	Fired              bool      `json:"fired,omitempty"`

	Trust wordOf `json:"trust,omitempty"`
}

// wordOf is whose word a body is, as a file says it: nobody says that it is more
// than the workspace's.
type wordOf uint8

const (
	ofSession wordOf = iota
	ofWorkspace
)

var wordOfNames = enum.Names[wordOf]{ofSession: cento.TrustSession.String(), ofWorkspace: cento.TrustWorkspace.String()}

func (w wordOf) MarshalText() ([]byte, error) { return wordOfNames.Marshal(w) }

func (w *wordOf) UnmarshalText(t []byte) error { return unmarshalName(wordOfNames, t, w) }

// read reads the reminder. Its id may be absent.
func (r *Reminder) read(d *strict.Decoder, n *strict.Node) {
	var f reminderFile
	d.Decode(n, &f)
	*r = Reminder{
		Tags: f.Tags, PreserveOnCompact: f.PreserveOnCompact, Propagate: f.Propagate, Authority: f.Authority,
		RoleHint: f.RoleHint, Source: f.Source, FiredAtTurn: f.FiredAtTurn, Fired: f.Fired,
	}
	if n.Kind() != strict.Map || f.Body == nil {
		return
	}
	r.Body = *f.Body
	// What is given and empty isn't the same as what is absent.
	var fs faults
	if f.Trust == ofWorkspace {
		r.Trust = cento.TrustWorkspace
	}
	for _, x := range []struct {
		name string
		from *string
		to   *string
	}{{"id", f.ID, &r.ID}, {"dedupe_key", f.DedupeKey, &r.DedupeKey}, {"originating_session", f.OriginatingSession, &r.OriginatingSession}} {
		if x.from == nil {
			continue
		}
		if *x.to = *x.from; *x.to == "" {
			fs.name(x.name, -1, "")
		}
	}
	if _, given := n.Member("ttl_turns"); f.TTLTurns != nil {
		if r.TTLTurns = *f.TTLTurns; r.TTLTurns == 0 {
			fs.ttl(0)
		}
	} else if given != nil && given.Kind() == strict.Null {
		// Whoever computed a life and got none doesn't mean one without end.
		d.In("ttl_turns", func() {
			d.Fail(given.Position(), Invalid, "expected 1 to %d turns, got null", MaxTTL).Hint = ttlHint
		})
	}
	r.DedupeKey = norm.NFC.String(r.DedupeKey)
	report(d, n, append(r.check(), fs...))
}

// report tells of faults at the places of their fields. Of a value of another
// kind than its field's it says nothing: the decoder has.
func report(d *strict.Decoder, n *strict.Node, fs faults) {
	for _, f := range fs {
		at := n.Position()
		if _, value := n.Member(f.field); value != nil {
			if items := value.Items(); f.index >= 0 && f.index < len(items) {
				value = &items[f.index]
			}
			at = value.Position()
			_, text := value.Text()
			_, number := value.Int()
			if kind := value.Kind(); kind != strict.List && kind != strict.Map && !text && !number || f.numeric() && !number || !f.numeric() && number {
				continue
			}
		}
		d.In(f.path(), func() { d.Fail(at, f.code, "%s", f.message).Hint = f.hint })
	}
}

// read reads the state.
func (s *Session) read(d *strict.Decoder, n *strict.Node) {
	var f sessionFile
	d.Decode(n, &f)
	*s = Session{Turn: f.Turn, TurnBuilt: f.TurnBuilt}
	if n.Kind() != strict.Map || f.ID == nil {
		return
	}
	s.ID = *f.ID
	if f.Reminders == nil {
		report(d, n, s.check())
		return
	}
	_, list := n.Member("reminders")
	first := map[string]int{}
	d.In("reminders", func() {
		for i, r := range *f.Reminders {
			if r == nil {
				continue
			}
			if r.FiredAtTurn == nil {
				at := s.Turn
				r.FiredAtTurn = &at
			}
			s.Reminders = append(s.Reminders, *r)
			item := &list.Items()[i]
			d.InItem(i, func() {
				id, at := item.Member("id")
				switch j, twice := first[r.ID]; {
				case id == nil && item.Kind() == strict.Map:
					d.Fail(item.Position(), strict.MissingKey, "the key %q is missing", "id").Hint = "a pending reminder has an id"
				case id == nil || r.ID == "":
				case twice:
					e := d.Fail(at.Position(), Duplicate, "two pending reminders have the id %q", r.ID)
					e.Related = []cento.Related{{Position: list.Items()[j].Position(), Message: "the other one"}}
				default:
					first[r.ID] = i
				}
			})
		}
	})
	report(d, n, s.check())
}

// Shape gives the remarks on reminders that are well-formed and probably not
// meant: nothing but a compaction ends them, and it does. Lists of them are notes of their session.
func Shape(list []Reminder) []cento.Note {
	var notes []cento.Note
	for i := range list {
		if r := &list[i]; r.immortal() && !strings.HasPrefix(r.DedupeKey, InstructionsKey) {
			notes = append(notes, cento.Note{
				Code: CodeImmortal, Fragment: fragmentPrefix + r.ID,
				Message: fmt.Sprintf("the reminder %q has no ttl_turns and isn't preserved: it stays until the conversation is compacted", r.ID),
			})
		}
	}
	return notes
}

// InstructionsKey begins the dedupe keys of files of instructions that came up with
// what is worked on. They are to live until the conversation is compacted.
const InstructionsKey = "instructions:"

// CodeImmortal: a reminder that nothing but a compaction ends, and that ends
// there.
const CodeImmortal cento.Code = "reminder.immortal"
