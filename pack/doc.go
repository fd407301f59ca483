// Package pack finds and reads prompt files, and keeps the wording that the
// program itself needs.
//
// A prompt file is named by a reference: `$builtin/…` inside the program,
// `$user/…` in the user's configuration folder, `$workspace/…` in the project,
// `$pack/<name>/…` in an installed pack. [ParseRef] reads one as people write
// it; a [Loader] over [Roots] reads the file. A reference means one file, with
// no fall-through from one place to another.
//
// A [Catalog] holds headings, notices and wrappers by [Key].
//
// What holds:
//
//   - Nothing outside a root can be reached, whatever a reference, a link or a
//     special file tries. Files are opened by package tree alone.
//   - Not configured, not found and not readable are three errors, each with
//     the place of the reference that asked. Nothing that can't be read is
//     reported as missing, or skipped.
//   - Trust follows the place that a text was read from. Nothing in a file
//     raises it, and data in a text keeps its own.
//   - A text knows which file and line each of its bytes came from.
//
// The package reads no clock, environment or network, and keeps no files: what
// changed on disk is seen by the next load. It does not decide where the user's
// folder is, and does not place texts in a prompt.
package pack
