// Package toon reads and writes TOON, the Token-Oriented Object Notation: JSON
// values with indentation for braces, and tables where the objects of a list
// have the same keys. It follows version 4.4 of the public specification
// (github.com/toon-format/spec).
//
//	text, err := toon.Marshal(v)
//	err = toon.Unmarshal(text, &v)
//
// The usual path is [Marshal] and [Unmarshal] for Go values, by the rules of
// encoding/json, or [Encode] and [Decode] for a [Value], which keeps the order
// of keys and the digits of numbers. [FromJSON] and [Value.AppendJSON] lead from
// and to JSON. A program that needs no tree takes a [Reader], which hands out
// one token at a time and allocates nothing for a text without escapes.
//
// Options of the specification: [Encoder] has its indentSize (Indent) and
// delimiter (Delimiter), [Decoder] its indentSize (Indent). Reading is strict;
// the lenient mode isn't built, and neither are key folding and path expansion,
// which version 4 took out.
//
// Numbers are exact: one is kept with the digits it was read with, whatever
// their count, and written in canonical form. A number whose exponent has more
// than nine digits is refused. Go's NaN and infinities become null. A byte order
// mark is dropped. Keys such as __proto__ are keys like any other.
//
// Guarantees: the same value gives the same bytes. What is written can be read,
// and gives an equal value. Every error is an [*Error] with line and column.
// Nothing that is read recurses: nesting, length and the number of values have
// limits that are checked before memory is taken, and a declared length
// reserves none. Values are immutable and may be shared by goroutines; a Reader
// belongs to one.
package toon
