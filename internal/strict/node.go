package strict

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// Kind is what a value is.
type Kind uint8

// The kinds. A YAML scalar without quotes has the kind that the core schema of
// YAML 1.2 gives it; where a text is wanted, it is the text that stands there.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

// String names the kind as errors do, with its article.
func (k Kind) String() string {
	switch k {
	case Null:
		return "nothing"
	case Bool:
		return "true or false"
	case Number:
		return "a number"
	case Text:
		return "a text"
	case List:
		return "a list"
	case Map:
		return "a map"
	}
	return "kind " + strconv.Itoa(int(k))
}

// style is how a scalar is written, which decides how its bytes are traced.
type style uint8

const (
	bare    style = iota // JSON's numbers, truth values and null
	plain                // YAML without quotes
	single               // YAML between '
	double               // YAML and JSON between "
	literal              // YAML after |
	folded               // YAML after >
)

// A Node is one value of a file, and where it stands.
type Node struct {
	kind  Kind
	style style
	off   int32
	// text is that of a scalar, without quotes and escapes, and that of a list or map
	// of JSON as it stands there.
	text string
	// nodes are the items of a list, or the keys and values of a map in turn. A
	// key is a node of kind Text.
	nodes []Node
	src   *source
}

// Kind says what the value is.
func (n *Node) Kind() Kind { return n.kind }

// Position is the place where the value begins.
func (n *Node) Position() cento.Position { return n.src.position(int(n.off)) }

// Text returns the text of a scalar that can stand for a text: a quoted one, or
// in YAML any that isn't null.
func (n *Node) Text() (string, bool) {
	return n.text, n.kind == Text || n.style == plain && n.kind != Null
}

// unwritten reports whether nothing stands where the value belongs.
func (n *Node) unwritten() bool { return n.style == plain && n.text == "" }

// Bool returns the value of a truth value.
func (n *Node) Bool() (value, ok bool) {
	return n.kind == Bool && (n.text[0] == 't' || n.text[0] == 'T'), n.kind == Bool
}

// Int returns the value of a whole number. It is false for other values, and
// for numbers that don't fit.
func (n *Node) Int() (int64, bool) {
	if n.kind != Number {
		return 0, false
	}
	text, base := n.text, 10
	if n.style == plain {
		switch {
		case strings.HasPrefix(text, "0o"):
			text, base = text[2:], 8
		case strings.HasPrefix(text, "0x"):
			text, base = text[2:], 16
		}
	}
	i, err := strconv.ParseInt(text, base, 64)
	return i, err == nil
}

// Float returns the value of a number.
func (n *Node) Float() (float64, bool) {
	if n.kind != Number {
		return 0, false
	}
	text, err := n.AppendJSON(nil)
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// Items are the items of a list.
func (n *Node) Items() []Node {
	if n.kind != List {
		return nil
	}
	return n.nodes
}

// Members are the keys and values of a map, in the order of the file.
func (n *Node) Members() iter.Seq2[*Node, *Node] {
	return func(yield func(key, value *Node) bool) {
		if n.kind != Map {
			return
		}
		for i := 0; i < len(n.nodes); i += 2 {
			if !yield(&n.nodes[i], &n.nodes[i+1]) {
				return
			}
		}
	}
}

// Member returns the key and the value of a name in a map, nil when there is
// none.
func (n *Node) Member(name string) (key, value *Node) {
	for k, v := range n.Members() {
		if k.text == name {
			return k, v
		}
	}
	return nil, nil
}

// All gives the value and those in it, each before its own: items and values of members.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.all(yield) }
}

func (n *Node) all(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for i := range n.Items() {
		if !n.Items()[i].all(yield) {
			return false
		}
	}
	for _, value := range n.Members() {
		if !value.all(yield) {
			return false
		}
	}
	return true
}

