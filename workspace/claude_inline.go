package workspace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	claudeMention = compiled(`(?:^|` + jsSpace + `)@((?:[^` + jsSpace[1:len(jsSpace)-1] + `\\]|\\ )+)`)
	// claudeDeclares is a declaration, such as that of a document type.
	claudeDeclares = compiled(`^<![a-zA-Z]+\s[^>]*>`)
	claudeAuto     = compiled(`^<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>`)
	claudeTarget   = compiled(`^\(\s*(?:<(?:\\.|[^\n<>\\])*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)`)
	claudeLabel    = compiled(`^\[((?:\\.|[^\[\]\\])*)\]`)
	// claudeFirst is what the path of an import begins with.
	claudeFirst = compiled(`^(?:\./|~/|/.|[a-zA-Z0-9._-])`)
)

// inline searches one text for imports: each piece of plain text between the inline
// elements by itself.
func (r *markdownReader) inline(p lineText) {
	var b strings.Builder
	var starts [][2]int // of pieces of b, and where each is in the text
	skip := p.skip
	for i, l := range p.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for len(skip) > 0 && skip[0].end <= l.start {
			skip = skip[1:]
		}
		for _, s := range skip {
			if s.start >= l.end {
				break
			}
			if l.start <= s.start && s.start < l.end || s.start < l.start && l.start < s.end {
				if s.start > l.start {
					starts = append(starts, [2]int{b.Len(), l.start})
					b.WriteString(r.text[l.start:s.start])
				}
				l.start = min(s.end, l.end)
			}
		}
		starts = append(starts, [2]int{b.Len(), l.start})
		b.WriteString(r.of(l))
	}
	text := b.String()
	if !strings.Contains(text, "@") {
		return
	}
	at := func(offset int) int {
		i, ok := slices.BinarySearchFunc(starts, offset, func(s [2]int, offset int) int { return s[0] - offset })
		if !ok {
			i--
		}
		for i+1 < len(starts) && starts[i+1][0] == offset {
			i++
		}
		return starts[i][1] + offset - starts[i][0]
	}
	pieces := []span{{0, len(text)}}
	if !p.raw {
		pieces = r.plain(text)
	}
	for _, piece := range pieces {
		for _, m := range claudeMention().FindAllStringSubmatchIndex(text[piece.start:piece.end], -1) {
			name := text[piece.start+m[2] : piece.start+m[3]]
			path, _, _ := strings.Cut(name, "#")
			path = strings.ReplaceAll(path, `\ `, " ")
			if !claudeFirst().MatchString(path) || len(path) > maxMention {
				continue
			}
			r.out.mentions = append(r.out.mentions, mention{at(piece.start + m[2] - 1), at(piece.start+m[3]-1) + 1, path})
		}
	}
}

// delimiter is a run of `*` or `_`.
type delimiter struct {
	start, end  int // what is left of it
	char        byte
	opens, ends bool
	length      int
}

