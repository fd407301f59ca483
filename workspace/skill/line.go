package skill

import (
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
)

// oneLine writes a text on one line: every stretch of white space, line ends
// among it, is one space, and none is at the ends. So no description can begin
// a line of its own in the prompt. Words keep their places.
func oneLine(t cento.Text) cento.Text {
	if isOneLine(t.Body) {
		return t
	}
	runs := t.Runs
	if len(runs) == 0 {
		runs = []cento.Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust, Fixed: true}}
	}
	l := liner{text: t.Body, from: cento.NewCursor(t.Body, runs)}
	for at := 0; at < len(t.Body); {
		space := strings.IndexFunc(t.Body[at:], unicode.IsSpace)
		if space != 0 {
			end := len(t.Body)
			if space > 0 {
				end = at + space
			}
			l.keep(at, end)
			at = end
			continue
		}
		word := strings.IndexFunc(t.Body[at:], func(r rune) bool { return !unicode.IsSpace(r) })
		if word < 0 {
			break
		}
		if l.b.Len() > 0 {
			if t.Body[at:at+word] == " " {
				l.keep(at, at+word)
			} else {
				l.space(at)
			}
		}
		at += word
	}
	return cento.Text{Body: l.b.String(), Runs: l.out, Trust: t.Trust, Origin: t.Origin}
}

// maxRuns bounds the runs of one description. What comes behind them belongs to
// the place of the last: the runs of a description that is a list of letters
// would take a hundred times its size.
const maxRuns = 32

// liner copies stretches of a text, each behind the last one, with their runs.
type liner struct {
	text string
	from cento.Cursor

	b     strings.Builder
	out   []cento.Run
	after cento.Position // where the last of them ends
}

// keep copies a stretch.
func (l *liner) keep(from, to int) {
	for from < to {
		at, r := l.from.At(from), l.from.Run()
		end := min(r.End, to)
		l.add(l.text[from:end], cento.Run{Position: at, Trust: r.Trust, Fixed: r.Fixed})
		from = end
	}
}

// space puts one space in the place of what begins at an offset.
func (l *liner) space(from int) {
	at, r := l.from.At(from), l.from.Run()
	l.add(" ", cento.Run{Position: at, Trust: r.Trust, Fixed: true})
}

// add lays a run over a piece, or the last one where that goes on in the file.
func (l *liner) add(piece string, r cento.Run) {
	r.Start = l.b.Len()
	l.b.WriteString(piece)
	r.End = l.b.Len()
	after := r.Position
	if !r.Fixed {
		after = after.After(piece)
	}
	n := len(l.out)
	switch {
	case n > 0 && l.out[n-1].Fixed == r.Fixed && l.out[n-1].Trust == r.Trust && l.after == r.Position:
		l.out[n-1].End = r.End
	case n == maxRuns:
		l.out[n-1].End, l.out[n-1].Fixed = r.End, true
	default:
		l.out = append(l.out, r)
	}
	l.after = after
}

// isOneLine reports whether a text is written that way already.
func isOneLine(s string) bool {
	blank := true // what is before the text counts as white space
	for _, r := range s {
		if space := unicode.IsSpace(r); space && (blank || r != ' ') {
			return false
		} else {
			blank = space
		}
	}
	return !blank || s == ""
}

// Fit tells how many of the skills keep their description in a catalogue of so
// many bytes, the others being listed by name and path alone. Those always stay,
// also where they alone are over the budget; descriptions go from the last skill
// on, so that a larger budget keeps all that a smaller one does. A line counts as
// `- name (path): description` and its end.
func Fit(skills []cento.ListedSkill, budget int) int {
	for i := range skills {
		if budget -= len("- \n") + len(skills[i].Name.Body); skills[i].Path.Body != "" {
			budget -= len(" ()") + len(skills[i].Path.Body)
		}
	}
	for i := range skills {
		if budget -= len(": ") + len(skills[i].Description.Body); budget < 0 {
			return i
		}
	}
	return len(skills)
}
