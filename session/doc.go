// Package session keeps the prompt of an agent's session: it is made once, before the
// first turn, stored with everything that it was made of, and used as it is from then
// on. What changes from turn to turn are reminders. It reads no file.
//
// A [Service] works on a store:
//
//	s := session.New(db)
//	_, err := s.Start(ctx, session.StartRequest{ID: "s1"}, source)
//	_, err = s.Remind(ctx, session.RemindRequest{ID: "s1", Reminder: reminder.Reminder{Body: "Tests are red.", TTLTurns: 2}})
//	turn, err := s.Turn(ctx, session.TurnRequest{ID: "s1"}, source)
//	// turn.System, turn.Envelope
//
// A [Source] makes a prompt when one is needed: it reads the project. A first
// one that fails leaves the session without a prompt, and the next turn tries
// again. Files that change later don't change the prompt: [Service.Drift] tells
// which fragments would be other ones, and [Service.Rematerialise] makes the
// prompt anew, on purpose and on record.
//
// Every operation is one transaction. It is done on the state that was read, and
// refused when somebody else changed the session in between: then it is done
// again on the new state, unless the caller named the version that it saw. With
// an idempotency key an operation is done once, however often it is asked for.
//
// Reminders come from the caller, and from providers, which are told what the
// caller knows of the session in a [reminder.Moment]; [Service.Providers] are the
// caller's own. A prompt that is in use isn't swept from the store: [Needs].
//
// It asks the clock for the time of a transition, and
// chance for the name of a session that has none: no prompt depends on either. A Service may be shared by goroutines.
package session
