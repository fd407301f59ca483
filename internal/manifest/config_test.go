package manifest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/workspace"
)

// A project is never looser than its user: neither its limits, nor its policy, nor what
// it permits where the user denies. What the user says takes nothing else away.
func TestUnder(t *testing.T) {
	targets := rapid.SampledFrom([]string{"/a", "/a/b", "/a/b/c", "/d"})
	rules := func(t *rapid.T, label string, least int) []workspace.ScopeRule {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workspace.ScopeRule {
			return workspace.ScopeRule{Target: targets.Draw(t, "target"), Permission: rapid.SampledFrom([]workspace.Permission{workspace.Read, workspace.Write}).Draw(t, "permission")}
		}), least, 3).Draw(t, label)
	}
	policy := func(t *rapid.T) cento.HiddenPolicy {
		return rapid.SampledFrom([]cento.HiddenPolicy{cento.ShowHidden, cento.StripHidden, cento.RejectHidden}).Draw(t, "policy")
	}
	limits := func(t *rapid.T) cento.Limits {
		l, n := cento.DefaultLimits(), rapid.IntRange(1, 50)
		l.File, l.Prompt, l.Fragments, l.Nesting = n.Draw(t, "file"), n.Draw(t, "prompt"), n.Draw(t, "fragments"), n.Draw(t, "nesting")
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		own := workspace.ScopeConfig{Allow: rules(t, "allow", 1), Deny: rules(t, "deny", 0)}
		m := Manifest{Scope: &own, Limits: limits(t), Policy: cento.Policy{Workspace: policy(t), Tool: policy(t), Session: policy(t)}}
		c := Config{
			Scope:  workspace.ScopeConfig{Allow: rules(t, "user's allow", 0), Deny: rules(t, "user's deny", 0)},
			Limits: limits(t), Policy: cento.Policy{Workspace: policy(t), Tool: policy(t), Session: policy(t)},
		}
		got := m.Under(&c, "")

		for _, x := range [][3]int{
			{got.Limits.File, m.Limits.File, c.Limits.File}, {got.Limits.Prompt, m.Limits.Prompt, c.Limits.Prompt},
			{got.Limits.Fragments, m.Limits.Fragments, c.Limits.Fragments}, {got.Limits.Nesting, m.Limits.Nesting, c.Limits.Nesting},
			{-int(got.Policy.Workspace), -int(m.Policy.Workspace), -int(c.Policy.Workspace)},
			{-int(got.Policy.Tool), -int(m.Policy.Tool), -int(c.Policy.Tool)}, {-int(got.Policy.Session), -int(m.Policy.Session), -int(c.Policy.Session)},
		} {
			if x[0] != min(x[1], x[2]) {
				t.Fatalf("%d of %d and %d", x[0], x[1], x[2])
			}
		}

		resolve := func(cfg workspace.ScopeConfig) *workspace.Scope {
			cfg.Elsewhere = true
			s, err := workspace.ResolveScope(cfg, "/")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		effective := *got.Scope
		effective.Deny = slices.Concat(effective.Deny, got.Denied)
		permission := func(s *workspace.Scope, path string) workspace.Permission {
			p, _ := s.Permission(path)
			return p
		}
		everything := []workspace.ScopeRule{{Target: "/", Permission: workspace.Write}}
		both, alone, users := resolve(effective), resolve(own), resolve(workspace.ScopeConfig{Allow: everything, Deny: c.Scope.Deny})
		for _, path := range []string{"/a", "/a/x", "/a/b/x", "/a/b/c/x", "/d/x", "/e"} {
			want := min(permission(alone, path), permission(users, path))
			if p := permission(both, path); p != want {
				t.Fatalf("%s: %s, not %s: the project %+v, the user %+v", path, p, want, own, c.Scope)
			}
		}
	})
}
