package consent

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/strict"
)

// Outline tells a listing in few lines: what the server says, and of each tool
// its name, its parameters, its description and its guidance. What schemas say
// besides is in the listing alone.
func Outline(listing string) []string {
	parts, err := partsOf(listing)
	if err != nil {
		return nil
	}
	said := func(text []byte) string {
		var s string
		_ = json.Unmarshal(text, &s) // what isn't a text has nothing to show here
		return strings.TrimSpace(s)
	}
	var out []string
	add := func(indent, label, text string) {
		for line := range strings.Lines(text) {
			out = append(out, strings.TrimRight(indent+label+strings.TrimRight(line, "\r\n"), " "))
			label = ""
		}
	}
	if text := said(parts.Instructions); text != "" {
		out = append(out, "instructions")
		add("  ", "", text)
	}
	for _, t := range parts.Tools {
		var schema struct{ Properties map[string]json.RawMessage }
		_ = json.Unmarshal(t.fields["inputSchema"], &schema)
		names := slices.Sorted(maps.Keys(schema.Properties))
		for i := range names {
			names[i] = strict.ShownKey(names[i])
		}
		out = append(out, "tool "+strict.ShownKey(t.name)+"("+strings.Join(names, ", ")+")")
		add("  ", "", said(t.fields["description"]))
		add("  ", "guidance: ", said(t.fields["guidance"]))
	}
	return out
}

// Contents is what a listing says, parsed once to be looked into again and again.
type Contents struct {
	text  string
	parts listingParts
	tools map[string]int // where each stands among the parts
}

// ParseContents parses a listing. One that can't be parsed says nothing.
func ParseContents(listing string) *Contents {
	s := &Contents{text: listing}
	parts, err := partsOf(listing)
	if err != nil {
		return s
	}
	s.parts, s.tools = parts, make(map[string]int, len(parts.Tools))
	for i, t := range parts.Tools {
		s.tools[t.name] = i
	}
	return s
}

// Value is the text of what a change is about: JSON of a value, or the text itself
// where that is a text. It is empty where the listing has none.
func (s *Contents) Value(c ToolChange) string {
	value := []byte(s.parts.Instructions)
	if c.Tool != "" {
		i, ok := s.tools[c.Tool]
		if !ok {
			return ""
		}
		if value = s.parts.Tools[i].whole; c.Field != "" {
			value = s.parts.Tools[i].fields[c.Field]
		}
	} else if c.Field == "" {
		return s.text
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if len(value) == 0 || json.Indent(&b, value, "", " ") != nil {
		return string(value)
	}
	return b.String()
}

// listingParts is a listing in the pieces that have digests: JSON without white
// space.
type listingParts struct {
	Instructions []byte
	Tools        []toolParts
}

type toolParts struct {
	name   string
	whole  []byte
	fields map[string][]byte
}

func partsOf(listing string) (listingParts, error) {
	var out listingParts
	var file struct {
		Instructions json.RawMessage
		Tools        []map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(listing), &file); err != nil {
		return out, err
	}
	out.Instructions = file.Instructions
	for _, t := range file.Tools {
		p := toolParts{fields: map[string][]byte{}}
		if err := json.Unmarshal(t["name"], &p.name); err != nil {
			return out, err
		}
		for key, value := range t {
			if slices.Contains(lockedFields, key) {
				p.fields[key] = compact(value)
			}
		}
		whole, err := json.Marshal(t) // sorts its keys
		if err != nil {
			return out, err
		}
		p.whole = whole
		out.Tools = append(out.Tools, p)
	}
	return out, nil
}

func compact(text json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}
