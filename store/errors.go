package store

import "github.com/cento-dev/cento"

// The codes of errors. All are found with errors.Is, and stand in a
// [cento.SourceError].
const (
	// Invalid: what was asked for can't be stored: a blank or broken name, text
	// that isn't UTF-8, a draft without prompt.
	Invalid cento.ErrorCode = "store.invalid"
	// UnknownSession: no session has this id.
	UnknownSession cento.ErrorCode = "session.unknown"
	// OtherProject: a session belongs to another project than the caller's.
	OtherProject cento.ErrorCode = "session.project"
	// InvalidCursor: what is to go on from is no cursor of a list of sessions.
	InvalidCursor cento.ErrorCode = "session.cursor"
	// SessionExists: a session to be created is there already.
	SessionExists cento.ErrorCode = "session.exists"
	// HasChildren: a session to be deleted was forked.
	HasChildren cento.ErrorCode = "session.has_children"
	// Conflict: the session has another version than was expected; somebody else
	// changed it in between, and nothing was written.
	Conflict cento.ErrorCode = "store.conflict"
	// KeyReused: an idempotency key was used before for another request.
	KeyReused cento.ErrorCode = "idempotency.reused"
	// UnknownRecord: the session has no record of this number.
	UnknownRecord cento.ErrorCode = "record.unknown"
	// UnknownBlob: no kept text has this digest.
	UnknownBlob cento.ErrorCode = "blob.unknown"
	// Redacted: a text was taken out for good; its digest is all that is left.
	Redacted cento.ErrorCode = "store.redacted"
	// Corrupt: what is stored can't be read, or isn't what was stored.
	Corrupt cento.ErrorCode = "store.corrupt"
	// Foreign: what is at the place of the store is none: no database, or one that
	// another program keeps its own in. It was left as it is.
	Foreign cento.ErrorCode = "store.foreign"
	// Newer: the store was made by a newer program.
	Newer cento.ErrorCode = "store.newer"
	// Empty: the store was opened to be read alone, and nobody has written to it yet: the
	// tables of a store are missing.
	Empty cento.ErrorCode = "store.empty"
	// Locked: another writer held the store for longer than was waited.
	Locked cento.ErrorCode = "store.locked"
	// Full: there is no room on the disk.
	Full cento.ErrorCode = "store.full"
	// ReadOnly: the store may not be written to.
	ReadOnly cento.ErrorCode = "store.read_only"
	// Unreachable: the store can't be opened, or its server doesn't answer.
	Unreachable cento.ErrorCode = "store.unreachable"
	// Uncertain: the connection was lost, or the caller's time was over, while a change
	// was being committed.
	// Repeating it with the same idempotency key settles it.
	Uncertain cento.ErrorCode = "store.uncertain"
	// Failed: the database failed for a reason of its own.
	Failed cento.ErrorCode = "store.failed"
	// Closed: the store was closed before.
	Closed cento.ErrorCode = "store.closed"
)

// IsFailure reports whether a code is about the store itself, so that asking
// differently wouldn't help.
func IsFailure(code cento.ErrorCode) bool {
	switch code {
	case Corrupt, Foreign, Newer, Empty, Locked, Full, ReadOnly, Unreachable, Uncertain, Failed, Closed:
		return true
	}
	return false
}
