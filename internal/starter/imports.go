package starter

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
	"github.com/cento-dev/cento/internal/otherclient"
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

const (
	// importBytes is how much text goes into one manifest.
	importBytes = 512 << 10
)

// importer gathers what there is.
type importer struct {
	limit int // of the instructions that are loaded
	// loaded tells of the files that the project instructions have.
	loaded map[string]workspace.File
	out    []Import
	total  int
}

// importFiles looks for files of the project in some of its folders, which are
// relative to the root.
func importFiles(r project.Request, root workspace.Root, cwd string, folders ...string) (*importer, error) {
	t, err := tree.Open(filepath.FromSlash(root.Dir), tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	m := &importer{loaded: map[string]workspace.File{}}
	if err := m.instructions(r, root, cwd); err != nil {
		return nil, err
	}
	for _, folder := range folders {
		for _, f := range otherclient.Files(t, folder) {
			x := Import{Path: f.Path, Bytes: f.Bytes, Names: f.Names, text: f.Text}
			if f.Failed != "" {
				x.Status, x.Reason = ImportFailed, f.Failed
			}
			m.out = append(m.out, x)
		}
	}
	m.decide()
	return m, nil
}

// instructions finds out which files are loaded, and the limit that cuts none.
func (m *importer) instructions(r project.Request, root workspace.Root, cwd string) error {
	const most = 64 << 20
	for m.limit = workspace.DefaultInstructionLimit; ; m.limit *= 2 {
		in, err := workspace.LoadInstructions(workspace.InstructionsConfig{
			Root: root.Dir, Cwd: cwd, Global: r.Config, Home: r.Home, Limit: m.limit,
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
