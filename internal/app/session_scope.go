package app

import (
	"context"
	"path/filepath"

	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/workspace"
)

// keptScope are the rules that go with the prompt of a session: those that it tells. A
// prompt that is made anew in each turn has those of its turn, so none are kept.
func (p *Project) keptScope(perTurn bool) []workspace.Rule {
	if p.Scope == nil || perTurn {
		return nil
	}
	return p.Scope.Rules()
}

// scopeOver is keptScope for a session whose prompt is made anew: an empty list takes
// away what it had.
func (p *Project) scopeOver(s *session.Shown) []workspace.Rule {
	rules := p.keptScope(s.Materialise == EveryTurn.String())
	if rules == nil && s.Scope != nil {
		return []workspace.Rule{}
	}
	return rules
}

// CheckScope tells what a session may do at paths, relative to the folder of the run, by
// the rules that are kept with it.
func (s *Sessions) CheckScope(ctx context.Context, id string, paths []string) (*ScopeAnswer, error) {
	a := &ScopeAnswer{Paths: make([]ScopePath, 0, len(paths))}
	shown, err := s.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(shown.Scope) > 0 {
		kept, err := workspace.ScopeOf(shown.Scope)
		if err != nil {
			return nil, err
		}
		a.Summary = kept.Summary()
	}
	for _, name := range paths {
		full := name
		if !filepath.IsAbs(full) {
			full = filepath.Join(s.site.Root.Cwd, full)
		}
		x := ScopePath{Path: name, Rules: []workspace.Rule{}}
		permission, rules, ok, err := s.Permission(ctx, id, full)
		if err != nil {
			return nil, err
		}
		a.Configured = ok
		x.Permission, x.Rules = permission, append(x.Rules, rules...)
		a.Paths = append(a.Paths, x)
	}
	return a, nil
}
