package cli

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// command is all that there is to know of a command. What runs it, helps with it,
// completes it and describes it reads this value alone.
type command struct {
	// use is the name and, behind it, the arguments.
	use, short, long string
	// group is the part of the program's help that lists it; commands below
	// another have none.
	group string
	// examples are lines of a shell.
	examples string
	// args checks the arguments before anything is done; nil takes any.
	args cobra.PositionalArgs
	// words complete the arguments, where they are known; values do where they
	// have to be looked up.
	words  []string
	values cobra.CompletionFunc
	// answers are the types of the results with --json. Those of one command are
	// told apart by its flags. A command without has no such result: its output is
	// JSON anyhow, or another program's own form.
	answers []reflect.Type
	ends    ending
	run     func(cmd *cobra.Command, args []string) error
	below   []*command

	define []func(*flags)
}

// ending says how a command takes it that somebody interrupts it.
type ending int

const (
	// inOrder: the run is called off, and ends when it has put things in order.
	inOrder ending = iota
	// atOnce: the system ends it. It leaves nothing behind wherever that happens,
	// and watching for it would only make it start later. What such a command reads
	// from stdin or writes to a file is watched where it happens.
	atOnce
)

// withFlags is a command for a hint, with those flags of the running command that it takes
// too. keep chooses among them; nil keeps all.
func (c *console) withFlags(command string, keep func(name string) bool) string {
	if c.invoked == nil {
		return "cento " + command
	}
	words := strings.Fields(command)
	other := described()
	root := other.root(words...)
	other.defineFlags(root, words)
	cmd, _, err := root.Find(words)
	if err != nil {
		panic("cli: " + err.Error())
	}
	words = append([]string{"cento"}, words...)
	c.invoked.Flags().Visit(func(f *pflag.Flag) {
		if cmd.Flags().Lookup(f.Name) == nil || keep != nil && !keep(f.Name) {
			return
		}
		for _, value := range valuesOf(f.Value) {
			switch {
			case f.Value.Type() != "bool":
				words = append(words, "--"+f.Name, app.Quoted(value))
			case value == "true":
				words = append(words, "--"+f.Name)
			default:
				words = append(words, "--"+f.Name+"="+value)
			}
		}
	})
	return strings.Join(words, " ")
}

// placing are the flags that say where a command works.
var placing = []string{"cwd", "file", "store", "target"}

// asking are the flags that say for what a command answers. They mean the same in two
// commands that describe them in the same words.
var asking = []string{"profile", "session", "tools", "tool", "without-tool", "cap", "without-cap", "skill", "model", "budget", "var", "clock", "timezone"}

// hintedCommand is a command in a hint.
var hintedCommand = regexp.MustCompile("`cento [^`]+`")

// placed adds to the commands of a hint the flags of the running command that say where it
// works and for what it answers, so that they work there too.
func (c *console) placed(hint string) string {
	if c.invoked == nil {
		return hint
	}
	return hintedCommand.ReplaceAllStringFunc(hint, func(quoted string) string {
		text := strings.Trim(quoted, "`")
		words := strings.Fields(text)[1:]
		other := described()
		root := other.root(words...)
		other.defineFlags(root, words)
		cmd, _, err := root.Find(words)
		if err != nil || slices.Contains(words, "--help") || slices.Contains(words, "--") {
			return quoted
		}
		c.invoked.Flags().Visit(func(f *pflag.Flag) {
			given := func(w string) bool { return w == "--"+f.Name || strings.HasPrefix(w, "--"+f.Name+"=") }
			there := cmd.Flags().Lookup(f.Name)
			if there == nil || slices.ContainsFunc(words, given) {
				return
			}
			if slices.Contains(placing, f.Name) || slices.Contains(asking, f.Name) && there.Usage == f.Usage {
				for _, value := range valuesOf(f.Value) {
					text += " --" + f.Name + " " + app.Quoted(value)
				}
			}
		})
		return "`" + text + "`"
	})
}

// valuesOf are the values of a flag, of which some take several.
func valuesOf(v pflag.Value) []string {
	switch v := v.(type) {
	case names:
		return *v.list
	case texts:
		return *v.to
	}
	return []string{v.String()}
}

// answer is the type of a result with --json.
func answer[T any]() []reflect.Type { return []reflect.Type{reflect.TypeFor[T]()} }

func (x *command) name() string {
	name, _, _ := strings.Cut(x.use, " ")
	return name
}

// with says how flags of the command are defined. That is done for the command
// that is run, and not for its neighbours.
func (x *command) with(define func(*flags)) { x.define = append(x.define, define) }

