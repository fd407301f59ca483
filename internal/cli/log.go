package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/store"
)

// storeFlag is the flag of commands that use a store.
type storeFlag struct {
	whatIf
	place string
}

func (f *storeFlag) register(cmd *cobra.Command) {
	f.registerPlace(cmd)
	f.registerStore(cmd)
}

func (f *storeFlag) registerStore(cmd *cobra.Command) { registerStore(cmd, &f.place) }

// registerStore defines the flag that names a store.
func registerStore(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "store", "", "where records are: a file or postgres://… `DSN`; default the manifest's, the user's, or the user's folder of state")
}

// withStore runs a function on the store that the flags name.
func (c *console) withStore(ctx context.Context, f *storeFlag, o store.Options, do func(*store.Store) error) (err error) {
	req, err := c.located(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	s, err := app.OpenStore(ctx, c.place, req, f.place, o)
	if e, ok := errors.AsType[*cento.SourceError](err); ok && errors.Is(err, fs.ErrNotExist) {
		e.Hint = "prompts are recorded by `cento build --record` and `cento session start`"
	}
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	return do(s)
}

// reading opens a store that nothing is written to.
var reading = store.Options{ReadOnly: true}

func (c *console) logCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log",
		Short: "What was handed out: find it, read it, prove it",
		Long: `Every prompt that is recorded can be found again, with what it was made of and
why. A record is named by its session, which means the last one, or by
SESSION@NUMBER. Prompts are recorded by cento build --record and by sessions.`,
		Example: `  cento build --record
  cento log list
  cento log search "run the tests"
  cento log verify`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(
		c.logListCommand(), c.logShowCommand(), c.logSearchCommand(), c.logDiffCommand(), c.logReplayCommand(),
		c.logVerifyCommand(), c.logExportCommand(), c.logImportCommand(), c.logGCCommand(), c.logRedactCommand(),
	)
	return cmd
}

// recordFlags choose records.
type recordFlags struct {
	session, since, until string
	limit                 int
}

func (f *recordFlags) register(cmd *cobra.Command, limit int) {
	fl := cmd.Flags()
	fl.StringVar(&f.session, "session", "", "only those of the session `ID`")
	fl.StringVar(&f.since, "since", "", "only those from this `TIME` on, as in 2006-01-02 or 2006-01-02T15:04:05Z")
	fl.StringVar(&f.until, "until", "", "only those before this `TIME`")
	fl.IntVar(&f.limit, "limit", limit, "at most `N`, the newest")
}

func (f *recordFlags) query() (store.RecordQuery, error) {
	q := store.RecordQuery{Session: f.session, Limit: f.limit}
	if f.limit < 1 {
		return q, wrongUse("a number from 1 on", "--limit %d shows nothing", f.limit)
	}
	var err error
	if q.Since, err = moment("--since", f.since); err != nil {
		return q, err
	}
	q.Until, err = moment("--until", f.until)
	return q, err
}

func moment(flag, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, wrongUse("write it as 2006-01-02 or 2006-01-02T15:04:05Z", "%s %s is not a time", flag, s)
}

func (c *console) logListCommand() *cobra.Command {
	var f storeFlag
	var r recordFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List recorded prompts, the newest first",
		Example: "  cento log list\n  cento log list --session acme --since 2026-11-01 --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := r.query()
			if err != nil {
				return err
			}
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				list, err := s.Records(cmd.Context(), q)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(recordsAnswer{list})
				}
				var t table
				for _, x := range list {
					t.add(summaryCells(x)...)
				}
				return c.print(func(w io.Writer) error { return t.write(c, w) })
			})
		},
	}
	f.register(cmd)
	r.register(cmd, 50)
	return cmd
}

func summaryCells(x store.Summary) []cell {
	digest := "no prompt"
	if x.PromptDigest != nil {
		digest = (*x.PromptDigest)[:12]
	}
	return []cell{
		{text: x.At.Format(time.RFC3339), paint: dim}, {text: app.PrintableLine(app.RecordRef{Session: x.Session, Seq: x.Seq}.String()), paint: bold},
		{text: digest, paint: yellow}, {text: app.PrintableLine(x.Label)},
	}
}

