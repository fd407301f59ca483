package textdiff

import "slices"

// The search for a shortest comparison of a part of two texts ends after maxRounds rounds,
// so a comparison is shortest if it removes and adds at most 512 items that both texts
// have. Beyond that the search takes the path that got furthest and continues from there.
// Texts of more than maxSteps/maxRounds items get fewer rounds, but at least minRounds.
// So the time grows with the sum of the lengths of the texts, as the memory does.
const maxRounds, minRounds, maxSteps = 256, 64, 1 << 24

// compare reports which items of a were removed and which items of b were added, by the
// algorithm of Myers in linear space.
func compare(a, b []string) (removed, added []bool) {
	removed, added = make([]bool, len(a)), make([]bool, len(b))
	ids := map[string]int32{}
	for _, s := range a {
		if _, ok := ids[s]; !ok {
			ids[s] = int32(len(ids))
		}
	}
	inB := make([]bool, len(ids))
	for _, s := range b {
		if id, ok := ids[s]; ok {
			inB[id] = true
		}
	}
	// An item of one side alone is a change in every comparison. Without such items the
	// search is short for most texts.
	c := &comparison{a: sequence{changed: removed}, b: sequence{changed: added}}
	for i, s := range a {
		if id := ids[s]; inB[id] {
			c.a.add(id, i)
		} else {
			removed[i] = true
		}
	}
	for i, s := range b {
		if id, ok := ids[s]; ok {
			c.b.add(id, i)
		} else {
			added[i] = true
		}
	}
	c.a.reversed, c.b.reversed = slices.Clone(c.a.items), slices.Clone(c.b.items)
	slices.Reverse(c.a.reversed)
	slices.Reverse(c.b.reversed)
	n, m := len(c.a.items), len(c.b.items)
	c.forward, c.backward = make([]int32, n+m+3), make([]int32, n+m+3)
	c.rounds = min(maxRounds, max(minRounds, maxSteps/max(n+m, 1)))
	c.box(0, n, 0, m)
	return removed, added
}

// sequence is one of two compared texts, without the items that the other one lacks.
type sequence struct {
	items, reversed []int32
	at              []int  // the index of each item in the text
	changed         []bool // by index in the text
}

func (s *sequence) add(item int32, at int) {
	s.items, s.at = append(s.items, item), append(s.at, at)
}

func (s *sequence) mark(from, to int) {
	for _, i := range s.at[from:to] {
		s.changed[i] = true
	}
}

// comparison compares two sequences. The slices forward and backward hold by diagonal
// how far the paths from the start and from the end got in a.
type comparison struct {
	a, b              sequence
	forward, backward []int32
	rounds            int
}

// box compares a[a0:a1] with b[b0:b1].
func (c *comparison) box(a0, a1, b0, b1 int) {
	for {
		for a0 < a1 && b0 < b1 && c.a.items[a0] == c.b.items[b0] {
			a0, b0 = a0+1, b0+1
		}
		for a0 < a1 && b0 < b1 && c.a.items[a1-1] == c.b.items[b1-1] {
			a1, b1 = a1-1, b1-1
		}
		if a0 == a1 || b0 == b1 {
			c.a.mark(a0, a1)
			c.b.mark(b0, b1)
			return
		}
		x, y := c.split(a0, a1, b0, b1)
		c.box(a0, a0+x, b0, b0+y)
		a0, b0 = a0+x, b0+y
	}
}

// split returns a point inside a box that a shortest path crosses, or one of the furthest
// points that it reached. Both sides of the box have items, and neither
// their first nor their last ones are equal.
func (c *comparison) split(a0, a1, b0, b1 int) (x, y int) {
	n, m := a1-a0, b1-b0
	a, b := c.a.items[a0:a1], c.b.items[b0:b1]
	last, lastB := len(c.a.items), len(c.b.items)
	ra, rb := c.a.reversed[last-a1:last-a0], c.b.reversed[lastB-b1:lastB-b0]
	f, r := c.forward[:n+m+3], c.backward[:n+m+3]
	for d := 0; ; d++ {
		// The paths meet after an odd number of edits in the first half of a round, after
		// an even number in the second.
		if x, y := extend(f, r, d, d-1, a, b); x >= 0 {
			return x, y
		}
		if x, y := extend(r, f, d, d, ra, rb); x >= 0 {
			return n - x, m - y
		}
		if d == c.rounds {
			x, y := furthest(f, d, n, m)
			rx, ry := furthest(r, d, n, m)
			if x+y >= rx+ry {
				return x, y
			}
			return n - rx, m - ry
		}
	}
}

// extend follows every path of d edits as far as items are equal, and returns the point
// where one meets a path of the other direction, which has done so many rounds; -1 if none
// does. The diagonal k = x-y has index k+m+1.
func extend(v, other []int32, d, rounds int, a, b []int32) (int, int) {
	n, m := len(a), len(b)
	lo, hi := diagonals(d, n, m)
	otherLo, otherHi := diagonals(rounds, n, m)
	for k := lo; k <= hi; k += 2 {
		x := 0
		switch {
		case k == d && d > 0 || k > -d && v[k+m] >= v[k+m+2]:
			x = int(v[k+m]) + 1 // an item of a is removed
		case d > 0:
			x = int(v[k+m+2]) // an item of b is added
		}
		for x < n && x-k < m && a[x] == b[x-k] {
			x++
		}
		v[k+m+1] = int32(x)
		// The same diagonal in the other direction.
		if o := n - m - k; rounds >= 0 && o >= otherLo && o <= otherHi && (o-otherLo)%2 == 0 && x+int(other[o+m+1]) >= n {
			return x, x - k
		}
	}
	return -1, -1
}

// diagonals are the first and the last diagonal that paths of d edits can improve in a
// box of n by m.
func diagonals(d, n, m int) (lo, hi int) {
	lo, hi = -d, d
	if d > m {
		lo = d - 2*m
	}
	if d > n {
		hi = 2*n - d
	}
	return lo, hi
}

// furthest returns the point within the box that paths of d edits reached and that has
// the most items before it.
func furthest(v []int32, d, n, m int) (x, y int) {
	lo, hi := diagonals(d, n, m)
	for k := lo; k <= hi; k += 2 {
		if at := int(v[k+m+1]); at <= n && at-k <= m && 2*at-k > x+y {
			x, y = at, at-k
		}
	}
	return x, y
}
