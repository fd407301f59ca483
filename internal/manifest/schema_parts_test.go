package manifest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cento-dev/cento/contract"
	"github.com/google/jsonschema-go/jsonschema"
)

// toolNamePattern is [cento.IsToolName] as a regular expression.
const toolNamePattern = `^[A-Za-z0-9_.:/-]{1,128}$`

// contract adds the definition of contracts, which is that of package contract.
// Its own definitions stand beside it.
func (s *schemas) contract(defs map[string]*jsonschema.Schema) {
	text := strings.ReplaceAll(string(contract.Schema()), `"#/$defs/`, `"#/$defs/contract_`)
	c := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(text), c); err != nil {
		s.t.Fatal(err)
	}
	for name, def := range c.Defs {
		defs["contract_"+name] = def
	}
	c.Schema, c.Defs = "", nil
	defs["promptContract"] = c
	defs["contractSource"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", Pattern: dataFilePattern, Description: "Path of a contract file, from this one."},
		ref("promptContract"),
	}}
}

// contractRequest is the schema of a request about a contract, which package
// contract reads.
func contractRequest() *jsonschema.Schema {
	described := func(s *jsonschema.Schema, text string) *jsonschema.Schema {
		nullable(s)
		s.Description = text
		return s
	}
	r := &jsonschema.Schema{
		Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: map[string]*jsonschema.Schema{
			"contract": described(ref("promptContract"), "A contract to write."),
			"text":     described(str(), "A text to read as a contract."),
			"form":     described(enumOf[contract.Form](), "What to write, or what the text is in; default lines."),
			"exact":    described(&jsonschema.Schema{Type: "boolean"}, "In edn, write an objective with spaces as a string; default false."),
			"keys":     described(&jsonschema.Schema{Type: "array", Items: str()}, "Keys that are allowed in the text besides the built-in ones."),
			"roles":    described(&jsonschema.Schema{Type: "array", Items: str()}, "Roles that are allowed in the text besides the built-in ones."),
			"shape":    described(&jsonschema.Schema{Type: "boolean"}, "Give the text that tells a model how to answer the contract; default false."),
			"answer":   described(str(), "What a model answered, to be held against the contract."),
		},
		AnyOf: []*jsonschema.Schema{given("contract"), given("text")},
	}
	apart(r, "contract", "text")
	apart(r, "text", "exact")
	apart(r, "text", "answer")
	shaped := given("shape")
	shaped.Properties["shape"].Const = jsonschema.Ptr[any](true)
	r.AllOf = append(r.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{AllOf: []*jsonschema.Schema{given("text"), shaped}}})
	for _, declared := range []string{"keys", "roles"} {
		some := given(declared)
		some.Properties[declared].MinItems = jsonschema.Ptr(1)
		r.AllOf = append(r.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{AllOf: []*jsonschema.Schema{given("contract"), some}}})
	}
	return r
}

// dataFilePattern: a file of JSON or YAML, by its name.
const dataFilePattern = `\.([jJ][sS][oO][nN]|[yY][aA]?[mM][lL])$`

// referencePattern: a prefix, which may be one that a host brings, and a path behind it.
const referencePattern = `^\s*\$(builtin|user|workspace|pack/[^/]+|[a-z0-9][-a-z0-9_.]*)/`

