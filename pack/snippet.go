package pack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// snippet is the wording of one key.
type snippet struct {
	origin cento.Position
	trust  cento.Trust
	// template is the text, compiled. The function may be called by several
	// goroutines.
	template func() (*jinja.Template, error)
	// runs tell where the text's bytes stand where it is a part of a file that
	// is written another way; nil when the text is a file of its own.
	runs []cento.Run
	text string
	// set is what an override includes; nil for the built-in wording.
	set *fileSet
}

// value is what a text of the catalog is rendered with: a value for the engine,
// and for each text in it, by its path, where its bytes came from.
type value struct {
	name  string
	value jinja.Value
	texts map[string]cento.Text
}

// data is a variable that holds one text.
func data(name string, t cento.Text) value {
	return value{name, jinja.String(t.Body, leastTrusted(t)), map[string]cento.Text{name: t}}
}

// number is a variable that holds a whole number that the program counted.
func number(name string, n int) value { return value{name: name, value: jinja.Int(int64(n))} }

// yes is a variable that is true or false.
func yes(name string, b bool) value { return value{name: name, value: jinja.Bool(b)} }

// render prints the text. The values are data and never looked at.
func (s *snippet) render(base jinja.Value, values []value) (cento.Text, error) {
	var b jinja.MapBuilder
	for key, v := range base.Entries() {
		b.Set(key.String(), v)
	}
	for _, v := range values {
		b.Set(v.name, v.value)
	}
	template, err := s.template()
	if err != nil {
		return cento.Text{}, err
	}
	out, err := template.Render(b.Map())
	if err != nil {
		return cento.Text{}, engineError(CatalogFailed, err, s.place)
	}
	body := out.Text()
	text := cento.Text{Body: body, Trust: s.trust, Origin: s.origin}
	for span := range out.All() {
		if span.Kind == jinja.Data {
			if runs := dataRuns(values, span, body); runs != nil {
				text.Runs = append(text.Runs, runs...)
				continue
			}
		}
		if span.Kind == jinja.Text && s.runs != nil && span.File == s.origin.File {
			text.Runs = append(text.Runs, shift(s.runs, s.text, span.Offset, span.Offset+span.End-span.Start, span.Start)...)
			continue
		}
		text.Runs = append(text.Runs, cento.Run{
			Start: span.Start, End: span.End, Position: s.place(span.File, span.Line, span.Column),
			Var: span.Var, Trust: trustOf(span.Trust), MadeBy: madeBy(span), Fixed: span.Kind != jinja.Text,
		})
	}
	return text, nil
}

// dataRuns are the runs of a text that was printed unchanged: its own, since
// they tell more than the place of the expression. It is nil where the text has
// no place.
func dataRuns(values []value, span jinja.Span, body string) []cento.Run {
	for _, v := range values {
		t, ok := v.texts[span.Var]
		if !ok || t.Body != body[span.Start:span.End] {
			continue
		}
		if len(t.Runs) == 0 {
			if t.Origin.IsZero() {
				return nil
			}
			t.Runs = []cento.Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust}}
		}
		runs := shift(t.Runs, t.Body, 0, len(t.Body), span.Start)
		for i := range runs {
			if runs[i].Var == "" {
				runs[i].Var = span.Var
			}
		}
		return runs
	}
	return nil
}

// shift cuts the runs of a text to a part of it and moves them to where that
// part is printed.
func shift(runs []cento.Run, text string, from, to, at int) []cento.Run {
	first, _ := slices.BinarySearchFunc(runs, from+1, func(r cento.Run, end int) int { return cmp.Compare(r.End, end) })
	place := cento.NewCursor(text, runs[first:])
	var out []cento.Run
	for _, r := range runs[first:] {
		start, end := max(r.Start, from), min(r.End, to)
		if start >= end {
			break
		}
		r.Position = place.At(start)
		r.Start, r.End = start-from+at, end-from+at
		out = append(out, r)
	}
	return out
}

// place is where a place of the text stands in its file.
func (s *snippet) place(file string, line, column int) cento.Position {
	if s.runs == nil || file != s.origin.File || line == 0 {
		return cento.Position{File: file, Line: line, Column: column}
	}
	offset := 0
	for range line - 1 {
		offset += strings.IndexByte(s.text[offset:], '\n') + 1
	}
	for i := range s.text[offset:] {
		if column--; column == 0 {
			offset += i
			break
		}
	}
	if len(s.runs) == 0 {
		return s.origin
	}
	at := cento.NewCursor(s.text, s.runs)
	return at.At(offset)
}
