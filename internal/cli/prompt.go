package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

func (c *console) promptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "List, show and check prompt files",
		Long: `Prompt files are Markdown with Jinja. A reference names one: $builtin/… inside the
program, $user/… in your own folder, $workspace/… below .cento/prompts of the
project, $pack/NAME/… in an installed pack.`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(c.promptListCommand(), c.promptShowCommand(), c.promptCheckCommand(), c.promptGraphCommand())
	return cmd
}

// openPrompts reads the project without its prompt.
func (c *console) openPrompts(ctx context.Context, f *whatIf) (*app.Project, error) {
	req, err := c.request(ctx, f)
	if err != nil {
		return nil, err
	}
	if c.place, err = project.Locate(req); err != nil {
		return nil, err
	}
	p, err := app.OpenPrompts(ctx, c.place, req)
	if err != nil {
		return nil, err
	}
	c.tellNotes(p.Input.Notes)
	return p, nil
}

// mostNotes is how many notes of one code are told; `explain --json` has all.
const mostNotes = 20

func (c *console) tellNotes(notes []cento.Note) {
	told := map[cento.Code]int{}
	for _, n := range notes {
		if told[n.Code]++; told[n.Code] <= mostNotes {
			c.say("%s", noteText(n))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(told)) {
		if more := told[code] - mostNotes; more > 0 {
			c.say("… and %d more notes of the code %s, see `cento explain --json`", more, code)
		}
	}
}

func noteText(n cento.Note) string {
	if n.Position.IsZero() {
		return n.Message
	}
	return n.Position.String() + ": " + n.Message
}

// completePrompts proposes the references of prompt files.
func (c *console) completePrompts(f *whatIf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		req, err := c.request(cmd.Context(), f)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		req.Servers = project.NoServers // nobody waits for them while typing
		place, err := project.Locate(req)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		p, err := app.OpenPrompts(cmd.Context(), place, req)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		files, err := p.Prompts()
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var out []string
		for _, x := range files {
			if x.Reference == app.PrintableLine(x.Reference) {
				out = append(out, x.Reference)
			}
		}
		return out, cobra.ShellCompDirectiveDefault
	}
}

func (c *console) promptListCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the prompt files that can be named",
		Example: "  cento prompt list\n  cento prompt list --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			files, err := p.Prompts()
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(promptsAnswer{files})
			}
			var t table
			for _, x := range files {
				about := cell{text: app.PrintableLine(strings.TrimSpace(x.Title + "  " + x.Description))}
				if x.Error != "" {
					about = cell{text: "broken: " + app.PrintableLine(x.Error), paint: red}
				}
				t.add(cell{text: app.PrintableLine(x.Reference)}, cell{text: x.Trust.String(), paint: dim}, cell{text: app.PrintableLine(x.Path), paint: dim}, about)
			}
			return c.print(func(w io.Writer) error { return t.write(c, w) })
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) promptShowCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Tell about one prompt file: what it reads, asks for and includes",
		Long: `Tell about one prompt file, not rendered: where it is, whose it is, its variables
and gates, what it reads and includes, and its text. FILE is a reference or a path.`,
		Example: "  cento prompt show '$builtin/default'\n  cento prompt show '$workspace/review' --json",
		Args:    oneArgument("a reference or the path of a prompt file", "show one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			file, _, err := p.OpenPrompt(args[0])
			if err != nil {
				return err
			}
			c.tellNotes(file.Notes())
			x := p.Prompt(file)
			if c.json {
				return c.printJSON(x)
			}
			return c.print(func(w io.Writer) error { return c.writePrompt(w, x) })
		},
	}
	f.registerProject(c, cmd, "")
	cmd.ValidArgsFunction = c.completePrompts(&f)
	return cmd
}

func (c *console) writePrompt(w io.Writer, x *app.PromptFile) error {
	row := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				fmt.Fprintf(w, "%s %s\n", c.paint(dim, fmt.Sprintf("%-12s", name)), app.PrintableLine(v))
				name = ""
			}
		}
	}
	row("reference", x.Reference)
	row("file", x.Path)
	row("trust", x.Trust.String())
	row("title", x.Title)
	row("description", x.Description)
	row("needs tools", x.RequiresTools...)
	row("needs caps", x.RequiresCaps...)
	for i, v := range x.Vars {
		about := "vars." + v.Name + ": " + v.Type.String()
		if v.Required {
			about += ", required"
		}
		if v.Description != "" {
			about += "; " + v.Description
		}
		row(map[bool]string{true: "variables"}[i == 0], about)
	}
	row("reads", useList(x.Reads)...)
	row("asks tools", useList(x.Tools)...)
	row("asks caps", useList(x.Caps)...)
	for i, l := range x.Links {
		row(map[bool]string{true: "includes"}[i == 0], linkText(l))
	}
	_, err := fmt.Fprintf(w, "\n%s", app.Printable(x.Text))
	return err
}

// useList words uses, each name once with its first place.
func useList(uses []pack.Use) []string {
	seen := map[string]bool{}
	var out []string
	for _, u := range uses {
		if !seen[u.Name] {
			seen[u.Name] = true
			out = append(out, u.Name+"  "+u.Position.String())
		}
	}
	return out
}

func linkText(l app.PromptLink) string {
	to := strings.Join(l.To, ", ")
	switch {
	case l.Dynamic:
		to = "a name that is known only when rendering"
	case to == "":
		to = "nothing that there is"
	}
	return fmt.Sprintf("%s  %s %s", to, l.Kind, l.Position)
}

func (c *console) promptCheckCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Compile every prompt file and tell everything that is wrong",
		Long: `Read and compile every prompt file of the project, the user and the installed
packs, with all that they include. The exit code is 1 when one is wrong.`,
		Example: "  cento prompt check\n  cento prompt check --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer, err := p.CheckPrompts()
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(answer)
			} else {
				err = c.print(func(w io.Writer) error { return c.writePromptCheck(w, answer) })
			}
			if err == nil && len(answer.List) > 0 {
				err = errNo
			}
			return err
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) writePromptCheck(w io.Writer, answer *app.PromptCheck) error {
	for _, e := range answer.List {
		fmt.Fprintln(w, c.paint(red, app.PrintableLine(e.Error())))
		if src, ok := c.source(e.Position.File); ok {
			fmt.Fprint(w, indent(app.Excerpt(src, e.Position.Line, e.Position.Column), "  "))
		}
		for _, r := range e.Related {
			fmt.Fprintf(w, "  %s\n", app.PrintableLine(r.Position.String()+": "+r.Message))
		}
		if e.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", app.PrintableLine(e.Hint))
		}
	}
	for _, n := range answer.Notes {
		fmt.Fprintln(w, c.paint(yellow, app.PrintableLine(noteText(n))))
	}
	_, err := fmt.Fprintf(w, "%s, %s\n", plural(answer.Checked, "prompt file"), plural(len(answer.List), "error"))
	return err
}

func (c *console) promptGraphCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "graph [FILE...]",
		Short: "Show which prompt files include which",
		Long: `Show for each prompt file that none of the others includes what it includes, and
where. Without FILE all prompt files of the project, the user and the installed
packs are taken.`,
		Example: "  cento prompt graph\n  cento prompt graph '$builtin/default' --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			var files []*pack.File
			for _, a := range args {
				file, _, err := p.OpenPrompt(a)
				if err != nil {
					return err
				}
				files = append(files, file)
			}
			g, err := p.Graph(files...)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(g)
			}
			return c.print(func(w io.Writer) error {
				for _, r := range g.Roots {
					fmt.Fprintln(w, c.paint(bold, app.PrintableLine(r)))
					c.writeLinks(w, g, r, "  ")
				}
				return nil
			})
		},
	}
	f.registerProject(c, cmd, "")
	cmd.ValidArgsFunction = c.completePrompts(&f)
	return cmd
}

// maxGraphDepth bounds how deep a chain is shown; files can't include each
// other in a circle, so it ends by itself long before.
const maxGraphDepth = 64

func (c *console) writeLinks(w io.Writer, g *app.PromptGraph, from, by string) {
	for _, l := range g.Links {
		if l.From != from {
			continue
		}
		place := c.paint(dim, app.PrintableLine(l.Position.String()))
		switch {
		case l.Dynamic:
			fmt.Fprintf(w, "%s%s a name that is known only when rendering  %s\n", by, l.Kind, place)
		case len(l.To) == 0:
			fmt.Fprintf(w, "%s%s nothing that there is  %s\n", by, l.Kind, place)
		}
		for _, to := range l.To {
			fmt.Fprintf(w, "%s%s %s  %s\n", by, l.Kind, app.PrintableLine(to), place)
			if len(by) < 2*maxGraphDepth {
				c.writeLinks(w, g, to, by+"  ")
			}
		}
	}
}
