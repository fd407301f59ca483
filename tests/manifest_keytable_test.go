package tests

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/project/consent"
)

// keyRows are in the order of the schema: the keys of a manifest, then those of
// each definition by name.
var keyRows = slices.Concat(topKeys, textKeys, contractKeys, layerKeys, projectKeys, toolKeys, modelKeys, wireKeys, testKeys)

const (
	aFragment = "fragments: [{id: a, body: Beta.}]"
	refused   = manifest.Unsupported
)

// tight is a manifest with room for little.
const tight = "system: X., scope: off, skills: off, profile: off, project: {instructions: off}, budget: {tokens: 8}, "

// smallBudget is a manifest whose budget holds the less important of two fragments.
func smallBudget(policy string) string {
	return strings.Replace(tight, "8", "8, policy: "+policy, 1) +
		"fragments: [{id: a, body: Beta., importance: 1}, {id: b, body: one two three four five six seven eight nine ten, importance: 2}]"
}

var topKeys = []keyRow{
	{"version", "version: 1", "version: 2", manifest.UnsupportedVersion},
	{"agent", aLayer, aLayer + ", agent: {execution_prompt: Go on.}", ""},
	{"agent.name", "agent: {name: Ada}", "agent: {name: Bea}", ""},
	{"agent.execution_prompt", aLayer + ", agent: {execution_prompt: Go on.}", aLayer + ", agent: {execution_prompt: Stop.}", ""},
	{"system", "system: One.", "system: Two.", ""},
	{"instruction", "", "instruction: $workspace/a", ""},
	{"host", "", "host: {system_prefix: First.}", ""},
	{"primary", "", "primary: {loop_contract: Stop.}", ""},
	{"fragments", "", aFragment, ""},
	{"tools", "", "tools: [{name: read, guidance: Read.}]", ""},
	{"caps", aGated + "}]", aGated + "}], caps: [ci]", ""},
	{"scope", "", "scope: off", ""},
	{"project", "", "project: {instructions: off}", ""},
	{"profile", "", "profile: off", ""},
	{"skills", "", "skills: off", ""},
	{"model", "fragments: [{id: a, body: B., requires_caps: [model.family.claude]}]", "fragments: [{id: a, body: B., requires_caps: [model.family.claude]}], model: claude-sonnet-4-6", ""},
	{"models", "", "models: [{id: tide, context: 9}]", ""},
	{"trust", aHidden, aHidden + ", trust: {policy: strip}", ""},
	{"limits", "", "limits: {fragments: 1}", cento.LimitExceeded},
	{"budget", "", "budget: {tokens: 9}", cento.BudgetRequired},
	{"budget.tokens", "budget: {tokens: 100000}", "budget: {tokens: 9}", cento.BudgetRequired},
	{"budget.share", "model: gpt-5.4, budget: {share: 1}", "model: gpt-5.4, budget: {share: 0.000001}", cento.BudgetRequired},
	{"budget.reserve", "budget: {tokens: 100000}", "budget: {tokens: 100000, reserve: 99999}", cento.BudgetRequired},
	{"budget.policy", smallBudget("strict"), smallBudget("fill"), ""},
	{"budget.hold", tight + "fragments: [{id: a, body: Beta., importance: 1}]", strings.Replace(tight, "8", "8, hold: 5", 1) + "fragments: [{id: a, body: Beta., importance: 1}]", ""},
	{"budget.keep_cached", "budget: {tokens: 100000}", "budget: {tokens: 100000, keep_cached: true}", ""},
	{"fragment.importance", aFragment, "fragments: [{id: a, body: Beta., importance: 5}]", ""},
	{"fragment.variants", tight + "fragments: [{id: a, body: one two three four five six seven eight nine ten, importance: 1}]", tight + "fragments: [{id: a, body: one two three four five six seven eight nine ten, importance: 1, variants: [one]}]", ""},
	{"fragment.group", tight + "fragments: [{id: a, body: Beta., importance: 1}, {id: b, body: one two three four five six, importance: 0}]", tight + "fragments: [{id: a, body: Beta., importance: 1, group: g}, {id: b, body: one two three four five six, importance: 0, group: g}]", ""},
	{"hostPart.importance", hostPart(""), hostPart("importance: 5"), ""},
	{"contribution.importance", contributed(""), contributed("importance: 5"), ""},
	{"replacement", "", "replacement: Only this.", ""},
	{"layers", "", aLayer, ""},
	{"layers[].name", aLayer, "layers: [{name: other, layer: {slots: {intro: {contributions: [{content: Hi.}]}}}}]", ""},
	{"layers[].layer", aLayer, "layers: [{name: team, layer: {slots: {intro: {contributions: [{content: Ho.}]}}}}]", ""},
	{"packs", "", "packs: [{name: house}]", "pack.unlocked"},
	{"packs[].name", "packs: [{name: house}]", "packs: [{name: other}]", "pack.invalid"},
	{"packs[].path", "packs: [{name: house}]", "packs: [{name: house, path: sub}]", "pack.invalid"},
	{"prompt_pack", "", "prompt_pack: words.yaml", ""},
	{"vars", "instruction: $workspace/v, vars: {mode: fast}", "instruction: $workspace/v, vars: {mode: slow}", ""},
	{"ignore", "scope: off", "scope: off, ignore: [{code: scope.none, reason: wanted}]", ""},
	{"ignore[].code", "scope: off, ignore: [{code: scope.none, reason: wanted}]", "scope: off, ignore: [{code: section.split, reason: wanted}]", ""},
	{"ignore[].id", "scope: off, ignore: [{code: scope.none, reason: wanted}]", "scope: off, ignore: [{code: scope.none, id: a, reason: wanted}]", ""},
	{"ignore[].reason", "scope: off, ignore: [{code: scope.none, reason: wanted}]", "scope: off, ignore: [{code: scope.none, reason: known}]", ""},
	{"reminders", "", "reminders: {append_only: true}", ""},
	{"materialise", "", "materialise: per_turn", ""},
	{"wire", "", "wire: {provider: anthropic}", ""},
	{"targets", aFragment, aFragment + ", targets: {t: {tools: [x], fragments: [{id: a, body: Use x_y., when: tol}]}}", ""},
	{"store", "", "store: records.db", ""},
	{"tests", "", "tests: [{name: a, contains: Beta.}]", ""},
	{"target.version", "", "version: 1", manifest.NotInTarget},
	{"target.tests", "", "tests: []", manifest.NotInTarget},
	{"target.output", "", "output: AGENTS.md", ""},
	{"target.output[].file", "output: [{file: x.md}]", "output: [{file: AGENTS.md}]", ""},
	{"target.output[].wire", "output: [{file: AGENTS.md}]", "output: [{file: AGENTS.md, wire: nothing}]", strict.WrongValue},
	{"target.output[].format", "output: [{file: AGENTS.md, wire: openai}]", "output: [{file: AGENTS.md, wire: openai, format: text}]", manifest.Conflict},
	{"target.targets", "", "targets: {}", manifest.NotInTarget},
	{"target.store", "", "store: a.db", manifest.NotInTarget},
}

