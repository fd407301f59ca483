// Package controltoken finds the control tokens of model families in a text: the words
// by which their chat templates tell a system prompt, a user's turn and a tool's answer
// apart. A tokenizer that reads them in a text of a stranger takes what follows for
// another's word. It changes no text, and doesn't ask whose it is.
//
// The tokens are facts that the families publish with their tokenizers, chat
// templates and prompt formats; the table names where. Hidden characters and
// look-alikes aren't tokens: a tokenizer compares bytes.
package controltoken

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// longest bounds the name within a token of a family's own form.
const longest = 64

// form is how a family writes names into tokens.
type form struct {
	open, close string
	family      string
}

// forms cover families whose tokens all have one form, with those that they keep
// in reserve.
var forms = []form{
	// OpenAI (openai/harmony, docs/format.md: "All special tokens follow the format
	// <|type|>"), ChatML and Qwen (Qwen/Qwen3-8B, chat template), Llama 3 and 4
	// (llama.com, "Model Cards & Prompt formats"), Phi-4
	// (microsoft/Phi-4-mini-instruct), GLM (zai-org/GLM-4.5), Command R
	// (CohereLabs/c4ai-command-r7b-12-2024), Kimi (moonshotai/Kimi-K2-Instruct),
	// GigaChat 3 (ai-sage), LFM2 (LiquidAI), Step 3 (stepfun-ai): their chat
	// templates, which llama.cpp keeps in models/templates. Grok (sgl-project/sglang,
	// python/sglang/srt/tokenizer/tiktoken_tokenizer.py: <|separator|>, <|eos|>,
	// <|control1|> to <|control704|> and those in reserve).
	{"<|", "|>", "OpenAI, Qwen, Llama and others"},
	// DeepSeek (deepseek-ai/DeepSeek-V3.1, chat template), with U+FF5C; the calls of
	// Step 3 have it too (vllm-project/vllm, step3_tool_parser.py).
	{"<｜", "｜>", "DeepSeek"},
	// EXAONE (LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct, chat template).
	{"[|", "|]", "EXAONE"},
	// Nemotron Nano 2 (nvidia/NVIDIA-Nemotron-Nano-9B-v2, chat template):
	// <SPECIAL_10> to <SPECIAL_12> begin turns and end them.
	{"<SPECIAL_", ">", "Nemotron"},
	// InternLM 2 before transformers 4.37 (internlm/internlm2-chat-7b): 145 and 146.
	{"[UNUSED_TOKEN_", "]", "InternLM"},
}

// words are the tokens of families that have no form of their own. Those that mark
// parts of one answer and that no family calls its own, such as <think> and
// <tool_call>, aren't here: they give nobody another's word.
var words = []struct {
	family string
	tokens []string
}{
	// Llama 2 (llama.com, "Prompt formats"); mistralai/mistral-common,
	// src/mistral_common/tokens/tokenizers/base.py, SpecialTokens; the settings are
	// those of version 15, which its generated chat templates write.
	{"Llama 2, Mistral", strings.Fields(`<s> </s> [INST] [/INST] <<SYS>> <</SYS>>
		[AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CONTENT] [ARGS] [CALL_ID]
		[SYSTEM_PROMPT] [/SYSTEM_PROMPT] [THINK] [/THINK] [IMG] [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [AUDIO] [BEGIN_AUDIO]
		[MODEL_SETTINGS] [/MODEL_SETTINGS]`)},
	// Gemma 2 to 4 (google-deepmind/gemma, gemma/gm/text/_tokenizer.py, SpecialTokens;
	// google/gemma-4-31B-it, chat template; that of an image: tokenizer_config.json of
	// Gemma 3) and FunctionGemma (ai.google.dev/gemma).
	{"Gemma", strings.Fields(`<bos> <eos> <start_of_turn> <end_of_turn> <start_of_image> <image_soft_token> <end_of_image> <start_of_audio> <end_of_audio>
		<|turn> <turn|> <|tool> <tool|> <|tool_call> <tool_call|> <|tool_response> <tool_response|> <|channel> <channel|>
		<|image> <image|> <|audio> <audio|> <|"|>
		<begin_of_tool_response> <end_of_tool_response> <start_function_declaration> <end_function_declaration>
		<start_function_call> <end_function_call> <start_function_response> <end_function_response>`)},
	// ByteDance-Seed/Seed-OSS-36B-Instruct, chat template.
	{"Seed", strings.Fields(`<seed:bos> <seed:eos> <seed:pad> <seed:think> </seed:think> <seed:tool_call> </seed:tool_call>
		<seed:cot_budget_reflect> </seed:cot_budget_reflect>`)},
	// MiniMaxAI/MiniMax-M2, chat template.
	{"MiniMax", strings.Fields(`]~!b[ ]~b] [e~[ <minimax:tool_call> </minimax:tool_call>`)},
	// deepseek-ai/DeepSeek-V3.2, encoding: a mark that begins the names of elements.
	{"DeepSeek", strings.Fields(`<｜DSML｜ </｜DSML｜`)},
	// Step 3 (vllm-project/vllm, step3_tool_parser.py): a mark of the same kind.
	{"Step", strings.Fields(`<steptml: </steptml:`)},
	// zai-org/GLM-4.5, chat template; zai-org/codegeex4-all-9b, tokenizer_config.json.
	// Its [MASK] is a word that people write.
	{"GLM", strings.Fields(`[gMASK] [sMASK] <sop> <eop>`)},
	// CohereLabs/c4ai-command-r-v01, tokenizer_config.json.
	{"Command R", strings.Fields(`<BOS_TOKEN> <EOS_TOKEN>`)},
}

type word struct{ token, family string }

// byStart are the words by their first two bytes.
var byStart = sync.OnceValue(func() map[string][]word {
	m := map[string][]word{}
	for _, w := range words {
		for _, t := range w.tokens {
			m[t[:2]] = append(m[t[:2]], word{t, w.family})
		}
	}
	return m
})

// Next finds the first token that begins at a byte or behind it, and whose it is.
// It takes time linear in the text up to there.
func Next(s string, from int) (start, end int, family string, ok bool) {
	for k := from; k < len(s); k++ {
		n := strings.IndexAny(s[k:], "<[]")
		if n < 0 {
			break
		}
		k += n
		if length, family := at(s[k:]); length > 0 {
			return k, k + length, family, true
		}
	}
	return 0, 0, "", false
}

// at is the length of the token that a text begins with, 0 for none.
func at(s string) (int, string) {
	if len(s) < 3 {
		return 0, ""
	}
	for _, f := range forms {
		rest, ok := strings.CutPrefix(s, f.open)
		if !ok {
			continue
		}
		if n := name(rest); n > 0 && strings.HasPrefix(rest[n:], f.close) {
			return len(f.open) + n + len(f.close), f.family
		}
	}
	for _, w := range byStart()[s[:2]] {
		if strings.HasPrefix(s, w.token) {
			return len(w.token), w.family
		}
	}
	return 0, ""
}

// name is the length of the name that a text begins with: letters, digits and
// what stands between them.
func name(s string) int {
	n := 0
	for n < len(s) && n < longest {
		c := s[n]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("_-./:", c) >= 0:
			n++
		default:
			r, size := utf8.DecodeRuneInString(s[n:])
			if r != '▁' { // U+2581, the mark of a space in vocabularies
				return n
			}
			n += size
		}
	}
	return n
}
