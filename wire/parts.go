package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// PartKind is what a part of a request is.
type PartKind uint8

// The kinds of parts.
const (
	// SettingPart is a member of the body that isn't one of the others, such as the
	// model.
	SettingPart PartKind = iota
	// ToolPart is the definition of a tool.
	ToolPart
	// SystemPart is a block of the system prompt.
	SystemPart
	// MessagePart is a part of a message of the conversation.
	MessagePart
)

var partKindNames = enum.Names[PartKind]{"setting", "tool", "system", "message"}

// String gives "setting", "tool", "system" or "message".
func (k PartKind) String() string { return partKindNames.Name(k) }

// MarshalText gives the name.
func (k PartKind) MarshalText() ([]byte, error) { return partKindNames.Marshal(k) }

// UnmarshalText accepts a name.
func (k *PartKind) UnmarshalText(t []byte) error { return partKindNames.Unmarshal(t, k) }

// Part is a stretch of a request as a prompt cache compares it.
type Part struct {
	Kind PartKind
	// Pointer is the JSON pointer of Text, or of the object that it is.
	Pointer string
	// Name is that of a setting or tool, and the role of a message.
	Name string
	// Message is which message of the conversation a part is of, from 0.
	Message int
	// Text is a string of the body, decoded, where Decoded says so; else the JSON as
	// it stands there, without its mark.
	Text    string
	Decoded bool
	// Marked: a mark of the prompt cache stands behind it, for TTL; "" where the mark
	// doesn't say.
	Marked bool
	TTL    string
}

// InvalidBody is the code of the error for a body that isn't one of the form.
const InvalidBody cento.ErrorCode = "wire.body"

// partsOf says of each form in which order its provider's cache reads a body, and
// what a setting breaks: the kind of parts before which it stands. A setting that
// isn't listed breaks nothing and stands last.
type partsOf struct {
	order  []PartKind
	breaks map[string]PartKind
}

// The orders and settings are those of the providers' pages on caching. OpenAI puts
// the schema of an answer and the tools in front of the messages. Where the model's
// own template decides, tools stand behind the system prompt, as most templates
// have it.
var (
	toolsFirst  = []PartKind{ToolPart, SystemPart, MessagePart}
	systemFirst = []PartKind{SystemPart, ToolPart, MessagePart}

	cacheReads = [...]partsOf{
		Anthropic: {toolsFirst, map[string]PartKind{
			"model": ToolPart, "speed": SystemPart, "tool_choice": MessagePart, "thinking": MessagePart, "output_config": MessagePart,
		}},
		OpenAI: {toolsFirst, map[string]PartKind{
			"model": ToolPart, "response_format": ToolPart, "reasoning_effort": ToolPart, "verbosity": ToolPart, "service_tier": ToolPart, "prompt_cache_key": ToolPart,
		}},
		OpenAIResponses: {toolsFirst, map[string]PartKind{
			"model": ToolPart, "text": ToolPart, "reasoning": ToolPart, "service_tier": ToolPart, "prompt_cache_key": ToolPart,
		}},
		Gemini:  {systemFirst, map[string]PartKind{"model": SystemPart, "cachedContent": SystemPart, "toolConfig": ToolPart}},
		Bedrock: {toolsFirst, map[string]PartKind{"model": ToolPart, "toolChoice": MessagePart, "additionalModelRequestFields": MessagePart}},
		Ollama:  {systemFirst, map[string]PartKind{"model": SystemPart, "think": SystemPart, "format": MessagePart}},
		OpenAICompatible: {systemFirst, map[string]PartKind{
			"model": SystemPart, "response_format": SystemPart, "prompt_cache_key": SystemPart,
		}},
		Text: {systemFirst, nil},
		JSON: {toolsFirst, map[string]PartKind{"model": ToolPart}},
	}
)

// Parts are the parts of a body in the order in which the provider's cache reads
// them: a change of one of them breaks what stands behind it. Marks aren't part of
// what is compared; a setting stands before what it breaks, and last where that is
// nothing. The order of Gemini's, and of servers that are neither Anthropic's, OpenAI's nor
// Bedrock's, isn't documented, and is that of the body or of most templates.
//
// In the forms that have the system prompt as a message, all messages of a system or a
// developer before which nobody spoke are parts of it. A reminder that is sent so in a
// request without a conversation is read as one too: a body doesn't tell the two apart.
//
// The error is [InvalidBody].
func Parts(form Form, body string) ([]Part, error) {
	if form == 0 || int(form) >= len(cacheReads) {
		return nil, invalidBody("there is no form " + form.String())
	}
	if form == Text {
		return []Part{{Kind: SystemPart, Text: body, Decoded: true}}, nil
	}
	raw := []byte(body)
	if !validJSON(raw) {
		return nil, invalidBody("the body isn't JSON in UTF-8")
	}
	members, ok := membersOf(raw)
	if !ok {
		return nil, invalidBody("the body isn't an object")
	}
	p := parter{form: form, marked: rulesOf[form].marked}
	for _, m := range members {
		if !p.member(m.name, raw[m.start:m.end]) {
			return nil, invalidBody(strconv.Quote(m.name) + " of the body isn't what the form " + form.String() + " has there")
		}
	}
	return p.ordered(), nil
}

