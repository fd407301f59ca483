package amend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// nested draws a document in lines, with lists, maps, texts of all forms, and comments.
func nested(t *rapid.T) string {
	var b strings.Builder
	var write func(indent string, depth int)
	scalar := func(indent string) string {
		return strings.ReplaceAll(rapid.SampledFrom([]string{
			" 1", " word", " two\nI  lines", " 'a # b'", " \"a\nI  b\"", " {x: 1, y: [a, b]}", " []", "", " |\nI  text\n\nI    more", " |+\nI  text\n\n", " >-\nI  # text",
		}).Draw(t, "scalar"), "\nI", "\n"+indent)
	}
	write = func(indent string, depth int) {
		list := depth > 0 && rapid.Bool().Draw(t, "list")
		for i := range rapid.IntRange(1, 4).Draw(t, "entries") {
			b.WriteString(rapid.SampledFrom([]string{"", "", "\n", indent + "# above\n", "# left\n"}).Draw(t, "between"))
			mark := fmt.Sprintf("%sk%d:", indent, i)
			if list {
				mark = indent + "-"
			}
			b.WriteString(mark)
			switch {
			case depth < 2 && rapid.Bool().Draw(t, "deeper"):
				if list && rapid.Bool().Draw(t, "behind the dash") {
					fmt.Fprintf(&b, " a: 1\n%s  b: 2", indent)
					break
				}
				b.WriteString("\n")
				write(indent+"  ", depth+1)
				continue
			default:
				b.WriteString(scalar(indent))
			}
			b.WriteString(rapid.SampledFrom([]string{"\n", " # behind\n"}).Draw(t, "end"))
		}
	}
	write("", 0)
	return b.String()
}

// Law: whatever edits there are, good or bad, and whatever they are said to take out, a
// window of lines tells of them what the whole text does.
func TestWindowIsTheWholeText(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := nested(t)
		d, err := Read("a.yaml", text)
		if err != nil || d.root == nil {
			return
		}
		var all []entry
		for _, n := range slices.SortedFunc(maps.Keys(d.lists), func(a, b *strict.Node) int { return d.at(a) - d.at(b) }) {
			all = append(all, d.lists[n]...)
		}
		if len(all) == 0 {
			return
		}
		c := &changes{taken: map[*strict.Node]*strict.Node{}, spelt: map[*strict.Node]string{}, put: map[place]Change{}}
		var edits []Edit
		e := rapid.SampledFrom(all).Draw(t, "entry")
		from, to := d.lines.startOf(d.at(e.key)), len(text)
		if i := slices.IndexFunc(all, func(x entry) bool { return x.parent == e.parent && x.index == e.index+1 }); i >= 0 {
			to = d.lines.startOf(d.at(all[i].key))
		}
		c.taken[e.key] = e.parent
		if rapid.Bool().Draw(t, "by rule") {
			edits, _ = d.removals(c)
		} else {
			near := func(at int, what string) int { return min(max(at+rapid.IntRange(-3, 3).Draw(t, what), 0), len(text)) }
			start := near(from, "start")
			edits = []Edit{{start, max(start, near(to, "end")), rapid.SampledFrom([]string{"", "", "\n", " ", "- ", "k9: 1\n", "# ", "'", ": "}).Draw(t, "new")}}
		}
		if edits = sorted(edits); len(edits) == 0 {
			return
		}
		w, ok := d.window(edits, c)
		if !ok {
			return
		}
		is, same := d.holdsIn(w, edits, c)
		if !same {
			return
		}
		seen[is]++
		if whole := d.holdsAll(edits, c); is != whole {
			after, _ := Apply(text, edits)
			t.Fatalf("in lines %v, in the whole text %v:\n%s\n----\n%s\n---- edits %v, window %q", is, whole, text, after, edits, text[w.from:w.to])
		}
	})
	if !testing.Short() && (seen[true] == 0 || seen[false] == 0) { // a short run draws few
		t.Errorf("%v: one of them was never seen", seen)
	}
}

// What is taken out of a long text costs reading the lines around it, and no more.
func TestWindowIsSmall(t *testing.T) {
	var b strings.Builder
	b.WriteString("vars:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "  spare%d: 1\n", i)
	}
	d, err := Read("cento.yaml", b.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Edits(Change{Kind: TakeOut, At: cento.Position{Line: 1001, Column: 3}}); err != nil {
		t.Fatal(err)
	}
	if d.Reread() > 200 {
		t.Errorf("%d bytes were read again", d.Reread())
	}
}
