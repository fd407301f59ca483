package workspace

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

const (
	// DefaultConvention is the convention that holds when none is named.
	DefaultConvention = "cento"
	// NoInstructions is accepted in the place of a convention: nothing is loaded.
	NoInstructions = "off"
)

// A convention is one set of loading rules. Those of other clients say what the
// client does, faults included; docs/instructions.md cites where each rule is
// from. A rule that isn't in the table holds for all conventions: what
// internal/tree refuses, and that everything is bounded.
type convention struct {
	name string

	// user are the user's own files, and userPick which of them are taken. Where
	// there are several lists, the first with a file that is there stands for all.
	user     [][]userFile
	userPick pick
	// ranks are the names looked for in each folder. Where there are several
	// lists, the first of which any folder has a file stands for all of them. A
	// name that ends in `/` is a folder of rules, which decides nothing.
	ranks [][]string
	pick  pick
	walk  walk
	order order

	spend   spend
	limit   int // by default, in bytes; 0: none
	maxFile int // the largest file that is read; 0: that of the configuration
	imports imports
	lossy   bool // bytes that are not UTF-8 are U+FFFD, and the file is read
	strip   bool // HTML comments are taken out
	blank   blank
	same    same
	frame   *frame
	nested  nested
}

// userFile is a file below one of the user's folders.
type userFile struct{ folder, name string }

// The folders of users, by the names of [InstructionsConfig.Folders].
const (
	folderCento    = "cento" // [InstructionsConfig.Global]
	folderCodex    = "codex"
	folderClaude   = "claude"
	folderGemini   = "gemini"
	folderOpencode = "opencode"
	folderManaged  = "managed"
)

// homeFolders are where the folders of users lie below their home.
var homeFolders = map[string]string{
	folderCodex: ".codex", folderClaude: ".claude", folderGemini: ".gemini", folderOpencode: ".config/opencode",
}

// pick says which files of a list are taken.
type pick uint8

const (
	firstUsable pick = iota // the first that can be read, blank or not
	firstFile               // the first regular file, even if it turns out to be blank
	firstFilled             // the first that can be read and isn't blank
	every                   // all of them
)

// walk says which folders are looked into.
type walk uint8

const (
	cwdOnly           walk = iota
	nearestUp              // from cwd up to the root, until one has a file
	toRoot                 // from cwd up to the root
	toRepository           // up to the folder of .git; without one, cwd alone
	toRepositoryOrTop      // up to the folder of .git; without one, to the top
	toTop                  // up to the top, see [InstructionsConfig.Top]
	toHome                 // up to the home folder; outside of it, to the folder of .git or .hg, else cwd alone
)

// order is that of the project's files in the text.
type order uint8

const (
	outerFirst order = iota
	nearestFirst
	byPath // outer folders first, unless a name sorts before that of the file
)

// spend says how a limit is spent.
type spend uint8

const (
	_ spend = iota // there is no limit
	// nearest to cwd first, at line ends, with a notice in the text; the user's
	// files too
	nearestLines
	// in the order of the text, at any byte, without a word; not the user's files
	orderBytes
)

// imports says what an `@path` does.
type imports uint8

const (
	importsAsked  imports = iota // stands in its place, if the configuration asks for it
	importsNone                  // nothing
	importsBeside                // the file follows after the one that names it
	importsMarked                // stands in its place between comments, as do errors
)

// blank says what is left out as blank.
type blank uint8

const (
	blankKept  blank = iota // nothing, when all files are: see [Instructions.Text]
	blankSpace              // a file of white space
	blankEmpty              // a file of no byte
)

// same says which files are taken for one that is there already.
type same uint8

const (
	sameText    same = iota // one file by two names, and equal texts
	sameFile                // one file by two names
	sameNothing             // none
)

// nested says what becomes of files between cwd and a file that is worked on.
type nested uint8

const (
	nestedNever nested = iota
	nestedOuterFirst
	nestedNearestFirst
)

// frame is what a client writes around the texts. `%s` is the absolute path of
// the file, and in whole that of cwd.
type frame struct {
	whole, user, project, file [2]string
	between                    string // two files
	trim                       bool   // white space around each text is dropped
	trimUser                   bool   // that of the user's alone
	parts                      string // between the user's files and the project's
}

var agentsMD = []string{"AGENTS.override.md", "AGENTS.md"}

var opencodeFrame = &frame{
	file:    [2]string{"Instructions from: %s\n", ""},
	between: "\n\n", parts: "\n\n",
}

