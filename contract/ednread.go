package contract

import (
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

var ednLetters = quote.NewLetters("\\\\\"\"n\nr\rt\tb\bf\f")

// ednSpace passes over white space, which in EDN commas are too, and comments.
func (r *reader) ednSpace() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', ',', '\n', '\t', '\r', '\f', '\v':
			r.at++
		case ';':
			end := strings.IndexByte(r.text[r.at:], '\n')
			if end < 0 {
				r.at = len(r.text)
				return
			}
			r.at += end + 1
		default:
			return
		}
	}
}

// keyword reads a keyword and returns its name and where it stands.
func (r *reader) keyword(want string) (string, int, bool) {
	at := r.at
	if r.peek() != ':' {
		return "", at, r.unexpected(want, "a keyword begins with a colon")
	}
	end := at + 1
	for end < len(r.text) && !ednEnds[r.text[end]] {
		end++
	}
	name := r.text[at+1 : end]
	if !isName(name, false) {
		return "", at, r.fail(at, Syntax, "a keyword is letters, digits and . * + ! - _ ? $ % & = < >, and doesn't begin like a number", "%q is no keyword", clip(r.text[at:end]))
	}
	r.at = end
	return name, at, true
}

// ednEnds are the bytes that end a keyword.
var ednEnds = func() (t [256]bool) {
	for _, c := range " ,\n\t\r\f\v;\"()[]{}\\" {
		t[c] = true
	}
	return t
}()

// pairs reads a map, from brace to brace. It hands out each keyword.
func (r *reader) pairs(want string, member func(name string, at int) bool) bool {
	if r.peek() != '{' {
		return r.unexpected(want, "")
	}
	r.at++
	for {
		r.ednSpace()
		if r.peek() == '}' {
			r.at++
			return true
		}
		name, at, ok := r.keyword("a keyword")
		if !ok {
			return false
		}
		r.ednSpace()
		if !member(name, at) {
			return false
		}
	}
}

// edn reads a whole text of the form.
func (r *reader) edn() {
	r.ednSpace()
	begin := r.at
	if !r.pairs("a contract in braces", r.ednPart) {
		return
	}
	r.ednSpace()
	if r.at < len(r.text) {
		r.unexpected("the end of the text", "a text is one contract")
		return
	}
	r.complete(begin, ":r", ":o", ":c", ":k", ":out")
}

// complete fails when one of the five parts is missing, which the form calls so.
func (r *reader) complete(at int, role, objective, context, constraints, output string) bool {
	for _, p := range [...]struct {
		part part
		name string
	}{{rolePart, role}, {objectivePart, objective}, {contentPart, context}, {constraintPart, constraints}, {outputPart, output}} {
		if r.parts[p.part] == 0 {
			return r.fail(at, Missing, "", "the part %s is missing", p.name)
		}
	}
	return true
}

// ednParts are the names of the parts.
var ednParts = []string{":r", ":o", ":c", ":k", ":out"}

func (r *reader) ednPart(name string, at int) bool {
	switch name {
	case "r":
		if !r.once(rolePart, ":r", at) {
			return false
		}
		text, at, ok := r.keyword("a role")
		return ok && r.role(text, at)
	case "o":
		return r.once(objectivePart, ":o", at) && r.ednObjective()
	case "c":
		return r.once(contentPart, ":c", at) && r.pairs("groups of facts in braces", r.ednGroup)
	case "k":
		return r.once(constraintPart, ":k", at) && r.ednConstraints()
	case "out":
		if !r.once(outputPart, ":out", at) || !r.pairs("an output in braces", r.ednOutput) {
			return false
		}
		return r.completeOutput(at, ":emit", ":key")
	}
	return r.fail(at, UnknownName, unknownHint(":"+name, ednParts), "unknown part :%s", clip(name))
}

// convergeObjective is the objective in the layout in which converge writes every
// contract. It writes a keyword whatever the objective holds, with hyphens for
// spaces, so that the objective has none and ends where the next part begins:
// `2024 outlook, naïve` is `:2024-outlook,-naïve`.
func (r *reader) convergeObjective() (string, bool) {
	if r.text[:r.at] != "{:r :"+string(r.c.role)+"\n :o " || r.peek() != ':' {
		return "", false
	}
	objective, _, found := strings.Cut(r.text[r.at+1:], "\n :c {")
	return objective, found && strings.IndexByte(objective, ' ') < 0
}

