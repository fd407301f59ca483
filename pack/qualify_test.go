package pack_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
)

// TestQualify: for a name without a prefix, what to write is the reference that it
// means, or else the nearest one: by its whole path first, then by its last part.
func TestQualify(t *testing.T) {
	dir := treetest.Project(t, map[string]string{"common/tone.md": "Calm.", "review.md": "Review."})
	l := pack.NewLoader(pack.Roots{Workspace: pack.Dir(dir)}, cento.Limits{})
	for name, c := range map[string]struct {
		onDisk bool
		want   string
	}{
		"review":                   {false, "write $workspace/review"},
		"./review.md":              {false, "write $workspace/review"},
		".cento/prompts/review.md": {true, "write $workspace/review: the path from .cento/prompts/"},
		"common/tune":              {false, "write $workspace/common/tone"},
		"elsewhere/reveiw":         {false, "write $workspace/review"},
		"docs/other.md":            {true, "the prompt files of a project stand in .cento/prompts/: move the file to .cento/prompts/other.md, and write $workspace/other"},
		"zzzzzzzz":                 {false, "there is no such prompt file; those of a project stand in .cento/prompts/ beside the manifest, and are written $workspace/ with the path from there"},
		"Review all changes.":      {false, "this reads as a text and not as a name: the agent's main text stands in system, that of a fragment in body"},
	} {
		if got := l.Qualify(name, func(string) bool { return c.onDisk }); got != c.want {
			t.Errorf("%q: %s\nwant %s", name, got, c.want)
		}
	}
}