func (c *console) logShowCommand() *cobra.Command {
	var f storeFlag
	var text, input bool
	cmd := &cobra.Command{
		Use:   "show RECORD",
		Short: "Show one record: its fragments, why each is in or out, and where",
		Long: `Show one record: its fragments, why each is in or out, and where. With --text
the prompt itself is printed, byte for byte as it was handed out; with --input
what it was made of, as JSON.`,
		Example: "  cento log show acme\n  cento log show acme@3 --text",
		Args:    oneArgument("a record", "name one: SESSION or SESSION@NUMBER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if text && input {
				return wrongUse("show one of them", "--text and --input exclude each other")
			}
			ref := app.ParseRecordRef(args[0])
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				switch {
				case text:
					return c.showText(cmd.Context(), s, ref)
				case input:
					in, err := s.Input(cmd.Context(), ref.Session, ref.Seq)
					if err != nil {
						return err
					}
					return c.printJSON(in)
				}
				rec, err := s.Record(cmd.Context(), ref.Session, ref.Seq)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(rec)
				}
				return c.print(func(w io.Writer) error { return c.writeRecord(w, rec) })
			})
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&text, "text", false, "print the prompt as it was handed out")
	cmd.Flags().BoolVar(&input, "input", false, "print what it was made of, as JSON")
	return cmd
}

