package mcpserver

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/cento-dev/cento/internal/app"
)

// operations are the published schemas of requests, by operation.
type operations map[string]*jsonschema.Schema

func requests() operations {
	var all struct {
		Defs operations `json:"$defs"`
	}
	if err := json.Unmarshal(app.RequestSchemas(), &all); err != nil { // it is a part of the program
		panic("mcpserver: " + err.Error())
	}
	return all.Defs
}

// arguments are those of a question, as the request of its operation describes them,
// and the names of those that have to be there.
func (o operations) arguments(q *question) (arguments map[string]*jsonschema.Schema, required []string) {
	arguments = map[string]*jsonschema.Schema{}
	request := o[q.name]
	for _, name := range slices.Concat(q.arguments, o.changes(q)) {
		arguments[name] = argument(name, request.Properties[name])
		if slices.Contains(request.Required, name) {
			required = append(required, name)
		}
	}
	return arguments, required
}

// changes are the names of the arguments that ask for another prompt than that of the
// files: those that the other side of a comparison can have.
func (o operations) changes(q *question) []string {
	if !q.whatIf {
		return nil
	}
	return slices.Sorted(maps.Keys(o["diff"].Properties["to"].Properties))
}

// argument is a key of a request as an argument of a tool. A model reads the schemas of
// all tools in each conversation, so what says nothing to it isn't there: that null is
// as good as no argument, and how a tool is defined.
func argument(name string, s *jsonschema.Schema) *jsonschema.Schema {
	switch name {
	case "tools":
		return texts("The active tools by their names, instead of all that are defined.")
	case "profile":
		s.Enum = anyOf(slices.Concat(app.InstructionConventions(), app.InstructionVersions()))
	}
	isNull := func(of *jsonschema.Schema) bool { return of.Type == "null" }
	s.AnyOf = slices.DeleteFunc(s.AnyOf, isNull)
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	for key, below := range s.Properties {
		s.Properties[key] = argument(key, below)
	}
	return s
}

// The schemas of arguments that no operation has.
func text(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `\S`, Description: about}
}

func texts(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: about}
}

func truth(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: about}
}

// nothingElse is the schema of what isn't there.
func nothingElse() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func anyOf(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}
