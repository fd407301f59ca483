package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// outputFlags are those of cento build --all.
type outputFlags struct{ all, check, force, allowNone bool }

// withAll are the flags that mean something beside --all: what outputs hold is said by
// the manifest alone.
var withAll = []string{"all", "check", "force", "allow-none", "cwd", "file", "json", "watch"}

// buildAll writes the outputs of all targets, or tells whether they are up to date.
func (c *console) buildAll(cmd *cobra.Command, f *whatIf, o *outputFlags) error {
	switch {
	case !o.all && o.check:
		return wrongUse("add --all", "--check is about the outputs of all targets")
	case !o.all && o.allowNone:
		return wrongUse("add --all", "--allow-none is about the outputs of all targets")
	case !o.all:
		return wrongUse("add --all", "--force is about the outputs of all targets")
	case o.check && o.force:
		return wrongUse("leave one of them out", "--check writes nothing, and --force overwrites")
	}
	other := ""
	cmd.Flags().Visit(func(x *pflag.Flag) {
		if other == "" && !slices.Contains(withAll, x.Name) {
			other = x.Name
		}
	})
	if other != "" {
		return wrongUse("leave out --"+other, "--all writes what the manifest says, and --%s says something else", other)
	}
	c.catch()
	req, err := c.located(cmd.Context(), f)
	if err != nil {
		return err
	}
	answer, err := app.BuildAll(cmd.Context(), req, app.OutputOptions{Check: o.check, Force: o.force, AllowNone: o.allowNone})
	if err != nil {
		return err
	}
	c.tellNotes(answer.Notes)
	c.remarkOnOutputs(answer.Outputs)
	if len(answer.Outputs) == 0 {
		c.remark("no target has an output")
	}
	if c.watched != nil && c.watched.result != nil && !o.check && !slices.ContainsFunc(answer.Outputs, func(x app.OutputFile) bool { return x.Written }) {
		return nil // no file changed
	}
	if c.json {
		err = c.printNoted(answer, &answer.Notes)
	} else {
		err = c.print(func(w *terminal.Writer) {
			for _, x := range answer.Outputs {
				w.Printf("%s %s  target %s, %s\n", outputWord(&x), x.File, x.Target, plural(x.Bytes, "byte"))
			}
		})
	}
	if err == nil && !answer.OK {
		err = errNo
	}
	return err
}

// remarkOnOutputs tells what the files don't, the same of a target once.
func (c *console) remarkOnOutputs(outputs []app.OutputFile) {
	told := map[string]bool{}
	for _, x := range outputs {
		ofTarget := func(command string) string {
			return c.withFlags(command, func(name string) bool { return name != "target" }) + " --target " + app.Quoted(x.Target)
		}
		for _, text := range remarksOn(x.Prompt, ofTarget) {
			if text = "the target " + x.Target + ": " + text; !told[text] {
				told[text] = true
				c.remark(text)
			}
		}
		for i := range x.Losses {
			c.remark(x.File + ": " + lossText(&x.Losses[i]))
		}
	}
}

// outputWord says what became of an output.
func outputWord(x *app.OutputFile) any {
	switch {
	case x.Written:
		return green.On("wrote   ")
	case x.State == app.OutputCurrent:
		return dim.On("current ")
	}
	return red.On(terminal.Line((string(x.State) + "        ")[:8]))
}
