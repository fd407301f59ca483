package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/cento-dev/cento"
)

// InvalidUsage: what a provider is said to have billed is no usage of any form.
const InvalidUsage cento.ErrorCode = "wire.usage"

// Usage is what a provider billed of the input of a request, in one form for all of
// them: some count what the cache gave among the input, others beside it.
type Usage struct {
	// Form is whose form it was told in.
	Form Form `json:"form"`
	// Input is all of the input: Read was found in the prompt cache, Written was put
	// there, Paid is neither.
	Input   int `json:"input"`
	Read    int `json:"read"`
	Written int `json:"written"`
	Paid    int `json:"paid"`
}

// usageFile has the members of all forms. A number is nil where it isn't told.
type usageFile struct {
	InputTokens       *float64 `json:"input_tokens"` // Anthropic, Responses
	CacheCreation     *float64 `json:"cache_creation_input_tokens"`
	CacheRead         *float64 `json:"cache_read_input_tokens"`
	InputTokenDetails *struct {
		Cached  *float64 `json:"cached_tokens"`
		Written *float64 `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	TotalTokens *float64 `json:"total_tokens"`

	PromptTokens        *float64 `json:"prompt_tokens"` // Chat Completions
	PromptTokensDetails *struct {
		Cached  *float64 `json:"cached_tokens"`
		Written *float64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`

	PromptTokenCount *float64 `json:"promptTokenCount"` // Gemini
	CachedContent    *float64 `json:"cachedContentTokenCount"`

	Input      *float64 `json:"inputTokens"` // Bedrock
	InputRead  *float64 `json:"cacheReadInputTokens"`
	InputWrote *float64 `json:"cacheWriteInputTokens"`

	PromptEval *float64 `json:"prompt_eval_count"` // Ollama
}

// ReadUsage reads what a provider says that it billed: its usage, or the answer that
// holds it, in the form of any of them. The error is [InvalidUsage].
func ReadUsage(data []byte) (Usage, error) {
	wrong := func(hint, format string, args ...any) (Usage, error) {
		return Usage{}, &cento.SourceError{Code: InvalidUsage, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	const known = "it is the member usage of an answer (usageMetadata of Gemini's), as the provider gave it"
	data = bytes.TrimSpace(data)
	if !validJSON(data) || len(data) == 0 || data[0] != '{' {
		return wrong(known, "the usage isn't a JSON object")
	}
	var answer struct {
		Usage    json.RawMessage `json:"usage"`
		Metadata json.RawMessage `json:"usageMetadata"`
	}
	_ = json.Unmarshal(data, &answer) // of another shape there is none
	for _, inner := range [][]byte{answer.Usage, answer.Metadata} {
		if len(inner) > 0 && inner[0] == '{' {
			data = inner
		}
	}
	var f usageFile
	if err := json.Unmarshal(data, &f); err != nil {
		return wrong(known, "the usage has another shape than a provider's: %v", err)
	}
	var u Usage
	var input, read, written *float64
	among := true // what the cache gave is counted among the input
	switch {
	case f.PromptTokens != nil:
		u.Form, input = OpenAI, f.PromptTokens
		if d := f.PromptTokensDetails; d != nil {
			read, written = d.Cached, d.Written
		}
	case f.InputTokens != nil && (f.InputTokenDetails != nil || f.CacheCreation == nil && f.CacheRead == nil && f.TotalTokens != nil):
		u.Form, input = OpenAIResponses, f.InputTokens
		if d := f.InputTokenDetails; d != nil {
			read, written = d.Cached, d.Written
		}
	case f.InputTokens != nil:
		u.Form, input, read, written, among = Anthropic, f.InputTokens, f.CacheRead, f.CacheCreation, false
	case f.PromptTokenCount != nil:
		u.Form, input, read = Gemini, f.PromptTokenCount, f.CachedContent
	case f.Input != nil:
		u.Form, input, read, written, among = Bedrock, f.Input, f.InputRead, f.InputWrote, false
	case f.PromptEval != nil:
		u.Form, input = Ollama, f.PromptEval
	default:
		return wrong(known, "the usage tells no tokens of the input in any provider's words")
	}
	for _, x := range []struct {
		from *float64
		to   *int
	}{{input, &u.Input}, {read, &u.Read}, {written, &u.Written}} {
		if x.from == nil {
			continue
		}
		if n := *x.from; n < 0 || n > 1<<40 || n != math.Trunc(n) {
			return wrong("", "the usage has %v tokens, which is no number of tokens", n)
		}
		*x.to = int(*x.from)
	}
	if !among {
		u.Input += u.Read + u.Written
	}
	if u.Paid = u.Input - u.Read - u.Written; u.Paid < 0 {
		return wrong("", "of %d tokens of the input %d are said to be read and %d written", u.Input, u.Read, u.Written)
	}
	return u, nil
}
