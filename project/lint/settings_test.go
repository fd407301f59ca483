package lint

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/wire"
)

// settings has a value for each key of the manifest, and for each of the maps in it, that
// isn't the default.
var settings = map[string]string{
	"version": "1", "system": "You read.", "instruction": "role/reviewer", "replacement": "Nothing.", "caps": "[deploy]", "model": "claude-opus-5",
	"agent.name": "Bob", "agent.execution_prompt": "Work slowly.",
	"host.system_preamble": "First.", "host.system_prefix": "Second.", "host.system_context": "Third.", "host.system_prompt_parts": "[Parts.]", "host.system_appendix": "Fifth.", "host.system_suffix": "Sixth.",
	"primary.mcp_advisory": "Take care.", "primary.progress_tool": "Tell of it.", "primary.progress_tool_name": "todo", "primary.loop_contract": "End it.", "primary.tool_contract": "Call so.",
	"fragments": "[{id: a, body: More.}]", "tools.tools": "[{name: look}]", "tools.mcp": "{a: {command: [nothing]}}", "tools.lock": "require, tools: [{name: look}]",
	"scope.allow": "[{target: ., permission: read}]", "scope.deny": "[{target: secret, permission: read}]", "scope.show_denied": "true",
	"project.instructions": "claude", "project.markers": "[go.mod]", "project.limit": "12", "project.imports": "false",
	"profile.caps": "[go]", "profile.fragments": "[language]", "profile.signals": "{language: rust}",
	"skills.active": "[review]", "skills.exclude": "[review]", "skills.catalog": "false", "skills.budget": "50", "skills.gate": "true",
	"models": "[{id: gpt-5.4, context: 10}]", "trust.policy": "{workspace: strip}", "trust.secrets": "redact",
	"limits.file": "10", "limits.prompt": "10", "limits.fragments": "1", "limits.nesting": "1",
	"layers": "[{name: team, layer: {slots: {guidance: {contributions: [{content: Be kind.}]}}}}]", "packs": "[{path: nowhere}]", "prompt_pack": "nowhere", "vars": "{a: b}", "ignore": "[{code: secret, reason: none}]",
	"reminders.placement": "turn", "reminders.append_only": "true", "reminders.providers": "[clock]", "materialise": "per_turn",
	"budget.tokens": "5", "budget.share": "0.00001", "budget.reserve": "100", "budget.hold": "500", "budget.policy": "fill", "budget.keep_cached": "true",
	"wire.provider": "anthropic", "wire.sectioning": "xml", "wire.cache": "{mode: auto}", "wire.max_tokens": "99", "wire.extra": "{user: me}",
	"store": "file.db", "targets": "{ci: {}}", "tests": "[]",
}

// quiet are the keys that may change nothing, with why that is no mistake.
var quiet = map[string]string{
	"caps": "a caller's texts may ask for it", "ignore": "it accepts what isn't found yet", "materialise": "sessions alone have it",
	"primary.mcp_advisory": "a caller may have tools of servers", "primary.progress_tool": "a caller may name the tool", "primary.progress_tool_name": "a caller may have the tool",
	"primary.tool_contract": "it is for models that call tools in text", "project.imports": "no file names another", "project.markers": "the folder is found by other marks",
	"reminders.append_only": "sessions alone have it", "reminders.placement": "there is no reminder", "skills.gate": "no skill asks for tools",
	"store": "it is where prompts are recorded", "targets": "it is a prompt of its own", "tests": "they look at prompts",
	"trust.policy": "no text has what it is for", "version": "there is one", "wire.cache": "the form marks nothing for the cache",
}

// TestEverySettingTells tries each key of the manifest alone in a project: it changes the
// prompt or the request, gives a finding or an error, or is one of those that needn't.
func TestEverySettingTells(t *testing.T) {
	for _, key := range manifestKeys(t) {
		if settings[key] == "" {
			t.Errorf("no value of %s: give it one that isn't the default", key)
		}
	}
	files := map[string]string{
		"AGENTS.md": "Run the tests of each change.\n", "CLAUDE.md": "Answer in one line.\n", "go.mod": "module a\n\ngo 1.26\n",
		".agents/skills/review/SKILL.md": "---\nname: review\ndescription: Reviews a change as its maintainers would, and says what is wrong.\n---\nReview.\n",
	}
	result := func(written string) (out string, failed bool) {
		all := maps.Clone(files)
		all["cento.yaml"] = written
		r, site := lintable(t, all)
		var told strings.Builder
		defer func() { out = strings.ReplaceAll(out, r.Dir, "<root>") }()
		report, err := Run(t.Context(), site, r, Options{})
		if err != nil {
			return err.Error(), true
		}
		for _, f := range report.Findings {
			told.WriteString(string(f.Code) + f.Message + "\n")
		}
		p, err := site.Open(t.Context(), r)
		if err != nil {
			return err.Error(), true
		}
		prompt, err := p.Reduce(p.Input)
		if err != nil {
			return err.Error(), true
		}
		system, _ := prompt.System()
		told.WriteString(system)
		w, chosen, err := p.WireRequest(p.Input, prompt)
		if err != nil || !chosen {
			return told.String(), false
		}
		body, err := wire.Build(w)
		if err != nil {
			return told.String(), false
		}
		data, _ := json.Marshal(body)
		return told.String() + string(data), false
	}
	before, _ := result("system: You help.\nmodel: gpt-5.4\n")
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		top, under, nested := strings.Cut(key, ".")
		m := "system: You help.\nmodel: gpt-5.4\n"
		if top == "system" {
			m = "model: gpt-5.4\n"
		} else if top == "model" {
			m = "system: You help.\n"
		}
		value := settings[key]
		if nested {
			value = "{" + under + ": " + value + "}"
		}
		after, failed := result(m + top + ": " + value + "\n")
		switch same := !failed && after == before; {
		case same && quiet[key] == "":
			t.Errorf("%s changes nothing, and no finding says so", key)
		case !same && quiet[key] != "":
			t.Errorf("%s changes something: take it from the list of quiet ones", key)
		case failed && strings.Contains(after, "unknown key"):
			t.Errorf("the value of %s isn't one: %s", key, after)
		}
	}
}

// manifestKeys are the keys of a manifest, and those of the maps that they have, by the schema.
func manifestKeys(t *testing.T) (out []string) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(manifest.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	defs := root["$defs"].(map[string]any)
	var keys func(schema map[string]any) []string
	keys = func(schema map[string]any) []string {
		if ref, is := schema["$ref"].(string); is {
			return keys(defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any))
		}
		var out []string
		if of, is := schema["properties"].(map[string]any); is {
			out = slices.Sorted(maps.Keys(of))
		}
		for _, way := range []string{"anyOf", "oneOf", "allOf"} {
			list, _ := schema[way].([]any)
			for _, x := range list {
				out = append(out, keys(x.(map[string]any))...)
			}
		}
		return out
	}
	for name, schema := range root["properties"].(map[string]any) {
		under := keys(schema.(map[string]any))
		for i := range under {
			under[i] = name + "." + under[i]
		}
		if len(under) == 0 {
			under = []string{name}
		}
		out = append(out, under...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
