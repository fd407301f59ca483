package reminder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
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

// names is the closed list of an enumeration, in the order of its constants.
type names []string

var (
	authorityNames = names{"contract", "corrective", "advisory"}
	propagateNames = names{"session", "all", "none"}
	roleNames      = names{"system", "developer", "user_block", "ephemeral_cache"}
	sourceNames    = names{"in_pipeline", "stdlib_provider", "hook", "bridge", "inherited"}
	placementNames = names{"system", "turn", "native"}
)

func (n names) name(i int) string {
	if i < 0 || i >= len(n) {
		return strconv.Itoa(i)
	}
	return n[i]
}

func (n names) marshal(i int) ([]byte, error) {
	if i >= len(n) {
		return nil, fmt.Errorf("%d is none of %q", i, []string(n))
	}
	return []byte(n[i]), nil
}

// unmarshalName finds a name; the error is [Invalid], with the nearest one.
func unmarshalName[T ~uint8](n names, text []byte, to *T) error {
	i := slices.Index(n, string(text))
	if i < 0 {
		e := &cento.SourceError{Code: Invalid, Message: fmt.Sprintf("expected %s, got %.40q", n.or(), text)}
		if near, ok := nearest.Name(string(text), n); ok {
			e.Hint = fmt.Sprintf("did you mean %q?", near)
		}
		return e
	}
	*to = T(i)
	return nil
}

// or lists the names as in `"a", "b" or "c"`.
func (n names) or() string {
	var b strings.Builder
	for i, name := range n {
		switch {
		case i == 0:
		case i == len(n)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(name))
	}
	return b.String()
}

// String gives "contract", "corrective" or "advisory".
func (a Authority) String() string { return authorityNames.name(int(a)) }

// MarshalText gives the name.
func (a Authority) MarshalText() ([]byte, error) { return authorityNames.marshal(int(a)) }

// UnmarshalText accepts a name; the error is [Invalid].
func (a *Authority) UnmarshalText(t []byte) error { return unmarshalName(authorityNames, t, a) }

// String gives "session", "all" or "none".
func (p Propagate) String() string { return propagateNames.name(int(p)) }

// MarshalText gives the name.
func (p Propagate) MarshalText() ([]byte, error) { return propagateNames.marshal(int(p)) }

// UnmarshalText accepts a name; the error is [Invalid].
func (p *Propagate) UnmarshalText(t []byte) error { return unmarshalName(propagateNames, t, p) }

// String gives "system", "developer", "user_block" or "ephemeral_cache".
func (r RoleHint) String() string { return roleNames.name(int(r)) }

// MarshalText gives the name.
func (r RoleHint) MarshalText() ([]byte, error) { return roleNames.marshal(int(r)) }

// UnmarshalText accepts a name; the error is [Invalid].
func (r *RoleHint) UnmarshalText(t []byte) error { return unmarshalName(roleNames, t, r) }

// String gives "in_pipeline", "stdlib_provider", "hook", "bridge" or
// "inherited".
func (s Source) String() string { return sourceNames.name(int(s)) }

// MarshalText gives the name.
func (s Source) MarshalText() ([]byte, error) { return sourceNames.marshal(int(s)) }

// UnmarshalText accepts a name; the error is [Invalid].
func (s *Source) UnmarshalText(t []byte) error { return unmarshalName(sourceNames, t, s) }

// String gives "system", "turn" or "native".
func (p Placement) String() string { return placementNames.name(int(p)) }

// MarshalText gives the name.
func (p Placement) MarshalText() ([]byte, error) { return placementNames.marshal(int(p)) }

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
