package outline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Cursor is what is being typed at a place of a YAML text.
type Cursor struct {
	// Path leads to it: the keys of maps, and [Item] for the items of lists. For a key
	// it is the path of the map.
	Path []string
	// Key says that it is a key, or may become one; Value that it is a value.
	Key, Value bool
	// Colon says that the key has its colon already.
	Colon bool
	// Start and End are the bytes of what is typed, and Typed what stands before the
	// cursor.
	Start, End int
	Typed      string
	// Has are the keys that the map has besides.
	Has []string
}

// Item is the step of a path into a list.
const Item = "[]"

// mark stands for what is typed, so that it is found in what the text becomes. No text
// has it.
const mark = "\U0010FFFDcursor"

// At tells what is typed at a byte of a text; false where nothing can be told, such as
// within a comment or a text of several lines.
func At(text string, off int) (Cursor, bool) {
	if off > len(text) || len(text) > cento.DefaultLimits().File || strings.Contains(text, mark) {
		return Cursor{}, false
	}
	c := Cursor{Start: off, End: off}
	for c.Start > 0 && typed(text[:c.Start], true) {
		_, size := utf8.DecodeLastRuneInString(text[:c.Start])
		c.Start -= size
	}
	for c.End < len(text) && typed(text[c.End:], false) {
		_, size := utf8.DecodeRuneInString(text[c.End:])
		c.End += size
	}
	c.Typed = text[c.Start:off]
	line := strings.LastIndexByte(text[:c.Start], '\n') + 1
	rest := text[c.End:]
	ofLine, _, _ := strings.Cut(rest, "\n")
	quote := ""
	if c.Start > line && strings.ContainsRune(`"'`, rune(text[c.Start-1])) && strings.Count(text[line:c.Start], text[c.Start-1:c.Start])%2 == 1 && !strings.HasPrefix(rest, text[c.Start-1:c.Start]) {
		quote = text[c.Start-1 : c.Start]
	}
	c.Colon = strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(rest, quoteBefore(text, c.Start)), " "), ":")
	closing := closers(text[line:c.Start])
	whole := c
	found := false
	try := func(written string) bool {
		for _, behind := range []string{rest, ofLine, ofLine + closing, closing} {
			path, key, has, ok := find(text[:c.Start] + written + behind)
			if !ok {
				continue
			}
			whole.Path, whole.Has = path, has
			whole.Key, whole.Value = whole.Key || key, whole.Value || !key
			found = true
			return true
		}
		return false
	}
	if c.Colon {
		try(mark + quote)
		return whole, found
	}
	if try(mark + quote) {
		first := whole
		// Where a value may stand, a map with this key may begin.
		if quote == "" && try(mark+": ") && slices.Equal(first.Path, whole.Path) {
			return whole, true
		}
		return first, true
	}
	return whole, try(mark + quote + ": ")
}

// quoteBefore is the quote that what is typed begins with, which stands behind it too.
func quoteBefore(text string, at int) string {
	if at > 0 && strings.ContainsRune(`"'`, rune(text[at-1])) {
		return text[at-1 : at]
	}
	return ""
}

// typed reports whether a text ends, or begins, with a character of what is completed
// as one word.
func typed(s string, end bool) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if end {
		r, _ = utf8.DecodeLastRuneInString(s)
	}
	switch {
	case r == utf8.RuneError:
		return false
	case r >= utf8.RuneSelf:
		return true
	}
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.$/*-+@", r)
}

// closers are the brackets that a line leaves open, as they would be closed.
func closers(line string) string {
	_, out := leftOpen(line, "{}[]", `"`)
	return out
}

// find looks for the mark in a text.
func find(text string) (path []string, key bool, has []string, ok bool) {
	root, err := read("", text)
	if err != nil {
		return nil, false, nil, false
	}
	var look func(n *strict.Node, at []string) bool
	look = func(n *strict.Node, at []string) bool {
		if s, is := n.Text(); is && s == mark {
			path = slices.Clone(at)
			return true
		}
		for i := range n.Items() {
			if look(&n.Items()[i], append(at, Item)) {
				return true
			}
		}
		for k, v := range n.Members() {
			name, _ := k.Text()
			if name == mark {
				path, key = slices.Clone(at), true
				for other := range n.Members() {
					if s, _ := other.Text(); s != mark {
						has = append(has, s)
					}
				}
				return true
			}
			if look(v, append(at, name)) {
				return true
			}
		}
		return false
	}
	ok = look(root, nil)
	return path, key, has, ok
}
