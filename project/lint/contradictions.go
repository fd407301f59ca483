package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// maxFree is how many tools and capabilities of one condition are tried both ways, all
// with one another. A condition of more isn't looked at.
const maxFree = 8

// contradictions reports fragments whose condition is false whatever tools and
// capabilities there are, as long as their other gates are open, in the targets in
// which these are.
func contradictions(s *subject, t *target, report func(Finding)) error {
	active := cento.Active{Tools: t.project.Input.ActiveTools(), Caps: t.project.Input.Active.Caps, Model: t.project.Input.Active.Model}
	for i := range t.prompt.Len() {
		f := t.prompt.Fragment(i)
		if f.When == "" || !otherGatesOpen(f, active) || t.prompt.Code(i) != cento.CodeWhenFalse {
			continue
		}
		c, err := t.project.Condition(&f)
		if err != nil {
			return err
		}
		if !c.OnlyAsks() {
			continue // another value may be given for what it reads
		}
		tools, caps := c.Names("tool"), c.Names("cap")
		if n := len(tools) + len(caps); n == 0 || n > maxFree {
			continue
		}
		if !s.contradicts(c, f, active, tools, caps) {
			continue
		}
		report(Finding{
			Position: cmp.Or(f.WhenOrigin, f.Origin), ID: f.ID,
			Message: fmt.Sprintf("the condition `%s` is false whenever the other gates of %s are open", clipped(strings.Join(strings.Fields(f.When), " ")), f.ID),
			Hint:    "change the condition, or take the gate out that it denies",
		})
	}
	return nil
}

// attempt is what decides whether a condition can be true: its text, the other gates, and
// whether one of several tools is there that the condition doesn't ask for.
type attempt struct {
	when, tools, anyTools, caps string
	open                        bool
}

// contradicts tries a condition that only asks for names, once for all targets. What fails
// is reported where it fails.
func (s *subject) contradicts(c *pack.Condition, f cento.Fragment, a cento.Active, tools, caps []string) bool {
	key := attempt{f.When, strings.Join(f.RequiresTools, "\n"), strings.Join(f.RequiresAnyTools, "\n"), strings.Join(f.RequiresCaps, "\n"), false}
	key.open = slices.ContainsFunc(f.RequiresAnyTools, func(name string) bool {
		return slices.Contains(a.Tools, name) && !slices.Contains(tools, name)
	})
	is, known := s.attempts[key]
	if !known {
		possible, err := canBeTrue(c, f, a, tools, caps)
		is = err == nil && !possible
		s.attempts[key] = is
	}
	return is
}

// otherGatesOpen reports whether all gates of a fragment but its condition hold.
func otherGatesOpen(f cento.Fragment, a cento.Active) bool {
	has := func(list []string) func(string) bool { return func(s string) bool { return slices.Contains(list, s) } }
	lacks := func(list []string) func(string) bool { return func(s string) bool { return !slices.Contains(list, s) } }
	return !slices.ContainsFunc(f.RequiresTools, lacks(a.Tools)) && !slices.ContainsFunc(f.RequiresCaps, lacks(a.Caps)) &&
		(len(f.RequiresAnyTools) == 0 || slices.ContainsFunc(f.RequiresAnyTools, has(a.Tools)))
}

// canBeTrue tries a condition with and without each of the names that it asks for, as
// long as the other gates are open.
func canBeTrue(c *pack.Condition, f cento.Fragment, a cento.Active, tools, caps []string) (bool, error) {
	for choice := range 1 << (len(tools) + len(caps)) {
		b := cento.Active{Model: a.Model}
		b.Tools = chosen(a.Tools, tools, choice)
		b.Caps = chosen(a.Caps, caps, choice>>len(tools))
		if !otherGatesOpen(f, b) {
			continue
		}
		if is, err := c.Eval(b); err != nil || is {
			return true, err
		}
	}
	return false, nil
}

// chosen are names of a list, but of some those alone whose bit is set, whether they
// were there or not.
func chosen(list, names []string, bits int) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(names, s) {
			out = append(out, s)
		}
	}
	for i, s := range names {
		if bits>>i&1 == 1 {
			out = append(out, s)
		}
	}
	return out
}
