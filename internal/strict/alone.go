package strict

import "strings"

// Alone is [Node.Alone] of what was read; nil when nothing was.
func (a At) Alone() []byte {
	if a.node == nil {
		return nil
	}
	return a.node.Alone()
}

// Alone is the text that a JSON value was read from with everything around the
// value blank, so that it can be read again by itself and each of its places is
// the same.
func (n *Node) Alone() []byte {
	var b strings.Builder
	b.Grow(int(n.off) + len(n.Source()))
	for _, c := range n.src.text[:n.off] {
		if c == '\n' || c == '\t' || c == '\r' {
			b.WriteRune(c)
		} else {
			b.WriteByte(' ')
		}
	}
	b.Write(n.Source())
	return []byte(b.String())
}

// Source is the text that a JSON value was read from, from its first byte to its
// last.
func (n *Node) Source() []byte {
	if n.kind == List || n.kind == Map {
		return []byte(n.text)
	}
	r := jsonReader{src: n.src, at: int(n.off), nesting: maxValues}
	if _, ok := r.value(); !ok {
		panic("strict: a value that was read can't be read again")
	}
	return []byte(n.src.text[n.off:r.at])
}
