package wiretest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/cento-dev/cento/wire"
)

// Provider is a server that takes the requests of a format as its provider does: it answers
// with 200, or with 400 and an error in the provider's shape. It decodes the bytes that it
// receives and shares no code with package wire. The texts with a source next to them
// are those of refusals that people published.
func Provider(form wire.Form) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, err := io.ReadAll(q.Body)
		var b object
		text := ""
		if err == nil {
			err = json.Unmarshal(raw, &b)
		}
		if err != nil {
			text = err.Error()
		} else {
			text = refusals[form](b)
		}
		w.Header().Set("Content-Type", "application/json")
		if text == "" {
			_, _ = io.WriteString(w, "{}")
			return
		}
		answer := object{"error": object{"message": text, "type": "invalid_request_error", "param": nil, "code": nil}}
		switch form {
		case wire.Anthropic:
			answer = object{"type": "error", "error": object{"type": "invalid_request_error", "message": text}}
		case wire.Gemini:
			answer = object{"error": object{"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}
		case wire.Bedrock:
			w.Header().Set("X-Amzn-Errortype", "ValidationException")
			answer = object{"message": text}
		case wire.Ollama:
			answer = object{"error": text}
		}
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(answer)
	})
}

type object = map[string]any

// refusals return the text of the refusal of a body, empty for a body that the provider takes.
var refusals = map[wire.Form]func(object) string{
	wire.Anthropic: refusedByAnthropic, wire.OpenAI: refusedByOpenAI, wire.OpenAIResponses: refusedByResponses,
	wire.Gemini: refusedByGemini, wire.Bedrock: refusedByBedrock, wire.Ollama: refusedByOllama, wire.OpenAICompatible: refusedByServer,
}

// in follows names of members.
func in(v any, names ...string) any {
	for _, name := range names {
		o, _ := v.(object)
		v = o[name]
	}
	return v
}

func list(v any, names ...string) []any {
	l, _ := in(v, names...).([]any)
	return l
}

func word(v any, names ...string) string {
	s, _ := in(v, names...).(string)
	return s
}

// having are the elements of a list with a member, or with a value of it.
func having(l []any, name, value string) (out []any) {
	for _, x := range l {
		if v := in(x, name); v != nil && (value == "" || v == value) {
			out = append(out, x)
		}
	}
	return out
}

func ids(l []any, names ...string) (out []string) {
	for _, x := range l {
		out = append(out, word(x, names...))
	}
	return out
}

// without are the elements of a that b doesn't have.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func choiceAtTop(schema any) bool {
	return in(schema, "anyOf") != nil || in(schema, "oneOf") != nil || in(schema, "allOf") != nil
}

