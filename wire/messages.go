package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// The messages of a conversation, in each form. A text is a string or a list of
// parts, a raw message its own bytes with what comes behind its content.

// writeTurns writes the elements of the list of messages.
func (b *builder) writeTurns(turns []turn) {
	for i := range turns {
		t := &turns[i]
		if b.marks.conversation != nil && i == b.own-1 {
			t.mark = b.marks.conversation
		}
		b.w.item()
		if t.raw != nil {
			b.writeRaw(t)
			continue
		}
		b.writeText(t)
	}
}

// role is the role as the form calls it.
func (b *builder) role(role string) string {
	if b.form == Gemini && role == assistantRole {
		return modelRole
	}
	return role
}

// plain reports whether texts are strings in the form, and not lists of parts.
func (b *builder) plain() bool {
	return b.form == Ollama || b.form == OpenAICompatible || b.form == JSON
}

// listed reports whether a text is a list of parts, whatever it holds.
func (b *builder) listed() bool { return b.form == Anthropic || b.form == Gemini || b.form == Bedrock }

// own is a turn's blocks before those of the reminders.
func (t *turn) own() int {
	if t.raw != nil {
		return 0
	}
	return 1
}

func (b *builder) writeText(t *turn) {
	w := &b.w
	w.object()
	defer w.end()
	if b.form == OpenAIResponses {
		w.member("type", "message")
	}
	w.member("role", b.role(t.role))
	w.name(b.rules.key)
	switch {
	case b.plain():
		w.text(joined(t.blocks)...)
		return
	case !b.listed() && len(t.blocks) == 1 && t.mark == nil:
		w.text(t.blocks[0].sourced)
		return
	}
	w.array()
	for i := range t.blocks {
		m := t.blocks[i].mark
		if i == t.own()-1 {
			m = cmp.Or(t.mark, m)
		}
		b.part(t.role, t.blocks[i].sourced, m)
	}
	w.end()
}

// joined are texts with a blank line between them.
func joined(blocks []block) []sourced {
	out := make([]sourced, 0, 2*len(blocks))
	for i, x := range blocks {
		if i > 0 {
			out = append(out, sourced{text: "\n\n"})
		}
		out = append(out, x.sourced)
	}
	return out
}

// part writes one part of a message or of the system prompt, with the mark behind it.
func (b *builder) part(role string, text sourced, m *mark) {
	w := &b.w
	w.item()
	at := ""
	if m != nil {
		at = w.pointer()
	}
	w.object()
	switch {
	case b.form == Gemini, b.form == Bedrock, b.form == JSON:
	case b.form != OpenAIResponses:
		w.member("type", "text")
	case role == assistantRole:
		w.member("type", "output_text")
	default:
		w.member("type", "input_text")
	}
	w.name("text")
	w.text(text)
	if m != nil && b.form != Bedrock {
		w.name(b.rules.marked)
		w.raw(b.markValue(m))
	}
	w.end()
	if m != nil && b.form == Bedrock {
		at = b.cachePoint(m)
	}
	if m != nil {
		b.marked(m, at)
	}
}

// cachePoint writes Bedrock's mark, an element of its own, and gives its pointer.
func (b *builder) cachePoint(m *mark) string {
	b.w.item()
	b.w.raw(json.RawMessage(`{"cachePoint":`))
	b.w.raw(b.markValue(m))
	b.w.raw(json.RawMessage(`}`))
	return b.w.pointer()
}

// markValue is what a mark says.
func (b *builder) markValue(m *mark) json.RawMessage {
	kind := map[Form]string{
		Anthropic: `"type":"ephemeral"`, Bedrock: `"type":"default"`, OpenAI: `"mode":"explicit"`, OpenAIResponses: `"mode":"explicit"`, JSON: `"after":"` + m.after + `"`,
	}[b.form]
	if m.ttl == "" {
		return json.RawMessage("{" + kind + "}")
	}
	return append(appendQuoted(append(json.RawMessage("{"+kind), `,"ttl":`...), m.ttl), '}')
}

