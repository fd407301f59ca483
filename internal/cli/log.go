package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// storeFlag is the flag of commands that use a store.
type storeFlag struct {
	whatIf
	place string
}

func (f *storeFlag) register(cmd *command) {
	f.registerPlace(cmd)
	cmd.with(func(fl *flags) { registerStore(fl, &f.place) })
}

// registerStore defines the flag that names a store.
func registerStore(fl *flags, to *string) {
	fl.StringVar(to, "store", "", "where records are: a file or postgres://… `DSN`; default the manifest's, the user's, or the user's folder of state")
}

// withLog runs a function on the log that the flags name, for the current project.
func (c *console) withLog(ctx context.Context, f *storeFlag, access app.Access, do func(*app.Log) error) (err error) {
	req, err := c.located(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	l, err := app.OpenLog(ctx, c.site, req, f.place, access)
	if err != nil {
		return err
	}
	defer func() {
		if closed := l.Close(); err == nil {
			err = closed
		}
	}()
	return do(l)
}

// withWholeLog is withLog on the records of every project in the store.
func (c *console) withWholeLog(ctx context.Context, f *storeFlag, access app.Access, do func(*app.Log) error) error {
	return c.withLog(ctx, f, access, func(l *app.Log) error { return do(l.OfAll()) })
}

func (c *console) logCommand() *command {
	cmd := &command{
		use:   "log",
		short: "What was handed out: find it, read it, prove it",
		long: `Every prompt that is recorded can be found again, with what it was made of and
why. A record is named by its session, which means the last one, or by
SESSION@NUMBER. Prompts are recorded by cento build --record and by sessions.

A store may hold the records of several projects. These commands read all of them
and print the project; redact changes those of the current one.`,
		examples: `  cento build --record
  cento log list
  cento log search "run the tests"
  cento log verify`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{
		c.logListCommand(), c.logShowCommand(), c.logSearchCommand(), c.logDiffCommand(), c.logReplayCommand(),
		c.logVerifyCommand(), c.logExportCommand(), c.logImportCommand(), c.logGCCommand(), c.logRedactCommand(),
	}
	return cmd
}

// recordFlags choose records.
type recordFlags struct {
	session, since, until string
	limit                 int
}

func (f *recordFlags) register(cmd *command, limit int) {
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.session, "session", "", "only those of the session `ID`")
		fl.StringVar(&f.since, "since", "", "only those from this `TIME` on, as in 2006-01-02 or 2006-01-02T15:04:05Z")
		fl.StringVar(&f.until, "until", "", "only those before this `TIME`")
		fl.IntVar(&f.limit, "limit", limit, "at most `N`, the newest")
	})
}

func (f *recordFlags) query() (app.RecordQuery, error) {
	q := app.RecordQuery{Session: f.session, Limit: f.limit}
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

func (c *console) logListCommand() *command {
	var f storeFlag
	var r recordFlags
	cmd := &command{
		use:      "list",
		short:    "List recorded prompts, the newest first",
		examples: "  cento log list\n  cento log list --session acme --since 2026-11-01 --json",
		args:     noArguments,
		answers:  answer[recordsAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			q, err := r.query()
			if err != nil {
				return err
			}
			list := []app.Summary{}
			err = c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) (err error) {
				list, err = l.Records(cmd.Context(), q)
				return err
			})
			if err == nil && len(list) == 0 {
				c.sayNoRecords(q)
			}
			if err := c.orNothing(&f, q, err); err != nil {
				return err
			}
			if c.json {
				return c.printJSON(recordsAnswer{list})
			}
			return c.print(func(w *terminal.Writer) { writeSummaries(w, list) })
		},
	}
	f.register(cmd)
	r.register(cmd, 50)
	return cmd
}

// orNothing takes a store in which nothing was recorded yet for one that holds no
// records, and tells how one comes to be. Of a session that is asked for it isn't known
// whether there is one, so that stays an error.
func (c *console) orNothing(f *storeFlag, q app.RecordQuery, err error) error {
	if q.Session != "" || !app.NothingRecorded(err, f.place) {
		return err
	}
	c.err.Say("no prompt was recorded")
	c.err.Hint(app.HowRecorded)
	return nil
}

// sayNoRecords tells that the records which are there aren't those that were asked for.
func (c *console) sayNoRecords(q app.RecordQuery) {
	such := "no"
	if q.Session != "" || !q.Since.IsZero() || !q.Until.IsZero() {
		such = "no such"
	}
	c.err.Say("%s prompt was recorded", such)
}

func writeSummaries(w *terminal.Writer, list []app.Summary) {
	var t table
	for _, x := range list {
		t.Add(summaryCells(x)...)
	}
	w.Table(&t)
}

