package project

import (
	_ "embed"
	"slices"
)

//go:generate go test . -run TestSchemaIsFresh -update-schema

// Both schemas are made from the types that the reader decodes into. They are
// files, so that the program doesn't carry what makes them; a test proves that
// they are fresh.
var (
	//go:embed schema.json
	manifestSchema []byte
	//go:embed requests.schema.json
	requestSchema []byte
)

// Schema returns the JSON Schema (draft 2020-12) of a manifest. It refuses what
// the reader refuses, as far as a schema can say it: not ids and names that
// stand twice. It is stricter in one thing: it wants quotes around a text that
// looks like a number or a truth value.
func Schema() []byte { return slices.Clone(manifestSchema) }

// RequestSchema returns a JSON Schema (draft 2020-12) with a definition for
// each request: `#/$defs/contract`, `#/$defs/layers`, `#/$defs/reduce`, `#/$defs/render` and
// `#/$defs/scope`.
func RequestSchema() []byte { return slices.Clone(requestSchema) }