// The manifests that several rows begin with.
const (
	aGated    = "fragments: [{id: a, body: B., requires_caps: [ci]"
	aLayer    = "layers: [{name: team, layer: {slots: {intro: {contributions: [{content: Hi.}]}}}}]"
	deepParts = "host: {system_prefix: {parts: [{parts: [{parts: [{parts: [{parts: [{parts: [{parts: [x]}]}]}]}]}]}]}}"
	aHidden   = `fragments: [{id: a, body: "a\u200bb"}]`
)

var textKeys = []keyRow{
	{"fragment.id", aFragment, "fragments: [{id: b, body: Beta.}]", ""},
	{"fragment.source", aFragment, "fragments: [{id: a, body: Beta., source: us}]", ""},
	{"fragment.bucket", aFragment, "fragments: [{id: a, body: Beta., bucket: after}]", ""},
	{"fragment.requires_tools", aFragment, "fragments: [{id: a, body: Beta., requires_tools: [x]}]", ""},
	{"fragment.requires_any_tools", aFragment, "fragments: [{id: a, body: Beta., requires_any_tools: [x]}]", ""},
	{"fragment.requires_caps", aFragment, "fragments: [{id: a, body: Beta., requires_caps: [x]}]", ""},
	{"fragment.when", aFragment, "fragments: [{id: a, body: Beta., when: \"tool('x')\"}]", ""},
	{"fragment.body", aFragment, "fragments: [{id: a, body: Gamma.}]", ""},
	{"fragment.template", aFragment, "fragments: [{id: a, template: $workspace/a}]", ""},
	{"fragment.contract", aFragment, "fragments: [{id: a, contract: contract.json}]", ""},
	{"fragment.file", aFragment, "fragments: [{id: a, file: contract.json}]", ""},
	{"fragment.form", "fragments: [{id: a, contract: contract.json, form: edn}]", "fragments: [{id: a, contract: contract.json, form: lines}]", ""},
	{"fragment.exact", "fragments: [{id: a, contract: contract.json, form: edn}]", "fragments: [{id: a, contract: contract.json, form: edn, exact: true}]", ""},
	{"fragment.section", aFragment, "fragments: [{id: a, body: Beta., section: Rules}]", ""},
	{"fragment.title", aFragment, "fragments: [{id: a, body: Beta., title: Rules}]", ""},
	{"fragment.needs", "fragments: [{id: a, body: Beta.}, {id: b, body: X., requires_tools: [x]}]", "fragments: [{id: a, body: Beta., needs: [b]}, {id: b, body: X., requires_tools: [x]}]", ""},
	{"fragment.stability", aFragment, "fragments: [{id: a, body: Beta., stability: turn}]", ""},
	{"fragment.protected", aFragment, "fragments: [{id: a, body: Beta., protected: true}]", ""},
	{"fragment.trust", aFragment, "fragments: [{id: a, body: Beta., trust: host}]", manifest.SetByProgram},
	{"fragment.origin", aFragment, "fragments: [{id: a, body: Beta., origin: x}]", manifest.SetByProgram},
	{"fragment.layer", aFragment, "fragments: [{id: a, body: Beta., layer: x}]", manifest.SetByProgram},
	{"fragment.tight", aFragment, "fragments: [{id: a, body: Beta., tight: true}]", manifest.SetByProgram},

	{"host.system_preamble", "", "host: {system_preamble: X.}", ""},
	{"host.system_prefix", "", "host: {system_prefix: X.}", ""},
	{"host.system_context", "", "host: {system_context: X.}", ""},
	{"host.system_prompt_parts", "", "host: {system_prompt_parts: [X., Y.]}", ""},
	{"host.system_appendix", "", "host: {system_appendix: X.}", ""},
	{"host.system_suffix", "", "host: {system_suffix: X.}", ""},
	{"hostPart.id", hostPart(""), hostPart("id: a"), ""},
	{"hostPart.title", hostPart(""), hostPart("title: T"), ""},
	{"hostPart.content", hostPart(""), "host: {system_prefix: {content: Y.}}", ""},
	{"hostPart.body", hostPart(""), "host: {system_prefix: {body: Y.}}", ""},
	{"hostPart.template", hostPart(""), "host: {system_prefix: {template: $workspace/a}}", ""},
	{"hostPart.position", hostPart(""), hostPart("position: after"), ""},
	{"hostPart.requires_tools", hostPart(""), hostPart("requires_tools: [x]"), ""},
	{"hostPart.requires_any_tools", hostPart(""), hostPart("requires_any_tools: [x]"), ""},
	{"hostPart.requires_caps", hostPart(""), hostPart("requires_caps: [x]"), ""},
	{"hostPart.when", hostPart(""), hostPart(`when: "tool('x')"`), ""},
	{"hostPart.stability", hostPart(""), hostPart("stability: turn"), ""},
	{"hostPart.enabled", hostPart(""), hostPart("enabled: false"), ""},
	{"hostPart.parts", hostPart(""), "host: {system_prefix: {parts: [X., Y.]}}", ""},

	{"primary.mcp_advisory", "tools: {mcp: {command: [notes]}}", "tools: {mcp: {command: [notes]}}, primary: {mcp_advisory: Beware.}", ""},
	{"primary.progress_tool", "primary: {progress_tool_name: todo}, tools: [todo]", "primary: {progress_tool_name: todo, progress_tool: Plan.}, tools: [todo]", ""},
	{"primary.progress_tool_name", "tools: [todo]", "tools: [todo], primary: {progress_tool_name: todo}", ""},
	{"primary.loop_contract", "", "primary: {loop_contract: Stop.}", ""},
	{"primary.tool_contract", "tools: [{name: a}], caps: [model.text_tools]", "tools: [{name: a}], caps: [model.text_tools], primary: {tool_contract: Call.}", ""},
}

