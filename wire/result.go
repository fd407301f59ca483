package wire

import (
	"encoding/json"

	"github.com/cento-dev/cento"
)

// Result is a body, with all that there is to know of it.
type Result struct {
	// Body are the exact bytes to send.
	Body string `json:"body"`
	// URLPath is where to, below the provider's address; empty for [Text] and [JSON].
	URLPath string `json:"url_path"`
	// Headers are those beside the key, which nobody here knows.
	Headers []Header `json:"headers"`
	Losses  []Loss   `json:"losses"`
	// Breakpoints are the marks of the prompt cache that were set, in the order in
	// which the provider reads them: tools, prompt, conversation.
	Breakpoints []Breakpoint `json:"breakpoints"`
	// Map tiles every string of the body that holds text of the prompt, of reminders
	// or of a tool's description, in the order of the body.
	Map []Piece `json:"map"`
	// Spans are where the text is from: those of the prompt, then those of tools and
	// reminders. Offsets count in the text that each is of.
	Spans []cento.Span `json:"spans"`
	// Schemas are the values of the body that stand as a tool wrote them, in its order.
	Schemas []Schema `json:"-"`
	// CacheObject is what Gemini can keep of the request; nil for none.
	CacheObject *CacheObject `json:"cache_object"`
	// SystemTokens and ToolTokens are what the blocks and the tools count, the tools
	// as they are written; nil without a counter.
	SystemTokens *int `json:"system_tokens"`
	ToolTokens   *int `json:"tool_tokens"`
	// ToolsExact is whether ToolTokens is what the model is charged for tools: where some are
	// sent it isn't, since a provider makes a text of them that it keeps to itself.
	ToolsExact bool `json:"tools_exact"`
	// FramingTokens is what the reminders count and what the provider says that it adds
	// around the prompt; nil for nothing, and without a counter. FramingKnown is whether that
	// is all: most providers say nothing of what they add.
	FramingTokens *int `json:"framing_tokens"`
	FramingKnown  bool `json:"framing_known"`
	// TokensExact is whether the counts of texts, the prompt's and the reminders', are the
	// model's own, so never where no model is chosen.
	TokensExact bool `json:"tokens_exact"`
	// Encoding is by what texts were counted; empty without a counter.
	Encoding string `json:"encoding,omitempty"`
}

// Refused returns an error for each loss that the provider is certain to refuse the request
// for, all with the code [Refused]; nil where there is none.
func (r *Result) Refused() error {
	var out faults
	for i := range r.Losses {
		if l := &r.Losses[i]; l.Severity == cento.SeverityError {
			about := string(l.Code)
			if l.Pointer != "" {
				about += " at " + l.Pointer
			}
			if l.Source != "" {
				about += "; source: " + l.Source
			}
			out.add(Refused, l.Origin, l.Hint, "%s (%s)", l.Message, about)
		}
	}
	return cento.Join(out)
}

// Header is a header of the request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Loss is something that the form can't say, or that the provider would drop or
// refuse.
type Loss struct {
	Code cento.Code `json:"code"`
	// Fragment is the fragment or, as `tool:<name>`, the tool that it is about; empty
	// for none.
	Fragment string `json:"fragment"`
	// Pointer is the JSON pointer of what it is about; empty where it isn't in the body.
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
	// Severity is "error" where the provider is certain to refuse the request, and "note"
	// where the request may well be as it was meant.
	Severity cento.Severity `json:"severity"`
	// Origin is where the message, the tool or the setting was read; zero where Cento wrote
	// what it is about, and where it isn't known.
	Origin cento.Position `json:"origin,omitzero"`
	// Hint is a change that is safe to make; empty for none.
	Hint string `json:"hint,omitempty"`
	// Source is the address at which the rule, or a refusal of the provider, was published;
	// empty for none.
	Source string `json:"source,omitempty"`
}

// Codes of losses.
const (
	// CodePlaceholder: there was no conversation, so that a turn stands there that
	// says nothing.
	CodePlaceholder cento.Code = "wire.placeholder"
	// CodeNoModel: the request names no model.
	CodeNoModel cento.Code = "wire.no_model"
	// CodeFormForeign: who serves the model takes no request of this form.
	CodeFormForeign cento.Code = "wire.form_foreign"
	// CodeModelName: the provider of this form knows the model by another name.
	CodeModelName cento.Code = "wire.model_name"
	// CodeNoVision: messages have images, and the model takes none.
	CodeNoVision cento.Code = "wire.no_vision"
	// CodePrefill: the last message is the assistant's, which the model refuses.
	CodePrefill cento.Code = "wire.prefill"
	// CodeTurns: messages stand in an order that Bedrock refuses: the user's first, and no two
	// of one role behind each other.
	CodeTurns cento.Code = "wire.turns"
	// CodeToolUndefined: an active tool has no definition, so it isn't sent.
	CodeToolUndefined cento.Code = "wire.tool_undefined"
	// CodeToolForeign: a tool that is defined in the terms of another provider format isn't sent.
	CodeToolForeign cento.Code = "wire.tool_foreign"
	// CodeToolUnkept: a tool's definition has members, such as strict, that are written for
	// another provider format, so they aren't sent.
	CodeToolUnkept cento.Code = "wire.tool_unkept"
	// CodeToolNamed: the provider refuses the name of a server's tool, so it isn't sent.
	CodeToolNamed cento.Code = "wire.tool_named"
	// CodeCredential: a provider's tool has a place for credentials, and Cento keeps
	// none.
	CodeCredential cento.Code = "wire.credential"
	// CodeTextTools: the model calls tools in text, so none is sent.
	CodeTextTools cento.Code = "wire.text_tools"
	// CodeChatTools: the model takes no tools in Chat Completions.
	CodeChatTools cento.Code = "wire.chat_tools"
	// CodeTextAlone: the form is the prompt alone, so that tools, the conversation or
	// reminders aren't sent.
	CodeTextAlone cento.Code = "wire.text_alone"
	// CodeUnbounded: the form has no place for the bound of the answer.
	CodeUnbounded cento.Code = "wire.unbounded"
	// CodeBoundGuessed: the form wants a bound of the answer, and none is given or known of
	// the model.
	CodeBoundGuessed cento.Code = "wire.bound_guessed"
	// CodeExtraPlace: a further member of the body says how the model is to answer, and the
	// form has it elsewhere, or nowhere.
	CodeExtraPlace cento.Code = "wire.extra_place"
	// CodeExtraRefused: a further member of the body is one that the model refuses, such as a
	// temperature.
	CodeExtraRefused cento.Code = "wire.extra_refused"
	// CodeOverOutput: the bound of the answer is more than the model gives, so that the
	// provider refuses it, or gives less.
	CodeOverOutput cento.Code = "wire.over_output"
	// CodeOverWindow: the request takes more than the model takes in, or than Ollama is asked
	// to run it with.
	CodeOverWindow cento.Code = "wire.over_window"
	// CodeWindowUnknown: the request takes more than Ollama may run the model with, and
	// doesn't say what it is to run it with.
	CodeWindowUnknown cento.Code = "wire.window_unknown"
	// CodeShape: a message is in the terms of another provider format, or has a role, a
	// member or a part that the format doesn't have.
	CodeShape cento.Code = "wire.shape"
	// CodeEmptyText: a message has no content, or a text is empty or blank.
	CodeEmptyText cento.Code = "wire.empty_text"
	// CodeToolPair: a call of a tool has no result in its place, or a result has no call.
	CodeToolPair cento.Code = "wire.tool_pair"
	// CodeToolMissing: the conversation, or the choice of a tool, needs a tool that the
	// request doesn't define.
	CodeToolMissing cento.Code = "wire.tool_missing"
	// CodeLongName: the name of a tool is longer than the provider's documentation allows,
	// and the provider takes it.
	CodeLongName cento.Code = "wire.long_name"
	// CodePropertyName: the provider refuses the name of a property of a tool's schema.
	CodePropertyName cento.Code = "wire.property_name"
	// CodeToolKeyword: a keyword of a tool's schema that the provider drops or refuses, or one
	// that it wants and that isn't there.
	CodeToolKeyword cento.Code = "wire.tool_keyword"
	// CodeRole: reminders were to stand in a system message, and stand in a user's; or a
	// message of the role system stands where Anthropic refuses it.
	CodeRole cento.Code = "wire.role"
	// CodeSectionTitle: a section stands in a tag that doesn't say its title: there is no
	// letter or digit in it, a sign is part of a word, as in C++, or another title makes the
	// same tag.
	CodeSectionTitle cento.Code = "wire.section_title"
	// CodeSectionQuoted: a text had the tag that ends its section, and was changed so
	// that it doesn't.
	CodeSectionQuoted cento.Code = "wire.section_quoted"
	// CodeTTLOrder: a breakpoint that keeps longer follows one that keeps for less time.
	CodeTTLOrder cento.Code = "cache.ttl_order"
	// CodeTTLRaised: Cento's own breakpoints keep as long as a later one of the caller's.
	CodeTTLRaised cento.Code = "cache.ttl_raised"
	// CodeMarkPlace: a breakpoint is where the provider takes none.
	CodeMarkPlace cento.Code = "cache.mark_place"
	// CodeBelowMinimum: a prefix is shorter than what the provider keeps, so that it
	// has no mark.
	CodeBelowMinimum cento.Code = "cache.below_minimum"
	// CodeGivenUp: there are more marks than the provider takes.
	CodeGivenUp cento.Code = "cache.given_up"
	// CodeNoMarks: something was asked of the cache that this form or model has no
	// place for.
	CodeNoMarks cento.Code = "cache.no_marks"
	// CodeNoKey: the form has no place for the key of the prompt cache.
	CodeNoKey cento.Code = "cache.no_key"
	// CodeUncounted: marks were set with nothing to count by.
	CodeUncounted cento.Code = "cache.uncounted"
	// CodeOverBudget: the prompt was fitted to a budget for another form, for other tools or
	// without the reminders, and as it is sent it takes more.
	CodeOverBudget cento.Code = "wire.over_budget"
	// CodeNoObject: the prompt changes with each turn, so that it isn't worth a cache
	// object.
	CodeNoObject cento.Code = "cache.no_object"
	// CodeCacheUnknown: the prompt cache that takes the request isn't known, so that nothing is
	// predicted.
	CodeCacheUnknown cento.Code = "cache.unknown"
)

