package strict

import (
	"strings"

	"github.com/cento-dev/cento"
)

// maxLooseKeys bounds the keys of [Loose]; each is parsed alone.
const maxLooseKeys = 64

// Loose reads front matter that YAML refuses as a whole, such as `description: Use it
// when: a colon follows` or `globs: *.sql`. Each key at the left edge is read with its
// value alone, and a value that is no YAML either is the text as it is written, on one
// line. Of two keys with one name the first counts. It returns nil if it finds no key or
// too many, and for YAML that [YAML] refuses for another reason, such as an anchor.
func Loose(name string, data []byte, limits cento.Limits) *Node {
	src, err := newSource(name, data, limits)
	if err != nil {
		return nil
	}
	if _, err := parseYAML(src, limits.Nesting); err == nil {
		_, err := YAML(name, data, limits)
		for _, e := range cento.SourceErrors(err) {
			if e.Code != DuplicateKey {
				return nil
			}
		}
	}
	root := Node{kind: Map, src: src}
	seen := map[string]bool{}
	for at := 0; at < len(src.text); {
		line, _, _ := strings.Cut(src.text[at:], "\n")
		key, begins := looseKey(line)
		end := min(at+len(line)+1, len(src.text))
		if !begins || seen[key] {
			at = end
			continue
		}
		for end < len(src.text) { // the lines up to the next key are the value's
			line, _, _ := strings.Cut(src.text[end:], "\n")
			if _, next := looseKey(line); next {
				break
			}
			end = min(end+len(line)+1, len(src.text))
		}
		if seen[key] = true; len(seen) > maxLooseKeys {
			return nil
		}
		if value, ok := src.looseValue(at, at+len(key)+1, end, limits); ok {
			root.nodes = append(root.nodes, Node{kind: Text, style: plain, off: int32(at), text: key, src: src}, value)
		}
		at = end
	}
	if len(root.nodes) == 0 {
		return nil
	}
	return &root
}

// looseKey is the key that a line begins with.
func looseKey(line string) (key string, ok bool) {
	key, value, ok := strings.Cut(line, ":")
	ok = ok && key != "" && (value == "" || value[0] == ' ' || value[0] == '\t') && !strings.ContainsAny(key, " \t\"'`*&#[](){}")
	return key, ok
}

// looseValue is the value of the key at an offset; colon is behind it.
func (s *source) looseValue(at, colon, end int, limits cento.Limits) (Node, bool) {
	root, err := YAML(s.name, []byte(s.text[at:end]), limits)
	if err == nil && root.kind == Map && len(root.nodes) == 2 {
		root.nodes[1].move(s, at)
		return root.nodes[1], true
	}
	if list := cento.SourceErrors(err); len(list) == 0 || list[0].Code != Syntax {
		return Node{}, false
	}
	text := strings.Join(strings.Fields(s.text[colon:end]), " ")
	for colon < end && strings.IndexByte(" \t\n", s.text[colon]) >= 0 {
		colon++
	}
	return Node{kind: Text, style: plain, off: int32(colon), text: text, src: s}, text != ""
}

// move makes a value of a part of a source one of the whole.
func (n *Node) move(s *source, by int) {
	n.src = s
	n.off += int32(by)
	for i := range n.nodes {
		n.nodes[i].move(s, by)
	}
}
