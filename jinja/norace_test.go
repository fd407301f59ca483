//go:build !race

package jinja

const underRace = false
