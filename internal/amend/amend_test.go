package amend

import (
	"errors"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"pgregory.net/rapid"
)

// placeIn is the place of a mark in a text, which begins a key or an item.
func placeIn(t testing.TB, text, mark string) cento.Position {
	t.Helper()
	before, _, ok := strings.Cut(strings.TrimPrefix(text, byteOrderMark), mark)
	if !ok {
		t.Fatalf("%q isn't in %q", mark, text)
	}
	return cento.Position{Line: 1, Column: 1}.After(before)
}

func TestChanges(t *testing.T) {
	out := func(mark, name string) func(testing.TB, string) Change {
		return func(t testing.TB, text string) Change {
			return Change{Kind: TakeOut, At: placeIn(t, text, mark), Name: name}
		}
	}
	spell := func(mark, name, to string) func(testing.TB, string) Change {
		return func(t testing.TB, text string) Change {
			return Change{Kind: Spell, At: placeIn(t, text, mark), Name: name, To: to}
		}
	}
	put := func(mark, to string) func(testing.TB, string) Change {
		return func(t testing.TB, text string) Change {
			return Change{Kind: PutIn, At: placeIn(t, text, mark), Name: "tools", To: to}
		}
	}
	type change = func(testing.TB, string) Change
	for name, x := range map[string]struct {
		file, text string
		changes    []change
		want       string // empty: by hand
	}{
		"a line":                         {"a.yaml", "vars:\n  a: 1\n  # of b\n  b: 2\nsystem: x\n", []change{out("b:", "b")}, "vars:\n  a: 1\n  # of b\nsystem: x\n"},
		"several lines":                  {"a.yaml", "vars:\n  a:\n    - 1\n\n    - 2\n\n  b: 2\n", []change{out("a:", "a")}, "vars:\n\n  b: 2\n"},
		"a list at its key":              {"a.yaml", "vars:\n  a:\n  - 1\n  - 2\n  b: 2\n", []change{out("a:", "a")}, "vars:\n  b: 2\n"},
		"a block of text":                {"a.yaml", "vars:\n  a: |\n    one\n\n      two\n  b: 2\n", []change{out("a:", "a")}, "vars:\n  b: 2\n"},
		"the comment of a line stays":    {"a.yaml", "vars:\n  a: 1 # why\n  b: 2\n", []change{out("a:", "a")}, "vars:\n  # why\n  b: 2\n"},
		"no comment in quotes":           {"a.yaml", "vars:\n  a: 'x # y'\n  b: 2\n", []change{out("a:", "a")}, ""},
		"a comment within":               {"a.yaml", "vars:\n  a:\n    # why\n    x: 1\n  b: 2\n", []change{out("a:", "a")}, ""},
		"the only one goes with its key": {"a.yaml", "vars:\n  a: 1\nsystem: x\n", []change{out("a:", "a")}, "system: x\n"},
		"all go with their key":          {"a.yaml", "vars:\n  a: 1\n  b: 2\nsystem: x\n", []change{out("a:", "a"), out("b:", "b")}, "system: x\n"},
		"a comment keeps the key":        {"a.yaml", "vars: # all\n  a: 1\nsystem: x\n", []change{out("a:", "a")}, "vars: {} # all\nsystem: x\n"},
		"nothing beside":                 {"a.yaml", "vars:\n  a: 1\n", []change{out("a:", "a")}, "vars: {}\n"},
		"without end":                    {"a.yaml", "system: x\nvars:\n  b: 1\n  a: 1", []change{out("a:", "a")}, "system: x\nvars:\n  b: 1\n"},
		"between braces, first":          {"a.yaml", "vars: {a: 1, b: 2}\n", []change{out("a:", "a")}, "vars: {b: 2}\n"},
		"between braces, last":           {"a.yaml", "vars: {b: [1, '}'], a: \"x, }\" }\n", []change{out("a:", "a")}, "vars: {b: [1, '}'] }\n"},
		"between braces, two of three":   {"a.yaml", "vars: {c: 1, b: 2, a: 3}\n", []change{out("b:", "b"), out("a:", "a")}, "vars: {c: 1}\n"},
		"between braces, all":            {"a.yaml", "x: {vars: {b: 2, a: 3}}\n", []change{out("b:", "b"), out("a:", "a")}, "x: {vars: {}}\n"},
		"the first of an item":           {"a.yaml", "l:\n  - a: 1\n    b: 2\n", []change{out("a:", "a")}, "l:\n  - b: 2\n"},
		"an item":                        {"a.yaml", "l:\n  - one\n  - two\n", []change{out("one", "one")}, "l:\n  - two\n"},
		"an item between brackets":       {"a.yaml", "l: [one, two]\n", []change{out("two", "two")}, "l: [one]\n"},
		"the only item":                  {"a.yaml", "s: {remove: [one]}\n", []change{out("one", "one")}, "s: {remove: []}\n"},
		"the only item, with others":     {"a.yaml", "s:\n  remove: [one]\n  x: 1\n", []change{out("one", "one")}, "s:\n  x: 1\n"},
		"JSON":                           {"a.json", "{\n  \"vars\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n", []change{out(`"b"`, "b")}, "{\n  \"vars\": {\n    \"a\": 1\n  }\n}\n"},
		"carriage returns":               {"a.yaml", "vars:\r\n  ä: 1\r\n  a: 1\r\n  b: 2\r\n", []change{out("a:", "a")}, "vars:\r\n  ä: 1\r\n  b: 2\r\n"},
		"a byte order mark":              {"a.yaml", byteOrderMark + "a: 1\nb: 2\n", []change{out("a:", "a")}, byteOrderMark + "b: 2\n"},
		"another name stands there":      {"a.yaml", "a: 1\nb: 2\n", []change{out("a:", "c")}, ""},

		"a key":               {"a.yaml", "sytem: x # y\n", []change{spell("sytem", "sytem", "system")}, "system: x # y\n"},
		"a quoted key":        {"a.json", `{"sytem": "x"}`, []change{spell(`"sytem`, "sytem", "system")}, `{"system": "x"}`},
		"a key that is there": {"a.yaml", "sytem: x\nsystem: y\n", []change{spell("sytem", "sytem", "system")}, ""},

		"a list is made":                 {"a.yaml", "l:\n  - id: x # the one\n    body: |\n      text\n  - id: y\n", []change{put("id: x", "run")}, "l:\n  - id: x # the one\n    tools: [run]\n    body: |\n      text\n  - id: y\n"},
		"behind what stands on one line": {"a.yaml", "l:\n  - body: |\n      text\n    id: x", []change{put("body", "run")}, "l:\n  - body: |\n      text\n    id: x\n    tools: [run]"},
		"between braces":                 {"a.yaml", "l: [{id: x, body: y}]\n", []change{put("{id", "run")}, "l: [{id: x, tools: [run], body: y}]\n"},
		"a list that is there":           {"a.yaml", "l: [{id: x, tools: [a], body: y}]\n", []change{put("{id", "true")}, "l: [{id: x, tools: [a, \"true\"], body: y}]\n"},
		"a list in lines":                {"a.yaml", "l:\n  - id: x\n    tools:\n      - a\n    body: y\n", []change{put("id: x", "b")}, "l:\n  - id: x\n    tools:\n      - a\n      - b\n    body: y\n"},
		"a list in JSON":                 {"a.json", `{"l": [{"id": "x", "body": "y"}]}`, []change{put(`{"id`, "b")}, `{"l": [{"id": "x", "tools": ["b"], "body": "y"}]}`},

		"front matter":                    {"a.md", "---\r\ntitle: x\r\nvars: [a]\r\n---\r\nText.\r\n", []change{out("title", "title")}, "---\r\nvars: [a]\r\n---\r\nText.\r\n"},
		"all front matter":                {"a.md", "---\ntitle: x\n---\nText.\n", []change{out("title", "title")}, "Text.\n"},
		"all front matter before another": {"a.md", "---\ntitle: x\n---\n---\ntitle: y\n---\n", []change{out("title", "title")}, ""},
		"front matter with a comment":     {"a.md", "---\n# why\ntitle: x\n---\nText.\n", []change{out("title", "title")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Read(x.file, x.text)
			if err != nil {
				t.Fatal(err)
			}
			var list []Change
			for _, c := range x.changes {
				list = append(list, c(t, x.text))
			}
			edits, err := d.Edits(list...)
			if x.want == "" {
				if !errors.Is(err, ErrByHand) {
					got, _ := Apply(x.text, edits)
					t.Fatalf("changed to %q, err %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Apply(x.text, edits); got != x.want || err != nil {
				t.Errorf("got\n%q, want\n%q, err %v", got, x.want, err)
			}
		})
	}
}

// Edits are put in whatever their order is, and never where one would decide what
// another leaves.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z]{0,20}`).Draw(t, "text")
		edits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edit {
			start := rapid.IntRange(-1, len(text)+1).Draw(t, "start")
			return Edit{start, rapid.IntRange(start-1, len(text)+1).Draw(t, "end"), rapid.SampledFrom([]string{"", "X"}).Draw(t, "new")}
		}), 0, 4).Draw(t, "edits")
		got, err := Apply(text, edits)
		again, other := Apply(text, rapid.Permutation(edits).Draw(t, "order"))
		if got != again || (err == nil) != (other == nil) {
			t.Fatalf("%q, %v; in another order %q, %v", got, err, again, other)
		}
		if err != nil {
			return
		}
		want, size := 0, len(text)
		for _, e := range edits {
			size += len(e.Text) - (e.End - e.Start)
			want += len(e.Text)
		}
		if len(got) != size || strings.Count(got, "X") != want {
			t.Fatalf("%q with %v is %q", text, edits, got)
		}
	})
}

