package manifest

import (
	_ "embed"
	"slices"
)

//go:generate go test . -run TestSchemaIsFresh -update-schema

// The schema is made from the types that the reader decodes into. It is a file, so
// that the program doesn't carry what makes it; a test proves that it is fresh. So is
// requests.schema.json, which has a definition for each request, as
// `#/$defs/contract`, for who writes them.
//
//go:embed schema.json
var manifestSchema []byte

//go:embed requests.schema.json
var requestSchema []byte

// RequestSchemas returns the JSON Schemas (draft 2020-12) of requests, one definition
// for each operation.
func RequestSchemas() []byte { return slices.Clone(requestSchema) }

// Schema returns the JSON Schema (draft 2020-12) of a manifest. It refuses what
// the reader refuses, as far as a schema can say it: not ids and names that
// stand twice. It is stricter in one thing: it wants quotes around a text that
// looks like a number or a truth value.
func Schema() []byte { return slices.Clone(manifestSchema) }
