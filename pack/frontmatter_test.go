package pack

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestFrontKeys: what is offered as keys of front matter, and looked for in texts that
// were meant as such, are those that its reader takes.
func TestFrontKeys(t *testing.T) {
	ref, err := ParseRef("$workspace/a", Ref{}, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	src := &Source{Ref: ref, Text: "---\ntitle: x\n\"0\": 1\n---\nText.\n"}
	_, _, _, err = frontMatter(src, cento.DefaultLimits())
	list := cento.SourceErrors(err)
	if want := "known here: " + strings.Join(frontKeys(), ", "); len(list) != 1 || list[0].Hint != want {
		t.Errorf("%v, want the hint %q", list, want)
	}
}
