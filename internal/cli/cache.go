package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/terminal"
)

// cacheFlags say which prompts are set beside each other.
type cacheFlags struct {
	storeFlag
	wireFlags
	session, price, format  string
	withTools, withoutTools []string
	withCaps, withoutCaps   []string
}

func (c *console) cacheCommand() *command {
	var f cacheFlags
	cmd := &command{
		use:   "cache [PROMPT...]",
		short: "Tell what requests cost in the prompt cache, and what broke it",
		long: `Set prompts beside each other in the order in which they are sent, each read in the
order in which its provider reads it, and tell of each: how far it begins like the
one before, which marks of the cache are found again, how many tokens are read,
written and paid in full, what that costs; and of the first byte that differs whose
it is, what changed it, and what would have kept it. Such a hint was tried.

A PROMPT is a record (SESSION@NUMBER), a file with a recorded input or the body of a
request, or a target of the manifest. --session takes all turns of a session; where
they wrote requests, the messages are told apart by digests, and else they aren't
known. With one target the first prompt is that of the manifest as it stands, as it is
with --tool and its kind, which change the second: cento cache --tool shell tells what
it costs that the tool comes.

--budget holds for all prompts that are made of the project.

What a provider does is predicted by its published rules.`,
		examples: `  cento cache --session s1
  cento cache --tool shell --model claude-opus-5
  cento cache monday.json tuesday.json
  cento cache s1@3 s1@9 --wire anthropic
  cento cache --session s1 --format html -o cache.html`,
		answers: answer[call.Cached](),
		run: func(cmd *cobra.Command, args []string) error {
			report, err := c.cache(cmd, &f, args)
			if err != nil {
				return err
			}
			switch {
			case c.json || f.format == "json":
				out := call.Cached{CacheReport: *report}
				return c.printNoted(&out, &out.Notes)
			case f.format == "html":
				return c.printFrom(func(w *terminal.Writer) error {
					return page.WriteRequests(w.Document(), page.Page{Project: c.site.Name(), Version: app.Version()}, cacheSums(report), cacheBars(report))
				})
			}
			return c.print(func(w *terminal.Writer) { writeCache(w, report) })
		},
	}
	f.registerProject(c, cmd, "")
	cmd.args = nil
	cmd.with(func(fl *flags) {
		registerStore(fl, &f.place)
		f.registerBudget(fl, "")
		fl.StringVar(&f.session, "session", "", "the turns of the session `ID`")
		fl.StringVar(&f.price, "price", "", "prices instead of the model's, in dollars for a million tokens: `INPUT,READ,WRITTEN`")
		fl.StringVar(&f.format, "format", "", "the `FORM` of the result: text, json or html (default text)")
		fl.completeWords("format", "text", "json", "html")
		fl.activeTools(&f.withTools, "tool", "a tool that comes with the second prompt: `NAME`, repeatable")
		fl.names(&f.withoutTools, "without-tool", "a tool that goes with the second prompt: `NAME`, repeatable")
		fl.names(&f.withCaps, "cap", "a capability that comes with the second prompt: `NAME`, repeatable")
		fl.names(&f.withoutCaps, "without-cap", "a capability that goes with the second prompt: `NAME`, repeatable")
		fl.complete(c.complete(&f.whatIf, toolNames), "tool", "without-tool")
		fl.complete(c.complete(&f.whatIf, (*app.Project).CapNames), "cap", "without-cap")
	})
	f.wireFlags.registerRequest(cmd)
	cmd.values = c.complete(&f.whatIf, targetNames)
	return cmd
}

