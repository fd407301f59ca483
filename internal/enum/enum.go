// Package enum gives the constants of small enumerations their names, in both
// directions and with one wording of errors. It guesses at nothing: a name has one
// spelling, and numbers and other cases of letters are none.
//
// The usual path is a list beside the constants, and three methods of the type
// that call it: String, MarshalText and UnmarshalText. It guesses at nothing: a name
// has one spelling, and numbers and other cases of letters are none.
package enum

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/nearest"
)

// Names is the closed list of the names of an enumeration, in the order of its
// constants, which count from 0. A constant whose name is "" has none in texts.
type Names[T ~uint8] []string

// Has reports whether a constant is one of the list.
func (n Names[T]) Has(v T) bool { return int(v) < len(n) }

// Name gives the name of a constant, and the number of what is none.
func (n Names[T]) Name(v T) string {
	if n.Has(v) {
		return n[v]
	}
	return strconv.Itoa(int(v))
}

// Marshal gives the name of a constant as text. What has no name is an error.
func (n Names[T]) Marshal(v T) ([]byte, error) {
	if !n.Has(v) || n[v] == "" {
		return nil, fmt.Errorf("%d is none of %q", v, n.Known())
	}
	return []byte(n[v]), nil
}

// Find gives the constant of a name.
func (n Names[T]) Find(name string) (T, bool) {
	i := slices.Index(n, name)
	return T(max(i, 0)), i >= 0 && name != ""
}

// Unmarshal sets a constant by its name. The error is an [*UnknownError], and to
// then keeps its value.
func (n Names[T]) Unmarshal(text []byte, to *T) error {
	v, ok := n.Find(string(text))
	if !ok {
		return &UnknownError{Got: string(text), Known: n.Known()}
	}
	*to = v
	return nil
}

// Known lists the names that texts may have.
func (n Names[T]) Known() []string {
	return slices.DeleteFunc(slices.Clone(n), func(s string) bool { return s == "" })
}

// UnknownError is a name that isn't in the list.
type UnknownError struct {
	Got   string
	Known []string
}

// Error gives all names and what was found in their place.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("expected %s, got %.40q", Or(e.Known), e.Got)
}

// Hint proposes the nearest name; it is empty when none is near.
func (e *UnknownError) Hint() string { return nearest.Hint(e.Got, e.Known, "") }

// Or lists names as in `"a", "b" or "c"`.
func Or(names []string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(name))
	}
	return b.String()
}