var conventions = []convention{
	{
		name: "cento", walk: toRoot, pick: firstUsable, spend: nearestLines, limit: DefaultInstructionLimit, nested: nestedOuterFirst,
		user:  [][]userFile{{{folderCento, "AGENTS.override.md"}, {folderCento, "AGENTS.md"}}},
		ranks: [][]string{{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"}},
	},
	{name: "cwd", walk: cwdOnly, pick: firstUsable, spend: nearestLines, ranks: [][]string{{"AGENTS.md"}}},
	{name: "nearest", walk: nearestUp, pick: firstUsable, spend: nearestLines, ranks: [][]string{{"AGENTS.md"}}},
	{
		name: "codex", walk: toRepository, pick: firstFile, userPick: firstFilled, order: outerFirst,
		user:  [][]userFile{{{folderCodex, "AGENTS.override.md"}, {folderCodex, "AGENTS.md"}}},
		ranks: [][]string{agentsMD},
		spend: orderBytes, limit: 32 << 10, imports: importsNone, lossy: true, blank: blankSpace, same: sameNothing,
		frame: &frame{
			whole:   [2]string{"# AGENTS.md instructions for %s\n\n<INSTRUCTIONS>\n", "\n</INSTRUCTIONS>"},
			between: "\n\n", parts: "\n\n--- project-doc ---\n\n", trimUser: true,
		},
	},
	{
		name: "claude", walk: toTop, pick: every, userPick: every, order: outerFirst,
		user: [][]userFile{{{folderManaged, "CLAUDE.md"}, {folderClaude, "CLAUDE.md"}, {folderClaude, "rules/"}}},
		ranks: [][]string{
			{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/", "CLAUDE.local.md"},
			{"AGENTS.md", ".claude/rules/"},
		},
		maxFile: 4 << 20, imports: importsBeside, lossy: true, strip: true, blank: blankSpace, same: sameFile,
		frame:  &frame{between: "\n\n", parts: "\n\n", trim: true},
		nested: nestedOuterFirst,
	},
	{
		name: "gemini", walk: toRepository, pick: every, userPick: every, order: byPath,
		user:    [][]userFile{{{folderGemini, "GEMINI.md"}}},
		ranks:   [][]string{{"GEMINI.md"}},
		imports: importsMarked, lossy: true, blank: blankSpace, same: sameFile,
		frame: &frame{
			whole:   [2]string{"<loaded_context>\n", "\n</loaded_context>"},
			user:    [2]string{"<global_context>\n", "\n</global_context>"},
			project: [2]string{"<project_context>\n", "\n</project_context>"},
			file:    [2]string{"--- Context from: %s ---\n", "\n--- End of Context from: %s ---"},
			between: "\n\n", parts: "\n", trim: true,
		},
		nested: nestedOuterFirst,
	},
	{
		// anomalyco/opencode, packages/core/src/config/plugin/instruction.ts at 199b191:
		// version 2, the program `opencode` since September 2026.
		name: "opencode", walk: toHome, pick: every, userPick: every, order: nearestFirst,
		user:    [][]userFile{{{folderOpencode, "AGENTS.md"}}},
		ranks:   [][]string{{"AGENTS.md"}},
		imports: importsNone, lossy: true, blank: blankEmpty, same: sameFile,
		frame:  opencodeFrame,
		nested: nestedNearestFirst,
	},
	{
		// Version 1, packages/opencode/src/session/instruction.ts as it was in July 2026.
		name: "opencode-v1", walk: toRepositoryOrTop, pick: every, userPick: every, order: nearestFirst,
		user:    [][]userFile{{{folderOpencode, "AGENTS.md"}}, {{folderClaude, "CLAUDE.md"}}},
		ranks:   [][]string{{"AGENTS.md"}, {"CLAUDE.md"}, {"CONTEXT.md"}},
		imports: importsNone, lossy: true, blank: blankEmpty, same: sameNothing,
		frame:  opencodeFrame,
		nested: nestedNearestFirst,
	},
}

// Conventions lists the names of all conventions, the default first.
func Conventions() []string {
	out := make([]string, len(conventions))
	for i, p := range conventions {
		out[i] = p.name
	}
	return out
}

func findConvention(name string) (*convention, error) {
	for i := range conventions {
		if conventions[i].name == name {
			return &conventions[i], nil
		}
	}
	if name == NoInstructions {
		return &convention{name: name, walk: cwdOnly}, nil
	}
	e := &cento.SourceError{
		Code: UnknownConvention, Message: fmt.Sprintf("unknown instructions profile %q", name),
		Hint: "there are " + strings.Join(Conventions(), ", "),
	}
	if near, ok := nearest.Name(name, Conventions()); ok {
		e.Hint = fmt.Sprintf("did you mean %q? %s", near, e.Hint)
	}
	return nil, e
}
