package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/cento-dev/cento"
)

// Block is a part of a request without its text: enough to tell later how far another
// request begins alike, and nothing of what was said.
type Block struct {
	Kind PartKind `json:"kind"`
	// Pointer, Name and Message are those of the [Part].
	Pointer string `json:"pointer"`
	Name    string `json:"name,omitempty"`
	Message int    `json:"message,omitempty"`
	// Digest is the SHA-256 of its text in lower-case hex, Bytes and Tokens are its size.
	// Tokens is nil for a setting, without a counter, and for an object that is too large
	// to be read by the model as text. What is no text, such as an image, isn't in them.
	Digest string `json:"digest"`
	Bytes  int    `json:"bytes"`
	Tokens *int   `json:"tokens"`
	// Value is a setting that breaks what stands behind it or says what is kept, where it
	// is short; "" for all else.
	Value string `json:"value,omitempty"`
	// Reminder: text of reminders of the turn.
	Reminder bool `json:"reminder,omitempty"`
	// Marked: a mark of the prompt cache stands behind it, for TTL; "" where the mark
	// doesn't say.
	Marked bool   `json:"marked,omitempty"`
	TTL    string `json:"ttl,omitempty"`
}

const (
	longestValue = 80       // bytes of a setting that are told
	mostCounted  = 64 << 10 // bytes of an object that are counted as text
)

// DigestOf is the digest of a part's text.
func DigestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Blocks are the parts of a body of a form without their texts, in the order of
// [Parts]. c counts; nil: nothing is counted.
func (r *Result) Blocks(form Form, c cento.Counter) ([]Block, error) {
	parts, err := Parts(form, r.Body)
	if err != nil {
		return nil, err
	}
	reminds := map[string]bool{}
	for _, m := range r.Map {
		if id := r.Spans[m.Span].Fragment; strings.HasPrefix(id, "reminder:") || strings.HasPrefix(id, "reminders:") {
			reminds[m.Pointer] = true
		}
	}
	out := make([]Block, len(parts))
	for i := range parts {
		p := &parts[i]
		b := Block{
			Kind: p.Kind, Pointer: p.Pointer, Name: p.Name, Message: p.Message, Digest: DigestOf(p.Text), Bytes: len(p.Text),
			Reminder: p.Kind == MessagePart && reminds[p.Pointer], Marked: p.Marked, TTL: p.TTL,
		}
		switch {
		case p.Kind == SettingPart:
			_, breaks := cacheReads[form].breaks[p.Name]
			if (breaks || p.Name == "prompt_cache_options" || p.Name == "cache_control") && len(p.Text) <= longestValue {
				b.Value = p.Text
			}
		case c != nil:
			if text, _ := form.Counted(p); p.Decoded || len(text) <= mostCounted {
				n := c.Count(text)
				b.Tokens = &n
			}
		}
		out[i] = b
	}
	return out, nil
}

// Marked are the ids of the fragments of the prompt that stand before the last mark of
// the prompt cache, in their order: what a [cento.Budget] that keeps what is cached asks
// for. Empty without marks.
func (r *Result) Marked() []string {
	last := 0
	for _, b := range r.Breakpoints {
		last = max(last, b.End)
	}
	out := []string{}
	at := 0
	for _, s := range r.Spans {
		if s.Start != at || s.End > last { // behind those of the prompt, offsets begin anew
			break
		}
		at = s.End
		if s.Kind == cento.BodySpan && (len(out) == 0 || out[len(out)-1] != s.Fragment) {
			out = append(out, s.Fragment)
		}
	}
	return out
}
