package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/textdiff"
)

func (c *console) sessionShow() *command {
	var f sessionFlags
	var system bool
	cmd := &command{
		use:   "show SESSION",
		short: "Show how a session stands, or its prompt",
		long: `Show how a session stands: its prompt, its settings, the turn it is in and the
pending reminders. With --system it is the exact bytes of the prompt instead.`,
		examples: "  cento session show s1\n  cento session show s1 --system -o prompt.txt",
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Shown](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Reads, func(s *app.Sessions) error {
				if system {
					text, ok, err := s.System(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					if !ok {
						c.err.Say("there is no system prompt")
					}
					return c.printText(text)
				}
				out, err := s.Show(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return c.printSession(out, func(w *terminal.Writer) { c.writeShown(w, out) })
			})
		},
	}
	f.registerSession(c, cmd, false, false)
	cmd.with(func(fl *flags) { fl.BoolVar(&system, "system", false, "print the prompt, and nothing else") })
	return cmd
}

func (c *console) writeShown(w *terminal.Writer, s *app.Shown) {
	w.Printf("session %s, version %d, turn %d: %s\n", s.Session, s.Version, s.Turn, promptLine(s.Epoch, s.Digest))
	w.Printf("project %s\n", projectName(s.Project))
	if s.Parent != "" {
		w.Printf("child of %s\n", s.Parent)
	}
	place := "by the model"
	if s.Placement != nil {
		place = s.Placement.String()
	}
	w.Printf("materialise %s, placement %s", s.Materialise, place)
	if s.AppendOnly {
		w.Printf(", append only (%s sent)", plural(len(s.Sent), "envelope"))
	}
	if s.Layer != nil {
		w.Printf(", with a layer of its own")
	}
	w.Printf("\n")
	var t table
	for _, r := range s.Pending {
		life := "until cleared"
		switch {
		case r.TTLTurns > 0:
			life = plural(int(r.TTLTurns), "turn")
			if !r.PreserveOnCompact {
				life += ", or until compacted"
			}
		case !r.PreserveOnCompact:
			life += " or compacted"
		}
		fired := "new"
		if r.Fired {
			fired = "fired"
		}
		t.Add(cell{Text: "  " + r.ID, Paint: cyan}, cell{Text: r.Authority.String()}, cell{Text: life}, cell{Text: fired},
			cell{Text: strings.Join(strings.Fields(r.Body), " "), Paint: dim})
	}
	w.Table(&t)
	c.writeNotes(w, s.Notes)
}

func (c *console) sessionList() *command {
	var f sessionFlags
	var r app.SessionListRequest
	cmd := &command{
		use:   "list",
		short: "List the sessions of the store",
		long: `List the sessions of the store, of every project, in the order in which they began. With --limit it is
the newest; --cursor goes on with those that began before, from the cursor that the
answer before says. It stays good when sessions are deleted.`,
		examples: "  cento session list\n  cento session list --limit 20\n  cento session list --parent s1 --json",
		args:     noArguments,
		answers:  answer[[]app.SessionRow](),
		run: func(cmd *cobra.Command, _ []string) error {
			if r.Limit < 0 {
				return wrongUse("", "--limit: expected 0 or more, got %d", r.Limit)
			}
			list := []app.SessionRow{}
			err := c.onSessions(cmd.Context(), &f, app.Reads, func(s *app.Sessions) (err error) {
				list, err = s.List(cmd.Context(), r)
				return err
			})
			if r.Parent == "" && r.Cursor == "" && app.NothingStored(err, f.store) {
				err = nil
			}
			if err != nil {
				return err
			}
			if len(list) == 0 {
				c.sayNoSessions(r)
			}
			return c.printSession(list, func(w *terminal.Writer) { c.writeSessions(w, r, list) })
		},
	}
	f.registerSession(c, cmd, false, false)
	cmd.with(func(fl *flags) {
		fl.StringVar(&r.Parent, "parent", "", "the children of this `SESSION`")
		fl.StringVar(&r.Cursor, "cursor", "", "those before the place that an answer named, its `CURSOR`")
		fl.IntVar(&r.Limit, "limit", 0, "at most this `NUMBER`, the newest")
	})
	return cmd
}

// projectName prints the project of a session or a record.
func projectName(project string) string {
	if project == "" {
		return "(no project)"
	}
	return project
}

func (c *console) sessionAdopt() *command {
	var f sessionFlags
	cmd := &command{
		use:   "adopt SESSION",
		short: "Move a session to the current project",
		long: `Move a session of another project to the current one. Its prompt and its reminders
stay as they are; drift compares the prompt with the files of the current project.
The records that it has keep their project, and so do the children of the session.`,
		examples: "  cento session adopt s1",
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Adopted](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Adopt(cmd.Context(), app.AdoptRequest{ID: args[0], Options: f.options()})
				if err != nil {
					return err
				}
				return c.printSession(out, func(w *terminal.Writer) {
					w.Printf("session %s, version %d: project %s, before %s\n", out.Session, out.Version, projectName(out.Project), projectName(out.From))
				})
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	return cmd
}

func (c *console) sessionDelete() *command {
	var f sessionFlags
	var r app.SessionDeleteRequest
	cmd := &command{
		use:   "delete SESSION",
		short: "Delete a session, with its prompt and its records",
		long: `Delete a session, with its prompt, its reminders and its records. Its name is free
then. Texts that no other session needs leave the store with the next cento log gc.
A session that was forked is refused, unless its children go, too.`,
		examples: "  cento session delete s1\n  cento session delete s1 --children",
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.SessionDeleted](),
		run: func(cmd *cobra.Command, args []string) error {
			r.ID, r.Expect = args[0], f.expect
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Delete(cmd.Context(), r)
				if err != nil {
					return err
				}
				return c.printSession(out, func(w *terminal.Writer) {
					for _, id := range out.Sessions {
						w.Printf("session %s is deleted\n", id)
					}
					w.Printf("with %s\n", plural(int(out.Records), "record"))
				})
			})
		},
	}
	f.registerSession(c, cmd, false, false)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&r.Children, "children", false, "those that were forked from it, too")
		fl.Var(versionFlag{&f.expect}, "expect", "refuse unless the session has this `VERSION`")
	})
	return cmd
}

func (c *console) sayNoSessions(r app.SessionListRequest) {
	switch {
	case r.Cursor != "":
		c.err.Say("there are no more sessions")
	case r.Parent != "":
		c.err.Say("there are no sessions that were forked from %s", r.Parent)
	default:
		c.err.Say("there are no sessions")
	}
}

func (c *console) writeSessions(w *terminal.Writer, r app.SessionListRequest, list []app.SessionRow) {
	var t table
	for _, x := range list {
		name := x.ID
		if x.Parent != "" {
			name += " (child of " + x.Parent + ")"
		}
		t.Add(cell{Text: name, Paint: cyan}, cell{Text: fmt.Sprintf("version %d", x.Version)}, cell{Text: fmt.Sprintf("turn %d", x.Turn)},
			cell{Text: fmt.Sprintf("epoch %d", x.Epoch)}, cell{Text: fmt.Sprintf("%d pending", x.Pending)}, cell{Text: projectName(x.Project), Paint: dim})
	}
	w.Table(&t)
	if r.Limit > 0 && len(list) == r.Limit {
		c.err.Say("those before, if any: --cursor %s", list[0].Cursor)
	}
}

func (c *console) sessionDrift() *command {
	var f sessionFlags
	cmd := &command{
		use:   "drift SESSION",
		short: "Tell whether the files would give another prompt than the session has",
		long: `Read the project and tell which fragments of the session's prompt would be other
ones now, in which files, and what came into the active set or went. Nothing is
changed: see rematerialise. The exit code is 1 when there is a difference.`,
		examples: "  cento session drift s1\n  cento session drift s1 --json",
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Drift](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Reads, func(s *app.Sessions) error {
				d, err := s.Drift(cmd.Context(), args[0], c.sessionProject(s, &f.whatIf, nil).Source())
				if err != nil {
					return err
				}
				err = c.printSession(d, func(w *terminal.Writer) { c.writeDrift(w, d) })
				if err == nil && d.Drifted {
					return errNo
				}
				return err
			})
		},
	}
	f.registerSession(c, cmd, true, false)
	return cmd
}

