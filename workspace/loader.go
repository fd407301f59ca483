package workspace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// maxRead bounds how many bytes one load reads in all: a path can be a
// thousand folders deep, with a large file in each.
const maxRead = 16 << 20

// loader is the state of one load. Places are loaded nearest to cwd first,
// which is the order in which the limit is spent.
type loader struct {
	profile          *profile
	imports          bool
	limit, fileLimit int
	maxFile          int
	wording          Wording

	remaining int // of limit
	readable  int // of maxRead
	attempts  int // imports tried
	parts     []*part
	global    *part // stands for a global folder that can't be opened

	files    []identity          // files in use
	contents map[[32]byte]string // texts in use, by digest, and whose they are
	standing []fs.FileInfo       // files that are candidates on their own
}

// identity tells one file from others, by whatever name it is reached.
type identity struct {
	info fs.FileInfo
	path string
}

func (i identity) same(info fs.FileInfo) bool { return os.SameFile(i.info, info) }

// part is one file that was found, and what goes into the prompt of it.
type part struct {
	file     File
	blank    bool
	passage  passage
	notice   notice
	imported []*File
	notes    []cento.Note
}

func (p *part) note(code cento.Code, message string) {
	p.noteAt(code, message, cento.Position{File: p.file.Path})
}

func (p *part) noteAt(code cento.Code, message string, at cento.Position) {
	p.notes = append(p.notes, cento.Note{Code: code, Message: message, Position: at})
}

// load looks for the names of a place, in order, and takes the first that can
// be used.
func (l *loader) load(pl place) {
	if e := tree.CheckName(pl.dir); e != nil {
		p := &part{file: File{Path: strings.ToValidUTF8(pl.dir, "\uFFFD"), Trust: pl.trust}}
		l.failed(p, &cento.SourceError{Code: e.Code, Message: e.Reason, Position: cento.Position{File: p.file.Path}})
		l.parts = append(l.parts, p)
		return
	}
	var here []*part
	var winner *part
	if l.profile.walk == nearestUp {
		winner = l.winner()
	}
	for _, n := range pl.names {
		name := path.Join(pl.dir, n)
		_, err := pl.tree.Lstat(name)
		if errors.Is(err, tree.NotFound) {
			continue
		}
		p := &part{file: File{Path: pl.tree.Show(name), Trust: pl.trust}}
		here = append(here, p)
		if err == nil && winner != nil {
			p.file.Status, p.file.Code = Shadowed, string(InstructionsShadowed)
			p.file.Reason = fmt.Sprintf("shadowed by %q", winner.file.Path)
			if winner.blank {
				p.file.Reason += ", which is blank"
				winner.note(InstructionsBlank, fmt.Sprintf("%q is blank and shadows %q", winner.file.Path, p.file.Path))
			}
			continue
		}
		var f *tree.File
		if err == nil {
			f, err = l.read(pl.tree, name)
		}
		if err != nil {
			l.failed(p, err)
			continue
		}
		winner = p
		l.use(p, pl, f)
	}
	// The list is turned round at the end, and the order of names is kept.
	for i := len(here) - 1; i >= 0; i-- {
		l.parts = append(l.parts, here[i])
	}
}

