package manifest

import (
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/reminder"
)

// Reminders say where the reminders of a session go, and who makes them.
type Reminders struct {
	// Placement is nil where none is chosen: the turn for append-only envelopes
	// and for a model with a prompt cache, else the system prompt.
	Placement *reminder.Placement `json:"placement,omitempty"`
	// AppendOnly keeps every envelope where it was sent first.
	AppendOnly bool `json:"append_only,omitempty"`
	// Providers names those that are asked, as [reminder.Choose] reads it.
	Providers []string `json:"providers,omitempty"`
}

// Materialise says how often the prompt of a session is made.
type Materialise uint8

const (
	// Once: before the first turn of the session; it is used as it is from then
	// on. The default.
	Once Materialise = iota
	// EveryTurn: anew for each turn.
	EveryTurn
)

var materialiseNames = enum.Names[Materialise]{"once", "per_turn"}

// String gives "once" or "per_turn".
func (m Materialise) String() string { return materialiseNames.Name(m) }

// MarshalText gives the name.
func (m Materialise) MarshalText() ([]byte, error) { return materialiseNames.Marshal(m) }

// UnmarshalText accepts a name.
func (m *Materialise) UnmarshalText(t []byte) error { return materialiseNames.Unmarshal(t, m) }

type remindersFile struct {
	strict.At
	Placement  *strict.Located[reminder.Placement] `json:"placement,omitempty" jsonschema:"Where they go: into the system prompt, into one envelope at the end of the newest user turn, or in the form that the family of models knows. Default turn for a model with a prompt cache, else system."`
	AppendOnly *strict.Located[bool]               `json:"append_only,omitempty" jsonschema:"Keep every envelope as a user turn of its own, where it was sent first. Only with the placement turn."`
	Providers  []text                              `json:"providers,omitempty" jsonschema:"Providers that are asked, at most eight; default all that are built in. A name behind a minus switches one off."`
}

// reminders reads what is written.
func (f *remindersFile) reminders(d *strict.Decoder) Reminders {
	var r Reminders
	if f.Placement != nil {
		r.Placement = &f.Placement.Value
	}
	if f.AppendOnly != nil && f.AppendOnly.Value {
		r.AppendOnly = true
		if r.Placement != nil && *r.Placement != reminder.InTurn {
			conflict(d, "append_only", f.AppendOnly.Position(), "placement", f.Placement.Position(), "only envelopes in the turn stay where they were sent")
		}
	}
	for _, p := range f.Providers {
		if _, ok := p.Text(); !ok {
			return r // as was reported
		}
		r.Providers = append(r.Providers, p.Value)
	}
	d.In("providers", func() {
		reminder.CheckChoice(r.Providers, func(i int, message, hint string) {
			d.InItem(i, func() { d.Fail(f.Providers[i].Position(), reminder.Invalid, "%s", message).Hint = hint })
		})
	})
	return r
}
