package wire

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
}

// shape is how the conversation of a provider format is written. The lists are those of
// the providers' SDKs: the types of package sdktest.
type shape struct {
	list  string   // the member of the body
	roles []string // of messages
	// members are those of a message; nil: the provider takes others too, or it isn't known.
	members []string
	text    bool // the content may be a text
	listed  bool // the content may be a list of parts
	// typed: a part says what it is by its type; else by the name of a member.
	typed bool
	parts map[string]partShape
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

var shapes = [...]*shape{
	Anthropic: {
		list: "messages", roles: []string{userRole, assistantRole, systemRole}, members: []string{"role", "content", "clear_at"},
		text: true, listed: true, typed: true, callID: "id", callName: "name", resultID: "tool_use_id",
		parts: map[string]partShape{
			"text": {kind: textPart}, "image": {}, "document": {}, "search_result": {}, "container_upload": {},
			"thinking": {quietPart, byAssistant}, "redacted_thinking": {quietPart, byAssistant},
			"tool_use": {callPart, byAssistant}, "tool_result": {resultPart, byUser},
			"server_tool_use": {kind: serverPart}, "web_search_tool_result": {kind: serverPart}, "web_fetch_tool_result": {kind: serverPart},
			"advisor_tool_result": {kind: serverPart}, "code_execution_tool_result": {kind: serverPart},
			"bash_code_execution_tool_result": {kind: serverPart}, "text_editor_code_execution_tool_result": {kind: serverPart},
			"tool_search_tool_result": {kind: serverPart}, "mcp_tool_use": {kind: serverPart}, "mcp_tool_result": {kind: serverPart},
			"compaction": {}, "tool_addition": {}, "tool_removal": {}, "mcp_tool_listing": {}, "fallback": {},
		},
	},
	OpenAI:           chatShape,
	OpenAICompatible: chatShape,
	OpenAIResponses: {
		list: "input", roles: []string{userRole, assistantRole, systemRole, developerRole},
		text: true, listed: true, typed: true, callID: "call_id", callName: "name", resultID: "call_id",
		parts: map[string]partShape{
			"input_text": {textPart, byOthers}, "input_image": {of: byOthers}, "input_file": {of: byOthers}, "input_audio": {of: byOthers},
			"output_text": {textPart, byAssistant}, "refusal": {of: byAssistant},
		},
		items: map[string]partShape{
			"function_call": {kind: callPart}, "function_call_output": {kind: resultPart},
			"custom_tool_call": {kind: callPart}, "custom_tool_call_output": {kind: resultPart},
			"file_search_call": {}, "computer_call": {}, "computer_call_output": {}, "web_search_call": {}, "tool_search_call": {},
			"tool_search_output": {}, "additional_tools": {}, "configuration_update": {}, "reasoning": {}, "compaction": {},
			"image_generation_call": {}, "code_interpreter_call": {}, "local_shell_call": {}, "local_shell_call_output": {},
			"shell_call": {}, "shell_call_output": {}, "apply_patch_call": {}, "apply_patch_call_output": {}, "mcp_list_tools": {},
			"mcp_approval_request": {}, "mcp_approval_response": {}, "mcp_call": {}, "compaction_trigger": {}, "item_reference": {},
			"program": {}, "program_output": {},
		},
	},
	Gemini: {
		list: "contents", roles: []string{userRole, modelRole, "function"}, members: []string{"role", "parts"},
		listed: true, callName: "name", resultID: "name",
		parts: map[string]partShape{
			"text": {kind: textPart}, "functionCall": {kind: callPart}, "function_call": {kind: callPart},
			"functionResponse": {kind: resultPart}, "function_response": {kind: resultPart},
			"inlineData": {}, "inline_data": {}, "fileData": {}, "file_data": {}, "executableCode": {}, "executable_code": {},
			"codeExecutionResult": {}, "code_execution_result": {}, "toolCall": {}, "tool_call": {}, "toolResponse": {}, "tool_response": {},
			"thought": {kind: asidePart}, "thoughtSignature": {kind: asidePart}, "thought_signature": {kind: asidePart},
			"videoMetadata": {kind: asidePart}, "video_metadata": {kind: asidePart}, "mediaResolution": {kind: asidePart}, "media_resolution": {kind: asidePart},
			"partMetadata": {kind: asidePart}, "part_metadata": {kind: asidePart}, "audioTranscription": {kind: asidePart}, "audio_transcription": {kind: asidePart},
			"mediaProcessing": {kind: asidePart}, "media_processing": {kind: asidePart}, "speechMetadata": {kind: asidePart}, "speech_metadata": {kind: asidePart},
		},
	},
	Bedrock: {
		list: "messages", roles: []string{userRole, assistantRole, systemRole},
		listed: true, callID: "toolUseId", callName: "name", resultID: "toolUseId",
		parts: map[string]partShape{
			"text": {kind: textPart}, "toolUse": {kind: callPart}, "toolResult": {kind: resultPart}, "cachePoint": {kind: markPart},
			"image": {}, "document": {}, "video": {}, "audio": {}, "guardContent": {}, "reasoningContent": {}, "citationsContent": {},
			"searchResult": {}, "toolAddition": {}, "toolRemoval": {},
		},
	},
	Ollama: {
		list: "messages", roles: []string{userRole, assistantRole, systemRole, "tool"}, text: true,
		members: []string{"role", "content", "thinking", "images", "tool_calls", "tool_name", "tool_call_id"},
	},
	Text: nil,
	JSON: nil,
}

var chatShape = &shape{
	list: "messages", roles: []string{userRole, assistantRole, systemRole, developerRole, toolRole, "function"},
	text: true, listed: true, typed: true, callID: "id", callName: "name", resultID: "tool_call_id",
	parts: map[string]partShape{
		"text": {kind: textPart}, "image_url": {of: byUser}, "input_audio": {of: byUser}, "file": {of: byUser}, "refusal": {of: byAssistant},
	},
}

// toolRole is the role of results in Chat Completions.
const toolRole = "tool"

// sharedParts are the parts of servers that understand Chat Completions and have more.
var sharedParts = []string{"audio_url", "video_url", "thinking", "reasoning"}

// elsewhere reports whether another provider format has a part or an item of this name, so
// that a message in its terms is a certain mistake. A name that none has may be newer.
func elsewhere(name string) bool {
	for _, s := range shapes {
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
