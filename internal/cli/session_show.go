package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

func (c *console) sessionShow() *cobra.Command {
	var f sessionFlags
	var system bool
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show how a session stands, or its prompt",
		Long: `Show how a session stands: its prompt, its settings, the turn it is in and the
pending reminders. With --system it is the exact bytes of the prompt instead.`,
		Example: "  cento session show s1\n  cento session show s1 --system -o prompt.txt",
		Args:    oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				if system {
					text, ok, err := s.System(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					if !ok {
						c.say("there is no system prompt")
					} else if c.toTerminal() {
						text = app.Printable(text) + "\n"
					}
					return c.printText(text)
				}
				out, err := s.Show(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return c.printSession(out, func(w io.Writer) error { return c.writeShown(w, out) })
			})
		},
	}
	f.registerSession(c, cmd, false, false)
	c.withFlags(cmd, func() { cmd.Flags().BoolVar(&system, "system", false, "print the prompt, and nothing else") })
	return cmd
}

func (c *console) writeShown(w io.Writer, s *session.Shown) error {
	fmt.Fprintf(w, "session %s, version %d, turn %d: %s\n", app.PrintableLine(s.Session), s.Version, s.Turn, promptLine(s.Epoch, s.Digest))
	if s.Parent != "" {
		fmt.Fprintf(w, "child of %s\n", app.PrintableLine(s.Parent))
	}
	place := "by the model"
	if s.Placement != nil {
		place = s.Placement.String()
	}
	fmt.Fprintf(w, "materialise %s, placement %s", s.Materialise, place)
	if s.AppendOnly {
		fmt.Fprintf(w, ", append only (%s sent)", plural(len(s.Sent), "envelope"))
	}
	if s.Layer != nil {
		fmt.Fprint(w, ", with a layer of its own")
	}
	fmt.Fprintln(w)
	var t table
	for _, r := range s.Pending {
		life := "until cleared"
		if r.TTLTurns > 0 {
			life = plural(int(r.TTLTurns), "turn")
		}
		fired := "new"
		if r.Fired {
			fired = "fired"
		}
		t.add(cell{text: "  " + app.PrintableLine(r.ID), paint: cyan}, cell{text: r.Authority.String()}, cell{text: life}, cell{text: fired},
			cell{text: app.PrintableLine(strings.Join(strings.Fields(r.Body), " ")), paint: dim})
	}
	if err := t.write(c, w); err != nil {
		return err
	}
	return c.writeNotes(w, s.Notes)
}

func (c *console) sessionList() *cobra.Command {
	var f sessionFlags
	var parent string
	var limit int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the sessions of the store",
		Long:    "List the sessions of the store in the order in which they began.",
		Example: "  cento session list\n  cento session list --parent s1 --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return wrongUse("", "--limit: expected 0 or more, got %d", limit)
			}
			list := []app.SessionRow{}
			err := c.sessions(cmd.Context(), &f, func(s *app.Sessions) (err error) {
				list, err = s.List(cmd.Context(), parent, limit)
				return err
			})
			if parent == "" && errors.Is(err, store.UnknownSession) {
				err = nil // there is no store yet
			}
			if err != nil {
				return err
			}
			return c.printSession(list, func(w io.Writer) error { return c.writeSessions(w, list) })
		},
	}
	f.registerSession(c, cmd, false, false)
	c.withFlags(cmd, func() {
		cmd.Flags().StringVar(&parent, "parent", "", "the children of this `SESSION`")
		cmd.Flags().IntVar(&limit, "limit", 0, "at most this `NUMBER`, the newest")
	})
	return cmd
}

func (c *console) writeSessions(w io.Writer, list []app.SessionRow) error {
	if len(list) == 0 {
		c.say("there are no sessions")
	}
	var t table
	for _, x := range list {
		name := app.PrintableLine(x.ID)
		if x.Parent != "" {
			name += " (child of " + app.PrintableLine(x.Parent) + ")"
		}
		t.add(cell{text: name, paint: cyan}, cell{text: fmt.Sprintf("version %d", x.Version)}, cell{text: fmt.Sprintf("turn %d", x.Turn)},
			cell{text: fmt.Sprintf("epoch %d", x.Epoch)}, cell{text: fmt.Sprintf("%d pending", x.Pending)})
	}
	return t.write(c, w)
}