func hostPart(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "host: {system_prefix: {content: X." + more + "}}"
}

// aContract is a contract in place, with more members.
func aContract(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "fragments: [{id: a, contract: {role: pilot, roles: [pilot], objective: find, output: {emit: evaluation, key: votes}" + more + "}}]"
}

var contractKeys = []keyRow{
	{"promptContract.constraints", aContract(""), aContract("constraints: [no-invent]"), ""},
	{"promptContract.context", aContract(""), aContract("context: {seeds: [{id: x, content: Y}]}"), ""},
	{"promptContract.keys", aContract(""), aContract("keys: [tides], context: {tides: [{id: x, content: Y}]}"), ""},
	{"promptContract.objective", aContract(""), "fragments: [{id: a, contract: {role: pilot, roles: [pilot], objective: rank, output: {emit: evaluation, key: votes}}}]", ""},
	{"promptContract.output", aContract(""), aContractFor("{emit: fact, key: votes}"), ""},
	{"promptContract.output.emit", aContract(""), aContractFor("{emit: fact, key: votes}"), ""},
	{"promptContract.output.format", aContract(""), aContractFor("{emit: evaluation, key: votes, format: json}"), ""},
	{"promptContract.output.key", aContract(""), aContractFor("{emit: evaluation, key: seeds}"), ""},
	{"promptContract.role", aContract(""), "fragments: [{id: a, contract: {role: analyzer, objective: find, output: {emit: evaluation, key: votes}}}]", ""},
	{"promptContract.roles", aContract(""), "fragments: [{id: a, contract: {role: pilot, objective: find, output: {emit: evaluation, key: votes}}}]", "contract.unknown"},
	{"contract_context_list[].facts", aContract("context: [{key: seeds, facts: [{id: x, content: Y}]}]"), aContract("context: [{key: seeds, facts: [{id: x, content: Z}]}]"), ""},
	{"contract_context_list[].key", aContract("context: [{key: seeds, facts: [{id: x, content: Y}]}]"), aContract("context: [{key: votes, facts: [{id: x, content: Y}]}]"), ""},
	{"contract_fact.content", aContract("context: {seeds: [{id: x, content: Y}]}"), aContract("context: {seeds: [{id: x, content: Z}]}"), ""},
	{"contract_fact.id", aContract("context: {seeds: [{id: x, content: Y}]}"), aContract("context: {seeds: [{id: w, content: Y}]}"), ""},
}

