package contract

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// nesting is how deep brackets may nest in what is read; a contract needs five.
const nesting = 8

// ParseOptions say what a text is allowed to be.
type ParseOptions struct {
	// File is the name shown in errors.
	File string
	// Keys are allowed besides the built-in ones.
	Keys []string
	// Roles are allowed besides the constants.
	Roles []string
	// Limits.Prompt bounds the text; 0 is the default.
	Limits cento.Limits
}

// Parse reads a contract that was written in a form. The parts of EDN, JSON, XML
// and TOON may stand in any order, and with any white space that the form
// allows; Lines may end with a line end. Everything else that [Contract.Append]
// doesn't write is refused, but for objectives as converge writes them in EDN: unknown, missing and repeated parts, groups without
// facts, anything behind the contract, a byte order mark, and nesting deeper
// than eight. The strings of the contract share the memory of the text.
//
// The error is a [*cento.SourceError] with the place and one of the codes of
// this package or [cento.LimitExceeded].
func Parse(form Form, text string, o ParseOptions) (*Contract, error) {
	r := reader{text: text, file: o.File, declared: vocabulary{o.Roles, o.Keys}}
	limit := o.Limits.Or(cento.DefaultLimits()).Prompt
	switch {
	case int(form) >= len(formNames):
		r.fail(0, UnknownName, unknownHint("", formNames), "%d is no form", form)
	case !form.Readable():
		r.fail(0, Unreadable, "write it in another form to read it back", "the form %q is for people and can't be read", form)
	case len(text) > limit:
		r.fail(0, cento.LimitExceeded, "", "%d bytes are more than the %d a contract may have", len(text), limit)
	case strings.HasPrefix(text, "\ufeff"):
		r.fail(0, Syntax, "save the text without it", "a byte order mark stands before the contract")
	default:
		for _, key := range o.Keys {
			if !validName(key) {
				r.fail(0, InvalidKey, nameHint, "%q can't be a key", clip(key))
			}
		}
		for _, role := range o.Roles {
			if !validName(role) {
				r.fail(0, InvalidKey, nameHint, "%q can't be a role", clip(role))
			}
		}
		if bad := invalidUTF8(text); bad >= 0 {
			r.fail(bad, InvalidUTF8, utf8Hint, "byte 0x%02x isn't UTF-8", text[bad])
		}
	}
	if r.err == nil {
		switch form {
		case EDN:
			r.edn()
		case JSON:
			r.json()
		case XML:
			r.xml()
		case TOON:
			r.toon()
		case Lines:
			r.lines()
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.contract(), nil
}

// reader gathers the parts of a contract from its text. The first error ends
// it.
type reader struct {
	text     string
	file     string
	declared vocabulary
	at       int
	err      *cento.SourceError

	parts  [outputPart + 1]int // where each stands, plus one; 0: not there yet
	groups []int               // where each stands
	rules  [8]int              // where each constraint stands
	c      Contract

	attrs    []attribute // of the element in hand
	elements []element   // the next one within each that is open
	open     int
	lenient  bool // an answer is read: with comments and sections of XML, and errors without positions
	values   int  // of an answer
	errAt    int  // where err is
}

// contract is what was read.
func (r *reader) contract() *Contract {
	c := r.c
	c.declared = r.declared.clone()
	c.measure()
	return &c
}

// fail ends reading. It is always false.
func (r *reader) fail(at int, code cento.ErrorCode, hint, format string, args ...any) bool {
	if r.err == nil {
		r.err, r.errAt = &cento.SourceError{Code: code, Message: fmt.Sprintf(format, args...), Position: r.position(at), Hint: hint}, at
	}
	return false
}

// position counts from the beginning of the text: it is asked for an error
// alone. The errors of answers have offsets: a report places them in one pass.
func (r *reader) position(at int) cento.Position {
	if r.lenient {
		return cento.Position{}
	}
	return place(r.file, r.text, at)
}

// place is the place of an offset of a text.
func place(file, text string, at int) cento.Position {
	return cento.Position{File: file, Line: 1, Column: 1}.After(text[:min(at, len(text))])
}

// once notes that a part stands here, and fails when it does twice.
func (r *reader) once(p part, name string, at int) bool {
	if first := r.parts[p]; first > 0 {
		return r.twice(name, first-1, at)
	}
	r.parts[p] = at + 1
	return true
}

func (r *reader) twice(name string, first, at int) bool {
	r.fail(at, Duplicate, "keep one of the two", "%s is given twice", name)
	r.err.Related = []cento.Related{{Position: r.position(first), Message: "given here first"}}
	return false
}

// name reads one of the names of an enumeration.
func name[T ~uint8](r *reader, list enum.Names[T], what, text string, at int, to *T) bool {
	v, ok := list.Find(text)
	if !ok {
		return r.fail(at, UnknownName, unknownHint(text, list.Known()), "unknown %s %q", what, clip(text))
	}
	*to = v
	return true
}

func (r *reader) role(text string, at int) bool {
	if !r.declared.hasRole(text) {
		return r.fail(at, UnknownName, unknownHint(text, r.declared.knownRoles())+"; others are to be declared", "unknown role %q", clip(text))
	}
	r.c.role = Role(text)
	return true
}

func (r *reader) emit(text string, at int) bool {
	return name(r, emitNames, "kind of output", text, at, &r.c.output.Emit)
}

func (r *reader) format(text string, at int) bool {
	return name(r, formatNames, "format", text, at, &r.c.output.Format)
}

func (r *reader) target(text string, at int) bool {
	r.c.output.Key = text
	return r.knownKey(text, at)
}

func (r *reader) knownKey(key string, at int) bool {
	if !r.declared.hasKey(key) {
		return r.fail(at, UnknownName, unknownHint(key, r.declared.knownKeys())+"; others are to be declared", "unknown key %q", clip(key))
	}
	return true
}

func (r *reader) constraint(text string, at int) bool {
	var k Constraint
	if !name(r, constraintNames, "constraint", text, at, &k) {
		return false
	}
	if r.c.constraints.Has(k) {
		return r.twice(fmt.Sprintf("constraint %q", text), r.rules[k], at)
	}
	r.c.constraints |= 1 << k
	r.rules[k] = at
	return true
}

// group begins a group of facts.
func (r *reader) group(key string, at int) bool {
	if !r.knownKey(key, at) {
		return false
	}
	for i, g := range r.c.groups {
		if g.key == key {
			r.twice(fmt.Sprintf("key %q", key), r.groups[i], at)
			r.err.Hint = "put all facts of a key into one group"
			return false
		}
	}
	r.groups = append(r.groups, at)
	n := len(r.c.facts)
	r.c.groups = append(r.c.groups, stretch{key, n, n})
	return true
}

func (r *reader) fact(id, content string) {
	r.c.facts = append(r.c.facts, Fact{id, content})
}

// endGroup ends the group that was begun last.
func (r *reader) endGroup(at int) bool {
	g := &r.c.groups[len(r.c.groups)-1]
	if g.to = len(r.c.facts); g.to == g.from {
		return r.fail(at, EmptyGroup, "leave the group out", "the group %q has no facts", g.key)
	}
	return true
}
