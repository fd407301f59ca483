package workspace

var agentsMD = []string{"AGENTS.override.md", "AGENTS.md"}

var (
	claudeUser  = [][]userFile{{{folderManaged, "CLAUDE.md"}, {folderClaude, "CLAUDE.md"}, {folderClaude, "rules/"}}}
	claudeRanks = [][]string{{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/", "CLAUDE.local.md"}}
	claudeFrame = &frame{between: "\n\n", parts: "\n\n", trim: true, keepLater: true}
)

// conventions has all loading rules. Of several versions of a client, the first is
// the one that its bare name means: the newest that was measured.
var conventions = []convention{
	{
		name: "cento", walk: toRoot, pick: firstUsable, spend: nearestLines, limit: DefaultInstructionLimit, nested: nestedOuterFirst,
		user:  [][]userFile{{{folderCento, "AGENTS.override.md"}, {folderCento, "AGENTS.md"}}},
		ranks: [][]string{{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"}},
	},
	{name: "cwd", walk: cwdOnly, pick: firstUsable, spend: nearestLines, ranks: [][]string{{"AGENTS.md"}}},
	{name: "nearest", walk: nearestUp, pick: firstUsable, spend: nearestLines, ranks: [][]string{{"AGENTS.md"}}},
	{
		name: "codex", version: "0.171.0", measured: "2026-11-28", walk: toRepository, pick: firstFile, userPick: firstFilled, order: outerFirst,
		user:  [][]userFile{{{folderCodex, "AGENTS.override.md"}, {folderCodex, "AGENTS.md"}}},
		ranks: [][]string{agentsMD},
		spend: orderBytes, limit: 32 << 10, imports: importsNone, lossy: true, mark: true, blank: blankSpace, same: sameNothing,
		frame: &frame{
			alone:   "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n",
			whole:   [2]string{"# AGENTS.md instructions for %s\n\n<INSTRUCTIONS>\n", "\n</INSTRUCTIONS>"},
			between: "\n\n", parts: "\n\n--- project-doc ---\n\n", trimUser: true,
		},
	},
	{
		name: "claude", version: "2.1.332", measured: "2026-11-28", walk: toTop, pick: every, userPick: every, order: outerFirst,
		user: claudeUser, ranks: claudeRanks, fallback: []string{"AGENTS.md", ".claude/AGENTS.md"},
		maxFile: 4 << 20, imports: importsBeside, lossy: true, mark: true, blank: blankSpace, same: samePath,
		frame: claudeFrame, nested: nestedOuterFirst,
	},
	{
		name: "claude", version: "2.1.197", measured: "2026-11-28", walk: toTop, pick: every, userPick: every, order: outerFirst,
		user: claudeUser, ranks: claudeRanks, linkImports: true, again: true, markedFront: true,
		maxFile: 4 << 20, imports: importsBeside, lossy: true, mark: true, blank: blankSpace, same: samePath,
		frame: claudeFrame, nested: nestedOuterFirst,
	},
	{
		name: "gemini", version: "0.61.0", measured: "2026-11-28", walk: toRepository, pick: every, userPick: every, order: byPath,
		user:    [][]userFile{{{folderGemini, "GEMINI.md"}}},
		ranks:   [][]string{{"GEMINI.md"}},
		imports: importsMarked, lossy: true, mark: true, blank: blankSpace, same: sameFile,
		frame: &frame{
			// The user's block is in the system instruction, and the project's in the first message.
			user:    [2]string{"<loaded_context>\n", "\n</loaded_context>"},
			project: [2]string{"<loaded_context>\n<project_context>\n", "\n</project_context>\n</loaded_context>"},
			file:    [2]string{"--- Context from: %s ---\n", "\n--- End of Context from: %s ---"},
			between: "\n\n", parts: "\n\n", trim: true,
		},
		nested: nestedOuterFirst,
	},
	{
		name: "opencode", version: "1.18.33", measured: "2026-11-28", walk: toRepositoryOrTop, pick: every, userPick: every, order: nearestFirst,
		user:    [][]userFile{{{folderOpencode, "AGENTS.md"}}, {{folderClaude, "CLAUDE.md"}}},
		ranks:   [][]string{{"AGENTS.md"}, {"CLAUDE.md"}, {"CONTEXT.md"}},
		imports: importsNone, lossy: true, blank: blankEmpty, same: sameNothing,
		frame:  &frame{file: [2]string{"Instructions from: %s\n", ""}, between: "\n", parts: "\n"},
		nested: nestedNearestFirst,
	},
	{
		// anomalyco/opencode, packages/core/src/config/plugin/instruction.ts at 199b191. npm has no version 2.
		name: "opencode", version: "2", walk: toHome, pick: every, userPick: every, order: nearestFirst,
		user:    [][]userFile{{{folderOpencode, "AGENTS.md"}}},
		ranks:   [][]string{{"AGENTS.md"}},
		imports: importsNone, lossy: true, blank: blankEmpty, same: sameFile,
		frame:  &frame{file: [2]string{"Instructions from: %s\n", ""}, between: "\n\n", parts: "\n\n"},
		nested: nestedNearestFirst,
	},
	{
		name: "copilot", version: "1.0.102", measured: "2026-11-28", walk: toRepository, pick: every, userPick: every, order: rootFirst,
		user:  [][]userFile{{{folderCopilot, "copilot-instructions.md"}, {folderCopilot, "instructions/"}}},
		ranks: [][]string{{".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/instructions/", ".claude/rules/"}},
		passes: [][]string{
			{".github/copilot-instructions.md"}, {"AGENTS.md", "agents.md", "CLAUDE.md", "GEMINI.md"}, {".github/instructions/"}, {".claude/rules/"},
		},
		nestedNames: []string{
			".github/copilot-instructions.md", "AGENTS.md", "agents.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", ".github/instructions/", ".claude/rules/",
		},
		applyTo: true, imports: importsInline, lossy: true, blank: blankSpace, same: sameText,
		frame: &frame{
			file:     [2]string{"<custom_instruction>\n", "\n</custom_instruction>"},
			imported: [2]string{"\n\n<imported_custom_instruction source=\"%s\">\n", "\n</imported_custom_instruction>"},
			between:  "\n\n", mixed: true,
		},
		nested: nestedNearestFirst,
	},
	{
		name: "qwen", version: "0.24.4", measured: "2026-11-28", walk: aboveRepository, pick: every, userPick: every, order: outerFirst,
		user:    [][]userFile{{{folderQwen, "QWEN.md"}, {folderQwen, "AGENTS.md"}, {folderQwen, "rules/"}}},
		ranks:   [][]string{{"QWEN.md", "AGENTS.md", ".qwen/QWEN.local.md", ".qwen/rules/"}},
		passes:  [][]string{{"QWEN.md"}, {"AGENTS.md"}, {".qwen/QWEN.local.md"}, {".qwen/rules/"}},
		applyTo: true,
		imports: importsMarked, lossy: true, mark: true, blank: blankSpace, same: sameFile,
		frame: &frame{
			file:    [2]string{"--- Context from: %s ---\n", "\n--- End of Context from: %s ---"},
			between: "\n\n", trim: true, mixed: true, relative: true,
		},
	},
}
