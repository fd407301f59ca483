package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

// registerServers defines the flags that say how tool servers are used.
func (f *whatIf) registerServers(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.mcp, "mcp", "ask", "ask the manifest's MCP servers, use the listings that are kept, or leave them out: `ask|kept|off`")
	fl.BoolVar(&f.allowMCP, "allow-mcp", false, "ask the manifest's MCP servers though they are not approved")
	fl.BoolVar(&f.frozen, "frozen", false, "refuse MCP servers that are not in cento.lock")
}

// servers says in a request how tool servers are used.
func (c *console) servers(r *project.Request, f *whatIf, env app.Environ) error {
	switch f.mcp {
	case "", "ask":
	case "kept":
		r.Servers = project.KeptServers
	case "off":
		r.Servers = project.NoServers
	default:
		return wrongUse("write ask, kept or off", "--mcp %s is no way to use servers", f.mcp)
	}
	if c.lister == nil {
		c.lister = &runLister{sync.OnceValue(func() project.Lister { return app.NewLister(env) }), c.watch}
	}
	r.Lister = c.lister
	return nil
}

// runLister asks the servers of a run, which most runs have none of: what it
// takes is made when one is asked. From then on an interruption is watched for,
// since a server is ended with the run.
type runLister struct {
	made  func() project.Lister
	watch func()
}

func (l *runLister) List(ctx context.Context, s project.Server, dir string) (project.Listing, error) {
	l.watch()
	return l.made().List(ctx, s, dir)
}

func (l *runLister) Kept(s project.Server, dir string) (project.Listing, error) {
	return l.made().Kept(s, dir)
}

func (c *console) toolsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the tools of the project, and hold MCP servers to cento.lock",
		Long: `The tools of a project come from its manifest, from the files that this names, and
from MCP servers. What servers say about their tools can be locked: from then on a
server that says something else is refused, until somebody agrees to it.`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(c.toolsListCommand(), c.toolsShowCommand(), c.toolsDiffCommand(), c.toolsLockCommand())
	return cmd
}

// listTools reads the tools that the flags ask for.
func (c *console) listTools(cmd *cobra.Command, f *whatIf) (*app.ToolList, error) {
	req, err := c.located(cmd.Context(), f)
	if err != nil {
		return nil, err
	}
	list, err := app.Tools(cmd.Context(), c.place, req)
	if err != nil {
		return nil, err
	}
	c.tellNotes(list.Notes)
	return list, nil
}

func (c *console) toolsListCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tools and where each comes from",
		Example: "  cento tools list\n  cento tools list --tools tools.json --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := c.listTools(cmd, &f)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(list)
			}
			return c.print(func(w io.Writer) error { return c.writeTools(w, list) })
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) writeTools(w io.Writer, list *app.ToolList) error {
	var t table
	for _, x := range list.Tools {
		state := cell{text: "active", paint: green}
		if !x.Active {
			state = cell{text: "off", paint: dim}
		}
		at := "by its name alone"
		if x.Position != nil {
			at = x.Position.String()
		}
		about, _, _ := strings.Cut(x.Description, "\n")
		if runes := []rune(about); len(runes) > 60 {
			about = string(runes[:59]) + "…"
		}
		t.add(cell{text: app.PrintableLine(x.Name)}, state, cell{text: app.PrintableLine(at), paint: dim}, cell{text: app.PrintableLine(about)})
	}
	if len(list.Tools) == 0 {
		if _, err := fmt.Fprintln(w, "no tools are defined"); err != nil {
			return err
		}
	}
	if err := t.write(c, w); err != nil {
		return err
	}
	if len(list.Servers) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	var s table
	for _, x := range list.Servers {
		state := cell{text: x.Lock, paint: green}
		if x.Lock != "locked" {
			state.paint = yellow
		}
		age := cell{}
		if x.Kept != "" {
			age = cell{text: "from an earlier run", paint: yellow}
		}
		s.add(cell{text: "server " + app.PrintableLine(x.Name)}, cell{text: app.PrintableLine(x.Server)}, cell{text: "sha256 " + x.SHA256[:12], paint: dim}, state, age)
	}
	return s.write(c, w)
}

