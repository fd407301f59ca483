package reminder

// SentEnvelope is an envelope that a conversation holds as a user turn of its own.
// What was sent once is sent again at the same place in every later request, so
// that what a provider has cached of the conversation stays a prefix of it.
type SentEnvelope struct {
	// Turn is the one in which it was sent first.
	Turn int64 `json:"turn"`
	// Text is the envelope.
	Text string `json:"text"`
}
