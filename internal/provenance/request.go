package provenance

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/wire"
)

// WirePiece is a stretch of a body with where it is from.
type WirePiece struct {
	Pointer string `json:"pointer"`
	// Name: the stretch is one of the name of the member that Pointer leads to, and not of
	// its value.
	Name  bool `json:"name,omitempty"`
	Start int  `json:"start"`
	End   int  `json:"end"`
	// Fragment is the fragment's id, or `tool:<name>` for what the definition of a tool
	// says; empty for what is neither.
	Fragment string          `json:"fragment"`
	Origin   *cento.Position `json:"origin"`
	Trust    cento.Trust     `json:"trust"`
	// Reason says what the text is that is no fragment's, such as the model; empty for
	// others.
	Reason string `json:"reason,omitempty"`
	Text   string `json:"text"`
}

// A RequestBody is a request of a provider that a text is looked up in.
type RequestBody struct {
	*wire.Result
	// Plain: the body is the prompt as it is, and no JSON.
	Plain bool
}

// words are the strings, names and literals of the body, in its order.
func (r RequestBody) words() []word {
	if r.Plain {
		return []word{{text: r.Body}}
	}
	return wordsOf([]byte(r.Body))
}

// Strings are the strings of the body by their pointers.
func (r RequestBody) Strings() map[string]string {
	out := map[string]string{}
	for _, w := range r.words() {
		if !w.name && !w.literal {
			out[w.pointer] = w.text
		}
	}
	return out
}

// InRequest tells where a text stands in the body of a request, white space folded, and
// whether letter case had to be set aside: in what it says of the prompt and the reminders,
// then in the definitions of tools, down to names in their schemas; and where none of these
// has it, in what else stands in the body, such as the model. At most [maxMatches] places
// are told, and more is how many there are beside them.
func (p Texts) InRequest(r RequestBody, text string, exact bool) (out []WirePiece, more int, ignoredCase bool) {
	b := p.bodyOf(r)
	defer b.places.close()
	for _, try := range needle.Tries(text) {
		if exact && try.IgnoresCase() {
			break
		}
		for _, kinds := range [][]partKind{{partText, partTool}, {partForm}} {
			for _, kind := range kinds {
				found, rest := b.find(kind, try, maxMatches-len(out))
				out, more = append(out, found...), more+rest
			}
			if len(out)+more > 0 {
				return out, more, try.IgnoresCase()
			}
		}
	}
	return nil, 0, false
}

// NamedInRequest returns the places in the body of a request that a fragment or the
// definition of a tool has, given its id, and how many there are beside [maxMatches].
func (p Texts) NamedInRequest(r RequestBody, id string) (out []WirePiece, more int) {
	b := p.bodyOf(r)
	defer b.places.close()
	for i, w := range b.words {
		if w.name || w.text == "" {
			continue
		}
		for _, x := range b.pieces(i, [2]int{0, len(w.text)}) {
			last := len(out) - 1
			switch {
			case x.Fragment != id:
			case last >= 0 && out[last].Pointer == x.Pointer && out[last].End == x.Start:
				out[last].End, out[last].Text, out[last].Trust = x.End, out[last].Text+x.Text, min(out[last].Trust, x.Trust)
			case len(out) < maxMatches:
				out = append(out, x)
			default:
				more++
			}
		}
	}
	return out, more
}

// partKind says whose a string of a body is.
type partKind uint8

const (
	partText partKind = iota // the prompt's, the reminders' or a description's, by the map
	partTool                 // else of the definition of a tool
	partForm                 // neither
)

// body is a request as its strings and names.
type body struct {
	Texts
	*wire.Result
	words  []word
	mapped map[string][]wire.Piece
	kinds  []partKind    // of each word
	tools  []*cento.Tool // of each word of a tool
	from   []string      // the pointer of the schema that each word is in; empty for none
	places *schemas
}

func (p Texts) bodyOf(r RequestBody) *body {
	b := &body{Texts: p, Result: r.Result, words: r.words(), mapped: map[string][]wire.Piece{}, places: p.schemas()}
	for _, m := range r.Map {
		b.mapped[m.Pointer] = append(b.mapped[m.Pointer], m)
	}
	tools := map[string]*cento.Tool{}
	for i := range p.project.Input.Tools {
		t := &p.project.Input.Tools[i]
		tools[t.Name] = t
	}
	schemas := map[string]*cento.Tool{}
	for _, x := range r.Schemas {
		schemas[x.Pointer] = x.Tool
	}
	for _, w := range b.words {
		kind, tool, schema := partForm, (*cento.Tool)(nil), ""
		switch {
		case !w.name && b.mapped[w.pointer] != nil:
			kind = partText
		case strings.HasPrefix(w.pointer, "/tool"):
			if tool, schema = wroteBy(schemas, w); tool == nil && !w.name && namesTool(w.pointer) {
				tool = tools[w.text]
			}
			if tool != nil {
				kind = partTool
			}
		}
		b.kinds, b.tools, b.from = append(b.kinds, kind), append(b.tools, tool), append(b.from, schema)
	}
	return b
}

// wroteBy is the tool that wrote a word, and the pointer of the value that it wrote; nil for
// none. The name of the member that has the value is the form's.
func wroteBy(wrote map[string]*cento.Tool, w word) (*cento.Tool, string) {
	for end := 1; end <= len(w.pointer); end++ {
		if end < len(w.pointer) && w.pointer[end] != '/' || end == len(w.pointer) && w.name {
			continue
		}
		if t := wrote[w.pointer[:end]]; t != nil {
			return t, w.pointer[:end]
		}
	}
	return nil, ""
}

