package cli

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// sessionFlags are what the commands about sessions take beside those that say
// which project is read.
type sessionFlags struct {
	whatIf
	store  string
	key    string
	expect int64
}

func (c *console) sessionCommand() *command {
	cmd := &command{
		use:   "session",
		short: "Keep the prompt of a session, and its reminders from turn to turn",
		long: `The prompt of a session is made once, before its first turn, and stored. Files
that change later don't change it: see drift and rematerialise. What changes from
turn to turn are reminders, which are injected, shown for some turns, and expire.

A session belongs to one project: the real path of its root. The commands refuse an
id of another project; adopt moves a session to the current one.

Sessions live in a store: the one of --store, else that of the manifest or of your
configuration, else $XDG_STATE_HOME/cento/cento.db.`,
		examples: `  cento session start s1
  cento session remind s1 "Tests are red." --ttl 2
  cento session turn s1
  cento session drift s1`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{
		c.sessionStart(), c.sessionTurn(), c.sessionRemind(), c.sessionTouch(), c.sessionClear(), c.sessionCompact(), c.sessionFork(),
		c.sessionUsage(), c.sessionDrift(), c.sessionRematerialise(), c.sessionShow(), c.sessionList(), c.sessionAdopt(), c.sessionDelete(),
	}
	return cmd
}

// registerSession defines the flags of a command about sessions. Those that
// assemble a prompt have the flags of every such command.
func (f *sessionFlags) registerSession(c *console, cmd *command, assembles, changes bool) {
	if assembles {
		f.register(c, cmd)
	}
	if strings.Contains(cmd.use, " SESSION") && cmd.name() != "start" {
		cmd.values = c.sessionNames(f)
	}
	cmd.with(func(fl *flags) {
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

// registerOf defines the flags of commands that tell of the prompt of a session where one
// is named.
func (f *sessionFlags) registerOf(fl *flags, id *string) {
	fl.StringVar(id, "session", "", "the prompt that the session `ID` has, with its live reminders, instead of the project's")
	fl.StringVar(&f.store, "store", "", "with --session: the store, a file or the address of a PostgreSQL database (`DSN`)")
}

// instead reports whether a command is to tell of a session, with what that has, and not
// of the project. Flags that change what the project's would be say nothing there, but for
// those that are named; and without a session it is nobody's store.
func (f *sessionFlags) instead(cmd *cobra.Command, has string, besides ...string) (ofSession bool, err error) {
	if !cmd.Flags().Changed("session") {
		if cmd.Flags().Changed("store") {
			return false, wrongUse("name one with --session", "--store is where sessions are")
		}
		return false, nil
	}
	return true, keepsItsOwn(cmd, "a session has its "+has, append(besides, "session"))
}

// ofRecord returns an error for flags that change what the project's prompt would be: a
// record keeps its own.
func (f *sessionFlags) ofRecord(cmd *cobra.Command, takes ...string) error {
	return keepsItsOwn(cmd, "a record has its prompt", takes)
}

// keepsItsOwn returns an error for the first flag that something stored doesn't take.
func keepsItsOwn(cmd *cobra.Command, has string, takes []string) (err error) {
	takes = append(takes, "store", "cwd", "file", "json", "output", "raw")
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if !slices.Contains(takes, fl.Name) && err == nil {
			err = wrongUse("leave out one of the two", "%s, so --%s says nothing", has, fl.Name)
		}
	})
	return err
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

func (f *sessionFlags) options() app.SessionOptions {
	return app.SessionOptions{Key: f.key, Expect: f.expect}
}

// onSessions runs a command on the sessions of the store; one that begins a
// session makes the store when there is none.
func (c *console) onSessions(ctx context.Context, f *sessionFlags, access app.Access, do func(*app.Sessions) error) (err error) {
	req, err := c.request(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	if c.site, err = app.Locate(req); err != nil {
		return err
	}
	s, err := app.OpenSessions(ctx, c.site, req, f.store, access)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := s.Close(); err == nil {
			err = cerr
		}
	}()
	return s.Located(do(s.At(req.Now)))
}

// sessionProject reads the project that the flags name, for the prompt of a session, and
// tells of it.
func (c *console) sessionProject(s *app.Sessions, f *whatIf, tell func(*app.Project)) app.SessionProject {
	return func(ctx context.Context, reading app.SessionReading) (*app.Project, cento.Input, error) {
		p, err := s.Open(ctx, reading)
		if err != nil {
			return nil, cento.Input{}, err
		}
		if tell != nil {
			tell(p)
		}
		return p, f.input(c, p), nil
	}
}

// layerFlag is the layer of a session in a file; nil where none is named.
func layerFlag(path string) (*app.Layer, error) {
	if path == "" {
		return nil, nil
	}
	return app.ReadSessionLayer(path)
}

func (c *console) sessionStart() *command {
	var f sessionFlags
	var layerPath, materialise, placement string
	var appendOnly bool
	var providers []string
	cmd := &command{
		use:   "start SESSION",
		short: "Begin a session, and make its prompt",
		long: `Begin a session and make its prompt, once. When the prompt can't be made, the
session is there without one: the same command again, or its first turn, makes it.
A tool that the provider refuses which the manifest names under wire is an error, and
nothing begins.

How the prompt is made and where reminders go is what the manifest says under
materialise and reminders, unless a flag says otherwise; it holds for as long as the
session lives. With --layer the session
has a layer of its own, above those of the project, which is kept with it.`,
		examples: `  cento session start s1
  cento session start s2 --placement turn --append-only --layer session.yaml`,
		args:    oneArgument("a name for the session", ""),
		answers: answer[app.Started](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.onSessions(cmd.Context(), &f, app.Begins, func(s *app.Sessions) error {
				own, err := layerFlag(layerPath)
				if err != nil {
					return err
				}
				ask, err := sessionAsk(cmd, materialise, placement, appendOnly, providers)
				if err != nil {
					return err
				}
				from := c.sessionProject(s, &f.whatIf, func(p *app.Project) { c.tellOpened(&f.whatIf, p) })
				out, err := s.Start(cmd.Context(), app.SessionStart{ID: args[0], Own: app.SessionOwn{Layer: own}, Ask: ask, Key: f.key}, from)
				if err != nil {
					return err
				}
				c.tellNotes(out.Notes)
				f.tellPrompt(c, out.Session, out.Record, out.Caveats)
				return c.printSession(out, func(w *terminal.Writer) {
					w.Printf("session %s, version %d: %s\n", out.Session, out.Version, promptLine(out.Epoch, out.Digest))
				})
			})
		},
	}
	f.registerSession(c, cmd, true, false)
	cmd.with(func(fl *flags) {
		fl.StringVar(&layerPath, "layer", "", "the session's own layer: a JSON or YAML `FILE`")
		fl.StringVar(&materialise, "materialise", "", "`HOW` often the prompt is made: once or per_turn")
		fl.StringVar(&placement, "placement", "", "where reminders go, `PLACE`: system, turn or native")
		fl.BoolVar(&appendOnly, "append-only", false, "keep every envelope where it was sent first")
		fl.Var(names{list: &providers}, "provider", "a provider that is asked, or -`NAME` for one that is not; repeatable")
		fl.StringVar(&f.key, "key", "", "an idempotency `KEY`: asked for again with the same one, it is not done again")
		completeWords(fl, "materialise", app.Once, app.EveryTurn)
		completeWords(fl, "placement", app.InSystem, app.InTurn, app.InNative)
	})
	return cmd
}

// completeWords completes the value of a flag that takes one of a few words.
func completeWords[T fmt.Stringer](fl *flags, flag string, words ...T) {
	var known []string
	for _, w := range words {
		known = append(known, w.String())
	}
	fl.completeWords(flag, known...)
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

// sessionAsk is what the flags of start ask for.
func sessionAsk(cmd *cobra.Command, materialise, placement string, appendOnly bool, providers []string) (app.SessionAsk, error) {
	out := app.SessionAsk{Providers: providers}
	if materialise != "" {
		out.Materialise = new(app.Materialise)
		if err := word("materialise", materialise, out.Materialise); err != nil {
			return out, err
		}
	}
	if placement != "" {
		out.Placement = new(app.Placement)
		if err := word("placement", placement, out.Placement); err != nil {
			return out, err
		}
	}
	if cmd.Flags().Changed("append-only") {
		out.AppendOnly = &appendOnly
	}
	return out, nil
}

func (c *console) sessionTurn() *command {
	var f sessionFlags
	var m app.Moment
	var truncated []string
	var end, resumed, drift bool
	var request wireFlags
	cmd := &command{
		use:   "turn SESSION",
		short: "Begin the next turn: what the model is asked with",
		long: `End the turn that was begun before, if one was, ask the providers, and say what
the model is to be asked with in the next one: the system prompt, and the reminders
where they belong. Everything that is handed out is recorded.

The providers make reminders of what they are told: --tokens-used and --window,
--idle, --truncated, --resumed, --check-drift.

With --wire the whole next request of a provider is printed, byte for byte as it is to
be sent: the prompt and the tools that it was made with, the conversation of
--messages, the reminders where they belong. Where it can't be written, no turn begins.

A session that has its prompt keeps it. Flags that ask for another one, as --tool,
are held against it, and a note tells of the difference. --clock, --timezone and --mcp
are none of these.`,
		examples: `  cento session turn s1
  cento session turn s1 --tokens-used 171000 --window 200000 --json
  cento session turn s1 --truncated shell=8192/120000
  cento session turn s1 --wire anthropic --messages turns.json
  cento session turn s1 --end`,
		args:    oneListed("the name of the session", "", "cento session list"),
		answers: slices.Concat(answer[app.Turn](), answer[app.Changed]()),
		run: func(cmd *cobra.Command, args []string) error {
			ctx, id := cmd.Context(), args[0]
			if err := fitTogether(cmd, end); err != nil {
				return err
			}
			wired, err := request.asked()
			if err != nil {
				return err
			}
			return c.onSessions(ctx, &f, app.Changes, func(s *app.Sessions) error {
				if end {
					out, err := s.EndTurn(ctx, app.EndRequest{ID: id, Options: f.options()})
					if err != nil {
						return err
					}
					return c.printChanged(out)
				}
				if resumed {
					m.Kind = app.OnResume
				}
				if m.Truncated, err = truncatedOutputs(truncated); err != nil {
					return err
				}
				r := app.TurnRequest{ID: id, Options: f.options(), Moment: m}
				if wired {
					o, err := c.wireOptions(cmd, &request)
					if err != nil {
						return err
					}
					if err = s.Wire(&r, o); err != nil {
						return err
					}
				}
				r.Check = app.DriftCheckOf(drift, app.Differs(c.asked, app.Handed{}, f.active()))
				out, err := s.Turn(ctx, r, c.sessionProject(s, &f.whatIf, nil).Source())
				if err != nil {
					return err
				}
				f.tellPrompt(c, id, out.Record, out.Caveats)
				if wired {
					return c.printTurnRequest(out)
				}
				return c.printSession(out, func(w *terminal.Writer) { c.writeTurn(w, out) })
			})
		},
	}
	f.registerSession(c, cmd, true, true)
	request.register(cmd)
	cmd.with(func(fl *flags) {
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

// fitTogether finds flags of a turn that say nothing with --end.
func fitTogether(cmd *cobra.Command, end bool) error {
	given := cmd.Flags().Changed
	for _, name := range []string{"tokens-used", "window", "idle", "truncated", "resumed", "check-drift", "wire"} {
		if end && given(name) {
			return wrongUse("tell it when you begin a turn", "--end begins no turn, so --%s says nothing", name)
		}
	}
	return nil
}

// truncatedOutputs parts the values of --truncated.
func truncatedOutputs(list []string) ([]app.TruncatedOutput, error) {
	var out []app.TruncatedOutput
	for _, text := range list {
		tool, sizes, ok := strings.Cut(text, "=")
		kept, total, ok2 := strings.Cut(sizes, "/")
		t := app.TruncatedOutput{Tool: tool}
		var err1, err2 error
		t.Kept, err1 = strconv.ParseInt(kept, 10, 64)
		t.Total, err2 = strconv.ParseInt(total, 10, 64)
		if !ok || !ok2 || err1 != nil || err2 != nil {
			return nil, wrongUse("write it as shell=8192/120000", "--truncated %s says nothing", text)
		}
		out = append(out, t)
	}
	return out, nil
}

// printTurnRequest prints the request of a turn byte for byte, and tells on stderr
// what else there is to say.
func (c *console) printTurnRequest(t *app.Turn) error {
	c.tellLosses(t.Request.Losses)
	if c.json {
		return c.printJSON(t)
	}
	c.tellNotes(t.Notes)
	return c.print(func(w *terminal.Writer) { w.Exact(t.Request.Body) })
}

// printSession prints an answer about a session.
func (c *console) printSession(answer any, write func(*terminal.Writer)) error {
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

func (c *console) writeTurn(w *terminal.Writer, t *app.Turn) {
	size := 0
	if t.System != nil {
		size = len(*t.System)
	}
	inside := ""
	if t.Placement == app.InSystem && len(t.Reminders) > 0 {
		inside = ", with " + plural(len(t.Reminders), "reminder")
	}
	w.Printf("turn %d of session %s, version %d: %s, %s%s\n",
		t.Turn, t.Session, t.Version, promptLine(t.Epoch, t.Digest), plural(size, "byte"), inside)
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
		w.Printf("\n%s\n", terminal.Text(text))
	}
	c.writeNotes(w, t.Notes)
}

// writeEvents prints what happened, a line each. That providers were asked is no
// news.
func (c *console) writeEvents(w *terminal.Writer, events []app.ReminderEvent) {
	for _, e := range events {
		if e.Event == app.ProviderAsked {
			continue
		}
		line := "  " + strings.TrimPrefix(string(e.Event), "reminder.") + " " + e.ID
		if e.Reason != "" {
			line += " (" + string(e.Reason) + ")"
		}
		if e.Replaced != nil && *e.Replaced > 0 {
			line += fmt.Sprintf(" (replaced %d)", *e.Replaced)
		}
		w.Printf("%s\n", line)
	}
}

func (c *console) writeNotes(w *terminal.Writer, notes []cento.Note) {
	for _, n := range c.untold(notes) {
		w.Printf("%s\n", yellow.On("note: "+noteText(n)))
		c.writeOpenable(w, n.Position, "  ")
	}
}
