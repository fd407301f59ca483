package wire

import "github.com/cento-dev/cento"

// rule is something that a provider requires of a body.
type rule uint8

const (
	roleKnown rule = iota
	contentKind
	contentThere
	partKnown
	partRole
	memberKnown
	memberKind
	memberThere
	textThere
	nestedTextThere
	callAnswered
	callUnique
	resultCalled
	resultUnique
	resultsFirst
	callDefined
	toolsDefined
	systemTaken
	systemAfter
	systemBefore
	systemBetween
	firstUser
	rolesAlternate
	prefillTaken
	nameAdvised
	objectTyped
	keywordTaken
	itemsThere
	referenceLeads
	propertyNamed
	choiceHasTools
	choiceDefined
	parallelHasTools
	bearsMark
	markTaken
	deferredMark
	longerFirst
	ruleCount
)

// verdict is what a provider does with a body that breaks a rule.
type verdict struct {
	severity cento.Severity
	// source is where the rule or a refusal was published.
	source string
}

// broken is how a rule reads where a body breaks it.
type broken struct {
	code cento.Code
	// says is the message; %[1]s is the vendor, %[2]s the thing at hand,
	// and %[3]s the verb.
	says string
	// fix is a change that is safe to make; empty where there is none.
	fix string
}

var ruleTexts = [ruleCount]broken{
	roleKnown:        {CodeShape, "%[1]s has no messages of the role %[2]s", "write the message in the provider's own format, or as role and text"},
	contentKind:      {CodeShape, "the content is %[2]s, and %[1]s takes another kind of value there", "write the message in the provider's own format, or as role and text"},
	contentThere:     {CodeEmptyText, "the message has no content, and %[1]s %[3]s it", "remove the message"},
	partKnown:        {CodeShape, "%[1]s doesn't know %[2]s here", "write the message in the provider's own format, or as role and text"},
	partRole:         {CodeShape, "%[1]s %[3]s %[2]s", "move the part to a message of the other role"},
	memberKnown:      {CodeShape, "a message to %[1]s has no member %[2]s", "write the message in the provider's own format, or as role and text"},
	memberKind:       {CodeShape, "the value of %[2]s, and %[1]s %[3]s another", ""},
	memberThere:      {CodeShape, "the member %[2]s is missing, and %[1]s %[3]s a request without it", ""},
	textThere:        {CodeEmptyText, "the text is empty or blank, and %[1]s %[3]s it", "remove the part"},
	nestedTextThere:  {CodeEmptyText, "a text in the result of a tool is empty, and %[1]s %[3]s it", "remove the part"},
	callAnswered:     {CodeToolPair, "the call of a tool has no result where %[1]s wants it, directly after the call%[2]s", "add the result after the call, or remove the call"},
	callUnique:       {CodeToolPair, "two calls of tools have the id %[2]s, and %[1]s takes an id once", "give each call an id of its own"},
	resultCalled:     {CodeToolPair, "the result of a tool has no call where %[1]s looks for it%[2]s", "remove the result, or put it after its call"},
	resultUnique:     {CodeToolPair, "a call of a tool has two results, and %[1]s takes one%[2]s", "keep one of them"},
	resultsFirst:     {CodeToolPair, "a part precedes the results of tools in a message, and %[1]s takes the results first", "move the results to the front of the message"},
	callDefined:      {CodeToolMissing, "the conversation calls the tool %[2]s, which the request doesn't define", "define the tool, or make it active"},
	toolsDefined:     {CodeToolMissing, "the conversation has calls or results of tools, and the request defines no tool, which %[1]s %[3]s", "make active the tools that the conversation calls"},
	systemTaken:      {CodeRole, "%[2]s takes no message of the role system", "put its text into the system prompt, or into a user's message"},
	systemAfter:      {CodeRole, "a message of the role system %[2]s, and %[1]s takes it after a user's message only", "put its text into the system prompt, or into a user's message"},
	systemBefore:     {CodeRole, "a user's message follows this message of the role system, and %[1]s takes an assistant's message or none there", "move the text of the user's message before it"},
	systemBetween:    {CodeRole, "a message of the role system is between the call of a tool and its result, which %[1]s %[3]s", "move it after the result"},
	firstUser:        {CodeTurns, "the conversation begins with the assistant's message, and %[1]s %[3]s one that doesn't begin with the user's", "begin with a user's message"},
	rolesAlternate:   {CodeTurns, "two messages of the role %[2]s follow each other, which %[1]s %[3]s", "make one message of them"},
	prefillTaken:     {CodePrefill, "the last message is the assistant's, which the model refuses to go on with", "end with a user's message"},
	nameAdvised:      {CodeLongName, "the tool name has %[2]s characters: %[1]s documents 64 and accepts 128", "shorten it to 64 where other providers take the request too"},
	objectTyped:      {CodeToolKeyword, `the schema has no type, and %[1]s wants "object"`, `write "type": "object"`},
	keywordTaken:     {CodeToolKeyword, "%[1]s %[3]s %[2]s at the top of a tool's schema: put it into a property", ""},
	itemsThere:       {CodeToolKeyword, "%[1]s %[3]s an array without items: say what stands in it, as in \"items\": {\"type\": \"string\"}", ""},
	referenceLeads:   {CodeToolKeyword, "the $ref %[2]s leads to nothing in the schema", "define it, or remove the $ref"},
	propertyNamed:    {CodePropertyName, "%[1]s %[3]s the property name %[2]s of a tool's schema, and the request with it", "rename the property, or exclude the tool"},
	choiceHasTools:   {CodeToolMissing, "tool_choice is %[2]s, and the request defines no tool", "remove tool_choice, or make a tool active"},
	choiceDefined:    {CodeToolMissing, "tool_choice names the tool %[2]s, which the request doesn't define", "define the tool, or make it active"},
	parallelHasTools: {CodeToolMissing, "%[2]s has a value, and the request defines no tool", "remove it, or make a tool active"},
	bearsMark:        {CodeMarkPlace, "a breakpoint of the prompt cache is on %[2]s, where %[1]s %[3]s it", "move it to the last part before it that has text"},
	markTaken:        {CodeMarkPlace, "%[2]s takes no breakpoints of the prompt cache, and refuses a request with one", "remove the breakpoint"},
	deferredMark:     {CodeMarkPlace, "a tool with defer_loading has a breakpoint of the prompt cache, which %[1]s %[3]s", "move the breakpoint to a tool without defer_loading"},
	longerFirst:      {CodeTTLOrder, "a breakpoint for %[2]s, and %[1]s wants the longer time first", "give the earlier breakpoints the longer time"},
}

