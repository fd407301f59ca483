package reminder_test

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// A reminder is shown for two turns and then expires.
func Example() {
	s := reminder.Session{ID: "s1"}
	s, _, err := s.Inject(reminder.Reminder{ID: "tests", Body: "Tests are red.", TTLTurns: 2})
	if err != nil {
		panic(err)
	}
	for range 3 {
		var live []reminder.Reminder
		s, live, _ = s.Built()
		envelope, err := reminder.Envelope(live, cento.Options{})
		if err != nil {
			panic(err)
		}
		text, shown := envelope.System()
		fmt.Printf("turn %d, shown: %v\n%s\n", s.Turn, shown, text)
		s, _ = s.EndTurn()
	}
	// Output:
	// turn 0, shown: true
	// <context-directives>
	// <directive authority="contract">
	// Tests are red.
	// </directive>
	// </context-directives>
	// turn 1, shown: true
	// <context-directives>
	// <directive authority="contract">
	// Tests are red.
	// </directive>
	// </context-directives>
	// turn 2, shown: false
}
