package archive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// Error gives an error as a reader sees it: each fault with its place and message, and
// below it its code, the other places that have to do with it, and a hint. An error
// without a place fails the test; none at all is an empty text.
func Error(t testing.TB, err error) string {
	t.Helper()
	list := cento.SourceErrors(err)
	if err != nil && len(list) == 0 {
		t.Fatalf("an error without a place: %v", err)
	}
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%s\n  code: %s\n", e, e.Code)
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
