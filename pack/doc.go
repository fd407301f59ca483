// Package pack finds and reads prompt files, and keeps the wording that the program
// itself needs. It doesn't decide which of them stand in a prompt.
//
//	roots, err := pack.RootsOf(map[string]string{"$workspace/review": "Review as {{ vars.reviewer }}."}, nil)
//	ref, err := pack.ParseRef("$workspace/review", pack.Ref{}, cento.Position{})
//	file, err := pack.NewLoader(roots, cento.Limits{}).Open(ref, cento.Position{})
//	engine, err := pack.NewEngine(cento.Input{Files: cento.Files{Given: vars}}, file)
//	text, err := engine.Render(file, cento.Active{})
//
// A prompt file is named by a reference: `$builtin/…` inside the program,
// `$user/…` in the user's configuration folder, `$workspace/…` in the project,
// `$pack/<name>/…` in an installed pack. A reference means one file, with no
// fall-through from one place to another.
//
// The usual path: [ParseRef] reads a reference as people write it,
// [Loader.Open] reads the file over [Roots] with everything that it includes,
// and [File.Render] gives its text for [Variables]. A [Catalog] holds headings,
// notices and wrappers by [Key], which files of [Wording] word anew.
// [Conditions] decides the conditions of fragments in the same language.
//
// What holds:
//
//   - Nothing outside a root can be reached, whatever a reference, a link or a
//     special file tries. Files are opened by package tree alone.
//   - Not configured, not found and not readable are three errors, each with
//     the place of the reference that asked. Nothing that can't be read is
//     reported as missing, or skipped.
//   - What is missing, broken or circular in files that are named by a constant
//     is found when they are loaded.
//   - Text from a variable is data. It is never parsed as a template.
//   - Trust follows the place that a text was read from. Nothing in a file
//     raises it, and data in a text keeps its own.
//   - A text knows which file and line each of its bytes came from.
//
// The package reads no clock, environment or network, and keeps no files beyond
// those of a loaded graph: what changed on disk is seen by the next load. It does
// not decide where the user's folder is, and does not place texts in a prompt.
package pack
