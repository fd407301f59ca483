package strict

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// fatal is what tests and properties share.
type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// checkRuns holds the laws of runs: they tile the text, and one that isn't
// fixed equals the bytes at its place in the file, found by counting lines and
// columns from the start.
func checkRuns(t fatal, n *Node, file string) {
	t.Helper()
	text, ok := n.Text()
	runs := n.Runs(cento.TrustTool)
	if !ok || text == "" {
		if runs != nil {
			t.Fatalf("%v of a value without text", runs)
		}
		return
	}
	end := 0
	for _, r := range runs {
		if r.Start != end || r.End <= r.Start || r.End > len(text) {
			t.Fatalf("run %+v after %d of %d bytes", r, end, len(text))
		}
		end = r.End
		if r.Trust != cento.TrustTool {
			t.Fatalf("run %+v has another trust", r)
		}
		place := from(file, r.Position)
		if got := text[r.Start:r.End]; !r.Fixed && !strings.HasPrefix(place, got) {
			t.Fatalf("run %+v is %q, at its place is %.40q", r, got, place)
		}
	}
	if end != len(text) {
		t.Fatalf("runs end at %d of %d bytes", end, len(text))
	}
}

// from is the text of a file from a place on, found the slow way.
func from(file string, p cento.Position) string {
	for range p.Line - 1 {
		_, file, _ = strings.Cut(file, "\n")
	}
	for range p.Column - 1 {
		_, size := utf8.DecodeRuneInString(file)
		file = file[size:]
	}
	return file
}

func TestRuns(t *testing.T) {
	const F = true // fixed
	type run struct {
		text         string
		line, column int
		fixed        bool
	}
	for _, c := range []struct {
		name, file string
		want       []run
	}{
		{"plain", "a: some words # no", []run{{"some words", 1, 4, false}}},
		{"plain in flow", "a: [x, yz]", nil},
		{"plain over lines", "a: some\n  more\n\n  words", []run{{"some", 1, 4, false}, {" ", 1, 8, F}, {"more", 2, 3, false}, {"\n", 2, 7, F}, {"words", 4, 3, false}}},
		{"single", "a: 'it''s'", []run{{"it'", 1, 5, false}, {"s", 1, 9, false}}},
		{"double", `a: "x\ty\u00e4z"`, []run{{"x", 1, 5, false}, {"\t", 1, 6, F}, {"y", 1, 8, false}, {"ä", 1, 9, F}, {"z", 1, 15, false}}},
		{"double over lines", "a: \"x \n\n  y \\\n  \\ z\"", []run{{"x", 1, 5, false}, {"\n", 1, 7, F}, {"y ", 3, 3, false}, {" ", 4, 3, F}, {"z", 4, 5, false}}},
		{"literal", "a: |\n  one\n\n    two\n  three\n", []run{{"one\n", 2, 3, false}, {"\n", 3, 1, false}, {"  two\n", 4, 3, false}, {"three\n", 5, 3, false}}},
		{"literal stripped", "a: |-  # comment\n  one\n  two\n\nb: 1\n", []run{{"one\n", 2, 3, false}, {"two", 3, 3, false}}},
		{"literal kept", "a: |+\n  one\n\n\nb: 1\n", []run{{"one\n", 2, 3, false}, {"\n", 3, 1, false}, {"\n", 4, 1, false}}},
		{"literal with indent", "a: |1\n   one\n  two\n", []run{{"  one\n", 2, 2, false}, {" two\n", 3, 2, false}}},
		{"literal after code points", "ä: {} \nb: |\n é\n", []run{{"é\n", 3, 2, false}}},
		{"literal without end", "a: |\n  one", []run{{"one", 2, 3, false}}},
		{"literal beginning blank", "a: |\n\n  one\n", []run{{"\n", 2, 1, false}, {"one\n", 3, 3, false}}},
		{"folded", "a: >\n  one\n  two\n\n  three\n", []run{{"one", 2, 3, false}, {" ", 2, 6, F}, {"two", 3, 3, false}, {"\n", 3, 6, F}, {"three", 5, 3, false}, {"\n", 5, 8, F}}},
		{"folded with indented", "a: >-\n  one\n    two\n  three\n\n", []run{{"one", 2, 3, false}, {"\n", 2, 6, F}, {"  two", 3, 3, false}, {"\n", 3, 8, F}, {"three", 4, 3, false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := YAML("f", []byte(c.file), cento.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			walk(n, func(n *Node) { checkRuns(t, n, c.file) })
			if c.want == nil {
				return
			}
			v := &n.nodes[len(n.nodes)-1]
			if _, a := n.Member("a"); a != nil {
				v = a
			}
			text, _ := v.Text()
			runs := v.Runs(cento.TrustTool)
			if len(runs) != len(c.want) {
				t.Fatalf("%q has runs %+v", text, runs)
			}
			for i, w := range c.want {
				r := runs[i]
				if got := (run{text[r.Start:r.End], r.Position.Line, r.Position.Column, r.Fixed}); got != w {
					t.Errorf("run %d is %+v, want %+v", i, got, w)
				}
			}
		})
	}
}

// A text in any style reads as itself, and its runs hold the laws. A block
// after | is traced without a fixed byte.
func TestRunsOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		style := rapid.SampledFrom([]yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle}).Draw(t, "style")
		indent := rapid.IntRange(2, 5).Draw(t, "indent")
		width := rapid.SampledFrom([]int{8, 20, 80, -1}).Draw(t, "width")
		doc := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: "k"},
			{Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Style: style, Value: text}}},
		}}
		data, err := yaml.Dump(doc, yaml.WithIndent(indent), yaml.WithLineWidth(width))
		if err != nil {
			t.Skip("not writable as YAML")
		}
		file := string(data)
		n, err := YAML("f", data, cento.DefaultLimits())
		if err != nil {
			t.Skip("not readable: " + err.Error())
		}
		_, list := n.Member("k")
		v := &list.nodes[0]
		got, ok := v.Text()
		if !ok || got != text {
			t.Skip("the writer changed the text")
		}
		checkRuns(t, v, file)
		fixed := 0
		for _, r := range v.Runs(0) {
			if r.Fixed {
				fixed += r.End - r.Start
			}
		}
		if v.style == literal && fixed > 0 {
			t.Fatalf("a literal block has %d fixed bytes:\n%s", fixed, file)
		}
		// A folded block that begins with blanks doesn't tell its indentation.
		if v.style == folded && strings.TrimLeft(text, " \n") == text && fixed > 1+strings.Count(text, " ")+strings.Count(text, "\n") {
			t.Fatalf("a folded block has %d fixed bytes:\n%s", fixed, file)
		}
	})
}

func TestRunsOfAnyJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		var file strings.Builder
		file.WriteString(" [\n\"")
		plain := true
		for _, r := range text {
			switch {
			case r == '\n':
				file.WriteString(`\n`)
				plain = false
			case r < ' ' || r == '"' || r == '\\' || rapid.Bool().Draw(t, "escape") && r != 0:
				plain = false
				for _, u := range utf16s(r) {
					file.WriteString(`\u` + hex4s(u))
				}
			default:
				file.WriteRune(r)
			}
		}
		file.WriteString("\"]")
		n, err := JSON("f", []byte(file.String()), cento.DefaultLimits())
		if strings.ContainsRune(text, 0) {
			if err == nil {
				t.Fatalf("NUL was read in %q", file.String())
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", file.String(), err)
		}
		v := &n.nodes[0]
		if got, _ := v.Text(); got != text {
			t.Fatalf("%q reads as %q", file.String(), got)
		}
		checkRuns(t, v, file.String())
		if runs := v.Runs(0); plain && text != "" && (len(runs) != 1 || runs[0].Fixed) {
			t.Fatalf("%q has runs %+v", file.String(), runs)
		}
	})
}

// The words of a text begin behind quotes, marks of blocks and white space; the place
// of a value without words is where it begins.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, file, in string
		line, column   int
	}{
		{"plain", "f.yaml", "a: Words", 1, 4},
		{"quoted", "f.yaml", "a: 'Words'", 1, 5},
		{"an escape first", "f.yaml", `a: "\u00dcber"`, 1, 5},
		{"blanks first", "f.yaml", "a: \"  \u00fcber\"", 1, 7},
		{"wide blanks first", "f.yaml", "a: \"\u3000\u3000Words\"", 1, 7},
		{"escaped blanks first", "f.yaml", `a: "\n\tWords"`, 1, 9},
		{"a literal block", "f.yaml", "a: |\n\n  Words\n  more\n", 3, 3},
		{"a folded block", "f.yaml", "a: >-\n  Words\n  more\n", 2, 3},
		{"a block with CRLF", "f.yaml", "a: |\r\n\r\n  Words\r\n", 3, 3},
		{"JSON", "f.json", "{\"a\":\n \" Words\"}", 2, 4},
		{"nothing", "f.yaml", `a: ""`, 1, 4},
		{"blank", "f.yaml", `a: "  "`, 1, 4},
		{"no text", "f.yaml", "a: 12", 1, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Read(c.file, []byte(c.in), cento.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			_, v := n.Member("a")
			at := At{node: v}
			if want := (cento.Position{File: c.file, Line: c.line, Column: c.column}); at.Words() != want {
				t.Errorf("%v, want %v", at.Words(), want)
			}
		})
	}
	if at := (At{}); !at.Words().IsZero() {
		t.Errorf("what wasn't read is at %v", at.Words())
	}
}

// A text that stands in one piece needs a beginning alone; of any other each stretch is
// told, from the first byte of the text on.
func TestStands(t *testing.T) {
	for _, c := range []struct {
		name, in           string
		line, column, runs int
	}{
		{"plain", "a: b c", 1, 4, 0},
		{"quoted", "a: 'b c'", 1, 5, 0},
		{"over lines", "a: b\n  c", 1, 4, 3},
		{"an escape", `a: "\u0020b"`, 1, 5, 2},
		{"an escape alone", `a: "\u0020"`, 1, 5, 1},
		{"a block of one line", "a: |-\n  b", 2, 3, 0},
		{"a block", "a: |-\n  b\n  c", 2, 3, 2},
		{"nothing", `a: ""`, 1, 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Read("f.yaml", []byte(c.in), cento.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			_, v := n.Member("a")
			at, runs := At{node: v}.Stands(cento.TrustTool)
			if want := (cento.Position{File: "f.yaml", Line: c.line, Column: c.column}); at != want || len(runs) != c.runs {
				t.Errorf("at %v in %+v, want %v in %d", at, runs, want, c.runs)
			}
		})
	}
}
