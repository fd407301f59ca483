package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/wire"
)

// A definition of a tool has further members that only providers read, such as strict.
// Each is kept for the provider formats in whose terms the definition is written: OpenAI's,
// Anthropic's, or in Cento's own terms every format that has such a member. What an MCP
// server listed is a stranger's text, and none of it sets members of a request.

// mcpKeys are members that MCP servers list, which are for clients and no provider.
var mcpKeys = []string{"title", "outputSchema", "annotations", "icons", "execution", "_meta"}

// openAIForms are the provider formats of OpenAI's definitions.
var openAIForms = []wire.Form{wire.OpenAI, wire.OpenAIResponses, wire.OpenAICompatible}

// formsOf are the provider formats in whose terms a definition is written: none for that
// of an MCP server, all for Cento's own.
func formsOf(tool *strict.Node) (forms []wire.Form, mcp bool) {
	has := func(key string) bool {
		_, value := tool.Member(key)
		return value != nil && value.Kind() != strict.Null
	}
	switch {
	case has("inputSchema"), has("_meta"):
		return nil, true
	case has("input_schema"):
		return []wire.Form{wire.Anthropic}, false
	case has("function"), has("type"):
		return openAIForms, false
	}
	for f := wire.Anthropic; f <= wire.JSON; f++ {
		forms = append(forms, f)
	}
	return forms, false
}

// furtherMembers are the members of a definition that Cento doesn't read itself.
func (u *unsentKeys) furtherMembers(d *strict.Decoder, tool *strict.Node) (out []cento.ToolMember) {
	forms, mcp := formsOf(tool)
	definitions := []*strict.Node{tool}
	if _, nested := tool.Member("function"); nested != nil && nested.Kind() == strict.Map {
		definitions = append(definitions, nested)
	}
	for _, n := range definitions {
		for key, value := range n.Members() {
			name, _ := key.Text()
			if value.Kind() == strict.Null || slices.Contains(read, name) && (name != "type" || isPlain(n, value)) || mcp && slices.Contains(mcpKeys, name) ||
				slices.ContainsFunc(out, func(m cento.ToolMember) bool { return m.Name == name }) {
				continue
			}
			m := cento.ToolMember{Name: name}
			for _, f := range forms {
				// The values of allowed_callers differ from provider to provider.
				if slices.Contains(f.ToolMembers(), name) && (name != "allowed_callers" || len(forms) <= len(openAIForms)) {
					m.Formats = append(m.Formats, f.String())
				}
			}
			text, err := value.AppendJSON(nil)
			if d.Report(err); err != nil {
				continue
			}
			m.Value = text
			if len(m.Formats) == 0 {
				u.add(name, key.Position())
			}
			out = append(out, m)
		}
	}
	return out
}

// read are the keys of definitions that Cento reads.
var read = []string{"name", "description", "parameters", "guidance", "type", "function", "input_schema", "inputSchema"}

// unsentKeys are the keys of the tools of a list that no request has.
type unsentKeys struct {
	names []string
	seen  map[string]bool
	first cento.Position
}

// credentials adds the keys of a provider's tool in whose place null is sent.
func (u *unsentKeys) credentials(tool *strict.Node) {
	for key, value := range tool.Members() {
		if name, _ := key.Text(); slices.Contains(credentials, name) && value.Kind() != strict.Null {
			u.add(name, key.Position())
		}
	}
}

func (u *unsentKeys) add(name string, at cento.Position) {
	if u.seen[name] {
		return
	}
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	u.seen[name] = true
	if u.names = append(u.names, name); len(u.names) == 1 {
		u.first = at
	}
}

// isPlain reports whether the type of a tool says no more than that it is one.
func isPlain(tool, typ *strict.Node) bool {
	word, _ := typ.Text()
	_, schema := tool.Member("input_schema")
	return word == "function" || word == "custom" && schema != nil
}

// mostUnsent is how many keys are named.
const mostUnsent = 20

func (u *unsentKeys) notes() []cento.Note {
	if len(u.names) == 0 {
		return nil
	}
	named := make([]string, 0, mostUnsent)
	for _, name := range u.names[:min(len(u.names), mostUnsent)] {
		named = append(named, quotedName(name))
	}
	said := strings.Join(named, ", ")
	if more := len(u.names) - len(named); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return []cento.Note{{
		Code: CodeToolUnkept, Position: u.first,
		Message: "Cento sends no value of these keys of tool definitions: " + said,
	}}
}
