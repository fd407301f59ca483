package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) sessionUsage() *command {
	var f sessionFlags
	var turn, request int64
	cmd := &command{
		use:   "usage SESSION FILE|-",
		short: "Keep what a provider billed for a turn",
		long: `Keep what a provider billed for a request of a turn: its usage, or the answer that
holds it, as the provider gave it. cento cache --session then shows what was billed
beside what was predicted. Told again for the same request, the last word counts.`,
		examples: `  cento session usage s1 answer.json --turn 0
  jq .usage answer.json | cento session usage s1 - --turn 3 --request 2`,
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUse("see `"+cmd.CommandPath()+" --help`", "%s wants the name of the session and a file, and got %d arguments", cmd.CommandPath(), len(args))
			}
			return nil
		},
		answers: answer[app.Billed](),
		run: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("turn") {
				return wrongUse("cento session show tells which turn it is", "--turn is missing")
			}
			name, data, err := c.readNamed(cmd.Context(), args[1], "the usage")
			if err != nil {
				return err
			}
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.TellUsage(cmd.Context(), cento.Position{File: name}, data, app.UsageRequest{ID: args[0], Options: f.options(), Turn: turn, Request: &request})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(out)
				}
				return c.print(func(w *terminal.Writer) {
					u := out.Usage
					w.Printf("turn %d of session %s, request %d: %s\n", u.Turn, out.Session, u.Request, billedText(&u.Usage))
				})
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	cmd.with(func(fl *flags) {
		fl.Int64Var(&turn, "turn", 0, "the turn `N`")
		fl.Int64Var(&request, "request", 1, "which request of the turn it was: `M`")
	})
	return cmd
}

// billedText prints the billed input tokens of one request.
func billedText(u *app.InputBilled) string {
	switch {
	case len(u.Unread) > 0:
		return fmt.Sprintf("billed %d tokens of input; cached tokens unknown: Cento does not know %s of this usage", u.Input, strings.Join(u.Unread, ", "))
	case u.Read == nil:
		return fmt.Sprintf("billed %d tokens of input; the usage does not report cached tokens", u.Input)
	}
	return billedSum(u.Input, *u.Read, *u.Written, *u.Paid)
}

func billedSum(input, read, written, paid int) string {
	return fmt.Sprintf("billed %d tokens of input: read %d, written %d, paid %d", input, read, written, paid)
}
