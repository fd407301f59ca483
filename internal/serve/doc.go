// Package serve answers over HTTP what the command line answers: the operations of
// package call, the prompts of projects that are kept collected, sessions, and what
// was recorded. It is a door: no rule about prompts is in it.
//
// The usual path is [New] with a [Config], then [Server.Serve]. A request goes through
// the guard (guard.go: who may ask from where, how much, how long), the token
// (tokens.go), and the route (routes.go), which is a row of one table: the OpenAPI
// document is made of the same rows. What goes wrong is a problem (problem.go) with the
// code, the place and the hint that the command line tells.
//
// The service keeps nothing that the store doesn't have but what makes it quick, so any
// number of them share one store. A session belongs to the project that its id begins
// with, `PROJECT:NAME`, and so do its records: a token that is narrowed to a project
// reaches those alone.
package serve
