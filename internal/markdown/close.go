package markdown

import (
	"slices"
	"strings"
)

// A Stretch is a part of a text that is of one source. Stretches of several sources
// may take turns, where one text holds another.
type Stretch struct {
	Start, End int
	// Source numbers the sources, from 0.
	Source int
}

// An Opening is something that a text opens and doesn't close.
type Opening struct {
	// Offset is the byte where it begins.
	Offset int
	// What names it: "code fence", "HTML comment", "HTML element <details>" …
	What string
	// Closer closes it, put behind the text and the closers before it.
	Closer string
}

// A Closing is what is to be put into a text.
type Closing struct {
	// At is the byte before which it goes: the end of a line, or of the text.
	At int
	// Text is what goes there.
	Text string
	// Openings are what it closes, in the order in which it does: the innermost
	// first.
	Openings []Opening
}

// Close finds where sources leave open what they opened, and what closes it at the
// end of the line in which they end, so that it takes in nothing that follows. At
// the end of the text all is closed, whoever opened it. Stretches are in order. The
// time that it takes is linear in the text.
func Close(text string, stretches []Stretch) []Closing {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") && strings.IndexByte(text, '<') < 0 {
		return nil
	}
	c := closer{text: text, parsers: []*parser{{}}, stretches: stretches, last: map[int]int{}}
	for d := range disputed(text) {
		c.parsers = append(c.parsers, &parser{dialect: d})
	}
	for i, s := range stretches {
		c.last[s.Source] = i
	}
	ended := false // a source ends in the line at hand
	for i, s := range stretches {
		c.ended = i
		ended = ended || c.last[s.Source] == i
		end := c.lineEnd(s)
		if !ended || i+1 < len(stretches) && c.lineEnd(stretches[i+1]) == end {
			continue
		}
		if ended = false; end < len(text) && end >= c.at {
			c.read(end)
			c.close()
		}
	}
	c.read(len(text))
	c.closeAll()
	return c.out
}

// closer reads a text and closes what its sources leave open.
type closer struct {
	text    string
	parsers []*parser // one for each dialect that matters; the first is CommonMark's
	at      int       // the line that is read next

	stretches []Stretch
	last      map[int]int // the last stretch of each source
	ended     int         // the last stretch that was read
	from, end int         // part of a line, and its end
	out       []Closing
}

// lineEnd is where the line ends that holds the last byte of a stretch. It isn't
// looked for again in a line that many of them share.
func (c *closer) lineEnd(s Stretch) int {
	last := max(s.End-1, s.Start)
	if last < c.from || last > c.end || c.end == 0 {
		c.from, c.end = last, len(c.text)
		if n := strings.IndexAny(c.text[last:], "\r\n"); n >= 0 {
			c.end = last + n
		}
	}
	if c.end == last && last > 0 && strings.HasPrefix(c.text[last-1:], "\r\n") {
		return last - 1
	}
	return c.end
}

// read reads the lines up to the end of one.
func (c *closer) read(end int) {
	for {
		n := strings.IndexAny(c.text[c.at:end], "\r\n")
		if n < 0 {
			c.line(c.text[c.at:end], c.at)
			c.at = end
			return
		}
		c.line(c.text[c.at:c.at+n], c.at)
		c.at += n + lineEndLength(c.text[c.at+n:])
	}
}

func lineEndLength(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	return min(len(s), 1)
}

func (c *closer) line(s string, start int) {
	for _, p := range c.parsers {
		p.readLine(s, start)
	}
}

// isEnded reports whether a byte is of a source that has ended.
func (c *closer) isEnded(offset int) bool {
	i, found := slices.BinarySearchFunc(c.stretches, offset, func(s Stretch, offset int) int {
		switch {
		case s.End <= offset:
			return -1
		case s.Start > offset:
			return 1
		}
		return 0
	})
	return found && c.last[c.stretches[i].Source] <= c.ended
}

// close closes what ended sources left open, at the end of the line that was read,
// and goes on behind it.
func (c *closer) close() {
	at := c.at
	c.at += lineEndLength(c.text[at:])
	next := c.text[c.at:]
	if n := strings.IndexAny(next, "\r\n"); n >= 0 {
		next = next[:n]
	}
	open := c.open(c.isEnded, false)
	text := closers(open)
	if text != "" {
		for line := range strings.SplitSeq(text[1:], "\n") {
			c.line(line, at)
		}
		for _, p := range c.parsers {
			p.unfinished = nil
		}
	}
	if strings.TrimSpace(next) != "" {
		o, goes := c.goesOn()
		if goes && text == "" {
			open = []Opening{o}
		}
		if goes || text != "" && slices.ContainsFunc(c.parsers, func(p *parser) bool { return p.leaf != noLeaf }) { // the closers may be such a block
			text += "\n"
			c.line("", at)
		}
	}
	if text != "" {
		c.out = append(c.out, Closing{at, text, open})
	}
}

