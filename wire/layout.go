package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// layout is the text of the system prompt as it is sent, with where every byte is
// from and where each fragment ends.
type layout struct {
	text  string
	spans []cento.Span
	parts []part
}

// part is a fragment in the text.
type part struct {
	id        string
	start     int // of the fragment's own text
	end       int
	stability cento.Stability
	section   string
}

// lay lays out a prompt, with room behind its spans for those of tools and reminders.
// An empty layout is no prompt.
func lay(p *cento.Prompt, s Sectioning, room int) (layout, []Loss) {
	var l layout
	if p == nil {
		return l, nil
	}
	text, ok := p.System()
	if !ok {
		return l, nil
	}
	l.text = text
	l.spans = slices.AppendSeq(make([]cento.Span, 0, 2*p.Included()+room), p.AllSpans())
	l.parts = make([]part, 0, p.Included())
	for i := range p.Len() {
		start, end, in := p.Extent(i)
		if !in || start == end {
			continue
		}
		f := p.Fragment(i)
		l.parts = append(l.parts, part{id: f.ID, start: start, end: end, stability: f.Stability, section: strings.Join(strings.Fields(f.Section), " ")})
	}
	slices.SortFunc(l.parts, func(a, b part) int { return a.end - b.end })
	if s == XML {
		return l.tagged()
	}
	return l, nil
}

// prefix is how far the longest prefix of fragments goes that change no more often
// than a stability says.
func (l *layout) prefix(most cento.Stability) int {
	end := 0
	for _, p := range l.parts {
		if p.stability > most {
			break
		}
		end = p.end
	}
	return end
}

// changes reports whether a fragment changes with each turn.
func (l *layout) changes() bool {
	return slices.ContainsFunc(l.parts, func(p part) bool { return p.stability == cento.PerTurn })
}

// cut is the stretch of the text from start to end, with its spans.
func (l *layout) cut(start, end int) sourced {
	from, _ := slices.BinarySearchFunc(l.spans, start+1, func(s cento.Span, at int) int { return s.End - at })
	to, _ := slices.BinarySearchFunc(l.spans, end, func(s cento.Span, at int) int { return s.Start - at })
	return sourced{text: l.text[start:end], spans: l.spans[from:to], first: from, base: start}
}

// all is the whole text.
func (l *layout) all() sourced { return sourced{text: l.text, spans: l.spans} }

// tagged is the layout with a tag around each section in place of its heading. A
// text that has the tag that ends its section can't end it: the sign that begins it
// is written as an entity, and that is told.
func (l *layout) tagged() (layout, []Loss) {
	t := tagger{from: l}
	var out []Loss
	for _, p := range l.parts {
		head, joint := t.before(p)
		name := ""
		switch {
		case head != nil:
			name = tagOf(l.text[head.Start:head.End])
		case t.tag != "" && p.section == t.section:
			name = t.tag // the section goes on
		}
		if t.tag != "" && (head != nil || name == "") {
			t.close()
		}
		if joint != nil && len(t.text) > 0 {
			t.add(*joint, l.text[joint.Start:joint.End])
		}
		if head != nil {
			if lost := t.named(name, titleOf(l.text[head.Start:head.End])); lost != "" {
				out = append(out, Loss{Code: CodeSectionTitle, Fragment: p.id, Message: lost})
			}
			t.open(name, p.section, *head)
		}
		if t.body(p) {
			out = append(out, Loss{Code: CodeSectionQuoted, Fragment: p.id, Message: "the text had </" + t.tag + ">, which ends its section: its first sign is written as &lt;"})
		}
	}
	if t.tag != "" {
		t.close()
	}
	return layout{text: string(t.text), spans: t.spans, parts: t.parts}, out
}

// tagger puts a layout with tags together.
type tagger struct {
	from    *layout
	text    []byte
	spans   []cento.Span
	parts   []part
	at      int // the next of from's spans
	tag     string
	section string
	opened  cento.Span          // the heading that the tag stands for
	titles  map[string][]string // of each tag, in the order in which they came
}

// named keeps that a tag stands for a title, and says what is lost of it the first time.
func (t *tagger) named(tag, title string) (lost string) {
	before := t.titles[tag]
	if slices.Contains(before, title) {
		return ""
	}
	if t.titles == nil {
		t.titles = map[string][]string{}
	}
	t.titles[tag] = append(before, title)
	switch {
	case wordsOf(title) == "":
		return fmt.Sprintf("the title %q has no letter and no digit, so its section stands in <%s>, which says nothing of it", title, tag)
	case len(before) > 0:
		return fmt.Sprintf("the title %q makes the tag <%s>, as the title %q does: word one of them otherwise", title, tag, before[0])
	}
	if signs := signsOf(title); len(signs) > 0 {
		return fmt.Sprintf("the title %q stands in <%s>, which doesn't say %s: word it otherwise", title, tag, strings.Join(signs, " and "))
	}
	return ""
}

