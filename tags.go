package cento

// A request may have tags in place of the headings of sections: then the prompt that
// has to fit is another text than the one that is assembled. The same walk counts it. A
// tag stands before the first text of a section and another behind its last, so what is
// behind a text depends on the next one.

// tags is what a walk needs to write them.
type tags struct {
	form  RequestForm
	words []tagWords // by section; of one without a heading nothing
	names []int32    // by position: the name of the section, as a number; 0: none
	open  []int32    // by position: the section whose tag is open there; 0: none
}

// tagWords are the two tags of a section with what they count.
type tagWords struct {
	open, end string
	name      int32 // of the section
	tokens    int   // of both
	weight    int   // of the first
}

// tags are those of the form that a prompt is fitted for; nil where headings stand.
func (f *fitting) tags() *tags {
	p := f.a.plan
	if f.budget.form == nil || p.section == nil {
		return nil
	}
	t := &tags{form: f.budget.form, words: make([]tagWords, len(p.headings)), names: make([]int32, len(p.gate)), open: make([]int32, len(p.gate))}
	counter, any := f.texts.counter, false
	for s, h := range p.headings {
		if h == "" {
			continue
		}
		x := &t.words[s]
		if x.open, x.end = t.form.Tag(h); x.open == "" {
			continue
		}
		any = true
		if x.tokens = counter.Count(x.open) + counter.Count(x.end); f.texts.parts != nil {
			x.weight = f.texts.parts.Weigh(x.open)
		}
	}
	if !any {
		return nil
	}
	numbers := map[string]int32{"": 0}
	for pos := range t.names {
		name := foldSpace(p.frags[p.index(pos)].Section)
		n, known := numbers[name]
		if !known {
			n = int32(len(numbers))
			numbers[name] = n
		}
		t.names[pos] = n
		if s := p.section[pos]; s != 0 {
			t.words[s].name = n
		}
	}
	return t
}

// at is the section whose tag is open at a position that begins one, or 0, and stands
// behind last; below 0 for the first.
func (t *tags) at(last, pos int, begins int32) int32 {
	switch {
	case begins != 0:
		return begins
	case last < 0 || t.open[last] == 0 || t.words[t.open[last]].name != t.names[pos]:
		return 0
	}
	return t.open[last]
}

// plain is the text at a position without what is around it.
func (w *walk) plain(pos int) string {
	text := w.texts.text(pos, w.level[pos])
	if w.tags != nil && w.tags.open[pos] != 0 {
		return w.tags.form.Tagged(text, w.tags.words[w.tags.open[pos]].end)
	}
	return text
}

// begun is what opens the section that begins at a position, up to the text.
func (w *walk) begun(pos int) string {
	switch s := w.headed[pos]; {
	case s == 0:
		return ""
	case w.tags != nil:
		return w.tags.words[s].open
	default:
		return w.a.plan.headings[s] + joiner
	}
}

// ended is the tag that ends behind a position; empty for none.
func (w *walk) ended(pos int) string {
	if w.tags == nil || w.tags.open[pos] == 0 {
		return ""
	}
	if next := w.in.next(pos); next >= 0 && w.headed[next] == 0 && w.tags.open[next] != 0 {
		return ""
	}
	return w.tags.words[w.tags.open[pos]].end
}

// changed reports whether the text at a position is another one between tags.
func (w *walk) changed(pos int) bool {
	return w.tags != nil && w.tags.open[pos] != 0 && len(w.plain(pos)) != len(w.texts.text(pos, w.level[pos]))
}

// own is the count of the text at a position by itself.
func (w *walk) own(pos int) int {
	if w.changed(pos) {
		return w.texts.counter.Count(w.plain(pos))
	}
	return w.texts.count(pos, w.level[pos])
}

// opening is what the heading or the tags count of a section that begins.
func (w *walk) opening(section int32) int {
	if w.tags != nil {
		return w.tags.words[section].tokens
	}
	return w.texts.headings[section].tokens + w.texts.joints[0]
}
