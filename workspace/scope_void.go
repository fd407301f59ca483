package workspace

import "slices"

// VoidRule is an allow rule whose permission holds nowhere, and the deny rule that takes it.
type VoidRule struct{ Allow, Deny Rule }

// VoidRules are the allow rules whose permission one deny rule takes away wherever they hold,
// in the order of [Scope.Rules], each with the first of those that take the most. A rule of
// another file isn't held against one: what a user denies is denied in every project.
func (s *Scope) VoidRules() []VoidRule {
	var taken [Write + 1]areas // by the permission that is taken
	var patterns []Rule
	for i := range s.deny {
		r := &s.deny[i]
		if r.Pattern {
			patterns = append(patterns, *r)
			continue
		}
		for p := r.Permission; p <= Write; p++ {
			taken[p].add(r.area())
		}
	}
	var out []VoidRule
	for i := range s.allow {
		r := &s.allow[i]
		if !taken[r.Permission].covers(r.area()) && !slices.ContainsFunc(patterns, func(d Rule) bool { return d.Permission <= r.Permission && d.hasAll(r.area()) }) {
			continue
		}
		var by *Rule
		for j := range s.deny {
			d := &s.deny[j]
			if d.Position.File == r.Position.File && d.Permission <= r.Permission && (by == nil || d.Permission < by.Permission) && d.hasAll(r.area()) {
				by = d
			}
		}
		if by != nil {
			out = append(out, VoidRule{*r, *by})
		}
	}
	return out
}

// As is how the rule names its target in the file that declares it.
func (r *Rule) As() string { return r.given }
