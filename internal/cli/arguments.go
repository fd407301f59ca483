package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
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
	if near := app.NearestName(args[0], known); near != "" {
		hint = fmt.Sprintf("did you mean `%s %s`?", cmd.CommandPath(), near)
	} else if len(known) == 0 {
		return noArguments(cmd, args)
	}
	return wrongUse(hint, "%s has no command %q", cmd.CommandPath(), args[0])
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return wrongUse(fmt.Sprintf("see `%s --help`", cmd.CommandPath()), "%s takes no arguments, and got %q", cmd.CommandPath(), args[0])
}

// oneArgument wants exactly one; what names it in a message, and hint tells
// someone who gave several what to do.
func oneArgument(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return wrongUse(fmt.Sprintf("see `%s --help`", cmd.CommandPath()), "%s wants %s", cmd.CommandPath(), what)
		case len(args) > 1:
			return wrongUse(strings.ReplaceAll(hint, "ARGS", strings.Join(args, " ")), "%s wants %s, and got %d arguments", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}
