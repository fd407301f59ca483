// Package markdown tells what a text leaves open where it is read as Markdown: a
// code fence, a block of HTML or an element that would take in whatever follows,
// headings included. It follows the block rules of CommonMark 0.31.2
// (https://spec.commonmark.org/0.31.2/, chapters 3 to 5) as far as they decide
// about that. It renders nothing and knows nothing of inline markup but what may
// hide a tag.
//
// What follows is taken to stand behind a blank line and to begin without
// indentation. So block quotes, lists, tables, paragraphs and definitions of
// links end by themselves, with everything that stands in them.
package markdown

import (
	"iter"
	"regexp"
	"sync"
)

// dialect is a choice of what parsers of CommonMark don't agree on; 0 is version
// 0.31.2 to the letter. Where dialects decide about what is open, closers stand in
// a comment each: where the block is open, they close it, and where it isn't, they
// are the comment's.
type dialect uint8

const (
	capitals    dialect = 1 << iota // declarations begin with a capital letter (before 0.30)
	noTextarea                      // <textarea> isn't verbatim (before 0.30)
	closingTags                     // a closing tag of a verbatim element begins a block (cmark)
	source                          // <source> begins a block, <search> doesn't (before 0.31)
	noTabs                          // a tab isn't white space behind a tag (goldmark)
)

// disputes find what makes each of them matter.
var disputes = []struct {
	dialect dialect
	text    func() *regexp.Regexp
}{
	{capitals, lazily(`<![a-z]`)},
	{noTextarea, lazily(`(?i)<textarea`)},
	{closingTags, lazily(`(?i)</(?:script|pre|style|textarea)`)},
	{source, lazily(`(?i)</?(?:search|source)`)},
	{noTabs, lazily(`</?[a-zA-Z][^\r\n]*\t`)},
}

// lazily compiles an expression when it is needed first: most programs never
// read a text that a stranger left open.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// disputed yields the dialects but the first that may read a text in another way.
func disputed(text string) iter.Seq[dialect] {
	all := dialect(0)
	for _, d := range disputes {
		if d.text().MatchString(text) {
			all |= d.dialect
		}
	}
	return func(yield func(dialect) bool) {
		for d := all; d > 0 && yield(d); d = (d - 1) & all {
		}
	}
}

// leaf is the kind of the block that takes in lines.
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	fencedCode
	indentedCode
	htmlBlock
)

// container is an open block quote or list item.
type container struct {
	item   bool
	indent int  // columns that a line of the item is indented by
	empty  bool // the item began with a blank line and has nothing yet
}

// parser holds what is open behind the lines that were read.
type parser struct {
	dialect    dialect
	containers []container
	leaf       leaf
	opened     int // where the leaf begins

	fence       byte
	fenceLength int
	html        htmlKind
	raw         rawHTML
	unfinished  []Opening // what blocks of HTML left so
	words       []byte    // of the paragraph, without the marks of containers
	looked      int       // how many of them were looked at for what they open
	lines       []wordsAt
	elements    []element

	line
}

// wordsAt is where a line begins in the words of a paragraph and in the text.
type wordsAt struct{ words, text int }

// line is the line at hand, read up to a column.
type line struct {
	s      string // without its end
	start  int    // in the text
	at     int    // bytes that were read
	column int
	rest   int // columns of a tab that was read in part
}

// readLine reads a line without its end. start is where it stands.
func (p *parser) readLine(s string, start int) {
	p.line = line{s: s, start: start}
	matched := p.matchContainers()
	all := matched == len(p.containers)
	if all {
		switch p.leaf {
		case fencedCode:
			if p.closesFence() {
				p.leaf = noLeaf
			}
			return
		case htmlBlock:
			if p.html.closer != "" || !p.blank() {
				p.htmlLine()
				return
			}
			p.endHTML()
		case indentedCode:
			if p.blank() || p.indent() >= 4 {
				return
			}
			p.leaf = noLeaf
		case paragraph:
			if p.blank() {
				p.endParagraph()
			}
		}
	}
	// A line may continue a paragraph without the marks of its containers.
	lazy := !all && p.leaf == paragraph
	p.begin(matched, lazy)
}

