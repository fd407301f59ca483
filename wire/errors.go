package wire

import (
	"fmt"

	"github.com/cento-dev/cento"
)

// Codes of errors.
const (
	// InvalidToolName: a provider refuses the name of a tool.
	InvalidToolName cento.ErrorCode = "wire.tool_name"
	// TooManyTools: a provider refuses as many.
	TooManyTools cento.ErrorCode = "wire.tool_count"
	// InvalidToolSchema: the parameters of a tool aren't a JSON Schema of an object.
	InvalidToolSchema cento.ErrorCode = "wire.tool_schema"
	// InvalidToolText: the description of a tool isn't UTF-8.
	InvalidToolText cento.ErrorCode = "wire.tool_text"
	// InvalidMessage: a message is neither a text nor an object of the form.
	InvalidMessage cento.ErrorCode = "wire.message"
	// InvalidExtra: further members aren't an object, or say what the form says.
	InvalidExtra cento.ErrorCode = "wire.extra"
	// InvalidMaxTokens: the provider refuses the bound of the answer.
	InvalidMaxTokens cento.ErrorCode = "wire.max_tokens"
	// InvalidForm: there is no such form, or it has no place for what is asked.
	InvalidForm cento.ErrorCode = "wire.form"
	// InvalidTTL: the provider doesn't keep anything for that long.
	InvalidTTL cento.ErrorCode = "cache.ttl"
	// TTLOrder: what changes more often was to be kept longer.
	TTLOrder cento.ErrorCode = "cache.ttl_order"
	// TooManyMarks: messages, tools and extra members mark more than the provider takes.
	TooManyMarks cento.ErrorCode = "cache.marks"
	// Refused: the provider is certain to refuse the request.
	Refused cento.ErrorCode = "wire.refused"
	// StaleObject: the cache object holds another prompt, or other tools.
	StaleObject cento.ErrorCode = "cache.object_stale"
)

// faults gathers what is wrong, so that all of it is told at once.
type faults []*cento.SourceError

func (f *faults) add(code cento.ErrorCode, at cento.Position, hint, format string, args ...any) {
	*f = append(*f, &cento.SourceError{Code: code, Position: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}
