package wire

import (
	"slices"
	"strconv"
)

// definitions is the list of the tools as it is written, but for a mark behind it:
// what the list counts decides about the marks, so it is written before them, and once.
type definitions struct {
	json   string // `"tools":[…]`
	pieces []Piece
	// at is the pointer of the list, and n how many elements it has.
	at string
	n  int
	// wrote are the values that stand as their tools wrote them.
	wrote []Schema
}

// pathRoom is what the pointer of a schema takes, as in
// /toolConfig/tools/10/toolSpec/inputSchema/json.
const pathRoom = 48

// defineTools writes the list of the tools, and counts it.
func (b *builder) defineTools() {
	if len(b.tools) == 0 {
		return
	}
	size := 64
	for i := range b.tools {
		t := &b.tools[i]
		size += len(t.Description) + len(t.Description)/16 + len(t.schema) + len(t.Native) + len(t.Name) + 128
	}
	w := writer{
		buf: make([]byte, 0, size), pieces: make([]Piece, 0, len(b.tools)),
		wrote: make([]Schema, 0, len(b.tools)), paths: make([]byte, 0, pathRoom*len(b.tools)), ends: make([]int, 0, len(b.tools)),
	}
	if b.form == Bedrock {
		w.path = append(w.path, "/toolConfig"...)
	}
	w.object()
	w.name("tools")
	at := w.pointer()
	w.array()
	if b.form == Gemini {
		w.item()
		w.object()
		w.name("functionDeclarations")
		w.array()
	}
	for i := range b.tools {
		w.item()
		b.define(&w, &b.tools[i])
	}
	if b.form == Gemini {
		w.end()
		w.end()
	}
	w.end()
	w.end()
	list := w.written()
	if b.r.Counter != nil {
		b.toolTokens = b.r.Counter.Count(list)
	}
	b.definitions = definitions{json: list[1 : len(list)-1], pieces: w.pieces, at: at, n: len(b.tools), wrote: w.schemas()}
}

// define writes one definition in the form's terms.
func (b *builder) define(w *writer, t *tool) {
	if len(t.Native) > 0 {
		w.asWritten(t, t.Native)
		_ = w.compact(t.Native) // valid, as was checked
		return
	}
	w.object()
	switch b.form {
	case Anthropic:
		w.definition(t, "input_schema")
	case OpenAIResponses:
		w.member("type", "function")
		w.definition(t, "parameters")
		if t.member("strict") == nil {
			w.name("strict") // or the provider rewrites the schema
			w.bool(false)
		}
	case Bedrock:
		w.name("toolSpec")
		w.object()
		w.definition(t, "")
		w.name("inputSchema")
		w.object()
		w.name("json")
		w.schema(t)
		w.end()
		w.further(t)
		w.end()
	case Gemini:
		w.definition(t, "parametersJsonSchema")
	case JSON:
		w.definition(t, "parameters")
	default:
		w.member("type", "function")
		w.name("function")
		w.object()
		w.definition(t, "parameters")
		w.end()
	}
	w.end()
}

// definition writes the name, the description, if there is one, and under a key the
// schema of a tool.
func (w *writer) definition(t *tool, schema string) {
	w.member("name", t.Name)
	if t.Description != "" {
		w.name("description")
		w.text(t.description)
	}
	if schema != "" {
		w.name(schema)
		w.schema(t)
		w.further(t)
	}
}

// further writes the other members of a tool's definition.
func (w *writer) further(t *tool) {
	for _, m := range t.members {
		w.name(m.Name)
		w.asWritten(t, m.Value)
		_ = w.compact(m.Value) // valid, as was checked
	}
}

// noParameters is the schema of a tool that takes none.
const noParameters = `{"type":"object","properties":{}}`

// schema writes the parameters of a tool.
func (w *writer) schema(t *tool) {
	if len(t.schema) == 0 {
		w.buf = append(w.buf, noParameters...)
		return
	}
	w.asWritten(t, t.schema)
	w.raw(t.schema)
}

// asWritten keeps that the value which is written next is the tool's own.
func (w *writer) asWritten(t *tool, value []byte) {
	w.wrote = append(w.wrote, Schema{Tool: t.Tool, Value: value})
	w.paths = append(w.paths, w.path...)
	w.ends = append(w.ends, len(w.paths))
}

// schemas are those values with their pointers, which are stretches of one text: there
// are as many as tools.
func (w *writer) schemas() []Schema {
	all, from := string(w.paths), 0
	for i, end := range w.ends {
		w.wrote[i].Pointer, from = all[from:end], end
	}
	return w.wrote
}

// writeTools puts the list into the body, with the mark behind it.
func (b *builder) writeTools() {
	d := &b.definitions
	if d.n == 0 {
		return
	}
	w := &b.w
	w.next()
	from := len(w.buf) + len(`"tools":`)
	w.pieces = append(w.pieces, d.pieces...)
	w.buf = append(w.buf, d.json...)
	if m := b.marks.tools; m != nil {
		b.markTools(m)
	}
	b.toolsAt = stretch{start: from, end: len(w.buf)}
	if b.form == Ollama {
		for i := range b.tools {
			b.dropped(&b.tools[i], d.pointer(i)+"/function/parameters")
		}
	}
}

// pointer is that of an element.
func (d *definitions) pointer(i int) string { return d.at + "/" + strconv.Itoa(i) }

// bearing is the last tool that may bear a breakpoint of Cento's: -1 where there is none, or
// where it has one.
func (b *builder) bearing() int {
	for i := range slices.Backward(b.tools) {
		t := &b.tools[i]
		if t.deferred() {
			continue
		}
		t.eachMark(b.rules.marked, func([]byte) { i = -1 })
		return i
	}
	return -1
}

// markTools marks the list that was just written: in the last element that may bear a
// breakpoint, or as an element of its own.
func (b *builder) markTools(m *mark) {
	w, d := &b.w, &b.definitions
	if b.form == Bedrock {
		w.buf = append(w.buf[:len(w.buf)-len("]")], `,{"cachePoint":`...)
		w.raw(b.markValue(m))
		w.buf = append(w.buf, "}]"...)
		b.marked(m, d.pointer(d.n))
		return
	}
	last := b.bearing()
	end := len(w.buf) - len("}]")
	list := w.buf[len(w.buf)-len(d.json)+len(`"tools":`):]
	if last < d.n-1 {
		elements, _ := elementsOf(list)
		end = len(w.buf) - len(list) + elements[last].end - len("}")
	}
	rest := string(w.buf[end:])
	w.buf = append(appendQuoted(append(w.buf[:end], ','), b.rules.marked), ':')
	w.raw(b.markValue(m))
	w.buf = append(w.buf, rest...)
	b.marked(m, d.pointer(last))
}
