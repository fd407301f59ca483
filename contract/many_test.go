package contract

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// drawContract draws a contract as [contracts] does, without what a property
// test keeps to make a failure small, which takes most of its time.
func drawContract(t failer, r *rand.Rand) *Contract {
	t.Helper()
	text := func() string {
		var b strings.Builder
		switch r.IntN(4) {
		case 0:
			return hostile[r.IntN(len(hostile))]
		case 1:
			for range 1 + r.IntN(5) {
				b.WriteString(hostile[r.IntN(len(hostile))])
			}
		case 2:
			for range r.IntN(12) {
				b.WriteByte(byte(r.IntN(0x80)))
			}
		case 3:
			for range r.IntN(12) {
				c := rune(r.IntN([]int{0x100, 0x3000, 0x10000, utf8.MaxRune + 1}[r.IntN(4)]))
				if utf8.ValidRune(c) {
					b.WriteRune(c)
				}
			}
		}
		return b.String()
	}
	var ctx Context
	ctx.Declare(declaredKeys...)
	all := append(slices.Clone(builtinKeys), declaredKeys...)
	for _, k := range r.Perm(len(all))[:r.IntN(5)] {
		facts := make([]Fact, r.IntN(5))
		for i := range facts {
			facts[i] = Fact{text(), text()}
		}
		ctx.AddFacts(all[k], facts...)
	}
	out := NewOutput(Emit(r.IntN(len(emitNames))), all[r.IntN(len(all))]).WithFormat(Format(r.IntN(len(formatNames))))
	c, err := New(Role(builtinRoles[r.IntN(len(builtinRoles))]), text(), ctx, out)
	if err != nil {
		t.Fatal(err)
	}
	for k := range Constraint(len(constraintNames)) {
		if r.IntN(2) == 0 {
			c = c.WithConstraint(k)
		}
	}
	return c
}

// TestManyRoundTrips reads back what is written of 3,000 random contracts, or as
// many as CENTO_ROUND_TRIPS says, in each form. Independent readers look at every
// tenth.
func TestManyRoundTrips(t *testing.T) {
	n := 3000
	if s := os.Getenv("CENTO_ROUND_TRIPS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 {
			t.Fatalf("CENTO_ROUND_TRIPS=%s is no number of contracts", s)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	begin, facts, texts, bytes := time.Now(), 0, 0, 0
	for i := range n {
		c := drawContract(t, r)
		facts += c.Len()
		for _, form := range Forms() {
			if !form.Readable() {
				continue
			}
			bytes += roundTrip(t, c, form)
			texts++
			if form == EDN {
				bytes += roundTrip(t, c, form, Exact)
				texts++
			}
		}
		if i%10 == 0 {
			jsonByTheStandardLibrary(t, c)
			xmlByTheStandardLibrary(t, c)
			ednByAnotherReader(t, c)
			toonByTheCodec(t, c)
		}
	}
	t.Logf("%d contracts with %d facts: %d texts of %d bytes read back, in %s", n, facts, texts, bytes, time.Since(begin).Round(time.Second))
}
