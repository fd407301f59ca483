//go:build race

package token

const underRace = true
