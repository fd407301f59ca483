package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// DefaultInstructionLimit is how many bytes of instructions go into a prompt
// when nothing else is asked for.
const DefaultInstructionLimit = 32 << 10

// InstructionsConfig says which instructions to load and from where.
type InstructionsConfig struct {
	// Profile names the loading rules, see [Profiles]. Default "cento".
	Profile string
	// Root and Cwd are absolute; Cwd is Root or lies below it. See [FindRoot].
	Root, Cwd string
	// Global is the absolute folder of the user's own instructions; empty for
	// none. Home shortens its name to `~/…`, and links below it are followed.
	Global, Home string
	// Imports puts the files in place that a text names as `@path`.
	Imports bool

	// Limit is how many bytes of instructions are taken in all, FileLimit from
	// one file. Default of the first is [DefaultInstructionLimit], of the second
	// the first.
	Limit, FileLimit int
	// MaxFile is the largest file that is read at all, in bytes, and how far
	// imports may let one grow. Default: [cento.DefaultLimits].
	MaxFile int
	// Wording of the notices; the zero value is the built-in one.
	Wording Wording
}

// Instructions is what the people of a project, and the user, have written for
// agents.
type Instructions struct {
	Profile string `json:"profile"`
	// Files are all that were considered, in the order of the prompt: those that
	// were imported after the one that names them.
	Files []File `json:"files"`
	// Text is nil when there is no instruction file, and empty when there are
	// only blank ones.
	Text  *cento.Text  `json:"text"`
	Notes []cento.Note `json:"notes,omitempty"`
}

// File is one file that was considered.
type File struct {
	// Path is relative to the root of the project, or begins with `~/`, or is
	// absolute.
	Path   string `json:"path"`
	Status Status `json:"status"`
	// Code is the same as Reason for programs: that of the note or the error.
	Code string `json:"code,omitempty"`
	// Reason says in words why the status is not plainly [Loaded].
	Reason string `json:"reason,omitempty"`
	// Bytes is the length of its text with all imports in place.
	Bytes int `json:"bytes"`
	// From and To are the stretch [From, To) of the text that is this file's;
	// both are 0 when nothing is.
	From  int         `json:"from"`
	To    int         `json:"to"`
	Trust cento.Trust `json:"trust"`
}

// Status is what became of a file.
type Status string

// The statuses.
const (
	Loaded   Status = "loaded"
	Shadowed Status = "shadowed" // another file stands in its place
	Cut      Status = "cut"      // left out in part or whole, for a limit
	Failed   Status = "failed"   // it can't be used
	Ignored  Status = "ignored"  // it adds nothing: blank, or there already
)

// The codes of notes on instructions.
const (
	// InstructionsCut: the end of a file is left out, for a limit.
	InstructionsCut cento.Code = "instructions.cut"
	// InstructionsLeftOut: a whole file is left out, for a limit.
	InstructionsLeftOut cento.Code = "instructions.left_out"
	// InstructionsFailed: a file can't be used.
	InstructionsFailed cento.Code = "instructions.failed"
	// InstructionsBlank: a file holds nothing but white space.
	InstructionsBlank cento.Code = "instructions.blank"
	// InstructionsDuplicate: the same text was loaded already.
	InstructionsDuplicate cento.Code = "instructions.duplicate"
	// InstructionsLinkText: a file holds the target of a link instead of a text.
	InstructionsLinkText cento.Code = "instructions.link_text"
	// InstructionsImport: an `@path` in a text could not be put in place.
	InstructionsImport cento.Code = "instructions.import"
	// InstructionsShadowed: another file of the folder stands in its place. It
	// stands in [File.Code] only.
	InstructionsShadowed cento.Code = "instructions.shadowed"
)

// LoadInstructions reads the instructions that hold in a folder. A file that
// can't be used never makes it fail. Errors are those of the call itself:
// [UnknownProfile], [InvalidFolder], [InvalidLimit], and a root that can't be
// opened.
func LoadInstructions(cfg InstructionsConfig) (*Instructions, error) {
	p, err := findProfile(cmp.Or(cfg.Profile, DefaultProfile))
	if err != nil {
		return nil, err
	}
	for _, n := range []int{cfg.Limit, cfg.FileLimit, cfg.MaxFile} {
		if n < 0 {
			return nil, &cento.SourceError{Code: InvalidLimit, Message: fmt.Sprintf("limit %d is negative", n)}
		}
	}
	root, err := folder(cfg.Root)
	if err != nil {
		return nil, err
	}
	cwd, err := folder(cfg.Cwd)
	if err != nil {
		return nil, err
	}
	rel, ok := below(root, cwd)
	if !ok {
		return nil, &cento.SourceError{
			Code: InvalidFolder, Message: fmt.Sprintf("folder %q is not below the root %q", cwd, root),
			Position: cento.Position{File: cwd},
		}
	}
	l := &loader{
		profile:   p,
		imports:   cfg.Imports,
		limit:     cmp.Or(cfg.Limit, DefaultInstructionLimit),
		maxFile:   cmp.Or(cfg.MaxFile, cento.DefaultLimits().File),
		readable:  maxRead,
		wording:   cfg.Wording,
		contents:  map[[32]byte]string{},
		remaining: cmp.Or(cfg.Limit, DefaultInstructionLimit),
	}
	l.fileLimit = cmp.Or(cfg.FileLimit, l.limit)

	project, err := tree.Open(filepath.FromSlash(root), tree.Options{Limit: l.maxFile})
	if err != nil {
		return nil, err
	}
	defer project.Close()
	places := p.places(project, rel)
	if len(p.global) > 0 && cfg.Global != "" {
		global, closeGlobal := l.openGlobal(cfg.Global, cfg.Home)
		defer closeGlobal()
		if global != nil {
			places = append(places, *global)
		}
	}
	if l.imports {
		l.findStanding(places)
	}
	for _, pl := range places {
		l.load(pl)
	}
	return l.finish(), nil
}

