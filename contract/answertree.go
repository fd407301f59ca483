package contract

import (
	"strconv"
	"strings"
)

// tree is an answer as it stands, before anybody asks what it means. The
// formats differ in writing alone.
type tree struct {
	kind  treeKind
	at    int
	text  string
	items []tree // of a list; of a map names and values in turn
	names *treeNames
}

type treeKind uint8

const (
	mapTree treeKind = iota
	listTree
	textTree
	otherTree // a number, a truth value or nothing
)

// shown is a value as findings name it.
func (t *tree) shown() string {
	switch t.kind {
	case mapTree:
		return "a map"
	case listTree:
		return "a list"
	case textTree:
		return strconv.Quote(clip(t.text))
	}
	return clip(t.text)
}

// treeNames is what a format calls the parts of an answer.
type treeNames struct{ emit, key, facts, id, content, cites string }

var (
	jsonTree = treeNames{"emit", "key", "facts", "id", "content", "cites"}
	ednTree  = treeNames{":emit", ":key", ":facts", ":id", ":c", ":cites"}
)

// member returns the first name and value of a name in a map, nil for none.
func (t *tree) member(name string) (key, value *tree) {
	if t.kind != mapTree {
		return nil, nil
	}
	for i := 0; i < len(t.items); i += 2 {
		if t.items[i].text == name {
			return &t.items[i], &t.items[i+1]
		}
	}
	return nil, nil
}

// answers reports which of the parts a map has that tell an answer from any other map.
func (t *tree) answers() (emit, facts bool) {
	if t.kind != mapTree {
		return false, false
	}
	_, e := t.member(t.names.emit)
	_, f := t.member(t.names.facts)
	return e != nil, f != nil
}

// maxValues is how many values an answer may hold.
const maxValues = 500_000

// value counts a value and its depth. The caller goes no deeper than it allows.
func (r *reader) value(depth int) bool {
	if r.values++; r.values > maxValues {
		return r.fail(r.at, Syntax, "", "there are more than %d values", maxValues)
	}
	if depth > nesting {
		return r.fail(r.at, Syntax, "", "brackets nest more than %d deep", nesting)
	}
	return true
}

// keep adds a name and its value, unless the name is there already.
func (r *reader) keep(t *tree, key, value tree) bool {
	if k, _ := t.member(key.text); k != nil {
		return r.twice("the part "+clip(key.text), k.at, key.at)
	}
	if len(t.items) >= 2*64 {
		return r.fail(key.at, Syntax, "", "a map has more than 64 parts")
	}
	t.items = append(t.items, key, value)
	return true
}

// jsonTree reads a value of JSON.
func (r *reader) jsonTree(depth int) (tree, bool) {
	t := tree{at: r.at, names: &jsonTree}
	if !r.value(depth) {
		return t, false
	}
	switch c := r.peek(); {
	case c == '{':
		ok := r.members("", func(name string, at int) bool {
			value, ok := r.jsonTree(depth + 1)
			return ok && r.keep(&t, tree{kind: textTree, at: at, text: name}, value)
		})
		return t, ok
	case c == '[':
		t.kind = listTree
		r.at++
		ok := r.jsonList(']', func() bool {
			item, ok := r.jsonTree(depth + 1)
			t.items = append(t.items, item)
			return ok
		})
		return t, ok
	case c == '"':
		t.kind = textTree
		var ok bool
		t.text, ok = r.jsonString()
		return t, ok
	}
	t.kind = otherTree
	end := r.at
	for end < len(r.text) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", r.text[end]) >= 0 {
		end++
	}
	word := r.text[r.at:end]
	if word != "true" && word != "false" && word != "null" && !isJSONNumber(word) {
		return t, r.unexpected("a value", "")
	}
	t.text = word
	r.at = end
	return t, true
}

