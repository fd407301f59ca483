package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/cento-dev/cento"
)

// zeroHash is the hash before the first record.
var zeroHash = strings.Repeat("0", 2*sha256.Size)

// Record is one prompt that was handed out. Its canonical JSON, which the chain
// is made of, holds the members `fragments`, `input_digest`, `prev`,
// `prompt_digest`, `seq` and `session`; see [Record.canonical].
type Record struct {
	Session string `json:"session"`
	Link
	// Prev is the hash of the record before it, 64 zeros for the first.
	Prev        string `json:"prev"`
	InputDigest string `json:"input_digest"`
	// PromptDigest is null when there was no system prompt.
	PromptDigest *string    `json:"prompt_digest"`
	Fragments    []Fragment `json:"fragments"`
	// At is when it was recorded. Within a session it never goes back, whatever the
	// clock does. Neither it nor the label are part of the chain.
	At    time.Time `json:"at"`
	Label string    `json:"label"`
	// Project is the project that it was made for; empty for none. It isn't part of the
	// chain either.
	Project string `json:"project"`
}

// Fragment is the decision on one fragment of a recorded prompt.
type Fragment struct {
	Code cento.Code `json:"code"`
	// Digest is the SHA-256 of the text; null where there was none to decide on.
	Digest   *string         `json:"digest"`
	ID       string          `json:"id"`
	Included bool            `json:"included"`
	Layer    *string         `json:"layer"`
	Origin   *cento.Position `json:"origin"`
	Reason   string          `json:"reason"`
	Source   string          `json:"source"`
	// Span is [start, end) in the prompt; null when excluded.
	Span  *[2]int     `json:"span"`
	Trust cento.Trust `json:"trust"`
}

// canonical is the record as the chain covers it: canonical JSON.
func (r *Record) canonical() []byte {
	return appendRecord(nil, appendFragments(nil, r.Fragments), r.InputDigest, r.Prev, r.PromptDigest, r.Seq, r.Session)
}

// computeHash is the hash that the record must have: the SHA-256 of the previous
// one in hex, followed by the canonical record.
func (r *Record) computeHash() string { return chainHash(r.Prev, r.canonical()) }

func chainHash(prev string, canonical []byte) string {
	h := sha256.New()
	h.Write([]byte(prev))
	h.Write(canonical)
	return hex.EncodeToString(h.Sum(nil))
}
