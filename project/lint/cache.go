package lint

import (
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
)

// cacheOrder finds texts that change more often than others behind them: a prompt
// cache keeps the beginning of a prompt, up to the first byte that is another. The
// protected end of the prompt is where it is whatever anybody does.
func cacheOrder(_ *subject, t *target, report func(Finding)) error {
	type place struct{ fragment, start, bytes int }
	var list []place
	for i := range t.prompt.Len() {
		f := t.prompt.Fragment(i)
		if start, end, in := t.prompt.Extent(i); in && start < end && !f.Tail {
			list = append(list, place{i, start, end - start})
		}
	}
	slices.SortFunc(list, func(a, b place) int { return a.start - b.start })
	// How many texts stand behind, and their bytes, by stability.
	var texts, bytes [cento.PerTurn + 1]int
	for i := len(list) - 1; i >= 0; i-- {
		f := t.prompt.Fragment(list[i].fragment)
		n, size := 0, 0
		for s := cento.Static; s < f.Stability; s++ {
			n, size = n+texts[s], size+bytes[s]
		}
		if n > 0 {
			often, are := "session", "texts"
			if f.Stability == cento.PerTurn {
				often = "turn"
			}
			if n == 1 {
				are = "text"
			}
			report(Finding{
				Position: f.Origin, ID: f.ID,
				Message: fmt.Sprintf("this text changes with each %s and stands before %d %s, %d bytes, that change less often: a prompt cache loses them each time", often, n, are, size),
				Hint:    "put it behind them: bucket: after, or last in its list; cento cache tells what it costs",
			})
		}
		texts[f.Stability]++
		bytes[f.Stability] += list[i].bytes
	}
	return nil
}
