package manifest

import (
	"math"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
)

// Patterns of names: those of a slot stand in ids, those of a layer in reasons.
const (
	slotPattern     = "^[^\\x00-\\x20/`\\x7f-\\x9f]+$"
	reservedPattern = `^(builtin|user|pack|host|plugin|session|turn)$|^(pack|plugin):.`
)

// layers adds the definitions of layers. The types belong to another package and
// read themselves, so their schema is written out; the tests that hold schemas
// to the reader hold this one, too.
func (s *schemas) layers(defs map[string]*jsonschema.Schema) {
	type properties = map[string]*jsonschema.Schema
	object := func(description string, p properties, required ...string) *jsonschema.Schema {
		return &jsonschema.Schema{
			Type: "object", Description: description, Properties: p, Required: required,
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		}
	}
	optional := func(s *jsonschema.Schema, description string) *jsonschema.Schema {
		nullable(s)
		s.Description = description
		return s
	}
	told := func(s *jsonschema.Schema, description string) *jsonschema.Schema {
		s.Description = description
		return s
	}
	list := func(items *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: items}
	}
	fixed := func(value any) *jsonschema.Schema { return &jsonschema.Schema{Const: &value} }
	slot := func() *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: slotPattern} }

	defs["layer"] = object("What one party does to the prompt.", properties{
		"template": optional(ref("sectionPlan"), "Another section plan, instead of the one from below."),
		"slots": optional(&jsonschema.Schema{
			Type: "object", PropertyNames: &jsonschema.Schema{Pattern: slotPattern},
			AdditionalProperties: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{ref("slotLayer"), {Type: "null"}}},
		}, "What is done to each slot: intro, execution, guidance, project_instructions, runtime_context, environment, or one that a template of the stack has."),
		"patch": optional(list(ref("patch")), "Changes of the section plan in force, in order."),
	})
	defs["sectionPlan"] = object("An ordered list of sections.", properties{
		"sections": told(list(ref("section")), "The sections, in the order of the prompt."),
	}, "sections")
	defs["section"] = object("A heading with its parts. It stands in the prompt only when one of them does.", properties{
		"title":   optional(str(), "The heading, printed with ##."),
		"entries": optional(list(ref("entry")), "Its parts, in order."),
	})
	defs["entry"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		object("A text that stands as it is.", properties{"kind": fixed("text"), "content": str()}, "kind", "content"),
		object("A text that the program brings.", properties{
			"kind": fixed("builtin"), "builtin": {Enum: []any{layer.MainAgentIntro, layer.ExecutionInstructions, layer.CoreGuidance, layer.Instruction}},
		}, "kind", "builtin"),
		object("A place that layers contribute to.", properties{"kind": fixed("slot"), "slot": slot()}, "kind", "slot"),
	}}
	defs["slotLayer"] = object("What a layer does to a slot, in the order of these keys.", properties{
		"reset":         optional(&jsonschema.Schema{Type: "boolean"}, "Take out everything that lower layers contributed."),
		"remove":        optional(list(str()), "Take single contributions of lower layers out, by their key."),
		"contributions": optional(list(ref("contribution")), "What is added."),
	})
	names := func() *jsonschema.Schema { return list(str()) }
	contribution := object("What a layer puts in a slot.", properties{
		"slot":               optional(notBlank(), "The slot that it was written for; the one that it stands under decides."),
		"title":              optional(str(), "A heading of its own, printed with ###."),
		"priority":           optional(&jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(float64(math.MinInt32)), Maximum: jsonschema.Ptr(float64(math.MaxInt32))}, "Order in the slot, lowest first; default 0."),
		"gate":               optional(object("", properties{"tools": optional(names(), "")}), "In only when at least one of its tools is active."),
		"requires_any_tools": optional(names(), "Another name of gate."),
		"content":            optional(str(), "The text, taken literally."),
		"template":           optional(&jsonschema.Schema{Type: "string", Pattern: referencePattern}, "Reference to a prompt file, such as $workspace/review, that is rendered instead of content."),
		"id":                 optional(notBlank(), "Its key in the slot, by which a higher layer removes it. Default: its title in lower case with hyphens."),
		"requires_tools":     optional(names(), "In only when every named tool is active."),
		"requires_caps":      optional(names(), "In only when every named capability is set."),
		"when":               optional(str(), "A further condition."),
		"importance":         optional(&jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Enum: []any{"required"}}}}, "Who is left out first over a budget: the lowest number; default required, which never is."),
		"stability":          optional(enumOf[cento.Stability](), "How often the bytes change; default static."),
		"protected":          optional(&jsonschema.Schema{Type: "boolean"}, "Survives every reset and removal."),
	})
	contribution.AnyOf = []*jsonschema.Schema{given("content"), given("template")}
	apart(contribution, "content", "template")
	apart(contribution, "gate", "requires_any_tools")
	defs["contribution"] = contribution
	insert := func(op, description string, p properties, required ...string) *jsonschema.Schema {
		p["op"] = fixed(op)
		p["before"] = optional(str(), "The place behind the new one.")
		p["after"] = optional(str(), "The place before the new one.")
		o := object(description, p, append([]string{"op"}, required...)...)
		o.AnyOf = []*jsonschema.Schema{given("before"), given("after")}
		apart(o, "before", "after")
		return o
	}
	defs["patch"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		insert("insert_section", "A new section beside the one of a title.", properties{"section": ref("section")}, "section"),
		insert("insert_entry", "A new entry beside a slot or builtin of a section.", properties{
			"section": told(str(), "Title of the section."), "entry": ref("entry"),
		}, "section", "entry"),
	}}
}