// aContractFor is one with another output.
func aContractFor(output string) string {
	return "fragments: [{id: a, contract: {role: pilot, roles: [pilot], objective: find, output: " + output + "}}]"
}

// slot is a manifest whose layer says something of the slot intro.
func slot(says string) string {
	return "layers: [{name: low, layer: {slots: {intro: {contributions: [{id: l, content: Low.}]}}}}, {name: team, layer: {slots: {intro: {" + says + "}}}}]"
}

// contributed is one whose layer contributes a text with more members.
func contributed(more string) string {
	if more != "" {
		more = ", " + more
	}
	return slot("contributions: [{content: Hi." + more + "}]")
}

// patched is one whose layer changes the plan.
func patched(operation string) string {
	return "layers: [{name: team, layer: {patch: [{" + operation + "}], slots: {intro: {contributions: [{content: Hi.}]}}}}]"
}

// planned is one whose layer brings a plan with one section.
func planned(section string) string {
	return "layers: [{name: team, layer: {template: {sections: [{" + section + "}]}}}]"
}

var layerKeys = []keyRow{
	{"layer.patch", aLayer, patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: X.}]}"), ""},
	{"layer.slots", aLayer, "layers: [{name: team, layer: {slots: {guidance: {contributions: [{content: Hi.}]}}}}]", ""},
	{"layer.template", "", planned("entries: [{kind: text, content: X.}]"), ""},
	{"patch.op", patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: X.}]}"), patched("op: insert, after: Guidance, section: {title: New, entries: []}"), "kind.unknown"},
	{"patch.after", patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: X.}]}"), patched(`op: insert_section, after: "", section: {title: New, entries: [{kind: text, content: X.}]}`), ""},
	{"patch.before", patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: X.}]}"), patched(`op: insert_section, before: "", section: {title: New, entries: [{kind: text, content: X.}]}`), ""},
	{"patch.section", patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: X.}]}"), patched("op: insert_section, after: Guidance, section: {title: New, entries: [{kind: text, content: Y.}]}"), ""},
	{"patch.entry", patched(`op: insert_entry, section: "", after: intro, entry: {kind: text, content: X.}`), patched(`op: insert_entry, section: "", after: intro, entry: {kind: text, content: Y.}`), ""},
	{"entry.content", planned("entries: [{kind: text, content: X.}]"), planned("entries: [{kind: text, content: Y.}]"), ""},
	{"entry.kind", planned("entries: [{kind: text, content: X.}]"), planned("entries: [{kind: txt, content: X.}]"), "kind.unknown"},
	{"entry.builtin", planned("entries: [{kind: builtin, builtin: core_guidance}]"), planned("entries: [{kind: builtin, builtin: main_agent_intro}]"), ""},
	{"entry.slot", "layers: [{name: t, layer: {template: {sections: [{entries: [{kind: slot, slot: intro}]}]}, slots: {intro: {contributions: [{content: X.}]}}}}]", "layers: [{name: t, layer: {template: {sections: [{entries: [{kind: slot, slot: guidance}]}]}, slots: {intro: {contributions: [{content: X.}]}}}}]", ""},
	{"section.entries", planned("entries: [{kind: text, content: X.}]"), planned("entries: []"), ""},
	{"section.title", planned("entries: [{kind: text, content: X.}]"), planned("title: T, entries: [{kind: text, content: X.}]"), ""},
	{"sectionPlan.sections", planned("entries: [{kind: text, content: X.}]"), "layers: [{name: team, layer: {template: {sections: []}}}]", ""},
	{"slotLayer.contributions", slot(""), contributed(""), ""},
	{"slotLayer.remove", slot(""), slot("remove: [l]"), ""},
	{"slotLayer.reset", slot(""), slot("reset: true"), ""},
	{"contribution.content", contributed(""), slot("contributions: [{content: Ho.}]"), ""},
	{"contribution.gate", contributed(""), contributed("gate: {tools: [x]}"), ""},
	{"contribution.gate.tools", contributed("gate: {tools: [x]}"), contributed("gate: {tools: [y]}"), ""},
	{"contribution.id", contributed(""), contributed("id: mine"), ""},
	{"contribution.priority", contributed(""), contributed("priority: -1"), ""},
	{"contribution.protected", contributed(""), contributed("protected: true"), ""},
	{"contribution.requires_any_tools", contributed(""), contributed("requires_any_tools: [x]"), ""},
	{"contribution.requires_caps", contributed(""), contributed("requires_caps: [x]"), ""},
	{"contribution.requires_tools", contributed(""), contributed("requires_tools: [x]"), ""},
	{"contribution.slot", contributed(""), contributed("slot: guidance"), ""},
	{"contribution.stability", contributed(""), contributed("stability: turn"), ""},
	{"contribution.template", contributed(""), slot("contributions: [{template: $workspace/a}]"), ""},
	{"contribution.title", contributed(""), contributed("title: T"), ""},
	{"contribution.when", contributed(""), contributed(`when: "tool('x')"`), ""},
}

