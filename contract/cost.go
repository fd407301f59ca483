package contract

import "iter"

// Counter counts the tokens of a text for some model. The counters of package
// token are such.
type Counter interface {
	// Name identifies the counter.
	Name() string
	// Exact says whether Count is what the model is charged, or an estimate.
	Exact() bool
	// Count returns the number of tokens of a text.
	Count(text string) int
}

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
func Costs(c *Contract, counter Counter, options ...Option) iter.Seq[Cost] {
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