func summaryCells(x app.Summary) []cell {
	digest := "no prompt"
	if x.PromptDigest != nil {
		digest = (*x.PromptDigest)[:12]
	}
	return []cell{
		{Text: x.At.Format(time.RFC3339), Paint: dim}, {Text: app.RecordRef{Session: x.Session, Seq: x.Seq}.String(), Paint: bold},
		{Text: digest, Paint: yellow}, {Text: projectName(x.Project), Paint: dim}, {Text: x.Label},
	}
}

func (c *console) logShowCommand() *command {
	var f storeFlag
	var text, input bool
	cmd := &command{
		use:   "show RECORD",
		short: "Show one record: its fragments, why each is in or out, and where",
		long: `Show one record: its fragments, why each is in or out, and where. With --text
the prompt itself is printed, byte for byte as it was handed out; with --input
what it was made of, as JSON. RECORD is SESSION for its last one, SESSION@NUMBER,
the hash of a record, or the digest of a prompt or its first 8 digits or more.`,
		examples: "  cento log show acme\n  cento log show acme@3 --text",
		args:     oneListed("a record", "name one: SESSION, SESSION@NUMBER, a hash or a digest", "cento log"),
		answers:  slices.Concat(answer[app.ShownRecord](), answer[systemAnswer](), answer[cento.Input]()),
		run: func(cmd *cobra.Command, args []string) error {
			if text && input {
				return wrongUse("show one of them", "--text and --input exclude each other")
			}
			return c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) error {
				ref, err := l.Named(cmd.Context(), args[0])
				switch {
				case err != nil:
					return err
				case text:
					return c.showText(cmd.Context(), l, ref)
				case input:
					in, err := l.Input(cmd.Context(), ref)
					if err != nil {
						return err
					}
					return c.printJSON(in)
				}
				rec, err := l.Record(cmd.Context(), ref)
				if err != nil {
					return err
				}
				c.tellNotes(rec.Notes)
				if c.json {
					return c.printNoted(rec, &rec.Notes)
				}
				return c.print(func(w *terminal.Writer) { c.writeRecord(w, rec) })
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&text, "text", false, "print the prompt as it was handed out")
		fl.BoolVar(&input, "input", false, "print what it was made of, as JSON")
	})
	return cmd
}

func (c *console) showText(ctx context.Context, l *app.Log, ref app.RecordRef) error {
	text, ok, err := l.Text(ctx, ref)
	if err != nil {
		return err
	}
	if !ok {
		c.err.Say("there was no system prompt")
	}
	if c.json {
		return c.printJSON(systemAnswer{stringOrNull(text, ok)})
	}
	return c.print(func(w *terminal.Writer) { w.Exact(text) })
}

func (c *console) writeRecord(w *terminal.Writer, r *app.ShownRecord) {
	row := func(name, value string) {
		w.Printf("%s %s\n", dim.On(fmt.Sprintf("%-8s", name)), value)
	}
	row("record", app.RecordRef{Session: r.Session, Seq: r.Seq}.String())
	row("project", projectName(r.Project))
	if r.LastPrompt != "" {
		row("beside", "the last prompt, "+r.LastPrompt)
	}
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
	w.Printf("\n")
	var t table
	for _, x := range r.Fragments {
		t.Add(fragmentCells(x)...)
	}
	w.Table(&t)
}

// originCell is the one of [fragmentCells] that tells the place.
const originCell = 3

func fragmentCells(f app.RecordedFragment) []cell {
	verdict, size := cell{Text: "out", Paint: red}, ""
	if f.Included {
		verdict = cell{Text: "in", Paint: green}
	}
	if f.Span != nil {
		size = strconv.Itoa(f.Span[1] - f.Span[0])
	}
	origin := ""
	if f.Origin != nil {
		origin = f.Origin.String()
	}
	return []cell{verdict, {Text: f.ID, Paint: bold}, {Text: size, Right: true}, {Text: origin, Paint: cyan}, {Text: f.Reason}}
}

func (c *console) logSearchCommand() *command {
	var f storeFlag
	var r recordFlags
	var q app.SearchQuery
	cmd := &command{
		use:   "search TEXT",
		short: "Tell which prompts contained a text, when, and why",
		long: `Find a text in every prompt that was recorded, and tell for each record which
fragment had it and why that was in. White space doesn't count. The text begins
where a word begins, and lies within one fragment. The exit code is 1 when it is
nowhere.`,
		examples: `  cento log search "run the tests"
  cento log search "todo list" --excluded --session acme`,
		args:    oneArgument("the text to look for", `put it in quotes: cento log search "ARGS"`),
		answers: answer[app.RecordSearch](),
		run: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.RecordQuery, err = r.query(); err != nil {
				return err
			}
			q.Text = args[0]
			found := &app.RecordSearch{Matches: []app.RecordMatch{}}
			if err := c.orNothing(&f, q.RecordQuery, c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) (err error) {
				found, err = l.Search(cmd.Context(), q)
				return err
			})); err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(found)
			} else {
				err = c.print(func(w *terminal.Writer) { c.writeSearch(w, found) })
			}
			if err == nil && len(found.Matches) == 0 {
				err = errNo
			}
			return err
		},
	}
	f.register(cmd)
	r.register(cmd, 20)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&q.Excluded, "excluded", false, "also in fragments that were left out")
		fl.BoolVar(&q.IgnoreCase, "ignore-case", false, "set letter case aside from the start")
	})
	return cmd
}

