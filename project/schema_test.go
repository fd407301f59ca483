package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/workspace"
)

var updateSchema = flag.Bool("update-schema", false, "rewrite the schema files")

const draft = "https://json-schema.org/draft/2020-12/schema"

// The committed schemas are those that the types give.
func TestSchemaIsFresh(t *testing.T) {
	for file, schema := range map[string]*jsonschema.Schema{"schema.json": manifestSchemaOf(t), "requests.schema.json": requestSchemaOf(t)} {
		want, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		if *updateSchema {
			if err := os.WriteFile(file, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run go generate ./project (%v)", file, err)
		}
	}
}

// The schema takes every manifest that the reader takes, and refuses those that
// the reader refuses for a reason that a schema can express.
func TestSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	// Reasons that no schema can express, or that a file of JSON can't have.
	beyond := map[cento.ErrorCode]bool{strict.Syntax: true, strict.DuplicateKey: true, cento.DuplicateID: true, cento.DuplicateTool: true}
	// What the schema refuses and the reader takes.
	stricter := map[string]bool{"bare_texts": true}
	cases, refused := 0, 0
	for _, file := range archives(t) {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name != "cento.yaml" {
				continue
			}
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			cases++
			_, readErr := ParseManifest(f.Name, f.Data)
			n, err := strict.YAML(f.Name, f.Data, cento.DefaultLimits())
			if err != nil {
				continue // no value to ask about
			}
			schemaErr := validate(t, schema, n)
			switch {
			case readErr == nil && stricter[name]:
				if schemaErr == nil {
					t.Errorf("%s: the schema isn't stricter than the reader after all", name)
				}
			case readErr == nil && schemaErr != nil:
				t.Errorf("%s: read, but the schema refuses it: %v", name, schemaErr)
			case readErr != nil:
				refused++
				inReach := slices.ContainsFunc(errorsOf(readErr), func(e *cento.SourceError) bool { return !beyond[e.Code] })
				if inReach && schemaErr == nil {
					t.Errorf("%s: refused by the reader alone: %v", name, readErr)
				}
			}
		}
	}
	if cases < 10 || refused < 5 {
		t.Errorf("only %d manifests, %d of them bad", cases, refused)
	}
}

