// Package cli is the command line: flags in, exit code out. It holds no rule
// about prompts; each command asks internal/app and prints the answer.
//
// How it talks to people: the result goes to stdout and nothing else does;
// everything said about it goes to stderr, in lower case, without a full stop,
// behind `cento: `. Every result has a JSON form made from the same struct.
// Colour and progress are for terminals; NO_COLOR is honoured. All of it goes
// through [terminal.Writer], which writes out what a terminal would act on.
//
// Exit codes: 0 done; 1 the answer is no; 2 wrong use, or an input was refused;
// 3 failure.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	exitDone    = 0
	exitNo      = 1
	exitUse     = 2
	exitFailure = 3
)

// exit ends a command whose answer has been printed already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// errNo ends a command whose answer is no.
const errNo = exit(exitNo)

// useError is a wrong use of the program.
type useError struct {
	err  error
	hint string
}

func (e *useError) Error() string { return e.err.Error() }
func (e *useError) Unwrap() error { return e.err }

func wrongUse(hint, format string, args ...any) error {
	return &useError{fmt.Errorf(format, args...), hint}
}

// console is what a command has to talk to: the three streams and what is known
// about them.
type console struct {
	in  io.Reader
	out *terminal.Writer
	err *terminal.Writer
	// outPath is where -o sends the result; empty: to out.
	outPath string
	// site is the project that is read, once it is known.
	site app.Site
	// asked is the request that the project was last read with, and path tells where the
	// files of it are that places name; nil before the first place is told.
	asked app.Request
	path  *app.Paths
	// lister asks the tool servers of the run.
	lister app.Lister
	// catch makes the run end in order when it is interrupted.
	catch func()
	// watched is what a run with --watch does; nil for others.
	watched *watched
	// made are the commands by what the library runs of them, and running the one
	// that runs; nil for the program's help.
	made    map[*cobra.Command]*command
	running *command
	// args are those of the program, nil where it only describes itself.
	args []string
	// invoked is the command that runs with its flags and arguments; nil before it runs.
	invoked *cobra.Command
	// helpFailed is the error of a help text, whose writer can't return one.
	helpFailed error
	json       bool
	// notes are those of the answer, see [console.gather].
	notes []cento.Note
	// told are those that people were told, see [console.untold].
	told map[cento.Note]bool
}

// Main runs the program and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(args, stdin, stdout, stderr, isTerminal(stdout))
}

// run is Main with a word on what stdout is: screen is all that colour, the last
// line end and the writing out of control characters depend on.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, screen bool) (code int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	colour := screen && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	c := &console{
		in: stdin, out: terminal.NewWriter(stdout, terminal.Options{Screen: screen, Colour: colour}),
		err: terminal.NewWriter(stderr, terminal.Options{Screen: isTerminal(stderr)}),
	}
	defer func() {
		if r := recover(); r != nil {
			c.err.Printf("cento: this is a mistake in cento, please report it: %v\n%s", r, terminal.Text(debug.Stack()))
			code = exitFailure
		}
		c.err.Flush() // where an error of stderr could be told, there is nobody
	}()
	c.args, c.out.Hints, c.err.Hints = args, c.placed, c.placed
	c.catch = sync.OnceFunc(func() { catch(cancel) })
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"} // what everybody tries first
	}
	root := c.root(args...)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(c.out.Help())
	root.SetErr(c.err.Help())
	c.defineFlags(root, args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = c.helpFailed
	}
	if failed := c.out.Flush(); failed != nil && (err == nil || errors.Is(err, errNo)) {
		err = writing("the result", failed)
	}
	return c.finish(ctx, err)
}

// catch calls a run off when somebody interrupts it. Whoever asks a second time
// gets the end that the system has for it.
func catch(cancel context.CancelFunc) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-asked
		signal.Stop(asked)
		cancel()
	}()
}

