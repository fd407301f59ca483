package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// The commands of this file keep a store: they prove it, carry it elsewhere, and
// take things out of it.

// progressBar tells on a terminal how far something long is.
type progressBar struct {
	to    *terminal.Writer // stderr
	what  string
	shown bool
	last  time.Time
}

func (c *console) progress(what string) *progressBar {
	return &progressBar{to: c.err, what: what, last: time.Now()}
}

// barEvery is how long a bar stays before it is drawn anew.
const barEvery = 100 * time.Millisecond

const barWidth = 24

func (b *progressBar) at(done, all int64) {
	if !b.to.Screen || time.Since(b.last) < barEvery {
		return
	}
	b.last, b.shown = time.Now(), true
	if all <= 0 {
		b.to.Redraw("cento: %s %d", b.what, done)
		return
	}
	n := int(barWidth * min(done, all) / all) // more may come while it is counted
	b.to.Redraw("cento: %s [%s%s] %d of %d", b.what, strings.Repeat("#", n), strings.Repeat(" ", barWidth-n), done, all)
}

// end takes the bar away.
func (b *progressBar) end() {
	if b.shown {
		b.to.Erase()
		b.shown = false
	}
}

func (c *console) logVerifyCommand() *command {
	var f storeFlag
	var session, against string
	cmd := &command{
		use:   "verify",
		short: "Prove that every record is as it was written",
		long: `Read every record and everything that it is made of, and find what was changed,
dropped, moved or repeated. The exit code is 1 when something was found.

Whoever can write to the store can cut off the end of a session together with the
word on where it ends. To find that, keep the result of --json elsewhere: with
--against each session must still have the last record that it had then.`,
		examples: `  cento log verify
  cento log verify --json -o heads.json
  cento log verify --against heads.json`,
		args:    noArguments,
		answers: answer[app.Verification](),
		run: func(cmd *cobra.Command, _ []string) error {
			return c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) error {
				bar := c.progress("verifying")
				v, err := l.Verify(cmd.Context(), session, against, bar.at)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					err = c.printJSON(v)
				} else {
					err = c.print(func(w *terminal.Writer) { c.writeVerification(w, v) })
				}
				if err == nil && !v.OK {
					err = errNo
				}
				return err
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&session, "session", "", "only the session `ID`")
		fl.StringVar(&against, "against", "", "the result of an earlier --json, a `FILE`")
	})
	return cmd
}

func (c *console) writeVerification(w *terminal.Writer, v *app.Verification) {
	for _, x := range v.Faults {
		where := "the database"
		if x.Session != "" {
			where = app.RecordRef{Session: x.Session, Seq: x.Seq}.String()
		}
		w.Printf("%s  %s  %s\n", bold.On(where), red.On(string(x.Code)), x.Message)
	}
	verdict := green.On("all as they were written")
	if !v.OK {
		verdict = red.On(plural(len(v.Faults), "fault"))
	}
	redacted := ""
	if v.Redacted > 0 {
		redacted = fmt.Sprintf("; %s redacted", plural(int(v.Redacted), "text"))
	}
	w.Printf("%s of %s: %s%s\n", plural(int(v.Records), "record"), plural(int(v.Sessions), "session"), verdict, redacted)
}

