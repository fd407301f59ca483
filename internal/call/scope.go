package call

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/workspace"
)

// ScopeAnswer is the answer; its maps have the paths as they were given.
type ScopeAnswer struct {
	Summary     string                          `json:"summary"`
	Permissions map[string]workspace.Permission `json:"permissions"`
	// Rules are those that decide, see [workspace.Scope.Permission].
	Rules map[string][]workspace.Rule `json:"rules"`
	Notes []cento.Note                `json:"notes,omitempty"`
}

// answerScope tells what a scope permits. Nobody can open a request later, so its
// rules and notes come without places.
func answerScope(ctx context.Context, r *manifest.ScopeRequest, o Options) (*ScopeAnswer, error) {
	r.Scope.Elsewhere, r.Scope.Home = o.Sealed, o.Home
	a, err := CheckScope(ctx, *r)
	if err != nil {
		return nil, err
	}
	for _, rules := range a.Rules {
		for i := range rules {
			rules[i].Position = cento.Position{}
		}
	}
	for i := range a.Notes {
		a.Notes[i].Position = cento.Position{}
	}
	return &a, nil
}

// leastRule is how many bytes a rule of an answer has at least. Each path has all rules
// that decide it, so what the answer holds is known before it is written.
const leastRule = 64

// CheckScope answers a request. It looks at the disk only to resolve links, unless the
// paths are those of another machine.
// Errors: those of [workspace.ResolveScope], and [workspace.InvalidTarget] for a relative path
// without a base.
func CheckScope(ctx context.Context, q manifest.ScopeRequest) (ScopeAnswer, error) {
	if q.Scope.ShowDenied == nil {
		q.Scope.ShowDenied = new(bool)
	}
	s, err := workspace.ResolveScope(q.Scope, q.Base)
	if err != nil {
		return ScopeAnswer{}, err
	}
	a := ScopeAnswer{
		Summary:     s.Summary(),
		Permissions: make(map[string]workspace.Permission, len(q.Paths)),
		Rules:       make(map[string][]workspace.Rule, len(q.Paths)),
		Notes:       s.Notes(),
	}
	told := 0
	for i, p := range q.Paths {
		if err := ctx.Err(); err != nil {
			return ScopeAnswer{}, err
		}
		if !isRooted(p) && !isRooted(q.Base) {
			e := &cento.SourceError{
				Code:    workspace.InvalidTarget,
				Message: fmt.Sprintf("path %q is relative and base %q is not absolute", p, q.Base),
			}
			if i < len(q.PathPositions) {
				e.Position = q.PathPositions[i]
			}
			return ScopeAnswer{}, e
		}
		a.Permissions[p], a.Rules[p] = s.Permission(p)
		if told += len(a.Rules[p]); told > MostAnswer/leastRule {
			return ScopeAnswer{}, TooLong(MostAnswer, Less("scope"))
		}
	}
	return a, nil
}

// isRooted reports whether a path needs no base, on any system.
func isRooted(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(filepath.ToSlash(path), "/")
}
