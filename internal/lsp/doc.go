// Package lsp is a language server for the manifest, the tests and the prompt files of
// projects: what `cento check` and loading find while somebody types, completion, the
// text that stands in the prompt, and where names are from and used. It holds no rule
// about prompts.
//
// The usual path is [Serve] on the two ends of a connection, most often stdin and
// stdout. It is a door like the command line: it asks internal/app.
//
// What holds:
//
//   - A text that is open in the editor stands over its file, saved or not. One that
//     isn't on disk yet counts once it is.
//   - To open a project starts nothing and approves nothing: tool servers are known by
//     the listings that were kept.
//   - A file outside of the folders that the editor has open is neither read for a
//     request nor changed by an answer; what a prompt is made of may lie further up,
//     and is read as by every command.
//   - Positions are exact in the encoding that was agreed on, UTF-8 or UTF-16.
//   - A quick fix is one of `cento check --fix`, on the text as it is typed.
//   - Answers are about the texts as they were when the request came in, or later.
//     Changes are taken in their order; a request that is cancelled ends.
//   - A message that can't be read is answered with an error, and takes nothing along.
package lsp