// scoped is a manifest with a scope.
func scoped(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "scope: {allow: [{target: ., permission: read}]" + more + "}"
}

const aProfile = "profile: {caps: [tides], fragments: [{id: profile:x, body: Sea.}]}"

var projectKeys = []keyRow{
	{"scope.allow", scoped(""), "scope: {allow: [{target: sub, permission: read}]}", ""},
	{"scope.allow[].target", scoped(""), "scope: {allow: [{target: sub, permission: read}]}", ""},
	{"scope.allow[].permission", scoped(""), "scope: {allow: [{target: ., permission: write}]}", ""},
	{"scope.allow[].recursive", scoped(""), "scope: {allow: [{target: ., permission: read, recursive: false}]}", ""},
	{"scope.deny", scoped(""), scoped("deny: [{target: sub, permission: read}]"), ""},
	{"scope.deny[].target", scoped("deny: [{target: sub, permission: read}]"), scoped("deny: [{target: sub/x, permission: read}]"), ""},
	{"scope.deny[].permission", "scope: {allow: [{target: ., permission: write}], deny: [{target: sub, permission: read}]}", "scope: {allow: [{target: ., permission: write}], deny: [{target: sub, permission: write}]}", ""},
	{"scope.deny[].recursive", scoped("deny: [{target: sub, permission: read}]"), scoped("deny: [{target: sub, permission: read, recursive: false}]"), ""},
	{"scope.show_denied", scoped("deny: [{target: sub, permission: read}]"), scoped("deny: [{target: sub, permission: read}], show_denied: false"), ""},
	{"project.instructions", "", "project: {instructions: codex}", ""},
	{"project.markers", "", "project: {markers: [marker]}", ""},
	{"project.limit", "", "project: {limit: 20}", ""},
	{"project.imports", "", "project: {imports: true}", ""},
	{"profile.caps", aProfile, "profile: {caps: [tides, sea], fragments: [{id: profile:x, body: Sea., requires_caps: [sea]}]}", ""},
	{"profile.fragments", aProfile, "profile: {caps: [tides], fragments: [{id: profile:x, body: Lake.}]}", ""},
	{"profile.signals", "profile: {}, fragments: [{id: a, body: B., requires_caps: [signal.index]}]", "profile: {signals: {index: 1}}, fragments: [{id: a, body: B., requires_caps: [signal.index]}]", ""},
	{"skills.active", "", "skills: {active: [tides]}", ""},
	{"skills.exclude", "", "skills: {exclude: [tides]}", ""},
	{"skills.catalog", "", "skills: {catalog: false}", ""},
	{"skills.budget", "", "skills: {budget: 10}", ""},
	{"skills.gate", "skills: {active: [tides]}", "skills: {active: [tides], gate: true}", ""},
	{"trust.policy", aHidden, aHidden + ", trust: {policy: strip}", ""},
	{"trust.policy.workspace", aHidden, aHidden + ", trust: {policy: {workspace: reject}}", cento.HiddenText},
	{"trust.policy.tool", `tools: [{name: a, guidance: "a\u200bb"}]`, `tools: [{name: a, guidance: "a\u200bb"}], trust: {policy: {tool: strip}}`, ""},
	{"trust.policy.session", "", "trust: {policy: {session: strip}}", ""},
	{"trust.secrets", "", "trust: {secrets: redact}", refused},
	{"limits.file", "system: X., tools: tools.json", "system: X., tools: tools.json, limits: {file: 5}", "file.too_large"},
	{"limits.prompt", "", "limits: {prompt: 50}", cento.LimitExceeded},
	{"limits.fragments", "", "limits: {fragments: 1}", cento.LimitExceeded},
	{"limits.nesting", deepParts, deepParts + ", limits: {nesting: 5}", cento.LimitExceeded},
	{"reminders.placement", "reminders: {placement: turn}", "reminders: {placement: system}", ""},
	{"reminders.append_only", "reminders: {append_only: false}", "reminders: {append_only: true}", ""},
	{"reminders.providers", "", "reminders: {providers: [-idle_nudge]}", ""},
}

