package provenance

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/wire"
)

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

// InRequest tells where a text stands in what the body of a request says of the prompt, the
// tools and the reminders, white space folded, and whether letter case had to be set aside. What
// stands in the schemas of tools comes last. The strings are those of the body, by their
// pointers.
func (p Texts) InRequest(r *wire.Result, strs map[string]string, text string) (out []WirePiece, ignoredCase bool) {
	for _, try := range needle.Tries(text) {
		for i := 0; i < len(r.Map); {
			pointer := r.Map[i].Pointer
			last := i
			for last < len(r.Map) && r.Map[last].Pointer == pointer {
				last++
			}
			s := strs[pointer]
			found, _ := try.In(s, max(maxMatches-len(out), 0))
			for _, at := range found {
				for _, m := range r.Map[i:last] {
					start, end := max(m.Start, at[0]), min(m.End, at[1])
					if start >= end {
						continue
					}
					span := r.Spans[m.Span]
					piece := WirePiece{Pointer: pointer, Start: start, End: end, Fragment: span.Fragment, Trust: span.Trust, Text: s[start:end]}
					if span.File != "" {
						piece.Origin = placeIn(span, m, s, start)
					}
					out = append(out, piece)
				}
			}
			i = last
		}
		out = append(out, p.inSchemas(r, try, max(maxMatches-len(out), 0))...)
		if len(out) > 0 {
			return out, try.IgnoresCase()
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

// inSchemas tells where a text stands in the values that tools wrote, at most
// limit places. What isn't found in the file of its tool has the place of that.
func (p Texts) inSchemas(r *wire.Result, text needle.Needle, limit int) (out []WirePiece) {
	places := p.schemas()
	defer places.close()
	for _, schema := range r.Schemas {
		t := schema.Tool
		for _, x := range wordsOf(schema.Value) {
			if x.name {
				continue
			}
			found, _ := text.In(x.text, limit-len(out))
			for _, at := range found {
				piece := WirePiece{
					Pointer: schema.Pointer + x.pointer, Start: at[0], End: at[1], Fragment: "tool:" + t.Name, Trust: t.Trust, Text: x.text[at[0]:at[1]],
				}
				if t.Origin.File != "" {
					piece.Origin = &t.Origin
				}
				for _, s := range places.spans(t, x) {
					if place, ok := s.Locate(x.text, at[0]); ok && s.Start <= at[0] && at[0] < s.End {
						piece.Origin = &place
					}
				}
				out = append(out, piece)
			}
		}
	}
	return out
}