// One fault at a time: what the reader refuses the schema refuses.
func TestSchemaRefusesEachFault(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	for _, manifest := range []string{
		"version: 2", "version: 1.5", "agnet: {}", "agent: {nmae: x}", "system: [x]", "{system: a, instruction: $workspace/a}", "instruction: reviewer",
		"host: {system_prefx: x}", "host: {system_prefix: true}", "host: {system_prefix: {position: above}}", "host: {system_prefix: [{parts: [{bdy: x}]}]}",
		"host: {system_prefix: {content: a, body: b}}", "host: {system_prefix: {content: a, parts: []}}", "host: {system_prefix: {template: review}}",
		"host: {system_prefix: {template: $workspace/a, content: b}}", "host: {system_prefix: {template: $workspace/a, body: b}}", "host: {system_prefix: {template: $workspace/a, parts: []}}",
		"fragments: [{id: a}]", "fragments: [{body: a}]", "fragments: [{id: ' ', body: a}]", "fragments: [{id: replacement, body: a}]", "fragments: [{id: a, body: b, trust: host}]",
		"fragments: [{id: a, body: b, template: $workspace/c}]", "fragments: [{id: a, template: c}]", "fragments: [{id: a, template: $workspce/c}]", "fragments: [{id: a, template: null}]",
		"fragments: [{id: a, contract: b}]", "fragments: [{id: a, contract: b.yaml, body: c}]", "fragments: [{id: a, contract: b.yaml, template: $workspace/c}]", "fragments: [{id: a, body: c, form: edn}]",
		"fragments: [{id: a, contract: b.yaml, form: yaml}]", "fragments: [{id: a, contract: b.yaml, exact: 1}]", "fragments: [{id: a, contract: {role: proposer}}]", "fragments: [{id: a, contract: {role: judge, objective: a, output: {emit: fact, key: seeds}}}]",
		"vars: [a]", "vars: a", "prompt_pack: {}", "prompt_pack: ' '",
		"packs: [{path: a}]", "packs: [{name: A}]", "packs: [{name: a, path: ../a}]", "packs: [{name: a, path: /a}]", "packs: [{name: a, path: 'a\\b'}]", "packs: [{name: a, pth: a}]", "packs: [a]",
		"ignore: [{code: x}]", "ignore: [{reason: x}]", "ignore: [{code: ' ', reason: x}]", "ignore: [{code: x, reason: ''}]", "ignore: {}",
		"fragments: [{id: a, body: b, importance: high}]", "fragments: [{id: a, body: b, importance: 1.5}]", "fragments: [{id: a, body: b, bucket: x}]",
		"fragments: [{id: a, body: b, requires_tools: x}]", "tools: todo", "tools: [{description: x}]", "tools: [{name: ''}]", "tools: [[a]]", "tools: {mcp: {}}", "tools: {}",
		"tools: {mcp: x}", "tools: {mcp: []}", "tools: {mcp: [{command: [a]}]}", "tools: {mcp: {command: []}}", "tools: {mcp: {command: a}}", "tools: {mcp: {command: [' ']}}", "tools: {mcp: {comand: [a]}}",
		"tools: {mcp: {a b: {command: [a]}}}", "tools: {mcp: {a: {name: b, command: [a]}}}", "tools: {mcp: {a: {env: {X: y}}}}", "tools: {mcp: {command: [a], url: 'https://a'}}", "tools: {mcp: {url: 'https://a', cwd: b}}", "tools: {mcp: {url: 'https://a', env: {X: y}}}",
		"tools: {mcp: {url: 'ftp://a'}}", "tools: {mcp: {url: 'https://'}}", "tools: {mcp: {url: 'https://u:p@a'}}", "tools: {mcp: {url: 'https://a#b'}}", "tools: {mcp: {command: [a], cwd: ../b}}", "tools: {mcp: {command: [a], cwd: /b}}",
		"tools: {mcp: {command: [a], env: {'A B': c}}}", "tools: {mcp: {command: [a], inherit: ['']}}", "tools: {mcp: {command: [a], prefix: 'a b'}}", "tools: {mcp: {command: [a], timeout: 601}}", "tools: {mcp: {command: [a], timeout: 0}}",
		"tools: {mcp: {command: [a]}, lock: no}", "tools: {lock: require}",
		"tools: [{type: web_search, name: ' '}]", "tools: [{type: web_search, guidance: []}]", "tools: [{type: web_serch, max_uses: 1}]", "tools: [{type: bash_20250124, description: []}]",
		"tools: [{name: a, parameters: []}]", "tools: [{name: a, guidence: x}]", "tools: [{type: x, function: {name: a}}]", "tools: [{name: a, function: {name: b}}]", "tools: [{name: a, parameters: {}, input_schema: {}}]",
		"caps: ['']", "caps: ['-']", "scope: {}", "scope: {allow: []}", "scope: {allow: [{target: .}]}", "scope: {allow: [{target: ., permission: none}]}", "scope: {allow: [{target: ' ', permission: read}]}",
		"project: {instructions: x}", "project: {markers: [a/b]}", "project: {markers: [..]}", "project: {limit: 0}", "profile: on", "profile: [x]", "profile: {cap: [x]}", "profile: {caps: ['']}", "profile: {caps: [-x]}", "profile: {fragments: [{id: a}]}", "profile: {fragments: [{id: a, body: b, origin: c}]}", "profile: {signals: [x]}", "skills: on", "skills: [pdf]", "skills: {actve: [pdf]}", "skills: {active: pdf}", "skills: {active: [' ']}", "skills: {exclude: [a, a]}", "skills: {budget: 0}", "skills: {catalog: auto}", "model: ' '", "replacement: ' '",
		"trust: {policy: hide}", "trust: {policy: {host: show}}", "trust: {secrets: redact}", "limits: {file: 0}", "limits: {file: 1048577}", "limits: {prompt: 16777217}", "limits: {fragments: 100001}", "limits: {nesting: 101}",
		"reminders: x", "reminders: {placement: trun}", "reminders: {append: true}", "reminders: {append_only: 1}", "reminders: {placement: system, append_only: true}", "reminders: {providers: [idle]}", "reminders: {providers: idle_nudge}", "reminders: {providers: [-idle_nudge, idle_nudge]}",
		"reminders: {providers: [-idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge]}", "materialise: always", "materialise: true", "layers: {}", "store: [x]", "store: {}", "tests: []", "targets: [a]", "targets: {a: {version: 1}}", "targets: {a: {tests: []}}", "targets: {a: {scope: {alow: []}}}", "targets: {a: x}",
	} {
		if _, err := ParseManifest("m.yaml", []byte(manifest)); err == nil {
			t.Errorf("the reader takes %s", manifest)
		}
		n, err := strict.YAML("m.yaml", []byte(manifest), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if validate(t, schema, n) == nil {
			t.Errorf("the schema takes %s", manifest)
		}
	}
}

// Manifests that lie in the repository are read and pass the schema.
func TestManifestsOfTheRepository(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != ".." && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case e.IsDir() || e.Name() != FileName:
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := ParseManifest(path, data); err != nil {
			t.Errorf("%v", err)
			return nil
		}
		n, err := strict.YAML(path, data, cento.DefaultLimits())
		if err != nil {
			return err
		}
		if err := validate(t, schema, n); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Requests agree with their schema as manifests do.
func TestRequestSchemaAgreesWithReader(t *testing.T) {
	cases := 0
	for _, file := range archives(t) {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			var readErr error
			switch f.Name {
			case "reduce.json":
				_, readErr = ParseReduce(f.Name, f.Data, cento.Limits{})
			case "scope.json":
				_, readErr = ParseScope(f.Name, f.Data, cento.Limits{})
			case "render.json":
				_, readErr = ParseRender(f.Name, f.Data, cento.Limits{})
			case "contract.json":
				_, readErr = contract.ParseRequest(f.Name, f.Data, cento.Limits{})
			default:
				continue
			}
			n, err := strict.JSON(f.Name, f.Data, cento.DefaultLimits())
			if err != nil {
				continue
			}
			cases++
			schemaErr := validate(t, compiled(t, requestSchema, "#/$defs/"+strings.TrimSuffix(f.Name, ".json")), n)
			if (readErr == nil) != (schemaErr == nil) {
				t.Errorf("%s: the reader says %v, the schema %v", file, readErr, schemaErr)
			}
		}
	}
	if cases == 0 {
		t.Error("no requests")
	}
}

func errorsOf(err error) []*cento.SourceError {
	if all, ok := errors.AsType[*cento.Errors](err); ok {
		return all.List
	}
	e, _ := errors.AsType[*cento.SourceError](err)
	return []*cento.SourceError{e}
}

func compiled(t *testing.T, schema []byte, part string) *validator.Schema {
	doc, err := validator.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("https://cento.invalid/schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://cento.invalid/schema.json" + part)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, schema *validator.Schema, n *strict.Node) error {
	data, err := n.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}

// schemas makes schemas from the types of the format.
type schemas struct {
	t     *testing.T
	types map[reflect.Type]*jsonschema.Schema
}

// of is the schema of a type, where null is as good as leaving a key out.
func (s *schemas) of(typ reflect.Type) *jsonschema.Schema {
	schema, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: s.types})
	if err != nil {
		s.t.Fatal(err)
	}
	s.optional(schema)
	return schema
}

func (s *schemas) optional(schema *jsonschema.Schema) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		if slices.Equal(p.Types, []string{"null"}) {
			// So a pointer to a type whose schema has no type comes out.
			p.Types = nil
		}
		s.optional(p)
		if !slices.Contains(schema.Required, name) {
			nullable(p)
		} else if len(p.Types) == 2 {
			p.Type, p.Types = p.Types[1], nil
		}
	}
	if schema.Items != nil {
		s.optional(schema.Items)
		notNull(schema.Items)
	}
	if schema.AdditionalProperties != nil {
		s.optional(schema.AdditionalProperties)
	}
}

// nullable lets a schema take null as well.
func nullable(s *jsonschema.Schema) {
	switch {
	case s.Type == "null" || slices.Contains(s.Types, "null") || slices.Contains(s.Enum, nil):
	case s.Enum != nil:
		s.Enum, s.Type = append(s.Enum, nil), ""
	case s.Const != nil:
		s.Enum, s.Const, s.Type = []any{*s.Const, nil}, nil, ""
	case s.Type != "":
		s.Types, s.Type = []string{"null", s.Type}, ""
	case s.AnyOf != nil:
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: "null"})
	case s.Ref != "":
		s.AnyOf = []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}
		s.Ref = ""
	}
}

func notNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

