package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// What is raw is JSON that was checked. It is read here for where its members and
// elements stand, so that all others of its bytes stay as they are.

// stretch is where a value stands.
type stretch struct {
	name       string // of a member
	start, end int
}

// membersOf are the members of an object; false for another value.
func membersOf(raw []byte) ([]stretch, bool) {
	s := scanner{raw, 0}
	if s.space(); s.next() != '{' {
		return nil, false
	}
	var out []stretch
	for s.i++; ; s.i++ {
		if s.space(); s.next() == '}' {
			return out, true
		}
		at := s.i
		s.value()
		m := stretch{name: textOf(raw[at:s.i])}
		s.space()
		s.i++ // the colon
		s.space()
		m.start = s.i
		s.value()
		m.end = s.i
		out = append(out, m)
		if s.space(); s.next() == '}' {
			return out, true
		}
	}
}

// membersIn goes through the members of an object: their names, decoded, and values. A value
// of another kind has none.
func membersIn(raw []byte) iter.Seq2[[]byte, []byte] { return membersBut(raw, stretch{}) }

// membersBut is [membersIn] that doesn't read a value whose extent is known.
func membersBut(raw []byte, known stretch) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		s := scanner{raw, 0}
		if s.space(); s.i >= len(raw) || s.next() != '{' {
			return
		}
		for s.i++; ; s.i++ {
			if s.space(); s.next() == '}' {
				return
			}
			at := s.i
			s.value()
			name := raw[at+1 : s.i-1]
			if bytes.IndexByte(name, '\\') >= 0 {
				name = []byte(textOf(raw[at:s.i]))
			}
			s.space()
			s.i++ // the colon
			s.space()
			from := s.i
			if from == known.start && known.end > from {
				s.i = known.end
			} else {
				s.value()
			}
			if !yield(name, raw[from:s.i]) {
				return
			}
			if s.space(); s.next() == '}' {
				return
			}
		}
	}
}

// elementsIn goes through the elements of an array. A value of another kind has none.
func elementsIn(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := scanner{raw, 0}
		if s.space(); s.i >= len(raw) || s.next() != '[' {
			return
		}
		for s.i++; ; s.i++ {
			if s.space(); s.next() == ']' {
				return
			}
			at := s.i
			s.value()
			if !yield(raw[at:s.i]) {
				return
			}
			if s.space(); s.next() == ']' {
				return
			}
		}
	}
}

// memberOf is the value of the last member of an object that has a name; nil without
// one.
func memberOf(object []byte, name string) []byte {
	s := scanner{object, 0}
	s.space()
	var out []byte
	for s.i++; ; s.i++ {
		if s.space(); s.next() == '}' {
			return out
		}
		at := s.i
		s.value()
		is := s.i-at == len(name)+2 && string(object[at+1:s.i-1]) == name
		if !is && bytes.IndexByte(object[at:s.i], '\\') >= 0 {
			is = textOf(object[at:s.i]) == name
		}
		s.space()
		s.i++ // the colon
		s.space()
		from := s.i
		s.value()
		if is {
			out = object[from:s.i]
		}
		if s.space(); s.next() == '}' {
			return out
		}
	}
}

// elementsOf are the elements of an array; false for another value.
func elementsOf(raw []byte) ([]stretch, bool) {
	s := scanner{raw, 0}
	if s.space(); s.next() != '[' {
		return nil, false
	}
	var out []stretch
	for s.i++; ; s.i++ {
		if s.space(); s.next() == ']' {
			return out, true
		}
		at := s.i
		s.value()
		out = append(out, stretch{start: at, end: s.i})
		if s.space(); s.next() == ']' {
			return out, true
		}
	}
}

// textOf is what a JSON string says.
func textOf(quoted []byte) string {
	s := string(quoted[1 : len(quoted)-1])
	if strings.IndexByte(s, '\\') >= 0 {
		_ = json.Unmarshal(quoted, &s) // valid, as was checked
	}
	return s
}

type scanner struct {
	raw []byte
	i   int
}

func (s *scanner) next() byte { return s.raw[s.i] }

func (s *scanner) space() {
	for s.i < len(s.raw) && strings.IndexByte(" \t\r\n", s.raw[s.i]) >= 0 {
		s.i++
	}
}

// value goes behind the value that begins here.
func (s *scanner) value() {
	depth := 0
	for ; s.i < len(s.raw); s.i++ {
		switch s.raw[s.i] {
		case '"':
			s.text()
			if depth == 0 {
				s.i++
				return
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return // behind a number or word
			}
			if depth--; depth == 0 {
				s.i++
				return
			}
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return
			}
		}
	}
}

// text goes to the end of the string that begins here.
func (s *scanner) text() {
	from := s.i + 1
	for at := from; ; {
		at += bytes.IndexByte(s.raw[at:], '"')
		escapes := 0
		for at-escapes > from && s.raw[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			s.i = at
			return
		}
		at++
	}
}

// eachMark goes through the members that mark, of objects anywhere in a value: those that
// aren't null.
func eachMark(raw []byte, mark string, f func(value []byte)) {
	if mark == "" || !bytes.Contains(raw, []byte(mark)) {
		return
	}
	for s := (scanner{raw, 0}); s.i < len(raw); {
		if s.next() != '"' {
			s.i++
			continue
		}
		at := s.i
		s.value()
		name := textOf(raw[at:s.i])
		if s.space(); s.i < len(raw) && s.next() == ':' && name == mark {
			s.i++
			if s.space(); s.next() != 'n' {
				f(raw[s.i:])
			}
		}
	}
}

// hasParts reports whether a raw message has a member for its content that more can
// be put behind: a text, or a list.
func (b *builder) hasParts(raw json.RawMessage) bool {
	members, _ := membersOf(raw)
	for _, m := range members {
		if m.name == b.rules.key {
			return raw[m.start] == '[' || raw[m.start] == '"'
		}
	}
	return false
}
