package cento

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento/internal/bitset"
	"github.com/cento-dev/cento/internal/imitation"
)

// weightTables are what is known of the texts of a plan by counter: each text is
// counted once, however many budgets and active sets it is fitted for.
type weightTables struct {
	mu     sync.Mutex
	byName map[string]weightTable
}

// weightTable holds one more than the weight, 0 while it isn't known: of the text
// at a place, of it with a joiner behind it, with a tight one. Two who find the
// same out at once find the same.
type weightTable []atomic.Int64

const weightsOfText = 3

func (t *weightTables) of(name string, texts int) weightTable {
	t.mu.Lock()
	defer t.mu.Unlock()
	table := t.byName[name]
	if table == nil {
		if t.byName == nil {
			t.byName = map[string]weightTable{}
		}
		table = make(weightTable, texts*weightsOfText)
		t.byName[name] = table
	}
	return table
}

// variant is a shorter text of a fragment.
type variant struct {
	text   string
	detail *detail
	own    imitation.Own // where the plan has forms
	slot   int32         // in a weight table, behind those of the positions
}

// weighed is the texts of one assembly with what they weigh.
type weighed struct {
	a        *Assembly
	counter  Counter
	parts    PartCounter // nil: the counter can't count by parts
	table    weightTable
	rendered map[weightKey]int // of texts that are made for the active set
	yielded  map[weightKey]int // of what required fragments gave something of
	headings []headingWeight
	joints   [2]int // tokens of the joiners
}

type weightKey struct {
	pos  int
	with int
}

type headingWeight struct{ tokens, weight int } // of the heading; of it with a joiner

// What may stand behind a text.
const (
	behindNothing = iota
	behindJoiner
	behindTight
)

var behind = [...]string{behindNothing: "", behindJoiner: joiner, behindTight: tightJoiner}

func (a *Assembly) weighed(c Counter) *weighed {
	p := a.plan
	w := &weighed{a: a, counter: c, table: p.weights.of(c.Name(), len(p.texts)+p.variantTexts)}
	w.parts, _ = c.(PartCounter)
	w.joints = [2]int{c.Count(joiner), c.Count(tightJoiner)}
	w.headings = make([]headingWeight, len(p.headings))
	for s, h := range p.headings {
		if h != "" {
			w.headings[s].tokens = c.Count(h)
			if w.parts != nil {
				w.headings[s].weight = w.parts.Weigh(h + joiner)
			}
		}
	}
	return w
}

// count is the tokens of a text by itself.
func (w *weighed) count(pos int, level int32) int {
	n := w.weight(pos, level, behindNothing)
	if w.parts != nil {
		n = w.parts.Tokens(n)
	}
	return n
}

// text is the text of a position with a body in use.
func (w *weighed) text(pos int, level int32) string { return w.a.bodyAt(pos, level) }

// weight is that of a text with what stands behind it.
func (w *weighed) weight(pos int, level int32, with int) int {
	slot := pos
	if level == yielded {
		key := weightKey{pos, with}
		n, known := w.yielded[key]
		if !known {
			n = w.find(w.text(pos, level), with, func() int { return w.weight(pos, level, behindNothing) })
			w.yielded[key] = n
		}
		return n
	}
	if level > 0 {
		slot = len(w.a.plan.texts) + int(w.a.plan.variantsAt(pos)[level-1].slot)
	} else if w.a.rendered(pos) {
		key := weightKey{pos, with}
		n, known := w.rendered[key]
		if !known {
			if w.rendered == nil {
				w.rendered = map[weightKey]int{}
			}
			n = w.find(w.text(pos, level), with, func() int { return w.weight(pos, level, behindNothing) })
			w.rendered[key] = n
		}
		return n
	}
	at := &w.table[slot*weightsOfText+with]
	if n := at.Load(); n != 0 {
		return int(n - 1)
	}
	n := w.find(w.text(pos, level), with, func() int { return w.weight(pos, level, behindNothing) })
	at.Store(int64(n) + 1)
	return n
}

// tailBytes is how far from the end of a text a place is looked for where it can
// be cut.
const tailBytes = 64

