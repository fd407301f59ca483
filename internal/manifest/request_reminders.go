package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/reminder"
)

// RemindersRequest asks what operations make of a session.
type RemindersRequest struct {
	Session reminder.Session `json:"session"`
	Ops     []reminder.Op    `json:"ops,omitempty"`
	// Placement is where the reminders of a turn go; nil: [reminder.DefaultPlacement] of
	// the capabilities.
	Placement *reminder.Placement `json:"placement,omitempty"`
	// Caps are the capabilities that are set; those of the model decide the
	// default placement and the native form.
	Caps []string `json:"caps,omitempty"`
}

// ParseReminders reads a request about the reminders of a session. The name is the one shown in errors; limits that
// are 0 are the defaults, and Limits.File bounds the request. Everything that is
// wrong is returned at once.
func ParseReminders(name string, data []byte, limits cento.Limits) (*RemindersRequest, error) {
	return strict.Request[RemindersRequest](name, data, limits)
}
