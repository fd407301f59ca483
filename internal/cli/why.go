package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

func (c *console) whyCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "why TEXT",
		Short: "Tell where a text of the prompt comes from, or why it is not there",
		Long: `Find a text in the prompt and tell its fragment, its file and line, why it is
in, and the commit that wrote the line. White space doesn't count. Texts that are
not in the prompt are searched as well, and then it is told why they are out;
the exit code is 1 when the text is found only there, or nowhere.`,
		Example: `  cento why "run the tests"
  cento why "update the TODO tracker" --without-tool todo`,
		Args: oneArgument("the text to look for", `put it in quotes: cento why "ARGS"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(args[0]) == "" {
				return wrongUse(`as in cento why "run the tests"`, "the text to look for is blank")
			}
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			why, err := p.ExplainText(cmd.Context(), prompt, args[0])
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(why)
			} else {
				err = c.printWhy(why, args[0])
			}
			if err == nil && !why.Found() {
				err = errNo
			}
			return err
		},
	}
	f.register(c, cmd)
	return cmd
}

func (c *console) printWhy(why *app.Why, text string) error {
	if why.IgnoredCase {
		c.say("found with letter case set aside")
	}
	return c.print(func(w io.Writer) error {
		for i, m := range why.Matches {
			if i > 0 {
				fmt.Fprintln(w)
			}
			c.writeMatch(w, m)
		}
		if why.More > 0 {
			fmt.Fprintf(w, "\n… and %s more\n", plural(why.More, "place"))
		}
		if len(why.Matches) == 0 {
			fmt.Fprintf(w, "%s is not in the prompt, nor in anything that was left out of it\n", app.Printable(fmt.Sprintf("%q", text)))
			if why.Nearest != nil {
				fmt.Fprintln(w, "\nthe nearest line:")
				c.writeMatch(w, *why.Nearest)
			}
		}
		return nil
	})
}

func (c *console) writeMatch(w io.Writer, m app.Match) {
	fmt.Fprintf(w, "%s\n", c.paint(bold, app.PrintableLine(oneLine(m.Text))))
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %-9s %s\n", name, value)
		}
	}
	verdict := c.paint(red, "not in the prompt")
	if m.Start != nil {
		verdict = c.paint(green, "in the prompt") + fmt.Sprintf(", bytes %d to %d", *m.Start, *m.End)
	}
	row("why", verdict+": "+app.PrintableLine(m.Reason))
	fragment := m.Fragment
	if fragment != "" && m.Source != "" && m.Source != fragment {
		fragment += ", from " + m.Source
	}
	row("fragment", app.PrintableLine(fragment))
	if m.Layer != nil {
		row("layer", app.PrintableLine(*m.Layer))
	}
	origin := "made by the program"
	switch {
	case m.Origin != nil:
		origin = m.Origin.String()
	case m.Trust == cento.TrustHost:
		origin = "handed over by the caller"
	}
	if m.Var != "" {
		origin += ", through the variable " + m.Var
	}
	row("origin", app.PrintableLine(origin))
	row("trust", m.Trust.String())
	switch {
	case m.Commit != nil:
		day, _, _ := strings.Cut(m.Commit.Time, "T")
		row("commit", app.PrintableLine(fmt.Sprintf("%.12s %s %s: %s", m.Commit.ID, day, m.Commit.Author, m.Commit.Summary)))
	case m.History != "":
		row("commit", app.PrintableLine(m.History))
	}
}

// oneLine shortens a text to what names it.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return s
}

func (c *console) blameCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "blame",
		Short: "Print the whole prompt with the origin of every line",
		Example: `  cento blame
  cento blame --target ci --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			lines, err := p.Blame(cmd.Context(), prompt)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(blameAnswer{lines})
			}
			var t table
			for _, l := range lines {
				t.add(c.blameRow(l)...)
			}
			if err := c.print(func(w io.Writer) error { return t.write(c, w) }); err != nil {
				return err
			}
			c.tellHistory(lines)
			return nil
		},
	}
	f.register(c, cmd)
	return cmd
}

// tellHistory says once for each file why lines of it have a dash for a commit.
func (c *console) tellHistory(lines []app.BlameLine) {
	told := map[string]bool{}
	for _, l := range lines {
		if l.Commit != nil || l.History == "" || l.Origin == nil {
			continue
		}
		text := l.Origin.File + ": no commit: " + l.History
		if !told[text] {
			told[text] = true
			c.say("%s", text)
		}
	}
}

func (c *console) blameRow(l app.BlameLine) []cell {
	origin, commit := "", ""
	if l.Origin != nil {
		origin = fmt.Sprintf("%s:%d", l.Origin.File, l.Origin.Line)
	}
	switch {
	case l.Commit != nil:
		commit = l.Commit.ID[:min(8, len(l.Commit.ID))]
	case l.History != "":
		commit = "-"
	}
	return []cell{
		{text: commit, paint: yellow},
		{text: app.PrintableLine(origin), paint: cyan},
		{text: app.PrintableLine(withLayer(l.Fragment, l.Layer)), paint: dim},
		{text: app.Printable(l.Text)},
	}
}