// writeRaw writes a raw message as it is, but for a mark at the end of its own
// content and the blocks behind it.
func (b *builder) writeRaw(t *turn) {
	w := &b.w
	if t.mark == nil && len(t.blocks) == 0 {
		w.raw(t.raw)
		return
	}
	members, _ := membersOf(t.raw)
	i := slices.IndexFunc(members, func(m stretch) bool { return m.name == b.rules.key })
	value := t.raw[members[i].start:members[i].end]
	w.raw(t.raw[:members[i].start])
	// The pointer goes into the content, whose bytes are copied.
	w.stack = append(w.stack, frame{path: len(w.path)})
	w.path = append(append(w.path, '/'), pointerEscaper.Replace(b.rules.key)...)
	switch {
	case value[0] == '"' && b.plain():
		w.raw(value[:len(value)-1])
		var own string
		_ = json.Unmarshal(value, &own) // valid, as was checked
		b.behind(own, t.blocks)
	case value[0] == '"':
		var own string
		_ = json.Unmarshal(value, &own)
		w.array()
		b.part(t.role, sourced{text: own}, t.mark)
		for _, x := range t.blocks {
			b.part(t.role, x.sourced, x.mark)
		}
		w.end()
	default:
		b.writeParts(t, value)
	}
	w.path = w.path[:w.stack[len(w.stack)-1].path]
	w.stack = w.stack[:len(w.stack)-1]
	w.raw(t.raw[members[i].end:])
}

// behind writes the rest of a string whose beginning is copied, and its quote.
func (b *builder) behind(own string, blocks []block) {
	w := &b.w
	at := len(own)
	for _, x := range blocks {
		w.buf = appendEscaped(append(w.buf, `\n\n`...), x.text)
		at += len("\n\n")
		for i := range x.spans {
			s := &x.spans[i]
			w.pieces = append(w.pieces, Piece{Pointer: w.pointer(), Start: at + s.Start - x.base, End: at + s.End - x.base, Span: x.first + i})
		}
		at += len(x.text)
	}
	w.buf = append(w.buf, '"')
}

// writeParts writes a raw list of parts with what comes behind the last one.
func (b *builder) writeParts(t *turn, list json.RawMessage) {
	w := &b.w
	elements, _ := elementsOf(list)
	bearer := -1
	if t.mark != nil {
		bearer, _ = b.bearer(list)
	}
	w.array()
	for i, e := range elements {
		w.item()
		part := list[e.start:e.end]
		if i != bearer {
			w.raw(part)
			continue
		}
		if b.form == Bedrock {
			w.raw(part)
			b.marked(t.mark, b.cachePoint(t.mark))
			continue
		}
		end := strings.LastIndexByte(string(part), '}')
		w.raw(part[:end])
		if members, _ := membersOf(part); len(members) > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(appendQuoted(w.buf, b.rules.marked), ':')
		w.raw(b.markValue(t.mark))
		w.raw(part[end:])
		b.marked(t.mark, w.pointer())
	}
	for _, x := range t.blocks {
		b.part(t.role, x.sourced, x.mark)
	}
	w.end()
}

// The kinds of parts that take a mark.
var markedParts = map[Form][]string{
	Anthropic:       {"text", "image", "document", "tool_use", "tool_result"},
	OpenAI:          {"text", "image_url", "input_audio", "file"},
	OpenAIResponses: {"input_text", "input_image", "input_file"},
}

// unmarkable says why the last message can't be marked; empty where it can.
func (b *builder) unmarkable(t *turn) string {
	if (b.form == OpenAI || b.form == OpenAIResponses) && (t.role == assistantRole || t.role == "") {
		return "a message of the role " + strconv.Quote(t.role) + " takes none"
	}
	if !b.hasParts(t.raw) {
		return "it has no content that takes one"
	}
	content := memberOf(t.raw, b.rules.key)
	if content[0] == '"' {
		if saysNothing(content) {
			return "its text is empty"
		}
		return ""
	}
	_, why := b.bearer(content)
	return why
}

// bearer is the last part of a list that can bear a mark; else why there is none.
func (b *builder) bearer(list []byte) (i int, why string) {
	elements, _ := elementsOf(list)
	why = "its content is empty"
	for i = len(elements) - 1; i >= 0; i-- {
		part := list[elements[i].start:elements[i].end]
		if why = b.unbearing(part); why == "" || why == marked {
			break
		}
	}
	return i, why
}

const marked = "it has a mark already"

// unbearing says why a part can't bear a mark; empty where it can.
func (b *builder) unbearing(part []byte) string {
	if part[0] != '{' {
		return "the last part of its content is no object"
	}
	kind, blank := "", false
	for name, value := range membersIn(part) {
		switch string(name) {
		case b.rules.marked:
			return marked
		case "type":
			if value[0] == '"' {
				kind = textOf(value)
			}
		case "text":
			blank = value[0] == '"' && saysNothing(value)
		}
	}
	if kinds := markedParts[b.form]; kinds != nil && !slices.Contains(kinds, kind) {
		return "a part of the type " + strconv.Quote(kind) + " takes none"
	}
	if blank {
		return "its text is empty"
	}
	return ""
}
