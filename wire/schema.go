package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/schemarefs"
)

// schema is what the parameters of a tool are as they are sent.
type schema struct {
	dense  []byte // without white space; nobody changes it
	broken bool   // they aren't JSON in UTF-8
	object bool
	kind   string // what "type" says, as JSON; empty: nothing
	// choices are the keywords at the top, in their order, that say which of several schemas
	// holds or what a value is, where providers want the members of an object.
	choices []string
	// unlisted are the pointers of the arrays that don't say what their items are.
	unlisted []string
	// dangling are the references to what the schema doesn't have.
	dangling []schemarefs.Reference
	// properties are the names at the top that a provider may refuse.
	properties []string
	// sound: there is none of all that.
	sound bool
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

// topChoices are such keywords.
var topChoices = []string{"allOf", "anyOf", "enum", "not", "oneOf"}

func schemaOf(text []byte) schema {
	var dense bytes.Buffer
	if err := json.Compact(&dense, text); err != nil || !utf8.Valid(text) {
		return schema{broken: true}
	}
	out := schema{dense: bytes.Clone(dense.Bytes())}
	if out.object = out.dense[0] == '{'; out.object {
		out.kind = string(memberOf(out.dense, "type"))
		members, _ := membersOf(out.dense)
		for _, m := range members {
			if slices.Contains(topChoices, m.name) {
				out.choices = append(out.choices, m.name)
			}
		}
		out.unlisted = unlisted(nil, out.dense, "", 0)
		if bytes.Contains(out.dense, []byte(`"$ref"`)) {
			out.dangling = schemarefs.Dangling(out.dense)
		}
		if properties := memberOf(out.dense, "properties"); len(properties) > 0 && properties[0] == '{' {
			for name := range membersIn(properties) {
				if !plainName(string(name), "") {
					out.properties = append(out.properties, string(name))
				}
			}
		}
		out.sound = len(out.choices)+len(out.unlisted)+len(out.dangling)+len(out.properties) == 0
	}
	return out
}

// deepest is how deep arrays are looked for: deeper schemas are refused for their depth.
const deepest = 32

// unlisted appends the pointers of the arrays in a schema without items: itself and those in
// properties, items and alternatives.
func unlisted(out []string, schema []byte, at string, depth int) []string {
	members, ok := membersOf(schema)
	if !ok || depth > deepest {
		return out
	}
	array, items := false, false
	for _, m := range members {
		value := schema[m.start:m.end]
		switch m.name {
		case "type":
			array = bytes.Contains(value, []byte(`"array"`))
		case "items":
			items = true
		}
	}
	if array && !items {
		out = append(out, at)
	}
	for _, m := range members {
		value, here := schema[m.start:m.end], at+"/"+m.name
		switch m.name {
		case "items":
			out = unlisted(out, value, here, depth+1)
		case "properties":
			properties, _ := membersOf(value)
			for _, p := range properties {
				out = unlisted(out, value[p.start:p.end], here+"/"+pointerEscaper.Replace(p.name), depth+1)
			}
		case "anyOf":
			if value[0] != '[' {
				continue
			}
			choices, _ := elementsOf(value)
			for i, c := range choices {
				out = unlisted(out, value[c.start:c.end], here+"/"+strconv.Itoa(i), depth+1)
			}
		}
	}
	return out
}
