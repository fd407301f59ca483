package strict

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento"
)

// What the parser tells is where it could go no further and what it wanted there. Whoever
// wrote the file meant something else, most often a text: this file finds the place where
// the two parted, and says what to write.

const (
	quoteIt  = "put the text between quotes, or into a block after |"
	indentIt = "check that this line is indented as those it belongs to"
	settleIt = "settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge"
	partIt   = "part what stands between brackets by commas and close them; a text that holds one of , [ ] { } stands between quotes"
)

// advise gives an error of the parser the place and the advice that its cause is known by.
func advise(e *cento.SourceError, src *source, off int, load *yaml.LoadError) {
	begun := off
	if load.ContextMark.Line > 0 {
		begun = src.offset(load.ContextMark.Line, load.ContextMark.Column)
	}
	start := strings.LastIndexByte(src.text[:off], '\n') + 1
	line, _, _ := strings.Cut(src.text[start:], "\n")
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	at := func(off int, message, hint string) {
		e.Position, e.Message, e.Hint, e.Related = src.position(off), message, hint, nil
	}
	// upTo is where the parser stopped, for what begins some lines above. The end of the
	// file is that of its last line, not a line behind it.
	upTo := func() {
		if src.position(off).Line <= e.Position.Line+1 {
			return
		}
		stop := off
		if text := src.text[:off]; off == len(src.text) {
			stop = len(strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
		}
		e.Related = []cento.Related{{Position: src.position(stop), Message: "read up to here"}}
	}
	if mark := conflict(src.text, start); mark >= 0 {
		at(mark, "not readable as YAML: a line of a merge conflict", settleIt)
		return
	}
	value := misread(line, off-start)
	switch says := load.Message; {
	case strings.Contains(line[:indent], "\t"):
		at(start+strings.IndexByte(line, '\t'), "a tab in the indentation", "YAML is indented by spaces")
	case value >= 0:
		mark, what := markOf(src.text[start+value:])
		at(start+value, "a text that begins with "+mark+" is taken for "+what, bracesHint(src.text, start+value))
	case strings.Contains(says, "unknown anchor"):
		at(off, "a text that begins with * is taken for an alias", quoteIt)
	case strings.Contains(says, "mapping values are not allowed"):
		if strings.Contains(line[:off-start], ": ") {
			e.Hint = `put a text that holds ": " between quotes, or into a block after |`
			break
		}
		e.Position = src.position(start + indent)
		e.Hint = `indent a key as the one above it; a text that holds ": " stands between quotes, or in a block after |`
	case strings.Contains(says, "cannot start any token"):
		e.Hint = "put a text that begins with this character between quotes"
	case strings.Contains(says, "block sequence entries are not allowed"):
		e.Hint = `begin a list on a line of its own; put a text that begins with "- " between quotes`
	case strings.Contains(says, "expected comment or line break"):
		e.Hint = "the text of a block begins on the next line; put a text that begins with " + src.text[begun:begun+1] + " between quotes"
	case strings.Contains(says, "did not find expected key") && off > start+indent:
		behindValue(e, src, start, off)
	case strings.Contains(says, "did not find expected key"), strings.Contains(says, "did not find expected '-'"):
		e.Hint = indentIt
	case strings.Contains(says, "could not find expected ':'"):
		at(begun, "not readable as YAML: a key without a colon", keyHint(src.text, begun))
		upTo()
	case strings.Contains(says, "escape"):
		e.Hint = `a backslash itself is written \\ between double quotes, and as it is between single quotes`
	case strings.Contains(load.ContextMsg, "quoted scalar"):
		at(begun, "not readable as YAML: a text is not closed", "close the quotes where the text ends")
		upTo()
	case strings.Contains(says, "expected ',' or"):
		e.Hint = partIt
		if strings.HasPrefix(src.text[off:], ":") && strings.Contains(line[:off-start], ": ") {
			e.Hint = `put a text that holds ": " between quotes; a comma stands before a further key`
		}
	case strings.Contains(says, "expected node content"):
		noValue(e, src, off)
	case strings.Contains(says, "mapping keys are not allowed"):
		e.Hint = `put a text that begins with "? " between quotes`
	case begun < len(src.text) && strings.IndexByte("%&*!", src.text[begun]) >= 0: // directives, anchors, aliases, tags
		e.Hint = "put a text that begins with " + src.text[begun:begun+1] + " between quotes"
	}
	if e.Hint == "" {
		e.Hint = "YAML reads marks such as : - # [ { & * ! as its own; a text with them stands between quotes, or in a block after |"
	}
}

// noValue words an error where a value is wanted and a mark stands, or nothing at all.
func noValue(e *cento.SourceError, src *source, off int) {
	open := openBracket(src.text, off)
	switch rest := strings.TrimSpace(src.text[off:]); {
	case open >= 0 && rest == "":
		what, end := "list", "]"
		if src.text[open] == '{' {
			what, end = "map", "}"
		}
		e.Position, e.Related = src.position(open), nil
		e.Message, e.Hint = "not readable as YAML: a "+what+" is not closed", "write "+end+" where it ends"
	case open >= 0:
		e.Message, e.Hint = "not readable as YAML: expected a value, got "+strconv.Quote(rest[:1]), partIt
		e.Related = []cento.Related{{Position: src.position(open), Message: "begun here"}}
	case rest != "" && strings.IndexByte("]}", rest[0]) >= 0:
		e.Message = "not readable as YAML: expected a value, got " + strconv.Quote(rest[:1])
		e.Hint = "it closes nothing: take it out, or put a text that begins with it between quotes"
	case rest != "" && rest[0] == ',':
		e.Message = `not readable as YAML: expected a value, got ","`
		e.Hint = "put a text that begins with it between quotes"
	}
}

// maxBrackets is how many brackets are looked at in search of the one that is open.
const maxBrackets = 100

// openBracket is where the innermost list or map in brackets begins that isn't closed
// before a place of a text; below 0 for none.
func openBracket(text string, stop int) int {
	from := stop
	for range maxBrackets {
		if from = strings.LastIndexAny(text[:from], "[{"); from < 0 {
			break
		}
		if begins := strings.TrimRight(text[:from], " \n"); begins != "" && strings.IndexByte(":-,[{", begins[len(begins)-1]) < 0 {
			continue // within a text
		}
		if isOpen(text[from:stop]) {
			return from
		}
	}
	return -1
}

// isOpen reports whether the bracket that a text begins with is open at its end. Brackets
// between quotes and in comments are none.
func isOpen(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '"' || c == '\'') && strings.IndexByte(" ,[{\n", text[i-1]) >= 0:
			i += quotedLen(text[i:]) - 1
		case c == '#' && (text[i-1] == ' ' || text[i-1] == '\n'):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return true
			}
			i += end
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return false
			}
		}
	}
	return true
}

