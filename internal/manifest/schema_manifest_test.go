package manifest

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/workspace"
	"github.com/google/jsonschema-go/jsonschema"
)

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

func enumOf[T any]() *jsonschema.Schema {
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

// sized has a budget say how large it is.
func sized(budget *jsonschema.Schema) {
	apart(budget, "tokens", "share")
	budget.AnyOf = []*jsonschema.Schema{given("tokens"), given("share"), {Type: "null"}}
}

func newSchemas(t *testing.T) *schemas {
	one := any(1)
	s := &schemas{t, map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[strict.Node]():               {},
		reflect.TypeFor[text]():                      str(),
		reflect.TypeFor[strict.Located[int]]():       {Const: &one},
		reflect.TypeFor[count]():                     {Type: "integer", Minimum: jsonschema.Ptr(1.0)},
		reflect.TypeFor[seconds]():                   {Type: "integer", Minimum: jsonschema.Ptr(1.0)},
		reflect.TypeFor[strict.Located[bool]]():      {Type: "boolean"},
		reflect.TypeFor[form]():                      enumOf[contract.Form](),
		reflect.TypeFor[contractFile]():              ref("contractSource"),
		reflect.TypeFor[cacheKind]():                 enumOf[cacheKind](),
		reflect.TypeFor[outputFormat]():              enumOf[outputFormat](),
		reflect.TypeFor[systemPlace]():               enumOf[systemPlace](),
		reflect.TypeFor[wire.Form]():                 enumOf[wire.Form](),
		reflect.TypeFor[strict.Located[wire.Form]](): enumOf[wire.Form](),
		reflect.TypeFor[wire.Sectioning]():           enumOf[wire.Sectioning](),
		reflect.TypeFor[cacheMode]():                 enumOf[cacheMode](),
		reflect.TypeFor[dollars]():                   {Type: "number", Minimum: jsonschema.Ptr(0.0)},
		reflect.TypeFor[cento.Bucket]():              enumOf[cento.Bucket](),
		reflect.TypeFor[cento.Stability]():           enumOf[cento.Stability](),
		reflect.TypeFor[cento.HiddenPolicy]():        enumOf[cento.HiddenPolicy](),
		reflect.TypeFor[permission]():                enumOf[permission](),
		reflect.TypeFor[secretsFile]():               {Enum: []any{"warn"}},
		reflect.TypeFor[skillsFile]():                {AnyOf: []*jsonschema.Schema{{Enum: []any{"auto", "off", false}}, ref("skills")}},
		reflect.TypeFor[profileFile]():               ref("profile"),
		reflect.TypeFor[scopeSetting]():              {}, // see scope
		reflect.TypeFor[varsFile]():                  {Type: "object", AdditionalProperties: declaredVar()},
		reflect.TypeFor[valuesFile]():                {Type: "object"},
		reflect.TypeFor[filesFile]():                 {Type: "object", PropertyNames: &jsonschema.Schema{Pattern: `^\s*\$(user|workspace|pack/[^/]+)/`}, AdditionalProperties: str()},
		reflect.TypeFor[prefixTrust]():               {Enum: []any{"host", "user", "workspace", "tool", "session"}},
		reflect.TypeFor[budgetSizeFile]():            {AnyOf: []*jsonschema.Schema{most(), {Type: "string", Pattern: `^\s*[0-9.]+\s*%\s*$`}}},
		reflect.TypeFor[notInTarget]():               never("Belongs to the whole manifest."),
		reflect.TypeFor[setByProgram]():              never("Set by the program."),
		reflect.TypeFor[requestTrust]():              never("Set by the program."),
		reflect.TypeFor[notHere]():                   never("Servers stand in the manifest alone."),
		reflect.TypeFor[serversFile]():               ref("servers"),
		reflect.TypeFor[commandFile]():               {Type: "array", Items: str()},
		reflect.TypeFor[lockFile]():                  {Enum: []any{"require"}},
		reflect.TypeFor[hostOption]():                ref("hostOption"),
		reflect.TypeFor[layer.Layer]():               ref("layer"),
		reflect.TypeFor[hostParts]():                 {Type: "array", Items: ref("hostItem")},
		reflect.TypeFor[toolsFile]():                 ref("tools"),
		reflect.TypeFor[toolListFile]():              ref("toolList"),
		reflect.TypeFor[toolsChange]():               ref("toolList"),
		reflect.TypeFor[anyFile]():                   {Type: "object"},
		reflect.TypeFor[extraFile]():                 {Type: "object"},
		reflect.TypeFor[inputFile]():                 {Types: []string{"object", "string"}, Pattern: "^[0-9a-f]{64}$"},
		reflect.TypeFor[map[string]*text](): {
			Type: "object", AdditionalProperties: str(), PropertyNames: &jsonschema.Schema{Not: &jsonschema.Schema{Pattern: `^$|^/|/$|//|\\|(^|/)\.\.?(/|$)`}},
		},
		reflect.TypeFor[importance]():             {AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Enum: []any{"required"}}}},
		reflect.TypeFor[tokens]():                 {Type: "integer", Minimum: jsonschema.Ptr(0.0)},
		reflect.TypeFor[sizeTokens]():             {Type: "integer", Minimum: jsonschema.Ptr(0.0)},
		reflect.TypeFor[share]():                  {Type: "number", ExclusiveMinimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(1.0)},
		reflect.TypeFor[cento.BudgetPolicy]():     enumOf[cento.BudgetPolicy](),
		reflect.TypeFor[map[string]*targetFile](): {Type: "object", AdditionalProperties: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("target"), {Type: "null"}}}},
	}}
	s.reminderTypes()
	s.caseTypes()
	s.types[reflect.TypeFor[outputsFile]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{str(), {Type: "array", Items: s.of(reflect.TypeFor[outputFile]())}}}
	own := s.of(reflect.TypeFor[prefixFile]())
	notNull(own.Properties["trust"])
	notNull(own.Properties["files"])
	s.types[reflect.TypeFor[prefixesFile]()] = &jsonschema.Schema{
		Type: "object", PropertyNames: &jsonschema.Schema{Pattern: `^\$[a-z0-9][-a-z0-9_.]*$`, Not: &jsonschema.Schema{Enum: []any{"$user", "$workspace", "$pack"}}},
		AdditionalProperties: own,
	}
	policy := s.of(reflect.TypeFor[policyMap]())
	s.types[reflect.TypeFor[policyFile]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{enumOf[cento.HiddenPolicy](), policy}}
	return s
}