func (c *console) writeSearch(w *terminal.Writer, found *app.RecordSearch) {
	if found.IgnoredCase {
		c.err.Say("found with letter case set aside")
	}
	var t table
	for _, m := range found.Matches {
		cells := summaryCells(m.Summary)[:2]
		for _, f := range m.Fragments {
			row := fragmentCells(f.Fragment)
			for i := range max(1, len(f.Places)) {
				if i < len(f.Places) {
					row[originCell].Text = f.Places[i].String()
				}
				t.Add(append(cells, row...)...)
				cells, row = []cell{{}, {}}, []cell{{}, {}, {}, row[originCell], {}}
			}
		}
	}
	w.Table(&t)
	switch {
	case len(found.Matches) == 0:
		w.Printf("in no prompt that was recorded\n")
	case found.More:
		c.err.Say("there are more: --limit shows them")
	}
}

func (c *console) logDiffCommand() *command {
	var f storeFlag
	cmd := &command{
		use:   "diff RECORD RECORD",
		short: "Compare two recorded prompts, fragment by fragment",
		long: `Compare two recorded prompts, fragment by fragment. The exit code is 1 when they
differ.`,
		examples: "  cento log diff acme@1 acme@7\n  cento log diff acme@1 acme --json",
		args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUse("name two: SESSION@NUMBER SESSION@NUMBER", "a comparison has two sides, and there are %d", len(args))
			}
			return nil
		},
		answers: answer[app.Differing](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) error {
				a, err := l.Named(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				b, err := l.Named(cmd.Context(), args[1])
				if err != nil {
					return err
				}
				d, err := l.Diff(cmd.Context(), a, b)
				if err != nil {
					return err
				}
				c.tellNotes(d.Notes)
				return c.answerDiff(d, "text")
			})
		},
	}
	f.register(cmd)
	return cmd
}

func (c *console) logReplayCommand() *command {
	var f storeFlag
	var session string
	cmd := &command{
		use:   "replay [RECORD...]",
		short: "Make recorded prompts again from their inputs",
		long: `Make prompts again of nothing but what was recorded, and compare the digests.
Without RECORD all are replayed, but for those of which a text was redacted. The
exit code is 1 when one isn't the same.`,
		examples: "  cento log replay acme@3\n  cento log replay --session acme",
		answers:  answer[app.Replays](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) error {
				var refs []app.RecordRef
				for _, a := range args {
					ref, err := l.Named(cmd.Context(), a)
					if err != nil {
						return err
					}
					refs = append(refs, ref)
				}
				return c.replay(cmd.Context(), l, refs, session)
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&session, "session", "", "all of the session `ID`")
	})
	return cmd
}

// replay makes prompts again, and tells which one can't be.
func (c *console) replay(ctx context.Context, l *app.Log, refs []app.RecordRef, session string) error {
	bar := c.progress("replaying")
	out, failed, err := l.Replay(ctx, refs, session, bar.at)
	bar.end()
	if err != nil {
		if failed != (app.RecordRef{}) {
			c.err.Say("%s:", failed)
		}
		return err
	}
	if c.json {
		err = c.printJSON(out)
	} else {
		err = c.print(func(w *terminal.Writer) {
			for _, r := range out.Records {
				if !r.Same {
					w.Printf("%s  recorded %s, replayed %s\n", app.RecordRef{Session: r.Session, Seq: r.Seq}.String(), orNone(r.Recorded), orNone(r.Replayed))
				}
			}
			said := map[bool]string{true: "all the same", false: "not all the same"}[out.Same]
			if out.Redacted > 0 {
				said += fmt.Sprintf("; %s redacted", plural(out.Redacted, "record"))
			}
			w.Printf("%s replayed, %s\n", plural(len(out.Records), "record"), said)
		})
	}
	if err == nil && !out.Same {
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
func (c *console) recordBuild(ctx context.Context, place, session, key string, f *whatIf, m app.MadePrompt) error {
	req, err := c.located(ctx, f)
	if err != nil {
		return err
	}
	done, err := app.RecordPrompt(ctx, c.site, req, place, session, key, m)
	if err != nil {
		return err
	}
	c.tellNotes(done.Notes)
	for _, r := range done.Records {
		how := "recorded"
		if done.Replayed {
			how = "recorded before,"
		}
		c.err.Say("%s as %s", how, app.RecordRef{Session: r.Session, Seq: r.Seq})
	}
	return nil
}
