package session

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/workspace"
)

// Permission says what a session may do at an absolute path, and the rules that decide
// so. It goes by the rules that are kept with the session, as the prompt that it has
// told them: what its sources say now doesn't count. A session without rules may do
// anything as far as this package knows: ok is false then. Links in the path are
// resolved. The errors are [WrongSettings] for a path that isn't absolute, and those of
// the store.
func (s *Service) Permission(ctx context.Context, id, path string) (p workspace.Permission, deciding []workspace.Rule, ok bool, err error) {
	l, err := s.load(ctx, id)
	if err != nil || len(l.state.Scope) == 0 {
		return workspace.None, nil, false, err
	}
	if !filepath.IsAbs(path) {
		return workspace.None, nil, false, &cento.SourceError{
			Code: WrongSettings, Message: fmt.Sprintf("%q isn't absolute, and a session knows of no folder", path),
			Hint: "join it to the folder that the agent works in",
		}
	}
	scope, err := workspace.ScopeOf(l.state.Scope)
	if err != nil {
		return workspace.None, nil, false, unreadable(err)
	}
	p, deciding = scope.Permission(path)
	return p, deciding, true, nil
}
