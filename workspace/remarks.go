package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// What is worth a word about a file although it is loaded.

// noteLinkText notes a file whose only word is the path of another: a link that
// was checked out where there are none.
func (l *loader) noteLinkText(p *part, g *ground, f *tree.File) {
	target := strings.TrimSpace(f.Text)
	if len(target) > 255 || strings.ContainsAny(target, " \t\n") {
		return
	}
	name := path.Join(path.Dir(f.Name), target)
	if info, err := g.tree.Stat(name); err == nil && info.Mode().IsRegular() && !disk.SameFile(info, f.Info) {
		p.note(InstructionsLinkText, fmt.Sprintf("holds only the path of %q, as a link does that was checked out as a text", g.tree.Show(name)))
	}
}

// noteImportsOff tells of files that a text names as if they were put in.
func (l *loader) noteImportsOff(p *part, g *ground, f *tree.File) {
	why := importsOff(l.convention, l.imports)
	if why == "" {
		return
	}
	count := 0
	var first string
	at := cento.Position{File: p.file.Path, Line: 1, Column: 1}
	seen := 0
	for _, m := range mentions(f.Text) {
		if l.attempts++; l.attempts > maxImports {
			break
		}
		name := path.Join(path.Dir(f.Name), m.path)
		if info, err := g.tree.Stat(name); err != nil || !info.Mode().IsRegular() || disk.SameFile(info, f.Info) {
			continue
		}
		if count++; count == 1 {
			at, seen = at.After(f.Text[seen:m.start]), m.start
			first = m.path
		}
	}
	if count == 0 {
		return
	}
	what := fmt.Sprintf("%q is not put in", "@"+first)
	if count > 1 {
		what = fmt.Sprintf("%q and %d more are not put in", "@"+first, count-1)
	}
	p.noteAt(InstructionsImportsOff, what+": "+why, at)
}

// noteTaken records the spans of a file, or of one that it imports, that the rules take
// out. Its note says how many comments there are, and where the first is.
func (x *expansion) noteTaken(f *tree.File, start cento.Position, spans []span, code cento.Code) {
	if len(spans) == 0 {
		return
	}
	what := "HTML comments"
	if code == InstructionsFrontMatter {
		what = "the front matter"
	}
	out := TakenOut{
		Path: start.File, Text: f.Text, Spans: make([][2]int, len(spans)), Trust: x.ground.trust, Imported: len(x.open) > 0,
		Code: code, Reason: fmt.Sprintf("the rules of %q take %s out", x.convention.id(), what),
	}
	for i, c := range spans {
		out.Spans[i] = [2]int{c.start, c.end}
	}
	x.part.taken = append(x.part.taken, out)
	if code == InstructionsFrontMatter {
		return
	}
	comments := spans
	what = "an HTML comment is not put in"
	if len(comments) > 1 {
		what = fmt.Sprintf("%d HTML comments are not put in", len(comments))
	}
	first := comments[0].start // of the line, where nothing else stands on it
	first += strings.Index(f.Text[first:], "<!--")
	x.part.noteAt(InstructionsComment, what+": "+out.Reason, start.After(f.Text[:first]))
}

// noteReplaced tells that a text isn't what its file holds.
func (l *loader) noteReplaced(p *part, f *tree.File) {
	if len(f.Replaced) == 0 {
		return
	}
	at := cento.Position{File: p.file.Path, Line: 1, Column: 1}.After(f.Text[:f.Replaced[0]])
	if tree.LooksUTF16(f.Raw()) {
		p.noteAt(InstructionsReplaced, fmt.Sprintf("looks like UTF-16, of which %d places read U+FFFD: save it as UTF-8", len(f.Replaced)), at)
		return
	}
	p.noteAt(InstructionsReplaced, fmt.Sprintf("not UTF-8 in %d places, which read U+FFFD", len(f.Replaced)), at)
}

// noteAbove tells of a file that isn't the project's.
func (l *loader) noteAbove(p *part, g *ground) {
	if p.user || g == l.project {
		return
	}
	p.note(InstructionsAbove, "lies above the project")
}
