package workspace

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// DefaultInstructionLimit is how many bytes of instructions go into a prompt by
// the rules of "cento" when nothing else is asked for.
const DefaultInstructionLimit = 256 << 10

// NotMeasured stands for the date of rules that nobody compared with their client.
const NotMeasured = "not measured"

// InstructionsConfig says which instructions to load and from where.
type InstructionsConfig struct {
	// Convention names the loading rules, see [Conventions]. Default
	// [DefaultConvention]; [NoInstructions] loads nothing.
	Convention string
	// Root and Cwd are absolute; Cwd is Root or lies below it. See [FindRoot].
	Root, Cwd string
	// Disk is where all of these lie; the zero value is the machine's.
	Disk disk.Disk
	// Outputs are the absolute paths of files that the program writes, which are
	// therefore not instructions.
	Outputs []string
	// Top is the absolute folder at or above Root at which walks end that lead out
	// of the project, as those of some clients do. Default: Root, so that nothing
	// above the project is read.
	Top string
	// For are the absolute paths of files that are worked on; they need not exist.
	// Files that are read because of them are loaded too, at the end, and each has
	// a text of its own, see [Instructions.OnDemand]. They take nothing from Limit,
	// which holds for each of them alone.
	For []string
	// Below has the files of deeper folders, which are counted and named, and not
	// read: see [FindBelow]. Nil: nothing is said of them.
	Below *Below
	// Global is the absolute folder of the user's own instructions for Cento;
	// empty for none. Home shortens its name to `~/…`, and links below it are
	// followed.
	Global, Home string
	// Folders are the absolute folders of the users of other clients, where they
	// aren't at their usual place below Home: "codex", "claude", "gemini",
	// "opencode", "copilot", "qwen"; and "managed", where whoever runs the machine keeps a CLAUDE.md
	// for all. Without Home and Folders none is read.
	Folders map[string]string
	// Imports puts the files in place that a text names as `@path`. The conventions
	// of other clients have their own rules for that.
	Imports bool

	// Limit is how many bytes of instructions are taken in all, FileLimit from
	// one file. Default of the first is [DefaultInstructionLimit] for "cento", 32768
	// for "codex", which takes it for what the project's files have on disk, and none
	// for "cwd" and "nearest"; of the second it is the first. "codex" knows no
	// FileLimit; The other clients have no such limits.
	Limit, FileLimit int
	// MaxFile is the largest file that is read at all, in bytes, and how far
	// imports may let one grow. Default: that of the convention, else
	// [cento.DefaultLimits].
	MaxFile int
	// Wording of the notices; the zero value is the built-in one.
	Wording Wording
}

// Instructions is what the people of a project, and the user, have written for
// agents.
type Instructions struct {
	Convention string `json:"profile"`
	// Version is that of the client whose rules these are, and Measured the day on which
	// that version was run and compared, such as "2026-11-28", or [NotMeasured]. Both are
	// empty for Cento's own rules.
	Version  string `json:"version,omitempty"`
	Measured string `json:"measured,omitempty"`
	// Files are all that were considered, in the order of the prompt: those that
	// were imported after the one that names them.
	Files []File `json:"files"`
	// Text is nil when there is no instruction file, and empty when there are
	// only blank ones. The conventions of other clients leave blank files out, so
	// theirs is never empty.
	Text *cento.Text `json:"text"`
	// OnDemand are the texts of files that are read with those of
	// [InstructionsConfig.For], in the order in which they come.
	OnDemand []DemandedText `json:"-"`
	// TakenOut has the HTML comments and the front matter that the rules take out of files,
	// imported ones too, but for files that add nothing at all.
	TakenOut []TakenOut   `json:"-"`
	Notes    []cento.Note `json:"notes,omitempty"`
}

// TakenOut is what the rules take out of a file whose other text is loaded.
type TakenOut struct {
	Path string // as in [File.Path]
	// Text is what the file holds, and Spans are those that were taken out, in order.
	Text  string
	Spans [][2]int
	Trust cento.Trust
	// Imported: another file names it.
	Imported bool
	// Code is [InstructionsComment] or [InstructionsFrontMatter], and Reason says why.
	Code   cento.Code
	Reason string
}

// DemandedText is a file that is read once something in its folder is worked on,
// as it is told then: headed by its path, or framed as a client does.
type DemandedText struct {
	Path string // as in [File.Path]
	Text cento.Text
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
	// Bytes is the length of its text with all imports in place; those that
	// follow after it have their own. Of a file that is loaded whole it is To - From,
	// and of one that is cut the length of all of it.
	Bytes int `json:"bytes"`
	// From and To are the stretch [From, To) of the text that is this file's;
	// both are 0 when nothing is.
	From  int         `json:"from"`
	To    int         `json:"to"`
	Trust cento.Trust `json:"trust"`
	// OnDemand: it isn't read at the start, but with the file of
	// [InstructionsConfig.For].
	OnDemand bool `json:"on_demand,omitempty"`
	// Imported: another file names it, and its text stands in that one's place or
	// behind it.
	Imported bool `json:"imported,omitempty"`
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
	BelowCwd Status = "below"    // it lies in a deeper folder, and isn't read at the start
)

