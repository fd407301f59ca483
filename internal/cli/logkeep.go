package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// The commands of this file keep a store: they prove it, carry it elsewhere, and
// take things out of it.

// progressBar tells on a terminal how far something long is.
type progressBar struct {
	to    io.Writer // stderr; nil where it is no terminal
	what  string
	shown bool
	last  time.Time
}

func (c *console) progress(what string) *progressBar {
	b := &progressBar{what: what, last: time.Now()}
	if isTerminal(c.err) {
		b.to = c.err
	}
	return b
}

// barEvery is how long a bar stays before it is drawn anew.
const barEvery = 100 * time.Millisecond

const barWidth = 24

func (b *progressBar) at(done, all int64) {
	if b.to == nil || time.Since(b.last) < barEvery {
		return
	}
	b.last, b.shown = time.Now(), true
	if all <= 0 {
		fmt.Fprintf(b.to, "\rcento: %s %d", b.what, done)
		return
	}
	n := int(barWidth * min(done, all) / all) // more may come while it is counted
	fmt.Fprintf(b.to, "\rcento: %s [%s%s] %d of %d", b.what, strings.Repeat("#", n), strings.Repeat(" ", barWidth-n), done, all)
}

// end takes the bar away.
func (b *progressBar) end() {
	if b.shown {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.shown = false
	}
}

