package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrorKind says what is wrong. The set is closed. A kind is an error itself, so
// that callers branch with errors.Is(err, jinja.ErrUndefined).
type ErrorKind string

// Error returns the kind as text.
func (k ErrorKind) Error() string { return string(k) }

// The kinds of errors.
const (
	// ErrSyntax: the source is not a template.
	ErrSyntax ErrorKind = "syntax error"
	// ErrEncoding: the source is not UTF-8, or holds a NUL.
	ErrEncoding ErrorKind = "invalid encoding"
	// ErrSourceSize: the source is larger than the limit.
	ErrSourceSize ErrorKind = "source too large"
	// ErrNesting: statements, expressions or values nest deeper than the limit.
	ErrNesting ErrorKind = "nesting too deep"
	// ErrUnknownFilter: no filter has that name. Found when parsing, but within an if, where
	// it is found when it runs; see [Template.Unknown].
	ErrUnknownFilter ErrorKind = "unknown filter"
	// ErrUnknownTest: no test has that name. Found as ErrUnknownFilter is.
	ErrUnknownTest ErrorKind = "unknown test"
	// ErrUnknownFunction: what is called does not exist.
	ErrUnknownFunction ErrorKind = "unknown function"
	// ErrUnknownMethod: a value has no such method.
	ErrUnknownMethod ErrorKind = "unknown method"
	// ErrUndefined: a name or attribute that does not exist was used.
	ErrUndefined ErrorKind = "undefined value"
	// ErrType: an operation does not fit the type of its operand.
	ErrType ErrorKind = "invalid operation"
	// ErrArguments: a call has too few, too many or unknown arguments.
	ErrArguments ErrorKind = "invalid arguments"
	// ErrArithmetic: a division by zero, or a result outside 64 bits.
	ErrArithmetic ErrorKind = "arithmetic error"
	// ErrUnpack: a list has not as many items as there are names for them.
	ErrUnpack ErrorKind = "cannot unpack"
	// ErrBlock: a required block is missing, or super() has no parent.
	ErrBlock ErrorKind = "block error"
	// ErrNotFound: the loader knows no template of that name. A loader returns an
	// error for which errors.Is(err, jinja.ErrNotFound) holds.
	ErrNotFound ErrorKind = "template not found"
	// ErrLoad: the loader failed in any other way; the cause says how.
	ErrLoad ErrorKind = "cannot load template"
	// ErrCycle: templates include, import or extend one another in a circle.
	ErrCycle ErrorKind = "template cycle"
	// ErrFuel: the rendering took more steps than the limit.
	ErrFuel ErrorKind = "out of fuel"
	// ErrDepth: includes, macros and recursive loops nest deeper than the limit.
	ErrDepth ErrorKind = "too deep"
	// ErrIncludes: more templates were included than the limit.
	ErrIncludes ErrorKind = "too many includes"
	// ErrOutputSize: the output is larger than the limit.
	ErrOutputSize ErrorKind = "output too large"
	// ErrValueSize: a string or list, or all of them together, exceed the limit.
	ErrValueSize ErrorKind = "value too large"
	// ErrHost: a function of the host returned an error; the cause is that error.
	ErrHost ErrorKind = "host error"
	// ErrData: data handed to a constructor such as [FromJSON] cannot be a value.
	ErrData ErrorKind = "invalid data"
)

// Error is everything the engine has to say about a failure: what, where, which
// values were involved, how the place was reached, and what to do.
type Error struct {
	Kind    ErrorKind
	Message string // lower case, no full stop
	// Template is the name of the template; Line and Column count from 1, columns
	// in code points. Line is 0 if the error has no place.
	Template     string
	Line, Column int
	// Start and End are the bytes of the place in the file.
	Start, End int
	// Whole is the first byte of the expression that the place is the end of: of an
	// undefined attribute, whose place is its name, that of what it is an attribute of;
	// of anything else Start.
	Whole int
	// SourceLine is the line of the place, without its line end.
	SourceLine string
	// Nearest is the known name closest to an unknown one, if any is close.
	Nearest string
	// Hint is advice, if there is some.
	Hint string
	// Opened is the bracket that is open where the tag or expression ends; nil for none.
	Opened *Bracket
	// Names are the values of the names used in the failing statement.
	Names []NamedValue
	// Chain is how the place was reached, from the innermost call outwards.
	Chain []Site
	// Cause is the error of the loader or of a host function.
	Cause error
}