// tools adds the definitions of tools.
func (s *schemas) tools(defs map[string]*jsonschema.Schema) {
	tool := s.of(reflect.TypeFor[toolFile]())
	function := tool.Properties["function"]
	for _, schema := range []*jsonschema.Schema{tool.Properties["parameters"], tool.Properties["input_schema"], tool.Properties["inputSchema"], function.Properties["parameters"]} {
		schema.Types = []string{"null", "object"}
	}
	tool.Properties["name"].Pattern, function.Properties["name"].Pattern = toolNamePattern, toolNamePattern
	named := func() *jsonschema.Schema {
		return &jsonschema.Schema{Required: []string{"name"}, Properties: map[string]*jsonschema.Schema{"name": {Type: "string"}}}
	}
	nested := &jsonschema.Schema{Required: []string{"function"}, Properties: map[string]*jsonschema.Schema{"function": named(), "type": {Enum: []any{"function", nil}}, "name": {Type: "null"}}}
	nested.Properties["function"].Type = "object"
	flat := named()
	flat.Properties["function"] = &jsonschema.Schema{Type: "null"}
	tool.AnyOf = []*jsonschema.Schema{flat, nested}
	for _, pair := range [][2]string{{"parameters", "input_schema"}, {"parameters", "inputSchema"}, {"input_schema", "inputSchema"}} {
		apart(tool, pair[0], pair[1])
	}
	defs["tool"] = tool
	list := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{AnyOf: append([]*jsonschema.Schema{{Type: "string", Pattern: toolNamePattern}, ref("tool"), ownTool()}, customTools()...)}}
	long := s.of(reflect.TypeFor[toolList]())
	long.Properties["tools"] = list.CloneSchemas()
	long.Properties["tools"].Description = "The list."
	long.Required = []string{"tools"}
	defs["toolList"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{list, long}}
}

// ownTool is a tool of a provider's own, whose settings are its business.
func ownTool() *jsonschema.Schema {
	named := func() *jsonschema.Schema {
		return &jsonschema.Schema{Types: []string{"null", "string"}, Pattern: toolNamePattern}
	}
	s := &jsonschema.Schema{
		Type: "object", Required: []string{"type"}, Description: "A tool of the provider's own, by its type.",
		Properties: map[string]*jsonschema.Schema{
			"type": {Type: "string", Pattern: providerTypes}, "guidance": {Types: []string{"null", "string"}},
			"name": named(), "server_label": named(), "mcp_server_name": named(),
		},
	}
	var others []*jsonschema.Schema
	for _, key := range []string{"function", "parameters", "input_schema", "inputSchema", "description"} {
		others = append(others, &jsonschema.Schema{Required: []string{key}})
	}
	s.Not = &jsonschema.Schema{AnyOf: others}
	return s
}

// customTools are a tool of OpenAI that takes a text, whose settings are its business, in the
// terms of Responses and of Chat Completions.
func customTools() []*jsonschema.Schema {
	name := func() *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: toolNamePattern} }
	var others []*jsonschema.Schema
	for _, key := range []string{"function", "parameters", "input_schema", "inputSchema"} {
		others = append(others, &jsonschema.Schema{Required: []string{key}})
	}
	tool := func(key string, value *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{
			Type: "object", Required: []string{"type", key}, Description: "A tool of OpenAI that takes a text instead of arguments.",
			Properties: map[string]*jsonschema.Schema{"type": {Type: "string", Enum: []any{customType}}, "guidance": {Types: []string{"null", "string"}}, key: value},
			Not:        &jsonschema.Schema{AnyOf: others},
		}
	}
	nested := &jsonschema.Schema{Type: "object", Required: []string{"name"}, Properties: map[string]*jsonschema.Schema{"name": name()}}
	return []*jsonschema.Schema{tool("name", name()), tool(customType, nested)}
}

