package cento

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/markdown"
	"github.com/cento-dev/cento/internal/unitab"
)

// The author of a template decides which lines a trusted text has. Where the
// author's words stand before a stranger's value in a line, no byte of the value
// begins another line: a name would go on as a heading with advice of its own. A
// value that has a line to itself may have many, and the line end that a value
// ends with is harmless: the author's words follow it.

// lineBreaks finds the line ends within values that stand behind words of their
// line. It moves forward, run by run.
type lineBreaks struct {
	in     string
	runs   []Run // those that are left
	policy Policy
	at     int // where to look on in the first of them

	words  bool // something stands in the author's line
	value  bool // a stranger's value is being read
	within bool // it stands behind words

	start, end int // the line end at hand; start is -1 for none
}

// breaksIn looks for the first. In a stranger's text there is no line of an author
// to be kept.
func breaksIn(in string, runs []Run, author Trust, policy Policy) lineBreaks {
	b := lineBreaks{in: in, runs: runs, policy: policy, start: -1}
	if !author.Untrusted() {
		b.advance()
	}
	return b
}

// advance finds the next line end behind which the value goes on.
func (b *lineBreaks) advance() {
	b.start = -1
	last := [2]int{-1, -1} // the line end that a run of the value ends with
	for ; len(b.runs) > 0; b.runs, b.at = b.runs[1:], 0 {
		r := &b.runs[0]
		switch {
		case r.Start == r.End:
		case !r.Trust.Untrusted():
			b.trusted(r)
			last[0] = -1
		default:
			if !b.value {
				b.within = b.words
			}
			if b.value || !showsNothing(b.in[r.Start:r.End], b.policy.of(r.Trust)) { // of the others nothing may be left
				b.value, b.words = true, true
			}
			if !b.within {
				continue
			}
			if last[0] >= 0 {
				b.found(last[0], last[1])
				return
			}
			for k := max(r.Start, b.at); k < r.End; {
				n := lineEndIn(b.in[:r.End], k)
				if n == 0 {
					k++
					continue
				}
				if b.at = k + n; b.at < r.End {
					b.found(k, b.at)
					return
				}
				last = [2]int{k, b.at}
				break
			}
		}
	}
}

// found is a line end that will be shown, so that the value shows something.
func (b *lineBreaks) found(start, end int) {
	b.start, b.end = start, end
	b.value, b.words = true, true
}

// trusted reads what isn't a stranger's. A value ends where the author wrote
// something out, or where a line ends: a file that is included may hold a trusted
// value, and goes on behind it.
func (b *lineBreaks) trusted(r *Run) {
	if r.Var == "" && !r.Fixed {
		b.value = false
	}
	line := b.in[r.Start:r.End]
	if k := strings.LastIndexFunc(line, endsLine); k >= 0 {
		_, n := utf8.DecodeRuneInString(line[k:])
		line, b.words, b.value = line[k+n:], false, false
	}
	b.words = b.words || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsSpace(r) })
}

// showsNothing reports whether a text is nothing but white space and, where those
// are taken out, hidden characters.
func showsNothing(s string, policy HiddenPolicy) bool {
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		hidden := isControl(s, k)
		if r >= utf8.RuneSelf {
			start, _, _, _, ok := unitab.NextHidden(s[k:], 0)
			hidden = ok && start == 0
		}
		if hidden && policy != StripHidden || !hidden && !unicode.IsSpace(r) {
			return false
		}
		k += n
	}
	return true
}

// lineEndIn is [lineEnd] with CR LF as one.
func lineEndIn(s string, k int) int {
	if strings.HasPrefix(s[k:], "\r\n") {
		return 2
	}
	return lineEnd(s, k)
}

