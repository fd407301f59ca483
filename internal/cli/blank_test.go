package cli_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/cli"
)

// A flag that is given says something: a variable of a shell that isn't set is never
// taken for a flag that wasn't given, of no command.
func TestBlankFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	tried := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		try := func(f *pflag.Flag) {
			forms := [][]string{{"--" + f.Name + "="}, {"--" + f.Name + "= \t"}}
			if f.Shorthand != "" && f.NoOptDefVal == "" {
				forms = append(forms, []string{"-" + f.Shorthand, ""})
			}
			for _, form := range forms {
				tried++
				// Whoever takes the flag shows the help, and doesn't begin to serve.
				args := slices.Concat(strings.Fields(cmd.CommandPath())[1:], form, []string{"--help"})
				var out, errs bytes.Buffer
				code := cli.Main(args, strings.NewReader(""), &out, &errs)
				want := "cento: --" + f.Name + " is blank\n  hint: leave --" + f.Name + " out, or say what it is\n"
				if code != 2 || out.Len() > 0 || errs.String() != want {
					t.Errorf("cento %q: exit code %d, want 2\n%s%swant:\n%s", args, code, out.String(), errs.String(), want)
				}
			}
		}
		cmd.LocalFlags().VisitAll(try)
		cmd.InheritedFlags().VisitAll(try)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Commands())
	if tried < 500 {
		t.Errorf("%d blank flags were tried", tried)
	}
	// The one before a good one, too, and one that is an argument of its own.
	for _, args := range [][]string{{"build", "--budget", ""}, {"build", "--target", "", "--target", "ci"}, {"build", "--var", "", "--var", "a=b"}, {"build", "-o", ""}} {
		var out, errs bytes.Buffer
		if code := cli.Main(args, strings.NewReader(""), &out, &errs); code != 2 || !strings.Contains(errs.String(), " is blank\n") {
			t.Errorf("cento %q: exit code %d\n%s", args, code, errs.String())
		}
	}
}

// A flag that says one thing is never given a second one silently, of no command.
func TestFlagsGivenTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	repeatable := []string{"stringArray", "names"}
	tried := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		try := func(f *pflag.Flag) {
			first, second := "a", "b"
			switch f.Value.Type() {
			case "bool":
				if f.Name == "help" {
					return
				}
				first, second = "true", "false"
			case "int", "int64", "percent", "version", "size":
				first, second = "1", "2"
			}
			tried++
			args := slices.Concat(strings.Fields(cmd.CommandPath())[1:], []string{"--" + f.Name + "=" + first, "--" + f.Name + "=" + second, "--help"})
			var out, errs bytes.Buffer
			code := cli.Main(args, strings.NewReader(""), &out, &errs)
			want := fmt.Sprintf("cento: --%s is given twice, as %q and %q\n  hint: leave one of the two out\n", f.Name, first, second)
			if refused := code == 2 && errs.String() == want; refused == slices.Contains(repeatable, f.Value.Type()) {
				t.Errorf("cento %q: exit code %d\n%swant:\n%s", args, code, errs.String(), want)
			}
		}
		cmd.LocalFlags().VisitAll(try)
		cmd.InheritedFlags().VisitAll(try)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Commands())
	if tried < 300 {
		t.Errorf("%d flags were tried", tried)
	}
	// The same again takes nothing's place.
	var out, errs bytes.Buffer
	if code := cli.Main([]string{"build", "--target=a", "--json", "--json", "--target=a", "--help"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Errorf("exit code %d\n%s", code, errs.String())
	}
}

// An argument that is given says something, as a flag does, of every command.
func TestBlankArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	name := regexp.MustCompile(`[A-Z]+`)
	named := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		use, _, _ := strings.Cut(cmd.Use, " --")
		names := name.FindAllString(use, -1)
		if strings.Contains(use, "...") {
			names = append(names, names[len(names)-1])
		}
		for i := range len(names) + 1 {
			for _, blank := range []string{"", " \t"} {
				args := slices.Concat(path, slices.Repeat([]string{"x"}, i), []string{blank})
				var out, errs bytes.Buffer
				code := cli.Main(args, strings.NewReader(""), &out, &errs)
				said := errs.String()
				if i < len(names) && !strings.HasPrefix(said, "cento: "+names[i]+" is blank\n  hint: ") || code != 2 || out.Len() > 0 || !strings.Contains(said, "\n  hint: ") {
					t.Errorf("cento %q: exit code %d, want 2 and %q\n%s%s", args, code, names, out.String(), said)
				}
			}
			named += min(1, len(names)-i)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Commands())
	if named < 40 {
		t.Errorf("%d blank arguments were tried", named)
	}
}
