package cli

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/textdiff"
)

// maxMarkdown is the longest comment, in characters, that places for them take: GitHub's
// limit is 65,536.
const maxMarkdown = 60_000

// diffMarkdown is a comparison as a comment of a pull request.
func diffMarkdown(d *app.Differing) string {
	m := &comment{left: maxMarkdown}
	m.say("### Prompt: %s → %s\n\n", code(d.Left.String()), code(d.Right.String()))
	if d.Empty() {
		m.say("No difference.\n")
		return m.text()
	}
	x := app.TargetDiffering{Diff: d}
	m.say("%s; %s.\n\n", tally(&x), tokenTally(&x))
	m.body(d)
	return m.text()
}

// allMarkdown is the same for all targets: one table, then each that differs, folded.
func allMarkdown(d *app.AllDiffering) string {
	m := &comment{left: maxMarkdown}
	m.say("### Prompts: %s → %s\n\n", code(d.Left.String()), code(d.Right.String()))
	if d.Empty() {
		if len(d.Targets) == 1 {
			m.say("No difference in the one prompt.\n")
		} else {
			m.say("No difference in any of %d prompts.\n", len(d.Targets))
		}
		return m.text()
	}
	m.say("| target | fragments | tokens |\n|---|---|---|\n")
	for i := range d.Targets {
		x := &d.Targets[i]
		m.say("| %s | %s | %s |\n", cellCode(x.Target), tally(x), tokenTally(x))
	}
	m.say("\n")
	for i := range d.Targets {
		x := &d.Targets[i]
		if x.Diff == nil || x.Diff.Empty() {
			continue
		}
		m.fold("<details><summary>"+cellCode(x.Target)+"</summary>\n\n", "</details>\n\n", func() { m.body(x.Diff) })
	}
	return m.text()
}

// tally counts what differs, in words.
func tally(x *app.TargetDiffering) string {
	switch {
	case x.Only == "left":
		return "the target is gone"
	case x.Only == "right":
		return "the target is new"
	case x.Diff.Empty():
		return "no difference"
	}
	var parts []string
	for _, n := range []struct {
		count int
		words string
	}{
		{len(x.Diff.Added), "added"}, {len(x.Diff.Removed), "removed"}, {len(x.Diff.Changed), "reworded"}, {len(x.Diff.Moved), "moved"},
		{len(x.Diff.Verdicts), "in or out"}, {len(x.Diff.Gates), "gated or weighed otherwise"},
	} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.words))
		}
	}
	if len(parts) == 0 {
		return "other words between fragments"
	}
	return strings.Join(parts, ", ")
}

// tokenTally is how many tokens there were and are.
func tokenTally(x *app.TargetDiffering) string {
	if x.Diff == nil || x.Diff.Tokens == nil {
		return ""
	}
	t := x.Diff.Tokens
	if t.From != t.To {
		return fmt.Sprintf("%s → %s (%s)", count(t.From, t.Exact), tokens(t.To, t.Exact), estimate(fmt.Sprintf("%+d", t.To-t.From), t.Exact))
	}
	return tokens(t.To, t.Exact)
}

// comment is a text of bounded length. What doesn't fit is counted.
type comment struct {
	b       strings.Builder
	left    int
	reserve int // characters that closing what is open takes
	dropped int
}

// room is kept for the words on what was left out.
const room = 200

func (m *comment) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n := len([]rune(text))
	if m.dropped > 0 || n > m.left-m.reserve-room {
		m.dropped++
		return
	}
	m.left -= n
	m.b.WriteString(text)
}

// fold writes something between two words, both of which are there or neither.
func (m *comment) fold(open, end string, inside func()) {
	before := m.dropped
	m.say("%s", open)
	if m.dropped > before {
		m.dropped-- // what is inside counts
		inside()
		return
	}
	m.reserve += len([]rune(end))
	inside()
	m.reserve -= len([]rune(end))
	m.left -= len([]rune(end))
	m.b.WriteString(end)
}