// plainDocument draws a document in lines, with comments, and the names of its keys.
func plainDocument(t *rapid.T) (text string, keys []string) {
	var b strings.Builder
	b.WriteString("system: x\nvars:\n")
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-e]{1,3}`), 2, 5, rapid.ID[string]).Draw(t, "names")
	for _, n := range names {
		b.WriteString(rapid.SampledFrom([]string{"", "\n", "  # above\n", "# left\n"}).Draw(t, "before"))
		b.WriteString("  " + n + ":" + rapid.SampledFrom([]string{" 1", " {x: 1}", " 'a b'", "\n    - x\n    - y", "\n    k: v", " |\n    text\n\n    more", " >-\n    text"}).Draw(t, "value"))
		b.WriteString("\n")
	}
	b.WriteString(rapid.SampledFrom([]string{"", "# last\n", "scope: off\n"}).Draw(t, "rest"))
	return b.String(), names
}

// Whatever members of a document in lines are taken out: the others and all comments
// stay as they are, and taking out one after the other comes to the same values.
func TestTakenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, names := plainDocument(t)
		gone := rapid.IntRange(1, len(names)).Draw(t, "gone")
		var list []Change
		for _, n := range names[:gone] {
			list = append(list, Change{Kind: TakeOut, Name: n, At: memberAt(t, text, n)})
		}
		d, err := Read("a.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		edits, err := d.Edits(list...)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		got, err := Apply(text, edits)
		if err != nil {
			t.Fatal(err)
		}
		if comments(got) != comments(text) {
			t.Fatalf("a comment of %q is lost: %q", text, got)
		}
		kept := map[string]int{}
		for line := range strings.Lines(text) {
			kept[line]++
		}
		for line := range strings.Lines(got) {
			if kept[line]--; kept[line] < 0 && line != "vars: {}\n" {
				t.Fatalf("%q was written into %q", line, text)
			}
		}
		one := text
		for _, n := range names[:gone] {
			d, err := Read("a.yaml", one)
			if err != nil {
				t.Fatal(err)
			}
			edits, err := d.Edits(Change{Kind: TakeOut, Name: n, At: memberAt(t, one, n)})
			if err != nil {
				t.Fatalf("%q: %v", one, err)
			}
			if one, err = Apply(one, edits); err != nil {
				t.Fatal(err)
			}
		}
		if meant(t, one) != meant(t, got) {
			t.Fatalf("one by one\n%s\ntogether\n%s", one, got)
		}
	})
}

func memberAt(t interface{ Fatal(...any) }, text, name string) cento.Position {
	d, err := Read("a.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	_, vars := d.root.Member("vars")
	key, _ := vars.Member(name)
	return key.Position()
}

func meant(t interface{ Fatal(...any) }, text string) string {
	d, err := Read("a.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return string(meaning(nil, d.root, &changes{}))
}

// FuzzEdits: whatever a file holds, what is taken out of it leaves a file that reads,
// with all comments.
func FuzzEdits(f *testing.F) {
	f.Add("a.yaml", "vars: {a: 1, b: [x, 'y']}\n", 1, 8, "a")
	f.Add("a.yaml", "l:\n- a: |\n    # x\n  b: 1 # y\n", 2, 3, "a")
	f.Add("a.json", `{"a": {"b": 1}}`, 1, 8, "b")
	f.Add("a.md", "---\ntitle: x\n---\n", 2, 1, "title")
	f.Fuzz(func(t *testing.T, name, text string, line, column int, key string) {
		d, err := Read(name, text)
		if err != nil || d.root == nil {
			return
		}
		for _, k := range []Kind{TakeOut, Spell, PutIn} {
			edits, err := d.Edits(Change{Kind: k, At: cento.Position{Line: line, Column: column}, Name: key, To: "other"})
			if err != nil {
				continue
			}
			after, err := Apply(text, edits)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Read(name, after); err != nil {
				t.Fatalf("%q became %q: %v", text, after, err)
			}
		}
	})
}
