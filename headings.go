package cento

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/imitation"
	"github.com/cento-dev/cento/internal/unitab"
)

// The headings of the protected sections in the built-in wording. They are
// protected also where no such section is present: a stranger may not bring one.
const (
	boundariesHeading   = "Working boundaries"
	instructionsHeading = "Project instructions (AGENTS.md)"
)

var builtinHeadings = imitation.Headings{
	imitation.Skeleton(nil, boundariesHeading),
	imitation.Skeleton(nil, instructionsHeading),
}

// protectedHeadings are those of the built-in wording and of the protected tail
// as it is worded in this assembly; inUse are the latter, of the sections that
// have a text.
func protectedHeadings(fragments []Fragment) (all, inUse imitation.Headings) {
	all = builtinHeadings
	for i := range fragments {
		f := &fragments[i]
		start, end := ownHeading(f, f.Body)
		s := imitation.Skeleton(nil, f.Body[start:end])
		if len(s) == 0 {
			continue
		}
		if !all.Has(s) {
			all = append(slices.Clip(all), s)
		}
		if f.Excluded == nil {
			inUse = append(inUse, s)
		}
	}
	return all, inUse
}

// ownHeading is the place of the heading of a protected section in its body:
// the first line that begins with `#` and is wording, not data. It is empty
// when there is none.
func ownHeading(f *Fragment, body string) (start, end int) {
	if !f.Tail {
		return 0, 0
	}
	for line := range imitation.Lines(body) {
		if strings.HasPrefix(body[line.Start:], "#") {
			for _, r := range f.Runs {
				if r.Var != "" && r.Start < line.End && line.Start < r.End {
					return 0, 0
				}
			}
			return line.Start, line.End
		}
	}
	return 0, 0
}

// titleLine is the heading of a fragment's own, with the white space after it,
// and what was found in it.
func (g *guard) titleLine(f *Fragment) (string, []TextNote) {
	title := foldSpace(f.Title)
	if title == "" {
		return "", nil
	}
	marks, space := "### ", "\n\n"
	if f.TitleForm == HostHeading {
		marks, space = "## ", "\n"
	}
	line, notes := g.headingLine(f, f.own(), marks, title, "title")
	if line == "" {
		return "", notes
	}
	return line + space, notes
}

// headingLine is a heading made of a fragment's words, checked as any other
// line of it, and what was found in it. It is empty when nothing of the words
// is left. from is where the words are from, and what names the field that they
// stand in.
func (g *guard) headingLine(f *Fragment, from Attribution, marks, words, what string) (string, []TextNote) {
	if g.plainHeading(words, from.Trust) {
		return marks + words, nil
	}
	if k := invalidUTF8(words); k >= 0 {
		g.fail(InvalidUTF8, from.Position, "the %s of fragment %q isn't valid UTF-8: byte 0x%02x", what, f.ID, words[k])
		return "", nil
	}
	line := marks + words
	s := scan{g: g, f: f, in: line, runs: []Run{{End: len(line), Position: from.Position, Trust: from.Trust, Fixed: true}}, own: [2]int{-1, -1}}
	s.body()
	notes := s.findings()
	for i := range notes {
		notes[i].Message += ", in the " + what
		notes[i].Start, notes[i].End = 0, 0
	}
	if s.changed {
		if line = foldSpace(s.text.String()); line+" " == marks {
			line = ""
		}
	}
	return line, notes
}

// plainHeading reports whether there is nothing to find in the words of a
// heading.
func (g *guard) plainHeading(words string, t Trust) bool {
	return unitab.PlainLine(words) && !g.suspiciousPlain(words, t)
}

