package lint

import (
	"iter"
	"strings"
)

// A proseLine is a line of a text that people and models read as words.
type proseLine struct {
	offset int    // in the text
	text   string // with its end; what of it is a comment is blanks
	bare   string // without white space around it
}

// prose are the lines of a text but those of code blocks and comments.
func prose(text string) iter.Seq[proseLine] {
	return func(yield func(proseLine) bool) {
		fence := ""      // what opened the block of code
		comment := false // a comment goes on
		item := false    // a list goes on, whose paragraphs are indented
		offset := 0
		for line := range strings.Lines(text) {
			start := offset
			offset += len(line)
			indented := line[0] == '\t' || strings.HasPrefix(line, "    ")
			if fence == "" {
				line, comment = withoutComments(line, comment)
			}
			bare := strings.TrimSpace(line)
			if next := fenceBehind(fence, bare); fence != "" || next != "" {
				fence = next
				continue
			}
			switch {
			case bare == "":
			case indented:
				if !item {
					continue // a block of code without a fence
				}
			case line[0] != ' ':
				item = isItem(bare)
			}
			if !yield(proseLine{start, line, bare}) {
				return
			}
		}
	}
}

// fenceBehind is what opened the block of code that goes on behind a line, by what did
// before it; empty for none. The line has no white space around it.
func fenceBehind(fence, bare string) string {
	switch {
	case fence != "":
		if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
			return ""
		}
	case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
		return bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
	}
	return fence
}

// withoutComments blanks the comments of a line. One that isn't closed on its line is
// one only where it begins the line: elsewhere it is more likely written about.
func withoutComments(line string, inside bool) (string, bool) {
	const open, end = "<!--", "-->"
	var out []byte // nil as long as nothing was blanked
	for at := 0; ; {
		from := at
		if !inside {
			i := strings.Index(line[at:], open)
			if i < 0 {
				break
			}
			from += i
		}
		to := strings.Index(line[from:], end)
		if to < 0 {
			if inside = inside || strings.TrimSpace(line[:from]) == ""; inside {
				out = blank(out, line, from, len(line))
			}
			break
		}
		at, inside = from+to+len(end), false
		out = blank(out, line, from, at)
	}
	if out == nil {
		return line, inside
	}
	return string(out), inside
}

// blank puts blanks for a stretch of a line into its copy, which is made when there is
// none; the end of the line stays.
func blank(out []byte, line string, from, to int) []byte {
	if out == nil {
		out = []byte(line)
	}
	for i := from; i < to; i++ {
		if line[i] != '\n' && line[i] != '\r' {
			out[i] = ' '
		}
	}
	return out
}
