package workspace

import (
	"fmt"

	"github.com/cento-dev/cento"
)

// ScopeRequest asks what a scope permits at some paths.
type ScopeRequest struct {
	Scope ScopeConfig `json:"scope"`
	// Base is the absolute folder of relative targets and paths.
	Base  string   `json:"base"`
	Paths []string `json:"paths"`
	// PathPositions say where the paths are written, for errors; empty when that
	// isn't known.
	PathPositions []cento.Position `json:"-"`
}

// ScopeResponse is the answer; its maps have the paths as they were given.
type ScopeResponse struct {
	Summary     string                `json:"summary"`
	Permissions map[string]Permission `json:"permissions"`
	// Rules are those that decide, see [Scope.Permission].
	Rules map[string][]Rule `json:"rules"`
	Notes []cento.Note      `json:"notes,omitempty"`
}

// CheckScope answers a request. It looks at the disk only to resolve links.
// Errors: those of [ResolveScope], and [InvalidTarget] for a relative path
// without a base.
func CheckScope(q ScopeRequest) (ScopeResponse, error) {
	s, err := ResolveScope(q.Scope, q.Base)
	if err != nil {
		return ScopeResponse{}, err
	}
	a := ScopeResponse{
		Summary:     s.Summary(),
		Permissions: make(map[string]Permission, len(q.Paths)),
		Rules:       make(map[string][]Rule, len(q.Paths)),
		Notes:       s.Notes(),
	}
	for i, p := range q.Paths {
		if !rooted(p) && !rooted(q.Base) {
			e := &cento.SourceError{
				Code:    InvalidTarget,
				Message: fmt.Sprintf("path %q is relative and base %q is not absolute", p, q.Base),
			}
			if i < len(q.PathPositions) {
				e.Position = q.PathPositions[i]
			}
			return ScopeResponse{}, e
		}
		a.Permissions[p], a.Rules[p] = s.Permission(p)
	}
	return a, nil
}
