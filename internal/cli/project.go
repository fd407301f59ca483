package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) initCommand() *cobra.Command {
	var show, here bool
	var cwd, layer string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a cento.yaml to start from",
		Long: `Write a cento.yaml that says what holds without one: the built-in instruction,
the project as scope, its AGENTS.md, its profile. It belongs beside the project's
.cento folder when there is one, else into the current folder. A file that is
there is never overwritten.

What other clients are told is taken along: CLAUDE.md, GEMINI.md, .cursorrules,
.cursor/rules, .windsurfrules and .github/copilot-instructions.md become fragments,
whole, unless the project instructions have the text already. The files stay.

In a part of a project, where it begins above, nothing is written without --here.

With --layer it has a layer to go on from as well, and the sections that layers
make stand in the prompt instead of the built-in instruction.`,
		Example: `  cento init
  cento init --layer team
  cento init --print`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.outPath != "" && !show && !c.json {
				return wrongUse("cento init --print -o "+quoted(c.outPath), "init writes cento.yaml and has no other result")
			}
			env, err := app.Environment()
			if err != nil {
				return err
			}
			if cwd != "" {
				if env.Dir, err = workFolder(cwd); err != nil {
					return err
				}
			}
			starter, err := app.NewStarter(env)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("layer") {
				if starter, err = starter.WithLayer(layer); err != nil {
					return wrongUse("as in cento init --layer team", "%w", err)
				}
			}
			if starter.Above != "" && !here && !show {
				return wrongUse("write it there with `cento init --cwd "+quoted(above(starter.Above))+"`, or one for this folder alone with `cento init --here`",
					"this folder is a part of the project of %s", starter.Above)
			}
			if _, err := os.Lstat(starter.Path); err == nil && !show {
				return there(starter.Path)
			}
			if starter.Above != "" {
				c.say("this folder is a part of the project of %s", starter.Above)
			}
			c.tellImports(starter.Imports)
			if show {
				return c.printStarter(starter)
			}
			switch err := createFile(starter.Path, starter.Manifest); {
			case errors.Is(err, os.ErrExist):
				return there(starter.Path)
			case err != nil:
				return writing(starter.Path, err)
			}
			starter.Written = true
			c.say("wrote %s; see it at work with `cento explain`", starter.Path)
			if c.json {
				return c.printStarter(starter)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&show, "print", false, "print what would be written")
	cmd.Flags().BoolVar(&here, "here", false, "write into this folder, though the project begins above it")
	cmd.Flags().StringVar(&layer, "layer", "", "begin with a layer of this `NAME`, as in team")
	cmd.Flags().StringVar(&cwd, "cwd", "", "work as if started in `DIR`")
	return cmd
}

// there is the error of a manifest that init doesn't overwrite.
func there(path string) error {
	return wrongUse("see what would be written with `cento init --print`", "%s is there already, and stays as it is", path)
}

// above is the folder of a manifest, or the folder that is named.
func above(name string) string {
	if filepath.Base(name) == project.FileName {
		return filepath.Dir(name)
	}
	return name
}

// tellImports says what became of each file of other clients.
func (c *console) tellImports(files []app.Import) {
	for _, x := range files {
		switch x.Status {
		case app.ImportAdded:
			how := ""
			if x.Reason != "" {
				how = ", " + x.Reason
			}
			c.say("%s: imported as the fragment %s, %s%s", x.Path, x.Fragment, plural(x.Bytes, "byte"), how)
		default:
			c.say("%s: %s: %s", x.Path, x.Status, x.Reason)
		}
		if len(x.Names) == 0 {
			continue
		}
		c.say("%s: it names @%s, which the prompt doesn't have", x.Path, strings.Join(x.Names, ", @"))
		if x.Status == app.ImportLoaded {
			c.hint("write project: {imports: true} into cento.yaml, and what it names stands in its place")
		} else {
			c.hint("paste what is needed of it into the fragment, or name it in AGENTS.md with project: {imports: true}")
		}
	}
}

func (c *console) printStarter(s *app.Starter) error {
	if c.json {
		return c.printJSON(s)
	}
	return c.printText(s.Manifest)
}

func (c *console) scopeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scope",
		Short: "What the agent may read and write",
		Args:  c.subcommand,
		RunE:  showHelp,
	}
	var f whatIf
	check := &cobra.Command{
		Use:   "check PATH...",
		Short: "Tell the permission at a path, and the rules that decide it",
		Long: `Tell for each path whether the agent may read or write there, and which rules
decide. The exit code is 1 when a path has no permission at all.`,
		Example: `  cento scope check src/main.go
  cento scope check --json . /etc/passwd`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUse("cento scope check .", "cento scope check wants one or more paths")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer := p.CheckScope(args)
			if c.json {
				err = c.printJSON(answer)
			} else {
				err = c.printScope(answer)
			}
			if err == nil && answer.Forbidden() {
				err = errNo
			}
			return err
		},
	}
	f.register(c, check)
	cmd.AddCommand(check)
	return cmd
}

func (c *console) printScope(answer *app.ScopeAnswer) error {
	if !answer.Configured {
		c.say("no scope is configured, so nothing is permitted anywhere, and the prompt says nothing about it")
		c.hint("give cento.yaml a scope, as `cento init --print` shows")
	}
	var t table
	for _, x := range answer.Paths {
		colour := green
		if !x.Permitted() {
			colour = red
		}
		permission := cell{text: x.Permission.String(), paint: colour}
		path := cell{text: app.PrintableLine(x.Path)}
		rules := x.RuleTexts()
		if len(rules) == 0 {
			rules = []string{"no rule covers it"}
		}
		for _, r := range rules {
			t.add(permission, path, cell{text: app.PrintableLine(r), paint: dim})
			permission, path = cell{}, cell{}
		}
	}
	return c.print(func(w io.Writer) error { return t.write(c, w) })
}
