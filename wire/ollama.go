package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/cento-dev/cento"
)

// Ollama runs a model with a window of the runner's, which is rarely the model's own: what
// num_ctx asks for, else what its server was told or chooses by the memory of the machine.
// Of a conversation that is longer it drops the oldest turns, and doesn't tell.
const (
	options    = "options"
	numPredict = "num_predict"
	numCtx     = "num_ctx"
	// leastWindow is what it chooses on a small machine.
	leastWindow = 4096
)

// Window is how much a request of the form may take, of which the further members are
// extra: what the model takes in, or the window that Ollama is asked to run it with where
// that is less. False where neither is known.
func (f Form) Window(m *cento.Model, extra json.RawMessage) (tokens int, known bool) {
	tokens, known = m.Window()
	if f != Ollama {
		return tokens, known
	}
	if asked, ok := runnerWindow(extra); ok && (!known || asked < tokens) {
		return asked, true
	}
	return tokens, known
}

// runnerWindow is the window that further members ask Ollama for.
func runnerWindow(extra json.RawMessage) (int, bool) {
	members, _ := membersIf(extra)
	for _, m := range members {
		if m.name != options {
			continue
		}
		inner, _ := membersOf(extra[m.start:m.end])
		for _, x := range inner {
			if x.name == numCtx {
				return wholeOf(extra[m.start:m.end][x.start:x.end])
			}
		}
	}
	return 0, false
}

// wholeOf is a number above 0 and without a fraction; false for another value.
func wholeOf(value []byte) (int, bool) {
	n, err := strconv.ParseFloat(string(value), 64)
	if whole := int(n); err == nil && n >= 1 && n <= 1<<53 && float64(whole) == n {
		return whole, true
	}
	return 0, false
}

// checkRunner tells when Ollama drops something of what is sent, or may do so. The tokens
// are those of all but the conversation, which counts here: nobody is told that it was cut.
func (b *builder) checkRunner(tokens int) {
	_, asked := runnerWindow(b.r.Extra)
	window, known := b.form.Window(b.model, b.r.Extra)
	most := leastWindow
	if known && (asked || window < most) {
		most = window
	}
	if tokens += b.spoken(most - tokens); tokens <= most {
		return
	}
	takes, with := fmt.Sprintf("the request takes about %d tokens", tokens), " with its conversation"
	if b.r.Partial {
		with = " without its conversation"
	}
	own, ok := b.model.Window()
	switch {
	case ok && tokens > own:
		b.lose(Loss{Code: CodeOverWindow, Message: fmt.Sprintf("%s%s, and %s takes in at most %d", takes, with, b.asked(), own)})
	case asked:
		b.lose(Loss{Code: CodeOverWindow, Pointer: "/" + options + "/" + numCtx, Message: fmt.Sprintf("%s%s, and num_ctx has Ollama run %s with %d: it drops what is more, the oldest turns first, and doesn't tell", takes, with, b.asked(), most)})
	default:
		b.lose(Loss{Code: CodeWindowUnknown, Message: fmt.Sprintf("%s%s, and on a small machine Ollama runs %s with %d unless num_ctx says otherwise: it drops what is more, the oldest turns first, and doesn't tell; give num_ctx in options of extra", takes, with, b.asked(), leastWindow)})
	}
}

// spoken is about what the conversation counts; 0 where that is no more than some tokens.
func (b *builder) spoken(room int) int {
	if b.r.Partial {
		return 0
	}
	var said []string
	size := 0
	add := func(text string) { said, size = append(said, text), size+len(text) }
	for i := range b.r.Messages {
		m := &b.r.Messages[i]
		add(m.Text)
		members, _ := membersIf(m.Raw)
		for _, x := range members {
			switch value := m.Raw[x.start:x.end]; {
			case x.name == "images": // count as the model has it
			case value[0] == '"':
				add(textOf(value))
			default:
				add(string(value))
			}
		}
	}
	if size <= room { // no token is less than a byte
		return 0
	}
	n := 0
	for _, text := range said {
		n += b.r.Counter.Count(text)
	}
	return n
}

