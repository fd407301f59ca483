package pack

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// FrontMatterText is the note that a prompt file has what reads as front matter and is
// none, so that it is text of the prompt.
const FrontMatterText cento.Code = "frontmatter.text"

// FrontMatterComments is the note that the front matter of a prompt file has comments
// alone, which are in no prompt: headings of Markdown between two rulers read the same.
const FrontMatterComments cento.Code = "frontmatter.comments"

// frontNote is the note on what only looks like front matter, or only looks like text.
func (p *parsed) frontNote() (cento.Note, bool) {
	if !p.front.Origin.IsZero() {
		from, to, _ := strict.Rulers(p.src.Text)
		block := p.src.Text[from:to]
		if !strict.SaysNothing(block) || strings.TrimSpace(block) == "" {
			return cento.Note{}, false
		}
		at := from + len(block) - len(strings.TrimLeft(block, " \t\r\n"))
		return cento.Note{
			Code: FrontMatterComments, Position: cento.Position{File: p.src.Ref.Path(), Line: 1, Column: 1}.After(p.src.Text[:at]),
			Message: "the front matter has comments alone, which are in no prompt; begin the file with an empty line if they are text",
		}, true
	}
	at, reason, ok := meantFront(p.src.Text)
	if !ok {
		return cento.Note{}, false
	}
	return cento.Note{
		Code: FrontMatterText, Position: cento.Position{File: p.src.Ref.Path(), Line: 1, Column: 1}.After(p.src.Text[:at]),
		Message: "what reads as front matter is text of the prompt: " + reason,
	}, true
}

// meantFront finds in a text without front matter what somebody meant as such: where
// that goes wrong, in bytes, and how. It is a block of lines `key: value`, one with a
// known key or one near to it, below what is a ruler or nearly one; a block without that
// has to begin the text and to end in a ruler. Who only writes a ruler, or a line with a
// colon, gets no note.
func meantFront(text string) (at int, reason string, ok bool) {
	at, blank := skipAbove(text)
	opener, rest, _ := strings.Cut(text[at:], "\n")
	if !nearRuler(opener) {
		b := readMeant(text[at:], slices.Contains[[]string])
		if !blank || !b.known || !nearRuler(b.closer) {
			return 0, "", false
		}
		return at, "no line --- begins it", true
	}
	from := len(text) - len(rest)
	b := readMeant(rest, func(known []string, key string) bool {
		_, near := nearest.Name(key, known)
		return near
	})
	_, _, behind := strict.Rulers("---\n" + rest)
	closed := behind > 0
	switch {
	case !b.known, !blank && !closed:
		return 0, "", false
	case at > 0:
		return at, "it doesn't begin on the first line", true
	case opener != "---":
		off, reason := notRuler(opener)
		return off, reason, true
	case b.joined >= 0:
		return from + b.joined, "no blank stands behind the colon", true
	case closed:
		return from, "it is no map of keys", true
	case b.closer != "":
		off, reason := notRuler(b.closer)
		return from + b.end + off, reason, true
	}
	return 0, "no line --- ends it", true
}

// meantBlock is what may have been meant as the inside of front matter.
type meantBlock struct {
	known  bool   // a line has a key of front matter
	joined int    // in bytes, of the first value that follows its colon without a blank; else -1
	closer string // the line that ends it, where that is a ruler, nearly one, or the end of a document
	end    int    // in bytes, where that line begins
}

// memberLine is a line of a map as YAML has it, or nearly; that of TOML too.
var memberLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*([A-Za-z][A-Za-z_-]*)[ \t]*[:=](.*)$`)
})

// readMeant reads lines of a map, as far as they go. isKey reports whether a name is one
// of the known ones.
func readMeant(text string, isKey func(known []string, name string) bool) meantBlock {
	b := meantBlock{joined: -1}
	at := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		m := memberLine().FindStringSubmatchIndex(line)
		switch {
		case nearRuler(line), strings.TrimSpace(line) == "...":
			b.closer, b.end = line, at
			return b
		case m != nil:
			if isKey(frontKeys(), line[m[2]:m[3]]) {
				b.known = true
				if value := line[m[4]:]; b.joined < 0 && line[m[4]-1] == ':' && value != "" && !strings.HasPrefix(value, " ") && !strings.HasPrefix(value, "\t") {
					b.joined = at + m[4]
				}
			}
		case strings.TrimSpace(line) == "", strings.ContainsAny(line[:1], " \t#-"):
		default:
			return b
		}
		at += len(line) + 1
	}
	return b
}

// skipAbove is where a text begins, behind blank lines, headings and comments of one
// line; blank tells that there is nothing but blank lines.
func skipAbove(text string) (at int, blank bool) {
	blank = true
	for line := range strings.Lines(text) {
		switch s := strings.TrimFunc(line, isBlank); {
		case s == "":
		case s[0] == '#', strings.HasPrefix(s, "{#") && strings.HasSuffix(s, "#}"), strings.HasPrefix(s, "<!--") && strings.HasSuffix(s, "-->"):
			blank = false
		default:
			return at, blank
		}
		at += len(line)
	}
	return at, blank
}

// ruler is what people write for a line `---`, and what programs make of it: dashes
// of another number or kind, the name of a language behind them, the mark of TOML.
var ruler = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:-{2,}|[—–]+-?|-{3}[ \t]*[a-z]+|\+{3})$`)
})

func nearRuler(line string) bool { return ruler().MatchString(strings.TrimFunc(line, isBlank)) }

// notRuler says why a line isn't `---`, and where in it.
func notRuler(line string) (at int, reason string) {
	if strings.HasPrefix(line, "---") && strings.TrimFunc(line[3:], isBlank) == "" {
		return 3, "blanks stand behind this ---"
	}
	return 0, "the line " + quote(line) + " isn't ---"
}

// isBlank: white space, and the mark that programs leave where they join files.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }
