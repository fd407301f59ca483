package wire

import (
	"strings"
	"sync"
)

// partKind is what a part of a message is to the rules.
type partKind uint8

const (
	otherPart  partKind = iota
	asidePart           // a member next to the one that says what a part is
	textPart            // has a text, which may have to say something
	callPart            // the model calls a tool
	resultPart          // the result of a call
	serverPart          // a tool that the provider ran, or its result
	quietPart           // reasoning, which bears no breakpoint
	markPart            // a breakpoint that is an element of its own
)

// partShape is a kind of part.
type partShape struct {
	kind partKind
	// of are the roles of the messages that may have it; nil: any.
	of []string
	// has are its members; nil: not listed here.
	has []field
	// value is the kind of value of the member that names the part, as in [field]; empty: an
	// object.
	value string
}

// field is a member of a message, a part or a call.
type field struct {
	name string
	// kinds are the JSON values that it may have: s a string, o an object, l a list, b a
	// boolean, n a number; empty: any.
	kinds    string
	required bool
	inner    []field // the members of its object
}

// fieldsOf reads fields: each a name, a colon and its kinds, with ! where a member is
// required. The field a.b is a member of the field a before it.
func fieldsOf(text string) []field {
	var out []field
	for _, word := range strings.Fields(text) {
		name, kinds, _ := strings.Cut(word, ":")
		f := field{name: name, kinds: strings.TrimSuffix(kinds, "!"), required: strings.HasSuffix(kinds, "!")}
		if _, inner, ok := strings.Cut(name, "."); ok {
			f.name = inner
			outer := &out[len(out)-1]
			outer.inner = append(outer.inner, f)
			continue
		}
		out = append(out, f)
	}
	return out
}

// shape is how the conversation of a provider format is written. The lists are those of
// the providers' SDKs: the types of package sdktest.
type shape struct {
	list  string   // the member of the body
	roles []string // of messages
	// has are the members of a message. A provider whose verdicts have no memberKnown
	// takes others too.
	has    []field
	text   bool // the content may be a text
	listed bool // the content may be a list of parts
	// typed: a part says what it is by its type; else by the name of a member.
	typed bool
	parts map[string]partShape
	// calls are the members of a call that a message has next to its content.
	calls []field
	// items are the elements of the list that aren't messages, by their type.
	items map[string]partShape
	// callID, callName and resultID are members of calls and results. Without callID the
	// name pairs the two.
	callID, callName, resultID string
}

var (
	byUser      = []string{userRole}
	byAssistant = []string{assistantRole}
	byOthers    = []string{userRole, systemRole, developerRole}
)

// shapes are those of the formats, made when the first request is looked at.
var shapes = sync.OnceValue(func() [JSON + 1]*shape {
	geminiCall := partShape{kind: callPart, has: fieldsOf("id:s name:s! args:o partialArgs:l partial_args:l willContinue:b will_continue:b")}
	geminiResult := partShape{kind: resultPart, has: fieldsOf("id:s name:s! response:o! parts:l scheduling:s willContinue:b will_continue:b")}
	geminiData := partShape{has: fieldsOf("mimeType:s mime_type:s data:s displayName:s display_name:s")}
	geminiFile := partShape{has: fieldsOf("mimeType:s mime_type:s fileUri:s file_uri:s displayName:s display_name:s")}
	return [...]*shape{
		Anthropic: {
			list: "messages", roles: []string{userRole, assistantRole, systemRole}, has: fieldsOf("role: content: clear_at:s"),
			text: true, listed: true, typed: true, callID: "id", callName: "name", resultID: "tool_use_id",
			parts: map[string]partShape{
				"text":          {kind: textPart, has: fieldsOf("text:s! citations:l cache_control:o cache_control.type:s! cache_control.ttl:s")},
				"image":         {has: fieldsOf("source:o! source.type:s! source.media_type:s source.data:s source.url:s source.file_id:s transformations:o cache_control:o cache_control.type:s! cache_control.ttl:s")},
				"document":      {has: fieldsOf("source:o! source.type:s! source.media_type:s source.data:s source.url:s source.file_id:s source.content:sl title:s context:s citations:o cache_control:o cache_control.type:s! cache_control.ttl:s")},
				"search_result": {has: fieldsOf("content:l! source:s! title:s! citations:o cache_control:o cache_control.type:s! cache_control.ttl:s")}, "container_upload": {},
				"thinking":          {kind: quietPart, of: byAssistant, has: fieldsOf("thinking:s! signature:s!")},
				"redacted_thinking": {kind: quietPart, of: byAssistant, has: fieldsOf("data:s!")},
				"tool_use":          {kind: callPart, of: byAssistant, has: fieldsOf("id:s! name:s! input:o! caller:o toolset_name:s cache_control:o cache_control.type:s! cache_control.ttl:s")},
				"tool_result":       {kind: resultPart, of: byUser, has: fieldsOf("tool_use_id:s! content:sl is_error:b toolset_name:s cache_control:o cache_control.type:s! cache_control.ttl:s")},
				"server_tool_use":   {kind: serverPart}, "web_search_tool_result": {kind: serverPart}, "web_fetch_tool_result": {kind: serverPart},
				"advisor_tool_result": {kind: serverPart}, "code_execution_tool_result": {kind: serverPart},
				"bash_code_execution_tool_result": {kind: serverPart}, "text_editor_code_execution_tool_result": {kind: serverPart},
				"tool_search_tool_result": {kind: serverPart}, "mcp_tool_use": {kind: serverPart}, "mcp_tool_result": {kind: serverPart},
				"compaction": {}, "tool_addition": {}, "tool_removal": {}, "mcp_tool_listing": {}, "fallback": {},
			},
		},
		OpenAI:           chatShape(),
		OpenAICompatible: chatShape(),
		OpenAIResponses: {
			list: "input", roles: []string{userRole, assistantRole, systemRole, developerRole}, has: fieldsOf("type:s role: content: id:s status:s phase:s"),
			text: true, listed: true, typed: true, callID: "call_id", callName: "name", resultID: "call_id",
			parts: map[string]partShape{
				"input_text":  {kind: textPart, of: byOthers, has: fieldsOf("text:s! prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
				"input_image": {of: byOthers, has: fieldsOf("detail:s file_id:s image_url:s prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
				"input_file":  {of: byOthers, has: fieldsOf("file_id:s file_data:s file_url:s filename:s detail:s prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
				"input_audio": {of: byOthers},
				"output_text": {kind: textPart, of: byAssistant, has: fieldsOf("text:s! annotations:l logprobs:l")},
				"refusal":     {of: byAssistant, has: fieldsOf("refusal:s!")},
			},
			items: map[string]partShape{
				"function_call":           {kind: callPart, has: fieldsOf("type:s call_id:s! name:s! arguments:s! id:s status:s namespace:s async:b caller:o")},
				"function_call_output":    {kind: resultPart, has: fieldsOf("type:s call_id:s output:sl! id:s status:s name:s namespace:s caller:o")},
				"custom_tool_call":        {kind: callPart, has: fieldsOf("type:s call_id:s! name:s! input:s! id:s status:s namespace:s async:b caller:o")},
				"custom_tool_call_output": {kind: resultPart, has: fieldsOf("type:s call_id:s! output:sl! id:s status:s caller:o")},
				"file_search_call":        {}, "computer_call": {}, "computer_call_output": {}, "web_search_call": {}, "tool_search_call": {},
				"tool_search_output": {}, "additional_tools": {}, "configuration_update": {}, "reasoning": {}, "compaction": {},
				"image_generation_call": {}, "code_interpreter_call": {}, "local_shell_call": {}, "local_shell_call_output": {},
				"shell_call": {}, "shell_call_output": {}, "apply_patch_call": {}, "apply_patch_call_output": {}, "mcp_list_tools": {},
				"mcp_approval_request": {}, "mcp_approval_response": {}, "mcp_call": {}, "compaction_trigger": {}, "item_reference": {},
				"program": {}, "program_output": {},
			},
		},
		Gemini: {
			list: "contents", roles: []string{userRole, modelRole, "function"}, has: fieldsOf("role: parts:"),
			listed: true, callName: "name", resultID: "name",
			parts: map[string]partShape{
				"text": {kind: textPart, value: "s"}, "functionCall": geminiCall, "function_call": geminiCall,
				"functionResponse": geminiResult, "function_response": geminiResult,
				"inlineData": geminiData, "inline_data": geminiData, "fileData": geminiFile, "file_data": geminiFile, "executableCode": {}, "executable_code": {},
				"codeExecutionResult": {}, "code_execution_result": {}, "toolCall": {}, "tool_call": {}, "toolResponse": {}, "tool_response": {},
				"thought": {kind: asidePart, value: "b"}, "thoughtSignature": {kind: asidePart, value: "s"}, "thought_signature": {kind: asidePart, value: "s"},
				"videoMetadata": {kind: asidePart}, "video_metadata": {kind: asidePart}, "mediaResolution": {kind: asidePart}, "media_resolution": {kind: asidePart},
				"partMetadata": {kind: asidePart}, "part_metadata": {kind: asidePart}, "audioTranscription": {kind: asidePart}, "audio_transcription": {kind: asidePart},
				"mediaProcessing": {kind: asidePart, value: "s"}, "media_processing": {kind: asidePart, value: "s"}, "speechMetadata": {kind: asidePart}, "speech_metadata": {kind: asidePart},
			},
		},
		Bedrock: {
			list: "messages", roles: []string{userRole, assistantRole, systemRole},
			listed: true, callID: "toolUseId", callName: "name", resultID: "toolUseId",
			parts: map[string]partShape{
				"text": {kind: textPart, value: "s"}, "toolUse": {kind: callPart, has: fieldsOf("toolUseId:s! name:s! input:o! type:s")},
				"toolResult": {kind: resultPart, has: fieldsOf("toolUseId:s! content:l! status:s type:s")}, "cachePoint": {kind: markPart, has: fieldsOf("type:s! ttl:s")},
				"image":            {has: fieldsOf("format:s! source:o! source.bytes:s source.s3Location:o error:o")},
				"reasoningContent": {has: fieldsOf("reasoningText:o reasoningText.text:s! reasoningText.signature:s redactedContent:s")},
				"document":         {}, "video": {}, "audio": {}, "guardContent": {}, "citationsContent": {},
				"searchResult": {}, "toolAddition": {}, "toolRemoval": {},
			},
		},
		Ollama: {
			list: "messages", roles: []string{userRole, assistantRole, systemRole, "tool"}, text: true,
			has:   fieldsOf("role: content: thinking:s images:l tool_calls:l tool_name:s tool_call_id:s"),
			calls: fieldsOf("id:s function:o function.index:n function.name:s function.arguments:o"),
		},
		Text: nil,
		JSON: nil,
	}
})

var chatShape = sync.OnceValue(func() *shape {
	return &shape{
		list: "messages", roles: []string{userRole, assistantRole, systemRole, developerRole, toolRole, "function"},
		text: true, listed: true, typed: true, callID: "id", callName: "name", resultID: "tool_call_id",
		has:   fieldsOf("role: content: name:s refusal:s audio:o function_call:o tool_calls:l tool_call_id:s"),
		calls: fieldsOf("id:s! type:s! function:o function.name:s! function.arguments:s! custom:o custom.name:s! custom.input:s!"),
		parts: map[string]partShape{
			"text":        {kind: textPart, has: fieldsOf("text:s! prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
			"image_url":   {of: byUser, has: fieldsOf("image_url:o! image_url.url:s! image_url.detail:s prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
			"input_audio": {of: byUser, has: fieldsOf("input_audio:o! input_audio.data:s! input_audio.format:s! prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
			"file":        {of: byUser, has: fieldsOf("file:o! file.file_data:s file.file_id:s file.filename:s prompt_cache_breakpoint:o prompt_cache_breakpoint.mode:s! prompt_cache_breakpoint.ttl:s")},
			"refusal":     {of: byAssistant, has: fieldsOf("refusal:s!")},
		},
	}
})

// toolRole is the role of results in Chat Completions.
const toolRole = "tool"

// sharedParts are the parts of servers that understand Chat Completions and have more.
var sharedParts = []string{"audio_url", "video_url", "thinking", "reasoning"}

// elsewhere reports whether another provider format has a part or an item of this name, so
// that a message in its terms is a certain mistake. A name that none has may be newer.
func elsewhere(name string) bool {
	for _, s := range shapes() {
		if s == nil {
			continue
		}
		_, part := s.parts[name]
		_, item := s.items[name]
		if part || item {
			return true
		}
	}
	return name == "function"
}