// inSection gives a fragment the number of its section. The words of a heading
// are checked for each fragment that brings them, and what a stranger's become
// stands for all: the heading may be in the prompt for the stranger's sake alone.
func (c *compiler) inSection(i, pos int, f *Fragment) {
	key := sectionKey{foldSpace(f.Section), f.SectionIndex, f.Bucket}
	if key.title == "" {
		return
	}
	if c.section == nil {
		c.section = make([]int32, len(c.frags))
		c.sections = map[sectionKey]int32{}
		c.headings = []string{""}
	}
	id, known := c.sections[key]
	if f.SectionForm != RunHeading {
		if c.forms == nil {
			c.forms = make([]SectionForm, len(c.frags))
		}
		c.forms[pos] = f.SectionForm
	}
	from := f.heading()
	if known && c.guard.plainHeading(key.title, from.Trust) {
		c.section[pos] = id
		return
	}
	line, notes := c.guard.headingLine(f, from, "## ", key.title, "section")
	c.note(i, notes)
	switch {
	case line == "":
		return // nothing is left of the words
	case !known:
		id = int32(len(c.headings))
		c.sections[key] = id
		c.headings = append(c.headings, line)
	case from.Trust.Untrusted():
		c.headings[id] = line
	}
	c.section[pos] = id
}

// note keeps findings in the words of a section beside those in the text.
func (c *compiler) note(i int, notes []TextNote) {
	if len(notes) == 0 {
		return
	}
	if c.details == nil {
		c.details = make(map[int32]*detail)
	}
	d := c.details[int32(i)]
	if d == nil {
		d = new(detail)
		c.details[int32(i)] = d
	}
	d.notes = append(notes, d.notes...)
}

// above is what stands over a text of the prompt.
type above struct {
	section int32 // that of the run; 0: none
	printed bool  // the run has its heading
	any     bool  // there is a heading before
	// own: a text of the run has a heading of its own, behind that; source is who
	// contributed it.
	own    bool
	source string
	// fallback is the section of the last heading before, where that is a fallback's
	// and no other heading stands behind it but those that own tells of; 0: none.
	fallback int32
}

// headed goes on to an included text, with a body in use, and reports whether
// the heading of its section is printed before it, by the forms of the plan.
func (a *Assembly) headed(u *above, pos int, level int32) bool {
	s := a.plan.sectionAt(pos)
	begins := s != u.section
	if a.plan.forms == nil {
		u.section = s
		return begins && s != 0
	}
	own, print, form := a.ownAt(pos, level), false, a.plan.forms[pos]
	f := &a.plan.frags[a.plan.index(pos)]
	// What comes after the primary block is another run, and needs no second heading
	// where the same one is above it.
	switch continues := u.fallback != 0 && form >= FallbackHeading && a.plan.headings[u.fallback] == a.plan.headings[s]; {
	case begins && continues:
		u.section, u.printed, begins = s, true, false
	case begins:
		next := above{section: s, any: u.any}
		if !u.own {
			next.fallback = u.fallback
		}
		*u = next
	}
	if s != 0 {
		switch form {
		case RunHeading:
			print = !u.printed
		case RepeatedHeading:
			print = !u.printed || u.own && own&imitation.Opens == 0
		default:
			other := u.own && (form == SeparateHeading || author(u.source) != author(f.source()))
			print = (begins && u.any || other) && own&imitation.Opens == 0
		}
		u.printed = u.printed || print
	}
	if print {
		u.any, u.own, u.fallback = true, false, 0
		if form >= FallbackHeading {
			u.fallback = s
		}
	}
	if own != 0 {
		u.any, u.own, u.source = true, true, f.source()
		if s == 0 || form < FallbackHeading {
			u.fallback = 0
		}
	}
	return print
}

// author is whose texts are one party's: all that a host says is.
func author(source string) string {
	if strings.HasPrefix(source, hostIDPrefix) {
		return hostIDPrefix
	}
	return source
}

// ownAt is which headings the text at a position has of its own.
func (a *Assembly) ownAt(pos int, level int32) imitation.Own {
	switch {
	case level == yielded:
		return a.gave(a.plan.index(pos)).own
	case level > 0:
		return a.plan.variantsAt(pos)[level-1].own
	}
	if a.expanded != nil {
		if x, ok := a.expanded[int32(a.plan.index(pos))]; ok {
			return x.own
		}
	}
	return a.plan.own[pos]
}
