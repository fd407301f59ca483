// Package strict reads YAML and JSON files written by people and decodes them
// into Go values with nothing silent. It opens no file, and writes neither form.
//
// The usual path has three steps: [Read] (or [YAML], [JSON]) makes a tree of
// [Node] values that know their places, a [Decoder] fills a Go value from it,
// and [Decoder.Err] gives everything that was wrong, each with file, line,
// column, the other party of a conflict and the nearest known name.
//
// Refused, because a reader of the file could be misled or because it costs
// more than it says: unknown and repeated keys (also when they differ in letter
// case alone), values of another type, YAML's aliases, anchors, merge keys,
// tags and further documents, line ends other than LF and CRLF, text that isn't
// UTF-8, NUL, half surrogate pairs, and nesting, size or number of values over
// the limit. Limits are checked before anything recurses or grows.
//
// A scalar means what the field that takes it says: where a text is wanted,
// YAML's `no`, `1e3` and `2001-01-01` are the text that stands there; numbers
// and truth values follow the core schema of YAML 1.2.
//
// The package keeps no state. A tree is never changed once
// it is read, so it may be used by several goroutines; a Decoder belongs to
// one.
package strict
