package contract

import (
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

var linesLetters = quote.NewLetters("\\\\n\nr\rt\ts ")

// textLine takes the next line: its text and where it begins. False at the end.
func (r *reader) textLine() (string, int, bool) {
	at := r.at
	if at >= len(r.text) {
		return "", at, false
	}
	end := strings.IndexByte(r.text[at:], '\n')
	if end < 0 {
		r.at = len(r.text)
		return r.text[at:], at, true
	}
	r.at = at + end + 1
	return r.text[at : at+end], at, true
}

// labelled takes a line that begins with a label, and returns what stands
// behind it.
func (r *reader) labelled(label string) (string, int, bool) {
	line, at, ok := r.textLine()
	if !ok {
		return "", at, r.fail(at, Missing, "", "the line %q is missing", strings.TrimSpace(label))
	}
	rest, ok := strings.CutPrefix(line, label)
	if !ok {
		hint := "the lines role:, objective:, constraints:, output: come first, in this order"
		return "", at, r.fail(at, Syntax, hint, "expected %q, got %q", label, clip(line))
	}
	return rest, at + len(label), true
}

// lines reads a whole text of the form.
func (r *reader) lines() {
	role, at, ok := r.labelled("role: ")
	if !ok || !r.role(role, at) {
		return
	}
	objective, at, ok := r.labelled("objective:")
	if !ok {
		return
	}
	if objective != "" {
		text, spaced := strings.CutPrefix(objective, " ")
		if !spaced || text == "" {
			r.fail(at, Syntax, `an empty objective is written "objective:", any other behind one space`, "the objective doesn't follow one space")
			return
		}
		if r.c.objective, ok = r.lineText(text, at+1, false); !ok {
			return
		}
	}
	constraints, at, ok := r.labelled("constraints:")
	if !ok || !r.lineConstraints(constraints, at) {
		return
	}
	output, at, ok := r.labelled("output: ")
	if !ok || !r.lineOutput(output, at) {
		return
	}
	for {
		line, at, ok := r.textLine()
		if !ok || !r.lineGroup(line, at) {
			return
		}
	}
}

func (r *reader) lineConstraints(s string, at int) bool {
	for s != "" {
		if s[0] != ' ' {
			return r.fail(at, Syntax, "constraints stand behind one space each", "expected a space, got %q", clip(s))
		}
		word, _, _ := strings.Cut(s[1:], " ")
		if !r.constraint(word, at+1) {
			return false
		}
		s = s[1+len(word):]
		at += 1 + len(word)
	}
	return true
}

func (r *reader) lineOutput(s string, at int) bool {
	emit, rest, ok := strings.Cut(s, " -> ")
	if !ok {
		return r.fail(at, Syntax, "as in output: fact -> signals json", "expected a kind, an arrow and a key, got %q", clip(s))
	}
	if !r.emit(emit, at) {
		return false
	}
	at += len(emit) + len(" -> ")
	key, format, more := strings.Cut(rest, " ")
	if !r.target(key, at) {
		return false
	}
	return !more || r.format(format, at+len(key)+1)
}

func (r *reader) lineGroup(line string, at int) bool {
	key, count, ok := strings.Cut(line, "[")
	digits, ended := strings.CutSuffix(count, "]:")
	if !ok || !ended {
		return r.fail(at, Syntax, "a group begins with its key and the number of its facts, as in signals[2]:", "expected a group, got %q", clip(line))
	}
	if !r.group(key, at) {
		return false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || strconv.Itoa(n) != digits || n < 0 {
		return r.fail(at+len(key)+1, Syntax, "a number without leading zeros", "%q is no number of facts", clip(digits))
	}
	for i := range n {
		fact, at, ok := r.textLine()
		if !ok {
			return r.fail(at, Syntax, "", "the group %q declares %d facts, the text ends behind %d", key, n, i)
		}
		id, content, ok := strings.Cut(fact, " ")
		if !ok {
			return r.fail(at, Syntax, "a fact is its id, one space and its text", "a space is missing in %q", clip(fact))
		}
		contentAt := at + len(id) + 1
		if id, ok = r.lineText(id, at, true); !ok {
			return false
		}
		if content, ok = r.lineText(content, contentAt, false); !ok {
			return false
		}
		r.fact(id, content)
	}
	return r.endGroup(at)
}

// plainLine are the bytes that a text on a line holds as they are, whatever
// follows.
var plainLine = func() (t [256]bool) {
	for c := 0x20; c < 0x100; c++ {
		t[c] = c != '\\' && c != 0x7f && c != 0xc2 && c != 0xe2
	}
	return t
}()

// lineText decodes a text or id. What the form escapes must be escaped.
func (r *reader) lineText(s string, at int, id bool) (string, bool) {
	switch {
	case id && s == "":
		return "", r.fail(at, Syntax, `an empty id is written \e`, "an id is missing")
	case id && s == `\e`:
		return "", true
	case s != "" && (s[0] == ' ' || s[len(s)-1] == ' '):
		return "", r.fail(at, Syntax, `a space at either end of a text is written \s`, "a space at the end of a text")
	}
	escapes := false
	for i := range len(s) {
		if plainLine[s[i]] {
			continue
		}
		switch c := s[i]; {
		case c == '\\':
			escapes = true
		case c < ' ' || c == 0x7f:
			return "", r.fail(at+i, Syntax, "write it as an escape", "a control character, U+%04X, in a text", c)
		case strings.HasPrefix(s[i:], "\u0085") || strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029"):
			return "", r.fail(at+i, Syntax, "write it as an escape", "a line end in a text")
		}
	}
	if !escapes {
		return s, true
	}
	return r.unescape(s, at, linesLetters)
}
