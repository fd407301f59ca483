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

// folder is where relative paths are counted from: the folder of the run, and for files
// that came with a request the one that it says they lie in. Empty where it says none.
func (s *Sessions) folder() string {
	if s.request.Copy != "" {
		return s.request.Folder
	}
	return s.site.Root.Cwd
}

// CheckScope tells what a session may do at paths, by the rules that are kept with it.
// Relative ones are counted from the folder of the run, or the one of the request; where
// neither is known the error is [session.WrongSettings], and [NoPaths] where none is named.
func (s *Sessions) CheckScope(ctx context.Context, id string, paths []string) (*ScopeAnswer, error) {
	if err := namedPaths(paths); err != nil {
		return nil, err
	}
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
		if from := s.folder(); from != "" && !filepath.IsAbs(full) {
			full = filepath.Join(from, full)
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