// The codes of notes on instructions.
const (
	// InstructionsCut: the end of a file is left out, for a limit.
	InstructionsCut cento.Code = "instructions.cut"
	// InstructionsLeftOut: a whole file is left out, for a limit.
	InstructionsLeftOut cento.Code = "instructions.left_out"
	// InstructionsFailed: a file can't be used.
	InstructionsFailed cento.Code = "instructions.failed"
	// InstructionsBlank: a file holds nothing but white space, once comments that the
	// rules take out are out.
	InstructionsBlank cento.Code = "instructions.blank"
	// InstructionsDuplicate: the same text was loaded already.
	InstructionsDuplicate cento.Code = "instructions.duplicate"
	// InstructionsLinkText: a file holds the target of a link instead of a text.
	InstructionsLinkText cento.Code = "instructions.link_text"
	// InstructionsImport: an `@path` in a text could not be put in place.
	InstructionsImport cento.Code = "instructions.import"
	// InstructionsImportsOff: a text names files as `@path`, and the rules don't
	// put them in.
	InstructionsImportsOff cento.Code = "instructions.imports_off"
	// InstructionsCondition: a rule holds only for some files.
	InstructionsCondition cento.Code = "instructions.condition"
	// InstructionsBelow: a file lies below the current folder; as a note: how many
	// there are.
	InstructionsBelow cento.Code = "instructions.below"
	// InstructionsAbove: a file that is loaded lies above the project.
	InstructionsAbove cento.Code = "instructions.above"
	// InstructionsCase: the name of a file differs in letter case from the one that is
	// looked for, or it is one that people give to AGENTS.md, such as AGENT.md.
	InstructionsCase cento.Code = "instructions.case"
	// InstructionsTwin: the names of two files read the same and are different
	// bytes.
	InstructionsTwin cento.Code = "instructions.twin"
	// InstructionsComment: HTML comments of a file are taken out.
	InstructionsComment cento.Code = "instructions.comment"
	// InstructionsFrontMatter: the text between the first two `---` of a file is taken
	// out as front matter; as a note: it isn't one.
	InstructionsFrontMatter cento.Code = "instructions.front_matter"
	// InstructionsKey: a rule has a condition in front matter that the client doesn't read.
	InstructionsKey cento.Code = "instructions.key"
	// InstructionsOrder: the rules of a folder, or the files that a pattern of a settings file
	// matches, are sorted here, and the client reads them in the order of the disk.
	InstructionsOrder cento.Code = "instructions.order"
	// InstructionsPattern: no path matches the patterns of a rule, so it is never read.
	InstructionsPattern cento.Code = "instructions.pattern"
	// InstructionsReplaced: bytes of a file are not UTF-8 and read U+FFFD.
	InstructionsReplaced cento.Code = "instructions.replaced"
	// InstructionsForged: a line reads like the words that stand around files.
	InstructionsForged cento.Code = "instructions.forged"
	// InstructionsOutput: the file is written by the program, and not read.
	InstructionsOutput cento.Code = "instructions.output"
	// InstructionsOtherClient: only other clients read the file.
	InstructionsOtherClient cento.Code = "instructions.other_client"
	// InstructionsSettings: a settings file of the client changes what it loads.
	InstructionsSettings cento.Code = "instructions.settings"
	// InstructionsShadowed: another file stands in its place.
	InstructionsShadowed cento.Code = "instructions.shadowed"
)

// LoadInstructions reads the instructions that hold in a folder. A file that
// can't be used never makes it fail. Errors are those of the call itself:
// [UnknownConvention], [InvalidFolder], [InvalidLimit], and a root that can't be
// opened.
func LoadInstructions(cfg InstructionsConfig) (*Instructions, error) {
	name := cmp.Or(cfg.Convention, DefaultConvention)
	if err := CheckConvention(name); err != nil {
		return nil, err
	}
	return load(cfg, findConvention(name))
}