// described is the program for those who describe it: nobody reads what it says.
func described() *console {
	nobody := func() *terminal.Writer { return terminal.NewWriter(io.Discard, terminal.Options{}) }
	return &console{out: nobody(), err: nobody()}
}

// finish tells what went wrong, if anything did, and gives the exit code.
func (c *console) finish(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		c.err.Say("interrupted")
		return exitFailure
	}
	if done, ok := errors.AsType[exit](err); ok {
		return int(done)
	}
	return c.tell(err)
}

// tell says what went wrong, and gives the exit code for it.
func (c *console) tell(err error) int {
	if use, ok := errors.AsType[*useError](err); ok {
		c.err.Say("%s", use)
		c.err.Hint(use.hint)
		return exitUse
	}
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		c.err.Say("%s", err)
		return exitFailure
	}
	source := c.sources()
	for _, e := range list {
		heardCode(string(e.Code))
		if e.Code == app.UnknownTarget && e.Position.IsZero() && c.asked.Target != "" {
			c.err.Say("--target: %s", e)
		} else {
			c.err.Say("%s", e)
		}
		c.writeOpenable(c.err, e.Position, "  ")
		if src, ok := source(e.Position); ok {
			c.err.Excerpt(src, e.Position.Line, e.Position.Column, "  ")
		}
		for _, r := range e.Related {
			c.err.Say("%s", r)
			c.writeOpenable(c.err, r.Position, "  ")
		}
		hint := e.Hint
		if hint == "" && e.Code == app.UnknownSession {
			hint = "`cento log list` tells which sessions have records"
		}
		c.err.Hint(hint)
	}
	if more := cento.MoreErrors(err); more != "" {
		c.err.Say("… %s", more)
	}
	if app.Refused(err) {
		return exitUse
	}
	return exitFailure
}

// paths tells where the files are that places name.
func (c *console) paths() *app.Paths {
	if c.path == nil {
		c.path = app.NewPaths(c.site, c.asked)
	}
	return c.path
}

// writeOpenable writes a place once more as one that a terminal can open from here; nothing
// for one that is so itself, and for what lies in no file.
func (c *console) writeOpenable(w *terminal.Writer, at cento.Position, by string) {
	if at.File = c.paths().FromHere(at.File); at.File != "" {
		w.Printf("%sat %s\n", terminal.Text(by), at.String())
		w.Flush()
	}
}

// sources gives the text of a file that an error points into, when it can be had: the
// excerpt is a help, and its absence no error. A file is read once for all errors in a
// row that are in it.
func (c *console) sources() func(at cento.Position) (text string, ok bool) {
	var last, text string
	var there, asked bool
	return func(at cento.Position) (string, bool) {
		name := at.File
		if at.Line == 0 {
			return "", false
		}
		if asked && name == last {
			return text, there
		}
		last, text, there, asked = name, "", false, true
		path, ok := c.paths().Full(name)
		if !ok {
			return "", false
		}
		if f, err := tree.ReadWithin(app.Disk{}, c.site.FilesRoot(), path, tree.Options{}); err == nil {
			text, there = f.Text, true
		}
		return text, there
	}
}

// commands are all of them, in the order of the help text.
func (c *console) commands() []*command {
	var all []*command
	for _, g := range []struct {
		group string
		list  []*command
	}{
		{groupPrompt, []*command{
			c.buildCommand(), c.explainCommand(), c.whyCommand(), c.showCommand(), c.blameCommand(), c.diffCommand(), c.layersCommand(), c.renderCommand(),
			c.tokensCommand(), c.budgetCommand(), c.ablateCommand(), c.wireCommand(), c.cacheCommand(), c.sessionCommand(),
		}},
		{groupProject, []*command{
			c.initCommand(), c.checkCommand(), c.testCommand(), c.scopeCommand(), c.instructionsCommand(), c.profileCommand(), c.promptCommand(), c.packCommand(),
			c.skillsCommand(), c.modelsCommand(), c.contractCommand(), c.toolsCommand(), c.trustCommand(),
		}},
		{groupRecords, []*command{c.logCommand()}},
		{groupProgram, []*command{
			c.callCommand(), c.serveCommand(), c.mcpCommand(), c.lspCommand(), c.demoCommand(), c.schemaCommand(), c.completionCommand(), c.manCommand(), c.versionCommand(),
		}},
	} {
		for _, x := range g.list {
			x.group = g.group
		}
		all = append(all, g.list...)
	}
	return all
}

