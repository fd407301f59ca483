// Package pacetest gives tests that hold a ceiling of time a second that is as long as
// the machine is slow. A ceiling says how much work may be done; in seconds it is one
// of the machine that it was written on, and on another one, or with others beside it,
// the same work takes longer. It tests no speed: that is for benchmarks.
package pacetest

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// reference is what the work below takes on the machine that the ceilings were written
// on, two cores of an AMD EPYC with nothing else to do.
const reference = 19 * time.Millisecond

// Second is how long this machine needs for what that one does in a second; never
// less than a second. It is measured when it is first asked for.
var Second = sync.OnceValue(func() time.Duration {
	least := time.Hour
	for range 5 {
		start := time.Now()
		work()
		least = min(least, time.Since(start))
	}
	return max(time.Second, time.Duration(float64(time.Second)*float64(least)/float64(reference)))
})

var sink int

// work is what Cento's own consists of: texts that are made, looked up and sorted.
func work() {
	names := map[string]int{}
	var list []string
	for i := range 50_000 {
		name := "fragment." + strconv.Itoa(i*7919%50_000)
		names[name] = i
		list = append(list, name)
	}
	slices.Sort(list)
	for _, name := range list {
		sink += names[name] + strings.Count(name, "9")
	}
}
