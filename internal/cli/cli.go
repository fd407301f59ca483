// Package cli is the command line: flags in, exit code out. It holds no rule
// about prompts; each command asks internal/app and prints the answer.
//
// How it talks to people: the result goes to stdout and nothing else does;
// everything said about it goes to stderr, in lower case, without a full stop,
// behind `cento: `. Every result has a JSON form made from the same struct.
// Colour and progress are for terminals; NO_COLOR is honoured. Text out of files
// passes [app.Printable] before it reaches a terminal.
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

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
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
	out *stream
	err io.Writer
	// outPath is where -o sends the result; empty: to out.
	outPath string
	// place is the project that is read, once it is known.
	place project.Place
	// lister asks the tool servers of the run.
	lister project.Lister
	// watch makes the run end in order when it is interrupted.
	watch func()
	// command is the one that runs, as it is typed.
	command string
	// flags define the flags of commands; see [console.defineFlags].
	flags map[*cobra.Command]func()
	// helpFailed is the error of a help text, whose writer can't return one.
	helpFailed error
	said       map[string]bool // by sayOnce
	json       bool
	terminal   bool // out is one
	colour     bool // out is a terminal that may be coloured
}

// Main runs the program and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(args, stdin, stdout, stderr, isTerminal(stdout))
}

// run is Main with a word on what stdout is: terminal is all that colour, the
// last line end and the writing out of control characters depend on.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, terminal bool) (code int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "cento: this is a mistake in cento, please report it: %v\n%s", r, debug.Stack())
			code = exitFailure
		}
	}()
	c := &console{in: stdin, out: &stream{to: stdout}, err: stderr, terminal: terminal}
	c.watch = sync.OnceFunc(func() { watch(cancel) })
	c.colour = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"} // what everybody tries first
	}
	root := c.root(args...)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(c.out)
	root.SetErr(stderr)
	c.defineFlags(root, args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = c.helpFailed
	}
	if c.out.failed != nil && (err == nil || errors.Is(err, errNo)) {
		err = writing("the result", c.out.failed)
	}
	return c.finish(ctx, err)
}

// watch calls a run off when somebody interrupts it. Whoever asks a second time
// gets the end that the system has for it.
func watch(cancel context.CancelFunc) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-asked
		signal.Stop(asked)
		cancel()
	}()
}

// brief are commands that leave nothing behind wherever the system ends them, so
// that watching for that would only make them start later. What they may read
// from stdin or write to a file is watched where it happens.
var brief = map[string]bool{"cento build": true, "cento explain": true, "cento diff": true, "cento scope check": true, "cento version": true}

// finish tells what went wrong, if anything did, and gives the exit code.
func (c *console) finish(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		fmt.Fprintln(c.err, "cento: interrupted")
		return exitFailure
	}
	if done, ok := errors.AsType[exit](err); ok {
		return int(done)
	}
	if use, ok := errors.AsType[*useError](err); ok {
		c.say("%s", use.Error())
		c.hint(use.hint)
		return exitUse
	}
	list := app.SourceErrors(err)
	if len(list) == 0 {
		c.say("%s", err.Error())
		return exitFailure
	}
	for _, e := range list {
		c.say("%s", e.Error())
		if src, ok := c.source(e.Position.File); ok && e.Position.Line > 0 {
			fmt.Fprint(c.err, indent(app.Excerpt(src, e.Position.Line, e.Position.Column), "  "))
		}
		for _, r := range e.Related {
			place := r.Position.String()
			if place == "" {
				place = "elsewhere"
			}
			c.say("%s: %s", place, r.Message)
		}
		c.hint(e.Hint)
	}
	if n := app.OmittedErrors(err); n > 0 {
		c.say("… and %d more", n)
	}
	if app.Refused(err) {
		return exitUse
	}
	return exitFailure
}

// source is the text of a file that an error points into, when it can be had:
// the excerpt is a help, and its absence no error.
func (c *console) source(name string) (string, bool) {
	path, ok := c.place.Path(name)
	if !ok {
		return "", false
	}
	f, err := tree.ReadPath(path, tree.Options{})
	if err != nil {
		return "", false
	}
	return f.Text, true
}

func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c.err, "cento: %s\n", app.PrintableLine(fmt.Sprintf(format, args...)))
}

// sayOnce is say for what two sides of a comparison have in common.
func (c *console) sayOnce(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if c.said[text] {
		return false
	}
	if c.said == nil {
		c.said = map[string]bool{}
	}
	c.said[text] = true
	c.say("%s", text)
	return true
}

func (c *console) hint(text string) {
	if text != "" {
		fmt.Fprintf(c.err, "  hint: %s\n", app.PrintableLine(text))
	}
}

func indent(s, by string) string {
	if s == "" {
		return ""
	}
	return by + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+by) + "\n"
}

// entry is a command with its name, which is known before the command is made.
type entry struct {
	group, name string
	make        func() *cobra.Command
}

// commands are all of them, in the order of the help text.
func (c *console) commands() []entry {
	return []entry{
		{groupPrompt, "build", c.buildCommand},
		{groupPrompt, "explain", c.explainCommand},
		{groupPrompt, "why", c.whyCommand},
		{groupPrompt, "blame", c.blameCommand},
		{groupPrompt, "diff", c.diffCommand},
		{groupPrompt, "layers", c.layersCommand},
		{groupPrompt, "render", c.renderCommand},
		{groupPrompt, "tokens", c.tokensCommand},
		{groupPrompt, "session", c.sessionCommand},
		{groupProject, "init", c.initCommand},
		{groupProject, "check", c.checkCommand},
		{groupProject, "scope", c.scopeCommand},
		{groupProject, "instructions", c.instructionsCommand},
		{groupProject, "profile", c.profileCommand},
		{groupProject, "prompt", c.promptCommand},
		{groupProject, "pack", c.packCommand},
		{groupProject, "skills", c.skillsCommand},
		{groupProject, "contract", c.contractCommand},
		{groupProject, "tools", c.toolsCommand},
		{groupProject, "trust", c.trustCommand},
		{groupRecords, "log", c.logCommand},
		{groupProgram, "call", c.callCommand},
		{groupProgram, "demo", c.demoCommand},
		{groupProgram, "schema", c.schemaCommand},
		{groupProgram, "completion", c.completionCommand},
		{groupProgram, "man", c.manCommand},
		{groupProgram, "version", c.versionCommand},
	}
}

// needed takes from the commands the one that is asked for by its name, if that
// one has no use for its neighbours. A command is started for every prompt, and
// making all of them takes longer than making a short prompt.
func needed(all []entry, args []string) []entry {
	if len(args) == 0 || args[0] == "completion" || args[0] == "man" {
		return all
	}
	for i := range all {
		if all[i].name == args[0] {
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
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			c.command = cmd.CommandPath()
			if !brief[cmd.CommandPath()] {
				c.watch()
			}
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongUse(flagHint(cmd, err), "%w", plainFlag(err))
	})
	root.PersistentFlags().VarP(outputFlag{&c.outPath}, "output", "o", "write the result to `FILE` instead of stdout")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print the result as JSON")
	root.AddGroup(
		&cobra.Group{ID: groupPrompt, Title: "The prompt:"},
		&cobra.Group{ID: groupProject, Title: "The project:"},
		&cobra.Group{ID: groupRecords, Title: "What was handed out:"},
		&cobra.Group{ID: groupProgram, Title: "The program:"},
	)
	for _, e := range needed(c.commands(), args) {
		cmd := e.make()
		cmd.GroupID = e.group
		root.AddCommand(cmd)
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
