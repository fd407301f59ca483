package outline

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
)

// word stands for what is typed of a name in an expression: a mark of letters. No text
// has it.
const word = "ⵣcursorⵣ"

// AskedAt tells which name is typed at a byte of a prompt file's tag, or of a condition
// of a YAML text: its kind, and what of it stands before the byte. It is false where none
// is. The expression needn't be whole: what it leaves open is closed.
func AskedAt(text string, off int, prompt bool) (Cursor, Kind, bool) {
	if off > len(text) || len(text) > cento.DefaultLimits().File || strings.Contains(text, word) {
		return Cursor{}, "", false
	}
	var kind Kind
	var typed string
	if prompt {
		before, in := inTag(text, off)
		if !in {
			return Cursor{}, "", false
		}
		kind, typed = askedInTag(before)
	} else {
		kind, typed = askedInCondition(text, off)
	}
	start := off - len(typed)
	if kind == "" || start < 0 || text[start:off] != typed {
		return Cursor{}, "", false
	}
	return Cursor{Value: true, Start: start, End: off, Typed: typed}, kind, true
}

// askedInTag is the name that a tag asks for at its end.
func askedInTag(before string) (Kind, string) {
	open := before + word + closing(before[len("{{"):])
	for _, end := range [][2]string{{"", " }}"}, {"", " %}"}, {"", " %}{% end" + firstWord(before) + " %}"}, {"{% if 1 %}", " %}{% endif %}"}, {"", " import x %}"}, {"", " as x %}"}} {
		t, err := language().Parse(jinja.Source{Text: end[0] + open + end[1]})
		if err != nil {
			continue
		}
		for _, l := range t.Links() {
			if typed, _, here := strings.Cut(l.Text, word); here {
				return Reference, typed
			}
		}
		if kind, typed := askedFor(t); kind != "" {
			return kind, typed
		}
	}
	return "", ""
}

// firstWord is the word that a tag begins with.
func firstWord(tag string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(tag, "{%-+ \t\r\n"), " ")
	return name
}

// askedInCondition is the name that a condition asks for at a byte of a YAML text.
func askedInCondition(text string, off int) (Kind, string) {
	line := strings.LastIndexByte(text[:off], '\n') + 1
	rest := text[off:]
	ofLine, _, _ := strings.Cut(rest, "\n")
	brackets := closers(text[line:off])
	for _, quote := range []string{"", `"`, "'"} {
		for _, behind := range []string{rest, ofLine, quote + brackets, quote + closers(strings.ReplaceAll(text[line:off], "'", ""))} {
			root, err := read("", text[:off]+word+behind)
			if err != nil {
				continue
			}
			condition, found := conditionWith(root, nil)
			if !found {
				continue
			}
			before, after, _ := strings.Cut(condition, word)
			for _, end := range []string{after, closing(before)} {
				x, err := language().ParseExpr(jinja.Source{Text: before + word + end})
				if err != nil {
					continue
				}
				if kind, typed := askedFor(x); kind != "" {
					return kind, typed
				}
			}
		}
	}
	return "", ""
}

// conditionWith is the condition that has the mark.
func conditionWith(n *strict.Node, path []string) (string, bool) {
	if s, is := n.Text(); is && strings.Contains(s, word) && KindAt(path, false) == Condition {
		return s, true
	}
	for i := range n.Items() {
		if s, found := conditionWith(&n.Items()[i], append(path, Item)); found {
			return s, true
		}
	}
	for k, v := range n.Members() {
		name, _ := k.Text()
		if s, found := conditionWith(v, append(path, name)); found {
			return s, true
		}
	}
	return "", false
}

// askedFor is the name with the mark that an expression asks for.
func askedFor(x expression) (Kind, string) {
	for _, n := range namesIn(x, asIs) {
		if typed, _, here := strings.Cut(n.Name, word); here {
			return n.Kind, typed
		}
	}
	return "", ""
}

// closing is what an expression leaves open, as it would be closed.
func closing(before string) string {
	quote, brackets := leftOpen(before, "()[]{}", `"'`)
	return quote + brackets
}

// leftOpen is what a text leaves open: a quote, and brackets, as they would be closed.
// Brackets are the pairs that count; in a text between quotes that escape, what stands
// behind a backslash is no end.
func leftOpen(text, brackets, escape string) (quote, closers string) {
	var open []byte
	var in byte // the quote that is open
	for i := 0; i < len(text); i++ {
		at := strings.IndexByte(brackets, text[i])
		switch b := text[i]; {
		case in != 0 && b == '\\' && strings.IndexByte(escape, in) >= 0:
			i++
		case in != 0:
			if b == in {
				in = 0
			}
		case b == '"' || b == '\'':
			in = b
		case at < 0:
		case at%2 == 0:
			open = append(open, brackets[at+1])
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	if in != 0 {
		quote = string(in)
	}
	return quote, string(open)
}
