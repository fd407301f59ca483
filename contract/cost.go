package contract

import (
	"iter"

	"github.com/cento-dev/cento"
)

// Cost is what a contract costs in one form.
type Cost struct {
	Form Form `json:"form"`
	// Bytes is the length of the text.
	Bytes int `json:"bytes"`
	// Tokens is the counter's count of it, exact or not.
	Tokens int  `json:"tokens"`
	Exact  bool `json:"exact"`
}

// Costs measures a contract in every form, in the order of [Forms]. Readers of
// the table choose by its figures, as which form is cheapest depends on the
// facts and on the counter.
func Costs(c *Contract, counter cento.Counter, options ...Option) iter.Seq[Cost] {
	return func(yield func(Cost) bool) {
		var text []byte
		for _, form := range Forms() {
			text = c.Append(text[:0], form, options...)
			if !yield(Cost{Form: form, Bytes: len(text), Tokens: counter.Count(string(text)), Exact: counter.Exact()}) {
				return
			}
		}
	}
}
