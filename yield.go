package cento

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Where the required fragments alone are over a budget, two of them give something
// before it is refused: the list of skills its descriptions, from the last skill on,
// then the project's instructions their lines, from the end of the file that is
// farthest from the working folder on. Both are records, and a cut stands in the text.
//
// How much is given is found by halving, and not by the first that is enough, since
// each try makes a text and counts it. A larger budget keeps no less: at the first try
// at which two budgets differ, the larger one is the one that it fits.

// SkillLister is an [Expander] that can list the skills of an input with fewer
// descriptions, for a budget that doesn't even hold what is required.
type SkillLister interface {
	// Described is how many skills are listed with a description.
	Described() int
	// ListSkills is Expand for the list of skills, where the first n of those keep
	// their description.
	ListSkills(f *Fragment, a Active, n int) (Text, error)
}

// yielded is the level of a required fragment that gave something.
const yielded int32 = math.MaxInt32

// yielding is a required fragment that can give something, in so many steps. at is its
// text behind a step, notes are what there is to say then. cuts are what the files in it
// lose; nil where it isn't made of files.
type yielding struct {
	pos, steps int
	at         func(step int) (Text, error)
	notes      func(step int) []Note
	cuts       func(step int) []Cut
}

// put puts the text of a required fragment behind a step into a walk.
func (y *yielding) put(w *walk, step int) error {
	text, err := y.at(step)
	if err != nil {
		return err
	}
	g := w.a.plan.guard
	made := w.a.plan.made(&g, int32(w.a.plan.index(y.pos)), text)
	if err := g.errs.err(); err != nil {
		return err
	}
	w.yield(y.pos, made)
	return nil
}

// leastNeed returns what the prompt takes if the required fragments give all that they
// can. need is what they take whole, w a walk from which all else is taken. If a text
// can't be made, its fragment gives nothing.
func (f *fitting) leastNeed(w *walk, need int) int {
	list := f.yieldings()
	if len(list) == 0 {
		return need
	}
	a, texts := *f.a, *f.texts // of its own, since the walk of the prompt has other texts
	a.yielded, texts.a, w.a, w.texts = nil, &a, &a, &texts
	for _, y := range list {
		if y.put(w, y.steps) == nil {
			need = min(need, max(w.sum, w.exact()))
		}
	}
	return need
}

// yield fits a walk, from which all that isn't required is taken, to a limit.
func (f *fitting) yield(w *walk, limit int) error {
	f.needs()
	short := f.shortage(w, f.minima[len(f.steps)])
	f.whole = map[int]int{}
	for _, y := range f.yieldings() {
		if need := max(w.sum, w.exact()); need < short.need {
			short = f.shortage(w, need)
		}
		f.whole[y.pos] = short.need
		fits := func(step int) (bool, error) {
			if err := y.put(w, step); err != nil {
				return false, err
			}
			return w.fits(limit), nil
		}
		last := y.steps
		enough, err := fits(last)
		if err != nil {
			return err
		}
		for low := 0; enough && last-low > 1; {
			middle := low + (last-low)/2
			fit, err := fits(middle)
			if err != nil {
				return err
			}
			if fit {
				last = middle
			} else {
				low = middle
			}
		}
		if _, err := fits(last); err != nil {
			return err
		}
		f.yieldNotes = append(f.yieldNotes, y.notes(last)...)
		if y.cuts != nil {
			f.cuts = append(f.cuts, y.cuts(last)...)
		}
		if enough {
			return nil
		}
	}
	if need := max(w.sum, w.exact()); need < short.need {
		short = f.shortage(w, need)
	}
	return f.overBudget(short)
}

// yieldings are what can give something, in the order in which it does.
func (f *fitting) yieldings() []yielding {
	var out []yielding
	p := f.a.plan
	find := func(id string) (*Fragment, int) {
		i, ok := f.a.Index(id)
		if !ok {
			return nil, 0
		}
		pos := p.position(i)
		if !f.a.inAt(pos) || !f.required(pos) {
			return nil, 0
		}
		return &p.frags[i], pos
	}
	if of, pos := find(SkillCatalogID); of != nil && strings.HasPrefix(of.Template, CatalogTemplate) {
		if y, ok := f.yieldSkills(of, pos); ok {
			out = append(out, y)
		}
	}
	if of, pos := find(InstructionsID); of != nil && of.Tail && of.Template == "" {
		if y, ok := yieldLines(of, pos); ok {
			out = append(out, y)
		}
	}
	return out
}

