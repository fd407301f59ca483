package workspace

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// maxRead bounds how many bytes one load reads in all: a path can be a
// thousand folders deep, with a large file in each.
const maxRead = 16 << 20

// loader is the state of one load.
type loader struct {
	outputs          []string
	disk             disk.Disk
	convention       *convention
	imports          bool
	limit, fileLimit int
	maxFile          int
	wording          Wording
	home             string // canonical; empty for none
	cwd              string // canonical

	// checkout is the main checkout around workTree, the work tree of the current folder;
	// both are empty for none.
	checkout, workTree string

	project *ground
	places  []*place // in the order of the text
	closers []io.Closer

	remaining int // of limit
	readable  int // of maxRead
	attempts  int // imports tried

	files []identity // files in use
	// seen are files that were read, by their absolute paths and those of what links lead
	// to, with the name that they are known by.
	seen map[string]string
	// instead is the file because of which no fallback is read; empty for none.
	instead     string
	conditional []*conditional
	later       []*part // in the order in which they come

	contents map[[32]byte]string // texts in use, by digest, and whose they are
	standing []fs.FileInfo       // files that are candidates on their own

	settingNotes []cento.Note
	excludes     []string // patterns of files that the client's settings exclude
	named        []*place // files that the client's settings name

	listings map[string]*listing // of folders, by their paths, see [loader.listing]
	listable int                 // of maxListed
}

// identity tells one file from others, by whatever name it is reached.
type identity struct {
	info fs.FileInfo
	path string
}

func (i identity) same(info fs.FileInfo) bool { return disk.SameFile(i.info, info) }

// part is one file that was found, and what goes into the prompt of it.
type part struct {
	file     File
	absolute string
	user     bool
	rule     bool
	base     string // see [candidate.base]
	fallback bool
	blank    bool
	gone     bool        // it has no row of its own
	info     fs.FileInfo // of the file; nil where it wasn't asked for
	passage  passage
	notice   notice
	imported []*File
	// taken is what was taken out of the file and of those that it imports.
	taken []TakenOut
	notes []cento.Note
}

func (p *part) note(code cento.Code, message string) {
	p.noteAt(code, message, cento.Position{File: p.file.Path})
}

func (p *part) noteAt(code cento.Code, message string, at cento.Position) {
	p.notes = append(p.notes, cento.Note{Code: code, Message: message, Position: at})
}

// run loads all places, in the order in which the limit is spent.
func (l *loader) run() {
	order := slices.Clone(l.places)
	if l.convention.spend == nearestLines {
		slices.Reverse(order)
	}
	if l.imports && l.convention.imports == importsAsked {
		l.findStanding(order)
	}
	for _, pl := range order {
		l.load(pl)
	}
	if len(l.convention.fallback) == 0 {
		return
	}
	for _, pl := range order {
		if !pl.user {
			l.instead = cmp.Or(firstLoaded(pl.parts), l.instead)
		}
	}
	for _, pl := range order {
		l.fallBack(pl, l.instead)
	}
}

// load looks for the files of a place, in order, and takes those that the rules
// pick.
func (l *loader) load(pl *place) {
	var winner *part
	if l.convention.walk == nearestUp {
		winner = l.winner()
	}
	for _, c := range pl.files {
		p := &part{file: File{Path: c.tree.Show(c.name), Trust: c.trust, OnDemand: pl.nested}, user: pl.user, rule: c.rule, base: c.base, fallback: c.fallback, absolute: c.absolute(c.name)}
		if of, again := l.seen[p.absolute]; again {
			if of != p.file.Path { // which has a row already
				p.ignore(InstructionsDuplicate, "is the same file as %q", of)
				pl.parts = append(pl.parts, p)
			}
			continue
		}
		if e := tree.CheckName(c.name); e != nil {
			// The folder's name is to blame, since that of the file is known.
			if at := path.Dir(c.name); len(pl.parts) == 0 {
				p.file.Path = strings.ToValidUTF8(at, "\uFFFD")
				l.failed(p, &cento.SourceError{Code: e.Code, Message: e.Reason, Position: cento.Position{File: p.file.Path}})
				pl.parts = append(pl.parts, p)
			}
			continue
		}
		if c.problem != nil {
			l.failed(p, c.problem)
			pl.parts = append(pl.parts, p)
			continue
		}
		l.noteOtherCase(pl, c, winner == nil)
		if c.absent() {
			continue
		}
		_, err := c.tree.Lstat(c.name)
		if errors.Is(err, tree.NotFound) {
			continue
		}
		pl.parts = append(pl.parts, p)
		if l.excluded(p.absolute) {
			p.ignore(InstructionsSettings, "the client's settings exclude it")
			continue
		}
		if err != nil {
			l.failed(p, err)
			continue
		}
		if slices.Contains(l.outputs, c.absolute(c.name)) {
			p.ignore(InstructionsOutput, "an output of this project, which `cento build --all` writes")
			continue
		}
		p.info, _ = c.tree.Stat(c.name)
		if l.shadowed(pl, p, c, winner) {
			continue
		}
		if l.convention.same == samePath && l.readByLink(p, c) {
			continue
		}
		p.noteTwin(c.twin)
		if pl.nested && l.convention.nested == nestedNever {
			p.ignore(InstructionsBelow, "%s", l.convention.belowReason())
			if p.file.Status = BelowCwd; pl.pick != every {
				winner = p
			}
			continue
		}
		if taken := l.take(pl, p, c); taken && pl.pick != every {
			winner = p
		}
	}
}

