package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/nearest"
)

// The checks below word what cobra's own leave to guess: what a command wants,
// and what was probably meant.

// subcommand refuses the arguments of a command that only has commands below
// it.
func (c *console) subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	hint := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	if cmd.HasParent() {
		hint = "its commands are " + nearest.List(known)
	}
	if near := app.NearestName(args[0], known); near != "" {
		hint = fmt.Sprintf("did you mean `%s`?", c.meant(cmd.CommandPath()+" "+near, args[0], near))
	} else if len(known) == 0 {
		return noArguments(cmd, args)
	}
	return wrongUse(hint, "%s has no command %q", cmd.CommandPath(), args[0])
}

// meant is the command line with another word for a mistyped one; command where nobody
// wrote a command line.
func (c *console) meant(command, word, near string) string {
	i := slices.Index(c.args, word)
	if i < 0 {
		return command
	}
	words := []string{"cento"}
	for k, arg := range c.args {
		if k == i {
			arg = near
		}
		if !strings.HasPrefix(arg, "--") || strings.ContainsAny(arg, " '\"`$\\\n") {
			arg = app.Quoted(arg)
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// arguments checks those of a command before anything is done. One that is given says
// something, as a flag does: a variable of a shell that isn't set is never taken for the
// present folder, nor for all that there is.
func (x *command) arguments(cmd *cobra.Command, args []string) error {
	for i, arg := range args {
		name, needed := x.argument(i)
		if name == "" || strings.TrimSpace(arg) != "" {
			continue
		}
		hint := "say what it is; see `" + cmd.CommandPath() + " --help`"
		if !needed {
			hint = "leave " + name + " out, or say what it is"
		}
		return wrongUse(hint, "%s is blank", name)
	}
	if x.args == nil {
		return nil
	}
	return x.args(cmd, args)
}

// argument is what the command calls the argument at an index, and whether it is needed;
// empty for one that it has no name for.
func (x *command) argument(i int) (name string, needed bool) {
	words := strings.Fields(x.use)[1:]
	if n := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }); n >= 0 {
		words = words[:n]
	}
	if len(words) == 0 {
		return "", false
	}
	last := len(words) - 1
	word, several := strings.CutSuffix(strings.Trim(words[min(i, last)], "[]"), "...")
	if i > last && !several {
		return "", false
	}
	name, _, _ = strings.Cut(word, "|")
	return name, i <= last && !strings.HasPrefix(words[i], "[")
}

func noArguments(cmd *cobra.Command, args []string) error {
	return noArgumentsBut("see `"+cmd.CommandPath()+" --help`")(cmd, args)
}

// noArgumentsBut is noArguments for a command in whose place another one is often meant,
// which the hint tells.
func noArgumentsBut(hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return wrongUse(hint, "%s takes no arguments, and got %q", cmd.CommandPath(), args[0])
	}
}

// oneListed is oneArgument for a name that a command lists.
func oneListed(what, hint, list string) cobra.PositionalArgs {
	one := oneArgument(what, hint)
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongUse("`"+list+"` lists them", "%s wants %s", cmd.CommandPath(), what)
		}
		return one(cmd, args)
	}
}

// oneArgument wants exactly one; what names it in a message, and hint tells
// someone who gave several what to do.
func oneArgument(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return wrongUse(fmt.Sprintf("see `%s --help`", cmd.CommandPath()), "%s wants %s", cmd.CommandPath(), what)
		case len(args) > 1:
			hint = cmp.Or(hint, "see `"+cmd.CommandPath()+" --help`")
			return wrongUse(strings.ReplaceAll(hint, "ARGS", strings.Join(args, " ")), "%s wants %s, and got %d arguments", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}
