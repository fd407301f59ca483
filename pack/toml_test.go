package pack_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// oracle is what a whole TOML library reads of a file of wording; false for a
// file that isn't TOML, or not a table of texts.
func oracle(s string) (map[string]string, bool) {
	var file map[string]any
	if toml.Unmarshal([]byte(s), &file) != nil || len(file) > 1 {
		return nil, false
	}
	out := map[string]string{}
	if len(file) == 0 {
		return out, true
	}
	table, ok := file["prompt"].(map[string]any)
	for key, value := range table {
		text, isText := value.(string)
		ok = ok && isText && !strings.ContainsRune(text, 0)
		out[key] = text
	}
	return out, ok
}

// agree holds a file against the oracle: what is read is the same, and what is
// refused is no file of wording.
func agree(t interface{ Fatalf(string, ...any) }, s string) {
	w, err := pack.ParseWording("f.toml", s, cento.TrustUser, cento.Limits{})
	want, ok := oracle(s)
	if err != nil {
		// A table within a line, and line ends that nobody folded, are TOML that
		// isn't read here.
		if ok && !strings.ContainsAny(s, "{\r") {
			t.Fatalf("%q is refused: %v", s, err)
		}
		return
	}
	got := map[string]string{}
	for key, x := range pack.WordingTexts(w) {
		got[key] = x.Body
	}
	if !ok || !maps.Equal(got, want) {
		t.Fatalf("%q is read as %q, and is %q (%t)", s, got, want, ok)
	}
}

// TestTOMLIsTOML writes files of wording in every form that TOML has for texts,
// with what belongs there and what doesn't.
func TestTOMLIsTOML(t *testing.T) {
	pieces := []string{
		"a", "é", `\n`, `\t`, `\b`, `\u00e9`, `\U0001F600`, `\\`, `\"`, `\e`, `\x41`, `\q`, `\ud800`, `\u0000`,
		"'", `"`, `""`, "''", "\n", "\t", " ", "#", "\\\n  ", "\\ \n\n", "\x01", "\x7f", "{{ x }}", "=",
	}
	keys := []string{"loop_contract", "'a b'", `"a.b"`, `"\u0061"`, "A-1", "a", "b", "", "'''a'''", "a.b", "é", `""`}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		prefix := ""
		if rapid.Bool().Draw(t, "header") {
			b.WriteString(rapid.SampledFrom([]string{"[prompt]", "[ prompt ] # c", "['prompt']", "[other]", "[prompt.a]", "[[prompt]]", "[prompt"}).Draw(t, "table") + "\n")
		} else {
			prefix = rapid.SampledFrom([]string{"prompt.", "prompt . ", `"prompt".`, ""}).Draw(t, "prefix")
		}
		for range rapid.IntRange(0, 3).Draw(t, "keys") {
			quote := rapid.SampledFrom([]string{`"`, "'", `"""`, "'''", ""}).Draw(t, "quote")
			b.WriteString(prefix + rapid.SampledFrom(keys).Draw(t, "key") + rapid.SampledFrom([]string{"=", " = ", "\t=\t"}).Draw(t, "is"))
			b.WriteString(quote + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "text"), "") + quote)
			b.WriteString(rapid.SampledFrom([]string{"\n", " # c\n", " # c\x02\n", "\n\n", " x\n", ""}).Draw(t, "end"))
		}
		agree(t, b.String())
	})
}
