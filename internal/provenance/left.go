package provenance

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// leftText is a text that didn't get into the prompt.
type leftText struct {
	at cento.Position // of its first byte
	// locate is the place of a byte, and is asked for what was looked for alone; nil: the
	// bytes follow at.
	locate func(offset int) cento.Position
	text   string
	// missing are the stretches of the text that didn't get in, in order; nil: all of it.
	missing [][2]int
	reason  string
	code    cento.Code
	trust   cento.Trust
	madeBy  cento.Maker // zero: the trust and the place say it
	// outAt is what stands instead of the text; zero: what the fragment says.
	outAt cento.Position
	// fragment would have had it; nil for a file that gave none.
	fragment *cento.Fragment
}

// located is a text of which every byte has its own place.
func located(t cento.Text) leftText {
	return leftText{at: t.Locate(0), locate: t.Locate, text: t.Body, trust: t.Trust}
}

// inSpans is where the bytes of a text are from that spans tile; the fallback where there
// are none.
func inSpans(text string, spans []cento.Span, fallback cento.Position) func(int) cento.Position {
	return func(offset int) cento.Position {
		for _, s := range spans {
			if s.Start <= offset && offset < s.End {
				at, _ := s.Locate(text, offset)
				return at
			}
		}
		return fallback
	}
}

// parts are the stretches of the text that didn't get in.
func (l *leftText) parts() [][2]int {
	if l.missing == nil {
		return [][2]int{{0, len(l.text)}}
	}
	return l.missing
}

// match is a place in a text that didn't get in; at is where its bytes would be if they
// followed the first.
func (l leftText) match(at cento.Position, start, end int) Match {
	if l.locate != nil {
		at = l.locate(start)
	}
	m := Match{Origin: &at, Trust: l.trust, Reason: l.reason, Code: l.code, Text: l.text[start:end], Source: "project"}
	if at.File == "" {
		m.Origin = nil
	}
	if !l.outAt.IsZero() {
		m.OutAt = &l.outAt
	}
	if f := l.fragment; f != nil {
		m.Fragment, m.Source = f.ID, cmp.Or(f.Source, f.ID)
		if f.Layer != "" {
			m.Layer = &f.Layer
		}
	}
	if m.MadeBy = l.madeBy; m.MadeBy.IsZero() {
		m.MadeBy = cento.MakerOf(m.Source, at.File, l.trust)
	}
	return m
}

// leftOut reads the instruction files that were shadowed, cut or ignored, and those
// that a text names and that were not put in, so that a search can tell why their text is
// missing: each file once, whatever links lead to it, and of it what isn't in the prompt.
// One that can't be read is told as such: of a file that the rules pass over, nobody has
// looked yet whether it can be.
func (s *search) leftOut() []leftText {
	p := s.Texts
	var out []leftText
	kept := s.keptLines()
	trees := confined{project: p.project, open: map[string]*tree.Tree{}}
	defer trees.close()
	real := func(shown string) (string, bool) {
		path, ok := p.project.Path(shown)
		if !ok {
			return "", false
		}
		if r, err := filepath.EvalSymlinks(path); err == nil {
			path = r
		}
		return path, true
	}
	// told are the files by where they are, each with the name that the prompt
	// knows it by.
	told := map[string]string{}
	for _, f := range p.project.Instructions.Files {
		if path, ok := real(f.Path); ok && f.Status == workspace.Loaded {
			told[path] = f.Path
		}
	}
	for _, f := range slices.Concat(p.project.Instructions.Files, p.project.InstructionsBelow(), p.project.InstructionsNamed()) {
		if f.Status == workspace.Loaded || f.Status == workspace.Failed && !unfollowed(&f) {
			continue
		}
		path, ok := real(f.Path)
		if !ok || told[path] != "" {
			continue
		}
		told[path] = f.Path
		read, err := trees.read(f.Path)
		if err != nil {
			s.passOverFile(f.Path, err)
			continue
		}
		reason := f.Reason
		named := f.Code == string(workspace.InstructionsImportsOff)
		if !named && !strings.HasPrefix(reason, string(f.Status)) {
			reason = string(f.Status) + ": " + reason
		}
		left := leftText{reason: reason, code: cento.Code(f.Code), trust: f.Trust}
		if named || f.Imported || unfollowed(&f) {
			left.madeBy = cento.ByImport
		}
		left.text, left.at = read.Text, cento.Position{File: f.Path, Line: 1, Column: 1}
		left.without(kept[f.Path])
		out = append(out, left)
	}
	return out
}

