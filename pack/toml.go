package pack

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Wording as TOML is one table of texts, so this file reads that much of TOML and
// no more: the header [prompt], dotted keys, comments, and the four forms of
// strings. Anything else is an error that says so.
//
// It doesn't ask a TOML library, since those hand a string over decoded: where
// each of its bytes stands behind an escape or a joined line isn't told any more,
// and every byte of a prompt has a place. A library is the oracle of the tests.

// tomlReader walks over a text and keeps where everything stands.
type tomlReader struct {
	name, text string
	at         int
	trust      cento.Trust
	wording    *Wording
	first      map[string]cento.Position

	places cento.Cursor
}

func parseTOML(name, text string, trust cento.Trust) (*Wording, error) {
	r := &tomlReader{name: name, text: text, trust: trust, wording: &Wording{trust: trust}, first: map[string]cento.Position{}}
	r.places = cento.CursorAt(cento.Position{File: name, Line: 1, Column: 1}, text)
	if err := r.document(); err != nil {
		return nil, err
	}
	return r.wording, nil
}

func (r *tomlReader) place(offset int) cento.Position { return r.places.At(offset) }

func (r *tomlReader) fail(offset int, code cento.ErrorCode, hint, format string, args ...any) *cento.SourceError {
	return &cento.SourceError{Code: code, Position: r.place(offset), Message: fmt.Sprintf(format, args...), Hint: hint}
}

// document reads tables and keys up to the end. Everything is a path of keys;
// below a header, keys continue the header's.
func (r *tomlReader) document() error {
	var table []string
	for {
		r.skip(" \t\n")
		switch {
		case r.at == len(r.text):
			return nil
		case r.text[r.at] == '#':
			if err := r.comment(); err != nil {
				return err
			}
			continue
		case r.text[r.at] == '[':
			start := r.at
			r.at++
			path, err := r.path()
			if err != nil {
				return err
			}
			if !r.take("]") {
				return r.fail(r.at, strict.Syntax, "a table is written [prompt]", "expected ]")
			}
			if len(path) != 1 || path[0] != "prompt" {
				return r.fail(start, strict.UnknownKey, "the only table is [prompt]", "unknown table %q", strings.Join(path, "."))
			}
			if err := r.once("[prompt]", start); err != nil {
				return err
			}
			table = path
		default:
			if err := r.pair(table); err != nil {
				return err
			}
		}
		r.skip(" \t")
		if err := r.comment(); err != nil {
			return err
		}
		if r.at < len(r.text) && r.text[r.at] != '\n' {
			return r.fail(r.at, strict.Syntax, "write one key to a line", "expected the end of the line")
		}
	}
}

// pair reads a key and its text.
func (r *tomlReader) pair(table []string) error {
	start := r.at
	path, err := r.path()
	if err != nil {
		return err
	}
	if !r.take("=") {
		return r.fail(r.at, strict.Syntax, `a text is written key = "text"`, "expected = after the key")
	}
	r.skip(" \t")
	path = append(table[:len(table):len(table)], path...)
	if len(path) != 2 || path[0] != "prompt" {
		return r.fail(start, strict.UnknownKey, "texts stand below [prompt]", "unknown key %q", strings.Join(path, "."))
	}
	if err := r.once(path[1], start); err != nil {
		return err
	}
	text, runs, err := r.str()
	if err != nil {
		return err
	}
	r.wording.texts = append(r.wording.texts, worded{key: path[1], at: r.place(start), text: text, runs: runs})
	return nil
}

func (r *tomlReader) once(what string, offset int) error {
	if first, twice := r.first[what]; twice {
		e := r.fail(offset, strict.DuplicateKey, "keep one of the two", "%s is given twice", printable(what))
		e.Related = []cento.Related{{Position: first, Message: "given here first"}}
		return e
	}
	r.first[what] = r.place(offset)
	return nil
}

// path reads keys joined by dots.
func (r *tomlReader) path() ([]string, error) {
	var path []string
	for {
		r.skip(" \t")
		start := r.at
		var key string
		switch c := r.peek(); {
		case c == '"' || c == '\'':
			if strings.HasPrefix(r.text[r.at:], strings.Repeat(string(c), 3)) {
				return nil, r.fail(start, strict.Syntax, "", "a key stands on one line")
			}
			var err error
			if key, _, err = r.str(); err != nil {
				return nil, err
			}
		default:
			for r.at < len(r.text) && isBareKey(r.text[r.at]) {
				r.at++
			}
			if key = r.text[start:r.at]; key == "" {
				return nil, r.fail(start, strict.Syntax, "a key has letters, digits, _ and -, or stands between quotes", "expected a key")
			}
		}
		path = append(path, key)
		r.skip(" \t")
		if !r.take(".") {
			return path, nil
		}
	}
}