// askingFragment is that of a fragment in a request about a project, which may name a
// prompt file.
func (s *schemas) askingFragment() *jsonschema.Schema {
	f, named := s.fragment(false), s.fragment(true)
	f.Properties["template"] = named.Properties["template"]
	f.AnyOf = []*jsonschema.Schema{given("body"), given("template"), given("contract")}
	apart(f, "body", "template")
	apart(f, "template", "contract")
	apart(f, "template", "trust")
	return f
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
		f.Properties["trust"] = &jsonschema.Schema{Enum: []any{"host", "user", "workspace", "tool", "session", nil}, Description: "Whose text it is; default host, which it can only lower. Text of workspace, tool and session is scanned and quoted."}
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
	for _, p := range slices.Concat(workspace.Conventions(), workspace.ConventionVersions()) {
		profiles = append(profiles, p)
	}
	project["instructions"].Types, project["instructions"].Enum = nil, append(profiles, workspace.NoInstructions, nil)
	project["markers"].Items.Pattern = `^[^/\\]*[^/\\\s][^/\\]*$`
	project["markers"].Items.Not = &jsonschema.Schema{Enum: []any{".", ".."}}
	defs["skills"] = s.skills()
	limits := cento.DefaultLimits()
	for name, ceiling := range map[string]int{"file": limits.File, "prompt": limits.Prompt, "fragments": limits.Fragments, "nesting": limits.Nesting} {
		defs["limits"].Properties[name].Maximum = jsonschema.Ptr(float64(ceiling))
	}

	defs["test"] = s.testCase(defs)
	root := s.of(reflect.TypeFor[manifestFile]())
	root.Properties["tests"].Items = ref("test")
	target := s.of(reflect.TypeFor[targetFile]())
	defs["scope"] = s.scope(true)
	root.Properties["scope"] = described(orOff(ref("scope")), root.Properties["scope"])
	target.Properties["scope"] = described(orOff(s.scope(false)), target.Properties["scope"])
	for _, o := range []*jsonschema.Schema{root, target} {
		o.Properties["fragments"].Items = ref("fragment")
		o.Properties["instruction"].Pattern = `^off$|` + referencePattern
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
		sized(o.Properties["budget"])
	}
	defs["target"] = s.changes(target, defs)
	root.Schema, root.Title, root.Defs = draft, "Cento manifest", defs
	root.Description = "What a project says about the system prompt of its agents (cento.yaml)."
	nullable(root) // an empty file
	return root
}

// orOff is a schema beside the word that switches a setting off.
func orOff(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Enum: []any{off, false}}, s}}
}

func described(s, as *jsonschema.Schema) *jsonschema.Schema {
	s.Description = as.Description
	nullable(s)
	return s
}

// declaredVar is a variable: a value of any kind, or how often it changes beside
// the value.
func declaredVar() *jsonschema.Schema {
	return &jsonschema.Schema{
		If: &jsonschema.Schema{
			Type: "object", Required: []string{"stability"}, PropertyNames: &jsonschema.Schema{Enum: []any{"default", "stability"}},
		},
		Then: &jsonschema.Schema{
			Properties: map[string]*jsonschema.Schema{"default": {Description: "The value."}, "stability": enumOf[cento.Stability]()},
			Required:   []string{"default"},
		},
	}
}
