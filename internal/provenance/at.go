package provenance

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
)

// LineUnused is the code of a line of a file that no text of the project is made of.
const LineUnused cento.Code = "line.unused"

// AskedAs is how the text of a question is read: as one of the following, or as the first
// of them that fits.
type AskedAs string

// How a question is read.
const (
	AsAny  AskedAs = ""
	AsID   AskedAs = "id"
	AsAt   AskedAs = "at"
	AsText AskedAs = "text"
)

// FileWhy answers where the lines of a file went.
type FileWhy struct {
	// File is the name that positions have for it.
	File string `json:"file"`
	// Lines has the lines that were asked for, in order; neighbours that went the same way
	// are one entry.
	Lines []LinesWhy `json:"lines"`
}

// LinesWhy is where some lines of a file went: Origin, Commit and History are those of the
// first, and Text has all of them. Start and End are null for lines that aren't in the prompt.
type LinesWhy struct {
	Line     int `json:"line"`
	LastLine int `json:"last_line"`
	// More is how many further places in the prompt have the first line.
	More int `json:"more,omitempty"`
	Match
}

// asked reads FILE, FILE:LINE and FILE:LINE:COLUMN.
var asked = regexp.MustCompile(`^(.+?)(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?$`)

// place is where a question points; false if the text names no file of the project and none
// that a text of the prompt is from.
func (s *search) place(text string) (at cento.Position, lines []string, ok bool) {
	groups := asked.FindStringSubmatch(text)
	if groups == nil || len(text) > 4096 || strings.ContainsAny(text, "\n\x00") {
		return at, nil, false
	}
	trees := confined{project: s.project, open: map[string]*tree.Tree{}}
	defer trees.close()
	at.Line, _ = strconv.Atoi(groups[2])
	at.Column, _ = strconv.Atoi(groups[3])
	for _, name := range []string{s.project.FromCwd(groups[1]), path.Clean(groups[1])} {
		at.File = name
		if read, err := trees.read(name); name != "" && err == nil {
			return at, strings.Split(read.Text, "\n"), true
		}
		if l := s.project.Loader(); l != nil && strings.HasPrefix(name, string(pack.Builtin)+"/") {
			if ref, err := l.ParseRef(strings.TrimSuffix(name, path.Ext(name)), pack.Ref{}, cento.Position{}); err == nil {
				if src, err := l.Text(ref); err == nil {
					return at, strings.Split(src.Text, "\n"), true
				}
			}
		}
	}
	at.File = groups[1]
	for span := range s.prompt.AllSpans() { // of a recorded prompt, whose files aren't here
		if span.File == at.File {
			return at, nil, true
		}
	}
	return at, nil, false
}

// linePart is a part of a line that went somewhere.
type linePart struct {
	from, to int // columns
	match    Match
}

// lines gathers where the lines of one file went, the prompt first.
type lines struct {
	of   *search
	file string
	same map[string]bool // names of files: whether they name this one
	at   map[int][]linePart
}

func (l *lines) is(file string) bool {
	same, known := l.same[file]
	if !known {
		same = file != "" && (file == l.file || l.of.project.PromptPath(file) == l.file)
		l.same[file] = same
	}
	return same
}

// add adds a part of a text, line by line.
func (l *lines) add(text string, start, end int, place func(offset int) cento.Position, match func(start, end int) Match) {
	for start < end {
		stop := min(start+lineEnd(text[start:])+1, end)
		if at := place(start); l.is(at.File) && strings.TrimSpace(text[start:stop]) != "" {
			m := match(start, stop)
			m.Origin, m.Text = &at, strings.TrimSuffix(text[start:stop], "\n")
			l.at[at.Line] = append(l.at[at.Line], linePart{at.Column, at.Column + len([]rune(text[start:stop])), m})
		}
		start = stop
	}
}

// spans adds what is from the file in a text that spans tile.
func (l *lines) spans(text string, spans []cento.Span, match func(s cento.Span, start, end int) Match) {
	for _, s := range spans {
		if s.Kind == cento.JoinerSpan || !l.is(s.File) {
			continue
		}
		place := func(offset int) cento.Position {
			at, _ := s.Locate(text, offset)
			return at
		}
		if namesFile(s, text, l.file) {
			continue
		}
		l.add(text, s.Start, s.End, place, func(start, end int) Match { return match(s, start, end) })
	}
}

// left adds texts that aren't in the prompt.
func (l *lines) left(list []leftText) {
	for i := range list {
		x := &list[i]
		place := x.locate
		if place == nil {
			at, from := x.at, 0
			place = func(offset int) cento.Position { // which asks in order
				at, from = at.After(x.text[from:offset]), offset
				return at
			}
		}
		for _, part := range x.parts() {
			l.add(x.text, part[0], part[1], place, func(start, end int) Match { return x.match(x.at, start, end) })
		}
	}
}

