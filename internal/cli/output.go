package cli

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/tree"
)

// print hands a result out: to the file of -o, or to stdout.
func (c *console) print(write func(*terminal.Writer)) error {
	return c.printFrom(func(w *terminal.Writer) error { write(w); return nil })
}

// printFrom is print for a result that can fail while it is made.
func (c *console) printFrom(write func(*terminal.Writer) error) error {
	if c.watched != nil {
		if known, err := c.again(write); known || err != nil {
			return err
		}
	}
	if c.outPath != "" {
		c.catch()
		if err := c.writeFile(c.outPath, write); err != nil {
			return writing(c.outPath, err)
		}
		if c.watched != nil {
			c.err.Say("wrote %s", c.outPath)
		}
		return nil
	}
	err := write(c.out)
	if err != nil {
		c.out.Discard()
	} else {
		if c.watched != nil && c.watched.open {
			c.out.Printf("\n") // the next one begins on a line of its own
		}
		err = c.out.Flush()
	}
	if err != nil {
		return writing("the result", err)
	}
	return nil
}

// printText hands out a result that is one text, byte for byte. Its JSON form is
// an object that holds the text.
func (c *console) printText(text string) error {
	if c.json {
		return c.writeJSON(textAnswer{text})
	}
	return c.print(func(w *terminal.Writer) { w.Exact(text) })
}

// writeFile replaces a file. A device or pipe is written to as it is. A link in the
// project may not lead out of it: the project made the link, and not who named the file.
func (c *console) writeFile(path string, write func(*terminal.Writer) error) error {
	if _, err := tree.Within(c.site.FilesRoot(), path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	return tree.Replace(path, 0o644, func(w io.Writer) error { return writeTo(w, false, write) })
}

func writeThrough(path string, write func(*terminal.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(writeTo(f, isTerminal(f), write), f.Close())
}

// writeTo writes a result to what -o names, which may lead to a screen too.
func writeTo(out io.Writer, screen bool, write func(*terminal.Writer) error) error {
	w := terminal.NewWriter(out, terminal.Options{Screen: screen})
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// createFile writes a file that isn't there yet; its error is [os.ErrExist] when
// it is.
func createFile(path, text string, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// addLine puts a line at the end of a file that nobody else may read, and makes the
// file where there is none.
func addLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	var last [1]byte
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		if _, err := f.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
			line = "\n" + line
		}
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// checkResults refuses files for results in which the project stands, before anything
// is done.
func checkResults(cmd *cobra.Command) error {
	value := func(flag string) string {
		if f := cmd.Flags().Lookup(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	manifest, _ := os.Stat(value("file"))
	for _, flag := range []string{"output", "junit"} {
		path := value(flag)
		if path == "" {
			continue
		}
		there, err := os.Stat(path)
		if err := app.CheckResult(path, err == nil && manifest != nil && os.SameFile(there, manifest)); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints a result for programs: indented, or a line for each with --watch, with characters as they
// are, but for those that a terminal would act on or that nobody can see.
func (c *console) printJSON(v any) error {
	c.hold(v)
	return c.writeJSON(v)
}

// writeJSON is printJSON for what isn't the answer of one command.
func (c *console) writeJSON(v any) error {
	return c.print(func(w *terminal.Writer) {
		if c.watched != nil {
			w.JSONLine(v)
		} else {
			w.JSON(v)
		}
	})
}

// toTerminal reports whether the result will be read on a terminal.
func (c *console) toTerminal() bool { return c.out.Screen && c.outPath == "" }

type (
	paint = terminal.Paint
	cell  = terminal.Cell
	table = terminal.Table
)

const (
	green  = terminal.Green
	red    = terminal.Red
	yellow = terminal.Yellow
	cyan   = terminal.Cyan
	dim    = terminal.Dim
	bold   = terminal.Bold
)