// isJSONNumber reports whether a text is a number in JSON.
func isJSONNumber(s string) bool {
	digits := func() bool {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	s = strings.TrimPrefix(s, "-")
	if strings.HasPrefix(s, "0") {
		s = s[1:]
	} else if !digits() {
		return false
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		if s = rest; !digits() {
			return false
		}
	}
	if s == "" || s[0]|0x20 != 'e' {
		return s == ""
	}
	if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return digits() && s == ""
}

// ednTree reads a value of EDN. Keywords are texts; those that are names in a
// map keep their colon.
func (r *reader) ednTree(depth int) (tree, bool) {
	t := tree{at: r.at, names: &ednTree}
	if !r.value(depth) {
		return t, false
	}
	list := func(open int, end byte) (tree, bool) {
		t.kind = listTree
		r.at += open
		for {
			r.ednSpace()
			if r.peek() == end {
				r.at++
				return t, true
			}
			item, ok := r.ednTree(depth + 1)
			if !ok {
				return t, false
			}
			t.items = append(t.items, item)
		}
	}
	switch c := r.peek(); {
	case c == '{':
		ok := r.pairs("", func(name string, at int) bool {
			value, ok := r.ednTree(depth + 1)
			return ok && r.keep(&t, tree{kind: textTree, at: at, text: ":" + name}, value)
		})
		return t, ok
	case c == '[':
		return list(1, ']')
	case c == '(':
		return list(1, ')')
	case strings.HasPrefix(r.text[r.at:], "#{"):
		return list(2, '}')
	case c == '"':
		t.kind = textTree
		var ok bool
		t.text, ok = r.quoted(ednLetters, true)
		return t, ok
	case c == ':':
		t.kind = textTree
		var ok bool
		t.text, _, ok = r.keyword("a keyword")
		return t, ok
	case c == '#':
		return t, r.unexpected("a value", "tags are not read")
	}
	t.kind = otherTree
	end := r.at
	for end < len(r.text) && !ednEnds[r.text[end]] {
		end++
	}
	if end == r.at {
		return t, r.unexpected("a value", "")
	}
	t.text = r.text[r.at:end]
	r.at = end
	return t, true
}

// xmlTree reads an answer of XML.
func (r *reader) xmlTree() (tree, bool) {
	t := tree{at: r.at, names: &jsonTree}
	root, ok := r.startTag("<answer>")
	if !ok {
		return t, false
	}
	if root.name != "answer" {
		return t, r.fail(root.at, UnknownName, "", "expected <answer>, got <%s>", clip(root.name))
	}
	for i := range root.attrs {
		a := &root.attrs[i]
		t.items = append(t.items, tree{kind: textTree, at: a.at, text: a.name}, tree{kind: textTree, at: a.valueAt, text: a.value})
	}
	facts := tree{kind: listTree, at: r.at}
	if !r.children(&root, func(e *element) bool {
		if e.name != "fact" {
			return r.fail(e.at, UnknownName, unknownHint(e.name, []string{"fact"}), "expected <fact>, got <%s>", clip(e.name))
		}
		fact, ok := r.xmlTreeFact(e)
		facts.items = append(facts.items, fact)
		return ok
	}) {
		return t, false
	}
	ok = r.keep(&t, tree{kind: textTree, at: facts.at, text: jsonTree.facts}, facts)
	return t, ok
}

func (r *reader) xmlTreeFact(e *element) (tree, bool) {
	t := tree{at: e.at, names: &jsonTree}
	if !r.value(1) {
		return t, false
	}
	cites := tree{kind: listTree, at: e.at}
	cited := false
	for i := range e.attrs {
		a := &e.attrs[i]
		if a.name != jsonTree.cites {
			t.items = append(t.items, tree{kind: textTree, at: a.at, text: a.name}, tree{kind: textTree, at: a.valueAt, text: a.value})
			continue
		}
		cited, cites.at = true, a.valueAt
		for id := range strings.FieldsSeq(a.value) {
			if !r.value(2) {
				return t, false
			}
			cites.items = append(cites.items, tree{kind: textTree, at: a.valueAt, text: id})
		}
	}
	var content strings.Builder
	at := r.at
	for !e.empty {
		s, ok := r.characters()
		if !ok {
			return t, false
		}
		content.WriteString(s)
		rest := r.text[r.at:]
		if section, ok := strings.CutPrefix(rest, "<![CDATA["); ok {
			end := strings.Index(section, "]]>")
			if end < 0 {
				return t, r.fail(r.at, Syntax, "", "a section is not closed")
			}
			content.WriteString(section[:end])
			r.at += len("<![CDATA[") + end + len("]]>")
			continue
		}
		if strings.HasPrefix(rest, "<!--") {
			if !r.xmlSkip() {
				return t, false
			}
			continue
		}
		if strings.HasPrefix(rest, "</") {
			if !r.endTag("fact") {
				return t, false
			}
			break
		}
		child, ok := r.startTag("a text, <cite> or </fact>")
		if !ok {
			return t, false
		}
		if child.name != "cite" {
			return t, r.fail(child.at, UnknownName, unknownHint(child.name, []string{"cite"}), "expected <cite>, got <%s>", clip(child.name))
		}
		idAt := r.at
		id, ok := r.content(&child)
		if !ok || !r.value(2) {
			return t, false
		}
		cited = true
		cites.items = append(cites.items, tree{kind: textTree, at: idAt, text: id})
	}
	t.items = append(t.items, tree{kind: textTree, at: at, text: jsonTree.content}, tree{kind: textTree, at: at, text: content.String()})
	if cited {
		t.items = append(t.items, tree{kind: textTree, at: cites.at, text: jsonTree.cites}, cites)
	}
	return t, true
}