// gather looks everything through that can have lines of the file.
func (l *lines) gather() error {
	s := l.of
	system, _ := s.prompt.System()
	l.spans(system, s.prompt.Spans(), func(span cento.Span, start, end int) Match {
		i, _ := s.prompt.Index(span.Fragment)
		m := fragmentMatch(s.prompt, i, span)
		m.Start, m.End = &start, &end
		return m
	})
	for i := range s.prompt.Len() {
		if w := s.prompt.Withheld(i); w != nil {
			for _, part := range w.Removed {
				spans := slices.DeleteFunc(slices.Clone(w.Spans), func(x cento.Span) bool { return x.End <= part.Start || x.Start >= part.End })
				for k := range spans {
					at := max(spans[k].Start, part.Start)
					if p, ok := spans[k].Locate(w.Text, at); ok {
						spans[k].Line, spans[k].Column = p.Line, p.Column
					}
					spans[k].Start = at
				}
				l.spans(w.Text, spans, func(span cento.Span, _, _ int) Match {
					m := fragmentMatch(s.prompt, i, span)
					m.Reason, m.Code = part.Reason, part.Code
					return m
				})
			}
		}
		if !s.prompt.In(i) {
			l.spans(s.prompt.Text(i), s.prompt.TextSpans(i), func(span cento.Span, _, _ int) Match { return fragmentMatch(s.prompt, i, span) })
		}
	}
	out, err := s.left()
	if err != nil {
		return err
	}
	l.left(out)
	places := s.schemas()
	defer places.close()
	l.left(toolTexts(s.in, places, needle.Needle{}))
	for _, read := range []func() []leftText{s.written, s.unnamed, s.skillFiles} {
		l.left(read())
	}
	for _, f := range s.settings() {
		if l.is(f.name) {
			l.left(f.values())
			l.left([]leftText{f.leftText})
		}
	}
	l.left(s.ofOtherClients())
	if strings.HasPrefix(l.file, string(pack.Builtin)+"/") {
		l.left(s.builtIns())
	}
	return nil
}

// explainAt answers where the lines of a file went; text are its lines, nil for a file that
// can't be read here.
func (s *search) explainAt(ctx context.Context, asked cento.Position, text []string) (*FileWhy, error) {
	l := &lines{of: s, file: asked.File, same: map[string]bool{}, at: map[int][]linePart{}}
	if err := l.gather(); err != nil {
		return nil, err
	}
	first, last := 1, len(text)
	if text == nil {
		for n := range l.at {
			last = max(last, n)
		}
	} else if last > 1 && text[last-1] == "" {
		last-- // the file ends with a line
	}
	if asked.Line > 0 {
		first, last = asked.Line, asked.Line
	}
	out := &FileWhy{File: asked.File, Lines: []LinesWhy{}}
	var found []Match
	for n := first; n <= last; n++ {
		line := ""
		if n <= len(text) {
			line = text[n-1]
		}
		blank := strings.TrimSpace(line) == "" && (text != nil || len(l.at[n]) == 0)
		if blank && asked.Line == 0 {
			continue
		}
		x := l.line(n, asked.Column, line)
		switch {
		case text != nil && n > len(text):
			x.Reason = "the file has no such line"
		case blank:
			x.Reason = "the line is blank"
		}
		if k := len(out.Lines) - 1; k >= 0 && asked.Line == 0 && sameWay(&out.Lines[k], &x) {
			before := &out.Lines[k]
			before.Text += strings.Repeat("\n", n-before.LastLine) + x.Text
			before.LastLine, before.End = n, x.End
			continue
		}
		out.Lines = append(out.Lines, x)
	}
	for _, x := range out.Lines {
		found = append(found, x.Match)
	}
	err := s.addCommits(ctx, found)
	for i := range found {
		out.Lines[i].Match = found[i]
	}
	return out, err
}

// line is where a line went: the first place of it, or of a column of it.
func (l *lines) line(n, column int, text string) LinesWhy {
	x := LinesWhy{Line: n, LastLine: n}
	x.Match = Match{
		Origin: &cento.Position{File: l.file, Line: n, Column: max(column, 1)}, Source: "project", Code: LineUnused, Text: text,
		Trust: cento.TrustWorkspace, MadeBy: cento.MakerOf("project", l.file, cento.TrustWorkspace), Reason: "no text is made of this line",
	}
	// A fact of the profile is of a file without being written in it.
	list := slices.DeleteFunc(slices.Clone(l.at[n]), func(p linePart) bool {
		return text != "" && strings.HasPrefix(p.match.Fragment, "profile:") && !strings.Contains(text, strings.TrimSpace(p.match.Text))
	})
	if column > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(p linePart) bool { return column < p.from || column >= p.to })
	}
	if len(list) == 0 {
		return x
	}
	x.Match = list[0].match
	x.Text = cmp.Or(text, x.Text)
	for _, other := range list[1:] {
		if other.match.Start != nil && other.from == list[0].from {
			x.More++
		}
	}
	return x
}

// sameWay reports whether a line went the same way as the ones before it.
func sameWay(before, x *LinesWhy) bool {
	in := x.Start != nil
	return before.Fragment == x.Fragment && before.Reason == x.Reason && before.Code == x.Code && before.More == x.More &&
		before.Var == x.Var && before.Origin.File == x.Origin.File && in == (before.Start != nil) && (!in || *before.End <= *x.Start)
}
