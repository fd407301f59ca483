//go:build race

package jinja

// underRace says that the race detector slows everything down tenfold.
const underRace = true
