package cli

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
)

// sessionFlags are what the commands about sessions take beside those that say
// which project is read.
type sessionFlags struct {
	whatIf
	store  string
	key    string
	expect int64
}

func (c *console) sessionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "Keep the prompt of a session, and its reminders from turn to turn",
		Long: `The prompt of a session is made once, before its first turn, and stored. Files
that change later don't change it: see drift and rematerialise. What changes from
turn to turn are reminders, which are injected, shown for some turns, and expire.

Sessions live in a store: the one of --store, else that of the manifest or of your
configuration, else $XDG_STATE_HOME/cento/cento.db.`,
		Example: `  cento session start s1
  cento session remind s1 "Tests are red." --ttl 2
  cento session turn s1
  cento session drift s1`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(
		c.sessionStart(), c.sessionTurn(), c.sessionRemind(), c.sessionClear(), c.sessionCompact(), c.sessionFork(),
		c.sessionDrift(), c.sessionRematerialise(), c.sessionShow(), c.sessionList(),
	)
	return cmd
}

// registerSession defines the flags of a command about sessions. Those that
// assemble a prompt have the flags of every such command.
func (f *sessionFlags) registerSession(c *console, cmd *cobra.Command, assembles, changes bool) {
	if assembles {
		f.register(c, cmd)
	}
	if strings.Contains(cmd.Use, " SESSION") && cmd.Name() != "start" {
		cmd.ValidArgsFunction = c.sessionNames(f)
	}
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		if !assembles {
			fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
			fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		}
		fl.StringVar(&f.store, "store", "", "the store: a file, or the address of a PostgreSQL database (`DSN`)")
		if changes {
			fl.StringVar(&f.key, "key", "", "an idempotency `KEY`: asked for again with the same one, it is not done again")
			fl.Var(versionFlag{&f.expect}, "expect", "refuse unless the session has this `VERSION`")
		}
	})
}

// versionFlag takes the version of a session.
type versionFlag struct{ to *int64 }

func (v versionFlag) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n < 1 {
		err = errors.New("versions count from 1")
	}
	*v.to = n
	return err
}

func (v versionFlag) String() string { return "" }

func (v versionFlag) Type() string { return "version" }

func (f *sessionFlags) options() session.Options {
	return session.Options{Key: f.key, Expect: f.expect}
}

// sessions runs a command on the sessions of the store, which has to be there.
func (c *console) sessions(ctx context.Context, f *sessionFlags, do func(*app.Sessions) error) error {
	return c.onSessions(ctx, f, false, do)
}

// onSessions runs a command on the sessions of the store; one that begins a
// session makes the store when there is none.
func (c *console) onSessions(ctx context.Context, f *sessionFlags, begins bool, do func(*app.Sessions) error) (err error) {
	req, err := c.request(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	if c.place, err = project.Locate(req); err != nil {
		return err
	}
	s, err := app.OpenSessions(ctx, c.place, req, f.store, begins)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := s.Close(); err == nil {
			err = cerr
		}
	}()
	return s.Located(do(s))
}

// promptSource reads the project that the flags name, when a prompt is needed.
// One that was opened already, with the same layer, is used instead.
func (c *console) promptSource(f *whatIf, opened *app.Project) session.Source {
	return func(ctx context.Context, r session.Reading) (cento.Input, *cento.Prompt, error) {
		p := opened
		if p == nil || !r.Now.IsZero() {
			req, err := c.request(ctx, f)
			if err != nil {
				return cento.Input{}, nil, err
			}
			req.Session = r.Layer
			if !r.Now.IsZero() {
				req.Now = r.Now
			}
			if p, err = app.Open(ctx, c.place, req); err != nil {
				return cento.Input{}, nil, err
			}
		}
		in := f.input(c, p)
		prompt, err := p.Reduce(in)
		return in, prompt, err
	}
}

// layerFlag is the layer of a session in a file; nil where none is named.
func layerFlag(path string) (*layer.Layer, error) {
	if path == "" {
		return nil, nil
	}
	return app.ReadSessionLayer(path)
}

