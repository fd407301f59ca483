package pack

import (
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// Literal is a prompt file whose text is used as it stands.
type Literal struct {
	Ref   Ref
	Front FrontMatter
	Text  cento.Text
}

// LoadLiteral reads a prompt file that holds no template syntax. One trailing
// newline is dropped, as by a template. The front matter is read and checked,
// and belongs to the result; it is no part of the text.
//
// Errors beside those of [Loader.Load]: [UnsupportedTemplate] with the place of
// the first `{{`, `{%` or `{#`, and what front matter can have wrong, all of it
// at once.
func (l *Loader) LoadLiteral(ref Ref, at cento.Position) (*Literal, error) {
	src, err := l.Load(ref, at)
	if err != nil {
		return nil, err
	}
	front, body, above, err := frontMatter(src, l.limits)
	if err != nil {
		return nil, err
	}
	if i := templateSyntax(body); i >= 0 {
		p := positionIn(body, i)
		return nil, &cento.SourceError{
			Code: UnsupportedTemplate,
			Position: cento.Position{
				File: ref.Path(), Line: p.Line + above, Column: p.Column,
			},
			Message: "prompt file " + quote(ref.String()) + " holds template syntax, " + quote(body[i:i+2]) + ", which is not evaluated here",
			Hint:    "use literal text",
		}
	}
	return &Literal{
		Ref: ref, Front: front,
		Text: cento.Text{
			Body:   strings.TrimSuffix(body, "\n"),
			Trust:  src.Trust(),
			Origin: cento.Position{File: ref.Path(), Line: above + 1, Column: 1},
		},
	}, nil
}

// templateSyntax is the offset of the first delimiter of the template language,
// or -1.
func templateSyntax(text string) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 || at+i+1 == len(text) {
			return -1
		}
		if strings.IndexByte("{%#", text[at+i+1]) >= 0 {
			return at + i
		}
		at += i + 1
	}
}

// positionIn is the line and column of an offset, from 1.
func positionIn(text string, offset int) cento.Position {
	return after(cento.Position{Line: 1, Column: 1}, text[:offset])
}

// after is the place behind a text that begins at a place.
func after(p cento.Position, text string) cento.Position {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.Line += strings.Count(text, "\n")
		p.Column = 1
		text = text[i+1:]
	}
	p.Column += utf8.RuneCountInString(text)
	return p
}
