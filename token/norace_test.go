//go:build !race

package token

// underRace says whether the race detector slows everything down twentyfold
// and empties pools at random.
const underRace = false