// openGlobal opens the folder of the user's own instructions. It is opened by
// way of the home folder when it lies below, because such files are often links
// to elsewhere below home.
func (l *loader) openGlobal(dir, home string) (*place, func()) {
	shown := textForm(dir)
	if rest, ok := below(textForm(home), shown); ok && home != "" {
		shown = strings.TrimSuffix("~/"+rest, "/.")
	}
	fail := func(err error) (*place, func()) {
		if !errors.Is(err, tree.NotFound) {
			part := &part{file: File{Path: shown, Trust: cento.TrustUser}}
			l.failed(part, err)
			l.global = part
		}
		return nil, func() {}
	}
	real, err := canonical(dir)
	if err != nil {
		return fail(&cento.SourceError{
			Code: tree.Unreadable, Message: "cannot look into the folder",
			Position: cento.Position{File: shown}, Err: cause(err),
		})
	}
	top, prefix := real, "."
	if home != "" {
		if h, err := canonical(home); err == nil {
			if rest, ok := below(h, real); ok {
				top, prefix = h, rest
			}
		}
	}
	t, err := tree.Open(filepath.FromSlash(top), tree.Options{Limit: l.maxFile, Show: func(name string) string {
		// Files that links lead to may lie anywhere below home.
		if rest, ok := below(prefix, name); ok || prefix == "." {
			if !ok {
				rest = name
			}
			return shown + "/" + rest
		}
		return "~/" + name
	}})
	if err != nil {
		return fail(err)
	}
	return &place{tree: t, dir: prefix, names: l.profile.global, trust: cento.TrustUser}, func() { t.Close() }
}

// finish puts everything into the order of the prompt.
func (l *loader) finish() *Instructions {
	if l.global != nil {
		l.parts = append(l.parts, l.global)
	}
	slices.Reverse(l.parts) // they were loaded nearest first
	out := &Instructions{Profile: l.profile.name, Files: []File{}}
	out.Text = l.join()
	for _, p := range l.parts {
		out.Files = append(out.Files, p.file)
		for _, i := range p.imported {
			out.Files = append(out.Files, *i)
		}
		out.Notes = append(out.Notes, p.notes...)
	}
	return out
}

// join makes one text of all parts that have something to say.
func (l *loader) join() *cento.Text {
	var speaking, blank []*part
	loaded := 0
	for _, p := range l.parts {
		switch {
		case p.file.Status == Loaded && p.blank:
			blank = append(blank, p)
		case p.file.Status == Loaded || p.file.Status == Cut && p.passage.text != "":
			loaded++
			speaking = append(speaking, p)
		case p.file.Status == Cut:
			speaking = append(speaking, p)
		}
	}
	if len(speaking) == 0 && len(blank) == 0 {
		return nil
	}
	for i, p := range blank {
		// Alone it makes the text empty, which isn't the same as none.
		if len(speaking) > 0 || i < len(blank)-1 {
			p.file.Status, p.file.Code, p.file.Reason = Ignored, string(InstructionsBlank), "blank"
			p.note(InstructionsBlank, fmt.Sprintf("%q is blank", p.file.Path))
		}
	}
	if len(speaking) == 0 {
		p := blank[len(blank)-1]
		return &cento.Text{Trust: p.file.Trust, Origin: cento.Position{File: p.file.Path, Line: 1, Column: 1}}
	}
	w := &writer{}
	for i, p := range speaking {
		if i > 0 {
			w.fixed("\n\n", cento.TrustBuiltin)
		}
		if p.passage.text != "" {
			if loaded > 1 {
				w.fixed("### "+Visible(p.file.Path)+"\n\n", cento.TrustBuiltin)
			}
			if len(speaking) > 1 {
				p.passage.trim()
			}
			w.passage(p)
			if p.notice.text != "" && !strings.HasSuffix(p.passage.text, "\n") {
				w.fixed("\n", cento.TrustBuiltin)
			}
		}
		w.fixed(p.notice.text, p.notice.trust)
	}
	return w.finish(speaking)
}
