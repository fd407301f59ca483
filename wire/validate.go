package wire

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// A finished body is read once, and held against the rules of its provider, wherever its
// parts came from: the manifest, the caller's messages and further members, or Cento.

// placeOf is which part of a request a loss is about, for its origin.
type placeOf struct {
	kind byte // m: a message, t: a tool, x: a further member, s: the system prompt
	i    int
	name string
}

// checker holds a body against the rules.
type checker struct {
	form   Form
	rules  *rules
	shape  *shape
	model  *cento.Model
	asked  string
	unsure bool // a gateway may translate the body
	lose   func(Loss, placeOf)

	tools    [][]byte // the names that the body defines, as JSON
	own      []tool   // in place of those, where Cento wrote the list
	ownAt    stretch  // where that is, which isn't read again
	defined  int
	tooled   bool // the conversation has calls or results
	reported bool // that no tool is defined
	linked   bool // the conversation goes on in another place

	calls  []callSeen
	marks  []markSeen
	before string // the role of the message before; of Bedrock without the system's
	answer bool   // the results of the calls are due
	server bool   // the last message ends with a tool that the provider ran
	others bool   // a part that isn't a result precedes in this run of messages
	spoken bool   // a message that isn't the system's was read
	system int    // the first of the system messages at hand, or -1
	turned bool   // an order of turns was reported
	took   bool   // a place of a system message was reported
}

// callSeen is a call of a tool.
type callSeen struct {
	id, name []byte
	i, j     int
	list     string
	answered bool
}

// markSeen is a breakpoint.
type markSeen struct {
	at  string
	ttl string
	of  placeOf
}

// report loses a broken rule, unless the provider doesn't have it.
func (c *checker) report(r rule, at string, of placeOf, what string) {
	v, ok := verdicts[c.form][r]
	if !ok {
		return
	}
	c.say(r, v, at, of, what)
}

func (c *checker) say(r rule, v verdict, at string, of placeOf, what string) {
	t := &ruleTexts[r]
	if c.unsure && v.severity == certain {
		v.severity = likely
	}
	verb := "refuses"
	if v.severity != certain {
		verb = "is likely to refuse"
	}
	message := strings.NewReplacer("%[1]s", c.rules.vendor, "%[2]s", what, "%[3]s", verb).Replace(t.says)
	c.lose(Loss{Code: t.code, Severity: v.severity, Pointer: at, Message: message, Hint: t.fix, Source: v.source}, of)
}

// at is the pointer of a message, of its content (j < 0), or of a part.
func (c *checker) at(i int) string { return "/" + c.shape.list + "/" + strconv.Itoa(i) }

func (c *checker) part(i int, list string, j int) string {
	if j < 0 {
		return c.at(i) + "/" + list
	}
	return c.at(i) + "/" + list + "/" + strconv.Itoa(j)
}

func inMessage(i int) placeOf { return placeOf{kind: 'm', i: i} }

// body reads the members of a body.
func (c *checker) body(raw []byte) {
	var list, system []byte
	set := settingsSeen{model: c.model}
	for name, value := range membersBut(raw, c.ownAt) {
		if c.ownAt.end > 0 && (string(name) == "tools" || c.form == Bedrock && string(name) == "toolConfig") {
			continue
		}
		switch string(name) {
		case c.shape.list:
			list = value
		case "system", "systemInstruction":
			system = value
		case "tools":
			c.toolList("/tools", value)
		case "toolConfig":
			if c.form == Bedrock {
				c.toolList("/toolConfig/tools", memberOf(value, "tools"))
			} else {
				set.choice = value
			}
		default:
			set.read(string(name), value)
		}
	}
	c.linked = set.linked
	if c.form == Anthropic || c.form == Bedrock {
		c.systemParts(system)
	}
	if list != nil && list[0] == '[' {
		c.conversation(list)
	}
	c.settings(&set)
	c.order(&set)
}

// systemParts reads the breakpoints of the system prompt.
func (c *checker) systemParts(list []byte) {
	j := 0
	for part := range elementsIn(list) {
		for name, value := range membersIn(part) {
			if string(name) == c.rules.marked && value[0] == '{' {
				c.marks = append(c.marks, markSeen{"/system/" + strconv.Itoa(j), ttlOf(value), placeOf{kind: 's'}})
			}
		}
		j++
	}
}

