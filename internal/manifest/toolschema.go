package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/schemarefs"
	"github.com/cento-dev/cento/internal/strict"
)

// What this file promises: the schema of a tool's arguments is one that a provider can
// read. Every keyword of JSON Schema whose form the drafts agree on is held to it, at
// every level; others are a dialect's business and pass.

// schemaTypes are the names of types in JSON Schema.
var schemaTypes = [...]string{"array", "boolean", "integer", "null", "number", "object", "string"}

// otherSchemaTypes are the names of types in other languages that are near to none.
var otherSchemaTypes = map[string]string{
	"int": "integer", "float": "number", "double": "number", "bool": "boolean", "str": "string", "text": "string",
	"list": "array", "map": "object", "dict": "object", "none": "null",
}

// schemaOf gives the schema of a tool as JSON. What is wrong with one that somebody
// wrote here is an error that names the tool; a server can't be told to mend its own,
// so a note says it.
func (t *Tools) schemaOf(d *strict.Decoder, tool string, schema *strict.Node, place toolPlace) []byte {
	if schema == nil || schema.Kind() == strict.Null {
		return nil
	}
	var found strict.Decoder
	argumentsSchema(&found, schema)
	faults := cento.SourceErrors(found.Err())
	if place == inListing && schema.Kind() == strict.Map {
		t.schemaNote(tool, faults, found.Failures())
		faults = nil
	}
	for _, f := range faults {
		e := d.Fail(f.Position, f.Code, "the schema of the tool %s: %s", quotedName(tool), f.Message)
		e.Hint, e.Related = f.Hint, f.Related
	}
	if len(faults) > 0 {
		return nil
	}
	json, err := schema.AppendJSON(nil)
	d.Report(err)
	if place != inListing {
		t.unhadProperties(tool, schema)
		for _, ref := range schemarefs.Dangling(json) {
			t.unmet(cento.Note{
				Code: CodeToolReference, Fragment: "tool:" + tool, Position: schema.Below(ref.Path).Position(),
				Message: fmt.Sprintf("the schema of the tool %s has the $ref %q, which leads to nothing in it", quotedName(tool), ref.To),
			})
		}
	}
	return json
}

// unmet adds a note on a schema, unless there are many.
func (t *Tools) unmet(n cento.Note) {
	const most = 20
	if len(t.unmetNotes) < most {
		t.unmetNotes = append(t.unmetNotes, n)
	}
}

// unhadProperties notes what a schema requires and none of its properties is. Where the
// schema has properties by other keywords too, nothing can be said.
func (t *Tools) unhadProperties(tool string, schema *strict.Node) {
	for n := range schema.All() {
		_, required := n.Member("required")
		_, properties := n.Member("properties")
		if required == nil || properties == nil || properties.Kind() != strict.Map {
			continue
		}
		elsewhere := false
		var names []string
		for key := range n.Members() {
			name, _ := key.Text()
			elsewhere = elsewhere || slices.Contains([]string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "patternProperties", "if"}, name)
		}
		for key := range properties.Members() {
			name, _ := key.Text()
			names = append(names, name)
		}
		items := required.Items()
		for i := range items {
			name, ok := items[i].Text()
			if elsewhere || !ok || slices.Contains(names, name) {
				continue
			}
			note := cento.Note{Code: CodeToolRequired, Position: items[i].Position(), Message: fmt.Sprintf("the schema of the tool %s requires %q, which none of its properties is", quotedName(tool), name)}
			if near, ok := nearest.Name(name, names); ok {
				note.Message += fmt.Sprintf("; did you mean %q?", near)
			}
			t.unmet(note)
		}
	}
}

// schemaNote tells of the first of many faults.
func (t *Tools) schemaNote(tool string, faults []*cento.SourceError, n int) {
	if len(faults) == 0 {
		return
	}
	message := fmt.Sprintf("the server's schema of the tool %s: %s", quotedName(tool), faults[0].Message)
	if n > 1 {
		message += fmt.Sprintf(", and %d more", n-1)
	}
	t.badSchemas = append(t.badSchemas, cento.Note{Code: CodeToolSchema, Position: faults[0].Position, Message: message})
}

// schemaNotes are the notes on schemas, and how many more there are than are told.
func (t *Tools) schemaNotes(at cento.Position) []cento.Note {
	const most = 20
	further := len(t.badSchemas) - most
	if further <= 0 {
		return t.badSchemas
	}
	return append(t.badSchemas[:most:most], cento.Note{Code: CodeToolSchema, Position: at, Message: fmt.Sprintf("and %d more tools have such schemas", further)})
}

