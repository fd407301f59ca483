package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) whyCommand() *command {
	var f sessionFlags
	var request wireFlags
	var ofSession, record, revision string
	var as askedAs
	cmd := &command{
		use:   "why TEXT",
		short: "Find where a text comes from, or why it is missing",
		long: `Find a text in the prompt and tell its fragment, its file and line, why it is
in, and the commit that wrote the line. White space doesn't count. Texts that are
not in the prompt are searched as well, those of branches that its prompt files
did not take among them, and then it is told why they are out; the exit code is 1
when the text is found only there, or nowhere. A text that is in none of these is
looked for in all else that the project has for a prompt: the definitions of tools,
prompt files as they are written and those that nothing names, other targets, skills,
texts of the program that a setting keeps out, the manifest and the files that it
names, down to names of keys, and files that instruct other clients. Files of which no
prompt is made, such as code and tests of prompts, are not looked at.

The text may be the id of a fragment, such as primary:system, or tool:NAME: why
reports the fragment first, and exits with 0 if it is in the prompt. cento show ID
prints it whole. The text may name a file of the project as FILE, FILE:LINE or
FILE:LINE:COLUMN: why reports where each of its lines went, in the prompt or out of
it. Use --text to look for such a text itself; --id and --at force the others.

With --wire the text is looked up in the request of a provider as well: where in the
body it stands, in the prompt, in the definitions of tools down to names in their
schemas, and else in the rest, such as the model. With --session it is looked up in
the prompt that a session has, in the live reminders that go into its turn, and in what
its turns before had, such as reminders that ended; which commits wrote that isn't told,
since its files may be others by now. With --record it is looked up in a recorded prompt,
and with --revision in the prompt that the files of a commit give.`,
		examples: `  cento why "run the tests"
  cento why "update the TODO tracker" --without-tool todo
  cento why scope:boundaries
  cento why AGENTS.md:12
  cento why "run the tests" --record api@3
  cento why "run the tests" --revision HEAD~3
  cento why "run the tests" --wire anthropic --model claude-opus-5`,
		args:    oneArgument("the text to look for", `put it in quotes: cento why "ARGS"`),
		answers: slices.Concat(answer[call.Why](), answer[app.SessionWhy]()),
		run: func(cmd *cobra.Command, args []string) (err error) {
			wired, err := request.asked()
			if err != nil {
				return err
			}
			way, err := as.way()
			if err != nil {
				return err
			}
			if record != "" {
				if err := f.ofRecord(cmd, "record", "id", "at", "text"); err != nil {
					return err
				}
				return c.whyRecord(cmd.Context(), &f, record, args[0], way)
			}
			if of, err := f.instead(cmd, "prompt", "wire", "text"); err != nil {
				return err
			} else if of {
				if wired {
					return wrongUse("a turn has one: `cento session turn "+app.Quoted(ofSession)+" --wire "+request.form+"`", "--wire is the request of a project's prompt, not of a session's")
				}
				return c.whySession(cmd.Context(), &f, ofSession, args[0])
			}
			p, done, err := c.openAt(cmd.Context(), &f.whatIf, revision)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			in := f.input(c, p)
			if wired {
				in = p.InForm(in, request.form)
			}
			why, err := p.Answer(cmd.Context(), in, args[0], way)
			if err != nil {
				return err
			}
			if wired {
				prompt, err := c.reduce(&f.whatIf, p, in)
				if err != nil {
					return err
				}
				body, err := c.wire(cmd, &request, p, in, prompt)
				if err != nil {
					return err
				}
				c.tellLosses(body.Losses)
				body.AddTo(why, p, args[0])
			}
			if c.json {
				out := call.Why{Why: *why}
				err = c.printNoted(&out, &out.Notes)
			} else {
				err = c.printWhy(why, nil, args[0])
			}
			if err == nil && !why.Found() {
				err = errNo
			}
			return err
		},
	}
	f.register(c, cmd)
	request.register(cmd)
	cmd.with(func(fl *flags) {
		f.registerOf(fl, &ofSession)
		fl.StringVar(&record, "record", "", "look in the prompt that was recorded as `RECORD`, such as api@3")
		fl.StringVar(&revision, "revision", "", "look in the prompt of the commit `REV`, such as HEAD~3 or main")
		fl.BoolVar(&as.id, "id", false, "read TEXT as the id of a fragment")
		fl.BoolVar(&as.at, "at", false, "read TEXT as FILE, FILE:LINE or FILE:LINE:COLUMN")
		fl.BoolVar(&as.text, "text", false, "read TEXT as a text to look for")
	})
	return cmd
}

// askedAs has the flags that force how the text of a question is read.
type askedAs struct{ id, at, text bool }