// yieldSkills gives descriptions of skills.
func (f *fitting) yieldSkills(of *Fragment, pos int) (yielding, bool) {
	lister, ok := f.a.bound.expander.(SkillLister)
	if !ok || lister.Described() == 0 {
		return yielding{}, false
	}
	all := lister.Described()
	return yielding{
		pos: pos, steps: all,
		at: func(step int) (Text, error) {
			copied := *of
			return lister.ListSkills(&copied, f.a.bound.active, all-step)
		},
		notes: func(step int) []Note {
			return []Note{{
				Code: CodeBudgetSkills, Fragment: of.ID, Position: f.budget.Origin,
				Message: fmt.Sprintf("the list of skills keeps %d of %d descriptions: what is required is over the budget", all-step, all),
			}}
		},
	}, true
}

// fileText is the text of one file in a body.
type fileText struct {
	start, end int
	from       Position
	trust      Trust
	name       string // of the variable
}

// said are the words around the path of a file of which so much is kept.
func (s *fileText) said(kept int) (before, behind string) {
	if kept > 0 {
		return "[cut", fmt.Sprintf(": kept %d of %d bytes, over budget]", kept, s.end-s.start)
	}
	return "[left out", fmt.Sprintf(": %d bytes, over budget]", s.end-s.start)
}

// notice is how long they are, with the path.
func (s *fileText) notice(kept int) int {
	before, behind := s.said(kept)
	return len(before) + len(": ") + len(shownPath(s.from.File)) + len(behind)
}

// cutAt is a step of cutting: of a file so many bytes are left, and nothing of
// those before it.
type cutAt struct{ file, kept int }

// yieldLines gives the lines of files, those of the first file first.
func yieldLines(f *Fragment, pos int) (yielding, bool) {
	files := filesOf(f)
	// A file that is shorter than what would be said in its place stays.
	files = slices.DeleteFunc(files, func(s fileText) bool { return s.end-s.start <= s.notice(0) })
	var steps []cutAt
	for i, s := range files {
		text := f.Body[s.start:s.end]
		for kept := len(text); kept > 0; {
			kept = strings.LastIndexByte(text[:kept-1], '\n') + 1
			if kept > 0 && isBlank(text[:kept]) {
				kept = 0
			}
			if kept+s.notice(kept) < len(text) {
				steps = append(steps, cutAt{i, kept})
			}
		}
	}
	if len(steps) == 0 {
		return yielding{}, false
	}
	cuts := func(to cutAt) []Cut {
		out := make([]Cut, to.file+1)
		for i, s := range files[:to.file+1] {
			out[i] = Cut{Fragment: f.ID, File: s.from.File, Bytes: s.end - s.start}
		}
		out[to.file].Kept = to.kept
		return out
	}
	return yielding{
		pos: pos, steps: len(steps),
		at:   func(step int) (Text, error) { return cutTo(f, files, steps[step-1]), nil },
		cuts: func(step int) []Cut { return cuts(steps[step-1]) },
		notes: func(step int) []Note {
			var out []Note
			for i, c := range cuts(steps[step-1]) {
				if len(out) == maxNotes {
					break // as many as there are files
				}
				out = append(out, Note{
					Code: CodeBudgetInstructions, Fragment: f.ID, Position: files[i].from,
					Message: fmt.Sprintf("kept %d of %d bytes: what is required is over the budget", c.Kept, c.Bytes),
				})
			}
			return out
		},
	}, true
}

// filesOf are the files that a body holds the text of: what a variable brought, or
// else all of it behind its heading.
func filesOf(f *Fragment) []fileText {
	var out []fileText
	for _, r := range f.Runs {
		if r.Var == "" || r.Var == filesVar || r.Position.File == "" || r.Start == r.End {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].end == r.Start && out[n].from.File == r.Position.File {
			out[n].end, out[n].trust = r.End, min(out[n].trust, r.Trust)
			continue
		}
		out = append(out, fileText{r.Start, r.End, r.Position, r.Trust, r.Var})
	}
	if len(f.Runs) > 0 {
		return out
	}
	_, start := ownHeading(f, f.Body)
	start += leadingSpace(f.Body[start:])
	if end := len(strings.TrimRight(f.Body, " \t\n")); start < end {
		out = append(out, fileText{start, end, f.Origin, f.Trust, ""})
	}
	return out
}

