package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

// whatIf is the flags of every command that assembles: which project, and what
// is different from what its files say.
type whatIf struct {
	cwd, file, target, toolsFile, model string
	clock, timezone                     string
	tools, withoutTools                 []string
	caps, withoutCaps                   []string
}

func (f *whatIf) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
	fl.StringVar(&f.file, "file", "", "use this manifest instead of the nearest cento.yaml")
	fl.StringVar(&f.target, "target", "", "a target of the manifest")
	fl.StringVar(&f.toolsFile, "tools", "", "tool definitions instead of the manifest's: a JSON or YAML `FILE`, - for stdin")
	fl.StringVar(&f.model, "model", "", "the model the prompt is for")
	f.registerClock(fl)
	fl.StringSliceVar(&f.tools, "tool", nil, "active tools, instead of all that are defined (repeatable)")
	fl.StringSliceVar(&f.withoutTools, "without-tool", nil, "tools that are not active (repeatable)")
	fl.StringSliceVar(&f.caps, "cap", nil, "capabilities that are set as well (repeatable)")
	fl.StringSliceVar(&f.withoutCaps, "without-cap", nil, "capabilities that are not set (repeatable)")
}

// open reads the project that the flags name, once.
func (c *console) open(ctx context.Context, f *whatIf) (*app.Project, error) {
	req, err := c.request(f)
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
	c.tell(p)
	return p, nil
}

func (c *console) request(f *whatIf) (project.Request, error) {
	env, err := app.Environment()
	if err != nil {
		return project.Request{}, err
	}
	req := project.Request{
		Dir: env.Dir, Home: env.Home, Config: env.Config, Manifest: f.file, Target: f.target, Model: f.model,
	}
	if req.Now, err = f.now(); err != nil {
		return req, err
	}
	if f.cwd != "" {
		req.Dir = f.cwd
	}
	switch f.toolsFile {
	case "":
	case "-":
		b, err := io.ReadAll(io.LimitReader(c.in, maxStdin+1))
		if err != nil {
			return req, fmt.Errorf("reading tools from stdin: %w", err)
		}
		if len(b) > maxStdin {
			return req, wrongUse("", "the tools on stdin have more than %d bytes", maxStdin)
		}
		req.ToolsName, req.ToolsText = "<stdin>", b
	default:
		req.ToolsName = f.toolsFile
	}
	return req, nil
}

// maxStdin bounds what is read from stdin.
const maxStdin = 64 << 20

// input is the project's input with what the flags change.
func (f *whatIf) input(c *console, p *app.Project) cento.Input {
	in := p.Input
	if len(f.tools) > 0 {
		in = in.WithTools(f.tools...)
	}
	for _, t := range f.withoutTools {
		c.noteInactive(in, "--without-tool", t)
		in = in.WithoutTool(t)
	}
	for _, x := range f.caps {
		in = in.WithCap(x)
	}
	for _, x := range f.withoutCaps {
		in = in.WithoutCap(x)
	}
	return in
}

// noteInactive tells that taking away a tool that isn't there changes nothing.
func (c *console) noteInactive(in cento.Input, flag, tool string) {
	active := in.ActiveTools()
	switch {
	case slices.Contains(active, tool):
	case len(active) == 0:
		c.say("%s %s changes nothing: no tools are defined", flag, tool)
		c.hint("define them in cento.yaml, or give them with --tools FILE")
	default:
		c.say("%s %s changes nothing: the active tools are %s", flag, tool, strings.Join(active, ", "))
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

// tell gives one line on what the prompt is made of, and one for each thing
// that was not taken as it stands.
func (c *console) tell(p *app.Project) {
	c.say("%s", p.Summary())
	for _, n := range p.Input.Notes {
		at := ""
		if !n.Position.IsZero() {
			at = n.Position.String() + ": "
		}
		c.say("%s%s", at, n.Message)
	}
}

func (f *whatIf) registerClock(fl *pflag.FlagSet) {
	fl.StringVar(&f.clock, "clock", "", "the `TIME` that prompt files see, as in 2006-01-02T15:04:05Z; default now")
	fl.StringVar(&f.timezone, "timezone", "", "the time `ZONE` that prompt files see, as in Europe/Paris; default UTC")
}

// now is the clock for prompt files.
func (f *whatIf) now() (time.Time, error) {
	now := time.Now().UTC()
	if f.clock != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, f.clock); err != nil {
			return now, wrongUse("write it as 2006-01-02T15:04:05Z", "--clock %s is no time", f.clock)
		}
	}
	if f.timezone != "" {
		zone, err := time.LoadLocation(f.timezone)
		if err != nil {
			return now, wrongUse("write it as Europe/Paris, or UTC", "--timezone %s: %w", f.timezone, err)
		}
		now = now.In(zone)
	}
	return now, nil
}
