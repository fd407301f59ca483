package profile

import "strings"

// rivals are the settings of tools that format or lint, by the program that reads them: a
// convention of another tool isn't the whole truth where one of them is there.
var rivals = []struct{ program, task, files string }{
	{"biome", taskFormat, "biome.json biome.jsonc"},
	{"clang-format", taskFormat, ".clang-format _clang-format"},
	{"dprint", taskFormat, "dprint.json dprint.jsonc .dprint.json .dprint.jsonc"},
	{"oxfmt", taskFormat, ".oxfmtrc.json .oxfmtrc.jsonc"},
	{"prettier", taskFormat, ".prettierrc .prettierrc.json .prettierrc.json5 .prettierrc.yml .prettierrc.yaml .prettierrc.toml .prettierrc.js .prettierrc.cjs .prettierrc.mjs .prettierrc.ts prettier.config.js prettier.config.cjs prettier.config.mjs prettier.config.ts"},
	{"cargo fmt", taskFormat, "rustfmt.toml .rustfmt.toml"},
	{"treefmt", taskFormat, "treefmt.toml .treefmt.toml"},
	{"yapf", taskFormat, ".style.yapf"},
	{"biome", taskLint, "biome.json biome.jsonc"},
	{"cargo clippy", taskLint, "clippy.toml .clippy.toml"},
	{"eslint", taskLint, "eslint.config.js eslint.config.cjs eslint.config.mjs eslint.config.ts .eslintrc .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml .eslintrc.yaml"},
	{"flake8", taskLint, ".flake8"},
	{"golangci-lint", taskLint, ".golangci.yml .golangci.yaml .golangci.toml .golangci.json"},
	{"oxlint", taskLint, ".oxlintrc.json"},
	{"pylint", taskLint, ".pylintrc pylintrc"},
	{"rubocop", taskLint, ".rubocop.yml"},
	{"swiftlint", taskLint, ".swiftlint.yml"},
}

// contest looks for settings of other tools beside what a tool does by convention: a command
// that formats isn't told then, and one that lints is one of several.
func (b *buildFiles) contest() {
	for _, r := range rivals {
		name := prefixes[Task] + r.task
		s, there := b.finder.signals[name]
		if !there || !s.Usual || strings.Contains(s.Command, r.program) || strings.HasPrefix(s.Command, "pre-commit ") {
			continue
		}
		if _, there := b.file(strings.Fields(r.files)...); !there {
			continue
		}
		if r.task == taskFormat {
			delete(b.finder.signals, name)
			continue
		}
		s.Others = true
		b.finder.signals[name] = s
	}
}
