package lint

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/cento-dev/cento"
)

// repeatedBytes is how long a paragraph is that isn't repeated by chance.
const repeatedBytes = 80

// repeatedTexts reports paragraphs that stand twice in a prompt. Two that are both the
// program's own are nobody's to change.
func repeatedTexts(_ *subject, t *target, report func(Finding)) error {
	text, _ := t.prompt.System()
	var spans []cento.Span // nil before something is found: most prompts repeat nothing
	spanAt := func(offset int) cento.Span {
		if spans == nil {
			spans = slices.Collect(t.prompt.AllSpans())
		}
		return spans[sort.Search(len(spans), func(i int) bool { return spans[i].End > offset })]
	}
	first := map[string]int{}
	var counter cento.Counter
	for at := 0; at < len(text); {
		end := paragraphEnd(text, at)
		paragraph := strings.TrimSpace(text[at:end])
		start := at + strings.Index(text[at:end], paragraph)
		at = end
		if len(paragraph) < repeatedBytes {
			continue
		}
		before, there := first[paragraph]
		if !there {
			first[paragraph] = start
			continue
		}
		one, other := spanAt(before), spanAt(start)
		if one.Trust == cento.TrustBuiltin && other.Trust == cento.TrustBuiltin {
			continue
		}
		if counter == nil {
			counter = t.counter()
		}
		was, _ := one.Locate(text, before)
		is, _ := other.Locate(text, start)
		report(Finding{
			Position: is, ID: other.Fragment,
			Message: fmt.Sprintf("a paragraph of %d bytes stands in the prompt already, at %s: %s tokens say nothing new", len(paragraph), placeName(was, one.Fragment), cento.FormatTokens(counter.Count(paragraph), counter.Exact())),
			Hint:    "keep one of the two",
		})
	}
	return nil
}

// placeName is where something stands: a place in a file, else the fragment.
func placeName(at cento.Position, fragment string) string {
	if at.IsZero() {
		return fragment
	}
	return at.String()
}

// paragraphEnd is where the paragraph ends that begins at a byte: behind the next
// blank line, or at the end of the text.
func paragraphEnd(text string, at int) int {
	for at < len(text) {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		line := text[at : at+i]
		at += i + 1
		if strings.TrimSpace(line) == "" {
			return at
		}
	}
	return at
}
