// Package toolserver asks MCP servers what tools they have. It calls no tool, and
// offers a server nothing: no files, no sampling, no questions to the user.
//
//	l := toolserver.Lister{}
//	listing, err := l.List(ctx, consent.Server{Name: "files", Command: []string{"files-mcp"}}, dir)
//
// A [Lister] starts a program, or connects to an address, by the official Go SDK
// of the Model Context Protocol, takes the listing of its tools, and ends it.
//
// It decides nothing about trust. Package project hands it a server only after
// the user has agreed to what the manifest says of it.
//
// What a server may cost is bounded: time by the server's own timeout, a listing
// by [consent.MaxListing] bytes, 20,000 tools and 1,000 pages. A server
// that ends in the middle is started once more. One that ends at `server/discover`,
// with which protocol 2026-07-28 begins, or doesn't answer it within two seconds, is
// greeted with `initialize`, and at once in later runs. A program gets the few variables
// of [Variables], those that the manifest sets, and those that it names under
// inherit; it is ended with all that it started, where the system has process
// groups and nothing of it left its own.
//
// A listing is what the SDK reads of it: of two keys of one name the last, and
// numbers as 64-bit floating point.
//
// The last good listing of each server is kept in the user's cache folder, by
// the digest of the server's definition and the folder of its manifest, and used
// when the server gives none. A Lister may be used by several goroutines, and
// asks each server once.
package toolserver