// shadowed records a file that another one stands in the place of.
func (l *loader) shadowed(pl *place, p *part, c candidate, winner *part) bool {
	by := c.instead
	if by == "" && winner != nil {
		by = winner.file.Path
	}
	if by == "" && !c.checkout {
		return false
	}
	p.file.Status, p.file.Code = Shadowed, string(InstructionsShadowed)
	p.file.OnDemand = false
	p.file.Reason = fmt.Sprintf("shadowed by %q", by)
	if c.checkout {
		p.file.Reason = "in the main checkout, of which only CLAUDE.local.md is read in a work tree"
		return true
	}
	if c.instead == "" && winner.blank {
		p.file.Reason += ", which is blank"
		winner.notes = slices.DeleteFunc(winner.notes, func(n cento.Note) bool { return n.Message == "blank" })
		winner.note(InstructionsBlank, fmt.Sprintf("blank, and shadows %q", p.file.Path))
	}
	return true
}

// take reads a file and uses it. It reports whether the file stands in the
// place of those after it.
func (l *loader) take(pl *place, p *part, c candidate) bool {
	info, statErr := c.tree.Stat(c.name)
	if pl.pick == firstFile && (errors.Is(statErr, tree.NotFound) || statErr == nil && !info.Mode().IsRegular()) {
		_, err := l.read(c.tree, c.name)
		l.failed(p, err)
		return false
	}
	if l.spent(pl) {
		l.leaveOut(p, info)
		return true
	}
	f, err := l.read(c.tree, c.name)
	if err != nil {
		l.failed(p, err)
		return pl.pick == firstFile
	}
	switch {
	case c.rule && l.convention.applyTo:
		if patterns, excluded := appliesTo(lineFeeds(f.Text)); excluded {
			p.ignore(InstructionsCondition, "the rule excludes agents")
			return false
		} else if len(patterns) > 0 {
			l.condition(pl, p, c, f, patterns, patterns).from = l.project.base
			return false
		}
	case c.rule && !(l.convention.markedFront && f.Mark):
		if patterns, written := condition(lineFeeds(f.Text)); len(patterns) > 0 {
			l.condition(pl, p, c, f, patterns, written)
			p.noteDeadPatterns(lineFeeds(f.Text), patterns, written)
			return false
		}
	}
	l.use(pl, p, c, f)
	if c.rule && p.file.Code != string(InstructionsDuplicate) {
		l.noteRuleKeys(p, c.name, lineFeeds(f.Text))
	}
	return pl.pick != firstFilled || !p.blank
}

// readByLink reports whether a file was read already by the name that a link leads to, and
// records it.
func (l *loader) readByLink(p *part, c candidate) bool {
	if real, err := c.real(c.name); err == nil {
		if of, again := l.seen[c.absolute(real)]; again {
			p.ignore(InstructionsDuplicate, "is the same file as %q", of)
			return true
		}
	}
	l.sees(c.ground, c.name, p.file.Path)
	return false
}

func quotedList(list []string) string {
	quoted := make([]string, 0, 4)
	for i, s := range list {
		if i == 3 && len(list) > 4 {
			quoted = append(quoted, fmt.Sprintf("%d more", len(list)-3))
			break
		}
		quoted = append(quoted, fmt.Sprintf("%q", s))
	}
	return strings.Join(quoted, ", ")
}

// ignore records a file that adds nothing.
func (p *part) ignore(code cento.Code, format string, args ...any) {
	p.file.Status, p.file.Code, p.file.Reason = Ignored, string(code), fmt.Sprintf(format, args...)
	p.file.OnDemand = false
}

// winner is the file that was taken from an earlier place.
func (l *loader) winner() *part {
	for i := len(l.places) - 1; i >= 0; i-- {
		for _, p := range l.places[i].parts {
			if p.file.Status == Loaded || p.file.Status == Cut {
				return p
			}
		}
	}
	return nil
}