// Bracket is a bracket that isn't closed: its mark, and its place as [Error] has one.
type Bracket struct {
	Mark         string
	Line, Column int
	Start        int
}

// NamedValue is a name and what it stood for, printed and cut to 60 bytes.
type NamedValue struct{ Name, Value string }

// Site is a place that called or included another.
type Site struct {
	What         string // "include", "macro", "block", "call", "loop", "extends", "import"
	Name         string
	Template     string
	Line, Column int
}

// Error returns one line: file:line:column: message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Template != "" || e.Line > 0 {
		b.WriteString(e.Template)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Nearest != "" {
		fmt.Fprintf(&b, "; nearest is %q", e.Nearest)
	}
	return b.String()
}

// Unwrap returns the kind and the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Cause != nil {
		return []error{e.Kind, e.Cause}
	}
	return []error{e.Kind}
}

// maxShownLine bounds the source line that Detail draws, in code points.
const maxShownLine = 160

// Detail returns the error for people: the line of Error, the source line with a
// caret under the place, the values of the names used there, the way to the
// place, and the hint. It ends with a line end.
func (e *Error) Detail() string {
	var b strings.Builder
	b.WriteString(e.Error())
	b.WriteByte('\n')
	if e.Line > 0 {
		e.drawSource(&b)
	}
	for _, n := range e.Names {
		fmt.Fprintf(&b, "  where %s is %s\n", n.Name, n.Value)
	}
	for _, s := range e.Chain {
		fmt.Fprintf(&b, "  in %s %s at %s:%d:%d\n", s.What, s.Name, s.Template, s.Line, s.Column)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
	}
	return b.String()
}

// drawSource writes the line of the place and a caret below each of its code
// points. Of a long line only the part around the place is drawn; characters
// that a terminal would act on are drawn as a replacement character.
func (e *Error) drawSource(b *strings.Builder) {
	line := []rune(e.SourceLine)
	col := min(e.Column-1, len(line))
	from := 0
	if col > maxShownLine/2 {
		from = col - maxShownLine/2
	}
	to := min(len(line), from+maxShownLine)
	number := strconv.Itoa(e.Line)
	fmt.Fprintf(b, "  %s | ", number)
	for _, c := range line[from:to] {
		b.WriteRune(drawable(c))
	}
	b.WriteString("\n  " + strings.Repeat(" ", len(number)) + " | ")
	for _, c := range line[from:col] {
		if c == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	width := 1
	if n := e.End - e.Start; n > 1 {
		rest := string(line[col:to])
		width = max(1, utf8.RuneCountInString(rest[:min(n, len(rest))]))
	}
	b.WriteString(strings.Repeat("^", width))
	b.WriteByte('\n')
}

func drawable(c rune) rune {
	if c != '\t' && (c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069) {
		return utf8.RuneError
	}
	return c
}

// maxCandidates bounds the search for a nearest name.
const maxCandidates = 2000

// nearest returns the candidate closest to name: at most a third of its letters
// off, the first of equals. It returns "" if nothing is close.
func nearest(name string, candidates []string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	n := utf8.RuneCountInString(name)
	if n < 3 {
		return ""
	}
	best, limit := "", n/3+1
	for _, c := range candidates[:min(len(candidates), maxCandidates)] {
		if len(c) > longest || c == name || c == "" {
			continue
		}
		if d := editDistance(name, c, limit); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b; it may stop early once limit is reached.
func editDistance(a, b string, limit int) int {
	s, t := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if abs(len(s)-len(t)) >= limit {
		return limit
	}
	prev2, prev, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(prev[j+1]+1, row[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], prev2[j-1]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(t)]
}

// article puts the article before the name of a kind.
func article(k Kind) string {
	switch k {
	case KindNone:
		return "none"
	case kindUnset, KindUndefined:
		return "an undefined value"
	case KindInt, kindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
