package token

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// openai are the models of OpenAI whose encoding is public. The names are those of
// its libraries (openai-go 3.96.0, November 2026) and Azure's spelling of 3.5; the
// encodings are what openai/tiktoken 0.14.0 (August 2026) says of them. That table
// goes by how a name begins, so it also has an answer for gpt-4o-fake; here a name
// has to be one of these, as it stands or with the date of a snapshot. What gpt-oss
// adds to o200k_base are special tokens, which no text is counted as; its names are
// also those of Bedrock and Ollama.
var openai = []struct {
	encoding string
	models   []string
}{
	{"o200k_base", strings.Fields(`
		gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5-codex gpt-5-chat-latest
		gpt-5.1 gpt-5.1-mini gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-chat-latest
		gpt-5.2 gpt-5.2-pro gpt-5.2-chat-latest gpt-5.3-codex gpt-5.3-chat-latest
		gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.5 gpt-5.5-pro
		gpt-5.6-cyber gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra
		gpt-4.5-preview gpt-4.1 gpt-4.1-mini gpt-4.1-nano
		gpt-4o gpt-4o-mini chatgpt-4o-latest gpt-4o-audio-preview gpt-4o-mini-audio-preview
		gpt-4o-search-preview gpt-4o-mini-search-preview gpt-4o-realtime-preview gpt-4o-mini-realtime-preview
		o1 o1-mini o1-preview o1-pro o3 o3-mini o3-pro o3-deep-research o4-mini o4-mini-deep-research
		gpt-oss-120b gpt-oss-20b gpt-oss-120b-1:0 gpt-oss-20b-1:0 gpt-oss:120b gpt-oss:20b`)},
	{"cl100k_base", strings.Fields(`
		gpt-4 gpt-4-32k gpt-4-turbo gpt-4-turbo-preview gpt-4-vision-preview gpt-4-1106-preview gpt-4-0125-preview
		gpt-3.5-turbo gpt-3.5-turbo-16k gpt-3.5-turbo-instruct gpt-35-turbo gpt-35-turbo-16k gpt-35-turbo-instruct
		davinci-002 babbage-002 text-embedding-3-small text-embedding-3-large text-embedding-ada-002`)},
	// Published, and not carried: nobody assembles prompts for these any more.
	{"p50k_base", strings.Fields(`text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002 code-cushman-001`)},
	{"r50k_base", strings.Fields(`gpt2 gpt-2 text-davinci-001 text-curie-001 text-babbage-001 text-ada-001 davinci curie babbage ada`)},
}

// notCarried is how far the estimate for unknown models was off on 273 kB of
// English documentation, 242 kB of Go and 178 kB of indented JSON.
var notCarried = map[string]string{
	"p50k_base": "5 % above it in English and in JSON, 9 % below it in code",
	"r50k_base": "1 % below it in English, 10 % in code, 49 % in indented JSON",
}

// openaiEncodings are the encodings of openai by the models.
var openaiEncodings = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, row := range openai {
		for _, name := range row.models {
			m[name] = row.encoding
		}
	}
	return m
})

// variants are how OpenRouter marks another way to serve the same model.
var variants = []string{":exacto", ":extended", ":floor", ":free", ":nitro", ":online", ":thinking"}

// openaiHosts are the words before a name by which it is one of OpenAI's.
var openaiHosts = []string{"azure", "azure_ai", "bedrock", "openai", "openrouter"}

// openaiModel finds the encoding of a model of OpenAI by its name in lower case and
// what stands before it, such as `openai/`. It is published for that very model if
// the name is one of the table, with nothing behind it but a snapshot, a variant of
// how it is served, or the organisation that has tuned it; else it is that of the
// model which the name begins with. The encoding is empty for other names.
func openaiModel(name, before string) (encoding, model string, published bool) {
	before, tuned := strings.CutSuffix(before, "ft:")
	host := strings.TrimRight(before, "/.")
	host = host[strings.LastIndexAny(host, "/.")+1:]
	published = before == "" || slices.Contains(openaiHosts, host)
	base := name
	for _, v := range variants {
		base = strings.TrimSuffix(base, v)
	}
	if tuned {
		base, _, _ = strings.Cut(name, ":")
	}
	known := openaiEncodings()
	for _, whole := range []string{base, withoutSnapshot(base)} {
		if encoding, ok := known[whole]; ok {
			return encoding, whole, published
		}
	}
	for k := len(base) - 1; k > 0; k-- {
		if strings.IndexByte("-:@", base[k]) >= 0 {
			if encoding, ok := known[base[:k]]; ok {
				return encoding, base[:k], false
			}
		}
	}
	return "", "", false
}

// withoutSnapshot is a name without the date of a snapshot: -2024-08-06, or the
// month and day that models up to gpt-4 have.
func withoutSnapshot(name string) string {
	for _, layout := range []string{"-2006-01-02", "-0102"} {
		n := len(name) - len(layout)
		if n <= 0 {
			continue
		}
		if _, err := time.Parse(layout, name[n:]); err == nil && (layout != "-0102" || openaiEncodings()[name[:n]] == "cl100k_base") {
			return name[:n]
		}
	}
	return name
}