func enum[T any]() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, name := range strict.Names(reflect.TypeFor[T]()) {
		s.Enum = append(s.Enum, name)
	}
	return s
}

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

func str() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

// notBlank is a text in which something stands.
func notBlank() *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: `\S`} }

// never takes nothing but null, which says that a key isn't there.
func never(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Enum: []any{nil}, Description: description}
}

// given asks for a value, which null is none of.
func given(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Required: []string{name}, Properties: map[string]*jsonschema.Schema{name: {Not: &jsonschema.Schema{Type: "null"}}}}
}

// apart refuses values that exclude each other, of which null is none.
func apart(s *jsonschema.Schema, a, b string) {
	s.AllOf = append(s.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{AllOf: []*jsonschema.Schema{given(a), given(b)}}})
}

func newSchemas(t *testing.T) *schemas {
	one := any(1)
	unsupportedKey := never("Not supported by this version.")
	s := &schemas{t, map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[strict.Node]():            {},
		reflect.TypeFor[text]():                   str(),
		reflect.TypeFor[strict.Located[int]]():    {Const: &one},
		reflect.TypeFor[count]():                  {Type: "integer", Minimum: jsonschema.Ptr(1.0)},
		reflect.TypeFor[strict.Located[bool]]():   {Type: "boolean"},
		reflect.TypeFor[form]():                   enum[contract.Form](),
		reflect.TypeFor[contractFile]():           ref("contractSource"),
		reflect.TypeFor[importance]():             {AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Enum: []any{"required"}}}},
		reflect.TypeFor[cento.Bucket]():           enum[cento.Bucket](),
		reflect.TypeFor[cento.Stability]():        enum[cento.Stability](),
		reflect.TypeFor[cento.HiddenPolicy]():     enum[cento.HiddenPolicy](),
		reflect.TypeFor[permission]():             enum[permission](),
		reflect.TypeFor[secretsFile]():            {Enum: []any{"warn"}},
		reflect.TypeFor[skillsFile]():             {AnyOf: []*jsonschema.Schema{{Enum: []any{"auto", "off", false}}, ref("skills")}},
		reflect.TypeFor[profileFile]():            ref("profile"),
		reflect.TypeFor[varsFile]():               {Type: "object"},
		reflect.TypeFor[filesFile]():              {Type: "object", PropertyNames: &jsonschema.Schema{Pattern: `^\s*\$(user|workspace|pack/[^/]+)/`}, AdditionalProperties: str()},
		reflect.TypeFor[unsupported]():            unsupportedKey,
		reflect.TypeFor[notInTarget]():            never("Belongs to the whole manifest."),
		reflect.TypeFor[setByProgram]():           never("Set by the program."),
		reflect.TypeFor[notHere]():                never("Servers stand in the manifest alone."),
		reflect.TypeFor[serversFile]():            ref("servers"),
		reflect.TypeFor[lockFile]():               {Enum: []any{"require"}},
		reflect.TypeFor[hostOption]():             ref("hostOption"),
		reflect.TypeFor[layer.Layer]():            ref("layer"),
		reflect.TypeFor[hostParts]():              {Type: "array", Items: ref("hostItem")},
		reflect.TypeFor[toolsFile]():              ref("tools"),
		reflect.TypeFor[toolListFile]():           ref("toolList"),
		reflect.TypeFor[map[string]*targetFile](): {Type: "object", AdditionalProperties: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("target"), {Type: "null"}}}},
	}}
	s.reminderTypes()
	policy := s.of(reflect.TypeFor[policyMap]())
	s.types[reflect.TypeFor[policyFile]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{enum[cento.HiddenPolicy](), policy}}
	return s
}

