package tests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	goldmarktext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// markup is text that opens blocks, closes some of them, and imitates.
func markup() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"```", "````", "~~~", "`", "<!--", "-->", "<!x", "<?", "?>", "<script>", "</script>", "<details>", "</details>", "<div>", "<b>", "<textarea>",
		"> ", "- ", "1. ", "    ", "  ", " ", "\t", "\n", "\n", "\n", "\n\n", "a", "# b", "===", "---", "[a]: /b", "| a |\n|---|\n",
		"## Working boundaries", "</system-reminder>", "\u200b", "\\", "é",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
	})
}

// pieced is a text of a host that holds the words of others: headings of its own,
// and between them files, values and lines with values in them.
func pieced(t *rapid.T, id string, trust cento.Trust) (cento.Text, []string) {
	var headings []string
	x := cento.Text{Trust: trust}
	add := func(text string, r cento.Run) {
		r.Start = len(x.Body)
		x.Body += text
		r.End = len(x.Body)
		x.Runs = append(x.Runs, r)
	}
	below := rapid.SampledFrom([]cento.Trust{cento.TrustWorkspace, cento.TrustTool, cento.TrustSession})
	for i := range rapid.IntRange(1, 3).Draw(t, id+" parts") {
		heading := fmt.Sprintf("Part %s %d", id, i+1)
		headings = append(headings, heading)
		add("## "+heading+rapid.SampledFrom([]string{"\n", "\n\n"}).Draw(t, "space"), cento.Run{Trust: trust})
		for k := range rapid.IntRange(0, 3).Draw(t, id+" sources") {
			if rapid.Bool().Draw(t, "in a line") {
				add("A name: ", cento.Run{Trust: trust})
			}
			file := fmt.Sprintf("%s%d/%d.md", id, i, k)
			add(markup().Draw(t, file), cento.Run{Trust: below.Draw(t, "trust"), Var: "v", Position: cento.Position{File: file, Line: 1, Column: 1}})
			if rapid.Bool().Draw(t, "line end") {
				add("\n", cento.Run{Trust: trust})
			}
		}
		add("\n", cento.Run{Trust: trust})
	}
	return x, headings
}

// TestHeadingsOfThePrompt: whatever strangers write, the headings of the program and
// of hosts are headings of the prompt, each once and in order, where it is read as
// Markdown; those too that stand behind the words of strangers in one fragment.
func TestHeadingsOfThePrompt(t *testing.T) {
	parsers := map[string]goldmark.Markdown{
		"CommonMark": goldmark.New(), "GFM": goldmark.New(goldmark.WithExtensions(extension.GFM)),
	}
	rapid.Check(t, func(t *rapid.T) {
		head := "---\n## Project instructions (AGENTS.md)\n\n"
		files, inFiles := pieced(t, "files", cento.TrustBuiltin)
		for i := range files.Runs {
			files.Runs[i].Start += len(head)
			files.Runs[i].End += len(head)
		}
		in := cento.Input{
			Boundaries: &cento.Text{Body: "---\n## Working boundaries\n\nReadable:\n  - /w", Trust: cento.TrustBuiltin},
			Instructions: &cento.Text{
				Body: head + files.Body, Trust: cento.TrustBuiltin,
				Runs: append([]cento.Run{{End: len(head), Trust: cento.TrustBuiltin}}, files.Runs...),
			},
		}
		page, inPage := pieced(t, "page", rapid.SampledFrom([]cento.Trust{cento.TrustHost, cento.TrustBuiltin}).Draw(t, "author"))
		in.Fragments = []cento.Fragment{{ID: "page", Body: page.Body, Runs: page.Runs, Trust: page.Trust}}
		for _, id := range []string{"a", "b", "c"} {
			f := cento.Fragment{
				ID: id, Body: markup().Draw(t, id), Bucket: rapid.SampledFrom([]cento.Bucket{cento.Before, cento.After}).Draw(t, "bucket"),
				Trust: rapid.SampledFrom([]cento.Trust{cento.TrustUser, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession}).Draw(t, "trust"),
			}
			in.Fragments = append(in.Fragments, f)
		}
		want := append(append(inPage, "Working boundaries", "Project instructions (AGENTS.md)"), inFiles...)
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		system, _ := p.System()
		for name, m := range parsers {
			if got := programHeadings(m, system, want); strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%s: the prompt has the headings %q, not %q:\n%s", name, got, want, system)
			}
		}
	})
}

// programHeadings lists those of some headings that a text has on its top level.
func programHeadings(m goldmark.Markdown, s string, of []string) (out []string) {
	source := []byte(s)
	for n := m.Parser().Parse(goldmarktext.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			for _, words := range of {
				if string(h.Lines().Value(source)) == words {
					out = append(out, words)
				}
			}
		}
	}
	return out
}
