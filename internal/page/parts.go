package page

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
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
	// Removed lists texts that are in no fragment or were cut from one.
	Removed string `json:"removed"`
	// Unit and Size are the classes of the rows and of the page.
	Unit string `json:"unit"`
	Size string `json:"size"`
	// None stands where a prompt would be; empty where there is one with text.
	None string `json:"none"`

	// Order are the names of the pieces of the fragments, in the order of the trace. A
	// name is made of what is in the piece, so one that is known already is not sent.
	Order []string `json:"order"`
	// Heads are what the whole page is laid out by, for each name; null for one that is
	// known.
	Heads []*head `json:"heads"`
	// Pieces are the rest of those that weren't known, in their order. They are sent as
	// [Parts.EncodedPieces] has them.
	Pieces []json.RawMessage `json:"-"`
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

// head is what the page has to know of every fragment before any is looked at.
type head struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Included bool   `json:"included"`
	Hue      string `json:"hue"`
	// Text is what the prompt has of it, of so many bytes.
	Text  string `json:"text"`
	Bytes int    `json:"bytes"`
}

// piece is all else that the page shows of a fragment. It is read when that is near the
// screen, or asked for.
type piece struct {
	// Block and Row are the markup of its text and of its place in the list. What they
	// are numbered by is the page's to say.
	Block string     `json:"block"`
	Row   string     `json:"row"`
	Trace pieceTrace `json:"trace"`
	// Spans are what its text in the prompt consists of.
	Spans    []pieceSpan `json:"spans"`
	Whose    string      `json:"whose"`
	Stranger string      `json:"stranger,omitempty"`
}

// pieceTrace is what details tell of a trace, without what is empty and what the head has.
type pieceTrace struct {
	ID         string             `json:"id"`
	Source     string             `json:"source"`
	Included   bool               `json:"included,omitempty"`
	Reason     string             `json:"reason"`
	Code       cento.Code         `json:"code"`
	Bytes      int                `json:"bytes,omitempty"`
	Tokens     *int               `json:"tokens"`
	Digest     string             `json:"digest,omitempty"` // as much as is shown
	Section    *string            `json:"section,omitempty"`
	Layer      *string            `json:"layer,omitempty"`
	Origin     *cento.Position    `json:"origin,omitempty"`
	OutAt      *cento.Position    `json:"out_at,omitempty"`
	Stability  cento.Stability    `json:"stability"`
	Protected  bool               `json:"protected,omitempty"`
	Importance cento.Importance   `json:"importance"`
	Variant    int                `json:"variant,omitempty"`
	Budget     *cento.TraceBudget `json:"budget,omitempty"`
	Text       string             `json:"text,omitempty"`
	Notes      []cento.TextNote   `json:"notes,omitempty"`
	Unmet      []cento.Unmet      `json:"unmet,omitempty"`
}

func pieceTraceOf(t *cento.Trace) pieceTrace {
	out := pieceTrace{
		ID: t.ID, Source: t.Source, Included: t.Included, Reason: t.Reason, Code: t.Code, Bytes: t.Bytes, Tokens: t.Tokens,
		Section: t.Section, Layer: t.Layer, Origin: t.Origin, OutAt: t.OutAt, Stability: t.Stability, Protected: t.Protected, Importance: t.Importance,
		Variant: t.Variant, Budget: t.Budget, Text: t.Text, Notes: t.Notes, Unmet: t.Unmet,
	}
	if t.Digest != nil {
		out.Digest = (*t.Digest)[:min(len(*t.Digest), shownDigest)]
	}
	return out
}

// shownDigest is how much of the digest of a text the page shows.
const shownDigest = 12

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
	// MadeBy is told where no file says more.
	MadeBy cento.Maker `json:"made_by,omitzero"`
}

// Split writes the page of an explanation in parts, without the pieces whose names are
// known. Its error is an [InvalidExplanation].
func Split(p Page, e *cento.Explanation, known map[string]bool) (*Parts, error) {
	v, err := newView(p, e)
	if err != nil {
		return nil, err
	}
	v.together = partBlocks
	out := &Parts{Order: []string{}, Heads: []*head{}, Rows: max(len(e.Fragments), 1), Map: v.marks(), Digest: e.Digest, Bytes: e.Bytes, Budget: e.Budget, Values: p.Values}
	fields := reflect.ValueOf(out).Elem()
	for _, mark := range []string{"title", "about", "facts", "legend", "notes", "counts", "removed", "unit", "size"} {
		text, err := written(func(w *writer) error { return v.fill(w, mark) })
		if err != nil {
			return nil, err
		}
		fields.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, mark) }).SetString(text)
	}
	if v.long {
		out.Rows = v.together
	}
	if v.text() == "" {
		if out.None, err = written(func(w *writer) error { v.prompt(w); return nil }); err != nil {
			return nil, err
		}
		out.None, _, _ = strings.Cut(out.None, "<div")
	}
	return out, v.pieces(out, known)
}

// EncodedPieces are the pieces as one list, each on a line of its own behind a first
// that holds none: whoever reads lines reads one piece without the others.
func (p *Parts) EncodedPieces() []byte {
	size := len("[null\n]")
	for _, encoded := range p.Pieces {
		size += len(",") + len(encoded)
	}
	b := append(make([]byte, 0, size), "[null\n"...)
	for _, encoded := range p.Pieces {
		b = append(append(b, ','), encoded...)
	}
	return append(b, ']')
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
	all, heads := make([]piece, len(v.e.Fragments)), make([]head, len(v.e.Fragments))
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
			heads[x.fragment].Text, heads[x.fragment].Bytes = v.text()[x.start:x.end], x.end-x.start
			for _, s := range spans[:len(spans)-len(b.spans)] {
				one := pieceSpan{s.End - s.Start, s.Kind.String(), s.File, s.Line, s.Column, s.LastLine, s.Var, s.Trust.String(), s.Stranger, s.MadeBy}
				if s.File != "" {
					one.MadeBy = 0
				}
				p.Spans = append(p.Spans, one)
			}
		}
		rest = rest[n:]
	}
	for i := range all {
		p := &all[i]
		if p.Row, err = of(func() { v.row(w, -1, i) }); err != nil {
			return err
		}
		p.Trace = pieceTraceOf(&v.e.Fragments[i])
		p.Whose, p.Stranger = v.whose[i].label, v.whose[i].stranger
		h := &heads[i]
		h.ID, h.Source, h.Included, h.Hue = p.Trace.ID, p.Trace.Source, p.Trace.Included, hue(p.Trace.Source)
		name, encoded, err := named(h, p)
		if err != nil {
			return err
		}
		if known[name] {
			h = nil
		} else {
			out.Pieces = append(out.Pieces, encoded)
		}
		out.Order, out.Heads = append(out.Order, name), append(out.Heads, h)
	}
	return nil
}

// named gives a piece as the page reads it, and the name that it has for that and its
// head.
func named(h *head, p *piece) (string, json.RawMessage, error) {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false) // it is in no markup
	if err := encoder.Encode(h); err != nil {
		return "", nil, err
	}
	behind := encoded.Len()
	if err := encoder.Encode(p); err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(encoded.Bytes())
	return base64.RawURLEncoding.EncodeToString(sum[:16]), encoded.Bytes()[behind:], nil
}
