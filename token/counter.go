package token

import (
	"slices"

	"github.com/cento-dev/cento"
)

// LookupCounter returns the counter of an encoding or estimate: an [Encoding] or
// an [Estimate]. For the name of a model there is [CounterFor].
// A name that is not one of [Names] gives an [*UnknownError].
func LookupCounter(name string) (cento.Counter, error) {
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