func (c *console) logVerifyCommand() *cobra.Command {
	var f storeFlag
	var session, against string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Prove that every record is as it was written",
		Long: `Read every record and everything that it is made of, and find what was changed,
dropped, moved or repeated. The exit code is 1 when something was found.

Whoever can write to the store can cut off the end of a session together with the
word on where it ends. To find that, keep the result of --json elsewhere: with
--against each session must still have the last record that it had then.`,
		Example: `  cento log verify
  cento log verify --json -o heads.json
  cento log verify --against heads.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			heads, err := readHeads(against)
			if err != nil {
				return err
			}
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				bar := c.progress("verifying")
				v, err := s.Verify(cmd.Context(), store.VerifyOptions{Session: session, Heads: heads, Progress: bar.at})
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					err = c.printJSON(v)
				} else {
					err = c.print(func(w io.Writer) error { return c.writeVerification(w, v) })
				}
				if err == nil && !v.OK {
					err = errNo
				}
				return err
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&session, "session", "", "only the session `ID`")
	cmd.Flags().StringVar(&against, "against", "", "the result of an earlier --json, a `FILE`")
	return cmd
}

// maxHeads is the largest file of heads that is read, in bytes.
const maxHeads = 256 << 20

func readHeads(name string) ([]store.Stored, error) {
	if name == "" {
		return nil, nil
	}
	f, err := tree.ReadPath(name, tree.Options{Limit: maxHeads})
	if err != nil {
		return nil, err
	}
	var v store.Verification
	if err := json.Unmarshal([]byte(f.Text), &v); err != nil || v.Heads == nil {
		return nil, wrongUse("make one with cento log verify --json", "%s holds no heads", filepath.ToSlash(name))
	}
	return v.Heads, nil
}

func (c *console) writeVerification(w io.Writer, v *store.Verification) error {
	for _, x := range v.Faults {
		where := "the database"
		if x.Session != "" {
			where = app.PrintableLine(app.RecordRef{Session: x.Session, Seq: x.Seq}.String())
		}
		fmt.Fprintf(w, "%s  %s  %s\n", c.paint(bold, where), c.paint(red, string(x.Code)), app.PrintableLine(x.Message))
	}
	said := c.paint(green, "all as they were written")
	if !v.OK {
		said = c.paint(red, plural(len(v.Faults), "fault"))
	}
	if v.Redacted > 0 {
		said += fmt.Sprintf("; %s redacted", plural(int(v.Redacted), "text"))
	}
	_, err := fmt.Fprintf(w, "%s of %s: %s\n", plural(int(v.Records), "record"), plural(int(v.Sessions), "session"), said)
	return err
}

func (c *console) logExportCommand() *cobra.Command {
	var f storeFlag
	var session string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write what is recorded as JSON lines",
		Long: `Write what is recorded as JSON lines. Importing them elsewhere gives the same
records, with the same hashes. The form is described in docs/FORMATS.md.`,
		Example: "  cento log export -o log.jsonl\n  cento log export --session acme",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withStore(cmd.Context(), &f, reading, func(s *store.Store) error {
				bar := c.progress("exporting")
				defer bar.end()
				return c.print(func(w io.Writer) error {
					return s.Export(cmd.Context(), w, store.ExportOptions{Session: session, Progress: bar.at})
				})
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&session, "session", "", "only the session `ID`")
	return cmd
}

func (c *console) logImportCommand() *cobra.Command {
	var f storeFlag
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add what was exported",
		Long: `Add what was exported, from FILE or, for -, from stdin. Every record is verified
on the way in, and what is there already is passed over. A session that went
another way here is refused.`,
		Example: "  cento log import log.jsonl\n  cento log export --store old.db | cento log import -",
		Args:    oneArgument("a file, or - for stdin", "import one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withStore(cmd.Context(), &f, store.Options{}, func(s *store.Store) error {
				bar := c.progress("importing line")
				o := store.ImportOptions{Name: filepath.ToSlash(args[0]), Progress: func(n int64) { bar.at(n, 0) }}
				var done *store.Imported
				var err error
				if args[0] == "-" {
					o.Name = "<stdin>"
					done, err = s.Import(cmd.Context(), c.in, o)
				} else {
					done, err = s.ImportFile(cmd.Context(), args[0], o)
				}
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				text := fmt.Sprintf("%s of %s imported, %d known before\n", plural(int(done.Records), "record"), plural(int(done.Sessions), "session"), done.Known)
				return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			})
		},
	}
	f.register(cmd)
	return cmd
}

// maxDays is a thousand years: more is a slip, and would be a time to come.
const maxDays = 365_000

func (c *console) logGCCommand() *cobra.Command {
	var f storeFlag
	var before string
	var days, keep int
	var o store.GCOptions
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Let old records go",
		Long: `Let records go that are older than a time, from the beginning of each session on;
its last one stays, and the prompt of a session that went on since, with all that
came after it. What is left is verified from there on. Without --before and
--older-than only what no record needs goes.`,
		Example: "  cento log gc --older-than 365 --dry-run\n  cento log gc --before 2026-01-01 --keep 10",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Before, err = moment("--before", before); err != nil {
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
				o.Before = time.Now().AddDate(0, 0, -days)
			}
			o.Keep = int64(keep)
			return c.withStore(cmd.Context(), &f, store.Options{}, func(s *store.Store) error {
				o.Needs = session.Needs
				bar := c.progress("looking through")
				o.Progress = bar.at
				done, err := s.GC(cmd.Context(), o)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				text := fmt.Sprintf("%s let go, with %s and %s\n", plural(int(done.Records), "record"), plural(int(done.Texts), "text"), plural(int(done.Inputs), "input"))
				if o.DryRun {
					text = "would be: " + text
				}
				return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			})
		},
	}
	f.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&before, "before", "", "records older than this `TIME`")
	fl.IntVar(&days, "older-than", 0, "records older than `DAYS`")
	fl.IntVar(&keep, "keep", 1, "keep the newest `N` records of each session")
	fl.BoolVar(&o.DryRun, "dry-run", false, "tell what would go, and let nothing go")
	return cmd
}

func (c *console) logRedactCommand() *cobra.Command {
	var f storeFlag
	var session, record string
	var yes bool
	cmd := &cobra.Command{
		Use:   "redact FRAGMENT",
		Short: "Take the texts of a fragment out of the records, for good",
		Long: `Take the texts of a fragment out of the records, for good: out of the prompts and
out of what they were made of. Their digests stay, so the records can still be
verified; they can't be read back or replayed. Without --yes it is only told what
would go. A text that other records share is stored once, and gone there too. The
states of sessions are not looked into.`,
		Example: "  cento log redact tool:db.guidance\n  cento log redact tool:db.guidance --session acme --yes",
		Args:    oneArgument("the id of a fragment", "redact one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := store.RedactOptions{Fragment: args[0], Session: session, DryRun: !yes}
			if record != "" {
				if session != "" {
					return wrongUse("a record names its session", "--session and --record exclude each other")
				}
				ref := app.ParseRecordRef(record)
				if o.Session, o.Seq = ref.Session, ref.Seq; o.Seq == 0 {
					return wrongUse("as in --record acme@3", "--record %s has no number", record)
				}
			}
			return c.withStore(cmd.Context(), &f, store.Options{}, func(s *store.Store) error {
				bar := c.progress("looking through")
				o.Progress = bar.at
				done, err := s.Redact(cmd.Context(), o)
				bar.end()
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(done)
				}
				var b bytes.Buffer
				for _, d := range done.Digests {
					fmt.Fprintln(&b, d)
				}
				said := "redacted"
				if !yes {
					said = "would be redacted"
				}
				fmt.Fprintf(&b, "%s of %s %s\n", plural(len(done.Digests), "text"), plural(int(done.Records), "record"), said)
				if err := c.print(func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
					return err
				}
				if !yes {
					c.hint("--yes takes them out; nothing brings them back")
				}
				return nil
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&session, "session", "", "only texts of the session `ID`")
	cmd.Flags().StringVar(&record, "record", "", "only texts of one `RECORD`, as in acme@3")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}
