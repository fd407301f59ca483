package strict

import (
	"strings"

	"github.com/cento-dev/cento"
)

// Front is the front matter of a text, by its bytes.
type Front struct {
	// Root is its map; of the kind [Null] where it is empty. Nil where it can't be read.
	Root *Node
	// From and To are what stands between the rulers, and Body is where the text begins
	// behind them: 0 for a text without front matter.
	From, To, Body int
}

// FrontMatter finds the front matter of a text.
//
// It is there when line 1 is exactly `---`, a later line is `---`, and what stands
// between is a YAML map, or nothing but blanks and comments. Otherwise all of it is text,
// since `---` is a ruler in Markdown. A block that begins like a map and isn't valid YAML
// is an error: to print it would be the surprise. Places are those of the whole text.
func FrontMatter(name, text string, limits cento.Limits) (Front, error) {
	var f Front
	if f.From, f.To, f.Body = Rulers(text); f.Body == 0 {
		return Front{}, nil
	}
	block := text[f.From:f.To]
	if SaysNothing(block) {
		block = ""
	}
	// An empty line stands for the first ruler, so that places are right.
	root, err := YAML(name, []byte("\n"+block), limits)
	switch {
	case err != nil && looksLikeMap(block):
		return f, err
	case err != nil, root.Kind() != Map && block != "":
		return Front{}, nil
	}
	f.Root = root
	return f, nil
}

// Rulers finds what stands between two lines `---`, the first of which begins the text,
// and where the text goes on behind them: 0 where there are no two. A byte order mark and
// line ends of CRLF don't count.
func Rulers(text string) (from, to, body int) {
	const mark = "\ufeff"
	at := 0
	if strings.HasPrefix(text, mark) {
		at = len(mark)
	}
	for first := true; at < len(text); first = false {
		line, _, ended := strings.Cut(text[at:], "\n")
		next := at + len(line)
		if ended {
			next++
		}
		switch ruler := strings.TrimSuffix(line, "\r") == "---"; {
		case first && (!ruler || !ended):
			return 0, 0, 0
		case first:
			from = next
		case ruler:
			return from, at, next
		}
		at = next
	}
	return 0, 0, 0
}

// Behind returns the lines between the rulers of a text that begins with front matter, be
// they YAML or not, and where the text goes on behind them; 0 for a text without. Lines
// that begin with no key are text between two rulers of Markdown.
func Behind(text string) (block string, body int) {
	from, to, body := Rulers(text)
	if block = text[from:to]; body == 0 || !SaysNothing(block) && !looksLikeMap(block) {
		return "", 0
	}
	return block, body
}

// SaysNothing reports whether there is nothing in a block but blanks and comments.
func SaysNothing(block string) bool {
	for line := range strings.Lines(block) {
		if line = strings.Trim(line, " \t\r\n"); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// looksLikeMap reports whether the first line that says anything begins as a member of a
// map does.
func looksLikeMap(block string) bool {
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		return ok && (value == "" || value[0] == ' ') && key != "" && key[0] != '_' && !strings.ContainsAny(key, " \t`*[](){}")
	}
	return false
}