// conversation reads the messages.
func (c *checker) conversation(list []byte) {
	i := 0
	c.system = -1
	for message := range elementsIn(list) {
		c.message(i, message)
		i++
	}
	c.unanswered()
	if c.before == assistantRole && !c.server && i > 0 {
		if p := c.model.Prefill; p != nil && !*p {
			c.report(prefillTaken, c.at(i-1), inMessage(i-1), "")
		}
	}
	if c.tooled && c.defined == 0 && !c.reported {
		c.report(toolsDefined, "/"+c.shape.list, placeOf{}, "")
	}
}

// messageSeen is what a message has.
type messageSeen struct {
	role, content, kind, calls, id, name, said []byte
}

func (c *checker) message(i int, value []byte) {
	var m messageSeen
	key := c.rules.key
	for name, v := range membersIn(value) {
		switch string(name) {
		case "role":
			m.role = v
		case key:
			m.content = v
		case "type":
			m.kind = v
		case "tool_calls":
			m.calls = v
		case "function_call", "refusal", "audio", "images":
			m.said = v
		case "name":
			m.name = v
		case "tool_call_id", "call_id":
			m.id = v
		}
	}
	if c.shape.items != nil && c.item(i, &m, value) {
		return
	}
	role := roleOf(m.role, c.shape.roles)
	if role == "" {
		if m.role != nil || c.form != Gemini { // whose contents may have none
			c.report(roleKnown, c.at(i), inMessage(i), wordOr(m.role, "none"))
			c.before, c.spoken = "", true // the order of the roles isn't known
			return
		}
		role = userRole
	}
	c.fields(c.at(i), i, c.shape.has, value)
	c.turn(i, role)
	c.content(i, role, &m)
	if m.calls != nil && (c.form == OpenAI || c.form == OpenAICompatible || c.form == Ollama) {
		j := 0
		for call := range elementsIn(m.calls) {
			c.chatCall(i, j, call)
			j++
		}
		c.answer = j > 0
	}
	if role == toolRole && c.form != Ollama {
		c.result(i, -1, m.id)
	}
}

// roleOf is the role that a JSON string names; "" for none of the list.
func roleOf(value []byte, roles []string) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	for _, r := range roles {
		if string(value[1:len(value)-1]) == r {
			return r
		}
	}
	return ""
}

// wordOr is a value of the body for a message.
func wordOr(value []byte, empty string) string {
	switch {
	case len(value) == 0:
		return empty
	case len(value) > 80:
		return string(value[:80]) + "…"
	}
	return string(value)
}

// item reads an element that isn't a message, and reports whether it is one.
func (c *checker) item(i int, m *messageSeen, value []byte) bool {
	kind := ""
	if len(m.kind) > 0 && m.kind[0] == '"' {
		kind = textOf(m.kind)
	}
	if kind == "" && m.role != nil || kind == "message" {
		return false
	}
	shape, known := c.shape.items[kind]
	if !known {
		c.unknown(c.at(i), i, "items of the type "+strconv.Quote(kind), kind == "" || elsewhere(kind))
		return true
	}
	c.before = ""
	c.fields(c.at(i), i, shape.has, value)
	switch shape.kind {
	case callPart:
		c.call(callSeen{id: m.id, name: m.name, i: i, j: -1})
	case resultPart:
		c.result(i, -1, m.id)
	}
	return true
}

// unknown reports a part that the format doesn't have. One that none has may be newer than
// the table.
func (c *checker) unknown(at string, i int, what string, sure bool) {
	v, ok := verdicts[c.form][partKnown]
	if !ok {
		return
	}
	if !sure {
		v.severity = likely
	}
	c.say(partKnown, v, at, inMessage(i), what)
}

// turn goes on to a message of a role.
func (c *checker) turn(i int, role string) {
	if role == modelRole {
		role = assistantRole
	}
	merged := c.form == Anthropic || c.form == Bedrock || c.form == Gemini
	switch {
	case role == systemRole && merged:
		c.systemTurn(i)
		return
	case c.form == OpenAI || c.form == OpenAICompatible:
		if role != toolRole {
			c.unanswered()
		}
	case merged && role == assistantRole && c.before != assistantRole:
		c.unanswered()
	case merged && role != assistantRole && c.before == assistantRole:
		c.answer, c.others = len(c.calls) > 0, false
	}
	if c.system >= 0 && role != assistantRole && !c.took {
		c.took = true
		c.report(systemBefore, c.at(c.system), inMessage(c.system), "")
	}
	switch {
	case c.turned || role == c.before && c.system >= 0:
	case !c.spoken && role == assistantRole:
		_, c.turned = verdicts[c.form][firstUser]
		c.report(firstUser, c.at(i), inMessage(i), "")
	case c.spoken && role == c.before:
		_, c.turned = verdicts[c.form][rolesAlternate]
		c.report(rolesAlternate, c.at(i), inMessage(i), role)
	}
	c.before, c.server, c.spoken, c.system = role, false, true, -1
}