// cache gathers the prompts that are asked for.
func (c *console) cache(cmd *cobra.Command, f *cacheFlags, args []string) (*app.CacheReport, error) {
	if err := knownFormat(f.format, "text", "json", "html"); err != nil {
		return nil, err
	}
	switch {
	case c.json && f.format != "" && f.format != "json":
		return nil, wrongUse("", "--format and --json are two forms of the result: choose one")
	case f.format == "html" && c.toTerminal():
		return nil, wrongUse("give it a file: cento cache --format html -o cache.html", "a page is not for a terminal")
	}
	changed := len(f.withTools)+len(f.withoutTools)+len(f.withCaps)+len(f.withoutCaps) > 0
	switch {
	case f.session != "" && (len(args) > 0 || changed):
		return nil, wrongUse("leave one of them out", "--session has all prompts already")
	case f.session == "" && len(args) == 0 && !changed:
		return nil, wrongUse("cento cache --session ID, cento cache --tool NAME, or two records, files or targets", "no prompts are named")
	case f.session != "" && f.budget != "":
		return nil, wrongUse(ofProject, "the prompts of a session were made already")
	case len(args) > 1 && changed:
		return nil, wrongUse("leave one of them out", "--tool and its kind change the second of two prompts, and %d are named", len(args))
	}
	ctx := cmd.Context()
	req, err := c.located(ctx, &f.whatIf)
	if err != nil {
		return nil, err
	}
	o := app.CacheOptions{Model: f.model}
	if o.WireOptions, err = c.wireOptions(cmd, &f.wireFlags); err != nil {
		return nil, err
	}
	if f.price != "" {
		if o.Price, err = app.ParsePrice(f.price, "", "5m", "30m", "1h", "12h", "24h"); err != nil {
			return nil, wrongUse("write it as 5,0.5,6.25", "--price: %w", err)
		}
	}
	row, err := app.NewCacheRow(c.site, req, o)
	if err != nil {
		return nil, err
	}
	if f.session != "" {
		bar := c.progress("turns")
		err := c.withLog(ctx, &f.storeFlag, app.Reads, func(l *app.Log) error { return row.Session(ctx, l, f.session, bar.at) })
		bar.end()
		if err != nil {
			return nil, err
		}
		return row.Report()
	}
	if err := c.cacheRow(ctx, f, row, args); err != nil {
		return nil, err
	}
	return row.Report()
}

// cacheRow adds the prompts that are named one by one.
func (c *console) cacheRow(ctx context.Context, f *cacheFlags, row *app.CacheRow, args []string) error {
	from := app.CacheSources{
		Open: func(ctx context.Context) (*app.Project, error) { return c.open(ctx, &f.whatIf) },
		Read: func(ctx context.Context, path string) (string, []byte, error) {
			return c.readNamed(ctx, path, "the prompt")
		},
		Log: func(ctx context.Context, do func(*app.Log) error) error {
			return c.withLog(ctx, &f.storeFlag, app.Reads, do)
		},
	}
	if len(args) == 0 {
		p, err := from.Open(ctx)
		if err != nil {
			return err
		}
		remarks, err := row.Comes(p, app.WhatIf{WithTools: f.withTools, WithoutTools: f.withoutTools, WithCaps: f.withCaps, WithoutCaps: f.withoutCaps})
		for i := range remarks { // as the flags are called
			remarks[i].Change = app.Change(strings.TrimPrefix(string(remarks[i].Change), "with_"))
		}
		c.tellRemarks(remarks)
		return err
	}
	p, notes, err := row.Named(ctx, from, args)
	c.gather(notes)
	if err == nil && f.budget != "" && p == nil {
		err = wrongUse(ofProject, "records and files were made already")
	}
	return err
}

// ofProject is the advice where a budget has nothing to hold for.
const ofProject = "--budget is for prompts of the project: targets, --tool and its kind"

// barCells is how long the bar of a request is in a report.
const barCells = 32

func writeCache(w *terminal.Writer, r *app.CacheReport) {
	sums := cacheSums(r)
	w.Printf("%s\n", bold.On(terminal.Text(sums[0])))
	for i, b := range cacheBars(r) {
		w.Printf("\n%s  %s\n", bold.On(terminal.Text(b.Name)), terminal.Text(b.About))
		if b.Told {
			cells := func(n int) int { return n * barCells / max(r.Steps[i].Tokens, 1) }
			read, both := cells(b.Read), cells(b.Read+b.Written)
			w.Printf("    [%s%s%s]\n", green.On(strings.Repeat("=", read)), yellow.On(strings.Repeat("+", both-read)), strings.Repeat(".", barCells-both))
		}
		for _, line := range b.Lines {
			w.Printf("    %s\n", terminal.Text(line))
		}
		for _, line := range b.Culprit {
			w.Printf("    %s\n", red.On(terminal.Text(line)))
		}
		if b.Hint != "" {
			w.Printf("    %s %s\n", green.On("hint:"), terminal.Text(b.Hint))
		}
	}
	w.Printf("\n")
	for _, line := range sums[1:] {
		w.Printf("%s\n", terminal.Text(line))
	}
}

func money(dollars float64) string { return "$" + strconv.FormatFloat(dollars, 'f', 6, 64) }

// shares words what became of tokens.
func shares(p *app.CachePrediction, exact bool) string {
	return "read " + count(p.Read, exact) + ", written " + count(p.Written, exact) + ", paid " + count(p.Paid, exact)
}