func invalidBody(message string) error {
	return &cento.SourceError{Code: InvalidBody, Message: message, Hint: "cento build --wire writes one"}
}

// parter takes a body apart.
type parter struct {
	form     Form
	marked   string
	parts    []Part
	messages int
	// spoken: a message of the conversation was read, so that a system message is no
	// longer part of the system prompt.
	spoken bool
}

// member reads a top-level member, and reports whether it is what belongs there.
func (p *parter) member(name string, value []byte) bool {
	switch name {
	case "system", "instructions":
		return p.texts(SystemPart, "/"+name, systemRole, value)
	case "systemInstruction":
		members, ok := membersOf(value)
		for _, m := range members {
			if m.name == "parts" {
				ok = ok && p.texts(SystemPart, "/systemInstruction/parts", systemRole, value[m.start:m.end])
			}
		}
		return ok
	case "tools":
		return p.tools("/tools", value)
	case "toolConfig":
		if p.form != Bedrock {
			break
		}
		members, ok := membersOf(value)
		for _, m := range members {
			if m.name == "tools" {
				ok = ok && p.tools("/toolConfig/tools", value[m.start:m.end])
				continue
			}
			p.setting(m.name, "/toolConfig/", value[m.start:m.end])
		}
		return ok
	case "messages", "contents":
		return p.conversation("/"+name, value)
	case "input":
		if value[0] == '"' {
			p.add(Part{Kind: MessagePart, Pointer: "/input", Name: userRole, Text: textOf(value), Decoded: true})
			return true
		}
		return p.conversation("/input", value)
	}
	p.setting(name, "/", value)
	return true
}

func (p *parter) add(part Part) { p.parts = append(p.parts, part) }

func (p *parter) setting(name, at string, value []byte) {
	p.add(Part{Kind: SettingPart, Pointer: at + pointerEscaper.Replace(name), Name: name, Text: string(value)})
}

// tools reads a list of definitions. Gemini has its own within groups.
func (p *parter) tools(at string, list []byte) bool {
	elements, ok := elementsOf(list)
	for i, e := range elements {
		value := list[e.start:e.end]
		here := at + "/" + strconv.Itoa(i)
		members, object := membersOf(value)
		if !object {
			return false
		}
		if ttl, is := p.element(members, value); is {
			p.markLast(ToolPart, ttl)
			continue
		}
		if p.form == Gemini && len(members) == 1 && members[0].name == "functionDeclarations" {
			if !p.tools(here+"/functionDeclarations", value[members[0].start:members[0].end]) {
				return false
			}
			continue
		}
		text, marked, ttl := p.unmarked(members, value)
		p.add(Part{Kind: ToolPart, Pointer: here, Name: toolName(members, value), Text: text, Marked: marked, TTL: ttl})
	}
	return ok
}

// toolName is the name of a definition, which may stand in an object within it; that
// of a tool that the provider runs may be its type.
func toolName(members []stretch, value []byte) string {
	kind := ""
	for _, m := range members {
		inner := value[m.start:m.end]
		switch {
		case m.name == "name" && inner[0] == '"':
			return textOf(inner)
		case m.name == "type" && inner[0] == '"':
			kind = textOf(inner)
		case m.name == "function" || m.name == "toolSpec":
			within, _ := membersOf(inner)
			if name := toolName(within, inner); name != "" {
				return name
			}
		}
	}
	return kind
}

// conversation reads a list of messages. Those of the system that stand first are
// the system prompt.
func (p *parter) conversation(at string, list []byte) bool {
	elements, ok := elementsOf(list)
	for i, e := range elements {
		value := list[e.start:e.end]
		if !p.message(at+"/"+strconv.Itoa(i), value) {
			return false
		}
	}
	return ok
}

