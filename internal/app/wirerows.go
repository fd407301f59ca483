package app

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// WireKind is what a row of a request is part of.
type WireKind = wire.PartKind

// WireRow is a part of a body: a stretch of a string with the fragment that it is of,
// or the definition of a tool.
type WireRow struct {
	Kind     WireKind
	Pointer  string
	Fragment string
	// Bytes and Tokens add up over the rows of a kind, see [WireBody.Rows].
	Bytes  int
	Tokens int
}

// The kinds of rows.
const (
	WireSystem    = wire.SystemPart
	WireTool      = wire.ToolPart
	WireReminders = wire.MessagePart
)

// Rows are the parts of a body: first the system prompt, then the tools, then the
// reminders, each in the order of the body. A row has as many tokens as the text has
// more with it than up to it, so that those of the system prompt add up to SystemTokens,
// and those of the tools to ToolTokens: tokens reach over the seams of fragments, and
// counts of the fragments alone wouldn't.
func (w *WireBody) Rows(counter cento.Counter) []WireRow {
	strs := w.body().Strings()
	prompt := w.promptSpans()
	var system, reminders []WireRow
	var text []byte
	var ends []int
	for i := 0; i < len(w.Map); {
		first := i
		for i < len(w.Map) && w.Map[i].Pointer == w.Map[first].Pointer {
			i++
		}
		pieces := w.Map[first:i]
		s := strs[pieces[0].Pointer]
		switch {
		case pieces[0].Span < prompt:
			from := len(text)
			text = append(text, s[pieces[0].Start:pieces[len(pieces)-1].End]...)
			var own []int
			system, own = w.stretches(system, WireSystem, pieces)
			for _, end := range own {
				ends = append(ends, from+end)
			}
		case !w.describes(pieces[0].Pointer):
			from := len(reminders)
			var own []int
			reminders, own = w.stretches(reminders, WireReminders, pieces)
			share(reminders[from:], s[pieces[0].Start:pieces[len(pieces)-1].End], own, counter)
		}
	}
	share(system, string(text), ends, counter)
	return slices.Concat(system, w.toolRows(counter), reminders)
}

// promptSpans is how many spans are of the prompt: they tile it, and behind them offsets
// begin anew.
func (w *WireBody) promptSpans() int {
	if w.SystemTokens != nil && *w.SystemTokens == 0 {
		return 0
	}
	n, at := 0, 0
	for n < len(w.Spans) && w.Spans[n].Start == at {
		at = w.Spans[n].End
		n++
	}
	return n
}

// describes reports whether a string stands in the definition of a tool.
func (w *WireBody) describes(pointer string) bool {
	return strings.HasPrefix(pointer, "/tools/") || strings.HasPrefix(pointer, "/toolConfig/")
}

// stretches appends a row for each fragment of a string, and gives where each ends,
// counted from where the first begins. What joins two is of the one behind it.
func (w *WireBody) stretches(rows []WireRow, kind WireKind, pieces []wire.Piece) (out []WireRow, ends []int) {
	at := pieces[0].Start
	for i := 0; i < len(pieces); {
		id := w.Spans[pieces[i].Span].Fragment
		row := WireRow{Kind: kind, Pointer: pieces[i].Pointer, Fragment: id}
		for i < len(pieces) && w.Spans[pieces[i].Span].Fragment == id {
			row.Bytes += pieces[i].End - at
			at = pieces[i].End
			i++
		}
		rows, ends = append(rows, row), append(ends, at-pieces[0].Start)
	}
	return rows, ends
}

// toolRows are the definitions of the tools as they are written, without marks of the
// prompt cache.
func (w *WireBody) toolRows(counter cento.Counter) []WireRow {
	var body struct {
		Tools  []json.RawMessage `json:"tools"`
		Config struct {
			Tools []json.RawMessage `json:"tools"`
		} `json:"toolConfig"`
	}
	if w.Form == wire.Text.String() || json.Unmarshal([]byte(w.Body), &body) != nil {
		return nil
	}
	list, at, begin, end := body.Tools, "/tools", `{"tools":[`, `]}`
	switch w.Form {
	case wire.Bedrock.String():
		list, at = body.Config.Tools, "/toolConfig/tools"
	case wire.Gemini.String():
		var group struct {
			Declared []json.RawMessage `json:"functionDeclarations"`
		}
		if len(list) > 0 && json.Unmarshal(list[0], &group) == nil {
			list, at, begin, end = group.Declared, "/tools/0/functionDeclarations", begin+`{"functionDeclarations":[`, `]}`+end
		}
	}
	marked := map[string]bool{}
	for _, b := range w.Breakpoints {
		marked[b.Pointer] = true
	}
	var rows []WireRow
	var ends []int
	text := []byte(begin)
	for i, definition := range list {
		row := WireRow{Kind: WireTool, Pointer: at + "/" + strconv.Itoa(i)}
		if marked[row.Pointer] {
			cut := strings.LastIndex(string(definition), `,"cache_control":`)
			if cut < 0 { // Bedrock's mark, an element of its own
				continue
			}
			definition = append(slices.Clone(definition[:cut]), '}')
		}
		row.Fragment = "tool:" + definedName(definition)
		if len(rows) > 0 {
			text = append(text, ',')
		}
		text = append(text, definition...)
		rows, ends = append(rows, row), append(ends, len(text))
	}
	if len(rows) == 0 {
		return nil
	}
	text = append(text, end...)
	ends[len(ends)-1] = len(text)
	for i := range rows {
		rows[i].Bytes = ends[i]
		if i > 0 {
			rows[i].Bytes -= ends[i-1]
		}
	}
	share(rows, string(text), ends, counter)
	return rows
}

// definedName is the name in a definition; of a tool that the provider runs it may be
// its type.
func definedName(definition json.RawMessage) string {
	type named struct {
		Name string `json:"name"`
	}
	var d struct {
		named
		Type     string `json:"type"`
		Function named  `json:"function"`
		Spec     named  `json:"toolSpec"`
	}
	_ = json.Unmarshal(definition, &d) // what is of another shape has no name
	return cmp.Or(d.Name, d.Function.Name, d.Spec.Name, d.Type)
}

// share gives each row its tokens of a text: ends are where the rows end in it.
func share(rows []WireRow, text string, ends []int, counter cento.Counter) {
	if len(rows) == 0 {
		return
	}
	all := counter.Count(text)
	upTo := countsUpTo(text, ends, counter)
	before := 0
	for i := range rows {
		// A token that ends in the middle of another may count more than both: no row
		// takes from the one before it.
		n := min(max(upTo[i], before), all)
		if i == len(rows)-1 {
			n = all
		}
		rows[i].Tokens, before = n-before, n
	}
}

// countsUpTo are the tokens of the beginnings of a text that end where the ascending
// ends say. A counter that says where counts add up is asked for each stretch once.
func countsUpTo(text string, ends []int, counter cento.Counter) []int {
	out := make([]int, len(ends))
	parts, byParts := counter.(cento.PartCounter)
	cut, weight := 0, 0 // before cut the text weighs as much, whatever is behind it
	for i, end := range ends {
		if !byParts {
			out[i] = counter.Count(text[:end])
			continue
		}
		for at := end - 1; at > max(cut, end-splitBytes); at-- {
			if parts.Splits(text[cut:at], text[at:end]) {
				weight += parts.Weigh(text[cut:at])
				cut = at
				break
			}
		}
		out[i] = parts.Tokens(weight + parts.Weigh(text[cut:end]))
	}
	return out
}

// splitBytes is how far before the end of a stretch a place is looked for where counts
// add up.
const splitBytes = 64
