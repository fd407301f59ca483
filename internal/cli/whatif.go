package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
)

// whatIf is the flags of every command that assembles: which project, and what
// is different from what its files say.
type whatIf struct {
	cwd, file, target, toolsFile, model string
	clock, timezone                     string
	tools, withoutTools                 []string
	caps, withoutCaps                   []string
	skills                              []string
	vars                                []string
	// notesShown: the result has the notes on the input, so stderr need not.
	notesShown bool
	mcp        string
	frozen     bool
	allowMCP   bool
	// session is the layer of a session; nil for none.
	session *layer.Layer
}

// register defines the flags on a command. They change what is assembled.
func (f *whatIf) register(c *console, cmd *cobra.Command) {
	f.registerProject(c, cmd, "")
	c.withFlags(cmd, func() {
		namesFlag(cmd, &f.tools, "tool", "active tools, instead of all that are defined: `NAME`, repeatable")
		namesFlag(cmd, &f.withoutTools, "without-tool", "a tool that is not active: `NAME`, repeatable")
		namesFlag(cmd, &f.caps, "cap", "a capability that is set as well: `NAME`, repeatable")
		namesFlag(cmd, &f.withoutCaps, "without-cap", "a capability that is not set: `NAME`, repeatable")
		c.completes(cmd, f, toolNames, "tool", "without-tool")
		c.completes(cmd, f, capNames, "cap", "without-cap")
	})
}

// registerProject defines the flags that say which project is read, and what
// is read instead of its files.
func (f *whatIf) registerProject(c *console, cmd *cobra.Command, on string) {
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		fl.StringVar(&f.target, "target", "", "the target `NAME` of the manifest"+on)
		fl.StringVar(&f.toolsFile, "tools", "", "tool definitions instead of the manifest's: a JSON or YAML `FILE`, - for stdin")
		f.registerServers(cmd)
		namesFlag(cmd, &f.skills, "skill", "active skills, instead of those of the manifest: `NAME`, repeatable")
		fl.StringVar(&f.model, "model", "", "the model `NAME` that the prompt is for")
		fl.StringVar(&f.clock, "clock", "", "the `TIME` that prompt files see, as in 2006-01-02T15:04:05Z; default now")
		fl.StringVar(&f.timezone, "timezone", "", "the time `ZONE` that prompt files see, as in Europe/Paris; default UTC")
		fl.StringArrayVar(&f.vars, "var", nil, "a variable of prompt files and conditions: `NAME=VALUE`, repeatable")
		c.completes(cmd, f, targetNames, "target")
	})
}

// completes lets a shell complete the values of flags.
func (c *console) completes(cmd *cobra.Command, f *whatIf, names func(*app.Project) []string, flags ...string) {
	for _, name := range flags {
		if err := cmd.RegisterFlagCompletionFunc(name, c.complete(f, names)); err != nil {
			panic("cli: " + err.Error())
		}
	}
}

// open reads the project that the flags name, once.
func (c *console) open(ctx context.Context, f *whatIf) (*app.Project, error) {
	req, err := c.request(ctx, f)
	if err != nil {
		return nil, err
	}
	place, err := project.Locate(req)
	if err != nil {
		return nil, err
	}
	c.place = place
	p, err := app.Open(ctx, place, req)
	if err != nil {
		return nil, err
	}
	c.say("%s", p.Summary())
	c.noteModel(f.model)
	if !f.notesShown {
		c.tellNotes(p.Remarks())
	}
	return p, nil
}

