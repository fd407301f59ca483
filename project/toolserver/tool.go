package toolserver

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/project/consent"
)

// guidanceKey is where a server puts guidance: `_meta` is what the protocol has
// for things that it doesn't know itself.
const guidanceKey = "guidance"

// listedTool takes of a tool what a model or a host may see. Maps are written
// with sorted keys, so the same schema is the same text.
func listedTool(t *mcp.Tool) (consent.ListedTool, error) {
	out := consent.ListedTool{Name: t.Name, Title: t.Title, Description: t.Description}
	if guidance, ok := t.Meta[guidanceKey].(string); ok {
		out.Guidance = &guidance
	}
	for _, part := range []struct {
		value any
		to    *json.RawMessage
	}{{t.InputSchema, &out.InputSchema}, {t.OutputSchema, &out.OutputSchema}, {annotations(t), &out.Annotations}} {
		if part.value == nil {
			continue
		}
		text, err := json.Marshal(part.value)
		if err != nil {
			return out, fmt.Errorf("the tool %q: %w", t.Name, err)
		}
		*part.to = text
	}
	return out, nil
}

func annotations(t *mcp.Tool) any {
	if t.Annotations == nil {
		return nil
	}
	return t.Annotations
}
