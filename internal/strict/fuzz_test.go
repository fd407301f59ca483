package strict

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// What is read as JSON is JSON and means what the standard library says, and
// what is valid JSON is refused only for the reasons that we add.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e3, true, null, "x\n\u00e9\ud83d\ude00"], "b": {}}`, `[]`, ` "x" `, `{"a":1,"A":2}`, `"\ud800"`, `"\u0000"`,
		"[\"\u2028\"]", "\ufeff1", `{"a":}`, `[1,]`, "1\r\n", strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := JSON("f", data, cento.DefaultLimits())
		text := bytes.TrimPrefix(data, []byte("\ufeff"))
		valid := json.Valid(text)
		if err != nil {
			if !valid {
				return
			}
			for _, reason := range []string{"given twice", "letter case", "surrogate", "NUL", "nest more", "UTF-8"} {
				if strings.Contains(err.Error(), reason) {
					return
				}
			}
			t.Fatalf("%q is refused: %v", data, err)
		}
		if !valid {
			t.Fatalf("%q is read", data)
		}
		printed, err := n.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := decoded(t, printed), decoded(t, text); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is printed as %s", data, printed)
		}
		walk(n, func(n *Node) { checkRuns(t, n, n.src.text) })
	})
}

func decoded(t *testing.T, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// What is read as YAML, printed as YAML or as JSON, reads back as the same, and every text
// can be found where its runs say.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, 'y''z', \"q\\n\"]\nc: |\n  lit\n\n  eral\nd: >-\n  fol\n  ded\n\n   more\n", "- - - a\n- {b: c}\n", "a:\n\tb", "? x\n: y\n",
		"a: &x b\nc: *x", "--- a\n...\n", "%YAML 1.2\n---\na: b", "a: some\n  words\n\n  more", "\"  b\\x41\\u00420U0000\\043\\e\"", "\"a\\\n  b\\x41\\u0042\\U00000043\\e\"", "a: |2+\n   x\n\n", "# c\n", "a: b: c",
		"key: 'x\n\n  y'", "[a, [b, {c: d, e}]]", "\r\na: |\r\n x\r\n", "!!str a", "<<: {a: b}", ".inf", "a: [\n", "a: {b: [c,, d]}", "a: ]", "%x\n", "a: ? b", "a: &", "a: !<x", "- >\n  a\n   b\n\n  c\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := YAML("f", data, cento.DefaultLimits())
		if err != nil {
			if len(cento.SourceErrors(err)) == 0 {
				t.Fatalf("%q: %v", data, err)
			}
			for _, e := range cento.SourceErrors(err) {
				if e.Code == Syntax && (e.Hint == "" || e.Position.Line == 0) {
					t.Fatalf("%q: %v, without a place or a next step", data, e)
				}
			}
			return
		}
		walk(n, func(n *Node) { checkRuns(t, n, n.src.text) })
		printed := n.AppendYAML(nil)
		again, err := YAML("f", printed, cento.DefaultLimits())
		if err != nil {
			t.Fatalf("%q is printed as %s: %v", data, printed, err)
		}
		if reprinted := again.AppendYAML(nil); !bytes.Equal(reprinted, printed) {
			t.Fatalf("%s is printed again as %s", printed, reprinted)
		}
		printed, err = n.AppendJSON(nil)
		if err != nil {
			return
		}
		again, err = JSON("f", printed, cento.DefaultLimits())
		if err != nil {
			t.Fatalf("%q is printed as %s: %v", data, printed, err)
		}
		if reprinted, err := again.AppendJSON(nil); err != nil || !bytes.Equal(reprinted, printed) {
			t.Fatalf("%s is printed again as %s, %v", printed, reprinted, err)
		}
	})
}
