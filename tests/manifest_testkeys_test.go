package tests

// aTest is a manifest with a test that says this.
func aTest(says string) string {
	return `fragments: [{id: a, body: Beta.}, {id: b, body: Bash., requires_tools: [bash]}, {id: c, body: Ci., requires_caps: [ci]}], vars: {mode: fast}, ` +
		`tools: [{name: bash}], targets: {t: {tools: []}}, tests: [{name: one, ` + says + `}]`
}

// aWith is one that holds a prompt with something different to the text that it has
// without.
func aWith(with, says string) string { return aTest("with: {" + with + "}, " + says) }

var testKeys = []keyRow{
	{"test.name", aTest("contains: Beta."), `fragments: [{id: a, body: Beta.}], tests: [{name: two, contains: Beta.}]`, ""},
	{"test.target", aTest("contains: Bash."), aTest("contains: Bash., target: t"), ""},
	{"test.targets", aTest("contains: Beta."), aTest("contains: Beta., targets: all"), ""},
	{"test.with", aTest("contains: Bash."), aWith("tools: []", "contains: Bash."), ""},
	{"test.matrix", aTest("contains: Beta."), aTest("contains: Beta., matrix: {model: [gpt-5.4, gpt-5.5]}"), ""},
	{"test.contains", aTest("max_bytes: 99999"), aTest("contains: Gamma."), ""},
	{"test.not_contains", aTest("max_bytes: 99999"), aTest("not_contains: Beta."), ""},
	{"test.matches", aTest("max_bytes: 99999"), aTest("matches: 'Gam+a'"), ""},
	{"test.not_matches", aTest("max_bytes: 99999"), aTest("not_matches: 'Bet+a'"), ""},
	{"test.included", aTest("max_bytes: 99999"), aTest("included: c"), ""},
	{"test.excluded", aTest("max_bytes: 99999"), aTest("excluded: {c: gate.tool.missing}"), ""},
	{"test.order", aTest("max_bytes: 99999"), aTest("order: [b, a]"), ""},
	{"test.max_tokens", aTest("max_tokens: 99999"), aTest("max_tokens: 2"), ""},
	{"test.max_bytes", aTest("max_bytes: 99999"), aTest("max_bytes: 2"), ""},
	{"test.max_tokens_of", aTest("max_tokens_of: {a: 99}"), aTest("max_tokens_of: {a: 0}"), ""},
	{"test.same_prefix", aTest("max_bytes: 99999"), aTest("same_prefix: {as: {tools: []}, through: b}"), ""},
	{"test.same_prefix.as", aTest("same_prefix: {as: {tools: []}, through: a}"), aTest("same_prefix: {as: {files: {.cento/prompts/v.md: x}, without_tools: [bash], cwd: sub}, through: c}"), ""},
	{"test.same_prefix.through", aTest("same_prefix: {as: {tools: []}, through: a}"), aTest("same_prefix: {as: {tools: []}, through: b}"), ""},
	{"test.same_prefix.bytes", aTest("same_prefix: {as: {tools: []}, bytes: 1}"), aTest("same_prefix: {as: {tools: []}, bytes: 9999}"), ""},
	{"test.wire", aTest("max_bytes: 99999"), aTest("wire: {provider: anthropic, losses: [nothing]}"), ""},
	{"test.wire.provider", aTest("wire: {provider: text, losses: [wire.text_alone]}"), aTest("wire: {losses: []}"), ""},
	{"test.wire.golden", aTest("wire: {provider: text, losses: [wire.text_alone]}"), aTest("wire: {provider: text, golden: golden.txt}"), ""},
	{"test.wire.losses", aTest("wire: {provider: text, losses: [wire.text_alone]}"), aTest("wire: {provider: text, losses: [nothing]}"), ""},
	{"test.golden", aTest("max_bytes: 99999"), aTest("golden: golden.txt"), ""},
	{"test.truth", aTest("max_bytes: 99999"), aTest("truth: golden.txt"), ""},
	{"test.error", aTest("max_bytes: 99999"), aTest("error: budget.required"), ""},
	{"test.findings", aTest("max_bytes: 99999"), aTest("findings: [nothing]"), ""},
	{"testWith.tools", aTest("contains: Bash."), aWith("tools: []", "contains: Bash."), ""},
	{"testWith.without_tools", aTest("contains: Bash."), aWith("without_tools: [bash]", "contains: Bash."), ""},
	{"testWith.caps", aTest("contains: Ci."), aWith("caps: [ci]", "contains: Ci."), ""},
	{"testWith.without_caps", aWith("caps: [ci]", "contains: Ci."), aWith("caps: [ci], without_caps: [ci]", "contains: Ci."), ""},
	{"testWith.model", aTest("wire: {losses: []}"), aWith("model: claude-sonnet-4-5", "wire: {losses: []}"), ""},
	{"testWith.vars", `instruction: $workspace/v, ` + aTest("contains: Mode fast."), `instruction: $workspace/v, ` + aWith("vars: {mode: slow}", "contains: Mode fast."), ""},
	{"testWith.skills", aTest("contains: Read the table."), aWith("skills: [tides]", "contains: Read the table."), ""},
	{"testWith.now", `instruction: $workspace/when, ` + aTest("contains: '2000-01-01'"), `instruction: $workspace/when, ` + aWith("now: 2001-02-03T00:00:00Z", "contains: '2000-01-01'"), ""},
	{"testWith.budget", aTest("max_bytes: 99999"), aWith("budget: 3", "max_bytes: 99999"), ""},
	{"testWith.cwd", aTest("contains: Use tabs here."), aWith("cwd: sub", "contains: Use tabs here."), ""},
	{"testWith.files", aTest("contains: Use tabs."), aWith("files: {AGENTS.md: Use blanks.}", "contains: Use tabs."), ""},
	{"testWith.home", aTest("contains: the user's own"), aWith("home: true", "contains: the user's own"), ""},
}
