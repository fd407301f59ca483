package app

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// A project that used other clients has instructions in their files already.
// Those that are loaded as project instructions need nothing. The text of every
// other file is put into the manifest as a fragment, whole: so nothing is lost,
// nothing stands twice, and the file itself stays for its client.

// ImportStatus is what became of a file.
type ImportStatus string

// The states.
const (
	// ImportLoaded: the file is in the prompt as a project instruction.
	ImportLoaded ImportStatus = "loaded"
	// ImportAdded: its text is a fragment of the manifest.
	ImportAdded ImportStatus = "imported"
	// ImportSame: its text is in the prompt already, from another file.
	ImportSame ImportStatus = "same"
	// ImportBlank: there is nothing in it.
	ImportBlank ImportStatus = "blank"
	// ImportOverridden: AGENTS.override.md stands in its place, as somebody wanted.
	ImportOverridden ImportStatus = "overridden"
	// ImportFailed: it can't be read.
	ImportFailed ImportStatus = "failed"
)

// Import is a file that instructs agents, and what was done with it.
type Import struct {
	// Path is relative to the root of the project.
	Path   string       `json:"path"`
	Status ImportStatus `json:"status"`
	// Fragment is the id of the fragment that has its text.
	Fragment string `json:"fragment,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Bytes    int    `json:"bytes"`
	// Names are the files that its text names as `@path`, as clients do to put
	// them in, and that the prompt doesn't have for that.
	Names []string `json:"names,omitempty"`

	text string
}

// key is what texts are compared by: white space at the ends has no part in a
// prompt.
func (x *Import) key() string { return strings.TrimSpace(x.text) }

// imported are the files that are looked for, and the folder of rules.
var imported = []string{
	"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules", ".cursor/rules", ".windsurfrules",
}

const (
	// importDepth and importEntries bound a folder of rules.
	importDepth, importEntries = 4, 1000
	// importBytes is how much text goes into one manifest.
	importBytes = 512 << 10
	// maxNames is how many files that a text names are told.
	maxNames = 10
)

// importer gathers what there is.
type importer struct {
	tree  *tree.Tree
	limit int // of the instructions that are loaded
	// loaded tells of the files that the project instructions have.
	loaded map[string]workspace.File
	out    []Import
	total  int
}

// importFiles looks for files of the project in some of its folders, which are
// relative to the root.
func importFiles(e Environ, root workspace.Root, cwd string, folders ...string) (*importer, error) {
	t, err := tree.Open(filepath.FromSlash(root.Dir), tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	m := &importer{tree: t, loaded: map[string]workspace.File{}}
	if err := m.instructions(e, root, cwd); err != nil {
		return nil, err
	}
	for _, folder := range folders {
		for _, name := range imported {
			m.inspect(path.Join(folder, name), 0)
		}
	}
	m.decide()
	return m, nil
}

// instructions finds out which files are loaded, and the limit that cuts none.
func (m *importer) instructions(e Environ, root workspace.Root, cwd string) error {
	const most = 64 << 20
	for m.limit = workspace.DefaultInstructionLimit; ; m.limit *= 2 {
		in, err := workspace.LoadInstructions(workspace.InstructionsConfig{
			Root: root.Dir, Cwd: cwd, Global: e.Config, Home: e.Home, Limit: m.limit,
		})
		if err != nil {
			return err
		}
		if m.limit < most && slices.ContainsFunc(in.Files, func(f workspace.File) bool { return f.Status == workspace.Cut }) {
			continue
		}
		for _, f := range in.Files {
			m.loaded[f.Path] = f
		}
		return nil
	}
}

// inspect reads a file, or the files of a folder of rules.
func (m *importer) inspect(name string, depth int) {
	info, err := m.tree.Stat(name)
	switch {
	case errors.Is(err, tree.NotFound):
		if _, err := m.tree.Lstat(name); err == nil {
			m.fail(name, "a link to nothing")
		}
		return
	case err != nil:
		m.fail(name, short(err))
		return
	case info.IsDir() && path.Base(name) == "rules" || info.IsDir() && depth > 0:
		m.folder(name, depth)
		return
	}
	f, err := m.tree.Read(name)
	if err != nil {
		m.fail(name, short(err))
		return
	}
	x := Import{Path: name, Bytes: len(f.Raw()), text: f.Text}
	for _, named := range workspace.Mentions(f.Text) {
		other := path.Join(path.Dir(name), named)
		if info, err := m.tree.Stat(other); err == nil && info.Mode().IsRegular() && other != name && !slices.Contains(x.Names, other) {
			x.Names = append(x.Names, other)
		}
		if len(x.Names) == maxNames {
			break
		}
	}
	m.out = append(m.out, x)
}

func (m *importer) folder(name string, depth int) {
	if depth == importDepth {
		m.fail(name, "too deep to be looked into")
		return
	}
	entries, err := m.tree.ReadDir(name, importEntries)
	if err != nil {
		m.fail(name, short(err))
		return
	}
	for _, e := range entries {
		ext := path.Ext(e.Name)
		if e.Mode.IsDir() || ext == ".mdc" || ext == ".md" {
			m.inspect(path.Join(name, e.Name), depth+1)
		}
	}
}

func (m *importer) fail(name, reason string) {
	m.out = append(m.out, Import{Path: name, Status: ImportFailed, Reason: reason})
}

// short is an error without the file that it is about.
func short(err error) string {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err.Error()
	}
	c := *e
	c.Position = cento.Position{}
	return c.Error()
}

// decide says what is done with each file. The files that are loaded come
// first, so that a copy of one counts as such.
func (m *importer) decide() {
	texts := map[string]string{}
	for i := range m.out {
		x := &m.out[i]
		if f := m.loaded[x.Path]; x.Status == "" && f.Status == workspace.Loaded {
			x.Status, x.Reason = ImportLoaded, "the project instructions have it"
			texts[x.key()] = x.Path
		}
	}
	ids := map[string]bool{}
	for i := range m.out {
		x := &m.out[i]
		if x.Status != "" {
			continue
		}
		override := m.loaded[path.Join(path.Dir(x.Path), "AGENTS.override.md")]
		if x.key() == "" {
			x.Status, x.Reason = ImportBlank, "there is nothing in it"
			continue
		}
		if f := m.loaded[x.Path]; f.Status == workspace.Ignored {
			x.Status, x.Reason = ImportSame, f.Reason
			continue
		}
		if first, twice := texts[x.key()]; twice {
			x.Status, x.Reason = ImportSame, "the same text as "+workspace.Visible(first)
			continue
		}
		if named, ok := strings.CutPrefix(x.key(), "@"); ok && !strings.ContainsAny(named, "\n \t") {
			if f := m.loaded[path.Join(path.Dir(x.Path), named)]; f.Status == workspace.Loaded {
				x.Status, x.Reason = ImportSame, "it only names "+workspace.Visible(f.Path)+", which is loaded"
				continue
			}
		}
		if path.Base(x.Path) == "AGENTS.md" && override.Status == workspace.Loaded {
			x.Status, x.Reason = ImportOverridden, "AGENTS.override.md stands in its place"
			continue
		}
		if m.total+len(x.text) > importBytes {
			x.Status, x.Reason = ImportFailed, fmt.Sprintf("with it the manifest would have more than %d bytes of such texts", importBytes)
			continue
		}
		m.total += len(x.text)
		x.Status, x.Fragment = ImportAdded, "import:"+workspace.Visible(x.Path)
		for n := 2; ids[x.Fragment]; n++ {
			x.Fragment = "import:" + workspace.Visible(x.Path) + "." + strconv.Itoa(n)
		}
		ids[x.Fragment] = true
		texts[x.key()] = x.Path
		if x.Bytes != len(x.text) {
			x.Reason = "without a byte order mark, and with LF for CRLF"
		}
	}
	m.named()
}

// named keeps of the files that a text names those that the prompt doesn't have.
func (m *importer) named() {
	has := map[string]bool{}
	for _, x := range m.out {
		has[x.Path] = x.Status == ImportLoaded || x.Status == ImportAdded || x.Status == ImportSame
	}
	for i := range m.out {
		x := &m.out[i]
		if x.Status != ImportLoaded && x.Status != ImportAdded {
			x.Names = nil
		}
		x.Names = slices.DeleteFunc(x.Names, func(name string) bool { return has[name] })
	}
}

// fragments is the part of a manifest that has the texts.
func (m *importer) fragments(literal bool) string {
	var b strings.Builder
	for i := range m.out {
		x := &m.out[i]
		if x.Status != ImportAdded {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("\n# What other clients are told in files of their own, as it was when this was\n# written.\nfragments:\n")
		}
		fmt.Fprintf(&b, "  - id: %s\n    title: %s\n", strconv.QuoteToASCII(x.Fragment), strconv.QuoteToASCII(workspace.Visible(x.Path)))
		if !literal || !isLiteral(x.text) {
			fmt.Fprintf(&b, "    body: %s\n", strconv.QuoteToASCII(x.text))
			continue
		}
		lines, keep := strings.CutSuffix(x.text, "\n")
		switch {
		case !keep:
			b.WriteString("    body: |-\n")
		case strings.HasSuffix(lines, "\n"):
			b.WriteString("    body: |+\n")
		default:
			b.WriteString("    body: |\n")
		}
		for line := range strings.SplitSeq(lines, "\n") {
			if line != "" {
				b.WriteString("      ")
			}
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// isLiteral reports whether a block after | gives the text back. White space
// before the first word would be taken for the block's indentation.
func isLiteral(text string) bool {
	return strings.TrimLeftFunc(text, unicode.IsSpace) == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' })
}

// addTo puts the texts into a manifest. What comes out is read again: every text
// has to be there as it was.
func (m *importer) addTo(s *Starter) error {
	if m.limit != workspace.DefaultInstructionLimit {
		s.Manifest = strings.Replace(s.Manifest, starterInstructions, fmt.Sprintf(starterLimited, m.limit), 1)
	}
	s.Imports = m.out
	if m.total == 0 {
		return nil
	}
	base := strings.Replace(s.Manifest, starterExample, "", 1)
	for _, literal := range []bool{true, false} {
		s.Manifest = strings.TrimRight(base, "\n") + "\n" + m.fragments(literal)
		if m.readBack(s.Manifest) {
			return nil
		}
	}
	return errors.New("the texts of other clients' files can't be written into a manifest; this is a mistake in cento")
}

func (m *importer) readBack(text string) bool {
	read, err := manifest.Parse(project.FileName, []byte(text))
	if err != nil {
		return false
	}
	for _, x := range m.out {
		if x.Status == ImportAdded && !slices.ContainsFunc(read.Fragments, func(f cento.Fragment) bool { return f.ID == x.Fragment && f.Body == x.text }) {
			return false
		}
	}
	return true
}
