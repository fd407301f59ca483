package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) callCommand() *command {
	var stream bool
	var project string
	var jobs int
	cmd := &command{
		use:   "call [OPERATION]",
		short: "Answer JSON requests from stdin on stdout, for other languages",
		long: `Answer one JSON request. The request is read from stdin and checked strictly; the
answer, or the error, stands on stdout. The exit code is 2 for a request that is
refused and 3 for a failure.

With --stream one process answers many: a line {"id", "op", "request"} is answered
with a line {"id", "result"} or {"id", "error"}, as finished, until stdin ends. A
project on disk is read once, and again when a file changes that it was read from.

Operations:
` + operationList(),
		examples: `  echo '{"fragments": [{"id": "a", "body": "Hello."}]}' | cento call reduce
  echo '{"project": ".", "without_tools": ["todo"]}' | cento call assemble
  echo '{"id": 1, "op": "tokens", "request": {"texts": ["Hello."]}}' | cento call --stream`,
		args: func(cmd *cobra.Command, args []string) error {
			if stream && len(args) > 0 {
				return wrongUse("name it in each line, as op", "with --stream the operations stand in the lines")
			}
			if stream {
				return nil
			}
			return oneArgument("one operation: "+strings.Join(call.Names(), ", ")+"; or --stream", "the request is read from stdin")(cmd, args)
		},
		words: call.Names(),
		run: func(cmd *cobra.Command, args []string) error {
			if jobs < 1 {
				return wrongUse("a number from 1 on", "--jobs %d answers nothing", jobs)
			}
			if stream {
				return c.stream(cmd.Context(), jobs, project)
			}
			for _, of := range []string{"jobs", "project"} {
				if cmd.Flags().Changed(of) {
					return wrongUse("add --stream", "--%s is for many requests", of)
				}
			}
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
	cmd.with(func(fl *flags) {
		fl.BoolVar(&stream, "stream", false, "answer many requests, a line each")
		fl.StringVar(&project, "project", "", "with --stream, the project in `DIR` is that of requests that bring none")
		fl.IntVar(&jobs, "jobs", 1, "with --stream, answer up to `N` at once")
	})
	return cmd
}

// stream answers lines until there are no more.
func (c *console) stream(ctx context.Context, jobs int, project string) (err error) {
	defer gatherGarbage(garbageRoom)()
	o := c.callOptions(ctx)
	o.Kept, o.Default = &call.Kept{}, project
	defer func() { err = errors.Join(err, o.Stores.Close()) }()
	return c.printFrom(func(w *terminal.Writer) error {
		return call.Stream(ctx, c.in, w.Document(), w.Flush, jobs, o)
	})
}

// callOptions say how the projects on disk are read that requests name: as by every
// command, but for what the request says. Whoever asks for them closes their stores.
func (c *console) callOptions(ctx context.Context) call.Options {
	home := ""
	if r, err := c.request(ctx, &whatIf{}); err == nil {
		home = r.Home
	}
	return call.Options{Home: home, Stores: app.NewStores(nil), Project: func(folder string) (app.Request, error) {
		r, err := c.request(ctx, &whatIf{})
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(r.Dir, folder)
		}
		r.Dir = folder
		return r, err
	}}
}

// operationList says what each operation answers.
func operationList() string {
	var b strings.Builder
	for _, o := range call.Operations() {
		fmt.Fprintf(&b, "  %-12s %s\n", o.Name, o.Short)
	}
	return b.String() + "\nTheir requests and answers are described in docs/FORMATS.md."
}

func (c *console) call(ctx context.Context, op string) (answer any, err error) {
	request, err := c.readAll(ctx, "the request")
	if err != nil {
		return nil, err
	}
	o := c.callOptions(ctx)
	defer func() {
		if cerr := o.Stores.Close(); err == nil && cerr != nil {
			answer, err = nil, cerr
		}
	}()
	return call.Answer(ctx, op, request, o)
}
