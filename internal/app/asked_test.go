package app

import (
	"os/exec"
	"testing"

	"pgregory.net/rapid"
)

// TestQuoted asks a shell: the proposed word is one argument, the name itself.
func TestQuoted(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: there is no sh to ask")
	}
	hold := func(t interface{ Fatalf(string, ...any) }, name string) {
		out, err := exec.Command(sh, "-c", `printf '%s.' `+Quoted(name)).Output()
		if err != nil || string(out) != name+"." {
			t.Fatalf("%q is proposed as %s, which a shell reads as %q: %v", name, Quoted(name), out, err)
		}
	}
	for _, name := range []string{"todo", "", "it's", "x; rm -rf ~", "$(id)", "`id`", "a b", "*", "#x", "~", "a\nb", `\`, "é", "=x", "-", "!x", "a&b"} {
		hold(t, name)
	}
	if got := Quoted("mcp/read_file:v1.2"); got != "mcp/read_file:v1.2" {
		t.Errorf("a plain name is proposed as %s", got)
	}
	if got := Quoted("--help"); got != "'--help'" {
		t.Errorf("a name that reads like a flag is proposed as %s", got)
	}
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("ab'\"$`\\ ;|&<>(){}*?!#~=%\n\té"))).Draw(t, "name")
		if n++; n <= 50 { // each is a process
			hold(t, name)
		}
	})
}