// sources adds where the tools of a manifest come from.
func (s *schemas) sources(defs map[string]*jsonschema.Schema) {
	list := defs["toolList"].AnyOf[0]
	delete(defs, "toolList")
	long := s.of(reflect.TypeFor[toolsMap]())
	long.Properties["tools"] = list.CloneSchemas()
	long.Properties["tools"].Description = "The list."
	long.AnyOf = []*jsonschema.Schema{{Required: []string{"tools"}}, given("mcp")}
	defs["tools"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", Pattern: dataFilePattern, Description: "Path of a file with tools, from this one."},
		list, long,
	}}
	server := s.of(reflect.TypeFor[serverFile]())
	server.Properties["name"].Pattern = serverNamePattern
	server.Properties["command"].MinItems = jsonschema.Ptr(1)
	server.Properties["command"].PrefixItems = []*jsonschema.Schema{notBlank()}
	server.Properties["env"].PropertyNames = &jsonschema.Schema{Pattern: variablePattern}
	server.Properties["inherit"].Items.Pattern = variablePattern
	server.Properties["cwd"].Pattern, server.Properties["cwd"].Not = `^[^/\\][^\\]*$`, &jsonschema.Schema{Pattern: `^\s*$|^\.\.(/|$)`}
	server.Properties["url"].Pattern = `^https?://[^/?#@]+([/?][^#]*)?$`
	server.Properties["prefix"].Pattern = prefixPattern
	server.Properties["timeout"].Maximum = jsonschema.Ptr(float64(maxTimeout))
	server.AnyOf = []*jsonschema.Schema{given("command"), given("url")}
	for _, key := range []string{"command", "env", "inherit", "cwd"} {
		apart(server, "url", key)
	}
	defs["server"] = server
	defs["servers"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		ref("server"),
		{Type: "array", MinItems: jsonschema.Ptr(1), Items: &jsonschema.Schema{AllOf: []*jsonschema.Schema{ref("server"), given("name")}}},
		{
			Type: "object", MinProperties: jsonschema.Ptr(1), PropertyNames: &jsonschema.Schema{Pattern: serverNamePattern},
			AdditionalProperties: &jsonschema.Schema{AllOf: []*jsonschema.Schema{ref("server"), {Not: given("name")}}},
		},
	}}
}

// skills is the schema of what says more on skills than a word.
func (s *schemas) skills() *jsonschema.Schema {
	long := s.of(reflect.TypeFor[skillsMap]())
	for _, key := range []string{"active", "exclude"} {
		long.Properties[key].Items = notBlank()
		long.Properties[key].UniqueItems = true
	}
	return long
}

// scope is the schema of a scope; a target's may leave the rules out.
func (s *schemas) scope(whole bool) *jsonschema.Schema {
	scope := s.of(reflect.TypeFor[scopeFile]())
	for _, rules := range []string{"allow", "deny"} {
		scope.Properties[rules].Items.Properties["target"].Pattern = `\S`
	}
	if whole {
		scope.Required = append(scope.Required, "allow")
		scope.Properties["allow"].MinItems = jsonschema.Ptr(1)
		notNull(scope.Properties["allow"])
	}
	return scope
}

