package workspace

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// reach says how far an area goes below its target. A smaller one goes further.
type reach uint8

const (
	all      reach = iota // everything below
	children              // direct children
	itself                // nothing
)

// area is a part of the tree, and the rule that it is told for.
type area struct {
	target string
	names  []string // of a pattern below the target; nil for the target itself
	reach  reach
	at     cento.Position
	trust  cento.Trust
	madeBy cento.Maker
}

// String is the area as a line of the summary.
func (a area) String() string {
	return "  - " + a.target + [...]string{"", " [non-recursive]", " [this path alone]"}[a.reach]
}

// asTarget is the area with its target written as that of a rule, see [parseTarget].
func (a area) asTarget() area {
	a.target = EscapeTarget(a.target)
	if len(a.names) > 0 {
		a.target = strings.TrimSuffix(a.target, "/") + "/" + strings.Join(a.names, "/")
	}
	return a
}

func (r *Rule) area() area {
	a := area{target: r.Target, at: r.Position, trust: r.trust, madeBy: r.madeBy}
	if r.Pattern {
		a.target, a.names = r.base, r.names
	}
	if !r.Recursive {
		a.reach = children
	}
	return a
}

// covers reports whether the rule is about a canonical path.
func (r *Rule) covers(at string, fold bool) bool {
	if r.Pattern {
		return r.matches(at)
	}
	name, ok := below(spelling(r.Target, fold), spelling(at, fold))
	return ok && (r.Recursive || !strings.Contains(name, "/"))
}

// spelling is a path as it is compared.
func spelling(path string, fold bool) string {
	if fold {
		return strings.ToLower(path)
	}
	return path
}

// areas are the areas of any number of rules, to be asked about many paths. What
// denies and what is denied are compared as deny rules are, see [foldDeny].
type areas struct {
	reaches map[string]reach // the furthest of each target, by its spelling
	sorted  []area           // after sort, by spelling
}

func (s *areas) add(a area) {
	if s.reaches == nil {
		s.reaches = map[string]reach{}
	}
	key := spelling(a.target, foldDeny)
	if r, there := s.reaches[key]; !there || a.reach < r {
		s.reaches[key] = a.reach
	}
	s.sorted = append(s.sorted, a)
}

func (s *areas) sort() {
	slices.SortStableFunc(s.sorted, func(a, b area) int {
		return cmp.Or(strings.Compare(spelling(a.target, foldDeny), spelling(b.target, foldDeny)), cmp.Compare(a.reach, b.reach))
	})
}

// at is how far the areas that a path lies in go below it; false when it lies in
// none.
func (s *areas) at(path string) (furthest reach, ok bool) {
	path = spelling(path, foldDeny)
	for dir, levels := path, 0; ; levels++ {
		if r, there := s.reaches[dir]; there && (levels == 0 || r == all || r == children && levels == 1) {
			if levels > 0 && r == children {
				r = itself
			}
			if !ok || r < furthest {
				furthest, ok = r, true
			}
		}
		up := parent(dir)
		if up == dir {
			return furthest, ok
		}
		dir = up
	}
}

// covers reports whether one of the areas has all of another.
func (s *areas) covers(a area) bool {
	r, ok := s.at(a.target)
	return ok && r <= a.reach
}

// has reports whether one of the areas has all of another, and more.
func (s *areas) has(a area) bool {
	if s.reaches[spelling(a.target, foldDeny)] < a.reach {
		return true
	}
	above := parent(a.target)
	r, ok := s.at(above)
	return ok && r == all && above != a.target
}

// under are those whose targets lie below that of an area and in it, outer ones
// first. It needs sort.
func (s *areas) under(a area) iter.Seq[area] {
	return func(yield func(area) bool) {
		top := strings.TrimSuffix(spelling(a.target, foldDeny), "/") + "/"
		from, _ := slices.BinarySearchFunc(s.sorted, top, func(b area, top string) int {
			return strings.Compare(spelling(b.target, foldDeny), top)
		})
		for _, b := range s.sorted[from:] {
			name, ok := strings.CutPrefix(spelling(b.target, foldDeny), top)
			if !ok || name != "" && (a.reach == all || !strings.Contains(name, "/")) && !yield(b) {
				return
			}
		}
	}
}

// meets reports whether an area shares any path with these.
func (s *areas) meets(a area) bool {
	if _, in := s.at(a.target); in {
		return true
	}
	for range s.under(a) {
		return true
	}
	return false
}

// denied is what deny rules make of allowed paths, as areas that tell nothing
// untrue: a rule that denies reading is told as it is, because nothing in it can
// be read, whatever is around it; of one that denies writing those parts are told
// that can be read. What another area tells already is left out.
func (s *Scope) denied() (readOnly, closed []area) {
	var allowed, shut, capped, told areas
	for i := range s.allow {
		allowed.add(s.allow[i].area())
	}
	allowed.sort()
	apart := map[string]bool{} // the spellings of areas that share nothing with them
	for i := range s.deny {
		r := &s.deny[i]
		a := r.area()
		if r.Pattern && r.Permission == Read && slices.ContainsFunc(s.allow, func(x Rule) bool { return r.within(x.area()) != nil }) {
			closed = append(closed, a)
		}
		if r.Pattern || r.Permission != Read || apart[a.String()] {
			continue
		}
		if !allowed.meets(a) {
			apart[a.String()] = true
			continue
		}
		shut.add(a)
		closed = append(closed, a)
	}
	tell := func(a area) {
		if !shut.covers(a) && !told.covers(a) {
			told.add(a)
			readOnly = append(readOnly, a)
		}
	}
	lines := map[string]bool{} // of patterns
	for i := range s.deny {
		r := &s.deny[i]
		a := r.area()
		if r.Pattern && r.Permission == Write {
			for j := range s.allow {
				of := s.allow[j].area()
				if allowed.has(of) {
					continue
				}
				for _, part := range r.within(of) {
					if line := part.asTarget().String(); part.names == nil {
						tell(part)
					} else if !lines[line] {
						lines[line] = true
						readOnly = append(readOnly, part)
					}
				}
			}
		}
		if r.Pattern || r.Permission != Write || capped.covers(a) {
			continue
		}
		capped.add(a)
		if below, in := allowed.at(a.target); in {
			part := a
			part.reach = max(a.reach, below)
			tell(part)
		}
		for part := range allowed.under(a) {
			part.at, part.trust, part.madeBy = a.at, min(a.trust, part.trust), a.madeBy
			if a.reach == children {
				part.reach = itself
			}
			tell(part)
		}
	}
	return readOnly, closed
}
