package provenance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
)

// standing finds a text as [matches] does, and then where the prompt, or a fragment that
// is out of it, had it before hidden characters, control tokens and imitations were made
// visible: the words that an author looks for are his own.
func standing(prompt *cento.Prompt, left []leftText, text needle.Needle) (out []Match, more int) {
	out, more = matches(prompt, left, text)
	add := func(o *originals, places func(start, end int) []Match) {
		found, _ := text.Touching(o.text, o.touched, math.MaxInt)
		for _, at := range found {
			start, end := o.stands(at[0]), o.stands(at[1])
			switch {
			case text.StandsIn(o.now[start:end]): // told already
			case len(out) >= maxMatches:
				more++
			case start == end:
				out = append(out, o.removed(prompt, at[0], at[1]))
			default:
				for _, m := range places(start, end) {
					i, _ := prompt.Index(m.Fragment)
					m.Reason += o.changes(i, at[0], at[1])
					out = append(out, m)
				}
			}
		}
	}
	if o := originalOf(prompt); len(o.pieces) > 0 {
		from := promptPlaces(prompt)
		add(o, from.matches)
	}
	for i := range prompt.Len() {
		before, ok := prompt.Original(i)
		if !ok || prompt.In(i) {
			continue
		}
		o := &originals{now: prompt.Text(i)}
		o.add(i, 0, before, notesOf(prompt, i))
		o.finish()
		from := textPlaces(prompt, i)
		add(o, func(start, end int) []Match { return []Match{from.match(i, start, end)} })
	}
	return out, more
}

// originals is a text with what was changed in it as it was before.
type originals struct {
	text, now string
	pieces    []original
	touched   [][2]int // the stretches of text that were changed, in order and apart
	build     strings.Builder
	copied    int // bytes of now that are in build, or that something else is there for
}

// original is the body of a fragment in that text.
type original struct {
	fragment   int
	start, end int // in the text
	at         int // the fragment's text in what stands now
	before     *cento.Original
	changes    []change
	untold     bool // there are more changes, that aren't told one by one
}

// change is one in the text, with the note on it.
type change struct {
	start, end int
	note       *cento.TextNote
}

// originalOf is the prompt as it was before.
func originalOf(prompt *cento.Prompt) *originals {
	system, _ := prompt.System()
	o := &originals{now: system}
	type changed struct{ fragment, at int }
	var all []changed
	for i := range prompt.Len() {
		if _, ok := prompt.Original(i); !ok {
			continue
		}
		if at, _, in := prompt.Extent(i); in {
			all = append(all, changed{i, at})
		}
	}
	slices.SortFunc(all, func(a, b changed) int { return cmp.Compare(a.at, b.at) })
	for _, c := range all {
		before, _ := prompt.Original(c.fragment)
		o.add(c.fragment, c.at, before, notesOf(prompt, c.fragment))
	}
	o.finish()
	return o
}

func notesOf(prompt *cento.Prompt, i int) []cento.TextNote {
	return prompt.Trace(i, cento.ExplainOptions{}).Notes
}

// add puts the original of a fragment there whose text begins at a byte of what stands now.
func (o *originals) add(fragment, at int, before *cento.Original, notes []cento.TextNote) {
	from, to := at+before.Stands(0), at+before.Stands(len(before.Text))
	o.build.WriteString(o.now[o.copied:from])
	p := original{fragment: fragment, start: o.build.Len(), at: at, before: before}
	o.build.WriteString(before.Text)
	p.end, o.copied = o.build.Len(), to
	for k := range notes {
		n := &notes[k]
		if k > 0 && n.Position == nil && n.Start == 0 && n.End == len(before.Text) { // it counts the others
			o.touched = append(o.touched, [2]int{p.start, p.end})
			p.untold = true
			continue
		}
		c := change{p.start + n.Start, p.start + n.End, n}
		switch n.Code {
		case cento.CodeForged: // the mark before the line is all
			c.end = c.start
		case cento.CodeControlToken: // its first character is written otherwise
			c.end = c.start + 1
		}
		if c.start < c.end && o.now[at+before.Stands(n.Start):at+before.Stands(n.End)] == before.Text[n.Start:n.End] {
			continue // kept in trusted text
		}
		p.changes = append(p.changes, c)
		o.touched = append(o.touched, [2]int{c.start, c.end})
	}
	o.pieces = append(o.pieces, p)
}

// finish ends the text.
func (o *originals) finish() {
	o.build.WriteString(o.now[o.copied:])
	o.text = o.build.String()
	slices.SortFunc(o.touched, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	apart := o.touched[:0]
	for _, t := range o.touched {
		if n := len(apart) - 1; n >= 0 && t[0] <= apart[n][1] {
			apart[n][1] = max(apart[n][1], t[1])
			continue
		}
		apart = append(apart, t)
	}
	o.touched = apart
}

// stands is where a byte of the text stands now.
func (o *originals) stands(offset int) int {
	i, in := slices.BinarySearchFunc(o.pieces, offset, func(p original, k int) int { return cmp.Compare(p.start, k) })
	if !in {
		i--
	}
	if i < 0 {
		return offset
	}
	p := &o.pieces[i]
	k := min(offset, p.end)
	return p.at + p.before.Stands(k-p.start) + offset - k
}

// maxChanges is how many changes of a place are told one by one.
const maxChanges = 3

// changes says what was changed of a fragment between two bytes of the text; empty for
// nothing.
func (o *originals) changes(fragment, start, end int) string {
	var told []string
	more, untold := 0, false
	for i := range o.pieces {
		p := &o.pieces[i]
		if p.fragment != fragment {
			continue
		}
		untold = p.untold && p.start < end && p.end > start
		for _, c := range p.changes {
			if c.start >= end || c.end <= start {
				continue
			}
			what := fmt.Sprintf("%s (%s)", c.note.Message, c.note.Code)
			switch {
			case slices.Contains(told, what):
			case len(told) < maxChanges:
				told = append(told, what)
			default:
				more++
			}
		}
	}
	switch {
	case told != nil:
	case untold:
		told = append(told, "one of the many findings in this text that aren't told one by one")
	default:
		return ""
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return "; changed there: " + strings.Join(told, "; ")
}

// removed is the match of a text of which nothing is left.
func (o *originals) removed(prompt *cento.Prompt, start, end int) Match {
	i, in := slices.BinarySearchFunc(o.pieces, start, func(p original, k int) int { return cmp.Compare(p.start, k) })
	if !in {
		i--
	}
	p := &o.pieces[i]
	f := prompt.Fragment(p.fragment)
	m := fragmentMatch(prompt, p.fragment, cento.Span{Trust: f.Trust})
	if prompt.In(p.fragment) {
		m.Reason, m.Code = "taken out of a text that is in the prompt", cento.CodeInvisible
	}
	for _, c := range p.changes {
		if c.start < end && c.end > start && c.note.Position != nil {
			m.Origin = c.note.Position
			break
		}
	}
	file := ""
	if m.Origin != nil {
		file = m.Origin.File
	}
	m.MadeBy = cento.MakerOf(m.Source, file, f.Trust)
	m.Text = o.text[start:end]
	m.Reason += o.changes(p.fragment, start, end)
	return m
}