func (c *console) sessionStart() *cobra.Command {
	var f sessionFlags
	var layerPath, materialise, placement string
	var appendOnly bool
	var providers []string
	cmd := &cobra.Command{
		Use:   "start SESSION",
		Short: "Begin a session, and make its prompt",
		Long: `Begin a session and make its prompt, once. When the prompt can't be made, the
session is there without one: the same command again, or its first turn, makes it.

How the prompt is made and where reminders go is what the manifest says under
materialise and reminders, unless a flag says otherwise; it holds for as long as the
session lives. With --layer the session
has a layer of its own, above those of the project, which is kept with it.`,
		Example: `  cento session start s1
  cento session start s2 --placement turn --append-only --layer session.yaml`,
		Args: oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, true, func(s *app.Sessions) error {
				own, err := layerFlag(layerPath)
				if err != nil {
					return err
				}
				f.session = own
				p, err := c.open(cmd.Context(), &f.whatIf)
				if err != nil {
					return err
				}
				settings := p.SessionSettings()
				if err := settle(cmd, &settings, materialise, placement, appendOnly, providers); err != nil {
					return err
				}
				out, err := s.Start(cmd.Context(), session.StartRequest{ID: args[0], Settings: settings, Layer: own, Key: f.key}, c.promptSource(&f.whatIf, p))
				if err != nil {
					return err
				}
				return c.printSession(out, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "session %s, version %d: %s\n", app.PrintableLine(out.Session), out.Version, promptLine(out.Epoch, out.Digest))
					return err
				})
			})
		},
	}
	f.registerSession(c, cmd, true, false)
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.StringVar(&layerPath, "layer", "", "the session's own layer: a JSON or YAML `FILE`")
		fl.StringVar(&materialise, "materialise", "", "`HOW` often the prompt is made: once or per_turn")
		fl.StringVar(&placement, "placement", "", "where reminders go, `PLACE`: system, turn or native")
		fl.BoolVar(&appendOnly, "append-only", false, "keep every envelope where it was sent first")
		fl.Var(names{&providers}, "provider", "a provider that is asked, or -`NAME` for one that is not; repeatable")
		fl.StringVar(&f.key, "key", "", "an idempotency `KEY`: asked for again with the same one, it is not done again")
		completeWords(cmd, "materialise", project.Once, project.EveryTurn)
		completeWords(cmd, "placement", reminder.InSystem, reminder.InTurn, reminder.InNative)
	})
	return cmd
}

// completeWords completes the value of a flag that takes one of a few words.
func completeWords[T fmt.Stringer](cmd *cobra.Command, flag string, words ...T) {
	var known []string
	for _, w := range words {
		known = append(known, w.String())
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error())
	}
}

// word reads the value of a flag that takes one of a few words.
func word(flag, value string, to encoding.TextUnmarshaler) error {
	err := to.UnmarshalText([]byte(value))
	if e, ok := errors.AsType[*cento.SourceError](err); ok {
		return wrongUse(e.Hint, "--%s: %s", flag, e.Message)
	}
	if err != nil {
		return wrongUse("", "--%s: %w", flag, err)
	}
	return nil
}

// settle lays the flags of start on what the manifest says.
func settle(cmd *cobra.Command, s *session.Settings, materialise, placement string, appendOnly bool, providers []string) error {
	if materialise != "" {
		var m project.Materialise
		if err := word("materialise", materialise, &m); err != nil {
			return err
		}
		s.PerTurn = m == project.EveryTurn
	}
	if placement != "" {
		var p reminder.Placement
		if err := word("placement", placement, &p); err != nil {
			return err
		}
		s.Placement = &p
	}
	if cmd.Flags().Changed("append-only") {
		s.AppendOnly = appendOnly
	}
	if len(providers) > 0 {
		s.Providers = providers
	}
	return nil
}

func (c *console) sessionTurn() *cobra.Command {
	var f sessionFlags
	var m reminder.Moment
	var truncated []string
	var end, resumed, drift bool
	cmd := &cobra.Command{
		Use:   "turn SESSION",
		Short: "Begin the next turn: what the model is asked with",
		Long: `End the turn that was begun before, if one was, ask the providers, and say what
the model is to be asked with in the next one: the system prompt, and the reminders
where they belong. Everything that is handed out is recorded.

The providers make reminders of what they are told: --tokens-used and --window,
--idle, --truncated, --resumed, --check-drift.

A session that has its prompt keeps it. Flags that ask for another one, as --tool,
are held against it, and a note tells of the difference.`,
		Example: `  cento session turn s1
  cento session turn s1 --tokens-used 171000 --window 200000 --json
  cento session turn s1 --truncated shell=8192/120000
  cento session turn s1 --end`,
		Args: oneArgument("the name of the session", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, id := cmd.Context(), args[0]
			if err := fitTogether(cmd, end); err != nil {
				return err
			}
			return c.sessions(ctx, &f, func(s *app.Sessions) error {
				if end {
					out, err := s.EndTurn(ctx, session.EndRequest{ID: id, Options: f.options()})
					if err != nil {
						return err
					}
					return c.printChanged(out)
				}
				if resumed {
					m.Kind = reminder.OnResume
				}
				var err error
				if m.Truncated, err = truncatedOutputs(truncated); err != nil {
					return err
				}
				check := session.DriftIgnored
				switch {
				case drift:
					check = session.DriftReminded
				case changesPrompt(cmd):
					check = session.DriftTold
				}
				out, err := s.Turn(ctx, session.TurnRequest{ID: id, Options: f.options(), Moment: m, Check: check}, c.promptSource(&f.whatIf, nil))
				if err != nil {
					return err
				}
				return c.printSession(out, func(w io.Writer) error { return c.writeTurn(w, out) })
			})
		},
	}
	f.registerSession(c, cmd, true, true)
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.BoolVar(&end, "end", false, "end the turn, and begin none")
		fl.Int64Var(&m.TokensUsed, "tokens-used", 0, "`NUMBER` of tokens in use")
		fl.Int64Var(&m.Window, "window", 0, "`NUMBER` of tokens that the model's window has")
		fl.Int64Var(&m.IdleTurns, "idle", 0, "`NUMBER` of turns without anything done")
		fl.StringArrayVar(&truncated, "truncated", nil, "an output that was cut: `TOOL=KEPT/TOTAL` in bytes, repeatable")
		fl.BoolVar(&resumed, "resumed", false, "the session goes on in another run")
		fl.BoolVar(&drift, "check-drift", false, "read the files, and remind of those that changed")
	})
	return cmd
}