// Below follows a path of names of members and ranks of items, from 0, as far as it leads.
func (n *Node) Below(path []string) *Node {
	for _, step := range path {
		var next *Node
		if items := n.Items(); items != nil {
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(items) {
				next = &items[i]
			}
		} else {
			_, next = n.Member(step)
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// Located is the value as a text that is at the place of its first byte, behind quotes and
// the mark of a block; anything but a text is only the place.
func (n *Node) Located(trust cento.Trust) cento.Text {
	out := cento.Text{Runs: n.Runs(trust), Trust: trust, Origin: n.Position()}
	if len(out.Runs) > 0 {
		out.Body, _ = n.Text()
		out.Origin = out.Runs[0].Position
	}
	return out
}

// With returns the map with the members of over laid on it: where both are maps
// they are merged key by key, anything else is replaced. Neither is changed.
// Members keep their place, new ones follow.
func (n *Node) With(over *Node) *Node {
	if n.kind != Map || over.kind != Map {
		return over
	}
	merged := *n
	merged.nodes = append(make([]Node, 0, len(n.nodes)+len(over.nodes)), n.nodes...)
	for k, v := range over.Members() {
		if i := merged.index(k.text); i >= 0 {
			merged.nodes[i] = *k
			merged.nodes[i+1] = *merged.nodes[i+1].With(v)
		} else {
			merged.nodes = append(merged.nodes, *k, *v)
		}
	}
	return &merged
}

// Without returns the map without the named members.
func (n *Node) Without(names ...string) *Node {
	rest := *n
	rest.nodes = make([]Node, 0, len(n.nodes))
next:
	for k, v := range n.Members() {
		for _, name := range names {
			if k.text == name {
				continue next
			}
		}
		rest.nodes = append(rest.nodes, *k, *v)
	}
	return &rest
}

// Put returns the map with a value at a path of names, with maps made where there are none.
// It is not changed.
func (n *Node) Put(path []string, value *Node) *Node {
	name, rest := path[0], path[1:]
	if len(rest) > 0 {
		_, below := n.Member(name)
		if below == nil || below.kind != Map {
			below = &Node{kind: Map, off: value.off, src: value.src}
		}
		value = below.Put(rest, value)
	}
	out := *n
	out.nodes = append(make([]Node, 0, len(n.nodes)+2), n.nodes...)
	if i := n.index(name); i >= 0 {
		out.nodes[i+1] = *value
	} else {
		out.nodes = append(out.nodes, Node{kind: Text, style: double, text: name, off: value.off, src: value.src}, *value)
	}
	return &out
}

// AsList is a list of these items that stands where the value does. Each item keeps its
// own place.
func (n *Node) AsList(items []Node) *Node {
	return &Node{kind: List, off: n.off, src: n.src, nodes: items}
}

func (n *Node) index(name string) int {
	for i := 0; i < len(n.nodes); i += 2 {
		if n.nodes[i].text == name {
			return i
		}
	}
	return -1
}

// AppendJSON appends the value as JSON without white space, members in the
// order of the file, numbers as they stand where JSON can write them so. Only a
// YAML number that JSON has no form for (infinity, not a number) is an error.
func (n *Node) AppendJSON(dst []byte) ([]byte, error) {
	var err error
	switch n.kind {
	case Null:
		return append(dst, "null"...), nil
	case Bool:
		b, _ := n.Bool()
		return strconv.AppendBool(dst, b), nil
	case Number:
		return n.appendNumber(dst)
	case Text:
		return quote.Common.Append(dst, n.text), nil
	case List:
		dst = append(dst, '[')
		for i := range n.nodes {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = n.nodes[i].AppendJSON(dst); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
	dst = append(dst, '{')
	for i := 0; i < len(n.nodes); i += 2 {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(quote.Common.Append(dst, n.nodes[i].text), ':')
		if dst, err = n.nodes[i+1].AppendJSON(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// AppendYAML appends the value as one line of YAML that reads back as the same:
// bare scalars stand as they are, so that each key may still take them as the
// text or the value they are for it.
func (n *Node) AppendYAML(dst []byte) []byte {
	switch {
	case n.kind == Text:
		return appendQuoted(dst, n.text)
	case n.kind == List:
		dst = append(dst, '[')
		for i := range n.nodes {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = n.nodes[i].AppendYAML(dst)
		}
		return append(dst, ']')
	case n.kind == Map:
		dst = append(dst, '{')
		for i := 0; i < len(n.nodes); i += 2 {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			// YAML looks no further than 1024 code points for the colon.
			if len(n.nodes[i].text) > 128 {
				dst = append(dst, "? "...)
			}
			dst = append(appendQuoted(dst, n.nodes[i].text), ": "...)
			dst = n.nodes[i+1].AppendYAML(dst)
		}
		return append(dst, '}')
	case n.text == "":
		return append(dst, "null"...)
	}
	return append(dst, n.text...)
}

// Quoted is a text between double quotes that reads back as the same, in YAML
// and in JSON.
func Quoted(s string) string { return string(appendQuoted(nil, s)) }

// appendQuoted writes a text between double quotes so that both formats read
// it, and no character in it ends a YAML line.
func appendQuoted(dst []byte, s string) []byte {
	begin := len(dst)
	dst = quote.Common.Append(dst, s)
	if strings.IndexFunc(s, func(r rune) bool { return !printable(r) || lineEnd(r) }) < 0 {
		return dst
	}
	text := string(dst[begin:])
	dst = dst[:begin]
	for _, r := range text {
		if !printable(r) || lineEnd(r) {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// lineEnd reports whether YAML 1.1 ends a line with the character and JSON
// doesn't.
func lineEnd(r rune) bool { return r == 0x85 || r == 0x2028 || r == 0x2029 }

// appendNumber writes a number so that JSON reads the same one.
func (n *Node) appendNumber(dst []byte) ([]byte, error) {
	if n.style != plain {
		return append(dst, n.text...), nil
	}
	text := n.text
	if strings.HasPrefix(text, "0o") || strings.HasPrefix(text, "0x") {
		i, ok := n.Int()
		if !ok {
			return dst, n.src.fail(int(n.off), WrongValue, "", "%s is too large a number", text)
		}
		return strconv.AppendInt(dst, i, 10), nil
	}
	if text[0] == '-' {
		dst = append(dst, '-')
	}
	text = strings.TrimLeft(text, "+-")
	if f, err := strconv.ParseFloat(text, 64); text[0] == '.' && (text[1] < '0' || text[1] > '9') || err != nil || math.IsInf(f, 0) {
		return dst, n.src.fail(int(n.off), WrongValue, "write a finite number, or a text in quotes", "%s is no number in JSON", n.text)
	}
	whole, rest := text, ""
	if i := strings.IndexAny(text, ".eE"); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	dst = append(dst, whole...)
	if strings.HasPrefix(rest, ".") && (len(rest) == 1 || rest[1] < '0' || rest[1] > '9') {
		rest = rest[1:]
	}
	return append(dst, rest...), nil
}
