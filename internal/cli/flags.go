package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
)

// beginsAsText reports whether what was taken for a flag is none by its form: a line of a
// list, or a rule.
func beginsAsText(err error) bool {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return strings.HasPrefix(unknown.GetSpecifiedShortnames(), " ")
	}
	_, ok := errors.AsType[*pflag.InvalidSyntaxError](err)
	return ok
}

// flagHint offers the flag that was probably meant.
func flagHint(cmd *cobra.Command, err error) string {
	if name := blankFlag(err); name != "" {
		return "leave --" + name + " out, or say what it is"
	}
	if _, twice := errors.AsType[*twiceError](err); twice {
		return "leave one of the two out"
	}
	if beginsAsText(err) && strings.Contains(cmd.Use, " ") {
		return fmt.Sprintf("what begins with - and is no flag stands behind --, as in `%s -- \"- …\"`", cmd.CommandPath())
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name, _, _ = strings.Cut(letters, "=") // -json, with one dash too few
		} else if having := commandsWith(Commands(), name); len(having) > 0 {
			return "a flag of " + strings.Join(having, ", ") + "; `" + cmd.CommandPath() + " --help` lists those that go here"
		}
		if near := nearFlag(cmd, name); near != "" {
			return fmt.Sprintf("did you mean `%s`?", near)
		}
	}
	if lacks, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		what, _ := pflag.UnquoteUsage(lacks.GetFlag())
		return fmt.Sprintf("write --%s %s", lacks.GetFlag().Name, what)
	}
	return "see `" + cmd.CommandPath() + " --help`"
}

// maxHaving is how many commands are named that have a flag.
const maxHaving = 3

// commandsWith are the commands that have a flag of exactly that name, as people write
// them: what somebody knows of another command is no misspelling.
func commandsWith(root *cobra.Command, name string) []string {
	var out []string
	for _, c := range root.Commands() {
		if f := c.LocalFlags().Lookup(name); f != nil && !f.Hidden && c.IsAvailableCommand() {
			out = append(out, "`"+c.CommandPath()+"`")
		}
		out = append(out, commandsWith(c, name)...)
	}
	return out[:min(len(out), maxHaving)]
}

// nearFlag is the flag that is called so, but for its dashes, is near to that, or alone
// begins so; empty where there is none.
func nearFlag(cmd *cobra.Command, name string) string {
	var known, begin []string
	short := ""
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
			return
		case f.Shorthand != "" && f.Shorthand == name:
			short = "-" + name
		case len(name) > 1 && strings.HasPrefix(f.Name, name):
			begin = append(begin, f.Name)
		}
		known = append(known, f.Name)
	})
	switch near := app.NearestName(name, known); {
	case short != "":
		return short
	case len(begin) == 1:
		return "--" + begin[0]
	case near != "" && len(name) > 1:
		return "--" + near
	}
	return ""
}

// knownFormat refuses a format that a command doesn't write; the empty one is its own.
func knownFormat(format string, known ...string) error {
	if format == "" || slices.Contains(known, format) {
		return nil
	}
	return wrongUse(app.NearestHint(format, known), "--format %s: there is no such format", format)
}

// plainFlag words the error of a flag that wants a number without the words of
// the library that looked for one.
func plainFlag(err error) error {
	if name := blankFlag(err); name != "" {
		return errors.New("--" + name + " is blank")
	}
	e, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	if twice, ok := errors.AsType[*twiceError](e.Unwrap()); ok {
		return fmt.Errorf("--%s is %w", e.GetFlag().Name, twice)
	}
	n, ok := errors.AsType[*strconv.NumError](e.Unwrap())
	switch {
	case !ok || n.Func == "ParseBool":
		return err
	case errors.Is(n, strconv.ErrRange):
		return fmt.Errorf("--%s: %s is out of range", e.GetFlag().Name, e.GetValue())
	}
	return fmt.Errorf("--%s: expected a whole number, got %q", e.GetFlag().Name, e.GetValue())
}

// blankFlag is the flag that was refused for having a blank value, or empty.
func blankFlag(err error) string {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok && (errors.Is(e, errBlank) || strings.TrimSpace(e.GetValue()) == "") {
		return e.GetFlag().Name
	}
	return ""
}

// errBlank refuses a flag that is given and says nothing, as a variable of a shell does
// that isn't set. Taken for no flag, it would make another prompt than was meant.
var errBlank = errors.New("a blank text")

// once is a flag that says one thing, so that a second value would silently take the place
// of the first. Said again it may be, as by an alias of a shell.
type once struct {
	pflag.Value
	said  string
	given bool
}

func (o *once) Set(s string) error {
	if o.given && s != o.said {
		return &twiceError{o.said, s}
	}
	if err := o.Value.Set(s); err != nil {
		return err
	}
	o.said, o.given = s, true
	return nil
}

// onlyOnce makes every flag of a set refuse a second value that can't be repeated.
func onlyOnce(set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case texts, names, *once:
		default:
			f.Value = &once{Value: f.Value}
		}
	})
}

// twiceError is the error of a flag that was given two values.
type twiceError struct{ first, second string }

func (e *twiceError) Error() string {
	return fmt.Sprintf("given twice, as %q and %q", e.first, e.second)
}

// text is a flag that takes a text as it stands, and not a blank one.
type text struct{ to *string }

func (x text) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errBlank
	}
	*x.to = s
	return nil
}

func (x text) String() string {
	if x.to == nil {
		return ""
	}
	return *x.to
}

func (x text) Type() string { return "string" }

// texts is [text] repeated.
type texts struct{ to *[]string }

func (x texts) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errBlank
	}
	*x.to = append(*x.to, s)
	return nil
}

func (x texts) String() string {
	if x.to == nil {
		return ""
	}
	return strings.Join(*x.to, ",")
}

func (x texts) Type() string { return "stringArray" }

// outputFlag is the file of -o: - is stdout, as everywhere.
type outputFlag struct{ path *string }

func (o outputFlag) Set(path string) error {
	// The library takes -o= for -o with that sign as its value.
	if said := strings.TrimSpace(path); said == "" || said == "=" {
		return errBlank
	}
	if *o.path = path; path == "-" {
		*o.path = ""
	}
	return nil
}

func (o outputFlag) String() string {
	if o.path == nil {
		return ""
	}
	return *o.path
}

func (o outputFlag) Type() string { return "string" }

// names is a flag that takes names, apart by commas, and may be repeated.
type names struct {
	list *[]string
	// check says what is wrong with a name; nil: any will do.
	check func(name string) error
}

func (n names) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("a blank name")
		}
		if n.check != nil {
			if err := n.check(name); err != nil {
				return err
			}
		}
		*n.list = append(*n.list, name)
	}
	return nil
}

func (n names) String() string {
	if n.list == nil {
		return ""
	}
	return strings.Join(*n.list, ",")
}

func (n names) Type() string { return "names" }