// systemTurn goes on to a system message between the turns.
func (c *checker) systemTurn(i int) {
	takes := c.model.MidConversationSystem
	first := c.system < 0
	if first {
		c.system = i
	}
	if c.took || !first {
		return
	}
	c.took = true
	switch {
	case takes != nil && !*takes:
		c.report(systemTaken, c.at(i), inMessage(i), c.asked)
	case !c.spoken:
		c.report(systemAfter, c.at(i), inMessage(i), "begins the conversation")
	case c.before == assistantRole && slices.ContainsFunc(c.calls, func(x callSeen) bool { return !x.answered }):
		c.report(systemBetween, c.at(i), inMessage(i), "")
	case c.before == assistantRole && !c.server:
		c.report(systemAfter, c.at(i), inMessage(i), "follows an assistant's message")
	default:
		c.took = false
	}
}

// content reads the content of a message.
func (c *checker) content(i int, role string, m *messageSeen) {
	key := c.rules.key
	fault := func(r rule, what string) { c.report(r, c.part(i, key, -1), inMessage(i), what) }
	switch {
	case len(m.content) == 0 || m.content[0] == 'n':
		if role == assistantRole && (m.calls != nil || m.said != nil) && c.shape == chatShape() || c.form == Ollama {
			return
		}
		c.report(contentKind, c.at(i), inMessage(i), map[bool]string{true: "missing", false: "null"}[len(m.content) == 0])
	case m.content[0] == '"':
		switch {
		case !c.shape.text:
			fault(contentKind, "a text")
		case saysNothing(m.content):
			fault(textThere, "")
		}
		c.others = true
	case m.content[0] == '[':
		if !c.shape.listed {
			fault(contentKind, "a list")
			return
		}
		j := 0
		for part := range elementsIn(m.content) {
			c.messagePart(i, j, role, part)
			j++
		}
		if j == 0 {
			fault(contentThere, "")
		}
	default:
		fault(contentKind, "an object or a number")
	}
}

// messagePart reads a part of a message.
func (c *checker) messagePart(i, j int, role string, value []byte) {
	key := c.rules.key
	if value[0] != '{' {
		c.unknown(c.part(i, key, j), i, "a part that isn't an object", true)
		return
	}
	if !c.shape.typed {
		c.namedPart(i, j, role, value)
		return
	}
	var kind, text, id, name, result, content, mark []byte
	for n, v := range membersIn(value) {
		switch string(n) {
		case "type":
			kind = v
		case "text":
			text = v
		case c.shape.callID:
			id = v
		case c.shape.callName:
			name = v
		case c.shape.resultID:
			result = v
		case "content":
			content = v
		case c.rules.marked:
			mark = v
		}
	}
	if len(kind) == 0 || kind[0] != '"' {
		c.unknown(c.part(i, key, j), i, "a part without a type", true)
		return
	}
	word := kind[1 : len(kind)-1]
	shape, known := c.shape.parts[string(word)]
	if !known {
		if c.form == OpenAICompatible && slices.Contains(sharedParts, string(word)) {
			return
		}
		c.unknown(c.part(i, key, j), i, "parts of the type "+strconv.Quote(string(word)), elsewhere(string(word)))
		return
	}
	if shape.of != nil && !slices.Contains(shape.of, role) {
		c.report(partRole, c.part(i, key, j), inMessage(i), "parts of the type "+strconv.Quote(string(word))+" in a message of the role "+strconv.Quote(role))
		return
	}
	c.fields(c.part(i, key, j), i, shape.has, value)
	c.kindOf(i, j, shape.kind)
	blank := shape.kind == textPart && len(text) > 0 && text[0] == '"' && saysNothing(text)
	switch shape.kind {
	case textPart:
		if blank && len(mark) == 0 {
			c.report(textThere, c.part(i, key, j), inMessage(i), "")
		}
	case callPart:
		c.call(callSeen{id: id, name: name, i: i, j: j, list: key})
	case resultPart:
		c.result(i, j, result)
		c.nested(i, c.part(i, key, j), content)
	}
	if len(mark) > 0 && mark[0] == '{' {
		c.marked(i, j, string(word), shape.kind, blank, mark)
	}
}

