package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) promptCommand() *command {
	cmd := &command{
		use:   "prompt",
		short: "List, show and check prompt files",
		long: `Prompt files are Markdown with Jinja. A reference names one: $builtin/… inside the
program, $user/… in your own folder, $workspace/… below .cento/prompts of the
project, $pack/NAME/… in an installed pack.`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{c.promptListCommand(), c.promptShowCommand(), c.promptCheckCommand(), c.promptGraphCommand()}
	return cmd
}

// openPrompts reads the project without its prompt.
func (c *console) openPrompts(ctx context.Context, f *whatIf) (*app.Project, error) {
	req, err := c.request(ctx, f)
	if err != nil {
		return nil, err
	}
	if c.site, err = app.Locate(req); err != nil {
		return nil, err
	}
	p, err := app.OpenPrompts(ctx, c.site, req)
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
	for _, n := range c.untold(notes) {
		c.tells(n)
		if told[n.Code]++; told[n.Code] <= mostNotes {
			if c.remark(noteText(n)) {
				c.writeOpenable(c.err, n.Position, "  ")
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(told)) {
		if more := told[code] - mostNotes; more > 0 {
			c.remark(fmt.Sprintf("… and %d more notes of the code %s, see `cento explain --json`", more, code))
		}
	}
}

func noteText(n cento.Note) string {
	heardCode(string(n.Code))
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
		req.Servers = app.NoServers // nobody waits for them while typing
		site, err := app.Locate(req)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		p, err := app.OpenPrompts(cmd.Context(), site, req)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		files, err := p.Prompts()
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var out []string
		for _, x := range files {
			out = append(out, x.Reference)
		}
		return out, cobra.ShellCompDirectiveDefault
	}
}

func (c *console) promptListCommand() *command {
	var f whatIf
	cmd := &command{
		use:      "list",
		short:    "List the prompt files that can be named",
		examples: "  cento prompt list\n  cento prompt list --json",
		args:     noArguments,
		answers:  answer[promptsAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
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
				about := cell{Text: strings.TrimSpace(x.Title + "  " + x.Description)}
				if x.Error != "" {
					about = cell{Text: "broken: " + x.Error, Paint: red}
				}
				t.Add(cell{Text: x.Reference}, cell{Text: x.Trust.String(), Paint: dim}, cell{Text: x.Path, Paint: dim}, about)
			}
			return c.print(func(w *terminal.Writer) { w.Table(&t) })
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) promptShowCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "show FILE",
		short: "Tell about one prompt file: what it reads, asks for and includes",
		long: `Tell about one prompt file, not rendered: where it is, whose it is, its variables
and gates, what it reads and includes, and its text. FILE is a reference or a path.`,
		examples: "  cento prompt show '$builtin/default'\n  cento prompt show '$workspace/review' --json",
		args:     oneListed("a reference or the path of a prompt file", "show one at a time", "cento prompt list"),
		answers:  answer[app.PromptFile](),
		run: func(cmd *cobra.Command, args []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			file, beside, err := c.openPrompt(p, args[0])
			if err != nil {
				return err
			}
			c.tellNotes(file.Notes())
			x := p.Prompt(file)
			if beside != "" {
				x.Path = p.Show(filepath.Join(beside, filepath.FromSlash(file.Ref().File())))
			}
			if c.json {
				return c.printJSON(x)
			}
			return c.print(func(w *terminal.Writer) { c.writePrompt(w, x) })
		},
	}
	f.registerProject(c, cmd, "")
	cmd.values = c.completePrompts(&f)
	return cmd
}

func (c *console) writePrompt(w *terminal.Writer, x *app.PromptFile) {
	row := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				w.Printf("%s %s\n", dim.On(fmt.Sprintf("%-12s", name)), v)
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
	w.Printf("\n%s", terminal.Text(x.Text))
}

// useList words uses, each name once with its first place.
func useList(uses []app.PromptUse) []string {
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

func (c *console) promptCheckCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "check",
		short: "Compile every prompt file and tell everything that is wrong",
		long: `Read and compile every prompt file of the project, the user and the installed
packs, with all that they include. The exit code is 1 when one is wrong.`,
		examples: "  cento prompt check\n  cento prompt check --json",
		args:     noArguments,
		answers:  answer[app.PromptCheck](),
		run: func(cmd *cobra.Command, _ []string) error {
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
				err = c.print(func(w *terminal.Writer) { c.writePromptCheck(w, answer) })
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

// writeRelated prints the other parties of what is wrong.
func (c *console) writeRelated(w *terminal.Writer, list []cento.Related) {
	for _, r := range list {
		w.Printf("  %s\n", r)
		c.writeOpenable(w, r.Position, "    ")
	}
}

func (c *console) writePromptCheck(w *terminal.Writer, answer *app.PromptCheck) {
	source := c.sources()
	for _, e := range answer.List {
		w.Printf("%s\n", red.On(e.Error()))
		c.writeOpenable(w, e.Position, "  ")
		if src, ok := source(e.Position); ok {
			w.Excerpt(src, e.Position.Line, e.Position.Column, "  ")
		}
		c.writeRelated(w, e.Related)
		w.HintAt("  ", e.Hint)
	}
	for _, n := range answer.Notes {
		w.Printf("%s\n", yellow.On(noteText(n)))
		c.writeOpenable(w, n.Position, "  ")
	}
	w.Printf("%s, %s\n", plural(answer.Checked, "prompt file"), plural(len(answer.List), "error"))
}

func (c *console) promptGraphCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "graph [FILE...]",
		short: "Show which prompt files include which",
		long: `Show for each prompt file that none of the others includes what it includes, and
where. Without FILE all prompt files of the project, the user and the installed
packs are taken.`,
		examples: "  cento prompt graph\n  cento prompt graph '$builtin/default' --json",
		answers:  answer[app.PromptGraph](),
		run: func(cmd *cobra.Command, args []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			g, err := p.Graph(args...)
			if err != nil {
				return err
			}
			if len(g.Roots) == 0 {
				c.err.Say("there is no prompt file of the project, the user or a pack")
				c.err.Hint("name one, as in cento prompt graph '$builtin/default'")
			}
			if c.json {
				return c.printJSON(g)
			}
			return c.print(func(w *terminal.Writer) {
				for _, r := range g.Roots {
					w.Printf("%s\n", bold.On(r))
					c.writeLinks(w, g, r, "  ")
				}
			})
		},
	}
	f.registerProject(c, cmd, "")
	cmd.values = c.completePrompts(&f)
	return cmd
}

// maxGraphDepth bounds how deep a chain is shown; files can't include each
// other in a circle, so it ends by itself long before.
const maxGraphDepth = 64

func (c *console) writeLinks(w *terminal.Writer, g *app.PromptGraph, from, by string) {
	for _, l := range g.Links {
		if l.From != from {
			continue
		}
		place := dim.On(l.Position.String())
		switch {
		case l.Dynamic:
			w.Printf("%s%s a name that is known only when rendering  %s\n", by, l.Kind, place)
		case len(l.To) == 0:
			w.Printf("%s%s nothing that there is  %s\n", by, l.Kind, place)
		}
		for _, to := range l.To {
			w.Printf("%s%s %s  %s\n", by, l.Kind, to, place)
			if len(by) < 2*maxGraphDepth {
				c.writeLinks(w, g, to, by+"  ")
			}
		}
	}
}
