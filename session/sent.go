package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cento-dev/cento/internal/canonical"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// The envelopes of an append-only conversation stand in it for ever, so there is
// no bound on how many there are. A session's document names the last ones alone;
// the texts, and lists of those before, are kept beside it in the store, each by
// its digest. So a turn costs what is new in it, however long the conversation is.

// conversation is what a session's document says of the envelopes that were sent.
type conversation struct {
	// round is drawn anew for each conversation, and again when it is compacted:
	// what was said in another one doesn't count as said.
	round string
	// sealed is the digest of the list of those before recent; empty for none.
	sealed string
	// recent are those that were sent last, oldest first.
	recent []sentRef
}

// sentRef is an envelope by the digest of its [sentText].
type sentRef struct {
	Turn int64  `json:"turn"`
	Text string `json:"text"`
}

// sentText is what is kept of one envelope, sealedList of a row of them.
type (
	sentText struct {
		Round string `json:"round"`
		Text  string `json:"text"`
	}
	sealedList struct {
		Round  string    `json:"round"`
		Before string    `json:"before"` // the digest of the list before this; empty for none
		Sent   []sentRef `json:"sent"`
	}
)

// maxRecent is how many envelopes a session's document names.
const maxRecent = 32

// kept adds a value to what a step keeps beside the session, and gives its digest.
func (st *step) kept(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	st.blobs = append(st.blobs, text)
	return hex.EncodeToString(sum[:]), nil
}

// send adds an envelope to the conversation, and reports whether it did: an empty
// one, or one whose text stands there already, adds nothing.
func (s *Service) send(ctx context.Context, st *step, turn int64, envelope string) (bool, error) {
	c := &st.state.Sent
	if envelope == "" || slices.ContainsFunc(st.state.Early, func(e reminder.SentEnvelope) bool { return e.Text == envelope }) {
		return false, nil
	}
	if c.round == "" {
		var err error
		if c.round, err = s.NewID(); err != nil {
			return false, err
		}
	}
	before := len(st.blobs)
	sum, err := st.kept(sentText{c.round, envelope})
	if err != nil {
		return false, err
	}
	there := slices.ContainsFunc(c.recent, func(r sentRef) bool { return r.Text == sum })
	if !there && c.sealed != "" {
		switch _, err := s.store.Blob(ctx, sum); {
		case err == nil:
			there = true
		case !errors.Is(err, store.UnknownBlob):
			return false, err
		}
	}
	if there {
		st.blobs = st.blobs[:before]
		return false, nil
	}
	c.recent = append(slices.Clip(c.recent), sentRef{turn, sum})
	if len(c.recent) > maxRecent {
		if c.sealed, err = st.kept(sealedList{c.round, c.sealed, c.recent}); err != nil {
			return false, err
		}
		c.recent = nil
	}
	return true, nil
}

// sent are all envelopes that an append-only conversation holds, oldest first.
func (s *Service) sent(ctx context.Context, state *storedState) ([]reminder.SentEnvelope, error) {
	read := func(sum string, to any) error {
		return reading("what the conversation holds of", state.Reminders.ID, s.blob(ctx, sum, to))
	}
	lists := [][]sentRef{state.Sent.recent}
	for sum := state.Sent.sealed; sum != ""; {
		var sealed sealedList
		if err := read(sum, &sealed); err != nil {
			return nil, err
		}
		lists, sum = append(lists, sealed.Sent), sealed.Before
	}
	out := slices.Clone(state.Early)
	for _, list := range slices.Backward(lists) {
		for _, ref := range list {
			var text sentText
			if err := read(ref.Text, &text); err != nil {
				return nil, err
			}
			out = append(out, reminder.SentEnvelope{Turn: ref.Turn, Text: text.Text})
		}
	}
	return out, nil
}

func (c *conversation) write(w *canonical.Writer) {
	w.Member("conversation")
	w.Begin()
	w.TextMember("round", c.round)
	w.Optional("sealed", c.sealed)
	w.Member("sent")
	canonical.List(w, c.recent, func(r *sentRef) {
		w.Begin()
		w.IntMember("turn", r.Turn)
		w.TextMember("text", r.Text)
		w.End()
	})
	w.End()
}
