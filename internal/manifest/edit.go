package manifest

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// A manifest is written by people, so its text is changed as little as can be:
// comments and layout stay. What comes out is read again; when it doesn't mean
// what it should, nothing is changed and the error says what to write by hand.

// NotEditable: the manifest is written in a way that can't be changed safely.
const NotEditable cento.ErrorCode = "manifest.edit"

// WithPack is the text of the manifest with one more pack. The file is the name
// that people know it by, the text what it was read from.
func (m *Manifest) WithPack(file, text, name, folder string) (string, error) {
	item := "name: " + name
	if folder != path.Join(PackFolder, name) {
		item += ", path: " + strict.Quoted(folder)
	}
	was := text
	want := append(slices.Clone(m.Packs), PackReference{Name: name, Path: folder})
	key, list := m.packsKey()
	switch {
	case key.Line == 0 && !strings.HasPrefix(strings.TrimSpace(text), "{"):
		text = withNewline(text) + "packs:\n  - {" + item + "}\n"
	case list.Line > 0:
		lines := strings.SplitAfter(text, "\n")
		line := []rune(lines[list.Line-1])
		switch {
		case list.Column <= len(line) && line[list.Column-1] == '[': // on its own line or behind the key
			comma := ", "
			if len(m.Packs) == 0 {
				comma = ""
			}
			lines[list.Line-1] = string(line[:list.Column]) + "{" + item + "}" + comma + string(line[list.Column:])
			want = append([]PackReference{want[len(want)-1]}, want[:len(want)-1]...)
		case list.Line > key.Line && len(m.Packs) > 0:
			indent := strings.Repeat(" ", list.Column-1)
			at := m.Packs[len(m.Packs)-1].Position.Line // of its name
			for at < len(lines) && deeper(lines[at], list.Column-1) {
				at++
			}
			lines[at-1] = withNewline(lines[at-1])
			lines = slices.Insert(lines, at, indent+"- {"+item+"}\n")
		}
		text = strings.Join(lines, "")
	}
	return edited(file, was, text, want, "add {"+item+"} to packs in "+file+", and run the command again")
}

// WithoutPack is the text of the manifest without the pack of that index.
func (m *Manifest) WithoutPack(file, text string, index int) (string, error) {
	was, packs := text, m.Packs
	if at := m.removal("packs", packs[index].Name); !at.IsZero() {
		return "", &cento.SourceError{
			Code: NotEditable, Position: at, Message: "a target removes the pack from the list, so the list has to have it",
			Hint: "take it out of the target, and run the command again",
		}
	}
	want := slices.Delete(slices.Clone(packs), index, index+1)
	lines := strings.SplitAfter(text, "\n")
	key, list := m.packsKey()
	if list.Line > key.Line {
		from := packs[index].Position.Line - 1
		for from > list.Line-1 && !strings.HasPrefix(strings.TrimLeft(lines[from], " "), "- ") {
			from--
		}
		to := from + 1
		for to < len(lines) && deeper(lines[to], list.Column-1) {
			to++
		}
		if len(packs) == 1 {
			from = key.Line - 1
		}
		text = strings.Join(slices.Delete(lines, from, to), "")
	}
	return edited(file, was, text, want, fmt.Sprintf("take %s out of packs in %s, and run the command again", packs[index].Name, file))
}

// deeper reports whether a line belongs to the list item above it, whose dash
// stands behind so many blanks.
func deeper(line string, blanks int) bool {
	rest := strings.TrimLeft(line, " ")
	return strings.TrimSpace(rest) != "" && len(line)-len(rest) > blanks
}

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// packsKey gives the places of the key packs and of its value.
func (m *Manifest) packsKey() (key, value cento.Position) {
	if m.root == nil {
		return key, value
	}
	if k, v := m.root.Member("packs"); k != nil {
		return k.Position(), v.Position()
	}
	return key, value
}

// edited holds a changed text to what it should mean.
func edited(file, was, text string, want []PackReference, byHand string) (string, error) {
	m, err := Parse(file, []byte(text))
	same := err == nil && slices.EqualFunc(m.Packs, want, func(a, b PackReference) bool { return a.Name == b.Name && a.Path == b.Path })
	if same && text != was {
		return text, nil
	}
	return "", &cento.SourceError{
		Code: NotEditable, Position: cento.Position{File: file},
		Message: "the list of packs is written in a way that can't be changed here", Hint: byHand,
		Err: errors.Unwrap(err),
	}
}
