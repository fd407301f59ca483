package workspace

import (
	"github.com/cento-dev/cento/internal/enum"
)

// Permission is what may be done at a path. Each level includes those below.
type Permission uint8

// None < Read < Write.
const (
	None Permission = iota
	Read
	Write
)

var permissionNames = enum.Names[Permission]{"none", "read", "write"}

// String gives "none", "read" or "write".
func (p Permission) String() string { return permissionNames.Name(p) }

// MarshalText gives the name.
func (p Permission) MarshalText() ([]byte, error) { return permissionNames.Marshal(p) }

// UnmarshalText accepts a name.
func (p *Permission) UnmarshalText(text []byte) error { return permissionNames.Unmarshal(text, p) }

// Effect is what a rule does.
type Effect uint8

// Allow rules give a permission; Deny rules take it, and all above it, away.
const (
	Allow Effect = iota
	Deny
)

var effectNames = enum.Names[Effect]{"allow", "deny"}

// String gives "allow" or "deny".
func (e Effect) String() string { return effectNames.Name(e) }

// MarshalText gives the name.
func (e Effect) MarshalText() ([]byte, error) { return effectNames.Marshal(e) }

// UnmarshalText accepts a name.
func (e *Effect) UnmarshalText(text []byte) error { return effectNames.Unmarshal(text, e) }