// marked reads the breakpoint of a part.
func (c *checker) marked(i, j int, kind string, of partKind, blank bool, mark []byte) {
	at := c.part(i, c.rules.key, j)
	switch bears := markedParts[c.form]; {
	case blank && (c.form == Anthropic || c.form == OpenAI || c.form == OpenAIResponses):
		c.report(bearsMark, at, inMessage(i), "an empty text")
	case of == quietPart || bears != nil && of != serverPart && !slices.Contains(bears, kind) && of != otherPart:
		c.report(bearsMark, at, inMessage(i), "a part of the type "+strconv.Quote(kind))
	}
	c.marks = append(c.marks, markSeen{at, ttlOf(mark), inMessage(i)})
}

// namedPart reads a part that says what it is by the name of a member.
func (c *checker) namedPart(i, j int, role string, value []byte) {
	key := c.rules.key
	n, blank := 0, false
	data := false
	for name, v := range membersIn(value) {
		n++
		shape, known := c.shape.parts[string(name)]
		if !known {
			// Bedrock ignores members that it doesn't know next to one that it does.
			sure := c.form == Gemini || memberless(value, c.shape)
			c.unknown(c.part(i, key, j)+"/"+pointerEscaper.Replace(string(name)), i, "the member "+strconv.Quote(string(name)), sure)
			return
		}
		c.named(i, c.part(i, key, j), string(name), shape, v)
		data = data || shape.kind != asidePart
		if shape.kind != asidePart {
			c.kindOf(i, j, shape.kind)
		}
		switch shape.kind {
		case textPart:
			blank = v[0] == '"' && saysNothing(v)
		case callPart:
			call := callSeen{i: i, j: j, list: key}
			for n, v := range membersIn(v) {
				switch string(n) {
				case c.shape.callID:
					call.id = v
				case c.shape.callName:
					call.name = v
				}
			}
			c.call(call)
		case resultPart:
			var id, content []byte
			for n, v := range membersIn(v) {
				switch string(n) {
				case c.shape.resultID:
					id = v
				case "content":
					content = v
				}
			}
			c.result(i, j, id)
			if c.form == Bedrock {
				c.nested(i, c.part(i, key, j)+"/toolResult", content)
			}
		case markPart:
			c.marks = append(c.marks, markSeen{c.part(i, key, j), ttlOf(v), inMessage(i)})
		}
	}
	switch {
	case blank && n == 1:
		c.report(textThere, c.part(i, key, j), inMessage(i), "")
	case n == 0 || !data && c.form == Bedrock:
		c.unknown(c.part(i, key, j), i, "a part without content", true)
	}
}

// memberless reports whether a part has no member that the format knows.
func memberless(value []byte, s *shape) bool {
	for name := range membersIn(value) {
		if _, known := s.parts[string(name)]; known {
			return false
		}
	}
	return true
}

// kindOf keeps what a message ends with, and whether results come first.
func (c *checker) kindOf(i, j int, kind partKind) {
	c.server = kind == serverPart
	if kind != resultPart && kind != markPart {
		c.others = true
	}
}

// nested reads the parts in the result of a tool.
func (c *checker) nested(i int, at string, content []byte) {
	if len(content) == 0 || content[0] != '[' {
		return
	}
	k, blank := 0, false
	for part := range elementsIn(content) {
		at := at + "/content/" + strconv.Itoa(k)
		k++
		if part[0] != '{' {
			c.unknown(at, i, "a part that isn't an object", true)
			continue
		}
		if kind := memberOf(part, "type"); c.shape.typed && (len(kind) == 0 || kind[0] != '"') {
			c.unknown(at, i, "a part without a type", true)
		} else if c.shape.typed {
			c.fields(at, i, c.shape.parts[textOf(kind)].has, part)
		} else {
			n := 0
			for name, v := range membersIn(part) {
				n++
				if shape, known := c.shape.parts[string(name)]; known {
					c.named(i, at, string(name), shape, v)
				}
			}
			if n == 0 {
				c.unknown(at, i, "a part without content", true)
			}
		}
		text := memberOf(part, "text")
		blank = blank || len(text) > 0 && text[0] == '"' && saysNothing(text)
	}
	if blank {
		c.report(nestedTextThere, at, inMessage(i), "")
	}
}

