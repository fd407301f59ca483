package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// settingsSeen are the members of a body that are held against the model, the tools and
// each other.
type settingsSeen struct {
	model     *cento.Model
	members   []member
	choice    []byte // tool_choice, or Gemini's toolConfig
	automatic []byte // Anthropic's cache_control of the body
	linked    bool
}

func (s *settingsSeen) read(name string, value []byte) {
	if value[0] == 'n' { // null
		return
	}
	switch name {
	case "tool_choice":
		s.choice = value
	case "cache_control":
		s.automatic = value
	case "previous_response_id", "conversation", "prompt":
		s.linked = true
	}
	s.members = append(s.members, member{name, value})
}

// get is the value at a path of names, as in reasoning.effort; nil for none.
func (s *settingsSeen) get(path string) []byte {
	first, rest, deep := strings.Cut(path, ".")
	i := slices.IndexFunc(s.members, func(m member) bool { return m.name == first })
	if i < 0 {
		return nil
	}
	value := s.members[i].value
	for deep && value[0] == '{' {
		first, rest, deep = strings.Cut(rest, ".")
		if value = memberOf(value, first); value == nil {
			return nil
		}
	}
	if deep {
		return nil
	}
	return value
}

// settingRule is a value of a setting that models refuse.
type settingRule struct {
	forms []Form
	// at is a path of names, or the first name of one of answerSettings. Bedrock has the
	// others in [ofModel].
	at string
	// refused reports whether the value is refused, given the model and the other settings.
	refused func(value string, s *settingsSeen) bool
	says    string // what is refused, after "refuses a request with"
	fix     string
	verdict verdict
}

// no reports whether a fact of the model is known and false.
func no(fact *bool) bool { return fact != nil && !*fact }

func is(words ...string) func(string, *settingsSeen) bool {
	return func(v string, _ *settingsSeen) bool { return slices.Contains(words, strings.Trim(v, `"`)) }
}

// isOne reports whether a value is the number 1, which models take that take no sampling.
func isOne(v string) bool {
	n, err := strconv.ParseFloat(v, 64)
	return err == nil && n == 1
}

// unsampled reports whether the model refuses a value because it takes no sampling.
func unsampled(v string, s *settingsSeen) bool {
	return !isOne(v) && no(s.model.Sampling) && (!s.atNone() || s.effort() != "none" && s.effort() != "")
}

// perhapsUnsampled reports whether the model takes sampling at the reasoning effort none alone,
// and the effort isn't known.
func perhapsUnsampled(v string, s *settingsSeen) bool {
	return !isOne(v) && no(s.model.Sampling) && s.atNone() && s.effort() == ""
}

func (s *settingsSeen) atNone() bool { return s.model.SamplingAtNone != nil && *s.model.SamplingAtNone }

// thinks reports whether a request to Anthropic turns extended thinking on.
func thinks(s *settingsSeen) bool {
	kind := string(s.get("thinking.type"))
	return kind == `"enabled"` || kind == `"adaptive"`
}

// wrongEffort reports whether a model that is known to reason, or not to, refuses an effort.
func wrongEffort(v string, s *settingsSeen) bool {
	return no(s.model.Reasoning) || s.model.Efforts != nil && v[0] == '"' && !slices.Contains(s.model.Efforts, strings.Trim(v, `"`))
}

var (
	ofOpenAI = []Form{OpenAI, OpenAIResponses}
	ofClaude = []Form{Anthropic, Bedrock}
)

const (
	notOne      = " other than 1"
	unlessNone  = ", unless the reasoning effort is none"
	otherEffort = "a reasoning effort that it doesn't have"
	// claudeSampling is where Anthropic lists the settings that it removed.
	claudeSampling = "https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7"
)

