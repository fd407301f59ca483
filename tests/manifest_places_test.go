package tests

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/project"
)

// TestWordsHaveTheirPlace: any value of the manifest can be another word. Where the word
// comes into the prompt, each of its bytes has the line and the column at which the
// manifest says it, however it is quoted there. The value of a variable has the name of
// the variable instead, and the place where a prompt file uses it. A heading has one place,
// where the word begins.
func TestWordsHaveTheirPlace(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range keyFiles {
		makeFile(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	dir := filepath.Join(top, "project")
	random, drawn := rand.New(rand.NewPCG(1, 2)), 0
	found := map[string]bool{} // the keys whose words came into a prompt
	for _, row := range keyRows {
		if row.code != "" {
			continue
		}
		text := "{" + row.changed + "}\n"
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(text), &root); err != nil {
			t.Fatalf("%s: %v", row.path, err)
		}
		for _, value := range scalarValues(&root) {
			for range lengthtest.Of(1, 1, len(writings)) {
				drawn++
				if drawn%lengthtest.Of(5, 2, 1) != 0 {
					continue
				}
				word := make([]byte, 9)
				for i := range word {
					word[i] = 'a' + byte(random.IntN(26))
				}
				checkPlaces(t, dir, row.path, text, value, "Q"+string(word)+"v", writings[drawn%len(writings)], found)
			}
		}
	}
	if least := lengthtest.Of(30, 60, 120); len(found) < least {
		t.Errorf("words of %d keys came into a prompt, want %d", len(found), least)
	}
}

// writings are what a word may stand behind and in.
var writings = []struct{ lead, quotes string }{{"", ""}, {"\n  ", "'"}, {"\n\n    ", `"`}, {"", `"`}, {"\n  ", ""}, {" ", "'"}}

// checkPlaces writes a manifest with a word for one value, and looks where the bytes of
// the word are said to come from.
func checkPlaces(t *testing.T, dir, key, text string, value *yaml.Node, word string, w struct{ lead, quotes string }, found map[string]bool) {
	t.Helper()
	before, rest := text[:value.Column-1]+w.lead+w.quotes, text[value.Column-1:]
	written := value.Value
	switch value.Style {
	case yaml.DoubleQuotedStyle:
		end := 1
		for rest[end] != '"' || rest[end-1] == '\\' {
			end++
		}
		written = rest[:end+1]
	case yaml.SingleQuotedStyle:
		written = "'" + strings.ReplaceAll(written, "'", "''") + "'"
	}
	rest, ok := strings.CutPrefix(rest, written)
	if !ok {
		t.Fatalf("%q isn't at column %d of %s", written, value.Column, text)
	}
	manifest := before + word + w.quotes + rest
	if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte(manifest), 0o666); err != nil {
		t.Fatal(err)
	}
	start := cento.Position{File: project.FileName, Line: 1 + strings.Count(before, "\n"), Column: len(before) - strings.LastIndexByte(before, '\n')}
	for _, got := range placesOf(t, dir, word) {
		found[key] = true
		exact := start
		exact.Column += got.byte
		if got.at != exact && got.at != start {
			t.Fatalf("%s: byte %d of %s is at %v, want %v, in\n%s", key, got.byte, word, got.at, exact, manifest)
		}
	}
}

// scalarValues are the texts of a document that aren't keys.
func scalarValues(n *yaml.Node) (out []*yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		return []*yaml.Node{n}
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			out = append(out, scalarValues(child)...)
		}
	}
	return out
}

// bytePlace is where one byte of a word is said to come from.
type bytePlace struct {
	byte int
	at   cento.Position
}

// placesOf are the places of each byte of a word, each time that the prompt has it; none
// where there is no prompt.
func placesOf(t *testing.T, dir, word string) (out []bytePlace) {
	p, err := project.Open(t.Context(), project.Request{
		Dir: filepath.Join(dir, "sub"), Home: filepath.Join(dir, "..", "home"), Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC),
		AllowMCP: true, Lister: keptListing{},
	})
	if err != nil {
		return nil
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		return nil
	}
	text, _ := prompt.System()
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return out
		}
		from += i
		if s, ok := prompt.SpanAt(from); ok && s.Var != "" {
			from += len(word)
			continue
		}
		for k := range len(word) {
			at, _ := prompt.Locate(from + k)
			out = append(out, bytePlace{k, cento.Position{File: at.File, Line: at.Line, Column: at.Column}})
		}
		from += len(word)
	}
}
