package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) initCommand() *command {
	var show, here, imports bool
	var cwd, layer string
	var services []string
	cmd := &command{
		use:   "init",
		short: "Write a cento.yaml to start from",
		long: `Write a cento.yaml that says what holds without one: the built-in instruction,
the project as scope, its AGENTS.md, its profile. It belongs beside the project's
.cento folder when there is one, else into the current folder. A file that is
there is never overwritten.

The prompt stays the same to the byte. With --import the manifest also refers to the
files of other clients that the project instructions don't have, such as GEMINI.md or
.cursor/rules, and the tokens that they add are printed. A file that its client reads
under a condition, such as globs, is not imported, and a line names the condition.

In a part of a project, where it begins above, nothing is written without --here.

With --layer it has a layer to go on from as well, and the sections that layers
make stand in the prompt instead of the built-in instruction.

With --ci it writes no cento.yaml, but files that hold the prompts to their checks,
tests and outputs, and tell in a comment on a pull or merge request how they change:
a workflow of GitHub Actions, jobs of GitLab CI and a git hook, or those that are
named, as in --ci=github. They stand at the root of the git repository. When one is
there already with other bytes, none is written.`,
		examples: `  cento init
  cento init --layer team
  cento init --import
  cento init --print
  cento init --ci=github,hook`,
		args: func(cmd *cobra.Command, args []string) error {
			if names, err := app.ParseCIServices(args); err == nil && len(args) > 0 && cmd.Flags().Changed("ci") {
				return wrongUse(fmt.Sprintf("cento init --ci=%s", names[0]), "the services of --ci are named behind a sign of equality")
			}
			return noArguments(cmd, args)
		},
		answers: append(answer[app.Starter](), answer[app.CIFiles]()...),
		run: func(cmd *cobra.Command, _ []string) error {
			if c.outPath != "" && !show && !c.json {
				if cmd.Flags().Changed("ci") {
					return wrongUse("cento init --ci --print -o "+app.Quoted(c.outPath), "init --ci writes files and has no other result")
				}
				return wrongUse("cento init --print -o "+app.Quoted(c.outPath), "init writes cento.yaml and has no other result")
			}
			env, err := app.Environment()
			if err != nil {
				return err
			}
			if cwd != "" {
				if env.Dir, err = workFolder("--cwd", cwd); err != nil {
					return err
				}
			}
			if cmd.Flags().Changed("ci") {
				if here || imports || cmd.Flags().Changed("layer") {
					return wrongUse("leave --ci out, and run it once more with --ci", "--ci writes no cento.yaml")
				}
				return c.initCI(env, services, show)
			}
			starter, err := app.NewStarter(cmd.Context(), env, imports)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("layer") {
				if starter, err = starter.WithLayer(layer); err != nil {
					return wrongUse("as in cento init --layer team", "%w", err)
				}
			}
			return c.writeStarter(starter, starterPlace{here: here, show: show})
		},
	}
	cmd.with(func(fl *flags) {
		fl.BoolVar(&show, "print", false, "print what would be written")
		fl.BoolVar(&here, "here", false, "write into this folder, though the project begins above it")
		fl.BoolVar(&imports, "import", false, "refer to the files of other clients that can be imported")
		fl.Var(names{list: &services}, "ci", "write files for CI instead: of all `SERVICES`, or of those that are named, github, gitlab, hook")
		fl.Lookup("ci").NoOptDefVal = "all"
		fl.completeWords("ci", app.CIServices()...)
		fl.StringVar(&layer, "layer", "", "begin with a layer of this `NAME`, as in team")
		fl.StringVar(&cwd, "cwd", "", "work as if started in `DIR`")
	})
	return cmd
}

// starterPlace is what a flag says of where a starter goes.
type starterPlace struct {
	here bool // though the project begins above
	show bool // nowhere but to stdout
}

