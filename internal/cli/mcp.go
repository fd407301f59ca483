package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/mcpserver"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) mcpCommand() *command {
	var folders []string
	var place string
	cmd := &command{
		use:   "mcp",
		short: "Answer a client of the Model Context Protocol on stdin and stdout",
		long: `Answer a client of the Model Context Protocol, such as an editor or an agent, until
it closes stdin: the prompt of each target as a prompt, its texts as resources
cento://PROJECT/prompt/TARGET and cento://PROJECT/fragment/ID, and as tools that
only read: assemble, check, diff, explain, instructions, search_records, why.

A client knows projects by their names alone. Without --project there is that of
the folder of the run. Each answer is that of the files as they are, and a client is told
when a list, or a text that it subscribed to, has become another one.`,
		examples: `  cento mcp
  cento mcp --project shop=/src/shop --project /src/site`,
		args: noArguments,
		run: func(cmd *cobra.Command, _ []string) error {
			projects, err := c.mcpProjects(cmd.Context(), folders, place)
			if err != nil {
				return err
			}
			var ended error
			if err := c.printFrom(func(w *terminal.Writer) error {
				ended = mcpserver.New(projects, mcpserver.Options{Version: app.Version()}).Serve(cmd.Context(), c.in, w.Document(), w.Flush)
				return nil
			}); err != nil {
				return err
			}
			return ended
		},
	}
	cmd.with(func(fl *flags) {
		fl.StringArrayVar(&folders, "project", nil, "a project to answer about: its folder, and its name if that is another one, `[NAME=]DIR`; repeatable")
		registerStore(fl, &place)
	})
	return cmd
}

// mcpProjects are the projects of the flags, or that of the folder of the run.
func (c *console) mcpProjects(ctx context.Context, folders []string, place string) ([]mcpserver.Project, error) {
	if len(folders) == 0 {
		folders = []string{"."}
	}
	var out []mcpserver.Project
	from := map[string]string{}
	for _, given := range folders {
		name, dir, named := strings.Cut(given, "=")
		if named = named && mcpserver.CheckName(name); !named {
			dir = given // whose name may have an =
		}
		dir, err := workFolder("--project", dir)
		if err != nil {
			return nil, err
		}
		request := func(ctx context.Context) (app.Request, error) {
			r, err := c.request(ctx, &whatIf{})
			r.Dir = dir
			return r, err
		}
		r, err := request(ctx)
		if err != nil {
			return nil, err
		}
		site, err := app.Locate(r)
		if err != nil {
			return nil, err
		}
		if !named {
			name = mcpserver.NameOf(filepath.Base(site.Root.Dir))
		}
		if other, twice := from[name]; twice {
			return nil, wrongUse("name one of them, as in --project other="+given, "--project %s and --project %s are both named %q", other, given, name)
		}
		from[name] = given
		out = append(out, mcpserver.Project{Name: name, Request: request, Search: func(ctx context.Context, q app.SearchQuery) (*app.RecordSearch, error) {
			return app.SearchLog(ctx, site, r, place, q)
		}})
	}
	return out, nil
}