// tool is a manifest with one tool that has more members.
func tool(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "tools: [{name: a" + more + "}]"
}

// provided is one with a tool of a provider.
func provided(more string) string { return "tools: [{type: web_search" + more + "}]" }

// server is one with an MCP server.
func server(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "tools: {mcp: {command: [notes]" + more + "}}"
}

var toolKeys = []keyRow{
	{"tool.name", tool(""), "tools: [{name: b}]", ""},
	{"tool.description", tool(""), tool("description: Reads."), ""},
	{"tool.parameters", tool(""), tool("parameters: {type: object}"), ""},
	{"tool.guidance", tool(""), tool("guidance: Read."), ""},
	{"tool.type", tool(""), tool("type: odd"), ""},
	{"tool.function", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: b}}]", ""},
	{"tool.function.name", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: b}}]", ""},
	{"tool.function.description", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: a, description: Reads.}}]", ""},
	{"tool.function.parameters", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: a, parameters: {type: object}}}]", ""},
	{"tool.function.strict", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: a, strict: true}}]", ""},
	{"tool.function.guidance", "tools: [{type: function, function: {name: a}}]", "tools: [{type: function, function: {name: a, guidance: Read.}}]", ""},
	{"tool.input_schema", tool(""), tool("input_schema: {type: object}"), ""},
	{"tool.inputSchema", tool(""), tool("inputSchema: {type: object}"), ""},
	{"tool.strict", tool(""), tool("strict: true"), ""},
	{"tool.cache_control", tool(""), tool("cache_control: {type: ephemeral}"), ""},
	{"tool.defer_loading", tool(""), tool("defer_loading: true"), ""},
	{"tool.allowed_callers", tool(""), tool("allowed_callers: [direct]"), ""},
	{"tool.input_examples", tool(""), tool("input_examples: [{}]"), ""},
	{"tool.eager_input_streaming", tool(""), tool("eager_input_streaming: true"), ""},
	{"tool.output_schema", tool(""), tool("output_schema: {}"), ""},
	{"tool.behavior", tool(""), tool("behavior: BLOCKING"), ""},
	{"tool.response", tool(""), tool("response: {}"), ""},
	{"tool.title", tool(""), tool("title: A"), ""},
	{"tool.outputSchema", tool(""), tool("outputSchema: {}"), ""},
	{"tool.annotations", tool(""), tool("annotations: {}"), ""},
	{"tool.icons", tool(""), tool("icons: []"), ""},
	{"tool.execution", tool(""), tool("execution: {}"), ""},
	{"tool._meta", tool(""), tool("_meta: {guidance: Read.}"), ""},
	{"tools[].custom", provided(""), "tools: [{type: custom, custom: {name: web_search}}]", ""},
	{"tools[].custom.name", "tools: [{type: custom, custom: {name: a}}]", "tools: [{type: custom, custom: {name: b}}]", ""},
	{"tools[].guidance", provided(""), provided(", guidance: Search."), ""},
	{"tools[].mcp_server_name", "tools: [{type: mcp_toolset}]", "tools: [{type: mcp_toolset, mcp_server_name: sea}]", ""},
	{"tools[].name", provided(""), provided(", name: find"), ""},
	{"tools[].server_label", "tools: [{type: mcp}]", "tools: [{type: mcp, server_label: sea}]", ""},
	{"tools[].type", provided(""), "tools: [{type: web_fetch}]", ""},
	{"tools.tools", "tools: {tools: [a]}", "tools: {tools: [b]}", ""},
	{"tools.tools[].custom", "tools: {tools: [{type: web_search}]}", "tools: {tools: [{type: custom, custom: {name: web_search}}]}", ""},
	{"tools.tools[].custom.name", "tools: {tools: [{type: custom, custom: {name: a}}]}", "tools: {tools: [{type: custom, custom: {name: b}}]}", ""},
	{"tools.tools[].guidance", "tools: {tools: [{type: web_search}]}", "tools: {tools: [{type: web_search, guidance: Search.}]}", ""},
	{"tools.tools[].mcp_server_name", "tools: {tools: [{type: mcp_toolset}]}", "tools: {tools: [{type: mcp_toolset, mcp_server_name: sea}]}", ""},
	{"tools.tools[].name", "tools: {tools: [{type: web_search}]}", "tools: {tools: [{type: web_search, name: find}]}", ""},
	{"tools.tools[].server_label", "tools: {tools: [{type: mcp}]}", "tools: {tools: [{type: mcp, server_label: sea}]}", ""},
	{"tools.tools[].type", "tools: {tools: [{type: web_search}]}", "tools: {tools: [{type: web_fetch}]}", ""},
	{"tools.mcp", "", server(""), ""},
	{"tools.lock", server(""), "tools: {mcp: {command: [notes]}, lock: require}", "server.unlocked"},
	{"server.name", "tools: {mcp: [{name: n, command: [notes]}]}", "tools: {mcp: [{name: o, command: [notes]}]}", ""},
	{"servers[].name", "tools: {mcp: [{name: n, command: [notes]}]}", "tools: {mcp: [{command: [notes]}]}", strict.MissingKey},
	{"server.command", server(""), "tools: {mcp: {command: [others]}}", ""},
	{"server.env", server(""), server("env: {A: b}"), ""},
	{"server.inherit", server(""), server("inherit: [A]"), ""},
	{"server.cwd", server(""), server("cwd: sub"), ""},
	{"server.url", server(""), `tools: {mcp: {url: "https://example.com/mcp"}}`, ""},
	{"server.prefix", server(""), server("prefix: n_"), ""},
	{"server.timeout", server(""), server("timeout: 5"), ""},
}