func (a askedAs) way() (as app.AskedAs, err error) {
	for _, x := range []struct {
		set bool
		as  app.AskedAs
	}{{a.id, app.AskedID}, {a.at, app.AskedAt}, {a.text, app.AskedText}} {
		if x.set && as != "" {
			return "", wrongUse("give one of them", "--id, --at and --text exclude each other")
		}
		if x.set {
			as = x.as
		}
	}
	return as, nil
}

// openAt reads the project that the flags name, as a revision of git has it; empty for the
// files as they are. done ends the reading.
func (c *console) openAt(ctx context.Context, f *whatIf, revision string) (p *app.Project, done func() error, err error) {
	if revision == "" {
		p, err = c.open(ctx, f)
		return p, func() error { return nil }, err
	}
	req, err := c.located(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	from := new(app.Repository)
	p, summary, notes, err := app.OpenRevision(ctx, from, c.site, req, revision)
	if err != nil {
		return nil, nil, errors.Join(err, from.Close())
	}
	c.gather(notes)
	c.tellSides([]string{summary}, notes, nil)
	return p, from.Close, nil
}

// whyRecord finds a text in a recorded prompt.
func (c *console) whyRecord(ctx context.Context, f *sessionFlags, record, text string, as app.AskedAs) error {
	return c.withLog(ctx, &storeFlag{whatIf: f.whatIf, place: f.store}, app.Reads, func(l *app.Log) error {
		ref, why, err := l.Why(ctx, record, text, as)
		if err != nil {
			return err
		}
		if c.json {
			err = c.printJSON(call.Why{Why: *why})
		} else {
			c.err.Say("record %s", ref)
			err = c.printWhy(why, nil, text)
		}
		if err == nil && !why.Found() {
			err = errNo
		}
		return err
	})
}

func (c *console) showCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "show ID",
		short: "Print one fragment whole, with its origin",
		long: `Print the text of a fragment as it is in the prompt, or as it would be, after its
origin and the reason why it is in or out. cento explain lists the ids.`,
		examples: `  cento show project:instructions
  cento show tool:shell`,
		args:    oneArgument("the id of a fragment", "cento explain lists the ids"),
		answers: answer[call.Why](),
		run: func(cmd *cobra.Command, args []string) error {
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			why, err := p.Answer(cmd.Context(), f.input(c, p), args[0], app.AskedID)
			if err != nil {
				return err
			}
			if c.json {
				out := call.Why{Why: *why}
				return c.printNoted(&out, &out.Notes)
			}
			return c.print(func(w *terminal.Writer) {
				m := *why.Named
				text := m.Text
				m.Text = m.Fragment
				c.writeMatch(w, m, "in the prompt")
				w.Printf("\n")
				w.Exact(text)
				if !strings.HasSuffix(text, "\n") {
					w.Printf("\n")
				}
			})
		},
	}
	f.register(c, cmd)
	return cmd
}

// whySession finds a text in the prompt that a session has.
func (c *console) whySession(ctx context.Context, f *sessionFlags, id, text string) error {
	return c.onSessions(ctx, f, app.Reads, func(s *app.Sessions) error {
		why, err := s.ExplainText(ctx, id, text)
		if err != nil {
			return err
		}
		if c.json {
			err = c.printJSON(why)
		} else {
			c.err.Say("session %s, turn %d, epoch %d; reminders go into the %s", why.Session, why.Turn, why.Epoch, placeName(why.Placement))
			err = c.printWhy(&why.Why, why.Reminders, text)
		}
		if err == nil && !why.Found() {
			err = errNo
		}
		return err
	})
}

// printWhy tells where a text was found; beside are the places in reminders that stand
// beside the prompt.
func (c *console) printWhy(why *app.Why, beside []app.Match, text string) error {
	if why.IgnoredCase {
		c.err.Say("found with letter case set aside")
	}
	return c.print(func(w *terminal.Writer) {
		if why.Named != nil {
			w.Printf("%s is an id\n\n", why.Named.Fragment)
			c.writeMatch(w, *why.Named, "in the prompt")
		}
		for i, m := range slices.Concat(why.Matches, beside) {
			if i > 0 || why.Named != nil {
				w.Printf("\n")
			}
			where := "in the prompt"
			if i >= len(why.Matches) {
				where = "in the reminders beside the prompt"
			}
			c.writeMatch(w, m, where)
		}
		if why.More > 0 {
			w.Printf("\n… and %s more\n", plural(why.More, "place"))
		}
		c.writeRequest(w, why.Request)
		if why.RequestMore > 0 {
			w.Printf("\n… and %s more in the request\n", plural(why.RequestMore, "place"))
		}
		switch found := len(why.Matches) + len(beside); {
		case why.At != nil:
			c.writePlaces(w, why.At)
		case why.Named != nil && found == 0:
		case found+len(why.Request) == 0:
			nor := ""
			if why.Form != "" {
				nor = ", nor in the request in the form of " + why.Form
			}
			w.Printf("%q is not in the prompt, nor in what was left out of it%s\n", text, nor)
			for _, what := range why.NotSearched {
				w.Printf("not looked through: %s\n", what)
			}
			if why.NearestID != "" {
				w.Printf("\nthe nearest id: %s\n", why.NearestID)
			}
			if why.Nearest != nil {
				w.Printf("\nthe nearest sentence:\n")
				c.writeMatch(w, *why.Nearest, "in the prompt")
			}
		case why.Form != "" && len(why.Request) == 0:
			w.Printf("\nnot in the request in the form of %s\n", why.Form)
		}
	})
}