func load(cfg InstructionsConfig, p *convention) (*Instructions, error) {
	for _, n := range []int{cfg.Limit, cfg.FileLimit, cfg.MaxFile} {
		if n < 0 {
			return nil, &cento.SourceError{Code: InvalidLimit, Message: fmt.Sprintf("limit %d is negative", n)}
		}
	}
	root, err := folder(cfg.Disk, cfg.Root)
	if err != nil {
		return nil, err
	}
	cwd, err := folder(cfg.Disk, cfg.Cwd)
	if err != nil {
		return nil, err
	}
	if _, ok := below(root, cwd); !ok {
		return nil, otherFolder(cwd, root, "below the root")
	}
	top := root
	if cfg.Top != "" {
		if top, err = folder(cfg.Disk, cfg.Top); err != nil {
			return nil, err
		}
		if _, ok := below(top, root); !ok {
			return nil, otherFolder(top, root, "at or above the root")
		}
	}
	limit := cmp.Or(cfg.Limit, p.limit, math.MaxInt)
	l := &loader{
		disk:       cfg.Disk,
		outputs:    cfg.Outputs,
		convention: p,
		imports:    cfg.Imports,
		limit:      limit,
		maxFile:    cmp.Or(cfg.MaxFile, p.maxFile, cento.DefaultLimits().File),
		readable:   maxRead,
		listings:   map[string]*listing{},
		listable:   maxListed,
		wording:    cfg.Wording,
		contents:   map[[32]byte]string{},
		seen:       map[string]string{},
		remaining:  limit,
		cwd:        cwd,
	}
	l.fileLimit = cmp.Or(cfg.FileLimit, l.limit)
	if cfg.Home != "" {
		if home, err := canonical(cfg.Disk, cfg.Home); err == nil {
			l.home = home
		}
	}
	defer func() {
		for _, c := range l.closers {
			c.Close()
		}
	}()
	if err := l.discover(&cfg, root, cwd, top); err != nil {
		return nil, err
	}
	out := &Instructions{Convention: p.id(), Version: p.version, Files: []File{}}
	if p.version != "" {
		out.Measured = cmp.Or(p.measured, NotMeasured)
	}
	files := make([]string, len(cfg.For))
	for i, name := range cfg.For {
		if !filepath.IsAbs(name) {
			return nil, &cento.SourceError{Code: InvalidFolder, Message: fmt.Sprintf("file %q is not absolute", name), Position: cento.Position{File: name}}
		}
		files[i], _ = canonical(l.disk, name)
	}
	l.run()
	l.workedOn(files)
	l.finish(out)
	more, notes := l.below(cfg.Below)
	out.Files, out.Notes = append(out.Files, more...), slices.Concat(l.settingNotes, out.Notes, notes)
	return out, nil
}

// finish puts everything into the order of the prompt.
func (l *loader) finish(out *Instructions) {
	var parts []*part
	for _, pl := range l.places {
		for _, p := range pl.parts {
			if !p.file.OnDemand {
				parts = append(parts, p)
			}
		}
	}
	for _, p := range l.later {
		if p.file.OnDemand {
			parts = append(parts, p)
		}
	}
	for _, p := range parts {
		if p.file.OnDemand && p.file.Status == Loaded && p.blank {
			// What comes with other files is no text of the start, not even an empty one.
			p.ignoreBlank()
		}
		if p.file.OnDemand && p.passage.text != "" {
			out.OnDemand = append(out.OnDemand, DemandedText{p.file.Path, *l.demanded(p)})
		}
	}
	if l.convention.frame != nil {
		out.Text = l.framed(parts)
	} else {
		out.Text = join(parts)
	}
	l.settle(parts)
	if !l.convention.applyTo { // whose client sorts them
		noteOrder(parts)
	}
	l.notePatterns()
	for _, p := range parts {
		for _, f := range append([]*File{&p.file}, p.imported...) {
			if f.Status == Loaded && f.From < f.To {
				f.Bytes = f.To - f.From // without the white space around it
			}
		}
		if !p.gone {
			out.Files = append(out.Files, p.file)
		}
		for _, i := range p.imported {
			out.Files = append(out.Files, *i)
		}
		out.Notes = append(out.Notes, p.notes...)
		out.TakenOut = append(out.TakenOut, p.taken...)
	}
}

// join makes one text of all parts that have something to say.
func join(parts []*part) *cento.Text {
	var speaking, blank []*part
	loaded := 0
	for _, p := range parts {
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
			p.ignoreBlank()
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
				w.heading(p)
			}
			p.trim()
			w.passage(p)
		}
		w.notice(p)
	}
	return w.finish(speaking)
}

// demanded is the text of a file that is read with others, on its own.
func (l *loader) demanded(p *part) *cento.Text {
	w := &writer{}
	if l.convention.frame != nil {
		l.writeFile(w, p)
	} else {
		w.heading(p)
		p.trim()
		w.passage(p)
		w.notice(p)
	}
	return w.finish([]*part{p})
}

// trim drops the white space around a file that is whole, also where it stands alone:
// what a file is counted with doesn't depend on what else is loaded. What is left of
// a cut one is as long as its notice says.
func (p *part) trim() {
	if p.file.Status == Loaded {
		p.passage.trim(unicode.IsSpace)
	}
}

func (w *writer) heading(p *part) {
	w.fixed("### "+Visible(p.file.Path)+"\n\n", cento.TrustBuiltin)
}

// notice adds what is said of a cut, on a line of its own.
func (w *writer) notice(p *part) {
	if p.notice.text != "" && p.passage.text != "" && !strings.HasSuffix(p.passage.text, "\n") {
		w.fixed("\n", cento.TrustBuiltin)
	}
	w.fixed(p.notice.text, p.notice.trust)
}
