package layer

import "github.com/cento-dev/cento"

// The codes of errors, beside those of the strict reader.
const (
	// UnknownSlot: a layer changes a slot that isn't standard and that no template
	// of the stack has.
	UnknownSlot cento.ErrorCode = "slot.unknown"
	// UnknownBuiltin: a template places a builtin that doesn't exist.
	UnknownBuiltin cento.ErrorCode = "builtin.unknown"
	// UnknownKind: an entry or a patch is of a kind that doesn't exist.
	UnknownKind cento.ErrorCode = "kind.unknown"
	// UnknownAnchor: a patch names a section or an entry that isn't there.
	UnknownAnchor cento.ErrorCode = "patch.anchor"
	// InvalidLayer: a layer holds a value that it can't hold.
	InvalidLayer cento.ErrorCode = "layer.invalid"
	// ProtectedDenied: a layer of this rank can't bring protected text.
	ProtectedDenied cento.ErrorCode = "protected.denied"
)

// The codes of notes.
const (
	// CodeSlotForced: a contribution names another slot than the one it stands
	// in.
	CodeSlotForced cento.Code = "slot.forced"
	// CodeSlotTwice: the section plan places a slot more than once.
	CodeSlotTwice cento.Code = "slot.twice"
	// CodeRemoveUnknown: a removal names a key that nobody contributed.
	CodeRemoveUnknown cento.Code = "remove.unknown"
	// CodeSameID: a layer contributes two texts of one id to a slot: both are in, and a
	// removal of that id takes the first alone.
	CodeSameID cento.Code = "slot.same_id"
	// CodeProtectedKept: a protected contribution survived a layer, or a section
	// plan that has no place for it.
	CodeProtectedKept cento.Code = "protected.kept"
	// CodeNotesOmitted: there were more notes than are kept.
	CodeNotesOmitted cento.Code = "notes.omitted"
)
