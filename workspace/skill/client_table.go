package skill

// clients are the programs that were run with skills, one after another as in
// [heads]. The places are relative to a folder of the project, or to the user's home.
var clients = [...]client{
	{
		id: "claude", version: "2.1.332", measured: "2026-11-28",
		up: []string{".claude/skills"}, home: []string{".claude/skills"}, below: []string{".claude/skills"},
		byFolder: true, nameBeside: true, list: 8000, window: 200_000, own: 6200, longest: 1536,
	},
	{
		id: "claude@2.1.197", version: "2.1.197", measured: "2026-11-28",
		up: []string{".claude/skills"}, home: []string{".claude/skills"},
		byFolder: true, list: 8000, window: 200_000, own: 4450, longest: 1536,
	},
	{
		id: "codex", version: "0.171.0", measured: "2026-11-28",
		up: []string{".agents/skills", ".codex/skills"}, home: []string{".agents/skills", ".codex/skills"},
	},
	{
		id: "gemini", version: "0.61.0", measured: "2026-11-28",
		here: []string{".gemini/skills", ".agents/skills"}, home: []string{".gemini/skills", ".agents/skills"},
	},
	{
		id: "opencode", version: "1.18.33", measured: "2026-11-28",
		up: []string{".claude/skills", ".agents/skills", ".opencode/skill", ".opencode/skills"},
		home: []string{
			".claude/skills", ".agents/skills", ".opencode/skill", ".opencode/skills", ".config/opencode/skill", ".config/opencode/skills",
		},
	},
	{
		id: "copilot", version: "1.0.102", measured: "2026-11-28",
		up: []string{".claude/skills", ".agents/skills", ".github/skills"}, home: []string{".agents/skills", ".copilot/skills"},
	},
	{
		id: "qwen", version: "0.24.4", measured: "2026-11-28",
		here: []string{".agents/skills", ".qwen/skills"}, home: []string{".agents/skills", ".qwen/skills"},
	},
}

// heads tells what each client does with a SKILL.md that has a trait. One without any
// is listed by all. Of several rows the first that keeps the skill out counts.
var heads = [...]struct {
	trait trait
	about string
	by    [len(clients)]effect
}{
	//                                                                  claude  2.1.197  codex  gemini  opencode copilot qwen
	{misnamed, "the file isn't named SKILL.md", [...]effect{out, out, out, out, out, out, out}},
	{unlike, "no client was run with a file like this", [...]effect{untried, untried, untried, untried, untried, untried, untried}},
	{noFront, "it has no front matter at its top", [...]effect{line, line, out, out, out, out, out}},
	{byteMark, "it begins with a byte order mark", [...]effect{in, line, out, out, in, in, in}},
	{notUTF8, "it is not UTF-8", [...]effect{in, in, out, in, in, in, in}},
	{metadataList, "its metadata is a list", [...]effect{in, in, out, in, in, in, in}},
	{toolMap, "its allowed-tools are a map", [...]effect{in, in, in, in, in, out, in}},
	{twice, "a field of its front matter is given twice", [...]effect{in, in, out, in, out, out, in}},
	{colon, "its front matter isn't YAML: a value has a colon in it", [...]effect{in, in, in, in, in, out, in}},
	{notYAML, "its front matter isn't YAML", [...]effect{in, in, in, in, out, out, in}},
	{noName, "it has no name", [...]effect{in, in, in, out, out, in, out}},
	{longName, "its name is longer than 64 characters", [...]effect{in, in, out, in, in, out, in}},
	{spacedName, "its name has white space in it", [...]effect{in, in, in, in, in, in, out}},
	{noDescription, "it has no description", [...]effect{line, line, out, out, out, line, out}},
	{blankDescription, "its description is blank", [...]effect{line, line, out, blank, blank, blank, out}},
	{numberDescription, "its description isn't a text", [...]effect{in, in, in, in, out, out, in}},
	{longDescription, "its description is longer than 1024 characters", [...]effect{in, in, in, in, in, out, in}},
	{manual, "its front matter has disable-model-invocation", [...]effect{hide, hide, in, in, in, hide, hide}},
}