func (p *parter) message(at string, value []byte) bool {
	members, ok := membersOf(value)
	if !ok {
		return false
	}
	role := ""
	for _, m := range members {
		if m.name == "role" && value[m.start] == '"' {
			role = textOf(value[m.start:m.end])
		}
	}
	kind := MessagePart
	if !p.spoken && (role == systemRole || role == "developer") {
		kind = SystemPart
	}
	p.spoken = p.spoken || kind == MessagePart
	key := rulesOf[p.form].key
	rest := strings.Builder{}
	for _, m := range members {
		inner := value[m.start:m.end]
		switch {
		case m.name == "role", m.name == "type" && string(inner) == `"message"`:
		case m.name == key && (inner[0] == '"' || inner[0] == '['):
			if !p.texts(kind, at+"/"+key, role, inner) {
				return false
			}
		default:
			rest.Write(append(appendQuoted(nil, m.name), ':'))
			rest.Write(append(slices.Clip(inner), ','))
		}
	}
	if rest.Len() > 0 {
		p.add(Part{Kind: kind, Pointer: at, Name: role, Message: p.messages, Text: rest.String()})
	}
	if kind == MessagePart {
		p.messages++
	}
	return true
}

// texts reads a text, or a list of parts.
func (p *parter) texts(kind PartKind, at, role string, value []byte) bool {
	part := Part{Kind: kind, Pointer: at, Name: role, Message: p.messages}
	if value[0] == '"' {
		part.Text, part.Decoded = textOf(value), true
		p.add(part)
		return true
	}
	elements, ok := elementsOf(value)
	for i, e := range elements {
		inner := value[e.start:e.end]
		members, object := membersOf(inner)
		if !object {
			return false
		}
		if ttl, is := p.element(members, inner); is {
			p.markLast(kind, ttl)
			continue
		}
		x := part
		x.Pointer = at + "/" + strconv.Itoa(i)
		x.Text, x.Marked, x.TTL = p.unmarked(members, inner)
		if text, plain := plainText(members, inner, p.marked); plain {
			x.Pointer, x.Text, x.Decoded = x.Pointer+"/text", text, true
		}
		p.add(x)
	}
	return ok
}

// plainText is the text of a part that holds nothing but one.
func plainText(members []stretch, value []byte, marked string) (text string, plain bool) {
	for _, m := range members {
		switch inner := value[m.start:m.end]; {
		case m.name == "text" && inner[0] == '"':
			text, plain = textOf(inner), true
		case m.name == "type" && slices.Contains([]string{`"text"`, `"input_text"`, `"output_text"`}, string(inner)):
		case m.name == marked:
		default:
			return "", false
		}
	}
	return text, plain
}

// element reports whether an element of a list is a mark by itself, and its ttl.
func (p *parter) element(members []stretch, value []byte) (ttl string, is bool) {
	if p.form != Bedrock || len(members) != 1 || members[0].name != p.marked {
		return "", false
	}
	return ttlOf(value[members[0].start:members[0].end]), true
}

func (p *parter) markLast(kind PartKind, ttl string) {
	if n := len(p.parts); n > 0 && p.parts[n-1].Kind == kind {
		p.parts[n-1].Marked, p.parts[n-1].TTL = true, ttl
	}
}

// unmarked is an object without its mark.
func (p *parter) unmarked(members []stretch, value []byte) (text string, marked bool, ttl string) {
	var b strings.Builder
	for _, m := range members {
		inner := value[m.start:m.end]
		if p.marked != "" && m.name == p.marked {
			marked = marked || inner[0] == '{'
			ttl = ttlOf(inner)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(appendQuoted(nil, m.name))
		b.WriteByte(':')
		b.Write(inner)
	}
	return "{" + b.String() + "}", marked, ttl
}

func ttlOf(mark []byte) string {
	if mark[0] != '{' {
		return "" // a mark of another kind
	}
	if ttl := memberOf(mark, "ttl"); len(ttl) > 0 && ttl[0] == '"' {
		return textOf(ttl)
	}
	return ""
}

// ordered are the parts as the cache reads them.
func (p *parter) ordered() []Part {
	reads := &cacheReads[p.form]
	out := make([]Part, 0, len(p.parts))
	settings := func(of func(name string) bool) {
		from := len(out)
		for _, x := range p.parts {
			if x.Kind == SettingPart && of(x.Name) {
				out = append(out, x)
			}
		}
		slices.SortStableFunc(out[from:], func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, kind := range reads.order {
		settings(func(name string) bool { at, ok := reads.breaks[name]; return ok && at == kind })
		for _, x := range p.parts {
			if x.Kind == kind {
				out = append(out, x)
			}
		}
	}
	settings(func(name string) bool { _, ok := reads.breaks[name]; return !ok })
	return out
}

// PrefixOrder is in which order the cache of a form's provider reads tools, system
// prompt and messages.
func PrefixOrder(form Form) []PartKind {
	if int(form) >= len(cacheReads) {
		return nil
	}
	return slices.Clone(cacheReads[form].order)
}
