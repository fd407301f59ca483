package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/skill"
)

func (c *console) skillsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "List, show and check Agent Skills",
		Long: `A skill is a folder with a SKILL.md, which says what it does and, once it is active,
how. Skills lie in .cento/skills, .claude/skills and .agents/skills: in your home
folder, in skills beside your config.yaml, and in the folders of a project from the
one of the run up to its root. The manifest says what is done with them:
skills: auto lists them in the prompt, skills: {active: [NAME]} brings texts.`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(c.skillsListCommand(), c.skillsShowCommand(), c.skillsCheckCommand())
	return cmd
}

// registerSkills defines the flags of commands on skills.
func (f *whatIf) registerSkills(cmd *cobra.Command) {
	f.registerPlace(cmd)
	cmd.Flags().StringVar(&f.target, "target", "", "the target `NAME` of the manifest")
}

func (c *console) skillsListCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the skills that were found, and what becomes of each",
		Long: `List all skills that were found: active (the text is in the prompt), usable (the
skill is listed there), shadowed (another skill of the name is used), excluded,
invalid (it breaks a rule, see cento skills check). A + marks those whose
description is listed, a - those whose name alone is.`,
		Example: "  cento skills list\n  cento skills list --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			list, err := app.FindSkills(cmd.Context(), c.place, req)
			if list == nil {
				return err
			}
			var shown error
			if c.json {
				shown = c.printJSON(list)
			} else {
				shown = c.printSkills(list)
			}
			if shown != nil {
				return shown
			}
			return err
		},
	}
	f.registerSkills(cmd)
	return cmd
}

func (c *console) printSkills(list *app.Skills) error {
	if !list.On && len(list.Skills) > 0 {
		c.say("skills are off, so none of these is in the prompt")
		c.hint("give cento.yaml skills: auto")
	}
	colours := map[skill.Status]paint{skill.Active: green, skill.Usable: "", skill.Shadowed: yellow, skill.Excluded: dim, skill.Invalid: red}
	var t table
	for _, x := range list.Skills {
		sign := " "
		switch {
		case x.Described:
			sign = "+"
		case x.Listed:
			sign = "-"
		}
		about := cell{text: app.PrintableLine(strings.Join(strings.Fields(x.Description), " "))}
		if x.Reason != "" {
			about = cell{text: app.PrintableLine(x.Reason), paint: colours[x.Status]}
		}
		t.add(cell{text: sign}, cell{text: app.PrintableLine(x.Name), paint: bold}, cell{text: string(x.Status), paint: colours[x.Status]},
			cell{text: x.Trust.String(), paint: dim}, cell{text: app.PrintableLine(x.Path), paint: dim}, about)
	}
	return c.print(func(w io.Writer) error {
		if len(list.Skills) == 0 {
			_, err := fmt.Fprintln(w, "no skill was found")
			return err
		}
		return t.write(c, w)
	})
}

func (c *console) skillsShowCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a skill says of itself, and its text",
		Long: `Show the front matter of a skill and the text that is in the prompt when it is
active. Of several skills of the name it is the one that is used.`,
		Example: "  cento skills show pdf-forms\n  cento skills show pdf-forms --json",
		Args:    oneArgument("the name of a skill", "show one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			x, err := app.ShowSkill(cmd.Context(), c.place, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(x)
			}
			return c.print(func(w io.Writer) error { return c.writeSkill(w, x) })
		},
	}
	f.registerSkills(cmd)
	cmd.ValidArgsFunction = c.completeSkills(&f)
	return cmd
}

func (c *console) writeSkill(w io.Writer, x *app.SkillText) error {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s %s\n", c.paint(dim, fmt.Sprintf("%-13s", name)), app.PrintableLine(value))
		}
	}
	row("name", x.Name)
	row("description", strings.Join(strings.Fields(x.Description), " "))
	row("status", string(x.Status))
	row("reason", x.Reason)
	row("file", x.Path)
	row("trust", x.Trust.String())
	row("license", x.License)
	row("compatibility", strings.Join(strings.Fields(x.Compatibility), " "))
	row("allowed tools", strings.Join(x.AllowedTools, ", "))
	for _, key := range slices.Sorted(maps.Keys(x.Metadata)) {
		row("metadata", key+": "+x.Metadata[key])
	}
	_, err := fmt.Fprintf(w, "\n%s", app.Printable(x.Text))
	return err
}

func (c *console) skillsCheckCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Hold skills to the rules of the Agent Skills specification",
		Long: `Read skills as a whole, those of the names or all, and tell every rule that one
breaks: a skill that does is not used. The exit code is 1 when there is one. Advice
keeps no skill from being used.`,
		Example: "  cento skills check\n  cento skills check pdf-forms --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer, err := app.CheckSkills(cmd.Context(), c.place, req, args)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(answer)
			} else {
				err = c.print(func(w io.Writer) error { return c.writeSkillsCheck(w, answer) })
			}
			if err == nil && !answer.OK {
				err = errNo
			}
			return err
		},
	}
	f.registerSkills(cmd)
	cmd.ValidArgsFunction = c.completeSkills(&f)
	return cmd
}

func (c *console) writeSkillsCheck(w io.Writer, answer *app.SkillsCheck) error {
	if len(answer.Skills) == 0 {
		_, err := fmt.Fprintln(w, "no skill was found")
		return err
	}
	bad := 0
	for _, x := range answer.Skills {
		if !x.OK {
			bad++
		}
		for _, e := range app.SourceErrors(x.Err) {
			fmt.Fprintf(w, "%s %s\n", c.paint(red, "error "), app.PrintableLine(e.Error()))
			if e.Hint != "" {
				fmt.Fprintf(w, "  hint: %s\n", app.PrintableLine(e.Hint))
			}
		}
		for _, n := range x.Advice {
			fmt.Fprintf(w, "%s %s\n", c.paint(yellow, "advice"), app.PrintableLine(noteText(n)))
		}
	}
	_, err := fmt.Fprintf(w, "%s, %d of them can't be used\n", plural(len(answer.Skills), "skill"), bad)
	return err
}

// completeSkills proposes the names of skills.
func (c *console) completeSkills(f *whatIf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		const no = cobra.ShellCompDirectiveNoFileComp
		req, err := c.request(cmd.Context(), f)
		if err != nil {
			return nil, no
		}
		place, err := project.Locate(req)
		if err != nil {
			return nil, no
		}
		list, _ := app.FindSkills(cmd.Context(), place, req) // what it says of errors, the command says too
		if list == nil {
			return nil, no
		}
		var names []string
		for _, x := range list.Skills {
			if x.Name == app.PrintableLine(x.Name) && !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		return names, no
	}
}
