package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

func (c *console) buildCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Print the prompt",
		Long: `Print the prompt, byte for byte. On a terminal a line end follows, and
characters that a terminal would act on are written out. When nothing is
included there is no prompt, and nothing is printed.`,
		Example: `  cento build
  cento build --target ci -o prompt.txt
  cento build --tools tools.json --without-tool todo`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			text, ok := prompt.System()
			if !ok {
				c.say("no fragment is included: there is no system prompt")
			}
			if n := app.TextNotes(prompt); n > 0 {
				c.say("%s on texts that are in: see `cento explain`", plural(n, "note"))
			}
			if c.json {
				return c.printJSON(struct {
					System *string `json:"system"`
					Digest *string `json:"digest"`
					Bytes  int     `json:"bytes"`
				}{stringOrNull(text, ok), stringOrNull(prompt.Digest(), ok), prompt.Bytes()})
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
	return cmd
}

func stringOrNull(s string, ok bool) *string {
	if !ok {
		return nil
	}
	return &s
}
