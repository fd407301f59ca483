package call

import (
	"context"
	"errors"
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/reminder"
)

// RemindersAnswer is the answer to a request about reminders.
type RemindersAnswer struct {
	// Session is the state after all operations.
	Session reminder.Session `json:"session"`
	// Child is what the last fork gave; null for none.
	Child *reminder.Session `json:"child"`
	// Events tell what the operations did, in order.
	Events []reminder.Event `json:"events"`
	// Fragments are the reminders that a turn would show now.
	Fragments []RequestFragment `json:"fragments"`
	// Envelope is the same as one text for the user turn; null without reminders,
	// and unless that is the placement.
	Envelope *string `json:"envelope"`
	// Messages are the same in the native form; absent unless that is the
	// placement.
	Messages []reminder.Message `json:"messages,omitempty"`
	Notes    []cento.Note       `json:"notes,omitempty"`
}

// RequestFragment is a fragment as a request to reduce takes it: what is answered
// here can be handed over there as it is.
type RequestFragment struct {
	ID        string          `json:"id"`
	Source    string          `json:"source"`
	Body      string          `json:"body"`
	Stability cento.Stability `json:"stability"`
	Trust     cento.Trust     `json:"trust"`
}

// AnswerReminders does what a request asks for. The error of an operation tells which one
// it is, and its codes are those of the methods of [reminder.Session].
func AnswerReminders(ctx context.Context, r *manifest.RemindersRequest, o cento.Options) (*RemindersAnswer, error) {
	out := &RemindersAnswer{Session: r.Session, Events: []reminder.Event{}, Fragments: []RequestFragment{}}
	if err := out.Session.Check(); err != nil {
		return nil, err
	}
	for i := range r.Ops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next, child, events, err := r.Ops[i].Apply(out.Session)
		if err != nil {
			return nil, within("ops["+strconv.Itoa(i)+"]", r.Ops[i].Position, err)
		}
		out.Session = next
		if child != nil {
			out.Child = child
		}
		out.Events = append(out.Events, events...)
	}
	placement := reminder.DefaultPlacement(r.Caps)
	if r.Placement != nil {
		placement = *r.Placement
	}
	live := reminder.Reduce(out.Session.Reminders)
	for _, f := range reminder.Fragments(live) {
		out.Fragments = append(out.Fragments, RequestFragment{ID: f.ID, Source: f.Source, Body: f.Body, Stability: f.Stability, Trust: f.Trust})
	}
	switch placement {
	case reminder.InTurn:
		p, err := reminder.Envelope(live, o)
		if err != nil {
			return nil, err
		}
		if text, ok := p.System(); ok {
			out.Envelope = &text
		}
	case reminder.InNative:
		var err error
		if out.Messages, err = reminder.Native(live, r.Caps, o); err != nil {
			return nil, err
		}
	}
	out.Notes = reminder.Shape(out.Session.Reminders)
	return out, nil
}

// within adds the place of an operation to its error.
func within(path string, at cento.Position, err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	moved := *e
	moved.Position, moved.Message = at, path+"."+e.Message
	return &moved
}

// answerReminders does what a request asks for. Nothing is stored.
func answerReminders(ctx context.Context, r *manifest.RemindersRequest) (*RemindersAnswer, error) {
	return AnswerReminders(ctx, r, cento.Options{})
}
