package manifest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// proposal is the text of a hint that is to replace what is at the place of the error.
var proposal = regexp.MustCompile(`^did you mean "([^"]+)"\?`)

// TestNearKeys mistypes each key of each kind of map of the format: the hint names the key.
func TestNearKeys(t *testing.T) {
	for what, names := range schemaKeys(t) {
		for _, name := range names {
			for _, typed := range mistypings(name) {
				if slices.Contains(names, typed) {
					continue // which is another key
				}
				m := proposal.FindStringSubmatch(strict.UnknownHint(typed, names))
				if m == nil || !slices.Contains(mistypings(m[1]), typed) && !strings.EqualFold(m[1], strings.ReplaceAll(name, "_", "")) {
					t.Errorf("%s: the hint for %q doesn't name %q: %v", what, typed, name, m)
				}
			}
		}
	}
}

// TestNearKeysAreRead mistypes each key of each manifest of the archives. Whoever replaces
// the mistyped key by the one that the hint names has the manifest that was meant, and its
// prompt with it.
func TestNearKeysAreRead(t *testing.T) {
	keys := map[string]bool{}
	for _, names := range schemaKeys(t) {
		for _, name := range names {
			keys[name] = true
		}
	}
	mistyped, seen := 0, map[string]bool{}
	archives.Each(t, func(name string, files map[string]string) {
		text := files[FileName]
		n, err := strict.YAML(FileName, []byte(text), cento.DefaultLimits())
		if err != nil {
			return
		}
		if _, err := Parse(FileName, []byte(text)); err != nil {
			return
		}
		eachKey("", n, func(way string, key *strict.Node, beside []string) {
			meant, _ := key.Text()
			if !keys[meant] || seen[way] {
				return
			}
			seen[way] = true
			for _, typed := range mistypings(meant) {
				changed := replaceAt(text, key.Position(), meant, typed)
				if changed == "" || slices.Contains(beside, typed) {
					continue // between quotes, or there already
				}
				e := faultAt(changed, key.Position())
				if e == nil || e.Code != strict.UnknownKey {
					continue // a key of another meaning, or a name of the user's
				}
				mistyped++
				m := proposal.FindStringSubmatch(e.Hint)
				if m == nil || replaceAt(changed, e.Position, typed, m[1]) != text {
					t.Errorf("%s: %s for %s: %v\n  hint: %s", name, typed, way, e, e.Hint)
				}
			}
		})
	})
	if mistyped < 5000 {
		t.Errorf("only %d keys were mistyped", mistyped)
	}
}

// eachKey calls do for each key below a value, with the way to it and all keys of its map.
func eachKey(way string, n *strict.Node, do func(way string, key *strict.Node, beside []string)) {
	for i := range n.Items() {
		eachKey(way+"[]", &n.Items()[i], do)
	}
	var beside []string
	for key := range n.Members() {
		name, _ := key.Text()
		beside = append(beside, name)
	}
	for key, value := range n.Members() {
		name, _ := key.Text()
		do(way+"."+name, key, beside)
		eachKey(way+"."+name, value, do)
	}
}

// schemaKeys are the keys of each kind of map of the manifest and of requests.
func schemaKeys(t *testing.T) map[string][]string {
	out := map[string][]string{}
	for _, s := range []*jsonschema.Schema{requestSchemaOf(t), manifestSchemaOf(t)} {
		out["the whole"] = slices.Sorted(maps.Keys(s.Properties))
		for name, def := range s.Defs {
			out[name] = slices.Sorted(maps.Keys(def.Properties))
		}
	}
	return out
}

// faultAt is the error of a manifest at a place, nil for none.
func faultAt(text string, at cento.Position) *cento.SourceError {
	_, err := Parse(FileName, []byte(text))
	for _, e := range cento.SourceErrors(err) {
		if e.Position == at {
			return e
		}
	}
	return nil
}

// replaceAt replaces a word at a place, "" where another is there.
func replaceAt(text string, at cento.Position, old, by string) string {
	lines := strings.SplitAfter(text, "\n")
	line := []rune(lines[at.Line-1])
	rest, ok := strings.CutPrefix(string(line[at.Column-1:]), old)
	if !ok {
		return ""
	}
	lines[at.Line-1] = string(line[:at.Column-1]) + by + rest
	return strings.Join(lines, "")
}

// mistypings are ways to mistype a key: a letter left out or doubled, two that are swapped,
// a letter of another case, another sign between words, a plural.
func mistypings(key string) []string {
	out := map[string]bool{key + "s": true, strings.ToUpper(key[:1]) + key[1:]: true, strings.ToUpper(key): true}
	out[strings.TrimSuffix(key, "s")] = true
	if s, ok := strings.CutSuffix(key, "y"); ok {
		out[s+"ies"] = true
	}
	for i := range key {
		out[key[:i]+key[i+1:]] = true
		out[key[:i+1]+key[i:]] = true
		if i > 0 {
			out[key[:i-1]+string(key[i])+string(key[i-1])+key[i+1:]] = true
		}
	}
	out[strings.ReplaceAll(key, "_", "-")] = true
	out[strings.ReplaceAll(key, "_", "")] = true
	out[strings.ReplaceAll(key, "_", " ")] = true
	words := strings.Split(key, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	out[strings.Join(words, "")] = true
	delete(out, key)
	delete(out, "")
	return slices.Sorted(maps.Keys(out))
}
