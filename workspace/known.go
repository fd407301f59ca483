package workspace

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/tree"
)

// KnownName is the name of a file, or of a folder of files, that a client reads as
// instructions.
type KnownName struct {
	// Name is relative to a folder of the project. It ends in "/" for a folder of files.
	Name string
	// Endings are the endings of the files in such a folder.
	Endings []string
	// Client is one of the programs that read it.
	Client string
}

// knownNames is the one list of instruction files of all clients, with or without a
// convention of their own.
var knownNames = []KnownName{
	{Name: "AGENTS.override.md", Client: "Codex"},
	{Name: "AGENTS.md", Client: "Codex"},
	{Name: "CLAUDE.md", Client: "Claude Code"},
	{Name: ".claude/CLAUDE.md", Client: "Claude Code"},
	{Name: ".claude/AGENTS.md", Client: "Claude Code"},
	{Name: ".claude/rules/", Endings: []string{".md"}, Client: "Claude Code"},
	{Name: "CLAUDE.local.md", Client: "Claude Code"},
	{Name: "GEMINI.md", Client: "Gemini CLI"},
	{Name: "QWEN.md", Client: "Qwen Code"},
	{Name: ".qwen/QWEN.local.md", Client: "Qwen Code"},
	{Name: ".qwen/rules/", Endings: []string{".md"}, Client: "Qwen Code"},
	{Name: "CONTEXT.md", Client: "opencode"},
	{Name: ".github/copilot-instructions.md", Client: "Copilot"},
	{Name: ".github/instructions/", Endings: []string{".instructions.md"}, Client: "Copilot"},
	{Name: ".cursorrules", Client: "Cursor"},
	{Name: ".cursor/rules/", Endings: []string{".mdc", ".md"}, Client: "Cursor"},
	{Name: ".windsurfrules", Client: "Windsurf"},
	{Name: ".windsurf/rules/", Endings: []string{".md"}, Client: "Windsurf"},
	{Name: ".clinerules", Client: "Cline"},
	{Name: ".clinerules/", Endings: []string{".md", ".txt"}, Client: "Cline"},
	{Name: ".roorules", Client: "Roo Code"},
	{Name: ".roo/rules/", Endings: []string{".md", ".txt"}, Client: "Roo Code"},
	{Name: ".kiro/steering/", Endings: []string{".md"}, Client: "Kiro"},
	{Name: ".continue/rules/", Endings: []string{".md"}, Client: "Continue"},
	{Name: ".junie/guidelines.md", Client: "Junie"},
	{Name: ".augment/rules/", Endings: []string{".md"}, Client: "Augment"},
	{Name: ".amazonq/rules/", Endings: []string{".md"}, Client: "Amazon Q"},
	{Name: ".trae/rules/", Endings: []string{".md"}, Client: "Trae"},
	{Name: ".goosehints", Client: "goose"},
}

// KnownNames lists the instruction files of all known clients, by the names that they
// have in a folder of a project.
func KnownNames() []KnownName { return slices.Clone(knownNames) }

// Folder reports whether the name is that of a folder of files.
func (n KnownName) Folder() bool { return strings.HasSuffix(n.Name, "/") }

// Has reports whether a file in the folder counts, by its name.
func (n KnownName) Has(file string) bool {
	return slices.ContainsFunc(n.Endings, func(end string) bool { return strings.HasSuffix(file, end) })
}

// KnownFile is a file of a project that has a known name.
type KnownFile struct {
	Path   string // from the root of the project
	Client string // one of the programs that read it

	folder string // in which the known name is
	real   string // Path without links
}

// name is the path from the folder in which the known name is.
func (f *KnownFile) name() string {
	name, _ := below(f.folder, f.Path)
	if f.folder == "." {
		name = f.Path
	}
	return name
}

const (
	// maxKnownDepth and maxKnownEntries bound a folder of files with known names.
	maxKnownDepth, maxKnownEntries = 4, 1000
)

// known are the files of a folder that have a known name, in the order of the list. has
// finds an entry of the folder.
func known(t *tree.Tree, dir string, has func(name string) (tree.Entry, bool)) []KnownFile {
	var out []KnownFile
	add := func(name, client string, mode fs.FileMode) {
		f := KnownFile{name, client, dir, name}
		if mode&fs.ModeSymlink != 0 {
			if real, err := t.Real(name); err == nil {
				f.real = real
			}
		}
		out = append(out, f)
	}
	var list func(n KnownName, folder string, depth int)
	list = func(n KnownName, folder string, depth int) {
		entries, err := t.ReadDir(folder, maxKnownEntries)
		if err != nil {
			return
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name)
			switch {
			case tree.CheckName(e.Name) != nil:
			case e.Mode.IsDir() && depth < maxKnownDepth:
				list(n, name, depth+1)
			case !e.Mode.IsDir() && n.Has(e.Name):
				add(name, n.Client, e.Mode)
			}
		}
	}
	for _, n := range knownNames {
		first, rest, deeper := strings.Cut(strings.TrimSuffix(n.Name, "/"), "/")
		e, ok := has(first)
		if !ok {
			continue
		}
		name := path.Join(dir, first, rest)
		mode := e.Mode
		if deeper {
			if !mode.IsDir() {
				continue
			}
			info, err := t.Lstat(name)
			if err != nil {
				continue
			}
			mode = info.Mode()
		}
		switch {
		case n.Folder() && mode.IsDir():
			list(n, name, 1)
		case !n.Folder() && mode&(fs.ModeDir|fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) == 0:
			add(name, n.Client, mode)
		}
	}
	return out
}
