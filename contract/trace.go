package contract

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// ref names a value of a contract.
type ref struct {
	part part
	i    int // of a group, fact or constraint
}

type part uint8

const (
	rolePart part = iota
	objectivePart
	keyPart
	idPart
	contentPart
	constraintPart
	emitPart
	targetPart
	formatPart
	outputPart
)

// trace is what of a written contract came from which value, in the order of
// the text.
type trace struct {
	ref    ref
	pieces []piece
	own    int // pieces of the value in hand
}

// piece is a stretch of the text that stands for a stretch of a value.
type piece struct {
	ref        ref
	start, end int // in the text
	from, to   int // in the value
	copied     bool
}

// maxPieces bounds the pieces of one value, so that a text of escapes alone
// doesn't cost a hundred times its size. What is more is one piece.
const maxPieces = 1 << 12

func (t *trace) piece(at, size, from, to int, copied bool) {
	if n := len(t.pieces); n > 0 && t.pieces[n-1].ref == t.ref {
		last := &t.pieces[n-1]
		t.own++
		if t.own > maxPieces || !last.copied && !copied {
			last.end, last.to, last.copied = at+size, to, false
			return
		}
	} else {
		t.own = 1
	}
	t.pieces = append(t.pieces, piece{t.ref, at, at + size, from, to, copied})
}

// Text is the contract in a form, with runs that lead every byte of a value to
// the place where the value stands in the file. Bytes that are written as they
// stand there are copies, an escape belongs to what it stands for, and what the
// form itself puts around values belongs to the beginning of the contract.
func (f *File) Text(form Form, options ...Option) cento.Text {
	w := writer{trace: &trace{}}
	for _, o := range options {
		w.exact = w.exact || o == Exact
	}
	w.contract(f.Contract, form)
	t := cento.Text{Body: string(w.dst), Trust: f.Trust, Origin: f.Origin}
	done := 0
	glue := func(to int) {
		if done < to {
			t.Runs = append(t.Runs, cento.Run{Start: done, End: to, Position: f.Origin, Trust: f.Trust, Fixed: true})
			done = to
		}
	}
	var s source
	for i, p := range w.trace.pieces {
		if p.start == p.end {
			continue
		}
		glue(p.start)
		if i == 0 || p.ref != w.trace.pieces[i-1].ref {
			s = source{text: f.value(p.ref), runs: f.at(p.ref).Runs(f.Trust)}
			s.from = cento.NewCursor(s.text, s.runs)
		}
		t.Runs = s.appendRuns(t.Runs, p, f)
		done = p.end
	}
	glue(len(t.Body))
	return t
}

// at is where a value stands.
func (f *File) at(r ref) strict.At {
	switch r.part {
	case keyPart:
		return f.keys[r.i]
	case idPart:
		return f.ids[r.i]
	case contentPart:
		return f.contents[r.i]
	case constraintPart:
		return f.constraints[r.i]
	}
	return f.single[r.part]
}

// value is what a value is.
func (f *File) value(r ref) string {
	text, _ := f.at(r).Text()
	return text
}

// source follows a value through the runs that it has in its file. It is asked
// for later and later stretches.
type source struct {
	text string
	runs []cento.Run
	from cento.Cursor
}

func (s *source) appendRuns(runs []cento.Run, p piece, f *File) []cento.Run {
	if len(s.runs) == 0 {
		return append(runs, cento.Run{Start: p.start, End: p.end, Position: f.Origin, Trust: f.Trust, Fixed: true})
	}
	if !p.copied {
		at := s.from.At(min(p.from, len(s.text)-1))
		return append(runs, cento.Run{Start: p.start, End: p.end, Position: at, Trust: f.Trust, Fixed: true})
	}
	for k := p.from; k < p.to; {
		at, run := s.from.At(k), s.from.Run()
		end := min(run.End, p.to)
		if end <= k {
			end = p.to
		}
		runs = append(runs, cento.Run{Start: p.start + k - p.from, End: p.start + end - p.from, Position: at, Trust: f.Trust, Fixed: run.Fixed})
		k = end
	}
	return runs
}
