package workspace

import (
	"fmt"
	"slices"
)

// Permission is what may be done at a path. Each level includes those below.
type Permission uint8

// None < Read < Write.
const (
	None Permission = iota
	Read
	Write
)

var permissionNames = []string{"none", "read", "write"}

// String gives "none", "read" or "write".
func (p Permission) String() string {
	if int(p) < len(permissionNames) {
		return permissionNames[p]
	}
	return fmt.Sprintf("Permission(%d)", uint8(p))
}

// MarshalText gives the name.
func (p Permission) MarshalText() ([]byte, error) {
	if int(p) >= len(permissionNames) {
		return nil, fmt.Errorf("%d is none of %q", p, permissionNames)
	}
	return []byte(permissionNames[p]), nil
}

// UnmarshalText accepts a name.
func (p *Permission) UnmarshalText(text []byte) error {
	i := slices.Index(permissionNames, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %q", text, permissionNames)
	}
	*p = Permission(i)
	return nil
}

// Effect is what a rule does.
type Effect uint8

// Allow rules give a permission; Deny rules take it, and all above it, away.
const (
	Allow Effect = iota
	Deny
)

var effectNames = []string{"allow", "deny"}

// String gives "allow" or "deny".
func (e Effect) String() string {
	if int(e) < len(effectNames) {
		return effectNames[e]
	}
	return fmt.Sprintf("Effect(%d)", uint8(e))
}

// MarshalText gives the name.
func (e Effect) MarshalText() ([]byte, error) {
	if int(e) >= len(effectNames) {
		return nil, fmt.Errorf("%d is none of %q", e, effectNames)
	}
	return []byte(effectNames[e]), nil
}

// UnmarshalText accepts a name.
func (e *Effect) UnmarshalText(text []byte) error {
	i := slices.Index(effectNames, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %q", text, effectNames)
	}
	*e = Effect(i)
	return nil
}