func (c *console) showText(ctx context.Context, s *store.Store, ref app.RecordRef) error {
	text, ok, err := s.Text(ctx, ref.Session, ref.Seq)
	if err != nil {
		return err
	}
	if !ok {
		c.say("there was no system prompt")
	}
	if c.json {
		return c.printJSON(systemAnswer{stringOrNull(text, ok)})
	}
	if c.toTerminal() && ok {
		text = app.Printable(text) + "\n"
	}
	return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

func (c *console) writeRecord(w io.Writer, r *store.Record) error {
	row := func(name, value string) {
		fmt.Fprintf(w, "%s %s\n", c.paint(dim, fmt.Sprintf("%-8s", name)), app.PrintableLine(value))
	}
	row("record", app.RecordRef{Session: r.Session, Seq: r.Seq}.String())
	row("at", r.At.Format(time.RFC3339))
	if r.Label != "" {
		row("for", r.Label)
	}
	prompt := "none"
	if r.PromptDigest != nil {
		prompt = *r.PromptDigest
	}
	row("prompt", prompt)
	row("input", r.InputDigest)
	row("hash", r.Hash)
	row("previous", r.Prev)
	fmt.Fprintln(w)
	var t table
	for _, x := range r.Fragments {
		t.add(fragmentCells(x)...)
	}
	return t.write(c, w)
}

func fragmentCells(f store.Fragment) []cell {
	verdict, size := cell{text: "out", paint: red}, ""
	if f.Included {
		verdict = cell{text: "in", paint: green}
	}
	if f.Span != nil {
		size = strconv.Itoa(f.Span[1] - f.Span[0])
	}
	origin := ""
	if f.Origin != nil {
		origin = f.Origin.String()
	}
	return []cell{verdict, {text: app.PrintableLine(f.ID), paint: bold}, {text: size, right: true}, {text: app.PrintableLine(origin), paint: cyan}, {text: app.PrintableLine(f.Reason)}}
}

func (c *console) logSearchCommand() *cobra.Command {
	var f storeFlag
	var r recordFlags
	var q store.SearchQuery
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Tell which prompts contained a text, when, and why",
		Long: `Find a text in every prompt that was recorded, and tell for each record which
fragment had it and why that was in. White space doesn't count. The text begins
where a word begins, and lies within one fragment. The exit code is 1 when it is
nowhere.`,
		Example: `  cento log search "run the tests"
  cento log search "todo list" --excluded --session acme`,
		Args: oneArgument("the text to look for", `put it in quotes: cento log search "ARGS"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.RecordQuery, err = r.query(); err != nil {
				return err
			}
			q.Text = args[0]
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				found, err := app.SearchRecords(cmd.Context(), s, q)
				if err != nil {
					return err
				}
				if c.json {
					err = c.printJSON(found)
				} else {
					err = c.print(func(w io.Writer) error { return c.writeSearch(w, found) })
				}
				if err == nil && len(found.Matches) == 0 {
					err = errNo
				}
				return err
			})
		},
	}
	f.register(cmd)
	r.register(cmd, 20)
	cmd.Flags().BoolVar(&q.Excluded, "excluded", false, "also in fragments that were left out")
	cmd.Flags().BoolVar(&q.IgnoreCase, "ignore-case", false, "set letter case aside from the start")
	return cmd
}

func (c *console) writeSearch(w io.Writer, found *app.RecordSearch) error {
	if found.IgnoredCase {
		c.say("found with letter case set aside")
	}
	var t table
	for _, m := range found.Matches {
		for i, f := range m.Fragments {
			cells := summaryCells(m.Summary)[:2]
			if i > 0 {
				cells = []cell{{}, {}}
			}
			t.add(append(cells, fragmentCells(f)...)...)
		}
	}
	if err := t.write(c, w); err != nil {
		return err
	}
	switch {
	case len(found.Matches) == 0:
		_, err := fmt.Fprintln(w, "in no prompt that was recorded")
		return err
	case found.More:
		c.say("there are more: --limit shows them")
	}
	return nil
}

func (c *console) logDiffCommand() *cobra.Command {
	var f storeFlag
	cmd := &cobra.Command{
		Use:   "diff RECORD RECORD",
		Short: "Compare two recorded prompts, fragment by fragment",
		Long: `Compare two recorded prompts, fragment by fragment. The exit code is 1 when they
differ.`,
		Example: "  cento log diff acme@1 acme@7\n  cento log diff acme@1 acme --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUse("name two: SESSION@NUMBER SESSION@NUMBER", "a comparison has two sides, and there are %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				d, from, to, err := app.DiffRecords(cmd.Context(), s, app.ParseRecordRef(args[0]), app.ParseRecordRef(args[1]))
				if err != nil {
					return err
				}
				return c.answerDiff(d, from, to)
			})
		},
	}
	f.register(cmd)
	return cmd
}

func (c *console) logReplayCommand() *cobra.Command {
	var f storeFlag
	var session string
	cmd := &cobra.Command{
		Use:   "replay [RECORD...]",
		Short: "Make recorded prompts again from their inputs",
		Long: `Make prompts again of nothing but what was recorded, and compare the digests.
Without RECORD all are replayed, but for those of which a text was redacted. The
exit code is 1 when one isn't the same.`,
		Example: "  cento log replay acme@3\n  cento log replay --session acme",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				var refs []app.RecordRef
				for _, a := range args {
					refs = append(refs, app.ParseRecordRef(a))
				}
				if len(args) == 0 {
					list, err := s.Records(cmd.Context(), store.RecordQuery{Session: session})
					if err != nil {
						return err
					}
					for _, x := range list {
						refs = append(refs, app.RecordRef{Session: x.Session, Seq: x.Seq})
					}
				}
				return c.replay(cmd.Context(), s, refs, len(args) == 0)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&session, "session", "", "all of the session `ID`")
	return cmd
}

// replay makes prompts again. Of all that there are, those that can't be made
// again are counted; one that was named is an error.
func (c *console) replay(ctx context.Context, s *store.Store, refs []app.RecordRef, all bool) error {
	out := []*app.Replay{}
	same, redacted := true, 0
	bar := c.progress("replaying")
	for i, ref := range refs {
		r, _, err := app.ReplayRecord(ctx, s, ref)
		switch {
		case all && errors.Is(err, store.Redacted):
			redacted++
		case err != nil:
			bar.end()
			c.say("%s:", ref)
			return err
		default:
			out, same = append(out, r), same && r.Same
		}
		bar.at(int64(i+1), int64(len(refs)))
	}
	bar.end()
	err := error(nil)
	if c.json {
		err = c.printJSON(replayAnswer{out, same, redacted})
	} else {
		err = c.print(func(w io.Writer) error {
			for _, r := range out {
				if !r.Same {
					fmt.Fprintf(w, "%s  recorded %s, replayed %s\n", app.PrintableLine(app.RecordRef{Session: r.Session, Seq: r.Seq}.String()), orNone(r.Recorded), orNone(r.Replayed))
				}
			}
			said := map[bool]string{true: "all the same", false: "not all the same"}[same]
			if redacted > 0 {
				said += fmt.Sprintf("; %s redacted", plural(redacted, "record"))
			}
			_, err := fmt.Fprintf(w, "%s replayed, %s\n", plural(len(out), "record"), said)
			return err
		})
	}
	if err == nil && !same {
		err = errNo
	}
	return err
}

func orNone(digest string) string {
	if digest == "" {
		return "no prompt"
	}
	return digest
}

// recordBuild records what build prints.
func (c *console) recordBuild(ctx context.Context, place, session, key string, f *whatIf, p *app.Project, prompt *cento.Prompt) (err error) {
	req, err := c.located(ctx, f)
	if err != nil {
		return err
	}
	s, err := app.OpenStore(ctx, c.place, req, place, store.Options{})
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	if session == "" {
		session = app.SessionName(p.Place)
	}
	done, err := app.RecordPrompt(ctx, s, session, key, prompt, f.input(c, p))
	if err != nil {
		return err
	}
	for _, r := range done.Records {
		said := "recorded as %s"
		if done.Replayed {
			said = "recorded before, as %s"
		}
		c.say(said, app.RecordRef{Session: r.Session, Seq: r.Seq})
	}
	return nil
}
