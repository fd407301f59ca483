package skill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// oneLine writes a text on one line: every stretch of white space, line ends
// among it, is one space, and none is at the ends. So no description can begin
// a line of its own in the prompt. Words keep their places.
func oneLine(t cento.Text) cento.Text {
	if isOneLine(t.Body) {
		return t
	}
	out := cento.Text{Trust: t.Trust, Origin: t.Origin}
	runs := t.Runs
	if len(runs) == 0 {
		runs = []cento.Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust, Fixed: true}}
	}
	var b strings.Builder
	add := func(from, to int, text string) {
		for _, r := range runs {
			start, end := max(r.Start, from), min(r.End, to)
			if start >= end {
				continue
			}
			part := t.Body[start:end]
			if text != "" {
				part = text
			}
			p := cento.Run{Start: b.Len(), Position: r.Position, Trust: r.Trust, Fixed: r.Fixed || text != ""}
			if !r.Fixed {
				p.Position = behind(r.Position, t.Body[r.Start:start])
			}
			b.WriteString(part)
			p.End = b.Len()
			if n := len(out.Runs); n > 0 && joins(out.Runs[n-1], p, b.String()) {
				out.Runs[n-1].End = p.End
			} else {
				out.Runs = append(out.Runs, p)
			}
			if text != "" {
				return // one space stands for all
			}
		}
	}
	for at := 0; at < len(t.Body); {
		space := strings.IndexFunc(t.Body[at:], unicode.IsSpace)
		if space != 0 {
			end := len(t.Body)
			if space > 0 {
				end = at + space
			}
			add(at, end, "")
			at = end
			continue
		}
		word := strings.IndexFunc(t.Body[at:], func(r rune) bool { return !unicode.IsSpace(r) })
		if word < 0 {
			break
		}
		if b.Len() > 0 {
			if t.Body[at:at+word] == " " {
				add(at, at+word, "")
			} else {
				add(at, at+word, " ")
			}
		}
		at += word
	}
	out.Body = b.String()
	return out
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

// joins reports whether a run goes on where the last one ended, in its file too.
func joins(last, next cento.Run, text string) bool {
	if last.Fixed || next.Fixed {
		return last.Fixed && next.Fixed && last.Position == next.Position && last.Trust == next.Trust
	}
	return last.Trust == next.Trust && behind(last.Position, text[last.Start:last.End]) == next.Position
}

// behind is the place behind a stretch of text.
func behind(at cento.Position, text string) cento.Position {
	if n := strings.Count(text, "\n"); n > 0 {
		at.Line, at.Column = at.Line+n, 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	at.Column += utf8.RuneCountInString(text)
	return at
}

// Fit tells how many of the skills keep their description in a catalogue of so
// many bytes, the others being listed by name alone. Names always stay, also
// where they alone are over the budget; descriptions go from the last skill on,
// so that a larger budget keeps all that a smaller one does. A line counts as
// `- name: description` and its end.
func Fit(skills []cento.ListedSkill, budget int) int {
	for i := range skills {
		budget -= len("- \n") + len(skills[i].Name.Body)
	}
	for i := range skills {
		if budget -= len(": ") + len(skills[i].Description.Body); budget < 0 {
			return i
		}
	}
	return len(skills)
}
