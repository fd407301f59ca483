package contract

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/token"
)

// sizes are the numbers of facts that the token table has columns for.
var sizes = []int{5, 50, 500}

// drawn is how many contracts a cell of the token table is the mean of.
const drawn = 10

// measured is what the forms cost for one number of facts: means.
type measured struct {
	tokens map[string]map[Form]float64 // by encoding
	bytes  map[Form]float64
	texts  map[string]float64 // the contents alone, by encoding
}

func measure(t *testing.T, n int, counters []cento.Counter) measured {
	m := measured{map[string]map[Form]float64{}, map[Form]float64{}, map[string]float64{}}
	for seed := range uint64(drawn) {
		c := generatedFrom(t, n, seed)
		for i, counter := range counters {
			of := m.tokens[counter.Name()]
			if of == nil {
				of = map[Form]float64{}
				m.tokens[counter.Name()] = of
			}
			for cost := range Costs(c, counter) {
				of[cost.Form] += float64(cost.Tokens) / drawn
				if i == 0 {
					m.bytes[cost.Form] += float64(cost.Bytes) / drawn
				}
			}
			for _, f := range c.Facts() {
				m.texts[counter.Name()] += float64(counter.Count(f.Content)) / drawn
			}
		}
	}
	return m
}

// reference is what was counted when the forms were decided on: also the means
// of ten contracts with texts of 6 to 25 words, of other words. A cell is the
// tokens in o200k_base and the bytes.
var reference = map[Form][3][2]int{
	Lines:    {{157, 583}, {1265, 4595}, {12293, 44757}},
	TOON:     {{183, 648}, {1388, 4932}, {13298, 47563}},
	Plain:    {{170, 611}, {1365, 4755}, {13291, 46260}},
	Markdown: {{199, 684}, {1483, 5010}, {14306, 48317}},
	JSON:     {{196, 733}, {1533, 5697}, {14849, 55391}},
	EDN:      {{208, 654}, {1635, 5256}, {15851, 51348}},
	XML:      {{222, 775}, {1660, 5635}, {15932, 54020}},
}

// tableForms are in the order of the tables.
var tableForms = []Form{Lines, TOON, Plain, Markdown, JSON, EDN, XML}

// besideReference is what is counted beside what was.
func besideReference(columns []measured, encoding string) string {
	var b strings.Builder
	b.WriteString("| form | 5 facts | 50 facts | 500 facts | other words: 5 facts | 50 facts | 500 facts |\n|---|---|---|---|---|---|---|\n")
	for _, form := range tableForms {
		fmt.Fprintf(&b, "| `%s` |", form)
		for _, m := range columns {
			tokens := m.tokens[encoding]
			fmt.Fprintf(&b, " %.0f / %.0f (%.2f) |", tokens[form], m.bytes[form], tokens[form]/tokens[JSON])
		}
		for i, cell := range reference[form] {
			fmt.Fprintf(&b, " %d / %d (%.2f) |", cell[0], cell[1], float64(cell[0])/float64(reference[JSON][i][0]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// held compares a table with the one that stands in a document between two
// comments, or puts it there.
func held(t *testing.T, file, table string) {
	t.Helper()
	const begin, end = "<!-- token table -->\n", "<!-- end of the token table -->"
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), begin)
	got, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no token table", file)
	}
	if *archive.Update {
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != table {
		t.Errorf("%s says\n%s\nwhat is counted:\n%s", file, got, table)
	}
}

// TestTokenTable holds the tables of docs/contracts.md and docs/benchmarks.md to
// what is counted, and what is said there about the forms.
func TestTokenTable(t *testing.T) {
	var counters []cento.Counter
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counter, err := token.LookupCounter(name)
		if err != nil || !counter.Exact() {
			t.Fatal(name, err)
		}
		counters = append(counters, counter)
	}
	columns := make([]measured, len(sizes))
	for i, n := range sizes {
		columns[i] = measure(t, n, counters)
	}
	o, cl := counters[0].Name(), counters[1].Name()
	var b strings.Builder
	b.WriteString("| form | 5 facts | 50 facts | 500 facts | tokens per fact beyond its text |\n|---|---|---|---|---|\n")
	for _, form := range tableForms {
		fmt.Fprintf(&b, "| `%s` |", form)
		for _, m := range columns {
			fmt.Fprintf(&b, " %.0f / %.0f / %.0f (%.2f) |", m.tokens[o][form], m.tokens[cl][form], m.bytes[form], m.tokens[o][form]/m.tokens[o][JSON])
		}
		last := columns[len(columns)-1]
		n := float64(sizes[len(sizes)-1])
		fmt.Fprintf(&b, " %.1f / %.1f |\n", (last.tokens[o][form]-last.texts[o])/n, (last.tokens[cl][form]-last.texts[cl])/n)
	}
	held(t, "../docs/contracts.md", b.String())
	beside := besideReference(columns, o)
	held(t, "../docs/benchmarks.md", beside)
	t.Logf("tokens in %s / bytes (tokens to those of json):\n%s", o, beside)
	// What the text around the table says.
	for _, c := range counters {
		for _, joint := range []string{`"},{"`, `":"`, `","`} {
			if n := c.Count(joint); n != 1 {
				t.Errorf("%s takes %s for %d tokens", c.Name(), joint, n)
			}
		}
	}
	for i, m := range columns {
		for _, name := range []string{o, cl} {
			at := m.tokens[name]
			for _, pair := range [][2]Form{{Lines, TOON}, {TOON, JSON}, {JSON, EDN}, {EDN, XML}, {Lines, Plain}} {
				if cells := reference; cells[pair[0]][i][0] >= cells[pair[1]][i][0] {
					t.Errorf("%d facts of other words: %s took no fewer tokens than %s", sizes[i], pair[0], pair[1])
				}
				if at[pair[0]] >= at[pair[1]] {
					t.Errorf("%d facts, %s: %s takes no fewer tokens than %s", sizes[i], name, pair[0], pair[1])
				}
			}
			if share := at[Lines] / at[JSON]; share < 0.75 || share > 0.85 {
				t.Errorf("%d facts, %s: lines takes %.2f of json", sizes[i], name, share)
			}
			if share := at[TOON] / at[JSON]; share < 0.84 || share >= 1 || (share > 0.90) != (sizes[i] == 5) {
				t.Errorf("%d facts, %s: toon takes %.2f of json", sizes[i], name, share)
			}
			if share := at[EDN] / at[JSON]; share < 1.04 || share > 1.11 {
				t.Errorf("%d facts, %s: edn takes %.2f of json", sizes[i], name, share)
			}
		}
		if share := m.bytes[EDN] / m.bytes[JSON]; share < 0.85 || share > 0.95 {
			t.Errorf("%d facts: edn has %.2f of the bytes of json", sizes[i], share)
		}
	}
}