// fitTogether finds flags of a turn that say nothing with, or without, one another.
func fitTogether(cmd *cobra.Command, end bool) error {
	given := cmd.Flags().Changed
	for _, name := range []string{"tokens-used", "window", "idle", "truncated", "resumed", "check-drift"} {
		if end && given(name) {
			return wrongUse("tell it when you begin a turn", "--end begins no turn, so --%s says nothing", name)
		}
	}
	if given("tokens-used") != given("window") {
		return wrongUse("give both", "--tokens-used and --window belong together")
	}
	return nil
}

// changesPrompt reports whether a flag asks for another prompt than the files
// give. A session that has its prompt keeps it, and has to say so.
func changesPrompt(cmd *cobra.Command) bool {
	return slices.ContainsFunc([]string{"target", "tools", "tool", "without-tool", "cap", "without-cap", "skill", "model", "var"}, func(name string) bool {
		return cmd.Flags().Changed(name)
	})
}

// truncatedOutputs parts the values of --truncated.
func truncatedOutputs(list []string) ([]reminder.TruncatedOutput, error) {
	var out []reminder.TruncatedOutput
	for _, text := range list {
		tool, sizes, ok := strings.Cut(text, "=")
		kept, total, ok2 := strings.Cut(sizes, "/")
		t := reminder.TruncatedOutput{Tool: tool}
		var err1, err2 error
		t.Kept, err1 = strconv.ParseInt(kept, 10, 64)
		t.Total, err2 = strconv.ParseInt(total, 10, 64)
		if !ok || !ok2 || tool == "" || err1 != nil || err2 != nil {
			return nil, wrongUse("write it as shell=8192/120000", "--truncated %s says nothing", text)
		}
		out = append(out, t)
	}
	return out, nil
}

// printSession prints an answer about a session.
func (c *console) printSession(answer any, write func(io.Writer) error) error {
	if c.json {
		return c.printJSON(answer)
	}
	return c.print(write)
}

// promptLine says in a line which prompt a session has.
func promptLine(epoch int64, digest *string) string {
	switch {
	case epoch == 0:
		return "no prompt yet"
	case digest == nil:
		return fmt.Sprintf("no system prompt (epoch %d)", epoch)
	}
	return fmt.Sprintf("prompt %s (epoch %d)", short(*digest), epoch)
}

func short(digest string) string { return "sha256 " + digest[:min(16, len(digest))] }

func (c *console) writeTurn(w io.Writer, t *session.Turn) error {
	size := 0
	if t.System != nil {
		size = len(*t.System)
	}
	inside := ""
	if t.Placement == reminder.InSystem && len(t.Reminders) > 0 {
		inside = ", with " + plural(len(t.Reminders), "reminder")
	}
	fmt.Fprintf(w, "turn %d of session %s, version %d: %s, %s%s\n",
		t.Turn, app.PrintableLine(t.Session), t.Version, promptLine(t.Epoch, t.Digest), plural(size, "byte"), inside)
	c.writeEvents(w, t.Events)
	var texts []string
	if t.Envelope != nil {
		texts = append(texts, *t.Envelope)
	}
	for _, m := range t.Messages {
		texts = append(texts, m.Text)
	}
	for _, s := range t.Sent {
		texts = append(texts, fmt.Sprintf("(at turn %d)\n%s", s.Turn, s.Text))
	}
	for _, text := range texts {
		fmt.Fprintf(w, "\n%s\n", app.Printable(text))
	}
	return c.writeNotes(w, t.Notes)
}

// writeEvents prints what happened, a line each. That providers were asked is no
// news.
func (c *console) writeEvents(w io.Writer, events []reminder.Event) {
	for _, e := range events {
		if e.Event == reminder.EventProviderEvaluated {
			continue
		}
		line := "  " + strings.TrimPrefix(string(e.Event), "reminder.") + " " + app.PrintableLine(e.ID)
		if e.Reason != "" {
			line += " (" + string(e.Reason) + ")"
		}
		if e.Replaced != nil && *e.Replaced > 0 {
			line += fmt.Sprintf(" (replaced %d)", *e.Replaced)
		}
		fmt.Fprintln(w, line)
	}
}

func (c *console) writeNotes(w io.Writer, notes []cento.Note) error {
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, c.paint(yellow, "note: "+app.PrintableLine(n.Message))); err != nil {
			return err
		}
	}
	return nil
}
