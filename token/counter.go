package token

import "slices"

// Counter counts the tokens of texts for one family of models. Implementations
// are safe for concurrent use and give the same count for the same text.
type Counter interface {
	// Name identifies the counter: two with the same name count alike.
	Name() string
	// Exact says whether Count is what the model is charged, or an estimate.
	Exact() bool
	// Count returns the number of tokens of s, 0 for "" alone.
	Count(s string) int
}

// LookupCounter returns the counter of a name: an [Encoding] or an [Estimate].
// A name that is not one of [Names] gives an [*UnknownError].
func LookupCounter(name string) (Counter, error) {
	for i := range encodings {
		if encodings[i].name == name {
			return Encoding{index: uint8(i)}, nil
		}
	}
	for i := range estimates {
		if estimates[i].name == name {
			return Estimate{index: uint8(i)}, nil
		}
	}
	return nil, unknown(name, Names())
}

// Names returns what [LookupCounter] knows, sorted.
func Names() []string {
	var names []string
	for i := range encodings {
		names = append(names, encodings[i].name)
	}
	for i := range estimates {
		names = append(names, estimates[i].name)
	}
	slices.Sort(names)
	return names
}
