package jinja

import (
	"iter"
	"sort"
	"strconv"
	"unicode"
)

// SpanKind says how the bytes of a span came about.
type SpanKind uint8

const (
	// Text is literal template text: it equals the source bytes at Offset.
	Text SpanKind = iota
	// Data is a value that the host handed in, printed unchanged by the expression
	// at the span's place.
	Data
	// Computed was made by the expression at the span's place: a filter that
	// changed its input, a number that was added up.
	Computed
)

// String returns "text", "data" or "computed".
func (k SpanKind) String() string { return [...]string{"text", "data", "computed"}[k] }

// Span is a stretch of the output of one origin.
type Span struct {
	// Start and End are its bytes in the output.
	Start, End int
	Kind       SpanKind
	// File is the name of the template, Line and Column (from 1, in code points)
	// the place in it and Offset the same in bytes of the file: of the literal
	// text, or of the expression.
	File                 string
	Line, Column, Offset int
	// Var is the access path of the variable that the bytes came from, such as
	// vars.name or items[2].title; of several, the least trusted. It is empty if
	// there is none.
	Var string
	// Trust is the highest label of anything that went into the bytes.
	Trust Trust
}

// Output is what a rendering gives: text, and the origin of every byte of it.
// Origins are kept in a compact form and spelled out when asked for.
type Output struct {
	text  []byte
	spans []span
	trail trail
	files []*Template
	fuel  int
}

// span is the recorded form of a Span; it begins where the one before it ends.
type span struct {
	end uint32
	// at is an offset in the source for Text, else a node.
	at    uint32
	path  uint32
	file  uint16
	trust Trust
	kind  spanKind
}

type spanKind uint8

const (
	spanText spanKind = iota
	spanData
	spanComputed
	// spanChain is spanData whose path goes on with the attribute names in the node.
	spanChain
)

// trail holds the access paths of one rendering as a tree: each path is its
// parent's and one key more. Path 0 is no path.
type trail struct {
	steps []step
	keys  []string
}

type step struct {
	parent uint32
	key    int32 // an index of a list, or ^i for keys[i]
}

func (t *trail) reset() {
	t.steps = append(t.steps[:0], step{})
	clear(t.keys)
	t.keys = t.keys[:0]
}

// pathIndex returns the path of an item of the list at a path.
func (r *run) pathIndex(parent uint32, i int) uint32 {
	n := len(r.trail.steps)
	if n == cap(r.trail.steps) {
		r.growTrail()
	}
	r.trail.steps = append(r.trail.steps, step{parent, int32(i)})
	return uint32(n)
}

// pathName returns the path of what a map at a path holds under a key.
func (r *run) pathName(parent uint32, key string) uint32 {
	r.trail.keys = append(r.trail.keys, key)
	return r.pathIndex(parent, ^(len(r.trail.keys) - 1))
}

// growTrail doubles the memory for access paths, up to their share of the limit.
func (r *run) growTrail() {
	limit := r.limits.steps()
	n := len(r.trail.steps)
	if n >= limit {
		r.fail(ErrValueSize, r.stmt, "values come by more than "+itoa(limit)+" access paths")
	}
	steps := make([]step, n, min(limit, max(64, 2*n)))
	copy(steps, r.trail.steps)
	r.trail.steps = steps
}

func (t *trail) append(dst []byte, path uint32, depth int) []byte {
	if path == 0 || int(path) >= len(t.steps) || depth > 1000 {
		return dst
	}
	s := t.steps[path]
	dst = t.append(dst, s.parent, depth+1)
	if s.key >= 0 {
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(s.key), 10)
		return append(dst, ']')
	}
	return appendKey(dst, t.keys[^s.key])
}

func appendKey(dst []byte, key string) []byte {
	if !isIdentifier(key) {
		dst = append(dst, '[')
		dst = strconv.AppendQuote(dst, key)
		return append(dst, ']')
	}
	if len(dst) > 0 {
		dst = append(dst, '.')
	}
	return append(dst, key...)
}

func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c) && !unicode.IsMark(c)) {
			return false
		}
	}
	return s != ""
}

// Text returns the rendered text.
func (o *Output) Text() string { return string(o.text) }

// Bytes returns the rendered text. It is valid until the Output is reused and
// must not be changed.
func (o *Output) Bytes() []byte { return o.text }

// FuelUsed returns the steps that the rendering took.
func (o *Output) FuelUsed() int { return o.fuel }

// All iterates over the spans in order. They tile the text: the first begins at
// 0, each begins where the one before ends, the last ends with the text, and none
// is empty.
func (o *Output) All() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for i := range o.spans {
			if !yield(o.span(i)) {
				return
			}
		}
	}
}

// SpanAt returns the span that holds the byte at offset i, and whether there is one.
func (o *Output) SpanAt(i int) (Span, bool) {
	n := sort.Search(len(o.spans), func(n int) bool { return int(o.spans[n].end) > i })
	if i < 0 || n == len(o.spans) {
		return Span{}, false
	}
	return o.span(n), true
}

func (o *Output) span(i int) Span {
	s := &o.spans[i]
	t := o.files[s.file]
	out := Span{End: int(s.end), File: t.src.Name, Trust: s.trust}
	if i > 0 {
		out.Start = int(o.spans[i-1].end)
	}
	at := s.at
	var path []byte
	switch s.kind {
	case spanText:
		out.Kind = Text
	case spanComputed:
		out.Kind = Computed
		at = t.nodes[s.at].pos
		path = o.trail.append(nil, s.path, 0)
	case spanData:
		out.Kind = Data
		at = t.nodes[s.at].pos
		path = o.trail.append(nil, s.path, 0)
	case spanChain:
		out.Kind = Data
		at = t.nodes[s.at].pos
		path = t.appendChain(o.trail.append(nil, s.path, 0), s.at)
	}
	out.Var = string(path)
	out.Line, out.Column = t.position(int(at))
	out.Offset = t.src.Offset + int(at)
	return out
}

// appendChain appends the attribute names of the node's chain to a path.
func (t *Template) appendChain(dst []byte, id uint32) []byte {
	n := &t.nodes[id]
	if n.op != opGetAttr {
		return dst
	}
	return appendKey(t.appendChain(dst, n.a), t.names[n.c])
}
