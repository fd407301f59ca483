package manifest

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// most is a number of things, which may be none.
func most() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0)}
}

// caseTypes are the values of tests that may be written in several ways.
func (s *schemas) caseTypes() {
	words := func() *jsonschema.Schema {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{notBlank(), {Type: "array", Items: notBlank()}}}
	}
	path := &jsonschema.Schema{Not: &jsonschema.Schema{Pattern: `^$|^/|/$|//|\\|(^|/)\.\.?(/|$)`}}
	for typ, schema := range map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[wordsFile]():   words(),
		reflect.TypeFor[targetsFile](): {AnyOf: []*jsonschema.Schema{notBlank(), {Type: "array", MinItems: jsonschema.Ptr(1), Items: notBlank()}}},
		reflect.TypeFor[excludedFile](): {AnyOf: []*jsonschema.Schema{
			notBlank(), {Type: "array", Items: notBlank()}, {Type: "object", AdditionalProperties: str()},
		}},
		reflect.TypeFor[mostFile]():         most(),
		reflect.TypeFor[mostOfFile]():       {Type: "object", AdditionalProperties: most()},
		reflect.TypeFor[findingsCaseFile](): {AnyOf: []*jsonschema.Schema{{Enum: []any{"none"}}, {Type: "array", Items: notBlank()}}},
		reflect.TypeFor[matrixFile](): {
			Type: "object", PropertyNames: &jsonschema.Schema{Enum: anyNames(withKeyNames())},
			AdditionalProperties: &jsonschema.Schema{Type: "array", MinItems: jsonschema.Ptr(1), UniqueItems: true},
		},
		reflect.TypeFor[caseFiles](): {
			Type: "object", PropertyNames: path, AdditionalProperties: &jsonschema.Schema{Types: []string{"null", "string"}},
		},
	} {
		s.types[typ] = schema
	}
}

func anyNames(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// testCase is the schema of a test.
func (s *schemas) testCase(defs map[string]*jsonschema.Schema) *jsonschema.Schema {
	defs["testWith"] = s.of(reflect.TypeFor[withFile]())
	s.types[reflect.TypeFor[withFile]()] = ref("testWith")
	c := s.of(reflect.TypeFor[caseFile]())
	for _, key := range []string{"name", "target", "error"} {
		c.Properties[key].Pattern = `\S`
	}
	file := `^[^/\\]([^\\]*[^/\\])?$`
	for _, p := range []*jsonschema.Schema{c.Properties["golden"], c.Properties["truth"], c.Properties["wire"].Properties["golden"]} {
		p.Pattern, p.Not = file, &jsonschema.Schema{Pattern: `^\s*$`}
	}
	w := defs["testWith"]
	for _, key := range []string{"tools", "without_tools"} {
		w.Properties[key].Items.Pattern = toolNamePattern
	}
	for _, key := range []string{"caps", "without_caps"} {
		w.Properties[key].Items.Pattern = `\S`
	}
	w.Properties["model"].Pattern = `\S`
	w.Properties["now"].Pattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}`
	w.Properties["cwd"].Not = &jsonschema.Schema{Pattern: `^$|^/|/$|//|\\|^\./|/\.(/|$)|(^|/)\.\.(/|$)`}
	prefix := c.Properties["same_prefix"]
	prefix.Properties["through"].Pattern = `\S`
	apart(prefix, "through", "bytes")
	prefix.AnyOf = []*jsonschema.Schema{given("through"), given("bytes"), {Type: "null"}}
	wired := c.Properties["wire"]
	wired.AnyOf = []*jsonschema.Schema{given("golden"), given("losses"), {Type: "null"}}
	apart(c, "target", "targets")
	var asserts []*jsonschema.Schema
	for _, key := range assertionKeys {
		asserts = append(asserts, someOf(c, key))
	}
	c.AnyOf = asserts
	for _, key := range []string{"tools", "without_tools", "caps", "without_caps"} {
		for _, in := range []string{"with", "matrix"} {
			both := given("findings")
			both.Properties[in] = given(key)
			if in == "matrix" {
				both.Properties[in] = &jsonschema.Schema{Type: "object", Required: []string{key}}
			}
			both.Required = append(both.Required, in)
			c.AllOf = append(c.AllOf, &jsonschema.Schema{Not: both})
		}
	}
	return c
}

// someOf asks for an assertion that asserts something: an empty list is none.
func someOf(c *jsonschema.Schema, key string) *jsonschema.Schema {
	g := given(key)
	if slices.Contains([]string{"contains", "not_contains", "matches", "not_matches", "included", "excluded", "order", "max_tokens_of"}, key) {
		g.Properties[key] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			{Type: "string"}, {Type: "array", MinItems: jsonschema.Ptr(1)}, {Type: "object", MinProperties: jsonschema.Ptr(1)},
		}}
	}
	return g
}
