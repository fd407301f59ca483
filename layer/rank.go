package layer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/enum"
)

// Rank is where a layer stands among the others, low to high.
type Rank uint8

// The ranks. Packs and plugins are many; they keep the order in which they are
// listed.
const (
	BuiltinRank Rank = iota
	UserRank
	PackRank
	WorkspaceRank
	HostRank
	PluginRank
	SessionRank
	TurnRank
)

var rankNames = enum.Names[Rank]{"builtin", "user", "pack", "workspace", "host", "plugin", "session", "turn"}

// String gives the name.
func (r Rank) String() string { return rankNames.Name(r) }

// MarshalText gives the name.
func (r Rank) MarshalText() ([]byte, error) { return rankNames.Marshal(r) }

// UnmarshalText accepts a name. Those of packs and plugins may be followed by a
// colon and a name of theirs, as in `pack:acme`.
func (r *Rank) UnmarshalText(text []byte) error {
	kind, name, named := strings.Cut(string(text), ":")
	rank, ok := rankNames.Find(kind)
	if !ok || named && (name == "" || rank != PackRank && rank != PluginRank) {
		return &enum.UnknownError{Got: string(text), Known: rankNames}
	}
	*r = rank
	return nil
}

// mayProtect reports whether layers of the rank may bring protected text: those
// of the program's owner may, those of strangers and of a moment may not.
func (r Rank) mayProtect() bool {
	switch r {
	case BuiltinRank, UserRank, WorkspaceRank, HostRank:
		return true
	}
	return false
}

// Ranked is a layer in a stack.
type Ranked struct {
	// Name is what traces and messages call it, such as `team` or `pack:acme`.
	Name  string
	Rank  Rank
	Layer Layer
}

// Sort returns the layers low to high by rank. Those of one rank keep their
// order.
func Sort(stack []Ranked) []Ranked {
	stack = slices.Clone(stack)
	slices.SortStableFunc(stack, func(a, b Ranked) int { return cmp.Compare(a.Rank, b.Rank) })
	return stack
}

// foldSpace trims a text and makes each run of white space one space.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
