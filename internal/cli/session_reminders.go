package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
)

func (c *console) sessionRemind() *cobra.Command {
	var f sessionFlags
	r := reminder.Reminder{}
	var ttl int64
	var propagate, authority, role, source string
	cmd := &cobra.Command{
		Use:   "remind SESSION TEXT",
		Short: "Inject a reminder: - reads its text from stdin",
		Long: `Inject a reminder. With a dedupe key it takes the place of the pending ones with
the same key. It goes after --ttl turns, when it is cleared, or when the
conversation is compacted; with --preserve it outlives that.`,
		Example: `  cento session remind s1 "Tests are red." --ttl 2 --dedupe-key tests
  cento session remind s1 - --preserve --propagate all < rule.txt`,
		Args: twoArguments("the name of the session and the text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				if r.Body = args[1]; r.Body == "-" {
					text, err := c.readAll(cmd.Context(), "the reminder")
					if err != nil {
						return err
					}
					r.Body = string(text)
				}
				if cmd.Flags().Changed("ttl") {
					if err := reminder.CheckTTL(ttl); err != nil {
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
				out, err := s.Remind(cmd.Context(), session.RemindRequest{ID: args[0], Options: f.options(), Reminder: r})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.StringVar(&r.ID, "id", "", "its `ID`; default a new one")
		fl.Var(names{&r.Tags}, "tag", "a `TAG` to clear it by, repeatable")
		fl.StringVar(&r.DedupeKey, "dedupe-key", "", "it replaces pending reminders with the same `KEY`")
		fl.Int64Var(&ttl, "ttl", 0, "`TURNS` until it goes; without it, until it is cleared or the conversation is compacted")
		fl.BoolVar(&r.PreserveOnCompact, "preserve", false, "it outlives a compaction")
		fl.StringVar(&propagate, "propagate", "", "`WHO` inherits it: session (children of this one; default), all or none")
		fl.StringVar(&authority, "authority", "", "its `RANK`: contract (default), corrective or advisory")
		fl.StringVar(&role, "role-hint", "", "its `ROLE` elsewhere: system (default), developer, user_block or ephemeral_cache")
		fl.StringVar(&source, "source", "", "`WHAT` made it: in_pipeline (default), stdlib_provider, hook, bridge or inherited")
		completeWords(cmd, "propagate", reminder.ToChildren, reminder.ToAll, reminder.ToNone)
		completeWords(cmd, "authority", reminder.Contract, reminder.Corrective, reminder.Advisory)
		completeWords(cmd, "role-hint", reminder.SystemRole, reminder.DeveloperRole, reminder.UserBlock, reminder.EphemeralCache)
		completeWords(cmd, "source", reminder.InPipeline, reminder.StdlibProvider, reminder.Hook, reminder.Bridge, reminder.Inherited)
	})
	return cmd
}

func (c *console) sessionClear() *cobra.Command {
	var f sessionFlags
	var m reminder.Match
	cmd := &cobra.Command{
		Use:   "clear SESSION",
		Short: "Take reminders out, by id, tag or key",
		Long: `Take out the pending reminders that match. Of --id, --tag and --dedupe-key at least
one is given, and all that are have to match. That none does is no error.`,
		Example: "  cento session clear s1 --tag ci\n  cento session clear s1 --dedupe-key tests",
		Args:    oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				out, err := s.Clear(cmd.Context(), session.ClearRequest{ID: args[0], Options: f.options(), Match: m})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.StringVar(&m.ID, "id", "", "the one with this `ID`")
		fl.StringVar(&m.Tag, "tag", "", "those with this `TAG`")
		fl.StringVar(&m.DedupeKey, "dedupe-key", "", "those with this `KEY`")
	})
	return cmd
}

func (c *console) sessionCompact() *cobra.Command {
	var f sessionFlags
	var recap string
	cmd := &cobra.Command{
		Use:   "compact SESSION",
		Short: "Tell that the conversation was compacted",
		Long: `Do what a compaction of the conversation does to reminders: every life has one turn
less, of those that share a key one stays, and those go that aren't preserved. The
system prompt stays as it is.`,
		Example: `  cento session compact s1 --recap "The parser is done; two tests fail."`,
		Args:    oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				out, err := s.Compact(cmd.Context(), session.CompactRequest{ID: args[0], Options: f.options(), Recap: recap})
				if err != nil {
					return err
				}
				return c.printChanged(out)
			})
		},
	}
	f.registerSession(c, cmd, false, true)
	c.withFlags(cmd, func() { cmd.Flags().StringVar(&recap, "recap", "", "what was kept of the conversation, `TEXT`") })
	return cmd
}

func (c *console) sessionFork() *cobra.Command {
	var f sessionFlags
	cmd := &cobra.Command{
		Use:   "fork SESSION CHILD",
		Short: "Begin a child session, with the reminders that it inherits",
		Long: `Begin a child session. It has the settings and the layer of its parent and the
reminders that it inherits, and makes a prompt of its own before its first turn.
The parent stays as it is.`,
		Example: "  cento session fork s1 s1-review",
		Args:    twoArguments("the name of the session and that of its child"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sessions(cmd.Context(), &f, func(s *app.Sessions) error {
				out, err := s.Fork(cmd.Context(), session.ForkRequest{ID: args[0], Child: args[1], Key: f.key})
				if err != nil {
					return err
				}
				return c.printSession(out, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "session %s, child of %s, with %s\n", app.PrintableLine(out.Session), app.PrintableLine(out.Parent), plural(len(out.Inherited), "reminder"))
					c.writeEvents(w, out.Events)
					return err
				})
			})
		},
	}
	f.registerSession(c, cmd, false, false)
	c.withFlags(cmd, func() {
		cmd.Flags().StringVar(&f.key, "key", "", "an idempotency `KEY`: asked for again with the same one, it is not done again")
	})
	return cmd
}

// printChanged prints what an operation on reminders did.
func (c *console) printChanged(out *session.Changed) error {
	return c.printSession(out, func(w io.Writer) error {
		fmt.Fprintf(w, "session %s, version %d, turn %d: %d pending\n", app.PrintableLine(out.Session), out.Version, out.Turn, len(out.Pending))
		c.writeEvents(w, out.Events)
		return c.writeNotes(w, out.Notes)
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
		_ = c.sessions(ctx, f, func(s *app.Sessions) error { // a shell has no use for the error
			list, err := s.List(ctx, "", 100)
			for _, x := range list {
				out = append(out, x.ID)
			}
			return err
		})
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
