package mcpserver

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

var (
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
)

// answerSchema is the schema of what a type is written as. A later version may write
// more, so keys that it doesn't name are no fault; types that write themselves are
// anything, but for those that are one text.
func answerSchema(t reflect.Type) *jsonschema.Schema {
	own := map[reflect.Type]*jsonschema.Schema{}
	writesItself(t, own, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: own})
	if err != nil { // of a type of this program, that no client has a say in
		panic("mcpserver: " + t.String() + ": " + err.Error())
	}
	open(s)
	return s
}

// writesItself collects the types below t that have a form of their own.
func writesItself(t reflect.Type, own map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		own[t] = &jsonschema.Schema{}
		return
	case t == reflect.TypeFor[time.Time]():
		return
	case t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && (t.Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(jsonMarshaler)):
		own[t] = &jsonschema.Schema{}
		return
	case t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && (t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(textMarshaler)):
		own[t] = &jsonschema.Schema{Type: "string"}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		writesItself(t.Elem(), own, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			writesItself(t.Field(i).Type, own, seen)
		}
	}
}

// open takes keys that the schema doesn't name, all through it.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" || len(s.Properties) > 0 {
		if len(s.Properties) > 0 {
			s.AdditionalProperties = nil
		}
		for _, p := range s.Properties {
			open(p)
		}
	}
	open(s.Items)
	open(s.AdditionalProperties)
}
