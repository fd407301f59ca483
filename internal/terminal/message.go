package terminal

import "fmt"

// Say writes a message: one line behind the name of the program, at once.
func (w *Writer) Say(format words, values ...any) {
	w.write("cento: ")
	w.Printf(format, values...)
	w.write("\n")
	w.Flush()
}

// SayOnce is Say for what may come up more than once in a run, as by two sides of
// a comparison. It reports whether this was the first time.
func (w *Writer) SayOnce(format words, values ...any) bool {
	text := fmt.Sprintf(string(format), values...)
	if w.said[text] {
		return false
	}
	if w.said == nil {
		w.said = map[string]bool{}
	}
	w.said[text] = true
	w.Say(format, values...)
	return true
}

// Hint writes what helps with the message before it; nothing when there is no
// such help.
func (w *Writer) Hint(text string) {
	if text != "" {
		w.HintAt("  ", text)
		w.Flush()
	}
}

// HintAt writes a hint behind an indentation, as [Writer.Hint] does, and flushes nothing.
func (w *Writer) HintAt(indent, text string) {
	if text == "" {
		return
	}
	if w.Hints != nil {
		text = w.Hints(text)
	}
	w.Printf("%shint: %s\n", indent, text)
}
