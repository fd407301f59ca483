package cli

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// The types of this file are results with --json that no package below has.

// blameAnswer is a prompt, line by line.
type blameAnswer struct {
	// Lines are those of the prompt, in order.
	Lines []app.BlameLine `json:"lines"`
	// Notes tell of what was read, and of what the flags change.
	Notes []cento.Note `json:"notes,omitempty"`
}

// layersAnswer tells of the layers of a prompt.
type layersAnswer struct {
	app.Layers
	// Notes tell of what was read, and of what the flags change.
	Notes []cento.Note `json:"notes,omitempty"`
}

// builtAnswer is a prompt.
type builtAnswer struct {
	app.BuiltPrompt
	// Notes tell of what was read, and of what the flags change.
	Notes []cento.Note `json:"notes,omitempty"`
}

// promptsAnswer lists prompt files.
type promptsAnswer struct {
	// Prompts are the files that can be named, by reference.
	Prompts []app.PromptFile `json:"prompts"`
}

// packsAnswer lists packs.
type packsAnswer struct {
	// Packs are those that the manifest names, and those that are locked without
	// a name.
	Packs []app.Pack `json:"packs"`
}

// removedPackAnswer tells of a pack that was taken out.
type removedPackAnswer struct {
	// Name is that of the pack.
	Name string `json:"name"`
	// Removed is the folder that went with it; empty when it stays.
	Removed string `json:"removed"`
}

// trustedAnswer lists what the user approved.
type trustedAnswer struct {
	// Projects are those with something that is approved.
	Projects []app.TrustedProject `json:"projects"`
}

// untrustedAnswer tells of approvals that were taken back.
type untrustedAnswer struct {
	// Root is the folder of the project.
	Root string `json:"root"`
	// Removed tells whether anything of it was approved.
	Removed bool `json:"removed"`
}

// recordsAnswer lists records.
type recordsAnswer struct {
	// Records are the newest first.
	Records []app.Summary `json:"records"`
}

// systemAnswer is a recorded prompt.
type systemAnswer struct {
	// System is the prompt; null when there was none.
	System *string `json:"system"`
}

// servingAnswer tells where a service listens.
type servingAnswer struct {
	// Address is where it answers.
	Address string `json:"address"`
	// Metrics is where metrics are, when they have an address of their own; else empty.
	Metrics string `json:"metrics"`
}

// tokenAnswer is a token that was made.
type tokenAnswer struct {
	// Name is what logs call it.
	Name string `json:"name"`
	// Token is the secret. It is told once.
	Token string `json:"token"`
	// Line is what lets it in, in a file of tokens.
	Line string `json:"line"`
}

// versionAnswer is the version of the program.
type versionAnswer struct {
	// Version begins with v; without a release it says which commit it is.
	Version string `json:"version"`
}

// textAnswer is a result that is one text.
type textAnswer struct {
	// Text is the text.
	Text string `json:"text"`
}
