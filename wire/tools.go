package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// tool is a definition that is sent.
type tool struct {
	*cento.Tool
	description sourced
	schema      []byte // the parameters without white space; empty for none
}

func validJSON(b []byte) bool { return json.Valid(b) && validText(string(b)) }

// chooseTools takes the definitions of the active tools, and checks them against what
// the provider takes.
func (b *builder) chooseTools() {
	active := func(string) bool { return true }
	if b.r.Active != nil {
		on := make(map[string]bool, len(b.r.Active)) // true if it is defined
		for _, name := range b.r.Active {
			on[name] = false
		}
		for i := range b.r.Tools {
			if _, ok := on[b.r.Tools[i].Name]; ok {
				on[b.r.Tools[i].Name] = true
			}
		}
		active = func(name string) bool { return on[name] }
		for _, name := range slices.Sorted(maps.Keys(on)) {
			if !on[name] {
				b.lose(Loss{Code: CodeToolUndefined, Fragment: "tool:" + name, Message: "the tool " + strconv.Quote(name) + " is active and has no definition, so it isn't sent"})
			}
		}
	}
	if b.form == Text {
		for i := range b.r.Tools {
			if active(b.r.Tools[i].Name) {
				b.unsent++
			}
		}
		return
	}
	text := b.model.Tools != nil && !*b.model.Tools
	first := make(map[string]*cento.Tool, len(b.r.Tools))
	b.tools = make([]tool, 0, len(b.r.Tools))
	for i := range b.r.Tools {
		t := &b.r.Tools[i]
		if !active(t.Name) {
			continue
		}
		if text {
			b.lose(Loss{Code: CodeTextTools, Fragment: "tool:" + t.Name, Message: "the model calls tools in text, so the definition of " + strconv.Quote(t.Name) + " isn't sent"})
			continue
		}
		if len(t.Native) > 0 && !b.runs(t) {
			b.lose(Loss{Code: CodeToolForeign, Fragment: "tool:" + t.Name, Message: "the tool " + strconv.Quote(t.Name) + " is one that another provider runs, so it isn't sent to " + b.rules.vendor})
			continue
		}
		b.unkept(t)
		b.bringAll(t.Native, t.Origin, &b.marks.inTools)
		schema := b.checkTool(t)
		if other := first[t.Name]; other != nil {
			b.faults.add(cento.DuplicateTool, t.Origin, "rename one of them", "two tools have the name %q", t.Name)
			b.faults[len(b.faults)-1].Related = []cento.Related{{Position: other.Origin, Message: "the other one"}}
		}
		first[t.Name] = t
		b.tools = append(b.tools, tool{Tool: t, description: b.described(t), schema: schema.dense})
	}
	if most := b.rules.maxTools; most > 0 && len(b.tools) > most {
		b.faults.add(TooManyTools, b.tools[most].Origin, "make fewer tools active", "%s takes %d tools, and %d are active", b.rules.vendor, most, len(b.tools))
	}
}

// maxUnkept is how many keys are named.
const maxUnkept = 20

// unkept tells which keys of a tool's definition aren't sent, since nothing keeps them.
func (b *builder) unkept(t *cento.Tool) {
	if len(t.Unkept) == 0 {
		return
	}
	named := make([]string, 0, maxUnkept)
	for _, key := range t.Unkept[:min(len(t.Unkept), maxUnkept)] {
		named = append(named, fmt.Sprintf("%+.80q", key))
	}
	said := strings.Join(named, ", ")
	if more := len(t.Unkept) - len(named); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	b.lose(Loss{Code: CodeToolUnkept, Fragment: "tool:" + t.Name, Message: "keys of the tool " + strconv.Quote(t.Name) + " that only a provider reads are not kept, so they aren't sent: " + said})
}

// described is the description of a tool, its spans added to those of the result.
func (b *builder) described(t *cento.Tool) sourced {
	first := len(b.spans)
	b.spans = t.AppendDescriptionSpans(b.spans)
	return b.sourced(t.Description, first)
}

// checkTool holds a definition against the rules, and gives its schema.
func (b *builder) checkTool(t *cento.Tool) (none schema) {
	r := b.rules
	if len(t.Native) > 0 {
		members, ok := membersIf(t.Native)
		for _, m := range members {
			if slices.Contains(credentials, m.name) && t.Native[m.start] == 'n' {
				b.lose(Loss{Code: CodeCredential, Fragment: "tool:" + t.Name, Message: "credentials of tools aren't kept: put " + strconv.Quote(m.name) + " in before the request is sent"})
			}
		}
		if !ok || len(members) == 0 {
			b.faults.add(InvalidToolSchema, t.Origin, "", "the provider's own definition of the tool %q isn't an object in JSON", t.Name)
		}
		return none
	}
	if !r.takesName(t.Name) {
		b.faults.add(InvalidToolName, t.Origin, "rename the tool", "%s refuses the tool name %.80q: it takes 1 to %d of %s", r.vendor, t.Name, max(r.toolName, 1), r.nameRule())
		if r.toolName == 0 {
			b.faults[len(b.faults)-1].Message = "a tool has no name"
		}
	}
	if !validText(t.Description) {
		b.faults.add(InvalidToolText, t.Origin, "save it as UTF-8", "the description of the tool %q isn't valid UTF-8", t.Name)
	}
	if len(t.Parameters) == 0 {
		return none
	}
	schema := sentSchemas.of(t.Parameters)
	switch {
	case schema.broken:
		b.faults.add(InvalidToolSchema, t.Origin, "write them as a JSON Schema, an object", "the parameters of the tool %q aren't JSON in UTF-8", t.Name)
		return none
	case !schema.object:
		b.faults.add(InvalidToolSchema, t.Origin, `as in {"type": "object", "properties": {…}}`, "the parameters of the tool %q aren't an object", t.Name)
		return none
	case schema.kind != `"object"` && schema.kind != "":
		b.faults.add(InvalidToolSchema, t.Origin, `write "type": "object"`, "the parameters of the tool %q are of the type %s, and arguments are an object", t.Name, schema.kind)
	}
	return schema
}

// credentials are the members of a provider's tool that hold them.
var credentials = []string{"authorization", "authorization_token", "headers"}

// membersIf is [membersOf] for what may not be JSON.
func membersIf(raw []byte) ([]stretch, bool) {
	if !validJSON(raw) {
		return nil, false
	}
	return membersOf(raw)
}

// runs reports whether the provider of the form runs a tool itself. The types of
// Anthropic's tools end in the day of their version, or are of an mcp_toolset; those
// of OpenAI's Responses don't.
func (b *builder) runs(t *cento.Tool) bool {
	members, _ := membersIf(t.Native)
	kind := ""
	for _, m := range members {
		if m.name == "type" && t.Native[m.start] == '"' {
			kind = textOf(t.Native[m.start:m.end])
		}
	}
	day := kind[strings.LastIndexByte(kind, '_')+1:]
	anthropic := len(day) == 8 && strings.Trim(day, "0123456789") == "" || kind == "mcp_toolset"
	return b.form == Anthropic && anthropic || b.form == OpenAIResponses && !anthropic || b.form == JSON
}