// writePlaces prints where the lines of a file went.
func (c *console) writePlaces(w *terminal.Writer, of *app.FileWhy) {
	if len(of.Lines) == 0 {
		w.Printf("%s has no line with text\n", of.File)
	}
	for i, x := range of.Lines {
		if i > 0 {
			w.Printf("\n")
		}
		name := lineRange(of.File, x.Line, x.LastLine)
		m := x.Match
		m.Text = name + "  " + strings.TrimSpace(m.Text)
		if x.More > 0 {
			m.Reason += fmt.Sprintf("; and in %s more", plural(x.More, "place"))
		}
		c.writeMatch(w, m, "in the prompt")
	}
}

// lineRange names lines of a file, such as AGENTS.md:3-5.
func lineRange(file string, from, to int) string {
	if from == to {
		return fmt.Sprintf("%s:%d", file, from)
	}
	return fmt.Sprintf("%s:%d-%d", file, from, to)
}

// writeRequest tells where in a request a text stands.
func (c *console) writeRequest(w *terminal.Writer, pieces []app.WirePiece) {
	for _, p := range pieces {
		w.Printf("\n%s\n", bold.On(oneLine(p.Text)))
		at := "in the request at " + p.Pointer
		switch {
		case p.Name:
			at = "in the request, in the name of " + p.Pointer
		case p.Pointer == "": // it is the prompt alone
			at = "in the request"
		}
		w.Printf("  where     %s, bytes %d to %d\n", green.On(at), p.Start, p.End)
		if p.Reason != "" {
			w.Printf("  why       %s\n", p.Reason)
		}
		if p.Fragment != "" {
			w.Printf("  fragment  %s\n", p.Fragment)
		}
		if p.Origin != nil {
			w.Printf("  origin    %s\n", p.Origin.String())
			if path := c.paths().FromHere(p.Origin.File); path != "" {
				w.Printf("  path      %s\n", cento.Position{File: path, Line: p.Origin.Line, Column: p.Origin.Column}.String())
			}
		}
		w.Printf("  trust     %s\n", p.Trust.String())
	}
}

// writeMatch tells of a place; where is what its bytes count in.
func (c *console) writeMatch(w *terminal.Writer, m app.Match, where string) {
	w.Printf("%s\n", bold.On(oneLine(m.Text)))
	row := func(name, value string) {
		if value != "" {
			w.Printf("  %-9s %s\n", name, value)
		}
	}
	if m.Start != nil {
		w.Printf("  why       %s, bytes %d to %d: %s\n", green.On(where), *m.Start, *m.End, m.Reason)
	} else {
		w.Printf("  why       %s: %s\n", red.On("not in the prompt"), m.Reason)
	}
	fragment := m.Fragment
	if fragment != "" && m.Source != "" && m.Source != fragment {
		fragment += ", from " + m.Source
	}
	if m.Code == app.SwitchedOff { // the prompt has no such fragment, and explain no such row
		row("would be", fragment)
	} else {
		row("fragment", fragment)
	}
	if m.Layer != nil {
		row("layer", *m.Layer)
	}
	origin := "no file"
	switch {
	case m.Origin != nil:
		origin = m.Origin.String()
	case m.MadeBy == cento.ByProgram:
		origin = "made by the program"
	case m.MadeBy == cento.ByCaller:
		origin = "handed over by the caller"
	}
	if m.Var != "" {
		origin += ", through the variable " + m.Var
	}
	row("origin", origin)
	openable := func(at cento.Position) {
		if at.File = c.paths().FromHere(at.File); at.File != "" {
			row("path", at.String())
		}
	}
	if m.Origin != nil {
		openable(*m.Origin)
	}
	if m.SetAt != nil {
		row("set at", m.SetAt.String())
		openable(*m.SetAt)
	}
	if m.OutAt != nil {
		row("out at", m.OutAt.String())
		openable(*m.OutAt)
	}
	row("trust", m.Trust.String())
	row("made by", maker(m))
	switch {
	case m.Commit != nil:
		day, _, _ := strings.Cut(m.Commit.Time, "T")
		row("commit", fmt.Sprintf("%.12s %s %s: %s", m.Commit.ID, day, m.Commit.Author, m.Commit.Summary))
	case m.History != "":
		row("commit", m.History)
	}
}

