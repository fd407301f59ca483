package contract

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/quote"
)

// The codes of errors. Those of package internal/strict come besides, for files,
// and [cento.LimitExceeded].
const (
	// InvalidUTF8: a text isn't valid UTF-8. It is never made so silently.
	InvalidUTF8 cento.ErrorCode = "contract.bad_utf8"
	// Syntax: a text isn't in the form that it was read as.
	Syntax cento.ErrorCode = "contract.syntax"
	// UnknownName: a role, kind, constraint, format, form, key or part that
	// isn't known.
	UnknownName cento.ErrorCode = "contract.unknown"
	// InvalidKey: a declared key or role that can't be one.
	InvalidKey cento.ErrorCode = "contract.key"
	// Duplicate: a key or part that stands twice.
	Duplicate cento.ErrorCode = "contract.duplicate"
	// Missing: a part that isn't there.
	Missing cento.ErrorCode = "contract.missing"
	// EmptyGroup: a group of facts without facts, in a text that is read.
	EmptyGroup cento.ErrorCode = "contract.empty_group"
	// WrongType: a value of another kind than the part takes.
	WrongType cento.ErrorCode = "contract.type"
	// Unreadable: a form that can't be read back.
	Unreadable cento.ErrorCode = "contract.unreadable"
)

// Codes of notes.
const (
	// RepeatedID: two facts of one contract have the same id, so that a citation
	// may mean either.
	RepeatedID cento.Code = "contract.id.repeated"
	// ObjectiveChanged: an objective with spaces is written as a keyword with hyphens,
	// and is read back so.
	ObjectiveChanged cento.Code = "contract.objective.changed"
)

const utf8Hint = "save the text as UTF-8"

// unknownHint proposes the nearest known name and lists all.
func unknownHint(got string, known []string) string {
	hint := "known here: " + nearest.List(known)
	if near, ok := nearest.Name(got, known); ok {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return hint
}

// invalidUTF8 is where a text stops being UTF-8, -1 for nowhere.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size < 2 {
			return i
		}
		i += size
	}
}

// validName reports whether a text can be a key, or the name of a role: a lower-case letter, then at
// most 63 of these, digits, underscores and hyphens.
func validName(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || c != '_' && c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != "" && len(key) <= 64
}

const nameHint = "a lower-case letter, then letters, digits, _ and -, at most 64 in all"

// vocabulary is the roles and keys that are declared besides the built-in ones.
type vocabulary struct{ roles, keys []string }

func (v vocabulary) hasRole(role string) bool {
	return slices.Contains(builtinRoles, role) || slices.Contains(v.roles, role)
}

func (v vocabulary) knownRoles() []string { return append(slices.Clone(builtinRoles), v.roles...) }

func (v vocabulary) hasKey(key string) bool {
	return slices.Contains(builtinKeys, key) || slices.Contains(v.keys, key)
}

func (v vocabulary) knownKeys() []string { return append(slices.Clone(builtinKeys), v.keys...) }

func (v vocabulary) clone() vocabulary {
	return vocabulary{slices.Clone(v.roles), slices.Clone(v.keys)}
}

// clip keeps what a message quotes short.
func clip(s string) string { return quote.Clip(s, 40) }