func (c *console) logExportCommand() *command {
	var f storeFlag
	var session string
	cmd := &command{
		use:   "export",
		short: "Write what is recorded as JSON lines",
		long: `Write what is recorded as JSON lines. Importing them elsewhere gives the same
records, with the same hashes. The form is described in docs/FORMATS.md.`,
		examples: "  cento log export -o log.jsonl\n  cento log export --session acme",
		args:     noArguments,
		run: func(cmd *cobra.Command, _ []string) error {
			return c.withWholeLog(cmd.Context(), &f, app.Reads, func(l *app.Log) error {
				bar := c.progress("exporting")
				defer bar.end()
				return c.printFrom(func(w *terminal.Writer) error {
					return l.Export(cmd.Context(), w.Document(), session, bar.at)
				})
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&session, "session", "", "only the session `ID`")
	})
	return cmd
}

func (c *console) logImportCommand() *command {
	var f storeFlag
	cmd := &command{
		use:   "import FILE",
		short: "Add what was exported",
		long: `Add what was exported, from FILE or, for -, from stdin. Every record is verified
on the way in, and what is there already is passed over. A session that went
another way here is refused.`,
		examples: "  cento log import log.jsonl\n  cento log export --store old.db | cento log import -",
		args:     oneArgument("a file, or - for stdin", "import one at a time"),
		answers:  answer[app.Imported](),
		run: func(cmd *cobra.Command, args []string) error {
			return c.withWholeLog(cmd.Context(), &f, app.Begins, func(l *app.Log) error {
				bar := c.progress("importing line")
				done, err := l.Import(cmd.Context(), args[0], c.in, bar.at)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				return c.print(func(w *terminal.Writer) {
					w.Printf("%s of %s imported, %d known before\n", plural(int(done.Records), "record"), plural(int(done.Sessions), "session"), done.Known)
				})
			})
		},
	}
	f.register(cmd)
	return cmd
}

// maxDays is a thousand years: more is a slip, and would be a time to come.
const maxDays = 365_000

func (c *console) logGCCommand() *command {
	var f storeFlag
	var before string
	var days, keep int
	var dry bool
	cmd := &command{
		use:   "gc",
		short: "Let old records go",
		long: `Let records go that are older than a time, from the beginning of each session on;
its last one stays, and the prompt of a session that went on since, with all that
came after it. What is left is verified from there on. Without --before and
--older-than only what no record needs goes.`,
		examples: "  cento log gc --older-than 365 --dry-run\n  cento log gc --before 2026-01-01 --keep 10",
		args:     noArguments,
		answers:  answer[app.Collected](),
		run: func(cmd *cobra.Command, _ []string) error {
			until, err := moment("--before", before)
			if err != nil {
				return err
			}
			switch {
			case cmd.Flags().Changed("older-than") && (days < 1 || days > maxDays):
				return wrongUse(fmt.Sprintf("a number from 1 to %d", maxDays), "--older-than %d is no number of days", days)
			case keep < 1:
				return wrongUse("a number from 1 on", "--keep %d: the last record of a session always stays", keep)
			case days > 0 && before != "":
				return wrongUse("give one of them", "--before and --older-than exclude each other")
			case days > 0:
				until = time.Now().AddDate(0, 0, -days)
			}
			return c.withWholeLog(cmd.Context(), &f, app.Changes, func(l *app.Log) error {
				bar := c.progress("looking through")
				done, err := l.Sweep(cmd.Context(), until, keep, dry, bar.at)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				return c.print(func(w *terminal.Writer) {
					if dry {
						w.Printf("would be: ")
					}
					w.Printf("%s let go, with %s and %s\n", plural(int(done.Records), "record"), plural(int(done.Texts), "text"), plural(int(done.Inputs), "input"))
				})
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&before, "before", "", "records older than this `TIME`")
		fl.IntVar(&days, "older-than", 0, "records older than `DAYS`")
		fl.IntVar(&keep, "keep", 1, "keep the newest `N` records of each session")
		fl.BoolVar(&dry, "dry-run", false, "tell what would go, and let nothing go")
	})
	return cmd
}

// leftover says what a redaction doesn't take out, and how it goes.
func leftover(r *app.Remainder) string {
	at := fmt.Sprintf("%s@%d", r.Session, r.Seq)
	if r.Records > 1 {
		at += fmt.Sprintf(" and %d more", r.Records-1)
	}
	switch r.What {
	case app.LeftVariable:
		return fmt.Sprintf("%s, which its prompt file reads, in the input of %s; it goes with the records: cento log gc", r.Name, at)
	case app.LeftTemplate:
		return fmt.Sprintf("what else %s was rendered of can't be told any more, in the input of %s; it goes with the records: cento log gc", r.Name, at)
	case app.LeftKept:
		return fmt.Sprintf("a text is kept with the conversation of session %s; it goes with the session: cento session delete", r.Session)
	}
	return fmt.Sprintf("a text is in the state of session %s: cento session clear takes reminders out, cento session delete all", r.Session)
}

func (c *console) logRedactCommand() *command {
	var f storeFlag
	var session, record string
	var yes bool
	cmd := &command{
		use:   "redact FRAGMENT",
		short: "Take the texts of a fragment out of the records, for good",
		long: `Take the texts of a fragment out of the records, for good: out of the prompts, out
of what they were made of, with its prompt files and the values of the variables
that these read, and out of the answers that are kept with idempotency keys. Their
digests stay, so the records can still be verified; they can't be read back or
replayed. Without --yes it is only told what would go. A text that other records
share is stored once, and gone there too. The states of sessions stay, and what
else isn't taken out; where a text was found there, that is told.`,
		examples: "  cento log redact tool:db.guidance\n  cento log redact tool:db.guidance --session acme --yes",
		args:     oneArgument("the id of a fragment", "redact one at a time"),
		answers:  answer[app.Redaction](),
		run: func(cmd *cobra.Command, args []string) error {
			if record != "" && session != "" {
				return wrongUse("a record names its session", "--session and --record exclude each other")
			}
			return c.withLog(cmd.Context(), &f, app.Changes, func(l *app.Log) (err error) {
				of := app.RecordRef{Session: session}
				if record != "" {
					if of, err = l.Named(cmd.Context(), record); err != nil {
						return err
					}
					if of.Seq == 0 { // what goes for good isn't that of whatever is the last one
						return wrongUse("as in --record acme@3, or by its hash", "--record %s has no number", record)
					}
				}
				bar := c.progress("looking through")
				done, err := l.Redact(cmd.Context(), args[0], of, !yes, bar.at)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				said := "redacted"
				if !yes {
					said = "would be redacted"
				}
				err = c.print(func(w *terminal.Writer) {
					for _, d := range done.Digests {
						w.Printf("%s\n", d)
					}
					and := ""
					if done.Answers > 0 {
						and = " and " + plural(int(done.Answers), "kept answer")
					}
					w.Printf("%s of %s%s %s\n", plural(len(done.Digests), "text"), plural(int(done.Records), "record"), and, said)
					for i := range done.Left {
						w.Printf("left: %s\n", leftover(&done.Left[i]))
					}
				})
				if err != nil {
					return err
				}
				if !yes {
					c.err.Hint("--yes takes them out; nothing brings them back")
				}
				return nil
			})
		},
	}
	f.register(cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&session, "session", "", "only texts of the session `ID`")
		fl.StringVar(&record, "record", "", "only texts of one `RECORD`, as in acme@3")
		fl.BoolVar(&yes, "yes", false, "do it")
	})
	return cmd
}