// argumentsSchema checks the schema of arguments, which are an object.
func argumentsSchema(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a JSON Schema, which is a map")
		return
	}
	subschema(d, n)
	if _, typ := n.Member("type"); typ != nil && !d.Failed() {
		if name, _ := typ.Text(); typ.Kind() != strict.Text || name != "object" {
			d.In("type", func() { d.Expected(typ, `"object"`).Hint = "arguments are an object" })
		}
	}
}

// subschema checks a schema at any level.
func subschema(d *strict.Decoder, n *strict.Node) {
	switch n.Kind() {
	case strict.Bool:
		return
	case strict.Map:
	default:
		d.Expected(n, "a schema, which is a map or a truth value")
		return
	}
	for key, value := range n.Members() {
		name, _ := key.Text()
		if check := schemaKeyword(name); check != nil {
			d.In(name, func() { check(d, value) })
		}
	}
}

// schemaKeyword is how the value of a keyword is checked; nil for one that may have
// any.
func schemaKeyword(name string) func(*strict.Decoder, *strict.Node) {
	switch name {
	case "type":
		return typeNames
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return schemaMap
	case "required":
		return propertyNames
	case "dependentRequired":
		return func(d *strict.Decoder, n *strict.Node) { eachMember(d, n, "a map of lists", propertyNames) }
	case "enum":
		return func(d *strict.Decoder, n *strict.Node) { nonEmpty(d, n) }
	case "items":
		return func(d *strict.Decoder, n *strict.Node) {
			if n.Kind() == strict.List { // one for each place, in early drafts
				schemaList(d, n)
				return
			}
			subschema(d, n)
		}
	case "prefixItems", "allOf", "anyOf", "oneOf":
		return func(d *strict.Decoder, n *strict.Node) {
			if nonEmpty(d, n) {
				schemaList(d, n)
			}
		}
	case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains", "not", "if", "then", "else":
		return subschema
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return func(d *strict.Decoder, n *strict.Node) {
			if v, ok := n.Int(); n.Kind() != strict.Number || ok && v < 0 {
				d.Expected(n, "a number of 0 or more")
			}
		}
	case "minimum", "maximum", "multipleOf":
		return ofKind(strict.Number)
	case "uniqueItems":
		return ofKind(strict.Bool)
	case "description", "title", "pattern", "format", "$ref":
		return ofKind(strict.Text)
	}
	return nil
}

func ofKind(kind strict.Kind) func(*strict.Decoder, *strict.Node) {
	return func(d *strict.Decoder, n *strict.Node) {
		if n.Kind() != kind {
			d.Expected(n, kind.String())
		}
	}
}

// typeNames are one name of a type or several.
func typeNames(d *strict.Decoder, n *strict.Node) {
	one := func(n *strict.Node) {
		name, _ := n.Text()
		if n.Kind() != strict.Text || !slices.Contains(schemaTypes[:], name) {
			e := d.Expected(n, "the name of a type")
			if e.Hint = strict.UnknownHint(name, schemaTypes[:]); otherSchemaTypes[name] != "" {
				e.Hint = fmt.Sprintf("did you mean %q? %s", otherSchemaTypes[name], e.Hint)
			}
		}
	}
	if n.Kind() != strict.List {
		one(n)
		return
	}
	nonEmpty(d, n)
	for i := range n.Items() {
		d.InItem(i, func() { one(&n.Items()[i]) })
	}
}

// propertyNames are a list of names. That of a property itself is a common mistake.
func propertyNames(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.List {
		e := d.Expected(n, "a list of names")
		if n.Kind() == strict.Bool {
			e.Hint = "required stands beside properties and lists the names of those that have to be there"
		}
		return
	}
	for i := range n.Items() {
		d.InItem(i, func() { ofKind(strict.Text)(d, &n.Items()[i]) })
	}
}

func schemaMap(d *strict.Decoder, n *strict.Node) { eachMember(d, n, "a map of schemas", subschema) }

func eachMember(d *strict.Decoder, n *strict.Node, want string, check func(*strict.Decoder, *strict.Node)) {
	if n.Kind() != strict.Map {
		d.Expected(n, want)
		return
	}
	for key, value := range n.Members() {
		name, _ := key.Text()
		d.In(strings.TrimSpace(name), func() { check(d, value) })
	}
}

func schemaList(d *strict.Decoder, n *strict.Node) {
	for i := range n.Items() {
		d.InItem(i, func() { subschema(d, &n.Items()[i]) })
	}
}

// nonEmpty reports whether a value is a list with something in it.
func nonEmpty(d *strict.Decoder, n *strict.Node) bool {
	if n.Kind() != strict.List {
		d.Expected(n, strict.List.String())
		return false
	}
	if len(n.Items()) == 0 {
		d.Fail(n.Position(), strict.WrongValue, "the list is empty")
		return false
	}
	return true
}
