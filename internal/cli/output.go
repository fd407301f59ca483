package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/app"
)

// print hands a result out: to the file of -o, or to stdout.
func (c *console) print(write func(io.Writer) error) error {
	if c.outPath != "" {
		c.watch()
		if err := writeFile(c.outPath, write); err != nil {
			return writing(c.outPath, err)
		}
		return nil
	}
	w := bufio.NewWriterSize(c.out, 8<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return writing("the result", err)
	}
	return nil
}

// printText hands out a result that is one text. Its JSON form is an object
// that holds the text.
func (c *console) printText(text string) error {
	if c.json {
		return c.writeJSON(textAnswer{text})
	}
	return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// writeFile replaces a file as a whole: a run that ends halfway leaves what was
// there. A link stays, and what it leads to is replaced. A device or pipe is
// written to as it is.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o644)
	if info, statErr := os.Stat(path); statErr == nil {
		if !info.Mode().IsRegular() {
			return writeThrough(path, write)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 8<<10)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// createFile writes a file that isn't there yet; its error is [os.ErrExist] when
// it is.
func createFile(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// printJSON prints a result for programs: indented, with characters as they
// are, but for those that a terminal would act on or that nobody can see.
func (c *console) printJSON(v any) error {
	c.hold(v)
	return c.writeJSON(v)
}

// writeJSON is printJSON for what isn't the answer of one command.
func (c *console) writeJSON(v any) error {
	return c.print(func(w io.Writer) error {
		e := json.NewEncoder(printableJSON{w})
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// printableJSON passes on what an encoder hands over, which it does as a whole
// and only when nothing failed.
type printableJSON struct{ to io.Writer }

func (p printableJSON) Write(b []byte) (int, error) {
	_, err := p.to.Write(app.PrintableJSON(b))
	return len(b), err
}

// toTerminal reports whether the result will be read on a terminal.
func (c *console) toTerminal() bool { return c.terminal && c.outPath == "" }

// paint colours a text on a terminal.
type paint string

const (
	green  paint = "32"
	red    paint = "31"
	yellow paint = "33"
	cyan   paint = "36"
	dim    paint = "2"
	bold   paint = "1"
)

func (c *console) paint(p paint, s string) string {
	if !c.colour || c.outPath != "" || s == "" {
		return s
	}
	return "\x1b[" + string(p) + "m" + s + "\x1b[0m"
}

// table lines columns up. Widths count code points of the text without colour;
// the last column is not padded.
type table struct {
	rows [][]cell
}

type cell struct {
	text  string
	paint paint
	right bool
}

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

func (t *table) write(c *console, w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, x := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(x.text))
		}
	}
	for _, row := range t.rows {
		var b strings.Builder
		for i, x := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(x.text))
			if i > 0 {
				b.WriteString("  ")
			}
			switch {
			case x.right:
				b.WriteString(pad + c.paint(x.paint, x.text))
			case i == len(row)-1:
				b.WriteString(c.paint(x.paint, x.text))
			default:
				b.WriteString(c.paint(x.paint, x.text) + pad)
			}
		}
		if _, err := io.WriteString(w, strings.TrimRight(b.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}
