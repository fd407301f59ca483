package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

func (c *console) callCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "call OPERATION",
		Short: "Answer one JSON request from stdin on stdout, for other languages",
		Long: `Answer one JSON request. The request is read from stdin and checked strictly; the
answer, or the error, stands on stdout. The exit code is 2 for a request that is
refused and 3 for a failure.

Operations: ` + strings.Join(app.Operations(), ", ") + `.`,
		Example: `  echo '{"fragments": [{"id": "a", "body": "Hello."}]}' | cento call reduce
  echo '{"scope": {"allow": [{"target": ".", "permission": "read"}]}, "base": "/src", "paths": ["/src/a"]}' | cento call scope`,
		Args:      oneArgument("one operation: "+strings.Join(app.Operations(), ", "), "the request is read from stdin"),
		ValidArgs: app.Operations(),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := c.call(cmd.Context(), args[0])
			if err == nil {
				return c.writeJSON(answer)
			}
			if cmd.Context().Err() != nil {
				return err
			}
			// An error takes no file's place: it stands on stdout.
			c.outPath = ""
			if perr := c.writeJSON(app.Failure(err)); perr != nil {
				return perr
			}
			if app.Refused(err) {
				return exit(exitUse)
			}
			return exit(exitFailure)
		},
	}
}

func (c *console) call(ctx context.Context, op string) (any, error) {
	request, err := c.readAll(ctx, "the request")
	if err != nil {
		return nil, err
	}
	return app.Call(ctx, op, request)
}
