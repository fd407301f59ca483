package contract

import (
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// maxTries is how many places in a text are tried as the beginning of the
// answer. Each may cost a pass over the text.
const maxTries = 16

// attempt is what came of reading an answer at some place.
type attempt struct {
	root   tree
	begin  int
	end    int // behind the answer
	format Format
	reader *reader // with the error, if there was one
}

// find looks for the answer in the text and checks it.
func (k *checker) find() {
	want := k.contract.output.Format
	var best *attempt
	from := 0
	for range maxTries {
		begin, format := nextOpening(k.text, from, want)
		if begin < 0 {
			break
		}
		a := k.try(begin, format)
		if a.reader.err == nil && a.root.isAnswer() {
			k.wrapped(&a)
			k.check(&a.root)
			return
		}
		// What was read furthest is probably what was meant.
		if best == nil || a.furthest() > best.furthest() {
			best = &a
		}
		from = begin + 1
	}
	switch {
	case best == nil:
		hint := ""
		if _, other := nextOpening(k.text, 0, NoFormat); other != NoFormat {
			hint = "it looks like " + other.String()
		}
		asked := "edn, json or xml"
		if want != NoFormat {
			asked = want.String()
		}
		k.add(AnswerParse, firstWord(k.text), hint, "there is no answer in %s", asked)
	case best.reader.err != nil:
		k.add(AnswerParse, best.reader.errAt, best.reader.err.Hint, "%s", best.reader.err.Message)
	default:
		k.check(&best.root)
	}
}

// try reads an answer at a place.
func (k *checker) try(begin int, format Format) attempt {
	r := &reader{text: k.text, at: begin, lenient: true}
	a := attempt{begin: begin, format: format, reader: r}
	switch format {
	case FormatEDN:
		a.root, _ = r.ednTree(1)
	case FormatJSON:
		a.root, _ = r.jsonTree(1)
	case FormatXML:
		a.root, _ = r.xmlTree()
	}
	a.end = r.at
	return a
}

func (a *attempt) furthest() int {
	if a.reader.err != nil {
		return a.reader.errAt
	}
	return a.end
}

// nextOpening is the next place where an answer may begin, and in which format;
// -1 for none.
func nextOpening(text string, from int, want Format) (int, Format) {
	for i := from; i < len(text); i++ {
		c := text[i]
		if c != '{' && c != '<' {
			continue
		}
		format := NoFormat
		if c == '<' {
			if strings.HasPrefix(text[i:], "<answer") {
				format = FormatXML
			}
		} else {
			k := i + 1
			for k < len(text) && (text[k] == ' ' || text[k] == '\t' || text[k] == '\r' || text[k] == '\n' || text[k] == ',') {
				k++
			}
			switch rest := text[k:]; {
			case strings.HasPrefix(rest, ":"):
				format = FormatEDN
			case strings.HasPrefix(rest, `"`):
				format = FormatJSON
			case rest == "" || rest[0] == '}' || rest[0] == ';' || rest[0] == '\'':
				// An empty map, or one that is wrong from its beginning.
				format = want
				if want == NoFormat || want == FormatXML {
					format = FormatJSON
				}
			}
		}
		if format != NoFormat && (want == NoFormat || format == want) {
			return i, format
		}
	}
	return -1, NoFormat
}

// firstWord is where the text begins that isn't white space.
func firstWord(text string) int { return len(text) - len(strings.TrimLeft(text, " \t\r\n\ufeff")) }

// wrapped warns when there is other text around an answer.
func (k *checker) wrapped(a *attempt) {
	before, after := strings.TrimSpace(k.text[:a.begin]), strings.TrimSpace(k.text[a.end:])
	if a.format == FormatXML && strings.HasPrefix(before, "<?xml") && strings.HasSuffix(before, "?>") && strings.Count(before, "<") == 1 {
		before = "" // a declaration is a part of it
	}
	if before == "" && after == "" {
		return
	}
	at := a.end + len(k.text[a.end:]) - len(strings.TrimLeft(k.text[a.end:], " \t\r\n"))
	if before != "" {
		at = firstWord(k.text)
	}
	in := "other text"
	if strings.HasSuffix(before, "```") || strings.HasPrefix(after, "```") || strings.Contains(lastLine(before), "```") {
		in = "a code fence"
	}
	k.note(cento.SeverityWarning, AnswerWrapped, at, "ask for the answer alone", "the answer stands in %s, with %d characters before and %d after it",
		in, utf8.RuneCountInString(before), utf8.RuneCountInString(after))
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }
