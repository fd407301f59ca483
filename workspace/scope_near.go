package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/tree"
)

// NearTarget is a rule for a place where nothing is, beside something whose name is near
// to it: the rule may be there for that.
type NearTarget struct {
	Rule Rule
	// Target is how the rule names its place, or the folder before the wildcards of its
	// pattern. Near is the place next to it, in the same form.
	Target, Near string
}

// NearTargets are the rules that probably have a mistyped target, in the order of
// [Scope.Rules]. One folder is listed for each rule whose target isn't there. What another
// rule names isn't near, and nothing is where the paths are those of another machine.
func (s *Scope) NearTargets() []NearTarget {
	if s.elsewhere {
		return nil
	}
	rules := s.Rules()
	named := make(map[string]bool, len(rules))
	for _, r := range rules {
		named[r.area().target] = true
	}
	var out []NearTarget
	for _, r := range rules {
		if near, ok := s.nearTarget(r, named); ok {
			out = append(out, NearTarget{Rule: r, Target: r.static, Near: near})
		}
	}
	return out
}

// nearTarget looks for the first name of a rule's target that nothing has, and puts the
// one near to it in its place, if all behind it are there then.
func (s *Scope) nearTarget(r Rule, named map[string]bool) (string, bool) {
	target := r.area().target
	folder, missed := target, 0
	for !s.there(folder) {
		above := parent(folder)
		if above == folder {
			return "", false // a disk that isn't there
		}
		folder, missed = above, missed+1
	}
	given := strings.Split(strings.TrimRight(filepath.ToSlash(r.static), "/"), "/")
	at := len(given) - missed
	if missed == 0 || at < 0 {
		return "", false // there, or the folder that it starts from isn't
	}
	rest := strings.Split(strings.Trim(strings.TrimPrefix(target, folder), "/"), "/")
	if !slices.Equal(given[at:], rest) || ownNames[rest[0]] {
		return "", false // a link that leads to nothing, or a name that is no other's
	}
	near, ok := tree.NearEntry(s.disk, filepath.FromSlash(folder), rest[0])
	place := path.Join(append([]string{folder, near}, rest[1:]...)...)
	if !ok || named[place] || missed > 1 && !s.there(place) {
		return "", false
	}
	given[at] = EscapeTarget(near)
	return strings.Join(given, "/"), true
}

// ownNames are names for which nobody writes a near one: many projects have one of them
// and name the others in their rules.
var ownNames = map[string]bool{".env": true, "env": true, ".venv": true, "venv": true}

// there reports whether a place may be something; one that can't be looked at may.
func (s *Scope) there(place string) bool {
	_, err := s.disk.Lstat(filepath.FromSlash(place))
	return !missing(err)
}
