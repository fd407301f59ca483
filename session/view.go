package session

import (
	"context"
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// View is the prompt of a session with its decisions, as a turn that was begun
// now would hand it out. Nothing is changed by looking.
type View struct {
	Meta
	Input     cento.Input
	Prompt    *cento.Prompt
	Placement reminder.Placement
	// Aside holds the live reminders where they aren't in the system prompt; nil
	// for none.
	Aside *cento.Prompt
}

// View looks at a session. The error is [NotMaterialised] for one without a
// prompt, [store.Corrupt] where this release makes another prompt of what was
// stored, or one of the store.
func (s *Service) View(ctx context.Context, id string) (*View, error) {
	l, f, err := s.materialised(ctx, id)
	if err != nil {
		return nil, err
	}
	if f.prompt == nil {
		return nil, &cento.SourceError{
			Code: store.Corrupt, Message: fmt.Sprintf("the prompt of session %q can't be explained: this release makes another one of the stored input", id),
			Hint: "the text itself is kept: cento session show --system",
		}
	}
	v := &View{
		Meta:  Meta{Session: id, Version: l.row.Version, Epoch: l.state.Epoch, Turn: l.state.Reminders.Turn},
		Input: f.input, Prompt: f.prompt, Placement: l.state.placement(f.input.Active.Caps),
	}
	live := reminder.Reduce(l.state.Reminders.Reminders)
	if len(live) == 0 {
		return v, nil
	}
	if v.Placement == reminder.InSystem {
		with := f.input
		with.Reminders = append(with.Reminders[:len(with.Reminders):len(with.Reminders)], reminder.Fragments(live)...)
		if p, _ := s.withReminders(f, with); p != nil {
			v.Prompt, v.Input = p, with
			return v, nil
		}
		v.Placement = reminder.InTurn
	}
	parts := reminder.EnvelopeFragments(live)
	if v.Placement == reminder.InNative {
		parts = reminder.NativeFragments(live, f.input.Active.Caps)
	}
	v.Aside, err = cento.ReduceFragments(parts, cento.Active{}, f.options())
	return v, err
}
