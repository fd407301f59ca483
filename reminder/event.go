package reminder

// EventName says what happened to a reminder. The names are API.
type EventName string

// What can happen.
const (
	// EventInjected: it is pending now; Replaced tells how many it took out.
	EventInjected EventName = "reminder.injected"
	// EventFired: it is part of the turn that was built.
	EventFired EventName = "reminder.fired"
	// EventDeduped: another one with its key took its place for good.
	EventDeduped EventName = "reminder.deduped"
	// EventExpired: it is gone; Reason says why.
	EventExpired EventName = "reminder.expired"
	// EventDropped: it is pending and left out of the turn that was built, since
	// another one with its key or its text is in.
	EventDropped EventName = "reminder.dropped"
	// EventInherited: a child session has a copy.
	EventInherited EventName = "reminder.inherited"
	// EventProviderEvaluated: a provider was asked; the id is its name.
	EventProviderEvaluated EventName = "reminder.provider_evaluated"
)

// Cause says why a reminder expired.
type Cause string

// The reasons.
const (
	ByTTL        Cause = "ttl"
	ByCompaction Cause = "compaction"
	ByClearing   Cause = "cleared"
)

// Event is one thing that happened.
type Event struct {
	Event EventName `json:"event"`
	// ID is that of the reminder, or the name of a provider.
	ID string `json:"id"`
	// Turn is the session's when it happened.
	Turn      int64    `json:"turn"`
	DedupeKey string   `json:"dedupe_key,omitempty"`
	Tags      []string `json:"tags"`
	Reason    Cause    `json:"reason,omitempty"`
	// Replaced is how many reminders an injected one took out; nil in other
	// events.
	Replaced *int `json:"replaced,omitempty"`
}

// event is what happened to a reminder in this turn.
func (s *Session) event(name EventName, r *Reminder) Event {
	tags := make([]string, len(r.Tags))
	copy(tags, r.Tags)
	return Event{Event: name, ID: r.ID, Turn: s.Turn, DedupeKey: r.DedupeKey, Tags: tags}
}

func (s *Session) expired(r *Reminder, why Cause) Event {
	e := s.event(EventExpired, r)
	e.Reason = why
	return e
}
