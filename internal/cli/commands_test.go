package cli

import "testing"

// Of a command that is asked for by its name nothing else is made. Those that
// tell about the others have all.
func TestNeeded(t *testing.T) {
	all := described().commands()
	seen := map[string]bool{}
	for _, x := range all {
		if x.group == "" || x.short == "" || x.run == nil || seen[x.name()] {
			t.Errorf("cento %s has no group, says nothing, does nothing, or is there twice", x.name())
		}
		seen[x.name()] = true
		want := 1
		if x.name() == "completion" || x.name() == "man" {
			want = len(all)
		}
		if got := len(needed(all, []string{x.name(), "--help"})); got != want {
			t.Errorf("cento %s makes %d commands, want %d", x.name(), got, want)
		}
	}
	for _, args := range [][]string{nil, {"help"}, {"--json", "build"}, {"biuld"}, {"__complete", "build", ""}} {
		if got := len(needed(all, args)); got != len(all) {
			t.Errorf("cento %q makes %d commands of %d", args, got, len(all))
		}
	}
}
