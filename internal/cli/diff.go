package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// diffFlags are those of the command diff.
type diffFlags struct {
	whatIf
	storeFlag
	withTools, withoutTools, withCaps, withoutCaps []string
	onlyLayers, withoutLayers, withoutFragments    []string
	format                                         string
	all                                            bool
}

// changed reports whether the right side is to be another one than the left.
func (f *diffFlags) changed() bool {
	return len(f.withTools)+len(f.withoutTools)+len(f.withCaps)+len(f.withoutCaps)+len(f.onlyLayers)+len(f.withoutLayers)+len(f.withoutFragments) > 0
}

func (c *console) diffCommand() *command {
	var f diffFlags
	cmd := &command{
		use:   "diff [SIDE [SIDE]]",
		short: "Compare two prompts, fragment by fragment",
		long: `Compare the prompt with what it would be otherwise: for another target, or with
a tool or capability more or less, or with other layers; or with what it was: at
another revision of git, or as it was handed out. --with-…, --without-… and
--layers change the right side only; all other flags change both. The exit code is
1 when they differ.

A SIDE is the name of a target; a revision of git, or git:REVISION where a target
has that name; a record as cento log names it, SESSION@NUMBER, log:HASH or log:DIGEST; or
file:PATH, a saved cento explain --json. A..B are two revisions, A...B is B and
where it went apart from A.

With one target, the left side is the manifest as it stands; with any other side
alone, that is the left one, and the right one is the files as they are. Files of a
revision are read from git, and nothing is checked out. The user's files, remotes,
submodules and what git doesn't track are those of now on both sides, and tool
servers speak by the listings in .cento/tools.`,
		examples: `  cento diff --without-tool todo
  cento diff ci
  cento diff ci release --with-cap interactive
  cento diff main..HEAD --all
  cento diff HEAD~1 --target ci
  cento diff acme@7 --format markdown`,
		answers: append(answer[app.Differing](), answer[app.AllDiffering]()...),
		run:     func(cmd *cobra.Command, args []string) error { return c.diff(cmd.Context(), &f, args) },
	}
	// The flags of the right side take the names of those of both sides.
	f.registerProject(c, cmd, ", for both sides")
	cmd.args = func(_ *cobra.Command, args []string) error {
		if len(args) > 2 {
			return wrongUse("compare two at a time", "a comparison has two sides, and %d are named", len(args))
		}
		return nil
	}
	cmd.with(func(fl *flags) {
		fl.activeTools(&f.tools, "tool", "active tools of both sides, instead of all that are defined: `NAME`, repeatable")
		fl.names(&f.caps, "cap", "a capability that is set as well, on both sides: `NAME`, repeatable")
		f.registerBudget(fl, ", on both sides that are made now")
		fl.activeTools(&f.withTools, "with-tool", "a tool that is active as well, on the right side: `NAME`, repeatable")
		fl.names(&f.withoutTools, "without-tool", "a tool that is not active, on the right side: `NAME`, repeatable")
		fl.names(&f.withCaps, "with-cap", "a capability that is set as well, on the right side: `NAME`, repeatable")
		fl.names(&f.withoutCaps, "without-cap", "a capability that is not set, on the right side: `NAME`, repeatable")
		fl.names(&f.onlyLayers, "layers", "the only layers of the right side, builtin for none: `NAME`, repeatable")
		fl.names(&f.withoutLayers, "without-layer", "a layer that is left out, on the right side: `NAME`, repeatable")
		fl.StringArrayVar(&f.withoutFragments, "without-fragment", nil, "a fragment that is taken out, on the right side: `ID`, repeatable")
		fl.BoolVar(&f.all, "all", false, "compare every target of both sides")
		fl.StringVar(&f.format, "format", "text", "the `FORM` of the result: text, json or markdown")
		registerStore(fl, &f.place)
		fl.completeWords("format", "text", "json", "markdown")
		fl.complete(c.complete(&f.whatIf, (*app.Project).LayerNames), "layers", "without-layer")
		fl.complete(c.complete(&f.whatIf, toolNames), "tool", "with-tool", "without-tool")
		fl.complete(c.complete(&f.whatIf, (*app.Project).CapNames), "cap", "with-cap", "without-cap")
	})
	cmd.values = c.complete(&f.whatIf, targetNames)
	return cmd
}

