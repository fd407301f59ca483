package contract

import (
	"errors"
	"io"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/toon"
)

// toonTokens are the tokens of a text, and the one in hand.
type toonTokens struct {
	*reader
	in  *toon.Reader
	tok toon.Token
}

// next takes a token.
func (t *toonTokens) next() bool {
	tok, err := t.in.Next()
	t.tok = tok
	return err == nil || t.refuse(err)
}

// refuse fails with an error of the codec. It is always false.
func (t *toonTokens) refuse(err error) bool {
	e, ok := errors.AsType[*toon.Error](err)
	if !ok {
		return t.fail(len(t.text), Syntax, "", "%v", err)
	}
	code := Syntax
	switch e.Code {
	case toon.DuplicateKey:
		code = Duplicate
	case toon.LimitExceeded:
		code = cento.LimitExceeded
	}
	t.err = &cento.SourceError{
		Code: code, Message: e.Message, Hint: e.Hint,
		Position: cento.Position{File: t.file, Line: e.Place.Line, Column: e.Place.Column},
	}
	if e.First.Line > 0 {
		t.err.Related = []cento.Related{{
			Position: cento.Position{File: t.file, Line: e.First.Line, Column: e.First.Column}, Message: "given here first",
		}}
	}
	return false
}

// begin takes the beginning of an object or array.
func (t *toonTokens) begin(kind toon.TokenKind, want string) bool {
	if !t.next() {
		return false
	}
	if t.tok.Kind != kind {
		return t.wrong(want)
	}
	return true
}

// string takes a text.
func (t *toonTokens) string() bool { return t.begin(toon.StringToken, "a text") }

func (t *toonTokens) wrong(want string) bool {
	got, hint := "an object", ""
	switch t.tok.Kind {
	case toon.BeginArray:
		got = "a list"
	case toon.StringToken:
		got = "a text"
	case toon.NullToken:
		got, hint = "null", "put it between quotes to mean the text"
	case toon.BoolToken, toon.NumberToken:
		got, hint = clip(t.tok.Text), "put it between quotes to mean the text"
	}
	return t.fail(t.tok.Offset, WrongType, hint, "expected %s, got %s", want, got)
}

// object reads the members of an object that has begun.
func (t *toonTokens) object(member func(name string, at int) bool) bool {
	for t.next() {
		if t.tok.Kind == toon.EndObject {
			return true
		}
		if !member(t.tok.Text, t.tok.Offset) {
			return false
		}
	}
	return false
}

// toon reads a whole text of the form.
func (r *reader) toon() {
	t := toonTokens{reader: r, in: toon.Decoder{Depth: nesting, Bytes: max(1, len(r.text))}.Tokens(r.text)}
	if !t.begin(toon.BeginObject, "a contract") || !t.object(t.part) {
		return
	}
	if !r.complete(0, "role", "objective", "context", "constraints", "output") {
		return
	}
	if _, err := t.in.Next(); err != io.EOF {
		t.refuse(err)
	}
}

func (t *toonTokens) part(name string, at int) bool {
	p, ok := partOf(name)
	if !ok {
		return t.fail(at, UnknownName, unknownHint(name, partNames), "unknown part %q", clip(name))
	}
	t.parts[p] = at + 1
	switch p {
	case rolePart:
		return t.string() && t.role(t.tok.Text, t.tok.Offset)
	case objectivePart:
		if !t.string() {
			return false
		}
		t.c.objective = t.tok.Text
		return true
	case contentPart:
		return t.begin(toon.BeginObject, "groups of facts") && t.object(t.group)
	case constraintPart:
		if !t.begin(toon.BeginArray, "a list of constraints") {
			return false
		}
		for t.next() {
			switch t.tok.Kind {
			case toon.EndArray:
				return true
			case toon.StringToken:
				if !t.constraint(t.tok.Text, t.tok.Offset) {
					return false
				}
			default:
				return t.wrong("a constraint")
			}
		}
		return false
	}
	return t.begin(toon.BeginObject, "an output") && t.object(t.output) && t.completeOutput(at, `"emit"`, `"key"`)
}

func (t *toonTokens) output(name string, at int) bool {
	p, ok := outputPartOf(name)
	if !ok {
		return t.fail(at, UnknownName, unknownHint(name, outputParts), "unknown part %q of the output", clip(name))
	}
	t.parts[p] = at + 1
	return t.string() && t.outputPart(p, t.tok.Text, t.tok.Offset)
}

func (t *toonTokens) group(key string, at int) bool {
	if !t.reader.group(key, at) || !t.begin(toon.BeginArray, "a list of facts") {
		return false
	}
	for t.next() {
		switch t.tok.Kind {
		case toon.EndArray:
			return t.endGroup(at)
		case toon.BeginObject:
			if !t.fact(t.tok.Offset) {
				return false
			}
		default:
			return t.wrong("a fact")
		}
	}
	return false
}

// fact reads a fact that has begun. TOON itself refuses a part that is given
// twice.
func (t *toonTokens) fact(begin int) bool {
	var id, content string
	idAt, contentAt := -1, -1
	for t.next() {
		at := t.tok.Offset
		switch {
		case t.tok.Kind == toon.EndObject:
			return t.factOf(begin, idAt, contentAt, id, content)
		case t.tok.Text == "id":
			if !t.string() {
				return false
			}
			id, idAt = t.tok.Text, at
		case t.tok.Text == "content":
			if !t.string() {
				return false
			}
			content, contentAt = t.tok.Text, at
		default:
			return t.fail(at, UnknownName, unknownHint(t.tok.Text, factParts), "unknown part %q of a fact", clip(t.tok.Text))
		}
	}
	return false
}
