// Package unitab holds the Unicode tables and the few text primitives by which hidden
// characters and imitated headings are found in prompt text. It finds and doesn't judge.
//
// The usual path: [IsASCII] passes most texts; [NextHidden] walks the characters of the others
// that a reader does not see and a model does; [AppendSkeleton] gives the form in which a line
// is compared with a protected heading.
//
// What is done with a hidden character, or with a line that imitates a heading, is the
// caller's affair. The package knows nothing of letters that look alike, and it does not
// compose, segment or collate.
//
// All functions are pure, work on any bytes and may be called from any goroutine. The tables
// are constant data: importing the package runs no code. They follow one [Version] of Unicode,
// whichever version the toolchain's own tables have, so a text gives the same answers
// everywhere.
package unitab

//go:generate go run ./gen
