package archive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// Form says where archives of a folder have the code of an error: as a format of the
// message with its place, and the code.
type Form string

// The forms in use.
const (
	CodeBefore Form = "%[2]s: %[1]s\n"
	CodeBehind Form = "%[1]s [%[2]s]\n"
	CodeBelow  Form = "%[1]s\n  code: %[2]s\n"
)

// Error gives an error as a reader sees it: each fault with its place, message and
// code, then the other places that have to do with it, and a hint. An error without
// a place fails the test; none at all is an empty text.
func Error(t testing.TB, form Form, err error) string {
	t.Helper()
	list := cento.SourceErrors(err)
	if err != nil && len(list) == 0 {
		t.Fatalf("an error without a place: %v", err)
	}
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, string(form), e.Error(), e.Code)
		if e.Path != "" {
			fmt.Fprintf(&b, "  path: %s\n", e.Path)
		}
		for _, r := range e.Related {
			fmt.Fprintf(&b, "  %s: %s\n", r.Position, r.Message)
			if r.Path != "" {
				fmt.Fprintf(&b, "    path: %s\n", r.Path)
			}
		}
		if e.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
		}
	}
	return b.String()
}