// maker is who made the text, in words; empty where its trust or its origin says it.
func maker(m app.Match) string {
	switch m.MadeBy {
	case cento.ByProgram:
		if m.Origin != nil && m.Trust.Untrusted() {
			return "the program, in the text of another"
		}
	case cento.ByImport:
		return "whoever wrote a file that the instructions name"
	case cento.BySkill:
		return "whoever wrote the skill"
	case cento.ByPack:
		return "whoever wrote the pack"
	}
	return ""
}

// oneLine shortens a text to what names it.
func oneLine(s string) string {
	return quote.ClipRunes(strings.Join(strings.Fields(s), " "), 100)
}

func (c *console) blameCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "blame",
		short: "Print the whole prompt with the origin of every line",
		examples: `  cento blame
  cento blame --target ci --json`,
		args:    noArguments,
		answers: answer[blameAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			lines, err := p.Blame(cmd.Context(), prompt)
			if err != nil {
				return err
			}
			if c.json {
				out := blameAnswer{Lines: lines}
				return c.printNoted(&out, &out.Notes)
			}
			var t table
			for _, l := range lines {
				t.Add(c.blameRow(l)...)
			}
			if err := c.print(func(w *terminal.Writer) { w.Table(&t) }); err != nil {
				return err
			}
			c.tellHistory(lines)
			return nil
		},
	}
	f.register(c, cmd)
	return cmd
}

// stretchesOf are all of a line, the first as well.
func stretchesOf(l app.BlameLine) []app.BlameStretch {
	first := app.BlameStretch{Origin: l.Origin, SetAt: l.SetAt, Commit: l.Commit, History: l.History}
	return append([]app.BlameStretch{first}, l.Also...)
}

// tellHistory says once for each file why lines of it have a dash for a commit.
func (c *console) tellHistory(lines []app.BlameLine) {
	told := map[string]bool{}
	for _, l := range lines {
		for _, s := range stretchesOf(l) {
			if s.Commit != nil || s.History == "" || s.Origin == nil {
				continue
			}
			file := s.Origin.File
			if s.SetAt != nil {
				file = s.SetAt.File
			}
			text := file + ": no commit: " + s.History
			if !told[text] {
				told[text] = true
				c.err.Say("%s", text)
			}
		}
	}
}

// lineFromHere is the file and the line of a place, as a terminal opens them.
func (c *console) lineFromHere(at cento.Position) string {
	return fmt.Sprintf("%s:%d", cmp.Or(c.paths().FromHere(at.File), at.File), at.Line)
}

// maxBlamed is how many places, and commits, a row names; the others are counted.
const maxBlamed = 4

// lines are the source lines of places, by the files as they come, neighbours as a range.
func (c *console) lines(places []cento.Position) string {
	var files []string
	of := map[string][]int{}
	for _, at := range places {
		if of[at.File] == nil {
			files = append(files, at.File)
		}
		of[at.File] = append(of[at.File], at.Line)
	}
	var out []string
	for _, file := range files {
		slices.Sort(of[file])
		lines := slices.Compact(of[file])
		for i := 0; i < len(lines); {
			first := i
			for i++; i < len(lines) && lines[i] == lines[i-1]+1; i++ {
			}
			text := c.lineFromHere(cento.Position{File: file, Line: lines[first]})
			if i > first+1 {
				text += fmt.Sprintf("-%d", lines[i-1])
			}
			out = append(out, text)
		}
	}
	return someOf(out)
}

func someOf(texts []string) string {
	if rest := len(texts) - maxBlamed; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:maxBlamed], ", "), rest)
	}
	return strings.Join(texts, ", ")
}

func (c *console) blameRow(l app.BlameLine) []cell {
	var from, set []cento.Position
	var commits []string
	seen := map[string]bool{"": true}
	for _, s := range stretchesOf(l) {
		if s.Origin != nil {
			from = append(from, *s.Origin)
		}
		if s.SetAt != nil {
			set = append(set, *s.SetAt)
		}
		commit := ""
		switch {
		case s.Commit != nil:
			commit = s.Commit.ID[:min(8, len(s.Commit.ID))]
		case s.History != "":
			commit = "-"
		}
		if !seen[commit] {
			seen[commit] = true
			commits = append(commits, commit)
		}
	}
	origin := c.lines(from)
	if len(set) > 0 {
		origin += ", set at " + c.lines(set)
	}
	return []cell{
		{Text: someOf(commits), Paint: yellow},
		{Text: origin, Paint: cyan},
		{Text: withLayer(l.Fragment, l.Layer), Paint: dim},
		{Text: l.Text, Tabs: true},
	}
}