// settingRules are the settings that models refuse. The facts of models are the catalog's.
var settingRules = []settingRule{
	{
		forms: ofOpenAI[:1], at: "max_tokens", says: "max_tokens, and wants max_completion_tokens", fix: "write `max_tokens` under wire, not in extra",
		refused: func(_ string, s *settingsSeen) bool { return no(s.model.ChatMaxTokens) },
		verdict: verdict{certain, github + "langgenius/dify/issues/24307"},
	},
	{forms: ofOpenAI, at: "temperature", refused: unsampled, says: "a temperature" + notOne, fix: "remove it", verdict: verdict{certain, github + "tmc/langchaingo/issues/1355"}},
	{forms: ofOpenAI, at: "top_p", refused: unsampled, says: "a top_p" + notOne, fix: "remove it", verdict: verdict{certain, openAIChat}},
	{forms: ofOpenAI, at: "temperature", refused: perhapsUnsampled, says: "a temperature" + notOne + unlessNone, fix: "remove it", verdict: verdict{likely, openAIChat}},
	{forms: ofOpenAI, at: "top_p", refused: perhapsUnsampled, says: "a top_p" + notOne + unlessNone, fix: "remove it", verdict: verdict{likely, openAIChat}},
	{forms: ofClaude, at: "temperature", refused: unsampled, says: "a temperature" + notOne, fix: "remove it", verdict: verdict{certain, github + "github/app/issues/2574"}},
	{forms: ofClaude, at: "top_p", refused: unsampled, says: "a top_p" + notOne, fix: "remove it", verdict: verdict{certain, claudeSampling}},
	{
		forms: ofClaude, at: "top_k", says: "top_k", fix: "remove it",
		refused: func(_ string, s *settingsSeen) bool { return no(s.model.Sampling) },
		verdict: verdict{certain, claudeSampling},
	},
	{
		forms: ofClaude, at: "top_p", says: "a temperature and a top_p", fix: "remove one of them",
		refused: func(_ string, s *settingsSeen) bool {
			return no(s.model.SamplingPair) && (s.get("temperature") != nil || s.get("inferenceConfig.temperature") != nil)
		},
		verdict: verdict{certain, github + "BerriAI/litellm/issues/15097"},
	},
	{forms: ofOpenAI, at: "reasoning_effort", refused: wrongEffort, says: otherEffort, fix: "remove it", verdict: verdict{certain, github + "openai/openai-agents-python/issues/2089"}},
	{forms: ofOpenAI, at: "reasoning.effort", refused: wrongEffort, says: otherEffort, fix: "remove it", verdict: verdict{certain, github + "openai/codex/issues/6647"}},
	{
		forms: ofOpenAI, at: "prompt_cache_retention", says: "the retention in_memory", fix: `write "24h"`,
		refused: func(v string, s *settingsSeen) bool {
			ttls := s.model.Cache.TTL
			return is("in_memory", "in-memory")(v, s) && slices.Contains(ttls, "24h") && !slices.Contains(ttls, "in_memory")
		},
		verdict: verdict{certain, openAICaching},
	},
	{
		forms: ofClaude, at: "thinking.budget_tokens", says: "budget_tokens", fix: "remove it",
		refused: func(_ string, s *settingsSeen) bool { return no(s.model.ThinkingBudget) },
		verdict: verdict{certain, anthropicThinking},
	},
	{
		forms: []Form{Anthropic}, at: "thinking.budget_tokens", says: "a budget_tokens that isn't below max_tokens", fix: "raise max_tokens, or lower the budget",
		refused: func(v string, s *settingsSeen) bool {
			budget, ok := wholeOf([]byte(v))
			most, known := wholeOf(s.get("max_tokens"))
			return ok && known && most > 0 && budget >= most
		},
		verdict: verdict{certain, anthropicThinking},
	},
	{
		forms: []Form{Anthropic}, at: "thinking.budget_tokens", says: "a budget_tokens below 1024", fix: "write at least 1024",
		refused: func(v string, _ *settingsSeen) bool { n, ok := wholeOf([]byte(v)); return ok && n < 1024 },
		verdict: verdict{certain, anthropicThinking},
	},
	{
		forms: []Form{Anthropic}, at: "temperature", says: "thinking and a temperature other than 1", fix: "remove one of them",
		refused: func(v string, s *settingsSeen) bool { return !isOne(v) && thinks(s) },
		verdict: verdict{certain, github + "danny-avila/LibreChat/issues/11949"},
	},
	{
		forms: []Form{Anthropic}, at: "top_k", says: "thinking and top_k", fix: "remove one of them",
		refused: func(_ string, s *settingsSeen) bool { return thinks(s) }, verdict: verdict{certain, anthropicThinking},
	},
	{
		forms: []Form{Anthropic}, at: "tool_choice.type", says: "thinking and a tool_choice that forces a tool", fix: `write {"type": "auto"}`,
		refused: func(v string, s *settingsSeen) bool { return is("any", "tool")(v, s) && thinks(s) },
		verdict: verdict{certain, github + "mastra-ai/mastra/issues/7507"},
	},
	{
		forms: ofClaude, at: "thinking.type", says: "adaptive thinking", fix: `write {"type": "enabled", "budget_tokens": …}`,
		refused: func(v string, s *settingsSeen) bool { return no(s.model.AdaptiveThinking) && v == `"adaptive"` },
		verdict: verdict{certain, github + "docker/docker-agent/issues/3362"},
	},
}

