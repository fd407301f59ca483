package reminder

import "slices"

// Sent are the envelopes that a conversation holds as user turns of their own,
// oldest first. Nothing in it is ever changed: what was sent once is sent again
// at the same place in every later request, so that what a provider has cached
// of the conversation stays a prefix of it.
type Sent []SentEnvelope

// SentEnvelope is one of them.
type SentEnvelope struct {
	// Turn is the one in which it was sent first.
	Turn int64 `json:"turn"`
	// Text is the envelope.
	Text string `json:"text"`
}

// Send adds an envelope, and reports whether it did: an empty one, or one whose
// text is there already, adds nothing. What there was is left as it is.
func (s Sent) Send(turn int64, envelope string) (Sent, bool) {
	if envelope == "" || slices.ContainsFunc(s, func(e SentEnvelope) bool { return e.Text == envelope }) {
		return s, false
	}
	return append(slices.Clip(s), SentEnvelope{turn, envelope}), true
}
