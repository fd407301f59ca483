package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// registerServers defines the flags that say how tool servers are used.
func (f *whatIf) registerServers(fl *flags) {
	fl.StringVar(&f.mcp, "mcp", "ask", "ask the manifest's MCP servers, use the listings that are kept or those that were locked, or leave them out: `ask|kept|locked|off`")
	fl.BoolVar(&f.allowMCP, "allow-mcp", false, "ask the manifest's MCP servers though they are not approved")
	fl.BoolVar(&f.frozen, "frozen", false, "refuse MCP servers that are not in cento.lock")
}

// servers says in a request how tool servers are used.
func (c *console) servers(r *app.Request, f *whatIf, env app.Environ) error {
	switch f.mcp {
	case "", "ask":
	case "kept":
		r.Servers = app.KeptServers
	case "locked":
		*r = app.Locked(*r)
		return nil
	case "off":
		r.Servers = app.NoServers
	default:
		return wrongUse(app.NearestHint(f.mcp, []string{"ask", "kept", "locked", "off"}), "--mcp %s is no way to use servers", f.mcp)
	}
	if c.lister == nil {
		c.lister = app.NewLister(env, c.catch)
	}
	r.Lister = c.lister
	return nil
}

func (c *console) toolsCommand() *command {
	cmd := &command{
		use:   "tools",
		short: "List the tools of the project, and hold MCP servers to cento.lock",
		long: `The tools of a project come from its manifest, from the files that this names, and
from MCP servers. What servers say about their tools can be locked: from then on a
server that says something else is refused, until somebody agrees to it.`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{c.toolsListCommand(), c.toolsShowCommand(), c.toolsDiffCommand(), c.toolsLockCommand()}
	return cmd
}

// listTools reads the tools that the flags ask for.
func (c *console) listTools(cmd *cobra.Command, f *whatIf) (*app.ToolList, error) {
	req, err := c.located(cmd.Context(), f)
	if err != nil {
		return nil, err
	}
	list, err := app.Tools(cmd.Context(), c.site, req)
	if err != nil {
		return nil, err
	}
	c.tellNotes(list.Notes)
	return list, nil
}

func (c *console) toolsListCommand() *command {
	var f whatIf
	cmd := &command{
		use:      "list",
		short:    "List the tools and where each comes from",
		examples: "  cento tools list\n  cento tools list --tools tools.json --json",
		args:     noArguments,
		answers:  answer[app.ToolList](),
		run: func(cmd *cobra.Command, _ []string) error {
			list, err := c.listTools(cmd, &f)
			if err != nil {
				return err
			}
			if len(list.Tools) == 0 {
				c.err.Say("no tools are defined")
			}
			if c.json {
				return c.printJSON(list)
			}
			return c.print(func(w *terminal.Writer) { c.writeTools(w, list) })
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) writeTools(w *terminal.Writer, list *app.ToolList) {
	var t table
	for _, x := range list.Tools {
		state := cell{Text: "active", Paint: green}
		if !x.Active {
			state = cell{Text: "off", Paint: dim}
		}
		at := "by its name alone"
		if x.Position != nil {
			at = x.Position.String()
		}
		about, _, _ := strings.Cut(x.Description, "\n")
		if runes := []rune(about); len(runes) > 60 {
			about = string(runes[:59]) + "…"
		}
		t.Add(cell{Text: x.Name}, state, cell{Text: at, Paint: dim}, cell{Text: about})
	}
	w.Table(&t)
	if len(list.Servers) == 0 {
		return
	}
	if len(list.Tools) > 0 {
		w.Printf("\n")
	}
	var s table
	for _, x := range list.Servers {
		state := cell{Text: x.Lock, Paint: green}
		if x.Lock != "locked" {
			state.Paint = yellow
		}
		age := cell{}
		if x.Kept != "" {
			age = cell{Text: "from an earlier run", Paint: yellow}
		}
		s.Add(cell{Text: "server " + x.Name}, cell{Text: x.Server}, cell{Text: "sha256 " + x.SHA256[:12], Paint: dim}, state, age)
	}
	w.Table(&s)
}

func (c *console) toolsShowCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "show NAME",
		short: "Print the listing of an MCP server, or the definition of a tool",
		long: `Print what an MCP server says about its tools, as it is kept, locked and compared:
JSON, the tools ordered by name. Places in it, as in <mcp:files>:12:3, are lines of
this text.

With the name of a tool, print its definition. A server comes before a tool of the
same name.`,
		examples: "  cento tools show files\n  cento tools show read_file",
		args:     oneListed("the name of a server or a tool", "show one at a time", "cento tools"),
		answers:  slices.Concat(answer[app.ListedServer](), answer[app.ListedTool]()),
		run: func(cmd *cobra.Command, args []string) error {
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
				return c.print(func(w *terminal.Writer) { c.writeTool(w, tool) })
			case c.json:
				return c.printJSON(server)
			}
			return c.printText(server.Listing)
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

// writeTool prints one tool: what is short in a table, what is long below it.
func (c *console) writeTool(w *terminal.Writer, x *app.ListedTool) {
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
			t.Add(cell{Text: name, Paint: dim}, cell{Text: value})
		}
	}
	row("tool", x.Name)
	row("server", x.Server)
	row("defined", at)
	row("state", state)
	w.Table(&t)
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
		w.Printf("\n%s\n%s", dim.On(part[0]), terminal.Indented(strings.TrimSpace(part[1]), "  "))
	}
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
	lock, err := app.CompareTools(cmd.Context(), c.site, req, env)
	if err == nil {
		c.tellNotes(lock.Notes)
	}
	return lock, err
}

