// Package lengthtest says how much of its work a test does that could go on for
// minutes. Every length looks at the same laws; a longer one tries more places to
// break. It holds no law itself.
package lengthtest

import (
	"os"
	"testing"
)

// Length is how much of its work a test does.
type Length int

const (
	// Short is for the inner loop: go test -short.
	Short Length = iota
	// Usual is what go test does by itself.
	Usual
	// Long leaves nothing out: CENTO_LONG=1, whatever else is asked for.
	Long
)

// Wanted is the length that this run asks for.
func Wanted() Length {
	switch {
	case os.Getenv("CENTO_LONG") != "":
		return Long
	case testing.Short():
		return Short
	}
	return Usual
}

// NotShort skips a test in the inner loop. why says what it costs.
func NotShort(t testing.TB, why string) {
	t.Helper()
	if Wanted() == Short {
		t.Skip(why)
	}
}

// OnlyLong skips a test unless nothing is to be left out. why says what it costs, and
// what holds its law at fewer places.
func OnlyLong(t testing.TB, why string) {
	t.Helper()
	if Wanted() != Long {
		t.Skipf("%s; CENTO_LONG=1 runs it", why)
	}
}

// Of is the one of three values that is for the length of this run.
func Of[T any](short, usual, long T) T { return [...]T{short, usual, long}[Wanted()] }
