package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

func (c *console) buildCommand() *cobra.Command {
	var f whatIf
	var record bool
	var session, key, place string
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Print the prompt",
		Long: `Print the prompt, byte for byte. On a terminal a line end follows, and
characters that a terminal would act on are written out. When nothing is
included there is no prompt, and nothing is printed.

With --record the prompt is stored before it is printed, with what it was made
of, so that cento log finds it: in the session of --session, which is otherwise
named like the project. A --key makes it happen once, however often the command
is repeated.`,
		Example: `  cento build
  cento build --target ci -o prompt.txt
  cento build --tools tools.json --without-tool todo
  cento build --record --session review-7`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !record && (session != "" || key != "" || place != "") {
				return wrongUse("add --record", "--session, --key and --store are for prompts that are recorded")
			}
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			if record {
				if err := c.recordBuild(cmd.Context(), place, session, key, &f, p, prompt); err != nil {
					return err
				}
			}
			text, ok := prompt.System()
			if !ok {
				c.say("no fragment is included: there is no system prompt")
			}
			if n := app.TextNotes(prompt); n > 0 {
				c.say("%s on texts that are in: see `cento explain`", plural(n, "note"))
			}
			if c.json {
				return c.printJSON(buildAnswer{stringOrNull(text, ok), stringOrNull(prompt.Digest(), ok), prompt.Bytes()})
			}
			if c.toTerminal() && ok {
				text = app.Printable(text) + "\n"
			}
			return c.print(func(w io.Writer) error {
				_, err := io.Copy(w, strings.NewReader(text))
				return err
			})
		},
	}
	f.register(c, cmd)
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.BoolVar(&record, "record", false, "store the prompt, with what it was made of")
		fl.StringVar(&session, "session", "", "record it in the session `ID`")
		fl.StringVar(&key, "key", "", "record it once for the idempotency `KEY`")
		registerStore(cmd, &place)
	})
	return cmd
}

func stringOrNull(s string, ok bool) *string {
	if !ok {
		return nil
	}
	return &s
}
