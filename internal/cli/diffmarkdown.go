package cli

import (
	"fmt"
	"sort"
	"strings"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/textdiff"
)

// maxMarkdown is the number of characters in the longest comment. GitHub's limit is 65,536.
const maxMarkdown = 60_000

// diffMarkdown is a comparison as a comment of a pull request. The command prints all of
// it.
func diffMarkdown(d *app.Differing, command string) string {
	return fitting(command, func(m *comment) {
		m.say("### Prompt: %s → %s\n\n", code(d.Left.String()), code(d.Right.String()))
		if d.Empty() {
			m.say("No difference.\n")
			return
		}
		x := app.TargetDiffering{Diff: d}
		m.say("%s; %s.\n\n", tally(&x), tokenTally(&x))
		m.body(d)
	})
}

// allMarkdown is the same for all targets: one table, then each that differs, folded.
func allMarkdown(d *app.AllDiffering, command string) string {
	return fitting(command, func(m *comment) {
		m.say("### Prompts: %s → %s\n\n", code(d.Left.String()), code(d.Right.String()))
		if d.Empty() {
			if len(d.Targets) == 1 {
				m.say("No difference in the one prompt.\n")
			} else {
				m.say("No difference in any of %d prompts.\n", len(d.Targets))
			}
			return
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
	})
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
	dropped int // parts that don't fit

	// context: unchanged lines are shown around changed ones.
	context bool
	// most is how many changed lines of a fragment are shown, cut how many aren't.
	most, cut int
	// compared are the lines of texts that an earlier attempt compared.
	compared map[[2]string][]textdiff.Line
}

func (m *comment) lines(from, to string) []textdiff.Line {
	texts := [2]string{from, to}
	if _, known := m.compared[texts]; !known {
		m.compared[texts] = textdiff.Lines(from, to)
	}
	return m.compared[texts]
}

// fitting is the most complete comment that fits: with all changed lines and context, with
// all changed lines alone, or with as many changed lines of each fragment as fit.
func fitting(command string, write func(*comment)) string {
	compared := map[[2]string][]textdiff.Line{}
	attempt := func(most int, context bool) *comment {
		m := &comment{left: maxMarkdown, most: most, context: context, compared: compared}
		write(m)
		return m
	}
	m := attempt(maxMarkdown, true)
	if m.dropped > 0 {
		m = attempt(maxMarkdown, false)
	}
	if m.dropped > 0 {
		first := sort.Search(maxMarkdown, func(most int) bool { return attempt(most, false).dropped > 0 })
		m = attempt(max(first-1, 0), false)
	}
	if m.dropped+m.cut == 0 {
		return m.b.String()
	}
	var missing []string
	if m.cut > 0 {
		missing = append(missing, plural(m.cut, "changed line"))
	}
	if m.dropped > 0 {
		missing = append(missing, plural(m.dropped, "part"))
	}
	fmt.Fprintf(&m.b, "\n**This comment has room for %d characters and leaves out %s.** To see everything, run %s.\n", maxMarkdown, strings.Join(missing, " and "), code(command))
	return m.b.String()
}

// room is kept for the words on what was left out.
const room = 1000

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
		m.block(m.lines(*x.From, *x.To))
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

// quote shows a text that was added or removed.
func (m *comment) quote(text string, added bool) {
	op := byte('-')
	if added {
		op = '+'
	}
	var lines []textdiff.Line
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, textdiff.Line{Op: op, Text: l})
	}
	m.block(lines)
}

// block shows lines between fences that nothing in them closes. Each line starts with the
// character by which code hosts colour it.
func (m *comment) block(lines []textdiff.Line) {
	var b strings.Builder
	fence, shown, cut, gap := "```", 0, 0, false
	for _, l := range lines {
		switch {
		case l.Op != ' ' && shown == m.most:
			cut++
			continue
		case l.Op != ' ':
			shown++
			gap = false
		case shown == m.most || gap && !m.context:
			continue
		case !m.context:
			l.Text, gap = textdiff.Gap, true
		}
		for strings.Contains(l.Text, fence) {
			fence += "`"
		}
		fmt.Fprintf(&b, "  %c %s\n", l.Op, shownText(l.Text))
	}
	if cut > 0 {
		fmt.Fprintf(&b, "    %s and %s more\n", textdiff.Gap, plural(cut, "changed line"))
		m.cut += cut
	}
	m.say("  %sdiff\n%s  %s\n\n", fence, b.String(), fence)
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