func (c *console) writeDrift(w *terminal.Writer, d *app.Drift) {
	w.Printf("%s\n", app.DriftSummary(d))
	for _, x := range d.Fragments {
		w.Printf("  %-8s %s", x.What, x.ID)
		if len(x.Files) > 0 {
			w.Printf("  %s", cyan.On(strings.Join(x.Files, ", ")))
		}
		w.Printf("\n")
		switch x.What {
		case "changed":
			for _, l := range textdiff.Lines(*x.From, *x.To) {
				w.Printf("    %c %s\n", l.Op, l.Text)
			}
		case "verdict":
			w.Printf("    was: %s\n    is: %s\n", *x.From, *x.To)
		}
	}
	for _, x := range []struct {
		what   string
		change app.SetChange
	}{{"tool", d.Tools}, {"capability", d.Caps}} {
		for _, name := range x.change.Added {
			w.Printf("  %s %s came\n", x.what, name)
		}
		for _, name := range x.change.Removed {
			w.Printf("  %s %s went\n", x.what, name)
		}
	}
	if d.Model != nil {
		w.Printf("  model %q became %q\n", d.Model.From, d.Model.To)
	}
	c.writeNotes(w, d.Notes)
}

func (c *console) sessionRematerialise() *command {
	var f sessionFlags
	var layerPath, reason string
	cmd := &command{
		use:   "rematerialise SESSION",
		short: "Make the prompt of a session anew, on record",
		long: `Make the prompt of a session anew, from what the files say now. It is recorded,
also when nothing changed. A layer that is given becomes the session's own.`,
		examples: `  cento session rematerialise s1 --reason "the tool list changed"`,
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Rematerialised](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				own, err := layerFlag(layerPath)
				if err != nil {
					return err
				}
				out, err := s.Rematerialise(cmd.Context(), app.RematerialiseRequest{ID: args[0], Options: f.options(), Own: app.SessionOwn{Layer: own}, Reason: reason}, c.sessionProject(s, &f.whatIf, nil))
				if err != nil {
					return err
				}
				c.tellNotes(out.Notes)
				return c.printSession(out, func(w *terminal.Writer) {
					what := "the same as before"
					if out.Changed {
						what = "another one than before"
					}
					w.Printf("session %s, version %d: %s, %s\n", out.Session, out.Version, promptLine(out.Epoch, out.Digest), what)
					c.writeEvents(w, out.Events)
				})
			})
		},
	}
	f.registerSession(c, cmd, true, true)
	cmd.with(func(fl *flags) {
		fl.StringVar(&layerPath, "layer", "", "the session's own layer from now on: a JSON or YAML `FILE`")
		fl.StringVar(&reason, "reason", "", "why, in a line that the record keeps: `TEXT`")
	})
	return cmd
}

// explainSession explains the prompt that a session has.
func (c *console) explainSession(ctx context.Context, f *sessionFlags, id string, html, allReasons bool) error {
	if html {
		return wrongUse("explain a session as a table or with --json", "--html is the page of a project")
	}
	return c.onSessions(ctx, f, app.Reads, func(s *app.Sessions) error {
		e, err := s.Explain(ctx, id, cento.ExplainOptions{AllReasons: allReasons})
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(e)
		}
		c.err.Say("session %s, turn %d, epoch %d; reminders go into the %s", e.Session, e.Turn, e.Epoch, placeName(e.Placement))
		shown := e.Explanation
		shown.Fragments = append(append([]cento.Trace{}, shown.Fragments...), e.Reminders...)
		return c.printExplanation(&shown, "")
	})
}

// placeName is where reminders go, in words.
func placeName(p app.Placement) string {
	switch p {
	case app.InSystem:
		return "system prompt"
	case app.InTurn:
		return "turn"
	}
	return "form of the model's family"
}