// signsOf are the signs of a title that are part of a word, as in C++, .NET or 50%, in their
// order, quoted, each once. What only parts words, such as the point of Node.js, says nothing
// that a tag doesn't.
func signsOf(title string) []string {
	var out []string
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	sign := func(r rune) bool { return r != '|' && unicode.In(r, unicode.Sm, unicode.Sc) || r == '#' || r == '%' }
	for _, field := range strings.Fields(title) {
		runes := []rune(field)
		for i := 0; i < len(runes); i++ {
			from := i
			for i < len(runes) && sign(runes[i]) {
				i++
			}
			touches := from > 0 && word(runes[from-1]) || i < len(runes) && word(runes[i])
			if from == 0 && len(runes) > 1 && runes[0] == '.' && word(runes[1]) {
				i, touches = 1, true
			}
			if said := strconv.Quote(string(runes[from:i])); i > from && touches && !slices.Contains(out, said) {
				out = append(out, said)
			}
		}
	}
	return out
}

// before takes what stands before a fragment's own text: a heading and a joiner, nil
// where there is none.
func (t *tagger) before(p part) (head, joint *cento.Span) {
	for t.at < len(t.from.spans) && t.from.spans[t.at].End <= p.start {
		switch s := &t.from.spans[t.at]; s.Kind {
		case cento.HeadingSpan:
			if head == nil {
				head = s
			}
		default:
			if head == nil {
				joint = s
			}
		}
		t.at++
	}
	return head, joint
}

// add appends a text that came from where a span says.
func (t *tagger) add(s cento.Span, text string) {
	s.Start, s.End = len(t.text), len(t.text)+len(text)
	t.text = append(t.text, text...)
	t.spans = append(t.spans, s)
}

func (t *tagger) open(tag, section string, head cento.Span) {
	t.tag, t.section, t.opened = tag, section, head
	t.add(head, opening(tag))
}

func (t *tagger) close() {
	t.add(t.opened, ending(t.tag))
	if n := len(t.parts); n > 0 {
		t.parts[n-1].end = len(t.text) // the mark goes behind the tag
	}
	t.tag, t.section = "", ""
}

// body appends the text of a fragment, and reports whether it had to be changed.
func (t *tagger) body(p part) bool {
	start := len(t.text)
	var ends []int // where a tag begins that would end the section
	if t.tag != "" {
		ends = found(t.from.text[p.start:p.end], "</"+t.tag)
	}
	changed := len(ends) > 0
	for t.at < len(t.from.spans) && t.from.spans[t.at].Start < p.end {
		s := t.from.spans[t.at]
		t.at++
		text := t.from.text[s.Start:s.End]
		if len(ends) > 0 && p.start+ends[0] < s.End {
			n := 0
			for n < len(ends) && p.start+ends[n] < s.End {
				n++
			}
			text = quoted(text, s.Start-p.start, ends[:n])
			ends = ends[n:]
		}
		t.add(s, text)
	}
	p.start, p.end = start, len(t.text)
	t.parts = append(t.parts, p)
	return changed
}

// opening and ending are the tags as they stand before and behind the texts of a section.
func opening(tag string) string { return "<" + tag + ">\n" }
func ending(tag string) string  { return "\n</" + tag + ">" }

// quoted is a text with the signs at some places, less base, as entities.
func quoted(text string, base int, places []int) string {
	var b strings.Builder
	from := 0
	for _, at := range places {
		b.WriteString(text[from : at-base])
		b.WriteString("&lt;")
		from = at - base + 1
	}
	b.WriteString(text[from:])
	return b.String()
}

// found is where a word that begins with < stands in a text, whatever the case of its
// letters.
func found(text, word string) []int {
	var out []int
	for i := 0; ; i++ {
		next := strings.IndexByte(text[i:], word[0])
		if next < 0 {
			return out
		}
		if i += next; beginsWith(text[i:], word) {
			out = append(out, i)
		}
	}
}

// beginsWith reports whether a text begins with a word, whatever the case of its letters. Of
// some letters both cases have other lengths.
func beginsWith(text, word string) bool {
	for _, want := range word {
		r, n := utf8.DecodeRuneInString(text)
		if r != want && !strings.EqualFold(string(r), string(want)) {
			return false
		}
		text = text[n:]
	}
	return true
}

// untitled is the tag of a title without words.
const untitled = "section"

// tagOf makes a tag of a heading: its words, with _ between them.
func tagOf(heading string) string {
	tag := wordsOf(titleOf(heading))
	switch {
	case tag == "":
		return untitled
	case tag[0] >= '0' && tag[0] <= '9':
		return "s_" + tag
	}
	return tag
}

// titleOf is what a heading says.
func titleOf(heading string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(heading), "#"))
}

// wordsOf are the letters and digits of a title, of every script, in lower case, with _ for
// what stands between them; empty without any. A mark counts behind what it belongs to:
// scripts of India write vowels as marks.
func wordsOf(title string) string {
	var b strings.Builder
	gap := true
	for _, r := range strings.ToLower(title) {
		mark := unicode.In(r, unicode.Mn, unicode.Mc) && !unicode.Is(unicode.Variation_Selector, r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (!mark || gap) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(r)
		gap = false
	}
	return b.String()
}
