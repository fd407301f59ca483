package manifest

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/workspace"
)

// The types of this file are values that may be written in several ways, or not
// at all.

// setByProgram stands for a field that follows from where a text was read.
type setByProgram struct{}

// Refused keeps the key from being proposed.
func (*setByProgram) Refused() {}

func (*setByProgram) DecodeNode(d *strict.Decoder, n *strict.Node) {
	d.Fail(n.Position(), SetByProgram, "set by the program and never by a file").Hint = "take it out; it follows from the place that a text is read from"
}

// requestTrust is whose word a fragment of a request is: the host's, unless the
// host says that it hands on somebody else's. In a file it is set by the program.
type requestTrust struct{ cento.Trust }

// Refused keeps the key from being proposed.
func (*requestTrust) Refused() {}

func (r *requestTrust) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if d.Trust != cento.TrustHost {
		new(setByProgram).DecodeNode(d, n)
		return
	}
	d.Decode(n, &r.Trust)
	if r.Trust == cento.TrustBuiltin {
		d.Fail(n.Position(), TrustRaised, "only the program's own texts are %s", r.Trust).Hint = "leave trust out for a text of your own, or name whose text it is: user, workspace, tool or session"
		r.Trust = cento.TrustHost
	}
}

// notInTarget stands for a key that belongs to the whole manifest.
type notInTarget struct{}

// Refused keeps the key from being proposed.
func (*notInTarget) Refused() {}

func (*notInTarget) DecodeNode(d *strict.Decoder, n *strict.Node) {
	d.Fail(n.Position(), NotInTarget, "a target can't set this").Hint = "it belongs to the whole manifest"
}

// importance is a number, or "required".
type importance struct{ cento.Importance }

func (i *importance) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if s, ok := n.Text(); ok && s == cento.Required.String() {
		return
	}
	v, ok := n.Int()
	if !ok || int64(int(v)) != v {
		d.Expected(n, `a whole number or "required"`).Hint = "the lower the number, the sooner it is left out; required never is"
		return
	}
	i.Importance = cento.ImportanceOf(int(v))
}

// IsZero leaves the default out of what is written.
func (i importance) IsZero() bool { return i.Importance == cento.Required }

// form is a way to write a contract.
type form = strict.Located[contract.Form]

// count is a number above zero.
type count struct{ strict.Located[int] }

func (c *count) DecodeNode(d *strict.Decoder, n *strict.Node) {
	c.Located.DecodeNode(d, n)
	if _, ok := n.Int(); ok && c.Value < 1 {
		d.Fail(n.Position(), strict.WrongValue, "expected a number above 0, got %d", c.Value)
	}
}

// permission is what a rule of a scope can be about: "none" is not.
type permission uint8

const (
	readPermission permission = iota
	writePermission
)

// MarshalText gives the name.
func (p permission) MarshalText() ([]byte, error) {
	if p > writePermission {
		return nil, fmt.Errorf("%d is no permission", p)
	}
	return (workspace.Read + workspace.Permission(p)).MarshalText()
}

// UnmarshalText accepts a name.
func (p *permission) UnmarshalText(text []byte) error {
	var w workspace.Permission
	if err := w.UnmarshalText(text); err != nil {
		return err
	}
	if w == workspace.None {
		return fmt.Errorf("%q is no permission of a rule", text)
	}
	*p = permission(w - workspace.Read)
	return nil
}

// policyFile is one word, or one for each level.
type policyFile struct{ cento.Policy }

// policyMap is the long form of a policy.
type policyMap struct {
	Workspace cento.HiddenPolicy `json:"workspace,omitempty" jsonschema:"Files of the project; default show."`
	Tool      cento.HiddenPolicy `json:"tool,omitempty" jsonschema:"Tool definitions; default show."`
	Session   cento.HiddenPolicy `json:"session,omitempty" jsonschema:"Reminders; default show."`
}

func (p *policyFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() == strict.Map {
		var m policyMap
		d.Decode(n, &m)
		p.Policy = cento.Policy(m)
		return
	}
	var all cento.HiddenPolicy
	d.Decode(n, &all)
	p.Policy = cento.Policy{Workspace: all, Tool: all, Session: all}
}

// secrets says what happens to credentials in texts.
type secrets uint8

const (
	warn secrets = iota
	redact
)

// MarshalText gives the name.
func (s secrets) MarshalText() ([]byte, error) {
	switch s {
	case warn:
		return []byte("warn"), nil
	case redact:
		return []byte("redact"), nil
	}
	return nil, fmt.Errorf("%d is no policy for secrets", s)
}

// UnmarshalText accepts a name.
func (s *secrets) UnmarshalText(text []byte) error {
	switch string(text) {
	case "warn":
		*s = warn
	case "redact":
		*s = redact
	default:
		return fmt.Errorf("%q is no policy for secrets", text)
	}
	return nil
}

// secretsFile is a policy for secrets that this version can follow.
type secretsFile struct{}

func (*secretsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	var s secrets
	d.Decode(n, &s)
	if s == redact {
		d.Fail(n.Position(), Unsupported, "redact is not supported by this version").Hint = "write warn: credentials are reported and left in place"
	}
}