// endsLine reports whether a character is a line end; see [lineEnd].
func endsLine(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// breakLine writes a line end within a line as hidden characters are shown, and
// returns the next place.
func (s *scan) breakLine() int {
	start, end := s.breaks.start, s.breaks.end
	s.breaks.advance()
	if start == s.control {
		s.control = nextControl(s.in, end)
	}
	if start == s.unseen {
		s.unseen = s.nextUnseen(end)
	}
	at := s.found.position(s.in, s.runs, start)
	n := TextNote{Code: CodeLineEnd, Start: start, End: end}
	if len(s.notes) < maxNotes { // the others are only counted
		n.Position = known(at)
		n.Message = fmt.Sprintf("shown: a line end within a line, behind %q", clip(strings.TrimSpace(lastLine(strings.TrimRightFunc(s.in[:start], endsLine)))))
	}
	s.copyTo(start)
	for _, r := range s.in[start:end] {
		s.insert(fmt.Sprintf("<U+%04X>", r))
	}
	s.skip(end)
	s.note(n)
	return s.nextHidden()
}

// lastLine is what stands behind the last line end, or a part of it that is long
// enough to be shown.
func lastLine(s string) string {
	const most = 512
	if k := len(s) - most; k > 0 {
		for k < len(s) && !utf8.RuneStart(s[k]) {
			k++
		}
		s = s[k:]
	}
	if k := strings.LastIndexFunc(s, endsLine); k >= 0 {
		_, n := utf8.DecodeRuneInString(s[k:])
		s = s[k+n:]
	}
	return s
}

// Whatever a text leaves open would take in what follows where it is read as
// Markdown: it would be code, a comment, hidden. So what somebody below the host
// opens ends where his text does, within a fragment as well: one file of a project
// takes in nothing of another, and a value nothing of the words behind it.

// closed is the finished text with that closed, each closer in a run of its own.
func (s *scan) closed(text string, runs []Run) (string, []Run) {
	stretches := stretchesOf(runs)
	if len(stretches) == 0 {
		return text, runs
	}
	closings := markdown.Close(text, stretches)
	if len(closings) == 0 {
		return text, runs
	}
	s.changed = true
	var b strings.Builder
	out := make([]Run, 0, len(runs)+2*len(closings))
	c := splice{text: text, runs: runs}
	for _, closing := range closings {
		out = c.copyTo(out, closing.At, &b)
		opened := s.noteClosing(text, runs, closing)
		from := b.Len()
		b.WriteString(closing.Text)
		opened.Start, opened.End, opened.Var, opened.Fixed = from, b.Len(), "", true
		out = append(out, opened)
	}
	out = c.copyTo(out, len(text), &b)
	return b.String(), out
}

// stretchesOf are the parts of a text that are of one source each, of those below
// the host: of a file, or of a value that stood in none. Where a trusted author's
// words follow, a stranger's source ends.
func stretchesOf(runs []Run) []markdown.Stretch {
	type origin struct {
		trust Trust
		name  string
	}
	var out []markdown.Stretch
	sources, of := 0, map[origin]int{}
	for i := range runs {
		r := &runs[i]
		if r.Start == r.End {
			continue
		}
		if !r.Trust.Untrusted() && r.Var == "" && !r.Fixed {
			maps.DeleteFunc(of, func(o origin, _ int) bool { return o.trust.Untrusted() })
		}
		if !r.Trust.belowHost() {
			continue
		}
		o := origin{r.Trust, cmp.Or(r.Position.File, r.Var)}
		source, there := of[o]
		if !there {
			source = sources
			of[o] = source
			sources++
		}
		if n := len(out) - 1; n >= 0 && out[n].Source == source && out[n].End == r.Start {
			out[n].End = r.End
		} else {
			out = append(out, markdown.Stretch{Start: r.Start, End: r.End, Source: source})
		}
	}
	return out
}

// noteClosing tells what is closed, and returns a run with the origin of what opened
// the innermost.
func (s *scan) noteClosing(text string, runs []Run, c markdown.Closing) Run {
	where := "at the end of the text"
	if c.At < len(text) {
		where = "where its text ends"
	}
	at := s.input(c.At)
	for _, o := range c.Openings {
		n := TextNote{Code: CodeUnclosed, Start: at, End: at}
		if len(s.notes) < maxNotes { // the others are only counted
			n.Position = known(positionIn(text, runs, o.Offset))
			n.Message = fmt.Sprintf("closed %s: the %s that %q opens", where, o.What, clip(firstLine(text[o.Offset:])))
		}
		s.note(n)
	}
	first := c.Openings[0].Offset
	i := slices.IndexFunc(runs, func(r Run) bool { return first < r.End })
	return Run{Position: positionIn(text, runs, first), Trust: runs[i].Trust}
}

// splice copies a text with its runs, piece by piece.
type splice struct {
	text string
	runs []Run
	at   int
	run  int
	pos  cursor
}

func (c *splice) copyTo(out []Run, to int, b *strings.Builder) []Run {
	for c.at < to {
		r := c.runs[c.run]
		end := min(r.End, to)
		if c.at > r.Start && !r.Fixed {
			r.Position = c.pos.position(c.text, c.runs, c.at)
		}
		r.Start = b.Len()
		b.WriteString(c.text[c.at:end])
		r.End = b.Len()
		if r.Start < r.End {
			out = append(out, r)
		}
		if c.at = end; end == c.runs[c.run].End {
			c.run++
		}
	}
	return out
}