func requestSchemaOf(t *testing.T) *jsonschema.Schema {
	s := newSchemas(t)
	defs := map[string]*jsonschema.Schema{}
	s.tools(defs)
	s.contract(defs)
	delete(defs, "contractSource")
	defs["contract"] = contractRequest()
	reduce := s.of(reflect.TypeFor[reduceFile]())
	reduce.Properties["fragments"].Items = s.fragment(false)
	reduce.Properties["caps"].Items.Pattern = capPattern
	// Of the two forms of RFC 3339's date-time that are common, the reader takes
	// the one with a T.
	reduce.Properties["now"].Pattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}`
	defs["reduce"] = reduce
	s.layers(defs)
	defs["layers"] = layersRequest(defs)
	s.reminders(defs)
	ask := s.of(reflect.TypeFor[scopeRequestFile]())
	ask.Properties["scope"] = s.scope(true)
	defs["scope"] = ask
	render := s.of(reflect.TypeFor[renderFile]())
	render.Properties["root"].Pattern = referencePattern
	render.Properties["caps"].Items.Pattern = capPattern
	render.Properties["now"].Pattern = reduce.Properties["now"].Pattern
	defs["render"] = render
	s.projects(defs, reduce)
	return &jsonschema.Schema{
		Schema: draft, Title: "Requests to Cento",
		Description: "The bodies of requests, one definition for each operation.", Defs: defs,
	}
}

// projects adds the requests about the prompt of a project.
func (s *schemas) projects(defs map[string]*jsonschema.Schema, reduce *jsonschema.Schema) {
	defs["requestFragment"] = s.askingFragment()
	defs["literalFragment"] = s.fragment(false)
	defs["hostPart"] = s.of(reflect.TypeFor[hostPartFile]())
	for _, other := range []string{"content", "body", "parts"} {
		apart(defs["hostPart"], other, "template")
	}
	defs["hostPart"].Properties["template"].Pattern = referencePattern
	defs["hostItem"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Enum: []any{nil, false}}, str(), ref("hostPart"), {Type: "array", Items: ref("hostItem")},
	}}
	defs["hostOption"] = ref("hostItem")
	changes := func(o *jsonschema.Schema) {
		o.Properties["caps"].Items.Pattern = capPattern
		o.Properties["now"].Pattern = reduce.Properties["now"].Pattern
		for _, key := range []string{"target", "model"} {
			o.Properties[key].Pattern = `\S`
		}
	}
	for name, typ := range map[string]reflect.Type{
		"ablate": reflect.TypeFor[ablateRequestFile](), "assemble": reflect.TypeFor[assembleFile](), "wire": reflect.TypeFor[wireRequestFile](), "budget": reflect.TypeFor[budgetRequestFile](), "explain": reflect.TypeFor[explainFile](), "why": reflect.TypeFor[whyFile](), "diff": reflect.TypeFor[diffFile](),
		"cache": reflect.TypeFor[cacheRequestFile](), "models": reflect.TypeFor[modelsFile](),
		"check": reflect.TypeFor[checkFile](), "instructions": reflect.TypeFor[instructionsFile](), "tokens": reflect.TypeFor[tokensFile](), "line": reflect.TypeFor[lineFile](), "session": reflect.TypeFor[sessionFile](),
	} {
		o := s.of(typ)
		defs[name] = o
		for _, key := range []string{"project", "root"} {
			if p := o.Properties[key]; p != nil {
				p.Pattern = `\S`
			}
		}
		if o.Properties["project"] != nil {
			apart(o, "project", "root")
			apart(o, "project", "files")
		}
		if o.Properties["fragments"] == nil {
			continue
		}
		changes(o)
		o.Properties["fragments"].Items = ref("requestFragment")
		o.Properties["primary"].Properties["parts"].Items = ref("requestFragment")
		o.Properties["profile"].Properties["fragments"].Items = ref("literalFragment")
		for _, key := range []string{"project", "manifest", "files", "root", "prefixes", "profile", "target", "skills", "vars"} {
			apart(o, "input", key)
		}
	}
	session := defs["session"]
	session.Properties["op"].Enum = nil
	for _, op := range SessionOps() {
		session.Properties["op"].Enum = append(session.Properties["op"].Enum, op)
	}
	session.Properties["reminder"] = described(ref("reminder"), session.Properties["reminder"])
	session.Properties["input"] = never("A session is made of a project.")
	defs["why"].Properties["text"].Pattern = `\S`
	for _, form := range []*jsonschema.Schema{defs["wire"], defs["why"], session.Properties["wire"]} {
		left, brought := given("partial"), given("messages")
		left.Properties["partial"].Const = jsonschema.Ptr[any](true)
		brought.Properties["messages"].MinItems = jsonschema.Ptr(1)
		form.AllOf = append(form.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{AllOf: []*jsonschema.Schema{left, brought}}})
	}
	defs["ablate"].Properties["by"].Pattern = `\S`
	for _, name := range []string{"diff", "cache"} {
		changes(defs[name].Properties["to"])
		defs[name].Properties["to"].MinProperties = jsonschema.Ptr(1)
		for _, key := range []string{"target", "skills", "vars"} {
			both := given("input")
			both.Properties["to"] = &jsonschema.Schema{Required: []string{key}}
			defs[name].AllOf = append(defs[name].AllOf, &jsonschema.Schema{Not: both})
		}
	}
}

// capPattern: a name, which isn't blank behind a minus.
const capPattern = `^(-\s*\S|\s*[^-\s]|\s+-)`
