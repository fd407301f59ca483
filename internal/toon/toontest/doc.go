// Package toontest is the oracle of TOON for tests: whole values, read from tokens of
// [toon.Reader] and written by the specification (version 4.4 of
// github.com/toon-format/spec), to hold against what the product writes piece by piece.
// It agrees with the reference implementation byte for byte (TestOracle). The program
// itself doesn't use it.
//
// [Marshal] and [Unmarshal] take Go values, by the rules of encoding/json, [Encode]
// and [Decode] a [Value], which keeps the order of keys and the digits of numbers.
// [FromJSON] and [Value.AppendJSON] lead from and to JSON.
package toontest

import "github.com/cento-dev/cento/internal/toon"

// What only whole values can be refused for.
const (
	// InvalidNumber: a text isn't a number of JSON, or one beyond all use.
	InvalidNumber toon.ErrorCode = "toon.number"
	// InvalidJSON: a text that was to be read as JSON isn't.
	InvalidJSON toon.ErrorCode = "toon.json"
)

// Documents are what fuzzing begins with.
var Documents = []string{
	"", "x", "a: 1\nb:\n  c: \"x\\n\"", "a[2]{x,y{z}}:\n  1,2\n  \"3,\",4", "a[2:|]{x}:\n  k: 1\n  l: 2",
	"[3]:\n  - 1\n  - a: 1\n    b[1]: 2\n  - [1]: 3", "# c\n\na[0]:", "a[2\t]: 1\t2",
}