func (c *console) toolsDiffCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "diff",
		short: "Compare what MCP servers say with cento.lock",
		long: `Ask the MCP servers of all targets and compare what they say with the lock: each
tool and each field that differs, with both digests and the lines that changed.
The lines are known where the listing that was agreed to was seen on this machine.
The exit code is 1 when something differs, or is not locked.`,
		examples: "  cento tools diff\n  cento tools diff --json",
		args:     noArguments,
		answers:  answer[app.ToolLock](),
		run: func(cmd *cobra.Command, _ []string) error {
			lock, err := c.compareTools(cmd, &f)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(lock)
			} else {
				err = c.print(func(w *terminal.Writer) { c.writeToolLock(w, lock) })
			}
			if err == nil && len(lock.Changes) > 0 {
				err = errNo
			}
			return err
		},
	}
	f.registerPlace(cmd)
	cmd.with(f.registerServers)
	return cmd
}

func (c *console) toolsLockCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "lock",
		short: "Agree to what MCP servers say, and write it to cento.lock",
		long: `Ask the MCP servers of all targets and write the digests of what they say to
cento.lock: one for each server, each of its tools, and each field of a tool. What
changed is printed, as by cento tools diff. From then on a server that says
something else is refused.`,
		examples: "  cento tools diff\n  cento tools lock",
		args:     noArguments,
		answers:  answer[app.ToolLock](),
		run: func(cmd *cobra.Command, _ []string) error {
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
			return c.print(func(w *terminal.Writer) { c.writeToolLock(w, lock) })
		},
	}
	f.registerPlace(cmd)
	cmd.with(f.registerServers)
	return cmd
}

func (c *console) writeToolLock(w *terminal.Writer, lock *app.ToolLock) {
	switch {
	case len(lock.Changes) > 0:
	case len(lock.Servers) == 0:
		w.Printf("the project has no tool servers\n")
		return
	default:
		w.Printf("%s: as locked\n", strings.Join(lock.Servers, ", "))
		return
	}
	last := ""
	for _, x := range lock.Changes {
		if x.Server != last {
			if last != "" {
				w.Printf("\n")
			}
			w.Printf("server %s\n", bold.On(x.Server))
			last = x.Server
		}
		w.Printf("  %s\n", x.String())
		for _, l := range x.Lines {
			colour := map[string]paint{"-": red, "+": green, " ": dim}[l.Op]
			w.Printf("    %s\n", colour.On(strings.TrimRight(l.Op+" "+l.Text, " ")))
		}
		if x.Lines == nil {
			w.Printf("    %s\n", dim.On("what was agreed to is not kept on this machine"))
		}
	}
	if lock.Written {
		w.Printf("\nlocked: %s\n", strings.Join(lock.ChangedServers(), ", "))
	}
}
