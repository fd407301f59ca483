package terminal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

// words are words of the program. Another package can't name the type, so it can
// pass constants alone, and no text that was read.
type words string

// Options say where a [Writer] writes to.
type Options struct {
	// Screen: somebody reads it on a screen.
	Screen bool
	// Colour: a screen that may be coloured.
	Colour bool
	// Raw: who asked for a text byte for byte gets it so on a screen too.
	Raw bool
}

// Writer writes to people. Its first error stays, and nothing is written after it;
// see [Writer.Flush].
type Writer struct {
	Options
	to     io.Writer
	buffer *bufio.Writer
	failed error
	said   map[string]bool // by SayOnce

	line, masked string // of the last excerpt

	// Hints completes the text of a hint before it is written; nil leaves it as it is.
	Hints func(text string) string
}

// NewWriter begins to write. What is written is held back until [Writer.Flush].
func NewWriter(to io.Writer, o Options) *Writer {
	return &Writer{Options: o, to: to, buffer: bufio.NewWriterSize(to, 8<<10)}
}

// Flush hands over what was held back and gives the first error there was.
func (w *Writer) Flush() error {
	if err := w.buffer.Flush(); w.failed == nil {
		w.failed = err
	}
	return w.failed
}

// Discard lets go of what was held back, where a result failed halfway.
func (w *Writer) Discard() { w.buffer.Reset(w.to) }

func (w *Writer) write(s string) {
	if w.failed == nil {
		_, w.failed = w.buffer.WriteString(s)
	}
}

// Text is a value of several lines: its line feeds and tabs stay, and all else is
// written out as in any value.
type Text string

// Printf writes words with values between them. Verbs are those of package fmt,
// widths and all; what a verb makes of a value is written out as a [Line], but for
// a [Text] and what [Paint.On] colours.
func (w *Writer) Printf(format words, values ...any) {
	shown := make([]any, len(values))
	for i, v := range values {
		shown[i] = value{v, w.Colour}
	}
	w.write(fmt.Sprintf(string(format), shown...))
}

// value is one that is written out after its verb has formed it.
type value struct {
	is     any
	colour bool
}

func (v value) Format(f fmt.State, verb rune) { io.WriteString(f, v.form(fmt.FormatString(f, verb))) }

func (v value) form(verb string) string {
	switch x := v.is.(type) {
	case Painted:
		text := value{x.value, v.colour}.form(verb)
		if !v.colour || text == "" {
			return text
		}
		return "\x1b[" + string(x.paint) + "m" + text + "\x1b[0m"
	case Text:
		return WrittenOut(fmt.Sprintf(verb, string(x)))
	case indented:
		return indent(WrittenOut(string(x.text)), x.by)
	}
	return Line(fmt.Sprintf(verb, v.is))
}

// Indented is a text of several lines with white space before each and a line end
// behind the last; nothing at all when it is empty.
func Indented(text, by string) any { return indented{Text(text), by} }

type indented struct {
	text Text
	by   string
}

func indent(s, by string) string {
	if s == "" {
		return ""
	}
	return by + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+by) + "\n"
}

// Excerpt draws the line of a source that a place is in, with a caret below its
// column, behind some white space. It draws nothing when there is no such line.
func (w *Writer) Excerpt(source string, line, column int, by string) {
	w.write(indent(excerpt(source, line, column, w.maskedOnce), by))
}

// maskedOnce is [Masked], for whom the line before was the same one: a hundred places
// in one long line cost one search.
func (w *Writer) maskedOnce(line string) string {
	if line != w.line {
		w.line, w.masked = line, Masked(line)
	}
	return w.masked
}

// Exact writes a text that was asked for byte for byte: as it is, or on a screen
// written out, with a line end behind it.
func (w *Writer) Exact(text string) {
	if !w.Screen || w.Raw {
		w.write(text)
		return
	}
	if text = WrittenOut(text); text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	w.write(text)
}

// JSON writes a value for programs: indented, with characters as they are but for
// those that a screen would act on or that nobody can see, which JSON can spell.
func (w *Writer) JSON(v any) { w.json(v, "  ") }

// JSONLine is JSON on a line of its own.
func (w *Writer) JSONLine(v any) { w.json(v, "") }

