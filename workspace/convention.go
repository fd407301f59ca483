package workspace

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

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
	// version is the client's; empty: the rules are Cento's own. measured is the day on
	// which the client was run and what it sent was compared; empty: never.
	version, measured string

	// user are the user's own files, and userPick which of them are taken. Where
	// there are several lists, the first with a file that is there stands for all.
	user     [][]userFile
	userPick pick
	// ranks are the names looked for in each folder. Where there are several
	// lists, the first of which any folder has a file stands for all of them. A
	// name that ends in `/` is a folder of rules, which decides nothing.
	ranks [][]string
	// passes are lists of names of which one is taken after another, each in all folders;
	// nil: a folder's files come together. ranks has the same names.
	passes [][]string
	// nestedNames are the names in folders below cwd; nil: those of ranks.
	nestedNames []string
	markers     []string // name the folder where the walk ends; nil: .git
	applyTo     bool     // rules have conditions as Copilot has them
	pick        pick
	walk        walk
	order       order

	spend   spend
	limit   int // by default, in bytes; 0: none
	maxFile int // the largest file that is read; 0: that of the configuration
	// fallback are names that are read where no name of the ranks, in all folders on the
	// way to the current one, has a file with content; in a deeper folder, where none in
	// that folder has.
	fallback []string
	// linkImports: whether an import is in the current folder is a question of its name,
	// and not of the file that a link leads to.
	linkImports bool
	// again: what was read at the start is read once more with a file that is worked on.
	again bool
	// mark: a byte order mark stays in the text, but for white space that is dropped.
	mark bool
	// markedFront: front matter after a byte order mark is text.
	markedFront bool
	imports     imports
	lossy       bool // bytes that are not UTF-8 are U+FFFD, and the file is read
	blank       blank
	same        same
	frame       *frame
	nested      nested
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
	folderCopilot  = "copilot"
	folderQwen     = "qwen"
	folderManaged  = "managed"
)

// homeFolders are where the folders of users lie below their home.
var homeFolders = map[string]string{
	folderCodex: ".codex", folderClaude: ".claude", folderGemini: ".gemini", folderOpencode: ".config/opencode",
	folderCopilot: ".copilot", folderQwen: ".qwen",
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
	aboveRepository        // up to the folder above that of .git; without one, to the folder above home, or the top
	toTop                  // up to the top, see [InstructionsConfig.Top]
	toHome                 // up to the home folder; outside of it, to the folder of .git or .hg, else cwd alone
)

// order is that of the project's files in the text.
type order uint8

const (
	outerFirst order = iota
	nearestFirst
	rootFirst // the outermost folder, then nearest first
	byPath    // outer folders first, unless a name sorts before that of the file
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
	importsBeside                // the file follows after the one that names it, as in claude_text.go
	importsInline                // stands in its place, eight files deep
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
	samePath                // one name that is looked for twice, a link's target too
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
	alone                      string    // in the place of whole[0] where no file of the project is; empty: that holds
	between                    string    // two files
	imported                   [2]string // around an imported file, where the mention stays
	trim                       bool      // white space around each text is dropped
	keepLater                  bool      // but not around one that is read on demand
	trimUser                   bool      // that of the user's alone
	mixed                      bool      // the user's files are not apart from the project's
	relative                   bool      // files are named from cwd
	parts                      string    // between the user's files and the project's
}

// space reports whether a character is white space at the ends of a text. JavaScript, in
// which the clients that trim all texts are written, counts the byte order mark.
func (c *convention) space(r rune) bool {
	if c.frame != nil && c.frame.trim && (r == '\ufeff' || r == '\u0085') {
		return r == '\ufeff'
	}
	return unicode.IsSpace(r)
}

// id is the name that selects the convention: without a version where the bare name
// means it.
func (c *convention) id() string {
	if findConvention(c.name).version == c.version {
		return c.name
	}
	return c.name + "@" + c.version
}

// Conventions lists the names of all conventions, the default first. The name of a
// client means the newest version of it that was measured.
func Conventions() []string {
	var out []string
	for i := range conventions {
		if name := conventions[i].name; !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// ConventionClient is the client whose rules a convention has, as [KnownNames] calls it;
// empty for conventions of no client.
func ConventionClient(name string) string {
	c := findConvention(name)
	if c == nil || c.version == "" {
		return ""
	}
	return knownNames[slices.IndexFunc(knownNames, func(n KnownName) bool { return n.Name == c.ranks[0][0] })].Client
}

// ConventionVersions lists the names of conventions with the version of the client,
// such as "claude@2.1.332", the newest measured one of each first.
func ConventionVersions() []string {
	var out []string
	for i := range conventions {
		if c := &conventions[i]; c.version != "" {
			out = append(out, c.name+"@"+c.version)
		}
	}
	return out
}

// CheckConvention returns an [UnknownConvention] unless the name is that of a
// convention, with a version or without, or [NoInstructions].
func CheckConvention(name string) *cento.SourceError {
	if findConvention(name) != nil {
		return nil
	}
	known := append(Conventions(), NoInstructions)
	bare, _, _ := strings.Cut(name, "@")
	if versions := slices.DeleteFunc(ConventionVersions(), func(v string) bool { return !strings.HasPrefix(v, bare+"@") }); len(versions) > 0 {
		known = versions
	}
	e := &cento.SourceError{
		Code: UnknownConvention, Message: fmt.Sprintf("unknown instructions profile %q", name),
		Hint: "there are " + nearest.List(known),
	}
	if near, ok := nearest.Name(name, known); ok {
		e.Hint = fmt.Sprintf("did you mean %q? %s", near, e.Hint)
	}
	return e
}

// findConvention is nil for an unknown name.
func findConvention(name string) *convention {
	bare, version, versioned := strings.Cut(name, "@")
	for i := range conventions {
		if c := &conventions[i]; c.name == bare && (!versioned || version != "" && c.version == version) {
			return c
		}
	}
	if name == NoInstructions {
		return &convention{name: name, walk: cwdOnly}
	}
	return nil
}