// misread is where a value of a line that begins up to the place where the parser stopped
// begins as a text and is taken for something else; below 0 for nowhere. What stands
// between quotes is taken for nothing else.
func misread(line string, stop int) int {
	found, begins := -1, true
	for i := 0; i < min(stop+1, len(line)); i++ {
		before := line[:i]
		switch c := line[i]; {
		case (c == '"' || c == '\'') && (begins || strings.IndexByte(" ,[{", line[i-1]) >= 0):
			i += quotedLen(line[i:]) - 1
		case begins, strings.HasSuffix(before, ": "), strings.HasSuffix(before, ", "):
			if mark, _ := markOf(line[i:]); mark != "" {
				found = i
			}
		}
		begins = begins && (line[i] == ' ' || line[i] == '-')
	}
	return found
}

// quotedLen is how long a text between quotes is with them, as far as the line goes.
func quotedLen(text string) int {
	for k := 1; k < len(text); k++ {
		switch {
		case text[k] == '\\' && text[0] == '"':
			k++
		case text[k] != text[0]:
		case text[0] == '\'' && strings.HasPrefix(text[k+1:], "'"):
			k++
		default:
			return k + 1
		}
	}
	return len(text)
}

// markOf is what a text begins with that YAML has a meaning for and people don't, and the
// meaning.
func markOf(text string) (mark, what string) {
	if strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "{%") {
		return text[:2], "a map"
	}
	return "", ""
}

// bracesHint says what to write where a text begins with braces: a condition has none,
// any other text stands between quotes.
func bracesHint(text string, off int) string {
	before := strings.TrimRight(text[:off], " ")
	key, is := strings.CutSuffix(before, "when:")
	if !is || strings.TrimRight(key, " {,-\n") == key && key != "" {
		return quoteIt
	}
	line, _, _ := strings.Cut(text[off:], "\n")
	inner, ok := InBraces(line)
	if !ok {
		return "a condition is an expression without braces, such as tool('x')"
	}
	if strings.IndexByte("'\"[!&*%@`", inner[0]) >= 0 || strings.Contains(inner, ": ") || strings.Contains(inner, " #") {
		if strings.ContainsAny(inner, `"\`) {
			inner = "'" + strings.ReplaceAll(inner, "'", "''") + "'"
		} else {
			inner = `"` + inner + `"`
		}
	}
	return WithoutBraces + inner
}

// behindValue words an error at a text that stands behind a value on its line.
func behindValue(e *cento.SourceError, src *source, start, off int) {
	_, value, ok := strings.Cut(src.text[start:off], ": ")
	if !ok {
		value = strings.TrimLeft(src.text[start:off], " -")
	}
	value = strings.TrimLeft(value, " ")
	if value == "" || !strings.ContainsRune(`"'[{`, rune(value[0])) {
		e.Hint = indentIt
		return
	}
	e.Message = "not readable as YAML: more text behind the end of the value"
	e.Related = []cento.Related{{Position: src.position(off - len(value)), Message: "the value begins here"}}
	switch value[0] {
	case '\'':
		e.Hint = "within single quotes one is written ''; " + quoteIt
	case '"':
		e.Hint = `within double quotes one is written \"; put the whole text between quotes, or into a block after |`
	default:
		e.Hint = quoteIt
	}
}

// keyHint says what a line lacks that begins as a key does and has no colon behind it.
func keyHint(text string, off int) string {
	line, _, _ := strings.Cut(text[off:], "\n")
	above := strings.TrimRight(text[:off], " \n")
	key, _, colon := strings.Cut(line, ":")
	switch {
	case strings.HasSuffix(above, ": |"), strings.HasSuffix(above, ": >"):
		return "indent the lines of a block deeper than its key"
	case colon && !strings.Contains(key, " "):
		return "write a blank behind the colon"
	case strings.Contains(line, " = "):
		return "write a colon for ="
	}
	return "a key is followed by a colon and a blank"
}

// conflict is the first line that a merge left where two changes met, up to the line
// that begins at a place; below 0 for none. A row of = underlines headings as well, so it
// counts only where the parser stopped, or right before.
func conflict(text string, stop int) int {
	above := strings.LastIndexByte(text[:max(stop-1, 0)], '\n') + 1
	for from := 0; from <= stop && from < len(text); {
		line, _, _ := strings.Cut(text[from:], "\n")
		switch mark, _, _ := strings.Cut(strings.TrimSuffix(line, "\r"), " "); mark {
		case "<<<<<<<", ">>>>>>>", "|||||||":
			return from
		case "=======":
			if from >= above {
				return from
			}
		}
		from += len(line) + 1
	}
	return -1
}
