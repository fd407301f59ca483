package cache

import (
	"maps"
	"math"
	"slices"

	"github.com/cento-dev/cento"
)

// cost is what the input of a request costs in dollars. Unpriced are the names of prices
// that it needs and that aren't known, by the keys of the catalog: then there is none.
func cost(p *cento.ModelPrice, total int, x Prediction) (dollar float64, unpriced []string) {
	input, read, write := p.Input, p.CacheRead, p.CacheWrite
	if a := p.Above; a != nil && total > a.Tokens {
		input, read, write = a.Input, a.CacheRead, a.CacheWrite
	}
	var sum float64
	add := func(tokens int, name string, price *float64) {
		if price == nil {
			unpriced = append(unpriced, name)
			return
		}
		sum += float64(tokens) * *price
	}
	add(x.Paid, "input", input)
	if x.Read > 0 {
		add(x.Read, "cache_read", read)
	}
	for _, ttl := range slices.Sorted(maps.Keys(x.ByTTL)) {
		name := "cache_write"
		if ttl != "" {
			name += " " + ttl
		}
		if price, ok := write[ttl]; ok {
			add(x.ByTTL[ttl], name, &price)
		} else {
			add(0, name, nil)
		}
	}
	if unpriced != nil {
		return 0, unpriced
	}
	return dollars(sum / 1e6), nil
}

// dollars are rounded to what sums of floating numbers hold whatever their order.
func dollars(x float64) float64 { return math.Round(x*1e9) / 1e9 }