// find weighs a text. What stands behind it changes no more than its last piece.
func (w *weighed) find(text string, with int, alone func() int) int {
	switch {
	case w.parts == nil:
		return w.counter.Count(text)
	case with == behindNothing:
		return w.parts.Weigh(text)
	}
	for k := len(text) - 1; k > 0 && k > len(text)-tailBytes; k-- {
		if w.parts.Splits(text[:k], text[k:]) {
			return alone() + w.parts.Weigh(text[k:]+behind[with]) - w.parts.Weigh(text[k:])
		}
	}
	return w.parts.Weigh(text + behind[with])
}

// walk is a prompt from which fragments are taken one by one, with what it takes
// by both counts. A step costs what stands beside it.
type walk struct {
	a     *Assembly
	texts *weighed
	level []int32 // by position
	in    bitset.Set
	heads []int32 // by position: where its chain begins; nil when there are none

	sum    int
	sums   []int32 // by position: tokens of the text and of what is before it
	under  []above // by position: what stands over the next text; nil: its section alone
	headed []int32 // by position: its section if the heading is printed before it, else 0
	tags   *tags   // nil: headings stand there

	weighing bool // the rest is there
	weight   int
	weights  []int32 // by position: of the texts from one that begins a group to the next
	begins   []bool  // by position: its weight adds up with what is before it
}

// walk begins with everything that is in.
func (f *fitting) walk() *walk {
	p := f.a.plan
	n := len(p.gate)
	w := &walk{
		a: f.a, texts: f.texts, level: make([]int32, n), in: bitset.New(n), sums: make([]int32, n), headed: make([]int32, n),
		tags: f.tags(),
	}
	if p.forms != nil {
		w.under = make([]above, n)
	}
	for pos := range n {
		if f.a.inAt(pos) {
			w.in.Add(pos)
		}
	}
	if p.tight != nil {
		w.heads = make([]int32, n)
		for pos := 1; pos < n; pos++ {
			if w.heads[pos] = int32(pos); p.tight[pos] {
				w.heads[pos] = w.heads[pos-1]
			}
		}
	}
	w.recount(w.in.Next(-1), n)
	return w
}

// yield puts another text of a required fragment in its place.
func (w *walk) yield(pos int, text expanded) {
	if w.a.yielded == nil {
		w.a.yielded = map[int32]expanded{}
	}
	w.a.yielded[int32(w.a.plan.index(pos))] = text
	w.texts.yielded = map[weightKey]int{}
	w.set(pos, yielded)
}

// walkTo is a walk behind so many steps.
func (f *fitting) walkTo(k int) *walk {
	w := f.walk()
	for _, s := range f.steps[:k] {
		w.take(f, s)
	}
	return w
}

// take takes one step.
func (w *walk) take(f *fitting, s step) {
	for _, pos := range f.positions(s) {
		w.set(int(pos), s.level)
	}
}

// set gives a position another level.
func (w *walk) set(pos int, level int32) {
	was := w.level[pos]
	w.level[pos] = level
	before := w.in.Previous(pos)
	switch {
	case was == dropped && level != dropped:
		w.in.Add(pos)
	case was != dropped && level == dropped:
		w.in.Remove(pos)
		w.sum -= int(w.sums[pos])
		w.sums[pos] = 0
		if w.weighing {
			w.weight -= int(w.weights[pos])
			w.weights[pos] = 0
		}
	}
	from := pos
	if level == dropped {
		if from = w.in.Next(pos); from < 0 {
			if before >= 0 {
				w.reweigh(before, before)
			}
			return
		}
	}
	w.recount(from, max(from, w.in.Next(pos)))
}

// recount goes from a position on, up to one at least and until nothing changes.
func (w *walk) recount(from, through int) {
	if from < 0 {
		return
	}
	last, under := w.in.Previous(from), above{}
	switch {
	case last < 0:
	case w.under != nil:
		under = w.under[last]
	default:
		under.section = w.a.plan.sectionAt(last)
	}
	to := from
	for pos := from; pos >= 0; pos = w.in.Next(pos) {
		section, sum := int32(0), 0
		if last >= 0 {
			sum += w.texts.joints[w.joint(last, pos)-behindJoiner]
		}
		if w.a.headed(&under, pos, w.level[pos]) {
			section = under.section
			sum += w.opening(section)
		}
		same := w.headed[pos] == section
		if w.tags != nil {
			open := w.tags.at(last, pos, section)
			same = same && w.tags.open[pos] == open
			w.tags.open[pos] = open
		}
		sum += w.own(pos)
		if w.under != nil {
			same = same && w.under[pos] == under
			w.under[pos] = under
		}
		w.sum += sum - int(w.sums[pos])
		w.sums[pos], w.headed[pos] = int32(sum), section
		to, last = pos, pos
		if pos >= through && same {
			break
		}
	}
	w.reweigh(from, to)
}