// read reads a file as long as not too much was read before.
func (l *loader) read(t *tree.Tree, name string) (*tree.File, error) {
	if info, err := t.Stat(name); err == nil && info.Mode().IsRegular() &&
		info.Size() <= int64(l.maxFile) && info.Size() > int64(l.readable) {
		return nil, &cento.SourceError{
			Code: tree.TooLarge, Position: cento.Position{File: t.Show(name)},
			Message: fmt.Sprintf("all instruction files together are over %d bytes", maxRead),
		}
	}
	read := t.Read
	if l.convention.lossy {
		read = t.ReadLossy
	}
	f, err := read(name)
	if err == nil {
		l.readable -= len(f.Text)
		f.Mark = f.Mark && l.convention.mark
	}
	return f, err
}

// failed records a file that can't be used.
func (l *loader) failed(p *part, err error) {
	code, reason, at := explain(err, p.file.Path)
	p.file.Status, p.file.Code, p.file.Reason = Failed, code, reason
	p.file.OnDemand = false
	p.noteAt(InstructionsFailed, "not used: "+reason, at)
}

// explain takes an error of a file apart.
func explain(err error, file string) (code, reason string, at cento.Position) {
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		return string(tree.Unreadable), err.Error(), cento.Position{File: file}
	}
	e := list[0]
	reason = e.Message
	switch {
	case e.Code == tree.NotFound: // every system has its own words for it
		reason = "there is no such file"
	case e.Code == tree.Outside: // the cause says the same again
	case e.Err != nil:
		reason += ": " + e.Err.Error()
	case e.Hint != "" && (e.Code == tree.InvalidUTF8 || e.Code == tree.HoldsNUL):
		reason += ": " + e.Hint
	}
	return string(e.Code), reason, e.Position
}

// use takes a file that was read into the prompt, unless it is there already
// or there is no room.
func (l *loader) use(pl *place, p *part, c candidate, f *tree.File) {
	duplicate := func(how, of string) {
		p.ignore(InstructionsDuplicate, "%s %q", how, of)
		p.note(InstructionsDuplicate, p.file.Reason)
	}
	if l.convention.same == sameText || l.convention.same == sameFile {
		for _, s := range l.files {
			if s.same(f.Info) {
				p.file.Bytes = len(f.Text)
				duplicate("is the same file as", s.path)
				return
			}
		}
	}
	l.files = append(l.files, identity{f.Info, p.file.Path})

	x := &expansion{loader: l, part: p, ground: c.ground, confine: c.confine}
	p.passage = x.expand(f)
	l.noteReplaced(p, f)
	text := p.passage.text
	p.file.Status, p.file.Bytes = Loaded, p.passage.end()
	if pl.nested {
		p.file.Reason = "read with files of its folder"
	}
	p.blank = strings.TrimFunc(text, l.convention.space) == ""
	if p.blank {
		l.useBlank(p)
		return
	}
	if l.convention.same == sameText {
		digest := sha256.Sum256([]byte(text))
		if of, ok := l.contents[digest]; ok {
			duplicate("has the same text as", of)
			p.drop(Ignored, InstructionsDuplicate, "a duplicate")
			return
		}
		l.contents[digest] = p.file.Path
	}
	l.noteLinkText(p, c.ground, f)
	l.noteImportsOff(p, c.ground, f)
	l.noteAbove(p, c.ground)
	switch {
	case l.convention.spend == nearestLines:
		l.spend(p, pl.nested)
	case l.convention.spend == orderBytes && !pl.user:
		l.spendBytes(p, f)
	}
}

// useBlank decides about a file of nothing but white space. Those of the
// project's own rules are decided on when all files are known.
func (l *loader) useBlank(p *part) {
	if l.convention.blank == blankSpace || l.convention.blank == blankEmpty && p.passage.text == "" {
		p.ignoreBlank()
	}
}

// ignoreBlank records that a file of nothing but white space adds nothing, nor
// what it imports.
func (p *part) ignoreBlank() {
	what := "blank"
	if len(p.taken) > 0 {
		what = "blank but for what is taken out: " + p.taken[0].Reason
	}
	p.ignore(InstructionsBlank, "%s", what)
	p.note(InstructionsBlank, what)
	p.drop(Ignored, InstructionsBlank, "blank")
}

// drop takes the text of a part out, and with it what it imports. What isn't
// read doesn't come with other files either.
func (p *part) drop(status Status, code cento.Code, what string) {
	p.passage, p.taken = passage{}, nil
	p.notes = slices.DeleteFunc(p.notes, func(n cento.Note) bool { return n.Code == InstructionsComment })
	for _, f := range p.imported {
		if f.Status == Loaded {
			f.Status, f.Code, f.OnDemand = status, string(code), false
			f.Reason += fmt.Sprintf(", which is %s", what)
		}
	}
}