func (w *Writer) json(v any, indent string) {
	err := laidOut(v, indent, math.MaxInt, func(text []byte) error {
		if w.failed != nil {
			return nil
		}
		_, err := w.buffer.Write(text)
		return err
	})
	if w.failed == nil {
		w.failed = err
	}
}

// ErrTooLong tells that JSON would have more bytes than it may.
var ErrTooLong = errors.New("the JSON is too long")

// JSON hands over the bytes that [Writer.JSON] writes of a value, or tells with
// [ErrTooLong] that there would be more than most. They are there until use returns.
func JSON(v any, most int, use func(text []byte) error) error { return laidOut(v, "  ", most, use) }

// laidOut hands over a value as JSON.
func laidOut(v any, indent string, most int, use func(text []byte) error) error {
	compact, laid := scratch.Get().(*bytes.Buffer), scratch.Get().(*bytes.Buffer)
	defer release(compact, laid)
	e := json.NewEncoder(compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	text := compact.Bytes()
	if len(text) > most {
		return ErrTooLong
	}
	if indent != "" {
		laid.Grow(len(text) + len(text)/8 + 256)
		text = appendIndented(laid.AvailableBuffer(), text, indent)
	}
	if asItIs(text) < len(text) {
		text, _ = appendJSON(make([]byte, 0, len(text)+len(text)/16), text)
	}
	if len(text) > most {
		return ErrTooLong
	}
	return use(text)
}

// scratch is memory of JSON that was written, for the next.
var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxScratch bounds the memory that is kept of one.
const maxScratch = 1 << 20

func release(buffers ...*bytes.Buffer) {
	for _, b := range buffers {
		if b.Cap() <= maxScratch {
			b.Reset()
			scratch.Put(b)
		}
	}
}

// Document is for a document in a form of its own that is made in pieces, which a
// file or pipe gets as it is. On a screen it has to be JSON, and is spelled as by
// [Writer.JSON].
func (w *Writer) Document() io.Writer {
	if w.Screen && !w.Raw {
		return jsonWriter{w, &[]byte{}}
	}
	return exactWriter{w}
}

// Lines is for lines of JSON that somebody else makes, such as those of a log, which
// people look at whatever they go to: they are spelled as by [Writer.JSON] everywhere.
func (w *Writer) Lines() io.Writer { return jsonWriter{w, &[]byte{}} }

// Help is for the words of the program about itself, made by a library.
func (w *Writer) Help() io.Writer { return helpWriter{w} }

type exactWriter struct{ w *Writer }

func (x exactWriter) Write(b []byte) (int, error) {
	if x.w.failed == nil {
		_, x.w.failed = x.w.buffer.Write(b)
	}
	return len(b), x.w.failed
}

type helpWriter struct{ w *Writer }

func (x helpWriter) Write(b []byte) (int, error) {
	text := string(b)
	if x.w.Screen {
		text = WrittenOut(text)
	}
	x.w.write(text)
	return len(b), x.w.Flush()
}

// jsonWriter spells what is written to it. A character may come in two pieces.
type jsonWriter struct {
	w    *Writer
	rest *[]byte
}

func (x jsonWriter) Write(b []byte) (int, error) {
	from := b
	if len(*x.rest) > 0 {
		from = append(*x.rest, b...)
	}
	out, rest := from, 0
	if asItIs(from) < len(from) {
		out, rest = appendJSON(make([]byte, 0, len(from)+len(from)/16), from)
	}
	*x.rest = append([]byte(nil), from[len(from)-rest:]...)
	if x.w.failed == nil {
		_, x.w.failed = x.w.buffer.Write(out)
	}
	return len(b), x.w.failed
}

// Redraw puts words in the place of those that it put there last, and Erase takes
// them away: the progress of something long, on a screen alone.
func (w *Writer) Redraw(format words, values ...any) {
	if w.Screen {
		w.write("\r")
		w.Printf(format, values...)
		w.Flush()
	}
}

// Erase takes away what [Writer.Redraw] put there.
func (w *Writer) Erase() {
	if w.Screen {
		w.write("\r\x1b[K")
		w.Flush()
	}
}