func (c *console) diff(ctx context.Context, f *diffFlags, args []string) (err error) {
	if err := knownFormat(f.format, "text", "json", "markdown"); err != nil {
		return err
	}
	if c.json && f.format == "markdown" {
		return wrongUse("", "--format markdown and --json are two forms of the result: choose one")
	}
	c.json = c.json || f.format == "json"
	switch {
	case f.all && f.target != "":
		return wrongUse("leave one of them out", "--all has every target, and --target %s is one", f.target)
	case len(args) == 0 && !f.changed():
		return c.nothingToCompare(ctx, &f.whatIf)
	}
	req, err := c.located(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	if len(args) == 2 && f.target != "" {
		if targets, err := c.site.Targets(req); err == nil && in(targets, args[0]) && in(targets, args[1]) {
			return wrongUse("leave out --target", "both sides are named, %s and %s: --target %s has no side left", args[0], args[1], f.target)
		}
	}
	repository := new(app.Repository)
	defer func() { err = errors.Join(err, repository.Close()) }()
	r := &app.DiffRequest{
		Site: c.site, Request: req, Args: args, Both: f.active(), Right: f.active(), Store: f.place, Repository: repository,
		Layers: app.LayerChoice{Only: f.onlyLayers, Without: f.withoutLayers},
	}
	r.Right.WithTools, r.Right.WithoutTools = f.withTools, f.withoutTools
	r.Right.WithCaps, r.Right.WithoutCaps = f.withCaps, f.withoutCaps
	r.Right.WithoutFragments = f.withoutFragments
	if f.all {
		d, err := app.DiffAll(ctx, r)
		if d != nil {
			c.tellSides(d.Summaries, d.Notes, d.Remarks)
		}
		if err != nil {
			return err
		}
		return c.answerAll(d, f.format)
	}
	d, err := app.Diff(ctx, r)
	if d != nil {
		c.tellSides(d.Summaries, d.Notes, d.Remarks)
	}
	if err != nil {
		return err
	}
	return c.answerDiff(d, f.format)
}

// tellSides says what was read of both sides.
func (c *console) tellSides(summaries []string, notes []cento.Note, remarks []app.Remark) {
	for _, s := range summaries {
		c.err.Say("%s", s)
	}
	c.tellNotes(notes)
	c.tellRemarks(remarks)
}

func in(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// nothingToCompare tells what there is.
func (c *console) nothingToCompare(ctx context.Context, f *whatIf) error {
	p, err := c.open(ctx, f)
	if err != nil {
		return err
	}
	c.err.Say("a comparison has two sides: name a target or a revision, or what to add or take away")
	c.err.Hint("what can be compared here:")
	c.proposeEach("cento diff ", p.Targets())
	c.proposeEach("cento diff --without-tool ", p.Input.ActiveTools())
	c.proposeEach("cento diff --without-cap ", p.Input.Active.Caps)
	c.proposeEach("cento diff --without-layer ", p.LayerNames())
	c.propose("cento diff --with-cap CAPABILITY")
	if p.Root.Marker == ".git" && app.HasCommits(ctx, p.Root.Dir) {
		c.propose("cento diff HEAD")
	}
	if len(p.Input.Tools) == 0 {
		c.propose("cento diff --tools FILE --without-tool TOOL")
	}
	return exit(exitUse)
}

// maxProposed bounds how many commands of a kind are proposed.
const maxProposed = 8

func (c *console) proposeEach(command string, names []string) {
	for _, name := range names[:min(len(names), maxProposed)] {
		c.propose(command + app.Quoted(name))
	}
	if n := len(names) - maxProposed; n > 0 {
		c.err.Printf("    … and %d more of these\n", n)
	}
}

func (c *console) propose(command string) {
	c.err.Printf("    %s\n", command)
}

// diffAgain is the command that prints the comparison for a terminal.
func (c *console) diffAgain() string {
	command := c.withFlags("diff", func(name string) bool { return name != "format" })
	for _, arg := range c.invoked.Flags().Args() {
		command += " " + app.Quoted(arg)
	}
	return command
}

// answerDiff prints a comparison; the answer is no when the prompts differ.
func (c *console) answerDiff(d *app.Differing, format string) error {
	var err error
	switch {
	case c.json:
		err = c.printNoted(d, &d.Notes)
	case format == "markdown":
		err = c.printText(diffMarkdown(d, c.diffAgain()))
	default:
		err = c.print(func(w *terminal.Writer) { c.writeDiff(w, d) })
	}
	if err != nil || d.Empty() {
		return err
	}
	return errNo
}

// answerAll is answerDiff for every target.
func (c *console) answerAll(d *app.AllDiffering, format string) error {
	var err error
	switch {
	case c.json:
		err = c.printNoted(d, &d.Notes)
	case format == "markdown":
		err = c.printText(allMarkdown(d, c.diffAgain()))
	default:
		err = c.print(func(w *terminal.Writer) { c.writeAll(w, d) })
	}
	if err != nil || d.Empty() {
		return err
	}
	return errNo
}
