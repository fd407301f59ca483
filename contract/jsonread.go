package contract

import "github.com/cento-dev/cento/internal/quote"

func (r *reader) jsonSpace() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\n', '\t', '\r':
			r.at++
		default:
			return
		}
	}
}

func (r *reader) jsonString() (string, bool) { return r.quoted(quote.JSONLetters, false) }

// members reads an object, from brace to brace. It hands out each name.
func (r *reader) members(want string, member func(name string, at int) bool) bool {
	if r.peek() != '{' {
		return r.unexpected(want, "")
	}
	r.at++
	return r.jsonList('}', func() bool {
		at := r.at
		name, ok := r.jsonString()
		if !ok {
			return false
		}
		r.jsonSpace()
		if !r.take(':') {
			return false
		}
		r.jsonSpace()
		return member(name, at)
	})
}

// jsonList reads what is separated by commas, up to a closing bracket.
func (r *reader) jsonList(end byte, item func() bool) bool {
	if r.jsonSpace(); r.peek() == end {
		r.at++
		return true
	}
	for {
		if !item() {
			return false
		}
		r.jsonSpace()
		switch r.peek() {
		case ',':
			r.at++
			r.jsonSpace()
		case end:
			r.at++
			return true
		default:
			return r.unexpected(`"," or "`+string(end)+`"`, "")
		}
	}
}

// json reads a whole text of the form.
func (r *reader) json() {
	r.jsonSpace()
	begin := r.at
	if !r.members("a contract in braces", r.jsonPart) {
		return
	}
	r.jsonSpace()
	if r.at < len(r.text) {
		r.unexpected("the end of the text", "a text is one contract")
		return
	}
	r.complete(begin, `"role"`, `"objective"`, `"context"`, `"constraints"`, `"output"`)
}

var partNames = []string{"role", "objective", "context", "constraints", "output"}

// partOf is a part of a contract by its name.
func partOf(name string) (part, bool) {
	switch name {
	case "role":
		return rolePart, true
	case "objective":
		return objectivePart, true
	case "context":
		return contentPart, true
	case "constraints":
		return constraintPart, true
	case "output":
		return outputPart, true
	}
	return 0, false
}

func (r *reader) jsonPart(name string, at int) bool {
	p, ok := partOf(name)
	if !ok {
		return r.fail(at, UnknownName, unknownHint(name, partNames), "unknown part %q", clip(name))
	}
	if !r.once(p, name, at) {
		return false
	}
	here := r.at
	switch p {
	case rolePart:
		text, ok := r.jsonString()
		return ok && r.role(text, here)
	case objectivePart:
		r.c.objective, ok = r.jsonString()
		return ok
	case contentPart:
		return r.members("groups of facts in braces", r.jsonGroup)
	case constraintPart:
		if r.peek() != '[' {
			return r.unexpected("constraints in brackets", "")
		}
		r.at++
		return r.jsonList(']', func() bool {
			at := r.at
			text, ok := r.jsonString()
			return ok && r.constraint(text, at)
		})
	}
	return r.members("an output in braces", r.jsonOutput) && r.completeOutput(here, `"emit"`, `"key"`)
}

func (r *reader) jsonOutput(name string, at int) bool {
	p, ok := outputPartOf(name)
	if !ok {
		return r.fail(at, UnknownName, unknownHint(name, outputParts), "unknown part %q of the output", clip(name))
	}
	if !r.once(p, name, at) {
		return false
	}
	here := r.at
	text, ok := r.jsonString()
	return ok && r.outputPart(p, text, here)
}

func (r *reader) jsonGroup(key string, at int) bool {
	if !r.group(key, at) {
		return false
	}
	if r.peek() != '[' {
		return r.unexpected("facts in brackets", "")
	}
	r.at++
	return r.jsonList(']', r.jsonFact) && r.endGroup(at)
}

var factParts = []string{"id", "content"}

func (r *reader) jsonFact() bool {
	begin := r.at
	if r.peek() != '{' {
		return r.unexpected(`a fact, as in {"id":"s1","content":"text"}`, "")
	}
	r.at++
	var id, content string
	idAt, contentAt := -1, -1
	r.jsonSpace()
	for r.peek() != '}' {
		at := r.at
		name, ok := r.jsonString()
		if !ok {
			return false
		}
		to, first := &id, &idAt
		switch name {
		case "id":
		case "content":
			to, first = &content, &contentAt
		default:
			return r.fail(at, UnknownName, unknownHint(name, factParts), "unknown part %q of a fact", clip(name))
		}
		if *first >= 0 {
			return r.twice(name, *first, at)
		}
		*first = at
		r.jsonSpace()
		if !r.take(':') {
			return false
		}
		r.jsonSpace()
		if *to, ok = r.jsonString(); !ok {
			return false
		}
		r.jsonSpace()
		switch r.peek() {
		case ',':
			r.at++
			if r.jsonSpace(); r.peek() == '}' {
				_, ok = r.jsonString()
				return ok
			}
		case '}':
		default:
			return r.unexpected(`"," or "}"`, "")
		}
	}
	r.at++
	return r.factOf(begin, idAt, contentAt, id, content)
}

// factOf adds a fact when both of its parts were there.
func (r *reader) factOf(begin, idAt, contentAt int, id, content string) bool {
	switch {
	case idAt < 0:
		return r.fail(begin, Missing, "", "the part %q of a fact is missing", "id")
	case contentAt < 0:
		return r.fail(begin, Missing, "", "the part %q of a fact is missing", "content")
	}
	r.fact(id, content)
	return true
}
