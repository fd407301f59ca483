package imitation

import "strings"

// Own is which headings a text has of its own, as far as others depend on it.
type Own uint8

const (
	// Has: a line of it may be read as a heading.
	Has Own = 1 << iota
	// Opens: its first line is one of the first or second level.
	Opens
)

// OwnOf looks for what a reader may take for a heading, marked by `#` or underlined:
// within a block of code too, since not all readers know where that ends. It finds one
// too many rather than one too few.
func OwnOf(text string) Own {
	blank := true // the line before
	for l := range Lines(text) {
		line := text[l.Start:l.End]
		switch level := headingLevel(line); {
		case level > 0 && level <= 2 && l.Start == 0:
			return Has | Opens
		case level > 0, !blank && underlines(line):
			return Has
		}
		blank = strings.TrimSpace(line) == ""
	}
	return 0
}

// headingLevel is the number of marks of a line that is a heading; 0 when it is
// none.
func headingLevel(line string) int {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	line = line[indent:]
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if indent > 3 || level > 6 || len(line) > level && line[level] != ' ' && line[level] != '\t' {
		return 0
	}
	return level
}

// underlines reports whether a line makes the one before it a heading.
func underlines(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
