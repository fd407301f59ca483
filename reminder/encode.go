package reminder

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
)

// AppendJSON appends the state in canonical form: the members in a fixed order,
// those with defaults always, those that are absent never. [Session.UnmarshalJSON]
// reads it back as the same. The error is [cento.InvalidUTF8].
func (s Session) AppendJSON(dst []byte) ([]byte, error) {
	return canonical.Append(dst, func(w *canonical.Writer) {
		w.Begin()
		w.TextMember("id", s.ID)
		w.IntMember("turn", s.Turn)
		if s.TurnBuilt {
			w.BoolMember("turn_built", true)
		}
		w.Member("reminders")
		canonical.List(w, s.Reminders, func(r *Reminder) { r.write(w) })
		w.End()
	})
}

// MarshalJSON gives the form of [Session.AppendJSON].
func (s Session) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// MarshalJSON gives the form in which [Session.AppendJSON] writes it.
func (r Reminder) MarshalJSON() ([]byte, error) { return canonical.Append(nil, r.write) }

func (r *Reminder) write(w *canonical.Writer) {
	w.Begin()
	w.Optional("id", r.ID)
	w.TextMember("body", r.Body)
	w.Texts("tags", r.Tags)
	w.Optional("dedupe_key", r.DedupeKey)
	if r.TTLTurns != 0 {
		w.IntMember("ttl_turns", r.TTLTurns)
	}
	w.BoolMember("preserve_on_compact", r.PreserveOnCompact)
	w.TextMember("propagate", r.Propagate.String())
	w.TextMember("authority", r.Authority.String())
	w.TextMember("role_hint", r.RoleHint.String())
	w.TextMember("source", r.Source.String())
	if r.FiredAtTurn != nil {
		w.IntMember("fired_at_turn", *r.FiredAtTurn)
	}
	w.Optional("originating_session", r.OriginatingSession)
	w.BoolMember("fired", r.Fired)
	if r.Trust == cento.TrustWorkspace {
		w.TextMember("trust", r.Trust.String())
	}
	w.End()
}
