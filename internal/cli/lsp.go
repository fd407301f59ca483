package cli

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lsp"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) lspCommand() *command {
	return &command{
		use:   "lsp",
		short: "Be a language server for editors, on stdin and stdout",
		long: `Answer an editor by the Language Server Protocol (3.17) on stdin and stdout, until it
says shutdown and exit. The editor is told what cento check finds and what keeps the
project from being read, while texts are typed and before they are saved; it is
proposed keys and names, shown what becomes of a text in the prompt, and led from
names to where they are defined and used.

Nothing is started or approved by opening a project: tools of servers are those that
were listed before. docs/editors.md says how editors are set up.`,
		examples: "  cento lsp",
		args:     noArguments,
		run: func(cmd *cobra.Command, _ []string) error {
			switch {
			case c.json:
				return wrongUse("", "cento lsp speaks its own protocol: --json says nothing here")
			case c.outPath != "":
				return wrongUse("", "cento lsp speaks with an editor: -o says nothing here")
			}
			defer debug.SetGCPercent(debug.SetGCPercent(lsp.CollectAt))
			orderly, err := lsp.Serve(cmd.Context(), c.in, flushing{c.out}, lsp.Options{
				Version: app.Version(),
				Request: func() (app.Request, error) { return c.request(cmd.Context(), &whatIf{mcp: "kept"}) },
			})
			if err == nil && !orderly {
				return errNo
			}
			return err
		},
	}
}

// flushing hands out each message as it is written, byte for byte: what reads it is no
// screen.
type flushing struct{ w *terminal.Writer }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.w.Document().Write(b)
	if err == nil {
		err = f.w.Flush()
	}
	return n, err
}

var _ io.Writer = flushing{}
