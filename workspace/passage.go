package workspace

import (
	"strings"

	"github.com/cento-dev/cento"
)

// passage is text of files with the place of every byte.
type passage struct {
	text string
	runs []cento.Run // tile the text
	// imports are the stretches that came from imported files, which may lie in
	// one another.
	imports []stretch
	// own is where the file's own text ends, when others follow it; 0: at the end.
	own int
}

// end is where the file's own text ends.
func (p *passage) end() int {
	if p.own > 0 {
		return p.own
	}
	return len(p.text)
}

type stretch struct {
	file       *File
	start, end int
}

// cut keeps the first n bytes.
func (p *passage) cut(n int) {
	for _, s := range p.imports {
		if s.end > n {
			s.file.Status, s.file.Code = Cut, string(InstructionsCut)
			s.file.Reason += ", which is cut"
		}
	}
	p.text = strings.Clone(p.text[:n]) // what is cut needs no memory
	p.clip(0, n)
}

// trim drops white space at both ends.
func (p *passage) trim(space func(rune) bool) {
	end := len(strings.TrimRightFunc(p.text, space))
	start := end - len(strings.TrimLeftFunc(p.text[:end], space))
	if start == 0 && end == len(p.text) {
		return
	}
	old := p.text
	p.text = old[start:end]
	for i := range p.runs {
		if r := &p.runs[i]; r.Start < start && start < r.End {
			r.Position = r.Position.After(old[r.Start:start])
		}
	}
	p.clip(start, end)
}

// clip makes runs and imports those of [start, end) alone.
func (p *passage) clip(start, end int) {
	runs := p.runs[:0]
	for _, r := range p.runs {
		r.Start, r.End = clamp(r.Start, start, end), clamp(r.End, start, end)
		if r.Start < r.End {
			runs = append(runs, r)
		}
	}
	p.runs = runs
	if p.own > 0 {
		p.own = clamp(p.own, start, end)
	}
	for i := range p.imports {
		s := &p.imports[i]
		s.start, s.end = clamp(s.start, start, end), clamp(s.end, start, end)
	}
}

// clamp moves an offset into [start, end] and counts it from start.
func clamp(offset, start, end int) int { return min(max(offset, start), end) - start }

// writer builds the text of all instructions.
type writer struct {
	b    strings.Builder
	runs []cento.Run
}

// fixed adds text of the program's own.
func (w *writer) fixed(text string, trust cento.Trust) {
	if text == "" {
		return
	}
	start := w.b.Len()
	w.b.WriteString(text)
	w.runs = append(w.runs, cento.Run{Start: start, End: w.b.Len(), Trust: trust, Fixed: true})
}

// passage adds the text of a part, and tells its files where it stands.
func (w *writer) passage(p *part) {
	start := w.b.Len()
	w.b.WriteString(p.passage.text)
	p.file.From, p.file.To = start, start+p.passage.end()
	for _, r := range p.passage.runs {
		r.Start += start
		r.End += start
		w.runs = append(w.runs, r)
	}
	for _, s := range p.passage.imports {
		if s.start < s.end {
			s.file.From, s.file.To = start+s.start, start+s.end
		}
	}
}

// finish gives the text. Its trust is the least that any part has.
func (w *writer) finish(parts []*part) *cento.Text {
	t := &cento.Text{Body: w.b.String(), Runs: w.runs, Trust: cento.TrustUser}
	for _, p := range parts {
		t.Trust = min(t.Trust, p.file.Trust)
	}
	t.Origin = cento.Position{File: parts[0].file.Path, Line: 1, Column: 1}
	return t
}