// Ollama reads a tool's schema into types of its own (api.ToolFunctionParameters and
// api.ToolProperty): a keyword that they don't have is dropped, and a value that they can't
// hold makes the whole request unreadable for it.
var (
	ollamaTop = map[string]reads{
		"$defs": readsAny, "items": readsAny, "properties": readsProperties, "required": readsTexts, "type": readsText,
	}
	ollamaProperty = map[string]reads{
		"anyOf": readsAlternatives, "description": readsText, "enum": readsList, "items": readsAny, "properties": readsProperties, "type": readsTextOrTexts,
	}
)

// reads is what Ollama reads as the value of a keyword. It reads null everywhere.
type reads uint8

const (
	readsAny reads = iota
	readsText
	readsTexts
	readsTextOrTexts
	readsList
	readsAlternatives // schemas of properties
	readsProperties   // such schemas by name
)

var readable = map[reads]string{
	readsText: "a text", readsTexts: "a list of texts", readsTextOrTexts: "a text or a list of texts",
	readsList: "a list", readsAlternatives: "a list of schemas", readsProperties: "an object",
}

// dropped tells what Ollama drops of a tool's schema, and for what it refuses the request.
func (b *builder) dropped(t *tool, pointer string) {
	if len(t.schema) > 0 {
		o := ollamaSchema{b: b, fragment: "tool:" + t.Name}
		o.walk(t.schema, ollamaTop, pointer)
	}
}

type ollamaSchema struct {
	b        *builder
	fragment string
}

func (o *ollamaSchema) tell(at, message string) {
	o.b.lose(Loss{Code: CodeToolKeyword, Fragment: o.fragment, Pointer: at, Message: message})
}

// walk goes through a schema, an object, whose keywords are read as a table says.
func (o *ollamaSchema) walk(schema json.RawMessage, keywords map[string]reads, at string) {
	members, _ := membersOf(schema)
	slices.SortStableFunc(members, func(x, y stretch) int { return cmp.Compare(x.name, y.name) })
	for _, m := range members {
		value, here := schema[m.start:m.end], at+"/"+pointerEscaper.Replace(m.name)
		r, kept := keywords[m.name]
		switch {
		case !kept:
			o.tell(here, "Ollama drops this keyword of the schema")
		case !r.takes(value):
			o.tell(here, "Ollama refuses the request: it reads "+readable[r]+" here")
		case r == readsAlternatives:
			alternatives, _ := elementsOf(value)
			for i, x := range alternatives {
				o.property(value[x.start:x.end], here+"/"+strconv.Itoa(i))
			}
		case r == readsProperties:
			properties, _ := membersOf(value)
			slices.SortStableFunc(properties, func(x, y stretch) int { return cmp.Compare(x.name, y.name) })
			for _, p := range properties {
				o.property(value[p.start:p.end], here+"/"+pointerEscaper.Replace(p.name))
			}
		}
	}
}

// property goes through the schema of a property or of an alternative of it.
func (o *ollamaSchema) property(schema json.RawMessage, at string) {
	switch schema[0] {
	case '{':
		o.walk(schema, ollamaProperty, at)
	case 'n': // null says nothing
	default:
		o.tell(at, "Ollama refuses the request: it reads an object here, as in {\"type\": \"string\"}")
	}
}

// takes reports whether Ollama can read a value, so far as it isn't a schema.
func (r reads) takes(value json.RawMessage) bool {
	texts := func() bool {
		var list []string
		return json.Unmarshal(value, &list) == nil
	}
	switch first := value[0]; {
	case first == 'n':
		return true
	case r == readsText:
		return first == '"'
	case r == readsTexts:
		return texts()
	case r == readsTextOrTexts:
		return first == '"' || texts()
	case r == readsList, r == readsAlternatives:
		return first == '['
	case r == readsProperties:
		return first == '{'
	}
	return true
}
