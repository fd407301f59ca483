package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// snippet is the wording of one key: literal text with places for variables.
type snippet struct {
	origin cento.Position
	trust  cento.Trust
	vars   []string
	parts  []part
}

// part is a stretch of literal text, or the place of a variable.
type part struct {
	literal string
	index   int // of the variable, where there is no literal
	at      cento.Position
}

// snippet loads a built-in text and finds its variables, written {{ name }}.
func (l *Loader) snippet(file string, vars []string) (*snippet, error) {
	ref := Ref{prefix: Builtin, file: file}
	src, err := l.Load(ref, cento.Position{})
	if err != nil {
		return nil, err
	}
	s := &snippet{
		origin: cento.Position{File: ref.Path(), Line: 1, Column: 1},
		trust:  src.Trust(), vars: vars,
	}
	text := strings.TrimSuffix(src.Text, "\n")
	at := func(offset int) cento.Position {
		p := positionIn(text, offset)
		p.File = ref.Path()
		return p
	}
	refuse := func(offset int, message string) error {
		return &cento.SourceError{Code: UnsupportedTemplate, Position: at(offset), Message: message}
	}
	for done := 0; done < len(text); {
		i := templateSyntax(text[done:])
		if i < 0 {
			s.parts = append(s.parts, part{literal: text[done:], at: at(done)})
			break
		}
		i += done
		if i > done {
			s.parts = append(s.parts, part{literal: text[done:i], at: at(done)})
		}
		end := strings.Index(text[i:], "}}")
		if text[i+1] != '{' || end < 0 {
			return nil, refuse(i, "only variables can stand here")
		}
		name := strings.TrimSpace(text[i+2 : i+end])
		index := slices.Index(vars, name)
		if index < 0 {
			return nil, refuse(i, "unknown variable "+quote(name))
		}
		s.parts = append(s.parts, part{index: index, at: at(i)})
		done = i + end + 2
	}
	return s, nil
}

// render puts the values in; they are data and never looked at.
func (s *snippet) render(values []cento.Text) (cento.Text, error) {
	var b builder
	for _, p := range s.parts {
		if p.literal == "" {
			b.at = p.at
			b.data(s.vars[p.index], values[p.index])
			continue
		}
		b.text.Runs = append(b.text.Runs, cento.Run{
			Start: len(b.text.Body), End: len(b.text.Body) + len(p.literal),
			Position: p.at, Trust: s.trust,
		})
		b.text.Body += p.literal
	}
	b.text.Trust, b.text.Origin = s.trust, s.origin
	return b.text, nil
}

// builder joins texts and keeps where each came from.
type builder struct {
	text cento.Text
	at   cento.Position // of what has no place of its own
}

// literal adds wording that stands in no file.
func (b *builder) literal(text string) {
	b.run(cento.Run{Position: b.at, Trust: cento.TrustBuiltin, Fixed: true}, text)
}

// data adds a value that came in through a variable.
func (b *builder) data(name string, value cento.Text) {
	if len(value.Runs) == 0 {
		r := cento.Run{Position: value.Origin, Var: name, Trust: value.Trust}
		if r.Position.IsZero() {
			r.Position, r.Fixed = b.at, true
		}
		b.run(r, value.Body)
		return
	}
	start := len(b.text.Body)
	for _, r := range value.Runs {
		r.Start, r.End = r.Start+start, r.End+start
		if r.Var == "" {
			r.Var = name
		}
		if r.Position.IsZero() {
			r.Position, r.Fixed = b.at, true
		}
		b.text.Runs = append(b.text.Runs, r)
	}
	b.text.Body += value.Body
}

func (b *builder) run(r cento.Run, text string) {
	if text == "" {
		return
	}
	r.Start, r.End = len(b.text.Body), len(b.text.Body)+len(text)
	b.text.Runs = append(b.text.Runs, r)
	b.text.Body += text
}