// begin opens the blocks that begin on a line, behind the containers that it
// continues.
func (p *parser) begin(matched int, lazy bool) {
	closed := matched == len(p.containers)
	// closeRest ends what the line doesn't continue, once something begins on it.
	closeRest := func() {
		if !closed {
			p.endLeaf()
			p.containers = p.containers[:matched]
			closed = true
		}
	}
	for {
		inParagraph := closed && p.leaf == paragraph
		indent := p.indent()
		if p.blank() {
			break
		}
		if indent >= 4 {
			if p.leaf != paragraph {
				closeRest()
				p.open(indentedCode)
				return
			}
			break
		}
		body := p.body()
		switch {
		case body[0] == '>':
			closeRest()
			p.endLeaf()
			p.advance(indent)
			p.at++
			p.column++
			p.optionalSpace()
			p.nonEmpty()
			p.containers = append(p.containers, container{})
			matched = len(p.containers)
			continue
		case isHeading(body):
			closeRest()
			p.endLeaf()
			p.open(paragraph) // its words are read as those of one are
			p.addWords()
			p.endParagraph()
			return
		case isFence(body):
			closeRest()
			p.endLeaf()
			p.fence, p.fenceLength = body[0], runLength(body)
			p.open(fencedCode)
			p.opened += len(p.s[p.at:]) - len(body)
			return
		}
		if body[0] == '<' {
			if kind, ok := p.dialect.beginsHTML(body); ok && (kind.interrupts || !inParagraph && !lazy) {
				closeRest()
				p.endLeaf()
				p.beginHTML(kind)
				p.open(htmlBlock)
				p.opened += len(p.s[p.at:]) - len(body)
				p.htmlLine()
				return
			}
		}
		if inParagraph && isUnderline(body) && !onlyDefinitions(string(p.words)) {
			p.endParagraph()
			return
		}
		if isBreak(body) {
			closeRest()
			p.endLeaf()
			p.nonEmpty()
			return
		}
		marker := markerLength(body, inParagraph)
		if marker == 0 {
			break
		}
		closeRest()
		p.endLeaf()
		p.nonEmpty()
		p.item(indent, marker)
		matched = len(p.containers)
	}
	switch {
	case p.blank():
		closeRest()
	case lazy && !closed:
		p.words = append(p.words, '\n')
		p.addWords()
	default:
		closeRest()
		if p.leaf != paragraph {
			p.open(paragraph)
		} else {
			p.words = append(p.words, '\n')
		}
		p.addWords()
	}
}

// open begins a leaf at the line at hand.
func (p *parser) open(l leaf) {
	p.leaf, p.opened = l, p.start+p.at
	p.nonEmpty()
}

// nonEmpty notes that something stands in the innermost item.
func (p *parser) nonEmpty() {
	if n := len(p.containers); n > 0 {
		p.containers[n-1].empty = false
	}
}

func (p *parser) endLeaf() {
	p.endParagraph()
	if p.leaf == htmlBlock {
		p.endHTML()
	}
	p.leaf = noLeaf
}

// addWords adds what is left of a line to the paragraph.
func (p *parser) addWords() {
	body := p.body()
	p.lines = append(p.lines, wordsAt{len(p.words), p.start + len(p.s) - len(body)})
	p.words = append(p.words, body...)
}

// matchContainers reads the marks of the open containers, and returns how many
// of them the line continues.
func (p *parser) matchContainers() int {
	for i := range p.containers {
		c := &p.containers[i]
		switch indent := p.indent(); {
		case !c.item:
			if indent >= 4 || p.blank() || p.body()[0] != '>' {
				return i
			}
			p.advance(indent)
			p.at++
			p.column++
			p.optionalSpace()
		case p.blank():
			if c.empty {
				return i
			}
		case indent >= c.indent:
			p.advance(c.indent)
		default:
			return i
		}
	}
	return len(p.containers)
}

// item opens the list item whose marker stands behind so many columns.
func (p *parser) item(indent, marker int) {
	p.advance(indent)
	p.at += marker
	p.column += marker
	c := container{item: true, indent: indent + marker + 1}
	switch space := p.indent(); {
	case p.blank():
		c.empty = true
		p.optionalSpace()
	case space >= 5:
		p.optionalSpace()
	default:
		c.indent = indent + marker + space
		p.advance(space)
	}
	p.containers = append(p.containers, c)
}
