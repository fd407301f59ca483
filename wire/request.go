package wire

import (
	"encoding/json"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// Request is what a body is written of.
type Request struct {
	// Form is the provider format; zero: that of Model.
	Form Form
	// Model is what is known of the model; of nil nothing is. Its Name is sent, in the forms
	// of who serves the models of many with its Path before it.
	Model *cento.Model
	// Prompt is the system prompt; nil for none.
	Prompt *cento.Prompt
	// Tools are the definitions, in their order. Their guidance is part of the prompt
	// and isn't sent again.
	Tools []cento.Tool
	// Active are the names of the active tools; nil: all that are defined.
	Active []string
	// Messages are the conversation, oldest first.
	Messages  []Message
	Reminders Reminders
	Cache     Cache
	// MaxTokens bounds the answer; 0: what the provider does without, and for
	// Anthropic, which must be told, the model's longest answer, else 4,096.
	MaxTokens int
	// Extra are further top-level members of the body, a JSON object. One that the
	// form writes itself is an error, but for store of [OpenAIResponses]. What stands in
	// generationConfig of [Gemini], inferenceConfig of [Bedrock] and options of [Ollama]
	// comes beside the bound of the answer that the form writes there.
	Extra json.RawMessage
	// Places are where what is said here was read, for errors: the members of Extra by
	// [ExtraPlace], the rest by [MaxTokensPlace], [StaticTTLPlace] and
	// [SessionTTLPlace]. Nil: not told.
	Places map[string]cento.Position `json:"-"`
	// Sections is how the sections of the prompt are parted.
	Sections Sectioning
	// Partial leaves the conversation out: system prompt and tools alone.
	Partial bool
	// Counter counts tokens, by which marks below the least that a provider keeps are
	// left out. Of nil no counts are told, and no mark is left out.
	Counter cento.Counter
}

// These name places in [Request].Places: of the bound of the answer, and of the times
// that texts are to be cached.
const (
	MaxTokensPlace  = "max_tokens"
	StaticTTLPlace  = "static_ttl"
	SessionTTLPlace = "session_ttl"
)

// ExtraPlace names the place of a further member there.
func ExtraPlace(member string) string { return "extra." + member }

// Message is one message of the conversation: a text, or an object in the form's own
// terms, such as a result of a tool.
type Message struct {
	// Role is "user" or "assistant", with Text; it is part of Raw otherwise.
	Role string `json:"role,omitempty"`
	Text string `json:"text,omitempty"`
	// Raw is sent byte for byte, but for the reminders of the turn behind its content
	// and one mark.
	Raw json.RawMessage `json:"raw,omitempty"`
	// Turn is the turn of the session that the message is of, as the session counts
	// them; nil: not told.
	Turn *int64 `json:"turn,omitempty"`
	// Position is where the message was read, for errors.
	Position cento.Position `json:"-"`
}

// Reminders are the reminders of the turn, and of those before it.
type Reminders struct {
	// Envelope stands at the end of the newest user turn; nil for none.
	Envelope *cento.Prompt
	// System puts it into a system message of the conversation, where the model takes
	// one and only for words of the host, the program and the user.
	System bool
	// Sent are envelopes of this turn and of those before, each of which stays where it
	// was sent. The messages then say which turns they are of.
	Sent []Sent
	// Native are reminders in the words that the model's family knows, in order,
	// behind what the user said last.
	Native []Native
}

// Native is a message of reminders in the words that a family of models knows.
type Native struct {
	// Role is "user" or "developer". A form or a model without the latter takes it as
	// a user's, which is told.
	Role string
	// Text is what it says; nothing is sent of nil, and of a prompt without text.
	Text *cento.Prompt
	// Mark asks for a mark of the prompt cache behind it. It is the first that is given
	// up.
	Mark bool
}

// Sent is an envelope that was sent in a turn.
type Sent struct {
	Turn int64
	Text string
}

// Cache is what is asked of the prompt cache.
type Cache struct {
	// Off sets no marks.
	Off bool `json:"off,omitempty"`
	// StaticTTL and SessionTTL are how long what is marked is to stay, such as "1h":
	// the texts that change with files alone, and those of a session. "" is the
	// shortest that the provider has.
	StaticTTL  string `json:"static_ttl,omitempty"`
	SessionTTL string `json:"session_ttl,omitempty"`
	// Conversation marks the end of the conversation too, before the reminders.
	Conversation bool `json:"conversation,omitempty"`
	// Key is by what OpenAI finds the cache again; "" for none.
	Key string `json:"key,omitempty"`
	// Object is a cache object of Gemini that holds the prompt and the tools.
	Object *ObjectName `json:"object,omitempty"`
}

// ObjectName names a cache object by what the provider calls it, and by the digest
// that [CacheObject] had when it was made.
type ObjectName struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// Sectioning is how the sections of a prompt are parted.
type Sectioning uint8

const (
	// Markdown: by the headings that the prompt has. The default.
	Markdown Sectioning = iota
	// XML: each titled section stands in a tag instead.
	XML
	// Auto: in the form that the model's vendor advises first, [Markdown] where nothing
	// is known.
	Auto
)

var sectioningNames = enum.Names[Sectioning]{"markdown", "xml", "auto"}

// For is how sections are parted for a model: s, and of [Auto] what it comes to. Of nil
// nothing is known.
func (s Sectioning) For(m *cento.Model) Sectioning {
	switch {
	case s != Auto:
		return s
	case m != nil && len(m.Sections) > 0 && m.Sections[0] == XML.String():
		return XML
	}
	return Markdown
}

// String gives "markdown", "xml" or "auto".
func (s Sectioning) String() string { return sectioningNames.Name(s) }

// MarshalText gives the name.
func (s Sectioning) MarshalText() ([]byte, error) { return sectioningNames.Marshal(s) }

// UnmarshalText accepts a name.
func (s *Sectioning) UnmarshalText(t []byte) error { return sectioningNames.Unmarshal(t, s) }
