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
	schema      []byte             // the parameters without white space; empty for none
	members     []cento.ToolMember // further ones that are sent
}

// member is the value of a further member; nil for none.
func (t *tool) member(name string) []byte {
	for i := range t.members {
		if t.members[i].Name == name {
			return t.members[i].Value
		}
	}
	return nil
}

// deferred reports whether the model is to look the definition up before it sees it.
func (t *tool) deferred() bool {
	value := t.member("defer_loading")
	if len(t.Native) > 0 {
		value = memberOf(t.Native, "defer_loading")
	}
	return string(value) == "true"
}

// eachMark goes through the breakpoints that the author of a definition wrote.
func (t *tool) eachMark(marked string, f func(value []byte)) {
	eachMark(t.Native, marked, f)
	if value := t.member(marked); value != nil && string(value) != "null" {
		f(value)
	}
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
			b.lose(Loss{Code: CodeToolForeign, Fragment: "tool:" + t.Name, Message: "the tool " + strconv.Quote(t.Name) + " is defined in the terms of another provider format, so it isn't sent to " + b.rules.vendor})
			continue
		}
		if t.Server != "" && len(t.Native) == 0 && !b.rules.takesName(t.Name) { // whose author can't be asked for another
			b.lose(Loss{Code: CodeToolNamed, Fragment: "tool:" + t.Name, Origin: t.Origin, Hint: "exclude the tool", Message: fmt.Sprintf("the tool %.80q of the server %q isn't sent, since %s refuses its name: it takes 1 to %d of %s", t.Name, t.Server, b.rules.vendor, b.rules.toolName, b.rules.nameRule())})
			continue
		}
		sent := tool{Tool: t}
		b.choose(&sent)
		n := 0
		sent.eachMark(b.rules.marked, func(value []byte) {
			n++
			b.marks.inTools.add(ttlOf(value))
		})
		b.marks.bring(n, t.Origin)
		schema := b.checkTool(t)
		if other := first[t.Name]; other != nil {
			b.faults.add(cento.DuplicateTool, t.Origin, "rename one of them", "two tools have the name %q", t.Name)
			b.faults[len(b.faults)-1].Related = []cento.Related{{Position: other.Origin, Message: "the other one"}}
		}
		first[t.Name] = t
		sent.description, sent.schema = b.described(t), schema.dense
		b.tools = append(b.tools, sent)
	}
	if most := b.rules.maxTools; most > 0 && len(b.tools) > most {
		b.faults.add(TooManyTools, b.tools[most].Origin, "make fewer tools active", "%s takes %d tools, and %d are active", b.rules.vendor, most, len(b.tools))
	}
}

// ownMembers are the members of definitions that the formats write.
var ownMembers = []string{"name", "description", "type", "parameters", "input_schema", "parametersJsonSchema", "inputSchema"}

// mostNamed is how many members a message names.
const mostNamed = 20

// choose takes the further members of a definition that are for the form, and reports the
// others.
func (b *builder) choose(t *tool) {
	if len(t.Members) == 0 || len(t.Native) > 0 {
		return
	}
	var others []string
	for _, m := range t.Members {
		if !slices.Contains(m.Formats, b.form.String()) && (b.form != JSON || len(m.Formats) == 0) {
			others = append(others, m.Name)
			continue
		}
		wrong := ""
		switch {
		case slices.Contains(ownMembers, m.Name):
			wrong = ", which the form writes"
		case t.member(m.Name) != nil:
			wrong = " twice"
		case !validJSON(m.Value) || !validText(m.Name):
			wrong = ", whose value isn't JSON in UTF-8"
		}
		if wrong != "" {
			b.faults.add(InvalidExtra, t.Origin, "take it out", "the definition of the tool %q has the further member %.80q%s", t.Name, m.Name, wrong)
			continue
		}
		t.members = append(t.members, m)
	}
	if len(others) == 0 {
		return
	}
	named := make([]string, 0, mostNamed)
	hint := "write the definition as name, description and parameters, without type: each format that has such a member gets it"
	if t.Origin.IsZero() {
		hint = "" // of a program, which says for what they are
	}
	for i, name := range others {
		if i < mostNamed {
			named = append(named, fmt.Sprintf("%+.80q", name))
		}
		if !slices.Contains(b.rules.toolMembers, name) || name == "allowed_callers" {
			hint = ""
		}
	}
	said := strings.Join(named, ", ")
	if more := len(others) - len(named); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	b.lose(Loss{Code: CodeToolUnkept, Fragment: "tool:" + t.Name, Origin: t.Origin, Hint: hint, Message: fmt.Sprintf("members of the tool %q that aren't written for the format %s aren't sent: %s", t.Name, b.form, said)})
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

// runs reports whether a provider's own definition is one of the form. The types of
// Anthropic's tools end in the day of their version, or are of an mcp_toolset; those
// of OpenAI's Responses don't. Chat Completions nest a custom tool.
func (b *builder) runs(t *cento.Tool) bool {
	members, _ := membersIf(t.Native)
	kind, nested := "", false
	for _, m := range members {
		if m.name == "type" && t.Native[m.start] == '"' {
			kind = textOf(t.Native[m.start:m.end])
		}
		nested = nested || m.name == "custom"
	}
	if kind == "custom" && nested {
		return b.form == OpenAI || b.form == OpenAICompatible || b.form == JSON
	}
	day := kind[strings.LastIndexByte(kind, '_')+1:]
	anthropic := len(day) == 8 && strings.Trim(day, "0123456789") == "" || kind == "mcp_toolset"
	return b.form == Anthropic && anthropic || b.form == OpenAIResponses && !anthropic || b.form == JSON
}