// github is where the issues and pull requests of sources are.
const github = "https://github.com/"

// Sources that several verdicts have.
const (
	anthropicMessages = "https://platform.claude.com/docs/en/api/messages"
	anthropicTools    = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use"
	anthropicSystem   = "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"
	anthropicCaching  = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching"
	anthropicThinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
	openAIChat        = "https://platform.openai.com/docs/api-reference/chat/create"
	openAIResponses   = "https://platform.openai.com/docs/api-reference/responses/create"
	openAICaching     = "https://developers.openai.com/api/docs/guides/prompt-caching"
	geminiContent     = "https://ai.google.dev/api/caching#Content"
	geminiCalls       = "https://ai.google.dev/gemini-api/docs/function-calling"
	converseMessage   = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html"
	converseBlock     = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html"
	converseTool      = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html"
	bedrockCaching    = "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html"
	ollamaTypes       = github + "ollama/ollama/blob/v0.17.4/api/types.go"
	pairs             = github + "OpenHands/OpenHands/issues/7512"
)

const (
	certain = cento.SeverityError
	likely  = cento.SeverityWarning
	advice  = cento.SeverityNote
)

// verdicts are what each provider does with a body that breaks a rule, from the
// documentation or from refusals that people published. A rule that isn't listed isn't
// the provider's. A part or a member that isn't known here may be newer than this table, so
// its refusal is likely and no more.
var verdicts = [...]map[rule]verdict{
	Anthropic: {
		memberKind:      {certain, github + "anthropics/anthropic-sdk-typescript/issues/648"},
		memberThere:     {likely, anthropicMessages},
		roleKnown:       {certain, anthropicMessages},
		contentKind:     {certain, anthropicMessages},
		contentThere:    {certain, anthropicMessages},
		partKnown:       {likely, anthropicMessages},
		partRole:        {certain, anthropicMessages},
		memberKnown:     {likely, anthropicMessages},
		textThere:       {certain, github + "gptme/gptme/issues/653"},
		nestedTextThere: {likely, github + "NousResearch/hermes-agent/issues/1216"},
		callAnswered:    {certain, pairs},
		callUnique:      {certain, github + "anthropics/claude-code/issues/20901"},
		resultCalled:    {certain, github + "tghamm/Anthropic.SDK/issues/184"},
		resultUnique:    {certain, github + "vectorize-io/hindsight/pull/4250"},
		resultsFirst:    {certain, github + "Ironclad/rivet/issues/487"},
		callDefined:     {advice, anthropicTools},
		toolsDefined:    {likely, github + "earendil-works/pi/issues/149"},
		systemTaken:     {certain, anthropicSystem},
		systemAfter:     {certain, anthropicSystem},
		systemBefore:    {certain, anthropicSystem},
		systemBetween:   {certain, anthropicSystem},
		prefillTaken:    {certain, github + "cortexkit/magic-context/issues/511"},
		nameAdvised:     {advice, github + "anthropics/claude-code/issues/16425"},
		objectTyped:     {certain, anthropicTools},
		keywordTaken:    {certain, github + "Hmbown/Codewhale/issues/4329"},
		referenceLeads:  {likely, anthropicTools},
		propertyNamed:   {certain, github + "anthropics/claude-code/issues/79418"},
		choiceHasTools:  {likely, anthropicTools},
		choiceDefined:   {certain, anthropicTools},
		bearsMark:       {certain, github + "anthropics/claude-code/issues/50082"},
		deferredMark:    {certain, github + "router-for-me/CLIProxyAPI/issues/4561"},
		longerFirst:     {certain, github + "headroomlabs-ai/headroom/issues/2939"},
	},
	OpenAI: {
		memberKind:       {certain, github + "aaif-goose/goose-mobile/pull/20"},
		memberThere:      {certain, github + "neuron-core/neuron-ai/issues/76"},
		roleKnown:        {certain, openAIChat},
		contentKind:      {certain, openAIChat},
		contentThere:     {certain, openAIChat},
		partKnown:        {likely, openAIChat},
		partRole:         {likely, openAIChat},
		callAnswered:     {certain, github + "BloomLabsInc/genkit-plugins/issues/225"},
		resultCalled:     {certain, pairs},
		callDefined:      {advice, openAIChat},
		objectTyped:      {certain, github + "chatanywhere/GPT_API_free/issues/403"},
		keywordTaken:     {certain, github + "langchain-ai/langchainjs/issues/9804"},
		itemsThere:       {certain, github + "mark3labs/mcphost/issues/35"},
		referenceLeads:   {likely, openAIChat},
		choiceHasTools:   {likely, openAIChat},
		choiceDefined:    {certain, openAIChat},
		parallelHasTools: {certain, github + "Upsonic/Upsonic/issues/323"},
		markTaken:        {certain, openAICaching},
		bearsMark:        {likely, openAICaching},
	},
	OpenAIResponses: {
		memberKind:     {likely, openAIResponses},
		memberThere:    {likely, openAIResponses},
		roleKnown:      {certain, openAIResponses},
		contentKind:    {certain, openAIResponses},
		partKnown:      {likely, openAIResponses},
		partRole:       {certain, openAIResponses},
		memberKnown:    {likely, openAIResponses},
		callAnswered:   {certain, github + "router-for-me/CLIProxyAPI/issues/2368"},
		resultCalled:   {certain, github + "microsoft/vscode/issues/320060"},
		callDefined:    {advice, openAIResponses},
		objectTyped:    {certain, github + "chatanywhere/GPT_API_free/issues/403"},
		keywordTaken:   {certain, github + "langchain-ai/langchainjs/issues/9804"},
		itemsThere:     {certain, github + "mark3labs/mcphost/issues/35"},
		referenceLeads: {likely, openAIResponses},
		choiceHasTools: {likely, openAIResponses},
		choiceDefined:  {certain, openAIResponses},
		markTaken:      {certain, openAICaching},
		bearsMark:      {likely, openAICaching},
	},
	Gemini: {
		memberKind:     {certain, github + "AstrBotDevs/AstrBot/pull/7216"},
		memberThere:    {likely, geminiContent},
		roleKnown:      {certain, geminiContent},
		contentKind:    {certain, geminiContent},
		contentThere:   {certain, github + "vercel/ai/issues/3775"},
		partKnown:      {likely, github + "Chevey339/kelivo/issues/543"},
		memberKnown:    {likely, github + "gera2ld/ai.nvim/issues/13"},
		textThere:      {likely, github + "54xzh/FLIT/issues/69"},
		callAnswered:   {certain, github + "google-gemini/gemini-cli/issues/4217"},
		resultCalled:   {certain, geminiCalls},
		callDefined:    {advice, geminiCalls},
		referenceLeads: {certain, github + "google-gemini/gemini-cli/issues/13326"},
		propertyNamed:  {likely, geminiCalls},
		choiceHasTools: {certain, geminiCalls},
		choiceDefined:  {likely, geminiCalls},
	},
	Bedrock: {
		memberKind:      {certain, github + "vercel/ai/pull/19023"},
		memberThere:     {likely, converseBlock},
		roleKnown:       {certain, converseMessage},
		contentKind:     {certain, converseMessage},
		contentThere:    {certain, github + "archestra-ai/archestra/pull/4220"},
		partKnown:       {likely, converseBlock},
		textThere:       {certain, github + "NousResearch/hermes-agent/pull/63983"},
		nestedTextThere: {certain, github + "NousResearch/hermes-agent/issues/55092"},
		callAnswered:    {certain, pairs},
		callUnique:      {certain, github + "maximhq/bifrost/pull/6300"},
		resultCalled:    {certain, pairs},
		resultUnique:    {certain, converseMessage},
		callDefined:     {advice, converseTool},
		toolsDefined:    {certain, github + "langchain-ai/langchain-aws/issues/591"},
		systemTaken:     {certain, anthropicSystem},
		systemAfter:     {certain, anthropicSystem},
		systemBefore:    {certain, anthropicSystem},
		systemBetween:   {certain, anthropicSystem},
		firstUser:       {certain, github + "langgenius/dify/issues/12340"},
		rolesAlternate:  {certain, github + "langgenius/dify/issues/9294"},
		prefillTaken:    {certain, github + "cortexkit/magic-context/issues/511"},
		objectTyped:     {certain, converseTool},
		keywordTaken:    {certain, github + "Hmbown/Codewhale/issues/4329"},
		referenceLeads:  {likely, anthropicTools},
		propertyNamed:   {likely, github + "anthropics/claude-code/issues/79418"},
		longerFirst:     {certain, bedrockCaching},
	},
	Ollama: {
		memberKind:     {certain, github + "ollama/ollama/issues/10604"},
		contentKind:    {certain, ollamaTypes},
		roleKnown:      {likely, ollamaTypes},
		memberKnown:    {likely, ollamaTypes},
		referenceLeads: {likely, ollamaTypes},
	},
	OpenAICompatible: {
		memberKind:     {likely, openAIChat},
		memberThere:    {likely, openAIChat},
		roleKnown:      {likely, openAIChat},
		contentKind:    {likely, openAIChat},
		contentThere:   {likely, openAIChat},
		partKnown:      {likely, openAIChat},
		callAnswered:   {likely, pairs},
		resultCalled:   {likely, pairs},
		referenceLeads: {likely, openAIChat},
	},
	Text: nil,
	JSON: nil,
}
