package app

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/token"
)

// counts are those of all texts that were counted lately, by digest: most
// fragments of a prompt come again in the next one.
var counts token.Cache

// counterFor is what counts the tokens of a model's prompts. What it has counted
// it remembers.
func counterFor(model string) cento.Counter { return counts.Counter(token.CounterFor(model)) }

// DefaultEncoding counts where no model is chosen.
const DefaultEncoding = token.DefaultEncoding

// CounterOf is what counts the tokens of an input's prompts: what the input says of
// its model, so that a recorded one is counted as it was.
func CounterOf(in cento.Input) cento.Counter {
	return counts.Counter(new(pack.Engine).Counter(in.Active.Model, in.Model))
}

// ModelNotes are the remarks on a model's name where no project is read: whether it
// is known, and what was probably meant.
func ModelNotes(name string) []cento.Note {
	if name == "" {
		return nil
	}
	_, notes := model.Default().Lookup(name)
	return notes
}
