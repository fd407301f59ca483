package app

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/confusable"
	"github.com/cento-dev/cento/internal/unitab"
	"github.com/cento-dev/cento/session"
)

// lookedAt is how many sessions the name of a new one is held against: the newest.
const lookedAt = 1000

// CodeLookalike is the note that the name of a session that begins hides something: it reads
// like the name of another, or is written in several scripts whose letters look alike.
const CodeLookalike cento.Code = "session.lookalike"

// lookalikes says of the name of a session that began what a person can't see: that it
// reads like the name of another, among the newest thousand that may be told of, and that
// a part of it is written in several scripts. Nothing is refused for that; and since the
// session has begun, neither is it where the others can't be listed.
func (s *Sessions) lookalikes(ctx context.Context, id string) []cento.Note {
	var out []cento.Note
	add := func(format string, args ...any) {
		out = append(out, cento.Note{Code: CodeLookalike, Message: fmt.Sprintf(format, args...)})
	}
	for part := range strings.SplitSeq(id, ":") { // a project is one, which is named by others
		if scripts := confusable.Scripts(part); len(scripts) > 1 {
			add("the name of the session is written in %s: %s", strings.Join(scripts, " and "), spelled(id))
			break
		}
	}
	known, err := s.List(ctx, session.ListRequest{Limit: lookedAt, Projects: s.Told})
	if err != nil {
		add("the name of the session isn't compared with others, which can't be listed")
		return out
	}
	skeleton := confusable.Skeleton(id)
	for _, other := range known {
		if other.ID != id && confusable.Skeleton(other.ID) == skeleton {
			add("the name of the session reads like that of another: %s and %s; take another one, unless people know the two apart", spelled(id), spelled(other.ID))
			break
		}
	}
	return out
}

// spelled is a name with the code points of what isn't ASCII.
func spelled(name string) string {
	return `"` + unitab.SpellOut(name, func(r rune) bool { return r >= utf8.RuneSelf }) + `"`
}