// joint is what stands between two neighbours.
func (w *walk) joint(last, pos int) int {
	if w.heads != nil && w.a.plan.tight[pos] && last >= int(w.heads[pos]) {
		return behindTight
	}
	return behindJoiner
}

// fits reports whether the prompt keeps to a limit by both counts. The sum is
// known; the exact count is only asked for where the sum would do.
func (w *walk) fits(limit int) bool { return w.sum <= limit && w.exact() <= limit }

// exact is the count of the text as it stands.
func (w *walk) exact() int {
	if w.texts.parts == nil {
		return w.texts.counter.Count(w.text())
	}
	if !w.weighing {
		n := len(w.level)
		w.weighing, w.weights, w.begins = true, make([]int32, n), make([]bool, n)
		if first := w.in.Next(-1); first >= 0 {
			w.reweigh(first, n)
		}
	}
	return w.texts.parts.Tokens(w.weight)
}

// reweigh weighs what may have changed with the texts of a range.
func (w *walk) reweigh(from, to int) {
	if !w.weighing {
		return
	}
	pos := from
	if before := w.in.Previous(from); before >= 0 {
		pos = before // what stands behind it changed
		for !w.begins[pos] {
			pos = w.in.Previous(pos)
		}
	}
	for pos >= 0 {
		next := w.group(pos)
		if next > to || next < 0 {
			return
		}
		pos = next
	}
}

// group weighs the texts from one that begins a group up to the next that does,
// which it returns; below 0 for none.
func (w *walk) group(pos int) int {
	w.begins[pos] = true
	weight, text := w.opened(pos)
	last, next := pos, w.in.Next(pos)
	for ; next >= 0; last, next = next, w.in.Next(next) {
		if w.splits(last, next) {
			break
		}
		if text == "" {
			text = w.written(last)
		}
		text += w.written(next)
		w.begins[next] = false
		w.weight -= int(w.weights[next])
		w.weights[next] = 0
	}
	if text != "" {
		weight = w.texts.parts.Weigh(text)
	}
	w.weight += weight - int(w.weights[pos])
	w.weights[pos] = int32(weight)
	return next
}

// opened weighs one text with what stands behind it and its heading, or gives
// all that as a text to be weighed in one piece.
func (w *walk) opened(pos int) (weight int, text string) {
	s := w.headed[pos]
	if s != 0 && !w.texts.parts.Splits(w.begun(pos), w.plain(pos)) || w.ended(pos) != "" || w.changed(pos) {
		return 0, w.written(pos)
	}
	weight = w.texts.weight(pos, w.level[pos], w.behind(pos))
	switch {
	case s != 0 && w.tags != nil:
		weight += w.tags.words[s].weight
	case s != 0:
		weight += w.texts.headings[s].weight
	}
	return weight, ""
}

// behind is what stands behind a text.
func (w *walk) behind(pos int) int {
	next := w.in.Next(pos)
	if next < 0 {
		return behindNothing
	}
	return w.joint(pos, next)
}

// splits reports whether the weights of two neighbours add up.
func (w *walk) splits(last, next int) bool {
	right := ""
	switch s := w.headed[next]; {
	case s == 0:
		right = w.plain(next)
	case w.tags != nil:
		right = w.tags.words[s].open
	default:
		right = w.a.plan.headings[s]
	}
	joint := w.ended(last) + behind[w.joint(last, next)]
	if w.texts.parts.Splits(joint, right) {
		return true
	}
	left := w.plain(last)
	return w.texts.parts.Splits(left[max(len(left)-tailBytes, 0):]+joint, right)
}

// written is a text as it stands in the prompt, with what is behind it.
func (w *walk) written(pos int) string {
	return w.begun(pos) + w.plain(pos) + w.ended(pos) + behind[w.behind(pos)]
}

// text is the whole prompt.
func (w *walk) text() string {
	var b strings.Builder
	for pos := w.in.Next(-1); pos >= 0; pos = w.in.Next(pos) {
		b.WriteString(w.written(pos))
	}
	return b.String()
}
