// Package schemarefs finds the references of a JSON Schema that lead to nothing.
package schemarefs

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Reference is a $ref of a schema.
type Reference struct {
	// Path has the names and indexes that lead to it.
	Path []string
	// To is its value.
	To string
}

// deepest is the depth to which schemas are read. Providers refuse deeper ones.
const deepest = 32

// named are keywords whose members are schemas by name. Their names are not keywords.
var named = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}

// literal are keywords whose values are data.
var literal = []string{"const", "default", "enum", "example", "examples"}

// Dangling returns the references within a schema, given as JSON, that lead to nothing,
// sorted by the names of their paths. An anchor and the address of another schema may lead
// somewhere.
func Dangling(schema []byte) []Reference {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	return dangling(nil, root, root, nil)
}

func dangling(out []Reference, root, value any, path []string) []Reference {
	if len(path) > deepest {
		return out
	}
	below := func(name string) []string { return append(slices.Clip(path), name) }
	switch value := value.(type) {
	case []any:
		for i, x := range value {
			out = dangling(out, root, x, below(strconv.Itoa(i)))
		}
	case map[string]any:
		if _, ok := value["$id"].(string); ok {
			root = value
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			x := value[name]
			ref, text := x.(string)
			schemas, object := x.(map[string]any)
			switch {
			case name == "$ref" && text:
				if !leads(root, ref) {
					out = append(out, Reference{below(name), ref})
				}
			case slices.Contains(literal, name):
			case object && slices.Contains(named, name):
				for _, inner := range slices.Sorted(maps.Keys(schemas)) {
					out = dangling(out, root, schemas[inner], append(below(name), inner))
				}
			default:
				out = dangling(out, root, x, below(name))
			}
		}
	}
	return out
}

// leads reports whether a reference leads to something, or out of the schema.
func leads(value any, ref string) bool {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return true
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	for step := range strings.SplitSeq(pointer, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := value.(type) {
		case map[string]any:
			if value, ok = v[step]; !ok {
				return false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return false
			}
			value = v[i]
		default:
			return false
		}
	}
	return true
}