// namesTool reports whether the name of a tool stands at a pointer: that of its definition,
// in any form.
func namesTool(pointer string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(pointer, "/toolConfig"), "/tools/")
	return ok && strings.HasSuffix(rest, "/name")
}

// find tells where a text stands in the strings of a kind, at most limit places.
func (b *body) find(kind partKind, text needle.Needle, limit int) (out []WirePiece, more int) {
	for i, w := range b.words {
		if b.kinds[i] != kind {
			continue
		}
		found, rest := text.In(w.text, limit-len(out))
		more += rest
		for _, at := range found {
			out = append(out, b.pieces(i, at)...)
		}
	}
	return out, more
}

// pieces are the parts of a stretch of a word by whose they are.
func (b *body) pieces(i int, at [2]int) (out []WirePiece) {
	w := b.words[i]
	piece := WirePiece{Pointer: w.pointer, Name: w.name, Start: at[0], End: at[1], Text: w.text[at[0]:at[1]]}
	switch t := b.tools[i]; {
	case b.kinds[i] == partText:
		for _, m := range b.mapped[w.pointer] {
			start, end := max(m.Start, at[0]), min(m.End, at[1])
			if start >= end {
				continue
			}
			span := b.Spans[m.Span]
			piece.Start, piece.End, piece.Text = start, end, w.text[start:end]
			piece.Fragment, piece.Trust, piece.Origin = span.Fragment, span.Trust, nil
			if span.File != "" {
				piece.Origin = placeIn(span, m, w.text, start)
			}
			out = append(out, piece)
		}
		return out
	case t != nil && b.from[i] == "":
		piece.Fragment, piece.Trust, piece.Origin = "tool:"+t.Name, t.Trust, place(b.places.nameAt(t, at[0]))
	case t != nil:
		piece.Fragment, piece.Trust = "tool:"+t.Name, t.Trust
		inTool := w
		inTool.pointer = strings.TrimPrefix(w.pointer, b.from[i])
		member := b.from[i][strings.LastIndexByte(b.from[i], '/')+1:]
		if !slices.ContainsFunc(t.Members, func(m cento.ToolMember) bool { return m.Name == member }) {
			member = "" // the schema
		}
		piece.Origin = place(inSpans(w.text, b.places.spans(t, member, inTool), t.Origin)(at[0]))
	default:
		piece.Reason, piece.Origin, piece.Trust = b.ofForm(w)
	}
	return append(out, piece)
}

// place is a position; nil for none.
func place(at cento.Position) *cento.Position {
	if at.File == "" {
		return nil
	}
	return &at
}

// bounds are the names by which forms say how long an answer may be.
var bounds = []string{"max_tokens", "max_completion_tokens", "max_output_tokens", "maxTokens", "maxOutputTokens", "num_predict"}

// caches are those of what is about the prompt cache.
var caches = []string{"cache_control", "cachePoint", "prompt_cache_breakpoint", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"}

// ofForm says what a word is that no fragment and no tool says: what it is, where the
// manifest says it, and whose word that is.
func (b *body) ofForm(w word) (reason string, at *cento.Position, trust cento.Trust) {
	steps := stepsOf(w.pointer)
	has := func(names []string) bool {
		return slices.ContainsFunc(steps, func(s string) bool { return slices.Contains(names, s) })
	}
	extra := append([]string{"wire", "extra"}, steps...)
	switch {
	case !b.project.SettingPosition(extra...).IsZero(): // of Ollama's options some are the form's
		added := b.project.SettingPosition(extra...)
		if w.name {
			added = b.project.SettingNamePosition(extra...)
		}
		return "`wire.extra` in the manifest adds it", place(added), cento.TrustWorkspace
	case w.name && len(steps) == 1 || w.name && !has([]string{"messages", "contents", "input"}):
		return "the form of the request has the name", nil, cento.TrustBuiltin
	case steps[0] == "model":
		if at = place(b.project.ModelPosition()); at == nil {
			return "the model, as the caller names it", nil, cento.TrustHost
		}
		return "the model", at, cento.TrustWorkspace
	case has(bounds):
		if at = place(b.project.SettingPosition("wire", "max_tokens")); at != nil {
			return "the most tokens of an answer", at, cento.TrustWorkspace
		}
		return "the most tokens of an answer, by the model", nil, cento.TrustBuiltin
	case has(caches):
		return "a mark of the prompt cache", place(b.project.SettingPosition("wire", "cache")), cento.TrustBuiltin
	case steps[0] == "messages" || steps[0] == "contents" || steps[0] == "input":
		if slices.ContainsFunc(b.Losses, func(l wire.Loss) bool { return l.Code == wire.CodePlaceholder }) {
			return "a turn that stands there since there is no conversation", nil, cento.TrustBuiltin
		}
		return "the conversation", nil, cento.TrustSession
	}
	return "the form of the request has it", nil, cento.TrustBuiltin
}

// placeIn is where a byte of a string of the body is from; m is the stretch of the string
// that the span has. A span of which only a part stands there is told by its first byte:
// which part it is isn't known.
func placeIn(span cento.Span, m wire.Piece, s string, offset int) *cento.Position {
	at := cento.Position{File: span.File, Line: span.Line, Column: span.Column}
	if m.End-m.Start == span.End-span.Start {
		span.Start, span.End = m.Start, m.End
		at, _ = span.Locate(s, offset)
	}
	return &at
}