// entry is a manifest with a model of its own.
func entry(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "models: [{id: tide" + more + "}]"
}

var modelKeys = []keyRow{
	{"models[].id", entry(""), "models: [{id: ebb}]", ""},
	{"models[].provider", entry(""), entry("provider: sea"), ""},
	{"models[].family", entry(""), entry("family: sea"), ""},
	{"models[].series", entry(""), entry("series: sea"), ""},
	{"models[].aliases", entry(""), entry("aliases: [ebb]"), ""},
	{"models[].context", entry(""), entry("context: 9"), ""},
	{"models[].max_input", entry(""), entry("max_input: 9"), ""},
	{"models[].max_output", entry(""), entry("max_output: 9"), ""},
	{"models[].price", entry(""), entry("price: {input: 1}"), ""},
	{"models[].price.input", entry("price: {input: 1}"), entry("price: {input: 2}"), ""},
	{"models[].price.output", entry("price: {output: 1}"), entry("price: {output: 2}"), ""},
	{"models[].price.cache_read", entry("price: {cache_read: 1}"), entry("price: {cache_read: 2}"), ""},
	{"models[].price.cache_write", entry("price: {cache_write: {5m: 1}}"), entry("price: {cache_write: {5m: 2}}"), ""},
	{"models[].tokenizer", entry(""), entry("tokenizer: cl100k_base"), ""},
	{"models[].cache", entry(""), entry("cache: {kind: explicit}"), ""},
	{"models[].cache.kind", entry("cache: {kind: explicit}"), entry("cache: {kind: none}"), ""},
	{"models[].cache.min_tokens", entry("cache: {kind: explicit}"), entry("cache: {kind: explicit, min_tokens: 9}"), ""},
	{"models[].cache.max_breakpoints", entry("cache: {kind: explicit}"), entry("cache: {kind: explicit, max_breakpoints: 3}"), ""},
	{"models[].cache.ttl", entry("cache: {kind: explicit}"), entry("cache: {kind: explicit, ttl: [5m]}"), ""},
	{"models[].cache.automatic", entry("cache: {kind: explicit}"), entry("cache: {kind: explicit, automatic: true}"), ""},
	{"models[].cache.lookback", entry("cache: {kind: explicit}"), entry("cache: {kind: explicit, lookback: 9}"), ""},
	{"models[].system", entry(""), entry("system: system_message"), ""},
	{"models[].one_system_message", entry(""), entry("one_system_message: true"), ""},
	{"models[].mid_conversation_system", entry(""), entry("mid_conversation_system: true"), ""},
	{"models[].prefill", entry(""), entry("prefill: true"), ""},
	{"models[].sampling", entry(""), entry("sampling: false"), ""},
	{"models[].thinking_budget", entry(""), entry("thinking_budget: false"), ""},
	{"models[].sections", entry(""), entry("sections: [xml]"), ""},
	{"models[].wire", entry(""), entry("wire: anthropic"), ""},
	{"models[].tools", entry(""), entry("tools: false"), ""},
	{"models[].chat_tools", entry(""), entry("chat_tools: false"), ""},
	{"models[].vision", entry(""), entry("vision: true"), ""},
	{"models[].reasoning", entry(""), entry("reasoning: true"), ""},
	{"models[].status", entry(""), entry("status: legacy"), ""},
	{"models[].source", entry(""), entry("source: a page"), ""},
}

