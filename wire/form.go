package wire

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// Form is the form of a request: whose interface it is for. The zero value is none: a
// [Request] without a form has that of its model.
type Form uint8

// The forms of requests.
const (
	// Anthropic is the Messages API.
	Anthropic Form = iota + 1
	// OpenAI is Chat Completions.
	OpenAI
	// OpenAIResponses is the Responses API.
	OpenAIResponses
	// Gemini is generateContent.
	Gemini
	// Bedrock is Converse.
	Bedrock
	// Ollama is /api/chat.
	Ollama
	// OpenAICompatible is Chat Completions as other servers understand it:
	// everything joined in one system message, which is the first.
	OpenAICompatible
	// Text is the system prompt alone.
	Text
	// JSON is a form of no provider: blocks, tools and marks.
	JSON
)

var formNames = enum.Names[Form]{"", "anthropic", "openai", "openai-responses", "gemini", "bedrock", "ollama", "openai-compatible", "text", "json"}

// String gives the name, such as "openai-responses".
func (f Form) String() string { return formNames.Name(f) }

// FormOf is the form of the requests to a model; zero where none is known.
func FormOf(m *cento.Model) Form {
	if m == nil {
		return 0
	}
	f, _ := formNames.Find(m.Wire)
	return f
}

// TakesCacheKey reports whether a request of the form can say by which key the prompt cache
// finds it again, as OpenAI's do (prompt_cache_key).
func (f Form) TakesCacheKey() bool {
	return int(f) < len(rulesOf) && slices.Contains(rulesOf[f].members, cacheKey)
}

// ToolMembers are the members that the definition of a tool may have in the format, in
// addition to its name, description and schema; nil for none. Nobody may change the list.
func (f Form) ToolMembers() []string {
	if int(f) >= len(rulesOf) {
		return nil
	}
	return rulesOf[f].toolMembers
}

// MarshalText gives the name.
func (f Form) MarshalText() ([]byte, error) { return formNames.Marshal(f) }

// UnmarshalText accepts a name.
func (f *Form) UnmarshalText(t []byte) error { return formNames.Unmarshal(t, f) }

// Forms are the names of all forms.
func Forms() []string { return formNames.Known() }