// cutTo is a body behind a step of cutting, with what is missing said where it stood.
func cutTo(f *Fragment, files []fileText, to cutAt) Text {
	var b strings.Builder
	t := Text{Trust: f.Trust, Origin: f.Origin, Stability: f.Stability}
	runs := f.Runs
	if len(runs) == 0 {
		runs = []Run{{End: len(f.Body), Position: f.Origin, Trust: f.Trust}}
	}
	add := func(text string, r Run) {
		if text != "" {
			r.Start = b.Len()
			b.WriteString(text)
			r.End = b.Len()
			t.Runs = append(t.Runs, r)
		}
	}
	copied, next := 0, 0 // how far the body is copied, and the run that comes next
	upTo := func(end int) {
		for copied < end {
			for runs[next].End <= copied {
				next++
			}
			r := runs[next]
			stop := min(end, r.End)
			if r.Start < copied { // the rest of a run has a place of its own
				r.Position = positionIn(f.Body, runs[next:next+1], copied)
			}
			add(f.Body[copied:stop], r)
			copied = stop
		}
	}
	for i, s := range files[:to.file+1] {
		kept := 0
		if i == to.file {
			kept = to.kept
		}
		upTo(s.start + kept)
		copied = s.end
		said := Run{Trust: TrustBuiltin, Fixed: true, Var: s.name}
		whose := Run{Trust: s.trust, Fixed: true, Var: s.name, Position: s.from}
		before, behind := s.said(kept)
		if s.from.File == "" {
			add(before+behind, said)
		} else {
			add(before+": ", said)
			add(shownPath(s.from.File), whose)
			add(behind, said)
		}
		if s.end < len(f.Body) && strings.HasSuffix(f.Body[s.start:s.end], "\n") {
			add("\n", said)
		}
	}
	upTo(len(f.Body))
	t.Body = b.String()
	return t
}

// Withheld is the text of a required fragment that a budget shortened, as it would be
// without the budget.
type Withheld struct {
	Text  string
	Spans []Span // of Text; they tile it
	// Removed are the parts of Text that the budget removed, in order.
	Removed []RemovedPart
	// Original is the body before the guard changed it; nil where it changed nothing. Notes
	// are the findings in it.
	Original *Original
	Notes    []TextNote
}

// RemovedPart is a part of a text that a budget removed, with the reason.
type RemovedPart struct {
	Start, End int
	Reason     string
	Code       Code
}

// Withheld returns the parts of a required fragment that a budget removed; nil where it
// removed none.
func (a *Assembly) Withheld(i int) *Withheld {
	if a.levelAt(a.plan.position(i)) != yielded {
		return nil
	}
	whole := a.fitted.a
	out := &Withheld{Text: whole.Text(i), Spans: whole.TextSpans(i)}
	if d := whole.detail(i); d != nil {
		out.Original, out.Notes = d.original, d.notes
	}
	type place struct {
		Position
		fixed bool
	}
	at := func(s *Span) place { return place{Position{s.File, s.Line, s.Column}, s.fixed} }
	kept := map[place]int{} // bytes
	for _, s := range a.TextSpans(i) {
		kept[at(&s)] = max(kept[at(&s)], s.End-s.Start)
	}
	for _, s := range out.Spans {
		from := s.Start + kept[at(&s)]
		if s.File == "" || from >= s.End {
			continue
		}
		if n := len(out.Removed) - 1; n >= 0 && out.Removed[n].End == from {
			out.Removed[n].End = s.End
			continue
		}
		part := RemovedPart{Start: from, End: s.End}
		part.Reason, part.Code = a.fitted.removal(i, s.File)
		out.Removed = append(out.Removed, part)
	}
	return out
}

// removal says why a budget removed a text of a required fragment that is from a file.
func (f *fitting) removal(i int, file string) (string, Code) {
	id := f.a.plan.frags[i].ID
	for _, n := range f.yieldNotes {
		if n.Fragment == id && n.Code == CodeBudgetInstructions && n.Position.File == file {
			kept, _, _ := strings.Cut(n.Message, ":")
			return "cut by the budget: " + kept, n.Code
		}
	}
	if id == SkillCatalogID {
		return "listed by name; the budget removed its description", CodeBudgetSkills
	}
	return "cut by the budget", CodeBudgetInstructions
}