// layersRequest is the schema of a request for the prompt of layers.
func layersRequest(defs map[string]*jsonschema.Schema) *jsonschema.Schema {
	type properties = map[string]*jsonschema.Schema
	closed := func(p properties, required ...string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Properties: p, Required: required, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	}
	optional := func(s *jsonschema.Schema, description string) *jsonschema.Schema {
		nullable(s)
		s.Description = description
		return s
	}
	// A request has no instruction, and brings no prompt files.
	builtin := defs["entry"].AnyOf[1].Properties["builtin"]
	builtin.Enum = builtin.Enum[:len(builtin.Enum)-1]
	defs["contribution"].Properties["template"] = never("A request brings no prompt files.")
	one := closed(properties{
		"name":  {Type: "string", Description: "What traces and messages call it."},
		"rank":  optional(&jsonschema.Schema{Type: "string", Pattern: `^(builtin|user|workspace|host|session|turn|(pack|plugin)(:.+)?)$`}, "Where it stands among the others; default directly above the one before."),
		"layer": ref("layer"),
	}, "name", "layer")
	context := closed(properties{
		"execution_prompt": optional(str(), "The text of the builtin execution_instructions."),
		"tool_names":       optional(&jsonschema.Schema{Type: "array", Items: str()}, "The active tools."),
		"caps":             optional(&jsonschema.Schema{Type: "array", Items: str()}, "The capabilities that are set."),
		"agent_name":       optional(str(), "Who the agent is told to be."),
	})
	return closed(properties{
		"layers":  {Type: "array", Items: one, Description: "The layers, low to high."},
		"context": optional(context, "What the prompt is for."),
		"merge":   optional(&jsonschema.Schema{Type: "boolean"}, "Order contributions of one slot and priority by title and content, and take duplicates out."),
	}, "layers")
}

// Requests for layers agree with their schema.
func TestLayersRequestSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t, requestSchema, "#/$defs/layers")
	for request, good := range map[string]bool{
		`{"layers": []}`: true,
		`{"layers": [{"name": "a", "rank": "pack:acme", "layer": {"slots": {"guidance": {"contributions": [{"content": "x"}]}}}}], "context": {"tool_names": ["a"], "caps": null}, "merge": true}`: true,
		`{"layers": [{"name": "a", "rank": null, "layer": {}}], "context": null, "merge": null}`:                                                                                                   true,
		`{}`: false, `{"layers": {}}`: false, `{"layers": [{"name": "a"}]}`: false, `{"layers": [{"layer": {}}]}`: false,
		`{"layers": [], "merge": 1}`: false, `{"layers": [], "context": {"tools": []}}`: false, `{"layer": []}`: false,
		`{"layers": [{"name": "a", "rank": "top", "layer": {}}]}`: false, `{"layers": [{"name": "a", "rank": "pack:", "layer": {}}]}`: false,
		`{"layers": [{"name": "a", "layer": {"slot": {}}}]}`: false,
	} {
		_, readErr := ParseLayers("r.json", []byte(request), cento.Limits{})
		n, err := strict.JSON("r.json", []byte(request), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if schemaErr := validate(t, schema, n); (readErr == nil) != good || (schemaErr == nil) != good {
			t.Errorf("%s: good is %v, the reader says %v, the schema %v", request, good, readErr, schemaErr)
		}
	}
}