// writeStarter writes a manifest to start from, or shows it.
func (c *console) writeStarter(starter *app.Starter, p starterPlace) error {
	if starter.Above != "" && !p.here && !p.show {
		return wrongUse("write it there with `cento init --cwd "+app.Quoted(above(starter.Above))+"`, or one for this folder alone with `cento init --here`",
			"this folder is a part of the project of %s", starter.Above)
	}
	if _, err := os.Lstat(starter.Path); err == nil && !p.show {
		return there(starter.Path)
	}
	if starter.Above != "" {
		c.err.Say("this folder is a part of the project of %s", starter.Above)
	}
	c.tellImports(starter)
	if p.show {
		return c.printStarter(starter)
	}
	switch err := createFile(starter.Path, starter.Manifest, 0o644); {
	case errors.Is(err, os.ErrExist):
		return there(starter.Path)
	case err != nil:
		return writing(starter.Path, err)
	}
	starter.Written = true
	c.err.Say("wrote %s; see it at work with `cento explain`", starter.Path)
	if c.json {
		return c.printStarter(starter)
	}
	return nil
}

// initCI writes the files that hold prompts to what they have to be, or shows them.
func (c *console) initCI(env app.Environ, names []string, show bool) error {
	services, err := app.ParseCIServices(names)
	if err != nil {
		return wrongUse("as in cento init --ci=github", "--ci: %w", err)
	}
	files, err := app.NewCIFiles(env, services)
	if err != nil {
		return err
	}
	if !show {
		if err := files.Write(); err != nil {
			return err
		}
		c.tellCI(files)
	}
	switch {
	case c.json:
		return c.printJSON(files)
	case show:
		return c.print(func(w *terminal.Writer) {
			for _, f := range files.Files {
				w.Printf("==> %s <==\n", f.Path)
				w.Exact(f.Text)
			}
		})
	}
	return nil
}

// tellCI says what was written, and what is left to do.
func (c *console) tellCI(files *app.CIFiles) {
	for _, f := range files.Files {
		if f.Written {
			c.err.Say("wrote %s", f.Path)
		} else {
			c.err.Say("%s is there already, with the same bytes", f.Path)
		}
		if f.Executable {
			c.err.Hint("let git run it in this clone: git config core.hooksPath " + path.Dir(f.Path))
		}
	}
	if files.Include {
		c.err.Say(".gitlab-ci.yml is there, and doesn't name .gitlab/cento.yml")
		c.err.Hint("add to it: include: [{local: .gitlab/cento.yml}]")
	}
}

// there is the error of a manifest that init doesn't overwrite.
func there(path string) error {
	return wrongUse("see what would be written with `cento init --print`", "%s is there already, and stays as it is", path)
}

// above is the folder of a manifest, or the folder that is named.
func above(name string) string {
	if filepath.Base(name) == app.ManifestName {
		return filepath.Dir(name)
	}
	return name
}

// tellImports says what became of each file of other clients.
func (c *console) tellImports(starter *app.Starter) {
	left := 0
	for _, x := range starter.Imports {
		switch x.Status {
		case app.ImportAdded:
			c.err.Say("%s: imported as the fragment %s, %s", x.Path, x.Fragment, plural(x.Bytes, "byte"))
		case app.ImportLeft:
			left++
			c.err.Say("%s: not in the prompt, as without a manifest", x.Path)
		default:
			c.err.Say("%s: %s: %s", x.Path, x.Status, x.Reason)
		}
		if len(x.Names) == 0 {
			continue
		}
		c.err.Say("%s: it names @%s, which the prompt doesn't have", x.Path, strings.Join(x.Names, ", @"))
		if x.Status == app.ImportLoaded {
			c.err.Hint("write project: {imports: true} into cento.yaml, and what it names stands in its place")
		} else {
			c.err.Hint("add a fragment for it, as in - {id: style, file: " + x.Names[0] + "}")
		}
	}
	if left > 0 {
		c.err.Hint("see what would refer to " + plural(left, "file") + ": cento init --import --print")
	}
	if starter.AddedTokens != 0 {
		c.err.Say("the imported files add ~%d tokens to the prompt", starter.AddedTokens)
	}
}

