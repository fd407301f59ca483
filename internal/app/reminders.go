package app

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// callReminders answers a request for what operations make of the reminders of a
// session. Nothing is stored.
func callReminders(_ context.Context, request []byte) (any, error) {
	r, err := reminder.ParseRequest(requestName, request, requestLimits())
	if err != nil {
		return nil, err
	}
	return reminder.Answer(r, cento.Options{})
}
