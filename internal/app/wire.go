package app

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/wire"
)

// WireBody is a prompt as the request of a provider.
type WireBody struct {
	// Form is whose form it has.
	Form string `json:"form"`
	wire.Result
}

// WireOptions say what a request has beside the prompt.
type WireOptions struct {
	// Form is the name of a form; empty: the manifest's, else the model's. FormAt is
	// where it stands; zero for a flag.
	Form   string
	FormAt cento.Position
	// Messages are a conversation; nil for none.
	Messages []wire.Message
	// Partial leaves the conversation out.
	Partial bool
}

// WireForms are the names of the forms of requests.
func WireForms() []string { return wire.Forms() }

// Wire writes a prompt of the project, made of the input, as a request. The errors are
// those of [wire.Build], of messages that can't be read, and [wire.InvalidForm] where
// no form is chosen.
func (p *Project) Wire(in cento.Input, prompt *cento.Prompt, o WireOptions) (*WireBody, error) {
	r, chosen, err := p.WireRequest(in, prompt)
	if err != nil {
		return nil, err
	}
	if err := o.into(&r, chosen); err != nil {
		return nil, err
	}
	r.Counter = CounterOf(in)
	out, err := wire.Build(r)
	if err != nil {
		return nil, err
	}
	return &WireBody{Form: r.Form.String(), Result: *out}, nil
}

// into sets what the options say; chosen: the form of the request is known.
func (o WireOptions) into(r *wire.Request, chosen bool) error {
	switch {
	case o.Form != "":
		if err := r.Form.UnmarshalText([]byte(o.Form)); err != nil {
			return &cento.SourceError{
				Code: wire.InvalidForm, Position: o.FormAt, Message: "there is no form " + strconv.Quote(o.Form) + " of requests", Hint: nearestHint(o.Form, wire.Forms()),
			}
		}
	case !chosen:
		return &cento.SourceError{
			Code: wire.InvalidForm, Message: "the form of the request isn't known: no model is chosen, and the manifest names no form",
			Hint: "name one, of " + strings.Join(wire.Forms(), ", ") + ", or choose a model",
		}
	}
	r.Partial, r.Messages = o.Partial, o.Messages
	return nil
}

// ReadMessages reads a conversation, a JSON list; name is what errors show.
func ReadMessages(name string, data []byte) ([]wire.Message, error) {
	return manifest.ParseMessages(name, data, cento.Limits{})
}

// Wire is what the request of a turn has beside the prompt and the reminders: what the
// manifest says under wire, and the options, which name the form.
func (s *Sessions) Wire(o WireOptions) (*wire.Request, error) {
	r, chosen, err := s.site.WireRequest(s.request)
	if err == nil {
		err = o.into(&r, chosen)
	}
	return &r, err
}

func nearestHint(name string, known []string) string {
	if near := NearestName(name, known); near != "" {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return "it is one of " + strings.Join(known, ", ")
}

// WirePiece is a stretch of a body with where it is from.
type WirePiece struct {
	Pointer string `json:"pointer"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	// Fragment is the fragment's id, or `tool:<name>` for the description of a tool.
	Fragment string          `json:"fragment"`
	Origin   *cento.Position `json:"origin"`
	Trust    cento.Trust     `json:"trust"`
	Text     string          `json:"text"`
}

// Find tells where a text stands in what the body says of the prompt, the tools and
// the reminders, white space folded, and whether letter case had to be set aside. What
// stands in the schemas of tools comes last.
func (w *WireBody) Find(text string) (out []WirePiece, ignoredCase bool) {
	strs := w.strings()
	for _, ignoreCase := range []bool{false, true} {
		needle := strings.TrimSuffix(fold(text, ignoreCase).text, " ")
		for i := 0; i < len(w.Map); {
			pointer := w.Map[i].Pointer
			last := i
			for last < len(w.Map) && w.Map[last].Pointer == pointer {
				last++
			}
			s := strs[pointer]
			found, _ := fold(s, ignoreCase).find(needle, max(maxMatches-len(out), 0))
			for _, at := range found {
				for _, m := range w.Map[i:last] {
					start, end := max(m.Start, at[0]), min(m.End, trimEnd(s, at[0], at[1]))
					if start >= end {
						continue
					}
					span := w.Spans[m.Span]
					p := WirePiece{Pointer: pointer, Start: start, End: end, Fragment: span.Fragment, Trust: span.Trust, Text: s[start:end]}
					if span.File != "" {
						p.Origin = placeIn(span, m, s, start)
					}
					out = append(out, p)
				}
			}
			i = last
		}
		out = append(out, w.inSchemas(needle, ignoreCase, max(maxMatches-len(out), 0))...)
		if len(out) > 0 {
			return out, ignoreCase
		}
	}
	return out, false
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

// inSchemas tells where a folded needle stands in the values that tools wrote, at most
// limit places. Each has the place of its tool.
func (w *WireBody) inSchemas(needle string, ignoreCase bool, limit int) (out []WirePiece) {
	for _, schema := range w.Schemas {
		t := schema.Tool
		for _, x := range wordsOf(schema.Value) {
			if x.name {
				continue
			}
			found, _ := fold(x.text, ignoreCase).find(needle, limit-len(out))
			for _, at := range found {
				end := trimEnd(x.text, at[0], at[1])
				p := WirePiece{
					Pointer: schema.Pointer + x.pointer, Start: at[0], End: end, Fragment: "tool:" + t.Name, Trust: t.Trust, Text: x.text[at[0]:end],
				}
				if t.Origin.File != "" {
					p.Origin = &t.Origin
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// strings are the strings of the body that the map knows.
func (w *WireBody) strings() map[string]string {
	out := map[string]string{}
	if w.Form == wire.Text.String() {
		out[""] = w.Body
		return out
	}
	var v any
	if json.Unmarshal([]byte(w.Body), &v) != nil {
		return out // a body is JSON
	}
	for _, p := range w.Map {
		if _, ok := out[p.Pointer]; ok {
			continue
		}
		at := v
		for _, step := range strings.Split(p.Pointer, "/")[1:] {
			step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			switch in := at.(type) {
			case map[string]any:
				at = in[step]
			case []any:
				if n, err := strconv.Atoi(step); err == nil && n < len(in) {
					at = in[n]
				}
			}
		}
		out[p.Pointer], _ = at.(string)
	}
	return out
}
