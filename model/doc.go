// Package model knows language models: how large their windows are, what they cost, how
// their prompt caches work, where they take a system prompt, and in which form they are
// asked. It asks no provider: what it knows is a table.
//
//	m, notes := model.Default().Lookup("us.anthropic.claude-opus-5-20260401-v1:0")
//	window, known := m.Window()
//
// The catalog is embedded; nothing is asked of a network. Each entry says what it
// rests on and how old that is; what isn't known is nil and never guessed. A name
// that isn't in it gets what holds for its whole series, with a note, or else
// nothing but a counter of tokens, with the nearest names that there are.
// [Catalog.With] lays entries of one's own over it.
//
// The facts are from the vendors' documentation and libraries and from the
// catalog models.dev, whose licence is in the file NOTICE.
package model

//go:generate go run ./gen
