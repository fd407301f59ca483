package cache

import (
	"maps"
	"math"
	"slices"

	"github.com/cento-dev/cento"
)

// cost is what the input of a request costs in dollars; false where a price isn't
// known that it needs.
func cost(p *cento.ModelPrice, total int, x Prediction) (float64, bool) {
	input, read, write := p.Input, p.CacheRead, p.CacheWrite
	if a := p.Above; a != nil && total > a.Tokens {
		if a.Input != nil {
			input = a.Input
		}
		if a.CacheRead != nil {
			read = a.CacheRead
		}
		if a.CacheWrite != nil {
			write = a.CacheWrite
		}
	}
	if input == nil || read == nil && x.Read > 0 {
		return 0, false
	}
	sum := float64(x.Paid) * *input
	if x.Read > 0 {
		sum += float64(x.Read) * *read
	}
	for _, ttl := range slices.Sorted(maps.Keys(x.ByTTL)) {
		price, ok := write[ttl]
		if !ok {
			return 0, false
		}
		sum += float64(x.ByTTL[ttl]) * price
	}
	return dollars(sum / 1e6), true
}

// dollars are rounded to what sums of floating numbers hold whatever their order.
func dollars(x float64) float64 { return math.Round(x*1e9) / 1e9 }
