package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// Version is the version of the manifest format that is read.
const Version = 1

// defaultInstruction is the prompt file of an agent that names none.
const defaultInstruction = "$builtin/default"

// Defaults returns what an empty manifest means, which is also what holds for
// every key that a manifest leaves out:
//
//	version: 1
//	instruction: $builtin/default
//	project: {instructions: cento, markers: [.git, .hg, .jj, .svn], limit: 32768, imports: false}
//	profile: auto
//	skills: auto
//	scope: {allow: [{target: ., permission: write}]}
//	limits: {file: 1048576, prompt: 16777216, fragments: 100000, nesting: 100}
//	trust: {policy: show, secrets: warn}
//
// All defined tools are active. The scope is that of the project's root, see
// [DefaultScope]. The same holds where there is no manifest.
func Defaults() Manifest {
	ref, err := pack.ParseRef(defaultInstruction, pack.Ref{}, cento.Position{})
	if err != nil {
		panic("project: the default instruction is no reference: " + err.Error())
	}
	return Manifest{
		Version:     Version,
		Instruction: &Reference{Ref: ref},
		Instructions: Instructions{
			Convention: workspace.DefaultConvention,
			Markers:    workspace.VCSMarkers(),
		},
		Profile: ProfileSetting{Auto: true},
		Limits:  cento.DefaultLimits(),
	}
}

// DefaultScope is the scope of a project that says nothing of one: its root may be
// written. Where nothing marks the root, or it is the home folder or the root of
// the disk, it may only be read: nobody said that this is a project.
func DefaultScope(root workspace.Root) workspace.ScopeConfig {
	return workspace.ScopeConfig{Allow: []workspace.ScopeRule{{Target: workspace.EscapeTarget(root.Dir), Permission: DefaultPermission(root), Trust: cento.TrustHost, MadeBy: cento.ByProgram}}}
}

// DefaultPermission is what [DefaultScope] permits.
func DefaultPermission(root workspace.Root) workspace.Permission {
	if root.Marker == "" || root.Home || root.Disk {
		return workspace.Read
	}
	return workspace.Write
}

// isOff reports whether a value is the word that switches a setting off.
func isOff(n *strict.Node) bool {
	if b, ok := n.Bool(); ok {
		return !b
	}
	word, ok := n.Text()
	return ok && (word == off || word == "false")
}

// off is that word.
const off = "off"