// plain gives the pieces of a text that are neither markup nor code.
func (r *markdownReader) plain(text string) []span {
	markup := make([]bool, len(text))
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			markup[i] = true
		}
	}
	type bracket struct {
		at         int
		image      bool
		inner      bool // there are brackets in it
		delimiters int  // before it
	}
	var brackets []bracket
	var delimiters []delimiter
	code := codeSpans(nil, text, 0, len(text))
	noComment := false
	for i := 0; i < len(text); {
		for len(code) > 0 && code[0].end <= i {
			code = code[1:]
		}
		if len(code) > 0 && code[0].start == i {
			mark(i, code[0].end)
			i = code[0].end
			continue
		}
		switch c := text[i]; c {
		case '\\':
			if i+1 < len(text) && text[i+1] < utf8.RuneSelf && (unicode.IsPunct(rune(text[i+1])) || unicode.IsSymbol(rune(text[i+1]))) {
				mark(i, i+2)
				i++
			}
			i++
		case '<':
			end := 0
			if strings.HasPrefix(text[i:], "<!--") && !noComment {
				if n := strings.Index(text[i+4:], "-->"); n >= 0 {
					end = 4 + n + 3
				} else {
					noComment = true
				}
			} else if n := strings.IndexAny(text[i+1:], "<>"); n > 0 && text[i+1+n] == '>' {
				tag := text[i : i+n+2]
				end = max(tagEnd(tag, htmlSpace, false), len(claudeDeclares().FindString(tag)), len(claudeAuto().FindString(tag)))
			}
			mark(i, i+end)
			i += max(end, 1)
		case '[':
			brackets = append(brackets, bracket{at: i, image: i > 0 && text[i-1] == '!' && !markup[i-1], delimiters: len(delimiters)})
			i++
		case ']':
			i++
			if len(brackets) == 0 {
				continue
			}
			open := brackets[len(brackets)-1]
			brackets = brackets[:len(brackets)-1]
			if len(brackets) > 0 {
				brackets[len(brackets)-1].inner = true
			}
			rest := text[i:] // up to the next bracket, so that no text is looked at twice
			if n := strings.IndexByte(rest, ']'); n >= 0 {
				rest = rest[:n+1]
			}
			end := len(claudeTarget().FindString(rest))
			if end == 0 {
				own := ""
				if !open.inner {
					own = text[open.at+1 : i-1]
				}
				if m := claudeLabel().FindStringSubmatch(rest); m != nil {
					if m[1] != "" {
						own = m[1]
					}
					if r.labels[label(own)] {
						end = len(m[0])
					}
				}
				if end == 0 && !r.labels[label(own)] {
					continue
				}
			}
			r.emphasis(delimiters[open.delimiters:], mark)
			delimiters = delimiters[:open.delimiters]
			if open.image {
				mark(open.at-1, i+end)
			} else {
				mark(open.at, open.at+1)
				mark(i-1, i+end)
			}
			i += end
		case '*', '_':
			end := i
			for end < len(text) && text[end] == c {
				end++
			}
			delimiters = append(delimiters, newDelimiter(text, i, end))
			i = end
		default:
			i++
		}
	}
	r.emphasis(delimiters, mark)
	var out []span
	for i := 0; i < len(text); {
		if markup[i] {
			i++
			continue
		}
		start := i
		for i < len(text) && !markup[i] {
			i++
		}
		out = append(out, span{start, i})
	}
	return out
}

func newDelimiter(text string, start, end int) delimiter {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	space := func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }
	punct := func(r rune) bool { return r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSymbol(r)) }
	left := !space(after) && (!punct(after) || space(before) || punct(before))
	right := !space(before) && (!punct(before) || space(after) || punct(after))
	d := delimiter{start: start, end: end, char: text[start], opens: left, ends: right, length: end - start}
	if d.char == '_' {
		d.opens = left && (!right || punct(before))
		d.ends = right && (!left || punct(after))
	}
	return d
}

// emphasis marks the delimiters that open and close emphasis.
func (r *markdownReader) emphasis(list []delimiter, mark func(from, to int)) {
	type key struct {
		char  byte
		opens bool
		third int
	}
	bottom := map[key]int{}
	var open []int // delimiters that may open, by their number
	for i := range list {
		d := &list[i]
		for d.ends && d.start < d.end {
			k := key{d.char, d.opens, d.length % 3}
			found := -1
			for j := len(open) - 1; j >= 0 && open[j] >= bottom[k]; j-- {
				o := &list[open[j]]
				if o.char != d.char || (o.ends || d.opens) && (o.length+d.length)%3 == 0 && (o.length%3 != 0 || d.length%3 != 0) {
					continue
				}
				found = j
				break
			}
			if found < 0 {
				bottom[k] = i
				break
			}
			o := &list[open[found]]
			n := 1
			if o.end-o.start >= 2 && d.end-d.start >= 2 {
				n = 2
			}
			mark(o.end-n, o.end)
			mark(d.start, d.start+n)
			o.end -= n
			d.start += n
			open = open[:found+1]
			if o.start == o.end {
				open = open[:found]
			}
		}
		if d.opens && d.start < d.end {
			open = append(open, i)
		}
	}
}