func (c *console) sessionDrift() *cobra.Command {
	var f sessionFlags
	cmd := &cobra.Command{
		Use:   "drift SESSION",
		Short: "Tell whether the files would give another prompt than the session has",
		Long: `Read the project and tell which fragments of the session's prompt would be other
ones now, in which files, and what came into the active set or went. Nothing is
changed: see rematerialise. The exit code is 1 when there is a difference.`,
		Example: "  cento session drift s1\n  cento session drift s1 --json",
		Args:    oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				d, err := s.Drift(cmd.Context(), args[0], c.promptSource(&f.whatIf, nil))
				if err != nil {
					return err
				}
				err = c.printSession(d, func(w io.Writer) error { return c.writeDrift(w, d) })
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

func (c *console) writeDrift(w io.Writer, d *session.Drift) error {
	fmt.Fprintln(w, app.DriftSummary(d))
	for _, x := range d.Fragments {
		line := fmt.Sprintf("  %-8s %s", x.What, app.PrintableLine(x.ID))
		if len(x.Files) > 0 {
			line += "  " + c.paint(cyan, app.PrintableLine(strings.Join(x.Files, ", ")))
		}
		fmt.Fprintln(w, line)
		switch x.What {
		case "changed":
			for _, l := range app.LineDiff(*x.From, *x.To) {
				fmt.Fprintf(w, "    %c %s\n", l.Op, app.PrintableLine(l.Text))
			}
		case "verdict":
			fmt.Fprintf(w, "    was: %s\n    is: %s\n", app.PrintableLine(*x.From), app.PrintableLine(*x.To))
		}
	}
	for _, x := range []struct {
		what   string
		change session.SetChange
	}{{"tool", d.Tools}, {"capability", d.Caps}} {
		for _, name := range x.change.Added {
			fmt.Fprintf(w, "  %s %s came\n", x.what, app.PrintableLine(name))
		}
		for _, name := range x.change.Removed {
			fmt.Fprintf(w, "  %s %s went\n", x.what, app.PrintableLine(name))
		}
	}
	if d.Model != nil {
		fmt.Fprintf(w, "  model %q became %q\n", d.Model.From, d.Model.To)
	}
	return c.writeNotes(w, d.Notes)
}

func (c *console) sessionRematerialise() *cobra.Command {
	var f sessionFlags
	var layerPath, reason string
	cmd := &cobra.Command{
		Use:   "rematerialise SESSION",
		Short: "Make the prompt of a session anew, on record",
		Long: `Make the prompt of a session anew, from what the files say now. It is recorded,
also when nothing changed. A layer that is given becomes the session's own.`,
		Example: `  cento session rematerialise s1 --reason "the tool list changed"`,
		Args:    oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				own, err := layerFlag(layerPath)
				if err != nil {
					return err
				}
				if app.PrintableLine(reason) != reason || len(reason) > 150 {
					return wrongUse("say it in a line of at most 150 bytes", "the --reason isn't a line, or too long")
				}
				out, err := s.Rematerialise(cmd.Context(), session.RematerialiseRequest{ID: args[0], Options: f.options(), Layer: own, Reason: reason}, c.promptSource(&f.whatIf, nil))
				if err != nil {
					return err
				}
				return c.printSession(out, func(w io.Writer) error {
					what := "the same as before"
					if out.Changed {
						what = "another one than before"
					}
					_, err := fmt.Fprintf(w, "session %s, version %d: %s, %s\n", app.PrintableLine(out.Session), out.Version, promptLine(out.Epoch, out.Digest), what)
					c.writeEvents(w, out.Events)
					return err
				})
			})
		},
	}
	f.registerSession(c, cmd, true, true)
	c.withFlags(cmd, func() {
		cmd.Flags().StringVar(&layerPath, "layer", "", "the session's own layer from now on: a JSON or YAML `FILE`")
		cmd.Flags().StringVar(&reason, "reason", "", "why, in a line that the record keeps: `TEXT`")
	})
	return cmd
}

// explainSession explains the prompt that a session has.
func (c *console) explainSession(ctx context.Context, f *sessionFlags, id string, html, allReasons bool) error {
	if html {
		return wrongUse("explain a session as a table or with --json", "--html is the page of a project")
	}
	return c.sessions(ctx, f, func(s *app.Sessions) error {
		e, err := s.Explain(ctx, id, cento.ExplainOptions{AllReasons: allReasons})
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(e)
		}
		c.say("session %s, turn %d, epoch %d; reminders go into the %s", e.Session, e.Turn, e.Epoch, placeName(e.Placement))
		shown := e.Explanation
		shown.Fragments = append(append([]cento.Trace{}, shown.Fragments...), e.Reminders...)
		return c.printExplanation(&shown)
	})
}

// placeName is where reminders go, in words.
func placeName(p reminder.Placement) string {
	switch p {
	case reminder.InSystem:
		return "system prompt"
	case reminder.InTurn:
		return "turn"
	}
	return "form of the model's family"
}
