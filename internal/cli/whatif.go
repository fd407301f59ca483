package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
)

// whatIf is the flags of every command that assembles: which project, and what
// is different from what its files say.
type whatIf struct {
	cwd, file, target, toolsFile, model string
	clock, timezone                     string
	budget                              string
	budgetFlag                          string // that it was given by; empty for --budget
	tools, withoutTools                 []string
	caps, withoutCaps                   []string
	skills                              []string
	vars                                []string
	// notesShown: the result has the notes on the input, so stderr need not.
	notesShown bool
	mcp        string
	frozen     bool
	allowMCP   bool
}

// register defines the flags on a command. They change what is assembled.
func (f *whatIf) register(c *console, cmd *command) {
	f.registerProject(c, cmd, "")
	cmd.with(func(fl *flags) {
		fl.activeTools(&f.tools, "tool", "active tools, instead of all that are defined: `NAME`, repeatable")
		fl.names(&f.withoutTools, "without-tool", "a tool that is not active: `NAME`, repeatable")
		fl.names(&f.caps, "cap", "a capability that is set as well: `NAME`, repeatable")
		fl.names(&f.withoutCaps, "without-cap", "a capability that is not set: `NAME`, repeatable")
		f.registerBudget(fl, "")
		fl.complete(c.complete(f, toolNames), "tool", "without-tool")
		fl.complete(c.complete(f, (*app.Project).CapNames), "cap", "without-cap")
	})
}

func (f *whatIf) registerBudget(fl *flags, on string) {
	fl.StringVar(&f.budget, "budget", "", "how many tokens the request may take, instead of the manifest's budget"+on+": `N`, or a part of what the model takes in such as 20%")
}

// registerProject defines the flags that say which project is read, and what
// is read instead of its files.
func (f *whatIf) registerProject(c *console, cmd *command, on string) {
	cmd.args = c.orTarget(f, cmd.args)
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		fl.StringVar(&f.target, "target", "", "the target `NAME` of the manifest"+on)
		fl.StringVar(&f.toolsFile, "tools", "", "tool definitions instead of the manifest's: a JSON or YAML `FILE`, - for stdin")
		f.registerServers(fl)
		fl.names(&f.skills, "skill", "active skills, instead of those of the manifest: `NAME`, repeatable")
		fl.StringVar(&f.model, "model", "", "the model `NAME` that the prompt is for")
		fl.StringVar(&f.clock, "clock", "", "the `TIME` that prompt files see, as in 2006-01-02T15:04:05Z; default now")
		fl.StringVar(&f.timezone, "timezone", "", "the time `ZONE` that prompt files see, as in Europe/Paris; default UTC")
		fl.StringArrayVar(&f.vars, "var", nil, "a variable of prompt files and conditions: `NAME=VALUE`, repeatable")
		fl.complete(c.complete(f, targetNames), "target")
	})
}

// orTarget is a check of arguments that knows when a target was meant by one that
// is too many.
func (c *console) orTarget(f *whatIf, check cobra.PositionalArgs) cobra.PositionalArgs {
	if check == nil {
		return nil
	}
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if use, ok := errors.AsType[*useError](err); ok && len(args) > 0 && f.target == "" {
			targets, _ := c.complete(f, targetNames)(cmd, nil, "") // a manifest that can't be read has none
			if near := app.NearestName(args[0], targets); slices.Contains(targets, args[0]) || near != "" {
				use.hint = fmt.Sprintf("did you mean `%s --target %s`?", cmd.CommandPath(), app.Quoted(cmp.Or(near, args[0])))
			}
		}
		return err
	}
}

// open reads the project that the flags name, once.
func (c *console) open(ctx context.Context, f *whatIf) (*app.Project, error) {
	req, err := c.request(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := c.locate(req); err != nil {
		return nil, err
	}
	p, err := app.Open(ctx, c.site, req)
	if err != nil {
		return nil, err
	}
	c.tellOpened(f, p)
	return p, nil
}

// tellOpened tells what there is to say of a project that was read.
func (c *console) tellOpened(f *whatIf, p *app.Project) {
	c.remark(p.Summary())
	c.notes, c.told = nil, nil // with --watch there were others before
	c.gather(p.Notes(p.Input.Notes))
	if !f.notesShown {
		c.tellNotes(p.Remarks())
	}
}

// reduce makes the prompt of an input of an open project, and tells what assembling
// it has to say. What collecting had to say was told by then.
func (c *console) reduce(f *whatIf, p *app.Project, in cento.Input) (*cento.Prompt, error) {
	prompt, err := p.Reduce(in)
	if err == nil {
		c.gather(p.Notes(prompt.Notes()))
	}
	if err == nil && !f.notesShown {
		c.tellNotes(prompt.Notes()[len(in.Notes):])
	}
	return prompt, err
}

// request says how the project is read. With --watch the flags and the environment are
// asked once, but for the clock.
func (c *console) request(ctx context.Context, f *whatIf) (req app.Request, err error) {
	x := c.watched
	if x == nil || x.request == nil {
		if req, err = c.requested(ctx, f); err == nil && x != nil {
			x.request = &req
		}
	} else {
		req = *x.request
		req.Now, err = f.now()
	}
	req.Disk = c.disk()
	c.asked, c.path = req, nil
	return req, err
}

func (c *console) requested(ctx context.Context, f *whatIf) (app.Request, error) {
	env, err := app.Environment()
	if err != nil {
		return app.Request{}, err
	}
	req := app.Request{
		Dir: env.Dir, Home: env.Home, Config: env.Config, Clients: env.Clients, Manifest: f.file, Target: f.target, Model: f.model,
		Skills: f.skills, AllowMCP: f.allowMCP, Frozen: f.frozen, Env: app.CredentialNames(),
	}
	if err := c.servers(&req, f, env); err != nil {
		return req, err
	}
	if f.budget != "" {
		if req.Budget, err = app.ParseBudget(f.budget); err != nil {
			return req, wrongUse("write it as a number of tokens, or as 20%", "--%s: %w", cmp.Or(f.budgetFlag, "budget"), err)
		}
	}
	if req.Now, err = f.now(); err != nil {
		return req, err
	}
	if f.cwd != "" {
		if req.Dir, err = workFolder("--cwd", f.cwd); err != nil {
			return req, err
		}
	}
	if req.Assignments, err = assignments(f.vars); err != nil {
		return req, err
	}
	switch f.toolsFile {
	case "":
	case "-":
		text, err := c.readAll(ctx, "the tools")
		if err != nil {
			return req, err
		}
		req.ToolsName, req.ToolsText = "<stdin>", text
	default:
		req.ToolsName = f.toolsFile
	}
	return req, nil
}

// workFolder checks the folder that a flag names.
func workFolder(flag, dir string) (string, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", wrongUse(app.FolderHint(dir, err), "%s %s: %w", flag, dir, tree.WithoutPath(err))
	case !info.IsDir():
		return "", wrongUse("", "%s %s: not a folder", flag, dir)
	}
	return filepath.Abs(dir)
}

