// Package sessionname says what a session may be called when it begins. Ids stand
// in prompts, pages, logs, addresses and the names of files that others make of
// them, so none may be a path, a tag or a pattern there. What a store holds
// already keeps its name: this package is asked for new sessions alone.
package sessionname

import (
	"fmt"
	"strings"
	"unicode"
)

// Allowed says in words what an id consists of.
const Allowed = "letters, digits and . _ : @ + = ~ -, a letter, a digit or _ first"

// Problem says what is wrong with the id of a session that begins; empty for
// nothing. Whether it is too long is not asked here.
func Problem(id string) string {
	for i, r := range id {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || i > 0 && (unicode.IsMark(r) || strings.ContainsRune(".:@+=~-", r)):
		case i == 0 && strings.ContainsRune(".:@+=~-", r):
			return fmt.Sprintf("the id of a session can't begin with %q", r)
		default:
			return fmt.Sprintf("the id of a session can't contain %q", r)
		}
	}
	return ""
}
