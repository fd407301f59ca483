package cento

import "sync"

// A prompt is fitted to a budget by taking the shortest prefix of the sequence of
// sacrifices behind which it fits by two counts: the exact one of the text as it
// stands, and the sum of its parts. Tokens reach over the seams between parts, so
// the exact count needn't fall with every step; that both are conditions on
// prefixes is why a larger budget keeps all that a smaller one does, however they
// rise and fall.

// fitting is what a budget made of one assembly. It doesn't change any more.
type fitting struct {
	a      *Assembly // without the budget
	budget *Budget
	texts  *weighed
	before map[string]int // the variant of what was taken the turn before; 0: out
	level  []int32        // by position: the body in use, or dropped; nil: all are in
	used   int            // tokens of the prompt
	// cachedAt are the positions of what the prompt cache holds; nil for none.
	cachedAt map[int32]bool
	// yieldNotes tell what required fragments gave.
	yieldNotes []Note
	// whole is what the prompt takes, by position, before such a fragment gives.
	whole map[int]int

	ordered  sync.Once
	units    []unit
	steps    []step
	unitOf   []int32
	lastStep []int32 // by unit

	uncached sync.Once
	losses   []int // by the number of steps that are taken: what is read of the cache no more

	counted sync.Once
	counts  []need // by the number of steps that are taken
	minima  []int  // the least that is needed with so many steps or fewer
	held    []int  // by step: what is needed, with room to spare, for what was taken before to come back
}

// need is what a prompt takes by both counts.
type need struct{ sum, exact int }

// most is what it needs to fit.
func (n need) most() int { return max(n.sum, n.exact) }

// fit decides what a budget leaves of an assembly, which it keeps.
func (a *Assembly) fit(b *Budget) (*fitting, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	f := &fitting{a: a, budget: b, texts: a.weighed(b.Counter)}
	if b.Hold > 0 && len(b.Before) > 0 {
		f.before = make(map[string]int, len(b.Before))
		for _, x := range b.Before {
			f.before[x.Fragment] = x.Variant
		}
	}
	f.remember()
	w := f.walk()
	limit := b.limit()
	if w.fits(limit) && f.before == nil {
		f.used = w.exact()
		return f, nil
	}
	f.sequence()
	k := 0
	for ; !w.fits(limit); k++ {
		if k == len(f.steps) {
			if err := f.yield(w, limit); err != nil {
				return nil, err
			}
			f.level, f.used = w.level, w.exact()
			return f, nil
		}
		w.take(f, f.steps[k])
	}
	if held := f.hold(k); held != k {
		k, w = held, f.walkTo(held)
	}
	if b.Policy == FillBudget {
		f.fill(w, k, limit)
	}
	f.level, f.used = w.level, w.exact()
	return f, nil
}

// sequence finds the order of sacrifices.
func (f *fitting) sequence() {
	f.ordered.Do(func() {
		f.units, f.steps, f.unitOf = f.sacrifices()
		f.lastStep = make([]int32, len(f.units))
		for s, step := range f.steps {
			f.lastStep[step.unit] = int32(s)
		}
	})
}

// required reports whether no step changes a position that is in.
func (f *fitting) required(pos int) bool {
	f.sequence()
	return f.unitOf[pos] < 0
}

// positions are the positions that a step changes.
func (f *fitting) positions(s step) []int32 {
	if s.level == dropped {
		return f.units[s.unit].members
	}
	return []int32{s.pos}
}

// stepTo is the step that brings a position to a level.
func (f *fitting) stepTo(pos, level int32) int {
	s := int(f.lastStep[f.unitOf[pos]])
	for level != dropped && (f.steps[s].pos != pos || f.steps[s].level != level) {
		s--
	}
	return s
}

// levelOf is the level of a position in the end.
func (f *fitting) levelOf(pos int32) int32 {
	if f.level == nil {
		return 0
	}
	return f.level[pos]
}

// taken reports whether a step was.
func (f *fitting) taken(s int) bool {
	step := f.steps[s]
	level := f.levelOf(step.pos)
	return level == dropped || step.level != dropped && level >= step.level
}

