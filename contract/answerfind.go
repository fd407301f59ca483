package contract

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// attempt is what came of reading an answer at some place.
type attempt struct {
	root   tree
	begin  int
	end    int // behind the answer
	format Format
	reader *reader // with the error, if there was one
}

// found are the places in a text that may hold the answer.
type found struct {
	complete []attempt // with a kind and facts
	partial  *attempt  // the first with one of the two
	best     *attempt  // the attempt that explains best why there is no answer
	drafts   string    // the first reasoning tag whose text was skipped
	cut      bool      // the rest of the text was too much work
}

// find looks for the answer in the text and checks it. Text within reasoning tags is a draft
// and never an answer. Of two complete answers none is taken, unless they are the same.
func (k *checker) find() {
	want := k.contract.output.Format
	f := k.search(want)
	switch n := len(f.complete); {
	case n > 0:
		a := &f.complete[0]
		for i := range f.complete[1:] {
			if b := &f.complete[i+1]; k.text[a.begin:a.end] != k.text[b.begin:b.end] {
				k.add(AnswerSeveral, b.begin, "write one answer, and nothing else", "this is answer %d of %d, and differs from the first", i+2, n)
				return
			}
		}
		if f.cut {
			k.add(AnswerSeveral, a.end, "write one answer, and nothing else", "too many braces follow the answer to see whether another one is among them")
			return
		}
		k.wrapped(a)
		k.check(&a.root)
	case f.partial != nil:
		k.wrapped(f.partial)
		k.check(&f.partial.root)
	case f.best == nil:
		hint := ""
		if _, other := nextOpening(k.text, 0, NoFormat); other != NoFormat && other != want {
			hint = "it looks like " + other.String()
		}
		asked := "edn, json or xml"
		if want != NoFormat {
			asked = want.String()
		}
		if f.drafts != "" {
			asked += " outside " + f.drafts
			hint = ""
		}
		k.add(AnswerParse, firstWord(k.text), hint, "there is no answer in %s", asked)
	case f.best.reader.err != nil:
		k.add(AnswerParse, f.best.reader.errAt, f.best.reader.err.Hint, "%s", f.best.reader.err.Message)
	default:
		k.check(&f.best.root)
	}
}

// search tries each place where an answer may begin. All tries together cost at most four
// passes over a long text.
func (k *checker) search(want Format) (f found) {
	work := 4*len(k.text) + 1<<16
	blamed := 0 // the end of the braces of the best attempt
	begin, format := nextOpening(k.text, 0, want)
	for from := 0; ; {
		if begin >= 0 && begin < from {
			begin, format = nextOpening(k.text, from, want)
		}
		end := begin
		if begin < 0 {
			end = len(k.text)
		}
		if r, at := nextReasoning(k.text[:end], from); r != nil {
			if !r.opens(k.text[at:]) {
				// A template may write the opening tag itself: all before is a draft.
				f, blamed, from = found{drafts: r.begin}, 0, at+len(r.end)
				continue
			}
			f.drafts = cmp.Or(f.drafts, r.begin)
			from = r.skip(k.text, at)
			continue
		}
		if begin < 0 {
			return f
		}
		if work < 0 {
			f.cut = true
			return f
		}
		a := k.try(begin, format)
		work -= a.furthest() - begin + 1
		if a.reader.err == nil {
			if emit, facts := a.root.answers(); emit && facts {
				f.complete = append(f.complete, a)
				from = a.end
				continue
			} else if (emit || facts) && f.partial == nil {
				f.partial = &a
			}
		}
		// An error in braces explains more than braces within them; of others the one that
		// was read furthest is probably what was meant.
		if f.best == nil || begin >= blamed && a.furthest() > f.best.furthest() {
			f.best, blamed = &a, begin
			if a.reader.err != nil {
				blamed = closing(k.text, begin)
			}
		}
		from = begin + 1
	}
}

// closing is the end of the braces that begin at a place, or of the text.
func closing(text string, begin int) int {
	depth := 0
	for i := begin; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
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
			case strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "\u201c"):
				format = FormatJSON
			case bareName(rest) > 0:
				// A name without its quotes or its colon.
				name := rest[:bareName(rest)]
				if strings.HasPrefix(rest[len(name):], ":") {
					format = FormatJSON
				} else if _, ok := ednNames[name]; ok {
					format = FormatEDN
				}
			case rest == "" || rest[0] == '}' || rest[0] == ';':
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

// bareName is the length of the word of ASCII letters and signs that a text begins with.
func bareName(s string) int {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && (s[n] == '_' || s[n] == '-')) {
		n++
	}
	return n
}

// ednNames are the parts of an answer in EDN, without their colons.
var ednNames = map[string]bool{ednTree.emit[1:]: true, ednTree.key[1:]: true, ednTree.facts[1:]: true}

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
