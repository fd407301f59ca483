package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) skillsCommand() *command {
	cmd := &command{
		use:   "skills",
		short: "List, show and check Agent Skills",
		long: `A skill is a folder with a SKILL.md, which says what it does and, once it is active,
how. Skills lie in .cento/skills, .claude/skills and .agents/skills: in your home
folder, in skills beside your config.yaml, and in the folders of a project from the
one of the run up to its root. The manifest says what is done with them:
skills: auto lists them in the prompt, skills: {active: [NAME]} brings texts.`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{c.skillsListCommand(), c.skillsShowCommand(), c.skillsCheckCommand()}
	return cmd
}

// registerSkills defines the flags of commands on skills.
func (f *whatIf) registerSkills(cmd *command) {
	f.registerPlace(cmd)
	cmd.with(func(fl *flags) { fl.StringVar(&f.target, "target", "", "the target `NAME` of the manifest") })
}

func (c *console) skillsListCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "list",
		short: "List the skills that were found, and what becomes of each",
		long: `List all skills that were found: active (the text is in the prompt), usable (the
skill is listed there), shadowed (another skill of the name is used), excluded,
invalid (it has no description, or can't be read), elsewhere (it lies where
only other clients look). A + marks those whose description is listed, a - those whose
name alone is. Behind the file stand the clients that list the skill, as they were
measured: cento skills show says why another one doesn't. A skill that breaks a rule of
the specification is listed, and its row has a warning: see cento skills check. A skill
whose front matter has disable-model-invocation is not listed, and can be made active.`,
		examples: "  cento skills list\n  cento skills list --json",
		args:     noArguments,
		answers:  answer[app.Skills](),
		run: func(cmd *cobra.Command, _ []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			list, err := app.FindSkills(cmd.Context(), c.site, req)
			if list == nil {
				return err
			}
			if len(list.Skills) == 0 {
				c.err.Say("no skill was found")
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
		c.err.Say("skills are off, so none of these is in the prompt")
		c.err.Hint("give cento.yaml skills: auto")
	}

	// What is said of a skill stands in its row.
	c.tellNotes(slices.DeleteFunc(slices.Clone(list.Notes), func(n cento.Note) bool {
		return slices.ContainsFunc(list.Skills, func(x app.FoundSkill) bool { return x.Path == n.Position.File })
	}))
	var t table
	for _, x := range list.Skills {
		sign := " "
		switch {
		case x.Described:
			sign = "+"
		case x.Listed:
			sign = "-"
		}
		about := cell{Text: strings.Join(strings.Fields(x.Description), " ")}
		switch {
		case x.Reason != "":
			about = cell{Text: x.Reason, Paint: skillPaint(x)}
		case x.Warning != "":
			about = cell{Text: "warning: " + x.Warning, Paint: yellow}
		}
		t.Add(cell{Text: sign}, cell{Text: x.Name, Paint: bold}, cell{Text: string(x.Status), Paint: skillPaint(x)},
			cell{Text: x.Trust.String(), Paint: dim}, cell{Text: x.Path, Paint: dim}, cell{Text: x.Clients.ListedBy()}, about)
	}
	c.tellCut(list)
	return c.print(func(w *terminal.Writer) { w.Table(&t) })
}

// tellCut says which clients list skills by name alone, because their list has a limit.
func (c *console) tellCut(list *app.Skills) {
	for _, l := range list.Clients {
		if text := l.CutText(); text != "" {
			c.err.Say("%s", text)
		}
	}
}

// skillPaint is the colour of what became of a skill.
func skillPaint(x app.FoundSkill) paint {
	return map[string]paint{"active": green, "shadowed": yellow, "excluded": dim, "invalid": red}[string(x.Status)]
}

func (c *console) skillsShowCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "show NAME",
		short: "Show what a skill says of itself, and its text",
		long: `Show the front matter of a skill and the text that is in the prompt when it is
active. Of several skills of the name it is the one that is used.`,
		examples: "  cento skills show pdf-forms\n  cento skills show pdf-forms --json",
		args:     oneListed("the name of a skill", "show one at a time", "cento skills"),
		answers:  answer[app.SkillText](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			x, err := app.ShowSkill(cmd.Context(), c.site, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(x)
			}
			return c.print(func(w *terminal.Writer) { c.writeSkill(w, x) })
		},
	}
	f.registerSkills(cmd)
	cmd.values = c.completeSkills(&f)
	return cmd
}

func (c *console) writeSkill(w *terminal.Writer, x *app.SkillText) {
	row := func(name, value string) {
		if value != "" {
			w.Printf("%s %s\n", dim.On(fmt.Sprintf("%-17s", name)), value)
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
	for _, r := range x.Clients {
		row("in "+r.Client, r.String())
	}
	w.Printf("\n%s", terminal.Text(x.Text))
}

func (c *console) skillsCheckCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "check [NAME...]",
		short: "Hold skills to the rules of the Agent Skills specification",
		long: `Read skills as a whole, those of the names or all, and report every rule that one
breaks. The exit code is 1 if a skill breaks a rule. Cento lists such a skill all the
same, unless it has no description or can't be read. Advice breaks no rule.`,
		examples: "  cento skills check\n  cento skills check pdf-forms --json",
		answers:  answer[app.SkillsCheck](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer, err := app.CheckSkills(cmd.Context(), c.site, req, args)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(answer)
			} else {
				err = c.print(func(w *terminal.Writer) { c.writeSkillsCheck(w, answer) })
			}
			if err == nil && !answer.OK {
				err = errNo
			}
			return err
		},
	}
	f.registerSkills(cmd)
	cmd.values = c.completeSkills(&f)
	return cmd
}

func (c *console) writeSkillsCheck(w *terminal.Writer, answer *app.SkillsCheck) {
	if len(answer.Skills) == 0 {
		w.Printf("no skill was found\n")
		return
	}
	bad, unusable := 0, 0
	for _, x := range answer.Skills {
		if !x.OK {
			bad++
			w.Printf("%s is listed by %s\n", x.Path, x.Clients.ListedBy())
		}
		if !x.Usable {
			unusable++
		}
		for _, e := range cento.SourceErrors(x.Err) {
			w.Printf("%s %s\n", red.On("error "), e.Error())
			w.HintAt("  ", e.Hint)
		}
		for _, n := range x.Advice {
			w.Printf("%s %s\n", yellow.On("advice"), noteText(n))
		}
	}
	w.Printf("%s: %d with an error, %d that Cento can't use\n", plural(len(answer.Skills), "skill"), bad, unusable)
	for _, l := range answer.Clients {
		if text := l.CutText(); text != "" {
			w.Printf("%s\n", text)
		}
	}
}

// completeSkills proposes the names of skills.
func (c *console) completeSkills(f *whatIf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		const no = cobra.ShellCompDirectiveNoFileComp
		req, err := c.request(cmd.Context(), f)
		if err != nil {
			return nil, no
		}
		site, err := app.Locate(req)
		if err != nil {
			return nil, no
		}
		list, _ := app.FindSkills(cmd.Context(), site, req) // what it says of errors, the command says too
		if list == nil {
			return nil, no
		}
		var names []string
		for _, x := range list.Skills {
			if !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		return names, no
	}
}
