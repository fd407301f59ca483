// Package lint finds what is doubtful about a project's prompt: words about tools
// that aren't there, gates that never open, files that nothing includes.
//
// The usual path: [Open] reads a project with all its targets, and [Run] asks
// every check of [Checks]. A check is a value with its code, its severity, what
// it is about in words, and a function over a [Subject]; programs may run some of
// them, or their own.
//
// A finding is data: code, severity, place, message and hint. Codes are API.
// Findings are ordered by place and said once, whatever number of targets they
// hold for; those that the manifest accepts under `ignore` keep the reason.
//
// The package doesn't change anything, and it doesn't guess: what can only be
// known while rendering is left out.
package lint
