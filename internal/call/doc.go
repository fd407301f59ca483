// Package call answers the JSON requests by which programs in other languages use
// Cento. One table of operations serves every door: the command line, and whatever
// speaks HTTP or MCP. It holds no rule about prompts.
//
// A request is read strictly by package manifest, whose grammar it shares: what a
// file and a request say in the same words means the same. What comes with a
// request comes from no file, so answers name no places in it; errors do.
//
// An operation on fragments, layers or contracts reads no disk, but for the links
// that a scope resolves. Those on projects open one on disk where the door allows
// it, or a copy of the files that came with the request.
package call
