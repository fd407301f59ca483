package app

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/confusable"
	"github.com/cento-dev/cento/internal/unitab"
	"github.com/cento-dev/cento/session"
)

// lookedAt is how many sessions the name of a new one is held against: the newest.
const lookedAt = 1000

// Lookalikes says of the name of a session that begins what a person can't see: that
// it reads like the name of another, among the newest thousand, and that it is
// written in several scripts whose letters look alike. Nothing is refused for that.
func (s *Sessions) Lookalikes(ctx context.Context, id string) ([]string, error) {
	var out []string
	if scripts := confusable.Scripts(id); len(scripts) > 1 {
		out = append(out, "its name is written in "+strings.Join(scripts, " and ")+": "+spelled(id))
	}
	known, err := s.List(ctx, session.ListRequest{Limit: lookedAt})
	if err != nil {
		return out, err
	}
	skeleton := confusable.Skeleton(id)
	for _, other := range known {
		if other.ID != id && confusable.Skeleton(other.ID) == skeleton {
			out = append(out, fmt.Sprintf("its name reads like that of another session: %s and %s", spelled(id), spelled(other.ID)))
			break
		}
	}
	return out, nil
}

// spelled is a name with the code points of what isn't ASCII.
func spelled(name string) string {
	return `"` + unitab.SpellOut(name, func(r rune) bool { return r >= utf8.RuneSelf }) + `"`
}