func (c *console) printStarter(s *app.Starter) error {
	if c.json {
		return c.printJSON(s)
	}
	return c.printText(s.Manifest)
}

func (c *console) scopeCommand() *command {
	cmd := &command{
		use:   "scope",
		short: "What the agent may read and write",
		args:  c.subcommand,
		run:   showHelp,
	}
	var f sessionFlags
	var id string
	check := &command{
		use:   "check PATH...",
		short: "Tell the permission at a path, and the rules that decide it",
		long: `Tell for each path whether the agent may read or write there, and which rules
decide. The exit code is 1 when a path has no permission at all.

With --session the rules are those that the session has kept since its prompt was
made, which the prompt tells, whatever the files say now.`,
		examples: `  cento scope check src/main.go
  cento scope check --json . /etc/passwd
  cento scope check --session s1 src/main.go`,
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUse("cento scope check .", "cento scope check wants one or more paths")
			}
			return nil
		},
		answers: answer[app.ScopeAnswer](),
		ends:    atOnce,
		run: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if path == "~" || strings.HasPrefix(path, "~/") {
					c.err.Say("%q is taken for a path in the current folder: ~ is not the home folder here", path)
					c.err.Hint("leave the quotes out, and the shell puts the home folder in")
				}
			}
			answer, err := c.checkScope(cmd, &f, id, args)
			switch {
			case err != nil:
				return err
			case c.json:
				err = c.printJSON(answer)
			default:
				err = c.printScope(id, answer)
			}
			if err == nil && answer.Forbidden() {
				err = errNo
			}
			return err
		},
	}
	f.register(c, check)
	check.with(func(fl *flags) {
		fl.StringVar(&id, "session", "", "by the rules of this `SESSION`")
		fl.StringVar(&f.store, "store", "", "the store of the session: a file, or the address of a PostgreSQL database (`DSN`)")
	})
	cmd.below = []*command{check}
	return cmd
}

// checkScope asks the project, or a session.
func (c *console) checkScope(cmd *cobra.Command, f *sessionFlags, id string, paths []string) (answer *app.ScopeAnswer, err error) {
	ofSession, err := f.instead(cmd, "rules")
	if err != nil {
		return nil, err
	}
	if !ofSession {
		p, err := c.open(cmd.Context(), &f.whatIf)
		if err != nil {
			return nil, err
		}
		return p.CheckScope(paths), nil
	}
	err = c.onSessions(cmd.Context(), f, app.Reads, func(s *app.Sessions) error {
		answer, err = s.CheckScope(cmd.Context(), id, paths)
		return err
	})
	return answer, err
}

func (c *console) printScope(session string, answer *app.ScopeAnswer) error {
	switch {
	case !answer.Configured && session != "":
		c.err.Say("session %s keeps no rules, so nothing is permitted anywhere as far as it knows", session)
		c.err.Hint("its scope is off, its prompt is made anew in each turn, or it was begun without them: cento session rematerialise keeps those of the files")
	case !answer.Configured:
		c.err.Say("the scope is off, so nothing is permitted anywhere, and the prompt says nothing about it")
		c.err.Hint("take scope: off out of cento.yaml")
	}
	var t table
	for _, x := range answer.Paths {
		colour := green
		if !x.Permitted() {
			colour = red
		}
		permission := cell{Text: x.Permission.String(), Paint: colour}
		path := cell{Text: x.Path}
		rules := x.RuleTexts()
		if len(rules) == 0 {
			rules = []string{"no rule allows it"}
		}
		for _, r := range rules {
			t.Add(permission, path, cell{Text: r, Paint: dim})
			permission, path = cell{}, cell{}
		}
	}
	return c.print(func(w *terminal.Writer) { w.Table(&t) })
}
