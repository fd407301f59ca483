package strict

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento"
)

// maxIndicators is how many marks of structure (commas, colons, brackets,
// dashes of lists) a YAML text may have. Every value needs one, so it bounds
// the values; the parser takes two kilobytes for each before it hands out the
// first.
const maxIndicators = 50_000

// YAML reads a YAML text of one document. An empty one is null. A byte order
// mark is dropped and CRLF read as LF. The limits must be set.
func YAML(name string, data []byte, limits cento.Limits) (*Node, error) {
	src, err := newSource(name, data, limits)
	if err != nil {
		return nil, err
	}
	if err := checkYAML(src); err != nil {
		return nil, err
	}
	root, err := parseYAML(src, limits.Nesting)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return &Node{kind: Null, style: plain, src: src}, nil
	}
	r := yamlReader{src: src, nesting: limits.Nesting, cursorLine: 1, cursorColumn: 1}
	n := r.node(root, 0)
	if err := r.errs.err(); err != nil {
		return nil, err
	}
	return &n, nil
}

// Read reads JSON from a file whose name ends in `.json`, and YAML from any
// other.
func Read(name string, data []byte, limits cento.Limits) (*Node, error) {
	if len(name) >= 5 && strings.EqualFold(name[len(name)-5:], ".json") {
		return JSON(name, data, limits)
	}
	return YAML(name, data, limits)
}

// checkYAML refuses what the parser would read otherwise than an editor shows
// it, and what would cost too much.
func checkYAML(src *source) error {
	for _, end := range [...]struct{ text, name, escape string }{
		{"\r", "a carriage return (U+000D)", `\r`},
		{"\u0085", "the line end U+0085", `\N`},
		{"\u2028", "the line separator U+2028", `\L`},
		{"\u2029", "the paragraph separator U+2029", `\P`},
	} {
		if off := strings.Index(src.text, end.text); off >= 0 {
			return src.fail(off, Syntax, "take it out, or write "+end.escape+" in a text between double quotes", "%s would end a YAML line here", end.name)
		}
	}
	marks := 0
	for i := range len(src.text) {
		switch src.text[i] {
		case ',', ':', '[', '{':
		case '-', '?':
			if i+1 < len(src.text) && src.text[i+1] > ' ' {
				continue
			}
		default:
			continue
		}
		if marks++; marks > maxIndicators {
			return src.fail(i, cento.LimitExceeded, "put long lists into a JSON file", "more than %d list items and keys", maxIndicators)
		}
	}
	return nil
}

// depthLimit stops the parser before it nests deeper.
type depthLimit int

// errDepth is recognised by its text: the parser keeps no more of it.
var errDepth = errors.New("deeper than the nesting limit")

func (d depthLimit) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > int(d)+1 {
		return errDepth
	}
	return nil
}

// CheckAlias is never asked: a node tree keeps aliases as they are.
func (d depthLimit) CheckAlias(int, int) error { return nil }

// parseYAML returns the root of the only document, nil when there is none.
func parseYAML(src *source, nesting int) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(strings.NewReader(src.text), yaml.WithPlugin(depthLimit(nesting)))
	if err != nil {
		return nil, err
	}
	var document, further yaml.Node
	switch err := loader.Load(&document); {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, syntaxError(src, nesting, err)
	}
	switch err := loader.Load(&further); {
	case err == nil:
		e := src.fail(src.offset(further.Line, further.Column), Syntax, "keep one document to a file", "a second YAML document begins here")
		return nil, e
	case err != io.EOF:
		return nil, syntaxError(src, nesting, err)
	}
	return document.Content[0], nil
}

// syntaxError words an error of the parser as ours: with its place, and advice
// where the cause is known.
func syntaxError(src *source, nesting int, err error) error {
	load, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &cento.SourceError{Code: Syntax, Message: "not readable as YAML", Position: cento.Position{File: src.name}, Err: err}
	}
	if load.Stage == yaml.ReaderStage {
		// The reader checks characters ahead of any place it could tell.
		for off, r := range src.text {
			if !printable(r) {
				return src.fail(off, Syntax, `write it as an escape in a text between double quotes`, "control character U+%04X in the text", r)
			}
		}
	}
	off := src.offset(load.Mark.Line, load.Mark.Column)
	if load.Message == errDepth.Error() {
		return tooDeep(src, off, nesting)
	}
	e := src.fail(off, Syntax, "", "not readable as YAML: %s", load.Message)
	if load.ContextMsg != "" {
		e.Message = fmt.Sprintf("not readable as YAML: %s %s", load.Message, load.ContextMsg)
		if load.ContextMark.Line > 0 && load.ContextMark != load.Mark {
			e.Related = []cento.Related{{Position: src.position(src.offset(load.ContextMark.Line, load.ContextMark.Column)), Message: "begun here"}}
		}
	}
	advise(e, src, off, load)
	return e
}

// printable reports whether YAML allows the character as it is.
func printable(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= '~' || r == 0x85 ||
		r >= 0xA0 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD && r != 0xFEFF || r >= 0x10000
}

// offset is the byte at a line and a column counted from 1, in code points.
func (s *source) offset(line, column int) int {
	off := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(s.text[off:], '\n')
		if i < 0 {
			return len(s.text)
		}
		off += i + 1
	}
	for ; column > 1 && off < len(s.text); column-- {
		_, size := utf8.DecodeRuneInString(s.text[off:])
		off += size
	}
	return off
}