// layerNames says how the layers of a manifest are named.
func layerNames(list *jsonschema.Schema) {
	name := list.Items.Properties["name"]
	name.Pattern, name.Not = `\S`, &jsonschema.Schema{Pattern: reservedPattern}
}

// One fault at a time in layers: what the reader refuses the schema refuses, and
// what it takes the schema takes.
func TestLayerSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	contribution := func(c string) string {
		return "layers: [{name: team, layer: {slots: {guidance: {contributions: [" + c + "]}}}}]"
	}
	of := func(l string) string { return "layers: [{name: team, layer: " + l + "}]" }
	for manifest, good := range map[string]bool{
		"layers: []": true, "layers: null": true, of("{}"): true, of("{template: null, slots: null, patch: null}"): true,
		of("{template: {sections: []}}"): true,
		of("{template: {sections: [{title: A, entries: [{kind: text, content: x}, {kind: builtin, builtin: core_guidance}, {kind: slot, slot: own}]}, {}]}}"):                                             true,
		of("{template: {sections: [{entries: [{kind: builtin, builtin: instruction}]}]}}"):                                                                                                                true,
		of("{slots: {guidance: null, intro: {reset: true, remove: [a]}}}"):                                                                                                                                true,
		of("{patch: [{op: insert_section, after: Guidance, section: {title: A}}, {op: insert_entry, section: Guidance, before: guidance, entry: {kind: text, content: x}}]}"):                             true,
		contribution("{content: x, title: null, priority: -1, gate: {tools: [a]}, id: a, requires_tools: [a], requires_caps: [b], when: 'true', importance: required, stability: turn, protected: true}"): true,
		contribution("{template: $workspace/a}"): true, contribution("{template: $pack/acme/a, content: null}"): true,

		"layers: {}": false, "layers: [team]": false, "layers: [{name: team}]": false, "layers: [{layer: {}}]": false, "layers: [{name: ' ', layer: {}}]": false,
		"layers: [{name: user, layer: {}}]": false, "layers: [{name: 'pack:acme', layer: {}}]": false, "layers: [{name: workspace, layer: {}}]": true,
		of("x"): false, of("{slot: {}}"): false, of("{template: {}}"): false, of("{template: {sections: [{titel: A}]}}"): false,
		of("{template: {sections: [{entries: [{kind: txt, content: x}]}]}}"):         false,
		of("{template: {sections: [{entries: [{kind: text}]}]}}"):                    false,
		of("{template: {sections: [{entries: [{kind: builtin, builtin: intro}]}]}}"): false,
		of("{template: {sections: [{entries: [{kind: slot, slot: 'a b'}]}]}}"):       false,
		of("{slots: {'a b': {}}}"): false, of("{slots: {guidance: []}}"): false, of("{slots: {guidance: {reset: 1}}}"): false,
		of("{patch: [{op: insert, after: A}]}"): false, of("{patch: [{op: insert_section, section: {}}]}"): false,
		of("{patch: [{op: insert_section, after: A, before: B, section: {}}]}"): false, of("{patch: [{op: insert_entry, after: a, entry: {kind: text, content: x}}]}"): false,
		contribution("{}"): false, contribution("{content: a, template: $workspace/a}"): false, contribution("{template: a}"): false,
		contribution("{content: a, gate: {tools: [a]}, requires_any_tools: [a]}"): false, contribution("{content: a, priority: 2147483648}"): false,
		contribution("{content: a, priority: 1.5}"): false, contribution("{content: a, gate: {tool: [a]}}"): false, contribution("{content: a, id: ' '}"): false,
		contribution("{content: a, importance: high}"): false, contribution("{content: a, trust: host}"): false,
	} {
		_, readErr := Parse("m.yaml", []byte(manifest))
		n, err := strict.YAML("m.yaml", []byte(manifest), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		schemaErr := validate(t, schema, n)
		if (readErr == nil) != good || (schemaErr == nil) != good {
			t.Errorf("%s: good is %v, the reader says %v, the schema %v", manifest, good, readErr, schemaErr)
		}
	}
}
