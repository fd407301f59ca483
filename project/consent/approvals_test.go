package consent

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Approvals print and read back as the same, and a part is approved exactly when
// it is among those that were agreed to last.
func TestApprovalsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roots, says := []string{"/a", "/b \u00e9", `C:\c`}, []string{"1", "2", "3"}
		a := &Approvals{}
		agreed := map[string][]Part{}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			root := rapid.SampledFrom(roots).Draw(t, "root")
			if rapid.Bool().Draw(t, "remove") {
				a = a.Without(root)
				delete(agreed, root)
				continue
			}
			var parts []Part
			for range rapid.IntRange(1, 3).Draw(t, "parts") {
				parts = append(parts, NewPart(rapid.SampledFrom([]string{"tools.mcp", "store"}).Draw(t, "part"), []byte(rapid.SampledFrom(says).Draw(t, "says"))))
			}
			a, agreed[root] = a.With(root, parts), parts
		}
		again, err := ParseApprovals("approvals.json", a.String())
		if err != nil || !slices.Equal(again.List, a.List) {
			t.Fatalf("%s\nis read as %v (%v)", a, again, err)
		}
		for _, root := range roots {
			for _, name := range []string{"tools.mcp", "store"} {
				for _, s := range says {
					part := NewPart(name, []byte(s))
					want := slices.ContainsFunc(agreed[root], part.Same)
					if got := again.State(root, part) == Approved; got != want {
						t.Fatalf("%s %s %s: approved %t, want %t", root, name, s, got, want)
					}
				}
			}
		}
	})
}
