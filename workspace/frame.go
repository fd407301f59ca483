package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// framed makes one text of all parts as a client would, with its words around
// them; nil when there is nothing. Files that are read on demand come to the
// client later, each on its own; here they stand at the end.
func (l *loader) framed(parts []*part) *cento.Text {
	f := l.convention.frame
	const user, project = 0, 1
	var groups [3][]*part // the user's and the project's, as they come, and on demand
	var speaking []*part
	for _, p := range parts {
		if p.passage.text == "" || p.file.Status != Loaded && p.file.Status != Cut {
			continue
		}
		speaking = append(speaking, p)
		switch {
		case p.file.OnDemand:
			groups[2] = append(groups[2], p)
		case p.user && !f.mixed:
			groups[user] = append(groups[user], p)
		default:
			groups[project] = append(groups[project], p)
		}
	}
	if len(speaking) == 0 {
		return nil
	}
	w := &writer{}
	words := w.words
	group := func(parts []*part, around [2]string) {
		words(around[0], "")
		for i, p := range parts {
			if i > 0 {
				words(f.between, "")
			}
			l.writeFile(w, p)
		}
		words(around[1], "")
	}
	if start := len(groups[0]) + len(groups[1]); start > 0 {
		first := f.whole[0]
		if f.alone != "" && len(groups[project]) == 0 {
			first = f.alone
		}
		words(first, l.nameOf(l.cwd))
		around := [2][2]string{user: f.user, project: f.project}
		for i, parts := range groups[:2] {
			if i > 0 && len(groups[0]) > 0 && len(parts) > 0 {
				words(f.parts, "")
			}
			if len(parts) > 0 {
				group(parts, around[i])
			}
		}
		words(f.whole[1], l.nameOf(l.cwd))
		if len(groups[2]) > 0 {
			words(f.between, "")
		}
	}
	if len(groups[2]) > 0 {
		group(groups[2], [2]string{})
	}
	f.noteForged(speaking)
	return w.finish(speaking)
}

// words adds what the client writes, with a name in it.
func (w *writer) words(pattern, name string) {
	w.fixed(strings.ReplaceAll(pattern, "%s", Visible(name)), cento.TrustBuiltin)
}

// writeFile adds one file with the words around it.
func (l *loader) writeFile(w *writer, p *part) {
	f, name := l.convention.frame, l.nameOf(p.absolute)
	if rel, err := filepath.Rel(filepath.FromSlash(l.cwd), filepath.FromSlash(p.absolute)); f.relative && err == nil {
		name = filepath.ToSlash(rel)
	}
	w.words(f.file[0], name)
	if f.trim && !(f.keepLater && p.file.OnDemand) || f.trimUser && p.user {
		p.passage.trim(l.convention.space)
	}
	w.passage(p)
	w.words(f.file[1], name)
}

// nameOf is an absolute path as the text names it.
func (l *loader) nameOf(path string) string {
	if l.wording.Absolute == nil {
		return path
	}
	return l.wording.Absolute(path)
}

// noteForged tells of lines that read like the words around files: whoever
// wrote one can let another file seem to end, or begin. It is the client that
// takes them for its own, so they stay as they are.
func (f *frame) noteForged(parts []*part) {
	words := map[string]bool{}
	var begins []string // of words that go on with a name
	for _, pattern := range slices.Concat(f.whole[:], f.user[:], f.project[:], f.file[:], []string{f.between, f.parts}) {
		for line := range strings.Lines(pattern) {
			line = strings.TrimSpace(line)
			if head, _, named := strings.Cut(line, "%s"); named {
				begins = append(begins, strings.TrimSpace(head))
			} else if line != "" {
				words[line] = true
			}
		}
	}
	if len(words)+len(begins) == 0 {
		return
	}
	imitates := func(line string) bool {
		line = strings.TrimSpace(line)
		return words[line] || slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(line, b) })
	}
	for _, p := range parts {
		found, at := 0, 0
		offset := 0
		for line := range strings.Lines(p.passage.text) {
			if imitates(line) {
				if found++; found == 1 {
					at = offset
				}
			}
			offset += len(line)
		}
		if found == 0 {
			continue
		}
		more := ""
		if found > 1 {
			more = fmt.Sprintf(", and %d more", found-1)
		}
		p.noteAt(InstructionsForged, "a line reads like the words that the client puts around files"+more, p.passage.position(at))
	}
}

// position is the place of an offset.
func (p *passage) position(offset int) cento.Position {
	at := cento.NewCursor(p.text, p.runs)
	return at.At(offset)
}
