package pack

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/unitab"
)

// What the program puts into a sentence of its own is one line of that sentence:
// a name, a path, a title, a command. Otherwise a folder or a tool could be named
// so that its name goes on as a heading with advice of its own. Characters that
// can't be seen are left to the core, which shows and notes those of every text.

// The longest names and paths that are put into a text, in characters. What is
// longer is cut and ends in an ellipsis.
const (
	maxName = 256
	maxPath = 4096
)

// oneLine is a name or path as a sentence shows it: a line end is written as its
// code point, such as <U+000A>.
func oneLine(s string, longest int) string {
	if len(s) <= longest && !strings.ContainsFunc(s, endsLine) {
		return s
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > longest {
			b.WriteString("…")
			break
		}
		if endsLine(r) {
			b.WriteString(unitab.Spelled(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// endsLine reports whether some reader begins a new line after the character.
func endsLine(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// named is a text as [oneLine] has it. What is changed has one place, that of
// the whole.
func named(t cento.Text) cento.Text {
	return reworded(t, oneLine(t.Body, maxName))
}

// sentence is a text of several lines as one: a description or a command, whose
// line ends mean no more than blanks.
func sentence(t cento.Text) cento.Text {
	if !strings.ContainsFunc(t.Body, endsLine) {
		return t
	}
	parts := strings.FieldsFunc(t.Body, endsLine)
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return reworded(t, strings.TrimSpace(strings.Join(parts, " ")))
}

func reworded(t cento.Text, body string) cento.Text {
	if body == t.Body {
		return t
	}
	trust := trustOf(leastTrusted(t))
	at := t.Origin
	if len(t.Runs) > 0 {
		at = t.Runs[0].Position
	}
	out := cento.Text{Body: body, Trust: trust, Origin: at}
	if body != "" && !at.IsZero() {
		out.Runs = []cento.Run{{End: len(body), Position: at, Trust: trust, Fixed: true}}
	}
	return out
}