func (c *console) request(ctx context.Context, f *whatIf) (project.Request, error) {
	env, err := app.Environment()
	if err != nil {
		return project.Request{}, err
	}
	req := project.Request{
		Dir: env.Dir, Home: env.Home, Config: env.Config, Clients: env.Clients, Manifest: f.file, Target: f.target, Model: f.model,
		Skills: f.skills, AllowMCP: f.allowMCP, Frozen: f.frozen, Env: app.CredentialNames(),
	}
	if err := c.servers(&req, f, env); err != nil {
		return req, err
	}
	req.Session = f.session
	if req.Now, err = f.now(); err != nil {
		return req, err
	}
	if f.cwd != "" {
		if req.Dir, err = workFolder(f.cwd); err != nil {
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

// workFolder checks the folder of --cwd.
func workFolder(dir string) (string, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", wrongUse("", "--cwd %s: %w", dir, withoutPath(err))
	case !info.IsDir():
		return "", wrongUse("", "--cwd %s: not a folder", dir)
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
	if f.toolsFile != "" {
		out = append(out, "tools of "+f.toolsFile)
	}
	return out
}

// input is the project's input with what the flags change.
func (f *whatIf) input(c *console, p *app.Project) cento.Input {
	in := p.Input
	if len(f.tools) > 0 {
		c.noteUndefined(in, "--tool", f.tools)
		in = in.WithTools(f.tools...)
	}
	in = c.withoutTools(in, f.withoutTools)
	return c.withoutCaps(c.withCaps(in, "--cap", f.caps, p), f.withoutCaps)
}

// withCaps adds capabilities, and asks whether one was meant that something
// here asks for.
func (c *console) withCaps(in cento.Input, flag string, names []string, p *app.Project) cento.Input {
	if len(names) == 0 {
		return in
	}
	known := capNames(p)
	for _, x := range names {
		near := app.NearestName(x, known)
		if !slices.Contains(known, x) && (near != "" || flag == "--with-cap") {
			c.sayOnce("%s %s: no fragment asks for it", flag, x)
			c.mean(x, known)
		}
		in = in.WithCap(x)
	}
	return in
}

// noteModel tells when the family of a model isn't known.
func (c *console) noteModel(name string) {
	if known, near := app.KnownModel(name); name != "" && !known {
		c.sayOnce("--model %s: no vocabulary is known for it, so its tokens are estimated", name)
		if near != "" {
			c.hint(fmt.Sprintf("did you mean %q?", near))
		}
	}
}

// withoutTools takes tools away, and tells when that changes nothing.
func (c *console) withoutTools(in cento.Input, names []string) cento.Input {
	for _, t := range names {
		active := in.ActiveTools()
		switch {
		case slices.Contains(active, t):
		case len(active) == 0 && len(in.Tools) == 0:
			c.say("--without-tool %s changes nothing: no tools are defined", t)
			c.hint("define them in cento.yaml, or give them with --tools FILE")
		case len(active) == 0:
			c.say("--without-tool %s changes nothing: no tools are active", t)
		default:
			c.say("--without-tool %s changes nothing: the active tools are %s", t, strings.Join(active, ", "))
			c.mean(t, active)
		}
		in = in.WithoutTool(t)
	}
	return in
}

// withoutCaps takes capabilities away, and tells when that changes nothing.
func (c *console) withoutCaps(in cento.Input, names []string) cento.Input {
	for _, x := range names {
		set := in.Active.Caps
		switch {
		case slices.Contains(set, x):
		case len(set) == 0:
			c.say("--without-cap %s changes nothing: no capabilities are set", x)
		default:
			c.say("--without-cap %s changes nothing: the capabilities that are set are %s", x, strings.Join(set, ", "))
			c.mean(x, set)
		}
		in = in.WithoutCap(x)
	}
	return in
}

// noteUndefined tells that a tool is active by its name alone.
func (c *console) noteUndefined(in cento.Input, flag string, names []string) {
	defined := make([]string, len(in.Tools))
	for i, t := range in.Tools {
		defined[i] = t.Name
	}
	for _, t := range names {
		switch {
		case slices.Contains(defined, t):
		case len(defined) == 0:
			if c.sayOnce("%s %s: no tools are defined, so it is active by its name alone, without guidance", flag, t) {
				c.hint("define them in cento.yaml, or give them with --tools FILE")
			}
		default:
			if c.sayOnce("%s %s: not defined, so it is active by its name alone, without guidance; defined are %s", flag, t, strings.Join(defined, ", ")) {
				c.mean(t, defined)
			}
		}
	}
}

// mean offers the name that was probably meant.
func (c *console) mean(name string, known []string) {
	if near := app.NearestName(name, known); near != "" {
		c.hint(fmt.Sprintf("did you mean %q?", near))
	}
}

// assemble makes the prompt that the flags ask for.
func (c *console) assemble(ctx context.Context, f *whatIf) (*app.Project, *cento.Prompt, error) {
	p, err := c.open(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	prompt, err := p.Reduce(f.input(c, p))
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
func assignments(list []string) ([]project.Assignment, error) {
	var out []project.Assignment
	for _, v := range list {
		name, value, ok := strings.Cut(v, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, wrongUse("write it as --var name=value", "--var %s is no assignment", v)
		}
		out = append(out, project.Assignment{Name: strings.TrimPrefix(name, "vars."), Value: value})
	}
	return out, nil
}
