package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// The codes of errors in manifests and requests. Errors of form have the codes
// `syntax`, `key.unknown`, `key.duplicate`, `key.missing`, `value.type` and
// `value.invalid`; values that belong to other packages have theirs.
const (
	// UnsupportedVersion: the manifest is written for another format.
	UnsupportedVersion cento.ErrorCode = "manifest.version"
	// Unsupported: the format has it and this version doesn't.
	Unsupported = strict.Unsupported
	// Conflict: two values exclude each other.
	Conflict = strict.Conflict
	// ReservedID: a fragment has an id that only the program gives.
	ReservedID cento.ErrorCode = "fragment.reserved"
	// SetByProgram: a field that follows from where a text is read.
	SetByProgram cento.ErrorCode = "key.set_by_program"
	// NotInTarget: a key that belongs to the whole manifest stands in a target.
	NotInTarget cento.ErrorCode = "target.key"
	// UnknownTarget: no target has the name.
	UnknownTarget cento.ErrorCode = "target.unknown"
	// NoSuchItem: a target changes a list of the manifest that isn't there, or hasn't the item.
	NoSuchItem cento.ErrorCode = "target.change"
	// ReservedLayer: a layer has a name that says another rank than its own.
	ReservedLayer cento.ErrorCode = "layer.reserved"
	// TrustRaised: a fragment of a request asks for more trust than whoever sends
	// it has.
	TrustRaised cento.ErrorCode = "trust.raised"
	// NoAssertion: a test asserts nothing.
	NoAssertion cento.ErrorCode = "test.asserts_nothing"
	// OutputTwice: two targets are written to one file.
	OutputTwice cento.ErrorCode = "output.twice"
	// OutputOwn: an output is a file of the program's own, or of git.
	OutputOwn cento.ErrorCode = "output.own"
	// Loosened: a manifest asks for more than it may.
	Loosened cento.ErrorCode = "limit.loosened"
)

// CodeToolUnkept is the note that definitions of tools have keys of which no request has
// the value: credentials, and members that no provider format takes from there.
const CodeToolUnkept cento.Code = "tool.unkept"

// CodeToolSchema is the note that the schema of a server's tool is no JSON Schema.
const CodeToolSchema cento.Code = "tool.schema"

// CodeToolRequired is the note that the schema of a tool requires a property that it
// doesn't have.
const CodeToolRequired cento.Code = "tool.required"

// CodeToolReference is the note that a $ref in the schema of a tool leads to nothing.
const CodeToolReference cento.Code = "tool.reference"

// CodeToolName is the note that a server lists a tool with a name that no tool can
// have, so that it is left out.
const CodeToolName cento.Code = "tool.name"
