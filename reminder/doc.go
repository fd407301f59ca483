// Package reminder is the dynamic part of a prompt: texts that come up while a
// session runs, are shown for some turns, replace one another, expire, and
// survive the compaction of a conversation or don't. It asks no clock, stores nothing
// and sends nothing: those are the caller's. The lifecycle is that of Harn's system
// reminders.
//
// A [Session] is a plain value, and every operation is a function from one to
// the next that also tells what happened, as a list of [Event]:
//
//	s := reminder.Session{ID: "s1"}
//	s, _, err := s.Inject(reminder.Reminder{Body: "Tests are red.", TTLTurns: 2})
//	s, live, _ := s.Built()   // the reminders of this turn
//	envelope, err := reminder.Envelope(live, cento.Options{})
//	s, _ = s.EndTurn()
//
// [Reduce] says which of the pending reminders a turn shows, and in which order.
// Where they go is the [Placement]: as fragments into the system prompt
// ([Fragments]), in one envelope at the end of the newest user turn
// ([Envelope]), or in the older form that a family of models knows ([Native]).
// [Sent] keeps envelopes where they were sent once, so that a provider's prompt
// cache holds.
//
// A [Provider] makes reminders of what happens in a session. The built-in ones
// are listed by [BuiltinProviders].
//
// Whatever a body holds, it can neither close the envelope nor open another:
// `&`, `<` and `>` are escaped there, and every text passes the one reducer, with
// the trust of the session.
//
// The package reads nothing: no clock, no disk, no environment. A Session is
// never changed by an operation; what is returned shares no list that a later
// operation writes to.
package reminder