// named holds the value of the member that says what a part is.
func (c *checker) named(i int, at, name string, shape partShape, value []byte) {
	at += "/" + name
	if kind := cmp.Or(shape.value, "o"); value[0] != 'n' && kind[0] != kindOfValue(value) {
		c.report(memberKind, at, inMessage(i), strconv.Quote(name)+" isn't "+kindNames[kind])
	}
	c.fields(at, i, shape.has, value)
}

// fields holds the members of a message, a part or a call against those that it has. A member
// that is null is missing.
func (c *checker) fields(at string, i int, has []field, value []byte) {
	if len(has) == 0 || value[0] != '{' {
		return
	}
	var seen uint64
	for name, v := range membersIn(value) {
		k := slices.IndexFunc(has, func(f field) bool { return f.name == string(name) })
		if k < 0 {
			if string(name) != "type" {
				c.report(memberKnown, at+"/"+pointerEscaper.Replace(string(name)), inMessage(i), strconv.Quote(string(name)))
			}
			continue
		}
		f := &has[k]
		if v[0] == 'n' {
			continue
		}
		seen |= 1 << k
		if f.kinds != "" && strings.IndexByte(f.kinds, kindOfValue(v)) < 0 {
			c.report(memberKind, at+"/"+f.name, inMessage(i), strconv.Quote(f.name)+" isn't "+kindNames[f.kinds])
		} else if f.inner != nil {
			c.fields(at+"/"+f.name, i, f.inner, v)
		}
	}
	required, names := false, []string(nil)
	for k := range has {
		if required = required || has[k].required; has[k].required && seen&(1<<k) == 0 {
			c.report(memberThere, at, inMessage(i), strconv.Quote(has[k].name))
		}
		if seen == 0 && !required {
			names = append(names, strconv.Quote(has[k].name))
		}
	}
	if seen == 0 && !required { // one of them
		c.report(memberThere, at, inMessage(i), strings.Join(names, " or "))
	}
}

// kindOfValue is the kind of a JSON value in the terms of [field].
func kindOfValue(v []byte) byte {
	switch v[0] {
	case '"':
		return 's'
	case '{':
		return 'o'
	case '[':
		return 'l'
	case 't', 'f':
		return 'b'
	}
	return 'n'
}

var kindNames = map[string]string{"s": "a string", "o": "an object", "l": "a list", "b": "true or false", "n": "a number", "sl": "a string or a list"}

// chatCall reads a call of Chat Completions or Ollama.
func (c *checker) chatCall(i, j int, value []byte) {
	if value[0] != '{' {
		return
	}
	call := callSeen{i: i, j: j, list: "tool_calls"}
	c.fields(c.callAt(call), i, c.shape.calls, value)
	for name, v := range membersIn(value) {
		switch string(name) {
		case "id":
			call.id = v
		case "function", "custom":
			if v[0] == '{' {
				call.name = memberOf(v, "name")
			}
		}
	}
	c.call(call)
}

// call keeps a call until its result.
func (c *checker) call(x callSeen) {
	c.tooled = true
	if len(x.name) > 0 && x.name[0] == '"' && c.defined > 0 && !c.defines(x.name) {
		c.report(callDefined, c.callAt(x), inMessage(x.i), strconv.Quote(textOf(x.name)))
	}
	if c.form == Ollama {
		return
	}
	if c.shape.callID != "" {
		for k := range c.calls {
			if y := &c.calls[k]; len(x.id) > 0 && sameText(y.id, x.id) {
				c.report(callUnique, c.callAt(x), inMessage(x.i), string(x.id))
				return
			}
		}
	}
	c.calls = append(c.calls, x)
}

func (c *checker) callAt(x callSeen) string {
	if x.list == "" {
		return c.at(x.i)
	}
	return c.part(x.i, x.list, x.j)
}

// result pairs a result with its call.
func (c *checker) result(i, j int, id []byte) {
	c.tooled = true
	at := c.at(i)
	if j >= 0 {
		at = c.part(i, c.rules.key, j)
	}
	of := inMessage(i)
	named := ""
	if len(id) > 0 && id[0] == '"' {
		named = ": " + string(id)
	}
	matches := func(x *callSeen) bool {
		if c.shape.callID == "" {
			return sameText(x.name, id) && !x.answered
		}
		return sameText(x.id, id)
	}
	k := slices.IndexFunc(c.calls, func(x callSeen) bool { return matches(&x) })
	adjacent := c.form != OpenAIResponses
	if k < 0 || adjacent && !c.answer {
		if !c.linked {
			c.report(resultCalled, at, of, named)
		}
		return
	}
	if c.calls[k].answered {
		c.report(resultUnique, at, of, named)
		return
	}
	if c.others && c.form == Anthropic {
		c.report(resultsFirst, at, of, "")
		c.others = false
	}
	c.calls[k].answered = true
}