// lost counts what was shortened and dropped.
func (f *fitting) lost() (shortened, out int) {
	for _, level := range f.level {
		switch {
		case level == dropped:
			out++
		case level > 0:
			shortened++
		}
	}
	return shortened, out
}

// needs is what the prompt takes behind each number of steps.
func (f *fitting) needs() []need {
	f.counted.Do(func() {
		f.sequence()
		w := f.walk()
		least := 0
		for k := range len(f.steps) + 1 {
			if k > 0 {
				w.take(f, f.steps[k-1])
			}
			n := need{w.sum, w.exact()}
			if k == 0 || n.most() < least {
				least = n.most()
			}
			f.counts, f.minima = append(f.counts, n), append(f.minima, least)
		}
		if f.before == nil {
			return
		}
		f.held = make([]int, len(f.steps))
		for s := len(f.steps) - 1; s >= 0; s-- {
			switch {
			case f.wasTaken(s):
				f.held[s] = f.minima[s] + f.budget.Hold
			case s+1 < len(f.steps):
				f.held[s] = f.held[s+1]
			}
		}
	})
	return f.counts
}

// staysFrom is the least budget at which a step isn't taken, by the strict order.
func (f *fitting) staysFrom(s int) int {
	f.needs()
	limit := f.minima[s]
	if f.held != nil {
		limit = max(limit, f.held[s]) // what goes behind it comes back before it
	}
	return limit + f.budget.overhead()
}

// wasTaken reports whether a step was taken the turn before.
func (f *fitting) wasTaken(s int) bool {
	step := f.steps[s]
	for _, pos := range f.positions(step) {
		id := f.a.plan.frags[f.a.plan.index(int(pos))].ID
		if level, was := f.before[id]; was && (level == 0 || step.level != dropped && level >= int(step.level)) {
			return true
		}
	}
	return false
}

// hold is how many steps are taken where k would do, since what was out the turn
// before comes back only when there is room to spare.
func (f *fitting) hold(k int) int {
	b := f.budget
	if f.before == nil {
		return k
	}
	needs := f.needs()
	held := k
	for s := k; s < len(f.steps) && needs[s].most() > b.limit()-b.Hold; s++ {
		if f.wasTaken(s) {
			held = s + 1
		}
	}
	for more := held; more < len(needs); more++ {
		if needs[more].most() <= b.limit() {
			return more
		}
	}
	return k // further steps make the text larger
}

// fill takes back what fits, the steps that were taken last first.
func (f *fitting) fill(w *walk, k, limit int) {
	for s := k - 1; s >= 0; s-- {
		step := f.steps[s]
		if step.level != dropped {
			if w.level[step.pos] != step.level {
				continue // it is out, or shorter still
			}
			w.set(int(step.pos), f.levelBefore(s, step.pos))
			if !w.fits(limit) {
				w.set(int(step.pos), step.level)
			}
			continue
		}
		if !f.needed(w, step) {
			continue
		}
		for _, pos := range f.positions(step) {
			w.set(int(pos), f.levelBefore(s, pos))
		}
		if !w.fits(limit) {
			w.take(f, step)
		}
	}
}

// levelBefore is the level of a position before a step of its unit.
func (f *fitting) levelBefore(s int, pos int32) int32 {
	for t := s - 1; t >= 0 && f.steps[t].unit == f.steps[s].unit; t-- {
		if f.steps[t].pos == pos {
			return f.steps[t].level
		}
	}
	return 0
}

// needed reports whether all that the members of a unit need is in, or would be
// with them.
func (f *fitting) needed(w *walk, s step) bool {
	for _, pos := range f.positions(s) {
		for _, id := range f.a.plan.frags[f.a.plan.index(int(pos))].Needs {
			i, ok := f.a.Index(id)
			if at := f.a.plan.position(i); ok && w.level[at] == dropped && f.unitOf[at] != s.unit {
				return false
			}
		}
	}
	return true
}