func (c *console) toolsShowCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Print the listing of an MCP server, or the definition of a tool",
		Long: `Print what an MCP server says about its tools, as it is kept, locked and compared:
JSON, the tools ordered by name. Places in it, as in <mcp:files>:12:3, are lines of
this text.

With the name of a tool, print its definition. A server comes before a tool of the
same name.`,
		Example: "  cento tools show files\n  cento tools show read_file",
		Args:    oneArgument("the name of a server or a tool", "show one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := c.listTools(cmd, &f)
			if err != nil {
				return err
			}
			server, tool, err := list.Named(args[0])
			switch {
			case err != nil:
				return err
			case server == nil && c.json:
				return c.printJSON(tool)
			case server == nil:
				return c.print(func(w io.Writer) error { return c.writeTool(w, tool) })
			case c.json:
				return c.printJSON(server)
			}
			return c.printText(app.Printable(server.Listing))
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

// writeTool prints one tool: what is short in a table, what is long below it.
func (c *console) writeTool(w io.Writer, x *app.ListedTool) error {
	state, at := "active", "by its name alone"
	if !x.Active {
		state = "off"
	}
	if x.Position != nil {
		at = x.Position.String()
	}
	var t table
	row := func(name, value string) {
		if value != "" {
			t.add(cell{text: name, paint: dim}, cell{text: app.PrintableLine(value)})
		}
	}
	row("tool", x.Name)
	row("server", x.Server)
	row("defined", at)
	row("state", state)
	if err := t.write(c, w); err != nil {
		return err
	}
	long := [][2]string{{"description", x.Description}}
	if x.Guidance != nil {
		long = append(long, [2]string{"guidance", *x.Guidance})
	}
	var schema bytes.Buffer
	if len(x.Parameters) > 0 && json.Indent(&schema, x.Parameters, "", "  ") == nil {
		long = append(long, [2]string{"parameters", schema.String()})
	}
	for _, part := range long {
		if strings.TrimSpace(part[1]) == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s\n%s", c.paint(dim, part[0]), indent(app.Printable(strings.TrimSpace(part[1])), "  ")); err != nil {
			return err
		}
	}
	return nil
}

// compareTools compares what servers say with the lock.
func (c *console) compareTools(cmd *cobra.Command, f *whatIf) (*app.ToolLock, error) {
	req, err := c.located(cmd.Context(), f)
	if err != nil {
		return nil, err
	}
	env, err := app.Environment()
	if err != nil {
		return nil, err
	}
	lock, err := app.CompareTools(cmd.Context(), c.place, req, env)
	if err == nil {
		c.tellNotes(lock.Notes)
	}
	return lock, err
}

func (c *console) toolsDiffCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "diff",
		Short: "Compare what MCP servers say with cento.lock",
		Long: `Ask the MCP servers of all targets and compare what they say with the lock: each
tool and each field that differs, with both digests and the lines that changed.
The lines are known where the listing that was agreed to was seen on this machine.
The exit code is 1 when something differs, or is not locked.`,
		Example: "  cento tools diff\n  cento tools diff --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lock, err := c.compareTools(cmd, &f)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(lock)
			} else {
				err = c.print(func(w io.Writer) error { return c.writeToolLock(w, lock) })
			}
			if err == nil && len(lock.Changes) > 0 {
				err = errNo
			}
			return err
		},
	}
	f.registerPlace(cmd)
	f.registerServers(cmd)
	return cmd
}

func (c *console) toolsLockCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "Agree to what MCP servers say, and write it to cento.lock",
		Long: `Ask the MCP servers of all targets and write the digests of what they say to
cento.lock: one for each server, each of its tools, and each field of a tool. What
changed is printed, as by cento tools diff. From then on a server that says
something else is refused.`,
		Example: "  cento tools diff\n  cento tools lock",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lock, err := c.compareTools(cmd, &f)
			if err != nil {
				return err
			}
			if err := lock.Write(); err != nil {
				return err
			}
			if c.json {
				return c.printJSON(lock)
			}
			return c.print(func(w io.Writer) error { return c.writeToolLock(w, lock) })
		},
	}
	f.registerPlace(cmd)
	f.registerServers(cmd)
	return cmd
}

func (c *console) writeToolLock(w io.Writer, lock *app.ToolLock) error {
	switch {
	case len(lock.Changes) > 0:
	case len(lock.Servers) == 0:
		_, err := fmt.Fprintln(w, "the project has no tool servers")
		return err
	default:
		_, err := fmt.Fprintf(w, "%s: as locked\n", app.PrintableLine(strings.Join(lock.Servers, ", ")))
		return err
	}
	last := ""
	for _, x := range lock.Changes {
		if x.Server != last {
			if last != "" {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "server %s\n", c.paint(bold, app.PrintableLine(x.Server)))
			last = x.Server
		}
		fmt.Fprintf(w, "  %s\n", app.PrintableLine(x.String()))
		for _, l := range x.Lines {
			colour := map[string]paint{"-": red, "+": green, " ": dim}[l.Op]
			fmt.Fprintf(w, "    %s\n", c.paint(colour, strings.TrimRight(l.Op+" "+app.PrintableLine(l.Text), " ")))
		}
		if x.Lines == nil {
			fmt.Fprintf(w, "    %s\n", c.paint(dim, "what was agreed to is not kept on this machine"))
		}
	}
	if lock.Written {
		_, err := fmt.Fprintf(w, "\nlocked: %s\n", app.PrintableLine(strings.Join(lock.ChangedServers(), ", ")))
		return err
	}
	return nil
}