// winner is the file that was taken from an earlier place.
func (l *loader) winner() *part {
	for _, p := range l.parts {
		if p.file.Status == Loaded || p.file.Status == Cut {
			return p
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
	f, err := t.Read(name)
	if err == nil {
		l.readable -= len(f.Text)
	}
	return f, err
}

// failed records a file that can't be used.
func (l *loader) failed(p *part, err error) {
	code, reason, at := explain(err, p.file.Path)
	p.file.Status, p.file.Code, p.file.Reason = Failed, code, reason
	p.noteAt(InstructionsFailed, fmt.Sprintf("%q is not used: %s", p.file.Path, reason), at)
}

// explain takes an error of a file apart.
func explain(err error, file string) (code, reason string, at cento.Position) {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return string(tree.Unreadable), err.Error(), cento.Position{File: file}
	}
	reason = e.Message
	switch {
	case e.Code == tree.NotFound: // every system has its own words for it
		reason = "there is no such file"
	case e.Code == tree.Outside: // the cause says the same again
	case e.Err != nil:
		reason += ": " + e.Err.Error()
	}
	return string(e.Code), reason, e.Position
}

// use takes a file that was read into the prompt, unless it is there already
// or there is no room.
func (l *loader) use(p *part, pl place, f *tree.File) {
	duplicate := func(how, of string) {
		p.file.Status, p.file.Code = Ignored, string(InstructionsDuplicate)
		p.file.Reason = fmt.Sprintf("%s %q", how, of)
		p.note(InstructionsDuplicate, fmt.Sprintf("%q %s %q", p.file.Path, how, of))
	}
	for _, s := range l.files {
		if s.same(f.Info) {
			p.file.Bytes = len(f.Text)
			duplicate("is the same file as", s.path)
			return
		}
	}
	l.files = append(l.files, identity{f.Info, p.file.Path})

	x := &expansion{loader: l, part: p, place: pl, confine: "."}
	p.passage = x.expand(f)
	text := p.passage.text
	p.file.Status, p.file.Bytes = Loaded, len(text)
	if p.blank = strings.TrimSpace(text) == ""; p.blank {
		return
	}
	digest := sha256.Sum256([]byte(text))
	if of, ok := l.contents[digest]; ok {
		duplicate("has the same text as", of)
		p.drop(Ignored, InstructionsDuplicate, "a duplicate")
		return
	}
	l.contents[digest] = p.file.Path
	l.noteLinkText(p, pl, f)
	l.spend(p)
}

// drop takes the text of a part out, and with it what it imports.
func (p *part) drop(status Status, code cento.Code, what string) {
	p.passage = passage{}
	for _, f := range p.imported {
		if f.Status == Loaded {
			f.Status, f.Code = status, string(code)
			f.Reason += fmt.Sprintf(", which is %s", what)
		}
	}
}

// noteLinkText notes a file whose only word is the path of another: a link that
// was checked out where there are none.
func (l *loader) noteLinkText(p *part, pl place, f *tree.File) {
	target := strings.TrimSpace(f.Text)
	if len(target) > 255 || strings.ContainsAny(target, " \t\n") {
		return
	}
	name := path.Join(path.Dir(f.Name), target)
	if info, err := pl.tree.Stat(name); err == nil && info.Mode().IsRegular() && !os.SameFile(info, f.Info) {
		p.note(InstructionsLinkText, fmt.Sprintf("%q holds only the path of %q, as a link does that was checked out as a text", p.file.Path, pl.tree.Show(name)))
	}
}

// spend takes as many whole lines of a part as there is room for.
func (l *loader) spend(p *part) {
	size, room, limit := len(p.passage.text), l.remaining, l.limit
	if l.fileLimit <= room {
		room, limit = l.fileLimit, l.fileLimit
	}
	if size <= room {
		l.remaining -= size
		return
	}
	kept := strings.LastIndexByte(p.passage.text[:room], '\n') + 1
	p.file.Status = Cut
	shown := Visible(p.file.Path)
	if strings.TrimSpace(p.passage.text[:kept]) == "" {
		p.file.Code = string(InstructionsLeftOut)
		p.file.Reason = fmt.Sprintf("left out: %d bytes, limit %d", size, limit)
		p.notice = l.wording.leftOut(shown, size, limit)
		p.note(InstructionsLeftOut, fmt.Sprintf("%q is left out: %d bytes, limit %d", p.file.Path, size, limit))
		p.drop(Cut, InstructionsLeftOut, "left out")
		return
	}
	l.remaining -= kept
	p.file.Code = string(InstructionsCut)
	p.file.Reason = fmt.Sprintf("kept %d of %d bytes, limit %d", kept, size, limit)
	p.notice = l.wording.cut(shown, kept, size, limit)
	p.note(InstructionsCut, fmt.Sprintf("%q is cut: kept %d of %d bytes, limit %d", p.file.Path, kept, size, limit))
	p.passage.cut(kept)
}