// fragment is the schema of a fragment; ids of the program's own are refused in
// manifests.
func (s *schemas) fragment(manifest bool) *jsonschema.Schema {
	f := s.of(reflect.TypeFor[fragmentFile]())
	id := f.Properties["id"]
	id.Pattern = `\S`
	if manifest {
		id.Not = &jsonschema.Schema{Enum: []any{cento.BoundariesID, cento.InstructionsID, cento.ReplacementID}}
	}
	apart(f, "body", "contract")
	// What says how a contract is written wants one.
	for _, key := range []string{"form", "exact"} {
		f.AllOf = append(f.AllOf, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Not: given(key)}, given("contract")}})
	}
	if !manifest {
		f.Properties["template"] = never("A request brings no prompt files.")
		f.Properties["contract"] = described(ref("promptContract"), f.Properties["contract"])
		f.Properties["contract"].Description = "A contract that is written instead of a body."
		f.AnyOf = []*jsonschema.Schema{given("body"), given("contract")}
		return f
	}
	f.Properties["template"].Pattern = referencePattern
	f.AnyOf = []*jsonschema.Schema{given("body"), given("template"), given("contract")}
	apart(f, "body", "template")
	apart(f, "template", "contract")
	return f
}

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
			"form":     described(enum[contract.Form](), "What to write, or what the text is in; default edn."),
			"exact":    described(&jsonschema.Schema{Type: "boolean"}, "In edn, write an objective with spaces as a string; default false."),
			"keys":     described(&jsonschema.Schema{Type: "array", Items: str()}, "Keys that are allowed in the text besides the built-in ones."),
		},
		AnyOf: []*jsonschema.Schema{given("contract"), given("text")},
	}
	apart(r, "contract", "text")
	apart(r, "text", "exact")
	some := given("keys")
	some.Properties["keys"].MinItems = jsonschema.Ptr(1)
	r.AllOf = append(r.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{AllOf: []*jsonschema.Schema{given("contract"), some}}})
	return r
}

// dataFilePattern: a file of JSON or YAML, by its name.
const dataFilePattern = `\.([jJ][sS][oO][nN]|[yY][aA]?[mM][lL])$`

// referencePattern: a prefix that there is, and a path behind it.
const referencePattern = `^\s*\$(builtin|user|workspace|pack/[^/]+)/`

// tools adds the definitions of tools.
func (s *schemas) tools(defs map[string]*jsonschema.Schema) {
	tool := s.of(reflect.TypeFor[toolFile]())
	function := tool.Properties["function"]
	for _, schema := range []*jsonschema.Schema{tool.Properties["parameters"], tool.Properties["input_schema"], tool.Properties["inputSchema"], function.Properties["parameters"]} {
		schema.Types = []string{"null", "object"}
	}
	tool.Properties["name"].Pattern, function.Properties["name"].Pattern = `\S`, `\S`
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
	list := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{notBlank(), ref("tool"), ownTool()}}}
	long := s.of(reflect.TypeFor[toolList]())
	long.Properties["tools"] = list.CloneSchemas()
	long.Properties["tools"].Description = "The list."
	long.Required = []string{"tools"}
	defs["toolList"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{list, long}}
}

// ownTool is a tool of a provider's own, whose settings are its business.
func ownTool() *jsonschema.Schema {
	named := func() *jsonschema.Schema { return &jsonschema.Schema{Types: []string{"null", "string"}, Pattern: `\S`} }
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
	notNull(render.Properties["files"])
	defs["render"] = render
	return &jsonschema.Schema{
		Schema: draft, Title: "Requests to Cento",
		Description: "The bodies of requests, one definition for each operation.", Defs: defs,
	}
}

// capPattern: a name, which isn't blank behind a minus.
const capPattern = `^(-\s*\S|\s*[^-\s]|\s+-)`

