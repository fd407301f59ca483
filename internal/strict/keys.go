package strict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// few is how many keys are compared one with another; more go through a map.
const few = 16

// repeatedKeys reports keys that stand twice in one map, given as keys and
// values in turn. Keys that differ in letter case alone count as one, because
// readers of JSON disagree on them.
func repeatedKeys(nodes []Node, errs *errorList) {
	if len(nodes) <= 2*few {
		for i := 2; i < len(nodes); i += 2 {
			for j := 0; j < i; j += 2 {
				if strings.EqualFold(nodes[i].text, nodes[j].text) {
					repeatedKey(&nodes[j], &nodes[i], errs)
					break
				}
			}
		}
		return
	}
	first := make(map[string]int, len(nodes)/2)
	for i := 0; i < len(nodes); i += 2 {
		key := foldCase(nodes[i].text)
		if j, ok := first[key]; ok {
			repeatedKey(&nodes[j], &nodes[i], errs)
			continue
		}
		first[key] = i
	}
}

func repeatedKey(first, again *Node, errs *errorList) {
	if errs.full() {
		errs.further++
		return
	}
	e := again.src.fail(int(again.off), DuplicateKey, "keep one of the two", "key %q is given twice", again.text)
	if first.text != again.text {
		e = again.src.fail(int(again.off), DuplicateKey, "keep one of the two", "keys %q and %q differ in letter case alone", first.text, again.text)
	}
	e.Related = []cento.Related{{Position: first.Position(), Message: "given here first"}}
	errs.add(e)
}

// foldCase gives texts that strings.EqualFold calls equal, and only those, the
// same form.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r < 'A' || r > 'Z' && r < 'a' || r > 'z') {
			return r
		}
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// ShownKey is a key as it stands in a path that people read: itself when it is
// plain, else quoted, so that what it hides is shown.
func ShownKey(s string) string {
	plain := s != ""
	for _, r := range s {
		if r <= ' ' || r > '~' || r == '.' || r == '"' {
			plain = false
		}
	}
	if plain {
		return s
	}
	return strconv.QuoteToASCII(s)
}

// unknown reports a key that isn't known. It gives the field that is proposed for it,
// below 0 for none, and the error unless there are too many.
func (d *Decoder) unknown(n, key *Node, fields []field) (int, *cento.SourceError) {
	if d.errs.full() {
		d.errs.further++
		return -1, nil
	}
	names := known(fields)
	e := d.Unknown(key, names)
	for i := range fields {
		if as, ok := fields[i].holds[key.text]; ok {
			e.Hint = fmt.Sprintf("it belongs under %q", fields[i].name)
			if as != key.text {
				e.Hint += fmt.Sprintf(" and is called %q", as)
			}
			return i, e
		}
	}
	other := slices.IndexFunc(fields, func(f field) bool { return slices.Contains(f.others, key.text) })
	if other >= 0 && n.index(fields[other].name) < 0 {
		e.Hint = fmt.Sprintf("did you mean %q? known here: %s", fields[other].name, nearest.List(names))
		return other, e
	}
	if e.Meant = meant(n, key, names); e.Meant != "" {
		d.misspelt = append(d.misspelt, misspelling{n, e.Meant})
	}
	near, ok := nearest.Name(key.text, names)
	if !ok {
		return -1, e
	}
	return slices.IndexFunc(fields, func(f field) bool { return f.name == near }), e
}

// known are the names of keys that may be written.
func known(fields []field) []string {
	var names []string
	for _, f := range fields {
		if !f.refused {
			names = append(names, f.name)
		}
	}
	return names
}

// maxKeys bounds the keys of a map that are held against one another.
const maxKeys = 64

// meant is the known key that is surely meant by an unknown one of a map: no other is
// as near, the map doesn't have it, and no other key may mean it, too.
func meant(n, key *Node, known []string) string {
	name, ok := nearest.Only(key.text, known)
	if !ok || n.index(name) >= 0 || len(n.nodes) > 2*maxKeys {
		return ""
	}
	for other := range n.Members() {
		if other == key || slices.Contains(known, other.text) {
			continue
		}
		if near, ok := nearest.Name(other.text, known); ok && near == name {
			return ""
		}
	}
	return name
}

// Unknown reports a key that isn't known, with the nearest that is and up to
// eight others.
func (d *Decoder) Unknown(key *Node, known []string) *cento.SourceError {
	e := d.Fail(key.Position(), UnknownKey, "unknown key %q", clip(key.text, 80))
	e.Hint = UnknownHint(key.text, known)
	return e
}

// UnknownHint proposes the nearest known name and lists up to eight.
func UnknownHint(got string, known []string) string {
	hint := nearest.Hint(got, known, "")
	if hint != "" {
		hint += " "
	}
	return hint + "known here: " + nearest.List(known)
}
