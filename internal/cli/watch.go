package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/watch"
)

// watched is a run that is repeated when something changes that it read.
type watched struct {
	reading *watch.Reading
	// request is the one of the first run: what flags and the environment say isn't
	// asked for again, but for the clock.
	request *app.Request
	last    *app.LastSite   // of the runs before
	prompt  *app.MadePrompt // that was handed out last
	result  []byte          // that was handed out last; nil: none yet
	open    bool            // its last line has no end
	// changed says which files made the run be repeated, until that was told.
	changed string
	// Remarks that were made by the run before, and by this one.
	before, now map[string]bool
}

// watchHelp says what the flag does.
const watchHelp = `With --watch it is done again whenever something changes that was read, or looked
for, until it is interrupted, which is exit code 0: what changed is told on stderr,
and the result is printed if it is another one, with --json on a line of its own.
While the files can't be read, the error is told, and the last result stays.`

// withWatch adds the flag --watch to a command: its run is repeated. Flags that change
// what the run reads don't go with it.
func (cmd *command) withWatch(c *console, refused ...string) {
	var wanted bool
	run := cmd.run
	cmd.with(func(fl *flags) {
		fl.BoolVar(&wanted, "watch", false, "go on, and do it again when something changes that it depends on")
	})
	cmd.run = func(x *cobra.Command, args []string) error {
		if !wanted {
			return run(x, args)
		}
		for _, name := range refused {
			if x.Flags().Changed(name) {
				return wrongUse("leave one of the two out", "--watch repeats what the files say, and --%s does something else", name)
			}
		}
		return c.watch(x.Context(), func() error { return run(x, args) })
	}
}

// watch repeats a run until it is interrupted, which is its usual end.
func (c *console) watch(ctx context.Context, run func() error) error {
	c.catch()
	c.watched = &watched{last: &app.LastSite{}}
	w := watch.New(watch.Options{Tell: func(err error) {
		c.err.Say("the system can't tell of every change, so the files are looked at every second: %s", err)
	}})
	defer w.Close()
	failed := false
	for first := true; ; first = false {
		c.watched.reading, c.watched.before, c.watched.now = &watch.Reading{}, c.watched.now, map[string]bool{}
		err := run()
		if ctx.Err() != nil {
			return nil
		}
		wasBroken := failed
		_, answered := errors.AsType[exit](err)
		switch failed = err != nil && !answered; {
		case failed:
			if use, ok := errors.AsType[*useError](err); first && ok {
				return use
			}
			if c.tell(err); c.watched.result != nil {
				c.err.Say("what was printed last stays, until this is mended")
			}
		case wasBroken && c.watched.changed != "": // and nothing was printed
			c.err.Say("mended; what was printed last is so")
		}
		if c.watched.reading.Len() == 0 { // nothing will ever change
			return err
		}
		w.Follow(c.watched.reading)
		changes, err := w.Next(ctx)
		if err != nil {
			return nil
		}
		c.tellChanges(changes)
	}
}

// mostChanges is how many changed files are named.
const mostChanges = 5

func (c *console) tellChanges(changes []watch.Change) {
	var names []string
	for _, x := range changes {
		for _, path := range x.Paths {
			names = append(names, c.site.Show(path))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if more := len(names) - mostChanges; more > 0 {
		names = append(names[:mostChanges], fmt.Sprintf("and %d more", more))
	}
	c.watched.changed = "changed: " + strings.Join(names, ", ")
}

// disk is where the files of the run are; a run with --watch remembers what it is asked.
func (c *console) disk() app.Disk {
	if c.watched == nil {
		return app.Disk{}
	}
	return c.watched.reading.On(app.Disk{})
}

// locate finds the project of a request, which a run with --watch does again and again.
func (c *console) locate(r app.Request) (err error) {
	c.path = nil
	if c.watched == nil {
		c.site, err = app.Locate(r)
	} else {
		c.site, err = c.watched.last.Locate(r)
	}
	return err
}

// sinceLast tells how a prompt differs from the one that was handed out before.
func (c *console) sinceLast(ctx context.Context, f *whatIf, now app.MadePrompt) error {
	if c.watched == nil {
		return nil
	}
	before := c.watched.prompt
	if c.watched.prompt = &now; before == nil {
		return nil
	}
	d, err := app.Since(ctx, f.target, before, &now)
	if err != nil {
		return err
	}
	if !d.Empty() {
		c.tellChanged()
		c.writeDiff(c.err, d)
		return c.err.Flush()
	}
	return nil
}

// tellChanged says which files made the run be repeated, where that matters.
func (c *console) tellChanged() {
	if c.watched.changed != "" {
		c.err.Say("%s", c.watched.changed)
		c.watched.changed = ""
	}
}

// again reports whether a result of a run with --watch is the one that was handed out
// last. It is an error to write it to a file that it is made of.
func (c *console) again(write func(*terminal.Writer) error) (bool, error) {
	var b bytes.Buffer
	o := c.out.Options
	if c.outPath != "" {
		o = terminal.Options{}
	}
	w := terminal.NewWriter(&b, o)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return false, err
	}
	x := c.watched
	if x.result != nil && bytes.Equal(b.Bytes(), x.result) {
		return true, nil
	}
	if c.outPath != "" && x.reading.Holds(c.outPath) {
		return false, wrongUse("give -o another file", "the result is made of %s, so it can't be written there again and again", c.outPath)
	}
	x.result, x.open = b.Bytes(), b.Len() > 0 && !bytes.HasSuffix(b.Bytes(), []byte("\n"))
	c.tellChanged()
	return false, nil
}

// remark says something about what was read. With --watch what the run before said isn't
// said again. It reports whether it was said.
func (c *console) remark(text string) bool {
	if x := c.watched; x != nil {
		known := x.before[text] || x.now[text]
		if x.now[text] = true; known {
			return false
		}
	}
	c.err.Say("%s", text)
	return true
}
