package wire_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// TestReadUsage reads the usage of each provider as its documentation shows it, alone and
// in an answer.
func TestReadUsage(t *testing.T) {
	n := func(x int) *int { return &x }
	for _, c := range []struct {
		text string
		want wire.Usage
	}{
		{`{"input_tokens":50,"cache_creation_input_tokens":248,"cache_read_input_tokens":1800,"cache_creation":{"ephemeral_5m_input_tokens":148,"ephemeral_1h_input_tokens":100},"output_tokens":503}`,
			wire.Usage{Form: wire.Anthropic, Input: 2098, Read: n(1800), Written: n(248), Paid: n(50)}},
		{`{"input_tokens":21,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":5}`, wire.Usage{Form: wire.Anthropic, Input: 21, Read: n(0), Written: n(0), Paid: n(21)}},
		{`{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,"prompt_tokens_details":{"cached_tokens":1920,"cache_write_tokens":20}}`,
			wire.Usage{Form: wire.OpenAI, Input: 2006, Read: n(1920), Written: n(20), Paid: n(66)}},
		{`{"prompt_tokens":7}`, wire.Usage{Form: wire.OpenAI, Input: 7}},
		{`{"prompt_tokens":3105,"completion_tokens":1,"total_tokens":3106,"prompt_cache_hit_tokens":3000,"prompt_cache_miss_tokens":105}`, // DeepSeek
			wire.Usage{Form: wire.OpenAI, Input: 3105, Read: n(3000), Written: n(0), Paid: n(105)}},
		{`{"prompt_tokens":3105,"completion_tokens":1,"total_tokens":3106,"cached_tokens":3000}`, // Moonshot
			wire.Usage{Form: wire.OpenAI, Input: 3105, Read: n(3000), Written: n(0), Paid: n(105)}},
		{`{"prompt_tokens":3019,"prompt_tokens_details":{"cached_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":2004},"cache_creation_input_tokens":2004,"cache_type":"ephemeral"}}`, // Alibaba
			wire.Usage{Form: wire.OpenAI, Input: 3019, Read: n(0), Written: n(2004), Paid: n(1015)}},
		{`{"input_tokens":2006,"input_tokens_details":{"cached_tokens":1920},"output_tokens":300,"total_tokens":2306}`, wire.Usage{Form: wire.OpenAIResponses, Input: 2006, Read: n(1920), Written: n(0), Paid: n(86)}},
		{`{"input_tokens":2006,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":9,"cache_write_tokens_details":{"ttl_30m_tokens":9,"ttl_12h_tokens":0}},"total_tokens":2306}`,
			wire.Usage{Form: wire.OpenAIResponses, Input: 2006, Read: n(0), Written: n(9), Paid: n(1997)}},
		{`{"promptTokenCount":1000,"cachedContentTokenCount":400,"cacheTokensDetails":[{"modality":"TEXT","tokenCount":400}],"totalTokenCount":1100}`, wire.Usage{Form: wire.Gemini, Input: 1000, Read: n(400), Written: n(0), Paid: n(600)}},
		{`{"promptTokenCount":1000,"totalTokenCount":1100}`, wire.Usage{Form: wire.Gemini, Input: 1000, Read: n(0), Written: n(0), Paid: n(1000)}},
		{`{"inputTokens":10,"outputTokens":2,"totalTokens":112,"cacheReadInputTokens":70,"cacheWriteInputTokens":30,"cacheDetails":[{"ttl":"5m","inputTokens":30}]}`,
			wire.Usage{Form: wire.Bedrock, Input: 110, Read: n(70), Written: n(30), Paid: n(10)}},
		{`{"model":"m","prompt_eval_count":26,"eval_count":298}`, wire.Usage{Form: wire.Ollama, Input: 26}},
		{`{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":1},"new":{"cache_tier":[{"a/b":4}],"none":0}}`, wire.Usage{Form: wire.OpenAI, Input: 9, Unread: []string{"/new/cache_tier/0/a~1b"}}},
	} {
		if c.want.Unread == nil {
			c.want.Unread = []string{}
		}
		for _, text := range []string{c.text, " \n" + c.text + "\n", `{"id":"x","usage":` + c.text + `}`, `{"usageMetadata":` + c.text + `}`} {
			got, err := wire.ReadUsage([]byte(text))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s\nis read as %+v (%v), want %+v", text, got, err, c.want)
			}
		}
	}
	for _, text := range []string{
		``, `[]`, `{`, `{}`, `{"output_tokens":1}`, `{"prompt_tokens":"7"}`, `{"prompt_tokens":-1}`, `{"prompt_tokens":1.5}`, `{"prompt_tokens":1e300}`,
		`{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":6}}`, `{"usage":{}}`, `{"prompt_tokens":5,"cached_tokens":"1"}`,
	} {
		_, err := wire.ReadUsage([]byte(text))
		if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != wire.InvalidUsage {
			t.Errorf("%s: %v", text, err)
		}
	}
}