// unanswered reports the calls that have no result by now, and forgets all.
func (c *checker) unanswered() {
	for _, x := range c.calls {
		if !x.answered {
			named := ""
			if len(x.id) > 0 && x.id[0] == '"' {
				named = ": " + string(x.id)
			}
			c.report(callAnswered, c.callAt(x), inMessage(x.i), named)
		}
	}
	c.calls, c.answer = c.calls[:0], false
}

// sameText reports whether two JSON strings say the same.
func sameText(a, b []byte) bool {
	if string(a) == string(b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 || a[0] != '"' || b[0] != '"' {
		return false
	}
	return textOf(a) == textOf(b)
}

// saysNothing reports whether a JSON string is empty or blank.
func saysNothing(quoted []byte) bool {
	if len(quoted) > 2 && quoted[1] > ' ' && quoted[1] < 0x80 && quoted[1] != '\\' {
		return false
	}
	return isBlank(textOf(quoted))
}

// order holds the breakpoints against each other, in the order in which the provider reads
// them: the one of the whole body is the last.
func (c *checker) order(set *settingsSeen) {
	if c.form == OpenAI || c.form == OpenAIResponses {
		if most := c.model.Cache.MaxBreakpoints; len(c.marks) > 0 && most != nil && *most == 0 {
			m := c.marks[0]
			c.report(markTaken, m.at, m.of, c.asked)
		}
		return
	}
	if _, ordered := verdicts[c.form][longerFirst]; !ordered {
		return
	}
	rank := func(m markSeen) int {
		return strings.IndexByte("tsm", m.of.kind)
	}
	slices.SortStableFunc(c.marks, func(a, b markSeen) int { return rank(a) - rank(b) })
	if c.form == Anthropic && len(set.automatic) > 0 && set.automatic[0] == '{' {
		c.marks = append(c.marks, markSeen{"/cache_control", ttlOf(set.automatic), placeOf{kind: 'x', name: "cache_control"}})
	}
	for i := 1; i < len(c.marks); i++ {
		x, before := c.marks[i], c.marks[i-1]
		if ttlRank(x.ttl) > ttlRank(before.ttl) {
			c.report(longerFirst, x.at, x.of, x.ttl+" follows one for "+ttlWord(before.ttl)+" at "+before.at)
		}
	}
}

// ttlRank orders the times of Anthropic and Bedrock.
func ttlRank(ttl string) int {
	if ttl == "1h" {
		return 1
	}
	return 0
}

func ttlWord(ttl string) string {
	if ttl == "" {
		return "5m"
	}
	return ttl
}

// validate holds the body that was written against the rules of its provider.
func (b *builder) validate(turns []turn) {
	shape := shapes()[b.form]
	if shape == nil {
		return
	}
	c := checker{
		form: b.form, rules: b.rules, shape: shape, model: b.model, asked: b.asked(),
		unsure: b.form.ForeignTo(b.model) || !b.ofVendor(), system: -1, own: b.tools, ownAt: b.toolsAt,
		lose: func(l Loss, of placeOf) {
			if l.Code == CodeExtraRefused && slices.ContainsFunc(b.losses, func(x Loss) bool { return x.Code == l.Code && x.Pointer == l.Pointer }) {
				return // by an earlier rule
			}
			b.origin(&l, of, turns)
			b.lose(l)
		},
	}
	if len(c.own) > 0 {
		c.ownTools(b.definitions.at, b.breakpoints)
	}
	c.body(b.w.buf)
}

// origin is where the thing at hand was read.
func (b *builder) origin(l *Loss, of placeOf, turns []turn) {
	switch of.kind {
	case 'm':
		i := of.i
		if b.layout.text != "" && (b.form == OpenAI || b.form == Ollama || b.form == OpenAICompatible || b.form == OpenAIResponses && b.asInput(turns)) {
			i--
		}
		if i >= 0 && i < len(turns) {
			l.Origin = turns[i].at
		}
	case 't':
		if of.i < len(b.tools) {
			l.Fragment, l.Origin = "tool:"+b.tools[of.i].Name, b.tools[of.i].Origin
		}
	case 'x':
		l.Origin = b.r.Places[ExtraPlace(of.name)]
	}
}
