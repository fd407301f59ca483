package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
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

// asStored and recordStored say why a line of a stored prompt has no commit.
const (
	asStored     = "the session keeps its prompt, and the file may be another one by now"
	recordStored = "the record keeps its prompt, and the file may have changed"
)

// EarlierInSession is the code of a text that the prompts or the reminders of earlier turns
// had.
const EarlierInSession cento.Code = "session.earlier"

// ExplainText looks a text up in the prompt that a session has, in what was left out of it
// and in its live reminders, as [provenance.Texts.ExplainText] does with what the session
// keeps, which is no file. A text that is in none of these is looked for in what the turns
// before had. Which commits wrote a line isn't told, nor where a variable is set: that is
// what the files say now.
func (s *Sessions) ExplainText(ctx context.Context, id, text string) (*SessionWhy, error) {
	v, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	kept, err := project.Recorded(v.Input)
	if err != nil {
		return nil, err
	}
	why, beside, err := provenance.Of(kept).ExplainIn(ctx, v.Input, v.Prompt, v.Aside, text)
	if err != nil {
		return nil, err
	}
	out := &SessionWhy{Why: *why, Session: id, Epoch: v.Epoch, Turn: v.Turn, Placement: v.Placement, Reminders: beside}
	if v.Aside != nil && out.Named == nil {
		if m := provenance.Named(v.Aside, text); m != nil {
			out.Reminders = append(out.Reminders, *m)
		}
	}
	for _, try := range needle.Tries(text) {
		if len(out.Matches)+len(out.Reminders) > 0 || out.Named != nil {
			break
		}
		if out.Matches, err = s.earlier(ctx, v, text, try); err != nil {
			return nil, err
		}
		out.IgnoredCase = try.IgnoresCase() && len(out.Matches) > 0
	}
	if out.Reminders == nil {
		out.Reminders = []Match{}
	}
	for _, list := range [][]Match{out.Matches, out.Reminders} {
		for i := range list {
			tellStored(&list[i], asStored)
		}
	}
	if len(out.Matches)+len(out.Reminders) > 0 {
		out.Nearest, out.NearestID, out.NotSearched = nil, "", nil
	}
	for _, m := range []*Match{out.Named, out.Nearest} {
		if m != nil {
			tellStored(m, asStored)
		}
	}
	return out, nil
}

// Why answers a question about the prompt of a record, as [SessionWhy] does about the one
// of a session. A session names its last prompt.
func (l *Log) Why(ctx context.Context, record, text string, as AskedAs) (RecordRef, *Why, error) {
	ref, err := l.Named(ctx, record)
	if err == nil && ref.Seq == 0 {
		ref, err = l.lastPrompt(ctx, ref)
	}
	if err != nil {
		return ref, nil, err
	}
	r, err := l.replayed(ctx, ref)
	if err != nil {
		return ref, nil, err
	}
	kept, err := project.Recorded(r.input)
	if err != nil {
		return ref, nil, err
	}
	why, err := provenance.Of(kept).Answer(ctx, r.input, text, as)
	if err != nil {
		return ref, nil, err
	}
	for i := range why.Matches {
		tellStored(&why.Matches[i], recordStored)
	}
	if why.At != nil {
		for i := range why.At.Lines {
			tellStored(&why.At.Lines[i].Match, recordStored)
		}
	}
	for _, m := range []*Match{why.Named, why.Nearest} {
		if m != nil {
			tellStored(m, recordStored)
		}
	}
	return r.ref(), why, nil
}

// lastPrompt is the last record of a session that has a system prompt, and not the
// reminders of a turn; before the one that is named with a number.
func (l *Log) lastPrompt(ctx context.Context, ref RecordRef) (RecordRef, error) {
	q := RecordQuery{Session: ref.Session, Limit: maxEarlier}
	if ref.Seq > 0 {
		q.Before = store.Stored{Session: ref.Session, Link: store.Link{Seq: ref.Seq}}
	}
	for {
		list, err := l.Records(ctx, q)
		if err != nil || len(list) == 0 {
			return ref, err
		}
		for _, x := range list {
			if !session.BesidePrompt(x.Label) {
				return RecordRef{x.Session, x.Seq}, nil
			}
		}
		last := list[len(list)-1]
		q.Before = store.Stored{Session: last.Session, Link: last.Link}
	}
}

// maxEarlier is how many records of a session are looked through for a text that its turns
// had, the newest first.
const maxEarlier = 100

// earlier are the places of a text in what the turns before had, each fragment once, where
// it stood last.
func (s *Sessions) earlier(ctx context.Context, v *session.View, text string, try needle.Needle) ([]Match, error) {
	out := []Match{}
	found, err := s.store.Search(ctx, store.SearchQuery{
		Text: text, IgnoreCase: try.IgnoresCase(), RecordQuery: store.RecordQuery{Session: v.Session, Limit: maxEarlier},
	})
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, record := range found.Matches {
		for _, f := range record.Fragments {
			if told[f.ID] {
				continue
			}
			told[f.ID] = true
			m := Match{Fragment: f.ID, Source: f.Source, Layer: f.Layer, Trust: f.Trust, Text: strings.Join(strings.Fields(text), " ")}
			if f.Origin != nil {
				m.Origin = &cento.Position{File: f.Origin.File}
			}
			m.MadeBy = cento.MakerOf(f.Source, "", f.Trust)
			// What can't be made again has its fragments, and no places.
			if replayed, err := replayRecord(ctx, s.store, RecordRef{record.Session, record.Seq}); err == nil && replayed.Same {
				places, _ := provenance.Find(replayed.prompt, try)
				for _, place := range places {
					if place.Fragment == f.ID {
						m = place
						break
					}
				}
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			m.Start, m.End, m.Code = nil, nil, EarlierInSession
			m.Reason = stoodLast(f.ID, record.Label, record.Seq)
			out = append(out, m)
		}
	}
	return out, nil
}

// stoodLast says when a fragment stood last in what a session handed out.
func stoodLast(id, label string, seq int64) string {
	at := fmt.Sprintf("record %d", seq)
	if label != "" {
		at = fmt.Sprintf("%s, record %d", label, seq)
	}
	if strings.HasPrefix(id, "reminder:") {
		return "in a reminder that ended since: it was shown last in " + at
	}
	return "in an earlier prompt of the session: it stood there last in " + at
}

// tellStored says of a text that was read from a file why it has no commit.
func tellStored(m *Match, why string) {
	if m.Origin != nil && m.Origin.Line > 0 && !strings.HasPrefix(m.Origin.File, "$builtin/") {
		m.History = why
	}
}
