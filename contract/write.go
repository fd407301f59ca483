package contract

import (
	"slices"

	"github.com/cento-dev/cento/internal/quote"
)

// Option changes how a contract is written.
type Option uint8

// Exact writes an objective with spaces as a string also in [EDN], so that it
// comes back as it was. Other forms always do.
const Exact Option = 1

// Text returns the contract in a form. See [Contract.Append].
func (c *Contract) Text(form Form, options ...Option) string {
	return string(c.Append(nil, form, options...))
}

// Append appends the contract in a form. Only [Plain] and [Markdown] end with a
// line end. A form that isn't one of the constants appends nothing.
func (c *Contract) Append(dst []byte, form Form, options ...Option) []byte {
	w := writer{dst: dst, exact: slices.Contains(options, Exact)}
	w.contract(c, form)
	return w.dst
}

// writer appends one contract. Values go through
// [writer.value], everything else is glue.
type writer struct {
	dst   []byte
	exact bool
	trace *trace // what came from where; nil unless somebody asks
}

func (w *writer) contract(c *Contract, form Form) {
	if int(form) < len(layouts) {
		// Glue around the facts, and all there is without one.
		l := &layouts[form]
		w.dst = slices.Grow(w.dst, c.bytes+len(c.facts)*(len(l.between)+len(l.sep))+len(c.objective)+80*len(c.groups)+256)
	}
	switch form {
	case EDN:
		w.edn(c)
	case Plain:
		w.plain(c)
	case JSON:
		w.json(c)
	case XML:
		w.xml(c)
	case TOON:
		w.toon(c)
	case Markdown:
		w.markdown(c)
	case Lines:
		w.lines(c)
	}
}

// layout is what stands around the facts of a group in a form.
type layout struct {
	mark    mark
	open    string // before the first id
	between string // between id and content
	sep     string // between a content and the next id
	end     string // behind the last content
	id      escape
	content escape
	// between and sep again, for copying without a call
	betweenBlock, sepBlock block
}

// block is a short text with room behind it: it is copied whole, which takes a
// few instructions and no call, and what is too much is overwritten.
type block [24]byte

// layouts are those of the forms that are read back, by form; the others have the
// zero layout.
var layouts = [Markdown + 1]layout{
	EDN:   {mark: markEDN, open: `{:id "`, between: `" :c "`, sep: `"} {:id "`, end: `"}`, id: ednString, content: ednString},
	JSON:  {mark: markJSON, open: `{"id":"`, between: `","content":"`, sep: `"},{"id":"`, end: `"}`, id: jsonString, content: jsonString},
	XML:   {mark: markXML, open: `<fact id="`, between: `">`, sep: "</fact>\n<fact id=\"", end: `</fact>`, id: xmlAttribute, content: xmlText},
	TOON:  {mark: markTOON, open: "    ", between: ",", sep: "\n    ", id: toonString, content: toonString},
	Lines: {mark: markLines, between: " ", sep: "\n", id: linesID, content: linesText},
}

func init() {
	for i := range layouts {
		l := &layouts[i]
		copy(l.betweenBlock[:], l.between)
		copy(l.sepBlock[:], l.sep)
	}
}

// facts writes the facts of a group.
func (w *writer) facts(c *Contract, g stretch, l *layout) {
	if w.trace != nil {
		for i := g.from; i < g.to; i++ {
			if i == g.from {
				w.dst = append(w.dst, l.open...)
			} else {
				w.dst = append(w.dst, l.sep...)
			}
			w.fact(c, i, l)
		}
		w.dst = append(w.dst, l.end...)
		return
	}
	w.dst = append(w.dst, l.open...)
	for i := g.from; i < g.to; {
		if i = w.clean(c, i, g.to, l); i < g.to {
			w.fact(c, i, l)
			if i++; i < g.to {
				w.dst = append(w.dst, l.sep...)
			}
		}
	}
	w.dst = append(w.dst, l.end...)
}

// fact writes a fact that may need escapes, from its id to its content.
func (w *writer) fact(c *Contract, i int, l *layout) {
	f := &c.facts[i]
	if l.id == xmlAttribute && (beyondXML(f.ID) || beyondXML(f.Content)) {
		w.value(ref{idPart, i}, f.ID, xmlEscapedAttribute)
		w.dst = append(w.dst, `" esc="u">`...)
		w.value(ref{contentPart, i}, f.Content, xmlEscapedText)
		return
	}
	w.value(ref{idPart, i}, f.ID, l.id)
	w.dst = append(w.dst, l.between...)
	w.value(ref{contentPart, i}, f.Content, l.content)
}

// clean writes facts up to the next that can't be copied, and what stands
// before that one. This loop is what writing a large contract costs.
func (w *writer) clean(c *Contract, from, to int, l *layout) int {
	n := len(w.dst)
	b := w.dst[:cap(w.dst)]
	between, sep := len(l.between), len(l.sep)
	facts, marks := c.facts[from:to], c.marks[from:to]
	for k := range facts {
		if marks[k]&l.mark != 0 {
			w.dst = b[:n]
			return from + k
		}
		f := &facts[k]
		if len(b)-n < len(f.ID)+len(f.Content)+2*len(block{}) {
			b = slices.Grow(b[:n], len(f.ID)+len(f.Content)+2*len(block{}))
			b = b[:cap(b)]
		}
		n += copy(b[n:], f.ID)
		*(*block)(b[n:]) = l.betweenBlock
		n += between
		n += copy(b[n:], f.Content)
		*(*block)(b[n:]) = l.sepBlock
		n += sep
	}
	w.dst = b[:n-sep]
	return to
}

// escape is how a value is written so that it can't end the part it stands in.
type escape uint8

const (
	asIs escape = iota
	ednString
	ednObjective
	jsonString
	xmlText
	xmlAttribute
	xmlEscapedText
	xmlEscapedAttribute
	toonString
	toonKey
	linesText
	linesID
	unbroken
	pascal
)

// value writes a value that a file may have given.
func (w *writer) value(r ref, s string, e escape) {
	if w.trace != nil {
		w.trace.ref = r
	} else if e == asIs {
		w.dst = append(w.dst, s...)
		return
	}
	switch e {
	case asIs:
		w.copied(s, 0, len(s))
	case ednString:
		w.backslashed(s, ednEscapes)
	case ednObjective:
		w.ednObjective(s)
	case jsonString:
		w.backslashed(s, quote.JSON)
	case xmlText, xmlAttribute, xmlEscapedText, xmlEscapedAttribute:
		w.xmlValue(s, e)
	case toonString:
		w.toonString(s)
	case toonKey:
		w.toonKey(s)
	case linesText, linesID:
		w.line(s, e == linesID)
	case unbroken:
		w.unbroken(s)
	case pascal:
		w.pascal(s)
	}
}

// copied appends a stretch of a value as it is.
func (w *writer) copied(s string, from, to int) {
	if from == to {
		return
	}
	if w.trace != nil {
		w.trace.piece(len(w.dst), to-from, from, to, true)
	}
	w.dst = append(w.dst, s[from:to]...)
}

// instead appends what a stretch of a value is written as.
func (w *writer) instead(from, to int, text string) {
	if w.trace != nil {
		w.trace.piece(len(w.dst), len(text), from, to, false)
	}
	w.dst = append(w.dst, text...)
}

func (w *writer) backslashed(s string, t *quote.Escapes) {
	from := 0
	for i := range len(s) {
		if text := t[s[i]]; text != "" {
			w.copied(s, from, i)
			w.instead(i, i+1, text)
			from = i + 1
		}
	}
	w.copied(s, from, len(s))
}