func isBareKey(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// str reads a string of any form, with the places of its bytes.
func (r *tomlReader) str() (string, []cento.Run, error) {
	start := r.at
	quote := r.peek()
	if quote != '"' && quote != '\'' {
		line, _, _ := strings.Cut(r.text[r.at:], "\n")
		return "", nil, r.fail(start, strict.WrongType, "put it between quotes", "expected a text, got %s", strconv.Quote(clipped(line)))
	}
	end := string(quote)
	long := strings.HasPrefix(r.text[r.at:], strings.Repeat(end, 3))
	if long {
		end = strings.Repeat(end, 3)
	}
	r.at += len(end)
	if long {
		r.take("\n") // the line end behind the opening quotes is no text
	}
	b := textBuilder{r: r}
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case strings.HasPrefix(r.text[r.at:], end):
			// Up to two quotes may stand right before the closing ones.
			for long && r.at+3 < len(r.text) && r.text[r.at+3] == quote && b.quotes < 2 {
				b.copied(1)
				b.quotes++
			}
			r.at += len(end)
			return b.text.String(), b.runs, nil
		case c == '\n' && !long:
			return "", nil, r.fail(r.at, strict.Syntax, "close the quotes where the text ends, or write it between three", "the text has no end on its line")
		case c == '\\' && quote == '"':
			if err := b.escape(long); err != nil {
				return "", nil, err
			}
		case c != '\n' && isControl(c):
			return "", nil, r.fail(r.at, strict.Syntax, `write it as an escape such as \u001b between double quotes`, "control character U+%04X in the text", c)
		default:
			_, size := utf8.DecodeRuneInString(r.text[r.at:])
			b.copied(size)
		}
	}
	return "", nil, r.fail(start, strict.Syntax, "close the quotes where the text ends", "the text has no end")
}

// maxRuns bounds the stretches of one text, so that a file of escapes costs no
// more than another. The rest of the text is one stretch.
const maxRuns = 1 << 16

// textBuilder gathers a string and where its bytes stand.
type textBuilder struct {
	r      *tomlReader
	text   strings.Builder
	runs   []cento.Run
	next   int // where the next byte would continue the last run
	quotes int // right before the end
}

// copied takes bytes as they stand.
func (b *textBuilder) copied(size int) {
	r := b.r
	start := b.text.Len()
	b.text.WriteString(r.text[r.at : r.at+size])
	if last := len(b.runs) - 1; last >= 0 && (b.next == r.at && !b.runs[last].Fixed || len(b.runs) == maxRuns) {
		b.runs[last].End = b.text.Len()
	} else {
		b.runs = append(b.runs, cento.Run{
			Start: start, End: b.text.Len(), Position: r.place(r.at), Trust: r.trust, Fixed: len(b.runs) == maxRuns-1,
		})
	}
	r.at += size
	b.next = r.at
}

// escape reads an escape and takes what it stands for.
func (b *textBuilder) escape(long bool) error {
	r := b.r
	start := r.at
	rest := r.text[r.at+1:]
	if long && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "\n") {
		r.at++
		r.skip(" \t\n") // an escaped line end takes all white space with it
		return nil
	}
	digits := 0
	made := ""
	switch c := (rest + "\x00")[0]; c {
	case 'b', 'e', 't', 'n', 'f', 'r', '"', '\\':
		made = map[byte]string{'b': "\b", 'e': "\x1b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r", '"': `"`, '\\': `\`}[c]
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits > 0 && len(rest) > digits {
		if n, err := strconv.ParseUint(rest[1:1+digits], 16, 32); err == nil && n != 0 && utf8.ValidRune(rune(n)) {
			made = string(rune(n))
		}
	}
	if made == "" {
		return r.fail(start, strict.Syntax, `a backslash itself is written \\ between double quotes, and as it is between single quotes`, "unknown escape")
	}
	from := b.text.Len()
	b.text.WriteString(made)
	if last := len(b.runs) - 1; last >= 0 && b.runs[last].Fixed {
		b.runs[last].End = b.text.Len()
	} else {
		b.runs = append(b.runs, cento.Run{Start: from, End: b.text.Len(), Position: r.place(start), Trust: r.trust, Fixed: true})
	}
	r.at += 2 + digits
	return nil
}

func (r *tomlReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *tomlReader) take(s string) bool {
	ok := strings.HasPrefix(r.text[r.at:], s)
	if ok {
		r.at += len(s)
	}
	return ok
}

func (r *tomlReader) skip(set string) {
	r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], set))
}

// comment passes over a comment, if one stands here.
func (r *tomlReader) comment() error {
	if r.peek() != '#' {
		return nil
	}
	for ; r.at < len(r.text) && r.text[r.at] != '\n'; r.at++ {
		if c := r.text[r.at]; isControl(c) {
			return r.fail(r.at, strict.Syntax, "take it out", "control character U+%04X in a comment", c)
		}
	}
	return nil
}

// isControl reports whether a byte may stand nowhere in TOML but as an escape,
// line ends apart.
func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }
