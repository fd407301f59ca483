package pack

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	quoted "github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/strict"
)

// Parse reads a value of the type as a command line has it, and gives it as
// JSON: a text stands for itself, a list is `a, b` or YAML's `[a, b]`, a map is
// `{a: 1}`. Its error has the code [strict.WrongType].
func (t VarType) Parse(text string) (json.RawMessage, error) {
	trimmed := strings.TrimSpace(text)
	switch t {
	case AnyType, StringType:
		return quoteJSON(text), nil
	case IntType:
		if n, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
			return strconv.AppendInt(nil, n, 10), nil
		}
	case FloatType:
		// JSON's numbers, so that neither Infinity nor hex comes in.
		if n, err := strict.JSON("", []byte(trimmed), cento.DefaultLimits()); err == nil && n.Kind() == strict.Number {
			return json.RawMessage(trimmed), nil
		}
	case BoolType:
		if trimmed == "true" || trimmed == "false" {
			return json.RawMessage(trimmed), nil
		}
	case ListType:
		if !strings.HasPrefix(trimmed, "[") {
			return listOf(trimmed), nil
		}
		fallthrough
	case MapType:
		n, err := strict.YAML("", []byte(trimmed), cento.DefaultLimits())
		if err == nil && t.accepts(n) {
			return n.AppendJSON(nil)
		}
	}
	return nil, &cento.SourceError{Code: strict.WrongType, Message: fmt.Sprintf("expected %s, got %q", t.article(), clipped(text))}
}

// listOf is a list of the texts between commas; of nothing when there is no
// text.
func listOf(text string) json.RawMessage {
	out := []byte{'['}
	if text != "" {
		for i, item := range strings.Split(text, ",") {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, quoteJSON(strings.TrimSpace(item))...)
		}
	}
	return append(out, ']')
}

// quoteJSON is a text as JSON, its characters as they are.
func quoteJSON(text string) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return nil // no text fails
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// clipped shortens what is quoted in a message.
func clipped(s string) string { return quoted.ClipRunes(s, 40) }
