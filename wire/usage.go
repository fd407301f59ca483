package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// InvalidUsage is the code of data that is not the usage of any provider.
const InvalidUsage cento.ErrorCode = "wire.usage"

// Usage holds the billed input tokens of a request in one shape for all providers: some
// providers count cached tokens as part of the input, others next to it.
type Usage struct {
	// Form is the provider format of the usage.
	Form Form `json:"form"`
	// Input counts all input tokens. Read counts the tokens that came from the prompt
	// cache, Written the tokens that were added to it, Paid the rest. The three are null
	// if the usage does not report cached tokens.
	Input   int  `json:"input"`
	Read    *int `json:"read"`
	Written *int `json:"written"`
	Paid    *int `json:"paid"`
	// Unread lists JSON pointers into the usage: counts of cached tokens that Cento does
	// not know. If there are any, the three counts above are null.
	Unread []string `json:"unread"`
}

// usageShape says where the usage of one provider format has its counts. A path is a list
// of keys joined by dots; the first path of a list that has a number counts.
type usageShape struct {
	form          Form
	input         string
	read, written []string
	// parts are counts that repeat others in detail. A path covers all below it.
	parts []string
	// beside: input does not include read and written tokens.
	beside bool
	// zero: the provider omits counts of cached tokens that are 0.
	zero bool
	// only: the shape applies if one of these is present. Empty: input alone decides.
	only []string
}

// usageShapes are from the providers' API references. DeepSeek sends hits and misses, Moonshot
// cached_tokens next to prompt_tokens, Alibaba cache_creation_input_tokens in the details,
// LiteLLM Anthropic's names next to prompt_tokens.
var usageShapes = []usageShape{
	{
		form: OpenAI, input: "prompt_tokens",
		read:    []string{"prompt_tokens_details.cached_tokens", "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"},
		written: []string{"prompt_tokens_details.cache_write_tokens", "prompt_tokens_details.cache_creation_input_tokens", "cache_creation_input_tokens"},
		parts:   []string{"prompt_cache_miss_tokens", "prompt_tokens_details.cache_write_tokens_details", "prompt_tokens_details.cache_creation"},
	},
	{
		form: Anthropic, input: "input_tokens",
		read: []string{"cache_read_input_tokens"}, written: []string{"cache_creation_input_tokens"},
		parts: []string{"cache_creation"}, beside: true, zero: true,
		only: []string{"cache_read_input_tokens", "cache_creation_input_tokens"},
	},
	{
		form: OpenAIResponses, input: "input_tokens",
		read: []string{"input_tokens_details.cached_tokens"}, written: []string{"input_tokens_details.cache_write_tokens"},
		parts: []string{"input_tokens_details.cache_write_tokens_details"},
		only:  []string{"input_tokens_details", "total_tokens"},
	},
	{form: Anthropic, input: "input_tokens", beside: true, zero: true},
	{
		form: Gemini, input: "promptTokenCount",
		read: []string{"cachedContentTokenCount"}, parts: []string{"cacheTokensDetails"}, zero: true,
	},
	{
		form: Bedrock, input: "inputTokens",
		read: []string{"cacheReadInputTokens"}, written: []string{"cacheWriteInputTokens"},
		parts: []string{"cacheDetails"}, beside: true, zero: true,
	},
	{form: Ollama, input: "prompt_eval_count"}, // its cache is not visible
}

const usageHint = "pass the member usage of an answer (Gemini: usageMetadata) as the provider sent it"

func usageError(hint, format string, args ...any) (Usage, error) {
	return Usage{}, &cento.SourceError{Code: InvalidUsage, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// ReadUsage reads the usage that a provider sent, or the answer that holds it, in any
// provider format. The error is [InvalidUsage].
func ReadUsage(data []byte) (Usage, error) {
	data = bytes.TrimSpace(data)
	if !validJSON(data) || len(data) == 0 || data[0] != '{' {
		return usageError(usageHint, "the usage is not a JSON object")
	}
	var usage map[string]any
	if err := json.Unmarshal(data, &usage); err != nil {
		return usageError(usageHint, "the usage cannot be read: %v", err)
	}
	for _, key := range []string{"usage", "usageMetadata"} {
		if inner, ok := usage[key].(map[string]any); ok {
			usage = inner
		}
	}
	has := func(path string) bool { return countAt(usage, path) != nil }
	for i := range usageShapes {
		if s := &usageShapes[i]; has(s.input) && (len(s.only) == 0 || slices.ContainsFunc(s.only, has)) {
			return s.usage(usage)
		}
	}
	return usageError(usageHint, "the usage has no count of input tokens that a provider sends")
}

// usage reads the counts of one shape.
func (s *usageShape) usage(data map[string]any) (Usage, error) {
	u := Usage{Form: s.form, Unread: s.unread(data, "", "", []string{})}
	input, _, err := number(data, s.input)
	if err != nil {
		return Usage{}, err
	}
	read, told, err := number(data, s.read...)
	if err != nil {
		return Usage{}, err
	}
	written, _, err := number(data, s.written...)
	if err != nil {
		return Usage{}, err
	}
	if u.Input = input; s.beside {
		u.Input += read + written
	}
	paid := u.Input - read - written
	if paid < 0 {
		return usageError("", "of %d input tokens the usage reports %d as read and %d as written", u.Input, read, written)
	}
	if len(u.Unread) == 0 && (told || s.zero) {
		u.Read, u.Written, u.Paid = &read, &written, &paid
	}
	return u, nil
}

// number returns the number at the first path that has one, and whether there is one. A
// null counts as absent.
func number(data map[string]any, paths ...string) (n int, told bool, err error) {
	for _, path := range paths {
		switch x := countAt(data, path).(type) {
		case nil:
		case float64:
			if x < 0 || x > 1<<40 || x != math.Trunc(x) {
				_, err := usageError("", "the usage has %v tokens in %s, which is not a number of tokens", x, path)
				return 0, false, err
			}
			return int(x), true, nil
		default:
			_, err := usageError(usageHint, "the usage has a %s that is not a number", path)
			return 0, false, err
		}
	}
	return 0, false, nil
}

// countAt returns the value at a path, nil if there is none.
func countAt(data map[string]any, path string) any {
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return data[key]
	}
	inner, _ := data[key].(map[string]any)
	return countAt(inner, rest)
}

// maxUnread bounds the list of unknown counts.
const maxUnread = 16

// unread appends pointers to numbers that look like counts of cached tokens and that the
// shape does not name, sorted.
func (s *usageShape) unread(data any, path, pointer string, out []string) []string {
	if path == s.input || slices.Contains(s.read, path) || slices.Contains(s.written, path) || slices.Contains(s.parts, path) {
		return out
	}
	switch x := data.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			out = s.unread(x[key], strings.TrimPrefix(path+"."+key, "."), pointer+"/"+pointerEscaper.Replace(key), out)
		}
	case []any:
		for i := range x {
			n := strconv.Itoa(i)
			out = s.unread(x[i], path+"."+n, pointer+"/"+n, out)
		}
	case float64:
		if x != 0 && strings.Contains(strings.ToLower(path), "cache") && len(out) < maxUnread {
			out = append(out, pointer)
		}
	}
	return out
}