func manifestSchemaOf(t *testing.T) *jsonschema.Schema {
	s := newSchemas(t)
	defs := map[string]*jsonschema.Schema{}
	s.tools(defs)
	s.contract(defs)
	s.layers(defs)
	defs["fragment"] = s.fragment(true)
	s.sources(defs)
	given := s.of(reflect.TypeFor[givenFile]())
	given.Properties["fragments"].Items = ref("fragment")
	given.Properties["caps"].Items.Pattern = `\S`
	given.Properties["caps"].Items.Not = &jsonschema.Schema{Pattern: `^-`}
	defs["profile"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Enum: []any{"auto", "off", false}}, given}}
	part := s.of(reflect.TypeFor[hostPartFile]())
	apart(part, "content", "body")
	apart(part, "content", "parts")
	apart(part, "body", "parts")
	for _, other := range []string{"content", "body", "parts"} {
		apart(part, other, "template")
	}
	part.Properties["template"].Pattern = referencePattern
	defs["hostPart"] = part
	// An item is absent, a text, a part, or a list of items.
	defs["hostItem"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Enum: []any{nil, false}}, str(), ref("hostPart"), {Type: "array", Items: ref("hostItem")},
	}}
	defs["hostOption"] = ref("hostItem")

	for name, typ := range map[string]reflect.Type{
		"agent": reflect.TypeFor[agentFile](), "host": reflect.TypeFor[hostFile](), "primary": reflect.TypeFor[primaryFile](),
		"project": reflect.TypeFor[projectFile](), "trust": reflect.TypeFor[trustFile](), "limits": reflect.TypeFor[limitsFile](),
		"reminders": reflect.TypeFor[remindersFile](),
	} {
		defs[name] = s.of(typ)
		s.types[typ] = ref(name)
	}
	remindersKey(defs["reminders"])
	project := defs["project"].Properties
	var profiles []any
	for _, p := range workspace.Profiles() {
		profiles = append(profiles, p)
	}
	project["instructions"].Types, project["instructions"].Enum = nil, append(profiles, nil)
	project["markers"].Items.Pattern = `^[^/\\]*[^/\\\s][^/\\]*$`
	project["markers"].Items.Not = &jsonschema.Schema{Enum: []any{".", ".."}}
	defs["skills"] = s.skills()
	limits := cento.DefaultLimits()
	for name, ceiling := range map[string]int{"file": limits.File, "prompt": limits.Prompt, "fragments": limits.Fragments, "nesting": limits.Nesting} {
		defs["limits"].Properties[name].Maximum = jsonschema.Ptr(float64(ceiling))
	}

	root := s.of(reflect.TypeFor[manifestFile]())
	target := s.of(reflect.TypeFor[targetFile]())
	root.Properties["scope"] = described(s.scope(true), root.Properties["scope"])
	target.Properties["scope"] = described(s.scope(false), target.Properties["scope"])
	for _, o := range []*jsonschema.Schema{root, target} {
		o.Properties["fragments"].Items = ref("fragment")
		o.Properties["instruction"].Pattern = referencePattern
		layerNames(o.Properties["layers"])
		name := o.Properties["packs"].Items.Properties["name"]
		name.Pattern = `^[a-z0-9][a-z0-9_.-]*$`
		path := o.Properties["packs"].Items.Properties["path"]
		path.Pattern, path.Not = `^[^/\\][^\\]*$`, &jsonschema.Schema{Pattern: `^\s*$|^\.\.(/|$)`}
		for _, key := range []string{"code", "id", "reason"} {
			o.Properties["ignore"].Items.Properties[key].Pattern = `\S`
		}
		o.Properties["prompt_pack"].Pattern = `\S`
		o.Properties["model"].Pattern = `\S`
		o.Properties["replacement"].Pattern = `\S`
		o.Properties["caps"].Items.Pattern = capPattern
		apart(o, "system", "instruction")
	}
	defs["target"] = target
	root.Schema, root.Title, root.Defs = draft, "Cento manifest", defs
	root.Description = "What a project says about the system prompt of its agents (cento.yaml)."
	nullable(root) // an empty file
	return root
}

func described(s, as *jsonschema.Schema) *jsonschema.Schema {
	s.Description = as.Description
	nullable(s)
	return s
}