func (m *comment) text() string {
	if m.dropped > 0 {
		fmt.Fprintf(&m.b, "\n**%d parts are left out: a comment has room for %d characters.** `cento diff` tells all.\n", m.dropped, maxMarkdown)
	}
	return m.b.String()
}

// body tells of one prompt.
func (m *comment) body(d *app.Differing) {
	for i, x := range d.Verdicts {
		_, now := d.In(x.ID)
		word := "is out"
		if now {
			word = "is in"
		}
		m.say("- %s %s: was %s, is %s (%s)\n", code(x.ID), word, code(*x.From), code(*x.To), code(string(d.Flips[i].Gate)))
		m.quote(d.Text(x.ID), now)
	}
	for _, x := range d.Removed {
		m.say("- %s is no longer there; was %s\n", code(x.ID), code(*x.From))
		if *x.Included {
			m.quote(x.Text, false)
		}
	}
	for _, x := range d.Added {
		m.say("- %s is new: %s\n", code(x.ID), code(*x.To))
		if *x.Included {
			m.quote(x.Text, true)
		}
	}
	for _, x := range d.Changed {
		m.say("- %s is reworded\n", code(x.ID))
		m.words(*x.From, *x.To)
	}
	for _, x := range d.Moved {
		m.say("- %s is moved: was %s, is %s\n", code(x.ID), code(*x.From), code(*x.To))
	}
	for _, x := range d.Gates {
		m.say("- %s: %s was %s, is %s\n", code(x.ID), code(x.Field), code(orNothing(x.From)), code(orNothing(x.To)))
	}
	if p := d.Parting; p != nil {
		m.say("\nThe same up to byte %d: %s before it, %s from there on.", p.Offset, tokens(p.Shared, p.Exact), count(p.Behind, p.Exact))
		if p.Cost != nil {
			m.say(" With the left one in the prompt cache $%.6f, unchanged $%.6f.", *p.Cost, *p.Unchanged)
		}
		m.say("\n\n")
	}
}

// quote shows a text that came or went.
func (m *comment) quote(text string, came bool) {
	sign := "- "
	if came {
		sign = "+ "
	}
	m.block(sign + strings.ReplaceAll(text, "\n", "\n"+sign))
}

// words shows how a text changed.
func (m *comment) words(from, to string) {
	var b strings.Builder
	for i, line := range textdiff.WordLines(from, to) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("  ")
		if line.Gap {
			b.WriteString("…")
		}
		for _, w := range line.Words {
			switch w.Op {
			case '-':
				b.WriteString("[-" + w.Text + "-]")
			case '+':
				b.WriteString("{+" + w.Text + "+}")
			default:
				b.WriteString(w.Text)
			}
		}
	}
	m.block(b.String())
}

// block is a text between fences that nothing in it closes.
func (m *comment) block(text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	text = "  " + fence + "diff\n  " + strings.ReplaceAll(shownText(text), "\n", "\n  ") + "\n  " + fence + "\n\n"
	m.say("%s", text)
}

// code is a name or a reason as a stretch of code, on one line, which nothing in it
// closes.
func code(s string) string {
	s = strings.Join(strings.Fields(terminal.Line(s)), " ")
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.HasPrefix(s, "`") {
		return fence + " " + s + " " + fence
	}
	if s == "" {
		return "` `"
	}
	return fence + s + fence
}

// cellCode is a target in a table or a summary, where Markdown isn't read for certain.
func cellCode(target string) string {
	if target == "" {
		return "(no target)"
	}
	return "<code>" + strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "\n", " ").Replace(terminal.Line(target)) + "</code>"
}

// shownText is a text with its lines and tabs, in which nothing hides.
func shownText(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		parts := strings.Split(l, "\t")
		for k, p := range parts {
			parts[k] = terminal.Line(p)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}