// yamlReader turns the parser's nodes into ours. The parser tells lines and
// columns; nodes come in the order of the file, so a cursor that only moves
// forward finds all offsets in one walk.
type yamlReader struct {
	src          *source
	nesting      int
	errs         errorList
	cursor       int
	cursorLine   int
	cursorColumn int
}

// offset moves the cursor to a place and returns where that is.
func (r *yamlReader) offset(line, column int) int {
	if line < r.cursorLine || line == r.cursorLine && column < r.cursorColumn {
		return r.src.offset(line, column)
	}
	for r.cursor < len(r.src.text) && (r.cursorLine < line || r.cursorLine == line && r.cursorColumn < column) {
		c, size := utf8.DecodeRuneInString(r.src.text[r.cursor:])
		r.cursor += size
		if c == '\n' {
			r.cursorLine++
			r.cursorColumn = 1
		} else {
			r.cursorColumn++
		}
	}
	return r.cursor
}

// node reads a value and all in it.
func (r *yamlReader) node(y *yaml.Node, depth int) Node {
	n := Node{src: r.src, off: int32(r.offset(y.Line, y.Column))}
	switch {
	case y.Kind == yaml.AliasNode:
		r.refuse(&n, "write the value again", "an alias (*%s) is not read", y.Value)
		return n
	case y.Anchor != "":
		r.refuse(&n, "write the value where it is needed; put a text that begins with & between quotes", "an anchor (&%s) is not read", y.Anchor)
	case y.Style&yaml.TaggedStyle != 0 || y.Tag == "!":
		hint := "what a value is follows from the key it belongs to"
		if !strings.HasPrefix(y.Tag, "!!") {
			hint += "; put a text that begins with ! between quotes"
		}
		r.refuse(&n, hint, "a tag (%s) is not read", y.Tag)
	}
	switch y.Kind {
	case yaml.ScalarNode:
		r.scalar(&n, y)
		return n
	case yaml.SequenceNode:
		n.kind = List
	case yaml.MappingNode:
		n.kind = Map
	}
	if depth++; depth > r.nesting {
		r.errs.add(tooDeep(r.src, int(n.off), r.nesting))
		return n
	}
	n.nodes = make([]Node, 0, len(y.Content))
	for i, c := range y.Content {
		child := r.node(c, depth)
		if n.kind == Map && i%2 == 0 {
			r.key(&child)
		}
		n.nodes = append(n.nodes, child)
	}
	if n.kind == Map {
		repeatedKeys(n.nodes, &r.errs)
	}
	return n
}

// key makes a text of a key, whatever it looks like.
func (r *yamlReader) key(k *Node) {
	switch {
	case k.kind == Map && k.off > 0 && strings.HasPrefix(k.src.text[k.off-1:], "{{"):
		k.off--
		mark, what := markOf(k.src.text[k.off:])
		r.refuse(k, bracesHint(k.src.text, int(k.off)), "a text that begins with %s is taken for %s", mark, what)
		k.nodes = nil
	case k.kind == List || k.kind == Map:
		r.refuse(k, "put a key that begins with "+k.src.text[k.off:k.off+1]+" between quotes", "%s is no key, expected a text", k.kind)
		k.nodes = nil
	case k.style == plain && k.text == "<<":
		r.refuse(k, "write the keys again", "a merge key (<<) is not read")
	case k.style == plain && k.text == "":
		r.refuse(k, `an empty key is written ""`, "a key is missing")
	}
	k.kind = Text
}

// scalar reads a text, number, truth value or null.
func (r *yamlReader) scalar(n *Node, y *yaml.Node) {
	n.kind, n.text = Text, y.Value
	switch {
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.style = single
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.style = double
	case y.Style&yaml.LiteralStyle != 0:
		n.style = literal
	case y.Style&yaml.FoldedStyle != 0:
		n.style = folded
	default:
		n.style = plain
		n.kind = coreKind(y.Value)
	}
	if n.style == double {
		r.refuseNUL(n)
	}
}

// refuseNUL refuses a text that holds a NUL, at the escape that writes it.
func (r *yamlReader) refuseNUL(n *Node) {
	nul := strings.IndexByte(n.text, 0)
	if nul < 0 {
		return
	}
	e := r.src.fail(int(n.off), Syntax, "take it out", "a NUL character in a text")
	for _, run := range n.Runs(cento.TrustBuiltin) {
		if run.Start <= nul && nul < run.End {
			e.Position = run.Position
		}
	}
	r.errs.add(e)
}

func (r *yamlReader) refuse(n *Node, hint, format string, args ...any) {
	r.errs.add(r.src.fail(int(n.off), Syntax, hint, format, args...))
}

// coreKind is what a scalar without quotes is in the core schema of YAML 1.2.
func coreKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	case ".nan", ".NaN", ".NAN":
		return Number
	}
	if isNumber(s) {
		return Number
	}
	return Text
}

// isNumber reports whether the core schema reads a number.
func isNumber(s string) bool {
	if rest, ok := strings.CutPrefix(s, "0o"); ok {
		return rest != "" && strings.Trim(rest, "01234567") == ""
	}
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		return rest != "" && strings.Trim(rest, "0123456789abcdefABCDEF") == ""
	}
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	switch s {
	case ".inf", ".Inf", ".INF":
		return true
	}
	const digits = "0123456789"
	rest := strings.TrimLeft(s, digits)
	whole := len(rest) < len(s)
	if strings.HasPrefix(rest, ".") {
		after := strings.TrimLeft(rest[1:], digits)
		if !whole && len(after) == len(rest)-1 {
			return false
		}
		whole, rest = true, after
	}
	if !whole {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	return rest != "" && strings.Trim(rest, digits) == ""
}
