package wire

import (
	"slices"
	"strconv"
)

// toolList reads the definitions of a body.
func (c *checker) toolList(at string, list []byte) {
	if len(list) == 0 || list[0] != '[' {
		return
	}
	i := 0
	for t := range elementsIn(list) {
		here := i
		i++
		if t[0] != '{' {
			continue
		}
		if c.form == Gemini {
			if group := memberOf(t, "functionDeclarations"); group != nil && group[0] == '[' {
				k := 0
				for f := range elementsIn(group) {
					c.tool(at+"/"+strconv.Itoa(here)+"/functionDeclarations/", k, f)
					k++
				}
				continue
			}
		}
		c.tool(at+"/", here, t)
	}
}

// ownTools takes the definitions that Cento wrote.
func (c *checker) ownTools(at string, marks []Breakpoint) {
	at += "/"
	c.defined = len(c.own)
	for i := range c.own {
		t := &c.own[i]
		of := placeOf{kind: 't', i: i}
		if n := len(t.Name); c.form == Anthropic && n > advisedName && len(t.Native) == 0 {
			c.report(nameAdvised, at+strconv.Itoa(i)+"/name", of, strconv.Itoa(n))
		}
		if len(t.schema) > 0 {
			c.schema(at, i, t.schema, of)
		}
		t.eachMark(c.rules.marked, func(v []byte) {
			c.marks = append(c.marks, markSeen{at + strconv.Itoa(i), ttlOf(v), of})
			if t.deferred() {
				c.report(deferredMark, at+strconv.Itoa(i), of, "")
			}
		})
	}
	for _, m := range marks {
		if m.After == afterTools {
			c.marks = append(c.marks, markSeen{m.Pointer, m.TTL, placeOf{kind: 's'}})
		}
	}
}

// defines reports whether the body defines a tool.
func (c *checker) defines(name []byte) bool {
	if len(c.own) > 0 {
		plain := textOf(name)
		return slices.ContainsFunc(c.own, func(t tool) bool { return t.Name == plain })
	}
	return slices.ContainsFunc(c.tools, func(t []byte) bool { return sameText(t, name) })
}

// tool reads a definition.
func (c *checker) tool(at string, i int, value []byte) {
	if value[0] != '{' {
		return
	}
	var name, schema, mark []byte
	inner := value
	of := placeOf{kind: 't', i: i}
	for n, v := range membersIn(value) {
		switch string(n) {
		case "function":
			inner = v
		case "toolSpec":
			inner = v
		case c.rules.marked:
			mark = v
		}
	}
	if len(mark) > 0 && mark[0] == '{' {
		c.marks = append(c.marks, markSeen{at + strconv.Itoa(i), ttlOf(mark), of})
	}
	if len(mark) > 0 && mark[0] == '{' && string(memberOf(value, "defer_loading")) == "true" {
		c.report(deferredMark, at+strconv.Itoa(i), of, "")
	}
	for n, v := range membersIn(inner) {
		switch string(n) {
		case "name":
			name = v
		case "input_schema", "parameters", "parametersJsonSchema":
			schema = v
		case "inputSchema":
			if v[0] == '{' {
				schema = memberOf(v, "json")
			}
		}
	}
	if c.form == Bedrock && len(name) == 0 {
		return // a breakpoint
	}
	c.defined++
	if len(name) == 0 || name[0] != '"' {
		return
	}
	c.tools = append(c.tools, name)
	if n := len(name) - 2; c.form == Anthropic && n > advisedName && len(schema) > 0 {
		c.report(nameAdvised, at+strconv.Itoa(i)+"/name", of, strconv.Itoa(n))
	}
	if len(schema) > 0 && schema[0] == '{' {
		c.schema(at, i, schema, of)
	}
}

// advisedName is how long Anthropic's documentation lets the name of a tool be.
const advisedName = 64

// schemaAt is where the definition of a tool has its schema.
var schemaAt = [...]string{
	Anthropic: "/input_schema", OpenAI: "/function/parameters", OpenAIResponses: "/parameters", Gemini: "/parametersJsonSchema",
	Bedrock: "/toolSpec/inputSchema/json", Ollama: "/function/parameters", OpenAICompatible: "/function/parameters",
}

// schema holds the schema of a tool against the rules.
func (c *checker) schema(at string, i int, value []byte, of placeOf) {
	s := sentSchemas.of(value)
	if s.sound && s.kind != "" {
		return
	}
	pointer := func(rest string) string { return at + strconv.Itoa(i) + schemaAt[c.form] + rest }
	if s.kind == "" {
		c.report(objectTyped, pointer(""), of, "")
	}
	refused, who := c.rules.refusedTop, c.rules.vendor
	if c.form == Bedrock && c.model.Family == claude { // which hands the schema on as it is
		refused, who = rulesOf[Anthropic].refusedTop, "Claude"
	}
	for _, keyword := range s.choices {
		if slices.Contains(refused, keyword) {
			c.reportAs(who, keywordTaken, pointer("/"+keyword), of, keyword)
		}
	}
	for _, x := range s.unlisted {
		c.report(itemsThere, pointer(x), of, "")
	}
	for _, x := range s.dangling {
		at := ""
		for _, step := range x.Path {
			at += "/" + pointerEscaper.Replace(step)
		}
		c.report(referenceLeads, pointer(at), of, x.To)
	}
	for _, name := range s.properties {
		if (c.form == Anthropic || c.form == Bedrock && c.model.Family == claude) && !plainName(name, ".-") || c.form == Gemini && !plainName(name, "") {
			c.reportAs(who, propertyNamed, pointer("/properties/"+pointerEscaper.Replace(name)), of, strconv.Quote(name))
		}
	}
}

// reportAs is report with another name for the provider.
func (c *checker) reportAs(vendor string, r rule, at string, of placeOf, what string) {
	if vendor == c.rules.vendor {
		c.report(r, at, of, what)
		return
	}
	rules := *c.rules
	rules.vendor = vendor
	was := c.rules
	c.rules = &rules
	c.report(r, at, of, what)
	c.rules = was
}

// plainName reports whether a name is 1 to 64 letters, digits and _, or signs that are taken
// in addition.
func plainName(name, signs string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for i := range len(name) {
		ch := name[i]
		if !('a' <= ch && ch <= 'z' || 'A' <= ch && ch <= 'Z' || '0' <= ch && ch <= '9' || ch == '_' || slices.Contains([]byte(signs), ch)) {
			return false
		}
	}
	return true
}