// needed takes from the commands the one that is asked for by its name, if that
// one has no use for its neighbours. A command is started for every prompt, and
// to make what the library runs of all of them takes longer than a short prompt.
func needed(all []*command, args []string) []*command {
	if len(args) == 0 || args[0] == "completion" || args[0] == "man" {
		return all
	}
	for i, x := range all {
		if x.name() == args[0] {
			return all[i : i+1]
		}
	}
	return all
}

// root is the command line, as far as these arguments need it; without any, as
// a whole.
func (c *console) root(args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "cento",
		Short: "Assemble an agent's system prompt, and explain every byte of it",
		Long: `Cento assembles the system prompt of an AI agent from fragments and tells, for
every sentence, which fragment, file, line and commit it came from and why it is
there; and for everything that is not there, why not.

Without a cento.yaml it uses what the folder has: a built-in instruction, the
boundaries of the project, and its AGENTS.md.

Results go to stdout, messages to stderr. The exit code is 0 when it is done,
1 when the answer is no, 2 when the command or an input was refused, 3 when
something failed.`,
		Example: `  cento build                        the prompt for this folder
  cento explain                      what is in it, what is not, and why
  cento why "run the tests"          where a sentence comes from
  cento diff --without-tool todo     what would be gone without a tool`,
		SilenceUsage: true, SilenceErrors: true,
		Args: c.subcommand,
		RunE: showHelp,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c.invoked = cmd
			if c.running = c.made[cmd]; c.running == nil || c.running.ends == inOrder {
				c.catch()
			}
			return checkResults(cmd)
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// Behind a mistyped command its flags are taken for those of the one above.
		if before := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(before) > 0 && cmd.Args != nil {
			if err := cmd.Args(cmd, before); err != nil {
				return err
			}
		}
		return wrongUse(flagHint(cmd, err), "%w", plainFlag(err))
	})
	root.PersistentFlags().VarP(outputFlag{&c.outPath}, "output", "o", "write the result to `FILE` instead of stdout")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print the result as JSON")
	root.PersistentFlags().BoolVar(&c.out.Raw, "raw", false, "print texts to a terminal byte for byte, whatever it makes of them")
	onlyOnce(root.PersistentFlags())
	root.AddGroup(
		&cobra.Group{ID: groupPrompt, Title: "The prompt:"},
		&cobra.Group{ID: groupProject, Title: "The project:"},
		&cobra.Group{ID: groupRecords, Title: "What was handed out:"},
		&cobra.Group{ID: groupProgram, Title: "The program:"},
	)
	for _, x := range needed(c.commands(), args) {
		root.AddCommand(c.cobra(x))
	}
	write := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var text strings.Builder
		cmd.SetOut(&text)
		write(cmd, args)
		c.helpFailed = c.printText(text.String())
	})
	root.SetHelpCommand(c.helpCommand(root))
	root.SetHelpCommandGroupID(groupProgram)
	return root
}

// The groups of commands in the help text.
const (
	groupPrompt  = "prompt"
	groupProject = "project"
	groupRecords = "records"
	groupProgram = "program"
)

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpCommand is `cento help COMMAND`, the same as `cento COMMAND --help`.
func (c *console) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Tell about a command",
		Example: "  cento help build\n  cento help scope check",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range cmd.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return c.subcommand(cmd, rest)
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}