// flags are those of a command while they are defined.
type flags struct {
	*pflag.FlagSet
	of *cobra.Command
}

// StringVar defines a flag that takes a text, and not a blank one. It stands for the
// library's, which takes any.
func (f *flags) StringVar(to *string, name, value, usage string) {
	*to = value
	f.Var(text{to}, name, usage)
}

// StringArrayVar is the same for a flag that may be repeated.
func (f *flags) StringArrayVar(to *[]string, name string, value []string, usage string) {
	*to = value
	f.Var(texts{to}, name, usage)
}

// names defines a flag that takes names, apart by commas, and may be repeated.
func (f *flags) names(list *[]string, name, usage string) { f.Var(names{list: list}, name, usage) }

// activeTools defines a flag that takes names of tools that are to be active.
func (f *flags) activeTools(list *[]string, name, usage string) {
	f.Var(names{list, app.CheckToolName}, name, usage)
}

// complete lets a shell complete the values of flags.
func (f *flags) complete(values cobra.CompletionFunc, names ...string) {
	for _, name := range names {
		if err := f.of.RegisterFlagCompletionFunc(name, plainOnly(values)); err != nil {
			panic("cli: " + err.Error())
		}
	}
}

// completeWords completes the values of a flag that takes one of a few words.
func (f *flags) completeWords(name string, words ...string) {
	f.complete(cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp), name)
}

// plainOnly leaves out what a shell would write to a terminal as it stands, and
// a terminal would act on. Whoever wants such a name has to type it.
func plainOnly(values cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		found, directive := values(cmd, args, begun)
		return slices.DeleteFunc(found, func(s string) bool {
			name, about, _ := strings.Cut(s, "\t")
			return terminal.Line(name) != name || terminal.Line(about) != about
		}), directive
	}
}

// cobra makes what the library runs of a command and those below it.
func (c *console) cobra(x *command) *cobra.Command {
	cmd := &cobra.Command{
		Use: x.use, Short: x.short, Long: x.long, Example: x.examples, GroupID: x.group, Args: x.arguments, ValidArgs: x.words, RunE: x.run,
	}
	if x.values != nil {
		cmd.ValidArgsFunction = plainOnly(x.values)
	}
	if c.made == nil {
		c.made = map[*cobra.Command]*command{}
	}
	c.made[cmd] = x
	for _, sub := range x.below {
		cmd.AddCommand(c.cobra(sub))
	}
	return cmd
}

// defineFlags defines the flags of the command that is asked for, or of all when
// that is about the others.
func (c *console) defineFlags(root *cobra.Command, args []string) {
	cmd, _, err := root.Find(args)
	if err == nil && cmd != root && cmd.Name() != "help" && cmd.Name() != "man" {
		c.defineOf(cmd)
		return
	}
	c.defineAll(root)
}

func (c *console) defineOf(cmd *cobra.Command) {
	if x := c.made[cmd]; x != nil {
		for _, define := range x.define {
			define(&flags{cmd.Flags(), cmd})
		}
		onlyOnce(cmd.Flags())
	}
}

func (c *console) defineAll(cmd *cobra.Command) {
	c.defineOf(cmd)
	for _, sub := range cmd.Commands() {
		c.defineAll(sub)
	}
}

// Answers are the types of the results with --json, by command, for those who
// describe them.
func Answers() map[string][]reflect.Type {
	out := map[string][]reflect.Type{}
	var add func(above string, list []*command)
	add = func(above string, list []*command) {
		for _, x := range list {
			path := above + " " + x.name()
			if x.answers != nil {
				out[path] = x.answers
			}
			add(path, x.below)
		}
	}
	add("cento", described().commands())
	return out
}

// Commands is the command line as a tree, for those who describe it: the
// reference is written from it. It isn't for running; that is [Main].
func Commands() *cobra.Command {
	c := described()
	root := c.root()
	c.defineFlags(root, nil)
	return root
}

// heardCode hears the code of every error and note that is told in words. Tests ask
// for it, so that a script can say which code the words belong to.
var heardCode = func(code string) {}

// holdAnswers makes every result with --json that isn't of the types of its
// command a panic. Tests ask for it, so that what commands say of themselves
// stays true.
var holdAnswers bool

func (c *console) hold(v any) {
	typ := reflect.TypeOf(v)
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if holdAnswers && !slices.Contains(c.running.answers, typ) {
		panic(fmt.Sprintf("cli: %s answers with a %s, and says that it does with %s", c.running.use, typ, c.running.answers))
	}
}
