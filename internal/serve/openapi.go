package serve

import (
	"encoding"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/cento-dev/cento/internal/app"
)

// describe is the OpenAPI document of routes.
func describe(routes []route) []byte {
	d := begun()
	for _, r := range routes {
		d.AddOperation(d.operation(&r))
	}
	b, err := json.Marshal(d.OpenAPI)
	if err != nil { // it is of strings and numbers
		panic("serve: " + err.Error())
	}
	return append(b, '\n')
}

// description is the document while it is written.
type description struct{ *huma.OpenAPI }

// begun is what the document is about, and the schemas of requests, which are those that
// the reader of requests is held to.
func begun() description {
	registry := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	var requests struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(app.RequestSchemas(), &requests); err != nil { // it is a part of the program
		panic("serve: " + err.Error())
	}
	for name, def := range requests.Defs {
		registry.Map()[requestPrefix+name] = &huma.Schema{Extensions: moved(def).(map[string]any)}
	}
	return description{&huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: "Cento", Version: app.Version(), Description: "System prompts of agents, assembled and explained. Answers are those of the command line with --json."},
		Components: &huma.Components{
			Schemas:         registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}},
		},
	}}
}

const (
	schemaPrefix  = "#/components/schemas/"
	requestPrefix = "request."
)

// moved is a schema whose references lead to where the definitions stand in the
// document.
func moved(schema any) any {
	switch v := schema.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, x := range v {
			if ref, ok := x.(string); ok && key == "$ref" {
				out[key] = schemaPrefix + requestPrefix + path.Base(ref)
				continue
			}
			out[key] = moved(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = moved(x)
		}
		return out
	}
	return schema
}

// operation describes a route.
func (d description) operation(r *route) *huma.Operation {
	op := &huma.Operation{
		Method: r.method, Path: r.path, OperationID: r.op, Summary: r.short, Tags: []string{r.tag},
		Responses: map[string]*huma.Response{
			"200":     {Description: "the answer", Content: map[string]*huma.MediaType{}},
			"default": {Description: "what went wrong", Content: map[string]*huma.MediaType{"application/problem+json": {Schema: d.schema(reflect.TypeFor[Problem]())}}},
		},
	}
	if r.scope != "" {
		op.Security = []map[string][]string{{"token": {}}}
		op.Description = "Needs the scope " + string(r.scope) + "."
	}
	for _, name := range placesOf(r.path) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
	}
	for _, q := range r.query {
		op.Parameters = append(op.Parameters, &huma.Param{Name: q.name, In: "query", Description: q.about, Schema: &huma.Schema{Type: "string"}})
	}
	for _, h := range r.header {
		op.Parameters = append(op.Parameters, &huma.Param{Name: h.name, In: "header", Description: h.about, Schema: &huma.Schema{Type: "string"}})
	}
	if r.whatIf {
		op.Description += " The parameters are the keys of the body that POST takes: lists by repeated parameters, vars as JSON, budget as a number or a part such as 20% (20%25 in an address), what is under to by to.NAME."
	}
	switch request := r.request.(type) {
	case string:
		op.RequestBody = body(&huma.Schema{Ref: schemaPrefix + requestPrefix + request})
	case reflect.Type:
		op.RequestBody = body(d.schema(request))
	}
	media := &huma.MediaType{}
	kind := r.kind
	if r.answers != nil {
		media.Schema, kind = d.schema(r.answers), "application/json"
	}
	op.Responses["200"].Content[kind] = media
	if r.method == http.MethodGet && r.answers != nil && !r.free {
		op.Responses["304"] = &huma.Response{Description: "it is still what If-None-Match names"}
	}
	return op
}

func body(schema *huma.Schema) *huma.RequestBody {
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
}

// placesOf are the names in a path that stand for something.
func placesOf(path string) []string {
	var out []string
	for _, part := range strings.Split(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			out = append(out, strings.TrimSuffix(name, "}"))
		}
	}
	return out
}

// schema describes the JSON of a type, as encoding/json writes it. A struct with a name
// stands among the components, once.
func (d description) schema(t reflect.Type) *huma.Schema {
	all := d.Components.Schemas.Map()
	switch {
	case t == reflect.TypeFor[time.Time]():
		return &huma.Schema{Type: "string", Format: "date-time"}
	case t.Kind() == reflect.Pointer:
		of := d.schema(t.Elem())
		return &huma.Schema{AnyOf: []*huma.Schema{of, {Type: "null"}}}
	case t.Implements(reflect.TypeFor[json.Marshaler]()), reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()):
		return &huma.Schema{Description: "as docs/FORMATS.md describes it"}
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()), reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return &huma.Schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.String:
		return &huma.Schema{Type: "string"}
	case reflect.Bool:
		return &huma.Schema{Type: "boolean"}
	case reflect.Float32, reflect.Float64:
		return &huma.Schema{Type: "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &huma.Schema{Type: "integer"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &huma.Schema{Type: "string", Format: "byte"}
		}
		return &huma.Schema{AnyOf: []*huma.Schema{{Type: "array", Items: d.schema(t.Elem())}, {Type: "null"}}}
	case reflect.Array:
		n := t.Len()
		return &huma.Schema{Type: "array", Items: d.schema(t.Elem()), MinItems: &n, MaxItems: &n}
	case reflect.Map:
		return &huma.Schema{AnyOf: []*huma.Schema{{Type: "object", AdditionalProperties: d.schema(t.Elem())}, {Type: "null"}}}
	case reflect.Struct:
	default:
		return &huma.Schema{}
	}
	name := schemaName(t)
	if all[name] == nil {
		of := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}}
		all[name] = of // before its fields, which may lead back to it
		d.fields(of, t)
		slices.Sort(of.Required)
	}
	return &huma.Schema{Ref: schemaPrefix + name}
}

func schemaName(t reflect.Type) string {
	if t.Name() == "" {
		panic(fmt.Sprintf("serve: an answer has a struct without a name: %s", t))
	}
	return path.Base(t.PkgPath()) + "." + t.Name()
}

// fields adds those of a struct to a schema; of an embedded one without a name they are
// its own.
func (d description) fields(of *huma.Schema, t reflect.Type) {
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		typ := f.Type
		if f.Anonymous && name == "" {
			if typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			if typ.Kind() == reflect.Struct {
				below := &huma.Schema{Properties: map[string]*huma.Schema{}}
				d.fields(below, typ)
				for key, x := range below.Properties {
					if of.Properties[key] == nil {
						of.Properties[key] = x
					}
				}
				of.Required = append(of.Required, below.Required...)
				continue
			}
		}
		if name == "" {
			name = f.Name
		}
		of.Properties[name] = d.schema(typ)
		if optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"); !optional && !slices.Contains(of.Required, name) {
			of.Required = append(of.Required, name)
		}
	}
}
