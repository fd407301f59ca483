// Package project reads a project once and makes its prompts: the manifest cento.yaml,
// everything that it names, and what stands in the project's tree. No program is run
// and no connection opened before the user has agreed.
//
//	p, err := project.Open(ctx, project.Request{Dir: dir})
//	prompt, err := p.Reduce(p.Input)
//	text, ok := prompt.System()
//
// The usual path is [Open] and [Project.Reduce]. Open does all reading and gives
// an input, which is plain data; Reduce makes the prompt of that input, or of a
// copy in which something is changed, and reads nothing. [Assemble] is both.
// [Project.Target] and [Project.WithLayers] are what-ifs that a manifest or a
// stack of layers decides: they don't read the manifest again.
//
// Nothing is taken from the environment: folders, clock and credentials' names
// are fields of [Request]. No program is run and no connection opened before the
// user has agreed, see package consent.
package project
