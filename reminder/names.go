package reminder

import (
	"errors"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// Authority orders reminders: within a turn, and when two of them say the same.
type Authority uint8

// The authorities, strongest first. The zero value is Contract.
const (
	Contract Authority = iota
	Corrective
	Advisory
)

// Propagate says which child sessions inherit a reminder.
type Propagate uint8

const (
	// ToChildren: the children of the session that it comes from, and no deeper.
	// The default.
	ToChildren Propagate = iota
	// ToAll: children, their children, and so on.
	ToAll
	// ToNone: nobody.
	ToNone
)

// RoleHint is the role that another system gave a reminder. It is kept for
// exchange; only the placement [Native] looks at it.
type RoleHint uint8

// The roles. The zero value is SystemRole.
const (
	SystemRole RoleHint = iota
	DeveloperRole
	UserBlock
	EphemeralCache
)

// Source says what made a reminder.
type Source uint8

// The sources. The zero value is InPipeline.
const (
	InPipeline     Source = iota
	StdlibProvider        // a provider of this package
	Hook
	Bridge
	Inherited // a copy that a child session got
)

// Placement says where the reminders of a turn go.
type Placement uint8

const (
	// InSystem: fragments of the system prompt.
	InSystem Placement = iota
	// InTurn: one envelope at the end of the newest user turn, so that the system
	// prompt keeps its bytes.
	InTurn
	// InNative: the older forms that families of models know.
	InNative
)

var (
	authorityNames = enum.Names[Authority]{"contract", "corrective", "advisory"}
	propagateNames = enum.Names[Propagate]{"session", "all", "none"}
	roleNames      = enum.Names[RoleHint]{"system", "developer", "user_block", "ephemeral_cache"}
	sourceNames    = enum.Names[Source]{"in_pipeline", "stdlib_provider", "hook", "bridge", "inherited"}
	placementNames = enum.Names[Placement]{"system", "turn", "native"}
)

// unmarshalName finds a name; the error is [Invalid], with the nearest one.
func unmarshalName[T ~uint8](n enum.Names[T], text []byte, to *T) error {
	err := n.Unmarshal(text, to)
	if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
		return &cento.SourceError{Code: Invalid, Message: unknown.Error(), Hint: unknown.Hint()}
	}
	return err
}

// String gives "contract", "corrective" or "advisory".
func (a Authority) String() string { return authorityNames.Name(a) }

// MarshalText gives the name.
func (a Authority) MarshalText() ([]byte, error) { return authorityNames.Marshal(a) }

// UnmarshalText accepts a name; the error is [Invalid].
func (a *Authority) UnmarshalText(t []byte) error { return unmarshalName(authorityNames, t, a) }

// String gives "session", "all" or "none".
func (p Propagate) String() string { return propagateNames.Name(p) }

// MarshalText gives the name.
func (p Propagate) MarshalText() ([]byte, error) { return propagateNames.Marshal(p) }

// UnmarshalText accepts a name; the error is [Invalid].
func (p *Propagate) UnmarshalText(t []byte) error { return unmarshalName(propagateNames, t, p) }

// String gives "system", "developer", "user_block" or "ephemeral_cache".
func (r RoleHint) String() string { return roleNames.Name(r) }

// MarshalText gives the name.
func (r RoleHint) MarshalText() ([]byte, error) { return roleNames.Marshal(r) }

// UnmarshalText accepts a name; the error is [Invalid].
func (r *RoleHint) UnmarshalText(t []byte) error { return unmarshalName(roleNames, t, r) }

// String gives "in_pipeline", "stdlib_provider", "hook", "bridge" or
// "inherited".
func (s Source) String() string { return sourceNames.Name(s) }

// MarshalText gives the name.
func (s Source) MarshalText() ([]byte, error) { return sourceNames.Marshal(s) }

// UnmarshalText accepts a name; the error is [Invalid].
func (s *Source) UnmarshalText(t []byte) error { return unmarshalName(sourceNames, t, s) }

// String gives "system", "turn" or "native".
func (p Placement) String() string { return placementNames.Name(p) }

// MarshalText gives the name.
func (p Placement) MarshalText() ([]byte, error) { return placementNames.Marshal(p) }

// UnmarshalText accepts a name; the error is [Invalid].
func (p *Placement) UnmarshalText(t []byte) error { return unmarshalName(placementNames, t, p) }

// promptCache is the capability of models whose provider caches prompts.
const promptCache = "model.prompt_cache"

// DefaultPlacement is the placement where none is chosen: the turn for a model
// with a prompt cache, which a system prompt that changes would break, else the
// system prompt. The capabilities are those that are set.
func DefaultPlacement(caps []string) Placement {
	if slices.Contains(caps, promptCache) {
		return InTurn
	}
	return InSystem
}
