package strict

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
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
