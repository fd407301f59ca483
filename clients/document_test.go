package clients_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// schema is a JSON Schema, as far as types are made of it: what a value may be beyond
// its type is told by whoever answers.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        kinds              `json:"type"`
	Description string             `json:"description"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Additional  json.RawMessage    `json:"additionalProperties"`
	Items       *schema            `json:"items"`
	MinItems    *int               `json:"minItems"` // of a pair, which may be null
	AnyOf       []*schema          `json:"anyOf"`
	Enum        []any              `json:"enum"`
}

// kinds are the types of a schema, which may be one.
type kinds []string

func (k *kinds) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*k = kinds{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(k))
}

// list reports whether it is a list of any length.
func (s *schema) list() bool { return s.Items != nil && s.MinItems == nil }

// values is the schema of the values of a map; nil for none.
func (s *schema) values() *schema {
	var of schema
	if len(s.Additional) == 0 || s.Additional[0] != '{' || json.Unmarshal(s.Additional, &of) != nil {
		return nil
	}
	return &of
}

// bare is a schema without the alternative of null, and whether it had one.
func (s *schema) bare() (of *schema, null bool) {
	of = new(*s)
	of.AnyOf = slices.DeleteFunc(slices.Clone(s.AnyOf), func(x *schema) bool { return len(x.Type) == 1 && x.Type[0] == "null" })
	of.Type = slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
	null = len(of.AnyOf) < len(s.AnyOf) || len(of.Type) < len(s.Type)
	if len(of.AnyOf) == 1 && len(of.Type) == 0 {
		about := of.Description
		of = new(*of.AnyOf[0])
		of.Description = cmp.Or(about, of.Description)
	}
	return of, null
}

// document is the OpenAPI document.
type document struct {
	Paths      map[string]map[string]*operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID         string   `json:"operationId"`
	Summary    string   `json:"summary"`
	Tags       []string `json:"tags"`
	Parameters []struct {
		Name, In, Description string
	} `json:"parameters"`
	RequestBody *struct{ Content map[string]media } `json:"requestBody"`
	Responses   map[string]struct{ Content map[string]media }

	method, path string
}

type media struct{ Schema *schema }

// group is a class of methods at a service: those of a tag, without what the methods of
// operations ask.
type group struct {
	tag, class, field, about string
	// without begins the names of operations that a method's name hasn't.
	without string
	// named are the methods whose operations are called otherwise.
	named map[string]string
}

var groups = []group{
	{"projects", "Projects", "projects", "The projects of a service.", "project-", map[string]string{"projects": "list", "project": "show"}},
	{"records", "Records", "records", "What a service has recorded.", "record-", map[string]string{"records": "list", "record": "show", "records-diff": "diff"}},
	{"service", "Standing", "standing", "How a service stands.", "", map[string]string{"health": "alive", "openapi": "document"}},
	{"sessions", "Sessions", "sessions", "The sessions of a service.", "session-", map[string]string{"sessions": "list"}},
}

// method is the name of an operation's method, its words by hyphens.
func (g *group) method(o *operation) string {
	if name := g.named[o.ID]; name != "" {
		return name
	}
	return strings.TrimPrefix(o.ID, g.without)
}

// of are the operations of the group.
func (g *group) of(d *document) []*operation {
	_, served := d.projectOperations()
	return slices.DeleteFunc(d.tagged(g.tag), func(o *operation) bool {
		return g.tag == "projects" && slices.Contains(served, strings.TrimPrefix(o.ID, "project-"))
	})
}

// grouped are the operations of all groups.
func (d *document) grouped() (out []*operation) {
	for i := range groups {
		out = append(out, groups[i].of(d)...)
	}
	return out
}

// places are the arguments that stand in the path, by what stands there.
var places = map[string]string{"id": "session", "project": "project", "record": "record"}

// body is the schema of what the operation takes; nil for nothing.
func (o *operation) body(d *document) *schema {
	if o.RequestBody == nil {
		return nil
	}
	return d.Components.Schemas[nameOf(o.RequestBody.Content["application/json"].Schema.Ref)]
}

// answer is the name of the schema of its answer; empty for a text.
func (o *operation) answer() string {
	if m, ok := o.Responses["200"].Content["application/json"]; ok && m.Schema != nil {
		return nameOf(m.Schema.Ref)
	}
	return ""
}

func nameOf(ref string) string { return path.Base(ref) }

// tagged are the operations of a tag in the order of their names, but for those that
// ask by parameters what another one is asked by a body.
func (d *document) tagged(tag string) []*operation {
	var out []*operation
	for _, p := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[p])) {
			o := d.Paths[p][method]
			if o.method, o.path = strings.ToUpper(method), p; slices.Contains(o.Tags, tag) && !strings.HasPrefix(o.ID, "get-") {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b *operation) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// answers are the schemas that the operations answer with, and those below them, in the
// order of their names.
func (d *document) answers(operations ...*operation) []string {
	seen := map[string]bool{}
	var visit func(s *schema)
	named := func(name string) {
		if !seen[name] {
			seen[name] = true
			visit(d.Components.Schemas[name])
		}
	}
	visit = func(s *schema) {
		if s == nil {
			return
		}
		if s.Ref != "" {
			named(nameOf(s.Ref))
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			visit(s.Properties[name])
		}
		visit(s.Items)
		visit(s.values())
		for _, x := range s.AnyOf {
			visit(x)
		}
	}
	for _, o := range operations {
		if name := o.answer(); name != "" {
			named(name)
		}
	}
	named("app.ErrorObject")
	return slices.Sorted(maps.Keys(seen))
}

// otherNames are those of schemas whose own one is taken by what an operation answers.
var otherNames = map[string]string{"contract.Answer": "ContractReply", "wire.Piece": "WireSlice"}

// typeName is what clients call a schema. Of the packages that answers are about their
// names are enough; another one's is a part of the name.
func typeName(schema string) string {
	if name := otherNames[schema]; name != "" {
		return name
	}
	pkg, name, _ := strings.Cut(schema, ".")
	if slices.Contains([]string{"app", "call", "cento", "provenance", "serve"}, pkg) {
		return name
	}
	return titled(pkg) + titled(name)
}

func titled(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// readDocument asks a service for its document.
func readDocument(t *testing.T) *document {
	t.Helper()
	s := startService(t, map[string]string{"cento.yaml": "system: Hello.\n"})
	status, _, body := s.ask(t, http.MethodGet, "/openapi.json", "")
	d := new(document)
	if err := json.Unmarshal([]byte(body), d); status != http.StatusOK || err != nil {
		t.Fatalf("%d %v", status, err)
	}
	names := map[string]string{}
	for schema := range d.Components.Schemas {
		if other, twice := names[typeName(schema)]; twice && !strings.HasPrefix(schema, "request.") {
			t.Fatalf("%s and %s have one name", schema, other)
		}
		names[typeName(schema)] = schema
	}
	return d
}

// parameter is an argument of a method.
type parameter struct {
	key, about string
	of         *schema
	required   bool
}

// parameters are the keys of a body, those that have to be there first.
func parameters(body *schema) []parameter {
	if body == nil {
		return nil
	}
	var out []parameter
	for _, key := range slices.Sorted(maps.Keys(body.Properties)) {
		p := body.Properties[key]
		out = append(out, parameter{key, p.Description, p, slices.Contains(body.Required, key)})
	}
	slices.SortStableFunc(out, func(a, b parameter) int {
		switch {
		case a.required == b.required:
			return 0
		case a.required:
			return -1
		}
		return 1
	})
	return out
}

// projectOperations are those that are about a project, and those of them that a
// service answers for one of its own.
func (d *document) projectOperations() (all, served []string) {
	for name, s := range d.Components.Schemas {
		if op, ok := strings.CutPrefix(name, "request."); ok && s.Properties["project"] != nil && s.Properties["manifest"] != nil {
			all = append(all, op)
			if d.Paths[fmt.Sprintf("/v1/projects/{project}/%s", op)]["post"] != nil {
				served = append(served, op)
			}
		}
	}
	slices.Sort(all)
	slices.Sort(served)
	return all, served
}