// effort is how much the request asks the model to reason; without a word of it, the model's
// default; "" where that isn't known.
func (s *settingsSeen) effort() string {
	for _, at := range []string{"reasoning_effort", "reasoning.effort"} {
		if v := s.get(at); v != nil {
			return strings.Trim(string(v), `"`)
		}
	}
	return s.model.DefaultEffort
}

// settings holds the further members against the model, the tools and each other.
func (c *checker) settings(s *settingsSeen) {
	if len(s.members) == 0 && s.choice == nil {
		return
	}
	for i := range settingRules {
		r := &settingRules[i]
		if !slices.Contains(r.forms, c.form) {
			continue
		}
		at := r.at
		if k := slices.IndexFunc(answerSettings, func(x setting) bool { return x.names[0] == at }); k >= 0 && answerSettings[k].places[c.form] != "" {
			at = answerSettings[k].places[c.form]
		} else if c.form == Bedrock {
			at = ofModel + "." + at
		}
		v := s.get(at)
		if v == nil || v[0] == 'n' || !r.refused(string(v), s) {
			continue
		}
		top, _, _ := strings.Cut(at, ".")
		c.refuse(r.verdict, "/"+strings.ReplaceAll(at, ".", "/"), top, r.says, r.fix)
	}
	if c.form == Anthropic && c.before == assistantRole && !c.server && string(s.get("thinking.type")) == `"enabled"` {
		if p := c.model.Prefill; p == nil || *p { // where it isn't refused alone
			c.refuse(verdict{certain, anthropicThinking}, "/thinking", "thinking", "thinking and a last message of the assistant", "end with a user's message, or turn thinking off")
		}
	}
	c.toolChoice(s)
}

func (c *checker) refuse(v verdict, at, top, what, fix string) {
	if c.unsure && v.severity == certain {
		v.severity = likely
	}
	c.lose(Loss{Code: CodeExtraRefused, Severity: v.severity, Pointer: at, Message: c.asked + " refuses a request with " + what, Hint: fix, Source: v.source}, placeOf{kind: 'x', name: top})
}

// toolChoice holds the choice of a tool against the tools.
func (c *checker) toolChoice(s *settingsSeen) {
	of := placeOf{kind: 'x', name: "tool_choice"}
	if c.form == OpenAI && c.defined == 0 {
		if v := s.get("parallel_tool_calls"); v != nil {
			c.report(parallelHasTools, "/parallel_tool_calls", placeOf{kind: 'x', name: "parallel_tool_calls"}, "parallel_tool_calls")
		}
	}
	v := s.choice
	if v == nil {
		return
	}
	kind, name, at := "", []byte(nil), "/tool_choice"
	switch {
	case v[0] == '"':
		kind = textOf(v)
	case v[0] != '{':
		return
	case c.form == Gemini:
		at, of.name = "/toolConfig", "toolConfig"
		if v = memberOf(v, "functionCallingConfig"); v == nil || v[0] != '{' {
			return
		}
		if mode := memberOf(v, "mode"); string(mode) == `"ANY"` {
			kind = "ANY"
		}
	default:
		if word := memberOf(v, "type"); len(word) > 0 && word[0] == '"' {
			kind = textOf(word)
		}
		if name = memberOf(v, "name"); name == nil {
			if f := memberOf(v, "function"); f != nil && f[0] == '{' {
				name = memberOf(f, "name")
			}
		}
	}
	switch {
	case kind == "" || kind == "none" || kind == "auto" && c.form != Anthropic:
	case c.defined == 0:
		c.report(choiceHasTools, at, of, strconv.Quote(kind))
	case len(name) > 0 && name[0] == '"' && (kind == "tool" || kind == "function" || kind == "custom"):
		if !c.defines(name) {
			c.report(choiceDefined, at, of, string(name))
		}
	}
}