// changes words what the flags change, but for the target. Of variables it has
// the names: a value that is in no text is nobody's to read.
func (f *whatIf) changes() []string {
	var out, vars []string
	for _, v := range f.vars {
		name, _, _ := strings.Cut(v, "=")
		vars = append(vars, name)
	}
	for _, c := range []struct {
		words string
		names []string
	}{
		{"only the tools", f.tools}, {"without the tools", f.withoutTools},
		{"with the capabilities", f.caps}, {"without the capabilities", f.withoutCaps},
		{"only the skills", f.skills}, {"another value of", vars},
	} {
		if len(c.names) > 0 {
			words := c.words
			if len(c.names) == 1 {
				words = strings.NewReplacer("capabilities", "capability", "tools", "tool", "skills", "skill").Replace(words)
			}
			out = append(out, words+" "+strings.Join(c.names, ", "))
		}
	}
	if f.budget != "" {
		out = append(out, "a budget of "+f.budget)
	}
	if f.toolsFile != "" {
		out = append(out, "tools of "+f.toolsFile)
	}
	return out
}

// active is what the flags change of the active set.
func (f *whatIf) active() app.WhatIf {
	return app.WhatIf{Tools: f.tools, WithoutTools: f.withoutTools, Caps: f.caps, WithoutCaps: f.withoutCaps}
}

// input is the project's input with what the flags change, and the notes on that.
func (f *whatIf) input(c *console, p *app.Project) cento.Input {
	in, remarks := p.WhatIf(f.active())
	return app.Noted(in, c.tellRemarks(remarks))
}

// tellRemarks says what there is to say about the names that flags give, and gives the
// notes on them, which the answer has. Two sides of a comparison have the same flags, and
// one word on each is enough.
func (c *console) tellRemarks(remarks []app.Remark) []cento.Note {
	notes := app.RemarkNotes(remarks)
	c.gather(notes)
	for i, r := range remarks {
		c.tells(notes[i])
		if c.err.SayOnce("%s %s%s", flagOf(r), r.Name, r.Says) {
			c.err.Hint(cmp.Or(r.Hint, r.FlagHint))
		}
	}
	return notes
}

// noteModel tells what there is to say of a model where no project is read.
func (c *console) noteModel(name string) {
	notes := app.ModelNotes(name)
	c.gather(notes)
	c.tellNotes(notes)
}

// assemble makes the prompt that the flags ask for.
func (c *console) assemble(ctx context.Context, f *whatIf) (*app.Project, *cento.Prompt, error) {
	p, err := c.open(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	prompt, err := c.reduce(f, p, f.input(c, p))
	return p, prompt, err
}

// now is the clock for prompt files.
func (f *whatIf) now() (time.Time, error) {
	now := time.Now().UTC()
	if f.clock != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, f.clock); err != nil {
			return now, wrongUse("write it as 2006-01-02T15:04:05Z", "--clock %s is not a time", f.clock)
		}
	}
	if f.timezone != "" {
		zone, err := time.LoadLocation(f.timezone)
		if err != nil {
			return now, wrongUse("write it as Europe/Paris, or UTC", "--timezone %s is not a time zone known here", f.timezone)
		}
		now = now.In(zone)
	}
	return now, nil
}

// assignments parts the values of --var.
func assignments(list []string) ([]app.Assignment, error) {
	var out []app.Assignment
	for _, v := range list {
		name, value, ok := strings.Cut(v, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, wrongUse("write it as --var name=value", "--var %s is no assignment", v)
		}
		out = append(out, app.Assignment{Name: strings.TrimPrefix(name, "vars."), Value: value})
	}
	return out, nil
}