func (r *reader) ednObjective() bool {
	if objective, ok := r.convergeObjective(); ok {
		r.c.objective = objective
		r.at += 1 + len(objective)
		return true
	}
	if r.peek() == '"' {
		text, ok := r.quoted(ednLetters, true)
		r.c.objective = text
		return ok
	}
	text, _, ok := r.keyword("a keyword or a text between quotes")
	r.c.objective = text
	return ok
}

func (r *reader) ednGroup(key string, at int) bool {
	if !r.group(key, at) {
		return false
	}
	if r.peek() != '[' {
		return r.unexpected("facts in brackets", "")
	}
	r.at++
	for {
		r.ednSpace()
		if r.peek() == ']' {
			r.at++
			return r.endGroup(at)
		}
		if !r.ednFact() {
			return false
		}
	}
}

// ednFact reads a fact. This and its like for JSON are what reading a large
// contract costs.
func (r *reader) ednFact() bool {
	begin := r.at
	if r.peek() != '{' {
		return r.unexpected(`a fact, as in {:id "s1" :c "text"}`, "")
	}
	r.at++
	var id, content string
	idAt, contentAt := -1, -1
	for {
		r.ednSpace()
		if r.peek() == '}' {
			r.at++
			break
		}
		name, at, ok := r.keyword("a keyword")
		if !ok {
			return false
		}
		to, first := &id, &idAt
		switch name {
		case "id":
		case "c":
			to, first = &content, &contentAt
		default:
			return r.fail(at, UnknownName, unknownHint(":"+name, []string{":id", ":c"}), "unknown part :%s of a fact", clip(name))
		}
		if *first >= 0 {
			return r.twice(":"+name, *first, at)
		}
		*first = at
		r.ednSpace()
		if *to, ok = r.quoted(ednLetters, true); !ok {
			return false
		}
	}
	switch {
	case idAt < 0:
		return r.fail(begin, Missing, "", "the part :id of a fact is missing")
	case contentAt < 0:
		return r.fail(begin, Missing, "", "the part :c of a fact is missing")
	}
	r.fact(id, content)
	return true
}

func (r *reader) ednConstraints() bool {
	if !strings.HasPrefix(r.text[r.at:], "#{") {
		return r.unexpected("a set of constraints, as in #{:no-invent}", "")
	}
	r.at += 2
	for {
		r.ednSpace()
		if r.peek() == '}' {
			r.at++
			return true
		}
		name, at, ok := r.keyword("a constraint")
		if !ok || !r.constraint(name, at) {
			return false
		}
	}
}

var outputParts = []string{"emit", "key", "format"}

func (r *reader) ednOutput(name string, at int) bool {
	p, ok := outputPartOf(name)
	if !ok {
		return r.fail(at, UnknownName, unknownHint(":"+name, []string{":emit", ":key", ":format"}), "unknown part :%s of the output", clip(name))
	}
	if !r.once(p, ":"+name, at) {
		return false
	}
	text, at, ok := r.keyword("a keyword")
	return ok && r.outputPart(p, text, at)
}

func outputPartOf(name string) (part, bool) {
	switch name {
	case "emit":
		return emitPart, true
	case "key":
		return targetPart, true
	case "format":
		return formatPart, true
	}
	return 0, false
}

func (r *reader) outputPart(p part, text string, at int) bool {
	switch p {
	case emitPart:
		return r.emit(text, at)
	case targetPart:
		return r.target(text, at)
	}
	return r.format(text, at)
}

// completeOutput fails when the output lacks a part that it must have.
func (r *reader) completeOutput(at int, emit, key string) bool {
	switch {
	case r.parts[emitPart] == 0:
		return r.fail(at, Missing, "", "the part %s of the output is missing", emit)
	case r.parts[targetPart] == 0:
		return r.fail(at, Missing, "", "the part %s of the output is missing", key)
	}
	return true
}
