package cento

import "math"

// With [Budget].KeepCached the order of sacrifices has two halves: what the prompt
// cache of the provider doesn't hold, and what it does. Units go by their importance
// within each. Which half a unit is in depends on the turn before, and never on how
// large the budget is: of the same turn before, a larger budget keeps no less.

// CachedLoss is what was kept in the prompt cache and is read no more, since
// something that stands before it is given up: the cache finds a request as far as it
// begins like one before.
type CachedLoss struct {
	// Tokens are those of the texts from the first that is given up to the last that
	// stood before the mark, as they are now.
	Tokens int `json:"tokens"`
	// Price is in US dollars what it costs that they are written to the cache anew, or
	// paid where the provider charges nothing for that, and not read: by the prices of
	// the model for the shortest time that it keeps, and for a request to which no
	// rates of longer ones apply. Nil where a price isn't known.
	Price *float64 `json:"price"`
}

// remember finds the positions of what the prompt cache holds.
func (f *fitting) remember() {
	if !f.budget.KeepCached {
		return
	}
	for _, id := range f.budget.Cached {
		if i, ok := f.a.Index(id); ok && f.a.inAt(f.a.plan.position(i)) {
			if f.cachedAt == nil {
				f.cachedAt = make(map[int32]bool, len(f.budget.Cached))
			}
			f.cachedAt[int32(f.a.plan.position(i))] = true
		}
	}
}

// cachedLosses are, by the number of steps that are taken, the tokens that are read
// no more; nil for none ever.
func (f *fitting) cachedLosses() []int {
	if f.cachedAt == nil {
		return nil
	}
	f.sequence()
	f.uncached.Do(func() {
		behind := f.cachedBehind()
		f.losses = make([]int, len(f.steps)+1)
		for s, step := range f.steps {
			f.losses[s+1] = f.losses[s]
			for _, pos := range f.positions(step) {
				if f.cachedAt[pos] {
					f.losses[s+1] = max(f.losses[s+1], behind[pos])
				}
			}
		}
	})
	return f.losses
}

// cachedBehind are, by position, the tokens of what the prompt cache holds from
// there on.
func (f *fitting) cachedBehind() []int {
	out := make([]int, len(f.a.plan.gate)+1)
	for pos := len(out) - 2; pos >= 0; pos-- {
		out[pos] = out[pos+1]
		if f.cachedAt[int32(pos)] {
			out[pos] += f.texts.count(pos, 0)
		}
	}
	return out
}

// lossAt is what a step costs with those before it; nil for nothing.
func (f *fitting) lossAt(lost []int, s int) *CachedLoss {
	if lost == nil || lost[s+1] == 0 {
		return nil
	}
	return &CachedLoss{Tokens: lost[s+1], Price: f.budget.rewriting(lost[s+1])}
}

// cachedLost is what is read no more in the end; nil for nothing.
func (f *fitting) cachedLost() *CachedLoss {
	if f.cachedAt == nil || f.level == nil {
		return nil
	}
	behind, most := f.cachedBehind(), 0
	for pos := range f.cachedAt {
		if f.level[pos] != 0 {
			most = max(most, behind[pos])
		}
	}
	if most == 0 {
		return nil
	}
	return &CachedLoss{Tokens: most, Price: f.budget.rewriting(most)}
}

// rewriting is what it costs in dollars to write so many tokens to the cache instead
// of reading them; nil where a price isn't known.
func (b *Budget) rewriting(tokens int) *float64 {
	if b.model == nil {
		return nil
	}
	p := &b.model.Price
	written := p.Input
	if len(p.CacheWrite) > 0 {
		written = nil
		ttls := b.model.Cache.TTL
		if len(ttls) == 0 {
			ttls = []string{""}
		}
		if price, ok := p.CacheWrite[ttls[0]]; ok {
			written = &price
		}
	}
	if written == nil || p.CacheRead == nil {
		return nil
	}
	const digits = 1e9 // so that it is the same in whatever order it was summed up
	price := math.Round(float64(tokens)*(*written-*p.CacheRead)/1e6*digits) / digits
	return &price
}
