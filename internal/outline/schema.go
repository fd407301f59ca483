package outline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Schema is a JSON Schema as far as it tells which keys and values there are.
type Schema struct {
	root *schemaNode
	defs map[string]*schemaNode
}

type schemaNode struct {
	Ref         string                 `json:"$ref"`
	Description string                 `json:"description"`
	Type        any                    `json:"type"`
	Enum        []any                  `json:"enum"`
	Const       any                    `json:"const"`
	Properties  map[string]*schemaNode `json:"properties"`
	Additional  json.RawMessage        `json:"additionalProperties"`
	Items       *schemaNode            `json:"items"`
	AnyOf       []*schemaNode          `json:"anyOf"`
	OneOf       []*schemaNode          `json:"oneOf"`
	AllOf       []*schemaNode          `json:"allOf"`
	Defs        map[string]*schemaNode `json:"$defs"`

	rest *schemaNode // of Additional
}

// ReadSchema reads a schema.
func ReadSchema(data []byte) (*Schema, error) {
	root := new(schemaNode)
	if err := json.Unmarshal(data, root); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return &Schema{root, root.Defs}, nil
}

// Choice is a key or a value that may stand somewhere, and what it means.
type Choice struct {
	Name, About string
	// Map and List say what a key holds, if it can only be that.
	Map, List bool
}

// Keys are those that a map may have, by name.
func (s *Schema) Keys(path []string) []Choice {
	found := map[string]Choice{}
	for _, n := range s.at(path) {
		for name, p := range n.Properties {
			c := found[name]
			if c.Name != "" && c.About != "" || s.unusable(p) {
				continue
			}
			all := s.expanded(p)
			c = Choice{Name: name, About: p.Description, Map: len(all) > 0, List: len(all) > 0}
			for _, x := range all {
				if x.Type == nil && (x.Ref != "" || x.AnyOf != nil || x.OneOf != nil) {
					continue // the others say it
				}
				c.Map = c.Map && (len(x.Properties) > 0 || x.is("object") || x.is("null"))
				c.List = c.List && (x.Items != nil || x.is("array") || x.is("null"))
			}
			if c.Map && c.List {
				c.Map, c.List = false, false
			}
			found[name] = c
		}
	}
	return sortedChoices(found)
}

// Values are the words that may stand as a value.
func (s *Schema) Values(path []string) []Choice {
	found := map[string]Choice{}
	for _, n := range s.at(path) {
		words := n.Enum
		if n.Const != nil {
			words = append(slices.Clone(words), n.Const)
		}
		if n.is("boolean") {
			words = append(slices.Clone(words), true, false)
		}
		for _, w := range words {
			switch w := w.(type) {
			case string:
				found[w] = Choice{Name: w, About: n.Description}
			case bool:
				found[fmt.Sprint(w)] = Choice{Name: fmt.Sprint(w), About: n.Description}
			}
		}
	}
	return sortedChoices(found)
}

// About says what the key means that a path ends with; empty where nothing is known.
func (s *Schema) About(path []string) string {
	if len(path) == 0 {
		return ""
	}
	for _, n := range s.at(path[:len(path)-1]) {
		if p := n.Properties[path[len(path)-1]]; p != nil && p.Description != "" {
			return p.Description
		}
	}
	return ""
}

func sortedChoices(found map[string]Choice) []Choice {
	out := make([]Choice, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

// unusable reports whether a key may hold nothing.
func (s *Schema) unusable(n *schemaNode) bool {
	if n.Enum == nil {
		return false
	}
	for _, v := range n.Enum {
		if v != nil {
			return false
		}
	}
	return true
}

// is reports whether a schema is for values of one type, null aside.
func (n *schemaNode) is(kind string) bool {
	switch t := n.Type.(type) {
	case string:
		return t == kind
	case []any:
		rest := slices.DeleteFunc(slices.Clone(t), func(v any) bool { return v == "null" })
		return len(rest) == 1 && rest[0] == kind
	}
	return false
}

// at are all schemas that hold for what a path leads to.
func (s *Schema) at(path []string) []*schemaNode {
	list := s.expanded(s.root)
	for _, step := range path {
		var next []*schemaNode
		for _, n := range list {
			switch {
			case step == Item:
				if n.Items != nil {
					next = append(next, s.expanded(n.Items)...)
				}
			case n.Properties[step] != nil:
				next = append(next, s.expanded(n.Properties[step])...)
			default:
				if r := n.additional(); r != nil {
					next = append(next, s.expanded(r)...)
				}
			}
		}
		list = next
	}
	return list
}

func (n *schemaNode) additional() *schemaNode {
	if n.rest == nil && len(n.Additional) > 0 && n.Additional[0] == '{' {
		rest := new(schemaNode)
		if json.Unmarshal(n.Additional, rest) != nil {
			return nil
		}
		return rest
	}
	return n.rest
}

// expanded is a schema and all that it names or chooses from.
func (s *Schema) expanded(n *schemaNode) []*schemaNode {
	var out []*schemaNode
	seen := map[*schemaNode]bool{}
	var add func(n *schemaNode)
	add = func(n *schemaNode) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		out = append(out, n)
		add(s.defs[strings.TrimPrefix(n.Ref, "#/$defs/")])
		for _, list := range [][]*schemaNode{n.AnyOf, n.OneOf, n.AllOf} {
			for _, x := range list {
				add(x)
			}
		}
	}
	add(n)
	return out
}
