package strict

import (
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// What a reader of a file gets is rarely what stands there byte by byte:
// escapes are decoded, indentation is taken off, lines are folded. This file
// follows the writing of a text a second time, led by the text that came out,
// and tells for every stretch where it stands. Being led makes it safe: a
// stretch is called a copy only after its bytes were compared, and where the
// writing can't be followed the rest belongs to the last place that could.

// maxRuns bounds the stretches of one text, so that a file of escapes alone
// doesn't cost a hundred times its size. The rest is one stretch.
const maxRuns = 1 << 16

// Runs tells where the bytes of a text came from, as data of the given trust.
// The runs tile the text; one that isn't Fixed equals the bytes at its place. A
// block after | has a run for each line. An empty text, and a value that is no
// text, has none.
func (n *Node) Runs(trust cento.Trust) []cento.Run {
	text, ok := n.Text()
	if !ok || text == "" {
		return nil
	}
	t := tracer{src: n.src, want: text, at: int(n.off), trust: trust}
	begin := int(n.off)
	switch n.style {
	case plain:
		t.inline(begin, 0)
	case single:
		t.inline(begin+1, '\'')
	case double:
		t.inline(begin+1, '"')
	case literal:
		t.literal(t.lineAfter(begin))
	case folded:
		t.folded(t.lineAfter(begin))
	}
	if t.done < len(text) {
		t.run(t.at, text[t.done:], true)
	}
	return t.runs
}

// tracer lays runs over a text while it follows the writing.
type tracer struct {
	src   *source
	want  string // the text that came out
	done  int    // how much of it has its runs
	at    int    // where in the source the last of those stood
	from  int    // where in the source the next byte would continue the last run
	runs  []cento.Run
	trust cento.Trust
}

// copied lays a run over the next bytes of the text if they are those at off.
func (t *tracer) copied(off, size int) bool {
	if size == 0 {
		return true
	}
	if off+size > len(t.src.text) || !strings.HasPrefix(t.want[t.done:], t.src.text[off:off+size]) {
		return false
	}
	return t.run(off, t.src.text[off:off+size], false)
}

// made lays a run over the next bytes of the text if they are s, which is
// written another way at off.
func (t *tracer) made(off int, s string) bool {
	return s == "" || strings.HasPrefix(t.want[t.done:], s) && t.run(off, s, true)
}

// run lays the run. It joins what continues the run before, but lines stay
// apart: behind a line end, the next line's indentation may be missing.
func (t *tracer) run(off int, s string, fixed bool) bool {
	start := t.done
	t.done += len(s)
	t.at = off
	if last := len(t.runs) - 1; last >= 0 {
		r := &t.runs[last]
		joins := fixed && r.Fixed || !fixed && !r.Fixed && off == t.from && t.want[start-1] != '\n'
		if joins {
			r.End = t.done
			t.from = off + len(s)
			return true
		}
		if len(t.runs) == maxRuns-1 {
			t.runs = append(t.runs, cento.Run{Start: start, End: len(t.want), Position: t.src.position(off), Trust: t.trust, Fixed: true})
			t.done = len(t.want)
			return false
		}
	}
	t.from = off + len(s)
	t.runs = append(t.runs, cento.Run{Start: start, End: t.done, Position: t.src.position(off), Trust: t.trust, Fixed: fixed})
	return true
}

// inline follows a text that is written within lines: without quotes (quote is
// 0), or from behind its opening quote.
func (t *tracer) inline(i int, quote byte) {
	s := t.src.text
	for t.done < len(t.want) && i < len(s) {
		ok := false
		switch end := t.stretch(i, quote); {
		case end > i:
			ok = t.copied(i, end-i)
			i = end
		case s[i] == '\\':
			i, ok = t.escaped(i)
		case s[i] == quote && quote != 0:
			// Between single quotes, two stand for one.
			ok = quote == '\'' && strings.HasPrefix(s[i:], "''") && t.copied(i, 1)
			i += 2
		default:
			i, ok = t.blanks(i, false)
		}
		if !ok {
			return
		}
	}
}

// stretch is where what is written as it is meant ends: at a quote, an escape, or a line
// end with the blanks before it.
func (t *tracer) stretch(i int, quote byte) int {
	s := t.src.text
	// Without quotes, the text may end before the line does.
	last := min(len(s), i+len(t.want)-t.done)
	end := i
	if quote == '"' {
		end += plainBytes(s[i:last])
	}
	for end < last && s[end] != '\n' && (quote == 0 || s[end] != quote && (quote != '"' || s[end] != '\\')) {
		end++
	}
	next := end
	for next < len(s) && (s[next] == ' ' || s[next] == '\t') {
		next++ // the text ends before the blanks that end the line do
	}
	if next < len(s) && s[next] == '\n' {
		for end > i && (s[end-1] == ' ' || s[end-1] == '\t') {
			end--
		}
	}
	return end
}

// blanks follows white space within a text. Blanks around line ends are
// nothing; one line end is a blank, further ones are line ends. Behind a line
// end that is escaped all count as further ones.
func (t *tracer) blanks(i int, escaped bool) (int, bool) {
	s := t.src.text
	end, breaks, first := i, 0, i
	for end < len(s) && (s[end] == ' ' || s[end] == '\t' || s[end] == '\n') {
		if s[end] == '\n' {
			if breaks == 0 {
				first = end
			}
			breaks++
		}
		end++
	}
	switch {
	case escaped:
		return end, t.made(first, strings.Repeat("\n", breaks))
	case breaks == 0:
		return end, t.copied(i, end-i)
	case breaks == 1:
		return end, t.made(first, " ")
	}
	return end, t.made(first, strings.Repeat("\n", breaks-1))
}

// escaped follows an escape between double quotes.
func (t *tracer) escaped(i int) (int, bool) {
	s := t.src.text[i:]
	if len(s) < 2 {
		return i, false
	}
	size := 2
	switch s[1] {
	case '\n':
		return t.blanks(i+2, true)
	case 'x':
		size = 4
	case 'u':
		size = 6
		if _, n := quote.JSONLetters.Unescape(s); n == 12 {
			size = 12
		}
	case 'U':
		size = 10
	}
	_, n := utf8.DecodeRuneInString(t.want[t.done:])
	return i + size, t.made(i, t.want[t.done:t.done+n])
}

// lineAfter is where the line after the one of an offset begins.
func (t *tracer) lineAfter(off int) int {
	if i := strings.IndexByte(t.src.text[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(t.src.text)
}

// line is the line that begins at an offset, and where the next one does.
func (t *tracer) line(begin int) (line string, next int) {
	next = t.lineAfter(begin)
	return strings.TrimSuffix(t.src.text[begin:next], "\n"), next
}

// literal follows a block after |, from its first line: each line of the text
// is the end of a line of the file.
func (t *tracer) literal(begin int) {
	for t.done < len(t.want) && begin < len(t.src.text) {
		line, next := t.line(begin)
		want := t.want[t.done:]
		if i := strings.IndexByte(want, '\n'); i >= 0 {
			want = want[:i+1]
		}
		body := strings.TrimSuffix(want, "\n")
		indent := len(line) - len(body)
		if indent < 0 || strings.Trim(line[:indent], " ") != "" {
			return
		}
		if !t.copied(begin+indent, len(body)) {
			return
		}
		if len(body) < len(want) && !t.copied(begin+len(line), 1) {
			return
		}
		begin = next
	}
}

// folded follows a block after >, from its first line: the same lines, but the
// line ends between them may have become blanks or nothing.
func (t *tracer) folded(begin int) {
	indent, ended := -1, -1 // ended: where the line end of the last text is
	for t.done < len(t.want) && begin < len(t.src.text) {
		line, next := t.line(begin)
		if strings.Trim(line, " ") == "" && (indent < 0 || len(line) <= indent) {
			if ended < 0 {
				ended = begin + len(line)
			}
			begin = next
			continue
		}
		if ended >= 0 {
			want := t.want[t.done:]
			gap := want[:len(want)-len(strings.TrimLeft(want, "\n"))]
			if gap == "" && indent >= 0 && strings.HasPrefix(want, " ") {
				gap = " "
			}
			if !t.made(ended, gap) {
				return
			}
		}
		if indent < 0 {
			// The first line tells the indentation: what the text doesn't have.
			blanks := len(line) - len(strings.TrimLeft(line, " "))
			want := t.want[t.done:]
			indent = blanks - (len(want) - len(strings.TrimLeft(want, " ")))
		}
		if indent < 0 || indent > len(line) || !t.copied(begin+indent, len(line)-indent) {
			return
		}
		ended = begin + len(line)
		begin = next
	}
	if ended >= 0 && strings.Trim(t.want[t.done:], "\n") == "" {
		t.made(ended, t.want[t.done:])
	}
}
