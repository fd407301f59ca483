package app

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/token"
)

// DefaultEncoding counts where no model is chosen.
const DefaultEncoding = "o200k_base"

// encodings are the vocabularies of models whose names begin so, the first that
// fits. Those whose vocabulary is not at hand are estimated by their family's
// name, and models that nobody knows by the default, which then is no exact
// count either.
var encodings = []struct{ prefix, encoding string }{
	{"gpt-4o", "o200k_base"}, {"gpt-4.1", "o200k_base"}, {"gpt-4.5", "o200k_base"},
	{"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"},
	{"gpt-", "o200k_base"}, {"chatgpt-", "o200k_base"}, {"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4", "o200k_base"},
}

// KnownModel reports whether a model's family is known, and if not, offers the
// name with the family that was probably meant; empty when none is near.
func KnownModel(model string) (known bool, near string) {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	var families []string
	for _, e := range encodings {
		families = append(families, e.prefix)
	}
	families = append(families, token.Names()...)
	for i, f := range families {
		if strings.HasPrefix(name, f) {
			return true, ""
		}
		families[i] = strings.TrimRight(f, "-.0123456789") // gpt of gpt-4.1
	}
	word := name
	if k := strings.IndexAny(name, "-.0123456789"); k >= 0 {
		word = name[:k]
	}
	if family, ok := nearest.Name(word, families); ok && len(word) > 1 {
		near = family + name[len(word):]
	}
	return false, near
}

// counts are those of all texts that were counted lately, by digest: most
// fragments of a prompt come again in the next one.
var counts token.Cache

// CounterFor is what counts the tokens of a model's prompts. What it has counted
// it remembers.
func CounterFor(model string) (cento.Counter, error) {
	c, err := counterFor(model)
	if err != nil {
		return nil, err
	}
	return counts.Counter(c), nil
}

// counterFor is [CounterFor] without the memory.
func counterFor(model string) (cento.Counter, error) {
	if model == "" {
		return token.LookupCounter(DefaultEncoding)
	}
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, e := range encodings {
		if strings.HasPrefix(name, e.prefix) {
			return token.LookupCounter(e.encoding)
		}
	}
	families := token.Names()
	slices.SortFunc(families, func(a, b string) int { return len(b) - len(a) })
	for _, family := range families {
		if strings.HasPrefix(name, family) {
			return token.LookupCounter(family)
		}
	}
	c, err := token.LookupCounter(DefaultEncoding)
	return guess{c}, err
}

// guess is a count by a vocabulary that may not be the model's.
type guess struct{ cento.Counter }

// Exact is false: the model's own vocabulary isn't known.
func (guess) Exact() bool { return false }
