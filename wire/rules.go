package wire

// rules are what a provider takes, as its documentation has it.
type rules struct {
	// vendor is who is asked, for people.
	vendor string
	path   string
	// toolName is the longest name of a tool, and which characters it may have beside
	// letters, digits, _ and -; 0: any name.
	toolName  int
	nameSigns string
	// letterFirst: a name begins with a letter or _.
	letterFirst bool
	maxTools    int // 0: as many as one likes
	// toolMembers are the members that the definition of a tool may have in addition to its
	// name, description and schema.
	toolMembers []string
	// members are the top-level keys that the form writes.
	members []string
	// settings are in a member of their own; of no name: at the top.
	settings settings
	// key is the member of a message that holds its parts.
	key string
	// refusedTop are keywords that a tool's schema may not have at its top. The lists are
	// those that the providers' refusals give.
	refusedTop []string
	// marked is the member, or the element, that is a mark of the cache; empty: the
	// form has none.
	marked string
	// ttls are what a mark may say; nil: what the model's entry says.
	ttls []string
}

// settings are the member of a form in which the bound of the answer stands, and what else
// says how the model is to answer.
type settings struct {
	member string
	// bound are the names of the bound of the answer in it; the first is written.
	bound []string
	// example is what more stands there, for hints.
	example string
}

// are reports whether a member of the body is the one that the settings stand in.
func (s *settings) are(name string) bool { return s.member != "" && s.member == name }

// The rules of names are from the pages on tools of each provider and, for Anthropic,
// from its refusals: its page says 64, and it takes 128.
var rulesOf = [...]rules{
	Anthropic: {
		vendor: "Anthropic", path: "/v1/messages", toolName: 128, key: "content", marked: "cache_control", ttls: []string{"5m", "1h"},
		toolMembers: []string{"strict", "cache_control", "defer_loading", "allowed_callers", "input_examples", "eager_input_streaming"},
		members:     []string{"model", "max_tokens", "system", "tools", "messages"},
		refusedTop:  []string{"allOf", "anyOf", "oneOf"},
	},
	OpenAI: {
		vendor: "OpenAI", path: "/v1/chat/completions", toolName: 64, maxTools: 128, key: "content", marked: "prompt_cache_breakpoint", ttls: []string{"30m", "12h"},
		toolMembers: []string{"strict"},
		members:     []string{"model", "messages", "tools", "max_completion_tokens", "prompt_cache_options", cacheKey},
		refusedTop:  topChoices,
	},
	OpenAIResponses: {
		vendor: "OpenAI", path: "/v1/responses", toolName: 64, key: "content", marked: "prompt_cache_breakpoint", ttls: []string{"30m", "12h"},
		toolMembers: []string{"strict", "defer_loading", "allowed_callers", "output_schema"},
		members:     []string{"model", "instructions", "input", "tools", "max_output_tokens", "prompt_cache_options", cacheKey},
		refusedTop:  topChoices,
	},
	Gemini: {
		vendor: "Gemini", path: "/v1beta/models/%s:generateContent", toolName: 128, nameSigns: ".:", letterFirst: true, maxTools: 512, key: "parts",
		toolMembers: []string{"behavior", "response"},
		members:     []string{"systemInstruction", "tools", "contents", "generationConfig", "cachedContent"},
		settings:    settings{"generationConfig", []string{"maxOutputTokens", "max_output_tokens"}, `{"temperature": 0.2}`},
	},
	Bedrock: {
		vendor: "Bedrock", path: "/model/%s/converse", toolName: 64, key: "content", marked: "cachePoint", ttls: []string{"5m", "1h"},
		toolMembers: []string{"strict"},
		members:     []string{"system", "toolConfig", "messages", "inferenceConfig"},
		settings:    settings{"inferenceConfig", []string{"maxTokens"}, `{"temperature": 0.2}`},
	},
	Ollama: {
		vendor: "Ollama", path: "/api/chat", key: "content",
		members:  []string{"model", "messages", "tools", "stream", "options"},
		settings: settings{options, []string{numPredict}, `{"num_ctx": 8192}`},
	},
	OpenAICompatible: {
		vendor: "a server that understands OpenAI's form", path: "/v1/chat/completions", toolName: 64, key: "content",
		toolMembers: []string{"strict"},
		members:     []string{"model", "messages", "tools", "max_tokens"},
	},
	Text: {vendor: "text", key: "content"},
	JSON: {
		vendor: "JSON", key: "content", marked: "mark",
		members: []string{"model", "system", "tools", "messages"},
	},
}

func (r *rules) takesName(name string) bool {
	if r.toolName == 0 {
		return name != ""
	}
	if name == "" || len(name) > r.toolName {
		return false
	}
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		switch {
		case letter:
		case i == 0 && r.letterFirst:
			return false
		case '0' <= c && c <= '9', c == '-':
		default:
			sign := false
			for j := range len(r.nameSigns) {
				sign = sign || c == r.nameSigns[j]
			}
			if !sign {
				return false
			}
		}
	}
	return true
}

// nameRule says which names a provider takes.
func (r *rules) nameRule() string {
	s := "letters, digits, _ and -"
	if r.nameSigns != "" {
		s = "letters, digits, _, -, . and :, the first a letter or _"
	}
	return s
}
