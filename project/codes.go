package project

import "github.com/cento-dev/cento"

// The codes of errors in manifests and requests. Errors of form have the codes
// `syntax`, `key.unknown`, `key.duplicate`, `key.missing`, `value.type` and
// `value.invalid`; values that belong to other packages have theirs.
const (
	// UnsupportedVersion: the manifest is written for another format.
	UnsupportedVersion cento.ErrorCode = "manifest.version"
	// Unsupported: the format has it and this version doesn't.
	Unsupported cento.ErrorCode = "unsupported"
	// Conflict: two values exclude each other.
	Conflict cento.ErrorCode = "key.conflict"
	// ReservedID: a fragment has an id that only the program gives.
	ReservedID cento.ErrorCode = "fragment.reserved"
	// SetByProgram: a field that follows from where a text is read.
	SetByProgram cento.ErrorCode = "key.set_by_program"
	// NotInTarget: a key that belongs to the whole manifest stands in a target.
	NotInTarget cento.ErrorCode = "target.key"
	// UnknownTarget: no target has the name.
	UnknownTarget cento.ErrorCode = "target.unknown"
	// PackElsewhere: adding a pack would write into a folder that isn't a copy
	// of the program's own making.
	PackElsewhere cento.ErrorCode = "pack.elsewhere"
	// Loosened: a manifest asks for more than it may.
	Loosened cento.ErrorCode = "limit.loosened"
)