// comments are those that the rules take out of instruction files, and front matter.
func (s *search) comments() []leftText {
	var out []leftText
	for _, f := range s.project.Instructions.TakenOut {
		left := leftText{
			at: cento.Position{File: f.Path, Line: 1, Column: 1}, text: f.Text, missing: f.Spans,
			reason: f.Reason, code: f.Code, trust: f.Trust,
		}
		if f.Imported {
			left.madeBy = cento.ByImport
		}
		out = append(out, left)
	}
	return out
}

// confined reads instruction files as those who load them do: links lead to other
// files of the same folder, which is the project, the home folder, or the one that the
// file lies in, and never out of it. A file that isn't loaded was not looked at yet.
type confined struct {
	project *project.Project
	open    map[string]*tree.Tree // by folder
}

// read reads a file by the name that people know for it.
func (c *confined) read(shown string) (*tree.File, error) {
	dir, name := c.project.Root.Dir, shown
	if home, ok := strings.CutPrefix(shown, "~/"); ok {
		path, ok := c.project.Path(shown)
		if !ok {
			return nil, fs.ErrNotExist
		}
		dir, name = strings.TrimSuffix(filepath.ToSlash(path), "/"+home), home
	} else if filepath.IsAbs(filepath.FromSlash(shown)) {
		dir, name = path.Split(shown)
	}
	if c.open[dir] == nil {
		t, err := tree.OpenOn(c.project.Disk(), filepath.FromSlash(dir), tree.Options{Limit: c.project.Input.Limits.Or(cento.DefaultLimits()).File})
		if err != nil {
			return nil, err
		}
		c.open[dir] = t
	}
	return c.open[dir].Read(name)
}

func (c *confined) close() {
	for _, t := range c.open {
		t.Close()
	}
}

// unfollowed reports whether a file could be read, and was not put in by the one that
// names it: it lies too deep, or would be too much.
func unfollowed(f *workspace.File) bool {
	return f.Code == string(workspace.InstructionsImport) || f.Code == string(tree.TooLarge)
}

// keptLines are the lines of files that have a place in a text of the prompt or
// of a fragment that is out, by file; each up to a column, which is the first that isn't
// kept.
func (s *search) keptLines() map[string]map[int]int {
	if s.kept != nil {
		return s.kept
	}
	prompt, kept := s.prompt, map[string]map[int]int{}
	for i := range prompt.Len() {
		text, spans := prompt.Text(i), prompt.TextSpans(i)
		if w := prompt.Withheld(i); w != nil { // matches finds what the budget removed of it
			text, spans = w.Text, w.Spans
		}
		for _, s := range spans {
			if s.File == "" || s.Kind == cento.JoinerSpan || namesFile(s, text, s.File) {
				continue
			}
			lines := kept[s.File]
			if lines == nil {
				lines = map[int]int{}
				kept[s.File] = lines
			}
			end, ok := s.Locate(text, s.End)
			if !ok || end.Line == s.Line && end.Column == s.Column { // all of it is from one place
				if s.MadeBy == cento.ByProgram { // which says where it was added, as the end of a comment is
					lines[s.Line] = max(lines[s.Line], s.Column)
				} else {
					lines[s.Line] = math.MaxInt
				}
				continue
			}
			for line := s.Line; line < end.Line; line++ {
				lines[line] = math.MaxInt
			}
			if end.Column > 1 {
				lines[end.Line] = max(lines[end.Line], end.Column)
			}
		}
	}
	s.kept = kept
	return kept
}

// namesFile reports whether a span has the path of a file, as a notice and the list of
// skills have, and no text of it.
func namesFile(s cento.Span, text, file string) bool {
	end, _ := s.Locate(text, s.End)
	return end.Line == s.Line && end.Column == s.Column && strings.HasSuffix(text[s.Start:s.End], path.Base(file))
}

// without leaves out of a text the parts of lines that were kept.
func (l *leftText) without(kept map[int]int) {
	if len(kept) == 0 {
		return
	}
	l.missing = [][2]int{}
	line, from := 0, -1
	add := func(end int) {
		if from >= 0 {
			l.missing = append(l.missing, [2]int{from, end})
			from = -1
		}
	}
	for start := 0; start < len(l.text); {
		line++
		rest := start
		for column := 1; column < kept[line] && rest < len(l.text) && l.text[rest] != '\n'; column++ {
			_, size := utf8.DecodeRuneInString(l.text[rest:])
			rest += size
		}
		if rest > start {
			add(start)
		}
		if end := start + lineEnd(l.text[start:]); from < 0 && (kept[line] == 0 || !blank(l.text[rest:end])) {
			from = rest
		}
		start = min(start+lineEnd(l.text[start:])+1, len(l.text))
	}
	add(len(l.text))
}
