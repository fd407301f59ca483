package tests

import (
	"os"
	"path"
	"strings"
	"testing"
)

// noWords are the packages whose names are no words of the project: names of
// products, of techniques, and of programs that make tables.
var noWords = map[string]string{
	"":                       "the project itself",
	"store/sqlite":           "a product",
	"store/postgres":         "a product",
	"store/engines":          "links both products",
	"docs/examples/agent":    "an example",
	"internal/bitset":        "a technique",
	"internal/enum":          "a technique",
	"internal/lsp":           "a protocol of others",
	"internal/markdown":      "a format of others",
	"internal/nametable":     "a technique",
	"internal/quote":         "a technique",
	"internal/schemarefs":    "a technique",
	"internal/unitab":        "a technique",
	"internal/lengthtest":    "for tests",
	"internal/pacetest":      "for tests",
	"internal/storetest":     "for tests",
	"internal/treetest":      "for tests",
	"internal/toon/toontest": "for tests",
	"internal/wiretest":      "for tests",
	"project/why":            "the question that the command of this name answers",
	"tests":                  "for tests",
	"docs":                   "for tests",
	"cmd/cento":              "the program",
	"bench/workload":         "measures",
	"bench/cmd/workloads":    "measures",
	"bench/serve":            "measures",
	"bench/serve/bare":       "measures",
}

// TestGlossaryKnowsPackages: what a package is called is a word of the glossary, or a
// word and another: a reader meets no name that is explained nowhere.
func TestGlossaryKnowsPackages(t *testing.T) {
	text, err := os.ReadFile("../docs/GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for term := range strings.SplitSeq(cells[1], ",") {
			words[strings.ReplaceAll(strings.TrimSpace(term), " ", "")] = true
		}
		for i, quoted := range strings.Split(cells[2], "`") {
			if i%2 == 1 {
				words[quoted] = true
			}
		}
	}
	known := func(name string) bool {
		if words[name] {
			return true
		}
		for word := range words {
			if rest, ok := strings.CutPrefix(name, word); ok && (words[rest] || rest == "name" || rest == "tables") {
				return true
			}
		}
		return false
	}
	used := map[string]bool{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if _, none := noWords[name]; none {
			used[name] = true
			continue
		}
		if path.Base(name) == "gen" || strings.HasPrefix(name, "bench/start") {
			continue
		}
		if !known(path.Base(name)) {
			t.Errorf("the glossary has no word for package %s", name)
		}
	}
	for name := range noWords {
		if !used[name] {
			t.Errorf("there is no package %q", name)
		}
	}
}
