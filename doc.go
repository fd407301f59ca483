// Package cento assembles the system prompts of AI agents from fragments, by one
// deterministic reducer, and tells for every byte where it came from and for every
// fragment why it is in or out. It reads no file, clock, network or environment, and
// sends nothing.
//
// # The usual path
//
// A program that builds one prompt hands its fragments to [ReduceFragments]:
//
//	p, err := cento.ReduceFragments([]cento.Fragment{
//		cento.NewFragment("intro", "host", cento.Before, "You are a careful engineer."),
//		cento.NewFragment("todo", "tool:todo", cento.Before, "Keep the todo list up to date.").RequiringTools("todo"),
//	}, cento.Active{Tools: []string{"read"}}, cento.Options{})
//	text, ok := p.System()                // the prompt, and whether there is one
//	p.Trace(1, cento.ExplainOptions{})    // why fragment 1 is out
//	p.Spans()                             // where every byte came from
//
// An agent that assembles at every turn compiles once and binds the active set
// when it changes: [Compile], [Plan.Bind], [Plan.AppendText]. What was decided and
// rendered for it stays with it, so that what is left to do per turn is a copy of the
// text; [Bound.With] renders again what reads something that changed.
//
// A program with host parts, tools and a project fills an [Input] and calls
// [Reduce]; package project reads one from a folder. What-ifs are copies of the
// input, so they never read anything: Reduce(in.WithoutTool("todo")).
//
// # Two answers
//
// Spans say where bytes came from: they tile the text and point into files.
// Traces say why fragments are in or out: they carry stable codes. They are
// different types because they answer different questions.
//
// # Guarantees
//
//   - The same input gives the same bytes, on every machine: nothing here reads
//     a disk, a clock, an environment, or the order of a map.
//   - Every byte of the output belongs to exactly one span, every fragment gets
//     exactly one decision.
//   - Text of strangers (a project's files, tool definitions, a session) can
//     neither hide characters nor imitate the sections that the program writes
//     itself: the boundaries of the workspace and the project's instructions,
//     which are always last.
//   - Values are immutable once returned. A [Plan], a [Bound] and a [Prompt] may
//     be shared by goroutines; an [Assembly] and the memory handed to
//     AppendText belong to one at a time.
//
// # What it does not do
//
// It doesn't parse templates, read files, count tokens or talk to providers:
// the packages around it do. It can't promise that a model obeys.
package cento
