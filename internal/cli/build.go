package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) buildCommand() *command {
	var f whatIf
	var record bool
	var session, key, place string
	var request wireFlags
	var outputs outputFlags
	cmd := &command{
		use:   "build",
		short: "Print the prompt",
		long: `Print the prompt, byte for byte. On a terminal a line end follows, and
characters that a terminal would act on are written out. When nothing is
included there is no prompt, and nothing is printed.

With --record the prompt is stored before it is printed, with what it was made
of, so that cento log finds it: in the session of --session, which is otherwise
named like the project. A --key makes it happen once, however often the command
is repeated.

With --wire the request of a provider is printed instead, byte for byte as it is to
be sent: the prompt in its blocks, the tools, the conversation of --messages. What
the form can't say is told on stderr. The exit code is 1 when the provider is certain
to refuse the request.

With --all the prompts of all targets that have an output are written to their
files, where these don't hold them yet: as tests are made, the same on every machine.
.cento/outputs.json keeps what was written, and belongs into the repository beside
them. A file that this command didn't write, or that was edited since, is overwritten
with --force alone. With --check nothing is written, and the exit code is 1 when a
file is missing or stale.

` + watchHelp,
		examples: `  cento build
  cento build --target ci -o prompt.txt
  cento build --tools tools.json --without-tool todo
  cento build --record --session review-7
  cento build --wire anthropic --model claude-opus-5 --messages turns.json
  cento build --all --check`,
		args:    noArguments,
		answers: slices.Concat(answer[builtAnswer](), answer[call.WireBody](), answer[app.OutputsAnswer]()),
		ends:    atOnce,
		run: func(cmd *cobra.Command, _ []string) error {
			if outputs.all || outputs.check || outputs.force || outputs.allowNone {
				return c.buildAll(cmd, &f, &outputs)
			}
			if !record && (session != "" || key != "" || place != "") {
				return wrongUse("add --record", "--session, --key and --store are for prompts that are recorded")
			}
			wired, err := request.asked()
			if err != nil {
				return err
			}
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			in := p.InForm(f.input(c, p), request.form)
			prompt, err := c.reduce(&f, p, in)
			if err != nil {
				return err
			}
			made := app.MadePrompt{Project: p, Input: in, Prompt: prompt}
			if err := c.sinceLast(cmd.Context(), &f, made); err != nil {
				return err
			}
			var body *app.WireBody
			if wired { // what is wrong with the request is told before anything is stored
				if body, err = c.wire(cmd, &request, p, in, prompt); err != nil {
					return err
				}
			}
			if record {
				if err := c.recordBuild(cmd.Context(), place, session, key, &f, made); err != nil {
					return err
				}
			}
			c.remarkOn(prompt)
			return c.printBuilt(prompt, body)
		},
	}
	cmd.withWatch(c, "record", "force")
	f.register(c, cmd)
	request.register(cmd)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&record, "record", false, "store the prompt, with what it was made of")
		fl.StringVar(&session, "session", "", "record it in the session `ID`")
		fl.StringVar(&key, "key", "", "record it once for the idempotency `KEY`")
		registerStore(fl, &place)
		fl.BoolVar(&outputs.all, "all", false, "write the outputs of all targets")
		fl.BoolVar(&outputs.check, "check", false, "with --all: write nothing, and say no when an output isn't up to date")
		fl.BoolVar(&outputs.force, "force", false, "with --all: overwrite files that weren't written by it, or were edited since")
		fl.BoolVar(&outputs.allowNone, "allow-none", false, "with --all: a project without outputs is no error")
	})
	return cmd
}

// printBuilt prints a prompt, or the body of the request that it stands in.
func (c *console) printBuilt(prompt *cento.Prompt, body *app.WireBody) error {
	if body != nil {
		return c.printBody(body)
	}
	if c.json {
		out := builtAnswer{BuiltPrompt: app.Built(prompt)}
		return c.printNoted(&out, &out.Notes)
	}
	text, _ := prompt.System()
	return c.print(func(w *terminal.Writer) { w.Exact(text) })
}

// remarkOn tells what the text of a prompt doesn't.
func (c *console) remarkOn(prompt *cento.Prompt) {
	for _, text := range remarksOn(prompt, func(command string) string { return c.withFlags(command, nil) }) {
		c.remark(text)
	}
}

// remarksOn are what the text of a prompt doesn't tell; full adds flags to a command.
func remarksOn(prompt *cento.Prompt, full func(command string) string) (out []string) {
	if _, ok := prompt.System(); !ok {
		out = append(out, "no fragment is included: there is no system prompt")
	}
	caveats := prompt.Caveats()
	if len(caveats.Sacrificed) > 0 {
		out = append(out, sacrificeText(caveats)+": see `"+full("budget")+"`")
	}
	if len(caveats.NotedTexts) > 0 {
		out = append(out, notedText(caveats)+": see `"+full("explain")+"`")
	}
	return out
}

// sacrificeText says in a clause that a prompt is less than it would be without a budget.
func sacrificeText(caveats cento.Caveats) string {
	return "the budget leaves out or shortens " + plural(len(caveats.Sacrificed), "fragment")
}

// notedText says in a clause that there is something to say of texts.
func notedText(caveats cento.Caveats) string {
	n := 0
	for _, x := range caveats.NotedTexts {
		n += x.Count
	}
	return plural(n, "note") + " on texts that are in"
}

// tellPrompt says both of the prompt of a session, which a record has.
func (f *sessionFlags) tellPrompt(c *console, id string, record int64, caveats cento.Caveats) {
	where := func(name string) bool { return name == "cwd" || name == "file" || name == "store" }
	if len(caveats.Sacrificed) > 0 {
		c.remark(sacrificeText(caveats) + ": see `" + c.withFlags("budget", where) + " --record " + app.Quoted(fmt.Sprintf("%s@%d", id, record)) + "`")
	}
	if len(caveats.NotedTexts) > 0 {
		c.remark(notedText(caveats) + ": see `" + c.withFlags("explain", where) + " --session " + app.Quoted(id) + "`")
	}
}

func stringOrNull(s string, ok bool) *string {
	if !ok {
		return nil
	}
	return &s
}
