package markdown

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// htmlKind is one of the kinds of HTML blocks.
type htmlKind struct {
	// ends are what a line holds, in lower case, that ends the block; none for
	// blocks that end at a blank line.
	ends []string
	// closer and what are told of an open block; empty for those that end at a
	// blank line.
	closer, what string
	// element is the one whose text the block is, if any.
	element    string
	interrupts bool // it may begin within a paragraph
}

// beginsHTML tells the kind of HTML block that a line begins (chapter 4.6).
func (d dialect) beginsHTML(s string) (htmlKind, bool) {
	lower := strings.ToLower(s[:min(len(s), 16)])
	for _, name := range verbatim {
		if d&noTextarea != 0 && name == "textarea" {
			continue
		}
		if rest, ok := strings.CutPrefix(lower, "<"+name); ok && (rest == "" || isSpace(rest[0]) || rest[0] == '>') {
			return htmlKind{ends: []string{"</pre>", "</script>", "</style>", "</textarea>"}, closer: "</" + name + ">", what: "HTML element <" + name + ">", element: name, interrupts: true}, true
		}
	}
	switch {
	case strings.HasPrefix(s, "<!--"):
		return htmlKind{ends: []string{"-->"}, closer: "-->", what: "HTML comment", interrupts: true}, true
	case strings.HasPrefix(s, "<?"):
		return htmlKind{ends: []string{"?>"}, closer: "?>", what: "processing instruction", interrupts: true}, true
	case strings.HasPrefix(s, "<![CDATA["):
		return htmlKind{ends: []string{"]]>"}, closer: "]]>", what: "CDATA section", interrupts: true}, true
	case d.isDeclaration(s):
		return htmlKind{ends: []string{">"}, closer: ">", what: "HTML declaration", interrupts: true}, true
	}
	if name, rest := tagName(s); name != "" && (slices.Contains(blockElements, name) && (d&source == 0 || name != "search") || d&source != 0 && name == "source") &&
		(rest == "" || d.isSpace(rest[0]) || rest[0] == '>' || strings.HasPrefix(rest, "/>")) {
		return htmlKind{interrupts: true}, true
	}
	name, _ := tagName(s)
	if n := len(tag().FindString(s)); n > 0 && (strings.Trim(s[n:], " ") == "" || d&noTabs == 0 && strings.Trim(s[n:], " \t") == "") && (d&closingTags != 0 || !slices.Contains(verbatim, name)) {
		return htmlKind{}, true
	}
	return htmlKind{}, false
}

// verbatim are the elements whose blocks go on over blank lines.
var verbatim = []string{"script", "pre", "style", "textarea"}

// blockElements are those that begin a block that ends at a blank line.
var blockElements = strings.Fields(`
	address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset
	figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu
	menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul`)

// hiding are the elements that take in what follows until they are closed: they
// hide it, show it as a text of another kind, or never show it.
var hiding = strings.Fields(`
	details dialog iframe math noembed noframes noscript object pre script select style svg table template textarea title xmp`)

// tag is an open tag or a closing tag (chapter 6.6).
var tag = lazily(`^(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][A-Za-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)`)

// tagName is the name in lower case of the tag that a text begins with, closing
// or not, and what stands behind the name.
func tagName(s string) (name, rest string) {
	s = strings.TrimPrefix(s[1:], "/")
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (s[n] == '-' || '0' <= s[n] && s[n] <= '9')) {
		n++
	}
	return strings.ToLower(s[:n]), s[n:]
}

// isDeclaration: <! and a letter.
func (d dialect) isDeclaration(s string) bool {
	return len(s) > 2 && s[1] == '!' && isLetter(s[2]) && (d&capitals == 0 || s[2] <= 'Z')
}

// isSpace: white space behind the name of a tag.
func (d dialect) isSpace(c byte) bool { return c == ' ' || c == '\t' && d&noTabs == 0 }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// htmlLine reads a line of an HTML block.
func (p *parser) htmlLine() {
	body := p.s[p.at:]
	p.raw.line(body, p.start+p.at)
	if len(p.unfinished) > 0 || p.raw.escaped { // what was in quotes before may be none now, and the other way round
		for k := range len(body) {
			if name, _ := tagName(body[k:]); body[k] == '<' && slices.Contains(hiding, name) && body[k+1] != '/' {
				p.elements = append(p.elements, element{name, p.start + p.at + k})
			}
		}
	}
	lower := asciiLower(body)
	for _, end := range p.html.ends {
		if strings.Contains(lower, end) {
			p.endHTML()
			return
		}
	}
}

// beginHTML begins an HTML block.
func (p *parser) beginHTML(kind htmlKind) {
	p.html = kind
	p.raw = rawHTML{tag: p.tag}
}