func refusedByAnthropic(b object) string {
	tools, messages := list(b, "tools"), list(b, "messages")
	marks := len(having(list(b, "system"), "cache_control", "")) + len(having(tools, "cache_control", ""))
	if b["temperature"] != nil && b["temperature"] != 1.0 && strings.HasPrefix(word(b, "model"), "claude-opus-5") {
		return "`temperature` is deprecated for this model." // github/app#2574
	}
	for i, t := range tools {
		if choiceAtTop(in(t, "input_schema")) { // Hmbown/Codewhale#4329
			return fmt.Sprintf("tools.%d.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level", i)
		}
	}
	var due, seen []string
	for i, m := range messages {
		role, parts := word(m, "role"), list(m, "content")
		if role != "user" && role != "assistant" && role != "system" {
			return fmt.Sprintf("messages.%d.role: Input should be 'user' or 'assistant'", i)
		}
		for _, p := range having(parts, "type", "text") { // gptme/gptme#653
			if strings.TrimSpace(word(p, "text")) == "" {
				return "messages: text content blocks must contain non-whitespace text"
			}
		}
		calls, results := ids(having(parts, "type", "tool_use"), "id"), ids(having(parts, "type", "tool_result"), "tool_use_id")
		if len(calls)+len(results) > 0 && len(tools) == 0 { // earendil-works/pi#149
			return "Requests which include `tool_use` or `tool_result` blocks must define tools"
		}
		if rest := without(due, results); len(rest) > 0 { // anthropics/claude-code#8210
			return fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", i-1, strings.Join(rest, ", "))
		}
		if rest := without(results, due); len(rest) > 0 { // anthropics/claude-code#18947
			return fmt.Sprintf("messages.%d.content.0: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, rest[0])
		}
		for _, id := range calls {
			if slices.Contains(seen, id) { // anthropics/claude-code#20901
				return fmt.Sprintf("messages.%d: `tool_use` ids must be unique", i)
			}
		}
		due, seen = calls, append(seen, calls...)
		marks += len(having(parts, "cache_control", ""))
	}
	if marks > 4 {
		return fmt.Sprintf("A maximum of 4 blocks with cache_control may be provided. Found %d.", marks)
	}
	return ""
}

// bareArray is a property of a schema that is an array without items.
func bareArray(schema any) string {
	properties, _ := in(schema, "properties").(object)
	for name, p := range properties {
		if word(p, "type") == "array" && in(p, "items") == nil {
			return name
		}
	}
	return ""
}

func bareArrayIn(tools []any, at ...string) string {
	for _, t := range tools {
		if name := bareArray(in(t, append(at, "parameters")...)); name != "" { // mark3labs/mcphost#35
			return fmt.Sprintf("Invalid schema for function '%s': In context=('properties', '%s'), array schema missing items.", word(t, append(at, "name")...), name)
		}
	}
	return ""
}

func refusedByOpenAI(b object) string {
	if effort := word(b, "reasoning_effort"); b["temperature"] != nil && b["temperature"] != 1.0 && effort != "" && effort != "none" { // tmc/langchaingo#1355
		return fmt.Sprintf("Unsupported value: 'temperature' does not support %v with this model. Only the default (1) value is supported.", b["temperature"])
	}
	if text := bareArrayIn(list(b, "tools"), "function"); text != "" {
		return text
	}
	return refusedByServer(b)
}

func refusedByServer(b object) string {
	var due []string
	for i, m := range append(list(b, "messages"), object{}) {
		if parts, ok := in(m, "content").([]any); ok && len(parts) == 0 {
			return fmt.Sprintf("Invalid 'messages[%d].content': empty array. Expected an array with minimum length 1, but got an empty array instead.", i)
		}
		for _, kind := range ids(list(m, "content"), "type") {
			if !slices.Contains([]string{"text", "image_url", "input_audio", "refusal", "file"}, kind) {
				return fmt.Sprintf("Invalid value: '%s'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.", kind)
			}
		}
		id := word(m, "tool_call_id")
		switch {
		case word(m, "role") != "tool" && len(due) > 0: // BloomLabsInc/genkit-plugins#225
			return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: " + strings.Join(due, ", ")
		case word(m, "role") != "tool":
			due = ids(list(m, "tool_calls"), "id")
		case !slices.Contains(due, id): // OpenHands/OpenHands#7512
			return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
		default:
			due = without(due, []string{id})
		}
	}
	return ""
}

func refusedByResponses(b object) string {
	if b["temperature"] != nil && b["temperature"] != 1.0 && in(b, "reasoning", "effort") != "none" {
		return "Unsupported parameter: 'temperature' is not supported with this model."
	}
	if text := bareArrayIn(list(b, "tools")); text != "" {
		return text
	}
	input := list(b, "input")
	for _, m := range input {
		for _, kind := range ids(list(m, "content"), "type") {
			if !strings.HasPrefix(kind, "input_") && kind != "output_text" && kind != "refusal" {
				return fmt.Sprintf("Invalid value: '%s'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'.", kind)
			}
		}
	}
	calls, results := ids(having(input, "type", "function_call"), "call_id"), ids(having(input, "type", "function_call_output"), "call_id")
	if rest := without(calls, results); len(rest) > 0 { // router-for-me/CLIProxyAPI#2368
		return "No tool output found for function call " + rest[0] + "."
	}
	if rest := without(results, calls); len(rest) > 0 { // microsoft/vscode#320060
		return "No tool call found for function call output with call_id " + rest[0] + "."
	}
	return ""
}

func refusedByGemini(b object) string {
	for _, t := range list(b, "tools") {
		for _, f := range list(t, "functionDeclarations") {
			schema := in(f, "parametersJsonSchema")
			properties, _ := in(schema, "properties").(object)
			for at, p := range properties {
				if name, ok := strings.CutPrefix(word(p, "$ref"), "#/$defs/"); ok && in(schema, "$defs", name) == nil { // google-gemini/gemini-cli#13326
					return "reference to undefined schema at properties." + at
				}
			}
		}
	}
	calls := 0
	for i, m := range append(list(b, "contents"), object{"parts": []any{object{}}}) {
		o, _ := m.(object)
		for name := range o {
			if name != "role" && name != "parts" { // gera2ld/ai.nvim#13
				return fmt.Sprintf("Invalid JSON payload received. Unknown name %q at 'contents[%d]': Cannot find field.", name, i)
			}
		}
		parts := list(m, "parts")
		if len(parts) == 0 { // vercel/ai#3775
			return fmt.Sprintf("* GenerateContentRequest.contents[%d].parts: contents.parts must not be empty.\n", i)
		}
		results := len(having(parts, "functionResponse", ""))
		switch {
		case results > 0 && calls == 0:
			return "Please ensure that function response turn comes immediately after a function call turn."
		case results != calls: // google-gemini/gemini-cli#4217
			return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
		}
		calls = len(having(parts, "functionCall", ""))
	}
	return ""
}

func refusedByBedrock(b object) string {
	tools := list(b, "toolConfig", "tools")
	for i, t := range tools {
		if choiceAtTop(in(t, "toolSpec", "inputSchema", "json")) {
			return fmt.Sprintf("The model returned the following errors: tools.%d.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level", i)
		}
	}
	var due []string
	before := ""
	for i, m := range list(b, "messages") {
		parts, ok := in(m, "content").([]any)
		if !ok {
			return "the content of a message is a list"
		}
		role := word(m, "role")
		switch {
		case i == 0 && role != "user": // langgenius/dify#12340
			return "A conversation must start with a user message. Try again with a conversation that starts with a user message."
		case role == before: // langgenius/dify#9294
			return "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again."
		}
		before = role
		for j, p := range having(parts, "text", "") { // NousResearch/hermes-agent#63983
			if strings.TrimSpace(word(p, "text")) == "" {
				return fmt.Sprintf("The text field in the ContentBlock object at messages.%d.content.%d is blank. Add text to the text field, and try again.", i, j)
			}
		}
		calls, results := ids(having(parts, "toolUse", ""), "toolUse", "toolUseId"), ids(having(parts, "toolResult", ""), "toolResult", "toolUseId")
		if len(calls)+len(results) > 0 && len(tools) == 0 { // langchain-ai/langchain-aws#591
			return "The toolConfig field must be defined when using toolUse and toolResult content blocks."
		}
		if rest := without(due, results); len(rest) > 0 { // genkit-ai/aws-bedrock-js-plugin#664
			return fmt.Sprintf("Expected toolResult blocks at messages.%d.content for the following Ids: %s", i, strings.Join(rest, ", "))
		}
		if len(results) > len(due) { // Just-Curieous/Curie#16
			return fmt.Sprintf("The number of toolResult blocks at messages.%d.content exceeds the number of toolUse blocks of previous turn.", i)
		}
		due = calls
	}
	return ""
}

func refusedByOllama(b object) string {
	for _, m := range list(b, "messages") {
		if _, ok := in(m, "content").([]any); ok { // ollama/ollama#10604
			return "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
		}
	}
	return ""
}
