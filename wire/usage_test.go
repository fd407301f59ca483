package wire_test

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// TestReadUsage: the usage of each provider, as its documentation shows it, alone and in
// an answer. Anthropic and Bedrock count what the cache gave beside the input.
func TestReadUsage(t *testing.T) {
	for _, c := range []struct {
		text string
		want wire.Usage
	}{
		{`{"input_tokens":50,"cache_creation_input_tokens":248,"cache_read_input_tokens":1800,"cache_creation":{"ephemeral_5m_input_tokens":148,"ephemeral_1h_input_tokens":100},"output_tokens":503}`,
			wire.Usage{Form: wire.Anthropic, Input: 2098, Read: 1800, Written: 248, Paid: 50}},
		{`{"input_tokens":21,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":5}`, wire.Usage{Form: wire.Anthropic, Input: 21, Paid: 21}},
		{`{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,"prompt_tokens_details":{"cached_tokens":1920,"cache_write_tokens":20}}`,
			wire.Usage{Form: wire.OpenAI, Input: 2006, Read: 1920, Written: 20, Paid: 66}},
		{`{"prompt_tokens":7}`, wire.Usage{Form: wire.OpenAI, Input: 7, Paid: 7}},
		{`{"input_tokens":2006,"input_tokens_details":{"cached_tokens":1920},"output_tokens":300,"total_tokens":2306}`, wire.Usage{Form: wire.OpenAIResponses, Input: 2006, Read: 1920, Paid: 86}},
		{`{"promptTokenCount":1000,"cachedContentTokenCount":400,"totalTokenCount":1100}`, wire.Usage{Form: wire.Gemini, Input: 1000, Read: 400, Paid: 600}},
		{`{"inputTokens":10,"outputTokens":2,"totalTokens":112,"cacheReadInputTokens":70,"cacheWriteInputTokens":30}`, wire.Usage{Form: wire.Bedrock, Input: 110, Read: 70, Written: 30, Paid: 10}},
		{`{"model":"m","prompt_eval_count":26,"eval_count":298}`, wire.Usage{Form: wire.Ollama, Input: 26, Paid: 26}},
	} {
		for _, text := range []string{c.text, " \n" + c.text + "\n", `{"id":"x","usage":` + c.text + `}`, `{"usageMetadata":` + c.text + `}`} {
			got, err := wire.ReadUsage([]byte(text))
			if err != nil || got != c.want {
				t.Errorf("%s\nis read as %+v (%v), want %+v", text, got, err, c.want)
			}
		}
	}
	for _, text := range []string{
		``, `[]`, `{`, `{}`, `{"output_tokens":1}`, `{"prompt_tokens":"7"}`, `{"prompt_tokens":-1}`, `{"prompt_tokens":1.5}`, `{"prompt_tokens":1e300}`,
		`{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":6}}`, `{"usage":{}}`,
	} {
		_, err := wire.ReadUsage([]byte(text))
		if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != wire.InvalidUsage {
			t.Errorf("%s: %v", text, err)
		}
	}
}