// Breakpoint is a mark of the prompt cache.
type Breakpoint struct {
	// Pointer is the JSON pointer of the block that is marked, or of the mark where it
	// is an element of its own.
	Pointer string `json:"pointer"`
	// After is what the mark seals: "tools", "static", "session", "conversation", or
	// "reminder" for one that asks for it.
	After string `json:"after"`
	// End is how many bytes of the prompt stand before it.
	End int `json:"end"`
	// Tokens are those of the tools and the prompt before it; nil without a counter,
	// and behind messages, of which Cento counts nothing.
	Tokens *int `json:"tokens"`
	// TTL is how long it stays; empty where the provider doesn't say.
	TTL string `json:"ttl"`
}

// Piece is a stretch of a string of the body.
type Piece struct {
	// Pointer is the JSON pointer of the string; empty for the whole body of [Text].
	Pointer string `json:"pointer"`
	// Start and End are byte offsets in the decoded string.
	Start int `json:"start"`
	End   int `json:"end"`
	// Span is the index in Result.Spans.
	Span int `json:"span"`
}

// Schema is a value of the body that stands there as a tool wrote it: the schema of its
// arguments, or the definition of a tool that the provider runs itself.
type Schema struct {
	// Pointer is the JSON pointer of the value.
	Pointer string
	// Tool is the tool, which nobody may change.
	Tool *cento.Tool
	// Value is what the tool wrote.
	Value json.RawMessage
}

// CacheObject is the body by which Gemini stores the system prompt and the tools.
type CacheObject struct {
	Body    string `json:"body"`
	URLPath string `json:"url_path"`
	// Digest is the SHA-256 of what it holds, for [ObjectName].
	Digest string `json:"digest"`
}
