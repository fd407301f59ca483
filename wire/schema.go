package wire

import (
	"bytes"
	"encoding/json"
	"sync"
	"unicode/utf8"
)

// schema is what the parameters of a tool are as they are sent.
type schema struct {
	dense  []byte // without white space; nobody changes it
	broken bool   // they aren't JSON in UTF-8
	object bool
	kind   string // what "type" says, as JSON; empty: nothing
}

// mostSchemas is how many bytes of schemas are kept.
const mostSchemas = 4 << 20

// schemas are those that were sent last, by their text: a session sends the same ones
// with every turn. Beyond their bound they begin anew.
type schemas struct {
	mu    sync.RWMutex
	known map[string]schema
	bytes int
}

var sentSchemas schemas

// of is the schema of a text.
func (s *schemas) of(text []byte) schema {
	s.mu.RLock()
	known, ok := s.known[string(text)]
	s.mu.RUnlock()
	if ok {
		return known
	}
	made := schemaOf(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	size := len(text) + len(made.dense) + 64
	if size > mostSchemas/16 {
		return made
	}
	if s.known == nil || s.bytes+size > mostSchemas {
		s.known, s.bytes = map[string]schema{}, 0
	}
	if _, ok := s.known[string(text)]; !ok {
		s.known[string(text)] = made
		s.bytes += size
	}
	return made
}

func schemaOf(text []byte) schema {
	var dense bytes.Buffer
	if err := json.Compact(&dense, text); err != nil || !utf8.Valid(text) {
		return schema{broken: true}
	}
	out := schema{dense: bytes.Clone(dense.Bytes())}
	if out.object = out.dense[0] == '{'; out.object {
		out.kind = string(memberOf(out.dense, "type"))
	}
	return out
}
