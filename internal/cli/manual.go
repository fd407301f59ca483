package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
)

// manual writes the manual page of the program in the man macros of troff, out
// of the same words as the help texts. It carries no date: the same program
// gives the same page.
func manual(root *cobra.Command) string {
	var m troff
	m.macro("TH", "CENTO", "1", "", "cento "+app.Version(), "")
	m.macro("SH", "NAME")
	m.line("cento - " + strings.ToLower(root.Short[:1]) + root.Short[1:])
	m.macro("SH", "SYNOPSIS")
	m.line("cento COMMAND [ARGUMENT...] [OPTION...]")
	m.macro("SH", "DESCRIPTION")
	m.prose(root.Long)
	m.macro("SH", "COMMANDS")
	m.commands(root)
	m.macro("SH", "OPTIONS OF EVERY COMMAND")
	m.flags(root.PersistentFlags())
	m.macro("SH", "EXIT STATUS")
	for _, x := range [][2]string{
		{"0", "Done."},
		{"1", "The answer is no: the prompts differ, the text is not in the prompt, the path has no permission."},
		{"2", "The command line or an input was refused."},
		{"3", "Something failed, or the run was interrupted."},
	} {
		m.term(x[0], x[1])
	}
	m.macro("SH", "ENVIRONMENT")
	m.term("CENTO_HOME", "The folder of your own prompt files and instructions; by default cento in $XDG_CONFIG_HOME, else in ~/.config.")
	m.term("NO_COLOR", "When it is set and not empty, nothing is coloured.")
	m.macro("SH", "FILES")
	m.term("cento.yaml", "The manifest of a project; see cento init and cento schema.")
	m.term("AGENTS.md", "The instructions of a project to agents.")
	return m.String()
}

// troff is a text in the making.
type troff struct{ strings.Builder }

func (m *troff) macro(name string, args ...string) {
	m.WriteString("." + name)
	for _, a := range args {
		m.WriteString(` "` + strings.ReplaceAll(escape(a), `"`, `\(dq`) + `"`)
	}
	m.WriteByte('\n')
}

// line writes a line of text. One that begins like a macro is kept from being
// one.
func (m *troff) line(s string) {
	s = escape(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	m.WriteString(s + "\n")
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "…", "...").Replace(s)
}

// prose writes paragraphs, which are filled.
func (m *troff) prose(s string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			m.macro("PP")
		}
		for l := range strings.SplitSeq(paragraph, "\n") {
			m.line(strings.TrimSpace(l))
		}
	}
}

// verbatim writes lines as they stand.
func (m *troff) verbatim(s string) {
	m.macro("PP")
	m.macro("nf")
	for l := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		m.line(l)
	}
	m.macro("fi")
}

func (m *troff) term(name, text string) {
	m.macro("TP")
	m.WriteString(`\fB` + escape(name) + "\\fR\n")
	m.line(text)
}

func (m *troff) commands(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		if !cmd.IsAvailableCommand() && cmd.Name() != "help" {
			continue
		}
		if cmd.HasAvailableSubCommands() {
			m.commands(cmd)
			continue
		}
		m.macro("SS", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		m.prose(text)
		m.flags(cmd.LocalNonPersistentFlags())
		if cmd.Example != "" {
			m.verbatim(cmd.Example)
		}
	}
}

func (m *troff) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		m.term(name, strings.ToUpper(usage[:1])+usage[1:]+".")
	})
}
