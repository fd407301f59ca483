package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// What a definition of a tool says beyond its name, description, parameters and
// guidance is for the provider in whose dialect it is written. It isn't kept, and
// that is told, in one line for each list.

// unkeptKeys are the keys of the tools of a list that aren't kept.
type unkeptKeys struct {
	names []string
	seen  map[string]bool
	first cento.Position
}

// kept are the keys of definitions that are. Of a tool that a provider brings itself
// all are, but for credentials.
var kept = []string{"name", "description", "parameters", "guidance", "type", "function", "input_schema", "inputSchema"}

// look gives those of one tool but for credentials, in whose place null stands.
func (u *unkeptKeys) look(tool *strict.Node, providers bool) (of []string) {
	if providers {
		for key, value := range tool.Members() {
			if name, _ := key.Text(); slices.Contains(credentials, name) && value.Kind() != strict.Null {
				u.add(name, key.Position())
			}
		}
		return nil
	}
	of = u.keys(tool, of)
	if _, nested := tool.Member("function"); nested != nil && nested.Kind() == strict.Map {
		of = u.keys(nested, of)
	}
	return of
}

// keys adds those of a definition to the ones of its tool.
func (u *unkeptKeys) keys(n *strict.Node, of []string) []string {
	for key, value := range n.Members() {
		name, _ := key.Text()
		if value.Kind() != strict.Null && (!slices.Contains(kept, name) || name == "type" && !isPlain(n, value)) {
			u.add(name, key.Position())
			if !slices.Contains(of, name) {
				of = append(of, name)
			}
		}
	}
	return of
}

func (u *unkeptKeys) add(name string, at cento.Position) {
	if u.seen[name] {
		return
	}
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	u.seen[name] = true
	if u.names = append(u.names, name); len(u.names) == 1 {
		u.first = at
	}
}

// isPlain reports whether the type of a tool says no more than that it is one. Of OpenAI's
// tools, those of the type custom take a text in place of arguments, so they have no schema.
func isPlain(tool, typ *strict.Node) bool {
	word, _ := typ.Text()
	if word != "custom" {
		return word == "function"
	}
	for _, key := range []string{"parameters", "input_schema", "inputSchema"} {
		if _, schema := tool.Member(key); schema != nil {
			return true
		}
	}
	return false
}

// maxUnkept is how many keys are named.
const maxUnkept = 20

func (u *unkeptKeys) notes() []cento.Note {
	if len(u.names) == 0 {
		return nil
	}
	named := make([]string, 0, maxUnkept)
	for _, name := range u.names[:min(len(u.names), maxUnkept)] {
		named = append(named, quotedName(name))
	}
	said := strings.Join(named, ", ")
	if more := len(u.names) - len(named); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return []cento.Note{{
		Code: CodeToolUnkept, Position: u.first,
		Message: "keys of tool definitions that only a provider reads are not kept: " + said,
	}}
}
