package project

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// A manifest is written by people, so its text is changed as little as can be:
// comments and layout stay. What comes out is read again; when it doesn't mean
// what it should, nothing is changed and the error says what to write by hand.

// NotEditable: the manifest is written in a way that can't be changed safely.
const NotEditable cento.ErrorCode = "manifest.edit"

// withPack is the text of the manifest with one more pack.
func (p *Project) withPack(name, folder string) (string, error) {
	item := "name: " + name
	if folder != path.Join(packFolder, name) {
		item += ", path: " + string(mustJSON(folder))
	}
	want := append(slices.Clone(p.base.Packs), PackReference{Name: name, Path: folder})
	text := p.text
	key, list := p.member("packs")
	switch {
	case key.Line == 0 && !strings.HasPrefix(strings.TrimSpace(text), "{"):
		text = withNewline(text) + "packs:\n  - {" + item + "}\n"
	case list.Line > key.Line:
		lines := strings.SplitAfter(text, "\n")
		indent := strings.Repeat(" ", list.Column-1)
		at := p.base.Packs[len(p.base.Packs)-1].Position.Line // of its name
		for at < len(lines) && deeper(lines[at], list.Column-1) {
			at++
		}
		lines[at-1] = withNewline(lines[at-1])
		text = strings.Join(slices.Insert(lines, at, indent+"- {"+item+"}\n"), "")
	case list.Line > 0:
		lines := strings.SplitAfter(text, "\n")
		line := []rune(lines[list.Line-1])
		if list.Column <= len(line) && line[list.Column-1] == '[' {
			comma := ", "
			if len(p.base.Packs) == 0 {
				comma = ""
			}
			lines[list.Line-1] = string(line[:list.Column]) + "{" + item + "}" + comma + string(line[list.Column:])
			want = append([]PackReference{want[len(want)-1]}, want[:len(want)-1]...)
		}
		text = strings.Join(lines, "")
	}
	return p.edited(text, want, "add {"+item+"} to packs in "+p.Show(p.ManifestPath)+", and run the command again")
}

// withoutPack is the text of the manifest without the pack of that index.
func (p *Project) withoutPack(index int) (string, error) {
	packs := p.base.Packs
	want := slices.Delete(slices.Clone(packs), index, index+1)
	lines := strings.SplitAfter(p.text, "\n")
	key, list := p.member("packs")
	text := p.text
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
	return p.edited(text, want, fmt.Sprintf("take %s out of packs in %s, and run the command again", packs[index].Name, p.Show(p.ManifestPath)))
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

// member gives the places of a key of the manifest and of its value.
func (p *Project) member(name string) (key, value cento.Position) {
	if p.base.root == nil {
		return key, value
	}
	if k, v := p.base.root.Member(name); k != nil {
		return k.Position(), v.Position()
	}
	return key, value
}

// edited holds a changed text to what it should mean.
func (p *Project) edited(text string, want []PackReference, byHand string) (string, error) {
	m, err := ParseManifest(p.Show(p.ManifestPath), []byte(text))
	same := err == nil && slices.EqualFunc(m.Packs, want, func(a, b PackReference) bool { return a.Name == b.Name && a.Path == b.Path })
	if same && text != p.text {
		return text, nil
	}
	return "", &cento.SourceError{
		Code: NotEditable, Position: cento.Position{File: p.Show(p.ManifestPath)},
		Message: "the list of packs is written in a way that can't be changed here", Hint: byHand,
		Err: errors.Unwrap(err),
	}
}
