// Package toon reads TOON, the Token-Oriented Object Notation: JSON values with
// indentation for braces, and tables where the objects of a list have the same keys. It
// follows version 4.4 of the public specification (github.com/toon-format/spec). It
// writes none: that is package contract.
//
// A [Reader] hands out one token at a time and allocates nothing for a text
// without escapes; [Quotes] says which texts a writer puts between quotes. Whole
// values, for tests, are in package toontest.
//
// [Decoder] has the specification's indentSize (Indent). Reading is strict; the
// lenient mode isn't built, and neither are key folding and path expansion, which
// version 4 took out. A byte order mark is dropped. Keys such as __proto__ are keys
// like any other.
//
// Every error is an [*Error] with line and column. Nothing that is read recurses:
// nesting and length have limits that are checked before memory is taken, and a
// declared length reserves none. A Reader belongs to one goroutine.
package toon