// cacheSums are what there is to say of all requests together.
func cacheSums(r *app.CacheReport) []string {
	model, kind := r.Model, string(r.Cache)
	if model == "" {
		model = "no model"
	}
	if kind == "" {
		kind = "not known, so nothing is predicted"
	}
	out := []string{model + " reads " + strings.Join(r.Order, ", ") + "; prompt cache: " + kind}
	s := &r.Sum
	line := plural(len(r.Steps), "request") + ": " + tokens(s.Tokens, r.Exact)
	if s.Prediction != nil {
		line += ", " + shares(s.Prediction, r.Exact)
	}
	if s.Lost > 0 {
		line += "; " + count(s.Lost, r.Exact) + " were kept and not found"
	}
	out = append(out, line)
	if b := s.Billed; b != nil && b.Steps > 0 {
		line := "of " + plural(b.Steps, "request") + " " + billedSum(b.Input, b.Read, b.Written, b.Paid)
		if b.Unknown > 0 {
			line += "; the usage of " + plural(b.Unknown, "request") + " does not report cached tokens"
		}
		out = append(out, line)
	}
	if c := s.Cost; c != nil {
		out = append(out, money(c.Predicted)+" for the input; "+money(c.Uncached)+" without the cache")
		if c.BestOrder != nil {
			out = append(out, money(*c.BestOrder)+" with the fragments ordered by how often they change")
		}
		if c.InTurn != nil {
			out = append(out, money(*c.InTurn)+" with reminders in the turn")
		}
	}
	if len(r.Uncounted) > 0 {
		out = append(out, "in no count and no cost: "+strings.Join(r.Uncounted, ", ")+"; the provider alone knows what they take")
	}
	if len(r.Unpriced) > 0 {
		out = append(out, "no cost: not known is the price of "+strings.Join(r.Unpriced, ", "))
	}
	return out
}

// foundText says how much of what stands before a mark was found. Of a mark that is read
// in part by an earlier one, that it differs from all that was sent before says nothing:
// a conversation that only grows does so with each turn.
func foundText(m *app.CacheMark, exact bool) string {
	why := strings.ReplaceAll(string(m.Why), "_", " ")
	switch {
	case m.Hit:
		return "found"
	case m.Read == 0:
		return why
	case m.Why == app.MarkDiffers:
		return "found up to " + tokens(m.Read, exact)
	default:
		return "found up to " + tokens(m.Read, exact) + ", " + why
	}
}

// cacheBars are the requests, each with what there is to say of it.
func cacheBars(r *app.CacheReport) []page.Bar {
	out := make([]page.Bar, len(r.Steps))
	for i := range r.Steps {
		s, b := &r.Steps[i], &out[i]
		b.Name, b.About, b.Paid = s.Name, tokens(s.Tokens, r.Exact), s.Tokens
		if p := s.Prediction; p != nil {
			b.Told, b.Read, b.Written, b.Paid = true, p.Read, p.Written, p.Paid
			b.About += ", " + shares(p, r.Exact)
		}
		if s.Cost != nil {
			b.About += ", " + money(s.Cost.Predicted)
		}
		if s.At != nil {
			b.About += ", " + s.At.UTC().Format("2006-01-02T15:04:05Z")
		}
		for _, m := range s.Marks {
			b.Lines = append(b.Lines, "mark "+m.Pointer+" "+m.TTL+" behind "+tokens(m.Tokens, r.Exact)+": "+foundText(&m, r.Exact))
		}
		for _, l := range s.Losses {
			if strings.HasPrefix(string(l.Code), "cache.") {
				b.Lines = append(b.Lines, string(l.Code)+": "+l.Message)
			}
		}
		if u := s.Billed; u != nil {
			b.Lines = append(b.Lines, billedText(u))
		}
		if d := s.Deviation; d != nil {
			b.Culprit = append(b.Culprit, app.DeviationText(d))
		}
		if i == 0 {
			continue
		}
		line := "begins like the one before for " + plural(s.SharedBytes, "byte") + ", " + tokens(s.SharedTokens, r.Exact)
		if s.Lost > 0 {
			line += "; " + count(s.Lost, r.Exact) + " were kept and are not found"
		}
		b.Lines = append(b.Lines, line)
		if d := s.Difference; d != nil {
			line := "differs at " + d.Pointer + ", byte " + strconv.Itoa(d.Offset)
			if d.Fragment != "" {
				line += ", of " + d.Fragment
			}
			b.Lines = append(b.Lines, line+", "+tokens(d.Behind, r.Exact)+" before the end")
		}
		for _, x := range s.Causes {
			b.Culprit = append(b.Culprit, app.CauseLines(x)...)
		}
		switch {
		case s.Hint != nil:
			b.Hint = app.HintText(*s.Hint, r.Exact)
		case s.HintOf > 0:
			b.Hint = "as for " + r.Steps[s.HintOf-1].Name
		}
	}
	return out
}
