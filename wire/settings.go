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
	at    string // a path of names
	// models are those that refuse it, by the beginning of their names up to a hyphen;
	// except are those among them that don't.
	models, except []string
	// refused reports whether the value is refused, given the others.
	refused func(value string, s *settingsSeen) bool
	says    string // what is refused, after "refuses a request with"
	fix     string
	verdict verdict
}

func any0(string, *settingsSeen) bool { return true }

func is(words ...string) func(string, *settingsSeen) bool {
	return func(v string, _ *settingsSeen) bool { return slices.Contains(words, strings.Trim(v, `"`)) }
}

// other reports whether a number isn't the one that the model takes.
func other(than float64) func(string, *settingsSeen) bool {
	return func(v string, _ *settingsSeen) bool {
		n, err := strconv.ParseFloat(v, 64)
		return err != nil || n != than
	}
}

// thinks reports whether a request to Anthropic turns extended thinking on.
func thinks(s *settingsSeen) bool {
	kind := string(s.get("thinking.type"))
	return kind == `"enabled"` || kind == `"adaptive"`
}

var (
	ofOpenAI = []Form{OpenAI, OpenAIResponses}
	// reasoners are the models of OpenAI that reason whatever a request says.
	reasoners = []string{"gpt-5", "o1", "o3", "o4"}
	// sinceReasoners are those and the ones that a request can keep from it.
	sinceReasoners = []string{"gpt-5", "gpt-5.1", "gpt-5.2", "gpt-5.3", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6", "gpt-6.1", "gpt-6.2", "o1", "o3", "o4"}
	switchable     = []string{"gpt-5.1", "gpt-5.2", "gpt-5.3", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6", "gpt-6.1", "gpt-6.2"}
	// untilReasoners don't reason.
	untilReasoners = []string{"gpt-4.1", "gpt-4o", "gpt-4", "gpt-3.5", "gpt-5-chat"}
	chats          = []string{"gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "gpt-5.3-chat"}
	beforeAdaptive = []string{"claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5", "claude-opus-4-1", "claude-opus-4-0", "claude-sonnet-4-0", "claude-3", "claude-opus-4-2", "claude-sonnet-4-2"}
)

// settingRules are the settings that models refuse, in addition to those that the catalog
// has of a model: [cento.Model].Sampling and ThinkingBudget.
var settingRules = []settingRule{
	{
		forms: ofOpenAI[:1], at: "max_tokens", models: sinceReasoners, except: chats, refused: any0,
		says: "max_tokens, and wants max_completion_tokens", fix: "write `max_tokens` under wire, not in extra",
		verdict: verdict{certain, github + "langgenius/dify/issues/24307"},
	},
	{
		forms: ofOpenAI, at: "temperature", models: reasoners, except: chats, refused: other(1), says: "a temperature other than 1", fix: "remove it",
		verdict: verdict{certain, github + "tmc/langchaingo/issues/1355"},
	},
	{forms: ofOpenAI, at: "top_p", models: reasoners, except: chats, refused: other(1), says: "a top_p other than 1", fix: "remove it", verdict: verdict{certain, openAIChat}},
	{
		forms: ofOpenAI, at: "temperature", models: switchable, except: chats, says: "a temperature other than 1 while the model reasons", fix: "remove it",
		refused: func(v string, s *settingsSeen) bool { return other(1)(v, s) && efforts(s) },
		verdict: verdict{certain, openAIChat},
	},
	{
		forms: ofOpenAI, at: "temperature", models: switchable, except: chats, says: "a temperature other than 1, unless the reasoning effort is none", fix: "remove it",
		refused: func(v string, s *settingsSeen) bool { return other(1)(v, s) && effort(s) == "" },
		verdict: verdict{likely, openAIChat},
	},
	{forms: ofOpenAI, at: "reasoning_effort", models: untilReasoners, refused: any0, says: "reasoning_effort", fix: "remove it", verdict: verdict{certain, openAIChat}},
	{forms: ofOpenAI, at: "reasoning.effort", models: untilReasoners, refused: any0, says: "reasoning.effort", fix: "remove it", verdict: verdict{certain, openAIResponses}},
	{forms: ofOpenAI, at: "reasoning_effort", models: append([]string{"gpt-6.2-sol"}, reasoners...), refused: is("none"), says: "the reasoning effort none", fix: "choose another effort", verdict: verdict{certain, openAIChat}},
	{forms: ofOpenAI, at: "reasoning.effort", models: append([]string{"gpt-6.2-sol"}, reasoners...), refused: is("none"), says: "the reasoning effort none", fix: "choose another effort", verdict: verdict{certain, openAIResponses}},
	{forms: ofOpenAI, at: "prompt_cache_retention", models: []string{"gpt-5.5"}, refused: is("in_memory", "in-memory"), says: "the retention in_memory", fix: `write "24h"`, verdict: verdict{certain, openAICaching}},
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
		refused: func(v string, s *settingsSeen) bool { return other(1)(v, s) && thinks(s) },
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
		forms: []Form{Anthropic}, at: "thinking.type", models: beforeAdaptive, refused: is("adaptive"), says: "adaptive thinking", fix: `write {"type": "enabled", "budget_tokens": …}`,
		verdict: verdict{certain, github + "docker/docker-agent/issues/3362"},
	},
}

// effort is how much a request to OpenAI asks the model to reason; "" where it doesn't say.
func effort(s *settingsSeen) string {
	v := s.get("reasoning_effort")
	if v == nil {
		v = s.get("reasoning.effort")
	}
	return strings.Trim(string(v), `"`)
}

func efforts(s *settingsSeen) bool { e := effort(s); return e != "" && e != "none" }

// named reports whether a model is one of those that a list begins.
func named(list []string, m *cento.Model) bool {
	return slices.ContainsFunc(list, func(of string) bool {
		return slices.ContainsFunc([]string{m.ID, m.Name}, func(name string) bool { return name == of || strings.HasPrefix(name, of+"-") })
	})
}

// settings holds the further members against the model, the tools and each other.
func (c *checker) settings(s *settingsSeen) {
	if len(s.members) == 0 && s.choice == nil {
		return
	}
	for i := range settingRules {
		r := &settingRules[i]
		if !slices.Contains(r.forms, c.form) || r.models != nil && (!named(r.models, c.model) || named(r.except, c.model)) {
			continue
		}
		v := s.get(r.at)
		if v == nil || v[0] == 'n' || !r.refused(string(v), s) {
			continue
		}
		top, _, _ := strings.Cut(r.at, ".")
		c.refuse(r.verdict, "/"+strings.ReplaceAll(r.at, ".", "/"), top, r.says, r.fix)
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