// cached is a manifest with a model that takes marks, and what it says of requests.
func cached(more string) string {
	if more != "" {
		more = ", " + more
	}
	return "model: tide, models: [{id: tide, cache: {kind: explicit, max_breakpoints: 4, ttl: [5m, 1h]}}], wire: {provider: anthropic" + more + "}"
}

var wireKeys = []keyRow{
	{"wire.provider", "wire: {provider: openai}", "wire: {provider: anthropic}", ""},
	{"wire.sectioning", cached(""), cached("sectioning: xml"), ""},
	{"wire.cache", cached(""), cached("cache: {mode: off}"), ""},
	{"wire.cache.mode", cached("cache: {mode: auto}"), cached("cache: {mode: off}"), ""},
	{"wire.cache.ttl", cached(""), cached("cache: {ttl: {static: 1h}}"), ""},
	{"wire.cache.ttl.static", cached("cache: {ttl: {static: 5m}}"), cached("cache: {ttl: {static: 1h}}"), ""},
	{"wire.cache.ttl.session", cached("cache: {ttl: {static: 1h}}"), cached("cache: {ttl: {static: 1h, session: 1h}}"), ""},
	{"wire.cache.conversation", cached(""), cached("cache: {conversation: true}"), ""},
	{"wire.cache.key", "wire: {provider: openai}", "wire: {provider: openai, cache: {key: k}}", ""},
	{"wire.max_tokens", cached(""), cached("max_tokens: 9"), ""},
	{"wire.extra", cached(""), cached("extra: {temperature: 0}"), consent.TrustRequired},
}
