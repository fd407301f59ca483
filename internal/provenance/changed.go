package provenance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/unitab"
)

// standing finds a text as [matches] does, and then where the prompt, or a fragment that
// is out of it, had it before hidden characters, control tokens and imitations were made
// visible: the words that an author looks for are his own.
func standing(prompt *cento.Prompt, left []leftText, text needle.Needle) (out []Match, more int) {
	out, more = matches(prompt, left, text)
	add := func(o *originals, places func(start, end int) []Match) {
		found, _ := text.Touching(o.text, o.touched, math.MaxInt)
		for _, at := range found {
			start, end := o.stands(at[0], at[1])
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
		o.tellQuoted(out)
		from := promptPlaces(prompt)
		add(o, from.matches)
	}
	for i := range prompt.Len() {
		w := prompt.Withheld(i)
		if prompt.In(i) && w == nil {
			continue
		}
		o, from := &originals{now: prompt.Text(i)}, textPlaces(prompt, i)
		match := func(start, end int) []Match { return []Match{from.match(i, start, end)} }
		before, notes := (*cento.Original)(nil), notesOf(prompt, i)
		if w != nil {
			o.now, from, before, notes = w.Text, withheldPlaces(prompt, w), w.Original, w.Notes
			match = func(start, end int) []Match { return []Match{from.withheld(i, w, start, end)} }
		} else {
			for _, s := range prompt.TextSpans(i) {
				if s.Kind == cento.HeadingSpan {
					o.heading(prompt, i, s, titleField)
				}
			}
			before, _ = prompt.Original(i)
		}
		if before != nil {
			o.add(i, 0, before, notes)
		}
		if len(o.pieces) == 0 {
			continue
		}
		o.finish()
		if w != nil {
			o.touched = slices.DeleteFunc(o.touched, func(t [2]int) bool {
				start, end := o.stands(t[0], t[1])
				return !slices.ContainsFunc(w.Removed, func(part cento.RemovedPart) bool { return start < part.End && end >= part.Start })
			})
		}
		add(o, match)
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

// original is the body of a fragment in that text, or a heading.
type original struct {
	fragment   int
	start, end int                  // in the text
	stands     func(offset int) int // where a byte of it stands in what stands now
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
	last := -1
	for s := range prompt.AllSpans() {
		i, _ := prompt.Index(s.Fragment)
		at, _, _ := prompt.Extent(i)
		switch {
		case s.Kind == cento.HeadingSpan && s.Start < at:
			o.heading(prompt, i, s, sectionField)
		case s.Kind == cento.HeadingSpan:
			o.heading(prompt, i, s, titleField)
		case s.Kind == cento.BodySpan && i != last:
			last = i
			if before, ok := prompt.Original(i); ok {
				o.add(i, at, before, notesOf(prompt, i))
			}
		}
	}
	o.finish()
	return o
}

// The fields whose words a heading has, as [cento.TextNote.Heading] names them.
const (
	titleField   = "title"
	sectionField = "section"
)

// heading puts the words of a heading there, as they were written, if the guard changed them.
func (o *originals) heading(prompt *cento.Prompt, i int, s cento.Span, field string) {
	f := prompt.Fragment(i)
	words, marks := f.Title, "### "
	if field == sectionField {
		words = f.Section
	}
	if field == sectionField || f.TitleForm == cento.HostHeading {
		marks = "## "
	}
	now, before := strings.TrimSpace(o.now[s.Start:s.End]), marks+strings.Join(strings.Fields(words), " ")
	if now == before {
		return
	}
	at, changed, ok := aligned(before, now)
	if !ok {
		return
	}
	p := o.begin(i, s.Start, s.Start+len(now), before)
	p.stands = func(offset int) int { return s.Start + at[offset] }
	notes := slices.DeleteFunc(slices.Clone(notesOf(prompt, i)), func(n cento.TextNote) bool { return n.Heading() != field })
	for _, c := range changed {
		c[0], c[1] = c[0]+p.start, c[1]+p.start
		o.touched = append(o.touched, c)
		for k := range notes { // which of them it is isn't kept
			p.changes = append(p.changes, change{c[0], c[1], &notes[k]})
		}
	}
	o.pieces = append(o.pieces, p)
}

// aligned is where each byte of a heading stands in what the guard made of it, and what of
// it was changed: characters were spelled or taken out, and a mark may stand before it. What
// stands for something belongs to its first byte.
func aligned(before, now string) (at []int, changed [][2]int, ok bool) {
	at = make([]int, len(before)+1)
	k := 0
	if strings.HasPrefix(now, quoteMark) {
		k, changed = len(quoteMark), append(changed, [2]int{})
	}
	for i, r := range before {
		end := i + utf8.RuneLen(r)
		char, spelled := before[i:end], unitab.Spelled(r)
		for b := i; b < end && b > 0; b++ {
			at[b] = k
		}
		switch rest := now[k:]; {
		case strings.HasPrefix(rest, spelled) && !strings.HasPrefix(before[i:], spelled):
			k, changed = k+len(spelled), append(changed, [2]int{i, end})
		case strings.HasPrefix(rest, char):
			k += len(char)
		default:
			changed = append(changed, [2]int{i, end})
		}
	}
	at[len(before)] = k
	return at, changed, k == len(now)
}

// begin begins a piece that was so before what stands now between two bytes.
func (o *originals) begin(fragment, from, to int, before string) original {
	o.build.WriteString(o.now[o.copied:from])
	p := original{fragment: fragment, start: o.build.Len()}
	o.build.WriteString(before)
	p.end, o.copied = o.build.Len(), to
	return p
}

// tellQuoted says of places in what stands now, in their order, which of their lines the
// program quoted, with a mark that the words of the author don't have.
func (o *originals) tellQuoted(list []Match) {
	if n := slices.IndexFunc(list, func(m Match) bool { return m.Start == nil }); n >= 0 {
		list = list[:n] // the others aren't in it
	}
	told := make([]telling, len(list))
	for i := range o.pieces {
		p := &o.pieces[i]
		for _, c := range p.changes {
			if c.note.Code != cento.CodeForged {
				continue
			}
			from, to := p.stands(c.note.Start), p.stands(c.note.End)
			if c.note.Heading() != "" {
				to = p.stands(p.end - p.start)
			}
			k, _ := slices.BinarySearchFunc(list, from, func(m Match, from int) int { return cmp.Compare(*m.End, from+1) })
			for ; k < len(list) && *list[k].Start < to; k++ {
				told[k].add(c.note)
			}
		}
	}
	for k := range told {
		list[k].Reason += told[k].String()
	}
}

func notesOf(prompt *cento.Prompt, i int) []cento.TextNote {
	return prompt.Trace(i, cento.ExplainOptions{}).Notes
}

// add puts the original of a fragment there whose text begins at a byte of what stands now.
func (o *originals) add(fragment, at int, before *cento.Original, notes []cento.TextNote) {
	stands := func(offset int) int { return at + before.Stands(offset) }
	p := o.begin(fragment, stands(0), stands(len(before.Text)), before.Text)
	p.stands = stands
	notes = slices.DeleteFunc(slices.Clone(notes), func(n cento.TextNote) bool { return n.Heading() != "" })
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
		if c.start < c.end && o.now[stands(n.Start):stands(n.End)] == before.Text[n.Start:n.End] {
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

// stands is where a stretch of the text stands now. The mark before a line that was quoted
// is the program's, and no beginning of the author's words.
func (o *originals) stands(start, end int) (from, to int) {
	from, to = o.byte(start), o.byte(end)
	if strings.HasPrefix(o.now[from:to], quoteMark) && !strings.HasPrefix(o.text[start:], quoteMark) {
		from += len(quoteMark)
	}
	return from, to
}

// quoteMark is what is put before a line that imitates a protected one.
const quoteMark = "> "

// byte is where a byte of the text stands now.
func (o *originals) byte(offset int) int {
	i, in := slices.BinarySearchFunc(o.pieces, offset, func(p original, k int) int { return cmp.Compare(p.start, k) })
	if !in {
		i--
	}
	if i < 0 {
		return offset
	}
	p := &o.pieces[i]
	k := min(offset, p.end)
	return p.stands(k-p.start) + offset - k
}

// maxChanges is how many changes of a place are told one by one.
const maxChanges = 3

// telling is what is told of the changes of a place.
type telling struct {
	list []string
	more int
}

func (t *telling) add(n *cento.TextNote) {
	what := fmt.Sprintf("%s (%s)", n.Message, n.Code)
	switch {
	case slices.Contains(t.list, what):
	case len(t.list) < maxChanges:
		t.list = append(t.list, what)
	default:
		t.more++
	}
}

// String is the end of a reason; empty for nothing.
func (t *telling) String() string {
	if t.list == nil {
		return ""
	}
	out := "; changed there: " + strings.Join(t.list, "; ")
	if t.more > 0 {
		out += fmt.Sprintf("; and %d more", t.more)
	}
	return out
}

// changes says what was changed of a fragment between two bytes of the text; empty for
// nothing.
func (o *originals) changes(fragment, start, end int) string {
	var told telling
	untold := false
	for i := range o.pieces {
		p := &o.pieces[i]
		if p.fragment != fragment {
			continue
		}
		untold = untold || p.untold && p.start < end && p.end > start
		for _, c := range p.changes {
			if c.start < end && c.end > start {
				told.add(c.note)
			}
		}
	}
	if told.list == nil && untold {
		told.list = []string{"one of the many findings in this text that aren't told one by one"}
	}
	return told.String()
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
