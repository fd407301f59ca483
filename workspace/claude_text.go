package workspace

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Claude Code reads the Markdown of a file for three things: the front matter and the
// comments that it takes out, and the imports. What it takes for a block, a comment or
// plain text is measured, and differs from CommonMark: a comment that interrupts a
// paragraph is a block, there are no tables, and the text of a list item is searched for
// imports as it is written.

// claudeText is a text as Claude Code reads it.
type claudeText struct {
	// front is the front matter with its fences, from the beginning of the text, and head
	// what is between them; both are empty for none.
	front, head span
	comments    []span    // that are taken out, in order
	mentions    []mention // imports, each path once
}

// takenOut are the front matter and the comments, in order.
func (c *claudeText) takenOut() []span {
	if c.front.end == 0 {
		return c.comments
	}
	return append([]span{c.front}, c.comments...)
}

// compiled returns the expression, compiled at its first use.
func compiled(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// frontMatter is between two fences, of which the second may be anywhere, also within a
// line.
var frontMatter = compiled(`^---` + jsSpace + `*\n((?s:.)*?)---` + jsSpace + `*\n?`)

// jsSpace is white space as JavaScript's `\s`.
const jsSpace = `[\t\n\v\f\r \x{00a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

// readClaudeText finds what Claude Code takes out of a text, and what it imports. With
// noFront, it has no front matter.
func readClaudeText(text string, noFront bool) claudeText {
	text = strings.ReplaceAll(text, "\r\n", " \n") // as long as before
	var c claudeText
	if m := frontMatter().FindStringSubmatchIndex(text); m != nil && !noFront {
		c.front, c.head = span{0, m[1]}, span{m[2], m[3]}
	}
	r := markdownReader{text: text, out: &c, labels: map[string]bool{}}
	if !strings.Contains(text, "@") && !strings.Contains(text, "<!--") {
		return c
	}
	r.blocks(r.lines(c.front.end), true, true)
	for _, p := range r.pending {
		r.inline(p)
	}
	seen := map[string]bool{}
	c.mentions = slices.DeleteFunc(c.mentions, func(m mention) bool {
		again := seen[m.path]
		seen[m.path] = true
		return again
	})
	return c
}

// markdownReader reads the blocks of a text. Lines are spans of it, without what the
// containers put before them and without their line end.
type markdownReader struct {
	text   string
	out    *claudeText
	labels map[string]bool // of link definitions
	// pending are the texts whose inline elements are read once all labels are known.
	pending []lineText
	depth   int
}

// lineText is some lines read as one text; raw: as it is written, with no inline
// elements.
type lineText struct {
	lines []span
	raw   bool
	skip  []span // that are left out of a raw text
}

// maxContainers is how deep quotes and lists are read.
const maxContainers = 32

func (r *markdownReader) lines(from int) []span {
	var out []span
	for at := from; at < len(r.text); {
		next := lineEnd(r.text, at)
		out = append(out, span{at, at + len(strings.TrimSuffix(r.text[at:next], "\n"))})
		at = next
	}
	return out
}

func (r *markdownReader) of(l span) string { return r.text[l.start:l.end] }

// claudeDef is the definition of a link.
var claudeDef = compiled(`^ {0,3}\[((?:\\.|[^\[\]\\])+)\]: *(?:<[^>]*>|[^<\s]\S*)(?: +(?:"[^"]*"|'[^']*'|\([^()]*\)))? *$`)

// interrupts reports whether a line ends the paragraph before it.
func interrupts(line string) bool {
	if !strings.ContainsRune("#-_*+>`~<0123456789", firstOf(line)) {
		return false // most lines are plain text
	}
	if isHeading(line) || isRule(line) || quoteMark(line) > 0 || fenceOf(line) != "" {
		return true
	}
	if m, end := itemMark(line); end > 0 && end < len(line) && (len(m) == 1 || m == "1." || m == "1)") {
		return true
	}
	return isBlockTag(line) || rawTag(line) != "" || strings.HasPrefix(line, "<!--")
}

// firstOf is the first character of a line after spaces.
func firstOf(line string) rune {
	for _, c := range line {
		if c != ' ' {
			return c
		}
	}
	return ' '
}

// indented reports whether a line is one of an indented code block.
func indented(line string) bool {
	for i := range len(line) {
		switch {
		case i == 4:
			return strings.TrimSpace(line) != ""
		case line[i] == '\t':
			return strings.TrimSpace(line) != ""
		case line[i] != ' ':
			return false
		}
	}
	return false
}

// blocks reads lines. Within a list item, flow is false: text there has no paragraphs.
// At the top, comments are taken out.
func (r *markdownReader) blocks(lines []span, flow, top bool) {
	if r.depth++; r.depth > maxContainers {
		r.depth--
		return
	}
	defer func() { r.depth-- }()
	for i := 0; i < len(lines); {
		line := r.of(lines[i])
		switch fence := fenceOf(line); {
		case strings.TrimSpace(line) == "":
			i++
		case indented(line):
			for i < len(lines) && (indented(r.of(lines[i])) || strings.TrimSpace(r.of(lines[i])) == "") {
				i++
			}
		case fence != "":
			for i++; i < len(lines); i++ {
				rest, ok := strings.CutPrefix(trimThree(r.of(lines[i])), fence)
				if ok && strings.Trim(strings.TrimLeft(rest, "`~"), " ") == "" {
					i++
					break
				}
			}
		case isHeading(line):
			r.pending = append(r.pending, lineText{lines: lines[i : i+1]})
			i++
		case isRule(line):
			i++
		case quoteMark(line) > 0:
			i = r.quote(lines, i)
		case isItem(line):
			i = r.list(lines, i)
		default:
			if end := r.html(lines, i, top); end > i {
				i = end
				continue
			}
			if m := claudeDef().FindStringSubmatch(line); m != nil {
				r.labels[label(m[1])] = true
				i++
				continue
			}
			i = r.paragraph(lines, i, flow)
		}
	}
}

func trimThree(line string) string {
	for n := 0; n < 3 && strings.HasPrefix(line, " "); n++ {
		line = line[1:]
	}
	return line
}

func label(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// paragraph reads lines up to one that ends them.
func (r *markdownReader) paragraph(lines []span, i int, flow bool) int {
	from := i
	for i++; i < len(lines); i++ {
		line := r.of(lines[i])
		if strings.TrimSpace(line) == "" {
			break
		}
		if c := firstOf(line); flow && (c == '=' || c == '-') && isUnderline(line) {
			i++
			break
		}
		if interrupts(line) || !flow && (isItem(line) || r.html(lines, i, false) > i || claudeDef().MatchString(line)) {
			break
		}
	}
	text := lineText{lines: lines[from:i]}
	if !flow {
		raw := text
		raw.raw = true
		r.pending = append(r.pending, raw)
	}
	r.pending = append(r.pending, text)
	return i
}

// quote reads the lines of a block quote, with those that continue a paragraph of it.
func (r *markdownReader) quote(lines []span, i int) int {
	var inner []span
	open := false // the line before is one of a paragraph
	for ; i < len(lines); i++ {
		line := r.of(lines[i])
		if n := quoteMark(line); n > 0 {
			l := span{lines[i].start + n, lines[i].end}
			inner = append(inner, l)
			in := r.of(l)
			open = strings.TrimSpace(in) != "" && !indented(in) && fenceOf(in) == "" && !isHeading(in) && !isRule(in)
			continue
		}
		if !open || strings.TrimSpace(line) == "" || interrupts(line) {
			break
		}
		inner = append(inner, lines[i])
	}
	r.blocks(inner, true, false)
	return i
}

// list reads the items of a list.
func (r *markdownReader) list(lines []span, i int) int {
	kind := ""
	for i < len(lines) {
		line := r.of(lines[i])
		mark, marker := itemMark(line)
		if marker == 0 || isRule(line) {
			break
		}
		this := mark[len(mark)-1:]
		if kind != "" && this != kind {
			break
		}
		kind = this
		rest := line[marker:]
		body := strings.TrimLeft(rest, " \t")
		indent := marker + len(rest) - len(body)
		if body == "" || indent-marker > 4 || strings.HasPrefix(rest, "\t") {
			indent = marker + 1
		}
		inner := []span{{lines[i].start + min(indent, len(line)), lines[i].end}}
		blank := body == ""
		if blank && i+1 < len(lines) && strings.TrimSpace(r.of(lines[i+1])) == "" {
			i++ // an empty item
			continue
		}
		for i++; i < len(lines); i++ {
			line := r.of(lines[i])
			deep := 0
			for deep < len(line) && deep < indent && line[deep] == ' ' {
				deep++
			}
			if deep < indent && deep < len(line) && line[deep] == '\t' {
				deep = indent
				inner = append(inner, span{lines[i].start + strings.IndexByte(line, '\t') + 1, lines[i].end})
				blank = false
				continue
			}
			if strings.TrimSpace(line) == "" {
				inner = append(inner, span{lines[i].end, lines[i].end})
				blank = true
				continue
			}
			if deep >= indent {
				inner = append(inner, span{lines[i].start + indent, lines[i].end})
				blank = false
				continue
			}
			at := line[deep:]
			if blank || isItem(line) || isRule(line) || fenceOf(line) != "" || isHeading(line) ||
				strings.HasPrefix(at, "<!--") || strings.HasPrefix(at, "<") && strings.Contains(at, ">") && len(at) > 1 && 'a' <= at[1]|0x20 && at[1]|0x20 <= 'z' {
				break
			}
			inner = append(inner, lines[i])
		}
		r.blocks(inner, false, false)
	}
	return i
}

// html reads a block of HTML, and gives the line after it; i where there is none.
func (r *markdownReader) html(lines []span, i int, top bool) int {
	full := r.of(lines[i])
	line := strings.TrimLeft(full, " ")
	if len(full)-len(line) > 3 || !strings.HasPrefix(line, "<") {
		return i
	}
	until := func(ends func(string) bool) int {
		for n := i; n < len(lines); n++ {
			if ends(r.of(lines[n])) {
				return n + 1
			}
		}
		return len(lines)
	}
	switch raw := rawTag(line); {
	case raw != "":
		closing := "</" + raw + ">"
		return until(func(l string) bool { return strings.Contains(strings.ToLower(l), closing) })
	case strings.HasPrefix(line, "<!--"):
		end := until(func(l string) bool { return strings.Contains(l, "-->") })
		r.comment(lines[i:end], top)
		return end
	case strings.HasPrefix(line, "<?"):
		return until(func(l string) bool { return strings.Contains(l, "?>") })
	case strings.HasPrefix(line, "<![CDATA["):
		return until(func(l string) bool { return strings.Contains(l, "]]>") })
	case len(line) > 2 && line[1] == '!' && 'A' <= line[2] && line[2] <= 'Z':
		return until(func(l string) bool { return strings.Contains(l, ">") })
	case isBlockTag(line) || isLoneTag(line):
		end := until(func(l string) bool { return strings.TrimSpace(l) == "" })
		return end
	}
	return i
}

// comment reads a block that begins with a comment: all comments of it are taken out
// at the top, and what is left is searched for imports. One that isn't closed is text.
func (r *markdownReader) comment(lines []span, top bool) {
	from, to := lines[0].start, lines[len(lines)-1].end
	var found []span
	for at := from; at < to; {
		n := strings.Index(r.text[at:to], "<!--")
		if n < 0 {
			break
		}
		end := strings.Index(r.text[at+n+len("<!--"):to], "-->")
		if end < 0 {
			break
		}
		start := at + n
		at = start + len("<!--") + end + len("-->")
		found = append(found, span{start, at})
	}
	if len(found) == 0 {
		return
	}
	if top {
		for k, c := range found {
			if k == 0 && strings.TrimSpace(r.text[from:c.start]) == "" {
				c.start = from
			}
			if next := lineEnd(r.text, c.end); k == len(found)-1 && c.start == from && strings.TrimSpace(r.text[c.end:next]) == "" {
				c.end = next // nothing else is on its lines
			}
			r.out.comments = append(r.out.comments, c)
		}
	}
	r.pending = append(r.pending, lineText{lines: lines, raw: true, skip: found})
}

// lineEnd is the offset after the line that an offset is in.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}
