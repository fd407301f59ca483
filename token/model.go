package token

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// DefaultEncoding counts where no model is named.
const DefaultEncoding = "o200k_base"

// A series is the models whose names begin alike and that count alike.
type series struct{ prefix, counter string }

// families are the lines of models that are estimated by a fit to a vocabulary of
// the same house.
var families = []series{
	{"claude", "claude"},
	{"deepseek", "deepseek"},
	{"gemini", "gemini"}, {"gemma", "gemini"},
	{"llama", "llama"},
	{"mistral", "mistral"}, {"ministral", "mistral"}, {"mixtral", "mistral"},
	{"codestral", "mistral"}, {"devstral", "mistral"}, {"magistral", "mistral"},
	{"qwen", "qwen"}, {"qwq", "qwen"},
}

// houses are the lines whose published vocabularies don't cover all their models:
// OpenAI's, of which the newest that is published stands for the others.
var houses = []series{{"gpt", DefaultEncoding}, {"chatgpt", DefaultEncoding}, {"o", DefaultEncoding}}

// newest is the newest line of models that [DefaultEncoding] is published for.
const newest = "gpt-5"

// CounterFor returns what counts the texts of a model, by its name as providers
// give it: the words of a provider before it and its case don't matter. It is exact
// only for a model whose vocabulary is published under that name, as it stands or
// with the date of a snapshot: gpt-4o-2024-08-06 and openai/gpt-4o are, gpt-4o-fake
// and acme/gpt-4o aren't. What other counts rest on tells [Basis]. "" is
// counted by [DefaultEncoding], and isn't exact: no model says that it counts so.
func CounterFor(model string) cento.Counter {
	if model == "" {
		return guess{Encoding{}, fmt.Sprintf("no model is chosen, so this is the count of %s", DefaultEncoding)}
	}
	for _, s := range spellings(model) {
		if encoding, like, published := openaiModel(s.name, s.before); encoding != "" {
			return openaiCounter(model, encoding, like, published)
		}
		for _, line := range families {
			if line.begins(s.name) {
				return mustLookup(line.counter)
			}
		}
		for _, line := range houses {
			if line.begins(s.name) {
				return openaiCounter(model, line.counter, newest, false)
			}
		}
	}
	return guess{mustLookup("generic"), fmt.Sprintf("nothing is known of how %s counts; %s", model, Basis(mustLookup("generic")))}
}

// openaiCounter counts as a model of OpenAI does.
func openaiCounter(model, encoding, like string, published bool) cento.Counter {
	off, absent := notCarried[encoding]
	switch {
	case absent && published:
		return guess{mustLookup("generic"), fmt.Sprintf("%s counts by %s, which isn't embedded, so this is the estimate for models nothing is known of: %s", model, encoding, off)}
	case absent:
		return guess{mustLookup("generic"), fmt.Sprintf("no published table names the encoding of %s, so this is the estimate for models nothing is known of", model)}
	case published:
		return mustLookup(encoding)
	}
	return guess{mustLookup(encoding), fmt.Sprintf("no published table names the encoding of %s, so this is the count of %s, that of %s", model, encoding, like)}
}

// Published are the names of the models that [CounterFor] counts exactly, without
// snapshots and what providers write before them, sorted.
func Published() []string {
	var names []string
	for _, row := range openai {
		if _, absent := notCarried[row.encoding]; !absent {
			names = append(names, row.models...)
		}
	}
	slices.Sort(names)
	return names
}

// MendLine offers the name with the line of models that was probably meant where
// that is mistyped, as claude-opus-5 for cluade-opus-5; "" when it is of a known
// line, or none is near.
func MendLine(model string) string {
	var lines []string
	for _, list := range [][]series{families, houses} {
		for _, line := range list {
			lines = append(lines, line.prefix)
		}
	}
	all := spellings(model)
	for _, s := range all {
		if encoding, _, _ := openaiModel(s.name, s.before); encoding != "" {
			return ""
		}
		word, _ := cutWord(s.name)
		if slices.Contains(lines, word) {
			return ""
		}
	}
	for _, s := range all {
		word, rest := cutWord(s.name)
		if line, ok := nearest.Name(word, lines); ok && len(word) > 1 {
			return line + rest
		}
	}
	return ""
}

// Basis says in a sentence what a count rests on that isn't exact; it is "" for
// one that is, and for counters of other packages.
func Basis(c cento.Counter) string {
	switch c := c.(type) {
	case Estimate:
		return c.Basis()
	case guess:
		return c.basis
	case remembering:
		return Basis(c.Counter)
	case rememberingParts:
		return Basis(c.Counter)
	}
	return ""
}

// named is the name of a model, and what stands before it.
type named struct{ before, name string }

// spellings are the name of a model without a path before it, then without
// `ft:`, and then without the words of a region and provider before points, as
// in `us.anthropic.claude-…` and `us-gov.anthropic.claude-…`.
func spellings(model string) []named {
	whole := strings.ToLower(strings.TrimSpace(model))
	name := strings.TrimPrefix(whole[strings.LastIndexByte(whole, '/')+1:], "ft:")
	for all := []named(nil); ; {
		all = append(all, named{strings.TrimSuffix(whole, name), name})
		word, rest, found := strings.Cut(name, ".")
		if !found || word == "" || strings.ContainsFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
			return all
		}
		name = rest
	}
}

// cutWord parts a name behind the letters that it begins with.
func cutWord(name string) (word, rest string) {
	if k := strings.IndexAny(name, "-.:0123456789"); k >= 0 {
		return name[:k], name[k:]
	}
	return name, ""
}

// begins reports whether the first word of a name is that of the line.
func (s series) begins(name string) bool {
	rest, ok := strings.CutPrefix(name, s.prefix)
	if s.prefix == "o" { // one letter is a line before a number alone
		number := strings.TrimLeft(rest, "0123456789")
		ok, rest = ok && number != rest, number
	}
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}

// mustLookup finds what the tables of this file name; a test goes over them.
func mustLookup(name string) cento.PartCounter {
	c, err := LookupCounter(name)
	if err != nil {
		panic(err)
	}
	return c.(cento.PartCounter)
}

// Estimated is a counter of this package whose counts are not a model's own, although
// they may be exact for another; basis says what they rest on. One that isn't exact
// stays as it is.
func Estimated(c cento.Counter, basis string) cento.Counter {
	if parts, ok := c.(cento.PartCounter); ok && c.Exact() {
		return guess{parts, basis}
	}
	return c
}

// guess is a count by the vocabulary or fit of other models.
type guess struct {
	cento.PartCounter
	basis string
}

// Exact is false: the model's own vocabulary isn't known.
func (guess) Exact() bool { return false }
