package page

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/cento-dev/cento"
)

// Parts are the page of an explanation in parts, for an inspector that shows them anew
// while something is changed. What is markup is that of the page from a disk, in which
// every text of a prompt is escaped.
type Parts struct {
	Title  string `json:"title"`
	About  string `json:"about"`
	Facts  string `json:"facts"`
	Legend string `json:"legend"`
	Notes  string `json:"notes"`
	Counts string `json:"counts"`
	// Unit and Size are the classes of the rows and of the page.
	Unit string `json:"unit"`
	Size string `json:"size"`
	// None stands where a prompt would be; empty where there is one with text.
	None string `json:"none"`

	// Order are the names of the pieces of the fragments, in the order of the trace. A
	// name is made of what is in the piece, so one that is known already is not sent.
	Order []string `json:"order"`
	// Pieces are those that weren't known, by their names. They are sent as
	// [Parts.EncodedPieces] has them.
	Pieces map[string]json.RawMessage `json:"-"`
	// Prompt are the fragments of the prompt in its order, by their places in Order;
	// null when there is no prompt.
	Prompt []int `json:"prompt"`
	// Stretches are how many of those stand in one stretch, and how tall each is
	// guessed; null where the page isn't long.
	Stretches [][2]int `json:"stretches"`
	// Rows are how many rows stand in one list.
	Rows int    `json:"rows"`
	Map  []mark `json:"map"`

	// The facts of the whole that details need.
	Digest *string                   `json:"digest"`
	Bytes  int                       `json:"bytes"`
	Budget *cento.BudgetReport       `json:"budget"`
	Values map[string]cento.Position `json:"values"`
}

// piece is all that the page shows of a fragment.
type piece struct {
	// Block and Row are the markup of its text and of its place in the list. What they
	// are numbered by is the page's to say.
	Block string      `json:"block"`
	Row   string      `json:"row"`
	Trace cento.Trace `json:"trace"`
	// Text is what the prompt has of it, and Spans what that consists of.
	Text     string      `json:"text"`
	Spans    []pieceSpan `json:"spans"`
	Hue      string      `json:"hue"`
	Whose    string      `json:"whose"`
	Stranger string      `json:"stranger"`
}

// pieceSpan is a passage behind the one before.
type pieceSpan struct {
	Length   int    `json:"length"` // in bytes
	Kind     string `json:"kind"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	LastLine int    `json:"last_line,omitempty"`
	Var      string `json:"var,omitempty"`
	Trust    string `json:"trust"`
	Stranger string `json:"stranger,omitempty"`
}

// Split writes the page of an explanation in parts, without the pieces whose names are
// known. Its error is an [InvalidExplanation].
func Split(p Page, e *cento.Explanation, known map[string]bool) (*Parts, error) {
	v, err := newView(p, e)
	if err != nil {
		return nil, err
	}
	out := &Parts{Pieces: map[string]json.RawMessage{}, Order: []string{}, Rows: max(len(e.Fragments), 1), Map: v.marks(), Digest: e.Digest, Bytes: e.Bytes, Budget: e.Budget, Values: p.Values}
	fields := reflect.ValueOf(out).Elem()
	for _, mark := range []string{"title", "about", "facts", "legend", "notes", "counts", "unit", "size"} {
		text, err := written(func(w *writer) error { return v.fill(w, mark) })
		if err != nil {
			return nil, err
		}
		fields.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, mark) }).SetString(text)
	}
	if v.long {
		out.Rows = stretchBlocks
	}
	if v.text() == "" {
		if out.None, err = written(func(w *writer) error { v.prompt(w); return nil }); err != nil {
			return nil, err
		}
		out.None, _, _ = strings.Cut(out.None, "<div")
	}
	return out, v.pieces(out, known)
}

// EncodedPieces are the pieces as one object, in the order of the trace.
func (p *Parts) EncodedPieces() []byte {
	size := 2
	for name, encoded := range p.Pieces {
		size += len(name) + len(encoded) + len(`"":,`)
	}
	b, next := append(make([]byte, 0, size), '{'), ""
	for _, name := range p.Order {
		if encoded, is := p.Pieces[name]; is {
			b = fmt.Appendf(b, "%s%q:", next, name) // a name has nothing that is escaped
			b, next = append(b, encoded...), ","
		}
	}
	return append(b, '}')
}

// written is what a function writes.
func written(write func(*writer) error) (string, error) {
	var b strings.Builder
	w := &writer{bufio.NewWriter(&b)}
	if err := write(w); err != nil {
		return "", err
	}
	err := w.Flush()
	return b.String(), err
}

// pieces puts the fragments into the parts of the page.
func (v *view) pieces(out *Parts, known map[string]bool) error {
	all := make([]piece, len(v.e.Fragments))
	if v.e.System != nil {
		out.Prompt = []int{}
	}
	var text bytes.Buffer
	w := &writer{bufio.NewWriter(&text)}
	of := func(write func()) (string, error) {
		text.Reset()
		write()
		err := w.Flush()
		return text.String(), err
	}
	var err error
	b := blocks{writer: w, view: v, spans: v.spans, unnumbered: true}
	for rest := v.extents; len(rest) > 0; {
		n := v.stretch(rest)
		if v.long {
			out.Stretches = append(out.Stretches, [2]int{n, tall(v.text()[rest[0].start:rest[n-1].end])})
		}
		for _, x := range rest[:n] {
			p := &all[x.fragment]
			if p.Spans != nil {
				return invalid("fragment %q stands in two places of the prompt", v.e.Fragments[x.fragment].ID)
			}
			out.Prompt = append(out.Prompt, x.fragment)
			spans := b.spans
			if p.Block, err = of(func() { b.fragment(x) }); err != nil {
				return err
			}
			p.Text = v.text()[x.start:x.end]
			for _, s := range spans[:len(spans)-len(b.spans)] {
				p.Spans = append(p.Spans, pieceSpan{s.End - s.Start, s.Kind.String(), s.File, s.Line, s.Column, s.LastLine, s.Var, s.Trust.String(), s.Stranger})
			}
		}
		rest = rest[n:]
	}
	for i := range all {
		p := &all[i]
		if p.Row, err = of(func() { v.row(w, -1, i) }); err != nil {
			return err
		}
		p.Trace = v.e.Fragments[i]
		p.Trace.Span = nil // it is the sum of what stands before
		p.Hue, p.Whose, p.Stranger = hue(p.Trace.Source), v.whose[i].label, v.whose[i].stranger
		name, encoded, err := p.named()
		if err != nil {
			return err
		}
		if out.Order = append(out.Order, name); !known[name] {
			out.Pieces[name] = encoded
		}
	}
	return nil
}

// named gives a piece as the page reads it, and the name that it has for that.
func (p *piece) named() (string, json.RawMessage, error) {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false) // it is in no markup
	if err := encoder.Encode(p); err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(encoded.Bytes())
	return base64.RawURLEncoding.EncodeToString(sum[:16]), encoded.Bytes(), nil
}
