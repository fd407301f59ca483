package contract

import (
	"encoding/json"
	"slices"
)

// Schema returns the JSON Schema (draft 2020-12) of a contract file. Editors
// complete and check by it; [ParseFile] checks more: that keys are known and
// that none is given twice.
func Schema() json.RawMessage {
	type object = map[string]any
	ref := func(name string) object { return object{"$ref": "#/$defs/" + name} }
	text := func(description string) object { return object{"type": "string", "description": description} }
	oneOf := func(names []string, description string) object {
		return object{"enum": names, "description": description}
	}
	closed := func(properties object, required ...string) object {
		slices.Sort(required)
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	name := object{"type": "string", "pattern": "^[a-z][a-z0-9_-]{0,63}$"}
	described := func(o object, description string) object {
		o["description"] = description
		return o
	}
	root := closed(object{
		"role":        described(object{"anyOf": []object{{"enum": builtinRoles}, name}}, "Who is asked."),
		"objective":   text("What for."),
		"context":     described(object{"anyOf": []object{ref("context_map"), ref("context_list")}}, "The facts to rely on, grouped by key. The order counts."),
		"constraints": described(object{"type": []string{"array", "null"}, "items": object{"enum": constraintNames}, "uniqueItems": true}, "Rules for the asked agent."),
		"output": described(closed(object{
			"emit":   oneOf(emitNames, "What is to come back."),
			"key":    described(ref("key"), "The group that it belongs to."),
			"format": described(object{"enum": append([]any{nil}, anys(formatNames.Known())...)}, "How it is to be written; any when left out."),
		}, "emit", "key"), "What is to come back."),
		"keys":  described(object{"type": []string{"array", "null"}, "items": name, "uniqueItems": true}, "Keys that are allowed besides the built-in ones."),
		"roles": described(object{"type": []string{"array", "null"}, "items": name, "uniqueItems": true}, "Roles that are allowed besides the built-in ones."),
	}, "role", "objective", "output")
	// Only who declares roles may have one that isn't built in.
	root["if"] = object{"required": []string{"roles"}, "properties": object{"roles": object{"type": "array", "minItems": 1}}}
	root["else"] = object{"properties": object{"role": object{"enum": builtinRoles}}}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Agent prompt contract"
	root["description"] = "What one agent hands to another in place of prose: who is asked, for what, from which facts, under which rules, and what is to come back."
	root["$defs"] = object{
		"key":          object{"anyOf": []object{{"enum": builtinKeys}, name}},
		"context_map":  object{"type": "object", "propertyNames": ref("key"), "additionalProperties": object{"anyOf": []object{{"type": "null"}, ref("facts")}}},
		"context_list": object{"type": []string{"array", "null"}, "items": closed(object{"key": ref("key"), "facts": ref("facts")}, "key", "facts")},
		"facts":        object{"type": "array", "items": ref("fact")},
		"fact": closed(object{
			"id":      text("What citations name; unique in the contract."),
			"content": object{"type": []string{"string", "null"}, "description": "What is known."},
		}, "id"),
	}
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("contract: the schema can't be written: " + err.Error())
	}
	return data
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
