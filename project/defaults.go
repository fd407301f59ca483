package project

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// Version is the version of the manifest format that is read.
const Version = 1

// DefaultInstruction is the prompt file of an agent that names none.
const DefaultInstruction = "$builtin/default"

// Defaults returns what an empty manifest means, which is also what holds for
// every key that a manifest leaves out:
//
//	version: 1
//	instruction: $builtin/default
//	project: {instructions: cento, markers: [.git, .hg, .jj, .svn], limit: 32768, imports: false}
//	profile: off
//	skills: off
//	limits: {file: 1048576, prompt: 16777216, fragments: 100000, nesting: 100}
//	trust: {policy: show, secrets: warn}
//
// There is no scope, and all defined tools are active.
func Defaults() Manifest {
	ref, err := pack.ParseRef(DefaultInstruction, pack.Ref{}, cento.Position{})
	if err != nil {
		panic("project: the default instruction is no reference: " + err.Error())
	}
	return Manifest{
		Version:     Version,
		Instruction: &Reference{Ref: ref},
		Instructions: Instructions{
			Profile: workspace.DefaultProfile,
			Markers: workspace.VCSMarkers(),
			Limit:   workspace.DefaultInstructionLimit,
		},
		Limits: cento.DefaultLimits(),
	}
}