// shownPath is a path in one line.
func shownPath(path string) string {
	if printable(path) {
		return path
	}
	return strconv.QuoteToASCII(path)
}

// largestRequired is how many required fragments an error names.
const largestRequired = 5

// shortage is what the required fragments need at least, and what that consists of.
type shortage struct {
	need  int
	parts []part // the largest first
	given bool   // with something given up that they can give
	// between is what the tokens are for that no part takes.
	between string
}

// part is what a required fragment takes by itself.
type part struct{ pos, tokens int }

// shortage parts what is needed at a walk from which all is taken that isn't required.
func (f *fitting) shortage(w *walk, need int) shortage {
	s := shortage{need: need}
	headed := false
	for pos := w.in.Next(-1); pos >= 0; pos = w.in.Next(pos) {
		s.parts = append(s.parts, part{pos, w.own(pos)})
		s.given = s.given || w.level[pos] == yielded
		headed = headed || w.headed[pos] != 0
	}
	slices.SortStableFunc(s.parts, func(x, y part) int { return cmp.Compare(y.tokens, x.tokens) })
	switch {
	case !headed:
		s.between = "what stands between them"
	case w.tags != nil:
		s.between = "tags and what stands between them"
	default:
		s.between = "headings and what stands between them"
	}
	if !s.given && f.counts[len(f.steps)].most() > need {
		// Tokens reach over seams, so that a text can take less with another beside it.
		s.between += ", and for what could be left out and makes them fewer"
	}
	return s
}

// overBudget is the error of a budget that the required fragments don't fit. What it
// lists adds up to what they take.
func (f *fitting) overBudget(s shortage) error {
	a, b := f.a, f.budget
	exact := b.Counter.Exact()
	told := func(n int) string { return FormatTokens(n, exact) }
	given := ""
	if s.given {
		given = " with all given up that they can give"
	}
	leaves := FormatTokens(b.limit(), b.limitExact())
	short := &Shortfall{Need: s.need, Have: b.limit(), Enough: s.need + b.overhead(), Exact: exact, LimitExact: b.limitExact()}
	e := &SourceError{
		Code: BudgetRequired, Position: b.Origin, Short: short,
		Message: fmt.Sprintf("the required fragments take %s tokens%s, and the budget of %d leaves %s for the prompt%s", told(s.need), given, b.Tokens, leaves, b.spent()),
		Hint:    fmt.Sprintf("set a budget of at least %s tokens", FormatTokens(short.Enough, b.exact())),
	}
	rest := s.need
	named := s.parts[:min(len(s.parts), largestRequired)]
	for _, x := range named {
		rest -= x.tokens
		of := &a.plan.frags[a.plan.index(x.pos)]
		why := ""
		if _, droppable := of.Importance.Level(); droppable && !of.Protected && !of.Tail {
			why = " by its group or by what needs it"
		}
		e.Related = append(e.Related, Related{Position: of.Origin, Message: fmt.Sprintf("fragment %q takes %s, and is required%s", of.ID, told(x.tokens), why)})
	}
	if further := s.parts[len(named):]; len(further) > 0 {
		sum, take := 0, "take"
		for _, x := range further {
			sum += x.tokens
		}
		if len(further) == 1 {
			take = "takes"
		}
		rest -= sum
		e.Related = append(e.Related, Related{Message: fmt.Sprintf("and %d more %s %s", len(further), take, told(sum))})
	}
	if rest != 0 {
		e.Related = append(e.Related, Related{Message: fmt.Sprintf("%s for %s", told(rest), s.between)})
	}
	return e
}

// spent says what takes a part of the budget besides the prompt.
func (b *Budget) spent() string {
	var parts []string
	add := func(name string, n int, exact bool) {
		if n > 0 {
			parts = append(parts, name+" "+FormatTokens(n, exact))
		}
	}
	add("reserve", b.Reserve, true) // as it was asked for
	add("tools", b.Tools, b.toolsExact())
	add("framing", b.Framing, b.Counter.Exact())
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
