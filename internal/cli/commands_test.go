package cli

import "testing"

// A command is made by its name alone when that is all that is asked for, so the
// name in the table has to be its own. Those that tell about the others have all.
func TestCommandsAreMadeByName(t *testing.T) {
	c := new(console)
	all := c.commands()
	for _, e := range all {
		if got := e.make().Name(); got != e.name {
			t.Errorf("the command %q is in the table as %q", got, e.name)
		}
		want := 1
		if e.name == "completion" || e.name == "man" {
			want = len(all)
		}
		if got := len(needed(all, []string{e.name, "--help"})); got != want {
			t.Errorf("cento %s makes %d commands, want %d", e.name, got, want)
		}
	}
	for _, args := range [][]string{nil, {"help"}, {"--json", "build"}, {"biuld"}, {"__complete", "build", ""}} {
		if got := len(needed(all, args)); got != len(all) {
			t.Errorf("cento %q makes %d commands of %d", args, got, len(all))
		}
	}
}
