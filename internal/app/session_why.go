package app

import (
	"context"
	"strings"

	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/reminder"
)

// SessionWhy answers why a text is in the prompt of a session, or why it isn't.
type SessionWhy struct {
	Why
	Session   string             `json:"session"`
	Epoch     int64              `json:"epoch"`
	Turn      int64              `json:"turn"`
	Placement reminder.Placement `json:"placement"`
	// Reminders are the places in those that a turn would show now and that don't stand
	// in the system prompt: their bytes count in the text that the turn gets.
	Reminders []Match `json:"reminders"`
}

// Found reports whether a match is in the prompt, or in what a turn gets beside it.
func (w *SessionWhy) Found() bool { return w.Why.Found() || len(w.Reminders) > 0 }

// asStored says why no commit is told of a line of a session's prompt.
const asStored = "the session keeps its prompt, and the file may be another one by now"

// ExplainText looks a text up in the prompt that a session has, in the texts that are out
// of it, and in its live reminders, as [provenance.Texts.ExplainText] does. Which commits wrote a
// line isn't told, nor where a variable is set: that is what the files say now.
func (s *Sessions) ExplainText(ctx context.Context, id, text string) (*SessionWhy, error) {
	v, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &SessionWhy{
		Why: Why{Matches: []Match{}}, Session: id, Epoch: v.Epoch, Turn: v.Turn, Placement: v.Placement, Reminders: []Match{},
	}
	for _, try := range needle.Tries(text) {
		found, more := provenance.Find(v.Prompt, try)
		out.Matches = append(out.Matches, found...)
		if v.Aside != nil {
			beside, further := provenance.Find(v.Aside, try)
			out.Reminders, more = append(out.Reminders, beside...), more+further
		}
		if out.More = more; len(out.Matches)+len(out.Reminders) > 0 {
			out.IgnoredCase = try.IgnoresCase()
			break
		}
	}
	if len(out.Matches)+len(out.Reminders) == 0 {
		out.Nearest = provenance.Nearest(v.Prompt, text)
	}
	for _, list := range [][]Match{out.Matches, out.Reminders} {
		for i := range list {
			tellStored(&list[i])
		}
	}
	if out.Nearest != nil {
		tellStored(out.Nearest)
	}
	return out, nil
}

// tellStored says of a text that was read from a file why it has no commit.
func tellStored(m *Match) {
	if m.Origin != nil && m.Origin.Line > 0 && !strings.HasPrefix(m.Origin.File, "$builtin/") {
		m.History = asStored
	}
}
