package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) sessionRemind() *command {
	var f sessionFlags
	r := app.Reminder{}
	var ttl int64
	var propagate, authority, role, source string
	cmd := &command{
		use:   "remind SESSION TEXT",
		short: "Inject a reminder: - reads its text from stdin",
		long: `Inject a reminder. With a dedupe key it takes the place of the pending ones with
the same key. It goes after --ttl turns, when it is cleared, or when the
conversation is compacted; with --preserve it outlives that.`,
		examples: `  cento session remind s1 "Tests are red." --ttl 2 --dedupe-key tests
  cento session remind s1 - --preserve --propagate all < rule.txt`,
		args:    twoArguments("the name of the session and the text"),
		answers: answer[app.Changed](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				if r.Body = args[1]; r.Body == "-" {
					text, err := c.readAll(cmd.Context(), "the reminder")
					if err != nil {
						return err
					}
					r.Body = string(text)
				}
				if cmd.Flags().Changed("ttl") {
					if err := app.CheckTTL(ttl); err != nil {
						return err
					}
					r.TTLTurns = ttl
				}
				for _, x := range []struct {
					flag, value string
					to          interface{ UnmarshalText([]byte) error }
				}{{"propagate", propagate, &r.Propagate}, {"authority", authority, &r.Authority}, {"role-hint", role, &r.RoleHint}, {"source", source, &r.Source}} {
					if x.value != "" {
						if err := word(x.flag, x.value, x.to); err != nil {
							return err
						}
					}
				}
				out, err := s.Remind(cmd.Context(), app.RemindRequest{ID: args[0], Options: f.options(), Reminder: r})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	cmd.with(func(fl *flags) {
		fl.StringVar(&r.ID, "id", "", "its `ID`; default a new one")
		fl.Var(names{list: &r.Tags}, "tag", "a `TAG` to clear it by, repeatable")
		fl.StringVar(&r.DedupeKey, "dedupe-key", "", "it replaces pending reminders with the same `KEY`")
		fl.Int64Var(&ttl, "ttl", 0, "`TURNS` until it goes; without it, until it is cleared or the conversation is compacted")
		fl.BoolVar(&r.PreserveOnCompact, "preserve", false, "it outlives a compaction")
		fl.StringVar(&propagate, "propagate", "", "`WHO` inherits it: session (children of this one; default), all or none")
		fl.StringVar(&authority, "authority", "", "its `RANK`: contract (default), corrective or advisory")
		fl.StringVar(&role, "role-hint", "", "its `ROLE` elsewhere: system (default), developer, user_block or ephemeral_cache")
		fl.StringVar(&source, "source", "", "`WHAT` made it: in_pipeline (default), stdlib_provider, hook, bridge or inherited")
		completeWords(fl, "propagate", app.ToChildren, app.ToAll, app.ToNone)
		completeWords(fl, "authority", app.Contractual, app.Corrective, app.Advisory)
		completeWords(fl, "role-hint", app.SystemRole, app.DeveloperRole, app.UserBlock, app.EphemeralCache)
		completeWords(fl, "source", app.FromPipeline, app.FromProvider, app.FromHook, app.FromBridge, app.FromParent)
	})
	return cmd
}

func (c *console) sessionTouch() *command {
	var f sessionFlags
	cmd := &command{
		use:   "touch SESSION PATH...",
		short: "Tell a session which files are worked on: deeper instructions come up",
		long: `Tell a session that files are worked on. The instruction files of their folders
that the prompt doesn't have become reminders, each once, until the conversation is
compacted. Where none comes up, a note says why. Paths start from the folder of the run; what is named needn't be there.`,
		examples: `  cento session touch s1 services/api/handler.go
  cento instructions --for services/api/handler.go   what would come up`,
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return wrongUse("see `"+cmd.CommandPath()+" --help`", "%s wants the name of the session and at least one path", cmd.CommandPath())
			}
			return nil
		},
		answers: answer[app.Changed](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.request(cmd.Context(), &f.whatIf)
			if err != nil {
				return err
			}
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Touch(cmd.Context(), args[0], f.options(), req.Dir, args[1:])
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	return cmd
}

func (c *console) sessionClear() *command {
	var f sessionFlags
	var m app.ReminderMatch
	cmd := &command{
		use:   "clear SESSION",
		short: "Take reminders out, by id, tag or key",
		long: `Take out the pending reminders that match. Of --id, --tag and --dedupe-key at least
one is given, and all that are have to match. That none does is no error.`,
		examples: "  cento session clear s1 --tag ci\n  cento session clear s1 --dedupe-key tests",
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Changed](),
		run: func(cmd *cobra.Command, args []string) error {
			if m == (app.ReminderMatch{}) {
				return wrongUse("give --id, --tag or --dedupe-key", "nothing says what to clear")
			}
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Clear(cmd.Context(), app.ClearRequest{ID: args[0], Options: f.options(), Match: m})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	cmd.with(func(fl *flags) {
		fl.StringVar(&m.ID, "id", "", "the one with this `ID`")
		fl.StringVar(&m.Tag, "tag", "", "those with this `TAG`")
		fl.StringVar(&m.DedupeKey, "dedupe-key", "", "those with this `KEY`")
	})
	return cmd
}

func (c *console) sessionCompact() *command {
	var f sessionFlags
	var recap string
	cmd := &command{
		use:   "compact SESSION",
		short: "Tell that the conversation was compacted",
		long: `Do what a compaction of the conversation does to reminders: every life has one turn
less, of those that share a key one stays, and those go that aren't preserved. The
system prompt stays as it is.`,
		examples: `  cento session compact s1 --recap "The parser is done; two tests fail."`,
		args:     oneListed("the name of the session", "", "cento session list"),
		answers:  answer[app.Changed](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Compact(cmd.Context(), app.CompactRequest{ID: args[0], Options: f.options(), Recap: recap})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	cmd.with(func(fl *flags) { fl.StringVar(&recap, "recap", "", "what was kept of the conversation, `TEXT`") })
	return cmd
}

func (c *console) sessionFork() *command {
	var f sessionFlags
	cmd := &command{
		use:   "fork SESSION CHILD",
		short: "Begin a child session, with the reminders that it inherits",
		long: `Begin a child session. It has the settings and the layer of its parent and the
reminders that it inherits, and makes a prompt of its own before its first turn.
The parent stays as it is.`,
		examples: "  cento session fork s1 s1-review",
		args:     twoArguments("the name of the session and that of its child"),
		answers:  answer[app.Forked](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Changes, func(s *app.Sessions) error {
				out, err := s.Fork(cmd.Context(), app.ForkRequest{ID: args[0], Child: args[1], Key: f.key})
				if err != nil {
					return err
				}
				c.tellNotes(out.Notes)
				return c.printSession(out, func(w *terminal.Writer) {
					w.Printf("session %s, child of %s, with %s\n", out.Session, out.Parent, plural(len(out.Inherited), "reminder"))
					c.writeEvents(w, out.Events)
				})
			})
		},
	}
	f.registerSession(c, cmd, false, false)
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.key, "key", "", "an idempotency `KEY`: asked for again with the same one, it is not done again")
	})
	return cmd
}

// printChanged prints what an operation on reminders did.
func (c *console) printChanged(out *app.Changed) error {
	return c.printSession(out, func(w *terminal.Writer) {
		w.Printf("session %s, version %d, turn %d: %d pending\n", out.Session, out.Version, out.Turn, len(out.Pending))
		c.writeEvents(w, out.Events)
		c.writeNotes(w, out.Notes)
	})
}

// twoArguments asks for exactly two.
func twoArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return wrongUse("see `"+cmd.CommandPath()+" --help`", "%s wants %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

// sessionNames completes the names of sessions.
func (c *console) sessionNames(f *sessionFlags) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		_ = c.onSessions(ctx, f, app.Reads, func(s *app.Sessions) error { // a shell has no use for the error
			list, err := s.List(ctx, app.SessionListRequest{Limit: 100, Projects: []string{c.site.Project()}})
			for _, x := range list {
				out = append(out, x.ID)
			}
			return err
		})
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
