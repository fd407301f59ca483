package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
)

// Touched is a file of instructions that holds for something that is worked on,
// and wasn't read when the prompt was made.
type Touched struct {
	// Path names the file; a session is told of each once.
	Path string `json:"path"`
	// Text is what the model is told, headed by the path.
	Text string `json:"text"`
}

// TouchRequest tells that files are worked on, by the instructions that hold for
// them.
type TouchRequest struct {
	ID string `json:"id"`
	Options
	Files []Touched `json:"files"`
}

// CodeNothingTouched is the code of a note: files that are worked on brought no
// instructions up, and why.
const CodeNothingTouched cento.Code = "session.nothing_touched"

// Touch injects a reminder for each file of instructions that the session wasn't
// told of since its conversation was compacted. It lives until the next
// compaction, and is due again then; no child inherits it, since that works on
// files of its own. Its trust stays that of the workspace. Where there is nothing to
// inject, a note says so. The errors are those of [Service.Remind].
func (s *Service) Touch(ctx context.Context, r TouchRequest) (*Changed, error) {
	out, err := s.change(ctx, r.ID, r.Options, []any{"touch", r}, func(l *loaded, state *storedState) (all []reminder.Event, err error) {
		for _, f := range r.Files {
			key := touchedKey(f.Path)
			if slices.ContainsFunc(state.Reminders.Reminders, func(p reminder.Reminder) bool { return p.DedupeKey == key }) {
				continue
			}
			id, err := s.NewID()
			if err != nil {
				return nil, err
			}
			next, events, err := state.Reminders.Inject(reminder.Reminder{ID: id, Body: f.Text, DedupeKey: key, Propagate: reminder.ToNone, Trust: cento.TrustWorkspace})
			if err != nil {
				return nil, err
			}
			state.Reminders, all = next, append(all, events...)
		}
		return all, s.showable(ctx, l, state)
	})
	if err == nil && len(out.Events) == 0 {
		out.Notes = append(out.Notes, cento.Note{Code: CodeNothingTouched, Message: r.nothing()})
	}
	return out, err
}

// nothing says why nothing was injected.
func (r *TouchRequest) nothing() string {
	if len(r.Files) == 0 {
		return "no file of instructions below the current folder comes up with these paths"
	}
	var told strings.Builder
	for i, f := range r.Files[:min(len(r.Files), maxToldFiles)] {
		if i > 0 {
			told.WriteString(", ")
		}
		told.WriteString(strconv.Quote(f.Path))
	}
	if more := len(r.Files) - maxToldFiles; more > 0 {
		fmt.Fprintf(&told, " and %d more", more)
	}
	return "the session was told before of " + told.String() + ", and is told again once the conversation was compacted"
}

// maxToldFiles is how many files a note names.
const maxToldFiles = 5

// touchedKey is the dedupe key of a file; that of a path which is no key itself,
// being too long or of characters that can't be shown, holds its digest.
func touchedKey(path string) string {
	key := reminder.InstructionsKey + path
	if err := (&reminder.Reminder{Body: "x", DedupeKey: key}).Check(); err == nil {
		return key
	}
	sum := sha256.Sum256([]byte(path))
	return reminder.InstructionsKey + "sha256:" + hex.EncodeToString(sum[:])
}