// goesOn is the block of HTML that the next line would be a part of.
func (c *closer) goesOn() (Opening, bool) {
	for _, p := range c.parsers {
		if p.leaf == htmlBlock && p.html.closer == "" && len(p.containers) == 0 && c.isEnded(p.opened) {
			return Opening{p.opened, "block of HTML", "\n"}, true
		}
	}
	return Opening{}, false
}

// closeAll closes what is open at the end of the text.
func (c *closer) closeAll() {
	if open := c.open(func(int) bool { return true }, true); len(open) > 0 {
		c.out = append(c.out, Closing{len(c.text), closers(open), open})
	}
}

func closers(open []Opening) string {
	var b strings.Builder
	for _, o := range open {
		b.WriteString(o.Closer)
	}
	return b.String()
}

// open lists what is open of some bytes.
func (c *closer) open(of func(offset int) bool, last bool) []Opening {
	block := func(p *parser) []Opening {
		if o, ok := p.block(); ok && of(o.Offset) {
			return []Opening{o}
		}
		return nil
	}
	out := block(c.parsers[0])
	differ := false
	for _, p := range c.parsers[1:] {
		other := block(p)
		if slices.Equal(other, out) {
			continue
		}
		differ = true
		for _, o := range other {
			if !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	if differ {
		for i := range out {
			out[i].Closer = "\n<!--" + out[i].Closer + "\n-->"
		}
		out[len(out)-1].Closer += finish // what one takes for a comment may be open for another
	}
	var unfinished []Opening
	var elements []element
	for _, p := range c.parsers { // to close what isn't open does no harm
		u, e := p.behind(last, differ)
		unfinished, elements = append(unfinished, u...), append(elements, e...)
	}
	slices.SortStableFunc(unfinished, func(a, b Opening) int { return a.Offset - b.Offset })
	for _, o := range unfinished {
		if of(o.Offset) {
			out = append(out, o) // one closer is enough for all that is unfinished
			break
		}
	}
	slices.SortStableFunc(elements, func(a, b element) int { return b.offset - a.offset })
	for _, e := range slices.Compact(elements) {
		if of(e.offset) {
			out = append(out, Opening{e.offset, "HTML element <" + e.name + ">", "\n\n</" + e.name + ">"})
		}
	}
	return out
}

// block is the block that is open, if it is one that nothing ends.
func (p *parser) block() (Opening, bool) {
	switch {
	case len(p.containers) > 0:
	case p.leaf == fencedCode:
		return Opening{p.opened, "code fence", "\n" + strings.Repeat(string(p.fence), p.fenceLength)}, true
	case p.leaf == htmlBlock && p.html.closer != "":
		return Opening{p.opened, p.html.what, "\n" + p.html.closer}, true
	}
	return Opening{}, false
}

// behind is what would be unfinished, and which elements would be open, if the
// block at hand ended here and what nothing else ends was closed. Unless this is
// the last time, words of a paragraph are looked at once. Where dialects differ, the
// closer of the block may close nothing.
func (p *parser) behind(last, differ bool) ([]Opening, []element) {
	q := *p
	q.elements, q.unfinished = slices.Clone(p.elements), slices.Clone(p.unfinished)
	switch q.leaf {
	case paragraph:
		if from := p.looked; !last {
			q.inline(string(q.words[from:]), from)
			p.looked = len(p.words)
		} else {
			q.inline(string(q.words), 0)
		}
	case htmlBlock:
		switch _, open := q.block(); {
		case open && q.html.element == "" && q.raw.opened == q.opened: // its closer ends it on a page as well
		case open && !differ && (q.raw.what() == "" && q.raw.state == inText && q.raw.text == q.html.element || q.raw.state == inData):
			q.tag(q.html.element, true, q.opened)
		default:
			q.unfinish()
		}
	}
	for _, e := range q.elements {
		if e.name == "svg" || e.name == "math" { // what is text elsewhere are tags in there
			q.unfinished = append(q.unfinished, Opening{e.offset, "HTML element <" + e.name + ">", finish})
		}
	}
	return q.unfinished, q.elements
}