// endHTML ends one. What it leaves unfinished stays so.
func (p *parser) endHTML() {
	p.leaf = noLeaf
	p.unfinish()
}

// unfinish notes what a block of HTML leaves unfinished at its end.
func (p *parser) unfinish() {
	p.unfinished = append(p.unfinished, p.unfinishedHTML()...)
	if name := p.raw.tagName(); p.raw.inOpenTag() && slices.Contains(hiding, name) {
		p.elements = append(p.elements, element{name, p.raw.opened}) // it begins where it is finished
	}
	if p.html.element != "" && p.raw.what() != "" && p.raw.opened > p.opened && !slices.Contains(p.elements, element{p.html.element, p.opened}) {
		p.elements = append(p.elements, element{p.html.element, p.opened}) // its end was in there
	}
}

// finish ends what an HTML block left unfinished, a quoted value or a comment as
// well, and is a comment where nothing is left.
const finish = "\n\n<!--\"'>]]>-->"

// unfinishedHTML is what the block at hand is in the middle of.
func (p *parser) unfinishedHTML() []Opening {
	if what := p.raw.what(); what != "" {
		return []Opening{{p.raw.opened, what, finish}}
	}
	return nil
}

// asciiLower keeps the length of a text, which lower case in Unicode doesn't.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// element is an open element of those that hide.
type element struct {
	name   string
	offset int
}

// tag opens or closes an element of those that hide. Only the innermost is closed:
// most of them, a table for one, don't end with those around them.
func (p *parser) tag(name string, closing bool, offset int) {
	last := len(p.elements) - 1
	switch {
	case !slices.Contains(hiding, name):
	case !closing:
		p.elements = append(p.elements, element{name, offset})
	case len(p.unfinished) > 0: // the tag may stand in it
	case last >= 0 && p.elements[last].name == name:
		p.elements = p.elements[:last]
	}
}

// endParagraph reads the tags in a paragraph that is at its end.
func (p *parser) endParagraph() {
	if p.leaf != paragraph {
		return
	}
	if bytes.IndexByte(p.words, '<') >= 0 {
		p.inline(string(p.words), 0)
	}
	p.leaf = noLeaf
	p.words, p.lines, p.looked = p.words[:0], p.lines[:0], 0
}

// passages are what a paragraph may hold of HTML besides tags.
var passages = [...]struct{ begin, end string }{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}}

// inline reads the tags in words of a paragraph that begin somewhere: those in code spans, behind a backslash
// and in comments are none.
func (p *parser) inline(s string, from int) {
	closers := codeSpans(s)
	var missing [len(passages)]bool // what is looked for in vain is so once
	for k := 0; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case '`':
			n := runLength(s[k:])
			if end, ok := closers[k]; ok {
				k = end - 1
			} else {
				k += n - 1
			}
		case '<':
			if n := len(tag().FindString(s[k:])); n > 0 {
				name, _ := tagName(s[k:])
				p.tag(name, s[k+1] == '/', p.offset(from+k))
				k += n - 1
				continue
			}
			for i, of := range passages {
				if missing[i] || !strings.HasPrefix(s[k:], of.begin) || of.begin == "<!" && !p.dialect.isDeclaration(s[k:]) {
					continue
				}
				if n := strings.Index(s[k+2:], of.end); n >= 0 {
					n += 2 + len(of.end)
					p.passage(s[k:k+n], from+k)
					k += n - 1
				} else {
					missing[i] = true
				}
				break
			}
		}
	}
}

// passage reads one of them as a page does, where it may end earlier.
func (p *parser) passage(s string, at int) {
	r := rawHTML{tag: func(name string, closing bool, k int) { p.tag(name, closing, p.offset(k)) }}
	r.line(s, at)
	if what := r.what(); what != "" {
		p.unfinished = append(p.unfinished, Opening{p.offset(r.opened), what, finish})
	}
}

// codeSpans gives for each run of backticks that begins a code span the end of
// the span: behind the next run of the same length.
func codeSpans(s string) map[int]int {
	next := map[int]int{} // by length of a run, where the next one of it ends
	out := map[int]int{}
	for k := len(s); k > 0; {
		if s[k-1] != '`' {
			k--
			continue
		}
		end := k
		for k > 0 && s[k-1] == '`' {
			k--
		}
		if at, ok := next[end-k]; ok {
			out[k] = at
		}
		if k > 0 && s[k-1] == '\\' { // the first of them may be escaped
			if at, ok := next[end-k-1]; ok {
				out[k+1] = at
			}
		}
		next[end-k] = end
	}
	return out
}

// offset is where a byte of the paragraph stands in the text.
func (p *parser) offset(k int) int {
	i := sort.Search(len(p.lines), func(i int) bool { return p.lines[i].words > k }) - 1
	return p.lines[i].text + k - p.lines[i].words
}
